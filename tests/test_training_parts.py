"""The parts of `train`: files, batches, tables, dropout, the mean of epochs."""

from __future__ import annotations

import gzip
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from on_texts import SMALL, course, log, texts
from torch import nn

from checks.contents import COURSE
from checks.engine.commands.words import Usage
from checks.training.batches import in_order, make_batches
from checks.training.graduated import Letters
from checks.training.lines import read_labelled, read_lines, read_pairs
from checks.training.parts import read_parts
from checks.training.use import answer_all
from checks.training.vocabulary import learn

__all__ = ["texts"]

pytestmark = pytest.mark.room

pytest.importorskip("tokenizers", reason="pip install -r requirements-train.txt")
pytest.importorskip("sacrebleu", reason="pip install -r requirements-train.txt")


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
    (tmp_path / "half.tsv").write_text("odd\tone\neven\t\n", "utf-8")
    with pytest.raises(Usage, match=r"line 2: has 'even\\t', of which one side is empty"):
        read_labelled([str(tmp_path / "half.tsv")])


@pytest.mark.parametrize(
    "content, says",
    [
        (b"one\n\nthree\n", "line 2: is empty"),
        (b"", "no line"),
        (b"one\n\xff\n", r"line 2: is not UTF-8 .*\. Save it as UTF-8\."),
        ("one\n".encode("utf-16"), r"is saved as UTF-16\. Save it as UTF-8\."),
        ("one\n".encode("utf-16-be"), r"is saved as UTF-16\. Save it as UTF-8\."),
    ],
)
def test_a_faulty_file_is_named_with_its_line(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(Usage, match=re.escape(str(tmp_path / "text")) + ".*" + says):
        read_lines(tmp_path / "text")


@pytest.mark.parametrize(
    "task, content, says",
    [
        ("translate", "a\tb\nc\td\n\ne\tf\n", "Read 4 lines: 3 pairs. The first is 'a', 'b'."),
        ("classify", "A\tx\nB\ty\n" * 9, "Read 18 lines with 2 labels: 'A' 9, 'B' 9."),
        ("classify", "label\ttext\n" + "A\tx\nB\ty\n" * 9, "Only line 1 has the label 'label'."),
        ("classify", "A\tx\nB\ty\n" * 9 + "C\tz\n", "Only one text has the label 'C'."),
        ("write", "a\nb\n" * 9, "Read 18 lines: 36 characters."),
    ],
)
def test_what_was_read_is_said(tmp_path: Path, task: str, content: str, says: str) -> None:
    (tmp_path / "text").write_text(content, "utf-8")
    said: list[str] = []
    settings = {"task": task, "data": [str(tmp_path / "text")], "validation": [], "test": []}
    with suppress(Usage):  # A label with one text may be kept apart, and few pairs cannot be.
        read_parts({**settings, "test_share": 20}, said.append)
    assert says in said[0]


def test_a_line_without_an_answer_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model of step 5.5 knows the letters that it has learned, and no others."""
    letters = Letters(["<pad>", "<bos>", "<eos>", "a", "b"], "", False)
    (tmp_path / "lines").write_bytes(b"\xef\xbb\xbfab\nax\n\xff\n\nba")
    answer_all([str(tmp_path / "lines")], letters, lambda lines: [line.upper() for line in lines])
    first, unknown, odd, *others = capsys.readouterr().out.splitlines()
    assert "'x' was in no text" in unknown and "line 3: is not UTF-8" in odd
    assert [first, *others] == ["AB", "", "BA"]


def test_a_huge_word_is_no_word() -> None:
    """To learn pieces from it would take minutes."""
    vocabulary = learn(["ab ab", "ab" * 5000], 4000, lower_case=False)
    assert len(vocabulary) < 20 and len(vocabulary.encode("ab ab")) == 3


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
