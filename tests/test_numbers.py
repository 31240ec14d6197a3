"""What is certain of wrong numbers, and how they are shown."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from causes import cause
from conftest import Run

from checks.engine.asking.compare import expect
from checks.engine.asking.received import Received
from checks.engine.verdicts import Fail
from checks.engine.worker.wire import Array


def received(numbers: Any, truth: Any, name: str = "the output", args: tuple[Any, ...] = ()) -> Any:
    numbers = np.asarray(numbers, np.float64)
    report = {
        "kind": "tensor",
        "dtype": "float64",
        "device": "cpu",
        "layout": "strided",
        "shape": numbers.shape,
        "array": Array("float64", numbers.shape, numbers.tobytes()),
    }
    got = Received(report, name, "something", "float64")
    got.args, got.truth = args, np.asarray(truth)
    return got


NUMBERS = np.random.default_rng(0).normal(size=(2, 3, 4))


def test_right_numbers_have_nothing_to_be_said_of_them() -> None:
    expect(received(NUMBERS, NUMBERS), NUMBERS)
    with pytest.raises(Fail):
        expect(received(NUMBERS * 2, NUMBERS), NUMBERS)


def test_what_was_asked_stands_above_the_table_under_its_names() -> None:
    src, trg, trg_mask = np.array([[1, 2], [3, 4]]), np.array([[5], [6]]), np.ones((2, 1, 1, 1))
    truth = np.zeros((2, 1, 9))
    got = received(truth + [[[0]], [[1]]], truth, args=(src, trg, trg_mask.astype(bool)))
    got.names = ["src", "trg", "trg_mask"]
    with pytest.raises(Fail) as fail:
        expect(got, truth)
    assert fail.value.message.splitlines()[1:5] == [
        "src[1]: 3 4",
        "trg[1]: 6",
        "trg_mask[1] (1 visible, 0 hidden; the same for all queries): 1",
        "9 of 18 numbers differ (marked *). The output[1], row 0, columns 0 to 6:",
    ]


@pytest.mark.parametrize(
    ("id", "edit", "arithmetic"),
    [
        ("1.1", ("self.embedding(x)", "self.embedding(x) + 0.2"), "of the table, column 0 ="),
        (
            "1.2",
            ("torch.sin(angle)", "torch.sin(angle) + 0.2"),
            "sin(0 / 10000^(0 / dim_vector)) =",
        ),
        (
            "1.3",
            ("self.token_embedding(x) +", "0.3 + self.token_embedding(x) +"),
            "of the position =",
        ),
        ("2.1", ("return attention @ v,", "return 0.2 + attention @ v,"), "·"),
        ("2.2", ("return self.linear(", "return 0.2 + self.linear("), "merged heads times linear"),
        ("2.3", ("+ self.beta", "+ self.beta + 0.2"), "the vector has mean"),
        (
            "2.4",
            ("return self.layer_norm(", "return 0.2 + self.layer_norm("),
            "the vector has mean",
        ),
        (
            "2.5",
            ("return self.linear2(", "return 0.2 + self.linear2("),
            "after relu, times linear2",
        ),
    ],
)
def test_the_first_wrong_number_is_written_out(
    run: Run, submission: Any, id: str, edit: tuple[str, str], arithmetic: str
) -> None:
    """The arithmetic gives the expected number, if it is done again."""
    message = cause(run, submission, id, edit).message
    line = next(line for line in message.splitlines() if ", yours " in line)
    assert arithmetic in line and " = " in line
    if id in ("1.2", "2.1", "2.2", "2.5"):
        left, _, right = line.partition(": ")[2].rpartition(", yours ")[0].rpartition(" = ")
        left = left.rpartition(": ")[2].replace("·", "*").replace("^", "**")
        names = {"sin": np.sin, "cos": np.cos, "dim_vector": 6}
        assert abs(eval(left, names) - float(right)) < 0.01, line


def test_what_is_called_right_has_the_formulas_own_arrangement(run: Run, submission: Any) -> None:
    """The heads are right before they are merged and wrong after it: they are not called right."""
    edit = (
        "return x.transpose(1, 2).flatten(2)",
        "return x.transpose(2, 3).contiguous().view(x.size(0), x.size(2), -1)",
    )
    found = cause(run, submission, "2.2", edit)
    assert found.mistake is not None or "merge() returns, of shape (2, 4, 6)" in found.message
    assert "merged_heads ok" not in found.message


def test_exchanged_names_are_not_called_correct(run: Run, submission: Any) -> None:
    mean = "mean = x.mean(dim=-1, keepdim=True)"
    variance = "variance = x.var(dim=-1, unbiased=False, keepdim=True)"
    edit = (
        f"{mean}\n        {variance}",
        f"{variance.replace('variance', 'mean', 1)}\n        {mean.replace('mean', 'variance', 1)}",
    )
    message = cause(run, submission, "2.3", edit).message
    assert (
        "Your mean holds what should be in variance" in message and "Correct so far" not in message
    )


def test_what_moves_is_drawn_beside_what_should(run: Run, submission: Any) -> None:
    """The words that come later move the earlier ones, and that alone is marked."""
    unmasked = ("self.self_attention(x, x, x, trg_mask)", "self.self_attention(x, x, x)")
    legend, head, *rows = cause(run, submission, "4.1", unmasked).picture
    assert (
        "Row: output. Column: x." in legend
        and len(legend) <= 78
        and head.startswith("yours")
        and "expected" in head
    )
    left, right = zip(*(re.split(r"\s{4,}(?=\d)", row.strip()) for row in rows))
    length = len(rows)
    for token in range(length):
        mine, due = left[token].split()[1:], right[token].split()[1:]
        assert {cell.rstrip("*") for cell in mine} == {"#"}
        assert due[token + 1 :] == ["."] * (length - token - 1)
        assert [cell.endswith("*") for cell in mine] == [cell == "." for cell in due]


def test_nothing_is_drawn_where_all_moves_as_it_should(run: Run, submission: Any) -> None:
    scaled = ("/ math.sqrt(q.size(-1))", "/ q.size(-1)")
    found = cause(run, submission, "2.1", scaled)
    assert found.mistake is not None and found.picture == []


def test_where_any_value_is_right_nothing_is_marked(run: Run, submission: Any) -> None:
    """The values at padding are open. And of masks no map is drawn: they would look like one."""
    forgotten = ("x = layer(x, src_mask)", "x, src_mask = layer(x, src_mask), None")
    found = cause(run, submission, "3.2", forgotten)
    rows = [re.split(r"\s{4,}(?=\d)", row.strip()) for row in found.picture[2:]]
    hidden = [mine.split()[0] for mine, due in rows if mine.split()[1:] == ["not", "compared"]]
    assert hidden and all("not compared" in due for mine, due in rows if "not compared" in mine)
    assert any("*" in mine for mine, _ in rows if "not compared" not in mine)


def test_no_map_is_drawn_of_a_mask(run: Run, submission: Any) -> None:
    upper = cause(run, submission, "5.1", (".tril()", ".triu()"))
    assert upper.kind == "values" and upper.picture == []
