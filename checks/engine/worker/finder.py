"""Where stage modules come from in the worker: the bytes that the judge has sent."""

from __future__ import annotations

import importlib.abc
import importlib.util
import linecache
import os
import sys
from collections.abc import Collection
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

Sources = dict[str, tuple[str, bytes]]  # Per module: the file's name and its content.


class Forbidden(Exception):
    """A step imported or read the solutions."""


OWN = {os.path.dirname(os.path.abspath(__file__))}  # Folders whose lines a warning may show.
_guarded: set[str] = set()


def guard(folders: list[str]) -> None:
    """From now on, opening a file in one of these folders raises Forbidden, permanently."""
    folders = [folder for folder in folders if folder not in _guarded]
    if not folders:
        return
    _guarded.update(folders)

    def audit(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(args[0], (str, bytes)):
            path = os.path.abspath(os.fsdecode(args[0]))
            for folder in folders:
                if path.startswith(folder + os.sep) and os.path.dirname(path) not in OWN:
                    raise Forbidden(f"reads {os.path.basename(folder)}/")

    sys.addaudithook(audit)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stage modules come from the bytes that the judge sent, and from nowhere else."""

    def __init__(self, files: Sources, banned: Collection[str]):
        self.files, self.banned = files, banned
        self.stages = {name.partition(".")[0] for name in files}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        top = name.partition(".")[0]
        if top in self.banned:
            raise Forbidden(f"imports {top}/")
        if name in self.files:
            filename = self.files[name][0]
            return importlib.util.spec_from_loader(
                name, self, origin=filename, is_package=filename.endswith("__init__.py")
            )
        if name in self.stages:
            return importlib.util.spec_from_loader(name, self, is_package=True)
        if top in self.stages:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name in self.files:
            filename, source = self.files[name]
            module.__file__ = filename
            code = compile(source, filename, "exec", dont_inherit=True)
            lines = importlib.util.decode_source(source).splitlines(True)
            # For inspect and torch.jit: the file itself may be invisible.
            linecache.cache[filename] = (len(source), None, lines, filename)
            exec(code, module.__dict__)
