"""`python -m pytest checks`: your files, checked as pytest items (engine/commands/items.py)."""

from collections.abc import Generator
from pathlib import Path

import pytest

import run_step  # noqa: F401  From here on no file of the learner's shadows a library.
from checks.engine.commands.items import CheckItem, NoTests, Session, StepFile, in_order, step_file

SESSION = pytest.StashKey[Session]()


def pytest_addoption(parser: pytest.Parser) -> None:
    says = "check the stage folders in DIR instead of your own"
    parser.getgroup("course").addoption("--submission", metavar="DIR", help=says)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SESSION] = Session(config.getoption("--submission", None))


def pytest_unconfigure(config: pytest.Config) -> None:
    if SESSION in config.stash:
        config.stash[SESSION].close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> StepFile | None:
    return step_file(file_path, parent, parent.config.stash[SESSION])


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector:
    """No file in checks/ holds ordinary pytest tests, even if it is named on the command line."""
    nothing: NoTests = NoTests.from_parent(parent, path=module_path)
    return nothing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    in_order(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if isinstance(item, CheckItem) and call.excinfo is not None:
        item.show(report, call.excinfo.value)
    return report
