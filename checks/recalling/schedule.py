"""Which steps can be recalled today: days after their pass, those with mistakes first."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from checks.contents import STEPS, Step
from checks.engine.commands.work import Work
from checks.engine.files.progress import Progress, Recall

DAYS = (1, 3, 7, 21)  # From the pass to the first recall, from there to the next one, and so on.
AFTER_A_MISS = 1
A_DAY = 5  # Steps: they take five minutes at most.


class Due(NamedTuple):
    """A passed step, and the day from which it can be recalled; None: all its rounds are done."""

    step: Step
    known: Recall
    day: date | None


def due_day(known: Recall, today: date) -> date | None:
    """The day from which a step can be recalled; None if its rounds are done.

    A pass in the future, from another clock, counts as today's.
    """
    if known.missed:
        wait = AFTER_A_MISS
    elif known.rounds < len(DAYS):
        wait = DAYS[known.rounds]
    else:
        return None
    return min(date.fromisoformat(known.since), today) + timedelta(wait)


def begun(work: Work, today: date) -> list[Due]:
    """All passed steps with a date, in the order of the course. Files that have changed since their
    pass are left out.
    """
    found = []
    for step in STEPS:
        known = work.progress.recalls.get(step.name)
        if known is not None and known.since and work.has_passed(step):
            found.append(Due(step, known, due_day(known, today)))
    return found


def due(work: Work, today: date) -> list[Due]:
    """The steps for today, at most A_DAY with those that were recalled today.

    Steps that were missed, or in which a mistake was named, come first.
    """
    ready = [one for one in begun(work, today) if one.day is not None and one.day <= today]
    ready.sort(key=lambda one: (not (one.known.missed or one.known.named), one.day))
    return ready[: max(0, A_DAY - _recalled(work.progress, today))]


def _recalled(progress: Progress, today: date) -> int:
    """How many steps were recalled today."""
    answered = (known for known in progress.recalls.values() if known.rounds or known.missed)
    return sum(known.since == today.isoformat() for known in answered)


def next_day(work: Work, today: date) -> date | None:
    """The next day with a step to recall; None if there is none."""
    tomorrow = today + timedelta(1)
    days = [max(one.day, tomorrow) for one in begun(work, today) if one.day is not None]
    return min(days, default=None)


def date_passes(work: Work, today: date) -> None:
    """Give passed steps without a date, or with one in the future, today's date."""
    with work.progress.changing():
        for step in filter(work.has_passed, STEPS):
            known = work.progress.recalls.setdefault(step.name, Recall())
            known.since = min(known.since or today.isoformat(), today.isoformat())


def answered(known: Recall, right: bool, today: date) -> None:
    """Note an answer. A right one before its day changes nothing; a wrong one always counts."""
    day = due_day(known, today)
    if not right:
        known.since, known.missed = today.isoformat(), True
    elif day is not None and day <= today:
        known.since, known.missed = today.isoformat(), False
        known.rounds += 1


def nothing_due(work: Work, today: date) -> str:
    """Sentences: whether more is due today, and if not, when the next step is."""
    left = due(work, today)
    if left:
        return "More is due: python run_step.py recall"
    day = next_day(work, today)
    if day is None:
        if any(work.has_passed(step) for step in STEPS):
            return "Nothing is due: all passed steps have had their rounds."
        return "Nothing is due: no step has passed yet. Go on: python run_step.py"
    days = (day - today).days
    return f"Nothing is due today. Next: {day} ({'tomorrow' if days == 1 else f'in {days} days'})."


def in_a_line(work: Work) -> str:
    """The line below `list`: how many steps can be recalled today; "" if there is none."""
    count = len(due(work, work.progress.today()))
    steps = "1 step" if count == 1 else f"{count} steps"
    return f"{steps} can be recalled today: python run_step.py recall" if count else ""
