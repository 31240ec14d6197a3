"""Shown to learners of s6_today/speak.py: hints, an example, its pictures."""

from __future__ import annotations

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "ffn_gate and ffn_up of the file have the same shape. What happens if you exchange them?",
    "load_weights: a dictionary from names to parameters. enumerate gives each layer its number.",
    "load_weights: one.keys() - other.keys() are the names that the other dictionary lacks.",
    "load_weights: parameter.data is the tensor inside a parameter. Assign to it.",
    "text_loss: the scores of token n are about token n + 1. So the last scores have no token to "
    "compare with, and the first token has no scores.",
    "text_loss: F.cross_entropy takes (count, vocab_size) and (count,). flatten(0, 1) joins two "
    "axes. In bfloat16 a sum has three digits only: call float() first.",
    "write, beginning: torch.tensor([tokens]) is a batch of one text. The caches are None.",
    "write, each round: call the model with what is new. The scores of the last token are "
    "logits[:, -1]. Filter them, and sample a token, as in step 6.6.",
    "write, the end of a round: return ends the writing. yield gives one token to the caller and "
    "waits. item() makes a number of a tensor of one token.",
    "new = token[:, ____]",
]
EXAMPLE = Example(
    {"vocab_size": 11, "dim_vector": 24, "dim_hidden": 10, "kv_features": 8, "length": 7},
    """\
model = LanguageModel(11, 24, 6, 2, 10, num_layer=2, max_len=20)
shapes = dict.fromkeys(["attn_norm", "ffn_norm"], (24,))
shapes |= dict.fromkeys(["attn_q", "attn_output"], (24, 24))
shapes |= dict.fromkeys(["attn_k", "attn_v"], (8, 24))
shapes |= dict.fromkeys(["ffn_gate", "ffn_up"], (10, 24))
shapes |= {"ffn_down": (24, 10)}
names = {f"blk.{n}.{one}.weight": one for n in range(2) for one in shapes}
file = {name: torch.randn(shapes[one]) for name, one in names.items()}
file["token_embd.weight"] = torch.randn(11, 24) / 4
file["output_norm.weight"] = torch.ones(24)
load_weights(model, file)
text = [7, 2, 5]
text += write(model, text, 4, 0, torch.Generator().manual_seed(1))
loss = text_loss(model, torch.tensor([text]))
logits, _ = model(torch.tensor([text]))
""",
)
OF_A_GATE = (
    "torch.stack([model.layers[0].feed_forward.gate.weight[0, :8], "
    "file['blk.0.ffn_gate.weight'][0, :8]])"
)
PICTURES = [
    Picture("after each token: the next", "logits[0].softmax(-1)", "after", "token", "share"),
    Picture("a gate's first entries", OF_A_GATE, "row", "feature", row_names="model file"),
]
