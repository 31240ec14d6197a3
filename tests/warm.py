"""`python WORDS`, in a process that has torch already: to import it takes longer than the test.

`server` below is a process that imports what is slow, and nothing of ours. What is run is a fork
of it; where a system cannot fork safely, an ordinary process.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

AT_MOST = 600  # Seconds: nothing takes so long but what has no end.
SERVER = f"""
import atexit, json, os, runpy, signal, sys, traceback
for name in ("torch", "numpy", "tokenizers", "sacrebleu"):
    try:
        __import__(name)
    except ImportError:
        pass
for line in iter(sys.stdin.readline, ""):
    pid = os.fork()
    if not pid:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
else:
    os._exit(0)
signal.alarm({AT_MOST})
words, folder, environment, files = json.loads(line)
for number, file in enumerate(files):
    os.dup2(os.open(file, os.O_RDWR), number)
os.chdir(folder)
os.environ.clear()
os.environ.update(environment)
sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
status = 0
try:
    if words[0] == "-c":
        sys.argv, sys.path[:0] = ["-c", *words[2:]], [""]
        exec(words[1], {{"__name__": "__main__"}})
    else:
        sys.argv, sys.path[:0] = list(words), [os.path.dirname(words[0])]
        runpy.run_path(words[0], run_name="__main__")
except SystemExit as end:
    status = end.code or 0
except BaseException:
    traceback.print_exc()
    status = 1
atexit._run_exitfuncs()
sys.stdout.flush()
os._exit(status)  # An orderly end would clear all that torch has made: that takes long, too.
"""


@cache
def server() -> subprocess.Popen[str]:
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONPATH"}
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**environment, "OMP_NUM_THREADS": "1"},
    )
    atexit.register(process.communicate)  # It ends when nothing more can be asked.
    return process


def python(
    *words: str, cwd: Path, input: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What comes of `python -c CODE` or `python SCRIPT WORDS`, typed in a folder."""
    variables = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8", **environment}
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("input", "printed", "errors")]
        for file in files:
            file.write_text((input or "") if file.name == "input" else "", "utf-8")
        if sys.platform == "linux":
            asked, told = server().stdin, server().stdout
            assert asked is not None and told is not None
            asked.write(json.dumps([words, str(cwd), variables, list(map(str, files))]) + "\n")
            asked.flush()
            status = int(told.readline())
        else:
            with files[0].open() as stdin, files[1].open("w") as out, files[2].open("w") as errors:
                command = [sys.executable, *words]
                status = subprocess.run(
                    command, cwd=cwd, env=variables, stdin=stdin, stdout=out, stderr=errors
                ).returncode
        printed, told_of = (file.read_text("utf-8") for file in files[1:])
    return subprocess.CompletedProcess(words, status, printed, told_of)
