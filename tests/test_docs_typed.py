"""What the pages tell readers to type can be typed."""

from __future__ import annotations

import importlib.util
import inspect
import json
import re
import shlex

import pytest
from pages import FOR_READERS, PAGES, names, page, prose, table
from parsers import options_of, parser_of

from checks import course as of_the_course
from checks.contents import COURSE
from checks.engine.commands import command, words
from checks.engine.watching import notebook
from checks.grading import bundle

# What is typed

_TYPED = re.compile(r"run_step\.py((?: (?! )[^`|>&;\n]+)?)")
NEW_STEP = "2.6"  # CONTRIBUTING.md makes one, to show how it is done.


def commands(path: str) -> list[str]:
    """What stands behind every run_step.py that a page shows, "" for nothing."""
    text = page(path).replace("\\\n", " ")
    shown = re.findall(r"^```(?:sh|text)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in shown for line in block.splitlines() if "run_step.py" in line]
    spans = [name for name in names(prose(text)) if "run_step.py" in name]
    found = [_TYPED.search(line) for line in [*lines, *spans]]
    return [match[1].strip() for match in found if match]


def what_is_wrong(line: str) -> str | None:
    """Why the words after run_step.py cannot be typed; None if they can."""
    given = shlex.split(line.partition("  ")[0].replace("…", "").replace("[", "").replace("]", ""))
    if not given:
        return None
    known = options_of(parser_of(given[0]))
    unknown = [word for word in given if word.startswith("--") and word.split("=")[0] not in known]
    if unknown:
        return f"{given[0]} has no option {unknown[0]}"
    if given[0] in words.COMMANDS or given[0].startswith("--"):
        return None
    steps = [word for word in given[: _first_option(given)] if word not in ("STEP", "STEPS")]
    try:
        words.find_steps(steps)
    except words.Usage as error:
        return str(error)
    return None


def _first_option(given: list[str]) -> int:
    return next((n for n, word in enumerate(given) if word.startswith("--")), len(given))


@pytest.mark.parametrize("path", PAGES)
def test_every_command_shown_can_be_typed(path: str) -> None:
    wrong = {line: why for line in commands(path) if (why := what_is_wrong(line))}

    if path == "CONTRIBUTING.md":
        wrong.pop(NEW_STEP, None)
    assert wrong == {}


def test_wrong_commands_are_seen() -> None:
    assert "no step or command" in str(what_is_wrong("watsch 2.1"))
    assert "no step or command" in str(what_is_wrong("2.99"))
    assert "--beam" in str(what_is_wrong("2.1 --beam 4"))
    assert what_is_wrong("translate letter.txt --beam 4") is None
    assert sum(len(commands(path)) for path in FOR_READERS) > 30


def test_all_commands_are_documented() -> None:
    rows = table("docs/commands.md", "## What you can type")
    shown = [name for row in rows for name in names(row[0])]

    assert [line for line in shown if what_is_wrong(line)] == []
    assert set(words.COMMANDS) <= {line.split()[0] for line in shown}


OPTIONS = [
    ("docs/commands.md", "## Options", "check"),
    ("docs/grading.md", "## Options", "grade"),
    ("docs/real-text.md", "## Options of translate and classify", "translate"),
    ("docs/commands.md", "## To search by meaning", "similar"),
    ("docs/commands.md", "## To talk to a real model", "speak"),
]


@pytest.mark.parametrize(("path", "lead", "of"), OPTIONS)
def test_all_options_are_documented(path: str, lead: str, of: str) -> None:
    shown = {name.split()[0] for row in table(path, lead) for name in names(row[0])}

    assert shown == options_of(parser_of(of)) - ({"--help"} if of != "check" else set())


# Options of other programs, by the page that shows them.
FOREIGN = {
    "docs/editors.md": {"--junitxml", "--submission"},
    "docs/grading.md": {"--array"},
    "docs/real-text.md": {"--standalone", "--nproc_per_node"},
    "docs/systems.md": {"--index-url"},
    "CONTRIBUTING.md": {"--check"},
}


@pytest.mark.parametrize("path", [*FOR_READERS, "CONTRIBUTING.md"])
def test_every_option_shown_exists(path: str) -> None:
    """In a sentence, too, where it stands without its command."""
    parsers = [command._parser(), bundle.parser(), *map(parser_of, of_the_course.COMMANDS)]
    known = set().union(*map(options_of, parsers)) | FOREIGN.get(path, set())

    assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*", page(path))) <= known


def test_what_is_said_to_be_usual_is_usual() -> None:
    """`X if it is not given`, where the parser says what that is."""
    said = 0
    for path, lead, of in OPTIONS:
        usual = {name: a.default for a in parser_of(of)._actions for name in a.option_strings}
        for option, about in table(path, lead):
            default = usual[names(option)[0].split()[0]]
            found = re.search(r"`?([\w.]+)`? if it is not given", about)
            if found and default is not None:
                assert str(default).strip("[']") == found[1], (path, option)
                said += 1
    # --steps, --results, --beam, --length-penalty, --most, and five of `speak`.
    assert said == 10


@pytest.mark.parametrize("path", PAGES)
def test_every_module_and_requirement_shown_is_there(path: str) -> None:
    text = page(path)
    for module in re.findall(r"python -m ([\w.]+\w)", text):
        assert module == "venv" or importlib.util.find_spec(module), module
    for file in re.findall(r"pip install -r ([\w.-]+\w)", text):
        assert (COURSE / file).exists(), file


def test_the_bundle_is_built_as_shown() -> None:
    shown = re.findall(r"`python -m checks\.grading\.bundle ([^`]+)`", page("docs/grading.md"))

    assert [bundle.parser().parse_args(words.split()).file for words in shown] == ["gradescope.zip"]


def test_the_notebook_takes_what_is_said() -> None:
    taken = inspect.signature(notebook.check).parameters
    said = re.findall(r"and the options (.*?)\.", page("docs/editors.md").replace("\n", " "))

    assert set(names(said[0])) == taken.keys() - {"steps"}


def test_the_tasks_of_vs_code_are_all_there() -> None:
    tasks = json.loads((COURSE / ".vscode/tasks.json").read_text("utf-8"))["tasks"]
    says = "More tasks check where you are, watch the current file, give a hint for it, and list"

    assert says in " ".join(page("docs/editors.md").split())
    assert {task["label"] for task in tasks} == {
        "check the current file",
        *("check where I am", "watch the current file", "hint for the current file"),
        "list the steps",
    }
