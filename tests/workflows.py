"""As much YAML as the workflows of this course need, read strictly: what it does not know, raises.

Mappings and lists by indentation, plain and quoted words, [a, b], and | for several lines.
"""

from __future__ import annotations

import json
import re
from typing import Any

KEY = re.compile(r"([A-Za-z_][\w-]*):(?: +(.*))?$")
Line = tuple[int, int, str]  # Its number, its indentation, what it says.


def read_yaml(text: str) -> Any:
    assert "\t" not in text and text.endswith("\n")
    raw = text.split("\n")
    lines = [(n, len(s) - len(s.lstrip()), _uncommented(s)) for n, s in enumerate(raw)]
    said = [line for line in lines if line[2]]
    value, rest = _block(said, said[0][1], raw)
    assert not rest, rest[0]
    return value


def _uncommented(line: str) -> str:
    return re.sub(r"(^|\s)#.*", "", line.strip()).strip()


def _block(lines: list[Line], indent: int, raw: list[str]) -> tuple[Any, list[Line]]:
    """The mapping or list that begins here, and the lines after it."""
    found: Any = [] if lines[0][2].startswith("- ") else {}
    while lines and lines[0][1] == indent:
        number, _, says = lines[0]
        if isinstance(found, list):
            assert says.startswith("- "), lines[0]
            inner = [(number, indent + 2, says[2:].strip()), *lines[1:]]
            value, lines = _block(inner, indent + 2, raw)
            found.append(value)
            continue
        match = KEY.match(says)
        assert match, lines[0]
        key, word = match[1], match[2]
        assert key not in found, lines[0]
        lines = lines[1:]
        if word == "|":
            found[key], lines = _literal(lines, number, indent, raw)
        elif word is None:
            assert lines and lines[0][1] > indent, f"{key} has no value"
            found[key], lines = _block(lines, lines[0][1], raw)
        else:
            found[key] = _word(word)
    assert not lines or lines[0][1] < indent, lines[0]
    return found, lines


def _literal(lines: list[Line], after: int, indent: int, raw: list[str]) -> tuple[str, list[Line]]:
    """The lines below `|`, as they stand (a # in them is none of YAML's)."""
    taken = []
    for text in raw[after + 1 :]:
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        taken.append(text)
    while not taken[-1].strip():
        taken.pop()
    margin = len(taken[0]) - len(taken[0].lstrip())
    last = after + len(taken)
    return "".join(f"{t[margin:]}\n" for t in taken), [line for line in lines if line[0] > last]


def _word(text: str) -> Any:
    if text.startswith('"'):
        return json.loads(text)
    if text.startswith("["):
        assert text.endswith("]"), text
        return [_word(item.strip()) for item in text[1:-1].split(",")]
    if text in ("true", "false"):
        return text == "true"
    assert text[0] not in "'{}&*!|>%@`?-," and ": " not in text, text
    return int(text) if text.isdecimal() else text
