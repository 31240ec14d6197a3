"""Right versions of s6_today/speak.py that look different."""

from checks.engine.known import Right

DATA = "        parameter.data = weights[name]\n"
LOSS = "F.cross_entropy(logits[:, :-1].flatten(0, 1).float(), tokens[:, 1:].flatten())"

NEW_PARAMETERS = Right(
    "The data of each parameter is a copy of the tensor.",
    {DATA: "        parameter.data = weights[name].clone()\n"},
)
SET_AND_COPIED = Right(
    "The parameter first takes over the dtype; then the numbers are copied.",
    {
        DATA: """\
        parameter.data = parameter.data.to(weights[name].dtype)
        with torch.no_grad():
            parameter.copy_(weights[name])
"""
    },
)
FIRST_ONE_NAMED = Right(
    "Only the first name that does not fit is in the error.",
    {
        '        raise ValueError(f"missing: {sorted(missing)}, left over: {sorted(left_over)}")': """\
        name = sorted(missing | left_over)[0]
        raise ValueError(f"{name} does not fit this model")"""
    },
)
LOG_SOFTMAX = Right(
    "The loss is written with log_softmax and gather.",
    {
        f"return {LOSS}": """\
log_p = logits[:, :-1].float().log_softmax(dim=-1)
    return -log_p.gather(-1, tokens[:, 1:, None]).mean()"""
    },
)
TRANSPOSED_SCORES = Right(
    "cross_entropy gets the vocabulary as its second axis.",
    {LOSS: "F.cross_entropy(logits[:, :-1].float().transpose(1, 2), tokens[:, 1:])"},
)
READS_ONE_BY_ONE = Right(
    "The given text is read token by token.",
    {
        "    # Repeat: read what is new": """\
    for at in range(len(tokens) - 1):
        _, caches = model(new[:, at : at + 1], caches)
    new = new[:, -1:]
    # Repeat: read what is new"""
    },
)
COUNTED_DOWN = Right(
    "A while loop counts the tokens that are left.",
    {
        "    for _ in range(num_new):\n": "    while num_new > 0:\n        num_new -= 1\n",
    },
)
NAMED_FILTERS = Right(
    "The filters are passed by their names.",
    {
        "logits[:, -1].float(), temperature, top_k, top_p, min_p": (
            "logits[:, -1].float(), temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p"
        )
    },
)
INFERENCE_MODE = Right(
    "inference_mode stands where the solution has no_grad.",
    {"@torch.no_grad()\ndef write(": "@torch.inference_mode()\ndef write("},
)
NO_GRAD_INSIDE = Right(
    "Only the call of the model is without gradients.",
    {
        "@torch.no_grad()\ndef write(": "def write(",
        "        logits, caches = model(new, caches)\n": """\
        with torch.no_grad():
            logits, caches = model(new, caches)
""",
    },
)
LOSS_WITH_GRADIENTS = Right(
    "The loss may be recorded for gradients.",
    {"@torch.no_grad()\ndef text_loss(": "def text_loss("},
)
READ_WITHOUT_THE_LAST = Right(
    "The last token is not read: nothing comes after it.",
    {"model(tokens)": "model(tokens[:, :-1])", "logits[:, :-1]": "logits"},
)
STATE_DICT_ASSIGNED = Right(
    "load_state_dict puts the tensors in their places, once they fit.",
    {
        "    for name, parameter in places.items():\n" + DATA: """\
    roles = {parameter: role for role, parameter in model.named_parameters()}
    state = {roles[parameter]: weights[name] for name, parameter in places.items()}
    model.load_state_dict(state, assign=True)
"""
    },
)
ALL_SCORES_FILTERED = Right(
    "The scores of all tokens are filtered, then those of the last one are taken.",
    {
        "filtered(logits[:, -1].float(), temperature, top_k, top_p, min_p)": (
            "filtered(logits.float(), temperature, top_k, top_p, min_p)[:, -1]"
        )
    },
)
