"""Build the autograder of a Gradescope assignment: one zip file, to be uploaded as it is.

python -m checks.grading.bundle gradescope.zip [--steps 1 2.1 ...] [--points FILE]
"""

from __future__ import annotations

import argparse
import io
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from checks.contents import COURSE
from checks.engine.commands.words import PASSED, USAGE, Usage, find_steps, positive, whole
from checks.engine.files.progress import write_whole
from checks.grading.formats import FORMATS, Run
from checks.grading.points import POINTS, read_points

WRAPPER = Path(__file__).parent / "wrappers" / "gradescope"
SCRIPTS = ("setup.sh", "run_autograder")
COURSE_FILES = ("run_step.py", "requirements.txt", "pyproject.toml", "LICENSE")
COURSE_FOLDERS = ("checks", "solutions")
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # The same files make the same zip.


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m checks.grading.bundle",
        description="Build the autograder of a Gradescope assignment.",
    )
    add = made.add_argument
    add("file", metavar="FILE", help="the zip file to write, for example gradescope.zip")
    add("--steps", nargs="+", default=["all"], metavar="STEP", help="which steps (all but bonus)")
    add("--points", metavar="FILE", help="what each step is worth: lines of step,points (1 each)")
    add("--seed", type=whole, metavar="N", help="the random numbers (others for each submission)")
    add("--time-limit", type=positive, metavar="S", help="seconds of computing for each check (3)")
    add("--borrow", action="store_true", help="take the earlier steps from solutions/")
    add("--torch-index", metavar="URL", help="where pip finds torch, such as its CPU build")
    return made


def bundle(options: argparse.Namespace) -> bytes:
    """The zip. Raises Usage if a step or the points file is wrong, or if a file of the course
    lacks.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(_contents(options).items()):
            info = zipfile.ZipInfo(path, LONG_AGO)
            info.external_attr = (0o100755 if path in SCRIPTS else 0o100644) << 16
            info.create_system = 3  # Unix: the modes are kept, on any system.
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _contents(options: argparse.Namespace) -> dict[str, bytes]:
    """Every file in the zip, by its path there."""
    steps = [step.id for step in find_steps(options.steps)]
    words = ["--steps", *steps]
    words += [] if options.seed is None else ["--seed", str(options.seed)]
    words += ["--time-limit", str(options.time_limit)] if options.time_limit else []
    words += ["--borrow"] if options.borrow else []
    try:
        points = read_points(options.points and Path(options.points))
    except ValueError as error:
        raise Usage(str(error)) from None
    contents = {path.relative_to(COURSE).as_posix(): path.read_bytes() for path in _course()}
    for name in SCRIPTS:
        contents[name] = (WRAPPER / name).read_bytes().replace(b"\r\n", b"\n")
    if options.points:
        contents[POINTS.relative_to(COURSE).as_posix()] = Path(options.points).read_bytes()
    contents["options.txt"] = "".join(f"{word}\n" for word in words).encode()
    contents["not_graded.json"] = FORMATS["gradescope"](_not_begun(steps, points)).encode()
    if options.torch_index:
        contents["torch_index.txt"] = f"{options.torch_index}\n".encode()
    return contents


def _course() -> Iterator[Path]:
    yield from (COURSE / name for name in COURSE_FILES)
    for folder in COURSE_FOLDERS:
        for path in (COURSE / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def _not_begun(steps: list[str], points: dict[str, float]) -> Run:
    """An empty run, which Gradescope shows if grade could not even start."""
    problem = {"verdict": "infra", "message": "Grading did not begin."}
    row = {"name": "submission", "source": "", "seconds": 0.0, "steps": [], "problem": problem}
    most = sum(points[step] for step in steps)
    return {
        **{"version": 1, "torch": None, "seed": None, "isolation": None, "seconds": 0.0},
        "steps": [{"step": step, "points": points[step]} for step in steps],
        "submissions": [{**row, "points": None, "max_points": most}],
    }


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        content = bundle(options)
        write_whole(Path(options.file), content)
    except Usage as error:
        print(f"bundle: {error}", file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"bundle: {error.filename}: {error.strerror}.", file=sys.stderr)
        return USAGE
    print(f"{options.file}: {len(content) / 1e6:.1f} MB. Upload it to Gradescope as it is.")
    return PASSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
