"""An answer fits a screen of 80 x 24."""

from __future__ import annotations

from pathlib import Path

from conftest import Said, solve

LAYER_NORM = "s2_attention/layer_norm.py"


def test_a_warning_is_shown_whole(said: Said, course: Path) -> None:
    """In lines of at most 80 columns. Other long lines of the learner's output are cut."""
    solve(course, "2.3")
    file = course / LAYER_NORM
    says = "Implicit dimension choice for softmax has been deprecated. Name the dim in the call."
    new = f"        import warnings; warnings.warn({says!r}); print('x' * 200)\n        mean = 2 * "
    file.write_text(file.read_text("utf-8").replace("        mean = ", new), "utf-8")
    short, full = (said(course, "2.3", *more).stdout.splitlines() for more in ([], ["--full"]))
    for lines in (short, full):
        printed = " ".join(line.strip(" |") for line in lines if line.startswith("    |"))
        assert "| s2_attention/layer_norm.py:" in "\n".join(lines)
        assert f"UserWarning: {says}" in printed and max(map(len, lines)) <= 80
    assert "x" * 74 in printed and "x" * 75 not in printed and len(short) <= 24


def test_pytorchs_list_of_calls_does_not_hide_the_learners_line(said: Said, course: Path) -> None:
    """`masked_fill` with a text: PyTorch's error lists all ways to call it. `--full` shows them."""
    solve(course, "2.1")
    file = course / "s2_attention/calculate_attention.py"
    file.write_text(file.read_text("utf-8").replace('float("-inf")', '"-inf"'), "utf-8")
    short, full = (said(course, "2.1", *more).stdout for more in ([], ["--full"]))
    assert 'score = score.masked_fill(mask == 0, "-inf")' in short and "got (Tensor, str)" in short
    assert "expected one of" not in short and len(short.splitlines()) <= 24
    assert "expected one of" in full and 'masked_fill(mask == 0, "-inf")' in full
