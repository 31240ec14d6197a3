"""`proof --learned FILE ...`: what a class got wrong, counted from the results of `grade`.

Names of people are not read. A mistake counts once for each submission and step.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from checks.contents import STEPS, Step
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import PASSED, Usage, find_steps, print_json
from checks.grading.handed_in import SETTINGS

BAR = 24  # Characters of the longest bar.
MOST = 3  # Mistakes of a step that are shown without --full.
FIRST = 3  # Mistakes that a teacher explains first.
TRIED = ("pass", "fail", "error", "timeout", "no_result", "crash", "memory", "output_limit")


class Met(NamedTuple):
    """A mistake of a step, and how many submissions have it. Ways to make it share a sentence; the
    name is that of the most frequent one.
    """

    step: Step
    name: str
    says: str
    number: int


def learned(words: list[str], options: Any) -> int:
    """Print the named mistakes of the submissions in these files, the most frequent first."""
    steps = find_steps(words) if words else STEPS
    rows = [row for file in options.learned for row in _rows(Path(file))]
    counts = {step.id: _counts(step, rows) for step in steps}
    met = [one for step in steps for one in _met(step, rows)]
    if options.json:
        print_json(_as_json(steps, rows, counts, met))
    else:
        screen = Screen()
        screen.full = options.full
        _show(screen, steps, rows, counts, met)
    return PASSED


def _rows(path: Path) -> list[list[dict[str, Any]]]:
    """The results of the steps of each submission: of a file, or of a folder of results."""
    if path.is_dir():
        files = sorted(file for file in path.glob("*.json") if file.name != SETTINGS)
        if not files:
            raise Usage(f"{path} holds no results of grade.")
        return [row for file in files for row in _rows(file)]
    try:
        found = json.loads(path.read_text("utf-8"))
        rows = [found["row"]] if "row" in found else found["submissions"]
        return [[_result(step) for step in row["steps"]] for row in rows]
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        says = "is not a result of grade: give its folder of results, or what --format json wrote"
        raise Usage(f"{path} {says}.") from None


def _result(step: dict[str, Any]) -> dict[str, Any]:
    """The step, its verdict, and the first mistake that is named."""
    named = [check["mistake"] for check in step["checks"] if check["mistake"]]
    return {
        "step": str(step["step"]),
        "verdict": str(step["verdict"]),
        "mistake": (str(named[0]["name"]), str(named[0]["says"])) if named else None,
    }


def _counts(step: Step, rows: list[list[dict[str, Any]]]) -> dict[str, int]:
    """How many tried the step and passed it, and how many mistakes of it have no name."""
    mine = [found for row in rows for found in row if found["step"] == step.id]
    tried = [found for found in mine if found["verdict"] in TRIED]
    passed = sum(found["verdict"] == "pass" for found in tried)
    named = sum(found["mistake"] is not None for found in tried)
    return {"tried": len(tried), "passed": passed, "unnamed": len(tried) - passed - named}


def _met(step: Step, rows: list[list[dict[str, Any]]]) -> list[Met]:
    """The named mistakes of a step, the most frequent first."""
    mine = [found["mistake"] for row in rows for found in row if found["step"] == step.id]
    named = [mistake for mistake in mine if mistake is not None]
    often = {says: name for (name, says), _ in reversed(Counter(named).most_common())}
    sentences = Counter(says for _, says in named)
    return [Met(step, often[says], says, number) for says, number in sentences.most_common()]


def _show(
    screen: Screen,
    steps: list[Step],
    rows: list[list[dict[str, Any]]],
    counts: dict[str, dict[str, int]],
    met: list[Met],
) -> None:
    longest = max([one.number for one in met] + [of["unnamed"] for of in counts.values()])
    screen.say(f"{len(rows)} submissions", "bold")
    for step in steps:
        own, of = [one for one in met if one.step is step], counts[step.id]
        if not of["tried"]:
            continue
        title = f"{step.id} {step.name}"
        screen.say(f"\n{title:<30} {of['passed']} of {of['tried']} pass", "cyan")
        for one in own if screen.full else own[:MOST]:
            _bar(screen, one.number, longest, one.says)
        if len(own) > MOST and not screen.full:
            others = sum(one.number for one in own[MOST:])
            screen.say(f"  {len(own) - MOST} more mistakes, in {others} submissions: --full")
        if of["unnamed"]:
            _bar(screen, of["unnamed"], longest, "Mistakes without a name.")
    most = sorted(met, key=lambda one: -one.number)[:FIRST]
    if most:
        screen.say("\nExplain these first:", "bold")
    for number, one in enumerate(most, 1):
        screen.sentence(f"{number}. {one.step.id} ({one.number}): {one.says}", "  ")


def _bar(screen: Screen, count: int, longest: int, says: str) -> None:
    """A bar as long as the count, and below it the sentence."""
    screen.say(f"  {'█' * max(1, round(BAR * count / longest))} {count}")
    screen.sentence(says, "    ")


def _as_json(
    steps: list[Step],
    rows: list[list[dict[str, Any]]],
    counts: dict[str, dict[str, int]],
    met: list[Met],
) -> dict[str, Any]:
    return {
        "version": 1,
        "submissions": len(rows),
        "steps": [
            {
                "step": step.id,
                "name": step.name,
                **counts[step.id],
                "mistakes": [
                    {"name": one.name, "says": one.says, "count": one.number}
                    for one in met
                    if one.step is step
                ],
            }
            for step in steps
        ],
    }
