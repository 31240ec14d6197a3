"""What editors read: .vscode/, .devcontainer/, and the lines that they jump by."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Said, solve, typed

from checks.contents import COURSE, SOLUTIONS
from checks.engine.commands.words import COMMANDS, find_steps
from run_step import NEWEST, OLDEST


def read(path: str) -> Any:
    return json.loads((COURSE / path).read_text("utf-8"))


TASKS = {task["label"]: task for task in read(".vscode/tasks.json")["tasks"]}
CHECK = TASKS["check the current file"]
PATTERN = CHECK["problemMatcher"]["pattern"]


def problems(output: str) -> list[tuple[str, int, str]]:
    """What the problem matcher finds: file, line, message."""
    found = [re.search(PATTERN["regexp"], line) for line in output.splitlines()]
    groups = (PATTERN["file"], PATTERN["line"], PATTERN["message"])
    texts = [[match[group] for group in groups] for match in found if match is not None]
    return [(file, int(line), message) for file, line, message in texts]


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task["label"])
def test_every_task_is_a_command(task: Any) -> None:
    script, *words = task["args"]
    assert task["type"] == "process" and script == "run_step.py"
    command = words[:1] if words[:1] != ["${relativeFile}"] else []
    assert set(command) <= set(COMMANDS), words
    assert words[len(command) :] in ([], ["${relativeFile}"])
    assert (COURSE / script).exists() and task["options"]["cwd"] == "${workspaceFolder}"


def test_the_current_file_is_a_step_however_it_is_written() -> None:
    for path in ("s2_attention/layer_norm.py", "s2_attention\\layer_norm.py"):
        assert [step.id for step in find_steps([path])] == ["2.3"]


def test_what_checks_has_one_and_the_same_matcher() -> None:
    for task in TASKS.values():
        checks = task["args"][1:2] not in (["list"], ["hint"])
        assert bool(task["problemMatcher"]) == checks
        if checks:
            assert task["problemMatcher"]["pattern"] == PATTERN
            assert task["problemMatcher"]["fileLocation"] == ["relative", "${workspaceFolder}"]
            assert task["options"]["env"] == CHECK["options"]["env"]
        assert task.get("isBackground", False) == ("watch" in task["args"])


def test_a_failure_is_jumped_to(said: Said, course: Path) -> None:
    """A passing step, a known mistake, an exception, an unknown mistake, a syntax error, a gap."""
    solve(course, "1.1", "1.2", "2.1", "2.3", "2.5", "5.1")
    for path, old, new in (
        ("s1_embedding/positional_embedding.py", "torch.arange(0, dim", "2 * torch.arange(0, dim"),
        ("s2_attention/calculate_attention.py", "score.softmax", "score.sofTmax"),
        ("s2_attention/layer_norm.py", "(x - mean) / torch", "(x - mean) * 1.7 + 0.3 / torch"),
        ("s2_attention/feed_forward.py", "def forward(", "def forward(("),
    ):
        text = (course / path).read_text("utf-8")
        assert old in text
        (course / path).write_text(text.replace(old, new), "utf-8")
    words = ["1.1", "1.2", "1.3", "2.1", "2.3", "2.5", "5.1", "--seed", "7"]
    done = said(course, *words, **CHECK["options"]["env"])
    found = {file.split("/")[1]: (file, line, says) for file, line, says in problems(done.stdout)}
    assert list(found) == [
        *("positional_embedding.py", "calculate_attention.py"),
        *("layer_norm.py", "feed_forward.py"),
    ], done.stdout
    assert found["positional_embedding.py"][1:] == (
        1,
        "The counter already goes in steps of two, and it is doubled once more. The exponent "
        "grows twice as fast as in the paper, so the last columns hardly change from position "
        "to position.",
    )
    assert found["layer_norm.py"][1] == 34
    assert found["layer_norm.py"][2].startswith("It is in line 34. With something else in place")
    for name, broken in (("calculate_attention.py", "sofTmax"), ("feed_forward.py", "((")):
        file, line, says = found[name]
        assert broken in (course / file).read_text("utf-8").splitlines()[line - 1], (name, line)
        assert "Error" in says or "Did you mean Tensor.softmax?" in says
    assert problems(said(course, *words).stdout) == []  # Only where it is asked for.


def test_watch_says_when_a_run_begins_and_ends(course: Path) -> None:
    pytest.importorskip("checks.engine.watching.watch")
    watch = TASKS["watch the current file"]
    wrong = (SOLUTIONS / "s1_embedding/token_embedding.py").read_text("utf-8")
    wrong = wrong.replace("return self.embedding(x)", "self.embedding(x)")
    (course / "s1_embedding/token_embedding.py").write_text(wrong, "utf-8")
    shown = typed(course, "watch", "1.1", **watch["options"]["env"]).stdout.splitlines()
    patterns = watch["problemMatcher"]["background"]
    begins = [i for i, line in enumerate(shown) if re.search(patterns["beginsPattern"], line)]
    ends = [i for i, line in enumerate(shown) if re.search(patterns["endsPattern"], line)]
    assert problems("\n".join(shown[begins[0] : ends[-1]])), shown


def test_the_container_installs_what_the_readme_says() -> None:
    container = read(".devcontainer/devcontainer.json")
    assert container["postCreateCommand"] == "pip install -r requirements.txt"
    minor = re.findall(r"python:3\.(\d+)$", container["image"])[0]
    assert OLDEST <= (3, int(minor)) <= NEWEST
    wanted = container["customizations"]["vscode"]["extensions"]
    assert wanted == read(".vscode/extensions.json")["recommendations"]
    assert "gpu" not in json.dumps(container).lower()


def test_the_test_panel_shows_the_checks() -> None:
    settings = read(".vscode/settings.json")
    assert settings == {
        "python.testing.pytestEnabled": True,
        "python.testing.pytestArgs": ["checks"],
    }
