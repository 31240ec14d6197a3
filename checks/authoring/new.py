"""The files of a new step, written from patterns. AUTHOR marks what the author has to write."""

from __future__ import annotations

import keyword
import re

from checks.authoring.fault import room_of
from checks.authoring.patterns import (
    CHECKS,
    LESSON,
    MISTAKES,
    QUESTIONS,
    RIGHTS,
    SHOWN,
    SOLUTION,
    TRUTH,
)
from checks.contents import COURSE, STAGES, STEPS, Step
from checks.engine.commands.words import Usage
from checks.engine.files.progress import write_whole
from checks.engine.files.skeleton import skeleton
from checks.lessons.course_map import with_map


def write_new(id: str, name: str, core: bool) -> list[str]:
    """Write all files of the step and return their names. No existing file is overwritten.

    Raises Usage if the id is not the next one of its stage, or if the name is not allowed.
    """
    step = _step(id, name, core)
    words = {
        "id": id,
        "star": "" if core else "★ ",
        "name": name,
        "Name": "".join(part.capitalize() for part in name.split("_")),
        "title": name.replace("_", " ").capitalize(),
        "stage": step.stage,
    }
    solution = _filled(SOLUTION, words)
    room = room_of(step)
    new = {
        f"solutions/{step.path}": solution,
        step.path: skeleton(solution),
        f"{room}/truth.py": _filled(TRUTH, words),
        f"{room}/shown.py": _filled(SHOWN, words),
        f"{room}/checks.py": _filled(CHECKS, words),
        f"{room}/mistakes.py": _filled(MISTAKES, words),
        f"{room}/rights.py": _filled(RIGHTS, words),
        f"{room}/questions.py": _filled(QUESTIONS, words),
    }
    existing = [file for file in new if (COURSE / file).exists()]
    if existing:
        raise Usage(f"{existing[0]} exists already: nothing was written.")
    changed = {
        "checks/contents.py": _in_contents(step),
        f"{step.stage}/README.md": _in_lesson(step, _filled(LESSON, words)),
        "CHANGELOG.md": _in_changelog(words),
    }
    for file, text in {**new, **changed}.items():
        write_whole(COURSE / file, text.encode())
    readme = (COURSE / "README.md").read_text("utf-8")
    write_whole(COURSE / "README.md", with_map(readme, [*STEPS, step]).encode())
    return [*new, *changed, "README.md"]


def _step(id: str, name: str, core: bool) -> Step:
    found = re.fullmatch(r"(\d)\.(\d+)", id)
    stage = next((s for s in STAGES if found and s.startswith(f"s{found[1]}_")), None)
    if found is None or stage is None:
        raise Usage(f"{id!r} is no id of a step here: a stage's number, a dot, the next number.")
    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        raise Usage(f"{name!r} cannot be the name of a step: small letters, digits and _ only.")
    if any(step.name == name for step in STEPS):
        raise Usage(f"There is a step {name} already.")
    before = [s for s in STEPS if s.stage == stage and not (core and s.bonus)]
    wanted = f"{found[1]}.{len(before) + 1}"
    if id != wanted:
        raise Usage(f"The next step of {stage} is {wanted}, not {id}.")
    if core and any(s.stage == stage and s.bonus for s in STEPS):
        moved = ", ".join(s.id for s in STEPS if s.stage == stage and s.bonus)
        raise Usage(
            f"There are bonus steps after it ({moved}): their ids would move up by one. Change the "
            "ids in their docstrings and lessons first, or write a bonus step."
        )
    return Step(id, f"{stage}/{name}.py", f"AUTHOR: what {name} is, in a few words", not core)


def _filled(pattern: str, words: dict[str, str]) -> str:
    return re.sub(r"<(\w+)>", lambda hole: words.get(hole[1], hole[0]), pattern)


def _in_contents(step: Step) -> str:
    """The course's list with a line for the step, after those of its stage and earlier ones.
    Bonus steps have a list of their own.
    """
    text = (COURSE / "checks" / "contents.py").read_text("utf-8")
    before = [s for s in STEPS if s.bonus == step.bonus and s.stage <= step.stage]
    start = text.index(f'"{before[-1].path}"') if before else text.index("bonus=[")
    after = text.index("\n", start) + 1
    return text[:after] + f'        ("{step.path}", "{step.summary}"),\n' + text[after:]


def _in_lesson(step: Step, part: str) -> str:
    """The lesson with the step's part after that of the stage's last step."""
    text = (COURSE / step.lesson).read_text("utf-8")
    last = [s for s in STEPS if s.stage == step.stage][-1]
    end = text.find("\n## ", text.index(f"\n## {last.id} ") + 1)
    return text.rstrip() + "\n\n" + part if end < 0 else text[: end + 1] + part + text[end:]


def _in_changelog(words: dict[str, str]) -> str:
    text = (COURSE / "CHANGELOG.md").read_text("utf-8")
    at = text.index("### Added\n\n") + len("### Added\n\n")
    line = f"- AUTHOR: step {words['id']} {words['name']}, and the misunderstanding it removes.\n"
    return text[:at] + line + text[at:]
