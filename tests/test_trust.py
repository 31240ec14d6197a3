"""Whatever a submission does, it ends in a verdict about that check; the others keep theirs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from checks.contents import SOLUTIONS, STEPS
from checks.machine.host import Host
from checks.machine.judge import Judge
from checks.machine.source import Source

Make = Callable[[dict[str, Any]], Path]
NORM = "s2_attention/layer_norm.py"
RIGHT = (SOLUTIONS / NORM).read_text("utf-8")
RETURN = "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta"
posix = pytest.mark.skipif(os.name != "posix", reason="needs what only POSIX systems have")
EVERYTHING = frozenset(step.id for step in STEPS)


def in_forward(line: str) -> str:
    """The right step with a line before its return."""
    assert RETURN in RIGHT
    return RIGHT.replace(RETURN, f"{line}\n        {RETURN}")


def at_import(line: str) -> str:
    return RIGHT.replace("import torch\n", f"import torch\n{line}\n", 1)


# What is submitted, the verdict of the step, and what its message says.
HOSTILE = {
    "exit at import": (at_import("import os; os._exit(0)"), "no_result", "being imported"),
    "exit in forward": (in_forward("import os; os._exit(0)"), "no_result", "LayerNorm"),
    "sys.exit at import": (at_import("raise SystemExit"), "error", "SystemExit"),
    "KeyboardInterrupt": (in_forward("raise KeyboardInterrupt"), "error", "KeyboardInterrupt"),
    "own BaseException": (
        at_import("class Odd(BaseException): pass\nraise Odd('no')"),
        "error",
        "Odd",
    ),
    "unprintable exception": (
        at_import("class Odd(Exception):\n    def __str__(self): raise self\nraise Odd"),
        "error",
        "cannot be shown",
    ),
    "huge message": (in_forward("raise ValueError('x' * 10**7)"), "error", "ValueError"),
    "endless loop at import": (at_import("while True: pass"), "timeout", "being imported"),
    "endless loop in forward": (in_forward("while True: pass"), "timeout", "layer_norm.py:"),
    "endless loop, signals ignored": (
        at_import("import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"),
        "timeout",
        "did not finish",
    ),
    "endless sleep": (at_import("import time; time.sleep(3600)"), "timeout", "did not finish"),
    "endless print": (
        at_import("while True: print('spam' * 1000)"),
        "output_limit",
        "printed without end",
    ),
    "abort": (in_forward("import os; os.abort()"), "crash", "SIGABRT"),
    "null pointer": (in_forward("import ctypes; ctypes.string_at(0)"), "crash", "SIGSEGV"),
    "runaway recursion": (at_import("def f(): return f()\nf()"), "error", "RecursionError"),
    "40 GB": (in_forward("torch.empty(10**10)"), "memory", "memory"),
    "40 GB of list": (in_forward("x = [0] * 10**10"), "memory", "MemoryError"),
    "kills its parent": (in_forward("import os; os.kill(os.getppid(), 9); os._exit(0)"), None, ""),
    "reads stdin": (at_import("input()"), "error", "EOFError"),
    "closes everything": (in_forward("import os; os.closerange(0, 64)"), None, ""),
    "writes to every fd": (
        in_forward(
            "import os\n        for fd in range(3, 20):\n"
            "            try: os.write(fd, b'PASS' * 9)\n            except OSError: pass"
        ),
        "no_result",
        "",
    ),
    "imports the solution": (
        at_import("from solutions.s2_attention.layer_norm import LayerNorm"),
        "fail",
        "imports solutions/",
    ),
    "null byte": (RIGHT.encode() + b"\0", "unreadable", "NUL byte"),
    "UTF-16": (RIGHT.encode("utf-16"), "unreadable", "UTF-16"),
    "Latin-1": (RIGHT.encode() + b"\n# caf\xe9\n", "unreadable", "UTF-8"),
    "syntax error": (RIGHT.replace("def forward(", "def forward("[:-1]), "error", "SyntaxError"),
    "10,000 brackets": (at_import("x = " + "(" * 10_000), "error", ""),
    "empty": ("", "untouched", ""),
    "comments only": ("# soon\n", "untouched", ""),
    "two megabytes": (RIGHT + "#" * 2_000_000, "unreadable", "MB"),
    "misspelt class": (
        RIGHT.replace("LayerNorm", "LayerNrom"),
        "missing",
        "Did you mean LayerNrom",
    ),
    "behind main": (
        RIGHT.replace("class LayerNorm", "if __name__ == '__main__':\n  class LayerNorm").replace(
            "\n    ", "\n      "
        ),
        "missing",
        "no LayerNorm",
    ),
    "not a module": (RIGHT.replace("(nn.Module)", "").replace("super()", "object"), None, ""),
    "no super().__init__()": (RIGHT.replace("super().__init__()", "pass"), "error", "__init__"),
    "returns None": (RIGHT.replace(RETURN, "pass"), "fail", "Is a return missing?"),
    "returns a list": (
        RIGHT.replace(
            RETURN,
            f"{RETURN}.tolist()".replace("return ", "return (").replace(".tolist()", ").tolist()"),
        ),
        "fail",
        "is a list",
    ),
    "a lying tensor": (
        at_import(
            "class Liar(torch.Tensor):\n"
            "    @classmethod\n"
            "    def __torch_function__(cls, f, types, args=(), kwargs=None): return True"
        ).replace(RETURN, "return x.as_subclass(Liar)"),
        "fail",
        "",
    ),
}
# What only looks odd: the verdict is pass.
HARMLESS = {
    "a thread left behind": at_import(
        "import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()"
    ),
    "atexit that loops": at_import(
        "import atexit\n@atexit.register\ndef _():\n    while True: pass"
    ),
    "a daemon": at_import("import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(60)"),
    "patched comparisons": at_import("torch.allclose = torch.equal = lambda *a, **k: False"),
    "patched tensor methods": at_import("torch.Tensor.numpy = torch.Tensor.tolist = None"),
    "another default dtype": at_import("torch.set_default_dtype(torch.float32)"),
    "closed stdout": at_import("import sys; sys.stdout = None"),
    "cleared environment": at_import("import os; os.environ.clear(); os.chdir('/')"),
    "windows line ends": RIGHT.replace("\n", "\r\n").encode(),
    "byte order mark": b"\xef\xbb\xbf" + RIGHT.encode(),
    "a benign subclass": at_import("class T(torch.Tensor): pass").replace(
        RETURN, f"return ({RETURN.removeprefix('return ')}).as_subclass(T)"
    ),
    "prints": in_forward("print('\\x1b[2J\\x00 ALL PASSED')"),
}


@posix
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_submissions_get_their_verdict(run: Run, submission: Make, name: str) -> None:
    content, verdict, says = HOSTILE[name]
    start = time.monotonic()

    result = run(submission({NORM: content}), "2.3", alone=True, seconds=0.5)[0]

    assert result.verdict != "pass"
    assert result.verdict != "infra", result.first_failure
    assert verdict is None or result.verdict == verdict, result.first_failure
    assert result.first_failure is not None and says in result.first_failure.message
    assert time.monotonic() - start < 30


@posix
@pytest.mark.parametrize("name", HARMLESS)
def test_odd_but_right_submissions_pass(run: Run, submission: Make, name: str) -> None:
    result = run(submission({NORM: HARMLESS[name]}), "2.3", alone=True)[0]
    assert result.verdict == "pass", result.first_failure


def test_one_bad_check_keeps_the_verdicts_of_the_others(run: Run, submission: Make) -> None:
    """The process ends only for one vector alone: one check has no result, the rest have theirs."""
    result = run(
        submission({NORM: in_forward("x.dim() == 1 and __import__('os')._exit(0)")}), "2.3"
    )[0]
    verdicts = {check.name: check.verdict for check in result.checks}
    assert verdicts.pop("any_leading_axes_will_do") == "no_result"
    assert set(verdicts.values()) == {"pass"}


@posix
def test_after_the_server_was_killed_another_one_serves(run: Run, submission: Make) -> None:
    killer = in_forward("import os; os.kill(os.getppid(), 9)")
    run(submission({NORM: killer}), "2.3", alone=True)
    assert run(SOLUTIONS, "2.3", alone=True)[0].verdict == "pass"


def test_what_was_printed_is_kept_and_capped(run: Run, submission: Make) -> None:
    loud = in_forward("print('first'); print('y' * 100_000); print('last')")
    result = run(
        submission({NORM: loud.replace("unbiased=False", "unbiased=True")}), "2.3", alone=True
    )[0]
    assert result.verdict == "fail"
    printed = result.checks[0].printed
    assert printed.startswith("first") and printed.endswith("last\n")
    assert "bytes left out" in printed and len(printed) < 20_000


@posix
def test_odd_files_are_named(tmp_path: Path, run: Run, submission: Make) -> None:
    root = submission({})
    file = root / NORM
    for make, says in (
        (lambda: file.mkdir(), "a folder"),
        (lambda: file.symlink_to(tmp_path / "nowhere"), "a link to nothing"),
        (lambda: __import__("os").mkfifo(file), "a pipe"),
        (lambda: None, "There is no file"),
    ):
        if file.is_dir():
            file.rmdir()
        else:
            file.unlink(missing_ok=True)
        make()
        result = run(root, "2.3", alone=True)[0]
        assert result.verdict in ("unreadable", "missing")
        assert says in result.checks[0].message


def test_libraries_are_not_shadowed_by_files_of_the_learner(run: Run, submission: Make) -> None:
    trap = "raise RuntimeError('shadowed')"
    names = (
        "torch.py",
        "random.py",
        "numpy/__init__.py",
        "typing.py",
        "sitecustomize.py",
        "wire.py",
    )
    root = submission({name: trap for name in names})
    assert run(root, "2.3", alone=True)[0].verdict == "pass"


def test_helper_files_of_the_learner_work(run: Run, submission: Make) -> None:
    text = RIGHT.replace(
        "import torch\n", "import torch\nfrom s2_attention.mine import one\nimport two\n", 1
    )
    root = submission({NORM: text, "s2_attention/mine.py": "one = 1\n", "two.py": "two = 2\n"})
    assert run(root, "2.3", alone=True)[0].verdict == "pass"


def test_nothing_is_written_into_a_submission(run: Run, submission: Make) -> None:
    root = submission({NORM: in_forward("open('mess.txt', 'w').write('here')")})
    before = sorted(path for path in root.rglob("*"))
    assert run(root, "2.3", alone=True)[0].verdict == "pass"
    assert sorted(path for path in root.rglob("*")) == before


def test_a_fresh_process_for_each_check_gives_the_same_verdicts(submission: Make) -> None:
    """As on systems where forking is not safe."""
    wrong = submission({NORM: RIGHT.replace("unbiased=False", "unbiased=True")})
    loop = in_forward("while True: pass")
    step = [step for step in STEPS if step.id == "2.3"]
    with Host(fork=False) as host:
        right = Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING).run(step)[0]
        assert right.verdict == "pass", right.first_failure
        failed = Judge(host, Source(wrong), 7, passed=EVERYTHING).run(step)[0]
        assert failed.verdict == "fail"
        (wrong / NORM).write_text(loop, "utf-8")
        assert Judge(host, Source(wrong), 7, 0.5, EVERYTHING).run(step)[0].verdict == "timeout"


def test_a_seed_gives_the_same_numbers_again(run: Run, submission: Make) -> None:
    root = submission({NORM: RIGHT.replace("unbiased=False", "unbiased=True")})
    first, again = (run(root, "2.3", alone=True, seed=5)[0] for _ in range(2))
    other = run(root, "2.3", alone=True, seed=6)[0]
    assert [c.message for c in first.checks] == [c.message for c in again.checks]
    assert [c.message for c in first.checks] != [c.message for c in other.checks]
