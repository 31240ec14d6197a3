"""Shown to learners of s6_today/grouped_attention.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "There are 6 heads of queries and 2 heads of keys. Which query heads read the first head of "
    "keys, if neighbours stay together?",
    "w_q and linear keep the width. w_k and w_v make n_kv_head heads of dim_split features. "
    "nn.Linear takes bias=False.",
    "`split` is given: it makes as many heads as the features allow. rotate of step 6.2 turns "
    "queries and keys, with start. Values stay as they are.",
    "torch.cat puts the cached keys before the new ones, along the axis of the tokens, dim=2. The "
    "values likewise. These two are the longer cache.",
    "repeat_interleave repeats each head in its place: 0 0 0 1 1 1. repeat would give 0 1 0 1 0 1. "
    "Repeat for the attention alone; the cache keeps n_kv_head heads.",
    "Merging is that of step 2.2: transpose(1, 2), then flatten(2), then linear. Return the output "
    "and the pair of keys and values.",
    "keys, values = (heads.repeat_interleave(____, dim=1) for heads in (k, v))",
]
EXAMPLE = Example(
    {
        **{"batch_size": 5, "length": 7, "dim_vector": 48, "n_head": 6, "n_kv_head": 2},
        **{"dim_split": 8, "pairs": 4, "kv_features": 16, "max_len": 11, "new": 3, "k_len": 10},
    },
    """\
from s6_today.rotary import rotary_table
cos, sin = rotary_table(dim_split=8, max_len=11)
layer = GroupedQueryAttention(dim_vector=48, n_head=6, n_kv_head=2)
out, cache = layer(torch.randn(5, 7, 48), cos, sin)
out, cache = layer(torch.randn(5, 3, 48), cos, sin, start=7, cache=cache)
""",
)
PICTURES = [
    Picture("keys of sentence 0, kv head {0}", "cache[0][0]", "token", "feature"),
    Picture("values of sentence 0, kv head {0}", "cache[1][0]", "token", "feature"),
]
