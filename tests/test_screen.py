"""An answer fits a screen of 80 x 24."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import AT_MOST, Said, posix, solve

from checks.contents import COURSE

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


def test_the_line_to_repair_is_not_the_one_where_it_stopped(said: Said, course: Path) -> None:
    """A comma makes a tuple in `__init__`, and `forward` stops."""
    solve(course, "2.3", "2.4")
    file = course / "s2_attention/add_norm.py"
    made = "self.dropout = nn.Dropout(dropout)"
    file.write_text(file.read_text("utf-8").replace(made, f"{made},"), "utf-8")
    lines = file.read_text("utf-8").splitlines()
    comma = next(n for n, line in enumerate(lines, 1) if f"{made}," in line)
    answer = " ".join(said(course, "2.4").stdout.split())
    assert f"there is a comma at the end of line {comma}." in answer
    assert f"Next: fix s2_attention/add_norm.py:{comma} " in answer


@posix
@pytest.mark.parametrize("words", [["ask", "--help"], ["list"], ["1.1"], ["lyst"]])
def test_a_narrow_window_has_short_lines(words: list[str]) -> None:
    """Each line breaks between words, as far as it has any. A drawing that does not fit is left."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    environment = {**os.environ, "TERM": "dumb"}
    environment.pop("COLUMNS", None)
    command = [sys.executable, str(COURSE / "run_step.py"), *words]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # The end, as Linux says it.
        while part := os.read(ours, 1 << 16):
            shown += part
    os.close(ours)
    assert process.wait(AT_MOST) is not None
    lines = shown.decode().replace("\r", "").split("\n")
    long = [line for line in lines if len(line) > 40 and "usage:" not in line]
    assert len(lines) > 1 and not long and "[ ] linear" not in shown.decode()
