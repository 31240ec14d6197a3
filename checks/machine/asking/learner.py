"""The learner's files as they were read, and an exception from them in the learner's own lines."""

from __future__ import annotations

import re
from typing import Any

from checks.machine.verdicts import Place, Stopped
from checks.machine.worker import wire


class LearnerError(Stopped):
    """An exception from the learner's code."""

    def __init__(self, info: Any, files: Files, doing: str):
        self.type = str(info.get("type"))
        self.bases = [str(base) for base in info.get("bases") or []]
        self.text = str(info.get("message"))
        frames = [(files.place(str(f), n), str(name)) for f, n, name in info.get("frames") or []]
        places = [place for place, _ in frames if place is not None]
        own = [place for place in places if place.file == files.step]
        where = [*places, *own][-1] if places else None
        lines = [f"{self.type} {doing}: {self.text}"]
        for place, name in frames[-4:]:
            if place is not None:
                lines += [f"  {place.file}:{place.line}, in {name}", f"    {files.line(place)}"]
        lines += [f"    {name}: {shape}" for name, shape in (info.get("shapes") or {}).items()]
        if remedy := _remedy(self.type, (places and files.line(places[-1])) or ""):
            lines.append(remedy)
        if "MemoryError" in self.bases or "can't allocate memory" in self.text:
            lines.append("More than 2 GB cannot be had here; a step needs a few kilobytes.")
            super().__init__("memory", "\n".join(lines), where)
        elif self.type == "NotImplementedError" and re.fullmatch(r"[\w.]+", self.text):
            super().__init__("untouched", f"{self.text} is not written yet.", where)
        else:
            super().__init__("error", "\n".join(lines), where)


def _remedy(kind: str, line: str) -> str:
    """What to do about it, where that is plain."""
    if kind == "SystemExit":
        return "Remove what ends the program: the checker goes on when your code has answered."
    if kind == "SyntaxError" and line[:1] in ("%", "!"):
        return "A line that begins with % or ! belongs in a notebook, not in a .py file."
    return ""


Contents = dict[str, tuple[str, str, bytes]]


def frames(contents: Contents) -> dict[str, Any]:
    """Modules as the worker takes them."""
    return {
        module: [path, wire.Array("bytes", (len(data),), data)]
        for module, (_, path, data) in contents.items()
    }


class Files:
    """The submission's stage files as they were read: what is checked is what is shown."""

    def __init__(self, root: str, contents: Contents, step: str, helpers: Contents | None = None):
        """contents: module -> (file name relative to root, absolute, bytes); step: its file;
        helpers: modules that are found only if nothing else has their name.
        """
        self.root, self.contents, self.step, self.helpers = root, contents, step, helpers or {}
        everything = [*self.helpers.values(), *contents.values()]
        self.by_path = {path: (file, data) for file, path, data in everything}

    def place(self, path: str, line: Any) -> Place | None:
        known = self.by_path.get(path)
        return Place(known[0], line) if known and isinstance(line, int) else None

    def line(self, place: Place) -> str:
        """The source line at a place, without its indentation."""
        for file, data in self.by_path.values():
            if file == place.file:
                lines = data.decode("utf-8", "replace").splitlines()
                if 0 < place.line <= len(lines):
                    line = lines[place.line - 1].strip()
                    return line if len(line) <= 100 else f"{line[:99]}…"
        return ""
