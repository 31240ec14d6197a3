"""The output of a training: a bar on a terminal, else plain lines."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from typing import Any

EVERY = 10.0  # Seconds between two plain lines.
SAMPLE = 150  # Characters of a sample, at most: log.jsonl has all of it.


class Seen:
    """Output to stdout; `silent` for all processes of a training but the first."""

    def __init__(self, silent: bool = False):
        self.silent, self.bar = silent, None
        self.spoke = time.monotonic()
        self.tokens, self.since, self.speed = 0, time.monotonic(), ""
        self.told = False  # Whether BLEU's signature was shown.
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        if not silent and sys.stdout.isatty() and not plain:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

            columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self.bar = Progress("{task.description}", *columns, transient=True)
            self.bar.start()

    def begin(self, epoch: int, done: int, total: int) -> None:
        self.epoch, self.total, self.tokens, self.since = epoch, total, 0, time.monotonic()
        if self.bar is not None:
            for task in self.bar.task_ids:
                self.bar.remove_task(task)
            self.bar.add_task(f"epoch {epoch}", total=total, completed=done)

    def step(self, done: int, loss: float, rate: float, tokens: int) -> None:
        """Show that `done` of the epoch's steps are done."""
        self.tokens += tokens
        now = time.monotonic()
        self.speed = speed = f"{self.tokens / max(now - self.since, 1e-9):.0f} tokens/s"
        if self.bar is not None:
            described = f"epoch {self.epoch}  loss {loss:.3f}  {speed}"
            self.bar.update(self.bar.task_ids[0], completed=done, description=described)
        elif now - self.spoke >= EVERY:
            self.say(
                f"epoch {self.epoch}, step {done} of {self.total}: "
                f"loss {loss:.3f}, rate {rate:.2e}, {speed}"
            )

    def scoring(self, what: str) -> None:
        """Show why the bar stands still."""
        if self.bar is not None:
            for task in self.bar.task_ids:
                self.bar.update(task, description=f"scoring the {what} set")

    def end(self, row: dict[str, Any]) -> None:
        """Print an epoch's line, and the sample."""
        numbers = [f"epoch {row['epoch']}: loss {row['loss']:.3f}"]
        numbers.append(f"validation {row['validation']:.3f}")
        numbers += [f"{row['bits_per_byte']:.3f} bits per byte"] if "bits_per_byte" in row else []
        numbers += [f"BLEU {row['bleu']:.1f}"] if "bleu" in row else []
        numbers += [f"accuracy {row['accuracy']:.1f} %"] if "accuracy" in row else []
        numbers += [self.speed] if self.speed else []
        numbers += [f"{row['seconds']:.0f} s", *(["best"] if row["best"] else [])]
        self.say(", ".join(numbers))
        self.say("  " + textwrap.shorten(row["sample"], SAMPLE, placeholder=" …"))
        if "signature" in row and not self.told:
            self.told = True
            self.say(f"  (BLEU: {row['signature']})")

    def say(self, text: str) -> None:
        self.spoke = time.monotonic()
        if self.bar is not None:
            self.bar.console.print(text, markup=False, highlight=False)
        elif not self.silent:
            print(text, flush=True)

    def __enter__(self) -> Seen:
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()
