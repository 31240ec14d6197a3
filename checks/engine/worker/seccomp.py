"""A filter of system calls (Linux).

It forbids signals to the judge, reading other processes, and another priority. It forbids memory,
keys or queues that outlive a process or count for no process. It ignores changes of the rights or
times of files. Worker side. A refused call raises OSError in the caller, and ends nothing.
"""

from __future__ import annotations

import ctypes
import errno
import platform
from collections.abc import Mapping, Sequence

Code = tuple[
    int, int, int, int
]  # An instruction: its code, how far to jump if so, if not, a value.
# The architecture's number for the kernel, and the numbers of its system calls.
_MACHINES = {
    "x86_64": (
        0xC000003E,
        {
            **dict(kill=62, tkill=200, tgkill=234, rt_sigqueueinfo=129, rt_tgsigqueueinfo=297),
            **dict(ptrace=101, process_vm_readv=310, process_vm_writev=311, prlimit64=302),
            **dict(mount=165, umount2=166, setns=308, unshare=272, bpf=321, keyctl=250),
            **dict(perf_event_open=298, socket=41, connect=42),
            **dict(shmget=29, shmat=30, shmctl=31, semget=64, semctl=66, msgget=68, msgctl=71),
            **dict(msgsnd=69, msgrcv=70, semop=65, mq_open=240, mq_unlink=241),
            **dict(sched_setparam=142, sched_setscheduler=144, sched_setattr=314, setpriority=141),
            **dict(add_key=248, request_key=249, memfd_create=319, open_by_handle_at=304),
            **dict(chmod=90, fchmod=91, fchmodat=268, chown=92, fchown=93, lchown=94, fchownat=260),
            **dict(utime=132, utimes=235, futimesat=261, utimensat=280),
            **dict(setxattr=188, lsetxattr=189, fsetxattr=190),
            **dict(removexattr=197, lremovexattr=198, fremovexattr=199),
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            **dict(kill=129, tkill=130, tgkill=131, rt_sigqueueinfo=138, rt_tgsigqueueinfo=240),
            **dict(ptrace=117, process_vm_readv=270, process_vm_writev=271, prlimit64=261),
            **dict(mount=40, umount2=39, setns=268, unshare=97, bpf=280, keyctl=219),
            **dict(perf_event_open=241, socket=198, connect=203),
            **dict(shmget=194, shmat=196, shmctl=195, semget=190, semctl=191, msgget=186),
            **dict(msgctl=187, msgsnd=189, msgrcv=188, semop=193, mq_open=180, mq_unlink=181),
            **dict(sched_setparam=118, sched_setscheduler=119, sched_setattr=274, setpriority=140),
            **dict(add_key=217, request_key=218, memfd_create=279, open_by_handle_at=265),
            **dict(fchmod=52, fchmodat=53, fchown=55, fchownat=54, utimensat=88),
            **dict(setxattr=5, lsetxattr=6, fsetxattr=7),
            **dict(removexattr=14, lremovexattr=15, fremovexattr=16),
        },
    ),
}
_ALIKE = dict(pidfd_send_signal=424, io_uring_setup=425, pidfd_open=434, pidfd_getfd=438)
_ALIKE |= dict(memfd_secret=447, setxattrat=463, removexattrat=466, file_setattr=469)
_ALIKE |= dict(fchmodat2=452)
_REFUSED = (
    *("tkill", "ptrace", "process_vm_readv", "process_vm_writev", "perf_event_open", "keyctl"),
    *("mount", "umount2", "setns", "unshare", "bpf", "open_by_handle_at"),
    *("pidfd_send_signal", "io_uring_setup", "pidfd_open", "pidfd_getfd"),
    # Memory or queues that outlive the process and that the next could read; its own priority.
    *("shmget", "shmat", "shmctl", "semget", "semctl", "semop", "mq_open", "mq_unlink"),
    *("msgget", "msgctl", "msgsnd", "msgrcv", "add_key", "request_key"),
    *("memfd_create", "memfd_secret"),
    *("sched_setparam", "sched_setscheduler", "sched_setattr", "setpriority"),
)
# Landlock does not see these calls, and they could change any file of the same owner. They have no
# effect and raise nothing, because shutil.copy uses them on a new copy.
_WITHOUT_EFFECT = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "futimesat", "utimensat", "file_setattr"),
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat"),
)
_SIGNALS = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
_LOAD, _EQUAL, _HAS, _GIVE = 0x20, 0x15, 0x45, 0x06  # Instructions: code, then how far to jump
_NUMBER, _ARCH, _ARGUMENT = (_LOAD, 0, 0, 0), (_LOAD, 0, 0, 4), (_LOAD, 0, 0, 16)
_ALLOW = (_GIVE, 0, 0, 0x7FFF0000)
_SET_SECCOMP, _FILTER, _NO_NEW_PRIVS = 22, 2, 38


class _Instruction(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    ]


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction))]


def prepare(protected: Sequence[int], network: bool) -> Filter | None:
    """The filter; None if this architecture has none.

    protected: processes that may not be signalled. Without `network`, no socket can be opened.
    """
    if platform.machine() not in _MACHINES:
        return None
    arch, calls = _MACHINES[platform.machine()]
    program = _program(arch, {**calls, **_ALIKE}, protected, network)
    instructions = (_Instruction * len(program))(*(_Instruction(*code) for code in program))
    return Filter(len(program), instructions)


def restrict(program: Filter | None) -> bool:
    """Put the filter on this process, permanently. True if it works."""
    if program is None:
        return False
    prctl = ctypes.CDLL(None).prctl
    prctl(_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0)
    return prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0) == 0


def _program(
    arch: int, calls: Mapping[str, int], protected: Sequence[int], network: bool
) -> list[Code]:
    denied = _refuse(errno.EPERM)
    program = [_ARCH, (_EQUAL, 1, 0, arch), denied, _NUMBER]
    program += [(_HAS, 0, 1, 0x40000000), denied]  # The second set of numbers on x86-64.
    for name in _REFUSED:
        program += [(_EQUAL, 0, 1, calls[name]), denied]
    for name in filter(calls.__contains__, _WITHOUT_EFFECT):  # Architectures lack some of them.
        program += [(_EQUAL, 0, 1, calls[name]), _refuse(0)]
    for name in () if network else ("socket", "connect"):
        program += [(_EQUAL, 0, 1, calls[name]), _refuse(errno.ENETUNREACH)]
    for name in _SIGNALS:
        body = [_ARGUMENT, (_HAS, 0, 1, 1 << 31), denied]  # Negative: groups, or all processes.
        for pid in protected:
            body += [(_EQUAL, 0, 1, pid), denied]
        program += [(_EQUAL, 0, len(body) + 1, calls[name]), *body, _NUMBER]
    body = [_ARGUMENT, (_EQUAL, 1, 0, 0), denied, _NUMBER]  # Only the process's own limits.
    program += [(_EQUAL, 0, len(body), calls["prlimit64"]), *body]
    return [*program, _ALLOW]


def _refuse(code: int) -> Code:
    return (_GIVE, 0, 0, 0x00050000 | code)
