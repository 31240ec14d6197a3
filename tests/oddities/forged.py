"""What is sent to the judge in place of an answer, and answers beyond all bounds."""

from __future__ import annotations

from oddities.submission import PATHS, changed, forward, odd, returns, top

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
    "lists in lists without end": "'inputs' in ok and [ok.update(inputs=[ok['inputs']]) for _ in range(400)]",
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
