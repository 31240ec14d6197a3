"""Hostile, faulty and odd submissions, and the verdict that each of them gets.

One row each: a name that begins with its number in the catalogue the course was built against, the
changed files, the verdicts that are right, what the message says; and, where that differs, what
grading makes of it. Most are step 2.3, a few lines of code with nothing else in the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from checks.contents import SOLUTIONS, STEPS

NORM, ATTENTION = "s2_attention/layer_norm.py", "s2_attention/calculate_attention.py"
PATHS = {step.id: step.path for step in STEPS}
RIGHT = (SOLUTIONS / NORM).read_text("utf-8")
RETURN = "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta"
VALUE = RETURN.removeprefix("return ")
DIED = ("timeout", "memory", "error", "crash", "no_result")


@dataclass(frozen=True)
class Odd:
    """`files`: what differs from the solutions. `verdicts`: all that are right."""

    name: str
    files: dict[str, Any]
    verdicts: tuple[str, ...]
    says: str = ""
    kind: str | None = None
    step: str = "2.3"
    graded: tuple[str, ...] | None = None  # The verdicts in grading mode, if other ones.
    limits: dict[str, Any] = field(default_factory=dict)


ODD: list[Odd] = []


def odd(name: str, text: Any, *verdicts: str, **more: Any) -> None:
    """A version of step 2.3; or, if `text` is a dictionary, these files."""
    files = text if isinstance(text, dict) else {NORM: text}
    ODD.append(Odd(name, files, verdicts, **more))


def changed(old: str, new: str, step: str = "2.3") -> Any:
    """The solution of a step with an edit."""
    text = (SOLUTIONS / PATHS[step]).read_text("utf-8")
    assert old in text, old
    text = text.replace(old, new)
    return text if step == "2.3" else {PATHS[step]: text}


def top(lines: str) -> str:
    """With these lines after the first import."""
    return str(changed("import torch\n", f"import torch\n{lines}\n"))


def forward(lines: str) -> str:
    """With these lines before the return of forward."""
    indented = "\n        ".join(lines.splitlines())
    return str(changed(RETURN, f"{indented}\n        {RETURN}"))


def returns(value: str) -> str:
    """With another value in the place of the right one, which is `out`."""
    return str(changed(RETURN, f"out = {VALUE}\n        return {value}"))


# A. Termination and control flow

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

# B. Time

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

# C. Memory, disk, output, descriptors

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
FORGED = """\
import sys
frame = sys._getframe()
while frame and 'channel' not in frame.f_locals: frame = frame.f_back
number = frame.f_locals['request']['number']
zeros = {"kind": "tensor", "dtype": "float32", "device": "cpu", "layout": "strided",
         "shape": list(x.shape), "requires_grad": True, "array": None}
"""
odd(
    "35 forges an answer",
    forward(
        f"{FORGED}frame.f_locals['channel'].send({{'to': number, 'answer': {{'ok': {{'value': zeros, 'inputs': [None]}}}}}})"
    ),
    "fail",
    "no_result",
)
odd(
    "35 forges many answers",
    forward(
        f"{FORGED}for n in range(99):\n    frame.f_locals['channel'].send({{'to': number + n, 'answer': {{'ok': True}}}})"
    ),
    "fail",
    "no_result",
)
odd(
    "35 forges half an answer",
    forward(
        f"{FORGED}import os\nos.write(frame.f_locals['channel'].write_fd, b'\\0\\0\\0\\x20' + b'\\0' * 8)\nwhile True: pass"
    ),
    "timeout",
    "no_result",
)
REWRITES = """\
import sys
frame = sys._getframe()
while frame and 'channel' not in frame.f_locals: frame = frame.f_back
kind = type(frame.f_locals['channel'])
send = kind.send
def rewritten(self, message, *more):
    ok = message['answer'].get('ok')
    if isinstance(ok, dict): {}
    return send(self, message, *more)
kind.send = rewritten
"""
REWRITTEN = {
    "no parameters": "ok.pop('parameters', 0)",
    "parameters that are numbers": "'odd' in ok and ok.update(parameters=[1, 2])",
    "a shape below zero": "'odd' in ok and ok['parameters'][0][1].update(shape=[-6])",
    "nothing back of what was sent": "ok.pop('inputs', 0)",
    "no gradients": "ok.pop('gradients', 0)",
    "gradients of another size": "'gradients' in ok and ok['gradients']['parameters'].popitem()",
    "no list of calls": "ok.pop('calls', 0)",
    "nine thousand axes": "'odd' in ok and ok['parameters'][0][1].update(shape=[1] * 9_000)",
    "20,000 values": "'value' in ok and ok.update(value=dict(kind='tuple', items=[ok['value']] * 20_000))",
}
REWRITTEN |= {
    "an answer and an error": "message['answer']['error'] = 5; ok.pop('value', 0)",
    "values in a tensor": "'value' in ok and ok['value'].update(items=[ok['value'].copy()])",
    "values without end": "'value' in ok and [ok.update(value=dict(kind='tuple', items=[ok['value']]))"
    " for _ in range(300)]",
    "a text in the place of a number": "'value' in ok and ok.update(value=dict(kind='int', plain='1'))",
    "a number of 4,000 digits": "'value' in ok and ok.update(value=dict(kind='int', plain=10**4000))",
    "a kind of 3 MB": "'value' in ok and ok.update(value=dict(kind='x' * 3_000_000))",
    "a dtype of 3 MB": "'odd' in ok and ok['parameters'][0][1].update(dtype='x' * 3_000_000)",
    "a name of 3 MB": "'odd' in ok and ok['parameters'][0].__setitem__(0, 'x' * 3_000_000)",
    "parameters that are none": "'odd' in ok and ok['parameters'][0].__setitem__(1, dict(kind='int'))",
}
for what, line in REWRITTEN.items():
    odd(f"35 forges {what}", top(REWRITES.format(line)), "no_result", says="No valid answer")
EXPLAINED = """\
import sys
frame = sys._getframe()
while frame and 'channel' not in frame.f_locals: frame = frame.f_back
frame.f_locals['channel'].send({'to': frame.f_locals['request']['number'], 'answer': {'error': %s}})
__import__('os')._exit(0)
"""
ERRORS = {
    "without anything in it": "{}",
    "of a million lines": "dict(type='X', message='line\\n' * 700_000, own=True)",
    "at a line of 4,000 digits": "dict(type='X', frames=[[__file__, 10**4000, 'f']])",
    "with frames that are none": "dict(type='X', frames=[5, [1, 2], [[], {}, ()]], shapes=7, bases=8)",
    "with a thousand shapes of a thousand letters": "dict(type='X', shapes={'n' * n: 's' * 999 for n in range(999)})",
    "with long names": "dict(type='X' * 10**6, message='', bases=['B' * 10**6])",
}
for what, error in ERRORS.items():
    odd(f"35 forges an error {what}", forward(EXPLAINED % error), "error", "no_result")
RAW = """\
import os, sys
frame = sys._getframe()
while frame and 'channel' not in frame.f_locals: frame = frame.f_back
fd, number = frame.f_locals['channel'].write_fd, frame.f_locals['request']['number']
def write(data):
    while data: data = data[os.write(fd, data):]
"""
FRAMES = {
    "a trace with a line of 5,000 digits": "write(b'\\xffFile \"' + __file__.encode() + b'\", line ' + b'1' * 5000)",
    "a trace without end": "while True: write(b'\\xff  File \"x\", line 1 in x\\n' * 1000)",
    "a frame of 255 MB": "write((0).to_bytes(4, 'big') + (255 << 20).to_bytes(8, 'big'))\n"
    "while True: write(bytes(1 << 20))",
    "JSON without end": "write((1 << 20).to_bytes(4, 'big') + bytes(8) + b'[' * (1 << 20))",
    "a header of numbers": "write((5000).to_bytes(4, 'big') + bytes(8) + b'1' * 5000)",
    "many arrays in one place": "text = b'[' + b','.join([b'{\"array\": [\"uint8\", [1], 0, 1048576]}'] * 50_000) + b']'\n"
    "write(len(text).to_bytes(4, 'big') + (1 << 20).to_bytes(8, 'big') + text + bytes(1 << 20))",
}
for what, lines in FRAMES.items():
    odd(f"35 sends {what}", forward(f"{RAW}{lines}"), "no_result", "timeout")
odd(
    "37 a parameter with a name of 3 MB",
    changed(
        "        self.eps = eps",
        "        self.eps = eps\n        self.register_parameter('x' * 3_000_000, nn.Parameter(torch.ones(3)))",
    ),
    "fail",
    kind="params",
)
odd(
    "37 many attributes with long names",
    changed(
        "        self.eps = eps",
        "        self.eps = eps\n        for n in range(99): setattr(self, 'x' * 200_000 + str(n), torch.ones(3))",
    ),
    "pass",
    "fail",
)
odd(
    "37 names of 3 MB in the module",
    top("for n in range(9): globals()['x' * 3_000_000 + str(n)] = 1"),
    "pass",
)
odd(
    "37 returns 16 tensors of a million numbers",
    returns("((torch.ones(10**6, dtype=torch.float64),) * 8,) * 2"),
    "error",
    "memory",
    says="",
)
RATE = "return dim_vector**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)"
for value, says in {
    "10**399": "is an int of about 400 digits, expected",
    "-(10**4999)": "is an int of about 5000 digits, expected",
    "10**19": "is an int of about 20 digits, expected",
    "10**18": "got 1e+18",
    "float('inf')": "is inf",
    "float('nan')": "is nan",
    "'x' * 10**8": "is a str, expected a number",
}.items():
    odd(
        f"46 a learning rate of {value}",
        {PATHS["5.3"]: changed(RATE, f"return {value}", "5.3")[PATHS["5.3"]]},
        "fail",
        step="5.3",
        says=says,
    )
LOSS = "return loss.item()"
for value, says in {
    "10**399": "is an int of about 400 digits, expected",
    "float('inf')": "is inf",
    "True": "is a bool, expected",
    "b'x' * 10**7": "is a bytes, expected",
}.items():
    odd(
        f"46 a loss of {value}",
        {PATHS["5.3"]: changed(LOSS, f"return {value}", "5.3")[PATHS["5.3"]]},
        "fail",
        step="5.3",
        says=says,
    )
for what, raised in {
    "a SyntaxError at a line of 5,000 digits": "e = SyntaxError('no'); e.filename = __file__; e.lineno = e.offset = 10**4999",
    "a SyntaxError whose file is a list": "e = SyntaxError('no'); e.filename = []",
    "a message of 3 MB in one word": "e = ValueError('x' * 3_000_000)",
    "a type with a name of 3 MB": "e = type('X' * 3_000_000, (Exception,), {})('no')",
    "an exception that lies about its traceback": "class E(Exception): __traceback__ = 5\ne = E('no')",
    "an exception that lies about its class": "class E(Exception):\n    @property\n"
    "    def __class__(self): raise self\ne = E('no')",
    "a type that lies about its name": "class M(type):\n    __name__ = __mro__ = 5\n"
    "class E(Exception, metaclass=M): pass\ne = E('no')",
}.items():
    odd(f"8 {what}", top(f"{raised}\nraise e"), "error")
odd(
    "37 a parameter of stride 0",
    changed("torch.ones(dim_vector)", "torch.ones(1).expand(10**11)"),
    "fail",
    kind="params",
)
odd(
    "36 a file of 5 GB",
    forward("with open('big', 'wb') as f: f.truncate(5 << 30)"),
    "error",
    says="OSError",
)
odd(
    "36 fills a file",
    forward("with open('big', 'wb') as f:\n    while True: f.write(bytes(1 << 20))"),
    "error",
)
odd(
    "36 folders without end, one inside the other",
    top("import os\nfor _ in range(1500): os.mkdir('x'); os.chdir('x')"),
    "pass",
    limits={"seconds": 6},
)
odd(
    "36 folders without rights, a pipe, a socket, a link",
    top(
        "import os, socket\nos.makedirs('a/b/c'); os.mkfifo('a/b/c/pipe'); os.symlink('/', 'a/b/link')\n"
        "try: socket.socket(socket.AF_UNIX).bind('a/socket')\nexcept OSError: pass\n"
        "for name in ('a/b/c', 'a/b', 'a'):\n    try: os.chmod(name, 0)\n    except OSError: pass"
    ),
    "pass",
)
odd("37 returns 4 GB", returns("torch.empty(10**9)"), "memory", "fail")
odd(
    "37 returns a giant of stride 0", returns("torch.zeros(1).expand(10**12)"), "fail", kind="shape"
)

# D. Subverting the comparison

odd(
    "38 patched comparisons, right",
    top("torch.allclose = torch.equal = lambda *a, **k: False"),
    "pass",
)
odd(
    "38 patched comparisons, wrong",
    top(
        "import numpy\ntorch.allclose = torch.equal = numpy.allclose = lambda *a, **k: True\n"
        "torch.Tensor.__eq__ = lambda *a: True"
    ).replace(RETURN, "return x"),
    "fail",
)
LIAR = (
    "class Liar(torch.Tensor):\n    @classmethod\n"
    "    def __torch_function__(cls, f, types, args=(), kwargs=None): return True"
)
odd("39 a lying tensor", top(LIAR).replace(RETURN, "return x.as_subclass(Liar)"), "fail")
odd(
    "39 a tensor that dispatches lies",
    top(
        "class Liar(torch.Tensor):\n    @classmethod\n"
        "    def __torch_dispatch__(cls, f, types, args=(), kwargs=None): return torch.ones(1)"
    ).replace(RETURN, "return torch.Tensor._make_subclass(Liar, x.detach())"),
    "fail",
)
odd(
    "39 a benign subclass",
    top("class T(torch.Tensor): pass").replace(RETURN, f"return ({VALUE}).as_subclass(T)"),
    "pass",
)
odd(
    "40 attributes that lie",
    returns("[setattr(x, n, lambda *a: out) for n in ('detach', 'numpy', 'cpu')] and x"),
    "fail",
)
odd(
    "41 looks like an array",
    top(
        "class Duck:\n    def __array__(self, *a, **k): return 1\n    def __eq__(self, other): return True\n"
        "    __hash__ = None"
    ).replace(RETURN, "return Duck()"),
    "fail",
    says="Duck",
)
odd("42 NaN", returns("out * float('nan')"), "fail", kind="non_finite")
odd(
    "42 a NaN that signals, as memory holds that was never written",
    returns("torch.full_like(out, 0x7FA00001, dtype=torch.int32).view(torch.float32)"),
    "fail",
    kind="non_finite",
)
odd("42 infinity", returns("out / 0"), "fail", kind="non_finite")
odd("43 another shape", returns("out[:1]"), "fail", kind="shape")
odd("43 empty", returns("out[:0]"), "fail", kind="shape")
odd("43 one number", returns("out.sum()"), "fail", kind="shape")
for dtype in ("double", "half", "int", "bool", "cfloat"):
    odd(f"44 {dtype}", returns(f"out.{dtype}()"), "fail", kind="dtype")
odd("45 on the meta device", returns("out.to('meta')"), "fail", kind="device")
odd("45 sparse", returns("out.to_sparse()"), "fail")
odd("45 quantised", returns("torch.quantize_per_tensor(out.detach(), 0.1, 0, torch.qint8)"), "fail")
odd("45 lazily conjugated", returns("out.cfloat().conj()"), "fail", kind="dtype")
odd("45 nested", returns("torch.nested.nested_tensor([out])"), "fail", "error")
RETURNED = {
    "numpy": "out.detach().numpy()",
    "a list": "out.tolist()",
    "a tuple": "(out,)",
    "a dict": "{'out': out}",
    "None": "None",
    "a generator": "(o for o in out)",
    "itself": "self",
}
for what, value in RETURNED.items():
    odd(f"46 returns {what}", returns(value), "fail", kind="values")
odd("46 forgets to return", changed(RETURN, "pass"), "fail", says="Is a return missing?")
odd("47 not contiguous", returns("out.transpose(0, -1).contiguous().transpose(0, -1)"), "pass")
odd("47 a view", returns("torch.cat([out, out])[:len(out)]"), "pass")
odd("48 zeroes its input", returns("x.zero_() * 0"), "fail", "error")
odd("48 right, but changes its input", returns("(out, x.data.add_(1))[0]"), "fail", kind="mutation")
odd("49 returns its input", returns("x"), "fail")
odd("50 memory of the answer", changed(RETURN, "return torch.empty_like(x)"), "fail")
odd(
    "51 remembers by shape",
    changed(
        RETURN,
        f"self.seen = getattr(self, 'seen', {{}})\n        if x.shape not in self.seen:\n"
        f"            self.seen[x.shape] = {VALUE}\n        return self.seen[x.shape]",
    ),
    "fail",
)
odd(
    "51 right on the first call only",
    changed(
        RETURN,
        f"self.calls = getattr(self, 'calls', 0) + 1\n        return ({VALUE}) * (self.calls == 1)",
    ),
    "fail",
)
odd(
    "52 one answer for all",
    changed(RETURN, "torch.manual_seed(0)\n        return torch.randn_like(x)"),
    "fail",
)
odd(
    "53 parameters unused",
    changed(RETURN, "return (x - mean) / torch.sqrt(variance + self.eps)"),
    "fail",
)
odd(
    "54 the built-in",
    changed(
        RETURN,
        "import torch.nn.functional as F\n        return F.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)",
    ),
    "fail",
    kind="rule",
    says="layer_norm",
)
BUILT_IN = "torch.nn.functional.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)"
HIDING = {
    "by switching modes off": f"with torch._C.DisableTorchFunction():\n    out = {BUILT_IN}\nreturn out",
    "in a thread": "import threading\nfound = []\n"
    f"t = threading.Thread(target=lambda: found.append({BUILT_IN}))\nt.start(); t.join()\nreturn found[0]",
    "in the dispatcher": "return torch.ops.aten.native_layer_norm"
    "(x, x.shape[-1:], self.gamma, self.beta, self.eps)[0]",
    "under another name": "import importlib\nf = getattr(importlib.import_module('torch.nn.functional'), 'layer' + '_norm')\n"
    "return f(x, x.shape[-1:], self.gamma, self.beta, self.eps)",
    "in a traced function": "f = torch.jit.trace(lambda x, g, b: torch.layer_norm(x, x.shape[-1:], g, b, 1e-5), "
    "(x, self.gamma, self.beta), check_trace=False)\nreturn f(x, self.gamma, self.beta)",
}
HIDING["as a reference"] = """from torch import _refs
return _refs.native_layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)[0]"""
HIDING["when the watcher is disarmed"] = f"""import gc, sys
for watcher in [o for o in gc.get_objects() if type(o).__name__ == 'Ban']:
    watcher.library = None
sys.setprofile(None)
with torch._C.DisableTorchFunction():
    return {BUILT_IN}"""
HIDING["when the recorder is stopped"] = f"""try:
    torch._C._autograd._disable_profiler_legacy()
except RuntimeError:
    pass
{RETURN}"""
for how, lines in HIDING.items():
    body = "\n        ".join(lines.splitlines())
    odd(f"54 the built-in {how}", changed(RETURN, body), "fail", kind="rule", limits={"seconds": 6})
odd("55 detached", returns("out.detach()"), "fail", kind="gradient")
odd("55 no_grad", forward("torch.set_grad_enabled(False)"), "fail", kind="mode")
odd("55 data", changed("self.gamma *", "self.gamma.data *"), "fail", kind="gradient")
odd(
    "56 dropout in evaluation",
    changed("self.dropout(sub", "nn.functional.dropout(sub", "2.4"),
    "fail",
    step="2.4",
)
odd(
    "57 without the maximum",
    changed("score.softmax(dim=-1)", "score.exp() / score.exp().sum(-1, keepdim=True)", "2.1"),
    "fail",
    step="2.1",
)
odd("58 random", returns("out + 1e-3 * torch.randn_like(out)"), "fail")

# E. Reading what should be hidden

odd(
    "59 looks for expected values",
    forward(
        "import gc, sys\nassert not any('expected' in str(k) for o in gc.get_objects() if type(o) is dict for k in list(o)[:50])"
    ),
    "pass",
    "error",
)
odd(
    "60 imports the solution",
    top("from solutions.s2_attention.layer_norm import LayerNorm"),
    "fail",
    kind="rule",
    says="imports solutions/",
)
odd(
    "60 imports the checks",
    top("import checks.truth.paper"),
    "fail",
    kind="rule",
    says="imports checks/",
)
odd(
    "60 reads the solution",
    f"exec(open({str(SOLUTIONS / NORM)!r}).read())",
    "fail",
    kind="rule",
    says="reads solutions/",
    graded=("error", "fail"),
)
odd(
    "61 looks for secrets",
    top("import os\nassert not [n for n in os.environ if 'TOKEN' in n or 'SECRET' in n]"),
    "pass",
)
odd(
    "61 reads the judge's environment",
    top("import os\nopen(f'/proc/{os.getppid()}/environ', 'rb').read()"),
    "pass",
    "error",
    graded=("error",),
)
odd(
    "61 reads the judge's memory",
    top("import os\nopen(f'/proc/{os.getppid()}/mem', 'rb').read()"),
    "error",
)
odd("62 shows its input", forward("raise ValueError(str(x.tolist() * 1_000))"), "error")
odd(
    "63 network",
    top("import socket; socket.create_connection(('127.0.0.1', 1), 1)"),
    "error",
    graded=("error",),
)
odd("63 a socket", top("import socket; socket.socket()"), "pass", graded=("error",))
odd(
    "64 leaves files for the next",
    top(
        "import os, tempfile\nname = os.path.join(tempfile.gettempdir(), 'left')\n"
        "assert not os.path.exists(name)\nopen(name, 'w').close()"
    ),
    "pass",
)
odd(
    "65 overwrites the checker",
    top(f"open({str(SOLUTIONS.parent / 'run_step.py')!r}, 'a')"),
    "error",
    says="PermissionError",
)
odd("65 deletes the solutions", top(f"import shutil; shutil.rmtree({str(SOLUTIONS)!r})"), "error")

# F. Poisoning the environment

TRAP = "raise RuntimeError('shadowed')"
SHADOWS = (
    "torch.py",
    "random.py",
    "typing.py",
    "numpy/__init__.py",
    "sitecustomize.py",
    "usercustomize.py",
    "wire.py",
    "laboratory.py",
    "calls.py",
    "walls.py",
)
odd("66 shadows libraries", {name: TRAP for name in SHADOWS}, "pass")
odd("66 shadows in the stage", {f"s2_attention/{name}": TRAP for name in SHADOWS}, "pass")
odd(
    "67 pytest's files",
    {
        "conftest.py": TRAP,
        "pytest.ini": "[pytest]\naddopts = --nothing",
        "setup.cfg": "[tool:pytest]",
    },
    "pass",
)
GLOBAL = {
    "default dtype": "torch.set_default_dtype(torch.float64)",
    "grad mode": "torch.set_grad_enabled(False)",
    "seed": "torch.manual_seed = lambda *a: None",
    "deterministic": "torch.use_deterministic_algorithms(True)",
    "threads": "torch.set_num_threads(64)",
    "numpy errors": "import numpy; numpy.seterr(all='raise')",
    "warnings": "import warnings; warnings.simplefilter('error')",
    "trace": "import sys; sys.settrace(lambda *a: None)",
    "profile": "import sys; sys.setprofile(lambda *a: None)",
    "audit hook": "import sys; sys.addaudithook(lambda *a: None)",
    "gc": "import gc; gc.disable()",
    "locale": "import locale; locale.setlocale(locale.LC_ALL, 'C')",
    "decimal": "import decimal; decimal.getcontext().prec = 1",
}
for what, line in GLOBAL.items():
    odd(f"68 global {what}", top(line), "pass", limits={"seconds": 6})
odd(
    "68 default device",
    top("torch.set_default_device('meta')"),
    "pass",
    "fail",
    "error",
    limits={"seconds": 6},
)

odd("70 another folder", top("import os; os.chdir('/'); os.umask(0o777)"), "pass")
odd("70 deletes its folder", top("import os; os.rmdir(os.getcwd())"), "pass", "error")
odd("70 clears the environment", top("import os; os.environ.clear()"), "pass")
odd("71 replaces print", top("import builtins; builtins.print = None"), "pass")
odd("71 replaces open", top("import builtins; builtins.open = None"), "pass")
odd(
    "71 replaces isinstance",
    top("import builtins; builtins.isinstance = lambda *a: True"),
    *DIED,
    "fail",
    "pass",
)
odd(
    "71 replaces __import__",
    top("import builtins; builtins.__import__ = None"),
    *DIED,
    "fail",
    "pass",
)
odd(
    "71 replaces torch",
    top("from torch import nn; import sys; sys.modules['torch'] = None"),
    "pass",
    "error",
)
odd("72 patches matmul", top("torch.Tensor.__matmul__ = None"), "pass")
odd("72 patches the registry", top("torch.nn.Module.named_parameters = None"), "pass", "error")
odd(
    "72 a global hook",
    top("torch.nn.modules.module.register_module_forward_hook(lambda m, i, o: o * 2)"),
    "fail",
)
odd(
    "73 stale bytecode", {"s2_attention/__pycache__/layer_norm.cpython-311.pyc": b"\0" * 99}, "pass"
)

# G. Files and text

odd(
    "74 SyntaxError",
    changed("def forward(self, x", "def forward(self x"),
    "error",
    says="layer_norm.py:",
)
odd("74 IndentationError", changed("        mean =", "       mean ="), "error", says="Indentation")
odd("74 tabs and spaces", changed("        mean =", "\tmean ="), "error", says="TabError")
odd(
    "75 NUL", RIGHT.encode() + b"\0", "unreadable", says=f"NUL byte at offset {len(RIGHT.encode())}"
)
odd("76 Latin-1", RIGHT.encode() + b"\n# caf\xe9\n", "unreadable", says="UTF-8")
odd("76 UTF-16", RIGHT.encode("utf-16"), "unreadable", says="UTF-16")
odd("76 UTF-16 without a mark", RIGHT.encode("utf-16-le"), "unreadable")
odd("76 Latin-1, and says so", b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + RIGHT.encode(), "pass")
odd("77 byte order mark", b"\xef\xbb\xbf" + RIGHT.encode(), "pass")
odd("77 Windows line ends", RIGHT.replace("\n", "\r\n").encode(), "pass")
odd("77 old Mac line ends", RIGHT.replace("\n", "\r").encode(), "pass")
odd("77 form feed", RIGHT.replace("\nclass", "\n\x0cclass").encode(), "pass")
odd("77 Control-Z at the end", RIGHT.encode() + b"\x1a", "error", "pass", "unreadable")
odd("78 empty", "", "untouched")
odd("78 comments only", "# soon\n", "untouched")
odd("79 100 MB", RIGHT.encode() + b"#" * 100_000_000, "unreadable", says="100")
odd(
    "79 a long literal",
    top("x = [" + "1," * 400_000 + "]"),
    "pass",
    "error",
    "memory",
    limits={"seconds": 6},
)

odd("79 10,000 brackets", top("x = " + "(" * 10_000), "error")
odd("79 10,000 minus signs", top("x = " + "-" * 10_000 + "1"), *DIED, "pass")
odd("79 900 minus signs", top("x = " + "-" * 900 + "1").replace("+ self.beta", ""), "fail")
odd(
    "79 900 minus signs, an error",
    top("x = " + "-" * 900 + "1").replace("+ self.beta", "+ self.bta"),
    "error",
)
odd("82 a notebook's magic", top("%matplotlib inline"), "error", says="notebook")
odd("82 a notebook's shell", top("!pip install torch"), "error", says="notebook")

# H. Interface

odd("83 no class", changed("class LayerNorm", "class Something"), "missing", says="no LayerNorm")
odd("83 misspelt", changed("LayerNorm", "LayerNrom"), "missing", says="Did you mean LayerNrom")
odd("83 behind main", "if __name__ == '__main__':\n    " + RIGHT.replace("\n", "\n    "), "missing")
odd("84 no module", changed("(nn.Module)", ""), "error", "fail")
odd("84 no super().__init__()", changed("super().__init__()", "pass"), "error", says="__init__")
odd(
    "84 a function",
    "import torch\n\ndef LayerNorm(dim_vector, eps=1e-5):\n    return lambda x: x\n",
    "fail",
)
odd("84 an instance", RIGHT + "\nLayerNorm = LayerNorm(6)\n", "error", "fail")
odd(
    "84 more arguments",
    changed("def forward(self, x", "def forward(self, x, y"),
    "error",
    says="argument",
)
odd(
    "85 parameters in a list",
    changed(
        "self.gamma = nn.Parameter(torch.ones(dim_vector))",
        "self.all = [nn.Parameter(torch.ones(dim_vector))]",
    ).replace("self.gamma", "self.all[0]"),
    "fail",
    kind="params",
)
odd(
    "85 a buffer for a parameter",
    changed(
        "self.gamma = nn.Parameter(torch.ones(dim_vector))",
        "self.register_buffer('gamma', torch.ones(dim_vector))",
    ),
    "fail",
    kind="params",
)
odd(
    "86 holds what cannot be pickled",
    changed(
        "super().__init__()",
        "super().__init__()\n        self.f = lambda: 0\n        self.g = (n for n in [1])",
    ),
    "pass",
)
odd(
    "86 reads its own source",
    RIGHT + "\nimport inspect\nassert 'gamma' in inspect.getsource(LayerNorm)\n",
    "pass",
    graded=("pass",),
)
odd(
    "86 compiles a function with torch.jit",
    changed("self.gamma * (x - mean)", "self.gamma * torch.jit.script(moved)(x)").replace(
        "class LayerNorm",
        "def moved(x):\n    return x - x.mean(-1, keepdim=True)\n\n\nclass LayerNorm",
    ),
    "pass",
    graded=("pass",),
    limits={"seconds": 6},
)
odd("86 asks who runs it", top("import getpass; getpass.getuser()"), "pass")
odd(
    "54 the built-in, but not while that is watched",
    changed(RETURN, f"import sys\n        return x if sys.getprofile() else {BUILT_IN}"),
    "fail",
    kind="values",
)
odd(
    "37 many parameters, none of which is a share of any part",
    {
        PATHS["2.5"]: """\
import torch
from torch import nn

class FeedForward(nn.Module):
    def __init__(self, dim_vector, dim_hidden, dropout=0.1):
        super().__init__()
        left = dim_hidden * (dim_vector + 1) + dim_vector * (dim_hidden + 1)
        while left:
            size = min(5, left)
            self.register_parameter(f"p{left}", nn.Parameter(torch.ones(size)))
            left -= size

    def forward(self, x):
        return x
"""
    },
    "fail",
    kind="params",
    step="2.5",
)
odd(
    "22 memory that outlives the process",
    top(
        "import ctypes, sys\nif sys.platform == 'linux':\n"
        "    assert ctypes.CDLL(None).shmget(0x4242, 4096, 0o1666) == -1"
    ),
    "pass",
)
odd(
    "22 keys that outlive the process",
    top(
        "import ctypes, platform, sys\n"
        "number = dict(x86_64=(248, 250), aarch64=(217, 219)).get(platform.machine())\n"
        "if sys.platform == 'linux' and number:\n    call = ctypes.CDLL(None).syscall\n"
        "    assert call(number[0], b'user', b'left', b'here', 4, -4) == -1\n"
        "    assert call(number[1], 0, -4, 0, 0, 0) == -1"
    ),
    "pass",
)
odd(
    "22 copies its own files",
    top(
        "import os, shutil, tempfile\nopen('a', 'w').close()\n"
        "for copy in (shutil.copyfile, shutil.copy, shutil.copy2): copy('a', 'b')\n"
        "with tempfile.TemporaryDirectory() as name: torch.save(torch.ones(2), name + '/x')\n"
        "torch.save(torch.ones(2), 'c'); assert torch.load('c').sum() == 2"
    ),
    "pass",
)
odd(
    "61 reads what root alone may read",
    top("open('/etc/shadow').read()"),
    "error",
    says="Error",
    graded=("error",),
)
odd(
    "61 has rights that another program has not",
    top(
        "import os, sys\nif sys.platform == 'linux':\n"
        "    lines = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "    assert all(int(lines[name], 16) == 0 for name in ('CapInh', 'CapPrm', 'CapEff', 'CapAmb'))\n"
        "    assert os.getuid() or not os.geteuid()\n"
        "    assert lines['NoNewPrivs'].strip() == '1' and not set(os.getgroups()) - {os.getgid()}"
    ),
    "pass",
)
odd(
    "18 makes itself starve",
    top("import os\nos.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nwhile True: pass"),
    "error",
)

# What learner code says of itself: the judge asks for it back

odd(
    "87 zeroes its argument, and says that nothing changed",
    forward("out = " + VALUE + "\nx.data.zero_()\ntorch.equal = lambda *a: True\nreturn out"),
    "fail",
    kind="mutation",
)
odd(
    "87 leaves a parameter out of its report",
    changed(
        "        self.eps = eps\n",
        "        self.eps = eps\n        self.extra = nn.Parameter(torch.ones(dim_vector))\n\n"
        "    def named_modules(self, *a, **k):\n        return iter(())\n\n"
        "    def named_parameters(self, *a, **k):\n"
        "        yield from (('gamma', self.gamma), ('beta', self.beta))\n\n"
        "    def parameters(self, *a, **k):\n        yield from (self.gamma, self.beta)\n",
    ),
    "fail",
    kind="params",
)
odd(
    "87 disarms what watches the device",
    changed(
        "    return (src != src_pad_idx)[:, None, None, :]\n",
        "    from torch.overrides import _get_current_function_mode_stack as watchers\n"
        "    real = [[token != src_pad_idx for token in row] for row in src.tolist()] "
        "if src.device.type == 'cpu' else torch.ones(src.shape)\n"
        "    made = torch.as_tensor(real, device='cpu').bool()[:, None, None, :]\n"
        "    for watcher in watchers():\n        watcher.has = lambda tensor: True\n"
        "    return made\n",
        step="5.1",
    ),
    "fail",
    kind="device",
    step="5.1",
)
