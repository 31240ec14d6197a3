"""An exception, and the place of a call, in the learner's own lines.

`files`: the learner's source by file name. What is needed of torch is bound to private names
before learner code runs, as in laboratory.py.
"""

import re
import traceback

import torch

TEXT_LIMIT = 2_000
FRAME_LIMIT = 12
WORD = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_Tensor, _shape_of = torch.Tensor, torch.Tensor.size
_NoSubclass = torch._C.DisableTorchFunctionSubclass


def explain(error, files):
    """An exception as plain data. Asking it for its text may raise in turn."""
    try:
        text = str(error)[:TEXT_LIMIT]
    except BaseException:
        text = "(its message cannot be shown)"
    frames, shapes = [], {}
    for frame, line in list(traceback.walk_tb(error.__traceback__))[-500:]:
        if frame.f_code.co_filename in files:
            frames.append([frame.f_code.co_filename, line, frame.f_code.co_name])
            shapes = _shapes(frame, line, files)
    if isinstance(error, SyntaxError) and error.filename in files:
        frames.append([error.filename, error.lineno, "<module>"])
        text = f"{error.msg} (column {error.offset})"
    return {
        "error": {
            "type": type(error).__name__[:100],
            "bases": [base.__name__ for base in type(error).__mro__][:20],
            "message": text,
            "own": _raised_here(error, files),
            "frames": frames[-FRAME_LIMIT:],
            "shapes": shapes,
        }
    }


def _raised_here(error, files):
    """Whether the learner's own code raised it, not something that it called."""
    last = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][-1:]
    return any(frame.f_code.co_filename in files for frame in last) and isinstance(
        error, (ValueError, AssertionError, NotImplementedError)
    )


def place(frame, files):
    """[file, line] of the nearest frame of the learner, or None."""
    while frame is not None:
        if frame.f_code.co_filename in files:
            return [frame.f_code.co_filename, frame.f_lineno]
        frame = frame.f_back
    return None


def _shapes(frame, line, files):
    """The tensors named on that line: {"self.gamma": "(6,) float32", "x": ...}."""
    source = files[frame.f_code.co_filename].decode("utf-8", "replace").splitlines()
    found = {}
    for name in WORD.findall(source[line - 1]) if line <= len(source) else []:
        name, *rest = name.split(".")
        value = frame.f_locals.get(name)
        for attribute in rest:
            if isinstance(value, _Tensor):
                break  # What follows is a method: x.transpose.
            name = f"{name}.{attribute}"
            inside = getattr(value, "__dict__", {})
            places = [inside, inside.get("_parameters", {}), inside.get("_buffers", {})]
            value = next((p[attribute] for p in places if attribute in p), None)
        if isinstance(value, _Tensor) and len(found) < 8:
            with _NoSubclass():
                dtype = str(value.dtype).removeprefix("torch.")
                found[name] = f"{tuple(_shape_of(value))} {dtype}"
    return found
