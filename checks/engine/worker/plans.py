"""Answer the questions of a plan: of one submission, or of several known versions of a step."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import arranged
import wire
from laboratory import Bench


def answer_plan(
    bench: Bench,
    limit: Callable[[float], None],
    load: dict[str, Any],
    checks: wire.Array,
    seconds: float,
    choices: dict[str, int],
) -> Iterator[dict[str, Any]]:
    """Load the step, and answer the questions of all checks, one after the other.

    After an exception that is no answer, the rest of the check is skipped. `limit` restarts the
    limit of computing time.
    """
    own = os.getpid()
    bench.arrangements = arranged.Arrangements(choices)
    loaded = bench.safely(bench.answer, {"do": "load", "with": load})
    yield loaded
    if "names" not in loaded.get("ok", {}):
        return
    for questions in wire.unpacked(checks):
        bench.forget()
        limit(seconds)
        for number, do, arguments, may_fail in questions:
            bench.number = number
            answer = bench.safely(bench.answer, {"do": do, "with": arguments})
            if os.getpid() != own:
                os._exit(0)  # The learner's code has forked.
            yield {"n": number, **answer}
            if "error" in answer and not may_fail:
                break


def replay(
    bench: Bench,
    module: str,
    variants: list[wire.Array],
    requests: list[dict[str, Any]],
    choices: dict[str, int],
) -> list[list[dict[str, Any]]]:
    """The answers of each of these sources of the step to the same requests.

    The first answer is that of the import. The sources are the checker's own: known versions.
    """
    assert bench.finder is not None
    bench.arrangements = arranged.Arrangements(choices)
    filename = bench.finder.files[module][0]
    found = []
    for source in variants:
        bench.forget()
        bench.undo_modes()
        sys.modules.pop(module, None)
        bench.finder.files[module] = (filename, source.data)
        bench.files[filename] = source.data
        found.append([bench.safely(bench.import_, module)])
        if "ok" in found[-1][0]:
            for request in requests:
                bench.number = request["number"]
                found[-1].append(bench.safely(bench.answer, request))
    return found
