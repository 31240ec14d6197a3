"""The process that holds torch and runs learner code. It computes; it never judges.

    python main.py serve OPTIONS   import torch once, then fork a child for every request
    python main.py once OPTIONS    work over stdin and stdout (where fork is unsafe)

OPTIONS is a JSON object: control (a file descriptor), folder, grading, judge, hidden, boxed,
extensions (files of the course's own for the worker). It imports nothing else of the checker than
these and the files beside it: no expected value can be found here.
"""

from __future__ import annotations

import gc
import json
import math
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

try:
    import resource
except ImportError:  # Windows has none.
    resource = None  # type: ignore[assignment]

sys.dont_write_bytecode = True
_HERE = sys.path[0]  # The script's own folder; below, learner code can no longer import from it.

import walls  # noqa: E402
import wire  # noqa: E402

MODE, OPTIONS = sys.argv[1], json.loads(sys.argv[2])
WALLS = walls.Walls(*(OPTIONS[name] for name in ("folder", "grading", "judge", "hidden", "boxed")))
if MODE == "serve":
    WALLS.around_server()

import laboratory  # noqa: E402  (imports torch)
import lines  # noqa: E402
import plans  # noqa: E402
import warm  # noqa: E402

for _name, _file in OPTIONS["extensions"]:
    laboratory.extend(_name, _file)
sys.path.remove(_HERE)
_OURS = {_HERE, *(os.path.dirname(_file) for _, _file in OPTIONS["extensions"])}
for _name, _module in list(sys.modules.items()):
    if _name != "__main__" and os.path.dirname(str(getattr(_module, "__file__", ""))) in _OURS:
        del sys.modules[_name]
sys.argv = [""]


class Channel:
    """Frames over a pair of file descriptors (the same one, if it is a socket)."""

    def __init__(self, read_fd: int, write_fd: int):
        self.read_fd, self.write_fd = read_fd, write_fd

    def receive(self) -> dict[str, Any]:
        header, body = wire.lengths(self._exactly(wire.LENGTHS.size))
        return wire.decode(self._exactly(header), self._exactly(body))

    def send(self, message: dict[str, Any], limit: int = wire.BODY_LIMIT) -> None:
        rest = memoryview(wire.encode(message, limit))
        while rest:
            rest = rest[os.write(self.write_fd, rest) :]

    def _exactly(self, size: int) -> bytes:
        parts = []
        while size:
            part = os.read(self.read_fd, min(size, 1 << 20))
            if not part:
                os._exit(0)  # The judge is gone.
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def work(channel: Channel, folder: str, user: int | None) -> NoReturn:
    """Put up the walls, then answer requests until the judge hangs up."""
    _ignore_interrupts()
    WALLS.around_worker(folder, user)
    bench = laboratory.Bench(channel.write_fd)
    channel.send({"walls": WALLS.reached})
    answer: Any
    while True:
        request = channel.receive()
        if "seconds" in request:
            _limit(request["seconds"])
        if request["do"] == "plan":
            for answer in plans.answer_plan(bench, _limit, **request["with"]):
                bench.flush()
                _send(channel, bench, request["number"], answer)
            continue
        try:
            if request["do"] == "replay":
                answer = {"ok": plans.replay(bench, **request["with"])}
            else:
                answer = bench.answer(request)
        except BaseException as error:
            answer = bench.explain(error)
        bench.flush()
        limit = wire.BODY_LIMIT if request["do"] == "replay" else wire.ANSWER_LIMIT
        _send(channel, bench, request["number"], answer, limit)


def _send(
    channel: Channel,
    bench: laboratory.Bench,
    number: int,
    answer: Any,
    limit: int = wire.ANSWER_LIMIT,
) -> None:
    try:
        channel.send({"to": number, "answer": answer}, limit)
    except (wire.TooLarge, TypeError, ValueError, RecursionError) as error:
        answer = lines.explain(error, bench.files)  # The answer cannot be encoded.
        channel.send({"to": number, "answer": answer})


def redirect_output(output_fd: int) -> None:
    """Everything printed goes to output_fd, in lines; there is nothing to read on stdin."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output_fd, 1)
    os.dup2(output_fd, 2)
    sys.stdin = open(0, closefd=False)
    for fd, name in ((1, "stdout"), (2, "stderr")):
        stream = open(fd, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.breakpointhook = no_breakpoint


def no_breakpoint(*args: Any, **kwargs: Any) -> NoReturn:
    """Replace the debugger, which would wait for keys that nobody can press here."""
    told = "print() is shown; to stop on a line, run code of your own with python -m pdb"
    raise RuntimeError(f"breakpoint() cannot stop here, where no keys are read: {told}")


def serve(control_fd: int) -> NoReturn:
    """The warm process: fork on request. It never runs learner code itself."""
    import socket

    _ignore_interrupts()
    control = socket.socket(fileno=control_fd)
    WALLS.close_server()
    warm.warm_up()
    gc.collect()
    gc.freeze()  # Present objects are no child's garbage: their pages stay shared.
    folders: dict[int, str] = {}
    control.sendall(b"r")
    while True:
        order, fds, _, _ = socket.recv_fds(control, 64, 2)
        if not order:  # The judge has ended; so everything here ends.
            walls.end_strays(())
            os._exit(0)
        if order.startswith(b"fork"):
            folder, user = WALLS.private_folder()
            pid = os.fork()
            if pid == 0:
                control.close()
                os.setsid()
                redirect_output(fds[1])
                os.close(fds[1])
                work(Channel(fds[0], fds[0]), folder, user)
            folders[pid] = folder
            for fd in fds:
                os.close(fd)
            control.sendall(b"%d\n" % pid)
        else:
            word, pid = order.split()[0], int(order.split()[1])
            status = _reap(pid, word == b"kill") if pid in folders else wire.UNKNOWN
            if status >= 0:
                walls.end_strays(folders.keys() | WALLS.removing)
                WALLS.remove(folders.pop(pid))
            control.sendall(b"%d\n" % status)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C: the judge handles it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _limit(cpu_seconds: float) -> None:
    """Limit the computing time from now on. It can be set again. The judge's clock is finer.

    Linux counts a process for this limit by whole ticks. On a busy machine that was up to a sixth
    too much, so there is twice the room.
    """
    if resource is None:
        return
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    room = 2 if sys.platform == "linux" else 1
    soft = math.ceil(room * (used + cpu_seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _reap(pid: int, kill: bool) -> int:
    """The wait status of a child that has ended, else wire.RUNS. This never waits."""
    import signal

    if kill:
        os.kill(pid, signal.SIGKILL)
    done, status = os.waitpid(pid, os.WNOHANG)
    if not done:
        return wire.RUNS
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)  # Processes that the child has left running.
    return status


def main() -> NoReturn:
    if MODE == "serve":
        serve(OPTIONS["control"])
    else:
        frames_in, frames_out, output = os.dup(0), os.dup(1), os.dup(2)
        if sys.platform == "win32":
            import msvcrt

            for fd in (frames_in, frames_out):
                msvcrt.setmode(fd, os.O_BINARY)
        redirect_output(output)
        work(Channel(frames_in, frames_out), *WALLS.private_folder())


if __name__ == "__main__":
    main()
