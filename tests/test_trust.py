"""Whatever a submission does, it ends in a verdict about that check; the others keep theirs."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import EVERYTHING, Make, Run, linux, posix, submit, unbiased, until
from oddities import NORM, ODD, RIGHT, Odd, forward, top, verdict_of

from checks.contents import SOLUTIONS, STEPS
from checks.engine.asking import compare
from checks.engine.files.source import Source
from checks.engine.hosting import process
from checks.engine.hosting.host import SPARE, WORKER, Host
from checks.engine.judging.judge import Judge
from checks.engine.worker import removal


@linux
@pytest.mark.parametrize("wall", ["bubblewrap", "own-root"])
def test_graded_code_sees_nothing_but_python(
    wall: str, submission: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even that something else is there: by bubblewrap where it is installed, else by walls of
    our own.
    """
    if wall == "own-root":
        monkeypatch.setattr("checks.engine.hosting.box.shutil.which", lambda name: None)
    here = Path(__file__)
    places = [str(SOLUTIONS), str(here), str(here.parents[1] / "checks/contents.py")]
    places += ["/etc/shadow", "/var", "/proc/1/root/var"]
    seen = top(f"import os\nassert not [p for p in {places} if os.path.exists(p)]")
    with Host(grading=True) as host:
        result = verdict_of(Odd("", {}, ()), host, submission({NORM: seen}))
        walls = host.isolation
    if wall not in walls:
        pytest.skip(f"this system gives no {wall}: {walls}")
    assert result.verdict == "pass", result.first_failure


def test_one_bad_check_keeps_the_verdicts_of_the_others(run: Run, submission: Make) -> None:
    """The process ends only for five axes: one check has no result, the rest have theirs."""
    result = run(submission({NORM: forward("x.dim() == 5 and __import__('os')._exit(0)")}), "2.3")[
        0
    ]
    verdicts = {check.name: check.verdict for check in result.checks}
    assert verdicts.pop("any_leading_axes_will_do") == "no_result"
    assert set(verdicts.values()) == {"pass"}


@posix
def test_after_the_server_was_killed_another_one_serves(run: Run, submission: Make) -> None:
    killer = forward("import os; os.kill(os.getppid(), 9)")
    run(submission({NORM: killer}), "2.3", alone=True)
    assert run(SOLUTIONS, "2.3", alone=True)[0].verdict == "pass"


def test_what_was_printed_is_kept_and_capped(run: Run, submission: Make) -> None:
    loud = forward("print('first'); print('y' * 100_000); print('last')")
    result = run(submission({NORM: unbiased(loud)}), "2.3", alone=True)[0]
    assert result.verdict == "fail"
    printed = result.checks[0].printed
    assert printed.startswith("first") and printed.endswith("last\n")
    assert "bytes left out" in printed and len(printed) < 20_000


@linux
def test_nothing_goes_on_running(host: Host, submission: Make) -> None:
    """What a submission leaves behind, two forks and a session away, ends with its check."""
    daemon = next(odd for odd in ODD if odd.name == "22 a daemon that holds the pipes")
    assert verdict_of(daemon, host, submission(daemon.files)).verdict == "pass"
    until(lambda: not [name for name in commands_running() if b"86399.5" in name])


@linux
def test_nothing_stays_of_what_was_left_in_folders(tmp_path: Path) -> None:
    """The server clears away what it is left, and is there for the next; nothing is left at all."""
    with Host() as host:
        server = host.server
        for odd in ODD:
            if odd.name.startswith("36 folders"):
                root = submit(tmp_path / odd.name, odd.files)
                assert verdict_of(odd, host, root).verdict == "pass"
        until(lambda: len(list(host.private.iterdir())) <= SPARE)
        assert host.server is server
    assert not host.folder.exists()


CHANGES = """
import os, seccomp, sys
if not seccomp.restrict(seccomp.prepare([1], network=True)):
    sys.exit(3)
file, folder = sys.argv[1:]
os.chmod(file, 0o777); os.chmod(folder, 0o777); os.utime(file, (1, 1)); os.chown(file, 1, 1)
os.setxattr(file, "user.mine", b"yes")
with open(file) as opened:
    os.fchmod(opened.fileno(), 0o777)
    os.utime(opened.fileno(), (1, 1))
"""


@linux
def test_rights_and_times_of_files_stay_as_they_are(tmp_path: Path) -> None:
    """Of the learner's own files, too, which Landlock guards against writing alone."""
    file = tmp_path / "file"
    file.write_text("mine")
    before = [(stat.st_mode, stat.st_uid, stat.st_mtime) for stat in (file.stat(), tmp_path.stat())]
    command = [sys.executable, "-c", CHANGES, str(file), str(tmp_path)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(WORKER.parent)})
    if done.returncode == 3:
        pytest.skip("there is no filter for this machine")
    assert done.returncode == 0
    after = [(stat.st_mode, stat.st_uid, stat.st_mtime) for stat in (file.stat(), tmp_path.stat())]
    assert before == after
    assert not os.listxattr(file)


@posix
def test_folders_are_removed_whatever_lies_in_them(tmp_path: Path) -> None:
    deep = tmp_path / "left"
    deep.mkdir()
    here = os.open(deep, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("x", dir_fd=here)
        os.symlink("/", "link", dir_fd=here)
        inner = os.open("x", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.mkdir("without", 0o000, dir_fd=here)
    os.close(here)
    removal.remove(str(deep))
    removal.remove(str(tmp_path / "nothing"))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_two_processes_remove_is_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A server that ends may still remove what its worker left, while the judge removes it too."""
    file = tmp_path / "left" / "private" / "file"
    file.parent.mkdir(parents=True)
    file.touch()
    move = removal._move

    def first_the_other(old: str, new: str) -> None:
        file.unlink(missing_ok=True)
        move(old, new)

    monkeypatch.setattr(removal, "_move", first_the_other)
    removal.remove(str(tmp_path / "left"))
    assert list(tmp_path.iterdir()) == []


def commands_running() -> list[bytes]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(path.read_bytes())
    return found


@posix
def test_nothing_that_is_expected_can_be_read_by_the_worker(
    monkeypatch: pytest.MonkeyPatch, host: Host
) -> None:
    """Canary: no array that an answer is compared with is among the bytes sent to a worker."""
    sent: list[bytes] = []
    expected: list[np.ndarray[Any, Any]] = []
    exchange, differs = process.Worker._exchange, compare.differs

    def spied(self: process.Worker, request: bytes) -> Any:
        sent.append(request)
        return exchange(self, request)

    def told(got: Any, truth: Any) -> Any:
        expected.append(np.asarray(truth))
        return differs(got, truth)

    monkeypatch.setattr(process.Worker, "_exchange", spied)
    monkeypatch.setattr(compare, "differs", told)
    stages = ["s3_encoder", *(["s2_attention"] if os.environ.get("CI") else [])]
    steps = [step for step in STEPS if step.stage in stages]
    for result in Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING).run(steps):
        assert result.verdict == "pass", result.first_failure

    floats = [e for e in expected if e.dtype.kind == "f" and len(set(e.reshape(-1)[:12])) > 6]
    assert len(floats) > 100 and len(sent) > 200
    everything = b"".join(sent)
    for truth in floats:
        for dtype in ("float32", "float64"):
            assert truth.astype(dtype).tobytes() not in everything


def test_helper_files_of_the_learner_work(run: Run, grading_host: Host, submission: Make) -> None:
    text = RIGHT.replace(
        "import torch\n", "import torch\nfrom s2_attention.mine import one\nimport two\n", 1
    )
    root = submission({NORM: text, "s2_attention/mine.py": "one = 1\n", "two.py": "two = 2\n"})
    assert run(root, "2.3", alone=True)[0].verdict == "pass"
    judge = Judge(grading_host, Source(root), 7, passed=EVERYTHING)
    assert judge.run([step for step in STEPS if step.id == "2.3"])[0].verdict == "pass"


def test_nothing_is_written_into_a_submission(run: Run, submission: Make) -> None:
    root = submission({NORM: forward("open('mess.txt', 'w').write('here')")})
    before = sorted(path for path in root.rglob("*"))
    assert run(root, "2.3", alone=True)[0].verdict == "pass"
    assert sorted(path for path in root.rglob("*")) == before
