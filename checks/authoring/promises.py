"""The promises that the course makes about each of its steps. A fault names its file and line."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from checks.authoring.asked import faults_of_questions
from checks.contents import COURSE, STEPS, Step
from checks.engine.asking.learner import Files
from checks.engine.commands.proof import changed
from checks.engine.course.skeleton import functions, skeleton
from checks.engine.course.source import solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.known import Mistake, Right, Version
from checks.engine.language import checks_of
from checks.engine.naming.properties import PROPERTIES
from checks.engine.tracing.example import example_of
from checks.engine.tracing.facts import follow
from checks.engine.verdicts import StepResult, Stopped

SEEDS = range(2)  # The solution is judged with these seeds.
MARK = "AUTHOR"  # `author new` marks the places that are still to be written.
FEWEST = {"hints": 3, "checks": 5, "mistakes": 8, "rights": 2, "questions": 3}


class Fault(NamedTuple):
    """A promise that is not kept: where, and what to write."""

    file: str
    line: int | None
    says: str


def of_files(step: Step) -> list[Fault]:
    """What the files of a step lack, without running any of its code."""
    files = _files(step)
    missing = [file for file in files if not (COURSE / file).exists()]
    if missing:
        write = "python run_step.py author new writes all files of a step"
        return [Fault(file, None, f"There is no such file: {write}.") for file in missing]
    found = list(_marks(step, files))
    for promise in (_solution, _skeleton, _lesson, _sentences, _versions, _questions, _map):
        found += promise(step)
    return found


def of_verdicts(host: Host, step: Step) -> list[Fault]:
    """Faults that judging shows: the solution and right versions should pass, mistakes should fail
    and be named.
    """
    room = _room(step)
    found = []
    for seed in SEEDS:
        judge = Judge(host, solutions(), seed, passed=_others(step))
        (result,) = judge.run([step])
        judge.close()
        if result.verdict != "pass" and result.first_failure is not None:
            failure = result.first_failure
            says = f"The solution does not pass {failure.name} (seed {seed}): {failure.message}"
            return [Fault(f"{room}/checks.py", _line(f"{room}/checks.py", failure.name), says)]
    if says := _example_stops(host, step):
        return [Fault(f"{room}/shown.py", _line(f"{room}/shown.py", "EXAMPLE"), says)]
    known = {**_declared(step, "mistakes"), **_declared(step, "rights")}

    def judged(version: Version) -> StepResult:
        return changed(host, step, version).run([step])[0]

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(judged, known.values()))
    for (name, version), result in zip(known.items(), results):
        if says := _wrong_verdict(version, result):
            file = f"{room}/{'mistakes' if isinstance(version, Mistake) else 'rights'}.py"
            found.append(Fault(file, _line(file, name), f"{name}: {says}"))
    return found


def _example_stops(host: Host, step: Step) -> str:
    """Why the tiny example does not run to its end with the solution; "" if it does."""
    example = example_of(step)
    error: Stopped | None = None
    try:
        if example is not None:
            error = follow(host, step, Files.of(solutions(), step), example, 1).error
    except Stopped as stopped:
        error = stopped
    return f"The EXAMPLE stops with the solution: {error.message}" if error else ""


def of_mutants(host: Host, step: Step) -> list[Fault]:
    """Small changes of the solution that no check notices and no line of the file excuses."""
    from tests.mutation import alive, argued, mutants

    file, reasons = f"solutions/{step.path}", argued()
    says = "No check notices {}. Write one; or, if nobody could, a line in tests/survivors.txt."
    left = [mutant for mutant in mutants(step) if mutant.key not in reasons]
    return [
        Fault(file, mutant.line, says.format(mutant.key.partition("  ")[2]))
        for mutant in alive(host, left)
    ]


def _wrong_verdict(version: Version, result: StepResult) -> str:
    """What is wrong with the verdict of a known version; "" if nothing is."""
    failure = result.first_failure
    if not isinstance(version, Mistake):
        return "" if failure is None else f"is right, but {failure.name} fails: {failure.message}"
    if failure is None:
        return "passes all checks: write one that it fails, if it is a mistake."
    named = [check.mistake for check in result.checks if check.mistake is not None]
    says = [mistake.says for mistake in named if mistake.name not in PROPERTIES]
    if not says or version.says in says[0]:
        return ""
    return f"is named with another sentence ({says[0]}): a check has to ask more."


def _files(step: Step) -> list[str]:
    room = _room(step)
    own = [f"{room}/{kind}.py" for kind in ("checks", "mistakes", "rights", "questions")]
    return [f"solutions/{step.path}", step.path, *own, step.lesson]


def _room(step: Step) -> str:
    return f"checks/{step.stage}/{step.name}"


def _others(step: Step) -> frozenset[str]:
    return frozenset(other.id for other in STEPS if other is not step)


def _read(file: str) -> str:
    return (COURSE / file).read_text("utf-8")


def _line(file: str, text: str) -> int | None:
    """The first line of a file in which a text stands."""
    lines = _read(file).splitlines()
    return next((n for n, line in enumerate(lines, 1) if text in line), None)


def _marks(step: Step, files: list[str]) -> Iterator[Fault]:
    """The places that `author new` has left to be written."""
    room = COURSE / _room(step)
    truth = [f"{_room(step)}/truth.py"] if (room / "truth.py").exists() else []
    own = [file for file in [*files, *truth] if file not in (step.path, step.lesson)]
    shared = [step.lesson, "checks/contents.py", "README.md", "CHANGELOG.md"]
    of_step = (step.path, f"| {step.id} |", f"step {step.id} ")
    for file in [*own, *shared]:
        part = ""
        for number, line in enumerate(_read(file).splitlines(), 1):
            part = line if line.startswith("## ") else part
            ours = file in own or part.startswith(f"## {step.id} ")
            if MARK in line and (ours or any(word in line for word in of_step)):
                yield Fault(file, number, f"AUTHOR still stands here: {' '.join(line.split())}")


def _solution(step: Step) -> Iterator[Fault]:
    file = f"solutions/{step.path}"
    text = _read(file)
    for end in (f'"{_title(step)}"', f"Check: python run_step.py {step.id}"):
        if end not in (ast.get_docstring(ast.parse(text)) or ""):
            yield Fault(file, _line(file, "Lesson: ") or 1, f"The docstring lacks {end}.")
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
    lines = skeleton(_read(f"solutions/{step.path}")).splitlines()
    if len(lines) > 75:
        says = f"The skeleton has {len(lines)} lines: what does not fit a screen is two steps."
        yield Fault(f"solutions/{step.path}", len(lines), says)
    known = set(lines)
    for number, line in enumerate(_read(step.path).splitlines(), 1):
        is_ours = line.lstrip().startswith(("# TODO: ", "class ")) or MARK in line
        if is_ours and line not in known:
            says = "This line is not in the skeleton that follows from the solution. "
            says += f"Make it again:  python run_step.py reset {step.id}"
            yield Fault(step.path, number, says)
            return


def _title(step: Step) -> str:
    """The heading of the step's part of the lesson; "" if there is none."""
    found = re.search(rf"^## ({re.escape(step.id)} .*)$", _read(step.lesson), re.MULTILINE)
    return found[1] if found else f"{step.id} …"


def _lesson(step: Step) -> Iterator[Fault]:
    text = _read(step.lesson)
    if _title(step).endswith("…"):
        yield Fault(step.lesson, None, f"There is no heading: ## {step.id} and its title.")
        return
    part = text[text.index(f"## {_title(step)}") :].partition("\n## ")[0]
    line = _line(step.lesson, f"## {_title(step)}")
    wanted = {
        "*Reading: about N minutes. Writing: about M minutes. Difficulty: K of 5.*": "*Reading: ",
        "**What you need from PyTorch** and its table": "**What you need from PyTorch**",
        f"`python run_step.py {step.id}`": f"python run_step.py {step.id}",
    }
    for what, text in wanted.items():
        if text not in part:
            yield Fault(step.lesson, line, f"This part lacks {what}.")
    if step.bonus and "★" not in _title(step):
        yield Fault(step.lesson, line, f"A bonus step has a star: ## {step.id} ★ and its title.")


def _sentences(step: Step) -> Iterator[Fault]:
    file = f"{_room(step)}/checks.py"
    shown = f"{_room(step)}/shown.py"
    hints = importlib.import_module(f"{step.room}.shown").HINTS
    asked = checks_of(importlib.import_module(f"{step.room}.checks"))
    if len(hints) < FEWEST["hints"] or "____" not in hints[-1] or "____" in hints[0]:
        says = "HINTS go from a question to a line with a gap ____: three at least."
        yield Fault(shown, _line(shown, "HINTS"), says)
    if example_of(step) is None:
        says = "EXAMPLE is missing: the tiny example that `run_step.py trace` runs."
        yield Fault(shown, _line(shown, "HINTS"), says)
    if len(asked) < FEWEST["checks"]:
        says = f"{FEWEST['checks']} checks at least are needed; written so far: {len(asked)}."
        yield Fault(file, 1, says)
    for one in asked:
        if not (one.__doc__ or "").strip().endswith("."):
            says = f"The docstring of {one.__name__} is a sentence for the learner, with a dot."
            yield Fault(file, _line(file, f"def {one.__name__}"), says)


def _versions(step: Step) -> Iterator[Fault]:
    text = _read(f"solutions/{step.path}")
    sources: dict[str, str] = {text: "the solution"}
    for kind in ("mistakes", "rights"):
        file = f"{_room(step)}/{kind}.py"
        declared = _declared(step, kind)
        for name, again in _declared_again(file):
            says = f"{name} is declared a second time, so the first one is never tried: rename it."
            yield Fault(file, again, says)
        if len(declared) < FEWEST[kind]:
            says = f"{FEWEST[kind]} {kind} at least are needed; declared so far: {len(declared)}."
            yield Fault(file, 1, says)
        for name, version in declared.items():
            line = _line(file, f"{name} =")
            changed, applies = text, True
            for find, replacement in version.edit.items():
                if (count := changed.count(find)) != 1:
                    says = f"{name}: {find!r} stands {count} times in the solution. "
                    says += "Write so much of it that it stands there once."
                    yield Fault(file, line, says)
                    applies = False
                changed = changed.replace(find, replacement)
            if applies and changed in sources:
                yield Fault(file, line, f"{name} is the same as {sources[changed]}.")
            sources[changed] = name
            if not version.says.endswith(".") or len(version.says) > 240:
                yield Fault(file, line, f"{name}: a sentence of at most 240 characters, and a dot.")


def _questions(step: Step) -> Iterator[Fault]:
    file = f"{_room(step)}/questions.py"
    for name, says in faults_of_questions(step, FEWEST["questions"]):
        yield Fault(file, _line(file, f"def {name}(") if name else 1, says)


def _declared_again(file: str) -> Iterator[tuple[str, int]]:
    """The constants that a file declares more than once, each with its line."""
    known = set[str]()
    for node in ast.parse(_read(file)).body:
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


def _map(step: Step) -> Iterator[Fault]:
    if f"| {step.id} | {step.summary} |" not in _read("README.md"):
        says = f"The map has no row | {step.id} | {step.summary} | [the lesson](…) |"
        yield Fault("README.md", _line("README.md", "## The map"), says)
