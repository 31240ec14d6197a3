"""A class of generated submissions: right, unfinished, wrong, odd, hostile, broken.

python -m tests.a_class FOLDER [COUNT]     write one, to be graded
"""

from __future__ import annotations

import io
import random
import shutil
import sys
import zipfile
from pathlib import Path

from checks.contents import CORE, SOLUTIONS, STEPS
from checks.engine.files.source import pristine, solution
from checks.engine.known import mistakes

Files = dict[str, bytes]


def right() -> Files:
    return {step.path: solution(step).encode() for step in STEPS}


def make(folder: Path, count: int = 200, seed: int = 1) -> dict[str, str]:
    """Write `count` submissions, each its own. Returns for each what it is: right, begun, wrong,
    hangs, zipped, broken, bomb, escapes, empty.
    """
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = ["right"] * 40 + ["begun"] * 25 + ["wrong"] * 20 + ["zipped"] * 9
    kinds += ["hangs", "broken", "bomb", "escapes", "empty", "wrong"]
    each = list(dict.fromkeys(kinds))  # A small class has one of each, too.
    kinds = each + rng.sample(kinds, len(kinds))
    made: dict[str, str] = {}
    for number in range(count):
        name, kind = f"student{number:03}", kinds[number % len(kinds)]
        made[name] = kind
        files = _dressed(right(), f"student {number}")
        if kind == "begun":
            for step in CORE[rng.randrange(1, len(CORE)) :]:
                files[step.path] = pristine(step).encode()
        elif kind == "wrong":
            step = rng.choice(CORE)
            mistake = rng.choice(list(mistakes(step).values()))
            files[step.path] = mistake.source(step).encode() + f"\n# {number}\n".encode()
        elif kind == "hangs":
            path = rng.choice(CORE).path
            files[path] = b"import torch\nwhile True: pass\n"
        _write(folder, name, kind, files)
    return made


def _dressed(files: Files, by: str) -> Files:
    """The same code with remarks and blank lines of one's own, so that no two files are alike."""
    return {path: data + f"\n\n# Written by {by}.\n".encode() for path, data in files.items()}


def _write(folder: Path, name: str, kind: str, files: Files) -> None:
    if kind == "broken":
        (folder / f"{name}.zip").write_bytes(zipped(files)[:3000])
    elif kind == "bomb":
        (folder / f"{name}.zip").write_bytes(bomb())
    elif kind == "escapes":
        (folder / f"{name}.zip").write_bytes(zipped({"../../outside.py": b"x = 1\n", **files}))
    elif kind == "zipped":
        inner = {f"{name}/{path}": data for path, data in files.items()}
        (folder / f"{name}.zip").write_bytes(zipped(inner))
    else:
        (folder / name).mkdir()
        for path, data in [] if kind == "empty" else files.items():
            (folder / name / path).parent.mkdir(exist_ok=True)
            (folder / name / path).write_bytes(data)


def zipped(files: Files) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return made.getvalue()


def bomb(megabytes: int = 400) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("s1_embedding/token_embedding.py", "w", force_zip64=True) as file:
            for _ in range(megabytes):
                file.write(bytes(1 << 20))
    return made.getvalue()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    shutil.rmtree(target, ignore_errors=True)
    assert SOLUTIONS.is_dir()
    for name, kind in make(target, int(sys.argv[2]) if len(sys.argv) > 2 else 200).items():
        print(name, kind)
