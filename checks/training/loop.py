"""The training itself: steps, epochs, checkpoints, and when to stop."""

from __future__ import annotations

import math
import random
import time
from contextlib import nullcontext
from typing import Any

import torch
from torch import nn

from checks.engine.commands.words import Usage
from checks.training.batches import in_order, make_batches
from checks.training.folder import Folder, average, epoch_file, fill
from checks.training.model import Tables, learner, quicken_dropout
from checks.training.progress import Seen
from checks.training.tasks import Task, summed_loss
from checks.training.world import World

STANDING = (  # The state of a training, beside the model and the optimizer.
    *("epoch", "done", "step", "loss_sum", "weight_sum", "seconds", "cpu_seconds"),
    *("history", "best"),
)


class Training:
    """One training, from its beginning or from its checkpoint.

    The seed and the epoch decide the order of the batches. The seed, the step and the process
    decide which entries dropout drops. So the checkpoint holds no state of a generator, and a
    resumed training continues exactly as if it had not been killed.
    """

    def __init__(
        self,
        model: nn.Module,
        tables: Tables,
        tasks: tuple[Task, Task],
        settings: dict[str, Any],
        folder: Folder,
        world: World,
    ):
        self.task, self.validation = tasks
        self.settings, self.folder, self.world = settings, folder, world
        self.model = model.to(world.device)
        if world.device.type == "cpu":
            quicken_dropout(model)
        self.optimizer = make_optimizer(self.model, tables, settings["dim_vector"])
        self.rate_of = learner("training.noam_learning_rate")
        self.epoch, self.done, self.step = 1, 0, 0  # `done` steps of this epoch, `step` of all.
        self.loss_sum, self.weight_sum = 0.0, 0
        self.seconds, self.cpu_seconds = 0.0, 0.0
        self.history: list[dict[str, Any]] = []
        self.best: dict[str, Any] = {"merit": -math.inf, "epoch": 0}

    def run(self, seen: Seen) -> dict[str, Any]:
        """Train to the end; the best epoch's row of the history."""
        wrapped = self.world.wrapped(self.model)
        self.started = time.monotonic() - self.seconds
        self.cpu_started = time.process_time() - self.cpu_seconds
        while self.epoch <= self.settings["epochs"] and not self.is_stuck():
            self.one_epoch(wrapped, seen)
            self.end_epoch(seen)
        return self.history[self.best["epoch"] - 1]

    def is_stuck(self) -> bool:
        """Whether the score on the validation set did not improve for `patience` epochs."""
        return self.epoch - 1 - self.best["epoch"] >= self.settings["patience"]

    def first_averaged(self) -> int:
        """The first epoch whose weights are in the average at the end of this one."""
        return int(max(1, self.epoch - self.settings["average"] + 1))

    def one_epoch(self, wrapped: Any, seen: Seen) -> None:
        settings = self.settings
        batches = make_batches(
            self.task.lengths, settings["batch_tokens"], settings["seed"], self.epoch
        )
        size = settings["accumulate"]
        groups = [batches[n : n + size] for n in range(0, len(batches), size)]
        seen.begin(self.epoch, self.done, len(groups))
        for group in groups[self.done :]:
            loss, weight = self.one_step(wrapped, group)
            self.done += 1
            self.loss_sum += loss * weight
            self.weight_sum += weight
            tokens = sum(self.task.tokens(batch) for batch in group)
            seen.step(self.done, loss, self.optimizer.param_groups[0]["lr"], tokens)
            if not math.isfinite(loss):
                told = f"The loss is {loss} at step {self.step}: a smaller --factor, or --warmup"
                raise Usage(f"{told} above {settings['warmup']}, makes smaller steps.")
            if self.step % settings["save_every"] == 0:
                self.save()

    def one_step(self, wrapped: Any, group: list[list[int]]) -> tuple[float, int]:
        """Take one step of the optimizer on a few batches; its mean loss, and the number of
        predictions.

        Every process reads its part of each batch's rows. DistributedDataParallel averages the
        gradients, so each is weighted with size / all predictions of the group.
        """
        rank, size = self.world.rank, self.world.size
        self.step += 1
        self.set_rate()
        torch.manual_seed(seed_of(self.settings["seed"], self.step, rank))
        self.model.train()
        self.optimizer.zero_grad()
        whole = sum(self.task.weight(batch) for batch in group)
        smoothing, device = self.settings["label_smoothing"], self.world.device
        loss_sum = 0.0
        for number, batch in enumerate(group):
            own = batch[rank::size]
            weight = self.task.weight(own)
            alone = size == 1 or number == len(group) - 1
            with nullcontext() if alone else wrapped.no_sync():
                with self.autocast():
                    loss = self.task.loss(wrapped, own or batch[:1], smoothing, device)
                (loss * (weight * size / whole)).backward()
            loss_sum += float(loss.detach()) * weight
        nn.utils.clip_grad_norm_(self.model.parameters(), self.settings["max_norm"])
        self.optimizer.step()
        return self.world.sum(loss_sum) / whole, whole

    def set_rate(self) -> None:
        settings = self.settings
        rate = self.rate_of(self.step, settings["dim_vector"], settings["warmup"])
        for group in self.optimizer.param_groups:
            group["lr"] = rate * settings["factor"] * group["times"]

    def autocast(self) -> Any:
        device = self.world.device.type
        return torch.autocast(device, torch.bfloat16, enabled=self.settings["bf16"])

    def end_epoch(self, seen: Seen) -> None:
        """Score the average of the last epochs, keep it if it is the best, and save."""
        first = self.first_averaged()
        if self.world.rank == 0:
            self.folder.save(epoch_file(self.epoch), self.model.state_dict())
        self.world.wait()
        mean = average(self.folder, list(range(first, self.epoch + 1)))
        now = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.model.load_state_dict(mean)
        seen.scoring("validation")
        scores = self.scores()
        merit = self.task.merit(scores)
        is_best = merit > self.best["merit"]
        if is_best:
            self.best = {"merit": merit, "epoch": self.epoch}
            if self.world.rank == 0:
                self.folder.save("best.pt", self.model.state_dict())
        self.model.load_state_dict(now)
        row = {"epoch": self.epoch, "steps": self.step, "loss": self.loss_sum / self.weight_sum}
        self.count_time()
        times = {"seconds": round(self.seconds, 1), "cpu_seconds": round(self.cpu_seconds, 1)}
        self.history.append({**row, **scores, "best": is_best, **times})
        self.epoch, self.done, self.loss_sum, self.weight_sum = self.epoch + 1, 0, 0.0, 0
        self.save()
        if self.world.rank == 0:
            self.folder.log(self.history)
            self.folder.drop_epochs(before=first)
        seen.end(self.history[-1])

    @torch.no_grad()
    def try_to_predict(self) -> None:
        """Predict one row, as after an epoch. Raises any error of the learner's code."""
        self.model.eval()
        self.task.predict(self.model, [0], self.world.device)

    @torch.no_grad()
    def scores(self) -> dict[str, Any]:
        """Scores on the validation set: the loss without smoothing, and what the task adds."""
        self.model.eval()
        task, device = self.validation, self.world.device
        rank, size = self.world.rank, self.world.size
        batches = in_order(task.lengths, 4000)[rank::size]
        with self.autocast():
            loss_sum = summed_loss(task, self.model, batches, device)
            predicted = task.predict(self.model, self.sampled()[rank::size], device)
        whole = task.weight(list(range(len(task.rows))))
        loss = self.world.sum(loss_sum) / whole
        return {"validation": loss, **task.scores(self.world.gather(predicted), loss)}

    def sampled(self) -> list[int]:
        """The rows of the validation set that are decoded, evenly spread."""
        rows, wanted = len(self.validation.rows), self.settings["score_sentences"]
        return list(range(0, rows, max(1, rows // wanted)))[:wanted]

    def count_time(self) -> None:
        self.seconds = time.monotonic() - self.started
        self.cpu_seconds = time.process_time() - self.cpu_started

    def save(self) -> None:
        """Save the exact state of the training."""
        if self.world.rank != 0:
            return
        self.count_time()
        state = {name: getattr(self, name) for name in STANDING}
        state["model"] = self.model.state_dict()
        state["optimizer"] = self.optimizer.state_dict()
        self.folder.save("checkpoint.pt", state)

    def resume(self) -> None:
        """Continue from the checkpoint, or from the beginning if there is no checkpoint yet."""
        if not (self.folder.path / "checkpoint.pt").exists() and not self.folder.has_epochs:
            return
        state, path = self.folder.load("checkpoint.pt"), self.folder.path / "checkpoint.pt"
        if state.keys() != {*STANDING, "model", "optimizer"}:
            raise Usage(f"{path} is not a checkpoint of `train`.")
        fill(self.model, state.pop("model"), path)
        self.optimizer.load_state_dict(state.pop("optimizer"))
        for name, value in state.items():
            setattr(self, name, value)
        for epoch in range(self.first_averaged(), self.epoch):
            if not (self.folder.path / epoch_file(epoch)).exists():
                told = f"{self.folder.path} lacks {epoch_file(epoch)}"
                raise Usage(f"{told}, which the average after the next epoch needs.")
        if self.world.rank == 0:
            self.folder.log(self.history)


def seed_of(*numbers: int) -> int:
    """A different seed for every seed, step and process; 32 bits, for the CPU's generator."""
    return random.Random(" ".join(map(str, numbers))).getrandbits(32)


def make_optimizer(model: nn.Module, tables: Tables, dim_vector: int) -> torch.optim.Optimizer:
    """Adam as in the paper, section 5.3.

    Tables of embeddings hold sqrt(dim_vector) times the paper's rows (see model.tie). Adam moves
    every number by about the rate, so their rate is as many times as high.
    """
    of_tables = {id(parameter): parameter for parameter in tables.parameters()}
    others = [parameter for parameter in model.parameters() if id(parameter) not in of_tables]
    groups = [
        {"params": others, "times": 1.0},
        {"params": list(of_tables.values()), "times": math.sqrt(dim_vector)},
    ]
    return torch.optim.Adam(
        [group for group in groups if group["params"]], betas=(0.9, 0.98), eps=1e-9, fused=True
    )
