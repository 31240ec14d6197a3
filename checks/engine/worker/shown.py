"""The part of the file system that graded code may see: the system, Python and its libraries.

Both sides use it: the walls of the worker, and bubblewrap, which the judge starts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator

SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/nix/store", "/sys/devices/system/cpu")
OF_ETC = ("ld.so.cache", "localtime", "passwd", "group", "nsswitch.conf", "alternatives")
DISK = 256 << 20  # Bytes for all private folders together.


def system() -> list[str]:
    """Folders and files of the system."""
    return [*SYSTEM, *(f"/etc/{name}" for name in OF_ETC)]


def python() -> set[str]:
    """The folders of Python and its libraries, by name and by the targets of links."""
    found = {sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(os.path.isabs, sys.path)}
    linked = {os.path.dirname(os.path.realpath(file)) for file in imported(whole=False)}
    return found | set(map(os.path.realpath, found)) | linked


def without(hidden: list[str], paths: Iterable[str]) -> list[str]:
    """The paths that show nothing of the hidden folders: none is one, above one, or inside one."""

    def shows(path: str, folder: str) -> bool:
        return f"{folder}/".startswith(f"{path}/") or f"{path}/".startswith(f"{folder}/")

    return [path for path in paths if not any(shows(path, folder) for folder in hidden)]


def imported(whole: bool = True) -> Iterator[str]:
    """The files of imported modules; only of top-level ones, unless `whole`."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and os.path.isabs(file) and name != "__main__" and (whole or "." not in name):
            yield file
