"""Shown to learners of s3_encoder/bert_encoder.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import AXES, SOURCE, SOURCE_WORDS, heads, leak

HINTS = [
    "Which three things does BERT know of a token before the first layer: what it is, and what "
    "else?",
    "Each table is an nn.Embedding. Its first rows, for positions 0, 1, 2 …, are a slice of its "
    "weight.",
    "Under which name does your FeedForward keep its ReLU? A module that is an attribute can be "
    "exchanged: assign another one to that name.",
    "Your AddNorm has a LayerNorm, and your LayerNorm keeps eps. So eps is an attribute of an "
    "attribute.",
    "mask[:, None, None] puts two axes between the sentences and the keys. mask[..., None] adds "
    "one behind the tokens, so padding is multiplied by 0.",
    "layer.feed_forward.relu = ____",
]
EXAMPLE = Example(
    AXES,
    f"""\
encoder = BertEncoder(
    vocab_size=13, dim_vector=12, n_head=3,
    dim_hidden=20, num_layer=2, max_len=9,
).eval()
{SOURCE}mask = torch.ones(2, 7, dtype=torch.bool)
mask[0, 5:] = False
out = encoder(src, None, mask)
vectors = sentence_vectors(out, mask)
""",
)
PICTURES = [
    heads("layer 0, head {0}, in %", "encoder.layers[0].self_attention"),
    heads("layer 1, head {0}, in %", "encoder.layers[1].self_attention"),
    leak("word", "lambda src: encoder(src, None, mask), src"),
    Picture(
        "what the positions of the first sentence add",
        "encoder.position_embedding.weight[:7]",
        "position",
        "feature",
        row_names=SOURCE_WORDS,
    ),
]
