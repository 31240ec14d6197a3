"""Speaking with real weights: `python benchmarks/speak.py [--rounds N] [--threads N]`

The solution's classes hold the weights that `run_step.py speak --get` has fetched. They write, with
their caches, in turn with the `transformers` library on the same weights, in the same dtype, with
the same threads. First both must write the same tokens. It prints, all as ratios or beside a bar:

- tokens per second against the library's (`pip install transformers`; left out without it)
- the time of a token behind 1,024 tokens against behind 64
- the peak memory of `speak`, above that of `import torch`, against the size of the weights
- the same for the first time, when the weights are written to their file
- the seconds from the start of `speak` to its first token, beside `import torch`

The first two are medians over all tokens. It exits with 1 if one is beyond its bar. Of the first
two the processor time counts, as other work on the machine disturbs it less.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # As `speak` sets it.
os.environ.setdefault("GOMP_SPINCOUNT", "2000")
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "16")
os.environ.setdefault("LRU_CACHE_CAPACITY", "16")
import torch

COURSE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(COURSE))
sys.dont_write_bytecode = True

from checks.contents import SOLUTIONS  # noqa: E402
from checks.speaking.fetch import SMOLLM2, fetched, sha256  # noqa: E402
from checks.speaking.gguf import Gguf  # noqa: E402
from checks.speaking.model import dtype, load, shapes, sizes_of  # noqa: E402
from checks.training.model import learner_code  # noqa: E402

SPEED, GROWTH, MEMORY, SECONDS = 1.0, 1.5, 1.3, 15.0  # The bars.
SHORT, LONG, NEW = 64, 1024, 32
NAMES = {  # In the library: of a layer.
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
PEAK = """
import os, runpy, sys
import torch
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
before = peak()
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit:
    pass
print(f"\\n{before} {peak()}")
"""


def library(file: Gguf, kind: torch.dtype) -> Any:
    """The library's model with the same weights; None without the library."""
    try:
        from transformers import LlamaConfig, LlamaForCausalLM
    except ImportError:
        return None
    sizes = sizes_of(file)
    config = LlamaConfig(
        vocab_size=sizes["vocab_size"],
        hidden_size=sizes["dim_vector"],
        intermediate_size=sizes["dim_hidden"],
        num_hidden_layers=sizes["num_layer"],
        num_attention_heads=sizes["n_head"],
        num_key_value_heads=sizes["n_kv_head"],
        max_position_embeddings=sizes["max_len"],
        rms_norm_eps=sizes["eps"],
        rope_theta=sizes["base"],
        tie_word_embeddings=True,
        eos_token_id=None,
        pad_token_id=0,
    )
    model = LlamaForCausalLM(config)
    tensors = {"model.norm.weight": torch.tensor(file.tensor("output_norm.weight"))}
    tensors["model.embed_tokens.weight"] = torch.tensor(file.tensor("token_embd.weight"))
    for n in range(sizes["num_layer"]):
        for ours, theirs in NAMES.items():
            tensor = torch.tensor(file.tensor(f"blk.{n}.{ours}.weight"))
            if ours in ("attn_q", "attn_k"):  # The library pairs halves, the file neighbours.
                dim = sizes["dim_vector"] // sizes["n_head"]
                tensor = tensor.unflatten(0, (-1, dim // 2, 2)).transpose(1, 2).flatten(0, 2)
            tensors[f"model.layers.{n}.{theirs}.weight"] = tensor
    missing, left = model.load_state_dict(tensors, strict=False)
    assert set(missing) <= {"lm_head.weight"} and not left, (missing, left)
    model.tie_weights()
    return model.to(kind).eval()


class Clock:
    """The times at which tokens come, of the clock and of the processor (all threads together)."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.times: list[tuple[float, float]] = []

    def put(self, token: Any) -> None:
        """Note a token. The library calls it; first with all tokens that were given."""
        self.tokens.append(int(torch.as_tensor(token).flatten()[-1]))
        self.times.append((time.perf_counter(), time.process_time()))

    def end(self) -> None:
        """The library calls it."""

    def seconds(self) -> list[tuple[float, float]]:
        """For each token but the first, which comes after all that was given is read."""
        pairs = itertools.pairwise(self.times)
        return [(later[0] - one[0], later[1] - one[1]) for one, later in pairs]


def ours(loaded: Any, ids: list[int], new: int = NEW) -> Clock:
    clock = Clock()
    with torch.inference_mode():  # As `speak` does it.
        for token in loaded.speak.write(loaded.model, ids, new + 1, -1, temperature=0):
            clock.put(token)
    return clock


def theirs(model: Any, ids: list[int], new: int = NEW) -> Clock:
    clock, given = Clock(), torch.tensor([ids])
    mask = torch.ones_like(given)
    model.generate(
        given, attention_mask=mask, do_sample=False, max_new_tokens=new + 1, streamer=clock
    )
    del clock.tokens[0], clock.times[0]
    return clock


def medians(clocks: list[Clock]) -> tuple[float, float]:
    """The median seconds for a token, of the clock and of the processor."""
    columns = zip(*(row for clock in clocks for row in clock.seconds()))
    wall, processor = map(statistics.median, columns)
    return wall, processor


def against_the_library(file: Gguf, loaded: Any, ids: list[int], rounds: int) -> float | None:
    other = library(file, next(loaded.model.parameters()).dtype)
    if other is None:
        print("transformers is not installed: no comparison (pip install transformers)")
        return None
    pairs = [(ours(loaded, ids), theirs(other, ids)) for _ in range(rounds + 1)][1:]
    same = sum(a == b for a, b in zip(*(clock.tokens for clock in pairs[0])))
    print(f"{same} of {NEW + 1} tokens are the same")
    one, two = (medians([pair[n] for pair in pairs]) for n in (0, 1))
    told = f"the solution {1 / one[0]:.1f}, transformers {1 / two[0]:.1f}: {two[0] / one[0]:.2f} x"
    ratio = two[1] / one[1]
    print(f"tokens per second: {told}; in processor time {ratio:.2f} x; at least {SPEED}")
    return ratio


def growth(loaded: Any, ids: list[int], rounds: int) -> float:
    short, long = (
        medians([ours(loaded, ids[:length]) for _ in range(rounds)]) for length in (SHORT, LONG)
    )
    ratio = long[1] / short[1]
    told = f"{long[0] / short[0]:.2f} x, in processor time {ratio:.2f} x"
    print(f"a token behind {LONG:,} against behind {SHORT}: {told}; below {GROWTH}")
    return ratio


def peak(words: list[str], **environment: str) -> int:
    """The most memory that this command of the course takes above `import torch`, in bytes."""
    command, environ = [sys.executable, "-c", PEAK, *words], {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=environ)
    before, after = map(int, done.stdout.split("\n")[-2].split())
    return (after - before) * 1024


def from_the_start(file: Gguf) -> tuple[float, float]:
    """The peak of memory as a part of the weights, and the seconds to the first token."""
    text, run = "The capital of France is", str(COURSE / "run_step.py")
    words = ["speak", text, "--submission", "solutions", "--temperature", "0"]
    subprocess.run([sys.executable, run, *words, "--most", "1"], capture_output=True, check=True)
    size = sum(torch.Size(shape).numel() for shape in shapes(sizes_of(file)).values())
    size *= dtype().itemsize
    ratio = 0.0
    if sys.platform == "linux":
        ratio = peak([run, *words, "--most", "100"]) / size
        print(f"peak memory above `import torch`: {ratio:.2f} x the weights; at most {MEMORY}")
        with tempfile.TemporaryDirectory() as empty:
            (Path(empty) / file.path.name).symlink_to(file.path.resolve())
            for what in ("the loss is compared, in float32", "the weights are written"):
                found = peak([run, *words, "--most", "1"], COURSE_MODELS=empty) / size
                print(f"  the first time {what}: {found:.2f} x the weights")
                for kept in Path(empty).glob("*.pt"):
                    kept.unlink()
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    torch_alone, start = time.perf_counter() - start, time.perf_counter()
    subprocess.run([sys.executable, run, *words, "--most", "1"], capture_output=True, check=True)
    whole = time.perf_counter() - start
    told = f"{whole:.1f} s, `import torch` {torch_alone:.1f} s: {whole / torch_alone:.1f} x"
    print(f"from the start to the end after one token: {told}; at most {SECONDS:.0f} s")
    return ratio, whole


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    options = parser.parse_args()
    path = fetched(SMOLLM2)
    if path is None:
        raise SystemExit("First fetch the model: python run_step.py speak --get")
    file = Gguf(path)
    memory, whole = from_the_start(file)
    torch.set_num_threads(options.threads)
    learner_code(SOLUTIONS)
    loaded = load(file, digest=sha256(path))
    print(f"{dtype()}, {options.threads} threads")
    ids = loaded.vocabulary.encode("The river rises in spring, and the meadow is wet. " * 100)
    grown = growth(loaded, ids, options.rounds)
    speed = against_the_library(file, loaded, ids[:SHORT], options.rounds)
    good = memory <= MEMORY and whole <= SECONDS and grown < GROWTH
    return 0 if good and (speed is None or speed >= SPEED) else 1


if __name__ == "__main__":
    sys.exit(main())
