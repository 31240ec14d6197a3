"""bubblewrap, where it is installed: it isolates the server of graded code.

https://github.com/containers/bubblewrap. The server has processes, a network and users of its own.
It sees Python, its libraries and, of all files, one folder. If bubblewrap is not installed or not
allowed, the server isolates itself: worker/namespaces.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from checks.engine.shared import shown

TRIAL = 10  # Seconds for a command that does nothing.


def box(folder: Path, hidden: list[str], workers: list[str]) -> list[str]:
    """The words before the server's command; [] if bubblewrap is not available.

    `folder` becomes a file system of its own, the only writable one. The `hidden` folders look
    empty, except for `workers`, the folders of the worker's own program.
    """
    program = shutil.which("bwrap") if sys.platform == "linux" else None
    if program is None:
        return []
    visible = shown.without(hidden, [*shown.system(), *shown.python()])
    visible = _outermost([*visible, *workers])
    found = [program, "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    found += ["--cap-add", "ALL"] if os.geteuid() == 0 else ["--unshare-user"]
    for above in _ways_to([*visible, str(folder)]):
        found += ["--perms", "0711", "--dir", above]  # Workers may be other users: they may enter.
    for path in visible:
        found += ["--ro-bind", path, path]
    found += ["--proc", "/proc", "--dev", "/dev"]
    found += ["--perms", "0711", "--size", str(shown.DISK), "--tmpfs", str(folder), "--chdir", "/"]
    try:
        tried = subprocess.run(
            [*found, sys.executable, "-c", ""],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TRIAL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return found if tried.returncode == 0 else []


def _outermost(paths: list[str]) -> list[str]:
    """The existing paths, without those inside another one."""
    found: list[str] = []
    for path in sorted(filter(os.path.exists, paths)):
        if not any(path == other or path.startswith(other + "/") for other in found):
            found.append(path)
    return found


def _ways_to(paths: list[str]) -> list[str]:
    """The folders above these paths, the upper ones first."""
    return sorted({str(above) for path in paths for above in Path(path).parents} - {"/"})
