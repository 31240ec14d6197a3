"""Shown to learners of s5_transformer/translate.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example

HINTS = [
    "What does the model read and write? Which vocabulary knows these ids, on each side?",
    "encode gives a list of ids, but the model wants a batch: (1, src_len). torch.tensor makes "
    "it; dtype=torch.int64 and device= fit it to the model. Each weight knows its device: "
    "next(model.parameters()).",
    "bos and eos are target tokens, so the target vocabulary knows their ids.",
    "Take the first row with tolist(). Leave out bos. If eos is in the list, index finds its "
    "place: cut there. If it is not, cut nothing.",
    "src = torch.tensor([____], dtype=torch.int64, device=device)",
]
EXAMPLE = Example(
    {"vocab_size": 13, "dim_vector": 12},
    """\
class Letters:
    pad_idx, bos_idx, eos_idx = 0, 1, 2

    def encode(self, text):
        return [3 + "abcdefghij".index(letter) for letter in text]

    def decode(self, ids):
        return "".join("?" if i < 3 else "abcdefghij"[i - 3] for i in ids)


model = Transformer(
    src_pad_idx=0, trg_pad_idx=0,
    encoder_vocab_size=13, decoder_vocab_size=13,
    dim_vector=12, n_head=3, max_len=9, dim_hidden=20, num_layer=1,
)
text = translate(model, "badge", Letters(), Letters(), max_len=6)
""",
)
