"""The one command of the course: `python run_step.py` checks your step, and says what is next.

At Python's prompt: `import run_step`, then `run_step.check("2.1")`. In a notebook also
`%load_ext run_step`: then a cell that begins with `%%step 2.1` writes the file and checks it.
"""

import sys
from pathlib import Path

__all__ = ["check", "load_ipython_extension", "main"]

# A file of the learner's beside this one (random.py, torch.py) must not shadow a library.
HERE = str(Path(__file__).resolve().parent)
sys.path.append(HERE)
sys.path.sort(key=lambda path: path in ("", HERE))
sys.dont_write_bytecode = True

if sys.version_info < (3, 10):  # noqa: UP036  Whatever is typed, the doctor says what to do.
    from checks.engine.commands.doctor import main
else:
    from checks.engine.commands.command import main
    from checks.engine.watching.notebook import check, load_ipython_extension

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
