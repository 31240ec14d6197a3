"""What is in a submission: where its files are, whatever was handed in, and whether it changes."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from a_class import right, zipped
from conftest import posix
from odd_submissions import ODD, endless_header, packed_bomb, tree

from checks.contents import SOLUTIONS, STEPS
from checks.engine.files.source import Source, pristine
from checks.grading.archives import Refused, unpack
from checks.grading.handed_in import Submission, find
from checks.grading.opening import digest, opened

FIRST = STEPS[0].path


@pytest.mark.parametrize("name", [name for name in ODD if ODD[name].verdict == "unreadable"])
def test_nothing_is_written_beside_the_scratch_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "scratch").mkdir()
    ODD[name].make(tmp_path / "class")
    (path,) = (tmp_path / "class").iterdir()
    before = sorted(tmp_path.rglob("*"))
    try:
        with opened(Submission(name, path), tmp_path / "scratch") as (root, _):
            source = Source(root, inside=True)
            assert source.problem(STEPS[0]) is not None
    except Refused as refused:
        assert ODD[name].says in str(refused)
        assert str(tmp_path) not in str(refused)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_bomb_of_another_kind_takes_no_memory(kind: int, tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(packed_bomb(kind))
    assert_little_memory(tmp_path / "x.zip")


def test_a_header_beyond_measure_takes_no_memory(tmp_path: Path) -> None:
    (tmp_path / "x.tar.gz").write_bytes(endless_header())
    assert_little_memory(tmp_path / "x.tar.gz")


def assert_little_memory(archive: Path) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(Refused):
            unpack(archive, archive.parent / "out")
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_a_file_is_never_named_by_where_it_was_unpacked(tmp_path: Path) -> None:
    (tmp_path / "bob.zip").write_bytes(zipped({f"work/{STEPS[0].path}": right()[STEPS[0].path]}))
    with opened(Submission("bob", tmp_path / "bob.zip")) as (root, shown):
        source = Source(root, inside=True, shown=shown)
    assert shown == tmp_path / "bob.zip" / "work"
    assert str(root) not in str([source.modules, source.problem(STEPS[1]), source.root])


# Whether it is still the same


def problems(path: Path) -> list[str]:
    """Of the first three steps: the verdict before any check, or that there is something to check,
    and the file to rename.
    """
    with opened(Submission("one", path)) as (root, named):
        source = Source(root, inside=True, shown=named)
        found = [source.problem(step) for step in STEPS[:3]]
    return [
        (p.message.partition(" Rename ")[2].partition(" to ")[0] or p.verdict) if p else "begun"
        for p in found
    ]


def test_loose_files_are_put_where_they_belong(tmp_path: Path) -> None:
    """As a form for uploads gives them: no folders, and only what was finished."""
    loose = {Path(path).name: data for path, data in list(right().items())[:2]}
    tree("loose", loose)(tmp_path)
    (tmp_path / "loose.zip").write_bytes(zipped({f"my work/{n}": d for n, d in loose.items()}))
    for path in (tmp_path / "loose", tmp_path / "loose.zip"):
        assert problems(path) == ["begun", "begun", "missing"]


@pytest.mark.parametrize(
    "name",
    [
        "S1_Embedding/token_embedding.py",
        "s1_embedding (1)/token_embedding.py",
        "s1_embedding/Token_Embedding.py",
        "s1_embedding/token_embedding.py.txt",
        "s1_embedding/token_embedding-1.py",
        "s1_embedding/token_embedding (1).py",
        "s1_embedding/token_embedding - Kopie.py",
        "token_embedding (1).py",
    ],
)
@pytest.mark.parametrize("others", [True, False])
def test_a_name_that_is_almost_right_is_named(tmp_path: Path, name: str, others: bool) -> None:
    if (tmp_path / "x").mkdir() or (tmp_path / "X").exists():
        pytest.skip("here capitals do not count")
    more = {path: data for path, data in right().items() if path != FIRST} if others else {}
    files = {**more, name: right()[FIRST]}
    tree("one", files)(tmp_path)
    (tmp_path / "one.zip").write_bytes(zipped(files))
    for path in (tmp_path / "one", tmp_path / "one.zip"):
        assert problems(path)[0].endswith(name)


def notebook(**texts: bytes) -> bytes:
    """A notebook with a cell for each of these steps."""
    sources = [f"%%step {name}\n{text.decode()}".splitlines(True) for name, text in texts.items()]
    cells = [{"cell_type": "code", "source": source} for source in (["x = 1"], *sources)]
    return json.dumps({"cells": cells}).encode()


def test_the_cells_of_a_notebook_are_its_files(tmp_path: Path) -> None:
    """Alone, in a folder or an archive, or several: a skeleton replaces nothing."""
    texts = {step.name: right()[step.path] for step in STEPS[:2]}
    first, second = texts
    one = notebook(**texts)
    two = notebook(**{first: pristine(STEPS[0]).encode(), second: texts[second]})
    (tmp_path / "one.ipynb").write_bytes(one)
    tree("folder", {"work/Copy of s1_embedding.ipynb": one, "work/b.ipynb": two})(tmp_path)
    (tmp_path / "one.zip").write_bytes(zipped({"s1.ipynb": one}))
    for name in ("one.ipynb", "folder", "one.zip"):
        assert problems(tmp_path / name) == ["begun", "begun", "missing"]
    with opened(Submission("one", tmp_path / "one.ipynb")) as (root, _):
        assert (root / FIRST).read_bytes() == right()[FIRST]
    assert "one.ipynb" in {one.path and one.path.name for one in find([str(tmp_path)])[0]}
    before = digest(Submission("one", tmp_path / "folder"))
    (tmp_path / "folder" / "work" / "b.ipynb").write_bytes(notebook(**{first: b"x = 1\n"}))
    assert digest(Submission("one", tmp_path / "folder")) != before
    for content, says in (
        (b"{", "not a notebook"),
        (notebook(), "no cell that begins with %%step"),
    ):
        (tmp_path / "one.ipynb").write_bytes(content)
        with pytest.raises(Refused, match=says):
            problems(tmp_path / "one.ipynb")
    with pytest.raises(Refused, match=r"1\.1 is in two notebooks"):
        problems(tmp_path / "folder")


def test_the_digest_follows_all_that_could_be_judged(tmp_path: Path) -> None:
    tree("bob", {**right(), "notes.md": b"", "venv/lib/x.py": b""})(tmp_path)
    bob = Submission("bob", tmp_path / "bob")
    seen = [digest(bob)]
    file, helper = tmp_path / "bob" / STEPS[3].path, tmp_path / "bob" / "helper.py"
    for change in (
        lambda: file.write_bytes(file.read_bytes() + b"\n"),
        lambda: helper.write_text("x = 1"),
        lambda: helper.rename(helper.with_name("other.py")),
        lambda: file.unlink(),
        lambda: file.mkdir(),
        lambda: (tmp_path / "bob" / STEPS[0].stage).rename(tmp_path / "bob" / "s1"),
        lambda: (tmp_path / "bob" / "work.zip").write_bytes(b"one"),
        lambda: (tmp_path / "bob" / "work.zip").write_bytes(b"another"),
    ):
        change()
        seen.append(digest(bob))
    assert len(set(seen)) == len(seen)
    (tmp_path / "bob" / "notes.md").write_text("another")
    (tmp_path / "bob" / "venv" / "lib" / "x.py").write_text("another")
    assert digest(bob) == seen[-1]


@posix
def test_a_link_is_another_thing_than_what_it_leads_to(tmp_path: Path) -> None:
    """One leads out and is refused, the other is judged: they must not share a result."""
    tree("bob", right())(tmp_path)
    bob, file = Submission("bob", tmp_path / "bob"), tmp_path / "bob" / STEPS[0].path
    before = digest(bob)
    file.unlink()
    file.symlink_to(SOLUTIONS / STEPS[0].path)
    assert digest(bob) != before
