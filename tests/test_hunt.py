"""`hunt`: one known mistake in a copy of a passed step, to observe, predict and repair."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import Any

import pytest
from conftest import STEP
from kept import part

from checks.contents import STEPS
from checks.engine.asking.learner import Files
from checks.engine.files.source import solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.results import checks_of_step
from checks.engine.known import Mistake, mistakes
from checks.engine.verdicts import CheckResult
from checks.hunting.kept import KEYS, OPTIONS, begun
from checks.hunting.making import (
    Made,
    Maker,
    drawn,
    in_order,
    is_said,
    repeated,
    seed_of,
)
from checks.hunting.telling import lines_apart, place_of
from checks.hunting.texts import adds_a_number, leaves_a_name, with_mistake, words_in_common

# Of so many mistakes one is hunted; with ALL every one that can be.
EVERY = 1 if os.environ.get("ALL") else 120
CRITICAL = 16.27  # Of chi-squared with three degrees of freedom, at 0.001.


@pytest.fixture
def maker(request: pytest.FixtureRequest, versions_host: Host) -> Any:
    maker = Maker(versions_host, solutions(), request.param)
    yield maker


some_steps = pytest.mark.parametrize(
    "maker", part(STEPS, 4), ids=lambda step: step.name, indirect=True
)
of_layer_norm = pytest.mark.parametrize("maker", [STEP["2.3"]], indirect=True)


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{5,}", text.lower()))


# The file


@pytest.mark.room
@some_steps
def test_the_mistake_is_seen_and_repaired_and_no_word_tells_it(maker: Maker) -> None:
    step, checks = maker.step, {check.__name__: check for check in checks_of_step(maker.step)}
    right, tried = solution(step), 0
    wanted = -(-len(mistakes(step)) // EVERY)
    for name in in_order(step, 0):
        if tried == wanted:
            break
        made = maker.make(name)
        made = made and maker.confirmed(made)
        if made is None:
            continue
        tried += 1
        assert made.first == made.seen[0] and {*made.seen} <= {*checks} - {*made.passes}
        assert not words(f"{mistakes(step)[name].says} {name}") & words(made.text) - words(right)
        assert {*re.findall("#.*", made.text)} <= {*re.findall("#.*", right)}
        hunt = begun(step, made, seed=tried)
        for key, option in zip(KEYS, hunt.options):
            for text, passes in ((made.text, key != hunt.right), (right, True)):
                files = Files.of(solutions().with_text(step, text), step)
                verdict = maker.runner.ask(step, checks[option], files).verdict
                assert verdict == ("pass" if passes else "fail"), (name, option)
    assert tried == wanted or (EVERY == 1 and tried)


@of_layer_norm
def test_it_is_made_in_the_file_of_the_learner_where_it_fits(maker: Maker) -> None:
    maker.own = solution(maker.step).replace("= eps\n", "= eps  # Mine.\n")
    made = maker.make("unbiased-variance")
    assert made is not None and made.own and "# Mine." in made.text
    maker.own = maker.own.replace("unbiased=False", "correction=0")
    made = maker.make("unbiased-variance")
    assert made is not None and not made.own and "# Mine." not in made.text


@of_layer_norm
def test_what_stops_at_once_is_not_hunted(maker: Maker) -> None:
    assert maker.make("eps-misnamed") is None and maker.make("misspelt-argument") is None


def test_the_comments_of_a_mistake_are_left_out() -> None:
    right = "x = 1  # One.\ny = 2\n"
    mistake = Mistake("It is odd.", {"y = 2": "# Odd.\ny = 3  # Odd, too.\nz = '#'"})
    assert with_mistake(right, mistake) == "x = 1  # One.\ny = 3\nz = '#'\n"
    assert with_mistake("y = 2; y = 2\n", mistake) is None
    assert with_mistake(right, Mistake("It is no Python.", {"y = 2": "y = ("})) is None


@pytest.mark.room
@of_layer_norm
def test_hardness_rises_and_a_seed_repeats(maker: Maker) -> None:
    names = in_order(maker.step, 0)
    easy, hard = (drawn(maker, [], rank, hard=False) for rank in (0, 99))
    hardest = drawn(maker, [], 0, hard=True)
    assert easy and hard and hardest
    assert len(hardest.seen) == 1
    for made in (easy, hard, hardest):
        seed = seed_of(maker.step, made.mistake)
        assert in_order(maker.step, seed)[0] == made.mistake
        assert repeated(maker, seed) == made
    again = drawn(maker, [name for name in names if name != hard.mistake], 0, hard=False)
    assert again is not None and again.mistake == hard.mistake


@pytest.mark.room
@of_layer_norm
def test_others_are_measured_if_none_of_the_first_can_be_hunted(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of all can be hunted, and it is found, wherever chance puts it."""
    made = drawn(maker, [], 0, hard=True)
    assert made is not None
    confirmed = maker.confirmed
    monkeypatch.setattr(
        maker, "confirmed", lambda one: confirmed(one) if one.mistake == made.mistake else None
    )
    for hard in (True, False):
        assert drawn(maker, [], 0, hard) == made
    assert {len(set(in_order(maker.step, seed))) for seed in (1, 2)} == {len(mistakes(maker.step))}
    assert in_order(maker.step, 1)[:3] != in_order(maker.step, 2)[:3]


def test_the_right_option_stands_anywhere() -> None:
    checks = [check.__name__ for check in checks_of_step(STEP["2.3"])]
    made = Made("no-root", "", True, checks[:3], checks[0], checks[3:])
    hunts = [begun(STEP["2.3"], made, seed) for seed in range(400)]
    places = Counter(hunt.right for hunt in hunts)
    assert sum((places[key] - 100) ** 2 / 100 for key in KEYS[:OPTIONS]) < CRITICAL
    for hunt in hunts:
        chosen = {*hunt.options}
        assert len(chosen) == 4 and len(chosen & {*checks[3:]}) == 3
        assert hunt.options[KEYS.index(hunt.right)] == made.first


def test_the_right_option_is_about_the_mistake_and_the_others_are_not() -> None:
    says = "The mean is taken over the axis of the tokens."
    for sentence, common in (
        ("Numbers over the last one.", 0),
        ("Each token has its own.", 1),
        ("It is taken from every token.", 2),
    ):
        assert words_in_common(says, sentence) == common
    checks = [check.__name__ for check in checks_of_step(STEP["2.3"])]
    of_eps = next(name for name in checks if name.startswith("eps"))
    rest = [name for name in checks if name != of_eps]
    made = Made("default-eps-1e-12", "", True, rest[:2], rest[0], checks[2:])
    hunt = begun(STEP["2.3"], made, 1)
    assert hunt.options[KEYS.index(hunt.right)] == rest[0] and of_eps not in hunt.options


def test_a_sentence_that_does_not_say_what_failed_is_no_option() -> None:
    reaches = "The gradient reaches x."
    for sentence, kind, shows, said in (
        (reaches, "gradient", "no-gradient", True),
        (reaches, "gradient", None, False),
        (reaches, "values", None, False),
        ("It is the formula.", "values", None, True),
        ("The formula is written out.", "rule", None, False),
    ):
        result = CheckResult("one", sentence, "fail", kind=kind, shows=shows)
        assert is_said(result) is said


def test_a_limit_is_not_hunted() -> None:
    """A higher limit would be no repair, and no check can try them all."""
    right = "def f(k, dim=-1, eps=1e-5, base=10000):\n    return k\n"
    for other, adds in (
        (right.replace("return k", "return k[:, :64]"), True),
        (right.replace("return k", "return k if dim < 1e6 else k"), True),
        (right.replace("return k", "return k[:, 1:].transpose(1, 2)"), False),
        (right.replace("10000", "1000"), False),
        (right.replace("-1", "-2"), False),
    ):
        assert adds_a_number(other, right) is adds


@pytest.mark.parametrize("step", STEP.values(), ids=lambda step: step.name)
def test_the_line_that_is_shown_at_the_end_is_the_edits(step: Any) -> None:
    """It is no line of the right file, or one that the mistake has removed."""
    right = solution(step)
    for name, mistake in list(mistakes(step).items())[:: 1 if os.environ.get("CI") else 8]:
        wrong = with_mistake(right, mistake)
        where, shown = place_of(mistake, right)
        assert wrong is not None and lines_apart(wrong, right) > 0, name
        was = right if "missing" in where else wrong
        assert shown.strip(" …") and shown.strip(" …") in was and re.search(r"line \d+", where), (
            name
        )
    assert place_of(Mistake("Says.", {"not there": ""}), right) == []


@pytest.mark.parametrize(
    ("edit", "where", "shown"),
    [
        ({"import torch\n": "import math\n\nimport torch\n"}, 1, "import math"),
        (
            {"import torch\n": "import math\n\nimport torch\n", "k + 1": "math.e"},
            8,
            "return math.e",
        ),
        ({"# Add.\n    return k + 1": "# Add\n\n    return k"}, 6, "return k"),
    ],
)
def test_the_line_of_a_mistake_is_one_of_code(edit: dict[str, str], where: int, shown: str) -> None:
    """An import that the mistake needs brings empty lines, and these are not the mistake."""
    right = "import torch\n\n\ndef f(k):\n    # Add.\n    return k + 1\n"
    assert place_of(Mistake("Says.", edit), right) == [f"It was line {where}:", f"  {shown}"]


def test_a_comment_goes_with_its_code() -> None:
    """Else a comment without code shows the place."""
    rest = "    # Return it.\n    return k\n"
    right = f"def f(k):\n    # Refuse it.\n    # Name it.\n    check(k)\n{rest}"
    found = with_mistake(right, Mistake("It is not refused.", {"    check(k)\n": ""}))
    assert found == f"def f(k):\n{rest}"


def test_a_name_that_no_line_uses_is_not_hunted() -> None:
    right = "def f(x):\n    _, mean = g(x)\n    return x - mean\n"
    assert not leaves_a_name(right.replace("- mean", "+ mean"), right)
    assert leaves_a_name(right.replace("x - mean", "x"), right)
