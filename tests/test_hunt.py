"""`hunt`: one known mistake in a copy of a passed step, to observe, predict and repair."""

from __future__ import annotations

import builtins
import json
import os
import re
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from conftest import Said, solve
from pages import first_names

from checks.contents import STEPS
from checks.engine.asking.learner import Files
from checks.engine.commands.screen import WIDTH
from checks.engine.course.progress import Progress
from checks.engine.course.source import solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.results import checks_of_step
from checks.engine.known import Mistake, mistakes
from checks.engine.verdicts import CheckResult
from checks.hunting import command, judging, sheet
from checks.hunting.boss import in_one_style, outside, parts, whole
from checks.hunting.kept import FILE, FOLDER, KEYS, OPTIONS, begun, begun_boss, lay_out, load
from checks.hunting.making import (
    Made,
    Maker,
    drawn,
    in_order,
    is_said,
    repeated,
    seed_of,
    text_of,
)
from checks.hunting.telling import about_the_repair, lines_apart, place_of
from checks.hunting.texts import adds_a_number, leaves_a_name, with_mistake, words_in_common

STEP = {step.id: step for step in STEPS}
# Of so many mistakes one is hunted; with ALL every one that can be.
EVERY = 1 if os.environ.get("ALL") else 20 if os.environ.get("CI") else 80
CRITICAL = 16.27  # Of chi-squared with three degrees of freedom, at 0.001.
OLD = {"version": 1, "passed": {"masks": "x"}, "hints": {"masks": 2}, "seeds": {"masks": 5}}


@pytest.fixture
def hunts(host: Host, said: Said, monkeypatch: pytest.MonkeyPatch) -> Said:
    """`said`, with a host that is there already."""
    for module in (command, judging):
        monkeypatch.setattr(module, "Host", lambda: nullcontext(host))
    return said


@pytest.fixture
def passed(course: Path, hunts: Said) -> Path:
    """A course in which 2.3 and 2.4 have passed."""
    solve(course, "2.3", "2.4")
    assert hunts(course, "2.4").returncode == 0
    return course


@pytest.fixture
def maker(request: pytest.FixtureRequest, versions_host: Host) -> Any:
    maker = Maker(versions_host, solutions(), request.param)
    yield maker
    maker.close()


each_step = pytest.mark.parametrize("maker", STEPS, ids=lambda step: step.name, indirect=True)
of_layer_norm = pytest.mark.parametrize("maker", [STEP["2.3"]], indirect=True)


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{5,}", text.lower()))


# The file


@pytest.mark.room
@each_step
def test_the_mistake_is_seen_and_repaired_and_no_word_tells_it(maker: Maker) -> None:
    step, checks = maker.step, {check.__name__: check for check in checks_of_step(maker.step)}
    right, tried = solution(step), 0
    wanted = -(-len(mistakes(step)) // EVERY)
    for name in in_order(step, 0):
        if tried == wanted:
            break
        made = maker.make(name)
        made = made and maker.confirmed(made)
        if made is None:
            continue
        tried += 1
        assert made.first == made.seen[0] and {*made.seen} <= {*checks} - {*made.passes}
        assert not words(f"{mistakes(step)[name].says} {name}") & words(made.text) - words(right)
        assert {*re.findall("#.*", made.text)} <= {*re.findall("#.*", right)}
        hunt = begun(step, made, seed=tried)
        for key, option in zip(KEYS, hunt.options):
            for text, passes in ((made.text, key != hunt.right), (right, True)):
                files = Files.of(solutions().with_text(step, text), step)
                verdict = maker.runner.ask(step, checks[option], files, {}).verdict
                assert verdict == ("pass" if passes else "fail"), (name, option)
    assert tried == wanted or (EVERY == 1 and tried)


@of_layer_norm
def test_it_is_made_in_the_file_of_the_learner_where_it_fits(maker: Maker) -> None:
    maker.own = solution(maker.step).replace("= eps\n", "= eps  # Mine.\n")
    made = maker.make("unbiased-variance")
    assert made is not None and made.own and "# Mine." in made.text
    maker.own = maker.own.replace("unbiased=False", "correction=0")
    made = maker.make("unbiased-variance")
    assert made is not None and not made.own and "# Mine." not in made.text


@of_layer_norm
def test_what_stops_at_once_is_not_hunted(maker: Maker) -> None:
    assert maker.make("eps-misnamed") is None and maker.make("misspelt-argument") is None


def test_the_comments_of_a_mistake_are_left_out() -> None:
    right = "x = 1  # One.\ny = 2\n"
    mistake = Mistake("It is odd.", {"y = 2": "# Odd.\ny = 3  # Odd, too.\nz = '#'"})
    assert with_mistake(right, mistake) == "x = 1  # One.\ny = 3\nz = '#'\n"
    assert with_mistake("y = 2; y = 2\n", mistake) is None
    assert with_mistake(right, Mistake("It is no Python.", {"y = 2": "y = ("})) is None


@pytest.mark.room
@of_layer_norm
def test_hardness_rises_and_a_seed_repeats(maker: Maker) -> None:
    names = in_order(maker.step, 0)
    easy, hard = (drawn(maker, [], rank, hard=False) for rank in (0, 99))
    hardest = drawn(maker, [], 0, hard=True)
    assert easy and hard and hardest
    assert len(hardest.seen) == 1
    for made in (easy, hard, hardest):
        seed = seed_of(maker.step, made.mistake)
        assert in_order(maker.step, seed)[0] == made.mistake
        assert repeated(maker, seed) == made
    again = drawn(maker, [name for name in names if name != hard.mistake], 0, hard=False)
    assert again is not None and again.mistake == hard.mistake


@pytest.mark.room
@of_layer_norm
def test_others_are_measured_if_none_of_the_first_can_be_hunted(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of all can be hunted, and it is found, wherever chance puts it."""
    made = drawn(maker, [], 0, hard=True)
    assert made is not None
    confirmed = maker.confirmed
    monkeypatch.setattr(
        maker, "confirmed", lambda one: confirmed(one) if one.mistake == made.mistake else None
    )
    for hard in (True, False):
        assert drawn(maker, [], 0, hard) == made
    assert {len(set(in_order(maker.step, seed))) for seed in (1, 2)} == {len(mistakes(maker.step))}
    assert in_order(maker.step, 1)[:3] != in_order(maker.step, 2)[:3]


def test_the_right_option_stands_anywhere() -> None:
    checks = [check.__name__ for check in checks_of_step(STEP["2.3"])]
    made = Made("no-root", "", True, checks[:3], checks[0], checks[3:])
    hunts = [begun(STEP["2.3"], made, seed) for seed in range(400)]
    places = Counter(hunt.right for hunt in hunts)
    assert sum((places[key] - 100) ** 2 / 100 for key in KEYS[:OPTIONS]) < CRITICAL
    for hunt in hunts:
        chosen = {*hunt.options}
        assert len(chosen) == 4 and len(chosen & {*checks[3:]}) == 3
        assert hunt.options[KEYS.index(hunt.right)] == made.first


def test_the_right_option_is_about_the_mistake_and_the_others_are_not() -> None:
    says = "The mean is taken over the axis of the tokens."
    for sentence, common in (
        ("Numbers over the last one.", 0),
        ("Each token has its own.", 1),
        ("It is taken from every token.", 2),
    ):
        assert words_in_common(says, sentence) == common
    checks = [check.__name__ for check in checks_of_step(STEP["2.3"])]
    of_eps = next(name for name in checks if name.startswith("eps"))
    rest = [name for name in checks if name != of_eps]
    made = Made("default-eps-1e-12", "", True, rest[:2], rest[0], checks[2:])
    hunt = begun(STEP["2.3"], made, 1)
    assert hunt.options[KEYS.index(hunt.right)] == rest[0] and of_eps not in hunt.options


def test_a_sentence_that_does_not_say_what_failed_is_no_option() -> None:
    reaches = "The gradient reaches x."
    for sentence, kind, shows, said in (
        (reaches, "gradient", "no-gradient", True),
        (reaches, "gradient", None, False),
        (reaches, "values", None, False),
        ("It is the formula.", "values", None, True),
        ("The formula is written out.", "rule", None, False),
    ):
        result = CheckResult("one", sentence, "fail", kind=kind, shows=shows)
        assert is_said(result) is said


def test_a_limit_is_not_hunted() -> None:
    """A higher limit would be no repair, and no check can try them all."""
    right = "def f(k, dim=-1, eps=1e-5, base=10000):\n    return k\n"
    for other, adds in (
        (right.replace("return k", "return k[:, :64]"), True),
        (right.replace("return k", "return k if dim < 1e6 else k"), True),
        (right.replace("return k", "return k[:, 1:].transpose(1, 2)"), False),
        (right.replace("10000", "1000"), False),
        (right.replace("-1", "-2"), False),
    ):
        assert adds_a_number(other, right) is adds


@pytest.mark.parametrize("step", STEP.values(), ids=lambda step: step.name)
def test_the_line_that_is_shown_at_the_end_is_the_edits(step: Any) -> None:
    """It is no line of the right file, or one that the mistake has removed."""
    right = solution(step)
    for name, mistake in list(mistakes(step).items())[:: 1 if os.environ.get("CI") else 8]:
        wrong = with_mistake(right, mistake)
        where, shown = place_of(mistake, right)
        assert wrong is not None and lines_apart(wrong, right) > 0, name
        was = right if "missing" in where else wrong
        assert shown.strip(" …") and shown.strip(" …") in was and re.search(r"line \d+", where), (
            name
        )
    assert place_of(Mistake("Says.", {"not there": ""}), right) == []


@pytest.mark.parametrize(
    ("edit", "where", "shown"),
    [
        ({"import torch\n": "import math\n\nimport torch\n"}, 1, "import math"),
        (
            {"import torch\n": "import math\n\nimport torch\n", "k + 1": "math.e"},
            8,
            "return math.e",
        ),
        ({"# Add.\n    return k + 1": "# Add\n\n    return k"}, 6, "return k"),
    ],
)
def test_the_line_of_a_mistake_is_one_of_code(edit: dict[str, str], where: int, shown: str) -> None:
    """An import that the mistake needs brings empty lines, and these are not the mistake."""
    right = "import torch\n\n\ndef f(k):\n    # Add.\n    return k + 1\n"
    assert place_of(Mistake("Says.", edit), right) == [f"It was line {where}:", f"  {shown}"]


def test_a_comment_goes_with_its_code() -> None:
    """Else a comment without code shows the place."""
    rest = "    # Return it.\n    return k\n"
    right = f"def f(k):\n    # Refuse it.\n    # Name it.\n    check(k)\n{rest}"
    found = with_mistake(right, Mistake("It is not refused.", {"    check(k)\n": ""}))
    assert found == f"def f(k):\n{rest}"


def test_a_name_that_no_line_uses_is_not_hunted() -> None:
    right = "def f(x):\n    _, mean = g(x)\n    return x - mean\n"
    assert not leaves_a_name(right.replace("- mean", "+ mean"), right)
    assert leaves_a_name(right.replace("x - mean", "x"), right)


# The command


def test_from_the_file_to_the_mistake(passed: Path, hunts: Said) -> None:
    own = passed / STEP["2.4"].path
    before = own.read_bytes()
    begin = hunts(passed, "hunt", "2.4", "--seed", "3")
    assert begin.returncode == 0 and f"{FOLDER}/{STEP['2.4'].path}" in begin.stdout
    assert "trace 2.4 --submission hunt" in begin.stdout and "AddNorm(" in begin.stdout
    hunted = passed / FOLDER / STEP["2.4"].path
    written = {p.relative_to(passed / FOLDER).as_posix() for p in (passed / FOLDER).rglob("*.*")}
    assert written == {STEP["2.3"].path, STEP["2.4"].path, FILE}
    assert hunted.read_bytes() != own.read_bytes() == before
    present = load(passed)
    known = present and present.known()
    assert present is not None and known is not None
    assert known.step is STEP["2.4"]
    name, mistake = known.name, known.mistake

    early = hunts(passed, "hunt", "--check")
    assert early.returncode == 1 and "is not right yet. The question comes first" in " ".join(
        early.stdout.split()
    )
    assert "Expected" not in early.stdout and present.stage == "observe"
    assert json.loads(hunts(passed, "hunt", "--check", "--json").stdout)["failed"] == []
    question = hunts(passed, "hunt", NO_COLOR="1")
    assert all(f"\n  {key}  " in question.stdout for key in KEYS[: len(present.options)])
    assert "hunt --guess LETTER  (a, b" in question.stdout
    assert "answer is" not in question.stdout
    wrong = next(key for key in present.sentences() if key != present.right)
    bad = hunts(passed, "hunt", "--guess", "x")
    assert bad.returncode == 2 and "'x' is no answer here. Type a, b" in bad.stderr
    told = hunts(passed, "hunt", "--guess", wrong)
    assert f"No. The answer is {present.right}." in told.stdout
    twice = hunts(passed, "hunt", "--guess", wrong)
    assert twice.returncode == 2 and "answered already" in twice.stderr

    not_yet = hunts(passed, "hunt")
    assert not_yet.returncode == 1 and "is not right yet" in not_yet.stdout
    assert f"fix {FOLDER}/{STEP['2.4'].path}" in not_yet.stdout
    several = hunts(passed, "hunt", "2")
    assert several.returncode == 2 and "2 means 5 steps. For example: 2.5" in several.stderr
    wrong_text = hunted.read_text("utf-8")
    hunted.unlink()
    gone = hunts(passed, "hunt")
    assert gone.returncode == 2 and "begin again:  python run_step.py hunt 2.4 --seed 3" in (
        gone.stderr
    )
    hunted.write_text(before.decode().replace("super().__init__()", "undefined()"), "utf-8")
    stops = hunts(passed, "hunt").stdout
    assert f"{FOLDER}/{STEP['2.4'].path}:" in stops
    assert not re.search(rf"(?<!{FOLDER}/){STEP['2.4'].path}", stops)
    said = " ".join((begin.stdout + question.stdout + told.stdout + not_yet.stdout).split())
    assert name not in said and mistake.says not in said and "Mistake:" not in said

    hunted.write_bytes(before)
    found = hunts(passed, "hunt", "--check")
    assert found.returncode == 0 and mistake.says in " ".join(found.stdout.split())
    assert "Your repair is exact" in found.stdout
    (place,) = place_of(mistake, before.decode())[1:]
    assert place in found.stdout and place.strip(" …") in wrong_text + before.decode()
    assert Progress(passed / ".progress.json").hunts == {"add_norm": [name]}
    listed = hunts(passed, "hunt", "--list").stdout
    assert "2.4 add_norm: 1 found" in listed and mistake.says in " ".join(listed.split())
    assert own.read_bytes() == before
    for done in (begin, question, told, not_yet, found):
        assert done.stderr == "" and max(map(len, done.stdout.splitlines())) <= WIDTH


def test_a_mistake_somewhere_in_a_whole_model(course: Path, hunts: Said) -> None:
    ids = ["2.1", "2.2", "2.3", "2.4", "2.5"]
    solve(course, *ids[:-1])
    early = hunts(course, "hunt", "--boss", "2")
    assert early.returncode == 2 and "needs all steps of the model. 2.1" in early.stderr
    solve(course, *ids)
    assert hunts(course, "2").returncode == 0
    begin = hunts(course, "hunt", "--boss", "2", "--seed", "11")
    assert begin.returncode == 0, begin.stderr
    files = [STEP[id].path for id in ids]
    assert all(f"{STEP[id].name}.py" in begin.stdout for id in ids)
    changed = [p for p in files if (course / p).read_bytes() != (course / FOLDER / p).read_bytes()]
    written = {p.relative_to(course / FOLDER).as_posix() for p in (course / FOLDER).rglob("*.*")}
    assert written == {*files, FILE} and len(changed) == 1  # 3.1 is to be written: not shown.
    present = load(course)
    known = present and present.known()
    assert present is not None and known is not None and known.step.path == changed[0]
    assert present.symptom and present.symptom in " ".join(begin.stdout.split())
    assert "trace 2.5 --submission" in begin.stdout
    traced = hunts(course, "trace", "2.5", "--submission", str(course / FOLDER))
    assert traced.returncode == 0 and "FeedForward" in traced.stdout

    question = hunts(course, "hunt")
    assert all(path in question.stdout for path in present.sentences().values())
    wrong = next(key for key in present.sentences() if key != present.right)
    told = hunts(course, "hunt", "--guess", wrong)
    assert "No. That file is right." in told.stdout
    not_yet = hunts(course, "hunt")
    assert not_yet.returncode == 1 and f"fix a file in {FOLDER}/" in not_yet.stdout
    said = told.stdout + not_yet.stdout
    assert not [p for p in files if p in said] and known.name not in said + question.stdout

    (course / FOLDER / changed[0]).write_bytes((course / changed[0]).read_bytes())
    other = course / FOLDER / next(path for path in files if path != changed[0])
    other.write_text(other.read_text("utf-8") + "\nTWO = 2\n", "utf-8")
    found = hunts(course, "hunt")
    assert "Your repair is small: 1 line differs" in found.stdout
    assert found.returncode == 0 and f"The mistake was in {FOLDER}/{changed[0]}" in found.stdout
    assert Progress(course / ".progress.json").hunts == {known.step.name: [known.name]}
    repeats = json.loads(hunts(course, "hunt", "--boss", "2", "--seed", "11", "--json").stdout)
    assert (repeats["boss"], repeats["seed"], repeats["fails"]) == ("2", 11, present.symptom)
    again = load(course)
    assert again is not None and (again.mistake, again.options) == (
        present.mistake,
        present.options,
    )
    right = hunts(course, "hunt", "--guess", again.right)
    assert "Yes. That is the file." in right.stdout and f"repair  {FOLDER}/" in right.stdout


def test_the_question_of_a_boss_is_which_file() -> None:
    """All files are options, in the order of the course: so their order tells nothing."""
    checks = [check.__name__ for check in checks_of_step(STEP["5.2"])]
    made = Made("no-root", "Wrong.\n", True, checks[:3], checks[0], checks[3:])
    for seed in range(20):
        hunt = begun_boss(outside("5"), made, seed, STEP["2.3"], "5")
        assert hunt.options == [step.name for step in parts("5")] and hunt.fails == made.first
        assert hunt.options[KEYS.index(hunt.right)] == "layer_norm"


def test_the_files_of_a_boss_are_in_one_style() -> None:
    """If the mistake does not fit the learner's file, the other files are solutions as well."""
    mine = solutions().with_text(STEP["2.5"], solution(STEP["2.5"]) + "# mine\n")
    for boss in ("2", "4", "5"):
        for own in (True, False):
            made = Made("", "", own, [], "", [])
            text = text_of(whole(in_one_style(mine, made), boss), STEP["2.5"])
            assert text is not None and text.endswith("# mine\n") == own


def test_the_folder_has_the_files_of_the_model(tmp_path: Path) -> None:
    for boss, count in (("2", 5), ("4", 10), ("5", 14)):
        checks = [check.__name__ for check in checks_of_step(outside(boss))]
        made = Made("no-root", "Wrong.\n", True, checks[:1], checks[0], checks[1:])
        shown, root = parts(boss), tmp_path / boss
        hunt = begun_boss(outside(boss), made, 1, STEP["2.3"], boss)
        assert lay_out(root, solutions(), hunt, shown, STEP["2.3"], made.text) is None
        files = {p.relative_to(root / FOLDER).as_posix() for p in (root / FOLDER).rglob("*.py")}
        assert files == {step.path for step in shown} and len(files) == count
        assert (root / FOLDER / STEP["2.3"].path).read_text("utf-8") == made.text


def test_nothing_is_thrown_away(passed: Path, hunts: Said) -> None:
    assert hunts(passed, "hunt", "2.3").returncode == 0
    mine = passed / FOLDER / STEP["2.3"].path
    mine.write_text("# my work\n", "utf-8")
    for words in (["2.4"], ["--hard"], ["--seed", "5"]):
        other = hunts(passed, "hunt", *words)
        assert other.returncode == 2 and "is not finished" in other.stderr
    assert mine.read_text("utf-8") == "# my work\n"
    left = hunts(passed, "hunt", "2.4", "--new")
    assert left.returncode == 0 and "are kept in .kept/hunt.1/" in left.stdout
    kept = passed / ".kept" / "hunt.1" / STEP["2.3"].path
    assert kept.read_text("utf-8") == "# my work\n"
    (passed / FOLDER / FILE).write_text("{", "utf-8")  # Another program wrote it.
    assert "are kept in .kept/hunt.2/" in hunts(passed, "hunt", "2.3").stdout


def test_a_terminal_asks_once(passed: Path, hunts: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hunts(passed, "hunt", "2.3").returncode == 0
    present = load(passed)
    assert present is not None
    typed = iter(["", "z", present.right.upper()])
    monkeypatch.setattr(command, "in_a_terminal", lambda: True)
    monkeypatch.setattr(builtins, "input", lambda prompt: next(typed))
    told = hunts(passed, "hunt").stdout
    assert "'z' is no answer here." in told and f"Yes, {present.right} is right" in told
    after = load(passed)
    assert after is not None and (after.stage, after.guess) == ("repair", present.right)


def test_the_json_of_hunt(passed: Path, hunts: Said) -> None:
    fields = first_names("docs/commands.md", "`python run_step.py hunt --json` begins a hunt")
    stages = []
    for words in (["2.4", "--seed", "3"], [], ["--guess", "a"], []):  # Some stop with an error.
        done = json.loads(hunts(passed, "hunt", *words, "--json").stdout)
        assert list(done) == fields
        assert done["mistake"] is done["seen_by"] is done["lines"] is None
        stages.append(done["stage"])
    assert stages == ["observe", "predict", "repair", "repair"]
    assert done["verdict"] == "fail" and done["failed"][0]["mistake"] is None
    assert done["right"] in [option["key"] for option in done["options"]]
    path = STEP["2.4"].path
    (passed / FOLDER / path).write_bytes((passed / path).read_bytes())
    done = json.loads(hunts(passed, "hunt", "--json").stdout)
    assert (done["stage"], done["verdict"], done["lines"]) == ("found", "pass", 0)
    assert list(done["mistake"]) == ["name", "says", "seen", "path"]
    listed = json.loads(hunts(passed, "hunt", "--list", "--json").stdout)
    assert list(listed) == ["version", "found", "open"] and listed["open"] is None
    assert listed["found"][0]["mistakes"] == [done["mistake"]["name"]]


def test_a_step_that_has_not_passed_is_not_hunted_in(fresh: Path, hunts: Said) -> None:
    for words, says in (
        (["2.3"], "2.3 layer_norm has not passed yet"),
        ([], "No step has passed yet"),
        (["2"], "One step at a time"),
        (["--check"], "There is no hunt to go on with."),
    ):
        done = hunts(fresh, "hunt", *words)
        assert done.returncode == 2 and says in done.stderr
    assert not (fresh / FOLDER).exists()
    assert "No hunt has been finished yet." in hunts(fresh, "hunt", "--list").stdout


def test_old_progress_is_read(tmp_path: Path) -> None:
    file = tmp_path / ".progress.json"
    for hunts, read in (
        ({}, {}),
        ({"hunts": 3}, {}),
        ({"hunts": {"masks": ["a", 1]}}, {"masks": ["a"]}),
    ):
        file.write_text(json.dumps({**OLD, **hunts}), "utf-8")
        progress = Progress(file)
        assert (progress.hints, progress.seeds) == ({"masks": 2}, {"masks": 5})
        assert progress.hunts == read
        progress.save()
        assert Progress(file).hunts == read


def test_small_repairs_are_praised() -> None:
    right = "a = 1\nb = 2\nc = 3\n"
    assert lines_apart("# said\n" + right, right) == 0
    assert lines_apart(right.replace("2", "1 + 1"), right) == 1
    assert lines_apart("", right) == 3
    long = "import torch\n\n\nclass A:\n    def f(self):\n        self.w: int = g(1, 2)\n"
    assert (
        lines_apart(
            long, "class A:\n    def f(self):\n        self.w = g(\n            1, 2\n        )\n"
        )
        == 0
    )
    assert [about_the_repair(n).split()[3] for n in (0, 1, 3)] == ["exact:", "small:", "another"]


@pytest.mark.room
def test_a_sheet_for_a_class_is_judged_by_grade(
    hunts: Said, fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files fail as they are and pass when repaired; the page for the class tells nothing."""
    monkeypatch.setattr(sheet, "COURSE", tmp_path)
    done = json.loads(hunts(fresh, "hunt", "--sheet", "3", "--seed", "5", "--json").stdout)
    assert list(done) == ["version", "seed", "folder", "key", "steps"]
    steps = [STEP[id] for id in done["steps"]]
    folder, key = tmp_path / done["folder"], (tmp_path / done["key"]).read_text("utf-8")
    page = (folder / "README.md").read_text("utf-8")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert len(steps) == 3 and files == {step.path for step in steps}
    for step in steps:
        (says,) = {one.says for one in mistakes(step).values() if one.says in key}
        assert step.path in page and says not in page
    typed = re.findall("`python run_step.py grade FOLDER (.*)`", key)[0].split()
    for results, wanted in (("one", {"fail", "error"}), ("two", {"pass"})):
        words = [str(folder), *typed, "--results", str(tmp_path / results), "--json"]
        (row,) = json.loads(hunts(fresh, "grade", *words).stdout)["submissions"]
        assert {result["verdict"] for result in row["steps"]} <= wanted
        for step in steps:
            (folder / step.path).write_text(solution(step), "utf-8")


def test_a_sheet_overwrites_nothing(
    hunts: Said, fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet, "COURSE", tmp_path)
    (tmp_path / "hunt-sheet-key.md").write_text("mine", "utf-8")
    for words, says in (
        (["1"], "hunt-sheet-key.md exists already"),
        (["0"], "1 to 18 files"),
        (["19"], "1 to 18 files"),
        (["3", "--hard"], "only --seed and --json"),
    ):
        done = hunts(fresh, "hunt", "--sheet", *words)
        assert done.returncode == 2 and says in done.stderr
    assert (tmp_path / "hunt-sheet-key.md").read_text("utf-8") == "mine"
    assert not (tmp_path / "hunt-sheet").exists()
