"""Read a submission's files without trusting them, and say what is wrong with one."""

from __future__ import annotations

import ast
import codecs
import copy
import hashlib
import os
import re
import stat
import tokenize
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path

from checks.contents import SOLUTIONS, STAGES, STEPS, Step
from checks.engine.files.names import stage_of, step_of
from checks.engine.files.skeleton import functions, skeleton
from checks.engine.files.syntax import parsed
from checks.engine.verdicts import NoFile, Stopped

SIZE_LIMIT = 1 << 20
HELPERS = 20
KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


class Source:
    """The stage folders of a course, read once. `borrow` takes other steps from solutions/."""

    def __init__(
        self, root: Path, borrow: bool = False, inside: bool = False, shown: Path | None = None
    ):
        """`inside`: links that lead out of the folder are not followed. `shown`: the folder's name
        in messages, if the files are a copy from elsewhere.
        """
        self.root = self.place = root.resolve()
        self.borrow, self.inside = borrow, inside
        self.modules: dict[str, tuple[str, str, bytes]] = {}
        self.problems: dict[str, Stopped] = {}
        for stage in STAGES:
            self._read_stage(self.root, stage, self.modules, self.problems)
        self.helpers = self._read_helpers()
        self.solutions: dict[str, tuple[str, str, bytes]] = {}
        if borrow:
            for stage in STAGES:
                self._read_stage(SOLUTIONS, stage, self.solutions, {})
        if shown is not None:
            self.root = shown
            for modules in (self.modules, self.helpers):
                for name, (file, _, content) in modules.items():
                    modules[name] = (file, str(shown / file), content)

    def files_for(self, step: Step) -> dict[str, tuple[str, str, bytes]]:
        """The modules that the worker may load to check this step."""
        if not self.borrow:
            return self.modules
        return {**self.modules, **self.solutions, step.module: self.modules[step.module]}

    def problem(self, step: Step) -> Stopped | None:
        """Why this step's file cannot be checked at all; None if it can."""
        if step.module in self.problems:
            return self.problems[step.module]
        if step.module not in self.modules:
            says = f"There is no file {step.path} in {self.root}."
            other = self._misnamed(step)
            if other is None:
                return NoFile(says)
            count = "capital letters count, and so does every other sign"
            return Stopped("missing", f"{says} Rename {other} to {step.path}: {count}.")
        code = code_lines(self.modules[step.module][2].decode("utf-8", "replace"))
        if not code or code == code_lines(pristine(step)):
            return Stopped("untouched", "This step is not begun: its file is still the skeleton.")
        return None

    def with_text(self, step: Step, text: str) -> Source:
        """The same source with another text for one step's file."""
        other = copy.copy(self)
        absent = (step.path, str(self.root / step.path), b"")
        file, path, _ = self.modules.get(step.module, absent)
        other.modules = {**self.modules, step.module: (file, path, text.encode())}
        return other

    def digest(self, step: Step) -> str:
        """A digest that changes with the file of the step, or of a step it builds on."""
        content = self.modules.get(step.module, ("", "", b""))[2]
        whole = hashlib.sha256(content)
        for earlier in builds_on(step):
            whole.update(self.digest(earlier).encode())
        return whole.hexdigest()[:32]

    def _misnamed(self, step: Step) -> str | None:
        """A file that seems to be this step's, but has another name, or its folder has."""
        with suppress(OSError):
            beside = sorted(self.place.iterdir())
            stages = [p for p in beside if stage_of(p.name) == step.stage and p.is_dir()]
            for file in [*(file for stage in stages for file in sorted(stage.iterdir())), *beside]:
                if step_of(file.name) == step and not file.is_dir():
                    return file.relative_to(self.place).as_posix()
        return None

    def _read_helpers(self) -> dict[str, tuple[str, str, bytes]]:
        """Modules of the learner's own that lie beside the stage folders."""
        found = {}
        try:
            paths = sorted(self.root.glob("*.py"))[:HELPERS]
        except OSError:
            paths = []
        for path in paths:
            if self.inside and path.is_symlink():
                continue
            with suppress(Stopped, FileNotFoundError):
                found[path.stem] = (path.name, str(path), read(path))
        return found

    def _read_stage(
        self,
        root: Path,
        stage: str,
        modules: dict[str, tuple[str, str, bytes]],
        problems: dict[str, Stopped],
    ) -> None:
        known = {step.name: step.module for step in STEPS if step.stage == stage}
        try:
            found = {path.stem for path in (root / stage).glob("*.py")}
        except OSError:
            found = set()
        for name in sorted(found | known.keys()):
            path = root / stage / f"{name}.py"
            module = f"{stage}.{name}" if name != "__init__" else stage
            try:
                if self.inside and not path.resolve().is_relative_to(root):
                    why = f"{path.name} is a link that leads out of the submission."
                    raise Stopped("unreadable", why)
                modules[module] = (f"{stage}/{name}.py", str(path), read(path))
            except FileNotFoundError:
                continue
            except (RuntimeError, OSError) as error:  # A link may lead to itself.
                problems[module] = Stopped("unreadable", f"{path.name} cannot be read: {error}.")
            except Stopped as problem:
                problems[module] = problem


def read(path: Path) -> bytes:
    """The bytes of a regular text file. Raises FileNotFoundError, or Stopped with the reason."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        if path.is_symlink():
            raise Stopped("unreadable", f"{path.name} is a link to nothing.") from None
        raise
    except OSError as error:
        raise Stopped("unreadable", f"{path.name} cannot be read: {error.strerror}.") from None
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        os.close(fd)
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "a device")
        raise Stopped("unreadable", f"{path.name} is {kind}, expected a file.")
    with os.fdopen(fd, "rb") as file:
        if status.st_size > SIZE_LIMIT:
            size = f"{status.st_size / 1e6:.1f} MB"
            raise Stopped("unreadable", f"{path.name} has {size}; a step needs a few kilobytes.")
        content = file.read(SIZE_LIMIT + 1)
    _require_text(path, content)
    return content


def _require_text(path: Path, content: bytes) -> None:
    if is_utf_16(content):
        raise Stopped("unreadable", f"{path.name} is saved as UTF-16. Save it as UTF-8.")
    if b"\0" in content:
        at = content.index(b"\0")
        raise Stopped("unreadable", f"{path.name} contains a NUL byte at offset {at}.")
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(content).readline)
        content.decode(encoding)
    except (SyntaxError, LookupError, UnicodeDecodeError) as error:
        why = f"{path.name} is not valid UTF-8 ({error}). Save it as UTF-8."
        raise Stopped("unreadable", why) from None


def is_utf_16(content: bytes) -> bool:
    """Whether a text is UTF-16: by its mark, or because every other byte of its beginning is 0."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    even, odd = content[:40:2], content[1:40:2]
    return len(odd) > 1 and any(even) != any(odd)


def code_lines(text: str) -> list[str]:
    """The lines that are neither blank nor comments, without trailing blanks."""
    lines = (line.rstrip() for line in text.removeprefix("\ufeff").splitlines())
    return [line for line in lines if line and not line.lstrip().startswith("#")]


@cache
def solutions() -> Source:
    """The solutions of all steps."""
    return Source(SOLUTIONS)


@cache
def solution(step: Step) -> str:
    return (SOLUTIONS / step.path).read_text("utf-8")


@cache
def solution_tree(path: str) -> ast.Module:
    """The solution of a step's file, as Python reads it."""
    return parsed((SOLUTIONS / path).read_text("utf-8"))


@cache
def arguments(path: str) -> dict[str, list[str]]:
    """The arguments of every function, class and other method in a step's file, as the solution
    has them. A class has the arguments of its `forward`. A method has the class before its name.
    """
    found = {}
    for name, function in functions(solution_tree(path)):
        names = [argument.arg for argument in function.args.args]
        found[name.removesuffix(".forward")] = [each for each in names if each != "self"]
    return found


@cache
def pristine(step: Step) -> str:
    """The skeleton of a step, as the course hands it out."""
    return skeleton(solution(step))


@cache
def builds_on(step: Step) -> list[Step]:
    """The earlier steps that this step's solution imports."""
    imported = re.findall(r"^from ([\w.]+) import", solution(step), re.MULTILINE)
    return [earlier for earlier in STEPS if earlier.module in imported]


def below(step: Step) -> set[Step]:
    """All steps that this one builds on, directly or indirectly."""
    direct = set(builds_on(step))
    return direct.union(*map(below, direct))
