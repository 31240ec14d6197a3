"""The verdicts, a closed set, and what a run of checks gives: plain data, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

VERDICTS = (
    *("pass", "fail", "error", "timeout", "memory", "crash", "output_limit", "no_result"),
    *("unreadable", "missing", "untouched", "blocked", "infra"),
)
KINDS = (
    *("values", "shape", "dtype", "device", "non_finite", "gradient", "mutation"),
    *("nondeterministic", "params", "mode", "rule", "raises"),
)


class Stopped(Exception):
    """A check ends with a verdict other than pass. `message` is what the learner reads."""

    def __init__(self, verdict: str, message: str, where: Place | None = None):
        super().__init__(message)
        self.verdict, self.message, self.where = verdict, message, where
        self.kind: str | None = None


class Fail(Stopped):
    """The verdict "fail", with its kind."""

    def __init__(
        self,
        kind: str,
        message: str,
        where: Place | None = None,
        got: Any = None,
        shows: str | None = None,
    ):
        super().__init__("fail", message, where)
        self.kind = kind
        self.got = got  # What came (a Received), if numbers were compared.
        self.shows = shows  # The mistake of structure that this is: a name in properties.py.


class Unsure(Fail):
    """Wrong numbers, or parameters that cannot be told apart; `sure` is the former."""

    def __init__(self, message: str, sure: Fail):
        super().__init__("params", message)
        self.sure = sure


@dataclass(frozen=True)
class Place:
    """A line of the learner's: `file` relative to the submission."""

    file: str
    line: int


class Named(NamedTuple):
    """A known mistake that was proven: its name, and the sentence that the learner reads."""

    name: str
    says: str


@dataclass
class CheckResult:
    name: str
    sentence: str
    verdict: str = "pass"
    kind: str | None = None
    message: str = ""
    where: Place | None = None
    mistake: Named | None = None
    sure: Fail | None = None  # What it is if a mistake can be named, where that is not sure yet.
    shows: str | None = None
    printed: str = ""
    seconds: float = 0.0

    def prove(self, mistake: Named) -> None:
        """The mistake is proven, and with it how the parameters are to be read."""
        self.mistake = mistake
        if self.sure is not None:
            self.kind, self.message = self.sure.kind, self.sure.message

    def as_json(self) -> dict[str, Any]:
        where = None if self.where is None else {"file": self.where.file, "line": self.where.line}
        return {
            "name": self.name,
            "sentence": self.sentence,
            "verdict": self.verdict,
            "kind": self.kind,
            "message": self.message,
            "mistake": self.mistake and self.mistake._asdict(),
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
    def verdict(self) -> str:
        """pass if every check passed, else the verdict of the first that did not."""
        if not self.checks:
            return "infra"
        return next((check.verdict for check in self.checks if check.verdict != "pass"), "pass")

    @property
    def first_failure(self) -> CheckResult | None:
        return next((check for check in self.checks if check.verdict != "pass"), None)

    @property
    def cause(self) -> CheckResult | None:
        """What is shown first: the check whose mistake is named, else the first that fails."""
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
