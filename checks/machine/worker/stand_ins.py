"""What a learner's function is given in the place of something large: its answers can be foretold.

The judge knows the same by its own formulas: asking/stand_ins.py.
"""

from types import SimpleNamespace

import torch
from torch import nn
from torch.optim import Optimizer

_arange, _tensor = torch.arange, torch.tensor


class Square(nn.Module):
    """For dropout: every number squared."""

    def forward(self, x):
        return x * x


class Reader(nn.Module):
    """The encoder of an Oracle: hands on each token, plus 1 in train mode, and its place.

    An encoder has weights, and so has this: one, added to both, which no gradient moves.
    """

    def __init__(self, shift, max_len):
        super().__init__()
        self.max_len = max_len
        self.weight = nn.Parameter(torch.full((1,), float(shift)))

    def forward(self, src, src_mask=None):
        if src.is_floating_point():
            raise TypeError(f"token ids are whole numbers, but these are {src.dtype}")
        if self.max_len is not None and src.size(1) > self.max_len:
            raise ValueError(f"{src.size(1)} tokens, but this encoder has max_len {self.max_len}")
        if src.dtype not in (torch.int64, torch.int32):
            raise TypeError(f"an embedding takes int64 (or int32) ids, but these are {src.dtype}")
        places = _arange(src.size(1), device=src.device).expand(src.shape)
        return torch.stack([src.float() + self.training, places.float()], dim=-1) + self.weight


class Teller(nn.Module):
    """The decoder of an Oracle: looks its scores up, by the source and all that is written.

    Every token shown takes the known from k to 7k + …, every token written from k to 5k + …: summed
    up here for all tokens at once.
    """

    def __init__(self, scores, bonus):
        super().__init__()
        self.scores, self.bonus = nn.Parameter(scores), nn.Parameter(bonus)
        # What a decoder's last layer is asked, too: where it is, and how many words there are.
        self.linear = SimpleNamespace(weight=self.bonus, out_features=len(bonus[0]))

    def forward(self, trg, encoder_output, trg_mask=None, src_mask=None):
        if not len(trg):
            raise ValueError(f"trg holds no sentence: its shape is {tuple(trg.shape)}")
        _, sources, states, _ = self.scores.shape
        token, at = encoder_output.detach().round().long().unbind(-1)
        shown = self.shown(src_mask, encoder_output)
        later = shown.sum(1, keepdim=True) - shown.cumsum(1)  # Tokens shown after each.
        sevens = powers(7, 1, sources, shown.size(1), trg.device)
        source = ((token * 3 + at + 1) * shown * sevens[later]).sum(1) % sources
        fives, back = (powers(5, way, states, trg.size(1), trg.device) for way in (1, -1))
        state = (trg * back + back).cumsum(1) * fives % states
        mode = 0 if self.training else 1
        scores = self.scores[mode][source[:, None], state] + self.bonus[mode]
        # As in every Transformer the encoder is part of the graph; its gradient here is 0.
        return scores + 0 * encoder_output.sum() if encoder_output.requires_grad else scores

    @staticmethod
    def shown(src_mask, encoder_output):
        """(1 or batch_size, src_len): what the last token may look at; without a mask, all."""
        if src_mask is None:
            return torch.ones_like(encoder_output[..., 0], dtype=torch.int64)
        of_last = src_mask if src_mask.dim() == 1 else src_mask[..., -1, :]
        return (torch.atleast_2d(of_last).flatten(1) != 0).long()


def powers(base, way, modulus, count, device):
    """base^0, base^way, base^(2 way) … modulo a prime."""
    return _tensor([pow(base, way * n, modulus) for n in range(count)], device=device)


class Oracle(nn.Module):
    """For a Transformer: its scores are a table's, other ones in train mode than in eval mode.

    scores: (2, sources, states, vocab_size); bonus: (2, vocab_size), added to all scores.
    `left`: a number that all gradients hold when it comes, as if from an earlier step; `shift`:
    the encoder's weight; `src_max_len`: the longest source that it reads, None for any.
    """

    def __init__(self, scores, bonus, src_pad_idx, trg_pad_idx, left, shift, src_max_len):
        super().__init__()
        self.src_pad_idx, self.trg_pad_idx = src_pad_idx, trg_pad_idx
        self.decoder, self.encoder = Teller(scores, bonus), Reader(shift, src_max_len)
        self.encoder.shared = self.decoder.bonus  # As where both sides share a table of words.
        if left is not None:
            for parameter in self.parameters():
                parameter.grad = torch.full_like(parameter, left)

    def encode(self, src):
        return self.encoder(src), (src != self.src_pad_idx)[:, None, None, :]

    def decode(self, trg, encoder_output, src_mask):
        return self.decoder(trg, encoder_output, None, src_mask)

    def forward(self, src, trg):
        return self.decode(trg, *self.encode(src))


class Descent(Optimizer):
    """For an optimizer: gradient descent with momentum, in two groups of parameters.

    The `__init__` of PyTorch's is not called: it takes two seconds.
    """

    def __init__(self, model, lr, momentum):
        weights = list(model.parameters())
        self.defaults, self.state = {"lr": lr, "momentum": momentum}, {}
        groups = [group for group in (weights[::2], weights[1::2]) if group]
        self.param_groups = [{"params": group, **self.defaults} for group in groups]

    def zero_grad(self, set_to_none=True):
        for parameter in (p for group in self.param_groups for p in group["params"]):
            if set_to_none:
                parameter.grad = None
            elif parameter.grad is not None:
                parameter.grad = torch.zeros_like(parameter.grad)

    def step(self, closure=None):
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

    def __init__(self, words, pad_idx, bos_idx, eos_idx, around):
        self.pad_idx, self.bos_idx, self.eos_idx = pad_idx, bos_idx, eos_idx
        self._words, self._around = words, around

    def __len__(self):
        return len(self._words)

    def encode(self, text):
        before, after = self._around
        return [*before, *(self._words.index(word) for word in text.split(" ")), *after]

    def decode(self, ids):
        if not isinstance(ids, list) or any(type(token) is not int for token in ids):
            kind = type(ids[0]).__name__ if isinstance(ids, list) else type(ids).__name__
            raise TypeError(f"decode takes a list of ints; this holds or is a {kind}")
        return "to <" + "·".join(self._words[token] for token in ids) + ">."


KINDS = {kind.__name__.lower(): kind for kind in (Square, Oracle, Descent, Words)}
