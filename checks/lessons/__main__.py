"""python -m checks.lessons: bring the tables, pictures and notebooks of all lessons up to date."""

from pathlib import Path

from checks.contents import COURSE
from checks.lessons.notebooks import notebooks
from checks.lessons.render import lessons, render, svg_files


def main() -> None:
    """Rewrite what has changed, and say so."""
    for path in lessons():
        _write(path, render(path.read_text(encoding="utf-8")))
    for files in (svg_files, notebooks):  # A notebook holds the pictures.
        for path, text in files():
            _write(path, text)


def _write(path: Path, new: str) -> None:
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if new != old:
        path.parent.mkdir(exist_ok=True)
        path.write_text(new, encoding="utf-8", newline="\n")
    name = path.relative_to(COURSE).as_posix()
    print(f"{name}: {'rewritten' if new != old else 'unchanged'}")


if __name__ == "__main__":
    main()
