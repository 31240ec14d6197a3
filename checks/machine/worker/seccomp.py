"""A filter of system calls (Linux): no signals to the judge, no look into other processes, no
memory or queues that outlive a process, no other priority.

Worker side. Whatever the filter refuses gives an OSError to who asks for it, and ends nothing.
"""

import ctypes
import errno
import platform

# The machine's number for the kernel, and those of its system calls.
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
        },
    ),
}
_ALIKE = dict(pidfd_send_signal=424, io_uring_setup=425, pidfd_open=434, pidfd_getfd=438)
_REFUSED = (
    *("tkill", "ptrace", "process_vm_readv", "process_vm_writev", "perf_event_open", "keyctl"),
    *("mount", "umount2", "setns", "unshare", "bpf", *_ALIKE),
    # What outlives the process, and could be read by the next; what would make it starve itself.
    *("shmget", "shmat", "shmctl", "semget", "semctl", "semop", "mq_open", "mq_unlink"),
    *("msgget", "msgctl", "msgsnd", "msgrcv"),
    *("sched_setparam", "sched_setscheduler", "sched_setattr", "setpriority"),
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


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction))]


def prepare(protected, network):
    """The filter. protected: processes that may not be signalled. Without `network`, no socket
    can be opened. None: for this machine there is no filter.
    """
    if platform.machine() not in _MACHINES:
        return None
    arch, calls = _MACHINES[platform.machine()]
    program = _program(arch, {**calls, **_ALIKE}, protected, network)
    instructions = (_Instruction * len(program))(*program)
    return _Program(len(program), instructions)


def restrict(program):
    """Put the filter on this process, for good. True if it stands."""
    if program is None:
        return False
    prctl = ctypes.CDLL(None).prctl
    prctl(_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0)
    return prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0) == 0


def _program(arch, calls, protected, network):
    denied = _refuse(errno.EPERM)
    program = [_ARCH, (_EQUAL, 1, 0, arch), denied, _NUMBER]
    program += [(_HAS, 0, 1, 0x40000000), denied]  # The second set of numbers that x86-64 has.
    for name in _REFUSED:
        program += [(_EQUAL, 0, 1, calls[name]), denied]
    for name in () if network else ("socket", "connect"):
        program += [(_EQUAL, 0, 1, calls[name]), _refuse(errno.ENETUNREACH)]
    for name in _SIGNALS:
        body = [_ARGUMENT, (_HAS, 0, 1, 1 << 31), denied]  # Groups, and everybody: negative.
        for pid in protected:
            body += [(_EQUAL, 0, 1, pid), denied]
        program += [(_EQUAL, 0, len(body) + 1, calls[name]), *body, _NUMBER]
    body = [_ARGUMENT, (_EQUAL, 1, 0, 0), denied, _NUMBER]  # Limits: only one's own.
    program += [(_EQUAL, 0, len(body), calls["prlimit64"]), *body]
    return [*program, _ALLOW]


def _refuse(code):
    return (_GIVE, 0, 0, 0x00050000 | code)
