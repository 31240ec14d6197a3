"""Stand-ins for large arguments of a learner's function, with answers that can be computed.

The judge knows the same answers by its own formulas: checks/scenes/stand_ins.py. The worker imports
this file before learner code, and finds the kinds in STAND_INS.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

_arange, _tensor = torch.arange, torch.tensor


class ToyDropout(nn.Module):
    """For dropout: every entry squared, in eval mode its cube."""

    def forward(self, x: Tensor) -> Tensor:
        return x * x if self.training else x * x * x


class Reader(nn.Module):
    """The encoder of an ToyModel: returns each token, plus 1 in train mode, and its position.

    Like an encoder it has weights: one number, which is added to both and gets no gradient.
    """

    def __init__(self, shift: float, max_len: int | None):
        super().__init__()
        self.max_len = max_len
        self.weight = nn.Parameter(torch.full((1,), float(shift)))
        self.embedding = embedding_of(self.weight)

    def forward(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        if src.is_floating_point():
            raise TypeError(f"token ids are whole numbers, but these are {src.dtype}")
        if self.max_len is not None and src.size(1) > self.max_len:
            raise ValueError(f"{src.size(1)} tokens, but this encoder has max_len {self.max_len}")
        if src.dtype not in (torch.int64, torch.int32):
            raise TypeError(f"an embedding takes int64 (or int32) ids, but these are {src.dtype}")
        places = _arange(src.size(1), device=src.device).expand(src.shape)
        return torch.stack([src.float() + self.training, places.float()], dim=-1) + self.weight


class Teller(nn.Module):
    """The decoder of an ToyModel: it finds its scores by the source and all written tokens.

    After padding only, the scores are NaN, like attention without visible keys. Every visible token
    takes the state of the source from k to 7k + …. Every written token takes the state of the
    target from k to 5k + …. Both are computed for all tokens at once.
    """

    def __init__(self, scores: Tensor, bonus: Tensor, pad_idx: int):
        super().__init__()
        self.scores, self.bonus, self.pad_idx = nn.Parameter(scores), nn.Parameter(bonus), pad_idx
        # A decoder's last layer also shows where it is, and how many words there are.
        self.linear = SimpleNamespace(weight=self.bonus, out_features=len(bonus[0]))
        self.embedding = embedding_of(self.bonus)

    def forward(
        self,
        trg: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        if not len(trg):
            raise ValueError(f"trg holds no sentence: its shape is {tuple(trg.shape)}")
        _, sources, states, _ = self.scores.shape
        token, at = encoder_output.detach().round().long().unbind(-1)
        shown = self.shown(src_mask, encoder_output)
        later = shown.sum(1, keepdim=True) - shown.cumsum(1)  # Visible tokens after each.
        sevens = powers(7, 1, sources, shown.size(1), trg.device)
        source = ((token * 3 + at + 1) * shown * sevens[later]).sum(1) % sources
        fives, back = (powers(5, way, states, trg.size(1), trg.device) for way in (1, -1))
        state = (trg * back + back).cumsum(1) * fives % states
        mode = 0 if self.training else 1
        scores = self.scores[mode][source[:, None], state] + self.bonus[mode]
        nothing = (trg == self.pad_idx).long().cumprod(1) == 1
        scores = scores.masked_fill(nothing[..., None], float("nan"))
        # As in every Transformer, the encoder is part of the graph; its gradient here is 0.
        return scores + 0 * encoder_output.sum() if encoder_output.requires_grad else scores

    @staticmethod
    def shown(src_mask: Tensor | None, encoder_output: Tensor) -> Tensor:
        """(1 or batch_size, src_len): the keys that the last token may attend to; without a mask,
        all.
        """
        if src_mask is None:
            return torch.ones_like(encoder_output[..., 0], dtype=torch.int64)
        of_last = src_mask if src_mask.dim() == 1 else src_mask[..., -1, :]
        return (torch.atleast_2d(of_last).flatten(1) != 0).long()


def embedding_of(weight: Tensor) -> SimpleNamespace:
    """The attributes of an encoder's or decoder's embedding: the places of its tables."""
    return SimpleNamespace(
        token_embedding=SimpleNamespace(embedding=SimpleNamespace(weight=weight)),
        positional_embedding=SimpleNamespace(pe=weight),
    )


def powers(base: int, way: int, modulus: int, count: int, device: torch.device) -> Tensor:
    """base^0, base^way, base^(2 way) … modulo a prime; they repeat after modulus - 1."""
    cycle = _tensor(_cycle(base, way, modulus), device=device)
    return cycle[_arange(count, device=device) % (modulus - 1)]


@lru_cache
def _cycle(base: int, way: int, modulus: int) -> list[int]:
    return [pow(base, way * n, modulus) for n in range(modulus - 1)]


class ToyModel(nn.Module):
    """For a Transformer: its scores come from a table; train mode and eval mode have different
    ones.

    scores: (2, sources, states, vocab_size); bonus: (2, vocab_size), added to all scores. `left`: a
    number that all gradients hold at first, as if from an earlier step. `shift`: the encoder's
    weight. `src_max_len`: the longest source that it reads, None for any. `frozen`: the bonus does
    not learn, and never has a gradient.
    """

    def __init__(
        self,
        scores: Tensor,
        bonus: Tensor,
        src_pad_idx: int,
        trg_pad_idx: int,
        left: float | None,
        shift: float,
        src_max_len: int | None,
        frozen: bool,
    ):
        super().__init__()
        self.src_pad_idx, self.trg_pad_idx = src_pad_idx, trg_pad_idx
        self.decoder, self.encoder = Teller(scores, bonus, trg_pad_idx), Reader(shift, src_max_len)
        self.encoder.shared = self.decoder.bonus  # As if both sides share a table of words.
        self.decoder.bonus.requires_grad_(not frozen)
        if left is not None:
            for parameter in self.parameters():
                parameter.grad = torch.full_like(parameter, left)

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor]:
        if src.is_floating_point():  # In PyTorch's own words, as an embedding says it.
            raise RuntimeError("Expected tensor for argument #1 'indices' to have scalar type Long")
        return self.encoder(src), (src != self.src_pad_idx)[:, None, None, :]

    def decode(self, trg: Tensor, encoder_output: Tensor, src_mask: Tensor) -> Tensor:
        return self.decoder(trg, encoder_output, None, src_mask)

    def forward(self, src: Tensor, trg: Tensor) -> Tensor:
        return self.decode(trg, *self.encode(src))


class Descent(Optimizer):
    """For an optimizer: gradient descent with momentum, in two groups of parameters.

    It does not call PyTorch's `__init__`, which takes two seconds.
    """

    def __init__(self, model: nn.Module, lr: float, momentum: float):
        weights = list(model.parameters())
        self.defaults = {"lr": lr, "momentum": momentum}
        self.state = {}  # type: ignore[assignment]  # PyTorch's own makes what is asked for.
        groups = [group for group in (weights[::2], weights[1::2]) if group]
        self.param_groups = [{"params": group, **self.defaults} for group in groups]

    def zero_grad(self, set_to_none: bool = True) -> None:
        for parameter in (p for group in self.param_groups for p in group["params"]):
            if set_to_none:
                parameter.grad = None
            elif parameter.grad is not None:
                parameter.grad = torch.zeros_like(parameter.grad)

    def step(self, closure: Any = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        kept = self.state.setdefault(parameter, {"velocity": 0})
                        kept["velocity"] = group["momentum"] * kept["velocity"] + parameter.grad
                        parameter.sub_(group["lr"] * kept["velocity"])
        return loss


class Words:
    """For a vocabulary: words with a blank between them in; `to <`, words and dots, `>.` out.

    `around`: the ids that encode puts before and after those of the words.
    """

    def __init__(
        self,
        words: list[str],
        pad_idx: int,
        bos_idx: int,
        eos_idx: int,
        around: tuple[list[int], list[int]],
    ):
        self.pad_idx, self.bos_idx, self.eos_idx = pad_idx, bos_idx, eos_idx
        self._words, self._around = words, around

    def __len__(self) -> int:
        return len(self._words)

    def encode(self, text: str) -> list[int]:
        before, after = self._around
        return [*before, *(self._words.index(word) for word in text.split(" ")), *after]

    def decode(self, ids: Any) -> str:
        if not isinstance(ids, list) or any(type(token) is not int for token in ids):
            kind = type(ids[0]).__name__ if isinstance(ids, list) else type(ids).__name__
            raise TypeError(f"decode takes a list of ints; this holds or is a {kind}")
        return "to <" + "·".join(self._words[token] for token in ids) + ">."


class Speaker(nn.Module):
    """For a LanguageModel: its scores come from a table, by the state of all tokens so far.

    A token takes the state k to 5k + token + 1, modulo the number of states. The caches hold the
    states. `rounded`: the scores come as bfloat16. `read`: how many tokens each call has read.
    `limit`: how many tokens a text may have, if there is an end.
    """

    def __init__(self, scores: Tensor, rounded: bool, limit: int | None):
        super().__init__()
        self.embedding = nn.Embedding(len(scores[0]), 1)
        self.scores, self.rounded = nn.Parameter(scores), rounded
        self.read: list[int] = []
        self.limit, self.length = limit, 0
        self.recorded = False

    def forward(
        self, tokens: Tensor, caches: list[tuple[Tensor, Tensor]] | None = None
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        if tokens.dim() != 2:
            shape = tuple(tokens.shape)
            raise ValueError(f"the model takes (batch_size, length), but tokens has shape {shape}")
        self.read.append(tokens.size(1))
        self.recorded = self.recorded or torch.is_grad_enabled()
        before = caches[0][0][:, 0, :, 0].long() if caches else tokens[:, :0]
        if caches and before.size(1) != self.length:
            held = f"the caches hold {before.size(1)} of {self.length} tokens"
            raise ValueError(f"{held} that were read")
        self.length = before.size(1) + tokens.size(1)
        if self.limit is not None and self.length > self.limit:
            raise ValueError(f"{self.length} tokens do not fit into max_len = {self.limit}")
        states = [before[:, -1] if before.size(1) else tokens.new_zeros(len(tokens))]
        for token in tokens.unbind(1):
            states.append((5 * states[-1] + token + 1) % len(self.scores))
        new = torch.stack(states[1:], 1)
        kept = torch.cat([before, new], 1)[:, None, :, None].float()
        scores = self.scores[new]
        return scores.bfloat16() if self.rounded else scores, [(kept, kept), (kept, kept)]


def generator(seed: int) -> torch.Generator:
    """For itself: a generator of random numbers that begins with this seed."""
    return torch.Generator().manual_seed(seed)


MADE: tuple[Callable[..., Any], ...] = (ToyDropout, ToyModel, Descent, Words, Speaker, generator)
STAND_INS = {make.__name__.lower(): make for make in MADE} | {"weights": dict}
