"""How a submission ends: exits, exceptions, signals."""

from __future__ import annotations

from oddities.submission import DIED, changed, forward, odd, top

odd("1 exit at import", top("import os; os._exit(0)"), "no_result", says="being imported")
odd("2 exit in forward", forward("import os; os._exit(0)"), "no_result", says="LayerNorm")
odd(
    "2 exit in the constructor",
    changed("super().__init__()", "import os; os._exit(0)"),
    "no_result",
    says="was being made",
)
odd("3 sys.exit at import", top("import sys; sys.exit(0)"), "error", says="Remove")
odd("3 exit() at import", top("exit()"), "error", says="SystemExit")
odd("3 quit() in forward", forward("quit()"), "error", says="SystemExit")
odd("4 atexit that exits", top("import atexit, os; atexit.register(os._exit, 0)"), "pass")
odd(
    "5 atexit that loops",
    top("import atexit\n@atexit.register\ndef _():\n    while 1: pass"),
    "pass",
)
odd(
    "5 finalizers that loop",
    top(
        "import weakref\nclass Sticky:\n    def __del__(self):\n        while 1: pass\nsticky = Sticky()\n"
        "def loop():\n    while 1: pass\nweakref.finalize(sticky, loop)"
    ),
    "pass",
)
odd("6 KeyboardInterrupt", forward("raise KeyboardInterrupt"), "error", says="KeyboardInterrupt")
odd(
    "7 own BaseException",
    top("class Odd(BaseException): pass\nraise Odd('no')"),
    "error",
    says="Odd",
)
odd("8 message of 100 MB", forward("raise ValueError('x' * 10**8)"), "error", says="ValueError")
odd(
    "8 message that loops",
    top("class Odd(Exception):\n    def __str__(self):\n        while 1: pass\nraise Odd"),
    "timeout",
)
odd(
    "8 message that raises",
    top("class Odd(Exception):\n    def __str__(self): raise self\nraise Odd"),
    "error",
    says="cannot be shown",
)
odd(
    "9 cyclic causes",
    forward(
        "a, b = ValueError('a'), ValueError('b')\na.__context__, b.__context__ = b, a\nraise a"
    ),
    "error",
)
odd(
    "9 a long chain of causes",
    forward(
        "last = None\nfor n in range(10_000):\n    e = ValueError(str(n)); e.__cause__ = last; last = e\n"
        "raise last"
    ),
    "error",
    says="9999",
)
odd(
    "9 a group of exceptions",
    forward(
        "import builtins\nraise getattr(builtins, 'ExceptionGroup', lambda m, e: e[0])('two', [ValueError('one')])"
    ),
    "error",
)
odd("10 pytest.skip", forward("import pytest; pytest.skip('later')"), "error")
odd("10 unittest.SkipTest", forward("import unittest; raise unittest.SkipTest('later')"), "error")
odd("11 abort", forward("import os; os.abort()"), "crash", says="SIGABRT")
odd(
    "11 null pointer", forward("import ctypes; ctypes.string_at(0)"), "crash", says="layer_norm.py:"
)
odd(
    "11 hangs up, and crashes a while later",
    forward("import ctypes, os, time\nos.closerange(3, 64); time.sleep(0.3)\nctypes.string_at(0)"),
    "crash",
)
odd(
    "1 hangs up, and ends a while later",
    forward("import os, time\nos.closerange(3, 64); time.sleep(0.3)\nos._exit(3)"),
    "no_result",
    says="exit status 3",
)
odd("12 runaway recursion", top("def f(): return f()\nf()"), "error", says="RecursionError")
odd(
    "12 recursion without limit",
    top("import sys; sys.setrecursionlimit(10**9)\ndef f(): return f()\nf()"),
    *DIED,
)
for target in ("os.getppid()", "1", "-1"):
    odd(f"13 kills {target}", forward(f"import os; os.kill({target}, 9)"), *DIED)
    odd(
        f"13 tries to kill {target}",
        forward(f"import os\ntry: os.kill({target}, 19)\nexcept OSError: pass"),
        "pass",
    )
odd(
    "14 becomes another program",
    forward("import os; os.execv('/bin/echo', ['echo', 'PASS'])"),
    "no_result",
)
odd(
    "14 another program speaks for it",
    forward(
        "import os, subprocess\nsubprocess.run(['echo', '{\"verdict\": \"pass\"}'])\nos._exit(0)"
    ),
    "no_result",
)
