"""Graduations of 5.5, 5.6 and 6.8: what is asked, what is never sent, what is said at the end."""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from conftest import AT_MOST, EVERYTHING, Said, solve, typed
from kept import half
from torch import nn

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.course import GRADUATIONS
from checks.engine.commands.screen import WIDTH, Screen
from checks.engine.course.source import Source
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.verdicts import CheckResult, Stopped
from checks.engine.worker import wire
from checks.graduation import counting
from checks.graduation.counting import Counting
from checks.graduation.forms import well_formed
from checks.graduation.graduate import TASKS, Budget, graduate
from checks.graduation.languages import NAMES, Languages
from checks.graduation.live import Live, Plain, Silent, curve
from checks.graduation.task import Sample
from checks.graduation.texts import FAMILIAR, on_the_wire, received, spelled, split
from checks.graduation.translation import Translation, because

pytestmark = pytest.mark.room

Make = Callable[[dict[str, str | bytes]], Path]
STEP = {step.name: step for step in STEPS}
TRAINING = (SOLUTIONS / "s5_transformer/training.py").read_text("utf-8")
NO_SHIFT = TRAINING.replace("(src, trg[:, :-1])", "(src, trg)").replace(
    "logits, trg[:, 1:]", "logits, trg"
)
MASKS = (SOLUTIONS / "s5_transformer/masks.py").read_text("utf-8")
ENDLESS = "    while True:\n        pass\n"
CRASH = "    import ctypes\n    ctypes.string_at(0)\n"


class Kept(Silent):
    """A view that keeps what it is told."""

    def __init__(self) -> None:
        self.losses: list[float] = []
        self.samples: list[Sample] = []

    def trained(self, step: int, losses: list[float]) -> None:
        self.losses = list(losses)

    def end(self, samples: list[Sample]) -> None:
        self.samples = samples


def graduation(
    host: Host,
    root: Path,
    name: str = "translate",
    seconds: float = 3.0,
    seed: int = 7,
    **sizes: int,
) -> tuple[CheckResult, Kept]:
    """Of one step; with fewer training steps and questions, if they are given."""
    judge, view = Judge(host, Source(root), seed, seconds, EVERYTHING), Kept()
    task = TASKS[name](np.random.default_rng(seed), **sizes)
    return graduate(judge, STEP[name], view, task), view


# The tasks


def test_numbers_are_spelled_without_and_and_hyphens() -> None:
    assert spelled(345, "de") == "dreihundertfünfundvierzig"
    assert spelled(345, "en") == "three hundred forty five"
    assert spelled(9_999, "en") == "nine thousand nine hundred ninety nine"
    assert all(re.fullmatch("[a-z ]+", spelled(number, "en")) for number in range(0, 10_000, 7))


def test_no_number_is_in_two_groups() -> None:
    groups = split(np.random.default_rng(1), 40, 300)

    assert [len(group) for group in groups] == [40, 300, 9_660] and groups[0][0] == FAMILIAR
    assert sorted(number for group in groups for number in group) == list(range(10_000))
    assert groups != split(np.random.default_rng(2), 40, 300)


def test_a_text_belongs_to_one_language() -> None:
    task = Languages(np.random.default_rng(1))
    texts = [text for group in (task.on_the_way, task.asked, task.learned) for text, _ in group]

    assert max(Counter(texts).values()) == 1
    assert {language for _, language in task.asked} == set(range(len(NAMES)))


def test_right_answers_of_the_exam_are_never_sent() -> None:
    task = Translation(np.random.default_rng(1), steps=20, asked=30)
    hidden = {tuple(task.target.encode(english)) for _, english in task.asked}
    sent: list[Any] = []

    def ask(lesson: str, doing: str, **arguments: Any) -> Any:
        sent.append(arguments)
        if lesson == "train_translator":
            return [1.0] * len(arguments["batches"])
        if lesson == "teach":
            return arguments["trg"]
        return ["nine"] * len(arguments.get("texts", ()))

    task.enrol(ask, 1)
    task.look(ask)
    task.train(ask, 1, 20)
    assert not any(sample.right for sample in task.exam(ask))
    task.reason(ask, 0.0, [3.0])

    arrays = [array for arguments in sent for array in _arrays(arguments)]
    rows = {tuple(token for token in row if token) for array in arrays for row in received(array)}
    texts = [text for arguments in sent for text in arguments.get("texts", ())]
    assert {german for german, _ in task.asked} <= set(texts)
    assert len(rows) > 1_000 and not hidden & rows
    assert not {english for _, english in task.asked} & set(texts)


def test_no_training_text_has_a_number_that_is_held_out() -> None:
    task = Counting(np.random.default_rng(1))
    held = [spelled(start + n, "en") for start in task.on_the_way + task.asked for n in range(5)]
    learned = {number for text in task.learned for number in text.strip().split(" , ")}

    assert len(set(held)) == len(held) == 5 * 340 and not set(held) & learned
    assert spelled(FAMILIAR, "en") in held[:5] and len(learned) > 7_000
    carries = sum(sample.question.endswith(" nine ,") for sample in _silence(task))
    assert 120 < carries < 180  # Half of the beginnings end just before a new ten.


def _silence(task: Counting) -> list[Sample]:
    return task.exam(lambda lesson, doing, **given: [""] * len(given["texts"]))


def test_right_counts_of_the_exam_are_never_sent() -> None:
    task = Counting(np.random.default_rng(1), steps=20, asked=30)
    sent = list[str]()

    def ask(lesson: str, doing: str, **given: Any) -> Any:
        batches = given.get("batches", [])
        sent.extend([*given.get("texts", []), *given.get("wholes", []), given.get("text", "")])
        sent.extend(text for batch in batches for text in batch)
        return [1.0] * len(batches) if batches else ["nine"] * len(given.get("texts", []))

    task.enrol(ask, 1)
    task.look(ask)
    task.train(ask, 1, 20)
    samples = task.exam(ask)
    assert len(samples) == 30 and not any(sample.right for sample in samples)
    assert "6.7" in task.reason(ask, 0.0, [3.0]).says  # "nine" is not what was encoded.

    numbers = {number for text in sent for number in re.split(r"\s*[,\n]\s*", text.strip())}
    assert {sample.question.strip("… ,") for sample in samples} <= numbers
    assert not {number for s in samples for number in s.wanted.split(" , ")} & numbers


def _arrays(value: Any) -> list[wire.Array]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [array for item in value for array in _arrays(item)]
    return [value] if isinstance(value, wire.Array) else []


def test_forged_answers_are_none() -> None:
    def fits(lesson: str, ok: Any, **arguments: Any) -> bool:
        return well_formed(lesson, arguments, ok)

    tokens = on_the_wire(np.zeros((3, 4), np.int64))
    assert fits("train_translator", [0.5, 0.5], batches=[1, 2])
    assert not fits("train_translator", [0.5], batches=[1, 2])
    assert not fits("train_classifier", [0.5, "0.5"], batches=[1, 2])
    assert fits("translate", ["one", "two"], texts=["eins", "zwei"])
    assert not fits("translate", ["one", None], texts=["eins", "zwei"])
    assert fits("write", ["one"], texts=["nine"])
    assert not fits("told", ["one", "two"], texts=["nine"], wholes=["nine ten"])
    assert not fits("reread", [1], texts=["nine"]) and not fits("spell", "one", texts=["nine"])
    assert fits("teach", tokens, trg=tokens)
    assert not fits("teach", on_the_wire(np.zeros((3, 5), np.int64)), trg=tokens)
    assert not fits("classify", tokens, tokens=tokens)


def test_first_values_do_not_depend_on_the_learners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(wire.__file__).parent)  # Where a worker finds its modules.
    monkeypatch.syspath_prepend(COURSE / "checks" / "extensions")
    begin = importlib.import_module("school").begin

    class Odd(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(9, 6, padding_idx=2)
            self.gain, self.shift = nn.Parameter(torch.ones(6)), nn.Parameter(torch.zeros(6))
            self.bias = nn.Parameter(torch.full((6,), torch.nan))
            self.row = nn.Parameter(torch.randn(1, 1, 6))
            self.fused = nn.Parameter(torch.randn(3, 6, 4) * 100)
            self.dead = nn.Parameter(torch.zeros(6, 18))

    model = Odd()
    begin(model)

    assert (model.gain == 1).all()
    assert not any(vector.any() for vector in (model.shift, model.bias, model.row))
    assert not model.table.weight[2].any() and model.table.weight[[0, 1, 3, 8]].all()
    for matrix, fans in ((model.table.weight, 15), (model.fused, 10), (model.dead, 24)):
        assert 0.5 * (6 / fans) ** 0.5 < matrix.abs().max() <= (6 / fans) ** 0.5


# Verdicts


@pytest.mark.parametrize(
    ("told", "alone", "losses", "mistake", "file"),
    [
        (1.0, 0.02, [3.0, 0.01], "leak-of-the-future", "masks.py"),  # No causal mask.
        (0.0, 0.0, [3.0, *[0.001] * 20], "leak-of-the-future", "training.py"),  # No shift.
        (0.0, 0.0, [3.0, 2.9], None, "training.py"),  # Nothing learned.
        (0.9, 0.9, [3.0, *[0.02] * 20], None, "training.py"),  # Not enough.
    ],
)
def test_a_leak_is_called_a_leak(
    told: float, alone: float, losses: list[float], mistake: str | None, file: str
) -> None:
    reason = because(told, alone, losses)

    assert reason.mistake == mistake and reason.place is not None
    assert reason.place[0] == f"s5_transformer/{file}"
    assert mistake is None or "5.1" in reason.says


@pytest.mark.parametrize(
    ("lost", "told", "reread", "alone", "mistake", "file"),
    [
        (None, 1.0, 0.0, 0.0, "next-token-seen", "language_model.py"),
        (None, 1.0, 1.0, 0.1, "caches-differ", "speak.py"),
        ((" nine", " enin"), 0.0, 0.0, 0.0, None, "byte_pairs.py"),
        (None, 0.9, 0.9, 0.9, None, "language_model.py"),  # Not enough.
    ],
)
def test_what_keeps_a_model_from_counting_is_told_apart(
    lost: tuple[str, str] | None,
    told: float,
    reread: float,
    alone: float,
    mistake: str | None,
    file: str,
) -> None:
    reason = counting.because(lost, told, reread, alone, [3.0, 0.2])

    assert reason.mistake == mistake and reason.place is not None
    assert reason.place[0] == f"s6_today/{file}"
    text = (SOLUTIONS / reason.place[0]).read_text("utf-8")
    assert re.search(reason.place[1], text, re.MULTILINE)


def test_a_few_steps_are_too_few(host: Host) -> None:
    found, view = graduation(host, SOLUTIONS, steps=20, asked=10)
    again, _ = graduation(host, SOLUTIONS, steps=20, asked=10)

    assert (found.name, found.verdict, found.kind) == ("graduation", "fail", "values")
    assert "0 of 10 are right, 10 are needed." in found.message
    assert found.where is not None and found.where.file == "s5_transformer/training.py"
    assert len(view.losses) == 20 and view.losses[-1] < view.losses[0] - 0.3
    assert again.message == found.message and again.as_json() == found.as_json()


@pytest.mark.skipif(os.name != "posix", reason="needs what only POSIX systems have")
@pytest.mark.parametrize(
    ("does", "verdict", "says"),
    [
        (ENDLESS, "timeout", "within 2.5 s in the training steps 1 to 10"),
        (CRASH, "crash", "in the training steps 1 to 10"),
        ("    raise KeyError('key')\n", "error", "KeyError"),
        ("    loss = loss * float('nan')\n", "fail", "The loss of step 1 is nan"),
    ],
)
def test_what_goes_wrong_has_its_verdict(
    host: Host, submission: Make, does: str, verdict: str, says: str
) -> None:
    broken = TRAINING.replace("    optimizer.step()\n", does)
    assert broken != TRAINING

    root = submission({"s5_transformer/training.py": broken})
    found, _ = graduation(host, root, steps=20, asked=10, seconds=0.5)

    assert found.verdict == verdict and says in found.message, found.message


def test_there_is_an_end_to_all_of_it() -> None:
    """Requests that keep their limit each, but do not come to an end together."""

    class Busy:
        pid, allowed = os.getpid(), list[float]()

        def allow(self, seconds: float) -> None:
            self.allowed.append(seconds)

        def ask(self, *words: str, **arguments: Any) -> None:
            end = time.process_time() + 0.1
            while time.process_time() < end:
                pass

    busy: Any = Busy()
    budget = Budget(busy, seconds=0.01)
    assert (budget.request, budget.whole) == (0.05, 0.4)
    with pytest.raises(
        Stopped, match=r"not finished after 0.4 s of computing, in step \d"
    ) as stopped:
        for step in range(9):
            budget.ask(busy, "train", f"in step {step}")

    assert stopped.value.verdict == "timeout" and 3 <= len(busy.allowed) <= 6
    assert max(busy.allowed) == 0.05


def test_it_waits_for_the_steps_that_it_trains_with(host: Host, submission: Make) -> None:
    renamed = TRAINING.replace("def train_step", "def one_step")
    root = submission({"s5_transformer/training.py": renamed})
    judge = Judge(host, Source(root), 7, passed=EVERYTHING - {"5.3"})

    found = graduate(judge, STEP["translate"], Silent())

    assert GRADUATIONS["translate"] == ("training",)
    assert found.verdict == "blocked" and "5.3 training" in found.message


# What is seen


def a_story(view: Plain) -> None:
    view.begin(Translation(np.random.default_rng(1), steps=100, asked=10))
    view.looked(0, [Sample("dreihundertfünfundvierzig", "nine " * 16, "three hundred forty five")])
    for step in (10, 20, 100):
        view.trained(step, [3.0 / (n + 1) for n in range(step)])
    view.looked(100, [Sample("elf", "eleven", "eleven"), Sample("zwölf", "", "twelve")])
    view.end([Sample("elf", "eleven", "eleven"), Sample("zwölf", "ten", "twelve")])


def test_plain_lines_fit_and_say_it_all(capsys: pytest.CaptureFixture[str]) -> None:
    a_story(Plain(Screen()))

    out = capsys.readouterr().out
    assert all(len(line) <= WIDTH for line in out.splitlines())
    assert "\x1b" not in out and "loss 0.030" in out and "elf -> eleven" in out
    assert "on numbers never seen: 1 of 2 right: 50.0 %" in out


def test_of_a_long_answer_the_end_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """It is learned last: a line that only shows the beginning would soon look the same."""
    question, *wanted = (spelled(number, "en") for number in range(4344, 4348))
    for last in ("forty six", "forty seven"):
        answer = " , ".join(wanted)[: -len("forty seven")] + last
        Plain(Screen()).looked(100, [Sample(f"… {question} ,", answer, "")])
        line = capsys.readouterr().out.splitlines()[1]
        assert line.startswith(f"    … {question} , -> … ") and line.endswith(f" {last}")
        assert len(line) <= WIDTH
    Plain(Screen()).looked(0, [Sample("…", "x" * 99, "")])
    assert "-> … xxx" in capsys.readouterr().out


def test_the_live_picture_fits_a_terminal() -> None:
    from rich.console import Console

    out, screen = io.StringIO(), Screen()
    screen.console = Console(file=out, force_terminal=True, width=WIDTH, height=24)
    a_story(Live(screen))

    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", out.getvalue())
    assert all(len(line.rstrip()) <= WIDTH for line in text.splitlines())
    assert "[==============================]  loss 0.030" in text
    assert "-> eleven  (right)" in text and "-> (nothing)  (not yet)" in text


def test_the_curve_falls_with_the_loss() -> None:
    assert curve([4.0, 2.0, 1.0, 0.0]) == "█▅▃▁"
    assert curve([0.0]) == "▁" and len(curve([1.0] * 399)) <= 20


# The command


def names(done: subprocess.CompletedProcess[str]) -> list[list[str]]:
    return [
        [check["name"] for check in step["checks"]] for step in json.loads(done.stdout)["steps"]
    ]


def test_it_runs_for_one_step_alone_and_counts(said: Said, course: Path) -> None:
    solve(course, *EVERYTHING)
    together = said(course, "5.5", "5.6", "--json")
    wrong = [check for step in json.loads(together.stdout)["steps"] for check in step["checks"]]
    assert [check for check in wrong if check["verdict"] != "pass"] == []
    assert together.returncode == 0 and "graduation" not in str(names(together))
    begun = {
        s["name"]: s["state"] for s in json.loads(said(course, "list", "--json").stdout)["steps"]
    }
    assert begun["translate"] == begun["classifier"] == "begun"
    assert "run_step.py 5.5" in said(course, "5.5", "5.6").stdout

    alone = said(course, "5.6")
    assert alone.returncode == 0, alone.stdout
    assert "on numbers never seen:" in alone.stdout and "5.6 classifier passes" in alone.stdout
    states = {
        s["name"]: s["state"] for s in json.loads(said(course, "list", "--json").stdout)["steps"]
    }
    assert (states["classifier"], states["translate"]) == ("passed", "begun")

    fell = said(course, "look", "5.6").stdout
    losses = [
        float(number) for number in re.findall(r"^to step +\d+ #* (\S+)$", fell, re.MULTILINE)
    ]
    assert 10 <= len(losses) <= 12 and losses[-1] < 0.5 < losses[0]
    # Of the 800 texts, those that are the same in two languages are left out.
    assert re.search(r"On texts never seen: \d+ of (800|7\d\d) right", fell)
    assert all(len(line) <= WIDTH for line in fell.splitlines())
    assert "has a picture when your model has learned" in said(course, "look", "5.5").stderr

    with (course / "s5_transformer/classifier.py").open("a") as file:
        file.write("# Other files: to be shown again.\n")
    assert said(course, "5.5", "5.6").returncode == 0
    later = {
        s["name"]: s["state"] for s in json.loads(said(course, "list", "--json").stdout)["steps"]
    }
    assert later["classifier"] == "begun"


@pytest.mark.ci
def test_json_has_it_as_a_check() -> None:
    done = typed(SOLUTIONS.parent, "5.6", "--json", "--submission", str(SOLUTIONS), "--borrow")

    (step,) = json.loads(done.stdout)["steps"]
    check = step["checks"][-1]
    assert done.returncode == 0 and step["verdict"] == check["verdict"] == "pass"
    assert check["name"] == "graduation" and "95 of 100" in check["sentence"]
    assert check.keys() == step["checks"][0].keys()


@pytest.mark.skipif(sys.platform != "linux", reason="needs what only Linux has")
def test_interrupted_it_leaves_nothing_behind(tmp_path: Path) -> None:
    words = ["5.5", "--submission", str(SOLUTIONS), "--borrow"]
    process = subprocess.Popen(
        [sys.executable, str(SOLUTIONS.parent / "run_step.py"), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    while "step  50" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=AT_MOST)

    assert process.returncode == 130 and "Traceback" not in errors
    assert not list(tmp_path.iterdir())


# For real


@pytest.mark.ci
@pytest.mark.parametrize("seed", half([1, 2]))
def test_the_solution_graduates(host: Host, seed: int) -> None:
    """5.5, 5.6 and 6.8, as a learner runs them: at least 99 % right on numbers never seen."""
    for name in GRADUATIONS:
        found, view = graduation(host, SOLUTIONS, name, seed=seed)
        right = sum(sample.right for sample in view.samples)
        assert found.verdict == "pass", found.message
        assert len(view.samples) >= 300 and right / len(view.samples) >= 0.99


@pytest.mark.ci
@pytest.mark.parametrize(
    ("path", "text"),
    half(
        [
            pytest.param(
                "s5_transformer/masks.py", MASKS.replace("real & past", "real"), id="no causal mask"
            ),
            pytest.param("s5_transformer/training.py", NO_SHIFT, id="no shift"),
        ]
    ),
)
def test_a_leak_shows_when_it_translates(
    host: Host, submission: Make, path: str, text: str
) -> None:
    found, _ = graduation(host, submission({path: text}))

    assert found.verdict == "fail" and found.mistake is not None, found.message
    assert found.mistake.name == "leak-of-the-future"
    assert found.where is not None and found.where.file == path


@pytest.mark.ci
@pytest.mark.parametrize(
    ("path", "right", "wrong", "mistake", "place"),
    half(
        [
            ("language_model", "mask.tril(diagonal=start)", "mask", "next-token-seen", None),
            ("language_model", "self.sin, start", "self.sin, 0", "caches-differ", "speak"),
            ("speak", "logits, caches = model", "logits, _ = model", "caches-differ", None),
            ("byte_pairs", "token[left] + token[right]", "token[right] + token[left]", None, None),
            ("language_model", "x = x + out", "x = x + 0 * out", None, None),
        ]
    ),
)
def test_what_is_wrong_shows_when_it_counts(
    host: Host,
    submission: Make,
    path: str,
    right: str,
    wrong: str,
    mistake: str | None,
    place: str | None,
) -> None:
    file = f"s6_today/{path}.py"
    text = (SOLUTIONS / file).read_text("utf-8")
    assert text.count(right) == 1

    found, _ = graduation(host, submission({file: text.replace(right, wrong)}), "speak", asked=100)

    assert found.verdict == "fail" and found.where is not None, found.message
    assert found.where.file == f"s6_today/{place or path}.py", found.message
    assert (found.mistake.name if found.mistake else None) == mistake
