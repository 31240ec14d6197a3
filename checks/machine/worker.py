"""The process that holds torch and runs learner code. It computes; it never judges.

    python worker.py serve FD       import torch once, then fork a child for every request on FD
    python worker.py once SECONDS  work over stdin and stdout (where fork is unsafe)

It imports nothing of the checker but the frames: no expected value can be found here.
"""

import os
import sys

sys.dont_write_bytecode = True
_HERE = sys.path[0]  # The script's own folder; below, learner code can no longer import from it.

import laboratory  # noqa: E402  (imports torch)
import wire  # noqa: E402

sys.path.remove(_HERE)
for _name in ("laboratory", "finder", "watchers", "wire"):
    del sys.modules[_name]


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


def work(channel):
    """Answer requests until the judge hangs up."""
    bench = laboratory.Bench(channel.write_fd)
    while True:
        request = channel.receive()
        if request["do"] == "renew":
            bench.clear()
            bench = laboratory.Bench(channel.write_fd)
            _limit(request["with"]["seconds"])
            channel.send("ready")
            continue
        try:
            answer = bench.answer(request)
        except BaseException as error:
            answer = bench.explain(error)
        bench.flush()
        channel.send(answer)


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
    import signal
    import socket

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the judge's business.
    control = socket.socket(fileno=control_fd)
    control.sendall(b"r")
    while True:
        order, fds, _, _ = socket.recv_fds(control, 64, 2)
        if not order:
            os._exit(0)
        if order.startswith(b"fork"):
            pid = os.fork()
            if pid == 0:
                control.close()
                os.setsid()
                _limit(float(order.split()[1]))
                redirect_output(fds[1])
                os.close(fds[1])
                work(Channel(fds[0], fds[0]))
            for fd in fds:
                os.close(fd)
            control.sendall(b"%d\n" % pid)
        else:
            control.sendall(b"%d\n" % _reap(int(order.split()[1])))


def _limit(cpu_seconds):
    """Bounds for the work to come, as far as the system has them. May be set again and again."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        return
    import resource

    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    soft = max(1, round(used + cpu_seconds))
    for name, bounds in (
        (resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1])),
        (resource.RLIMIT_AS, (6 << 30, 6 << 30)),
        (resource.RLIMIT_FSIZE, (64 << 20, 64 << 20)),
        (resource.RLIMIT_CORE, (0, 0)),
    ):
        try:
            resource.setrlimit(name, bounds)
        except (ValueError, OSError):
            pass  # A stricter bound is in force already.


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
    mode = sys.argv[1]
    if mode == "serve":
        serve(int(sys.argv[2]))
    else:
        frames_in, frames_out, output = os.dup(0), os.dup(1), os.dup(2)
        if sys.platform == "win32":
            import msvcrt

            for fd in (frames_in, frames_out):
                msvcrt.setmode(fd, os.O_BINARY)
        redirect_output(output)
        _limit(float(sys.argv[2]))
        channel = Channel(frames_in, frames_out)
        channel.send("ready")
        work(channel)


if __name__ == "__main__":
    main()
