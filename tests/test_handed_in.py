"""What counts as a submission: the paths that are typed, and lists of names."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from a_class import right, zipped
from conftest import posix

from checks.engine.commands.words import Usage
from checks.grading.archives import Refused
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
