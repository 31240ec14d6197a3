"""The formats of `grade`: pure functions of a run's native JSON (a dict) to text.

A run is the object that `json` prints:

    {"version": 1, "torch": …, "seed": …, "isolation": …, "seconds": …,
     "steps": [{"step", "name", "path", "points"}, …],             the steps of the run
     "submissions": [{"name", "source", "seconds", "problem", "points", "max_points",
                      "steps": [what StepResult.as_json() gives, …]}, …]}

`problem` is null, or the {"verdict", "message"} that kept all steps from being checked; `steps` is
then empty. A submission that the checker failed to grade (`infra`) has no points in any format. All
text that a learner can write (names, messages, prints) is taken as hostile.
"""

from __future__ import annotations

from collections.abc import Callable

from checks.grading.formats.facts import Run
from checks.grading.formats.github import github, github_outputs
from checks.grading.formats.gradescope import gradescope
from checks.grading.formats.junit import junit
from checks.grading.formats.native import native
from checks.grading.formats.summary import github_summary
from checks.grading.formats.table import table

__all__ = ["FORMATS", "Run", "github_outputs", "github_summary"]

FORMATS: dict[str, Callable[[Run], str]] = {
    "json": native,
    "csv": table,
    "junit": junit,
    "gradescope": gradescope,
    "github": github,
}
