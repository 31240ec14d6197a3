"""The learner's files as they were read, and an exception from them in the learner's own lines."""

from __future__ import annotations

import re
from typing import Any

from checks.machine import wire
from checks.machine.verdicts import Place, Stopped


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
        if "MemoryError" in self.bases or "can't allocate memory" in self.text:
            super().__init__("memory", "\n".join(lines), where)
        elif self.type == "NotImplementedError" and re.fullmatch(r"[\w.]+", self.text):
            super().__init__("untouched", f"{self.text} is not written yet.", where)
        else:
            super().__init__("error", "\n".join(lines), where)


class Files:
    """The submission's stage files as they were read: what is checked is what is shown."""

    def __init__(self, root: str, contents: dict[str, tuple[str, str, bytes]], step: str):
        """contents: module -> (file name relative to root, absolute, bytes); step: its file."""
        self.root, self.contents, self.step = root, contents, step
        self.by_path = {path: (file, data) for file, path, data in contents.values()}

    def frames(self) -> dict[str, Any]:
        return {
            module: [path, wire.Array("bytes", (len(data),), data)]
            for module, (_, path, data) in self.contents.items()
        }

    def place(self, path: str, line: Any) -> Place | None:
        known = self.by_path.get(path)
        return Place(known[0], line) if known and isinstance(line, int) else None

    def line(self, place: Place) -> str:
        """The source line at a place, without its indentation."""
        for file, data in self.by_path.values():
            if file == place.file:
                lines = data.decode("utf-8", "replace").splitlines()
                if 0 < place.line <= len(lines):
                    return lines[place.line - 1].strip()[:100]
        return ""
