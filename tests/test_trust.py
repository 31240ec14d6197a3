"""Whatever a submission does, it ends in a verdict about that check; the others keep theirs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from conftest import Run, submit, unbiased, until
from kept import half
from oddities import NORM, ODD, RIGHT, Odd, forward, top
from repeat import repeat

from checks.contents import SOLUTIONS, STEPS
from checks.engine.asking import compare
from checks.engine.asking.learner import Files
from checks.engine.asking.module import Known
from checks.engine.asking.submission import Submission
from checks.engine.course.source import Source, solutions
from checks.engine.hosting import process
from checks.engine.hosting.clock import Clock, used_by
from checks.engine.hosting.host import SPARE, WORKER, Host
from checks.engine.judging import runner, stroke
from checks.engine.judging.chains import Chains
from checks.engine.judging.judge import FEWER, Judge
from checks.engine.judging.rehearsal import Rehearsals
from checks.engine.judging.results import checks_of_step
from checks.engine.verdicts import StepResult, Stopped
from checks.engine.worker import removal

Make = Callable[[dict[str, Any]], Path]
EVERYTHING = frozenset(step.id for step in STEPS)
posix = pytest.mark.skipif(os.name != "posix", reason="needs what only POSIX systems have")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs what only Linux has")


def verdict_of(odd: Odd, host: Host, root: Path) -> StepResult:
    endless = {"timeout", "output_limit"} & set(odd.verdicts)
    seconds = odd.limits.get("seconds", 0.5 if endless else 3.0)
    judge = Judge(host, Source(root), 7, seconds, EVERYTHING)
    return judge.run([step for step in STEPS if step.id == odd.step])[0]


def one_of_each_number() -> Iterator[Any]:
    """The odd submissions; all but the first of every other number run where CI is set."""
    met: set[str] = set()
    for odd in ODD:
        number = odd.name.split()[0]
        first = number not in met and len(met) % 2 == 0
        yield pytest.param(odd, id=odd.name, marks=[] if first else [pytest.mark.ci])
        met.add(number)


@posix
@pytest.mark.parametrize("odd", list(one_of_each_number()))
def test_odd_submissions_get_their_verdict(host: Host, submission: Make, odd: Odd) -> None:
    result = verdict_of(odd, host, submission(odd.files))

    assert result.verdict in odd.verdicts, result.first_failure
    message = result.first_failure.message if result.first_failure else ""
    assert odd.says in message and len(message) < 20_000
    assert odd.kind is None or odd.kind in {check.kind for check in result.checks}


def graded_now() -> list[Odd]:
    """Half of them, and all that get another verdict there: the others are judged above."""
    some = half(ODD)
    return [odd for odd in ODD if odd in some or odd.graded is not None]


@linux
@pytest.mark.parametrize("odd", graded_now(), ids=lambda o: o.name)
def test_odd_submissions_are_graded(grading_host: Host, submission: Make, odd: Odd) -> None:
    """Behind all walls: the same verdicts, but for what is out of sight or out of reach."""
    if odd.graded is None and not os.environ.get("CI"):
        pytest.skip("the same as in self-study: runs where CI is set")
    result = verdict_of(odd, grading_host, submission(odd.files))
    assert result.verdict in (odd.graded or odd.verdicts), result.first_failure


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


def test_the_catalogue_is_covered() -> None:
    """Numbers 1 to 87; what is not a submission has a test of its own, named here."""
    elsewhere = {
        15: "test_command.py: test_interrupted",
        24: "below: test_a_starved_worker_is_nobodys_fault",
        80: "below: test_odd_files_are_named",
        81: "conftest.py: the course lies under a name with spaces and other letters",
        69: "here, with 68",
    }
    found = {int(odd.name.split()[0]) for odd in ODD}
    assert found | elsewhere.keys() == set(range(1, 88))
    assert not found & elsewhere.keys()
    assert len(ODD) >= 90


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


@posix
def test_odd_files_are_named(tmp_path: Path, run: Run, submission: Make) -> None:
    root = submission({})
    file = root / NORM
    makes: list[tuple[Callable[[], Any], str]] = [
        (lambda: file.mkdir(), "a folder"),
        (lambda: file.symlink_to(tmp_path / "nowhere"), "a link to nothing"),
        (lambda: file.symlink_to(file), "cannot be read"),
        (lambda: os.mkfifo(file), "a pipe"),
        (lambda: file.symlink_to("/dev/zero"), "a device"),
        (lambda: a_socket(file), "cannot be read"),
        (lambda: None, "There is no file"),
    ]
    for make, says in makes:
        if file.is_dir() and not file.is_symlink():
            file.rmdir()
        else:
            file.unlink(missing_ok=True)
        make()
        result = run(root, "2.3", alone=True)[0]
        assert result.verdict in ("unreadable", "missing")
        assert says in result.checks[0].message


def a_socket(path: Path) -> None:
    """Bound by its name alone: the whole path may be too long for one."""
    here = os.getcwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(path.name)
    os.chdir(here)


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
    steps = [step for step in STEPS if step.stage in ("s2_attention", "s3_encoder", "s4_decoder")]
    for result in Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING).run(steps):
        assert result.verdict == "pass", result.first_failure

    floats = [e for e in expected if e.dtype.kind == "f" and len(set(e.reshape(-1)[:12])) > 6]
    assert len(floats) > 100 and len(sent) > 200
    everything = b"".join(sent)
    for truth in floats:
        for dtype in ("float32", "float64"):
            assert truth.astype(dtype).tobytes() not in everything


BUSY = """
import time
end = time.process_time() + 0.3
while time.process_time() < end:
    pass
"""


def test_a_starved_worker_is_nobodys_fault() -> None:
    """Ready to run, but given no time: neither a timeout nor a pass, but infra."""
    clock = Clock(seconds=1.0, used=0.0)
    found = [clock.over(0.5, "R", 0.1) for _ in range(50)]
    assert set(found) == {None, "starved"} and found.index("starved") >= 30

    clock = Clock(seconds=1.0, used=5.0)
    assert [clock.over(0.5, "R", 5.0 + n) for n in (0.5, 1.0)] == [None, "timeout"]
    clock = Clock(seconds=1.0, used=0.0)  # Asleep: nobody keeps it from going on.
    assert [clock.over(0.5, "S", 0.0) for _ in range(2)] == [None, "timeout"]
    for state, times in (("Z", 2), ("D", 20)):  # Its first thread has ended; a disk, or vfork.
        clock = Clock(seconds=1.0, used=0.0)
        found = [clock.over(0.5, state, 0.0) for _ in range(times)]
        assert found == [None] * (times - 1) + ["timeout"]
    clock = Clock(seconds=1.0, used=None)  # Where no clock can be read.
    assert [clock.over(0.5, "", None) for _ in range(8)] == [None] * 7 + ["timeout"]
    for used in (0.0, None):  # The lid was closed for a minute: nobody looked, and nobody slept.
        assert Clock(seconds=1.0, used=used).over(60.0, "S", used) is None


@linux
@pytest.mark.ci
def test_a_worker_that_is_used_for_long_keeps_its_time(submission: Make) -> None:
    """The system's count of its computing runs ahead of the clock, by more the longer it lives."""
    computes = """
import resource, time
start = time.process_time()
while time.process_time() < start + 0.4: pass
assert resource.getrlimit(resource.RLIMIT_CPU)[0] > 1.5 * time.process_time()"""
    root = Source(submission({NORM: top(computes)}))
    step = next(step for step in STEPS if step.id == "2.3")
    with Host(again=True) as host:
        judge = Judge(host, root, 7, passed=EVERYTHING)
        for _ in range(18):  # Then it has computed for seven seconds.
            found = judge.runner.ask(step, checks_of_step(step)[0], judge.files(step), {})
            assert found.verdict == "pass", found.message


@linux
def test_the_computing_of_its_children_is_its_own() -> None:
    """Else a program that forks without end would be called starved by others."""
    child = "import os, signal\nif os.fork(): signal.pause()\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", child], start_new_session=True) as process:
        try:
            until(lambda: (used_by(process.pid)[1] or 0.0) > 1.0)
        finally:
            os.killpg(process.pid, 9)


@posix
def test_a_worker_gets_all_the_time_it_is_allowed_again_and_again(host: Host) -> None:
    """The limit of the system counts whole seconds, and from its birth: it must not be sooner."""
    step = next(step for step in STEPS if step.path == NORM)
    files = Files("", solutions().with_text(step, BUSY + RIGHT).modules, step.path)
    worker = host.worker(0.5)
    for _ in range(6):
        worker.allow(0.5)
        worker.ask("renew")
        Submission(worker, files, Known()).load(step.module, 7)
    host.done(worker)


def test_our_own_fault_is_asked_again_and_never_a_fail(
    monkeypatch: pytest.MonkeyPatch, host: Host, submission: Make
) -> None:
    asked = Counter[str]()
    load = Submission.load

    def starved(self: Submission, *args: Any) -> None:
        asked["loads"] += 1
        if asked["loads"] in never:
            raise Stopped("infra", "Other programs left it no time.")
        load(self, *args)

    monkeypatch.setattr(Submission, "load", starved)
    step = [step for step in STEPS if step.id == "2.3"]
    never: Any = range(1, 4)  # The quick way, and the first import.
    assert Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING).run(step)[0].verdict == "pass"
    never = range(10**6)
    assert Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING).run(step)[0].verdict == "infra"


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


def test_a_seed_gives_the_same_numbers_again(run: Run, submission: Make) -> None:
    root = submission({NORM: unbiased(RIGHT)})
    first, again = (run(root, "2.3", alone=True, seed=5)[0] for _ in range(2))
    other = run(root, "2.3", alone=True, seed=6)[0]
    assert [c.message for c in first.checks] == [c.message for c in again.checks]
    assert [c.message for c in first.checks] != [c.message for c in other.checks]


@pytest.mark.ci
def test_nothing_but_pass_on_a_busy_machine() -> None:
    """`python -m tests.repeat` does it 200 times."""
    found = repeat(16, first_seed=1000)
    assert set(found) == {"pass"}, found


PATCH = """
_var = torch.Tensor.var
torch.Tensor.var = lambda *args, **more: _var(*args, **{**more, "unbiased": False})
"""


@pytest.mark.ci
def test_a_fresh_process_for_each_check_gives_the_same_verdicts(submission: Make) -> None:
    """As where forking is not safe: each is used once, so no patch meets the next submission."""
    step, wrong = [step for step in STEPS if step.id == "2.3"], unbiased(RIGHT)
    root = submission({NORM: wrong + PATCH})
    with Host(fork=False) as host:
        for text, seconds, verdict in [
            (wrong + PATCH, 3.0, "pass"),
            (wrong, 3.0, "fail"),
            (forward("while True: pass"), 0.5, "timeout"),
        ]:
            (root / NORM).write_text(text, "utf-8")
            result = Judge(host, Source(root), 7, seconds, EVERYTHING).run(step)[0]
            assert result.verdict == verdict, result.first_failure


def test_what_one_step_patches_never_meets_the_next(host: Host, submission: Make) -> None:
    """Rehearsed, as in grading: 1.1 makes a torch in which a wrong 2.3 would be right."""
    embedding = "s1_embedding/token_embedding.py"
    patched = (SOLUTIONS / embedding).read_text("utf-8") + "\nimport torch\n" + PATCH
    root = submission({NORM: unbiased(RIGHT), embedding: patched})
    judge = Judge(host, Source(root), 7)
    judge.rehearsals = Rehearsals(partial(Judge(host, solutions(), 7).rehearse, lanes=1), FEWER)
    results = judge.run([step for step in STEPS if step.id in ("1.1", "2.3")])
    assert [result.verdict for result in results] == ["pass", "fail"]


def test_a_worker_goes_on_only_to_what_builds_on_all_that_has_run_in_it() -> None:
    class Workers:
        dropped: ClassVar[list[str]] = []

        def drop(self, worker: str) -> None:
            self.dropped.append(worker)

    by_id = {step.id: step for step in STEPS}
    chains: Any = Chains(Workers())  # type: ignore[arg-type]

    def take(id: str, changed: str | None = None) -> tuple[Any, set[str]]:
        source, step = solutions(), by_id[id]
        if changed is not None:
            source = source.with_text(step, changed)
        found: tuple[Any, set[str]] = chains.take(step, Files("", source.modules, step.path))
        return found

    chains.put("one", {"1.1"})
    assert take("1.2") == (None, set()) and take("2.1")[0] is None
    assert take("1.3") == ("one", {"1.1"})
    chains.put("one", {"1.1", "1.3"})
    chains.put("other", {"2.1", "2.2", "3.1"})
    assert take("4.1")[0] is None  # 3.1 is nothing that it builds on.
    hidden = "x = 1\nif x:\n    from s3_encoder.encoder_layer import EncoderLayer\n"
    for text in ("x = 1", hidden, '"""\nimport s3_encoder.encoder_layer\n"""', "not Python"):
        assert take("3.2", text)[0] is None  # Not by our solution: by the learner's own lines.
    for text in ("import s3_encoder.encoder_layer", "from .encoder_layer import EncoderLayer"):
        assert take("3.2", text)[0] == "other"
        chains.put("other", {"2.1", "2.2", "3.1"})
    assert take("3.2")[0] == "other"
    chains.end()
    assert chains.links == [] and Workers.dropped == ["one"]


def test_a_whole_submission_that_is_rehearsed_takes_few_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for room in (runner, stroke):  # On a busy machine, too.
        monkeypatch.setattr(room, "BRIEFLY", 30.0)
    steps = STEPS if os.environ.get("CI") else STEPS[:12]
    with Host() as host:
        judge = Judge(host, solutions(), 7, draws=1)
        judge.rehearsals = Rehearsals(partial(judge.rehearse, lanes=1), 1)
        for step in steps:
            judge.rehearsals.of(step)
        forked = []
        worker = host.worker
        host.worker = lambda seconds: forked.append(1) or worker(seconds)  # type: ignore
        results = judge.run(list(steps))
        judge.close()
    assert [result.verdict for result in results] == ["pass"] * len(steps)
    assert len(forked) <= len(steps) / 2


DETACHED = """
import math
def calculate_attention(q, k, v, mask=None, dropout=None):
    scores = q.detach() @ k.detach().transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = scores.softmax(-1)
    if dropout is not None:
        attention = dropout(attention)
    nothing = 0 * q.sum()
    return attention @ v.detach() + nothing, attention + nothing
"""
FORGED_GRADIENTS = """
import sys
frame = sys._getframe()
while frame:
    bench = frame.f_locals.get("self")
    if type(bench).__name__ == "Bench":
        type(bench)._gradients = lambda self, *rest: {"inputs": [], "parameters": {}}
    frame = frame.f_back
"""
ANOTHERS_STEP = """
import importlib, sys, types
original = importlib.import_module
def instead(name, package=None):
    if name != "s2_attention.multi_head_attention":
        return original(name, package)
    sys.modules[name] = module = types.ModuleType(name)
    module.__file__ = "x"
    exec(RIGHT, module.__dict__)
    return module
importlib.import_module = instead
"""


@pytest.mark.parametrize("wrong", ["2.1", "2.2"])
def test_a_rehearsal_believes_nothing(host: Host, submission: Make, wrong: str) -> None:
    """Not that gradients are right which are missing; and a file that says nothing is no step,
    whatever has run before it.
    """
    attention, heads = "s2_attention/calculate_attention.py", "s2_attention/multi_head_attention.py"
    files = {attention: DETACHED + FORGED_GRADIENTS}
    if wrong == "2.2":
        text = f"RIGHT = {(SOLUTIONS / heads).read_text('utf-8')!r}\n{ANOTHERS_STEP}"
        files = {attention: (SOLUTIONS / attention).read_text("utf-8") + text, heads: "x = 1\n"}
    recorder = Judge(host, solutions(), 7)
    judge = Judge(host, Source(submission(files)), 7, draws=1)
    judge.rehearsals = Rehearsals(partial(recorder.rehearse, lanes=1), 1)
    results = judge.run([step for step in STEPS if step.id in ("2.1", "2.2")])
    judge.close()
    recorder.close()
    assert {result.id: result.verdict for result in results}[wrong] != "pass"
