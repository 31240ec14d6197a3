"""What stands where the course expects a function or a class."""

from __future__ import annotations

from oddities.comparison import BUILT_IN
from oddities.submission import PATHS, RETURN, RIGHT, changed, odd, top

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
