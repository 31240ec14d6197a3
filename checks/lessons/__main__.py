"""python -m checks.lessons: bring the tables and pictures of all lessons up to date."""

from checks.contents import COURSE
from checks.lessons.render import lessons, render, svg_files


def main() -> None:
    """Rewrite the tables and pictures of all lessons, and say what changed."""
    new_texts = [(path, render(path.read_text(encoding="utf-8"))) for path in lessons()]
    for path, new in [*new_texts, *svg_files()]:
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if new != old:
            path.parent.mkdir(exist_ok=True)
            path.write_text(new, encoding="utf-8", newline="\n")
        name = path.relative_to(COURSE).as_posix()
        print(f"{name}: {'rewritten' if new != old else 'unchanged'}")


if __name__ == "__main__":
    main()
