"""Graduations of 5.5, 5.6 and 6.8: what is asked, what is never sent, what is said at the end."""

from __future__ import annotations

import os
import re
import time
from typing import Any

import pytest
from conftest import EVERYTHING, Make, posix
from graduating import STEP, graduation
from kept import part

from checks.contents import SOLUTIONS
from checks.course import GRADUATIONS
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.verdicts import Stopped
from checks.graduation import counting
from checks.graduation.graduate import Budget, graduate
from checks.graduation.live import Silent
from checks.graduation.translation import because

pytestmark = pytest.mark.room
TRAINING = (SOLUTIONS / "s5_transformer/training.py").read_text("utf-8")
NO_SHIFT = TRAINING.replace("(src, trg[:, :-1])", "(src, trg)").replace(
    "logits, trg[:, 1:]", "logits, trg"
)
MASKS = (SOLUTIONS / "s5_transformer/masks.py").read_text("utf-8")
ENDLESS = "    while True:\n        pass\n"
CRASH = "    import ctypes\n    ctypes.string_at(0)\n"


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


@posix
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


# For real


@pytest.mark.ci
@pytest.mark.parametrize("seed", part([1, 2], 2))
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
    part(
        [
            pytest.param(
                "s5_transformer/masks.py", MASKS.replace("real & past", "real"), id="no causal mask"
            ),
            pytest.param("s5_transformer/training.py", NO_SHIFT, id="no shift"),
        ],
        2,
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
    part(
        [
            ("language_model", "mask.tril(diagonal=start)", "mask", "next-token-seen", None),
            ("language_model", "self.sin, start", "self.sin, 0", "caches-differ", "speak"),
            ("speak", "logits, caches = model", "logits, _ = model", "caches-differ", None),
            ("byte_pairs", "token[left] + token[right]", "token[right] + token[left]", None, None),
            ("language_model", "x = x + out", "x = x + 0 * out", None, None),
        ],
        4,
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
