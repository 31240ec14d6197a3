"""Right in another dress: s5_transformer/training.py."""

from checks.engine.known import Right

WITH_TORCH = {"from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn"}
WITH_MATH = {"from torch import Tensor, nn": "import math\n\nfrom torch import Tensor, nn"}
RATE = "    return dim_vector**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)\n"
LOSS = """\
    return F.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        ignore_index=pad_idx,
        label_smoothing=label_smoothing,
    )
"""
READ = """\
    model.train()
    logits = model(src, trg[:, :-1])
"""
COMPARE = "    loss = sequence_loss(logits, trg[:, 1:], model.trg_pad_idx, label_smoothing)\n"
ZERO = "    optimizer.zero_grad()\n"
CLIP = "    nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"
LEARN = """\
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    # Let the optimizer step, and return the loss as a plain number.
    optimizer.step()
    return loss.item()
"""
# Rows of target probabilities, made by hand; smoothing spreads `share`.
BY_HAND = """\
    wanted = F.one_hot(targets, logits.size(-1)).to(logits.dtype)
    {share}
    share = share / share.sum(-1, keepdim=True)
    wanted = (1 - label_smoothing) * wanted + label_smoothing * share
    real = targets != pad_idx
    return {loss}
"""
ENTROPY = "-(wanted * logits.log_softmax(-1)).sum(-1)[real].mean()"

# The learning rate

WITH_ROOTS = Right(
    "The rate is written with square roots and fractions.",
    {
        **WITH_MATH,
        RATE: """\
    falling = 1 / math.sqrt(step)
    rising = step / (warmup_steps * math.sqrt(warmup_steps))
    return min(falling, rising) / math.sqrt(dim_vector)
""",
    },
)
WITH_POW = Right(
    "The rate is written with pow, its factors inside the smaller of the two.",
    {
        RATE: """\
    width = pow(dim_vector, -0.5)
    return min(width * pow(step, -0.5), width * step * pow(warmup_steps, -1.5))
"""
    },
)
TWO_BRANCHES = Right(
    "Warm-up and fall are two branches.",
    {
        RATE: """\
    if step < warmup_steps:
        return step / (dim_vector * warmup_steps**3) ** 0.5
    return (dim_vector * step) ** -0.5
"""
    },
)
PEAK_AND_SHARE = Right(
    "The peak comes first, then a factor of it.",
    {
        RATE: """\
    peak = (dim_vector * warmup_steps) ** -0.5
    return peak * min(step / warmup_steps, (warmup_steps / step) ** 0.5)
"""
    },
)
RATE_BY_TORCH = Right(
    "The rate is computed by torch, and handed back as a number.",
    {
        **WITH_TORCH,
        RATE: """\
    steps = torch.tensor([step**-0.5, step * warmup_steps**-1.5], dtype=torch.float64)
    return (dim_vector**-0.5 * steps.min()).item()
""",
    },
)
ERROR_IN_OTHER_WORDS = Right(
    "The error has other words.",
    {
        "if step < 1:": "if not step > 0:",
        'f"steps count from 1, got step {step}"': '"the first step is 1, not " + str(step)',
    },
)

# The loss

RESHAPED = Right(
    "All tokens are lined up by reshape.",
    {
        "logits.flatten(0, 1)": "logits.reshape(-1, logits.shape[-1])",
        "targets.flatten()": "targets.reshape(-1)",
    },
)
VIEW_OF_COPIES = Right(
    "All tokens are lined up by view, of targets that were copied into one piece.",
    {
        "logits.flatten(0, 1)": "logits.view(-1, logits.size(-1))",
        "targets.flatten()": "targets.view(-1)",
        "trg[:, 1:], model": "trg[:, 1:].contiguous(), model",
    },
)
IN_SINGLE_PRECISION = Right(
    "The loss is computed in float32, also for a model of another dtype.",
    {"logits.flatten(0, 1)": "logits.flatten(0, 1).float()"},
)
VOCABULARY_SECOND = Right(
    "The vocabulary is moved to the second axis, where cross_entropy expects it.",
    {"logits.flatten(0, 1)": "logits.transpose(1, 2)", "targets.flatten()": "targets"},
)
CRITERION = Right(
    "The loss is a module, made for the occasion.",
    {
        LOSS: """\
    criterion = nn.CrossEntropyLoss(ignore_index=pad_idx, label_smoothing=label_smoothing)
    return criterion(logits.permute(0, 2, 1), targets)
"""
    },
)
LOG_SOFTMAX_TWICE = Right(
    "A log_softmax goes before the cross-entropy: done twice it does nothing more.",
    {"logits.flatten(0, 1)": "logits.log_softmax(-1).flatten(0, 1)"},
)
REAL_TOKENS_PICKED = Right(
    "The real tokens are picked out first.",
    {
        LOSS: """\
    real = targets != pad_idx
    return F.cross_entropy(logits[real], targets[real], label_smoothing=label_smoothing)
"""
    },
)
UP_TO_THE_FIRST_PADDING = Right(
    "Of each target counts what comes before its first padding: none has a word behind it.",
    {
        LOSS: """\
    real = (targets != pad_idx).int().cumprod(dim=1).bool()
    return F.cross_entropy(logits[real], targets[real], label_smoothing=label_smoothing)
"""
    },
)
PADDING_RENAMED = Right(
    "Padding becomes -100, which cross_entropy leaves out by itself.",
    {
        LOSS: """\
    return F.cross_entropy(
        logits.flatten(0, 1),
        targets.masked_fill(targets == pad_idx, -100).flatten(),
        label_smoothing=label_smoothing,
    )
"""
    },
)
MASKED_MEAN = Right(
    "There is a loss for each token; the mean of the real ones is made by hand.",
    {
        LOSS: """\
    each = F.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        reduction="none",
        label_smoothing=label_smoothing,
    )
    real = (targets.flatten() != pad_idx).to(each.dtype)
    return (each * real).sum() / real.sum()
"""
    },
)
SUM_BY_COUNT = Right(
    "The sum is divided by the number of real tokens.",
    {
        LOSS: """\
    total = F.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        ignore_index=pad_idx,
        reduction="sum",
        label_smoothing=label_smoothing,
    )
    return total / (targets != pad_idx).sum()
"""
    },
)
SENTENCE_BY_SENTENCE = Right(
    "The losses of the sentences are summed up, and divided by the number of all real tokens.",
    {
        LOSS: """\
    total, count = logits.new_zeros(()), 0
    for row, wanted in zip(logits, targets):
        total = total + F.cross_entropy(
            row, wanted, ignore_index=pad_idx, reduction="sum", label_smoothing=label_smoothing
        )
        count += int((wanted != pad_idx).sum())
    return total / count
"""
    },
)
GATHERED = Right(
    "The logarithms of the targets' probabilities are gathered; smoothing takes the mean of all.",
    {
        LOSS: """\
    log_p = logits.log_softmax(dim=-1)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    each = (1 - label_smoothing) * right + label_smoothing * log_p.mean(-1)
    return -each.masked_select(targets != pad_idx).mean()
"""
    },
)
NLL = Right(
    "The loss is nll_loss of a log_softmax, and smoothing has a part of its own.",
    {
        LOSS: """\
    log_p = F.log_softmax(logits, dim=-1).flatten(0, 1)
    flat = targets.flatten()
    loss = F.nll_loss(log_p, flat, ignore_index=pad_idx)
    if label_smoothing > 0:
        even = -log_p[flat != pad_idx].mean()
        loss = (1 - label_smoothing) * loss + label_smoothing * even
    return loss
"""
    },
)
LOGSUMEXP = Right(
    "The loss is the logsumexp of all scores less the target's own.",
    {
        LOSS: """\
    whole = logits.logsumexp(-1)
    own = logits.gather(2, targets[:, :, None])[:, :, 0]
    each = whole - (1 - label_smoothing) * own - label_smoothing * logits.mean(-1)
    return each[targets != pad_idx].mean()
"""
    },
)
WANTED_PROBABILITIES = Right(
    "cross_entropy is given the wanted probabilities themselves.",
    {
        LOSS: """\
    real = targets != pad_idx
    wanted = F.one_hot(targets[real], logits.size(-1)).to(logits.dtype)
    wanted = (1 - label_smoothing) * wanted + label_smoothing / logits.size(-1)
    return F.cross_entropy(logits[real], wanted)
"""
    },
)
SPREAD_OVER_OTHERS = Right(
    "Smoothing spreads its share over the other words: the target gets none of it.",
    {LOSS: BY_HAND.format(share="share = 1 - wanted", loss=ENTROPY)},
)
SPREAD_WITHOUT_PADDING = Right(
    "Smoothing spreads its share over everything but padding.",
    {
        **WITH_TORCH,
        LOSS: BY_HAND.format(
            share="share = torch.ones_like(wanted)\n    share[..., pad_idx] = 0", loss=ENTROPY
        ),
    },
)
SPREAD_OVER_OTHER_WORDS = Right(
    "Smoothing spreads its share over the other words, padding left out.",
    {LOSS: BY_HAND.format(share="share = 1 - wanted\n    share[..., pad_idx] = 0", loss=ENTROPY)},
)
ANNOTATED = Right(
    "As in the Annotated Transformer: filled with share / (vocab_size - 2), and the divergence "
    "from it, divided by the number of words.",
    {
        **WITH_TORCH,
        LOSS: """\
    log_p, flat = logits.log_softmax(-1).flatten(0, 1), targets.flatten()
    wanted = torch.full_like(log_p, label_smoothing / (log_p.size(1) - 2))
    wanted.scatter_(1, flat.unsqueeze(1), 1 - label_smoothing)
    wanted[:, pad_idx] = 0
    wanted = wanted.masked_fill((flat == pad_idx).unsqueeze(1), 0.0)
    return F.kl_div(log_p, wanted.detach(), reduction="sum") / (flat != pad_idx).sum()
""",
    },
)
DIVERGENCE = Right(
    "The loss is the divergence from the smoothed labels: less their entropy, which no gradient "
    "depends on.",
    {
        **WITH_TORCH,
        LOSS: BY_HAND.format(
            share="share = torch.ones_like(wanted)",
            loss='F.kl_div(logits.log_softmax(-1)[real], wanted[real], reduction="batchmean")',
        ),
    },
)

# The step

MODEL_FORWARD = Right(
    "forward is called by its name.", {"model(src, trg[:, :-1])": "model.forward(src, trg[:, :-1])"}
)
ENCODE_AND_DECODE = Right(
    "The model's halves are called one after the other.",
    {"model(src, trg[:, :-1])": "model.decode(trg[:, :-1], *model.encode(src))"},
)
CUT_BY_LENGTH = Right(
    "Read and wanted are cut by narrow.",
    {
        "model(src, trg[:, :-1])": "model(src, trg.narrow(1, 0, trg.size(1) - 1))",
        "trg[:, 1:], model": "trg.narrow(1, 1, trg.size(1) - 1), model",
    },
)
ZERO_GRAD_FIRST = Right(
    "Old gradients go before the model reads.", {ZERO: "", READ: ZERO + READ}, mixes=True
)
ZERO_GRAD_OF_THE_MODEL = Right(
    "The model is asked to forget its gradients.", {ZERO: "    model.zero_grad()\n"}
)
GRADIENTS_NONE = Right(
    "Old gradients are set to None by hand.",
    {
        ZERO: """\
    for parameter in model.parameters():
        parameter.grad = None
"""
    },
)
GRADIENTS_ZERO = Right(
    "Old gradients are filled with zeros by the optimizer.",
    {"optimizer.zero_grad()": "optimizer.zero_grad(set_to_none=False)"},
)
ZERO_GRAD_TWICE = Right(
    "Gradients are removed before and after.",
    {"    return loss.item()\n": "    optimizer.zero_grad()\n    return loss.item()\n"},
)
GRADIENTS_ASKED_FOR = Right(
    "The gradients are asked for one by one and hung on the parameters.",
    {
        **WITH_TORCH,
        "    optimizer.zero_grad()\n    loss.backward()\n": """\
    parameters = [p for p in model.parameters() if p.requires_grad]
    gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = gradient
""",
    },
)
CLIPPED_BY_HAND = Right(
    "The gradients are clipped by hand.",
    {
        CLIP: """\
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    if norm > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / norm)
"""
    },
)
CLIPPED_IN_THE_OPTIMIZER = Right(
    "Clipped are the parameters that the optimizer holds, by a norm of norms.",
    {
        **WITH_TORCH,
        CLIP: """\
    held = [p for group in optimizer.param_groups for p in group["params"]]
    gradients = [p.grad for p in held if p.grad is not None]
    norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
    for gradient in gradients:
        gradient *= (max_norm / (norm + 1e-6)).clamp(max=1.0)
""",
    },
)
CLIPPED_IF_ASKED = Right(
    "The gradients are clipped with every argument by name, where max_norm is above 0.",
    {
        CLIP: """\
    if max_norm > 0:
        nn.utils.clip_grad_norm_(parameters=model.parameters(), max_norm=max_norm, norm_type=2.0)
"""
    },
)
SENTENCE_AFTER_SENTENCE = Right(
    "The gradients of the sentences are added up, each by its share of the tokens.",
    {
        "    logits = model(src, trg[:, :-1])\n": "",
        COMPARE: "",
        LEARN: """\
    optimizer.zero_grad()
    whole, loss = (trg[:, 1:] != model.trg_pad_idx).sum(), 0.0
    for one_src, one_trg in zip(src.split(1), trg.split(1)):
        wanted = one_trg[:, 1:]
        share = (wanted != model.trg_pad_idx).sum() / whole
        logits = model(one_src, one_trg[:, :-1])
        part = share * sequence_loss(logits, wanted, model.trg_pad_idx, label_smoothing)
        part.backward()
        loss += part.item()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss
""",
    },
)
WHAT_IT_IS_GIVEN_IS_LOOKED_AT = Right(
    "The optimizer must be one of PyTorch's.",
    {ZERO: "    assert isinstance(optimizer, Optimizer)\n" + ZERO},
)
CLOSURE = Right(
    "The optimizer calls a closure that makes the gradients.",
    {
        LEARN: """\
    def closure():
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        return loss

    optimizer.step(closure)
    return loss.item()
"""
    },
)
TRAIN_MODE_BY_ARGUMENT = Right(
    "Old gradients go first, and the mode is set by an argument.",
    {
        READ: ZERO + READ.replace("train()", "train(True)"),
        "    optimizer.zero_grad()\n    loss.b": """\
    loss.b""",
    },
)
MODE_PUT_BACK = Right(
    "Afterwards the model is put back into the mode in which it came.",
    {
        "    model.train()\n": "    was_training = model.training\n    model.train()\n",
        "    return loss.item()\n": "    model.train(was_training)\n    return loss.item()\n",
    },
)
AS_FLOAT = Right(
    "The number is taken before the step, by float.",
    {
        "    loss.backward()\n": "    number = float(loss)\n    loss.backward()\n",
        "return loss.item()": "return number",
    },
)
DETACHED_ITEM = Right(
    "The loss is detached and brought home before it becomes a number.",
    {"return loss.item()": "return loss.detach().cpu().item()"},
)
