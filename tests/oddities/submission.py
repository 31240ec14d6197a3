"""A row of the catalogue, and the edits it is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conftest import EVERYTHING

from checks.contents import SOLUTIONS, STEPS
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.verdicts import StepResult

NORM, ATTENTION = "s2_attention/layer_norm.py", "s2_attention/calculate_attention.py"
PATHS = {step.id: step.path for step in STEPS}
RIGHT = (SOLUTIONS / NORM).read_text("utf-8")
RETURN = "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta"
VALUE = RETURN.removeprefix("return ")
DIED = ("timeout", "memory", "error", "crash", "no_result")


@dataclass(frozen=True)
class Odd:
    """`files`: what differs from the solutions. `verdicts`: all that are right."""

    name: str
    files: dict[str, Any]
    verdicts: tuple[str, ...]
    says: str = ""
    kind: str | None = None
    step: str = "2.3"
    graded: tuple[str, ...] | None = None  # The verdicts in grading mode, if other ones.
    limits: dict[str, Any] = field(default_factory=dict)


ODD: list[Odd] = []


def odd(name: str, text: Any, *verdicts: str, **more: Any) -> None:
    """A version of step 2.3; or, if `text` is a dictionary, these files."""
    files = text if isinstance(text, dict) else {NORM: text}
    ODD.append(Odd(name, files, verdicts, **more))


def changed(old: str, new: str, step: str = "2.3") -> Any:
    """The solution of a step with an edit."""
    text = (SOLUTIONS / PATHS[step]).read_text("utf-8")
    assert old in text, old
    text = text.replace(old, new)
    return text if step == "2.3" else {PATHS[step]: text}


def top(lines: str) -> str:
    """With these lines after the first import."""
    return str(changed("import torch\n", f"import torch\n{lines}\n"))


def forward(lines: str) -> str:
    """With these lines before the return of forward."""
    indented = "\n        ".join(lines.splitlines())
    return str(changed(RETURN, f"{indented}\n        {RETURN}"))


def returns(value: str) -> str:
    """With another value in the place of the right one, which is `out`."""
    return str(changed(RETURN, f"out = {VALUE}\n        return {value}"))


def verdict_of(odd: Odd, host: Host, root: Path) -> StepResult:
    """What is said of its step. The submission lies in `root`."""
    endless = {"timeout", "output_limit"} & set(odd.verdicts)
    seconds = odd.limits.get("seconds", 0.5 if endless else 3.0)
    judge = Judge(host, Source(root), 7, seconds, EVERYTHING)
    return judge.run([step for step in STEPS if step.id == odd.step])[0]
