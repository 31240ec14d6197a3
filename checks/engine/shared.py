"""Modules that the judge and the worker share: three files beside the worker's own.

The worker runs from its folder and imports them by their bare names. mypy should know each file by
only one name, so the judge uses these names too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import removal
    import shown
    import wire
else:
    from checks.engine.worker import removal, shown, wire

__all__ = ["removal", "shown", "wire"]
