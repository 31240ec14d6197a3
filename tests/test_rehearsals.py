"""Rehearsed answers: workers are shared and nothing of a learner's is believed."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, ClassVar

import pytest
from conftest import EVERYTHING, Make, unbiased
from oddities import NORM, RIGHT, forward

from checks.contents import SOLUTIONS, STEPS
from checks.engine.asking.learner import Files
from checks.engine.files.source import Source, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging import stroke
from checks.engine.judging.chains import Chains
from checks.engine.judging.judge import Judge

PATCH = """
_var = torch.Tensor.var
torch.Tensor.var = lambda *args, **more: _var(*args, **{**more, "unbiased": False})
"""


@pytest.mark.ci
def test_a_fresh_process_for_each_check_gives_the_same_verdicts(submission: Make) -> None:
    """As where forking is not safe: each is used once, so no patch meets the next submission."""
    step, wrong = [step for step in STEPS if step.id == "2.3"], unbiased(RIGHT)
    root = submission({NORM: wrong + PATCH})
    with Host(fork=False) as host:
        for text, seconds, verdict in [
            (wrong + PATCH, 3.0, "pass"),
            (wrong, 3.0, "fail"),
            (forward("while True: pass"), 0.5, "timeout"),
        ]:
            (root / NORM).write_text(text, "utf-8")
            result = Judge(host, Source(root), 7, seconds, EVERYTHING).run(step)[0]
            assert result.verdict == verdict, result.first_failure


def test_what_one_step_patches_never_meets_the_next(host: Host, submission: Make) -> None:
    """Rehearsed, as in grading: 1.1 makes a torch in which a wrong 2.3 would be right."""
    embedding = "s1_embedding/token_embedding.py"
    patched = (SOLUTIONS / embedding).read_text("utf-8") + "\nimport torch\n" + PATCH
    root = submission({NORM: unbiased(RIGHT), embedding: patched})
    rehearsal_of = cache(Judge(host, solutions(), 7).rehearse)
    judge = Judge(host, Source(root), 7, rehearsal_of=rehearsal_of)
    results = judge.run([step for step in STEPS if step.id in ("1.1", "2.3")])
    assert [result.verdict for result in results] == ["pass", "fail"]


def test_a_worker_goes_on_only_to_what_builds_on_all_that_has_run_in_it() -> None:
    class Workers:
        dropped: ClassVar[list[str]] = []

        def drop(self, worker: str) -> None:
            self.dropped.append(worker)

    by_id = {step.id: step for step in STEPS}
    chains: Any = Chains(Workers())  # type: ignore[arg-type]

    def take(id: str, changed: str | None = None) -> tuple[Any, set[str]]:
        source, step = solutions(), by_id[id]
        if changed is not None:
            source = source.with_text(step, changed)
        found: tuple[Any, set[str]] = chains.take(step, Files("", source.modules, step.path))
        return found

    chains.put("one", {"1.1"})
    assert take("1.2") == (None, set()) and take("2.1")[0] is None
    assert take("1.3") == ("one", {"1.1"})
    chains.put("one", {"1.1", "1.3"})
    chains.put("other", {"2.1", "2.2", "3.1"})
    assert take("4.1")[0] is None  # 3.1 is nothing that it builds on.
    hidden = "x = 1\nif x:\n    from s3_encoder.encoder_layer import EncoderLayer\n"
    for text in ("x = 1", hidden, '"""\nimport s3_encoder.encoder_layer\n"""', "not Python"):
        assert take("3.2", text)[0] is None  # Not by our solution: by the learner's own lines.
    for text in ("import s3_encoder.encoder_layer", "from .encoder_layer import EncoderLayer"):
        assert take("3.2", text)[0] == "other"
        chains.put("other", {"2.1", "2.2", "3.1"})
    assert take("3.2")[0] == "other"
    chains.end()
    assert chains.links == [] and Workers.dropped == ["one"]


@pytest.mark.room
def test_a_whole_submission_that_is_rehearsed_takes_few_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stroke, "BRIEFLY", 30.0)  # On a busy machine, too.
    steps = STEPS if os.environ.get("ALL") else STEPS[:12]
    with Host() as host:
        recorder = Judge(host, solutions(), 7)
        judge = Judge(host, solutions(), 7, rehearsal_of=cache(recorder.rehearse))
        for step in steps:
            assert judge.rehearsal_of(step) is not None
        forked = []
        worker = host.worker
        host.worker = lambda seconds: forked.append(1) or worker(seconds)  # type: ignore
        results = judge.run(list(steps))
        recorder.close()
    assert [result.verdict for result in results] == ["pass"] * len(steps)
    assert len(forked) <= len(steps) / 2


DETACHED = """
import math
def calculate_attention(q, k, v, mask=None, dropout=None):
    scores = q.detach() @ k.detach().transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = scores.softmax(-1)
    if dropout is not None:
        attention = dropout(attention)
    nothing = 0 * q.sum()
    return attention @ v.detach() + nothing, attention + nothing
"""
FORGED_GRADIENTS = """
import sys
frame = sys._getframe()
while frame:
    bench = frame.f_locals.get("self")
    if type(bench).__name__ == "Bench":
        type(bench)._gradients = lambda self, *rest: {"inputs": [], "parameters": {}}
    frame = frame.f_back
"""
ANOTHERS_STEP = """
import importlib, sys, types
original = importlib.import_module
def instead(name, package=None):
    if name != "s2_attention.multi_head_attention":
        return original(name, package)
    sys.modules[name] = module = types.ModuleType(name)
    module.__file__ = "x"
    exec(RIGHT, module.__dict__)
    return module
importlib.import_module = instead
"""


@pytest.mark.parametrize("wrong", ["2.1", "2.2"])
def test_a_rehearsal_believes_nothing(host: Host, submission: Make, wrong: str) -> None:
    """Not that gradients are right which are missing; and a file that says nothing is no step,
    whatever has run before it.
    """
    attention, heads = "s2_attention/calculate_attention.py", "s2_attention/multi_head_attention.py"
    files = {attention: DETACHED + FORGED_GRADIENTS}
    if wrong == "2.2":
        text = f"RIGHT = {(SOLUTIONS / heads).read_text('utf-8')!r}\n{ANOTHERS_STEP}"
        files = {attention: (SOLUTIONS / attention).read_text("utf-8") + text, heads: "x = 1\n"}
    recorder = Judge(host, solutions(), 7)
    rehearsal_of = cache(recorder.rehearse)
    judge = Judge(host, Source(submission(files)), 7, rehearsal_of=rehearsal_of)
    results = judge.run([step for step in STEPS if step.id in ("2.1", "2.2")])
    recorder.close()
    assert {result.id: result.verdict for result in results}[wrong] != "pass"
