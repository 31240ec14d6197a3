"""The formats of `grade` as those read them for whom they are made: strict, and nothing more."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any, NamedTuple

from markdown_it import MarkdownIt  # rich, which the course needs, brings it along.

from checks.grading.formats import FORMATS, github_summary

ALL = {**FORMATS, "summary": github_summary}


def rows_of(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def check_csv(text: str, run: Any) -> None:
    rows = rows_of(text)
    assert len(rows) == 1 + len(run["submissions"])
    assert {len(row) for row in rows} == {7 + len(run["steps"])}
    assert all(len(cell) <= 250 for row in rows for cell in row)
    for delimiter in ",;\t":
        for row in rows_of(text, delimiter):
            for cell in row:
                assert not cell.lstrip(" \"'\n").startswith(tuple("=+-@\t\r＝＋－＠")) or (
                    cell.lstrip(' "\n').startswith("'")
                )


def check_junit(text: str, run: Any) -> None:
    root = ET.fromstring(text)
    assert root.tag == "testsuites"
    assert len(root) == len(run["submissions"])
    for name in ("tests", "failures", "errors"):
        assert int(root.get(name, "")) == sum(int(suite.get(name, "")) for suite in root)
    for suite in root:
        cases = suite.findall("testcase")
        assert [child.tag for child in suite] == ["properties", *["testcase"] * len(cases)]
        inner = [child.tag for case in cases for child in case]
        assert set(inner) <= {"failure", "error", "skipped", "system-out"}
        assert int(suite.get("tests", "")) == len(cases)
        for tag, count in [("failure", "failures"), ("error", "errors"), ("skipped", "skipped")]:
            assert int(suite.get(count, "")) == inner.count(tag)
        for case in cases:
            assert case.get("name") and case.get("classname")
            assert float(case.get("time") or 0) >= 0
            for child in case:
                assert len(child.text or "") <= 5_000
                if child.tag != "system-out":
                    assert child.get("type")
                    assert child.get("message") is not None


def check_gradescope(text: str, run: Any) -> None:
    results = json.loads(text)
    for field in ("output_format", "test_output_format", "test_name_format"):
        assert results[field] == "text"
    assert (results["visibility"], results["stdout_visibility"]) == ("visible", "hidden")
    assert results["execution_time"] >= 0
    rows = [test for test in results["tests"] if "number" in test]
    asked = [step["step"] for step in run["steps"]]
    assert [row["number"] for row in rows] == asked or ("score" not in results and not rows)
    for test in results["tests"]:
        assert test["status"] in ("passed", "failed")
        assert test["visibility"] == "visible"
        assert len(test["output"]) <= 7_000
        assert "\r" not in test["output"]
        if "score" in test:
            assert test["score"] == (test["max_score"] if test["status"] == "passed" else 0)


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    data: str


def commands_of(text: str) -> Iterator[Command | str]:
    """Lines as GitHub's runner reads them: commands, and what is none. Lines end at \\r and \\n;
    a command begins with :: after white space, or, in the older form, with ##[ anywhere.
    """
    for line in re.split(r"\r\n|\r|\n", text):
        found = re.match(r"\s*::([^ ]*?)(?: (.*?))?::(.*)", line)
        older = re.search(r"##\[([^ \]]*)[^\]]*\](.*)", line)
        if found is not None:
            pairs = (pair.partition("=") for pair in (found[2] or "").strip().split(","))
            values = {key: unescaped(value) for key, _, value in pairs if key and value}
            yield Command(found[1], values, unescaped(found[3], of_property=False))
        elif older is not None:
            yield Command(older[1], {}, older[2])
        elif line:
            yield line


def unescaped(text: str, of_property: bool = True) -> str:
    for code in ["\r", "\n", *(":," if of_property else ""), "%"]:
        text = text.replace(f"%{ord(code):02X}", code)
    return text


def check_github(text: str, run: Any) -> None:
    found = list(commands_of(text))
    assert len(found) == text.count("\n")
    names = [command.name for command in found if isinstance(command, Command)]
    assert len(names) == len(found)
    assert set(names) <= {"error", "warning", "notice"}
    assert max(names.count("error"), names.count("warning")) <= 10
    assert names.count("notice") == 1
    for command in found:
        assert isinstance(command, Command)
        assert set(command.properties) <= {"title", "file", "line"}
        assert 0 < len(command.properties["title"]) <= 255
        assert len(command.data) <= 4_096
        assert command.properties.get("line", "1").isdigit()


def check_summary(text: str, run: Any) -> None:
    """Nothing but our own markup: what a learner wrote is code, or written by number."""
    assert len(text.encode()) <= 1024 * 1024
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inner = [child for token in tokens for child in token.children or []]
    kinds = {token.type for token in (*tokens, *inner)}
    assert not {"link_open", "image", "code_inline", "strong_open", "em_open", "hr"} & kinds
    assert not {"bullet_list_open", "ordered_list_open", "blockquote_open", "code_block"} & kinds
    headings = [token for token in tokens if token.type == "heading_open"]
    several = len(run["submissions"]) > 1
    assert len(headings) == 1 + (len(run["submissions"]) if several else 0)
    html = [token.content for token in (*tokens, *inner) if token.type.startswith("html")]
    tags = [tag for content in html for tag in re.findall("<[^>]*>?", content)]
    assert set(tags) <= {f"<{x}{tag}>" for x in ("", "/") for tag in ("details", "summary", "code")}
    for tag in ("details", "summary", "code"):
        assert tags.count(f"<{tag}>") == tags.count(f"</{tag}>")
    outside = re.sub(r"^(`{3,})text\n.*?^\1\n", "", text, flags=re.S | re.M)
    assert not re.search(r"@|\]\(|https?:", outside)


def check_json(text: str, run: Any) -> None:
    assert len(json.loads(text)["submissions"]) == len(run["submissions"])
    assert text.isascii()
    "".join(_leaves(json.loads(text))).encode("utf-8")  # Not half of a pair of surrogates.


CHECKS = {
    **{"json": check_json, "csv": check_csv, "junit": check_junit, "github": check_github},
    **{"gradescope": check_gradescope, "summary": check_summary},
}
# Everything but what Python, XML and terminals all take for text.
UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff\ufffe\uffff]")


def strings_of(format: str, text: str) -> list[str]:
    """The texts that a reader of the format gets to see."""
    if format in ("json", "gradescope"):
        return list(_leaves(json.loads(text)))
    if format == "junit":
        elements = list(ET.fromstring(text).iter())
        return [
            *(e.text or "" for e in elements),
            *(v for e in elements for v in e.attrib.values()),
        ]
    return [text]


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    elif isinstance(value, str):
        yield value


def check_format(format: str, run: Any) -> None:
    text = ALL[format](run)
    assert text.endswith("\n")
    text.encode("utf-8")
    for seen in (text, *(strings_of(format, text) if format != "json" else [])):
        assert UNWANTED.search(seen) is None
    CHECKS[format](text, run)
