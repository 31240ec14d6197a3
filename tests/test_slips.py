"""Every slip, wherever it can be made in a solution, is rejected and named."""

from __future__ import annotations

import ast
import os
import re
from typing import Any

import pytest
from conftest import STEP
from kept import part
from slips import slips
from slips_by_hand import BY_HAND, NO_SLIPS, NONE

from checks.contents import STEPS, Step
from checks.engine.asking.forms import error_of
from checks.engine.asking.received import with_article
from checks.engine.files.source import solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.naming.properties import PROPERTIES
from checks.engine.naming.slips_of_arguments import unlike_skeleton
from checks.engine.naming.slips_of_layers import unused
from checks.engine.naming.slips_of_values import append_kept
from checks.engine.verdicts import CheckResult

EVERY, BY_HAND_EVERY = (36, 4) if os.environ.get("CI") else (150, 24)
SEED = 7
# Known mistakes of a step that are the same slip, in the words of the step.
ALSO = {
    "method-not-called": {"error-without-numbers"},
    "super-init-late": {"no-super-init"},
    "none-used": {"dropout-always-called", "mask-needs-a-mask"},
    "self-forgotten": {"split-not-found"},
    "no-self": {"eps-misnamed", "third-add-norm-not-made"},
    "layer-not-called": {"layer-for-weight"},
    "only-described": {"misspelt"},  # A name that resembles it is meant, perhaps.
}


def edited(id: str, edit: dict[str, str]) -> str:
    text = solution(STEP[id])
    for find, replacement in edit.items():
        assert text.count(find) == 1, find
        text = text.replace(find, replacement)
    return text


def every() -> list[Any]:
    made = part([(s, name, what, text) for s in STEPS for name, what, text in slips(s)], EVERY)
    made += [
        (STEP[id], name, "by-hand", edited(id, edit))
        for id, name, edit in part(BY_HAND, BY_HAND_EVERY)
    ]
    return [pytest.param(*m, id=f"{m[0].id}-{m[1]}-{m[2]}-{n}") for n, m in enumerate(made)]


def cause(host: Host, step: Step, text: str) -> CheckResult | None:
    passed = frozenset(other.id for other in STEPS if other is not step)
    judge = Judge(host, solutions().with_text(step, text), SEED, passed=passed)
    return judge.run([step])[0].cause


@pytest.mark.parametrize(("step", "name", "what", "text"), every())
def test_a_slip_is_rejected_and_named(
    versions_host: Host, step: Step, name: str, what: str, text: str
) -> None:
    found = cause(versions_host, step, text)
    assert found is not None and found.verdict in ("fail", "error")
    assert found.mistake is not None, found.message
    assert found.mistake.name in {name, *ALSO.get(name, ())}, found.mistake
    assert "{" not in found.mistake.says
    if found.mistake.name in PROPERTIES:
        assert all(len(part.split()) <= 25 for part in re.split(r"[.:?] ", found.mistake.says))


@pytest.mark.parametrize(("id", "name", "edit"), NO_SLIPS)
def test_what_only_looks_like_a_slip_is_not_named_so(
    versions_host: Host, id: str, name: str, edit: dict[str, str]
) -> None:
    found = cause(versions_host, STEP[id], edited(id, edit) + NONE)
    assert found is not None and found.verdict == "error"
    assert found.mistake is None or found.mistake.name != name


def test_all_numbers_that_an_error_lacks_are_said(versions_host: Host) -> None:
    edit = {"{seq_length} tokens, but max_len is {max_len}": "too many tokens"}
    found = cause(versions_host, STEP["1.2"], edited("1.2", edit))
    assert found is not None
    assert re.search(r"It should name \d+ and \d+\.", found.message), found.message


def test_the_line_of_a_comma_is_named(versions_host: Host) -> None:
    layer = "self.linear1 = nn.Linear(dim_vector, dim_hidden)"
    text = edited("2.5", {layer: f"{layer},"})
    found = cause(versions_host, STEP["2.5"], text)
    assert found is not None and found.mistake is not None
    line = text[: text.index(layer)].count("\n") + 1
    assert f"self.linear1 is a tuple: there is a comma at the end of line {line}." in (
        found.mistake.says
    )
    assert "linear1 is a plain list, tuple or dict" in found.message


def test_the_names_of_a_whole_statement_are_shown(versions_host: Host) -> None:
    found = cause(versions_host, STEP["5.3"], edited("5.3", {"logits.flatten(0, 1),": "logits,"}))
    assert found is not None and "return F.cross_entropy(" in found.message
    assert re.search(r"logits: \(.*\) float32\n +targets: \(.*\) int64", found.message)


def test_a_short_message_keeps_the_line_of_the_step(versions_host: Host) -> None:
    text = edited("3.2", {"layer(x, src_mask)": "layer(src, src_mask)"})
    found = cause(versions_host, STEP["3.2"], text)
    assert found is not None and found.shorter
    for message in (found.message, *found.shorter):
        assert "s3_encoder/encoder.py" in message and "multi_head_attention.py" in message
        assert "x = layer(src, src_mask)" in message


@pytest.mark.parametrize(
    ("find", "replacement", "advice"),
    [
        ("        score = score.masked", "\tscore = score.masked", "no tabs"),
        ("    attention = score", "   attention = score", "the same number of blanks"),
        ("        score = score.masked", "    score = score.masked", "four blanks further right"),
        ("    score = q", "      score = q", "more blanks in front"),
    ],
)
def test_wrong_blanks_get_advice(
    versions_host: Host, find: str, replacement: str, advice: str
) -> None:
    found = cause(versions_host, STEP["2.1"], edited("2.1", {find: replacement}))
    assert found is not None and advice in found.message, found.message


def test_a_file_that_begins_with_a_mark_of_its_encoding_has_names(versions_host: Host) -> None:
    """Some editors of Windows write one."""
    found = cause(versions_host, STEP["1.2"], "\ufeff" + edited("1.2", BY_HAND[3][2]))
    assert found is not None and found.mistake is not None
    assert found.mistake.name == BY_HAND[3][1]


@pytest.mark.parametrize(
    ("id", "edit", "line"),
    [
        ("2.2", {"return x.transpose(1, 2)": "x.transpose(1, 2)"}, "x.transpose(1, 2).flatten(2)"),
        ("2.2", {"        super().__init__()\n": ""}, "def __init__("),
        ("2.2", {"def merge(": "def merg("}, "def merg("),
        ("2.5", {"self.linear1 =": "linear1 ="}, "linear1 ="),
        ("2.5", {"self.dropout = nn.Dropout(dropout)": "self.dropout = dropout,"}, "dropout,"),
    ],
)
def test_the_line_is_that_of_the_slip(
    versions_host: Host, id: str, edit: dict[str, str], line: str
) -> None:
    """Not the one where the step stopped."""
    text = edited(id, edit)
    found = cause(versions_host, STEP[id], text)
    assert found is not None and found.where is not None
    assert line in text.splitlines()[found.where.line - 1]


def test_a_word_has_its_article() -> None:
    words = ("Embedding", "iterator", "list", "UserWarning", "uint8", "UnboundLocalError")
    said = "an Embedding, an iterator, a list, a UserWarning, a uint8, an UnboundLocalError"
    assert ", ".join(map(with_article, words)) == said


def test_a_definition_is_compared_with_that_of_the_skeleton() -> None:
    """decode resembles encode, which is missing; but the skeleton has it, too."""
    text = edited("5.2", {"def encode(": "def vectors("}) + "\n\nclass Own:\n    def part(x): ...\n"
    found = unlike_skeleton(ast.parse(text), STEP["5.2"].path)
    assert found == {"Own.part": ("self-not-a-parameter", "Own.part")}
    text = edited("2.2", {"    def merge(": "    pass\n\ndef merge("})
    found = unlike_skeleton(ast.parse(text), STEP["2.2"].path)
    assert found["MultiHeadAttention.merge"] == ("method-outside", "merge", "MultiHeadAttention")


def test_a_method_of_the_learner_may_append() -> None:
    line = "longer = longer.append(cache)\n"
    assert append_kept(ast.parse(line)) == ("append-kept", "longer.append", "longer")
    assert append_kept(ast.parse(f"{line}def append(self): return self\n")) is None
    assert append_kept(ast.parse("other = longer.append(cache)")) is None


def test_none_in_an_attribute_is_no_missing_return(versions_host: Host) -> None:
    edit = {"        self.attention_weights = attention.detach()\n": ""}
    found = cause(versions_host, STEP["2.2"], edited("2.2", edit))
    assert found is not None and found.mistake is not None
    assert "attention_weights is still None" in found.message
    assert "attention_weights is still None after a call" in found.mistake.says
    assert "return" not in found.message


@pytest.mark.room
def test_a_pair_that_is_missing_leads_to_encode(versions_host: Host) -> None:
    edit = {"return self.encoder(src, src_mask), src_mask": "return self.encoder(src, src_mask)"}
    found = cause(versions_host, STEP["5.2"], edited("5.2", edit))
    assert found is not None and found.mistake is not None
    assert found.mistake.says.startswith("encode returns only the vectors.")


def test_what_may_have_been_meant_is_bounded_where_it_arrives() -> None:
    near = ["nn.ReLU", 3, "two words", "x" * 500, None, *(["again"] * 100)]
    told = error_of({"error": {"type": "NameError", "near": near}})
    assert told is not None
    assert told["near"][0] == "nn.ReLU" and set(told["near"]) == {"nn.ReLU", "again"}
    assert len(told["near"]) <= 20


def test_the_numbers_of_an_error_are_bounded_where_they_arrive() -> None:
    sums = [[3.0, 1.5, float("nan")], [1.0, 2.0], [1, 2, 10**400], "no", *([[1.0, 1.0, 1.0]] * 100)]
    told = error_of({"error": {"type": "RuntimeError", "operands": sums}})
    assert told is not None and len(told["operands"]) <= 20
    assert all(len(three) == 3 and set(map(type, three)) == {float} for three in told["operands"])


@pytest.mark.parametrize(
    ("made", "read", "found"),
    [
        ("nn.Linear(3, 4)", "x", ["self.part"]),
        ("nn.Parameter(torch.ones(3))", "x", ["self.part"]),
        ("AddNorm(3)", "x", ["self.part"]),
        ("nn.Linear(3, 4)", "self.part(x)", []),
        ("nn.Linear(3, 4)", "getattr(self, 'part')(x)", []),
        ("nn.Dropout(0.1)", "F.dropout(x, 0.1)", []),
        ("size", "x", []),
    ],
)
def test_a_layer_is_unused_if_nothing_reads_it(made: str, read: str, found: list[str]) -> None:
    init = f"    def __init__(self, size):\n        self.part = {made}\n"
    forward = f"    def forward(self, x):\n        return {read}\n"
    assert unused(ast.parse(f"class Part(nn.Module):\n{init}{forward}")) == found


def test_every_kind_of_slip_is_made() -> None:
    made = {name for step in STEPS for name, _, _ in slips(step)}
    made |= {name for _, name, _ in BY_HAND}
    spoken_of = list(PROPERTIES)[list(PROPERTIES).index("number-called") :]
    assert made == set(spoken_of)
