"""`train --text` and `speak --model`: a language model of stage 6 learns from any text."""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional as F
from warm import python

from checks.contents import COURSE, STEPS
from checks.engine.files.source import solution
from checks.training.parts import read_parts

pytestmark = pytest.mark.room

SMALL = [
    *("--solution", "--dim-vector", "16", "--n-head", "2", "--n-kv-head", "1", "--num-layer", "1"),
    *("--dim-hidden", "24", "--vocab-size", "270", "--batch-tokens", "160", "--max-len", "20"),
    *("--warmup", "20", "--threads", "1", "--no-bf16"),
]
WORDS = ["one", "two", "three", "four"]


@pytest.fixture
def at(tmp_path: Path) -> Path:
    """A folder with a text of 300 lines. Each counts to four, again and again, from some word."""
    rng = random.Random(1)
    starts = rng.choices(range(4), k=300)
    lines = [" ".join(WORDS[(start + n) % 4] for n in range(6)) for start in starts]
    (tmp_path / "text").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def said(at: Path, *words: str, root: Path = COURSE, **environment: str) -> str:
    """What the command prints in this folder; it passes."""
    done = python(str(root / "run_step.py"), *words, cwd=at, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(at: Path, *words: str, root: Path = COURSE) -> str:
    """The error of a command that is typed wrong."""
    done = python(str(root / "run_step.py"), *words, cwd=at)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def epochs(folder: Path) -> list[dict[str, Any]]:
    """The rows of log.jsonl, without the times."""
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    return [{k: v for k, v in row.items() if "seconds" not in k} for row in rows]


def test_it_learns_to_count_and_speaks(at: Path) -> None:
    (at / "no").mkdir()
    for name in ("tokenizers", "sacrebleu"):  # Nothing of them is needed.
        (at / "no" / f"{name}.py").write_text("raise ModuleNotFoundError(name=__name__)\n")
    words = ("train", "--text", "text", *SMALL, "--test", "text", "--epochs", "30")
    told = said(at, *words, PYTHONPATH=str(at / "no"))
    said(at, "train", "--resume", "--model", "models/write", PYTHONPATH=str(at / "no"))
    read, first = told.splitlines()[:2]
    assert re.fullmatch(r"Read \d+ lines: \d,\d{3} characters\.", read)
    assert re.fullmatch(r"Step 6\.7 learns 13 merges from \d,\d{3} characters …", first)
    assert re.search(r"^epoch 1: loss \d.\d+, validation \d.\d+, \d.\d+ bits per byte", told, re.M)
    # Only the beginning of each line is open: about 2 bits of about 30 bytes.
    assert float(re.search(r"^Test: ([\d.]+) bits per byte$", told, re.M)[1]) < 0.3
    asked = ("speak", "--model", "models/write", "one two", "--temperature", "0")
    assert said(at, *asked).startswith("one two three four one")
    assert said(at, *asked[:3], "one", "--seed", "3") == said(at, *asked[:3], "one", "--seed", "3")
    assert "holds a training already" in refused(at, *words)
    assert "made for write" in refused(at, "translate", "text", "--model", "models/write")
    assert "there is room for 19" in refused(at, *asked[:3], "o n e " * 20)
    assert "goes without" in refused(at, *asked, "--get")


def test_bits_per_byte_are_those_of_the_windows(at: Path, solution_code: None) -> None:
    """Computed anew, window by window, with the bytes of what is predicted."""
    from checks.training.batches import in_order
    from checks.training.kinds import WRITE
    from checks.training.tasks import build, summed_loss
    from checks.training.writing import BytePairs, Writing

    text = "Größe, naïve, 東京\n\n\tone  two " * 9
    pairs = BytePairs.learned([text, "three"], 280, print)
    assert len(pairs) == 280 and pairs.end == 279
    assert pairs.decode([*pairs.encode(text), pairs.end]) == text
    task = Writing([text, "three"], pairs, 7)
    settings = {**WRITE, "task": "write", "dim_vector": 16, "num_layer": 1, "max_len": 7}
    model, _ = build(settings, [len(pairs)])
    ids = [*pairs.encode(text), pairs.end, *pairs.encode("three"), pairs.end]
    bits, count = 0.0, 0
    for start in range(0, len(ids) - 7, 7):
        window = torch.tensor([ids[start : start + 8]])
        logits = model(window[:, :-1])[0][0]
        bits += F.cross_entropy(logits, window[0, 1:], reduction="sum").item() / math.log(2)
        of_texts = [id for id in window[0, 1:].tolist() if id != pairs.end]
        count += sum(len(pairs.decode([id]).encode()) if id > 255 else 1 for id in of_texts)
    rows = list(range(len(task.rows)))
    loss = summed_loss(task, model, in_order(task.lengths, 30), "cpu") / task.weight(rows)
    assert "�" not in "".join(pairs.decode([id]) for id in ids if 255 < id < pairs.end)
    assert task.bits_per_byte(loss) == pytest.approx(bits / count, rel=1e-5)


def test_the_end_of_each_text_is_kept_apart_and_nothing_is_lost(at: Path) -> None:
    (at / "line").write_text("x" * 100, "utf-8")
    (at / "blank").write_text("y" * 99 + "\n", "utf-8")
    names = [str(at / name) for name in ("text", "line", "blank")]
    settings = {"task": "write", "data": names, "validation": None, "test": None, "test_share": 20}
    said_by: list[str] = []
    whole, validation, test = (part[0] for part in read_parts(settings, said_by.append))
    for n, name in enumerate(names):
        text = Path(name).read_text("utf-8")
        assert whole[n] + validation[n] + test[n] == text
        assert len(test[n]) == pytest.approx(0.2 * len(text), abs=40)
        assert len(validation[n]) == pytest.approx(0.08 * len(text), abs=40)
    assert whole[0].endswith("\n") and validation[0].endswith("\n")


def test_an_interrupted_training_goes_on_as_if_it_had_not_stopped(at: Path) -> None:
    words = ("train", "--text", "text", *SMALL)
    said(at, *words, "--model", "whole", "--epochs", "4")
    said(at, *words, "--model", "kept", "--epochs", "2")
    resumed = said(at, "train", "--resume", "--model", "kept", "--epochs", "4")
    assert "merges" not in resumed
    assert epochs(at / "kept") == epochs(at / "whole")
    again = (*words, "--resume", "--model", "kept")
    assert "n_kv_head 1, not 2" in refused(at, *again, "--n-kv-head", "2")
    (at / "kept" / "source.json").write_text("{}", "utf-8")
    assert "a vocabulary cannot be read" in refused(at, "speak", "--model", "kept", "one")


def test_what_does_not_fit_is_named_and_nothing_is_written(at: Path) -> None:
    (at / "short").write_text("one two\n", "utf-8")
    (at / "latin").write_bytes(b"one\n\xff\n")
    (at / "none").write_text("", "utf-8")
    for words, says in [
        (("nowhere",), "nowhere cannot be read"),
        (("latin",), "latin, line 2: is not UTF-8"),
        (("none",), "none has no text"),
        (("text", "--n-kv-head", "3"), "--n-kv-head 3 does not divide --n-head 4"),
        (("text", "--dim-vector", "12"), "heads of 3 features"),
        (("text", "--vocab-size", "256"), "--vocab-size 256"),
        (("text", "--dropout", "0.1"), "--dropout"),
        (("text", "--lower-case"), "--lower-case"),
        (("text", "--labels"), "--labels"),
    ]:
        assert says in refused(at, "train", "--text", *words), words
    assert "--n-kv-head is not for translate" in refused(at, "train", "a", "b", "--n-kv-head", "2")
    for option in ("--separate", "--no-tie"):
        assert f"{option} is not for classify" in refused(at, "train", "--labels", "a", option)
    assert "--max-len 20 is one window" in refused(at, "train", "--text", "short", *SMALL)
    assert not (at / "models").exists()


@pytest.mark.parametrize("step", ["training", "rotary", "byte_pairs", "speak"])
def test_steps_that_it_learns_with_are_checked_first(fresh: Path, at: Path, step: str) -> None:
    root = Path(shutil.copytree(fresh, at / "the course"))
    for each in STEPS:
        if each.name != step:
            (root / each.path).write_text(solution(each), "utf-8")
    told = refused(at, "train", "--text", "text", root=root)
    assert f"{step} is not written yet: this model cannot learn to write" in told
    assert not (at / "models").exists()


def test_ctrl_c_says_how_to_go_on(at: Path) -> None:
    """Before an epoch is done, too: what is there is kept."""
    words = [sys.executable, str(COURSE / "run_step.py"), "train", "--text", "text", *SMALL]
    run = subprocess.Popen(
        [*words, "--epochs", "100000"], cwd=at, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    while run.poll() is None and not (at / "models/write/settings.json").exists():
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    assert run.stderr is not None
    assert "Stopped. models/write is kept; --resume goes on." in run.stderr.read().decode()
    assert run.wait() == 130
