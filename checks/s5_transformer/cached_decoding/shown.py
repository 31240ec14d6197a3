"""Shown to learners of s5_transformer/cached_decoding.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example
from checks.scenes.examples import MODEL, SOURCE

HINTS = [
    "For each new token, greedy_decode decodes all tokens. Which results did it already have one "
    "token before?",
    "A written token attends to nothing later. So its keys and values never change, and you can "
    "keep them.",
    "keys_and_values: w_k and w_v of the attention project, and its split makes the heads.",
    "attend: only the newest token needs a query (w_q, then split). calculate_attention takes it "
    "with the keys and values of the cache. Then merge, then linear.",
    "layer_step: torch.cat appends the new keys to the old ones along the axis of the tokens, and "
    "the values likewise. Then come the three sublayers of step 4.1, with attend in place of the "
    "attentions.",
    "cached_decode, beginning: keys and values of the source for each layer, once. The cache of "
    "the target is empty: x[:, :0] is a tensor of length 0.",
    "cached_decode, the newest token: trg[:, -1:] keeps the axis of the tokens. Its position is "
    "the last row of positional_embedding(trg). Of the target mask it needs only the last row of "
    "queries.",
    "cached_decode, the end of a round: keep each layer's longer cache in its list (enumerate "
    "gives the places). Choose, pad and append as in greedy_decode.",
    "written = torch.cat([written[0], keys], dim=____), torch.cat([written[1], values], dim=____)",
]
EXAMPLE = Example(
    {"src_len": 7, "dim_vector": 12, "trg_vocab": 13},
    f"""\
{MODEL}{SOURCE}tokens = cached_decode(model, src, bos_idx=1, eos_idx=2, max_len=4)
""",
)
