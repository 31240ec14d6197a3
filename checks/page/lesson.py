"""A step's part of its stage's lesson, as HTML with its pictures inside."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from checks.contents import COURSE, Step
from checks.engine.drawing.sketch import inside
from checks.lessons.notebooks import COMMENT

QUESTIONS = "Check your understanding"


@cache
def lesson_of(step: Step) -> str:
    """The part of the step."""
    return _html(step, f"{step.id} ")


@cache
def questions_of(step: Step) -> str:
    """The questions at the end of its stage; the answers are folded."""
    return _html(step, QUESTIONS)


def _html(step: Step, heading: str) -> str:
    file = COURSE / step.lesson
    parts = re.split(r"^(?=## )", file.read_text("utf-8"), flags=re.MULTILINE)
    part = next((part for part in parts if part.startswith(f"## {heading}")), "")
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = markdown.parse(COMMENT.sub("", part))
    for token in tokens:
        for child in token.children or []:
            _keep_inside(child, file.parent)
    html = str(markdown.renderer.render(tokens, markdown.options, {}))
    return re.sub("<(pre|table)>", r'<\1 tabindex="0">', html)  # Wide ones scroll by keyboard.


def _keep_inside(token: Token, folder: Path) -> None:
    """Put a picture into the page. A link to another file leads nowhere from it, so it is none."""
    if token.type == "image":
        token.attrs["src"] = inside((folder / str(token.attrs["src"])).read_text("utf-8"))
    elif token.type == "link_open" and not str(token.attrs["href"]).startswith("http"):
        del token.attrs["href"]
