"""The learner's files as they were read, and an exception that shows the learner's own lines."""

from __future__ import annotations

import ast
import re
import unicodedata
from typing import Any

from checks.contents import STEPS, Step
from checks.engine.files.skeleton import functions
from checks.engine.files.source import Source, pristine
from checks.engine.files.syntax import parsed, tree_of
from checks.engine.shared import wire
from checks.engine.verdicts import Place, Stopped

INDENTED = {
    "unexpected indent": "This line has more blanks in front than those around it. Remove some.",
    "unindent does not match": "Lines of one block need the same number of blanks in front.",
    "expected an indented block": "Write the lines that belong to it four blanks further right.",
}
# What copied or merged text leaves in a line: the beginning of the line, and advice.
LEFT_OVER = {
    r"[<=>|]{7}( |$)": "This is a mark of a merge: keep one of the two versions, delete the marks.",
    "```": "This frames code in a chat or a text. Delete the line.",
    r">>>( |$)|\.\.\. |In \[\d+\]:": "This is the prompt of a Python session. Delete all prompts.",
    "[%!]": "A line that begins with % or ! belongs in a notebook, not in a .py file.",
}
MERGED = re.compile(r"^<{7} ", re.MULTILINE)
ODD_CHARACTER = re.compile(r"invalid (?:non-printable )?character.*U\+([0-9A-F]+)")
OVERLOADS = ", but expected one of:"  # PyTorch lists all ways to call a function after these words.


class LearnerError(Stopped):
    """An exception from the learner's code.

    `calls`: (place, function) of the learner's, from the outermost to the one that raised it.
    `shapes`: the tensors named on that line. `kinds`: the types of the names on it. `near`: the
    name that may have been meant.
    """

    def __init__(self, info: Any, files: Files, doing: str):
        self.type, self.bases, self.text = info["type"], info["bases"], info["message"]
        self.shapes: dict[str, str] = info["shapes"]
        self.kinds: dict[str, str] = info["kinds"]
        self.near: list[str] = info["near"]
        frames = [(files.place(file, n), name) for file, n, name in info["frames"]]
        self.calls = [(place, name) for place, name in frames if place is not None]
        places = [place for place, _ in self.calls]
        own = [place for place in places if place.file == files.step]
        where = [*places, *own][-1] if places else None
        title = f"{self.type} {doing}: {self.text}"
        called = {
            place: [f"  {place.file}:{place.line}, in {name}", f"    {files.line(place)}"]
            for place, name in self.calls
        }
        end = [f"    {name}: {shape}" for name, shape in self.shapes.items()]
        if remedy := _remedy(self.type, self.text, files, places[-1] if places else Place("", 0)):
            end.append(remedy)
        # The last frames, and that of the step's own file: an earlier step may have raised it.
        first = [own[-1]] if own and own[-1] not in places[-4:] else []
        lines = [title, *_of(called, [*first, *places[-4:]]), *end]
        # PyTorch's words: it raises a RuntimeError here, as in many other cases.
        if "MemoryError" in self.bases or "can't allocate memory" in self.text:
            lines.append("Your code may take 2 GB here; a step needs a few kilobytes.")
            super().__init__("memory", "\n".join(lines), where)
        elif self.type == "NotImplementedError" and re.fullmatch(r"[\w.]+", self.text):
            innermost = places[-1] if places else None  # It may be in an earlier step.
            says = f"{self.text} is not written yet."
            if innermost is not None and _has_own_code(files.text(innermost.file), innermost):
                says = (
                    f"Your code in {self.text} still reaches `raise NotImplementedError` in line "
                    f"{innermost.line}. Delete that line."
                )
            super().__init__("untouched", says, innermost)
        else:
            super().__init__("error", "\n".join(lines), where)
            short = title.partition(OVERLOADS)[0]
            both = _of(called, [*own[-1:], *places[-1:]])
            ways = [title, *both, *end], [short, *both, *end], [short, *both]
            self.shorter = tuple(map("\n".join, ways))


def _of(called: dict[Place, list[str]], places: list[Place]) -> list[str]:
    """The lines of these places, each place once."""
    return [line for place in dict.fromkeys(places) for line in called[place]]


def _has_own_code(text: str, place: Place) -> bool:
    """Whether the function at a place has a statement that its skeleton does not have."""
    given = {
        ast.dump(statement)
        for step in STEPS
        if step.path == place.file
        for _, function in functions(parsed(pristine(step)))
        for statement in function.body
    }
    return any(
        ast.dump(statement) not in given
        for _, function in functions(tree_of(text))
        if function.lineno <= place.line <= (function.end_lineno or 0)
        for statement in function.body[ast.get_docstring(function) is not None :]
    )


def _remedy(kind: str, text: str, files: Files, place: Place) -> str:
    """Advice on the error, where the cause is plain."""
    if kind == "SystemExit":
        return "Remove the line that ends the program. The checker goes on by itself."
    if kind == "EOFError":
        return "Nobody can answer here: your code runs alone. Put a value in place of input()."
    if kind in ("SyntaxError", "IndentationError"):
        advice = _left_over(text, files.line(place), files.text(place.file))
        if advice:
            return advice
    if kind == "TabError":
        return "Use only blanks in front of a line, no tabs."
    if kind == "IndentationError":
        return next((advice for said, advice in INDENTED.items() if said in text), "")
    if "modified by an inplace operation" in text:  # PyTorch's words.
        return (
            "The backward pass needs numbers that your code has overwritten: make new "
            "tensors, without inplace=True, +=, -= and methods whose names end in _."
        )
    return ""


def _left_over(text: str, line: str, source: str) -> str:
    """Advice on what copied or merged text has left in a file."""
    for begins, advice in LEFT_OVER.items():
        if re.match(begins, line):
            return advice
    if merged := MERGED.search(source):  # Python may stop at another line.
        return f"Line {source.count(chr(10), 0, merged.start()) + 1} is a mark of a merge."
    if odd := ODD_CHARACTER.search(text):
        name = unicodedata.name(chr(int(odd[1], 16)), "").lower()
        return f"U+{odd[1]} ({name}) came with copied text. Type that part of the line again."
    return ""


Contents = dict[str, tuple[str, str, bytes]]


def frames(contents: Contents) -> dict[str, Any]:
    """Modules in the form that the worker takes."""
    return {
        module: [path, wire.Array("bytes", (len(data),), data)]
        for module, (_, path, data) in contents.items()
    }


class Files:
    """The submission's stage files as they were read: the checked text is also the shown text."""

    def __init__(self, root: str, contents: Contents, step: str, helpers: Contents | None = None):
        """contents: module -> (file name relative to root, absolute, bytes); step: its file;
        helpers: modules that are found only if no other file has their name.
        """
        self.root, self.contents, self.step, self.helpers = root, contents, step, helpers or {}
        everything = [*self.helpers.values(), *contents.values()]
        self.by_path = {path: (file, data) for file, path, data in everything}

    @classmethod
    def of(cls, source: Source, step: Step) -> Files:
        """The files of a source, as a worker gets them for a step."""
        return cls(str(source.root), source.files_for(step), step.path, source.helpers)

    def instead(self, sources: dict[str, bytes]) -> Files:
        """The same submission with other sources for these modules."""
        changed = {
            module: (*self.contents[module][:2], source) for module, source in sources.items()
        }
        return Files(self.root, {**self.contents, **changed}, self.step, self.helpers)

    def place(self, path: str, line: Any) -> Place | None:
        known = self.by_path.get(path)
        return Place(known[0], line) if known and isinstance(line, int) else None

    def line(self, place: Place) -> str:
        """The source line at a place, without its indentation."""
        lines = self.text(place.file).splitlines()
        if not 0 < place.line <= len(lines):
            return ""
        line = lines[place.line - 1].strip()
        return line if len(line) <= 100 else f"{line[:99]}…"

    def text(self, file: str) -> str:
        """The text of a file whose name is relative to the submission."""
        found = (data for name, data in self.by_path.values() if name == file)
        return next(found, b"").decode("utf-8-sig", "replace")
