"""What a worker does in a graduation: learner code learns, and is asked what it has learned.

The judge sends training batches, and questions without their answers. As in laboratory.py, what
is needed of torch is bound to private names before learner code runs.
"""

import importlib
import math

import torch
from readout import array_of, tensor_of
from torch import nn
from torch.nn import functional as F

BETAS, EPS = (0.9, 0.98), 1e-9  # Of Adam: the paper, section 5.3.
TEXT_LIMIT = 1_000
_Adam, _cross_entropy, _seed = torch.optim.Adam, F.cross_entropy, torch.manual_seed
_no_grad, _enable_grad = torch.no_grad, torch.enable_grad
_eval, _train, _parameters = nn.Module.eval, nn.Module.train, nn.Module.parameters
_backward, _clip = torch.Tensor.backward, nn.utils.clip_grad_norm_
_argmax, _item = torch.argmax, torch.Tensor.item


class Vocabulary:
    """What step 5.5 is given for each language. `joint` is what stands between two tokens."""

    pad_idx, bos_idx, eos_idx = 0, 1, 2

    def __init__(self, tokens, joint, begins):
        """tokens: all of them, the three special ones first; begins: whether texts have a bos."""
        self.tokens, self.joint, self.begins = tokens, joint, begins
        self.ids = {token: number for number, token in enumerate(tokens)}

    def __len__(self):
        return len(self.tokens)

    def encode(self, text):
        parts = text.split(self.joint) if self.joint else text
        begin = [self.bos_idx] if self.begins else []
        return [*begin, *(self.ids[part] for part in parts), self.eos_idx]

    def decode(self, ids):
        return self.joint.join(self.tokens[number] for number in ids)


class School:
    """One model of the learner's, and the optimizer that trains it."""

    def __init__(self):
        self.model = self.optimizer = None

    def answer(self, lesson, **arguments):
        with _enable_grad():  # Whatever the learner's code has switched off.
            return getattr(self, f"do_{lesson}")(**arguments)

    def do_enrol(self, module, name, sizes, seed):
        """Make the model, with first values of ours."""
        _seed(seed)
        self.dim_vector = sizes["dim_vector"]
        self.model = getattr(importlib.import_module(module), name)(**sizes)
        begin(self.model)
        self.optimizer = _Adam(_parameters(self.model), lr=0.0, betas=BETAS, eps=EPS)

    def do_translator(self, module, source, target, max_len):
        """What it translates with: the learner's function, two vocabularies, a longest length."""
        self.translate = importlib.import_module(module).translate
        self.vocabularies = Vocabulary(*source), Vocabulary(*target)
        self.max_len = max_len

    def do_train_translator(self, module, first, batches, shares, warmup_steps):
        """One step of the learner's for each batch (src, trg), at a share of their learning rate.

        first: the number of the first step, from 1. Returns the losses.
        """
        training, losses = importlib.import_module(module), []
        for step, (batch, share) in enumerate(zip(batches, shares), first):
            rate = training.noam_learning_rate(step, self.dim_vector, warmup_steps)
            self._set_rate(share * rate)
            src, trg = map(tensor_of, batch)
            losses.append(float(training.train_step(self.model, self.optimizer, src, trg)))
        return losses

    def do_translate(self, texts):
        source, target = self.vocabularies
        found = [self.translate(self.model, text, source, target, self.max_len) for text in texts]
        return [str(text)[:TEXT_LIMIT] for text in found]

    def do_teach(self, src, trg):
        """The best next token at every place, the right ones before it being given."""
        _eval(self.model)
        with _no_grad():
            scores = self.model(tensor_of(src), tensor_of(trg))
            return array_of(_argmax(scores, -1))

    def do_train_classifier(self, batches, rates):
        """One step of ours for each batch (tokens, classes). Returns the losses."""
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

    def do_classify(self, tokens):
        _eval(self.model)
        with _no_grad():
            return array_of(_argmax(self.model(tensor_of(tokens)), -1))

    def _set_rate(self, rate):
        for group in self.optimizer.param_groups:
            group["lr"] = rate


def begin(model):
    """First values that do not depend on the learner's, which the contracts leave open.

    A matrix, and a table of embeddings likewise: uniform, as in Glorot and Bengio (2010). A vector
    stays as it is if it is all ones (a gain) or all zeros (a shift), else it is a bias: zeros. A
    row that is all zeros stays so: it stands for padding.
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
