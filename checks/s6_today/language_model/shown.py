"""Shown to learners of s6_today/language_model.py: hints, an example, its pictures."""

from __future__ import annotations

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import leak

HINTS = [
    "Which parts of your decoder of stage 4 does this model keep, and which have you replaced in "
    "steps 6.1 to 6.4? What does a decoder without a source no longer need?",
    "A layer is that of step 3.3: each sublayer reads the normalised x, and x itself is added. "
    "Only the parts are new. Pass eps on to every norm. *others passes on all that the attention "
    "takes besides x, in its order.",
    "nn.init.normal_(tensor, std=0.02) fills a tensor in place. register_buffer(name, tensor, "
    "persistent=False) keeps it on the module without saving it.",
    "How many tokens do the caches hold? Axis 2 of their keys counts them. With three cached "
    "tokens, the first new one stands at position 3 and may see four columns.",
    "tril(diagonal=start) keeps `start` more columns in each row than tril() does.",
    "Each layer has a cache of its own. It gives back a longer one: collect them in a list.",
    "The score of a token is the product of its row with the vector. @ multiplies matrices, .T "
    "turns the table.",
    "return self.norm(x) @ ____, longer",
]
EXAMPLE = Example(
    {
        **{"batch_size": 5, "length": 8, "dim_vector": 24, "n_head": 6, "n_kv_head": 3},
        **{"dim_split": 4, "dim_hidden": 20, "vocab_size": 13, "max_len": 11, "so_far": 9},
        **{"kv_features": 12, "pairs": 2},
    },
    """\
model = LanguageModel(
    vocab_size=13, dim_vector=24, n_head=6, n_kv_head=3,
    dim_hidden=20, num_layer=2, max_len=11,
)
tokens = 7 * torch.arange(45).view(5, 9) % 13
logits, caches = model(tokens[:, :8])
logits, caches = model(tokens[:, 8:], caches)
""",
)
PICTURES = [
    leak("token", "lambda tokens: model(tokens)[0], tokens"),
    Picture(
        "cached keys of layer {0}, sentence 0, head 0",
        "torch.stack([keys[0, 0] for keys, _ in caches])",
        "token",
        "feature",
    ),
]
