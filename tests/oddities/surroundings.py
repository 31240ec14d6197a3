"""Poisoning the environment."""

from __future__ import annotations

from oddities.submission import DIED, odd, top

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
