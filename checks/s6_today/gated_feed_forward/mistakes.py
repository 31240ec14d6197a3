"""What people get wrong in s6_today/gated_feed_forward.py."""

from checks.engine.known import Mistake

# In the solution:
GATE = "self.gate = nn.Linear(dim_vector, dim_hidden, bias=False)"
UP = "self.up = nn.Linear(dim_vector, dim_hidden, bias=False)"
DOWN = "self.down = nn.Linear(dim_hidden, dim_vector, bias=False)"
SILU = "F.silu(self.gate(x))"
HIDDEN = f"{SILU} * self.up(x)"
RETURN = f"return self.down({HIDDEN})"

GATE_AND_UP_EXCHANGED = Mistake(
    "gate and up are exchanged: the activation is on up. Trained from the start this is the same "
    "network, but with a model's loaded weights it speaks nonsense.",
    {HIDDEN: "self.gate(x) * F.silu(self.up(x))"},
    seen="ml-explore/mlx-lm#767, nntrainer/nntrainer#4194",
)
SIGMOID = Mistake(
    "The gate is a plain sigmoid, as in the first gated units. SiLU is z times its sigmoid, so "
    "large values of the gate must be able to go beyond 1.",
    {SILU: "F.sigmoid(self.gate(x))"},
)
RELU = Mistake(
    "The activation of the gate is a ReLU. SiLU bends smoothly and lets a little of negative "
    "values through, so the results differ.",
    {SILU: "F.relu(self.gate(x))"},
)
GELU = Mistake(
    "The activation of the gate is a GELU. Some models have it there, but this one was trained "
    "with SiLU, and its results get worse.",
    {SILU: "F.gelu(self.gate(x))"},
    seen="THUDM/slime#1825",
)
GELU_WITH_TANH = Mistake(
    GELU.says,
    {SILU: 'F.gelu(self.gate(x), approximate="tanh")'},
)
QUICK_GELU = Mistake(
    "The gate is multiplied by 1.702 inside the sigmoid: this is a fast form of GELU. SiLU has no "
    "such factor.",
    {SILU: "self.gate(x) * F.sigmoid(1.702 * self.gate(x))"},
)
TANH = Mistake(
    "The activation of the gate is a hyperbolic tangent, which squeezes all values between -1 and "
    "1. SiLU leaves large values almost as they are.",
    {SILU: "F.tanh(self.gate(x))"},
)
SOFTPLUS = Mistake(
    "The activation of the gate is a softplus, which is always above zero. SiLU is below zero for "
    "negative values.",
    {SILU: "F.softplus(self.gate(x))"},
)
MISH = Mistake(
    "The activation of the gate is a Mish, which looks much like SiLU. It has other values, so it "
    "does not fit weights that were trained with SiLU.",
    {SILU: "F.mish(self.gate(x))"},
)
HARD_SWISH = Mistake(
    "The activation of the gate is a hard swish: SiLU made of straight pieces. Its values are near "
    "those of SiLU, but not the same.",
    {SILU: "F.hardswish(self.gate(x))"},
)
LEAKY_RELU = Mistake(
    "The activation of the gate is a leaky ReLU, two straight lines. SiLU bends smoothly and comes "
    "back to zero for very negative values.",
    {SILU: "F.leaky_relu(self.gate(x))"},
)
ELU = Mistake(
    "The activation of the gate is an ELU. It leaves positive values as they are; SiLU makes them "
    "a little smaller.",
    {SILU: "F.elu(self.gate(x))"},
)
SOFTMAX = Mistake(
    "The gate goes through a softmax, so its features always sum to 1 and depend on each other. "
    "Each feature has a gate of its own.",
    {SILU: "self.gate(x).softmax(dim=-1)"},
)
NO_ACTIVATION = Mistake(
    "The gate has no activation. It is multiplied as it is, so nothing is ever closed.",
    {SILU: "self.gate(x)"},
)
SIGN_OF_THE_EXPONENT = Mistake(
    "The sign in the exponent is wrong, so the gate is closed for positive values and open for "
    "negative ones.",
    {SILU: "self.gate(x) * F.sigmoid(-self.gate(x))"},
)
SILU_TWICE = Mistake(
    "The activation is applied to the gate twice. So everything that passes is too small.",
    {SILU: "F.silu(F.silu(self.gate(x)))"},
)
SILU_ON_PRODUCT = Mistake(
    "The activation is on the product of gate and up instead of on the gate alone. Perhaps a "
    "bracket is in the wrong place.",
    {HIDDEN: "F.silu(self.gate(x) * self.up(x))"},
    seen="Nijikadesu/breakdown-minimind#3",
)
SILU_ON_BOTH = Mistake(
    "The activation is on both, gate and up. Only the gate has one; up must be able to pass "
    "negative values.",
    {HIDDEN: "F.silu(self.gate(x)) * F.silu(self.up(x))"},
)
SILU_AFTER_DOWN = Mistake(
    "The activation comes after the last layer instead of on the gate. So the output is almost "
    "never below zero.",
    {RETURN: "return F.silu(self.down(self.gate(x) * self.up(x)))"},
)
SILU_AFTER_DOWN_TOO = Mistake(
    "There is a second activation after the last layer. So the output is almost never below "
    "zero, and the residual connection can only grow.",
    {RETURN: f"return F.silu(self.down({HIDDEN}))"},
)
ADDED = Mistake(
    "The gate is added to up instead of multiplied. Then it cannot close: up always passes whole.",
    {HIDDEN: f"{SILU} + self.up(x)"},
)
SUBTRACTED = Mistake(
    "up is subtracted from the gate instead of multiplied with it. Then the gate cannot close.",
    {HIDDEN: f"{SILU} - self.up(x)"},
)
DIVIDED = Mistake(
    "The gate is divided by up instead of multiplied with it. Where up is near zero, the result is "
    "huge.",
    {HIDDEN: f"{SILU} / self.up(x)"},
)
MATRIX_PRODUCT = Mistake(
    "Gate and up are joined by a matrix product. They must be multiplied entry by entry, so that "
    "each feature has a gate of its own.",
    {HIDDEN: f"{SILU} @ self.up(x)"},
)
GATE_UNUSED = Mistake(
    "The gate is made but never used: the activation is on up alone. So the gate never learns, and "
    "this is a network without a gate, as in step 2.5.",
    {HIDDEN: "F.silu(self.up(x))"},
)
GATE_MISSING = Mistake(
    "There is no gate at all. Two layers with an activation between them are a network "
    "as in step 2.5.",
    {f"        {GATE}\n": "", HIDDEN: "F.silu(self.up(x))"},
    seen="google-research/timesfm#493",
)
UP_UNUSED = Mistake(
    "up is made but never used: only the gate goes through. So up never learns, and this is a "
    "network without a gate, as in step 2.5.",
    {HIDDEN: SILU},
)
UP_TWICE = Mistake(
    "up is multiplied with itself, and the gate is not used. So the gate never learns.",
    {HIDDEN: "F.silu(self.up(x)) * self.up(x)"},
    seen="ggml-org/llama.cpp#13336",
)
GATE_TWICE = Mistake(
    "The gate is multiplied with itself, and up is not used. So up never learns.",
    {HIDDEN: "F.silu(self.gate(x)) * self.gate(x)"},
)
ONE_LAYER_FOR_BOTH = Mistake(
    "gate and up are one and the same layer. They need weights of their own: one says what passes, "
    "the other says how much.",
    {UP: "self.up = self.gate"},
)
BIASES = Mistake(
    "The three layers have biases. The models of today have none here, and their files hold no "
    "numbers for them.",
    {
        GATE: GATE.replace(", bias=False", ""),
        UP: UP.replace(", bias=False", ""),
        DOWN: DOWN.replace(", bias=False", ""),
    },
)
BIAS_OF_GATE = Mistake(
    "The gate has a bias. None of the three layers has one, and a model's file holds no numbers "
    "for it.",
    {GATE: GATE.replace(", bias=False", "")},
)
BIAS_OF_UP = Mistake(
    "up has a bias. None of the three layers has one, and a model's file holds no numbers for it.",
    {UP: UP.replace(", bias=False", "")},
)
BIAS_OF_DOWN = Mistake(
    "down has a bias. None of the three layers has one, and a model's file holds no numbers for "
    "it.",
    {DOWN: DOWN.replace(", bias=False", "")},
)
HIDDEN_IGNORED = Mistake(
    "The inner layers are as wide as the vectors, and dim_hidden is ignored. So the network does "
    "not have the given size.",
    {
        GATE: "self.gate = nn.Linear(dim_vector, dim_vector, bias=False)",
        UP: "self.up = nn.Linear(dim_vector, dim_vector, bias=False)",
        DOWN: "self.down = nn.Linear(dim_vector, dim_vector, bias=False)",
    },
)
MADE = "        # Make `gate` and `up`"
FOUR_TIMES = Mistake(
    "The given dim_hidden is ignored: the network is always four times as wide as the vectors. "
    "With three matrices instead of two, it then has one and a half times as many numbers.",
    {MADE: f"        dim_hidden = 4 * dim_vector\n{MADE}"},
    seen="stas00/ml-engineering#45, Modalities/modalities#289",
)
EIGHT_THIRDS = Mistake(
    "The width is not the given dim_hidden: it is 8/3 of dim_vector, or rounded up. Many models have "
    "that, but the caller has chosen another.",
    {MADE: f"        dim_hidden = 8 * dim_vector // 3\n{MADE}"},
)
TWO_THIRDS = Mistake(
    "Only two thirds of the given dim_hidden are made. Here dim_hidden is the width itself; the "
    "caller has divided already.",
    {MADE: f"        dim_hidden = 2 * dim_hidden // 3\n{MADE}"},
)
ROUNDED_UP = Mistake(
    "The given dim_hidden is rounded up to a multiple of 256, as in some programs. Here "
    "dim_hidden is the width itself, and weights of that width do not fit.",
    {MADE: f"        dim_hidden = 256 * ((dim_hidden + 255) // 256)\n{MADE}"},
)
TWICE_AS_WIDE = Mistake(
    "gate and up give 2 · dim_hidden features each. That width belongs to one layer that does the "
    "work of both.",
    {
        GATE: "self.gate = nn.Linear(dim_vector, 2 * dim_hidden, bias=False)",
        UP: "self.up = nn.Linear(dim_vector, 2 * dim_hidden, bias=False)",
        DOWN: "self.down = nn.Linear(2 * dim_hidden, dim_vector, bias=False)",
    },
)
WIDTHS_SWAPPED = Mistake(
    "In all layers dim_vector and dim_hidden are swapped, so the input does not fit the first "
    "layers.",
    {
        GATE: "self.gate = nn.Linear(dim_hidden, dim_vector, bias=False)",
        UP: "self.up = nn.Linear(dim_hidden, dim_vector, bias=False)",
        DOWN: "self.down = nn.Linear(dim_vector, dim_hidden, bias=False)",
    },
)
DOWN_TURNED = Mistake(
    "The sizes of down are swapped: it expects dim_vector features but gets dim_hidden.",
    {DOWN: "self.down = nn.Linear(dim_vector, dim_hidden, bias=False)"},
)
STAYS_WIDE = Mistake(
    "down does not return to dim_vector, so its output cannot be added to the input.",
    {DOWN: "self.down = nn.Linear(dim_hidden, dim_hidden, bias=False)"},
)
DOWN_UNUSED = Mistake(
    "down is not used. The output keeps the width dim_hidden, so it cannot be added to the input.",
    {RETURN: f"return {HIDDEN}"},
)
WEIGHTS_TIED = Mistake(
    "The way back uses the weight of up, transposed. The weight of down is never used and never "
    "learns.",
    {RETURN: f"return ({HIDDEN}) @ self.up.weight"},
)
UNUSED_LAYER = Mistake(
    "A fourth linear layer is made and never used, so its parameters can never learn.",
    {DOWN: f"{DOWN}\n        self.linear4 = nn.Linear(dim_hidden, dim_hidden, bias=False)"},
)
LEARNED_BETA = Mistake(
    "The sigmoid has a factor that is learned. Some call it Swish; SiLU is the same with the fixed "
    "factor 1, and a model's file holds no number for it.",
    {
        "from torch import Tensor": "import torch\nfrom torch import Tensor",
        DOWN: f"{DOWN}\n        self.beta = nn.Parameter(torch.ones(1))",
        SILU: "self.gate(x) * F.sigmoid(self.beta * self.gate(x))",
    },
    seen="bkitano/llama-from-scratch#7",
)
CLAMPED = Mistake(
    "The hidden features are cut off at 7, as one newer model does. This network has no such "
    "limit.",
    {HIDDEN: f"({HIDDEN}).clamp(-7, 7)"},
)
ONE_ADDED_TO_UP = Mistake(
    "One is added to up before the product, as one newer model does. Here the gate multiplies up "
    "itself.",
    {HIDDEN: f"{SILU} * (self.up(x) + 1)"},
)
RESIDUAL_INSIDE = Mistake(
    "The input is already added here. The block around this network adds it too, so it would count "
    "twice.",
    {RETURN: f"return x + self.down({HIDDEN})"},
)
NORM_INSIDE = Mistake(
    "The input is normalised inside this network. The block around it has done that already.",
    {RETURN: f"x = F.rms_norm(x, x.shape[-1:])\n        {RETURN}"},
)
HIDDEN_NORMALISED = Mistake(
    "The hidden features of each token are scaled to length 1 before the last layer. So their "
    "size, which carries meaning, is lost.",
    {HIDDEN: f"F.normalize({HIDDEN}, dim=-1)"},
)
DROPOUT = Mistake(
    "Dropout is applied to the hidden features in training. This step has no dropout: a model that "
    "sees each text once does not need it.",
    {HIDDEN: f"F.dropout({HIDDEN}, 0.1, self.training)"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "Dropout is applied to the hidden features, even in eval mode. So the model gives another "
    "answer at every call.",
    {HIDDEN: f"F.dropout({HIDDEN}, 0.1)"},
)
MIXES_TOKENS = Mistake(
    "Each token is mixed with the token before it. This network works on each token separately; "
    "only attention reads other tokens.",
    {RETURN: f"x = (x + x.roll(1, dims=-2)) / 2 if x.dim() > 1 else x\n        {RETURN}"},
)
GATE_FROM_THE_MEAN = Mistake(
    "The gate reads the mean of all tokens, so every token gets the same gate. Each token needs a "
    "gate of its own.",
    {SILU: "F.silu(self.gate(x.mean(dim=-2, keepdim=True) if x.dim() > 1 else x))"},
)
AXES_FLATTENED = Mistake(
    "Sentences and tokens are merged into one axis and not separated again, so the output does not "
    "have the axes of the input.",
    {RETURN: f"x = x.reshape(-1, x.size(-1))\n        {RETURN}"},
)
THREE_AXES_ONLY = Mistake(
    "The code works for exactly three axes and fails for any other number. Only the last axis is "
    "fixed; any number of axes may come before it.",
    {RETURN: f"batch_size, length, dim_vector = x.shape\n        {RETURN}"},
)
LAST_TOKEN_ONLY = Mistake(
    "Only the last token of each sentence goes through the network, so the outputs for all other "
    "tokens are missing.",
    {RETURN: f"x = x[..., -1, :]\n        {RETURN}"},
)
GATE_DETACHED = Mistake(
    "The gate is cut off from the gradient. The output is right, but the gate never learns.",
    {SILU: f"{SILU}.detach()"},
)
HIDDEN_DETACHED = Mistake(
    "The hidden features are cut off from the gradient. Gate and up never learn, and no gradient "
    "reaches the input.",
    {RETURN: f"return self.down(({HIDDEN}).detach())"},
)
INPUT_DETACHED = Mistake(
    "The input is cut off from the gradient. The three layers learn, but earlier layers learn "
    "nothing through this network.",
    {RETURN: f"x = x.detach()\n        {RETURN}"},
)
INPUT_OVERWRITTEN = Mistake(
    "An activation is applied in place to the input. The residual connection around this network "
    "still needs the old values.",
    {
        RETURN: f"out = self.down({HIDDEN})\n        F.silu(x.data, inplace=True)\n        return out"
    },
)
PYTHON_LIST = Mistake(
    "The layers are in a plain list, tuple or dictionary, where PyTorch does not look for layers. "
    "So they are not trained, not saved, and not moved with the module.",
    {
        f"        {GATE}\n": "",
        f"        {UP}\n": "",
        DOWN: """\
self.wide = [nn.Linear(dim_vector, dim_hidden, bias=False) for _ in range(2)]
        self.last = [nn.Linear(dim_hidden, dim_vector, bias=False)]""",
        RETURN: "return self.last[0](F.silu(self.wide[0](x)) * self.wide[1](x))",
    },
)
MADE_IN_FORWARD = Mistake(
    "The last layer is made again at every call, with new random weights. So it never learns, and "
    "the same input gives another output each time.",
    {
        DOWN: "self.widths = (dim_hidden, dim_vector)",
        "self.down(": "nn.Linear(*self.widths, bias=False)(",
    },
)
GATE_FROZEN = Mistake(
    "The gate is frozen, so it keeps its random start values for ever.",
    {GATE: f"{GATE}.requires_grad_(False)"},
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. A float64 or float16 module then passes on values "
    "of the wrong dtype.",
    {RETURN: f"{RETURN}.float()"},
)
ON_CPU = Mistake(
    "A helper tensor is on the CPU, wherever x is, so the network fails on a GPU or any other device.",
    {
        "from torch import Tensor": "import torch\nfrom torch import Tensor",
        SILU: "self.gate(x) / (torch.ones(1, dtype=x.dtype) + torch.exp(-self.gate(x)))",
    },
)
AT_MOST_512_HIDDEN = Mistake(
    "The network has at most 512 features inside, even if dim_hidden is larger.",
    {MADE: f"        dim_hidden = min(dim_hidden, 512)\n{MADE}"},
)
AT_MOST_512_FEATURES = Mistake(
    "The network takes at most 512 features, even if dim_vector is larger. A wider vector does not "
    "fit.",
    {MADE: f"        dim_vector = min(dim_vector, 512)\n{MADE}"},
)

GATE_OF_AN_LSTM = Mistake(
    "The gate is sigmoid(gate) * tanh(up), as in an LSTM. This step needs silu(gate) * up.",
    {"F.silu(self.gate(x)) * self.up(x)": "F.sigmoid(self.gate(x)) * F.tanh(self.up(x))"},
)
UP_READS_AN_ACTIVATION = Mistake(
    "up reads x after an activation. Both layers read x itself; the activation is on the gate.",
    {"self.up(x)": "self.up(F.silu(x))"},
)
GATE_READS_AN_ACTIVATION = Mistake(
    "The activation comes before the layer gate instead of after it. It should act on what the "
    "gate gives.",
    {"F.silu(self.gate(x))": "self.gate(F.silu(x))"},
)
PRODUCT_CLIPPED = Mistake(
    "The product of gate and up is cut off at 10. This network has no such limit.",
    {
        "self.down(F.silu(self.gate(x)) * self.up(x))": """\
self.down((F.silu(self.gate(x)) * self.up(x)).clamp(-10, 10))"""
    },
)
