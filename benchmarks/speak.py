"""Speaking with real weights: `python benchmarks/speak.py [--rounds N] [--threads N]`

The solution's classes hold the weights that `run_step.py speak --get` has fetched. They write, with
their caches, in turn with the `transformers` library on the same weights, in the same dtype, with
the same threads. First both must write the same tokens. It prints, all as ratios or beside a bar:

- tokens per second against the library's (`pip install transformers`; left out without it)
- the time of a token behind 1,024 tokens against behind 64
- the peak memory of `speak`, above that of `import torch`, against the size of the weights
- the seconds from the start of `speak` to its first token, beside `import torch`

Times are of the processor for the first two, as other work on the machine counts less there. It
exits with 1 if one is beyond its bar.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
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


def ours(loaded: Any, ids: list[int], new: int) -> list[int]:
    with torch.inference_mode():  # As `speak` does it.
        return list(loaded.speak.write(loaded.model, ids, new, -1, temperature=0))


def theirs(model: Any, ids: list[int], new: int) -> list[int]:
    given = torch.tensor([ids])
    found = model.generate(  # As it comes: under no_grad.
        given,
        attention_mask=torch.ones_like(given),
        do_sample=False,
        max_new_tokens=new,
    )
    return [int(token) for token in found[0, len(ids) :]]


def seconds(work: Callable[[], Any]) -> float:
    """Of the processor, all threads together."""
    start = time.process_time()
    work()
    return time.process_time() - start


def a_token(write: Callable[[list[int], int], Any], ids: list[int], new: int = NEW) -> float:
    """Seconds for a token behind these, without the reading of them."""
    return (seconds(lambda: write(ids, new + 1)) - seconds(lambda: write(ids, 1))) / new


def against_the_library(file: Gguf, loaded: Any, ids: list[int], rounds: int) -> float | None:
    other = library(file, next(loaded.model.parameters()).dtype)
    if other is None:
        print("transformers is not installed: no comparison (pip install transformers)")
        return None
    same = sum(a == b for a, b in zip(ours(loaded, ids, NEW), theirs(other, ids, NEW)))
    print(f"{same} of {NEW} tokens are the same")
    ratios, best = [], [1e9, 1e9]
    for _ in range(rounds):
        one = a_token(lambda given, new: ours(loaded, given, new), ids)
        two = a_token(lambda given, new: theirs(other, given, new), ids)
        ratios.append(two / one)
        best = [min(best[0], one), min(best[1], two)]
    ratio = best[1] / best[0]
    told = f"the solution {1 / best[0]:.1f}, transformers {1 / best[1]:.1f}"
    print(f"tokens per processor second: {told}: {ratio:.2f} x", end="")
    print(f" (median of the rounds {statistics.median(ratios):.2f}); at least {SPEED}")
    return ratio


def growth(loaded: Any, ids: list[int], rounds: int) -> float:
    found = []
    for _ in range(rounds):
        short = a_token(lambda given, new: ours(loaded, given, new), ids[:SHORT])
        found.append(a_token(lambda given, new: ours(loaded, given, new), ids[:LONG]) / short)
    ratio = min(found)
    told = f"best {ratio:.2f} x, median {statistics.median(found):.2f} x"
    print(f"a token behind {LONG:,} against behind {SHORT}: {told}; below {GROWTH}")
    return ratio


def from_the_start(file: Gguf) -> tuple[float, float]:
    """The peak of memory as a part of the weights, and the seconds to the first token."""
    text, run = "The capital of France is", str(COURSE / "run_step.py")
    words = ["speak", text, "--submission", "solutions", "--temperature", "0"]
    subprocess.run([sys.executable, run, *words, "--most", "1"], capture_output=True, check=True)
    size = sum(torch.Size(shape).numel() for shape in shapes(sizes_of(file)).values())
    size *= dtype().itemsize
    ratio = 0.0
    if sys.platform == "linux":
        command = [sys.executable, "-c", PEAK, run, *words, "--most", "100"]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        before, after = map(int, done.stdout.split("\n")[-2].split())
        ratio = (after - before) * 1024 / size
        print(f"peak memory above `import torch`: {ratio:.2f} x the weights; at most {MEMORY}")
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
