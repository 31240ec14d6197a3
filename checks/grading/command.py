"""`run_step.py grade`: many submissions over all or some steps, and what came of them."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from checks.engine.commands.checking import not_installed
from checks.engine.commands.words import (
    INTERRUPTED,
    NOT_PASSED,
    OUR_FAULT,
    PASSED,
    Usage,
    find_steps,
    parser_of,
    positive,
    whole,
)
from checks.engine.hosting.outcomes import NoWorker
from checks.grading.formats import FORMATS, Run, github_outputs, github_summary
from checks.grading.handed_in import Submission, find
from checks.grading.live import Live, show_table
from checks.grading.points import read_points
from checks.grading.pool import Pool, usual_jobs
from checks.grading.results import Results, add_outputs, add_summary, torch_version, write_output

HELP = """\
Judge many submissions, behind all walls that this system gives.

A PATH is a submission (a folder or archive with the stage folders in it, or a notebook), a folder
of submissions, or a list of names (.txt, .csv, .tsv: a line for each student, name or name,path).

Every result is kept as soon as it is there. After an interruption: the same command, and --resume.
"""


def parser() -> argparse.ArgumentParser:
    made = parser_of("grade", "PATH [PATH ...] [options]", HELP)
    add = made.add_argument
    add("words", nargs="+", metavar="PATH", help="what was handed in")
    add("--steps", nargs="+", default=["all"], metavar="STEP", help="which steps (all but bonus)")
    add(
        "--format",
        choices=FORMATS,
        help="print or write this instead of a table (gradescope: of one submission)",
    )
    add("--output", metavar="FILE", help="write it there, not to the terminal")
    add("--points", metavar="FILE", help="what each step is worth: lines of step,points (1 each)")
    add("--results", default="grades", metavar="FOLDER", help="keeps every result (grades)")
    add("--resume", action="store_true", help="go on with the run whose results are there")
    add("--shard", type=shard, metavar="I/N", help="only the I-th of N parts of the submissions")
    add("--jobs", type=whole, metavar="N", help=f"judges at work at once ({usual_jobs()} here)")
    add("--seed", type=whole, metavar="N", help="the random numbers, the same for all submissions")
    add("--time-limit", type=positive, metavar="S", help="seconds of computing for each check (3)")
    add("--borrow", action="store_true", help="take the earlier steps from solutions/")
    add("--json", action="store_true", help="the same as --format json")
    return made


def shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a part such as 1/4, from 1/4 to 4/4")
    return int(part), int(parts)


def grade(words: list[str], options: Any) -> int:
    """Judge the submissions; the exit status says whether all of them pass."""
    start = time.perf_counter()
    if options.json:
        options.format = options.format or "json"
    one_only = options.format == "gradescope"
    found, left_out = _handed_in(words, options, one_only)
    run, results = _prepare(options)
    if one_only and options.output is not None:  # Now there is something to read in any case.
        _write(_begun(run, found[0]), options)
    try:
        with Live(len(found)) as live:
            for path in left_out:
                live.note(f"left out: {path} is neither a folder, an archive nor a notebook")
            rows = _rows(found, results, options, live)
    except NoWorker as error:
        return not_installed(str(error))
    except KeyboardInterrupt:
        print("\nStopped. What is judged is kept: --resume goes on from there.", file=sys.stderr)
        return INTERRUPTED
    isolation = weakest(row.pop("isolation", None) for row in rows.values())
    run["isolation"] = isolation or run["isolation"]
    run["submissions"] = [rows[submission.name] for submission in found]
    run["seconds"] = round(time.perf_counter() - start, 3)
    live.end(isolation, left_out)
    if options.format is None:
        show_table(run)
        live.note(
            f"What each check said is in {options.results}/. To ask one of them the same again: "
            f"python run_step.py STEP --submission FOLDER --seed {run['seed']}"
        )
    else:
        _write(run, options)
    return _status(run)


def _handed_in(
    words: list[str], options: Any, one_only: bool
) -> tuple[list[Submission], list[Path]]:
    """The submissions to judge, and the paths that are none. Raises Usage if the options do not
    fit.
    """
    if not words:
        taken = next((word for word in options.steps if Path(word).exists()), None)
        said = f" If {taken} is, write it before --steps." if taken else ""
        raise Usage(f"What was handed in? For example: python run_step.py grade submissions/{said}")
    if options.jobs == 0:
        raise Usage("--jobs 0: at least one judge is needed.")
    found, left_out = find(words, one_only, Path(options.results))
    if options.output is not None and options.format is None:
        raise Usage("--output needs to know what to write: --format csv, for example.")
    if options.output is not None and Path(options.output).is_dir():
        raise Usage(f"--output {options.output} is a folder: name a file.")
    if options.shard:
        part, parts = options.shard
        found = found[part - 1 :: parts]
    if one_only and len(found) != 1:
        raise Usage(f"--format {options.format} is for one submission; here are {len(found)}.")
    return found, left_out


def _prepare(options: Any) -> tuple[Run, Results]:
    steps = find_steps(options.steps)
    try:
        points = read_points(options.points and Path(options.points))
    except ValueError as error:
        raise Usage(str(error)) from None
    settings = {
        "seed": secrets.randbelow(1_000_000) if options.seed is None else options.seed,
        "given": options.seed is not None,
        "steps": [step.id for step in steps],
        "seconds": options.time_limit or 3.0,
        "borrow": options.borrow,
        "points": points,
    }
    resume = options.resume or options.shard is not None
    results = Results(Path(options.results), settings, resume)
    run: Run = {
        "version": 1,
        "torch": torch_version(),
        "seed": results.settings["seed"],
        "isolation": "process",
        "seconds": 0.0,
        "steps": [
            {"step": s.id, "name": s.name, "path": s.path, "points": points[s.id]} for s in steps
        ],
        "submissions": [],
    }
    return run, results


def _rows(
    found: list[Submission], results: Results, options: Any, live: Live
) -> dict[str, dict[str, Any]]:
    """The row of every submission, by name: kept from an earlier run, or made now and kept."""
    rows = {s.name: row for s in found if (row := results.get(s)) is not None}
    for row in rows.values():
        live.tell(row, kept=True)
    left = [submission for submission in found if submission.name not in rows]
    keys = {submission.name: results.key(submission) for submission in left}
    with Pool(results.settings, options.jobs or usual_jobs()) as pool:
        for submission, row in pool.mark(left):
            results.put(submission, keys[submission.name], row)
            rows[submission.name] = row
            live.tell(row)
    return rows


def weakest(levels: Iterable[str | None]) -> str | None:
    """The walls that all processes had; None if nothing was run."""
    walls = [level.split("+") for level in levels if level]
    common = [wall for wall in walls[0] if all(wall in others for others in walls)] if walls else []
    return "+".join(common) or ("process" if walls else None)


def _begun(run: Run, submission: Submission) -> Run:
    """The result that is shown if this run never ends."""
    problem = {"verdict": "infra", "message": "Grading has begun and has not come to its end."}
    row = {"name": submission.name, "source": submission.source, "seconds": 0.0, "steps": []}
    most = sum(step["points"] for step in run["steps"])
    return {
        **run,
        "submissions": [{**row, "problem": problem, "points": None, "max_points": most}],
    }


def _write(run: Run, options: Any) -> None:
    write_output(FORMATS[options.format](run), options.output)
    if options.format == "github":
        add_summary(github_summary(run))
        add_outputs(github_outputs(run))


def _status(run: Run) -> int:
    verdicts = set()
    for row in run["submissions"]:
        verdicts |= {row["problem"]["verdict"]} if row["problem"] else set()
        verdicts |= {step["verdict"] for step in row["steps"]}
    if "infra" in verdicts:
        return OUR_FAULT
    return PASSED if verdicts <= {"pass"} else NOT_PASSED
