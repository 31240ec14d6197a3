"""`watch --page`: the page in a browser, which follows every save.

It is served on the loopback address alone, and only to a browser that knows the token in its
address. The browser gets that address from a file that only the learner can read. As an argument
of a process, all users of the machine could read it. The server only reads: it accepts no data.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
import threading
import webbrowser
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from checks.contents import Step
from checks.engine.commands.screen import Screen
from checks.engine.commands.work import Work
from checks.engine.files.scratch import Scratch
from checks.engine.hosting.host import Host
from checks.engine.verdicts import StepResult
from checks.page import parts

ALIVE = 15.0  # Seconds after which a browser without news hears that there is none.
PATIENCE = 10.0  # Seconds that a browser may take for a request.
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Newest:
    """The newest of each part of the page, with its number. Browsers wait here for newer ones."""

    def __init__(self) -> None:
        self.parts: dict[str, tuple[int, str]] = {}
        self.changed, self.count, self.closed = threading.Condition(), 0, False

    def put(self, found: dict[str, str]) -> None:
        with self.changed:
            for name, html in found.items():
                if self.parts.get(name, (0, ""))[1] != html:
                    self.count += 1
                    self.parts[name] = self.count, html
            self.changed.notify_all()

    def after(self, number: int, seconds: float) -> dict[str, tuple[int, str]]:
        """The parts that are newer than this number, as soon as there are any."""
        with self.changed:
            self.changed.wait_for(lambda: self.count > number or self.closed, seconds)
            return {name: part for name, part in self.parts.items() if part[0] > number}

    def close(self) -> None:
        with self.changed:
            self.closed = True
            self.changed.notify_all()


class Handler(BaseHTTPRequestHandler):
    """Answers a browser. A page makes a class of its own of it, with its parts and its token."""

    newest: Newest
    token: str
    timeout = PATIENCE
    server_version, sys_version = "run_step", ""

    def do_GET(self) -> None:
        """Give the page or its news, if the token and the host are right."""
        port = self.connection.getsockname()[1]
        if self.headers.get("Host") != f"127.0.0.1:{port}":
            self._answer(403, b"This is no address of the page.")
            return
        _, given, *rest = [*self.path.split("/"), ""]
        known = hmac.compare_digest(given.encode(), self.token.encode())
        if known and rest == ["", ""]:
            self._page()
        elif known and rest == ["news", ""]:
            self._news()
        else:
            self._answer(404, b"There is nothing here.")

    def _page(self) -> None:
        now = self.newest.after(0, PATIENCE)
        html = {name: found for name, (_, found) in now.items()}
        numbers = {name: number for name, (number, _) in now.items()}
        self._answer(200, parts.page(html, "news", numbers).encode(), "text/html")

    def _news(self) -> None:
        """Send newer parts for as long as the browser listens."""
        self._begin(200, "text/event-stream")
        number = 0
        while not self.newest.closed:
            found = self.newest.after(number, ALIVE)
            number = max((part[0] for part in found.values()), default=number)
            line = f"data: {json.dumps(found)}\n\n" if found else ": nothing new\n\n"
            try:
                self.wfile.write(line.encode())
            except OSError:
                return  # The browser has gone.

    def _answer(self, status: int, body: bytes, kind: str = "text/plain") -> None:
        self._begin(status, kind, len(body))
        self.wfile.write(body)

    def _begin(self, status: int, kind: str, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing: the terminal belongs to `watch`."""


class Served:
    """The page of a `watch`, as a context manager. It opens the browser."""

    def __init__(self, host: Host, screen: Screen):
        self.host, self.newest, self.token = host, Newest(), secrets.token_urlsafe(24)
        own = {"newest": self.newest, "token": self.token}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Handler,), own))
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}/{self.token}/"
        self.step: Step | None = None
        self.wanted: tuple[Work, Step] | None = None
        self.wakes = threading.Condition()
        self.screen, self.scratch = screen, Scratch()

    def __enter__(self) -> Served:
        for work in (self.server.serve_forever, self._draw):
            threading.Thread(target=work, daemon=True).start()
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.newest.close()
        self.server.shutdown()
        self.server.server_close()
        self.scratch.close()

    def begins(self, work: Work, step: Step) -> None:
        """Show what is known of a step. The last verdict stays until the next, unless the step is
        another one.
        """
        if step is not self.step:
            self.step = step
            self.newest.put(parts.waiting(step))
            self._want(work, step)

    def says(
        self, work: Work, step: Step, result: StepResult, seed: int, again: str, whole: bool
    ) -> None:
        """Show a verdict at once. `whole`: with its reason; the other parts follow."""
        self.newest.put(parts.verdict(work, result, seed, again, whole, watched=True))
        if whole:
            self._want(work, step)

    def _want(self, work: Work, step: Step) -> None:
        with self.wakes:
            self.wanted = work, step
            self.wakes.notify()

    def _draw(self) -> None:
        """Draw what takes longer than a verdict, in a thread of its own."""
        while True:
            with self.wakes:
                self.wakes.wait_for(lambda: self.wanted is not None)
                assert self.wanted is not None
                (work, step), self.wanted = self.wanted, None
            try:
                self.newest.put(parts.others(self.host, work, step))
            except Exception as error:  # `watch` goes on without these parts.
                if not self.newest.closed:
                    says = f"The page could not be drawn: {type(error).__name__}: {error}"
                    self.screen.say(says, "magenta")

    def _open(self) -> None:
        """Open the browser, where there is one with windows."""
        windows = sys.platform != "linux" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
        if not windows:
            return
        file = self.scratch.folder / "open.html"  # The folder is the learner's alone.
        goes_on = f'<meta http-equiv="refresh" content="0; url={escape(self.address)}">'
        file.write_text(f"<!doctype html>{goes_on}\n", "utf-8")
        webbrowser.open(file.as_uri())
