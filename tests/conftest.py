"""What the tests share: one warm host, and submissions made of files."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kept import tidy

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.commands import around, work
from checks.engine.commands.command import main
from checks.engine.files.source import Source, pristine
from checks.engine.hosting.host import Host
from checks.engine.judging import search
from checks.engine.judging.judge import SECONDS, Judge
from checks.engine.verdicts import StepResult
from checks.grading.pool import usual_jobs
from checks.graduation import kept as models
from checks.s2_attention.layer_norm.mistakes import VARIANCE

signal.signal(signal.SIGINT, signal.default_int_handler)  # In the background it is ignored.
if os.environ.get("ALL"):
    os.environ.setdefault("CI", "true")
os.environ.pop("PYTHONPATH", None)  # A copy of the course is to find itself.

Run = Callable[..., list[StepResult]]
Said = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[[dict[str, Any]], Path]  # Writes a submission of these files.
FIGURES: Counter[str] = Counter()  # What tests/test_known.py counts.
KNOWN_FIGURES = (
    *("wrong versions", "wrong versions accepted", "right versions", "right versions rejected"),
    *("named rightly", "named wrongly", "not named"),
)
STEP = {step.id: step for step in STEPS}
EVERYTHING = frozenset(STEP)
AT_MOST = 600.0  # Seconds that anything may take: nothing is judged by how fast a machine is.
search.LONGEST = AT_MOST
posix = pytest.mark.skipif(os.name != "posix", reason="needs what only POSIX systems have")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs what only Linux has")
MOST_WORKERS = 4  # Each holds a warm torch or two.


def unbiased(layer_norm: str) -> str:
    """The solution's layer norm with a mistake that many tests use: the variance by n - 1."""
    assert VARIANCE in layer_norm
    return layer_norm.replace(VARIANCE, "x.var(dim=-1, keepdim=True)")


def everything_is_asked_for(config: pytest.Config) -> bool:
    """Whether all tests are to run, not a file or a step."""
    here = Path(__file__).parent
    return {Path(argument).resolve() for argument in config.args} == {here} and (
        not config.option.keyword
    )


@pytest.hookimpl(tryfirst=True)  # xdist reads these options in its own.
def pytest_cmdline_main(config: pytest.Config) -> None:
    """All the tests are shared among the cores, unless -n says otherwise; a file or a step is not,
    since it would be done before the workers stand ready.
    """
    option = config.option
    if hasattr(config, "workerinput") or getattr(option, "numprocesses", 0) is not None:
        return
    if everything_is_asked_for(config):
        cores = min(MOST_WORKERS, usual_jobs())
        option.numprocesses, option.dist = (cores, "worksteal") if cores > 1 else (0, "no")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `ci` run where CI is set; those marked `room` also where their file is named."""
    if os.environ.get("CI"):
        return
    skipped = {"ci": "long: runs where CI is set"}
    if everything_is_asked_for(config):
        skipped["room"] = "long: runs where its file is named, or where CI is set"
    for item in items:
        for name, reason in skipped.items():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["figures"] = dict(FIGURES)
    elif os.environ.get("KEEP"):
        tidy()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of xdist has come to its end."""
    FIGURES.update(getattr(node, "workeroutput", {}).get("figures", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if FIGURES:
        figures = ", ".join(f"{name} {FIGURES[name]}" for name in KNOWN_FIGURES)
        terminalreporter.write_line(f"known versions: {figures}")


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    with Host() as host:
        yield host


@pytest.fixture(scope="session")
def grading_host() -> Iterator[Host]:
    with Host(grading=True) as host:
        yield host


@pytest.fixture(scope="session")
def versions_host() -> Iterator[Host]:
    """For known versions, which may share a process."""
    with Host() as host:
        yield host


@pytest.fixture(scope="session")
def run(host: Host) -> Run:
    """Check steps (ids, or all) of a folder; earlier steps count as passed if `alone`."""

    def check(
        root: Path, *ids: str, alone: bool = False, seed: int = 7, seconds: float = SECONDS
    ) -> list[StepResult]:
        passed = EVERYTHING if alone else frozenset()
        judge = Judge(host, Source(root), seed, seconds, passed)
        return judge.run([step for step in STEPS if not ids or step.id in ids])

    return check


def until(holds: Callable[[], object]) -> None:
    """Wait for it: for long, where the machine has much to do."""
    end = time.monotonic() + AT_MOST
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def submit(to: Path, changes: Mapping[str, str | bytes]) -> Path:
    """A folder `submission` in `to`: the solutions, with some files replaced."""
    root = to / "submission"
    shutil.copytree(SOLUTIONS, root, ignore=shutil.ignore_patterns("__pycache__"))
    for path, content in changes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        (root / path).write_bytes(data)
    return root


@pytest.fixture
def submission(tmp_path: Path) -> Callable[[dict[str, str | bytes]], Path]:
    """The solutions, with some files replaced: {"s2_attention/layer_norm.py": text}."""
    return partial(submit, tmp_path)


def copy_course(to: Path) -> Path:
    """The course as a fresh clone has it, whatever the learner has written here."""
    ignore = shutil.ignore_patterns(
        "__pycache__", ".*", "*.egg-info", "venv", "tests", "node_modules"
    )
    shutil.copytree(COURSE, to, ignore=ignore)
    for step in STEPS:
        (to / step.path).parent.mkdir(exist_ok=True)
        (to / step.path).write_text(pristine(step), "utf-8")
    return to


@pytest.fixture(scope="session")
def skeletons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A submission in which nothing has been written yet."""
    root = tmp_path_factory.mktemp("skeletons")
    for step in STEPS:
        (root / step.path).parent.mkdir(exist_ok=True)
        (root / step.path).write_text(pristine(step), "utf-8")
    return root


# The command, in a copy of the course


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the course under a name with spaces and letters beyond ASCII.

    All tests share it: one that writes steps copies it first.
    """
    root = copy_course(tmp_path_factory.mktemp("Übung 1 – naïve") / "the course")
    yield root
    assert not (root / ".progress.json").exists(), "a test checked a step there"
    written = [step.id for step in STEPS if (root / step.path).read_text("utf-8") != pristine(step)]
    assert not written, f"a test wrote {written} in the course that all tests share"


@pytest.fixture
def course(fresh: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(fresh, tmp_path / "dépôt mit Leerzeichen"))


def typed(course: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """python run_step.py WORDS, from another folder, without a terminal."""
    return subprocess.run(
        [sys.executable, str(course / "run_step.py"), *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        cwd=course.parent,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        timeout=AT_MOST,
    )


@pytest.fixture
def said(host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """`typed` for what is to be read: in this process and with a host that is there already."""

    def type(course: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        with monkeypatch.context() as patch:
            for module in (work, around, models):
                patch.setattr(module, "COURSE", course)
            for name, value in environment.items():
                patch.setenv(name, value)
            try:
                status: Any = main(list(words), host)
            except SystemExit as end:  # Of argparse.
                status = end.code
        out, err = capsys.readouterr()
        return subprocess.CompletedProcess(words, status, out, err)

    return type


def solve(course: Path, *ids: str) -> None:
    for step in STEPS:
        if step.id in ids:
            shutil.copy(SOLUTIONS / step.path, course / step.path)


@contextmanager
def full_disk() -> Iterator[None]:
    """Files of this process can be made, but nothing can be written to them."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def solution_code() -> Iterator[None]:
    """The solutions are what `s1_embedding` and its like import."""
    from checks.training.model import learner_code

    path, modules = sys.path[:], dict(sys.modules)
    learner_code(SOLUTIONS)
    yield
    sys.path[:] = path
    for name in sys.modules.keys() - modules.keys():
        if re.match(r"s\d_", name):
            del sys.modules[name]


@pytest.fixture
def grading(tmp_path: Path) -> Any:
    """A folder to hand submissions in, and `grade` on it."""
    from grading_run import Grading

    return Grading(tmp_path)


@pytest.fixture
def two(grading: Any) -> Any:
    """One right, one wrong and broken."""
    from a_class import right, zipped
    from odd_submissions import tree

    tree("alice", right())(grading.handed_in)
    (grading.handed_in / "bob.zip").write_bytes(zipped(right())[:1000])
    return grading
