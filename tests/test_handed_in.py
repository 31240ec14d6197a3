"""What counts as a submission: the paths that are typed, files of names, and what is in them."""

from __future__ import annotations

import json
import os
import tracemalloc
import unicodedata
import zipfile
from pathlib import Path

import pytest
from a_class import right, zipped
from conftest import posix
from odd_submissions import ODD, endless_header, packed_bomb, tree

from checks.contents import SOLUTIONS, STEPS
from checks.engine.commands.words import Usage
from checks.engine.files.source import Source, pristine
from checks.grading.archives import Refused, unpack
from checks.grading.handed_in import Submission, find
from checks.grading.opening import digest, opened


def names(*paths: Path | str, **options: object) -> list[tuple[str, str]]:
    """Of what is found: the name, and the name of the file or folder."""
    found, _ = find([str(path) for path in paths], **options)  # type: ignore[arg-type]
    return [(one.name, one.path.name if one.path else "-") for one in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class of three, with things in it that nobody has handed in."""
    for name in ("alice", "bob", "carol", ".git", "__MACOSX"):
        (tmp_path / "class" / name / "s1_embedding").mkdir(parents=True)
    (tmp_path / "class" / "readme.md").write_text("")
    (tmp_path / "class" / "alice.zip").write_bytes(zipped(right()))
    return tmp_path / "class"


def test_a_folder_of_submissions(folder: Path) -> None:
    found, left_out = find([str(folder)])
    assert [one.name for one in found] == ["alice", "alice (2)", "bob", "carol"]
    assert [path.name for path in left_out] == ["readme.md"]


def test_results_of_a_run_are_no_submission(folder: Path) -> None:
    """Neither those of this run, nor of an earlier one that kept them elsewhere."""
    before = names(folder)
    for place in ("grades", "earlier/first"):
        (folder / place).mkdir(parents=True)
        (folder / place / "alice-1.json").write_text("{}")
    assert ("grades", "grades") not in names(folder, results=folder / "grades")
    for place in ("grades", "earlier/first"):
        (folder / place / "run.json").write_text("{}")
    assert names(folder) == before


def test_a_path_that_is_typed_twice_counts_once(folder: Path) -> None:
    again = [folder / "alice", f"{folder}/./alice/", os.path.relpath(folder / "alice")]
    assert names(*again) == [("alice", "alice")]
    assert names(folder / "alice", folder / "alice.zip") == [
        ("alice", "alice"),
        ("alice (2)", "alice.zip"),
    ]


def test_one_folder_is_one_submission_where_the_format_is_for_one(tmp_path: Path) -> None:
    (tmp_path / "submission" / "docs").mkdir(parents=True)
    (tmp_path / "submission" / "code" / "s1_embedding").mkdir(parents=True)
    assert names(tmp_path / "submission") == [("code", "code"), ("docs", "docs")]
    assert names(tmp_path / "submission", one=True) == [("submission", "submission")]
    (tmp_path / "empty").mkdir()
    assert names(tmp_path / "empty", one=True) == [("empty", "empty")]


@pytest.mark.parametrize("name", ["archive.zip", "my.target.zip", "x.tar.tar.gz", "a.b.TGZ"])
def test_a_name_is_without_the_suffix_of_the_archive(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    expected = {"archive.zip": "archive", "my.target.zip": "my.target", "a.b.TGZ": "a.b"}
    assert names(tmp_path / name) == [(expected.get(name, "x.tar"), name)]


LIST = "\ufeffname,path\n# a comment\n\nalice\nbob,carol\ncarol,carol\n dora \nerin,gone/erin\n"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_file_of_names(folder: Path, ends: str) -> None:
    (folder / "names.csv").write_bytes(LIST.replace("\n", ends).encode())
    assert names(folder / "names.csv") == [
        ("alice", "alice"),
        ("bob", "carol"),  # Two students may hand in the same.
        ("carol", "carol"),
        ("dora", "-"),
        ("erin", "-"),
    ]


NAMES = ("Anna Müller.zip", "Bob Lee_12_assignsubmission_file_x.zip", "leedora_LATE_2_55_work.zip")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("alice.zip\nbob\n", ["alice.zip", "bob"]),
        ("id,path,name\n1,alice.zip,Zoë\n2,,bob\n", ["alice.zip", "bob"]),
        ("# Ours; all of them\nsep=;\nName;Pfad\nbob;alice.zip\n", ["alice.zip"]),
        ("sep=;\r\nName;Pfad\r\nZoë;BOB\r\n".encode("cp1252"), ["bob"]),
        ("\ufeffName\tPunkte\tDas Archiv\r\nZoë\t3\talice.zip\r\n".encode("utf-16"), ["alice.zip"]),
        ('Klasse 10b;\nName;Datei\n"Zoë,\nEve";.\\alice.zip\n;\n', ["alice.zip"]),
        ("name\nANNA MÜLLER\nANNA MÜLLER\n", [NAMES[0]]),
        (unicodedata.normalize("NFD", "Name;Vorname\nMüller;Anna\n"), [NAMES[0]]),
        ('identifier,github_username,github_id,name\n,bob,7,""\nalice,x,8,""\n', ["alice", "bob"]),
        ("First name,Last name,ID number\nBob,Lee,\n", [NAMES[1]]),
        ('Student,ID\n    Points Possible,\n"Lee, Dora",2\n', [NAMES[2]]),
        ("Kind;Datei\nZoë;eve.ipynb\n", ["eve.ipynb"]),
    ],
)
def test_lists_as_spreadsheets_and_platforms_write_them(
    folder: Path, content: str | bytes, expected: list[str]
) -> None:
    for name in (*NAMES, "eve.ipynb"):
        (folder / name).write_bytes(b"")
    data = content.encode() if isinstance(content, str) else content
    (folder / "names.csv").write_bytes(data)
    assert [path for _, path in names(folder / "names.csv")] == expected


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("Zoë,no-such.zip\n", "There is no 'no-such.zip' beside names.csv."),
        ("Name;Pfad\nZoë;alise.zip\n", "Did you mean 'alice.zip'?"),
        ("carrol\n", "Nothing was handed in under this name. Did you mean 'carol'?"),
        ("name,id\nbob,1\nbob,2\n", "Several in the list have this name."),
        ("Alice\n", ""),
    ],
)
def test_what_a_list_names_and_is_not_there_is_said(folder: Path, content: str, says: str) -> None:
    (folder / "names.csv").write_text(content, "utf-8")
    for one in find([str(folder / "names.csv")])[0]:
        assert (one.path is None and says in one.why) if says else one.path == folder / "alice"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b",alice\n", "line 1: has no name"),
        (b"", "no submissions"),
        (b"1,Alice,A\n", "has 3 cells"),
        (b'bob\n"alice\ncarol\n', r"line 2: a quotation mark .* '\"alice'"),
        (b"PK\3\4\0", "Save it as CSV"),
        (b"bob\nM\x81ller\n", "line 2: the byte 0x81"),
    ],
)
def test_a_file_of_names_that_is_none(folder: Path, content: bytes, says: str) -> None:
    (folder / "names.csv").write_bytes(content)
    with pytest.raises(Usage, match=says):
        find([str(folder / "names.csv")])


@pytest.mark.parametrize("path", ["nothing", "n" * 5000, "class/readme.md"])
def test_a_path_that_is_nothing_to_grade(folder: Path, path: str) -> None:
    with pytest.raises(Usage):
        find([str(folder.parent / path)])


@posix
def test_a_pipe_is_nothing_to_grade(folder: Path) -> None:
    os.mkfifo(folder / "names.txt")
    with pytest.raises(Usage, match="not a folder"):
        find([str(folder / "names.txt")])


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_refused(folder: Path) -> None:
    (folder / "alice.zip").chmod(0)
    with (
        pytest.raises(Refused, match="cannot be read"),
        opened(Submission("alice", folder / "alice.zip")),
    ):
        pass
    (folder / "bob").chmod(0)
    with pytest.raises(Refused, match="cannot be read"), opened(Submission("bob", folder / "bob")):
        pass
    digest(Submission("bob", folder / "bob"))


# What is in them


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


FIRST = STEPS[0].path


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
    assert ("one", "one.ipynb") in names(tmp_path)
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
