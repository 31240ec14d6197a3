"""`run_step.py page` and `watch --page`: what stands there, and who may read it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import AT_MOST, Said, posix, solve, until

from checks.contents import SOLUTIONS, STEPS
from checks.engine.commands.screen import Screen
from checks.engine.commands.work import Work
from checks.engine.hosting.host import Host
from checks.graduation import kept
from checks.page import parts
from checks.page.figure import figure
from checks.page.lesson import lesson_of, questions_of
from checks.page.serving import Newest, Served

LARGEST = 400_000  # Bytes of a page.
LOADS = ("src", "srcset", "data", "poster", "action", "background")
SOLVED = Namespace(submission=str(SOLUTIONS), borrow=False)


class Read(HTMLParser):
    """What a browser would fetch for a page, and its headings."""

    def __init__(self, html: str):
        super().__init__()
        self.fetched: list[str] = []
        self.images: list[dict[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.fetched += [found[name] for name in LOADS if name in found]
        if tag == "link":
            self.fetched.append(found["href"])
        if tag == "img":
            self.images.append(found)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_page_needs_nothing_else_and_is_small(host: Host, step: Any) -> None:
    found = {**parts.waiting(step), **parts.others(host, Work(SOLVED), step)}
    html = parts.page(found)

    read = Read(html)
    assert all(address.startswith("data:") for address in read.fetched)
    assert all(image["alt"] for image in read.images)
    assert "url(" not in html and "@import" not in html
    assert len(html.encode()) < LARGEST
    assert f"<h2>{step.id} " in html and "<details>" in html


def test_each_lesson_has_all_its_pictures_and_no_way_out(host: Host) -> None:
    for step in STEPS:
        markdown = (SOLUTIONS.parent / step.lesson).read_text("utf-8")
        part = re.split(r"^## ", markdown, flags=re.MULTILINE)
        own = next(one for one in part if one.startswith(f"{step.id} "))
        html = lesson_of(step)
        assert len(Read(html).images) == own.count("](pictures/")
        assert "<!--" not in html and 'href="../' not in html
        assert "<details>" in questions_of(step)


def test_what_learner_code_prints_is_text(said: Said, course: Path, tmp_path: Path) -> None:
    solve(course, "1.1", "1.2")
    file = course / STEPS[1].path
    evil = "        raise RuntimeError('<script>alert(1)</script><img src=//elsewhere>')\n"
    head, _, _ = file.read_text("utf-8").partition("        # Refuse a sentence")
    file.write_text(head + evil, "utf-8")

    done = said(course, "page", "1.2")

    html = (course / "page.html").read_text("utf-8")
    assert done.returncode == 0 and (course / "page.html").as_uri() in done.stdout
    assert "1.2 positional_embedding stops with an error" in html
    assert "alert(1)" in html and "<script>alert" not in html and "<img src=//" not in html
    assert "0 of 18 steps passed" in html  # 1.2 does not build on 1.1.


def test_only_an_earlier_page_is_replaced_and_a_folder_is_made(said: Said, course: Path) -> None:
    solve(course, "1.1")
    diary = course / "diary.html"
    diary.write_text("<p>mine</p>", "utf-8")

    refused = said(course, "page", "1.1", "--save", str(diary))
    new = course / "a new/folder/a.html"

    assert refused.returncode == 2
    assert "diary.html" in refused.stderr and diary.read_text("utf-8") == "<p>mine</p>"
    for _ in range(2):
        assert said(course, "page", "1.1", "--save", str(new)).returncode == 0 and new.is_file()


def test_the_figure_says_which_steps_are_passed() -> None:
    none, some = (figure(states).svg("") for states in ({}, {"layer_norm": "passed"}))
    both = figure({"layer_norm": "passed", "add_norm": "passed"}).svg("")
    assert "2.3·" in none and "2.3✓" in some and "2.4·" in some
    assert none.count('class="s"') == some.count('class="s"') == 0
    assert both.count('class="s"') == 5  # All five norms of an encoder and a decoder layer.
    for step in STEPS:
        assert step.bonus or step.id in none, step.id


def test_a_graduation_is_shown_and_an_old_one_is_not(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "place", lambda task: tmp_path / f"{task}.npz")
    own = Namespace(submission=None, borrow=False)
    assert "put their exam here" in parts.others(host, Work(own), STEPS[0])["learned"]
    exam = [["drei", "three", True], ["<b>vier</b>", "", False]]
    about = {"task": "translate", "exam": exam, "losses": [3.0, 1.0], "score": "1 of 2 right"}
    np.savez(tmp_path / "translate.npz", about=np.array(json.dumps(about)))
    np.savez(tmp_path / "classify.npz", about=np.array(json.dumps({"task": "classify"})))

    html = parts.others(host, Work(own), STEPS[0])["learned"]

    assert "translate: 1 of 2 right" in html and "classify" not in html
    assert "drei → <b>three</b>" in html
    assert "&lt;b&gt;vier&lt;/b&gt; → <b>(nothing)</b> (wrong)" in html


# Served


@pytest.fixture
def served(host: Host, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with Served(host, Screen()) as page:
        page.begins(Work(SOLVED), STEPS[1])
        until(lambda: set(page.newest.parts) == set(parts.PARTS))
        yield page


def ask(page: Served, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", page.server.server_port, timeout=AT_MOST)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_it_is_for_whoever_has_the_token_and_for_nobody_else(served: Served) -> None:
    assert served.server.server_address[0] == "127.0.0.1"
    status, html = ask(served, f"/{served.token}/")
    assert status == 200 and 'data-news="news"' in html
    others = ("/", "/news", "/favicon.ico", f"/{served.token[:-1]}/", f"/x{served.token}/")
    for path in (*others, f"/{served.token}/../", f"/{served.token}/x", "/%C3%A9"):
        status, said = ask(served, path)
        assert status == 404 and served.token not in said, path
    for host in (
        "elsewhere.example",
        f"localhost.example:{served.server.server_port}",
        "127.0.0.1",
    ):
        assert ask(served, f"/{served.token}/", Host=host)[0] == 403
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert ask(served, f"/{served.token}/", method)[0] == 501


def test_its_answers_may_not_be_kept_or_framed_or_read_elsewhere(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.server.server_port)
    connection.request("GET", f"/{served.token}/")
    headers = connection.getresponse().headers
    assert headers["X-Frame-Options"] == "DENY" and headers["Cache-Control"] == "no-store"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


def test_news_are_what_is_newer(host: Host) -> None:
    newest, heard = Newest(), list[dict[str, tuple[int, str]]]()
    newest.put({"verdict": "a", "steps": "b"})
    assert newest.after(0, 0) == {"verdict": (1, "a"), "steps": (2, "b")}
    waits = threading.Thread(target=lambda: heard.append(newest.after(2, AT_MOST)))
    waits.start()
    newest.put({"steps": "b"})  # Nothing new.
    newest.put({"verdict": "c"})
    waits.join(AT_MOST)
    assert heard == [{"verdict": (3, "c")}]
    newest.close()
    assert newest.after(3, AT_MOST) == {}


def test_the_browser_gets_the_address_in_a_file_of_the_learners_alone(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", opened.append)
    with Served(host, Screen()) as page:
        file = page.scratch.folder / "open.html"
        assert opened == [file.as_uri()] and page.token not in opened[0]
        assert page.address in file.read_text("utf-8")
        if os.name == "posix":
            assert page.scratch.folder.stat().st_mode & 0o077 == 0
    assert not page.scratch.folder.exists()


@posix
def test_it_follows_a_save(course: Path) -> None:
    solve(course, "1.1")
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    process = subprocess.Popen(
        [sys.executable, str(course / "run_step.py"), "watch", "1.1", "--page"],
        **dict.fromkeys(("stdin", "stdout"), subprocess.PIPE),
        text=True,
        env=environment,
    )
    with process:
        assert process.stdout is not None and process.stdin is not None
        address = next(line for line in process.stdout if "The page:" in line).split()[-1]
        _, _, place, token, _ = address.split("/")
        connection = http.client.HTTPConnection(place, timeout=AT_MOST)
        connection.request("GET", f"/{token}/news")
        news = connection.getresponse()

        def hear(word: str) -> None:
            for line in iter(news.readline, b""):
                found = json.loads(line[6:]) if line.startswith(b"data: ") else {}
                if word in found.get("verdict", (0, ""))[1]:
                    return
            raise AssertionError(f"The page never said {word}.")

        hear("1.1 token_embedding passes")
        file = course / STEPS[0].path
        right = file.read_text("utf-8")
        file.write_text(right.replace("return self.embedding(x)", "return 2 * self.embedding(x)"))
        hear("is not right yet")
        file.write_text(right, "utf-8")
        hear("1.1 token_embedding passes")
        process.stdin.close()
        assert process.wait(AT_MOST) == 0
        assert news.read() is not None  # The stream ends.
