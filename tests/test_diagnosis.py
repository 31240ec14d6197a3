"""What a learner reads about a mistake: its name if it is proven, else what is certain."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from causes import ATTENTION, cause, edited
from conftest import STEP, Run, Said, solve, typed

from checks.engine.asking.learner import Files
from checks.engine.known import Mistake, mistakes
from checks.engine.language import checks_of
from checks.engine.naming import replays as remembered
from checks.engine.naming.properties import PROPERTIES
from checks.engine.verdicts import CheckResult, Named


def test_submissions_side_by_side_forget_replays_without_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`grade` judges several submissions at once, and all of them share the replays of before."""
    step = STEP["1.1"]
    no_host: Any = None  # Nothing is played.
    monkeypatch.setattr(remembered, "KEPT", 1)
    monkeypatch.setattr(remembered, "_ANSWERS", {})
    monkeypatch.setattr(remembered.Replays, "play", lambda self, sources, requests: [[1]])

    def judge(submission: int) -> list[list[list[int]]]:
        file = (step.path, step.path, f"# {submission}".encode())
        files = Files(".", {step.module: file, "another": file}, step.path)
        with remembered.Replays(no_host, step, files, {}) as replays:
            return [replays.replay([None], []) for _ in range(20)]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as submissions:
            assert list(submissions.map(judge, range(400))) == [[[[1]]] * 20] * 400
    finally:
        sys.setswitchinterval(before)


# Known mistakes


def test_a_mistake_in_other_words_is_named(run: Run, submission: Any) -> None:
    """Other names, other operations, another fill: the same numbers, the same mistake."""
    own = """
import torch


def calculate_attention(a, b, c, hide=None, drop=None):
    s = torch.einsum("bhqd,bhkd->bhqk", a, b) / a.shape[-1]
    if hide is not None:
        s = torch.where(hide.bool(), s, torch.full_like(s, -1e20))
    w = torch.exp(s - s.amax(-1, True))
    w = w / w.sum(-1, True)
    return (w if drop is None else drop(w)) @ c, w
"""
    found = run(submission({ATTENTION: own}), "2.1", alone=True)[0].cause
    assert found.mistake.name == "scale-without-root"


def test_a_mistake_under_other_attribute_names_is_named(run: Run, submission: Any) -> None:
    """Parameters that cannot be told apart by name: the numbers tell, of right and wrong alike."""
    path = "s2_attention/multi_head_attention.py"
    edit = (
        "calculate_attention(q, k, v, mask, self",
        "calculate_attention(q / 3**0.5, k, v, mask, self",
    )
    text = edited(path, edit)
    for name, other in (("w_q", "a"), ("w_k", "b"), ("w_v", "c"), ("self.linear", "self.d")):
        text = text.replace(name, other)
    found = run(submission({path: text}), "2.2", alone=True)[0].cause
    assert found.mistake.name == "scale-of-whole-width" and found.kind == "values"


@pytest.mark.parametrize(
    ("id", "name", "edits"),
    [
        (
            "2.1",
            "argument-changed",
            [("return attention @ v", "out = attention @ v\n    k.data.mul_(2)\n    return out")],
        ),
        ("2.5", "nothing-returned", [("return self.linear2", "y = self.linear2")]),
        (
            "2.2",
            "plain-list",
            [
                ("self.w_q = nn.Linear(dim_vector, dim_vector)", "pass"),
                (
                    "self.w_k = nn.Linear(dim_vector, dim_vector)",
                    "self.inner = [nn.Linear(dim_vector, dim_vector) for _ in range(2)]",
                ),
                ("self.w_q(q)", "self.inner[0](q)"),
                ("self.w_k(k)", "self.inner[1](k)"),
            ],
        ),
    ],
)
def test_a_mistake_of_structure_is_named(
    run: Run, submission: Any, id: str, name: str, edits: list[tuple[str, str]]
) -> None:
    found = cause(run, submission, id, *edits)
    assert found.mistake is not None
    known = mistakes(STEP[id]).get(found.mistake.name)
    assert found.mistake.name == name or isinstance(known, Mistake)
    says = PROPERTIES.get(found.mistake.name) or known.says
    assert found.mistake.says == says


@pytest.mark.parametrize(
    ("step", "edit", "name"),
    [
        ("2.1", ("q @ k.transpose(-2, -1)", "(q.mT).matmul(k)"), "queries-transposed"),
        ("2.1", ("q @ k.transpose(-2, -1)", "(2 * q).mT @ k"), "one-place"),
        ("2.5", ("self.linear1(x)", "x @ self.linear1.weight"), "weight-untransposed"),
        ("2.5", ("self.linear1(x)", "x @ (2 * self.linear1.weight)"), "one-place"),
    ],
)
def test_the_same_words_of_an_error_are_no_proof(
    run: Run, submission: Any, step: str, edit: tuple[str, str], name: str
) -> None:
    """Other wrong shapes may end in the same sentence of PyTorch's: the numbers must agree, too."""
    found = cause(run, submission, step, edit)
    assert found.verdict == "error" and found.mistake.name == name


def test_what_is_not_known_is_not_named(run: Run, submission: Any) -> None:
    """A mistake that nobody listed: its place, how far it was right, and what can be said."""
    found = cause(
        run, submission, "2.1", ("attention = score.softmax(dim=-1)", "attention = score.cos()")
    )
    assert found.mistake.name == "one-place"
    assert "Correct so far: scores" in found.message and "`" not in found.message
    assert "equals no value of the formula" in found.message and "= 0." in found.message


@pytest.mark.parametrize(("fill", "right"), [('float("-inf")', True), ("-1000", False)])
def test_masked_scores_are_right_only_if_they_leave_no_weight(
    run: Run, submission: Any, fill: str, right: bool
) -> None:
    """Where all scores are very low, a fill of -1000 is too high, minus infinity is not."""
    wrong = ("score.softmax(dim=-1)", "score.softmax(dim=-1).pow(2 if score.max() < -900 else 1)")
    found = cause(run, submission, "2.1", wrong, ('float("-inf")', fill))
    assert found.mistake.name == "one-place"
    assert ("Correct so far: masked_scores." in found.message) == right


def test_a_right_layer_is_not_blamed_for_what_goes_in(run: Run, submission: Any) -> None:
    edit = ("self.relu(self.linear1(x))", "self.relu(self.linear1(x)).cos()")
    found = cause(run, submission, "2.5", edit)
    assert "What comes out of your dropout, of shape (2, 4, 11), equals no value" in found.message
    assert "What goes in may be wrong already" in found.message


def test_what_goes_wrong_first_is_said(run: Run, submission: Any) -> None:
    found = cause(
        run,
        submission,
        "3.1",
        (
            "self.self_attention(x, x, x, src_mask)",
            "self.self_attention(x, x, x.roll(1, 1), src_mask)",
        ),
    )
    assert found.mistake.name == "one-place"
    assert "The first wrong value is self_attention. Look at its line" in found.message


def test_one_of_two_mistakes_is_named_and_no_third(run: Run, submission: Any) -> None:
    found = cause(run, submission, "2.1", (" / math.sqrt(q.size(-1))", ""), ("== 0", "!= 0"))
    assert found.mistake.name == "no-scale"


# On the screen


def test_the_screen_and_the_hints_begin_with_the_mistake(said: Said, course: Path) -> None:
    solve(course, "2.1")
    (course / ATTENTION).write_text(edited(ATTENTION, (" / math.sqrt(q.size(-1))", "")), "utf-8")
    says = mistakes(STEP["2.1"])["no-scale"].says
    shown = said(course, "2.1").stdout
    assert says in " ".join(shown.split()) and "Proof: " in shown
    data = json.loads(said(course, "2.1", "--json").stdout)
    named = [check["mistake"] for check in data["steps"][0]["checks"] if check["mistake"]]
    assert named == [{"name": "no-scale", "says": says}]

    first, second = (" ".join(said(course, "hint", "2.1").stdout.split()) for _ in range(2))
    assert says in first and "Make `score`" in first and "hint 1 of" in first
    assert says not in second and "hint 2 of" in second
    assert said(course, "hint", "2.1", "--all").returncode == 2

    solve(course, "2.1")
    assert said(course, "2.1").returncode == 0
    everything = said(course, "hint", "2.1", "--all").stdout
    assert everything.count("hint ") >= 3 and says not in " ".join(everything.split())


@pytest.mark.room
def test_proof_is_judged_while_you_watch(course: Path) -> None:
    page = typed(course, "proof", "2.4")
    assert page.returncode == 0, page.stdout
    count = len(mistakes(STEP["2.4"]))
    assert f"rejects {count} of {count} wrong versions" in page.stdout

    file = course / "checks/engine/asking/compare.py"  # A blind checker cannot hide.
    text = file.read_text("utf-8")
    file.write_text(text.replace("return ~(np.abs", "return False & ~(np.abs"), "utf-8")
    blind = typed(course, "proof", "2.4", "--json")
    data = json.loads(blind.stdout)
    assert blind.returncode == 1
    assert data["wrong_rejected"] + data["right_accepted"] < data["wrong"] + data["right"]
    assert {"name", "kind", "says", "seen", "verdict", "check"} == data["steps"][0]["versions"][
        0
    ].keys()


def test_every_property_is_shown_by_some_check() -> None:
    """A name that nothing raises would be a promise that nobody keeps."""
    machine = Path(checks_of.__code__.co_filename).parent
    raised = "".join(p.read_text("utf-8") for p in machine.parent.rglob("*.py"))
    for name in PROPERTIES:
        assert raised.count(f'"{name}"') >= 2, name
    named = CheckResult("", "", "fail", mistake=Named("a or b", "c", is_one_of_two=True))
    assert named.as_json()["mistake"] == {"name": "a or b", "says": "c"}


@pytest.mark.room
def test_a_name_does_not_hang_on_a_choice_made_earlier(run: Run, submission: Any) -> None:
    files = {
        ATTENTION: edited(ATTENTION, ('float("-inf")', "-10000")),
        STEP["5.2"].path: edited(
            STEP["5.2"].path,
            ("get_trg_mask(trg, self.trg_pad_idx)", "get_trg_mask(trg, self.src_pad_idx)"),
        ),
    }
    found = run(submission(files), "5.2", alone=True)[0].cause
    assert found.mistake is not None and "src_pad_idx instead of trg_pad_idx" in found.mistake.says


@pytest.mark.room
def test_of_two_that_nobody_can_tell_apart_both_are_named(run: Run, submission: Any) -> None:
    edit = (
        "            x = layer(x, src_mask)\n        return x",
        "            out = layer(x, src_mask)\n        return out",
    )
    found = cause(run, submission, "3.2", edit)
    assert found.mistake.name == "layers-not-chained or only-last-layer"
    for name in ("layers-not-chained", "only-last-layer"):
        assert mistakes(STEP["3.2"])[name].says in found.mistake.says
