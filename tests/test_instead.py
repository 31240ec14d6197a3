"""What else wrong numbers are right for, and parameters that are called in other ways."""

from __future__ import annotations

from typing import Any

import pytest
from causes import cause
from conftest import Run

from checks.engine.asking.roles import readings, told_by_names
from checks.truth import models

pytestmark = pytest.mark.room


@pytest.mark.parametrize(
    ("id", "edit", "sentence"),
    [
        (
            "4.3",
            ("src_mask)\n        return", "src_mask if x.size(1) % 2 else None)\n        return"),
            "Without src_mask, these numbers would be right.",
        ),
        (
            "3.3",
            ("layer(x, src_mask)", "layer(x, src_mask if src_mask is None else src_mask[:1])"),
            "With the src_mask of sentence 0 for all sentences, these numbers would be right.",
        ),
        (
            "4.1",
            (
                "x = self.add_norm2(x, attended)",
                "x = self.add_norm3.layer_norm(x + self.add_norm2.dropout(attended))",
            ),
            "With add_norm3 also in the place of add_norm2, these numbers would be right.",
        ),
        (
            "2.2",
            ("self.split(self.w_v(v))", "self.split(nn.functional.linear(v, self.w_v.weight))"),
            "Without w_v.bias, these numbers would be right.",
        ),
    ],
)
def test_what_the_numbers_are_right_for_is_said(
    run: Run, submission: Any, id: str, edit: tuple[str, str], sentence: str
) -> None:
    found = cause(run, submission, id, edit)
    assert found.mistake.name == "one-place"
    assert sentence in found.message


def test_numbers_are_shown_where_the_names_tell_the_roles(run: Run, submission: Any) -> None:
    """No reading explains a wrong computation, but attn.w_q can only be the attention's w_q."""
    found = cause(
        run,
        submission,
        "3.1",
        ("self.self_attention = ", "self.attn = "),
        ("self.self_attention(x, x, x, src_mask)", "self.attn(x, x, x, src_mask).tanh()"),
        ("self.feed_forward = ", "self.ffn = "),
        ("self.feed_forward(x)", "self.ffn(x)"),
    )
    assert "expected row 0" in found.message
    assert "Either the computation is wrong" not in found.message


@pytest.mark.parametrize(
    ("rename", "told"),
    [({"self_attention": "attn", "feed_forward": "ffn"}, True), ({"w_q": "a", "w_k": "b"}, False)],
)
def test_names_tell_the_roles_or_do_not(rename: dict[str, str], told: bool) -> None:
    roles = models.encoder_layer_shapes(6, 11)
    named = []
    for role, shape in roles.items():
        name = role
        for own, other in rename.items():
            name = name.replace(own, other)
        named.append((name, shape))
    first = next(readings(tuple(named), tuple(roles.items()), (("dim_vector", 6), ("n_head", 3))))
    assert told_by_names(tuple(named), first) == told


def test_the_mode_of_a_call_is_said(run: Run, submission: Any) -> None:
    """And what is random is not taken for something that an earlier call has left."""
    edit = (
        "return self.pe[:seq_length]",
        "start = int(torch.randint(0, max_len - seq_length + 1, ())) if self.training else 0\n"
        "        return self.pe[start : start + seq_length]",
    )
    found = cause(run, submission, "1.2", edit)
    assert "in train mode with x" in found.message
    assert "If this is the first call" not in found.message


def test_a_gated_network_may_have_the_names_of_llama(run: Run, submission: Any) -> None:
    gate, up, down = (f"self.{name}" for name in ("gate", "up", "down"))
    names = ((f"{gate} =", "self.w1 ="), (f"{up} =", "self.w3 ="), (f"{down} =", "self.w2 ="))
    found = cause(
        run,
        submission,
        "6.3",
        *names,
        (f"{down}(F.silu({gate}(x)) * {up}(x))", "x + self.w2(F.silu(self.w1(x)) * self.w3(x))"),
    )
    assert found.mistake.name == "residual-inside"


def test_of_many_parameters_their_shapes_are_counted(run: Run, submission: Any) -> None:
    found = cause(
        run,
        submission,
        "3.3",
        ("self.embedding = ", "self.words = "),
        ("self.embedding(src)", "self.words(src)"),
        ("self.layers = ", "self.stack = "),
        ("in self.layers", "in self.stack"),
        ("self.norm = LayerNorm(dim_vector)", "self.norm = LayerNorm(dim_hidden)"),
    )
    assert "By their shapes, it lacks 2 × (6,) and has 2 × (11,) too many." in found.message


def test_what_a_training_step_reports_may_be_detached(run: Run, submission: Any) -> None:
    """No gradient goes through it, and none is needed."""
    found = cause(
        run,
        submission,
        "5.3",
        (
            "nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
            "for half in model.children():\n"
            "        nn.utils.clip_grad_norm_(half.parameters(), max_norm)",
        ),
        ("return loss.item()", "return loss.detach().item()"),
    )
    assert "no gradient goes through it" not in found.message
