"""What the engine is told of the toy course in words."""

from pathlib import Path
from typing import Any

WELCOME = "You are going to double numbers."
STAGE_ENDS = {"s1_numbers": "You can double numbers."}
AFTER_STAGES: dict[str, str] = {}
ALL_PASS = "Numbers hold no secret for you."
FIGURE = ""
PAGE = ""
LEARNED = ""
AFTER_PROOF: dict[str, str] = {}
PICTURES: dict[str, str] = {}
AFTER_A_MISTAKE = ""
BEFORE_A_STEP = ""
BELOW_THE_MAP = ""
LOOK_BACK = "look back:  python run_step.py list"
PROPERTIES: dict[str, str] = {}
RECEIPT = ""
DISTRIBUTIONS: tuple[str, ...] = ()
EXTENSIONS = [Path(__file__).parent / "extensions" / "layouts.py"]
COMMANDS: dict[str, Any] = {}
GRADUATIONS: dict[str, tuple[str, ...]] = {}
GRADUATION = ""
ALIKE: tuple[str, ...] = ()
