"""`ask`: questions whose answers are computed, each wrong one by a known mistake."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import torch
from conftest import AT_MOST, Said, typed
from pages import first_names
from witness import Names, answer, file_of, same

from checks.contents import COURSE, SOLUTIONS, STAGES, STEPS, Step
from checks.engine.commands.screen import WIDTH, wrapped
from checks.engine.course.source import solution
from checks.engine.known import mistakes
from checks.questions.command import chosen, laid_out
from checks.questions.drawing import COUNT, Option, asked, drawn, place_of, texts
from checks.questions.kinds import Draw, Question, questions_of, shown, which

MANY = bool(os.environ.get("CI"))
CHEAP = ("s1_embedding", "s2_attention", "masks", "training")  # The others run whole layers.
EACH = [(step, number) for step in STEPS for number in range(len(questions_of(step)))]
each_question = pytest.mark.parametrize(
    ("step", "number"), EACH, ids=[f"{s.id}-{questions_of(s)[n].name}" for s, n in EACH]
)
each_step = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
STEP = {step.id: step for step in STEPS}
CRITICAL = 16.27  # Of chi-squared with three degrees of freedom, at 0.001.


@pytest.fixture(scope="module", autouse=True)
def solutions_are_importable() -> Iterator[None]:
    before, threads = set(sys.modules), torch.get_num_threads()
    sys.path.insert(0, str(SOLUTIONS))
    torch.set_default_dtype(torch.float64)  # So that the table of positions is as exact.
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
    torch.set_default_dtype(torch.float32)
    sys.path.remove(str(SOLUTIONS))
    for name in set(sys.modules) - before:
        if name.split(".")[0] in STAGES:
            del sys.modules[name]


@cache
def file(step: Step, mistake: str) -> Names:
    return file_of(mistakes(step)[mistake].source(step) if mistake else solution(step), step)


# The answers


@each_question
def test_the_step_itself_gives_the_right_answer_and_each_mistake_its_own(
    step: Step, number: int
) -> None:
    """The answers come from NumPy; here the step's file answers in torch, with a mistake or not."""
    question = questions_of(step)[number]
    many = 1000 if {step.stage, step.name} & {*CHEAP} else 100
    for seed in range(many if MANY else 2):
        case = question.case(Draw((seed, number, 0)))
        for name, expected in {"": case.right, **case.wrong}.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = answer(question, file(step, name), case.given)
            assert same(found, expected), (seed, name or "the solution", found, expected)


@each_question
def test_every_wrong_option_differs_and_means_one_mistake(step: Step, number: int) -> None:
    question = questions_of(step)[number]
    for seed in range(50 if MANY else 4):
        one = drawn(step, question, seed, number)
        assert len({option.text for option in one.options}) == len(one.options) == 4
        assert [option.key for option in one.options] == ["a", "b", "c", "d"]
        assert sum(not option.mistake for option in one.options) == 1
        assert all(option.mistake in mistakes(step) for option in one.options if option.mistake)


@pytest.mark.ci
@each_question
def test_each_declared_mistake_is_offered_now_and_then(step: Step, number: int) -> None:
    """A mistake that never differs, or always says what another one says, is not to be declared."""
    question = questions_of(step)[number]
    cases = [question.case(Draw((seed, number, 0))) for seed in range(100)]
    offered = {name for case in cases for name in texts(case)[1].values()}
    assert set(cases[0].wrong) == offered


def test_the_right_one_stands_anywhere() -> None:
    places = Counter(
        one.right.key
        for step in (STEPS if MANY else [STEP["2.1"], STEP["2.3"], STEP["5.1"]])
        for seed in range(50 if MANY else 200)
        for one in asked(step, seed)
    )
    expected = places.total() / 4
    assert sum((places[key] - expected) ** 2 / expected for key in "abcd") < CRITICAL


def test_the_same_seed_asks_the_same() -> None:
    def told(seed: int) -> list[tuple[str, list[Option]]]:
        return [(one.text, one.options) for one in asked(STEP["2.1"], seed)]

    assert told(7) == told(7) != told(8)


@each_step
def test_every_step_has_questions_and_none_comes_twice(step: Step) -> None:
    assert len(questions_of(step)) >= (5 if step.stage == STAGES[1] and step.id < "2.4" else 3)
    for seed in range(20 if MANY else 3):
        assert len({one.text for one in asked(step, seed)}) == COUNT


# What is said


@each_question
def test_the_lesson_has_the_sentence_that_settles_it(step: Step, number: int) -> None:
    place = place_of(step, questions_of(step)[number].lesson)
    lines = (COURSE / place.file).read_text("utf-8").splitlines()
    first = place.says.split()[0]
    assert first in re.sub(r"\*\*|`", "", lines[place.line - 1])
    assert place.heading.startswith(f"{step.id} ")


def test_a_sentence_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="does not stand there: It is a fish"):
        place_of(STEP["2.1"], "It is a fish.")


@each_question
def test_one_sentence_says_why(step: Step, number: int) -> None:
    why = questions_of(step)[number].why
    assert why.endswith(".") and ". " not in why and len(why.split()) <= 25


@each_step
def test_no_line_of_the_solution_is_told(step: Step) -> None:
    given = {line.strip() for line in solution(step).splitlines()}
    lines = {line for line in given if re.search(r"[=(]", line) and not line.startswith("#")}
    for seed in range(20 if MANY else 3):
        for one in asked(step, seed):
            said = " ".join([one.text, one.question.why, *(each.text for each in one.options)])
            assert [line for line in lines if len(line) > 12 and line in said] == []


@each_step
def test_it_fits_80_columns_and_a_screen(step: Step) -> None:
    for seed in range(20 if MANY else 3):
        for one in asked(step, seed):
            lines = laid_out(one.options)
            text = [row for line in one.text.split("\n") for row in wrapped(line)]
            assert max(map(len, lines)) <= WIDTH, (one.question.name, lines)
            assert len(lines) + len(text) <= 18, one.question.name


def test_answers_in_words() -> None:
    assert shown((2, 3)) == "(2, 3)" and shown(4) == "4"
    assert shown([0.5, 2.0, -0.00001]) == "0.50  2.00  0.00" and shown([2.0, 1e-5]) == "2  0"
    assert shown(2.0, decimals=True) == "2.00"
    assert shown([[True, False], [True, True]]) == "1  0\n1  1"
    assert shown([float("nan"), float("inf"), -float("inf")]) == "NaN  infinity  -infinity"
    show = which("token")
    assert show([True, True]) == "all of them" and show([False, False]) == "none of them"
    assert show([False, True]) == "only token 1" and show([True, True, False]) == "tokens 0 and 1"


# The command


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
