"""A language model of a text: `python benchmarks/writing.py NANOGPT TEXT [--seconds N]`

`train --text` with the solution, and beside it nanoGPT (github.com/karpathy/nanoGPT, a checkout in
the folder NANOGPT). Both get the same text, as many layers and features, and the same windows and
batches. They learn for the same seconds, one after the other, on all cores. The last tenth of the
text is kept apart. It is read in windows, as `train` reads it. nanoGPT learns twice: with letters
as tokens, and with the tokens of step 6.7. It keeps its settings for small texts, but for two: no
dropout, and a schedule that ends when the seconds end.

Prints the parameters, the seconds of clock and processor, and the bits per byte of the end.
It exits with 1 if `train --text` has more of them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import pickle
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

COURSE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(COURSE))
sys.dont_write_bytecode = True

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from checks.contents import SOLUTIONS  # noqa: E402
from checks.training.kinds import WRITE  # noqa: E402
from checks.training.lines import read_text  # noqa: E402
from checks.training.model import learner_code  # noqa: E402
from checks.training.parts import PERCENT, without_end  # noqa: E402
from checks.training.writing import BytePairs  # noqa: E402

TRIED = 40  # Steps of nanoGPT that say how many fit into the seconds.
PRINTED = re.compile(r"^iter (\d+): loss [\d.]+, time ([\d.]+)ms", re.M)


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ours(at: Path, seconds: float) -> tuple[int, float, float, float]:
    """Parameters, seconds of clock and processor, and the bits per byte, of `train --text`."""
    words = ("train", "--text", "begin.txt", "--validation", "end.txt", "--solution")
    words = (*words, "--model", "ours", "--epochs", "100000", "--patience", "100000")
    command = [sys.executable, str(COURSE / "run_step.py"), *words]
    log, rows = at / "ours" / "log.jsonl", []
    with open(at / "ours.txt", "w") as said:
        process = subprocess.Popen(command, cwd=at, stdout=said)
        while process.poll() is None and (not rows or rows[-1]["seconds"] < seconds):
            time.sleep(1)
            rows = [json.loads(line) for line in log.open()] if log.exists() else []
        process.terminate()
        process.wait()
    in_time = [row for row in rows if row["seconds"] <= seconds]
    best = min(in_time, key=lambda row: row["validation"])
    parameters = re.search(r"^([\d,]+) parameters", (at / "ours.txt").read_text(), re.M)
    assert parameters is not None
    count = int(parameters[1].replace(",", ""))
    return count, in_time[-1]["seconds"], in_time[-1]["cpu_seconds"], best["bits_per_byte"]


def theirs(
    at: Path, nano: Path, ids: list[list[int]], size: int, count: int, seconds: float
) -> tuple[int, float, float, float]:
    """The same of nanoGPT, with these tokens of the text and of its end of `count` bytes."""
    data = at / f"of-{size}"
    data.mkdir()
    np.array(ids[0], dtype=np.uint16).tofile(data / "train.bin")
    np.array(ids[1], dtype=np.uint16).tofile(data / "val.bin")
    (data / "meta.pkl").write_bytes(pickle.dumps({"vocab_size": size}))
    batch = WRITE["batch_tokens"] // WRITE["max_len"]
    told = [sys.executable, "train.py", "config/train_shakespeare_char.py"]
    told += [f"--dataset={data}", f"--out_dir={at}", "--device=cpu", "--compile=False"]
    told += [f"--n_layer={WRITE['num_layer']}", f"--n_head={WRITE['n_head']}"]
    told += [f"--n_embd={WRITE['dim_vector']}", f"--block_size={WRITE['max_len']}"]
    told += [f"--batch_size={batch}", "--dropout=0.0", "--eval_iters=1", "--log_interval=1"]
    told += ["--always_save_checkpoint=True"]

    def run(steps: int) -> str:
        words = [f"--{name}={steps}" for name in ("max_iters", "lr_decay_iters", "eval_interval")]
        done = subprocess.run([*told, *words], cwd=nano, capture_output=True, text=True, check=True)
        return done.stdout

    tried = sorted(float(ms) for _, ms in PRINTED.findall(run(TRIED)))
    steps = int(seconds * 1000 / tried[len(tried) // 2])
    before, began = processor(), time.monotonic()
    run(steps)
    took, used = time.monotonic() - began, processor() - before
    sys.path.insert(0, str(nano))
    from model import GPT, GPTConfig  # type: ignore[import-not-found]

    kept = torch.load(at / "ckpt.pt", weights_only=False)
    assert kept["iter_num"] == steps
    model = GPT(GPTConfig(**kept["model_args"])).eval()
    model.load_state_dict(kept["model"])
    return sum(p.numel() for p in model.parameters()), took, used, bits(model, ids[1], count)


@torch.no_grad()
def bits(model: Any, ids: list[int], count: int) -> float:
    """The bits per byte of these tokens, which stand for so many bytes, window by window."""
    length = WRITE["max_len"]
    rows = torch.tensor(ids[: (len(ids) - 1) // length * length + 1]).unfold(0, length + 1, length)
    loss = 0.0
    for row in rows.split(32):
        logits, _ = model(row[:, :-1], row[:, 1:])  # Without targets it scores the last alone.
        loss += F.cross_entropy(logits.flatten(0, 1), row[:, 1:].flatten(), reduction="sum").item()
    return loss / math.log(2) / (count * rows[:, 1:].numel() / len(ids))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("nanogpt", type=Path)
    parser.add_argument("text")
    parser.add_argument("--seconds", type=float, default=300.0)
    options = parser.parse_args()
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # As `train` sets it, for both.
    os.environ.setdefault("GOMP_SPINCOUNT", "2000")
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "20000")
    begin, end = without_end(read_text(options.text), PERCENT)
    learner_code(SOLUTIONS)
    letters = {letter: n for n, letter in enumerate(sorted(set(begin + end)))}
    with tempfile.TemporaryDirectory() as folder:
        at, nano = Path(folder), options.nanogpt.resolve()
        (at / "begin.txt").write_text(begin, "utf-8", newline="")
        (at / "end.txt").write_text(end, "utf-8", newline="")
        rows = [("train --text", *ours(at, options.seconds))]
        pairs = BytePairs.read(at / "ours" / "source.json", {})
        kinds = {
            "letters": ([[letters[each] for each in text] for text in (begin, end)], len(letters)),
            "tokens of 6.7": ([pairs.encode(text) for text in (begin, end)], len(pairs)),
        }
        for name, (ids, size) in kinds.items():
            found = theirs(at, nano, ids, size, len(end.encode()), options.seconds)
            rows.append((f"nanoGPT, {name}", *found))
    for name, parameters, seconds, used, per_byte in rows:
        told = f"{parameters:9,} parameters, {seconds:5.0f} s ({used:5.0f} s of processors)"
        print(f"{name:22} {told}: {per_byte:.3f} bits per byte")
    sys.exit(rows[0][-1] > min(row[-1] for row in rows[1:]))


if __name__ == "__main__":
    main()
