"""What the engine is told of the toy course's numbers: only modules as in the solution are read."""

from typing import Any

LAYOUTS: list[Any] = []
SYNONYMS: dict[str, str] = {}
SIZES: tuple[str, ...] = ()


def spread(role: str, shape: tuple[int, ...]) -> tuple[float, float]:
    return 0.0, 1.0
