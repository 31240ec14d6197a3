"""The one command of the course: `python run_step.py` checks your step, and says what is next.

At Python's prompt: `import run_step`, then `run_step.check("2.1")`. In a notebook also
`%load_ext run_step`: then a cell that begins with `%%step 2.1` writes the file and checks it.
"""

import sys

# Python 3.6 reads this file, too, to say what it says here: no syntax may be newer.
OLDEST, NEWEST = (3, 10), (3, 15)  # The course was tried with these Pythons.
THIS, FIRST, LAST = (".".join(map(str, v)) for v in (sys.version_info[:3], OLDEST, NEWEST))
if sys.version_info < OLDEST:
    sys.stderr.write(f"This is Python {THIS}. The course needs Python {FIRST} or newer.\n")
    sys.stderr.write("One way to get it: install uv from https://docs.astral.sh/uv/ and type:\n")
    sys.stderr.write("  uv run run_step.py\n")
    sys.exit(3)
if sys.version_info[:2] > NEWEST:
    sys.stderr.write(f"Python {THIS} is new: the course was tried with {FIRST} to {LAST}.\n")

from pathlib import Path

__all__ = ["check", "load_ipython_extension", "main"]

# A file of the learner's beside this one (random.py, torch.py) must not shadow a library.
HERE = str(Path(__file__).resolve().parent)
sys.path.append(HERE)
sys.path.sort(key=lambda path: path in ("", HERE))
sys.dont_write_bytecode = True

from checks.engine.commands.command import main
from checks.engine.watching.notebook import check, load_ipython_extension

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
