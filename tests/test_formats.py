"""The formats of `grade`: golden files, hostile text, and no points where nothing was graded.

`python -m tests.test_formats` writes the golden files again; read their diff.
"""

from __future__ import annotations

import copy
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from checks.engine.verdicts import Place, Verdict
from checks.grading.formats import FORMATS, github_summary
from tests.readers import ALL, Command, check_format, commands_of, rows_of, strings_of
from tests.runs import alice, bob, carol, check, class_run, dave, erin, run_of, step, submission

VERDICTS = get_args(Verdict)

GOLDEN = Path(__file__).parent / "golden"
SUFFIXES = {"csv": "csv", "json": "json", "junit": "junit.xml", "github": "github.txt"}
SUFFIXES |= {"summary": "summary.md", "gradescope": "gradescope.json"}
FOR_ONE = ("gradescope",)
GOLDEN_FILES = [
    *(("class", format) for format in ALL if format not in FOR_ONE),
    *(("bob", format) for format in (*FOR_ONE, "github", "summary")),
    *((name, format) for name in ("carol", "dave", "erin") for format in FOR_ONE),
]
each_golden = pytest.mark.parametrize(("name", "format"), GOLDEN_FILES)


def golden(name: str, format: str) -> tuple[Path, str]:
    ones = {"bob": bob, "carol": carol, "dave": dave, "erin": erin}
    run = class_run() if name == "class" else run_of(ones[name]())
    return GOLDEN / f"{name}.{SUFFIXES[format]}", ALL[format](run)


@each_golden
def test_golden_file(name: str, format: str) -> None:
    path, text = golden(name, format)
    assert text == path.read_text("utf-8")


def test_there_is_no_golden_file_without_a_test() -> None:
    assert {golden(*pair)[0] for pair in GOLDEN_FILES} == set(GOLDEN.iterdir())


@pytest.mark.parametrize("format", ALL)
def test_a_format_is_a_pure_function(format: str) -> None:
    run = run_of(bob())
    before = copy.deepcopy(run)
    assert ALL[format](run) == ALL[format](run)
    assert run == before


@pytest.mark.parametrize("format", FOR_ONE)
@pytest.mark.parametrize("count", [0, 2])
def test_what_describes_one_submission_refuses_others(format: str, count: int) -> None:
    with pytest.raises(ValueError, match=rf"{format} describes one submission.* has {count}\."):
        FORMATS[format](run_of(*[alice()] * count))


def test_json_is_the_run() -> None:
    assert json.loads(FORMATS["json"](run_of(alice(), bob()))) == run_of(alice(), bob())


# Hostile text, wherever a learner's can stand

HOSTILE = {
    "terminal": "\x1b[2J\x1b[1;1HALL PASSED\x1b]8;;http://x\x07\x9b31m\b\b",
    "nul": "a\0b",
    "surrogates": "half \ud800 a pair \udfff",
    "illegal in XML": "\ufffe\uffff\x0b\x0c\x85\u2028\u202ex",
    "XML": "]]></failure></testcase><testcase name='x'/>&lt;<![CDATA[<!-- &undefined;",
    "commands": "::error::x\n::stop-commands::t\r::add-mask::e\n##[error]x\n \u00a0::debug::b",
    "a command alone": "::add-mask::the",
    "escapes of commands": "100%\n%0A::error::%25,title=x,file=/etc/passwd%2C:: ::",
    "fences": "```\n~~~\n``````text\n``````\n<b>x</b>\n\n# h\n",
    "Markdown": "# h\n\n| a | b |\n|---|---|\n- [x](javascript:1) ![i](http://x) @org #1 **b**",
    "HTML": "</code></summary></details><script>alert(1)</script><!--",
    "a formula": "=cmd|' /C calc'!A0",
    "a formula behind a quote": '"=1+1',
    "a formula behind blanks": " \t\r\n=1+1",
    "a formula behind a semicolon": 'x;=1+1;"',
    "a formula in quotes behind a semicolon": 'x;"=1+1";',
    "plus": "+1",
    "minus": "-1",
    "at": "@SUM(A1)",
    "full width": "＝1",
    "just too long": "x" * 501,
    "a long line": "x" * 100_000,
    "long and hostile": "```<b>\x1b=::error::;=\n" * 10_000,
    "JSON": '", "verdict": "pass", "score": 100, "x": "{}[]\\',
    "nothing": "",
    "blank lines": "\n\n \n",
}


def hostile_run(text: str, count: int) -> Any:
    place = Place(text, 3)
    more: dict[str, Any] = {"where": place, "printed": text, "kind": "values"}
    steps = [
        step("2.1", check(), check("fail", text, **more)),
        step("2.2", check("error", text, where=place, printed=text)),
        step("2.3", check("untouched", text), check("infra", text)),
    ]
    names = [submission(text, *steps, source=text) for _ in range(count)]
    return run_of(*names)


@pytest.mark.parametrize("format", ALL)
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_only_text(kind: str, format: str) -> None:
    text = HOSTILE[kind]
    broken = submission(text, problem={"verdict": "unreadable", "message": text}, source=text)
    check_format(format, hostile_run(text, 1))
    check_format(format, run_of(broken))
    if format not in FOR_ONE:
        check_format(format, run_of(broken, *hostile_run(text, 2)["submissions"]))


def test_what_is_said_arrives() -> None:
    """Escaping loses nothing that is text: each format gives back the message as it was."""
    text = 'a < b & c: "100%0A%25", {x} | `y` ]]> ::z::'
    wrong = check("fail", text + "\r\n", kind="values")
    run = run_of(submission("bob", step("2.1", wrong)), ids=("2.1",))
    found = {format: strings_of(format, ALL[format](run)) for format in ALL}
    found["csv"] = [cell for row in rows_of(found["csv"][0]) for cell in row]
    found["github"] = [c.data for c in commands_of(found["github"][0]) if isinstance(c, Command)]
    for format, strings in found.items():
        assert any(text in string for string in strings), format
        assert not any(text + "?" in string for string in strings), format


@pytest.mark.parametrize("format", ALL)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_its_form(verdict: str, format: str) -> None:
    check_format(
        format, run_of(submission("bob", step("2.1", check(verdict, "why"))), ids=("2.1",))
    )


@pytest.mark.parametrize("format", ALL)
def test_an_ordinary_class_keeps_the_form(format: str) -> None:
    if format in FOR_ONE:
        for one in (alice, bob, carol, dave, erin):
            check_format(format, run_of(one()))
    else:
        check_format(format, class_run())


def test_junit_says_how_a_check_ended() -> None:
    expected = {"pass": None, "fail": "failure", "blocked": "skipped", "untouched": "skipped"}
    for verdict in VERDICTS:
        run = run_of(submission("bob", step("2.1", check(verdict, "why"))), ids=("2.1",))
        (case,) = ET.fromstring(FORMATS["junit"](run)).iter("testcase")
        assert [child.tag for child in case] == (
            [] if verdict == "pass" else [expected.get(verdict, "error")]
        )
        assert (case.get("classname"), case.get("file")) == (
            "s2_attention.calculate_attention",
            "s2_attention/calculate_attention.py",
        )


def test_github_has_one_error_a_failing_step_and_ten_in_all() -> None:
    wrong = [check("fail", "why", kind="values", where=Place("a,b:c.py", 3)) for _ in range(5)]
    run = run_of(submission("bob", step("2.1", *wrong)), ids=("2.1",))
    error, notice = commands_of(FORMATS["github"](run))
    assert isinstance(error, Command) and isinstance(notice, Command)
    assert (error.name, error.properties["file"], error.properties["line"]) == (
        *("error", "a,b:c.py"),
        "3",
    )
    assert notice.data == "0 of 3 points"
    many = run_of(*(submission(f"student {i}", step("2.1", *wrong)) for i in range(25)))
    found = [command for command in commands_of(FORMATS["github"](many)) if command[0] == "error"]
    assert len(found) == 10
    assert isinstance(found[9], Command) and found[9].properties["title"] == "and 16 more"


def test_a_summary_too_long_for_github_says_what_it_left_out() -> None:
    text = github_summary(run_of(*hostile_run("long " * 1_000, 300)["submissions"]))
    assert 500_000 < len(text.encode()) <= 1024 * 1024
    assert re.search(r"^\d+ parts did not fit", text, re.M)


# What was not graded has no points anywhere

UNGRADED = {
    "the submission": submission("eve", problem={"verdict": "infra", "message": "why"}),
    "a step": erin(),
    "a step behind one that fails": submission(
        "eve", step("2.1", check("fail", "x")), step("2.2", check("infra", "why")), step("2.3")
    ),
    "a check of a step that fails": submission(
        "eve", step("2.1", check("infra", "why"), check("fail", "x")), step("2.2"), step("2.3")
    ),
    "a result that is missing": submission("eve", step("2.1"), step("2.2")),
    "all results": submission("eve"),
    "the points": submission("eve", step("2.1"), step("2.2"), step("2.3"), points=None),
}
each_ungraded = pytest.mark.parametrize("kind", UNGRADED)


@each_ungraded
@pytest.mark.parametrize("format", ALL)
def test_infra_is_never_scored(kind: str, format: str) -> None:
    run = run_of(UNGRADED[kind])
    check_format(format, run)
    text = ALL[format](run)
    assert not re.search(r"[\d.]+ of [\d.]+ points", text)
    if format in ("json", "gradescope"):
        assert not any(_scores(json.loads(text)))
    if format not in ("json", "csv", "junit"):
        assert "not graded" in text.lower()


def test_where_nothing_was_asked_nothing_is_scored() -> None:
    run = run_of(submission("eve"), ids=())
    for format in ALL:
        check_format(format, run)
    assert "score" not in json.loads(FORMATS["gradescope"](run))


def _scores(value: Any) -> Iterator[Any]:
    """Whatever is under a key that is read as points got."""
    if isinstance(value, list):
        for inner in value:
            yield from _scores(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _scores(inner) if key not in ("score", "max_score") else [f"{key} {inner}"]
        if "submissions" in value:
            yield from (one["points"] for one in value["submissions"] if one["points"] is not None)


@each_ungraded
def test_infra_is_said_in_the_formats_of_a_class(kind: str) -> None:
    run = run_of(alice(), UNGRADED[kind])
    header, first, second = rows_of(FORMATS["csv"](run))
    cells = dict(zip(header, second))
    assert (cells["status"], cells["points"]) == ("infra", "")
    assert dict(zip(header, first))["points"] == "3"
    graded, lost = ET.fromstring(FORMATS["junit"](run))
    names = {e.get("name") for e in graded.iter("property")} - {
        e.get("name") for e in lost.iter("property")
    }
    assert names == {"points", "max_points"}
    found = [c for c in commands_of(FORMATS["github"](run)) if isinstance(c, Command)]
    assert "warning" in [command.name for command in found]
    assert found[-1].data == "2 submissions: 1 pass, 0 do not, 1 were not graded"


def test_a_learner_is_not_shown_our_traceback() -> None:
    for format in ("gradescope", "github", "summary"):
        assert "KeyError" not in ALL[format](run_of(erin()))
    for format in ("json", "junit"):  # These are the instructor's.
        assert "KeyError" in ALL[format](run_of(erin()))


if __name__ == "__main__":
    for pair in GOLDEN_FILES:
        path, text = golden(*pair)
        path.write_text(text, "utf-8", newline="\n")
