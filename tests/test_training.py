"""train, translate, classify: on tiny texts made here, and on real ones where they are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from on_texts import COMMAND, DATA, SMALL, course, log, refused, texts

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.files.source import solution

__all__ = ["texts"]

pytestmark = pytest.mark.room

pytest.importorskip("tokenizers", reason="pip install -r requirements-train.txt")
pytest.importorskip("sacrebleu", reason="pip install -r requirements-train.txt")


def started(at: Path, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """In a process that is as new as a learner's."""
    return subprocess.run(words, cwd=at, capture_output=True, text=True, **more)


def test_what_is_typed_wrong_is_named(texts: Path) -> None:
    """One line each, with the value in it, and nothing is written."""
    (texts / "short").write_text("one\ntwo\n", "utf-8")
    (texts / "odd.tsv").write_text("good\tfine\nfine\n", "utf-8")
    (texts / "fair.txt").write_text("so so\n", "utf-8")
    (texts / "other").mkdir()
    (texts / "other" / "letter.txt").write_text("Dear Sir", "utf-8")
    labels = ("--labels", "good.txt", "bad.txt")
    for words, says in [
        (("de", "short"), "de has 60 lines, short has 2"),
        (("de", "nowhere"), "nowhere"),
        (("de", "en", "short"), "here are 3"),
        (("odd.tsv",), "odd.tsv, line 2"),
        ((), "train SOURCE TARGET"),
        (("de", "en", "--n-head", "3"), "--n-head 3"),
        (("de", "en", "--epochs", "0"), "--epochs 0"),
        (("de", "en", "--dropout", "1"), "--dropout 1.0"),
        (("de", "en", "--model", "other"), "letter.txt"),
        (("--resume",), "There is no training"),
        (("de", "en", "--submission", "nowhere"), "nowhere"),
        (("--labels", "good.txt"), "good.txt, line 1"),
        (("--labels", "a=good.txt", "a=bad.txt"), "'a'"),
        ((*labels, "--validation", "fair.txt", "good.txt"), "'fair'"),
    ]:
        assert says in refused(texts, "train", *words)
    assert not (texts / "models").exists()
    assert (texts / "other" / "letter.txt").read_text() == "Dear Sir"


def test_a_gap_that_is_not_filled(fresh: Path, texts: Path) -> None:
    root = Path(shutil.copytree(fresh, texts / "the course"))  # Its steps are checked, too.
    done = course(texts, "train", "de", "en", root=root)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "is not written yet" in done.stderr and "--solution" in done.stderr
    assert not (texts / "models").exists()


@pytest.mark.parametrize("name", ["tokenizers", "sacrebleu"])
def test_a_missing_package_is_one_line(texts: Path, name: str) -> None:
    (texts / "without").mkdir()
    (texts / "without" / f"{name}.py").write_text("raise ModuleNotFoundError(name=__name__)\n")
    environment = {**os.environ, "PYTHONPATH": str(texts / "without")}
    done = started(texts, *COMMAND, "train", "de", "en", env=environment)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert name in done.stderr and "pip install -r requirements-train.txt" in done.stderr


# The command


def test_it_learns_to_translate(texts: Path) -> None:
    """From the first line to lines that are piped in; and nothing is overwritten."""
    words = ("train", "de", "en", *SMALL, "--test", "de", "en", "--dropout", "0", "--factor", "0.3")
    words = (*words, "--epochs", "40", "--score-sentences", "5")
    done = course(texts, *words, "--validation", "de", "en")
    assert done.returncode == 0, done.stderr
    first = f"{(texts / 'de').read_text('utf-8').splitlines()[0]!r:.20}"
    assert done.stdout.startswith(f"Read 60 lines: 60 pairs. The first is {first}")
    assert re.search(r"^epoch 1: loss \d\.\d{3}, validation \d\.\d{3}, BLEU ", done.stdout, re.M)
    assert "nrefs:1|case:mixed|eff:no|tok:13a" in done.stdout
    assert "\x1b" not in done.stdout and "\r" not in done.stdout
    score = float(re.search(r"Test: BLEU ([\d.]+)", done.stdout)[1])
    assert score > 60

    lines = "eins zwei drei\n\nvier acht\n"
    for options in ((), ("--beam", "4", "--length-penalty", "0.6")):
        piped = course(texts, "translate", *options, input=lines)
        first, empty, last = piped.stdout.splitlines()
        assert first.startswith("one ") and empty == "" and last.startswith("four ")
    (texts / "odd").write_bytes(b"eins zwei drei\nf\xfcnf\n\nvier acht")
    first, wrong, empty, last = course(texts, "translate", "odd").stdout.splitlines()
    assert first.startswith("one ") and empty == "" and last.startswith("four ")
    assert wrong == "(odd, line 2: is not UTF-8 (invalid start byte). Save it as UTF-8.)"
    from_file = course(texts, "translate", "de", "--reference", "en")
    assert len(from_file.stdout.splitlines()) == 60 and "BLEU" in from_file.stderr

    assert "holds a training already" in refused(texts, *words)
    assert "dim_vector 16, not 32" in refused(texts, *words, "--resume", "--dim-vector", "32")
    assert "made for translate" in refused(texts, "classify", "de", "--model", "models/translate")
    assert "no model in nowhere" in refused(texts, "translate", "de", "--model", "nowhere")
    english = (texts / "en").read_text("utf-8")
    (texts / "en").write_text("one\n" * 60, "utf-8")
    assert "not those" in refused(texts, *words, "--resume")
    (texts / "en").write_text(english, "utf-8")
    (texts / "models" / "translate" / "checkpoint.pt").unlink()
    assert "checkpoint.pt" in refused(texts, "train", "--resume")


def test_it_learns_to_classify(texts: Path) -> None:
    words = ("train", "--labels", "good.txt", "bad.txt", *SMALL, "--test-share", "10")
    done = course(texts, *words, "--epochs", "15", "--dropout", "0.1", "--factor", "2")
    assert done.returncode == 0, done.stderr
    assert "Test: 8 of 8 right, accuracy 100.00 %" in done.stdout
    piped = course(texts, "classify", input="fine great\n\nbleak dull\n")
    assert piped.stdout == "good\n\nbad\n"


def test_code_that_stops_is_shown_alone(fresh: Path, texts: Path) -> None:
    root = Path(shutil.copytree(fresh, texts / "the course"))
    for step in STEPS:
        shutil.copy(SOLUTIONS / step.path, root / step.path)
    training = root / "s5_transformer/training.py"
    text = training.read_text("utf-8")
    for wrong, says in [
        (text.replace("def sequence_loss(", "def sequence_loss(]", 1), "SyntaxError"),
        (f"{text}\n\ndef sequence_loss(*args):\n    return 1 / 0\n", "ZeroDivisionError"),
    ]:
        training.write_text(wrong, "utf-8")
        words = [str(texts / "de"), str(texts / "en"), "--model", str(texts / says), "--anyway"]
        done = course(root, "train", *words, root=root)
        assert done.returncode == 2 and says in done.stderr and "training.py:" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("id", "right", "wrong", "words", "says"),
    [
        ("5.1", ".tril()", ".triu()", ["de", "en"], "does not pass"),
        (
            "5.3",
            "    if step < 1:",
            '    raise NotImplementedError("noam_learning_rate")\n    if step < 1:',
            ["--labels", "good=good.txt", "bad=bad.txt"],
            "is not written yet",
        ),
    ],
)
def test_a_model_that_cannot_learn_is_not_trained(
    fresh: Path, texts: Path, id: str, right: str, wrong: str, words: list[str], says: str
) -> None:
    """Each step that the training uses is checked before it begins."""
    root = Path(shutil.copytree(fresh, texts / "the course"))
    for step in STEPS:
        text = solution(step)
        if step.id == id:
            assert right in text
            text = text.replace(right, wrong)
        (root / step.path).write_text(text, "utf-8")
    done = course(texts, "train", *words, root=root)
    assert done.returncode == 2 and f"{says}: this model cannot learn" in done.stderr
    assert id in done.stderr and not (texts / "models").exists()


def test_two_processes_follow_the_curve_of_one(texts: Path) -> None:
    """The same batches, gradients weighted by tokens: the same losses but for rounding."""
    words = ("train", "de", "en", *SMALL, "--dropout", "0", "--epochs", "4", "--no-bf16")
    words = (*words, "--max-norm", "0.5")
    assert course(texts, *words, "--model", "one").returncode == 0
    torchrun = (sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2")
    torchrun = (*torchrun, "--standalone", str(COURSE / "run_step.py"))
    done = started(texts, *torchrun, *words, "--model", "two")
    assert done.returncode == 0, done.stderr
    assert "on 2 x cpu" in done.stdout and done.stdout.count("The best is epoch") == 1
    one, two = log(texts / "one"), log(texts / "two")
    assert [row["steps"] for row in one] == [row["steps"] for row in two]
    for name in ("loss", "validation"):
        assert [row[name] for row in two] == pytest.approx([row[name] for row in one], rel=1e-4)
    assert one[-1]["loss"] < 0.9 * one[0]["loss"]
    assert "processes 2, not 1" in refused(texts, *words, "--model", "two", "--resume")


def test_gathered_batches_are_one_large_batch(texts: Path) -> None:
    """--accumulate takes the mean over all predictions of its batches: no mean of means."""
    from_one = ("--batch-tokens", "1000000", "--accumulate", "1")
    from_many = ("--batch-tokens", "60", "--accumulate", "1000000")
    words = ("train", "de", "en", *SMALL, "--dropout", "0", "--epochs", "3", "--no-bf16")
    for name, options in (("one", from_one), ("many", from_many)):
        assert course(texts, *words, *options, "--model", name).returncode == 0
    one, many = log(texts / "one"), log(texts / "many")
    assert [row["steps"] for row in many] == [1, 2, 3]
    assert [r["loss"] for r in many] == pytest.approx([r["loss"] for r in one], rel=1e-4)


@pytest.mark.ci
def test_film_reviews(tmp_path: Path) -> None:
    """At least 74 % of reviews never seen are told apart, from scratch."""
    reviews = (DATA / "movie_reviews").resolve()
    if not reviews.exists():
        pytest.skip("COURSE_DATA names no folder with movie_reviews/ in it")
    files = [f"{label}={reviews}/rt-polarity.{label}.gz" for label in ("neg", "pos")]
    words = ("train", "--solution", "--labels", *files, "--test-share", "10")
    done = course(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert float(re.search(r"accuracy ([\d.]+) %$", done.stdout, re.M)[1]) >= 74
