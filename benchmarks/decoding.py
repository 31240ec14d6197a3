"""How decoding grows with the length: `python benchmarks/decoding.py [--rounds N]`

It decodes 16, 32, 64 and 128 tokens greedily; no token ever ends a sentence. `greedy_decode` of
step 5.4 reads all written tokens for every new one; `cached_decode` of step 5.7, where there is
one, does not. All must write the same tokens, and they take turns. It prints the medians in
seconds, and how many times longer each length takes than half the length: 2 is linear. It exits
with 1 if the longest takes the cached one more than 1.5 times what is linear.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor

COURSE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(COURSE / "solutions"))
sys.dont_write_bytecode = True

from s5_transformer.decoding import greedy_decode  # noqa: E402
from s5_transformer.transformer import Transformer  # noqa: E402

LENGTHS = [16, 32, 64, 128]
BAR = 1.5  # Times the growth of the length, from the first to the last.
PAD, BOS, NO_EOS = 0, 1, -1
VOCAB_SIZE, SRC_LEN = 1000, 16

Decode = Callable[[Transformer, Tensor, int, int, int], Tensor]


def decoders() -> dict[str, Decode]:
    found: dict[str, Decode] = {"greedy_decode": greedy_decode}
    name = "s5_transformer.cached_decoding"
    if importlib.util.find_spec(name) is not None:
        found["cached_decode"] = importlib.import_module(name).cached_decode
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--batch-size", type=int, default=8, metavar="N")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(options.threads)
    model = Transformer(
        src_pad_idx=PAD,
        trg_pad_idx=PAD,
        encoder_vocab_size=VOCAB_SIZE,
        decoder_vocab_size=VOCAB_SIZE,
        dim_vector=128,
        n_head=4,
        max_len=LENGTHS[-1] + 1,
        dim_hidden=256,
        num_layer=3,
    )
    src = torch.randint(2, VOCAB_SIZE, (options.batch_size, SRC_LEN))
    functions = decoders()
    times: dict[tuple[str, int], list[float]] = {}
    for number in range(options.rounds + 1):
        for length in LENGTHS:
            written = []
            for name, decode in functions.items():
                start = time.perf_counter()
                written.append(decode(model, src, BOS, NO_EOS, length + 1))
                used = time.perf_counter() - start
                if number > 0:  # The first round warms up.
                    times.setdefault((name, length), []).append(used)
            assert all(torch.equal(written[0], tokens) for tokens in written)
            assert written[0].shape == (options.batch_size, length + 1)
    slow = []
    for name in functions:
        print(f"{name}, {options.batch_size} sentences, threads {options.threads}")
        medians = [statistics.median(times[name, length]) for length in LENGTHS]
        for length, before, median in zip(LENGTHS, [0.0, *medians], medians):
            growth = f"   {median / before:5.2f} x" if before else ""
            print(f"  {length:4} tokens {median:8.3f} s{growth}")
        growth_in_all, linear = medians[-1] / medians[0], LENGTHS[-1] / LENGTHS[0]
        print(f"  from the first to the last {growth_in_all:5.1f} x   (linear is {linear:.0f} x)")
        if name == "cached_decode" and growth_in_all > BAR * linear:
            slow.append(name)
    if slow:
        print(f"not linear: {', '.join(slow)}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
