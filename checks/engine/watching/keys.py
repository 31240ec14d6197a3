"""The learner's input while other work goes on: keys in a terminal, lines from a pipe.

A thread of its own reads, so no other work waits for it. The terminal has its own modes again
whenever the process is not in the foreground: after any kind of end, and while it is stopped.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

END = ""  # The input has ended.
STEP = 0.02  # Seconds between two looks at a Windows keyboard.
NO_KEY = re.compile("\x1b(\\[[0-?]*[ -/]*[@-~]|O?.)?", re.DOTALL)  # Arrows and function keys.
LEAVE = ("SIGTERM", "SIGHUP")


class Keys:
    """Calls `typed` with every word of `words`, in full if its first letter was pressed.

    Other text is passed on unchanged, and END when the input has ended. Use as a context manager.
    """

    def __init__(self, words: tuple[str, ...], typed: Callable[[str], None]):
        self.words, self.typed = words, typed
        self.single = _is_terminal()  # Keys count without Enter.
        self.found: Any = None  # The terminal's former modes.
        self.handlers: dict[int, Any] = {}

    def __enter__(self) -> Keys:
        for name in LEAVE:
            if hasattr(signal, name):
                self._handle(getattr(signal, name), _leave)
        if self.single and os.name == "posix":
            self._handle(signal.SIGTSTP, self._stop)
            self._handle(signal.SIGCONT, self._go_on)
            self._handle(signal.SIGTTIN, signal.SIG_IGN)  # Reads in the background then fail.
            self._take()
        windows = self.single and os.name == "nt"
        read = self._read_console if windows else self._read_keys if self.single else self._lines
        threading.Thread(target=read, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._give_back()
        for number, handler in self.handlers.items():
            signal.signal(number, handler)

    def _handle(self, number: int, handler: Any) -> None:
        self.handlers[number] = signal.signal(number, handler)

    # The terminal's modes

    def _take(self) -> None:
        """Read every key at once, without an echo; Ctrl-C and Ctrl-Z work as always."""
        import termios
        import tty

        try:
            if _in_front():
                self.found = self.found or termios.tcgetattr(0)
                tty.setcbreak(0, termios.TCSADRAIN)
        except (OSError, termios.error):
            pass  # There is no terminal any more.

    def _give_back(self) -> None:
        if self.found is None:
            return
        import termios

        try:
            if _in_front():
                termios.tcsetattr(0, termios.TCSADRAIN, self.found)
        except (OSError, termios.error):
            pass

    def _stop(self, number: int, frame: object) -> None:
        """Handle Ctrl-Z."""
        self._give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._stop)  # The process has continued, or was never stopped.
        self._take()

    def _go_on(self, number: int, frame: object) -> None:
        self._take()

    # Reading

    def _read_keys(self) -> None:
        while True:
            try:
                text = os.read(0, 1024).decode("utf-8", "replace")
            except OSError:  # In the background, or the terminal is gone.
                if not _is_terminal():
                    return self.typed(END)
                time.sleep(0.2)
                continue
            if text in ("", "\x04"):  # Ctrl-D is a key like any other.
                return self.typed(END)
            self._keys(text)

    def _keys(self, text: str) -> None:
        if not (text := NO_KEY.sub("", text)):
            return
        whole = text.strip().lower()
        for key in [whole] if whole in self.words or not whole else whole:
            self._word(key)

    def _read_console(self) -> None:
        if sys.platform == "win32":
            import msvcrt

            while True:
                if not msvcrt.kbhit():
                    time.sleep(STEP)
                    continue
                key = msvcrt.getwch()
                if key in ("\0", "\xe0"):
                    msvcrt.getwch()  # An arrow or a function key comes as two.
                else:
                    self._keys(key)

    def _lines(self) -> None:
        rest = b""
        while sys.stdin is not None:
            try:
                part = os.read(sys.stdin.fileno(), 1024)
            except (OSError, ValueError):
                break
            if not part:
                break
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                self._word(line.decode("utf-8", "replace").strip().lower())
        if rest.strip():
            self._word(rest.decode("utf-8", "replace").strip().lower())
        self.typed(END)

    def _word(self, text: str) -> None:
        full = (word for word in self.words if text in (word, word[0]))
        self.typed(next(full, text or "\n"))


def _is_terminal() -> bool:
    try:
        return os.isatty(0) and sys.stdin is not None and sys.stdin.fileno() == 0
    except (OSError, ValueError):
        return False


def _in_front() -> bool:
    """Whether this process is in the foreground of the terminal."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return True  # There is no job control here.


def _leave(number: int, frame: object) -> None:
    """End as after Ctrl-C: everything open is closed on the way."""
    for name in LEAVE:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    raise SystemExit(128 + number)
