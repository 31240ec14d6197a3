"""What people get wrong in s6_today/speak.py."""

from checks.engine.known import Mistake

# In the solution:
DATA = "        parameter.data = weights[name]\n"
MISSING = "    if missing or left_over:\n"
SHAPES = "        if weights[name].shape != parameter.shape:\n"
CALL = "        logits, caches = model(new, caches)\n"
SCORES = "logits[:, -1].float(), temperature, top_k, top_p, min_p"
LOSS = "F.cross_entropy(logits[:, :-1].flatten(0, 1).float(), tokens[:, 1:].flatten())"
END = """\
        if token.item() == end:
            return
"""

# load_weights

GATE_AND_UP_EXCHANGED = Mistake(
    "gate and up are exchanged. Both have the same shape, so nothing fails, and the "
    "model writes nonsense.",
    {
        "= feed_forward.gate.weight": "= feed_forward.THE_OTHER.weight",
        "= feed_forward.up.weight": "= feed_forward.gate.weight",
        "THE_OTHER": "up",
    },
    seen="vpipe#2",
)
KEYS_AND_VALUES_EXCHANGED = Mistake(
    "The projection of the keys gets the tensor of the values, and the values get that of the "
    "keys. Both have the same shape.",
    {
        "= attention.w_k.weight": "= attention.w_OTHER.weight",
        "= attention.w_v.weight": "= attention.w_k.weight",
        "w_OTHER": "w_v",
    },
)
QUERIES_AND_OUTPUT_EXCHANGED = Mistake(
    "The projection of the queries gets the tensor of the output, and the output gets that of the "
    "queries. Both are square.",
    {
        "= attention.w_q.weight": "= attention.OTHER.weight",
        "= attention.linear.weight": "= attention.w_q.weight",
        "attention.OTHER": "attention.linear",
    },
)
NORMS_EXCHANGED = Mistake(
    "The two norms of a layer are exchanged: the attention gets that of the feed-forward network.",
    {
        "= layer.norm1.gamma": "= layer.norm_OTHER.gamma",
        "= layer.norm2.gamma": "= layer.norm1.gamma",
        "norm_OTHER": "norm2",
    },
)
ALL_LAYERS_LIKE_THE_FIRST = Mistake(
    "Every layer gets the tensors of the first layer. The tensors of all others are not used.",
    {
        "        parameter.data = weights[name]\n": """\
        if name.startswith("blk."):
            name = "blk.0." + name.split(".", 2)[2]
        parameter.data = weights[name]
"""
    },
)
LAYERS_COUNTED_FROM_1 = Mistake(
    "The layers are counted from 1. In the file the first layer is number 0, so one layer seems to "
    "be missing and one left over.",
    {"enumerate(model.layers)": "enumerate(model.layers, start=1)"},
)
BY_ORDER = Mistake(
    "The tensors are given out in the order of the file. Their names are not used, and another "
    "file may have another order.",
    {
        """    for name, parameter in places.items():
        parameter.data""": """    for name, parameter in zip(weights, places.values()):
        parameter.data"""
    },
)
TABLE_NOT_LOADED = Mistake(
    "The table of the tokens keeps its first random numbers: its tensor is not loaded.",
    {DATA: '        if name != "token_embd.weight":\n    ' + DATA},
)
CLOSING_NORM_NOT_LOADED = Mistake(
    "The closing norm keeps its ones: its tensor is not loaded.",
    {DATA: '        if name != "output_norm.weight":\n    ' + DATA},
)
TRANSPOSED = Mistake(
    "The square matrices are transposed on their way. A linear layer of PyTorch stores (out, in), "
    "and so does the file.",
    {
        DATA: """\
        tensor = weights[name]
        square = tensor.dim() == 2 and tensor.size(0) == tensor.size(1)
        parameter.data = tensor.T if square else tensor
"""
    },
)
DTYPE_KEPT = Mistake(
    "The parameters stay in float32, although the tensors have another dtype. A model in bfloat16 "
    "would take twice the memory.",
    {DATA: "        parameter.data.copy_(weights[name])\n"},
)
ALL_IN_FLOAT32 = Mistake(
    DTYPE_KEPT.says,
    {DATA: "        parameter.data = weights[name].float()\n"},
)
TAKEN_OUT = Mistake(
    "The tensors are removed from the dictionary of the caller. After that it holds no weights.",
    {DATA: "        parameter.data = weights.pop(name)\n"},
)
NEVER_LOADED = Mistake(
    "The tensors do not reach the parameters of the model: a dictionary, a name or a copy has them. "
    "The model keeps its first random numbers.",
    {DATA: "        places[name] = weights[name]\n"},
)
ATTRIBUTE_OF_A_COPY = Mistake(
    NEVER_LOADED.says,
    {
        '    places = {\n        "token_embd': """    from copy import deepcopy

    model = deepcopy(model)
    places = {
        "token_embd"""
    },
)
MISSING_NOT_REFUSED = Mistake(
    "A missing tensor is skipped without a word. Its parameter keeps random numbers.",
    {
        MISSING: "    if left_over:\n",
        "    for name, parameter in places.items():\n        if weights[name].shape": """\
    for name in missing:
        del places[name]
    for name, parameter in places.items():
        if weights[name].shape""",
    },
)
LEFT_OVER_NOT_REFUSED = Mistake(
    "A tensor that the model has no place for is ignored. The file may be that of a larger model.",
    {MISSING: "    if missing:\n"},
)
SHAPE_NOT_REFUSED = Mistake(
    "A tensor of another shape is put into its parameter. The error comes later, somewhere else, "
    "or never.",
    {SHAPES: "        if weights[name].dim() != parameter.dim():\n"},
)
HALF_LOADED = Mistake(
    "The shapes are compared while the tensors are loaded. If the last one does not fit, all "
    "others have been exchanged already.",
    {
        SHAPES: "        parameter.data, before = weights[name], parameter.data\n"
        "        if weights[name].shape != before.shape:\n"
    },
)
FIRST_AXIS_COMPARED = Mistake(
    "Only the first axis of the shapes is compared. A tensor with another second axis is loaded.",
    {SHAPES: "        if weights[name].size(0) != parameter.size(0):\n"},
)
ASSERTED = Mistake(
    "What does not fit is refused by assert, which raises an AssertionError and vanishes under -O. "
    "Raise a ValueError.",
    {
        '        raise ValueError(f"missing: {sorted(missing)}, left over: {sorted(left_over)}")': (
            '        assert False, f"missing: {sorted(missing)}, left over: {sorted(left_over)}"'
        )
    },
)
UNNAMED = Mistake(
    "The error does not name the tensors that are missing or left over, so nobody knows where to "
    "look.",
    {
        'f"missing: {sorted(missing)}, left over: {sorted(left_over)}"': (
            'f"{len(missing)} tensors are missing, {len(left_over)} are left over"'
        )
    },
)

# text_loss

NOT_SHIFTED = Mistake(
    "The scores of a token are compared with that token itself. They are about the next token.",
    {"logits[:, :-1]": "logits", "tokens[:, 1:]": "tokens"},
)
SHIFTED_THE_OTHER_WAY = Mistake(
    "The scores are shifted in the wrong direction: they are compared with the token before.",
    {"logits[:, :-1]": "logits[:, 1:]", "tokens[:, 1:]": "tokens[:, :-1]"},
)
LAST_TOKEN_ALONE = Mistake(
    "Only the last token of each text counts. The loss of a text is the mean over all its tokens "
    "but the first.",
    {"logits[:, :-1]": "logits[:, -2:-1]", "tokens[:, 1:]": "tokens[:, -1:]"},
)
SUMMED = Mistake(
    "The losses of the tokens are summed up. The mean is wanted, so that texts of any length can "
    "be compared.",
    {"tokens[:, 1:].flatten())": 'tokens[:, 1:].flatten(), reduction="sum")'},
)
MEAN_OVER_ALL_TOKENS = Mistake(
    "The sum is divided by the number of all tokens. The first token of a text is not predicted, "
    "so it does not count.",
    {LOSS: LOSS[:-1] + ', reduction="sum") / tokens.numel()'},
)
IN_BITS = Mistake(
    "The loss is in bits, with the logarithm to base 2. The natural logarithm is wanted.",
    {LOSS: LOSS + " / torch.log(torch.tensor(2.0))"},
)
PERPLEXITY = Mistake(
    "The perplexity is returned, which is e to the power of the loss.",
    {LOSS: LOSS + ".exp()"},
)
SOFTMAX_TWICE = Mistake(
    "The softmax is taken before the cross-entropy, which takes it again. So the loss never falls "
    "far.",
    {"flatten(0, 1).float()": "flatten(0, 1).float().softmax(dim=-1)"},
)
LOSS_IN_HALF_PRECISION = Mistake(
    "The loss is computed in the dtype of the model. In bfloat16 it has three digits only.",
    {"flatten(0, 1).float()": "flatten(0, 1)"},
)
ROWS_MIXED = Mistake(
    "The scores are cut after all texts are joined. So the first token of a text is compared with "
    "the scores of the text before it.",
    {
        "logits[:, :-1].flatten(0, 1)": "logits.flatten(0, 1)[:-1]",
        "tokens[:, 1:].flatten()": "tokens.flatten()[1:]",
    },
)

TOKEN_0_IGNORED = Mistake(
    "Token 0 does not count, as if it were padding. In this vocabulary it is a token like others.",
    {LOSS: LOSS[:-1] + ", ignore_index=0)"},
)
SMOOTHED = Mistake(
    "The loss has label smoothing, which is for training. Here the probability of the right token "
    "alone counts.",
    {LOSS: LOSS[:-1] + ", label_smoothing=0.1)"},
)
LOG_OF_THE_MEAN = Mistake(
    "The mean of the probabilities is taken first, then the logarithm. The loss is the mean of the "
    "logarithms.",
    {
        f"return {LOSS}": """\
p = logits[:, :-1].float().softmax(dim=-1).gather(-1, tokens[:, 1:, None])
    return -p.mean().log()"""
    },
)
PER_TEXT = Mistake(
    "The sum is divided by the number of texts. So long texts have a larger loss.",
    {LOSS: LOSS[:-1] + ', reduction="sum") / len(tokens)'},
)

# write

WITHOUT_CACHES = Mistake(
    "Each new token is read without the caches. So the model sees that token alone, and forgets "
    "the text.",
    {CALL: "        logits, _ = model(new)\n"},
)
WHOLE_TEXT_AGAIN = Mistake(
    "The whole text is read again for every new token. The answer is right, but a token gets more "
    "and more expensive.",
    {
        CALL: "        logits, _ = model(new)\n",
        "new = token[:, None]": "new = torch.cat([new, token[:, None]], dim=1)",
    },
)
WHOLE_TEXT_WITH_CACHES = Mistake(
    "The whole text is read again, although the caches hold it already. The model then sees "
    "everything twice.",
    {"new = token[:, None]": "new = torch.cat([new, token[:, None]], dim=1)"},
)
CACHES_OF_THE_BEGINNING = Mistake(
    "The caches stay those of the beginning. What was written since then is forgotten.",
    {
        CALL: """\
        logits, longer = model(new, caches)
        caches = caches or longer
"""
    },
)
FIRST_SCORES = Mistake(
    "The scores of the first token are used. The next token is about the scores of the last one.",
    {"logits[:, -1]": "logits[:, 0]"},
)
ALWAYS_THE_BEST = Mistake(
    "Every token is the best one: nothing is drawn, even at a high temperature.",
    {"sample(scores, generator)": "scores.argmax(dim=-1)"},
)
NOT_FILTERED = Mistake(
    "The scores are not filtered. Temperature, top_k, top_p and min_p change nothing.",
    {f"filtered({SCORES})": "logits[:, -1]"},
)
TEMPERATURE_ONLY = Mistake(
    "Only the temperature reaches the filters. top_k, top_p and min_p change nothing.",
    {SCORES: "logits[:, -1], temperature"},
)
TOP_P_AND_MIN_P_EXCHANGED = Mistake(
    "top_p and min_p are exchanged on their way to the filters.",
    {SCORES: "logits[:, -1], temperature, top_k, min_p, top_p"},
)
GENERATOR_NOT_PASSED = Mistake(
    "The generator does not reach `sample`. So the same seed gives another text each time.",
    {"sample(scores, generator)": "sample(scores)"},
)
END_YIELDED = Mistake(
    "The end token is yielded, too. It is a sign for the program and no part of the text.",
    {
        END: "",
        "        yield token.item()\n": """\
        yield token.item()
        if token.item() == end:
            return
""",
    },
)
END_IGNORED = Mistake(
    "The end token does not end the text. The model goes on after it, and its tokens are noise.",
    {END: ""},
)
END_SKIPPED = Mistake(
    "The end token is left out, but the writing goes on after it.",
    {"            return\n": "            continue\n"},
)
END_0_IGNORED = Mistake(
    "The end token is tested by its truth value, so token 0 never ends the text.",
    {"if token.item() == end:": "if end and token.item() == end:"},
)
ONE_TOO_MANY = Mistake(
    "One token more than num_new is written.",
    {"range(num_new)": "range(num_new + 1)"},
)
TEXT_COUNTED = Mistake(
    "The tokens of the given text count as new ones, so too few are written.",
    {"range(num_new)": "range(num_new - len(tokens))"},
)
TEXT_YIELDED = Mistake(
    "The tokens of the given text are yielded, too. Only the new ones are wanted.",
    {
        "    # Repeat: read what is new": "    yield from tokens\n    # Repeat: read what is new",
    },
)
ALL_AT_ONCE = Mistake(
    "All tokens come at once, in a list. They should be yielded one by one, so that one can read "
    "while the model writes.",
    {
        "    for _ in range(num_new):": "    found = []\n    for _ in range(num_new):",
        "            return\n": "            break\n",
        "        yield token.item()\n": "        found.append(token.item())\n",
        "        new = token[:, None]": "        new = token[:, None]\n    return found",
    },
)
TENSORS_YIELDED = Mistake(
    "Tensors are yielded. The caller needs plain Python numbers, to look up their text.",
    {"yield token.item()": "yield token"},
)
GRADIENTS_RECORDED = Mistake(
    "All operations are recorded for gradients. A long text then fills the memory.",
    {
        "@torch.no_grad()\ndef write(": "def write(",
    },
)
OWN_GENERATOR = Mistake(
    "The numbers come from a generator with a fixed seed. So the text is the same with every "
    "generator of the caller.",
    {"sample(scores, generator)": "sample(scores, torch.Generator().manual_seed(0))"},
)
SEEDED_EACH_ROUND = Mistake(
    "The generator begins again in every round. So every token is drawn with the same random "
    "number.",
    {CALL: "        generator.manual_seed(generator.initial_seed())\n" + CALL},
)
TEMPERATURE_TWICE = Mistake(
    "The scores are divided by the temperature twice: once before the filters, once by them.",
    {SCORES: "logits[:, -1] / (temperature or 1), temperature, top_k, top_p, min_p"},
)
END_IS = Mistake(
    "`is` compares two objects, not two numbers. Large numbers are new objects each time, so the "
    "end token is not noticed.",
    {"if token.item() == end:": "if token.item() is end:"},
)
END_IN_THE_TEXT = Mistake(
    "If the given text holds the end token, nothing is written. A chat has that token after every "
    "turn.",
    {
        "    # Repeat: read what is new": "    if end in tokens:\n        return\n"
        "    # Repeat: read what is new",
    },
)
FIRST_ALL_THEN_YIELDED = Mistake(
    "All tokens are computed before the first one is yielded. So nobody can read while the model "
    "writes.",
    {
        "    for _ in range(num_new):": "    found = []\n    for _ in range(num_new):",
        "            return\n": "            break\n",
        "        yield token.item()\n": "        found.append(token.item())\n",
        "        new = token[:, None]": "        new = token[:, None]\n    yield from found",
    },
)

# The arguments, and what is left over

TOKENS_GROW = Mistake(
    "write appends the new tokens to the caller's list. A second text would begin with them.",
    {
        "        yield token.item()\n": "        tokens.append(token.item())\n        yield tokens[-1]\n"
    },
)
GREEDY_WITHOUT_A_GENERATOR = Mistake(
    "Without a generator the best token is taken. It should be drawn, too, with PyTorch's own one.",
    {
        "sample(scores, generator)": (
            "sample(scores, generator) if generator else scores.argmax(dim=-1)"
        )
    },
)
SAME_TEXT_EACH_TIME = Mistake(
    "Without a generator, PyTorch's own one begins with the same seed in each call. So each text is "
    "the same.",
    {
        "    new, caches = torch.tensor([tokens]": (
            "    if generator is None:\n        torch.manual_seed(0)\n"
            "    new, caches = torch.tensor([tokens]"
        )
    },
)
LEFT_OVER_OUTSIDE_THE_LAYERS = Mistake(
    "Only tensors of layers count as left over. A second table for the output is ignored, for "
    "example.",
    {
        "weights.keys() - places.keys()": (
            '{name for name in weights.keys() - places.keys() if name.startswith("blk.")}'
        )
    },
)
LEFT_OVER_BIASES = Mistake(
    "Biases that are left over are ignored. The file belongs to another model then.",
    {
        "weights.keys() - places.keys()": (
            '{name for name in weights.keys() - places.keys() if name.endswith("weight")}'
        )
    },
)
ONE_AXIS_MORE = Mistake(
    "A tensor with an additional axis of size 1 is accepted. Its shape is not that of the parameter.",
    {
        SHAPES: "        if weights[name].squeeze().shape != parameter.squeeze().shape:\n",
        DATA: "        parameter.data = weights[name].reshape(parameter.shape)\n",
    },
)
FILTERED_IN_THE_MODELS_DTYPE = Mistake(
    "The scores are filtered in the dtype of the model. In bfloat16 a number has three digits, so "
    "chances that differ little become equal.",
    {SCORES: SCORES.replace(".float()", "")},
)
NAME_OF_THE_LOOP = Mistake(
    NEVER_LOADED.says,
    {DATA: "        parameter = weights[name]\n"},
)
LOG_OF_SOFTMAX = Mistake(
    "The logarithm is taken of a probability that rounding has made 0, so the loss is infinite. The "
    "log_softmax, or the cross entropy, keeps such small numbers.",
    {
        f"return {LOSS}": """\
chances = logits[:, :-1].float().softmax(dim=-1)
    return -chances.gather(-1, tokens[:, 1:, None]).log().mean()"""
    },
)
TOP_P_OR_TOP_K = Mistake(
    "With top_k, top_p does not count. Each filter cuts what the other has left.",
    {SCORES: SCORES.replace("top_p,", "1.0 if top_k else top_p,")},
)
TEXT_ON_THE_CPU = Mistake(
    "The tokens are a tensor on the CPU, wherever the model is. On a GPU the first call stops with "
    "an error.",
    {"torch.tensor([tokens], device=model.embedding.weight.device)": "torch.tensor([tokens])"},
)
SAID_ONCE = Mistake(
    "Tokens of the given text are made less probable. The model does not say so: nothing but the "
    "four filters may change its scores.",
    {"        token = sample(": "        scores[:, tokens] -= 1.0\n        token = sample("},
)
ERROR_SWALLOWED = Mistake(
    "An error of the model ends the text in silence. The caller cannot tell it from the end token.",
    {
        CALL: f"""\
        try:
    {CALL}\
        except ValueError:
            return
"""
    },
)
LOADED_AND_FROZEN = Mistake(
    "The parameters do not learn any more after the weights are loaded: their requires_grad is "
    "False.",
    {DATA: f"{DATA}        parameter.requires_grad_(False)\n"},
)
LAST_TOKENS_KEPT = Mistake(
    "Only the last 16 tokens stay in the caches, so the model forgets how the text began.",
    {
        CALL: f"""\
{CALL}\
        caches = [(keys[:, :, -16:], values[:, :, -16:]) for keys, values in caches]
"""
    },
)
TOP_P_AT_MOST = Mistake(
    "top_p is never more than 0.99. With top_p 1 every token should stay possible.",
    {
        "temperature, top_k, top_p, min_p)\n        token": "temperature, top_k, min(top_p, 0.99), min_p)\n        token"
    },
)
MIN_P_AT_LEAST = Mistake(
    "min_p is never less than 0.02. With min_p 0 every token should stay possible.",
    {
        "temperature, top_k, top_p, min_p)\n        token": "temperature, top_k, top_p, max(min_p, 0.02))\n        token"
    },
)

LAYERS_SORTED_AS_TEXTS = Mistake(
    "The layers are sorted as texts: 0, 1, 10, 2 … From 11 layers on, they are exchanged. Sort by number.",
    {
        "    for n, layer in enumerate(model.layers):": """\
    by_text = sorted(range(len(model.layers)), key=str)
    for n, layer in zip(by_text, model.layers):"""
    },
)
HALF_LOADED_IN_FILE_ORDER = Mistake(
    HALF_LOADED.says,
    {
        "    for name, parameter in places.items():\n" + SHAPES: """\
    for name in weights:
        parameter, before = places[name], places[name].data
        parameter.data = weights[name]
        if weights[name].shape != before.shape:
"""
    },
)
LOG_SOFTMAX_IN_HALF_PRECISION = Mistake(
    LOSS_IN_HALF_PRECISION.says,
    {
        LOSS: """\
-logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:, None]).mean()"""
    },
)
SHAPES_FOUND_WHILE_LOADING = Mistake(
    HALF_LOADED.says,
    {
        "    for name, parameter in places.items():\n" + SHAPES: """\
    for name, parameter in places.items():
        if weights[name].shape == parameter.shape:
            parameter.data = weights[name]
        else:
"""
    },
)
