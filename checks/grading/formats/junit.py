"""junit: the XML that CI systems and test panels read. A suite per submission, a case per check."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

from checks.grading.formats.facts import (
    NOT_GRADED,
    Run,
    explain_check,
    in_brief,
    is_graded,
    line,
    number,
    plain,
    steps_of,
)

SKIPPED = ("blocked", "untouched")
COUNTS = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def junit(run: Run) -> str:
    """A fail is a failure; blocked and untouched are skipped; error, timeout, crash … are errors.

    infra is an error, too, as in the schema ("a problem with the implementation of the test"), with
    the type "infra". Such a suite has no property `points`. A step's seconds are divided evenly
    among its checks. The text is ASCII, so that it is right in every encoding.
    """
    root = ET.Element("testsuites", name="run_step.py grade", time=f"{run['seconds']:.3f}")
    several = len(run["submissions"]) > 1
    for submission in run["submissions"]:
        root.append(_suite(run, submission, several))
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, 0)) for suite in root)))
    ET.indent(root, " ")
    text = ET.tostring(root, encoding="us-ascii").decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(run: Run, submission: dict[str, Any], several: bool) -> ET.Element:
    name = line(submission["name"])
    suite = ET.Element("testsuite", name=name, time=f"{submission['seconds']:.3f}")
    facts = {key: str(run[key]) for key in ("torch", "seed", "isolation")}
    if is_graded(run, submission):
        facts["points"] = number(submission["points"])
        facts["max_points"] = number(submission["max_points"])
    properties = ET.SubElement(suite, "properties")
    for key, value in facts.items():
        ET.SubElement(properties, "property", name=key, value=value)
    prefix = f"{name}." if several else ""
    if submission["problem"]:
        case = ET.SubElement(suite, "testcase", classname=f"{prefix}submission", name="is read")
        case.set("time", "0.000")
        _judge(case, {**submission["problem"], "kind": None, "mistake": None})
    else:
        for step in steps_of(run, submission):
            _add_cases(suite, step, prefix)
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for tag, count in COUNTS.items():
        suite.set(count, str(sum(case.find(tag) is not None for case in cases)))
    return suite


def _add_cases(suite: ET.Element, step: dict[str, Any], prefix: str) -> None:
    lost = {"name": "is checked", "verdict": step["verdict"], "message": "", "kind": None}
    checks = step["checks"] or [{**lost, "mistake": None, "where": None, "printed": ""}]
    for check in checks:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=prefix + step["path"].removesuffix(".py").replace("/", "."),
            name=check["name"],
            time=f"{step['seconds'] / len(checks):.3f}",
            file=line((check["where"] or {"file": step["path"]})["file"]),
        )
        if check["where"]:
            case.set("line", str(check["where"]["line"]))
        _judge(case, check)
        if check["printed"]:
            ET.SubElement(case, "system-out").text = plain(check["printed"])


def _judge(case: ET.Element, check: dict[str, Any]) -> None:
    verdict = check["verdict"]
    if verdict == "pass":
        return
    tag = "failure" if verdict == "fail" else "skipped" if verdict in SKIPPED else "error"
    text = explain_check(check)
    element = ET.SubElement(case, tag, message=in_brief(check), type=check["kind"] or verdict)
    # The checker's own fault is shown in full: someone who can fix it reads this report.
    element.text = text if verdict != "infra" else f"{NOT_GRADED}\n{plain(check['message'])}"
