"""The command, guarded: what nobody has caught becomes one line, and no verdict on the learner.

Nothing of a library but sys and os is imported before the guard stands: that may fail as well.
"""

from __future__ import annotations

import os
import sys

from checks.engine.commands.statuses import INTERRUPTED, OUR_FAULT

TYPE_CHECKING = False  # The name that mypy looks for.
if TYPE_CHECKING:
    from typing import TextIO

    from checks.engine.hosting.host import Host


def main(arguments: list[str], host: Host | None = None) -> int:
    """Run the command; its exit status. `host`: an existing host to use instead of a new one."""
    _open_what_is_closed()
    if sys.stdout is None:
        _say("There is no standard output to print to: it is closed.")
        return OUR_FAULT
    try:
        from checks.engine.commands.command import main as command

        try:
            return command(arguments, host)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # For example `run_step.py list | head -1`.
        _drop_the_rest(sys.stdout)
        return INTERRUPTED
    except KeyboardInterrupt:
        _say("\nStopped.")
        return INTERRUPTED
    except Exception as error:
        if sys.flags.dev_mode:  # python -X dev run_step.py: to see the traceback.
            raise
        _say(_told(error))
        _drop_the_rest(sys.stdout)
        return OUR_FAULT


def _open_what_is_closed() -> None:
    """Let nothing else get the numbers 0 and 2, and let a message to nobody be no error."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")


def _told(error: Exception) -> str:
    """One line: what has failed, where, and what to do."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" ({place.tb_frame.f_code.co_filename}, line {place.tb_lineno})" if place else ""
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"Stopped, and not by your code: {what}{where}. What helps: python run_step.py doctor"


def _say(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        _drop_the_rest(sys.stderr)


def _drop_the_rest(stream: TextIO) -> None:
    """Let what cannot be written go nowhere: Python would report it once more at its end."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
