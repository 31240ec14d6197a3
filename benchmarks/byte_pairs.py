"""How long step 6.7 takes to learn 1,000 merges from a text.

    python benchmarks/byte_pairs.py FILE [--bytes 1000000] [--merges 1000]

FILE is any text in UTF-8. Beside the solution stands the `tokenizers` library, where it is
installed. It is written in Rust, and of equally frequent pairs it takes others. Exits with 1 if the
solution takes more than 60 s of processor time.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

COURSE = Path(__file__).resolve().parents[1]
MOST = 60.0  # Seconds.


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time of some work, of all threads, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def by_library(text: str, pattern: str, merges: int) -> Callable[[], Any] | None:
    """What learns the same number of merges with `tokenizers`; None if it is not installed."""
    try:
        tokenizers = importlib.import_module("tokenizers")
    except ImportError:
        return None
    before = tokenizers.pre_tokenizers
    model = tokenizers.Tokenizer(tokenizers.models.BPE())
    model.pre_tokenizer = before.Sequence(
        [
            before.Split(tokenizers.Regex(pattern), "isolated"),
            before.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=256 + merges,
        initial_alphabet=before.ByteLevel.alphabet(),
        show_progress=False,
    )
    return lambda: model.train_from_iterator([text], trainer)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    parser.add_argument("--merges", type=int, default=1000)
    options = parser.parse_args()
    text = options.file.read_bytes()[: options.bytes].decode("utf-8", errors="ignore")
    sys.path.insert(0, str(COURSE / "solutions"))
    step = importlib.import_module("s6_today.byte_pairs")

    ours, merges = seconds(lambda: step.learn(text, options.merges))
    print(f"{len(text.encode()):,} bytes, {len(merges):,} merges")
    print(f"  the solution  {ours:7.2f} s")
    library = by_library(text, step.PIECE.pattern, options.merges)
    if library is None:
        print("  tokenizers is not installed")
    else:
        theirs, _ = seconds(library)
        print(f"  tokenizers    {theirs:7.2f} s   ratio {ours / theirs:.0f} x")
    taken, ids = seconds(lambda: step.encode(text, merges))
    print(f"  encode        {taken:7.2f} s   {len(text.encode()) / len(ids):.2f} bytes per token")
    return int(ours > MOST)


if __name__ == "__main__":
    raise SystemExit(main())
