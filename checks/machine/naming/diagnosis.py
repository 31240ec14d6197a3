"""Which known mistake is it? The learner's questions, asked of every known wrong version.

A mistake is named only if it is proven: on all draws of the first check that fails, the version
with that mistake gives the learner's own answers, no version with another sentence does, what the
learner passes, it passes too, and it explains most of what else fails, or all together with a
second mistake; if it was a crash, it explains all by itself. Otherwise nothing is named.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from checks.contents import Step
from checks.machine.asking.learner import Files
from checks.machine.asking.module import Known
from checks.machine.asking.submission import Submission
from checks.machine.asking.transcript import Event, alike
from checks.machine.course.source import solution
from checks.machine.hosting.host import SIDE_BY_SIDE, Host
from checks.machine.hosting.process import Worker
from checks.machine.known import Mistake, dressed, mistakes, mixing, together
from checks.machine.verdicts import CheckResult, Named, Stopped
from checks.machine.worker import wire

Transcripts = dict[str, list[list[Event]]]  # Of every check: one transcript for each draw.
Evidence = Callable[[str], list[list[Event]]]  # The transcript of a check, asked for if need be.
Passes = Callable[[Mistake, list[str]], bool]  # Whether a version passes these checks.
DRAWS = 3  # On so many, at least, the answers must agree.
SECONDS = 20.0  # Of computing, for all replays of one step in one worker.
AT_ONCE = 12  # Versions in one frame.
KEPT = 64  # Replays that are remembered: many submissions are asked the same, and answer alike.
_ANSWERS: dict[bytes, list[list[Any]]] = {}


def diagnose(
    host: Host,
    step: Step,
    files: Files,
    results: list[CheckResult],
    evidence: Evidence,
    passes: Passes,
) -> bool:
    """Name the mistake of the first check that fails, if it can be proven. False: it cannot.

    `files` are the learner's: what the known versions build on is the learner's own earlier work.
    """
    failing = next(result for result in results if result.verdict != "pass")
    draws = evidence(failing.name)
    if failing.verdict not in ("fail", "error") or len(draws) < DRAWS:
        return False
    passed = [result.name for result in results if result.verdict == "pass"]
    others = [r for r in results if r.verdict != "pass" and r is not failing]
    failed = [r.name for r in others]
    # Many mistakes crash alike: after a crash, it is the checks with a wrong answer that tell.
    wrong = [evidence(r.name) for r in others if "fail" in (r.verdict, failing.verdict)]
    try:
        with _Bench(host, step, files) as bench:
            for dress in (None, *mixing(step)):
                known = mistakes(step) if dress is None else dressed(step, dress)
                found = _matching(bench, known, _telling_first(bench, draws))
                found = _narrowed(bench, found, map(evidence, [*failed, *passed]))
                several = _sentences(found) > 1
                if several:
                    found = {name: m for name, m in found.items() if passes(m, passed)}
                if _sentences(found) > 1:
                    continue
                for name in _explaining(bench, found, known, wrong, failing.verdict == "error"):
                    if several or passes(found[name], passed):
                        failing.prove(Named(name, found[name].says))
                        return True
    except Stopped:
        pass  # What the learner wrote earlier, and the known versions build on, gives way here.
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        pass  # The transcript holds forged answers.
    return False


def _narrowed(
    bench: _Bench, found: dict[str, Mistake], others: Iterator[list[list[Event]]]
) -> dict[str, Mistake]:
    """Those that agree in other checks as well, while several sentences are left. A second
    mistake may show in a check: it may choose between them, but not reject all.
    """
    while _sentences(found) > 1:
        draws = next(others, None)
        if draws is None:
            break
        found = _matching(bench, found, draws) or found
    return found


def _explaining(
    bench: _Bench,
    found: dict[str, Mistake],
    known: dict[str, Mistake],
    wrong: list[list[list[Event]]],
    crashed: bool,
) -> Iterator[str]:
    """Those found that agree in most of the other checks that fail (in some, what is open may have
    been decided otherwise); then those that do in all of them together with a second mistake. If
    all that one has shown is the same crash, it has to agree in all, alone.
    """
    for name, mistake in found.items():
        agree = [bool(_matching(bench, {name: mistake}, draws, True)) for draws in wrong]
        if all(agree) or (not crashed and 2 * sum(agree) > len(agree)):
            yield name
    for name, mistake in [] if crashed else found.items():
        both = together(bench.step, mistake, known)
        for draws in wrong:
            both = _matching(bench, both, draws, True)
        if both:
            yield name


def _sentences(found: dict[str, Mistake]) -> int:
    return len({mistake.says for mistake in found.values()})


def _telling_first(bench: _Bench, draws: list[list[Event]]) -> list[list[Event]]:
    """First the draws that the learner's version does not pass: they leave few known versions."""

    def right(events: list[Event]) -> bool:
        (truth,) = bench.replay([None], events)
        return _agree(events, truth, truth, False)

    return sorted(draws, key=right)


def _matching(
    bench: _Bench, candidates: dict[str, Mistake], draws: list[list[Event]], finite: bool = False
) -> dict[str, Mistake]:
    """Those that answer on every draw as the learner's version did."""
    for events in draws:
        if not candidates:
            break
        right, *answers = bench.replay([None, *candidates.values()], events)
        candidates = {
            name: mistake
            for (name, mistake), theirs in zip(candidates.items(), answers)
            if _agree(events, theirs, right, finite)
        }
    return candidates


def _agree(events: list[Event], theirs: list[Any], right: list[Any], finite: bool) -> bool:
    return len(theirs) >= len(events) and all(
        alike(event, answer, truth, finite) for event, answer, truth in zip(events, theirs, right)
    )


class _Bench:
    """A few workers that play known versions of a step in turn."""

    def __init__(self, host: Host, step: Step, files: Files):
        self.step, self.host = step, host
        others = {m: v for m, v in files.contents.items() if m != step.module}
        self.others = hashlib.sha256(repr(sorted(others.items())).encode()).digest()
        file, path, _ = files.contents[step.module]
        right = {**others, step.module: (file, path, _source(step, None))}
        self.files = Files(files.root, right, step.path)
        self.lanes = ThreadPoolExecutor(SIDE_BY_SIDE)
        self.free: list[Submission] = []  # Loaded, and not at work.
        self.workers: list[Worker] = []

    def __enter__(self) -> _Bench:
        return self

    def __exit__(self, *error: object) -> None:
        self.lanes.shutdown(cancel_futures=True)
        for worker in self.workers:
            self.host.done(worker)

    def replay(self, versions: list[Mistake | None], events: list[Event]) -> list[list[Any]]:
        """The answers of each version to the questions of these events; None: the solution."""
        requests = [event.request() for event in events]
        sources = [_source(self.step, version) for version in versions]
        whole = hashlib.sha256(wire.encode([self.step.module, requests]) + self.others)
        for source in sources:
            whole.update(hashlib.sha256(source).digest())
        key = whole.digest()
        if key not in _ANSWERS:
            if len(_ANSWERS) >= KEPT:
                _ANSWERS.pop(next(iter(_ANSWERS)))
            starts = range(0, len(sources), AT_ONCE)
            parts = [sources[start : start + AT_ONCE] for start in starts]
            played = self.lanes.map(lambda part: self._play(part, requests), parts)
            _ANSWERS[key] = [answers for part in played for answers in part]
        return _ANSWERS[key]

    def _play(self, sources: list[bytes], requests: list[Any]) -> list[list[Any]]:
        try:
            submission = self.free.pop()
        except IndexError:
            submission = self._loaded()
        answers = submission.ask(
            "replay",
            "in known versions",
            module=self.step.module,
            variants=[wire.Array("bytes", (len(source),), source) for source in sources],
            requests=requests,
        )
        self.free.append(submission)
        return [answer[1:] for answer in answers]

    def _loaded(self) -> Submission:
        worker = self.host.worker(SECONDS)
        self.workers.append(worker)
        submission = Submission(worker, self.files, Known())
        submission.load(self.step.module, 0)
        return submission


def _source(step: Step, version: Mistake | None) -> bytes:
    return (solution(step) if version is None else version.source(step)).encode()
