"""The parts of a page as HTML: each can be replaced alone while somebody looks at it."""

from __future__ import annotations

import base64
import hashlib
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from checks.contents import CORE, STEPS, Step
from checks.engine.commands.around import said_of, state_of
from checks.engine.commands.report import show_next, show_reason, show_stage_end, show_verdict
from checks.engine.commands.screen import Recorder
from checks.engine.commands.work import Work
from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import inside
from checks.engine.hosting.host import Host
from checks.engine.verdicts import StepResult
from checks.graduation import kept
from checks.page.figure import figure
from checks.page.lesson import lesson_of, questions_of
from checks.page.pictures import drawn, pictures

FILES = Path(__file__).parent / "files"
PARTS = ("verdict", "figure", "steps", "lesson", "pictures", "learned")


def waiting(step: Step) -> dict[str, str]:
    """The part `verdict` before there is one."""
    return _parts(["verdict"], lines=[(f"Checking {step.id} {step.name} …", "")], clock="")


def verdict(
    work: Work,
    result: StepResult,
    seed: int,
    again: str,
    whole: bool = True,
    watched: bool = False,
) -> dict[str, str]:
    """The part `verdict`, as a terminal has it. `whole`: with its reason, or what comes next."""
    recorder, later = Recorder(), work.current()
    show_verdict(recorder, result)
    if whole:
        show_reason(recorder, result, seed, again, work.own, watched)
    if whole and result.verdict == "pass" and work.own:
        step = next(step for step in STEPS if step.id == result.id)
        show_stage_end(recorder, step, work.has_passed)
        show_next(recorder, result.id, later)
    return _parts(["verdict"], lines=recorder.lines, clock=time.strftime("%H:%M:%S"))


def others(host: Host, work: Work, step: Step) -> dict[str, str]:
    """All other parts, for a course at this step."""
    states = {step.id: state_of(work, step) for step in STEPS}
    by_name = {step.name: states[step.id] for step in STEPS}
    passed = sum(states[step.id] == "passed" for step in CORE)
    return _parts(
        [part for part in PARTS if part != "verdict"],
        figure=inside(figure(by_name).svg("")),
        count=f"{passed} of {len(CORE)} steps passed",
        steps=[(step, states[step.id], said_of(step, states)) for step in STEPS],
        here=step,
        lesson=Markup(lesson_of(step)),
        questions=Markup(questions_of(step)),
        pictures=pictures(host, work, step),
        learned=[_learned(task) for task in kept.STEPS] if work.own else [],
    )


def page(parts: dict[str, str], news: str = "", numbers: dict[str, int] | None = None) -> str:
    """The whole page. If it is served: `news` is the address from which it hears of newer parts,
    and `numbers` says which of them it has.
    """
    script = (FILES / "page.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return str(
        _templates()
        .get_template("page.html")
        .render(
            parts={name: Markup(html) for name, html in parts.items()},
            style=Markup((FILES / "page.css").read_text("utf-8")),
            script=Markup(script),
            digest=digest,
            news=news,
            numbers=numbers or {},
            written=time.strftime("%Y-%m-%d %H:%M"),
        )
    )


@cache
def _templates() -> Environment:
    files = FileSystemLoader(FILES)
    return Environment(loader=files, autoescape=True, trim_blocks=True, lstrip_blocks=True)


def _parts(names: list[str], **what: Any) -> dict[str, str]:
    macros = _templates().get_template("parts.html").module
    return {name: str(getattr(macros, name)(what)) for name in names}


def _learned(task: str) -> dict[str, Any] | None:
    """What a graduation has kept of its exam; None if there is none."""
    found = kept.learned(task)
    if found is None:
        return None
    losses = Picture("loss of each step", "", "", "", "curve")
    return {**found, "curve": drawn(losses, np.array(found["losses"]))}
