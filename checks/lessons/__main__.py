"""python -m checks.lessons: bring the tables of all lessons up to date."""

from checks.contents import COURSE
from checks.lessons.render import lessons, render


def main() -> None:
    """Rewrite the tables of all lessons and say which lessons changed."""
    for path in lessons():
        old = path.read_text(encoding="utf-8")
        new = render(old)
        if new != old:
            path.write_text(new, encoding="utf-8", newline="\n")
        name = path.relative_to(COURSE).as_posix()
        print(f"{name}: {'rewritten' if new != old else 'unchanged'}")


if __name__ == "__main__":
    main()
