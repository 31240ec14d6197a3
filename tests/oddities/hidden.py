"""Reading what should be hidden."""

from __future__ import annotations

from checks.contents import SOLUTIONS
from oddities.submission import NORM, forward, odd, top

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
