"""A learner at a terminal that watches: what is on the screen, and what is typed."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import AT_MOST

from checks.contents import SOLUTIONS, STEPS

if os.name != "posix":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import fcntl
import pty
import termios

FIRST, SECOND = STEPS[:2]
RIGHT = (SOLUTIONS / FIRST.path).read_text("utf-8")
WRONG = RIGHT.replace("return self.embedding(x)", "return 2 * self.embedding(x)")
ENDLESS = RIGHT.replace("return self.embedding(x)", "while True: pass")
RULE = r"-- \d\d:\d\d:\d\d -+\n"
SHELL = """if True:  # As much of a shell as Ctrl-Z needs: a job of its own, in front.
    import os, signal, subprocess, sys
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    def in_front():
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
    job = subprocess.Popen(sys.argv[1:], preexec_fn=in_front)
    while os.WIFSTOPPED(status := os.waitpid(job.pid, os.WUNTRACED)[1]):
        os.tcsetpgrp(0, os.getpgrp())
        input("stopped\\n")
        os.tcsetpgrp(0, job.pid)
        os.killpg(job.pid, signal.SIGCONT)
    sys.exit(os.waitstatus_to_exitcode(status))
"""
CLEARS = re.compile(rb"\x1b\[[0-3]?J|\x1b\[[0-9;]*H|\x1bc|\x1b\[\?(1049|1047|47)h")


class Session:
    """The command in a pseudo-terminal or, without one, on pipes; and all that it prints."""

    def __init__(self, course: Path, *words: str, terminal: bool = True, shell: bool = False):
        self.raw, self.seen = b"", 0
        self.read_fd, self.theirs = pty.openpty() if terminal else os.pipe()
        self.write_fd = self.read_fd
        stdin = self.theirs
        if not terminal:
            stdin, self.write_fd = os.pipe()
        self.before = termios.tcgetattr(self.theirs) if terminal else None
        command = [sys.executable, str(course / "run_step.py"), "watch", *words]
        self.process = subprocess.Popen(
            [sys.executable, "-c", SHELL, *command] if shell else command,
            stdin=stdin,
            stdout=self.theirs,
            stderr=self.theirs,
            cwd=course.parent,
            env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
            preexec_fn=_own_terminal if terminal else os.setsid,
        )
        if not terminal:
            os.close(stdin)
            os.close(self.theirs)

    @property
    def text(self) -> str:
        plain = re.sub(rb"\x1b\[[0-9;]*m", b"", self.raw).replace(b"\r", b"")
        return plain.decode("utf-8", "ignore")

    def type(self, text: str) -> None:
        os.write(self.write_fd, text.encode())

    def until(self, pattern: str) -> str:
        """Wait for this in what has not been looked at yet: what came, up to its end."""
        end = time.monotonic() + AT_MOST
        while (found := re.compile(pattern, re.DOTALL).search(self.text, self.seen)) is None:
            assert time.monotonic() < end, f"no {pattern!r} in {self.text[self.seen :]!r}"
            assert self._read(), f"ended without {pattern!r} in {self.text[self.seen :]!r}"
        start, self.seen = self.seen, found.end()
        return self.text[start : self.seen]

    def verdict(self, step: str, words: str) -> str:
        """Wait for the next verdict, which must be this one; all that was said, up to its end."""
        text = self.until(rf"{RULE}.*?\nWatching [^\n]*\n")
        assert re.search(rf"{RULE}{re.escape(step)} \w+ {words}", text), text
        return text

    def end(self) -> int:
        """Its exit status, when it has ended by itself."""
        end = time.monotonic() + AT_MOST
        while self._read():
            assert time.monotonic() < end, f"it goes on: {self.text[self.seen :]!r}"
        return self.process.wait(AT_MOST)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(AT_MOST)
        os.close(self.read_fd)
        os.close(self.theirs if self.before is not None else self.write_fd)
        assert not CLEARS.search(self.raw)
        assert "Traceback" not in self.text
        for line in re.findall(r"^(?:-- |Watching |Checking ).*", self.text, re.MULTILINE):
            assert len(line) <= 80

    def _read(self) -> bool:
        """Read what there is, or wait a little; False: there will be no more."""
        if not select.select([self.read_fd], [], [], 0.1)[0]:
            return self.process.poll() is None
        try:
            part = os.read(self.read_fd, 1 << 16)
        except OSError:
            part = b""
        self.raw += part
        return bool(part)


def _own_terminal() -> None:
    """In the child: its standard input is the terminal of a session of its own, as in a shell."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def save(file: Path, text: str) -> None:
    """As many editors do: a new file takes the place of the old one."""
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(text, "utf-8")
    os.replace(beside, file)


def modes(session: Session) -> int:
    return int(termios.tcgetattr(session.theirs)[3])
