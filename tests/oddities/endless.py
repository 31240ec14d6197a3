"""Time: what loops, sleeps and goes on after the call."""

from __future__ import annotations

from oddities.submission import DIED, changed, forward, odd, top

odd("16 endless loop at import", top("while True: pass"), "timeout", says="being imported")
odd(
    "17 endless loop in __init__",
    changed("super().__init__()", "super().__init__()\n        while True: pass"),
    "timeout",
    says="layer_norm.py:",
)
odd("17 endless loop in forward", forward("while True: pass"), "timeout", says="layer_norm.py:")
odd(
    "17 endless loop in a property",
    changed(
        "    def forward",
        "    @property\n    def training(self):\n        while True: pass\n\n    def forward",
    ),
    *DIED,
)
odd(
    "17 endless loop in __repr__",
    changed(
        "    def forward", "    def __repr__(self):\n        while True: pass\n\n    def forward"
    ),
    "pass",
)
odd(
    "18 endless loop, signals ignored",
    top(
        "import signal\nfor n in range(1, 32):\n    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nwhile True: pass"
    ),
    "timeout",
)
odd(
    "18 endless loop, signals blocked",
    forward(
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\nwhile True: pass"
    ),
    "timeout",
)
odd(
    "18 endless loop that catches everything",
    forward("while True:\n    try:\n        while True: pass\n    except BaseException: pass"),
    "timeout",
)
odd("19 one call in C", forward("sum(range(10**12))"), "timeout", says="layer_norm.py:")
odd("19 backtracking", forward("import re; re.match(r'(a+)+$', 'a' * 50 + 'b')"), "timeout")
odd(
    "19 a huge product",
    forward("y = torch.ones(9000, 9000)\nwhile True: y = y @ y"),
    "timeout",
    "memory",
)
odd("20 endless sleep", top("import time; time.sleep(3600)"), "timeout", says="did not finish")
odd("20 input()", top("input()"), "error", says="EOFError")
odd("20 reads stdin", top("import sys; assert sys.stdin.read() == ''"), "pass")
odd(
    "21 a thread left behind",
    top("import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()"),
    "pass",
)
odd(
    "21 a busy daemon thread",
    top(
        "import threading\ndef spin():\n    while True: pass\n"
        "threading.Thread(target=spin, daemon=True).start()"
    ),
    "pass",
    limits={"seconds": 20},
)
odd(
    "22 a daemon that holds the pipes",
    top(
        "import os\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        os.execvp('sleep', ['sleep', '86399.5'])\n    os._exit(0)"
    ),
    "pass",
)
odd("23 right, but slow", forward("for _ in range(10**5): pass"), "pass")
odd(
    "25 waits for another process",
    forward("import multiprocessing as m; m.Queue().get()"),
    "timeout",
    "error",
)
odd(
    "25 waits for a lock",
    forward("import threading; a = threading.Lock(); a.acquire(); a.acquire()"),
    "timeout",
)
odd(
    "25 waits for a child that shares its memory",
    forward("import ctypes, time\nif ctypes.CDLL(None).vfork() == 0: time.sleep(3600)"),
    "timeout",
    "error",
)
odd(
    "25 its first thread ends, another sleeps",
    forward(
        "import ctypes, threading, time\n"
        "threading.Thread(target=time.sleep, args=(3600,)).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)"
    ),
    *DIED,
)
