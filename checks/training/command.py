"""`run_step.py train`: the learner's own model learns from real text."""

from __future__ import annotations

import os
import sys
import traceback
from functools import partial
from pathlib import Path
from typing import Any

from checks.contents import STEPS
from checks.engine.commands.words import INTERRUPTED, PASSED, USAGE, Usage
from checks.training import ready
from checks.training.folder import Folder
from checks.training.kinds import KINDS
from checks.training.parts import Part, digest, read_parts
from checks.training.settings import agreed, code_root, given, set_environment, task_of
from checks.training.vocabulary import library


def train(words: list[str], options: Any) -> int:
    """Train, or continue a training, and print the best model's score; the exit status."""
    set_environment()
    rank = int(os.environ.get("RANK", 0))
    if not words and not options.resume:
        raise Usage("What does it learn from? For example: run_step.py train SOURCE TARGET")
    folder = Folder(options.model or usual_folder(options))
    try:
        _train(options, folder)
    except KeyboardInterrupt:
        if rank == 0 and folder.begun:
            print(f"\nStopped. {folder.path} is kept; --resume goes on.", file=sys.stderr)
            return INTERRUPTED
        raise
    except Usage:
        if rank > 0:  # The first process prints it.
            return USAGE
        raise
    except NotImplementedError as error:
        raise Usage(f"{error} is not written yet. With --solution, the solution learns.") from None
    except BrokenPipeError:  # For example `run_step.py train … | head -1`.
        raise
    except OSError as error:
        told = f"{error.filename or folder.path}: {error.strerror or error}"
        raise Usage(f"{told}. What was kept before holds; --resume goes on from there.") from None
    except Exception as error:
        where = in_the_model(error)
        if where is None:
            raise
        told = f"The model's code stops with {type(error).__name__}: {error}"
        raise Usage(f"{told}\n  it was at {where}") from None
    return PASSED


def in_the_model(error: Exception) -> str | None:
    """Where code of a step stopped, the learner's or the solution's; None for other errors."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    steps = {step.path for step in STEPS}
    own = [f for f in frames if "/".join(Path(f.filename).parts[-2:]) in steps]
    return f"{own[-1].filename}:{own[-1].lineno}\n    {own[-1].line}" if own else None


def usual_folder(options: Any) -> str:
    return f"models/{task_of(options)}"


def _train(options: Any, folder: Folder) -> None:
    """Report everything that is known without torch, then train in all processes."""
    processes, is_first = int(os.environ.get("WORLD_SIZE", 1)), os.environ.get("RANK", "0") == "0"
    resuming = options.resume and folder.begun
    if resuming:
        settings = agreed(folder.settings(), options, processes, folder.path)
    else:
        settings = given(options, processes)
        if is_first:
            folder.refuse_to_overwrite(options.resume, options.words[1:])
    for name in KINDS[settings["task"]].packages:
        library(name)
    root = code_root(settings)
    parts = read_parts(settings, partial(print, flush=True) if is_first else lambda text: None)
    if resuming and settings["digest"] != digest(parts):
        raise Usage(f"The texts are not those that the training in {folder.path} began with.")
    if not resuming:
        settings["digest"] = digest(parts)
        settings["labels"] = sorted(set(parts[0][1])) if options.labels else []
    warning = ready.warn_or_refuse(settings, options) if is_first else ""

    from checks.training.model import learner_code
    from checks.training.progress import Seen
    from checks.training.tasks import build
    from checks.training.world import World, bf16_pays

    with World(options.threads) as world, Seen(silent=world.rank > 0) as seen:
        if warning:
            seen.say(warning)
        if not resuming and settings["bf16"] is None:
            settings["bf16"] = bf16_pays(world.device)
        learner_code(root)
        if not resuming:
            build(settings, [64] * (1 + settings["separate"]))  # Before anything is written.
        _run(settings, parts, folder, world, seen, resuming)


def _run(
    settings: dict[str, Any],
    parts: list[Part],
    folder: Folder,
    world: Any,
    seen: Any,
    resuming: bool,
) -> None:
    from checks.training.loop import Training
    from checks.training.tasks import TASKS, build
    from checks.training.use import loaded

    task = TASKS[settings["task"]]
    begins = world.rank == 0 and not resuming
    if not begins:
        world.wait()  # For the first process, which writes the vocabularies.
    made = task.learned(parts[0], settings, seen.say) if begins else []
    vocabularies = made or folder.vocabularies(settings)
    tasks = [task.of(part, vocabularies, settings) for part in parts]
    if begins:
        folder.begin(settings, vocabularies)
        world.wait()
    model, tables = build(settings, [len(vocabulary) for vocabulary in vocabularies])
    training = Training(model, tables, (tasks[0], tasks[1]), settings, folder, world)
    seen.say(described(model, tables, tasks[:2], settings, world))
    if resuming:
        training.resume()
        seen.say(going_on(training, settings))
        if world.rank == 0:
            folder.begin(settings, [])
    training.try_to_predict()  # An unwritten function is reported now, not after an epoch.
    best = training.run(seen)
    seen.say(f"The best is epoch {best['epoch']}; it is in {folder.path}/best.pt.")
    seen.say(f"Try it:  python run_step.py {KINDS[settings['task']].try_it} --model {folder.path}")
    if len(parts) == 3 and world.rank == 0:
        seen.scoring("test")
        _, vocabularies, model = loaded(folder)
        seen.say(f"Test: {task.scored(model, parts[2], vocabularies, settings)}")
    world.wait()


def going_on(training: Any, settings: dict[str, Any]) -> str:
    """Where a resumed training stands. Raises Usage if it should end before that."""
    done, epochs = training.epoch - 1, settings["epochs"]
    if done > epochs:
        raise Usage(f"--epochs {epochs}: {done} are done already. Nothing was changed.")
    if training.is_stuck():
        told = f"{settings['patience']} epochs were no better: it has ended after epoch {done}"
        return f"{told}; a larger --patience goes on."
    if done == epochs:
        return f"All {epochs} epochs are done; a larger --epochs goes on."
    return f"Going on with epoch {training.epoch}, after {training.step} steps."


def described(model: Any, tables: Any, tasks: Any, settings: dict[str, Any], world: Any) -> str:
    """A description of the model and its data."""
    count = sum(parameter.numel() for parameter in model.parameters())
    rows, left = [len(task.rows) for task in tasks], sum(task.left_out for task in tasks)
    said = f"{count:,} parameters; {rows[0]} rows to learn from, {rows[1]} to stop by"
    said += f", {left} left out as longer than {settings['max_len']} tokens" if left else ""
    said += f"; on {world.size} x {world.device.type}{', in bf16' if settings['bf16'] else ''}."
    may_tie = settings["tie"] and "tie" not in KINDS[settings["task"]].without
    if may_tie and tables.target is None:
        said += "\nThe model's tables look alike: nothing is tied."
    return said
