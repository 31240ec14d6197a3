"""What a points file may say, and how one that cannot be read is refused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from checks.contents import CORE, STEPS
from checks.grading.points import POINTS, read_points


def test_every_step_has_its_row_and_counts_one() -> None:
    header, *rows = csv.reader(POINTS.read_text("utf-8").splitlines())
    assert header == ["step", "points"]
    assert [name for name, _ in rows] == [step.name for step in CORE]
    assert read_points() == {step.id: 1.0 for step in STEPS}


def test_names_and_ids_and_what_is_not_named(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(
        b'\xef\xbb\xbfStep,Points\r\n\r\n# the hard one\r\n2.2, 3\r\n"layer_norm","0"\r\n,\r\n'
    )
    points = read_points(path)
    assert (points["2.2"], points["2.3"], points["1.1"]) == (3.0, 0.0, 1.0)
    assert list(points) == [step.id for step in STEPS]
    german = "sep=;\r\nNr.;Punkte;Schritt\r\n1;0,5;layer_norm\r\n2;3;2.2\r\n"
    for encoding in ("utf-16", "cp1252"):
        path.write_bytes(german.encode(encoding))
        assert {**points, "2.3": 0.5} == read_points(path)


@pytest.mark.parametrize(
    ("content", "line", "value"),
    [
        (b"step,points\nlayer_nrm,1", "line 2", "there is no step 'layer_nrm' (layer_norm?)"),
        (b"9.9,1", "line 1", "there is no step '9.9'"),
        (b"\n2.1,many", "line 2", "the points of 2.1 are 'many', which is not a number"),
        (b"2.1,", "line 1", "the points of 2.1 are '', which is not a number"),
        (b"2.1,-1", "line 1", "the points of 2.1 are '-1'; they must be 0 or more"),
        (b"2.1,nan", "line 1", "the points of 2.1 are 'nan'"),
        (b"2.1,1e999", "line 1", "the points of 2.1 are '1e999'"),
        (b"2.3,1\nlayer_norm,1", "line 2", "'layer_norm' has its points already"),
        (b"2.1 2", "line 1", "not '2.1 2'"),
        (b"2.1,1,5", "line 1", "not '2.1,1,5'"),
        (b"2.1,\xff", "line 1", "the points of 2.1 are 'ÿ'"),
        (b'2.1,"1', "line 1", "a quotation mark"),
    ],
)
def test_an_error_names_file_line_and_value(
    tmp_path: Path, content: bytes, line: str, value: str
) -> None:
    path = tmp_path / "my points.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError) as caught:
        read_points(path)
    for part in (str(path), line, value):
        assert part in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.csv", tmp_path):
        with pytest.raises(ValueError, match=r"points file .* cannot be read") as caught:
            read_points(path)
        assert str(path) in str(caught.value)
