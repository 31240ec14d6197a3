"""A training step beside torch.nn.Transformer's: `python benchmarks/train_step.py [--rounds N]`

The Transformer of solutions/ and torch.nn.Transformer get the same sizes, weights, masks and words.
Before the clock runs, their logits, their loss and all their gradients must agree. The clock
measures the whole `train_step` of step 5.3, the same function for both: forward, loss, backward,
clipping, Adam.

The two take turns, so that other work of the machine affects both alike. With one thread, the time
is that of the processor. Both keep freed memory, as `run_step.py train` does. Otherwise sometimes
one, sometimes the other gives it back and asks for it again (`--give-back` shows that).

It prints the fastest step of each and their ratio, because other work only makes a step slower. As
a second opinion, it prints the median of the rounds' ratios. It exits with 1 if a ratio of the
fastest is above the bar of its size.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

COURSE = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(COURSE / "solutions"), str(COURSE)]
sys.dont_write_bytecode = True

from checks.training.world import keep_memory  # noqa: E402
from s5_transformer.training import sequence_loss, train_step  # noqa: E402
from s5_transformer.transformer import Transformer  # noqa: E402

PAD = 0
VOCAB_SIZE = 4000
LABEL_SMOOTHING = 0.1


@dataclass(frozen=True)
class Size:
    """A model, and its batch: `tokens` target tokens in sentences of at most `length`."""

    dim_vector: int
    n_head: int
    num_layer: int
    dim_hidden: int
    length: int
    tokens: int
    bar: float = 1.25  # Times the step of torch.nn.Transformer.

    def __str__(self) -> str:
        heads, layers = f"{self.n_head} heads", f"{self.num_layer} layers"
        model = f"{self.dim_vector}, {heads}, {layers}, {self.dim_hidden}"
        return f"{model}; {self.tokens} tokens, length {self.length}"


SIZES = [
    Size(128, 4, 3, 256, length=16, tokens=4096),
    Size(256, 8, 3, 1024, length=32, tokens=2048),
    Size(512, 8, 6, 2048, length=32, tokens=512, bar=1.1),  # The paper's base model.
]

# Parts of a parameter's name in both. torch.nn.Transformer joins the three projections.
NAMES = {
    "encoder.embedding.token_embedding.embedding": "source",
    "decoder.embedding.token_embedding.embedding": "target",
    "encoder.layers": "transformer.encoder.layers",
    "decoder.layers": "transformer.decoder.layers",
    "decoder.linear": "linear",
    "attention.linear": "attention.out_proj",
    "self_attention.": "self_attn.",
    "cross_attention.": "multihead_attn.",
    "w_q.": "in_proj_",
    "w_k.": "in_proj_",
    "w_v.": "in_proj_",
    "feed_forward.": "",
    "add_norm": "norm",
    "layer_norm.gamma": "weight",
    "layer_norm.beta": "bias",
}


class Reference(nn.Module):
    """torch.nn.Transformer, and the parts that it lacks: embeddings, positions, masks, scores."""

    def __init__(self, size: Size, dropout: float, positions: Tensor):
        super().__init__()
        self.trg_pad_idx = PAD
        self.source = nn.Embedding(VOCAB_SIZE, size.dim_vector, padding_idx=PAD)
        self.target = nn.Embedding(VOCAB_SIZE, size.dim_vector, padding_idx=PAD)
        self.positions = positions
        self.dropout = nn.Dropout(dropout)
        layers = (size.num_layer, size.num_layer)
        self.transformer = nn.Transformer(
            size.dim_vector, size.n_head, *layers, size.dim_hidden, dropout, batch_first=True
        )
        self.linear = nn.Linear(size.dim_vector, VOCAB_SIZE)
        # The course's stacks have no closing norm, and its layers drop no attention weights.
        self.transformer.encoder.norm = self.transformer.decoder.norm = None
        for module in self.modules():
            if isinstance(module, nn.MultiheadAttention):
                module.dropout = 0.0

    def forward(self, src: Tensor, trg: Tensor) -> Tensor:
        src_len, trg_len = src.size(1), trg.size(1)
        x = self.transformer(
            self.dropout(self.source(src) + self.positions[:src_len]),
            self.dropout(self.target(trg) + self.positions[:trg_len]),
            tgt_mask=torch.ones(trg_len, trg_len, dtype=torch.bool).triu(1),  # True is masked.
            src_key_padding_mask=src == PAD,
            tgt_key_padding_mask=trg == PAD,
            memory_key_padding_mask=src == PAD,
        )
        return self.linear(x)


def renamed(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights or gradients of the course's Transformer, by the names of the reference."""
    parts: dict[str, list[Tensor]] = {}
    for name, tensor in tensors.items():
        for here, there in NAMES.items():
            name = name.replace(here, there)
        parts.setdefault(name, []).append(tensor)
    return {name: torch.cat(tensors) for name, tensors in parts.items()}


def pair(size: Size, dropout: float) -> tuple[Transformer, Reference]:
    """The course's model and the reference, with the same weights."""
    ours = Transformer(
        src_pad_idx=PAD,
        trg_pad_idx=PAD,
        encoder_vocab_size=VOCAB_SIZE,
        decoder_vocab_size=VOCAB_SIZE,
        dim_vector=size.dim_vector,
        n_head=size.n_head,
        max_len=size.length,
        dim_hidden=size.dim_hidden,
        num_layer=size.num_layer,
        dropout=dropout,
    )
    theirs = Reference(size, dropout, ours.encoder.embedding.positional_embedding.pe)
    theirs.load_state_dict(renamed({name: p.detach() for name, p in ours.named_parameters()}))
    return ours, theirs


def batch(size: Size) -> tuple[Tensor, Tensor]:
    """Sentences of random words, filling three quarters of the length or more, then padding.

    The target has one token more: the decoder reads all but the last.
    """

    def sentences(length: int) -> Tensor:
        count = size.tokens // size.length
        words = torch.randint(1, VOCAB_SIZE, (count, length))
        lengths = torch.randint(3 * length // 4, length + 1, (count, 1))
        lengths[0] = length
        return words.where(torch.arange(length) < lengths, PAD)

    return sentences(size.length), sentences(size.length + 1)


def agree(size: Size) -> None:
    """Raises AssertionError if logits, loss or a gradient of the two differ.

    All is in double precision, where rounding neither hides a difference nor looks like one.
    """
    found = []
    src, trg = batch(size)
    for model in pair(size, dropout=0.0):
        logits = model.double()(src, trg[:, :-1])
        loss = sequence_loss(logits, trg[:, 1:], PAD, LABEL_SMOOTHING)
        loss.backward()
        gradients = {name: p.grad for name, p in model.named_parameters() if p.grad is not None}
        assert len(gradients) == len(list(model.parameters()))
        found.append((logits, loss, gradients))
    (logits, loss, gradients), theirs = found
    torch.testing.assert_close((logits, loss, renamed(gradients)), theirs)


def seconds(model: nn.Module, optimizer: torch.optim.Optimizer, src: Tensor, trg: Tensor) -> float:
    # With one thread, processor time does not depend on other programs.
    clock = time.process_time if torch.get_num_threads() == 1 else time.perf_counter
    start = clock()
    train_step(model, optimizer, src, trg, LABEL_SMOOTHING)
    return clock() - start


def measure(size: Size, dropout: float, rounds: int) -> tuple[float, float, float]:
    """Seconds of the fastest step, the course's and the reference's; the rounds' median ratio."""
    models = pair(size, dropout)
    optimizers = [torch.optim.Adam(model.parameters(), betas=(0.9, 0.98)) for model in models]
    src, trg = batch(size)
    times: list[list[float]] = []
    for number in range(rounds + 2):
        row = [0.0, 0.0]
        for which in (0, 1) if number % 2 else (1, 0):
            row[which] = seconds(models[which], optimizers[which], src, trg)
        times.append(row)
    times = times[2:]  # The first ones warm up.
    ours, theirs = (min(row[which] for row in times) for which in (0, 1))
    return ours, theirs, statistics.median(row[0] / row[1] for row in times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, metavar="N")
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1], metavar="N")
    parser.add_argument("--give-back", action="store_true", help="memory that is freed")
    options = parser.parse_args()
    if not options.give_back:
        keep_memory()
    torch.manual_seed(0)
    slow = 0
    for size in SIZES:
        agree(size)
        print(f"dim_vector {size}: logits, loss and gradients agree")
        for threads in options.threads:
            torch.set_num_threads(threads)
            for dropout in (0.0, 0.1):
                ours, theirs, median = measure(size, dropout, options.rounds)
                print(
                    f"  threads {threads}, dropout {dropout}: {1e3 * ours:6.0f} ms, nn.Transformer "
                    f"{1e3 * theirs:6.0f} ms   {ours / theirs:5.2f} x   (median {median:.2f} x)",
                    flush=True,
                )
                slow += ours / theirs > size.bar
    print(f"above the bar: {slow or 'none'}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
