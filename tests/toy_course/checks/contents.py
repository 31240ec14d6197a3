"""The toy course in order."""

from pathlib import Path

from checks.engine.step import Step as Step
from checks.engine.step import numbered

COURSE = Path(__file__).resolve().parent.parent
SOLUTIONS = COURSE / "solutions"
STEPS = numbered(
    [
        ("s1_numbers/double.py", "twice every number"),
        ("s1_numbers/scaled.py", "a factor that is learned"),
    ],
    bonus=[],
)
CORE, BONUS = STEPS, STEPS[:0]
STAGES = ["s1_numbers"]
