"""The promises about the files of a step. A fault names its file and line."""

from __future__ import annotations

import ast
import importlib
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from checks.authoring.asked import faults_of_questions
from checks.authoring.fault import Fault, line_of, read, room_of
from checks.authoring.lesson import faults_of_lesson
from checks.contents import COURSE, Step
from checks.engine.drawing.example import example_of
from checks.engine.files.skeleton import functions, skeleton
from checks.engine.known import Mistake, Right, Version
from checks.engine.language import checks_of
from checks.lessons.parts import part_of, title_of
from checks.lessons.written import written

MARK = "AUTHOR"  # `author new` marks the places that are still to be written.
Promise = Callable[[Step], Iterable[Fault]]
FEWEST = {"hints": 3, "checks": 5, "mistakes": 8, "rights": 2, "questions": 3}


def of_files(step: Step) -> list[Fault]:
    """What the files of a step lack, without running any of its code."""
    files = _files(step)
    missing = [file for file in files if not (COURSE / file).exists()]
    if missing:
        write = "python run_step.py author new writes all files of a step"
        return [Fault(file, None, f"There is no such file: {write}.") for file in missing]
    if not part_of(step):
        return [Fault(step.lesson, None, f"There is no heading: ## {step.id} and its title.")]
    promises = (_marks, _solution, _skeleton, faults_of_lesson, _sentences, _versions, _questions)
    return [fault for promise in promises for fault in _kept(promise, step)]


def _kept(promise: Promise, step: Step) -> Iterator[Fault]:
    """The faults that a promise finds, and the line of the step's own files that stops it."""
    try:
        yield from promise(step)
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [(frame.filename, frame.lineno) for frame in frames]
        if isinstance(error, SyntaxError) and error.filename:
            lines.append((error.filename, error.lineno))
        own = [*_files(step), f"{room_of(step)}/truth.py"]
        found = [(file, n) for name, n in lines for file in own if Path(name) == COURSE / file]
        file, line = found[-1] if found else (room_of(step), None)
        yield Fault(file, line, f"It stops here: {type(error).__name__}: {error}")


def _files(step: Step) -> list[str]:
    room = room_of(step)
    own = [f"{room}/{kind}.py" for kind in ("checks", "shown", "mistakes", "rights", "questions")]
    return [f"solutions/{step.path}", step.path, *own, step.lesson]


def _marks(step: Step) -> Iterator[Fault]:
    """The places that `author new` has left to be written."""
    room = COURSE / room_of(step)
    truth = [f"{room_of(step)}/truth.py"] if (room / "truth.py").exists() else []
    own = [file for file in [*_files(step), *truth] if file not in (step.path, step.lesson)]
    shared = [step.lesson, "checks/contents.py", "CHANGELOG.md"]
    of_step = (step.path, f"| {step.id} |", f"step {step.id} ")
    for file in [*own, *shared]:
        part = ""
        for number, line in enumerate(read(file).splitlines(), 1):
            part = line if line.startswith("## ") else part
            ours = file in own or part.startswith(f"## {step.id} ")
            if MARK in line and (ours or any(word in line for word in of_step)):
                yield Fault(file, number, f"AUTHOR still stands here: {' '.join(line.split())}")


def _solution(step: Step) -> Iterator[Fault]:
    file = f"solutions/{step.path}"
    text = read(file)
    docstring = ast.get_docstring(ast.parse(text)) or ""
    if f'"{title_of(step)}"' not in docstring:
        says = f'The docstring lacks "{title_of(step)}", the heading of its part of the lesson.'
        yield Fault(file, line_of(file, "Lesson: ") or 1, says)
    if f"Check: python run_step.py {step.id}" not in docstring:
        yield Fault(file, 1, f"The docstring lacks: Check: python run_step.py {step.id}")
    if "NotImplementedError" not in skeleton(text):
        says = "No function has a comment line, so the skeleton has no gap to be filled."
        yield Fault(file, 1, says)
    for name, function in functions(ast.parse(text)):
        if ast.get_docstring(function) is None and not name.endswith("__init__"):
            yield Fault(file, function.lineno, f"{name} has no docstring: say what it returns.")


def _skeleton(step: Step) -> Iterator[Fault]:
    """Faults of the skeleton that is made from the solution.

    The stage's folder may hold the author's own try, but no TODO and no class of an older solution.
    """
    lines = skeleton(read(f"solutions/{step.path}")).splitlines()
    if len(lines) > 75:
        says = f"The skeleton has {len(lines)} lines: what does not fit a screen is two steps."
        yield Fault(f"solutions/{step.path}", len(lines), says)
    known = set(lines)
    for number, line in enumerate(read(step.path).splitlines(), 1):
        is_ours = line.lstrip().startswith(("# TODO: ", "class ")) or MARK in line
        if is_ours and line not in known:
            says = "This line is not in the skeleton that follows from the solution. "
            says += f"Make it again:  python run_step.py reset {step.id}"
            yield Fault(step.path, number, says)
            return


def _sentences(step: Step) -> Iterator[Fault]:
    file = f"{room_of(step)}/checks.py"
    shown = f"{room_of(step)}/shown.py"
    hints = importlib.import_module(f"{step.room}.shown").HINTS
    asked = checks_of(importlib.import_module(f"{step.room}.checks"))
    if len(hints) < FEWEST["hints"] or "____" not in hints[-1] or "____" in hints[0]:
        says = "HINTS go from a question to a line with a gap ____: three at least."
        yield Fault(shown, line_of(shown, "HINTS"), says)
    if example_of(step) is None:
        says = "EXAMPLE is missing: the tiny example that `run_step.py trace` runs."
        yield Fault(shown, line_of(shown, "HINTS"), says)
    if len(asked) < FEWEST["checks"]:
        says = f"{FEWEST['checks']} checks at least are needed; written so far: {len(asked)}."
        yield Fault(file, 1, says)
    for one in asked:
        if not (one.__doc__ or "").strip().endswith("."):
            says = f"The docstring of {one.__name__} is a sentence for the learner, with a dot."
            yield Fault(file, line_of(file, f"def {one.__name__}"), says)


def _versions(step: Step) -> Iterator[Fault]:
    text = read(f"solutions/{step.path}")
    sources: dict[str, str] = {text: "the solution"}
    for kind in ("mistakes", "rights"):
        file = f"{room_of(step)}/{kind}.py"
        declared = _declared(step, kind)
        for name, again in _declared_again(file):
            says = f"{name} is declared a second time, so the first one is never tried: rename it."
            yield Fault(file, again, says)
        if len(declared) < FEWEST[kind]:
            says = f"{FEWEST[kind]} {kind} at least are needed; declared so far: {len(declared)}."
            yield Fault(file, 1, says)
        for name, version in declared.items():
            line = line_of(file, f"{name} =")
            changed, applies = text, True
            for find, replacement in version.edit.items():
                if (count := changed.count(find)) != 1:
                    says = f"{name}: {find!r} stands {count} times in the solution. "
                    says += "Write so much of it that it stands there once."
                    yield Fault(file, line, says)
                    applies = False
                changed = changed.replace(find, replacement)
            if applies and (says := _syntax_error(changed)):
                yield Fault(file, line, f"{name}: {says}")
            if applies and changed in sources:
                yield Fault(file, line, f"{name} is the same as {sources[changed]}.")
            sources[changed] = name
            if not version.says.endswith(".") or len(version.says) > 240:
                yield Fault(file, line, f"{name}: a sentence of at most 240 characters, and a dot.")


def _syntax_error(source: str) -> str:
    """What Python cannot read in a file; "" if it reads all."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return f"with it Python cannot read the file ({error.msg}): {(error.text or '').strip()}"
    return ""


def _questions(step: Step) -> Iterator[Fault]:
    file = f"{room_of(step)}/questions.py"
    for name, says in faults_of_questions(step, FEWEST["questions"]):
        yield Fault(file, line_of(file, f"def {name}(") if name else 1, says)


def _declared_again(file: str) -> Iterator[tuple[str, int]]:
    """The constants that a file declares more than once, each with its line."""
    known = set[str]()
    for node in ast.parse(read(file)).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in known:
                yield name, node.lineno
            known.add(name)


def _declared(step: Step, kind: str) -> dict[str, Version]:
    """The constants of mistakes.py or rights.py, by their names in the file."""
    constants = vars(importlib.import_module(f"{step.room}.{kind}"))
    wanted = Mistake if kind == "mistakes" else Right
    return {name: value for name, value in constants.items() if isinstance(value, wanted)}


def of_written() -> list[Fault]:
    """The map, tables, pictures and notebooks that are not what follows from their sources."""
    says = "It is older than what it is made of. Make it again:  python -m checks.lessons"
    return [
        Fault(path.relative_to(COURSE).as_posix(), None, says)
        for path, text in written()
        if not path.exists() or path.read_bytes().decode() != text
    ]
