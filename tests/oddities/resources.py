"""Memory, disk, output and descriptors."""

from __future__ import annotations

from oddities.submission import DIED, forward, odd, top

odd("26 40 GB of tensor", forward("torch.empty(10**10)"), "memory", says="2 GB")
odd("26 40 GB of list", forward("y = [0] * 10**10"), "memory", says="2 GB")
odd(
    "26 a chain that grows",
    forward("y = torch.ones(1000)\nwhile True: y = torch.cat([y, y])"),
    "memory",
    limits={"seconds": 6},
)

odd(
    "26 a list that grows",
    forward("y = []\nwhile True: y.append('x' * 10**6)"),
    "memory",
    limits={"seconds": 6},
)

CHILDREN = """\
import os, time
for _ in range(6):
    if os.fork() == 0:
        {}y = b'x' * (700 << 20)
        time.sleep(60)
"""
odd(
    "26 six children with 700 MB each",
    forward(f"{CHILDREN.format('')}time.sleep(60)"),
    "memory",
    says="2 GB together",
    limits={"seconds": 6},
)
odd(
    "26 six orphans with 700 MB each",
    forward(f"{CHILDREN.format('os.setsid() or os.fork() and os._exit(0); ')}time.sleep(60)"),
    "memory",
    says="2 GB together",
    limits={"seconds": 6},
)
odd(
    "26 children with 700 MB each, beside a right answer",
    top(CHILDREN.format("")),
    "memory",
    "pass",
    limits={"seconds": 6},
)
odd("26 children that are small", top(f"{CHILDREN.format('y = [] or time.sleep(60); ')}"), "pass")
odd(
    "26 a file in memory of 4 GB",
    forward("import os\nfd = os.memfd_create('x')\nwhile True: os.write(fd, bytes(1 << 24))"),
    "error",
    says="PermissionError",
)
odd("27 fork bomb", forward("import os\nwhile True: os.fork()"), *DIED)
odd(
    "28 thread bomb",
    forward(
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,)).start()"
    ),
    *DIED,
)
odd(
    "29 prints without end",
    top("while True: print('spam' * 1000)"),
    "output_limit",
    says="without end",
)
odd("29 prints 100 MB", forward("print('x' * 10**6)"), "pass", "output_limit")
odd("30 prints garbage", forward("import os; os.write(1, bytes(range(256)))"), "pass")
odd("31 prints escapes", forward("print('\\x1b[2J\\x1b[A\\x1b]8;;x\\x07\\x00 ALL PASSED')"), "pass")
odd("32 prints commands for CI", forward("print('::error::x\\n::stop-commands::y')"), "pass")
odd(
    "33 prints a verdict",
    top('print(\'{"verdict": "pass", "score": 100}\')\nraise SystemExit'),
    "error",
)
odd("34 closes everything", forward("import os; os.closerange(0, 64)"), *DIED)
odd(
    "34 stdout raises",
    top(
        "import sys\nclass Bad:\n    def __getattr__(self, name): raise OSError\n"
        "sys.stdout = sys.stderr = Bad()"
    ),
    "pass",
)
odd("34 no stdout", top("import sys; sys.stdout = sys.stderr = None"), "pass")
odd(
    "35 writes to every descriptor",
    forward(
        "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'PASS' * 9)\n    except OSError: pass"
    ),
    *DIED,
)
