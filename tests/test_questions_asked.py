"""`ask` as it is typed, with and without a terminal."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import AT_MOST, STEP, Said, typed
from pages import first_names

from checks.engine.commands.screen import WIDTH
from checks.engine.known import mistakes
from checks.questions.command import chosen
from checks.questions.drawing import COUNT, asked, drawn
from checks.questions.kinds import Question, questions_of


def by_name(step: str, name: str) -> Question:
    return next(q for q in questions_of(STEP[step]) if q.name == name)


def test_an_answer_is_a_key_or_the_answer_itself() -> None:
    one = drawn(STEP["2.1"], by_name("2.1", "shape_of_the_output"), 1)
    right, wrong = one.right, next(option for option in one.options if option.mistake)
    for text in (right.key, right.key.upper(), f" {right.key}) ", right.text, right.text[1:-1]):
        assert chosen(one, text) is right
    assert chosen(one, wrong.text) is wrong
    assert all(chosen(one, text) is None for text in ("", "e", "ab", "7", "(1, 2)"))
    typed_one = drawn(STEP["5.3"], by_name("5.3", "loss_of_a_guess"), 1)
    assert chosen(typed_one, typed_one.right.text) is typed_one.right
    assert chosen(typed_one, typed_one.right.key) is None
    assert chosen(typed_one, typed_one.others[0].text) is typed_one.others[0]


def test_without_a_terminal_the_answers_stand_below(said: Said, fresh: Path) -> None:
    done = said(fresh, "ask", "2.1", "--seed", "5", NO_COLOR="1")
    assert done.returncode == 0 and done.stderr == "" and "\x1b" not in done.stdout
    questions, _, answers = done.stdout.partition("\nAnswers\n")
    one = asked(STEP["2.1"], 5)[0]
    assert f"question {COUNT} of {COUNT}" in questions and one.question.why not in questions
    assert one.right.text in answers and "Lesson:" in answers
    assert max(map(len, done.stdout.splitlines())) <= WIDTH


def test_without_a_step_it_is_the_current_one(said: Said, fresh: Path) -> None:
    assert "1.1 token_embedding, question 1" in said(fresh, "ask").stdout


def test_the_json_of_ask(said: Said, fresh: Path) -> None:
    done = json.loads(said(fresh, "ask", "2.3", "--json", "--seed", "3").stdout)
    lead = "`python run_step.py ask --json` prints the questions and their answers"
    assert list(done) == first_names("docs/commands.md", lead)
    one = done["questions"][0]
    assert list(one) == first_names("docs/commands.md", "Each entry of `questions`:")
    assert (done["step"], done["seed"], len(done["questions"])) == ("2.3", 3, COUNT)
    (right,) = [option for option in one["options"] if option["mistake"] is None]
    assert right["key"] == one["right"]
    wrong = next(option for option in one["options"] if option["mistake"])
    assert wrong["mistake"]["says"] == mistakes(STEP["2.3"])[wrong["mistake"]["name"]].says
    assert set(one["lesson"]) == {"file", "line", "heading", "says"}


@pytest.mark.parametrize(
    ("words", "says"),
    [(("2.99",), "There is no step or command '2.99'."), (("1",), "One step at a time")],
)
def test_what_is_not_a_step_is_an_error(
    said: Said, fresh: Path, words: tuple[str, ...], says: str
) -> None:
    done = said(fresh, "ask", *words)
    assert done.returncode == 2 and says in done.stderr


def test_it_is_offered_where_a_step_is_not_begun(said: Said, course: Path) -> None:
    assert "quiz    python run_step.py ask 1.1" in said(course, "1.1").stdout


def test_no_torch_is_imported_and_nothing_is_written(fresh: Path) -> None:
    code = (
        "import sys, run_step; run_step.main(['ask', '2.1', '--json']); "
        "assert 'torch' not in sys.modules"
    )
    before = sorted(path.name for path in fresh.iterdir())
    done = subprocess.run([sys.executable, "-B", "-c", code], cwd=fresh, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in fresh.iterdir()) == before


def test_a_step_without_questions_says_so(
    said: Said, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checks.questions.drawing.questions_of", lambda step: [])
    done = said(fresh, "ask", "2.1")
    assert done.returncode == 2 and "There are no questions about 2.1" in done.stderr


Talk = Callable[[str], tuple[int, str]]


@pytest.fixture
def terminal(fresh: Path) -> Talk:
    """`ask 5.3 --seed 4` in a terminal of 80 columns, with these keys typed one after the other."""
    if not hasattr(os, "openpty"):
        pytest.skip("there is no pseudo-terminal here")

    def talk(keys: str) -> tuple[int, str]:
        ours, theirs = os.openpty()
        words = [sys.executable, str(fresh / "run_step.py"), "ask", "5.3", "--seed", "4"]
        with subprocess.Popen(
            words,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_take_terminal,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"},
        ) as process:
            os.close(theirs)
            said = ""
            try:
                for key in keys.split("|"):
                    said += _read_to(ours, "your answer: ")
                    _wait_until_it_reads(process)
                    os.write(ours, key.encode())
                said += _read_to(ours, "your answer: ")
                if said.endswith("your answer: "):
                    os.write(ours, b"\x04")  # More is asked than was to be: let it end.
                said += _read_to(ours, None)
                process.wait(AT_MOST)
            finally:
                process.kill()  # Else a test that fails would wait for it without an end.
        os.close(ours)
        return process.returncode, re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", said.replace("\r", ""))

    return talk


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Wait until it sleeps, where the system says so. Python does not notice a Ctrl-C that comes
    after the prompt and before it reads.
    """
    told = Path(f"/proc/{process.pid}/stat")
    while told.exists() and told.read_text().rpartition(")")[2].split()[0] == "R":
        time.sleep(0.01)


def _read_to(terminal: int, text: str | None) -> str:
    """What is printed, up to a text or to the end."""
    said = b""
    while text is None or not said.endswith(text.encode()):
        assert select.select([terminal], [], [], AT_MOST)[0], said
        try:
            part = os.read(terminal, 1024)
        except OSError:  # On Linux, the end.
            part = b""
        if not part:
            break
        said += part
    return said.decode("utf-8", "replace")


def test_in_a_terminal_a_wrong_answer_is_named(terminal: Talk) -> None:
    questions = asked(STEP["5.3"], 4)
    first, *rest = questions
    wrong = next(option for option in first.options if option.mistake)
    typed_first = wrong.text if first.question.typed else wrong.key
    rights = [one.right.text if one.question.typed else one.right.key for one in rest]
    status, said = terminal("|".join(f"{text}\n" for text in ["what?", typed_first, *rights]))
    assert status == 0, said
    plain = " ".join(said.split())
    assert "'what?' is no answer here." in plain
    assert f"Yours comes from this mistake ({wrong.mistake}):" in plain
    assert mistakes(STEP["5.3"])[wrong.mistake].says in plain
    assert f"{first.place.file}, line {first.place.line}" in plain
    assert plain.count("Yes.") == len(rest)
    assert "ask 5.3 --seed 4" in plain
    assert max(map(len, said.splitlines())) <= WIDTH


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_it_can_be_left_quietly(terminal: Talk, key: str, status: int) -> None:
    found, said = terminal(key)
    assert found == status and "Traceback" not in said and "Stopped" not in said


def test_help_names_it(fresh: Path) -> None:
    assert "ask [STEP]" in typed(fresh, "--help").stdout
    assert "Predict first" in typed(fresh, "ask", "--help").stdout
