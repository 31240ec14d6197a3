"""What a new step begins with. <name> and its like are filled in; AUTHOR is for the author."""

SOLUTION = '''\
"""<title>: AUTHOR what this file makes, in one sentence (source, section).

Lesson: README.md, "<id> <star><title>"        Check: python run_step.py <id>
"""

import torch
from torch import Tensor, nn


class <Name>(nn.Module):
    """AUTHOR: the formula, the parameters with their shapes, what is refused.

    out = gamma * x
    """

    def __init__(self, dim_vector: int):
        super().__init__()
        # AUTHOR: name the thing to make, never the call: this line becomes a TODO.
        self.gamma = nn.Parameter(torch.ones(dim_vector))

    def forward(self, x: Tensor) -> Tensor:
        """(…, dim_vector) -> (…, dim_vector)."""
        # AUTHOR: one instruction for each gap.
        return self.gamma * x
'''

TRUTH = '''\
"""The equation of <name> in NumPy float64: what its checks compare with."""

from __future__ import annotations

from checks.engine.notes import note, noting
from checks.truth.paper import Array, Shapes, Weights


@noting
def <name>(x: Array, weights: Weights) -> Array:
    """AUTHOR: source and number of the equation."""
    scaled = weights["gamma"] * x
    note(scaled=scaled)  # AUTHOR: the values on the way, for learners whose last one is wrong.
    return scaled


def <name>_shapes(dim_vector: int) -> Shapes:
    """The roles of the parameters, with their shapes."""
    return {"gamma": (dim_vector,)}
'''

CHECKS = '''\
"""Checks for <stage>/<name>.py."""

from typing import Any

from checks.engine.language import (
    Array,
    Module,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_sized,
)
from checks.<stage>.<name>.truth import <name>, <name>_shapes
from checks.truth.paper import Weights

DIM_VECTOR = 6


def truth(weights: Weights, x: Array) -> Array:
    return <name>(x, weights)


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    """The learner's layer, with weights drawn by the judge."""
    layer = submission.build("<Name>", dim_vector=DIM_VECTOR, dtype=dtype, **kwargs)
    layer.draw(<name>_shapes(DIM_VECTOR), truth, submission.normal(2, 4, DIM_VECTOR))
    return layer


@check
def it_computes_the_formula(submission: Submission) -> None:
    """AUTHOR: what should hold, in one sentence for the learner."""
    layer = a_layer(submission)
    x = submission.normal(2, 4, DIM_VECTOR)

    out = layer(x)

    expect(out, <name>(x, layer.weights))


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence and on a batch."""
    layer = a_layer(submission)
    for shape in ((6,), (4, 6), (2, 3, 4, 6), (6, 6, 6)):
        x = submission.normal(*shape)

        out = layer(x)

        expect(out, <name>(x, layer.weights))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches the input and every parameter."""
    expect_gradients(a_layer(submission, "float64"), submission.normal(2, 4, DIM_VECTOR))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector is an argument, small or large."""
    for length, dim_vector in ((3, 8), (3, 600), (600, 3)):
        x = submission.normal(2, length, dim_vector)
        shapes = <name>_shapes(dim_vector)
        expect_sized(submission, "<Name>", shapes, truth, x, dim_vector=dim_vector)


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result; the inputs are not changed; it works on any
    device.
    """
    expect_manners(a_layer(submission), submission.normal(2, 4, DIM_VECTOR))
'''

SHOWN = '''"""Shown to learners of <stage>/<name>.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "AUTHOR: a question that leads to the idea?",
    "AUTHOR: the call of PyTorch that is needed, and what it does.",
    "AUTHOR: the line with a gap: out = ____",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 4, "dim_vector": 6},
    """\
layer = <Name>(dim_vector=6)
x = torch.randn(2, 4, 6)
out = layer(x)
""",
)
PICTURES = [Picture("AUTHOR: what is seen here", "out[0]", "token", "feature")]
'''

MISTAKES = '''\
"""What people get wrong in <stage>/<name>.py."""

from checks.engine.known import Mistake

GAMMA_ADDED = Mistake(
    "AUTHOR: what is wrong and why it matters, for the learner.",
    {"self.gamma * x": "self.gamma + x"},
)
'''

RIGHTS = '''\
"""Right versions of <stage>/<name>.py that look different."""

from checks.engine.known import Right

OTHER_ORDER = Right(
    "The factors are exchanged.",
    {"self.gamma * x": "x * self.gamma"},
)
'''

QUESTIONS = '''\
"""Questions about <stage>/<name>.py."""

from __future__ import annotations

from checks.questions.kinds import Case, Draw, question
from checks.<stage>.<name>.truth import <name>


@question(
    "answer = load(<Name>(3), weights)(x)",
    lesson="AUTHOR: a sentence of the lesson that settles it.",
)
def three_entries(draw: Draw) -> Case:
    """AUTHOR: why the right answer is right, in one sentence."""
    x, weights = draw.whole(3, low=1, high=5), {"gamma": draw.whole(3, low=2, high=4)}
    return Case(
        f"AUTHOR: x is {x}, gamma is {weights['gamma']}. What comes out?",
        {"x": x, "weights": weights},
        <name>(x, weights),
        {"gamma-added": weights["gamma"] + x},  # AUTHOR: three mistakes at least.
    )
'''

LESSON = """\
## <id> <star><title>

*Reading: about 1 minute. Writing: about 5 minutes. Difficulty: 1 of 5.*

AUTHOR: what the learner will have at the end; the shapes that go in and come out; the idea in
words; the formula; a small table of numbers; why it is so; where others differ; the source.

**What you need from PyTorch**

| name | what it does | for example | gives |
|---|---|---|---|
| `nn.Parameter` | AUTHOR | `nn.Parameter(torch.ones(2)).shape` | `(2,)` |
| AUTHOR | AUTHOR | `1 + 1` | `2` |
| AUTHOR | AUTHOR | `2 + 1` | `3` |

Check it with `python run_step.py <id>`.
"""
