"""The output of a graduation: live on a terminal, in plain lines elsewhere."""

from __future__ import annotations

from typing import Any

from checks.engine.commands.screen import Screen, clean, columns
from checks.graduation.task import Sample, Task

SHOWN = 3  # Samples on a terminal; plain lines have one.
BARS = "▁▂▃▄▅▆▇█"
CURVE = 20  # Columns of the curve of losses.


class Silent:
    """No output: for --json."""

    def begin(self, task: Task) -> None:
        pass

    def trained(self, step: int, losses: list[float]) -> None:
        pass

    def looked(self, step: int, samples: list[Sample]) -> None:
        pass

    def end(self, samples: list[Sample]) -> None:
        pass


class Plain(Silent):
    """Some lines for each look."""

    def __init__(self, screen: Screen):
        self.screen = screen
        self.losses: list[float] = []

    def begin(self, task: Task) -> None:
        self.task = task
        self.screen.say(f"{task.does}, in {task.steps} steps.")

    def trained(self, step: int, losses: list[float]) -> None:
        self.losses = losses

    def looked(self, step: int, samples: list[Sample]) -> None:
        loss = f"loss {self.losses[-1]:.3f}" if self.losses else "first values"
        self.screen.say(f"  step {step:>3}  {loss:<12}  {_score(samples)}")
        asked = f"    {samples[0].question} -> "
        self.screen.say(_fitted(asked + _answer(samples[0], columns() - len(asked))))

    def end(self, samples: list[Sample]) -> None:
        if samples:
            self.screen.say(f"  {_score(samples)}: {_share(samples)}")


class Live(Plain):
    """A few lines that change in place, by rich."""

    def begin(self, task: Task) -> None:
        from rich.live import Live as Display

        super().begin(task)
        self.step, self.samples = 0, list[Sample]()
        self.display: Any = Display(
            self._picture(), console=self.screen.console, auto_refresh=False
        )
        self.display.start()

    def trained(self, step: int, losses: list[float]) -> None:
        super().trained(step, losses)
        self.step = step
        self.display.update(self._picture(), refresh=True)

    def looked(self, step: int, samples: list[Sample]) -> None:
        self.step, self.samples = step, samples
        self.display.update(self._picture(), refresh=True)

    def end(self, samples: list[Sample]) -> None:
        if hasattr(self, "display"):
            self.display.stop()
        super().end(samples)

    def _picture(self) -> Any:
        from rich.text import Text

        steps, done = self.task.steps, 30 * self.step // self.task.steps
        loss = f"  loss {self.losses[-1]:.3f}  {curve(self.losses)}" if self.losses else ""
        lines = [f"  step {self.step:>3} [{'=' * done}{' ' * (30 - done)}]{loss}"]
        if self.samples:
            lines.append(f"  {_score(self.samples)}")
        for sample in self.samples[:SHOWN]:
            mark = "right" if sample.right else "not yet"
            answer = _answer(sample, columns() - len(f"      ->   ({mark})"))
            lines += [f"    {sample.question}", f"      -> {answer}  ({mark})"]
        lines += [""] * (2 + 2 * SHOWN - len(lines)) if steps else []
        return Text("\n".join(map(_fitted, lines)), no_wrap=True, overflow="ellipsis")


def view_on(screen: Screen) -> Plain:
    """The view that suits the screen."""
    return Plain(screen) if screen.console is None else Live(screen)


def curve(losses: list[float]) -> str:
    """The losses as a row of bars; the highest one is full."""
    size = -(-len(losses) // CURVE)
    means = [
        sum(part) / len(part)
        for part in (losses[n : n + size] for n in range(0, len(losses), size))
    ]
    top = max(means)
    return "".join(BARS[min(7, int(8 * mean / top))] if top > 0 else BARS[0] for mean in means)


def _score(samples: list[Sample]) -> str:
    right = sum(sample.right for sample in samples)
    return f"on numbers never seen: {right} of {len(samples)} right"


def _share(samples: list[Sample]) -> str:
    return f"{100 * sum(sample.right for sample in samples) / len(samples):.1f} %"


def _answer(sample: Sample, width: int) -> str:
    """The answer; of a long one the last words, which a model learns last."""
    answer = clean(sample.answer or "(nothing)")
    if len(answer) <= width:
        return answer
    end = answer[2 - width :]
    return f"… {end.partition(' ')[2] or end}"


def _fitted(line: str) -> str:
    line = clean(line)
    return line if len(line) <= columns() else line[: columns() - 2] + " …"
