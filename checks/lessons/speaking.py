"""The number tables of step 6.8: a file of weights, a loss, and real weights."""

import numpy as np

from checks.lessons.layout import grid, table
from checks.s6_today.language_model.truth import language_model_shapes
from checks.s6_today.speak.truth import in_the_file, text_loss
from checks.speaking.table import as_text

SMOL = (49152, 576, 9, 3, 1536, 30)  # vocab_size, dim_vector, the heads, dim_hidden, num_layer.


@table
def tensors_of_the_file() -> str:
    """Names, shapes and counts of the tensors of a real model of 30 layers, in its first layer."""
    shapes = language_model_shapes(*SMOL)
    by_role = {role: np.lib.stride_tricks.as_strided(0.0, shape) for role, shape in shapes.items()}
    file = in_the_file(by_role, 30)
    first = {name: tensor for name, tensor in file.items() if not name.startswith("blk.")}
    first |= {name: tensor for name, tensor in file.items() if name.startswith("blk.0.")}
    rows = [f"{name:26}{tensor.shape!s:14}{tensor.size:>12,}" for name, tensor in first.items()]
    others, numbers = len(file) - len(first), sum(tensor.size for tensor in file.values())
    rows.append(f"{f'… {others} of the other 29 layers':40}")
    rows.append(f"{f'all {len(file)} tensors':40}{numbers:>12,}")
    return "\n".join(row.rstrip() for row in rows)


CHANCES = np.array([[0.1, 0.2, 0.2, 0.5], [0.25, 0.5, 0.15, 0.1], [0.6, 0.1, 0.2, 0.1]])
TEXT = [2, 3, 0, 1]


@table
def loss_of_a_text() -> str:
    """What the loss of four tokens is made of."""
    p = CHANCES[range(3), TEXT[1:]]
    scores = np.log(np.vstack([CHANCES, CHANCES[:1]]))[None]
    loss = text_loss(scores, np.array([TEXT]))
    rows = [f"token {token}, after {TEXT[: n + 1]}" for n, token in enumerate(TEXT[1:])]
    text = grid(np.stack([p, -np.log(p)], axis=1), rows, ["p", "-ln p"])
    return f"{text}\n\nloss {loss:.4f}    perplexity {np.exp(loss):.4f}"


@table
def tokens_read() -> str:
    """How many tokens the model reads in all, to go on from a text of 20 tokens."""
    given, new = 20, np.array([1, 10, 100, 1000])
    rows = [given + new - 1, given * new + new * (new - 1) // 2]
    return grid(rows, ["with caches", "without"], [f"{n} new" for n in new], 0)


@table
def with_real_weights() -> str:
    """What each mistake does to a real model: the loss, read at once and in pieces with caches."""
    return as_text()
