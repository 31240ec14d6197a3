"""Every slip, wherever it can be made in a solution, is rejected and named."""

from __future__ import annotations

import ast
import os
import re
from typing import Any

import pytest
from slips import slips

from checks.contents import STEPS, Step
from checks.engine.asking.answers import error_of
from checks.engine.asking.received import with_article
from checks.engine.course.source import solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.naming.properties import PROPERTIES
from checks.engine.naming.slips_of_layers import unused
from checks.engine.naming.slips_of_values import append_kept
from checks.engine.verdicts import CheckResult

EVERY = 1 if os.environ.get("ALL") else 3 if os.environ.get("CI") else 50
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
BY_HAND = [
    ("2.1", "none-used", {"    if mask is not None:\n        ": "    mask = mask.bool()\n    "}),
    ("2.1", "method-not-called", {"q.size(-1)": "q.size[-1]"}),
    ("2.1", "value-called", {"q.size(-1)": "q.shape()[-1]"}),
    ("1.2", "not-raised", {"raise ValueError": "ValueError"}),
    ("1.2", "returned-error", {"raise ValueError": "return ValueError"}),
    ("5.6", "returned-error", {"raise ValueError": "return ValueError"}),
    ("5.3", "method-not-called", {"loss.backward()": "loss.backward"}),
    ("6.8", "f-missing", {'f"blk.{n}.attn_q.weight"': '"blk.{n}.attn_q.weight"'}),
    ("2.2", "not-raised", {"raise ValueError": "ValueError"}),
    ("2.4", "definition-misspelt", {"def __init__": "def __int__"}),
    ("5.2", "definition-misspelt", {"def encode(": "def enocde("}),
    ("5.3", "definition-misspelt", {"def sequence_loss(": "def sequence_los("}),
    ("3.3", "definition-misspelt", {"class PreNormEncoderLayer": "class PreNormEncoderLyer"}),
    ("2.3", "module-called", {"nn.Parameter(torch.ones": "nn.parameter(torch.ones"}),
    ("5.2", "never-kept", {"        self.trg_pad_idx = trg_pad_idx\n": ""}),
    ("2.1", "misspelt", {"score.softmax(": "score.softMax("}),
    ("2.1", "misspelt", {"score.softmax(": "softmax(score, "}),
    ("2.2", "misspelt", {"self.linear = nn.Linear(": "self.linear = Linear("}),
    ("2.2", "wrong-place", {"v, mask, self.dropout": "v, self.dropout"}),
    (
        "3.1",
        "wrong-place",
        {"self.self_attention(x, x, x, src_mask)": "self.self_attention(x, x, src_mask)"},
    ),
    (
        "2.1",
        "argument-unread",
        {"if mask is not None": "if False", "mask == 0": "k == 0", "math.sqrt(q": "(3 + q"},
    ),
    (
        "2.4",
        "tuple-used",
        {"x + self.dropout(sublayer_output)": "(x, self.dropout(sublayer_output))"},
    ),
    ("2.3", "leaf-changed", {"return self": "self.gamma.mul_(1)\n        return self"}),
    ("2.5", "class-not-called", {"nn.ReLU()": "nn.ReLU"}),
    (
        "2.5",
        "layer-made-not-applied",
        {
            "return self.linear2(self.dropout(self.relu(self.linear1(x))))": (
                "wide = self.linear1(x)\n"
                "        wide = nn.ReLU(wide)\n        wide = self.dropout(wide)\n"
                "        return self.linear2(wide)"
            )
        },
    ),
    ("2.5", "python-max", {"self.relu(": "max(0, "}),
    ("4.2", "list-called", {"x = layer(x, enc": "x = self.layers(x, enc"}),
    ("5.1", "and-or-not", {"real & past": "real and past"}),
    ("5.4", "no-return", {"    return max(hypotheses": "    max(hypotheses"}),
    ("5.6", "if-tensor", {"if empty:": "if ~real.any(dim=1):"}),
    ("1.3", "wrong-place", {"dim_vector, padding_idx)": "dim_vector, dropout)"}),
    ("2.1", "only-described", {"math.sqrt(q.size(-1))": "math.sqrt(dim_split)"}),
    ("2.1", "power-sign", {"math.sqrt(q.size(-1))": "q.size(-1) ^ 0.5"}),
    ("2.2", "float-for-int", {"self.n_head = n_head": "self.n_head = n_head / 1"}),
    ("2.2", "float-for-int", {"x.transpose(1, 2).flatten(2)": "x.transpose(2 / 2, 2).flatten(2)"}),
    (
        "2.3",
        "math-of-tensor",
        {"torch.sqrt(": "sqrt(", "import torch\n": "from math import sqrt\n\nimport torch\n"},
    ),
    ("2.3", "super-not-called", {"super().__init__()": "super.__init__(self)"}),
    ("2.3", "parameter-of-number", {"torch.ones(dim_vector)": "dim_vector"}),
    ("2.5", "weight-untransposed", {"self.linear1(x)": "x @ self.linear1.weight"}),
    ("6.5", "layer-for-weight", {"@ self.embedding.weight.T": "@ self.embedding"}),
    ("2.1", "layer-only-made", {"score.softmax(dim=-1)": "nn.Softmax(dim=-1)"}),
    ("6.3", "layer-made-not-applied", {"F.silu(self.gate(x))": "nn.SiLU(self.gate(x))"}),
    ("2.1", "layer-made-again", {"= dropout(attention)": "= nn.Dropout(dropout)(attention)"}),
    (
        "4.2",
        "layer-not-called",
        {"x = layer(x, encoder_output, trg_mask, src_mask)": "x = x + layer"},
    ),
    ("2.2", "layer-not-called", {"self.linear(self.merge(out))": "self.linear * self.merge(out)"}),
    (
        "3.2",
        "class-not-called",
        {"EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for": "EncoderLayer for"},
    ),
    ("2.2", "method-not-called", {"attention.detach()": "attention.detach"}),
    ("5.3", "method-not-called", {"loss.item()": "loss.item"}),
    ("6.1", "method-not-called", {"x.float().square()": "x.float().square"}),
    ("1.2", "tensor-called", {"self.pe[:seq_length]": "self.pe(seq_length)"}),
    ("2.2", "square-brackets", {"x.transpose(1, 2).flatten(2)": "x.transpose[1, 2].flatten(2)"}),
    (
        "6.6",
        "pair-used",
        {
            "ordered, order = logits.sort(dim=-1, descending=True)": (
                "ordered = logits.sort(dim=-1, descending=True)\n"
                "        order = logits.argsort(dim=-1, descending=True)"
            )
        },
    ),
    (
        "6.6",
        "pair-used",
        {'return logits.masked_fill(share < least, float("-inf"))': "return logits.max(dim=-1)"},
    ),
    ("6.5", "append-kept", {"longer.append(cache)": "longer = longer.append(cache)"}),
    ("2.1", "return-inside-if", {"    return attention @": "        return attention @"}),
    ("1.2", "return-inside-if", {"return self.pe": "    return self.pe"}),
    (
        "2.1",
        "set-inside-if",
        {"    attention = score": "    if mask is not None:\n        attention = score"},
    ),
    ("1.3", "not-imported", {"return self.dropout(": "return np.asarray("}),
    ("1.3", "misspelt", {"from s1_embedding.positional_embedding": "from positional_embedding"}),
    ("5.3", "misspelt", {"optimizer.zero_grad()": "model.zero_grads()"}),
    ("1.1", "keyword-misspelt", {"padding_idx=padding_idx)": "pad_idx=padding_idx)"}),
    (
        "3.2",
        "keyword-misspelt",
        {"n_head, dim_hidden, dropout) for": "n_head, hidden_dim=dim_hidden, dropout=dropout) for"},
    ),
    ("1.2", "definition-misspelt", {'register_buffer("pe"': 'register_buffer("Pe"'}),
    ("1.2", "method-overwritten", {"self.register_buffer(": "self.register_buffer = ("}),
    ("1.4", "no-self", {"self.scale = math": "scale = math", "* self.scale": "* scale"}),
    ("2.2", "layer-unused", {"self.split(self.w_v(v))": "self.split(v)"}),
    ("2.4", "layer-unused", {"self.layer_norm(x": "LayerNorm(x.size(-1))(x"}),
]
# What is no slip, though it looks like one; nothing may be said of it that is not so.
NO_SLIPS = [
    ("2.2", "none-used", {"x.transpose(1, 2).flatten(2)": "self.none(x).flatten(2)"}),
    ("2.2", "none-used", {"return self.linear(self.merge(out))": "return q + self.none(mask)"}),
    ("2.1", "only-described", {"math.sqrt(q.size(-1))": "math.sqrt(nowhere)"}),
    (
        "2.1",
        "power-sign",
        {
            "score.softmax(dim=-1)": "torch.bitwise_xor(score, score)",
            "import math\n": "import math\n\nimport torch\n",
        },
    ),
    ("2.2", "float-for-int", {"dim_vector // self.n_head": "float(dim_vector // self.n_head)"}),
    ("2.2", "comma-makes-tuple", {"self.n_head = n_head": "self.n_head = (n_head,)"}),
    ("2.2", "layer-not-called", {"self.linear(self.merge(out))": "self.merge(self.linear)"}),
    ("2.2", "class-for-object", {"self.w_v = nn.Linear(dim_vector, ": "self.w_v = nn.Linear("}),
    ("2.1", "text-for-number", {'float("-inf")': '"least"'}),
    ("6.6", "pair-used", {"keepdim=True).values": "keepdim=True)[0] @ (1, 2)"}),
    ("6.3", "layer-made-not-applied", {"F.silu(self.gate(x))": "nn.SiLU(False)"}),
    ("2.3", "keyword-misspelt", {"torch.ones(dim_vector))": "torch.ones(dim_vector), nothing=1)"}),
    (
        "2.1",
        "set-inside-if",
        {"    attention = score": "    for attention in ():\n        pass\n    # "},
    ),
    ("2.3", "two-vectors", {"return self.gamma": "return x.new_ones(3) + self.gamma"}),
]
NONE = "\n    def none(self, x: Tensor) -> None:\n        return None\n"


def by_id(id: str) -> Step:
    return next(step for step in STEPS if step.id == id)


def edited(id: str, edit: dict[str, str]) -> str:
    text = solution(by_id(id))
    for find, replacement in edit.items():
        assert text.count(find) == 1, find
        text = text.replace(find, replacement)
    return text


def every() -> list[Any]:
    made = [(s, name, what, text) for s in STEPS for name, what, text in slips(s)][::EVERY]
    made += [(by_id(id), name, "by-hand", edited(id, edit)) for id, name, edit in BY_HAND]
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
    found = cause(versions_host, by_id(id), edited(id, edit) + NONE)
    assert found is not None and found.verdict == "error"
    assert found.mistake is None or found.mistake.name != name


def test_all_numbers_that_an_error_lacks_are_said(versions_host: Host) -> None:
    edit = {"{seq_length} tokens, but max_len is {max_len}": "too many tokens"}
    found = cause(versions_host, by_id("1.2"), edited("1.2", edit))
    assert found is not None
    assert re.search(r"It should name \d+ and \d+\.", found.message), found.message


def test_the_line_of_a_comma_is_named(versions_host: Host) -> None:
    layer = "self.linear1 = nn.Linear(dim_vector, dim_hidden)"
    text = edited("2.5", {layer: f"{layer},"})
    found = cause(versions_host, by_id("2.5"), text)
    assert found is not None and found.mistake is not None
    line = text[: text.index(layer)].count("\n") + 1
    assert f"self.linear1 is a tuple: there is a comma at the end of line {line}." in (
        found.mistake.says
    )
    assert "linear1 is a plain list, tuple or dict" in found.message


def test_the_names_of_a_whole_statement_are_shown(versions_host: Host) -> None:
    found = cause(versions_host, by_id("5.3"), edited("5.3", {"logits.flatten(0, 1),": "logits,"}))
    assert found is not None and "return F.cross_entropy(" in found.message
    assert re.search(r"logits: \(.*\) float32\n +targets: \(.*\) int64", found.message)


def test_a_short_message_keeps_the_line_of_the_step(versions_host: Host) -> None:
    text = edited("3.2", {"layer(x, src_mask)": "layer(src, src_mask)"})
    found = cause(versions_host, by_id("3.2"), text)
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
    found = cause(versions_host, by_id("2.1"), edited("2.1", {find: replacement}))
    assert found is not None and advice in found.message, found.message


def test_a_word_has_its_article() -> None:
    words = ("Embedding", "iterator", "list", "UserWarning", "uint8", "UnboundLocalError")
    said = "an Embedding, an iterator, a list, a UserWarning, a uint8, an UnboundLocalError"
    assert ", ".join(map(with_article, words)) == said


def test_a_method_of_the_learner_may_append() -> None:
    line = "longer = longer.append(cache)\n"
    assert append_kept(ast.parse(line)) == ("append-kept", "longer.append", "longer")
    assert append_kept(ast.parse(f"{line}def append(self): return self\n")) is None
    assert append_kept(ast.parse("other = longer.append(cache)")) is None


def test_none_in_an_attribute_is_no_missing_return(versions_host: Host) -> None:
    edit = {"        self.attention_weights = attention.detach()\n": ""}
    found = cause(versions_host, by_id("2.2"), edited("2.2", edit))
    assert found is not None and found.mistake is not None
    assert "attention_weights is still None" in found.message
    assert "attention_weights is still None after a call" in found.mistake.says
    assert "return" not in found.message


def test_a_pair_that_is_missing_leads_to_encode(versions_host: Host) -> None:
    edit = {"return self.encoder(src, src_mask), src_mask": "return self.encoder(src, src_mask)"}
    found = cause(versions_host, by_id("5.2"), edited("5.2", edit))
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
