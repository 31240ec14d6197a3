"""Where stage modules come from in the worker: the bytes that the judge has sent."""

import importlib.abc
import importlib.util
import linecache
import os
import sys


class Forbidden(Exception):
    """A step imported the answers, or read them."""


_OWN = os.path.dirname(os.path.abspath(__file__))  # Whose lines a warning may show.


_guarded = set()


def guard(folders):
    """From now on, opening a file in one of these raises Forbidden. For good."""
    folders = [folder for folder in folders if folder not in _guarded]
    if not folders:
        return
    _guarded.update(folders)

    def audit(event, args):
        if event == "open" and isinstance(args[0], (str, bytes)):
            path = os.path.abspath(os.fsdecode(args[0]))
            for folder in folders:
                if path.startswith(folder + os.sep) and not path.startswith(_OWN):
                    raise Forbidden(f"reads {os.path.basename(folder)}/")

    sys.addaudithook(audit)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stage modules come from the bytes that the judge sent, and from nowhere else."""

    def __init__(self, files, banned):
        self.files, self.banned = files, banned
        self.stages = {name.partition(".")[0] for name in files}

    def find_spec(self, name, path=None, target=None):
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

    def exec_module(self, module):
        name = module.__name__
        if name in self.files:
            filename, source = self.files[name]
            module.__file__ = filename
            code = compile(source, filename, "exec", dont_inherit=True)
            lines = importlib.util.decode_source(source).splitlines(True)
            # For inspect and torch.jit: the file itself may be out of sight.
            linecache.cache[filename] = (len(source), None, lines, filename)
            exec(code, module.__dict__)
