"""What the tiny examples of several steps have in common: sentences, masks, sizes, pictures."""

from checks.engine.drawing.example import Picture

# All sizes differ, so each axis is known by its number.
AXES = {
    **{"batch_size": 2, "trg_len": 5, "src_len": 7},
    **{"dim_vector": 12, "n_head": 3, "dim_split": 4, "dim_hidden": 20},
    **{"src_vocab": 11, "trg_vocab": 13},
}
TOKENS = "tokens = torch.tensor([[7, 4, 9, 4, 0], [3, 8, 5, 0, 0]])\n"
SOURCE = "src = torch.tensor([[7, 4, 9, 4, 8, 0, 0], [3, 8, 5, 10, 6, 2, 9]])\n"
TARGET = "trg = torch.tensor([[1, 5, 9, 7, 2], [1, 12, 3, 2, 0]])\n"
# Their first sentences in words: names for the rows and columns of pictures.
SOURCE_WORDS, TARGET_WORDS = "if we do we go - -", "| on y va ."
SOURCE_MASK = """\
src_mask = torch.ones(2, 1, 1, 7, dtype=torch.bool)
src_mask[0, :, :, 5:] = False
"""
TARGET_MASK = "trg_mask = torch.ones(2, 1, 5, 5, dtype=torch.bool).tril()\n"
MODEL = """\
model = Transformer(
    src_pad_idx=0, trg_pad_idx=0,
    encoder_vocab_size=11, decoder_vocab_size=13,
    dim_vector=12, n_head=3, max_len=9, dim_hidden=20, num_layer=1,
)
"""


def heads(
    title: str,
    attention: str,
    words: tuple[str, str] = (SOURCE_WORDS, SOURCE_WORDS),
    axes: tuple[str, str] = ("query", "key"),
) -> Picture:
    """The attention weights of the first sentence, a picture per head. `words`: of the queries, and
    of the keys.
    """
    return Picture(title, f"{attention}.attention_weights[0]", *axes, "share", *words)


def of_decoder_layer(layer: str) -> list[Picture]:
    """The weights of both attentions of a decoder layer."""
    own, other = (TARGET_WORDS, TARGET_WORDS), (TARGET_WORDS, SOURCE_WORDS)
    to_itself, to_the_source = ("target", "target"), ("target", "source")
    return [
        heads("target to target, head {0}", f"{layer}.self_attention", own, to_itself),
        heads("target to source, head {0}", f"{layer}.cross_attention", other, to_the_source),
    ]


def stream(stack: str) -> Picture:
    """How long the vectors of the first sentence are before the first layer and after each."""
    tables = f"[x := {stack}.embedding(src), *(x := f(x, src_mask) for f in {stack}.layers)]"
    title = "length of each word's vector, before layer 0 and after each layer"
    value = f"torch.stack({tables})[:, 0].norm(dim=-1)"
    return Picture(title, value, "after", "word", column_names=SOURCE_WORDS)


def leak(changed: str, function: str, rows: str = "output") -> Picture:
    """Which outputs of the first sentence move when a place of `changed` does."""
    title = f"# the {rows} (row) moves when the {changed} (column) changes"
    return Picture(title, f"moves({function})", rows, changed, "mask")
