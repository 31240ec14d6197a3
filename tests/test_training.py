"""train, translate, classify: on tiny texts made here, and on real ones where they are."""

from __future__ import annotations

import gzip
import json
import os
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
from torch import nn
from warm import python

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.commands.words import Usage
from checks.engine.course.source import solution
from checks.training.batches import in_order, make_batches
from checks.training.lines import read_labelled, read_lines, read_pairs

pytestmark = pytest.mark.room

pytest.importorskip("tokenizers", reason="pip install -r requirements-train.txt")
pytest.importorskip("sacrebleu", reason="pip install -r requirements-train.txt")

DATA = Path(os.environ.get("COURSE_DATA", "data"))  # With multi30k/ and movie_reviews/ in it.
COMMAND = (sys.executable, str(COURSE / "run_step.py"))
SMALL = [
    *("--solution", "--dim-vector", "16", "--n-head", "2", "--num-layer", "1"),
    *("--dim-hidden", "24", "--vocab-size", "60", "--batch-tokens", "60", "--warmup", "20"),
    *("--threads", "1"),
]
NUMBERS = {"eins": "one", "zwei": "two", "drei": "three", "vier": "four", "acht": "eight"}


def course(
    at: Path, *words: str, root: Path = COURSE, input: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return python(str(root / "run_step.py"), *words, cwd=at, input=input, **environment)


def started(at: Path, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """In a process that is as new as a learner's."""
    return subprocess.run(words, cwd=at, capture_output=True, text=True, **more)


def refused(at: Path, *words: str) -> str:
    done = course(at, *words)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """German numbers and their English, 60 pairs; and texts with labels."""
    rng = random.Random(1)
    rows = [rng.choices(list(NUMBERS), k=rng.randint(1, 5)) for _ in range(60)]
    english = [" ".join(NUMBERS[word] for word in row) for row in rows]
    (tmp_path / "de").write_text("".join(" ".join(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "en").write_text("".join(row + "\n" for row in english), "utf-8")
    for label, words in (("good", "fine great nice"), ("bad", "poor dull bleak")):
        lines = [" ".join(rng.choices(words.split(), k=4)) for _ in range(40)]
        (tmp_path / f"{label}.txt").write_text("\n".join(lines), "utf-8")
    return tmp_path


def log(model: Path) -> list[dict[str, Any]]:
    """The epochs of a training, without the times."""
    rows = [json.loads(line) for line in (model / "log.jsonl").read_text("utf-8").splitlines()]
    return [{k: v for k, v in row.items() if "seconds" not in k} for row in rows]


def test_no_judge_imports_the_rooms_without_verdicts() -> None:
    """They import learner code: so nothing that gives a verdict may."""
    talks = COURSE / "checks/graduation/kept.py"  # For `translate` and `classify`, which judge not.
    rooms = ("training", "speaking")
    for path in (COURSE / "checks").rglob("*.py"):
        text = path.read_text("utf-8")
        found = {
            name
            for name in re.findall(r"(?:import_module\(.|from |import )checks\.([\w.]+)", text)
            if name.split(".")[0] in rooms
        }
        if path.parent.name == "training":
            assert not any(name.startswith("speaking") for name in found), path
        elif path.parent.name != "speaking" and path != talks:
            assert found <= {"speaking.table"}, path  # What was measured, and no learner code.


# Files


def test_files_of_every_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.tsv").write_text("ein Haus\ta house\r\nzwei\ttwo\n\n", "utf-8")
    with gzip.open(tmp_path / "de.gz", "wt", encoding="utf-8") as file:
        file.write("\ufeffein Haus\nzwei\n")
    (tmp_path / "en").write_text("a house\ntwo", "utf-8")
    (tmp_path / "more.tsv").write_text(
        "ein Haus\ta house\tby X\n\nnein\t\tby Z\n\tno\nzwei\ttwo\tby Y\n", "utf-8"
    )
    (tmp_path / "gaps.de").write_text("\nein Haus\nja\nzwei\n", "utf-8")
    (tmp_path / "gaps.en").write_text("yes\na house\n\ntwo\n", "utf-8")
    pairs = (["ein Haus", "zwei"], ["a house", "two"])
    assert read_pairs([str(tmp_path / "more.tsv")]) == pairs
    assert read_pairs([str(tmp_path / "gaps.de"), str(tmp_path / "gaps.en")]) == pairs
    assert "2 of 4 pairs have an empty side" in capsys.readouterr().err
    assert read_pairs([str(tmp_path / "pairs.tsv")]) == pairs
    assert read_pairs([str(tmp_path / "de.gz"), str(tmp_path / "en")]) == pairs
    labelled = (["ein Haus", "zwei", "a house", "two"], ["de", "de", "en", "en"])
    assert read_labelled([f"de={tmp_path}/de.gz", f"{tmp_path}/en"]) == labelled
    assert read_labelled([str(tmp_path / "pairs.tsv")])[1] == ["ein Haus", "zwei"]


@pytest.mark.parametrize(
    "content, says",
    [
        (b"one\n\nthree\n", "line 2: is empty"),
        (b"", "no line"),
        (b"one\n\xff\n", "line 2: is not UTF-8"),
    ],
)
def test_a_faulty_file_is_named_with_its_line(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(Usage, match=re.escape(str(tmp_path / "text")) + ".*" + says):
        read_lines(tmp_path / "text")


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


# Batches


def test_batches_have_every_example_once_and_few_tokens() -> None:
    rng = random.Random(2)
    lengths = [(rng.randint(1, 30), rng.randint(2, 30)) for _ in range(500)]
    lengths[7] = (300, 5)
    for batches in (make_batches(lengths, 200, 1, 1), in_order(lengths, 200)):
        assert sorted(n for batch in batches for n in batch) == list(range(500))
        for batch in batches:
            longest = max(max(lengths[n]) for n in batch)
            assert len(batch) * longest <= 200 or batch == [7]
    targets = [lengths[n][1] for batch in make_batches(lengths, 200, 1, 1) for n in batch]
    padded = sum(
        len(batch) * max(lengths[n][1] for n in batch) for batch in make_batches(lengths, 200, 1, 1)
    )
    assert padded < 1.1 * sum(targets)


def test_the_order_is_the_seeds_and_the_epochs() -> None:
    lengths = [(n % 9 + 1, n % 7 + 2) for n in range(300)]
    first = make_batches(lengths, 50, 1, 1)
    assert first == make_batches(lengths, 50, 1, 1)
    for other in (make_batches(lengths, 50, 1, 2), make_batches(lengths, 50, 2, 1)):
        assert sorted(map(sorted, first)) != sorted(map(sorted, other))


# The model


def settings_of(**more: Any) -> dict[str, Any]:
    from checks.training.kinds import TRANSLATE

    small = {"dim_vector": 16, "n_head": 2, "dim_hidden": 24, "num_layer": 2, "dropout": 0.0}
    return {**TRANSLATE, **small, "task": "translate", "tie": True, "labels": [], **more}


def test_tables_are_tied_whatever_their_names(solution_code: Any) -> None:
    """Also where the vocabularies are equally large and the attributes have odd names."""
    from checks.training.model import find_tables, tie
    from checks.training.tasks import build

    model, _ = build(settings_of(), [50])
    assert sum(p.shape == (50, 16) for p in model.parameters()) == 1
    separate, _ = build(settings_of(), [50, 50])
    assert sum(p.shape == (50, 16) for p in separate.parameters()) == 2
    untied, tables = build(settings_of(tie=False), [50])
    assert sum(p.shape == (50, 16) for p in untied.parameters()) == 3

    class Renamed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b, self.c = untied.encoder, untied.decoder, untied
            for module in self.modules():  # nn.Linear and nn.Embedding need their own names.
                for name in list(module._modules):
                    module._modules[name + "_x"] = module._modules[name]

        def forward(self, *tokens: torch.Tensor) -> torch.Tensor:
            return untied(*tokens)

    found = find_tables(Renamed(), 50, 50)
    assert (found.source, found.target, found.output) == (
        tables.source,
        tables.target,
        tables.output,
    )
    tie(found, joint=True)
    assert sum(p.shape == (50, 16) for p in untied.parameters()) == 1


def test_tied_scores_begin_small_and_see_the_words(solution_code: Any) -> None:
    """Unit rows would make scores of size sqrt(dim_vector); small ones drown in the positions."""
    from checks.training.tasks import build

    model, _ = build(settings_of(dim_vector=64), [50])
    model.eval()
    src, trg = torch.randint(4, 50, (20, 9)), torch.randint(4, 50, (20, 9))
    scores = model(src, trg)
    assert 0.3 < scores.std() < 3
    assert (scores[:, 0] - scores[:1, 0]).std() > 0.3  # Another word, another score.


def test_quick_dropout_drops_its_share_and_keeps_the_mean() -> None:
    from checks.training.model import quicken_dropout

    layers = nn.Sequential(nn.Dropout(0.25))
    quicken_dropout(layers)
    x = torch.ones(1003, 101, requires_grad=True)
    out = layers(x)
    out.sum().backward()
    assert abs((out == 0).float().mean() - 0.25) < 0.01 and abs(out.mean() - 1) < 0.01
    assert torch.equal(x.grad, out)
    torch.manual_seed(1)
    first = layers(x)
    torch.manual_seed(1)
    assert torch.equal(first, layers(x)) and not torch.equal(first, layers(x))
    assert layers.eval()(x) is x


@pytest.mark.parametrize(
    "flags, pays", [("avx2 amx_bf16 amx_tile", True), ("avx512_bf16", True), ("avx512f", False)]
)
def test_bf16_is_for_processors_that_compute_it(
    monkeypatch: pytest.MonkeyPatch, flags: str, pays: bool
) -> None:
    from checks.training.world import bf16_pays

    monkeypatch.setattr(Path, "read_text", lambda *path: f"flags : sse2 {flags}\nbugs :\n")
    assert bf16_pays(torch.device("cpu")) is pays


def test_the_average_is_the_mean_of_the_last_epochs(texts: Path) -> None:
    from checks.training.folder import Folder, average, epoch_file

    options = ("--epochs", "3", "--average", "2", "--model", "kept")
    assert course(texts, "train", "de", "en", *SMALL, *options).returncode == 0
    folder = Folder(str(texts / "kept"))
    states = [folder.load(epoch_file(epoch)) for epoch in (2, 3)]
    assert not (texts / "kept" / epoch_file(1)).exists()
    assert log(texts / "kept")[-1]["best"]  # It still gets better, so the best is the last.
    for name, value in folder.load("best.pt").items():
        assert torch.allclose(value, (states[0][name] + states[1][name]) / 2, atol=1e-6)
    assert average(folder, [3]).keys() == states[0].keys()


# The command


def test_it_learns_to_translate(texts: Path) -> None:
    """From the first line to lines that are piped in; and nothing is overwritten."""
    words = ("train", "de", "en", *SMALL, "--test", "de", "en", "--dropout", "0", "--factor", "0.3")
    words = (*words, "--epochs", "40", "--score-sentences", "5")
    done = course(texts, *words, "--validation", "de", "en")
    assert done.returncode == 0, done.stderr
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


def same(one: Path, two: Path) -> bool:
    """To the bit: the best weights, the last ones, the optimizer, every score."""
    from checks.training.folder import Folder

    folders = Folder(str(one)), Folder(str(two))
    for name in ("best.pt", "checkpoint.pt"):
        a, b = (flat(folder.load(name)) for folder in folders)
        assert a.keys() == b.keys()
        for key, value in a.items():
            if isinstance(value, torch.Tensor):
                assert torch.equal(value, b[key]), key
            else:
                assert value == b[key] or "seconds" in key, key
    return True


def flat(tree: Any, name: str = "") -> dict[str, Any]:
    if isinstance(tree, dict):
        pairs = list(tree.items())
    elif isinstance(tree, (list, tuple)):
        pairs = list(enumerate(tree))
    else:
        return {name: tree}
    return {k: v for key, value in pairs for k, v in flat(value, f"{name}.{key}").items()}


def test_killed_and_resumed_is_as_never_killed(texts: Path) -> None:
    """SIGKILL again and again, in the middle of epochs and of files; then it goes on. So the same
    seed gives the same training; another one does not.
    """
    words = ("train", "de", "en", *SMALL, "--epochs", "6", "--save-every", "2")
    assert course(texts, *words, "--model", "whole").returncode == 0
    assert course(texts, *words, "--model", "other", "--seed", "2", "--epochs", "1").returncode == 0
    assert log(texts / "other")[0]["loss"] != log(texts / "whole")[0]["loss"]
    killed, kept = 0, texts / "killed" / "checkpoint.pt"
    for _ in range(4):
        resume = ("--resume",) if kept.exists() else ()
        process = subprocess.Popen(
            [*COMMAND, *words, "--model", "killed", *resume],
            cwd=texts,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        before = kept.stat().st_mtime_ns if kept.exists() else 0
        while process.poll() is None:
            time.sleep(0.002)
            if kept.exists() and kept.stat().st_mtime_ns != before:
                time.sleep(random.random() / 20)
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += process.returncode == -signal.SIGKILL
    assert killed >= 2 and (
        not (texts / "killed/log.jsonl").exists() or len(log(texts / "killed")) < 6
    )
    done = course(texts, "train", "--model", "killed", "--resume")
    assert done.returncode == 0, done.stderr
    assert "Going on with epoch" in done.stdout
    assert log(texts / "killed") == log(texts / "whole")
    assert same(texts / "killed", texts / "whole")
    assert not list((texts / "killed").glob(".*"))


def test_a_checkpoint_of_a_stranger_runs_no_code(texts: Path) -> None:
    import pickle

    class Evil:
        def __reduce__(self) -> Any:
            return (Path.touch, (texts / "ran",))

    assert course(texts, "train", "de", "en", *SMALL, "--epochs", "1").returncode == 0
    for content in (pickle.dumps(Evil()), b"", b"no checkpoint"):
        (texts / "models/translate/best.pt").write_bytes(content)
        assert "best.pt is damaged" in refused(texts, "translate", "de")
    torch.save({"evil": Evil()}, texts / "models/translate/best.pt")
    assert "best.pt is damaged" in refused(texts, "translate", "de")
    torch.save({"w": torch.zeros(3)}, texts / "models/translate/best.pt")
    assert "of another model" in refused(texts, "translate", "de")
    assert not (texts / "ran").exists()


def test_what_is_lost_or_damaged_is_named(texts: Path) -> None:
    """Before anything more is computed, in a line, and nothing is changed."""
    words, folder = ("train", "de", "en", *SMALL), texts / "models/translate"
    folder.mkdir(parents=True)
    (folder / "source.json").write_text("{}", "utf-8")  # As if it had been killed then.
    assert "add --resume" in refused(texts, *words)
    assert "name the texts" in refused(texts, "train", "--resume")
    assert course(texts, *words, "--epochs", "2", "--resume").returncode == 0
    settings = (folder / "settings.json").read_text("utf-8")
    assert "2 are done already" in refused(texts, "train", "--resume", "--epochs", "1")
    assert (folder / "settings.json").read_text("utf-8") == settings
    assert "All 2 epochs are done" in course(texts, "train", "--resume").stdout
    for name, content, says in [
        ("epoch-0002.pt", None, "lacks epoch-0002.pt"),
        ("checkpoint.pt", (folder / "best.pt").read_bytes(), "checkpoint.pt is not a checkpoint"),
        ("source.json", b"hello", "vocabulary cannot be read"),
        ("settings.json", b'{"version": 1}', "not hold settings of version 1"),
    ]:
        whole = (folder / name).read_bytes()
        (folder / name).unlink()
        if content is not None:
            (folder / name).write_bytes(content)
        assert says in refused(texts, "train", "--resume", "--epochs", "3"), name
        (folder / name).write_bytes(whole)
    with gzip.open(texts / "cut.gz", "wb") as file:
        file.write(os.urandom(5000).hex().encode())
    (texts / "cut.gz").write_bytes((texts / "cut.gz").read_bytes()[:3000])
    assert "cut.gz cannot be read" in refused(texts, "translate", "cut.gz")
    piped = [*COMMAND, "translate"]
    (texts / "latin").write_bytes(b"a\xff\n")
    assert "latin is not UTF-8" in refused(texts, "translate", "latin", "--reference", "en")
    done = subprocess.run(piped, cwd=texts, input=b"a\xff\n", capture_output=True)
    assert done.returncode == 2 and b"not UTF-8" in done.stderr


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
