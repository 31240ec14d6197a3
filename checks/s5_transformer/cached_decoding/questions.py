"""Questions about s5_transformer/cached_decoding.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question
from checks.truth.paper import calculate_attention, positional_embedding

MODEL = """\
model = Transformer(
    src_pad_idx=0, trg_pad_idx=0, encoder_vocab_size=9, decoder_vocab_size=9, dim_vector=2,
    n_head=1, max_len=20, dim_hidden=2, num_layer=1,
).double().eval()
nn.init.zeros_(model.decoder.embedding.token_embedding.embedding.weight)
nn.init.zeros_(model.decoder.linear.weight)
model.decoder.linear.bias.data = torch.eye(9)[5].double()
read = []
attention = model.decoder.layers[0].self_attention
attention.w_k.register_forward_pre_hook(lambda part, given: read.append(given[0]))
cached_decode(model, torch.tensor([[3, 4]]), 1, 2, max_len)
"""
STEP = """\
from s4_decoder.decoder_layer import DecoderLayer
layer = load(DecoderLayer(1, 1, 2), weights)
layer.add_norm1.register_forward_pre_hook(lambda part, given: found.append(given[1]))
found, mask = [], torch.ones(1, 1, 1, keys.size(2) + 1)
layer_step(layer, x, (keys, values), (keys, values), (mask, mask[..., 1:]))
answer = found[0].flatten()[0]
"""


@question(
    MODEL + "answer = read[-1][0, -1]",
    lesson="But the newest token stands behind everything that is written.",
)
def position_of_the_newest(draw: Draw) -> Case:
    """Positions count from 0, so the newest of n tokens is at position n - 1."""
    written = draw.one(2, 3, 4)
    waves = positional_embedding(20, 2)
    told = ", ".join(f"({s:.2f}, {c:.2f})" for s, c in waves[:5])
    return Case(
        f"{written} tokens are written, bos among them, and the newest goes through the layers. "
        f"All token vectors are 0, dim_vector is 2. The rows of positions are {told}. Which vector "
        "goes into the first layer?",
        {"max_len": written + 1},
        waves[written - 1],
        {
            "position-0": waves[0],
            "no-position": np.zeros(2),
            "position-too-far": waves[written],
        },
    )


@question(
    MODEL + "answer = sum(x.size(1) for x in read)",
    lesson="Without a cache it is 1 + 2 + … + n, with a cache n.",
)
def tokens_that_are_projected(draw: Draw) -> Case:
    """Every token that is read goes through the layer once, and the last one is not read."""
    max_len = draw.one(5, 6, 7, 9)
    once = max_len - 1
    again = once * max_len // 2
    return Case(
        f"The model writes up to max_len {max_len}, bos counted, and no eos comes. It has one "
        "decoder layer. How many vectors go through w_k of its self-attention, all steps together?",
        {"max_len": max_len},
        once,
        {
            "greedy-decode-called": again,
            "nothing-cached": again + once,
            "one-token-too-many": max_len,
        },
    )


@question(
    STEP,
    lesson="Self-attention uses the longer cache, and cross-attention uses that of the source.",
)
def what_the_newest_reads(draw: Draw) -> Case:
    """The newest token attends to all that is cached, and to itself."""
    one, two, x = (float(n) for n in draw.sizes(3, 1, 9))
    keys, values = np.array([1.0, 1.0]), np.array([one, two])
    kinds = {"w_q": 0.0, "w_k": 2.0, "w_v": 3.0, "linear": 1.0}
    weights: dict[str, Array] = {}
    for name, weight in kinds.items():
        weights[f"self_attention.{name}.weight"] = np.full((1, 1), weight)
        weights[f"self_attention.{name}.bias"] = np.zeros(1)
    q, all_keys = np.zeros((1, 1, 1, 1)), np.append(keys, 2 * x)[None, None, :, None]
    all_values = np.append(values, 3 * x)[None, None, :, None]
    return Case(
        f"dim_vector is 1. Two tokens are cached, with the values {one:g} and {two:g}. The newest "
        f"token has the key {2 * x:g} and the value {3 * x:g}. Its query is 0, so all weights are "
        "equal. What does it read in self-attention?",
        {
            "x": np.full((1, 1, 1), x),
            "keys": keys[None, None, :, None],
            "values": values[None, None, :, None],
            "weights": weights,
        },
        float(calculate_attention(q, all_keys, all_values)[0].flatten()[0]),
        {
            "newest-left-out": values.mean(),
            "keys-for-values": (values.sum() + 2 * x) / 3,
            "values-before-projection": (values.sum() + x) / 3,
        },
    )
