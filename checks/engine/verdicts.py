"""The closed set of verdicts, and the results of a run of checks: plain data, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

Verdict = Literal[
    "pass", "fail", "error", "timeout", "memory", "crash", "output_limit", "no_result",
    "unreadable", "missing", "untouched", "blocked", "infra",
]  # fmt: skip
Kind = Literal[
    "values", "shape", "dtype", "device", "non_finite", "gradient", "mutation",
    "nondeterministic", "params", "mode", "rule", "raises",
]  # fmt: skip
MOST_SAID = 10_000  # Characters of a message; any of it may be a learner's text.


class Stopped(Exception):
    """The end of a check with a verdict other than pass. `message` is what the learner reads."""

    def __init__(self, verdict: Verdict, message: str, where: Place | None = None):
        if len(message) > MOST_SAID:
            message = f"{message[:MOST_SAID]} …"
        super().__init__(message)
        self.verdict, self.message, self.where = verdict, message, where
        self.kind: Kind | None = None
        self.shorter: tuple[str, ...] = ()  # Shorter and shorter messages, for a screen.
        self.shows: str | None = None  # Its mistake of structure: see properties.py.
        self.sure: Fail | None = None  # The certain failure, once the parameters can be read.


class NoFile(Stopped):
    """The verdict "missing" for a step without a file."""

    def __init__(self, message: str):
        super().__init__("missing", message)


class Fail(Stopped):
    """The verdict "fail", with its kind."""

    def __init__(
        self, kind: Kind, message: str, where: Place | None = None, shows: str | None = None
    ):
        super().__init__("fail", message, where)
        self.kind, self.shows = kind, shows


class Unsure(Fail):
    """Parameters of uncertain roles, or wrong numbers; `sure` is the failure with wrong numbers."""

    def __init__(self, message: str, sure: Fail):
        super().__init__("params", message)
        self.sure = sure


@dataclass(frozen=True)
class Place:
    """A line of the learner's code; `file` is relative to the submission."""

    file: str
    line: int


class Named(NamedTuple):
    """A known mistake with a proof: its name, and the sentence that the learner reads."""

    name: str
    says: str
    is_one_of_two: bool = False  # Which of two, nobody can tell.


@dataclass
class CheckResult:
    """The result of one check. It passes only if the code that ran it to its end says so."""

    name: str
    sentence: str
    verdict: Verdict
    kind: Kind | None = None
    message: str = ""
    shorter: tuple[str, ...] = ()  # Shorter and shorter messages, for a screen.
    observed: list[str] = field(default_factory=list)  # Certain facts for the end of the message.
    picture: list[str] = field(default_factory=list)  # Lines: what moves, and what should move.
    where: Place | None = None
    mistake: Named | None = None
    sure: Fail | None = None  # The certain failure, used if a mistake is named.
    shows: str | None = None
    stopped: Stopped | None = None  # The exception that ended the check.
    printed: str = ""
    seconds: float = 0.0

    def prove(self, mistake: Named) -> None:
        """Record a proven mistake. With it, the roles of the parameters are certain, too."""
        self.mistake = mistake
        if self.sure is not None:
            self.kind, self.message = self.sure.kind, self.sure.message
            self.shorter = self.sure.shorter

    def of(self, other: CheckResult) -> CheckResult:
        """This result, as that of another check."""
        return replace(self, name=other.name, sentence=other.sentence)

    def as_json(self) -> dict[str, Any]:
        where = None if self.where is None else {"file": self.where.file, "line": self.where.line}
        return {
            "name": self.name,
            "sentence": self.sentence,
            "verdict": self.verdict,
            "kind": self.kind,
            "message": self.message,
            "mistake": self.mistake and {"name": self.mistake.name, "says": self.mistake.says},
            "where": where,
            "printed": self.printed,
        }


@dataclass
class StepResult:
    id: str
    name: str
    path: str
    checks: list[CheckResult] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """pass if every check passed, else the verdict of the first failing check."""
        if not self.checks:
            return "infra"
        return next((check.verdict for check in self.checks if check.verdict != "pass"), "pass")

    @property
    def first_failure(self) -> CheckResult | None:
        return next((check for check in self.checks if check.verdict != "pass"), None)

    @property
    def cause(self) -> CheckResult | None:
        """The check that is shown first: the one with a named mistake, else the first failure."""
        named = (check for check in self.checks if check.mistake is not None)
        return next(named, self.first_failure)

    def as_json(self) -> dict[str, Any]:
        return {
            "step": self.id,
            "name": self.name,
            "path": self.path,
            "verdict": self.verdict,
            "seconds": round(self.seconds, 3),
            "checks": [check.as_json() for check in self.checks],
        }
