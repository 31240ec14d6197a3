"""Shown to learners of s5_transformer/decoding.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import MODEL, SOURCE

HINTS = [
    "Only bos is written. What does the model need to score the next token? And the token after "
    "it?",
    "Greedy, beginning: torch.full makes the column of bos, torch.zeros with dtype=torch.bool the "
    "marks of ended rows. Encode once, inside `evaluating`.",
    "Greedy, in the loop: take the last position of the scores with [:, -1]. argmax(dim=-1) gives "
    "one token for each row.",
    "Greedy, the end of a row: masked_fill puts padding where a row has ended. torch.cat appends "
    "the tokens as a column (batch_size, 1). Mark the rows whose new token is eos.",
    "Beam, beginning: one live row (1, 1), one log P of 0, an empty list of finished ones. expand "
    "repeats the source for all live rows.",
    "Beam, the sums: log_softmax over the vocabulary, plus the log P of each row as a column: "
    "(live, vocab_size).",
    "Beam, the choice: flatten the sums, then topk. k is beam_size minus the number of finished "
    "ones, and never more than there are sums. // and % by the vocabulary's size turn a place "
    "into row and token.",
    "Beam, the next round: choose the old rows by index, append the tokens with torch.cat. A bool "
    "tensor as index takes out the rows that end in eos, and ~ takes the others.",
    "Beam, the answer: max with a key compares the scores of pairs. Of the finished ones, or of "
    "the live ones if there are none. pad_sequence fills up the answers of all sentences.",
    "token = logits.argmax(dim=-1).masked_fill(____, model.trg_pad_idx)",
]
EXAMPLE = Example(
    {"src_len": 7, "dim_vector": 12, "trg_vocab": 13},
    f"""\
{MODEL}{SOURCE}tokens = greedy_decode(model, src, bos_idx=1, eos_idx=2, max_len=6)
tokens = beam_search(
    model, src[:1], bos_idx=1, eos_idx=2, max_len=4, beam_size=3
)
""",
)
PICTURES = [
    Picture(
        "step {0}: the beginnings that go on",
        'asked(model, "decode", lambda: beam_search(model, src[:1], 1, 2, 5, 3))',
        "row",
        "token",
        "tokens",
    ),
]
