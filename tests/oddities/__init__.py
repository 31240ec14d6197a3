"""Hostile, faulty and odd submissions, and the verdict that each of them gets.

One row each: a name that begins with its number in the catalogue the course was built against, the
changed files, the verdicts that are right, what the message says; and, where that differs, what
grading makes of it. Most are step 2.3, a few lines of code with nothing else in the way.
"""

from __future__ import annotations

from oddities import (  # noqa: F401  Each adds its rows to ODD.
    claims,
    comparison,
    endless,
    ends,
    forged,
    hidden,
    interface,
    resources,
    surroundings,
    texts,
)
from oddities.submission import NORM, ODD, RIGHT, Odd, forward, top, verdict_of

__all__ = ["NORM", "ODD", "RIGHT", "Odd", "forward", "top", "verdict_of"]
