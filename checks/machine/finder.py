"""Where stage modules come from in the worker: the bytes that the judge has sent."""

import importlib.abc
import importlib.util


class Forbidden(Exception):
    """A step imported the answers."""


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stage modules come from the bytes that the judge sent, and from nowhere else."""

    def __init__(self, files, banned):
        self.files, self.banned = files, banned
        self.stages = {name.partition(".")[0] for name in files}

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in self.banned:
            raise Forbidden(top)
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
            exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)
