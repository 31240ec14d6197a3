"""The files of which all or a part follows from others: lessons, pictures, notebooks, the map."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from checks.contents import COURSE
from checks.lessons.course_map import with_map
from checks.lessons.notebooks import notebooks
from checks.lessons.render import lessons, render, svg_files


def written() -> Iterator[tuple[Path, str]]:
    """Each of them, with the text that it should have."""
    for path in lessons():
        yield path, render(path.read_text(encoding="utf-8"))
    yield from svg_files()
    yield from notebooks()  # A notebook holds the pictures, so they come first.
    readme = COURSE / "README.md"
    yield readme, with_map(readme.read_text(encoding="utf-8"))
