"""The one command of the course: `python run_step.py` checks your step, and says what is next.

At Python's prompt: `import run_step`, then `run_step.check("2.1")`. In a notebook also
`%load_ext run_step`: then a cell that begins with `%%step 2.1` writes the file and checks it.
"""

import os
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

__all__ = ["check", "load_ipython_extension", "main"]

sys.dont_write_bytecode = True
# Before any other import: no file beside this one (types.py, torch.py) may shadow a library, and
# `checks` is the one that lies here, whatever else has that name.
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
import checks  # noqa: F401

OWN = [path for path in sys.path if not path or os.path.realpath(path) == HERE]
sys.path[:] = [path for path in sys.path if path not in OWN]

from checks.engine.commands.guarded import main

if __name__ != "__main__":  # At a prompt, modules of the learner's are found, too, as the last.
    from checks.engine.watching.notebook import check, load_ipython_extension

    sys.path += OWN

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
