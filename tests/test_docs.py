"""README.md and docs/: what they state is so. Screens: test_command.py."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from conftest import Said, solve
from pages import DOCS, FOR_READERS, PAGES, anchors, first_names, names, page, prose, table
from parsers import options_of, parser_of

from checks.contents import CORE, COURSE, STAGES, STEPS
from checks.engine.commands import installed, words
from checks.engine.hosting.process import MEMORY
from checks.engine.judging.judge import SECONDS
from checks.engine.verdicts import Kind, Verdict
from checks.engine.watching.watch import WORDS
from checks.grading.formats import FORMATS
from checks.lessons.course_map import with_map
from checks.speaking import held, model
from checks.training.kinds import CLASSIFY, TRANSLATE
from run_step import NEWEST, OLDEST

MOST_LINES = 120
WALLS = ("process", "bubblewrap", "namespaces", "own-root", "landlock", "user", "seccomp")


# README


def test_the_readme_is_read_in_three_minutes() -> None:
    """Without the map, which grows with the course."""
    lines = [line for line in page("README.md").splitlines() if not re.match(r"\| \d+\.", line)]

    assert len(lines) <= MOST_LINES, f"{len(lines)} lines beside the map; move some to docs/"
    running = [line for line in prose("\n".join(lines)).split("\n") if line[:1] not in ("|", "#")]
    assert len(" ".join(running).split()) <= 3 * 150  # As slowly as tests/test_lessons.py reads.


def test_the_map_is_the_course() -> None:
    """A part for each stage in order, the bonus steps apart, and each step in its part."""
    assert page("README.md") == with_map(page("README.md")), "run: python -m checks.lessons"
    rows = table("README.md", "## The map")
    starred = [stage for stage in STAGES if not any(step.stage == stage for step in CORE)]
    parts = [*(f"**{s[1]}**" for s in STAGES if s not in starred), "★"]
    parts += [f"**{s[1]} ★**" for s in starred]
    assert [row[0] for row in rows if not row[0][0].isdigit()] == parts
    assert {row[0] for row in rows} == {*parts, *(step.id for step in STEPS)}
    heads = {row[0].strip("* ★"): row[2] for row in rows if row[0].startswith("**")}
    assert heads == {stage[1]: f"[{stage}]({stage}/README.md)" for stage in STAGES}


# All pages


@pytest.mark.parametrize("path", PAGES)
def test_every_link_leads_somewhere(path: str) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page(path))):
        target, _, fragment = link.partition("#")
        if re.match(r"\w+:", target):
            continue
        found = ((COURSE / path).parent / target).resolve() if target else COURSE / path
        if not found.exists() or not found.is_relative_to(COURSE):
            broken.append(link)
        elif fragment and fragment not in anchors(found.relative_to(COURSE).as_posix()):
            broken.append(link)
    assert broken == []


def test_every_page_of_docs_is_linked_from_the_readme() -> None:
    linked = set(re.findall(r"\]\((docs/[\w-]+\.md)\)", page("README.md")))

    assert linked == set(DOCS)


@pytest.mark.parametrize("path", DOCS)
def test_each_begins_with_whom_it_is_for(path: str) -> None:
    title, empty, first = page(path).splitlines()[:3]

    assert title.startswith("# ") and empty == "" and first.startswith("For ")


@pytest.mark.parametrize("path", FOR_READERS)
def test_no_line_is_too_long(path: str) -> None:
    lines = page(path).splitlines()

    assert [line for line in lines if len(line) > 100 and not line.startswith("|")] == []


# Closed sets


def test_verdicts_kinds_and_statuses_are_all_there() -> None:
    assert first_names("docs/commands.md", "## Verdicts") == list(get_args(Verdict))
    assert first_names("docs/commands.md", "A `fail` has one of these kinds:") == list(
        get_args(Kind)
    )
    statuses = [words.PASSED, words.NOT_PASSED, words.USAGE, words.OUR_FAULT, words.INTERRUPTED]
    assert first_names("docs/commands.md", "## Exit status") == [str(status) for status in statuses]


def test_the_keys_of_watch_are_all_there() -> None:
    rows = table("docs/commands.md", "## While it watches")

    assert [names(row[0])[0] for row in rows] == [word[0] for word in WORDS]
    assert [row[1].split()[0] for row in rows] == list(WORDS)


def test_the_formats_of_grade_are_all_there() -> None:
    assert first_names("docs/grading.md", "## Formats") == list(FORMATS)


def test_the_walls_are_all_there() -> None:
    assert first_names("docs/walls.md", "## The names of the walls") == list(WALLS)


def test_limits_and_versions_are_those_of_the_code() -> None:
    walls, systems, readme = page("docs/walls.md"), page("docs/systems.md"), page("README.md")
    assert f"may take {SECONDS:.0f} seconds of computing" in walls
    assert f"It may take {MEMORY >> 30} GB of memory" in walls
    real = page("docs/real-text.md")
    assert f"rises for {TRANSLATE['warmup']} steps for pairs" in real
    assert f"for {CLASSIFY['warmup']} steps for labels" in real
    requirements = (COURSE / "requirements.txt").read_text("utf-8")
    for pin in re.findall(r"(?:torch|numpy)==([\d.]+)", requirements):
        assert pin in systems
    (oldest, newest) = ("{}.{}".format(*version) for version in (OLDEST, NEWEST))
    for text in (systems, readme):
        assert f"Python {oldest} to {newest}" in text
    tested = (COURSE / ".github/workflows/tests.yml").read_text("utf-8")
    tried = [f'"3.{minor}"' for minor in range(OLDEST[1], NEWEST[1] + 1)]
    assert f"python: [{', '.join(tried)}]" in tested


def test_what_is_said_of_the_real_model_is_so() -> None:
    text = " ".join(page("docs/commands.md").partition("## To talk to a real model")[2].split())

    assert f"within {held.NEAR} of the reference" in text
    assert f"At most {model.LONGEST:,} tokens" in text
    chat, speak = options_of(parser_of("chat")), options_of(parser_of("speak"))
    assert chat == speak - {"--get", "--model"}


def test_the_scores_are_those_of_the_benchmarks() -> None:
    """Rounded from the table of benchmarks/README.md."""
    text = " ".join(page("docs/real-text.md").split())
    times, scores, *_ = table("benchmarks/README.md", "## Real text")

    for time, score in zip(times[1:], scores[1:]):
        seconds, bleu = float(time.split()[0]), float(score.strip("* BLEU"))
        for says in (f"{bleu:.1f} BLEU", f"{seconds / 60:.0f} minutes"):
            assert says in text, f"docs/real-text.md: write {says}"


# JSON (of checks: test_command_words.py)


def test_the_json_of_list_and_doctor(said: Said, course: Path) -> None:
    solve(course, "1.1")
    listed = json.loads(said(course, "list", "--json").stdout)
    assert list(listed) == ["version", "steps"]
    says = "`python run_step.py list --json` prints `version` and `steps`."
    assert list(listed["steps"][0]) == first_names("docs/commands.md", says)
    states = {step["state"] for step in listed["steps"]}
    row = next(row for row in table("docs/commands.md", says) if row[0] == "`state`")
    assert states <= set(names(row[1])) <= {"passed", "begun", *get_args(Verdict)}
    found = json.loads(said(course, "doctor", "--json").stdout)
    assert list(found) == ["version", "well", "findings"]
    says = "`python run_step.py doctor --json` prints `version`, `well`"
    assert list(found["findings"][0]) == first_names("docs/commands.md", says)
    row = next(row for row in table("docs/commands.md", says) if row[0] == "`state`")
    assert names(row[1]) == [installed.OK, installed.NOTE, installed.FIX]


@pytest.mark.room
def test_the_json_of_proof(said: Said, course: Path) -> None:
    step = min(STEPS, key=lambda step: step.id)
    done = json.loads(said(course, "proof", step.id, "--json").stdout)
    lead = "`python run_step.py proof --json` prints these fields:"
    assert list(done) == first_names("docs/commands.md", lead)
    counts = ["wrong", "wrong_rejected", "right", "right_accepted"]
    assert list(done["steps"][0]) == ["step", "name", *counts, "versions"]
    versions = done["steps"][0]["versions"]
    assert list(versions[0]) == first_names("docs/commands.md", "Each entry of `versions`:")
    assert {version["kind"] for version in versions} == {"wrong", "right"}


def test_the_json_of_grade(said: Said, course: Path) -> None:
    words = ["grade", str(course / "solutions"), "--steps", "1.1", "--format", "json"]
    words += ["--results", str(course / "results")]
    done = json.loads(said(course, *words).stdout)
    section = "## What --format json prints"
    assert list(done) == first_names("docs/grading.md", section)
    assert list(done["steps"][0]) == first_names("docs/grading.md", "Each entry of `steps`:")
    entry = first_names("docs/grading.md", "Each entry of `submissions`:")
    assert sorted(done["submissions"][0]) == sorted(entry)
