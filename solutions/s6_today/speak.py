"""Speak: your own classes hold the weights of a real model, and write.

Lesson: README.md, "6.8 ★ Speak"        Check: python run_step.py 6.8
"""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional as F

from s6_today.language_model import LanguageModel
from s6_today.sampling import filtered, sample


def load_weights(model: LanguageModel, weights: dict[str, Tensor]) -> None:
    """Give every parameter of the model the tensor of the file that belongs to it.

    The file calls the table "token_embd.weight" and the closing norm "output_norm.weight". Layer n
    has nine tensors, "blk.n.NAME.weight", where NAME is attn_norm, attn_q, attn_k, attn_v,
    attn_output, ffn_norm, ffn_gate, ffn_up or ffn_down. The model takes over their dtype.
    Raises ValueError, before anything is loaded, if a tensor is missing, left over, or of another
    shape than its parameter. The error names it.
    """
    # Write down which parameter belongs to which name: two, and then nine for each layer.
    places = {
        "token_embd.weight": model.embedding.weight,
        "output_norm.weight": model.norm.gamma,
    }
    for n, layer in enumerate(model.layers):
        attention, feed_forward = layer.attention, layer.feed_forward
        places[f"blk.{n}.attn_norm.weight"] = layer.norm1.gamma
        places[f"blk.{n}.attn_q.weight"] = attention.w_q.weight
        places[f"blk.{n}.attn_k.weight"] = attention.w_k.weight
        places[f"blk.{n}.attn_v.weight"] = attention.w_v.weight
        places[f"blk.{n}.attn_output.weight"] = attention.linear.weight
        places[f"blk.{n}.ffn_norm.weight"] = layer.norm2.gamma
        places[f"blk.{n}.ffn_gate.weight"] = feed_forward.gate.weight
        places[f"blk.{n}.ffn_up.weight"] = feed_forward.up.weight
        places[f"blk.{n}.ffn_down.weight"] = feed_forward.down.weight
    # Refuse weights that do not fit. Name the tensors in the error.
    missing, left_over = places.keys() - weights.keys(), weights.keys() - places.keys()
    if missing or left_over:
        raise ValueError(f"missing: {sorted(missing)}, left over: {sorted(left_over)}")
    for name, parameter in places.items():
        if weights[name].shape != parameter.shape:
            raise ValueError(f"{name}: {weights[name].shape} does not fit {parameter.shape}")
    # Put each tensor in its place.
    for name, parameter in places.items():
        parameter.data = weights[name]


@torch.no_grad()
def text_loss(model: LanguageModel, tokens: Tensor) -> Tensor:
    """tokens (batch_size, length) -> the mean of -ln p over all tokens but the first, in float32.
    p is the probability that the model gives to a token when it has read all tokens before it.
    """
    # Take the loss of each next token. The last scores have no token to compare with,
    # and the first token has no scores.
    logits, _ = model(tokens)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1).float(), tokens[:, 1:].flatten())


@torch.no_grad()
def write(
    model: LanguageModel,
    tokens: list[int],
    num_new: int,
    end: int,
    generator: torch.Generator | None = None,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    min_p: float = 0.0,
) -> Iterator[int]:
    """Yield the tokens that follow, one by one: at most num_new. `end` ends it and is not yielded.
    All tokens are read once. Then each new one is read alone, with the caches of those before it.
    The last four arguments are those of step 6.6.
    """
    new, caches = torch.tensor([tokens], device=model.embedding.weight.device), None
    # Repeat: read what is new, filter the scores of the last token in float32, and draw.
    # Yield the token, unless it is `end`.
    for _ in range(num_new):
        logits, caches = model(new, caches)
        scores = filtered(logits[:, -1].float(), temperature, top_k, top_p, min_p)
        token = sample(scores, generator)
        if token.item() == end:
            return
        yield token.item()
        new = token[:, None]
