"""Slips that no table makes, and edits that only look like slips."""

from __future__ import annotations

BY_HAND = [
    ("2.1", "none-used", {"    if mask is not None:\n        ": "    mask = mask.bool()\n    "}),
    ("2.1", "method-not-called", {"q.size(-1)": "q.size[-1]"}),
    ("2.1", "value-called", {"q.size(-1)": "q.shape()[-1]"}),
    ("1.2", "not-raised", {"raise ValueError": "ValueError"}),
    ("1.2", "returned-error", {"raise ValueError": "return ValueError"}),
    ("2.2", "returned-error", {"raise ValueError": "return ValueError"}),
    ("5.6", "returned-error", {"raise ValueError": "return ValueError"}),
    ("5.3", "method-not-called", {"loss.backward()": "loss.backward"}),
    ("6.8", "f-missing", {'f"blk.{n}.attn_q.weight"': '"blk.{n}.attn_q.weight"'}),
    ("2.2", "not-raised", {"raise ValueError": "ValueError"}),
    ("2.4", "definition-misspelt", {"def __init__": "def __int__"}),
    ("5.2", "definition-misspelt", {"def encode(": "def enocde("}),
    ("5.3", "definition-misspelt", {"def sequence_loss(": "def sequence_los("}),
    ("3.3", "definition-misspelt", {"class PreNormEncoderLayer": "class PreNormEncoderLyer"}),
    ("2.3", "module-called", {"nn.Parameter(torch.ones": "nn.parameter(torch.ones"}),
    ("5.2", "never-kept", {"        self.trg_pad_idx = trg_pad_idx\n": ""}),
    ("2.1", "misspelt", {"score.softmax(": "score.softMax("}),
    ("2.1", "misspelt", {"score.softmax(": "softmax(score, "}),
    ("2.2", "misspelt", {"self.linear = nn.Linear(": "self.linear = Linear("}),
    ("2.2", "wrong-place", {"v, mask, self.dropout": "v, self.dropout"}),
    (
        "3.1",
        "wrong-place",
        {"self.self_attention(x, x, x, src_mask)": "self.self_attention(x, x, src_mask)"},
    ),
    (
        "2.1",
        "argument-unread",
        {"if mask is not None": "if False", "mask == 0": "k == 0", "math.sqrt(q": "(3 + q"},
    ),
    (
        "2.4",
        "tuple-used",
        {"x + self.dropout(sublayer_output)": "(x, self.dropout(sublayer_output))"},
    ),
    ("2.3", "leaf-changed", {"return self": "self.gamma.mul_(1)\n        return self"}),
    ("2.5", "class-not-called", {"nn.ReLU()": "nn.ReLU"}),
    (
        "2.5",
        "layer-made-not-applied",
        {
            "return self.linear2(self.dropout(self.relu(self.linear1(x))))": (
                "wide = self.linear1(x)\n"
                "        wide = nn.ReLU(wide)\n        wide = self.dropout(wide)\n"
                "        return self.linear2(wide)"
            )
        },
    ),
    ("2.5", "python-max", {"self.relu(": "max(0, "}),
    ("4.2", "list-called", {"x = layer(x, enc": "x = self.layers(x, enc"}),
    ("5.1", "and-or-not", {"real & past": "real and past"}),
    ("5.4", "no-return", {"    return max(hypotheses": "    max(hypotheses"}),
    ("5.6", "if-tensor", {"if empty:": "if ~real.any(dim=1):"}),
    ("1.3", "wrong-place", {"dim_vector, padding_idx)": "dim_vector, dropout)"}),
    ("2.1", "only-described", {"math.sqrt(q.size(-1))": "math.sqrt(dim_split)"}),
    ("2.1", "power-sign", {"math.sqrt(q.size(-1))": "q.size(-1) ^ 0.5"}),
    ("2.1", "math-of-tensor", {"score.softmax(dim=-1)": "math.erf(score / math.sqrt(2))"}),
    ("2.2", "float-for-int", {"self.n_head = n_head": "self.n_head = n_head / 1"}),
    ("2.2", "float-for-int", {"x.transpose(1, 2).flatten(2)": "x.transpose(2 / 2, 2).flatten(2)"}),
    (
        "2.3",
        "math-of-tensor",
        {"torch.sqrt(": "sqrt(", "import torch\n": "from math import sqrt\n\nimport torch\n"},
    ),
    ("2.3", "super-not-called", {"super().__init__()": "super.__init__(self)"}),
    ("2.3", "parameter-of-number", {"torch.ones(dim_vector)": "dim_vector"}),
    ("2.5", "weight-untransposed", {"self.linear1(x)": "x @ self.linear1.weight"}),
    ("6.5", "layer-for-weight", {"@ self.embedding.weight.T": "@ self.embedding"}),
    ("2.1", "layer-only-made", {"score.softmax(dim=-1)": "nn.Softmax(dim=-1)"}),
    ("6.3", "layer-made-not-applied", {"F.silu(self.gate(x))": "nn.SiLU(self.gate(x))"}),
    ("2.1", "layer-made-again", {"= dropout(attention)": "= nn.Dropout(dropout)(attention)"}),
    (
        "4.2",
        "layer-not-called",
        {"x = layer(x, encoder_output, trg_mask, src_mask)": "x = x + layer"},
    ),
    ("2.2", "layer-not-called", {"self.linear(self.merge(out))": "self.linear * self.merge(out)"}),
    (
        "3.2",
        "class-not-called",
        {"EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for": "EncoderLayer for"},
    ),
    ("2.2", "method-not-called", {"attention.detach()": "attention.detach"}),
    ("5.3", "method-not-called", {"loss.item()": "loss.item"}),
    ("6.1", "method-not-called", {"x.float().square()": "x.float().square"}),
    ("1.2", "tensor-called", {"self.pe[:seq_length]": "self.pe(seq_length)"}),
    ("2.2", "square-brackets", {"x.transpose(1, 2).flatten(2)": "x.transpose[1, 2].flatten(2)"}),
    (
        "6.6",
        "pair-used",
        {
            "ordered, order = logits.sort(dim=-1, descending=True)": (
                "ordered = logits.sort(dim=-1, descending=True)\n"
                "        order = logits.argsort(dim=-1, descending=True)"
            )
        },
    ),
    (
        "6.6",
        "pair-used",
        {'return logits.masked_fill(share < least, float("-inf"))': "return logits.max(dim=-1)"},
    ),
    ("6.5", "append-kept", {"longer.append(cache)": "longer = longer.append(cache)"}),
    ("2.1", "return-inside-if", {"    return attention @": "        return attention @"}),
    ("1.2", "return-inside-if", {"return self.pe": "    return self.pe"}),
    (
        "2.1",
        "set-inside-if",
        {"    attention = score": "    if mask is not None:\n        attention = score"},
    ),
    ("1.3", "not-imported", {"return self.dropout(": "return np.asarray("}),
    ("1.3", "misspelt", {"from s1_embedding.positional_embedding": "from positional_embedding"}),
    ("1.3", "misspelt", {"from s1_embedding.positional": "from course.s1_embedding.positional"}),
    ("1.3", "misspelt", {"from s1_embedding.positional": "from ..s1_embedding.positional"}),
    ("5.3", "misspelt", {"optimizer.zero_grad()": "model.zero_grads()"}),
    ("1.1", "keyword-misspelt", {"padding_idx=padding_idx)": "pad_idx=padding_idx)"}),
    (
        "3.2",
        "keyword-misspelt",
        {"n_head, dim_hidden, dropout) for": "n_head, hidden_dim=dim_hidden, dropout=dropout) for"},
    ),
    ("1.2", "definition-misspelt", {'register_buffer("pe"': 'register_buffer("Pe"'}),
    ("1.2", "method-overwritten", {"self.register_buffer(": "self.register_buffer = ("}),
    ("1.4", "no-self", {"self.scale = math": "scale = math", "* self.scale": "* scale"}),
    ("2.2", "layer-unused", {"self.split(self.w_v(v))": "self.split(v)"}),
    ("2.4", "layer-unused", {"self.layer_norm(x": "LayerNorm(x.size(-1))(x"}),
]
# What is no slip, though it looks like one; nothing may be said of it that is not so.
NO_SLIPS = [
    ("2.2", "none-used", {"x.transpose(1, 2).flatten(2)": "self.none(x).flatten(2)"}),
    ("2.2", "none-used", {"return self.linear(self.merge(out))": "return q + self.none(mask)"}),
    ("2.1", "only-described", {"math.sqrt(q.size(-1))": "math.sqrt(nowhere)"}),
    (
        "2.1",
        "power-sign",
        {
            "score.softmax(dim=-1)": "torch.bitwise_xor(score, score)",
            "import math\n": "import math\n\nimport torch\n",
        },
    ),
    ("2.2", "float-for-int", {"dim_vector // self.n_head": "float(dim_vector // self.n_head)"}),
    ("2.2", "comma-makes-tuple", {"self.n_head = n_head": "self.n_head = (n_head,)"}),
    ("2.2", "layer-not-called", {"self.linear(self.merge(out))": "self.merge(self.linear)"}),
    ("2.2", "class-for-object", {"self.w_v = nn.Linear(dim_vector, ": "self.w_v = nn.Linear("}),
    ("2.1", "text-for-number", {'float("-inf")': '"least"'}),
    ("6.6", "pair-used", {"keepdim=True).values": "keepdim=True)[0] @ (1, 2)"}),
    ("6.3", "layer-made-not-applied", {"F.silu(self.gate(x))": "nn.SiLU(False)"}),
    ("2.3", "keyword-misspelt", {"torch.ones(dim_vector))": "torch.ones(dim_vector), nothing=1)"}),
    (
        "2.1",
        "set-inside-if",
        {"    attention = score": "    for attention in ():\n        pass\n    # "},
    ),
    ("2.3", "two-vectors", {"return self.gamma": "return x.new_ones(3) + self.gamma"}),
]
NONE = "\n    def none(self, x: Tensor) -> None:\n        return None\n"
