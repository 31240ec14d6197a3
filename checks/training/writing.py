"""The task to go on writing: a text in windows, in tokens of the learner's own step 6.7."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from checks.engine.commands.words import Usage
from checks.training.batches import in_order
from checks.training.kinds import Settings
from checks.training.model import TODAY, Tables, learner
from checks.training.parts import Part

Pair = tuple[int, int]
SIZES = ("dim_vector", "n_head", "n_kv_head", "dim_hidden", "num_layer", "max_len")
BYTES = 256  # Ids before the first merge.
LEARN_FROM = 1_000_000  # Characters of each text, at most, that the merges are learned from.
NO_PADDING = -100  # No target has this id: all windows are equally long.
BEGUN, MOST = 10, 60  # Tokens that a sample is given, and tokens that it goes on with.
DRAWN = {"temperature": 0.7, "top_p": 0.9}  # As `speak` draws.


class BytePairs:
    """The merges of a text. The learner's own functions encode and decode with them.

    The last id is `end`: it stands after each text.
    """

    def __init__(self, merges: list[Pair]):
        self.merges, self.end = merges, BYTES + len(merges)
        self.special = {"<end>": self.end}  # Ids without a text, by name.

    @classmethod
    def learned(cls, texts: list[str], size: int, say: Callable[[str], None]) -> BytePairs:
        """At most `size` ids, with those of the bytes and the end."""
        text, num_merge = "".join(text[:LEARN_FROM] for text in texts), size - BYTES - 1
        say(f"Step 6.7 learns {num_merge} merges from {len(text):,} characters …")
        return cls(learner("byte_pairs.learn", TODAY)(text, num_merge))

    @classmethod
    def read(cls, path: Path, settings: Settings) -> BytePairs:
        merges = json.loads(path.read_text("utf-8"))["merges"]
        return cls([(int(left), int(right)) for left, right in merges])

    def __len__(self) -> int:
        return self.end + 1

    def as_text(self) -> str:
        return json.dumps({"merges": self.merges})

    def encode(self, text: str) -> list[int]:
        found: list[int] = learner("byte_pairs.encode", TODAY)(text, self.merges)
        return found

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids. The end has none."""
        own = [id for id in ids if id != self.end]
        return str(learner("byte_pairs.decode", TODAY)(own, self.merges))

    def lengths(self) -> list[int]:
        """How many bytes each id stands for."""
        found = [1] * BYTES
        for left, right in self.merges:
            found.append(found[left] + found[right])
        return [*found, 0]


class Writing:
    """Windows of max_len tokens, each with the token after it. The rest of the text is left out."""

    vocabulary_class = BytePairs

    def __init__(self, texts: list[str], vocabulary: BytePairs, max_len: int):
        self.vocabulary, self.max_len, self.left_out = vocabulary, max_len, 0
        ids = [id for text in texts for id in [*vocabulary.encode(text), vocabulary.end]]
        if len(ids) <= max_len:
            told = f"A text has {len(ids)} tokens, and --max-len {max_len} is one window"
            raise Usage(f"{told}: take a longer text, or shorter windows.")
        count = (len(ids) - 1) // max_len
        self.rows = torch.tensor(ids[: count * max_len + 1]).unfold(0, max_len + 1, max_len)
        self.lengths = [(max_len, max_len)] * count
        self.sequence_loss = learner("training.sequence_loss")
        read = torch.tensor(vocabulary.lengths())[self.rows[:, 1:]].sum()
        self.tokens_per_byte = count * max_len / int(read)

    @classmethod
    def of(cls, part: Part, vocabularies: list[BytePairs], settings: Settings) -> Writing:
        return cls(part[0], vocabularies[0], settings["max_len"])

    @staticmethod
    def learned(part: Part, settings: Settings, say: Callable[[str], None]) -> list[BytePairs]:
        return [BytePairs.learned(part[0], settings["vocab_size"], say)]

    @staticmethod
    def model(settings: Settings, vocab_sizes: list[int]) -> tuple[nn.Module, Tables]:
        """The language model, with the first values that step 6.5 gives it."""
        sizes = {name: settings[name] for name in SIZES}
        return learner("language_model.LanguageModel", TODAY)(vocab_sizes[0], **sizes), Tables()

    @classmethod
    def scored(
        cls,
        model: nn.Module,
        part: Part,
        vocabularies: list[BytePairs],
        settings: Settings,
    ) -> str:
        """The bits per byte of a text."""
        task, device = cls.of(part, vocabularies, settings), next(model.parameters()).device
        batches = in_order(task.lengths, 4000)
        with torch.no_grad():
            losses = (task.loss(model, batch, 0.0, device).item() * len(batch) for batch in batches)
            loss = sum(losses) / len(task.rows)
        return f"{task.bits_per_byte(loss):.3f} bits per byte"

    def weight(self, numbers: list[int]) -> int:
        """The number of predictions in these windows."""
        return len(numbers) * self.max_len

    def tokens(self, numbers: list[int]) -> int:
        return self.weight(numbers)

    def loss(self, model: nn.Module, numbers: list[int], smoothing: float, device: Any) -> Tensor:
        """The mean over all predictions of these windows, by the learner's own sequence_loss."""
        rows = self.rows[numbers].to(device)
        logits, _ = model(rows[:, :-1])
        loss: Tensor = self.sequence_loss(logits.float(), rows[:, 1:], NO_PADDING, smoothing)
        return loss

    def predict(self, model: nn.Module, numbers: list[int], device: Any) -> dict[int, str]:
        """What the learner's `write` makes of the beginnings of these windows, with them."""
        found = {}
        for n in numbers:
            begun = self.rows[n, : min(BEGUN, self.max_len - 1)].tolist()
            generator = torch.Generator(device).manual_seed(n)
            room, end = min(MOST, self.max_len - len(begun)), self.vocabulary.end
            new = learner("speak.write", TODAY)(model, begun, room, end, generator, **DRAWN)
            found[n] = f"{self.vocabulary.decode(begun)}->{self.vocabulary.decode(list(new))}"
        return found

    def merit(self, scores: dict[str, Any]) -> float:
        return -float(scores["validation"])

    def scores(self, predicted: dict[int, str], loss: float) -> dict[str, Any]:
        return {"bits_per_byte": self.bits_per_byte(loss), "sample": predicted[min(predicted)]}

    def bits_per_byte(self, loss: float) -> float:
        """A loss per token, in bits for each byte: models with other tokens compare in it."""
        return loss * self.tokens_per_byte / math.log(2)
