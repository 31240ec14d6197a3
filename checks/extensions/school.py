"""The worker's side of a graduation: learner code learns, and answers questions about it.

The worker imports this file before learner code, and finds the class for answers in ANSWERS. The
judge sends training batches, and questions without their answers. As in laboratory.py, parts of
torch are bound to private names before learner code runs.
"""

from __future__ import annotations

import importlib
import math
from typing import Any

import torch
import wire
from readout import array_of, tensor_of
from torch import nn
from torch.nn import functional as F

BETAS, EPS = (0.9, 0.98), 1e-9  # For Adam: the paper, section 5.3.
TEXT_LIMIT = 1_000
FILLED = 0  # The id that fills up rows: a byte that no text has.
Batch = list[wire.Array]  # Two arrays: the input and the right output.
_Adam, _cross_entropy, _seed = torch.optim.Adam, F.cross_entropy, torch.manual_seed
_no_grad, _enable_grad = torch.no_grad, torch.enable_grad
_eval, _train, _parameters = nn.Module.eval, nn.Module.train, nn.Module.parameters
_backward, _clip = torch.Tensor.backward, nn.utils.clip_grad_norm_
_argmax, _item, _tensor = torch.argmax, torch.Tensor.item, torch.tensor


class Vocabulary:
    """The vocabulary of a language for step 5.5. `joint` is the text between two tokens."""

    pad_idx, bos_idx, eos_idx = 0, 1, 2

    def __init__(self, tokens: list[str], joint: str, begins: bool):
        """tokens: all of them, the three special ones first. begins: whether texts have a bos."""
        self.tokens, self.joint, self.begins = tokens, joint, begins
        self.ids = {token: number for number, token in enumerate(tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        parts = text.split(self.joint) if self.joint else text
        begin = [self.bos_idx] if self.begins else []
        return [*begin, *(self.ids[part] for part in parts), self.eos_idx]

    def decode(self, ids: list[int]) -> str:
        return self.joint.join(self.tokens[number] for number in ids)


class School:
    """One model of the learner's, and the optimizer that trains it."""

    model: Any  # A learner's model, of any class.
    optimizer: torch.optim.Optimizer

    def answer(self, lesson: str, **arguments: Any) -> Any:
        with _enable_grad():  # The learner's code may have switched it off.
            return getattr(self, f"do_{lesson}")(**arguments)

    def do_enrol(self, module: str, name: str, sizes: dict[str, Any], seed: int) -> None:
        """Make the model and set the checker's first values."""
        _seed(seed)
        self.dim_vector = sizes["dim_vector"]
        self.model = getattr(importlib.import_module(module), name)(**sizes)
        begin(self.model)
        self.optimizer = _Adam(_parameters(self.model), lr=0.0, betas=BETAS, eps=EPS)

    def do_translator(
        self, module: str, source: list[Any], target: list[Any], max_len: int
    ) -> None:
        """Set what translates: the learner's function, two vocabularies, a longest length."""
        self.translate = importlib.import_module(module).translate
        self.vocabularies = Vocabulary(*source), Vocabulary(*target)
        self.max_len = max_len

    def do_train_translator(
        self,
        module: str,
        first: int,
        batches: list[Batch],
        shares: list[float],
        warmup_steps: int,
    ) -> list[float]:
        """Take one step with the learner's code for each batch (src, trg).

        shares: the factors of their learning rate. first: the number of the first step, from 1.
        Returns the losses.
        """
        training: Any = importlib.import_module(module)
        losses = []
        for step, (batch, share) in enumerate(zip(batches, shares), first):
            rate = training.noam_learning_rate(step, self.dim_vector, warmup_steps)
            self._set_rate(share * rate)
            src, trg = map(tensor_of, batch)
            losses.append(float(training.train_step(self.model, self.optimizer, src, trg)))
        return losses

    def do_translate(self, texts: list[str]) -> list[str]:
        source, target = self.vocabularies
        found = [self.translate(self.model, text, source, target, self.max_len) for text in texts]
        return [str(text)[:TEXT_LIMIT] for text in found]

    def do_teach(self, src: wire.Array, trg: wire.Array) -> wire.Array | None:
        """The best next token at every place, given the right tokens before it."""
        _eval(self.model)
        with _no_grad():
            scores = self.model(tensor_of(src), tensor_of(trg))
            return array_of(_argmax(scores, -1))

    def do_train_classifier(self, batches: list[Batch], rates: list[float]) -> list[float]:
        """Take one step with the checker's code for each batch (tokens, classes). Returns the
        losses.
        """
        losses = []
        for batch, rate in zip(batches, rates):
            self._set_rate(rate)
            tokens, classes = map(tensor_of, batch)
            _train(self.model)
            loss = _cross_entropy(self.model(tokens), classes)
            self.optimizer.zero_grad()
            _backward(loss)
            _clip(_parameters(self.model), 1.0)
            self.optimizer.step()
            losses.append(_item(loss))
        return losses

    def do_classify(self, tokens: wire.Array) -> wire.Array | None:
        _eval(self.model)
        with _no_grad():
            return array_of(_argmax(self.model(tensor_of(tokens)), -1))

    def do_speaker(self, tokens: str, module: str, text: str, num_merge: int) -> None:
        """Learn byte pairs from the text, and set what writes: both are the learner's functions."""
        self.tokens, self.write = importlib.import_module(tokens), importlib.import_module(module)
        self.merges = self.tokens.learn(text, num_merge)
        self.encoded: dict[str, list[int]] = {}

    def do_train_speaker(self, batches: list[list[str]], rates: list[float]) -> list[float]:
        """Take one step with the checker's code for each batch of texts. Returns the losses."""
        losses = []
        for texts, rate in zip(batches, rates):
            self._set_rate(rate)
            ids = _filled_up([self._encode(text) for text in texts])
            _train(self.model)
            scores, _ = self.model(ids[:, :-1])
            loss = _cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=FILLED)
            self.optimizer.zero_grad()
            _backward(loss)
            _clip(_parameters(self.model), 1.0)
            self.optimizer.step()
            losses.append(_item(loss))
        return losses

    def do_write(self, texts: list[str], num_new: int, end: int) -> list[str]:
        """What the learner's function writes after each text."""
        _eval(self.model)
        begun = [self._encode(text) for text in texts]
        write = self.write.write
        return [
            self._decode(list(write(self.model, ids, num_new, end, temperature=0))) for ids in begun
        ]

    def do_reread(self, texts: list[str], num_new: int, end: int) -> list[str]:
        """What the model writes if it reads the whole text again for each token, without caches."""
        _eval(self.model)
        return [self._decode(self._reread(self._encode(text), num_new, end)) for text in texts]

    def _reread(self, ids: list[int], num_new: int, end: int) -> list[int]:
        written: list[int] = []
        while len(written) < num_new and end not in written:
            written += self._best([*ids, *written])[-1:]
        return written

    def do_told(self, texts: list[str], wholes: list[str]) -> list[str]:
        """The best next tokens after each text, given the whole text that begins with it."""
        _eval(self.model)
        places = [len(self._encode(text)) - 1 for text in texts]
        best = [self._best(self._encode(whole)[:-1]) for whole in wholes]
        return [self._decode(ids[place:]) for ids, place in zip(best, places)]

    def do_spell(self, texts: list[str]) -> list[str]:
        """Each text encoded and decoded again."""
        return [self._decode(self._encode(text)) for text in texts]

    def _best(self, ids: list[int]) -> list[int]:
        """The best next token at every place."""
        with _no_grad():
            scores, _ = self.model(_tensor([ids]))
            best: list[int] = _argmax(scores[0], -1).tolist()
            return best

    def _encode(self, text: str) -> list[int]:
        """The learner's ids of a text, kept for the next time."""
        if text not in self.encoded:
            self.encoded[text] = list(self.tokens.encode(text, self.merges))
        return self.encoded[text]

    def _decode(self, ids: list[int]) -> str:
        return str(self.tokens.decode(ids, self.merges))[:TEXT_LIMIT]

    def do_keep(self) -> list[list[Any]]:
        """The weights and buffers of the model, by name."""
        return [[name, array_of(tensor)] for name, tensor in self.model.state_dict().items()]

    def _set_rate(self, rate: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = rate


def _filled_up(rows: list[list[int]]) -> torch.Tensor:
    """Rows of ids as one tensor, (len(rows), longest)."""
    longest = max(map(len, rows))
    return _tensor([[*row, *[FILLED] * (longest - len(row))] for row in rows])


def begin(model: nn.Module) -> None:
    """Set first values that do not depend on the learner's, which the contracts leave open.

    Matrices and tables of embeddings are uniform, as in Glorot and Bengio (2010). A vector of only
    ones (a gain) or only zeros (a shift) stays; any other is a bias and becomes zeros. A row of
    only zeros stays, too: it stands for padding.
    """
    with _no_grad():
        for parameter in _parameters(model):
            axes = [size for size in parameter.shape if size > 1]
            if len(axes) < 2:
                if not bool((parameter == 1).all()):
                    parameter.zero_()
                continue
            padding = (parameter == 0).all(dim=-1, keepdim=True)
            bound = math.sqrt(6 / (axes[-1] + axes[-2]))
            parameter.uniform_(-bound, bound)
            if not bool(padding.all()):
                parameter.masked_fill_(padding, 0.0)


ANSWERS = {"school": School}
