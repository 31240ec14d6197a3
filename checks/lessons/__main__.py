"""python -m checks.lessons: bring tables, pictures, notebooks and the map up to date."""

from checks.contents import COURSE
from checks.lessons.written import written


def main() -> None:
    """Rewrite what has changed, and say so."""
    for path, new in written():
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if new != old:
            path.parent.mkdir(exist_ok=True)
            path.write_text(new, encoding="utf-8", newline="\n")
        name = path.relative_to(COURSE).as_posix()
        print(f"{name}: {'rewritten' if new != old else 'unchanged'}")


if __name__ == "__main__":
    main()
