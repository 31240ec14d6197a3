"""The process that holds torch and runs learner code. It computes; it never judges.

    python main.py serve OPTIONS   import torch once, then fork a child for every request
    python main.py once OPTIONS    work over stdin and stdout (where fork is unsafe)

OPTIONS is a JSON object: control (a file descriptor), folder, grading, judge, hidden. It imports
nothing of the checker but the frames and the walls: no expected value can be found here.
"""

import gc
import json
import math
import os
import sys

try:
    import resource
except ImportError:  # Windows has none.
    resource = None

sys.dont_write_bytecode = True
_HERE = sys.path[0]  # The script's own folder; below, learner code can no longer import from it.

import walls  # noqa: E402
import wire  # noqa: E402

MODE, OPTIONS = sys.argv[1], json.loads(sys.argv[2])
WALLS = walls.Walls(*(OPTIONS[name] for name in ("folder", "grading", "judge", "hidden")))
if MODE == "serve":
    WALLS.around_server()

import laboratory  # noqa: E402  (imports torch)
import lines  # noqa: E402
import warm  # noqa: E402

sys.path.remove(_HERE)
for _name, _module in list(sys.modules.items()):
    if _name != "__main__" and str(getattr(_module, "__file__", "")).startswith(_HERE + os.sep):
        del sys.modules[_name]
sys.argv = [""]


class Channel:
    """Frames over a pair of file descriptors (the same one, if it is a socket)."""

    def __init__(self, read_fd, write_fd):
        self.read_fd, self.write_fd = read_fd, write_fd

    def receive(self):
        header, body = wire.lengths(self._exactly(wire.LENGTHS.size))
        return wire.decode(self._exactly(header), self._exactly(body))

    def send(self, message):
        rest = memoryview(wire.encode(message))
        while rest:
            rest = rest[os.write(self.write_fd, rest) :]

    def _exactly(self, size):
        parts = []
        while size:
            part = os.read(self.read_fd, min(size, 1 << 20))
            if not part:
                os._exit(0)  # The judge is gone.
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def work(channel, folder, user):
    """Put up the walls, then answer requests until the judge hangs up."""
    _ignore_interrupts()
    WALLS.around_worker(folder, user)
    bench = laboratory.Bench(channel.write_fd)
    channel.send({"walls": WALLS.reached})
    while True:
        request = channel.receive()
        if "seconds" in request:
            _limit(request["seconds"])
        if request["do"] == "renew":
            bench.clear()
            bench, answer = laboratory.Bench(channel.write_fd), "ready"
        else:
            try:
                answer = bench.answer(request)
            except BaseException as error:
                answer = lines.explain(error, bench.files)
            bench.flush()
        channel.send({"to": request["number"], "answer": answer})


def redirect_output(output_fd):
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


def serve(control_fd):
    """The warm process: fork on request. It never runs learner code itself."""
    import socket

    _ignore_interrupts()
    control = socket.socket(fileno=control_fd)
    WALLS.close_server()
    warm.warm_up()
    gc.collect()
    gc.freeze()  # What is there now is no child's garbage: its pages stay shared.
    folders = {}
    control.sendall(b"r")
    while True:
        order, fds, _, _ = socket.recv_fds(control, 64, 2)
        if not order:  # The judge has ended, and with it everything here.
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
            pid = int(order.split()[1])
            status = _reap(pid)
            WALLS.remove(folders.pop(pid))
            walls.end_strays(folders)
            control.sendall(b"%d\n" % status)


def _ignore_interrupts():
    """Ctrl-C is the judge's business."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _limit(cpu_seconds):
    """For the work to come; may be set again and again. The judge's own clock is finer."""
    if resource is None:
        return
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    soft = math.ceil(used + cpu_seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _reap(pid):
    """The wait status of a child that has hung up; -1 if it did not end and was killed."""
    import signal
    import time

    for wait in (0, 0.001, 0.004, 0.015, 0.03):
        time.sleep(wait)
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        status = -1
    try:
        os.killpg(pid, signal.SIGKILL)  # What the child has left running.
    except (ProcessLookupError, PermissionError):
        pass
    return status


def main():
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
