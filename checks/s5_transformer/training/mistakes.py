"""What people get wrong in s5_transformer/training.py.

Not here, on purpose:
- no warm-up at all, other optimizers: the code that trains decides them;
- other spreads of label smoothing: the paper does not say (they stand in rights.py);
- padding with the wrong id, targets without bos or eos: code outside this step makes batches;
- a schedule with a step per epoch: code outside this step counts steps.
"""

from checks.engine.known import Mistake

WITH_TORCH = {"from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn"}
REFUSAL = """\
    if step < 1:
        raise ValueError(f"steps count from 1, got step {step}")
"""
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
LEARN = """\
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    # Let the optimizer step, and return the loss as a plain number.
    optimizer.step()
    return loss.item()
"""
CLIP = "    nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"

# Sentences of mistakes that look the same from outside.
NO_ZEROTH = (
    "Step 0 is not refused. The formula has no value there (0 to a negative power), so training "
    "stops with an error at its first step."
)
RATE_BEFORE_THE_FIRST = (
    "A step below 1 gets a rate instead of an error. If you count from 0, nothing warns you, and "
    "the whole schedule is one step late."
)
FALLS_AT_ONCE = (
    "There is no warm-up: the rate falls from the first step on. The first steps are then the "
    "largest, although the weights are still random."
)
STANDS_STILL = (
    "The weights do not move, or hardly. The order is: remove the old gradients, compute new ones "
    "with backward, then let the optimizer step."
)
TOO_LONG = (
    "The step uses gradients that were not clipped, so one odd batch can move the weights too "
    "far. Clip them after backward and before the step."
)

# The learning rate

STEP_ZERO_ALLOWED = Mistake(
    NO_ZEROTH,
    {"if step < 1:": "if step < 0:"},
)
NOTHING_REFUSED = Mistake(
    NO_ZEROTH,
    {REFUSAL: ""},
)
STEP_ZERO_MENDED = Mistake(
    RATE_BEFORE_THE_FIRST,
    {REFUSAL: "    step = max(step, 1)\n"},
)
STEP_ZERO_RATE_ZERO = Mistake(
    RATE_BEFORE_THE_FIRST,
    {REFUSAL: "    if step < 1:\n        return 0.0\n"},
)
ONLY_ZERO_REFUSED = Mistake(
    "Only step 0 is refused. Steps below 0 are impossible too: their square root is not a real "
    "number.",
    {"if step < 1:": "if step == 0:"},
)
FIRST_STEP_REFUSED = Mistake(
    "Step 1 is refused, but steps count from 1: it is the first one.",
    {"if step < 1:": "if step <= 1:"},
)
ASSERTED = Mistake(
    "A step below 1 is refused by an assert. Python with -O removes asserts, so raise a "
    "ValueError.",
    {REFUSAL: '    assert step >= 1, f"steps count from 1, got step {step}"\n'},
)
STEP_NOT_NAMED = Mistake(
    "The error does not name the step. So nobody can see which step was wrong.",
    {'f"steps count from 1, got step {step}"': '"steps count from 1"'},
)
COUNTED_FROM_ZERO = Mistake(
    "You add 1 to the step, but steps already count from 1. The whole schedule is one step early.",
    {RATE: "    step += 1\n" + RATE},
)
FIRST_RATE_ZERO = Mistake(
    "The warm-up counts one step too few. The rate of the first step is 0, so nothing is learned "
    "in it.",
    {"step * warmup_steps**-1.5": "(step - 1) * warmup_steps**-1.5"},
)
MAX_FOR_MIN = Mistake(
    "The rate is the larger of the two curves instead of the smaller. It begins at its highest "
    "value, and later it grows without end.",
    {"min(step**": "max(step**"},
)
NO_WARMUP = Mistake(
    FALLS_AT_ONCE,
    {RATE: "    return dim_vector**-0.5 * step**-0.5\n"},
)
NO_DECAY = Mistake(
    "The rate grows for ever. After the warm-up it should fall with the square root of the step.",
    {RATE: "    return dim_vector**-0.5 * step * warmup_steps**-1.5\n"},
)
PLATEAU = Mistake(
    "After the warm-up the rate stays at its peak. It should fall with the square root of the "
    "step.",
    {"min(step**-0.5": "min(warmup_steps**-0.5"},
)
WARMUP_ROOT = Mistake(
    "The exponent of warmup_steps is -1/2 instead of -3/2. The warm-up is far too short, and the "
    "two curves do not cross at warmup_steps.",
    {"warmup_steps**-1.5": "warmup_steps**-0.5"},
)
WARMUP_WHOLE = Mistake(
    "The exponent of warmup_steps is -1 instead of -3/2. The two curves do not cross at "
    "warmup_steps.",
    {"warmup_steps**-1.5": "warmup_steps**-1"},
)
WARMUP_ROUNDED = Mistake(
    "The exponent of warmup_steps is -2 instead of -3/2: -3 // 2 rounds down. The peak comes far "
    "too late.",
    {"warmup_steps**-1.5": "warmup_steps ** (-3 // 2)"},
)
WARMUP_POSITIVE = Mistake(
    FALLS_AT_ONCE,
    {"warmup_steps**-1.5": "warmup_steps**1.5"},
)
WHOLE_SHARES = Mistake(
    "The quotient of step and warmup_steps is rounded down to a whole number. The rate is then 0 "
    "until warmup_steps.",
    {
        RATE: "    share = step // warmup_steps\n    return dim_vector**-0.5 * "
        "min(step**-0.5, share * warmup_steps**-0.5)\n"
    },
)
FALLS_TOO_FAST = Mistake(
    "After the warm-up the rate falls with the step itself instead of its square root. That is "
    "far too fast.",
    {"min(step**-0.5": "min(step**-1"},
)
ROOT_NOT_INVERTED = Mistake(
    "The exponent of the step is 1/2 instead of -1/2, so the rate never falls.",
    {"min(step**-0.5": "min(step**0.5"},
)
NO_WIDTH = Mistake(
    "The factor with dim_vector is missing. Wider models need smaller steps, but here dim_vector "
    "has no effect.",
    {"return dim_vector**-0.5 * min": "return min"},
)
WIDTH_ROOT_NOT_INVERTED = Mistake(
    "The rate grows with the square root of dim_vector. It should shrink with it, because wider "
    "models need smaller steps.",
    {"dim_vector**-0.5": "dim_vector**0.5"},
)
WIDTH_WITHOUT_ROOT = Mistake(
    "The rate is divided by dim_vector itself instead of its square root, so it is far too small.",
    {"dim_vector**-0.5": "dim_vector**-1"},
)
WIDTH_INSIDE = Mistake(
    "The factor with dim_vector applies to only one of the two curves, so they no longer cross at "
    "warmup_steps.",
    {"return dim_vector**-0.5 * min(step": "return min(dim_vector**-0.5 * step"},
)
WIDTH_AS_POWER = Mistake(
    "The whole product is the exponent of dim_vector. Only -0.5 belongs in the exponent.",
    {RATE: "    return dim_vector ** (-0.5 * min(step**-0.5, step * warmup_steps**-1.5))\n"},
)
WIDTH_AND_WARMUP_SWAPPED = Mistake(
    "dim_vector and warmup_steps are swapped.",
    {RATE: "    return warmup_steps**-0.5 * min(step**-0.5, step * dim_vector**-1.5)\n"},
)
ANOTHER_FACTOR = Mistake(
    "The rate is multiplied by another small factor. The formula already is the learning rate; "
    "with a factor of 1e-4, almost nothing is learned.",
    {"return dim_vector**-0.5": "return 1e-4 * dim_vector**-0.5"},
    seen="harvardnlp/annotated-transformer (a3f2996: 1e-4 became 1.0)",
)
RATE_AS_TENSOR = Mistake(
    "The rate is returned as a tensor. The optimizer needs a plain number.",
    {
        **WITH_TORCH,
        RATE: "    rate = dim_vector**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)\n"
        "    return torch.tensor(rate)\n",
    },
)

# The loss

PADDING_COUNTED = Mistake(
    "Padding counts in the loss. If most targets are padding, the model learns that the answer "
    "'padding' is almost always right.",
    {"        ignore_index=pad_idx,\n": ""},
    seen="lucidrains/DALLE-pytorch#57",
)
PADDING_IS_ZERO = Mistake(
    "Token 0 is always treated as padding, and pad_idx is ignored. In another vocabulary, token 0 "
    "is a word.",
    {"ignore_index=pad_idx": "ignore_index=0"},
)
ONLY_PADDING = Mistake(
    "The mask is inverted: padding counts in the loss, and the words do not.",
    {
        LOSS: """\
    rows = F.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        label_smoothing=label_smoothing,
        reduction="none",
    )
    return rows[targets.flatten() == pad_idx].sum() / (targets != pad_idx).sum()
"""
    },
)
LOGITS_ZEROED = Mistake(
    "The logits at padding are set to 0 instead of being left out. Equal logits are a prediction "
    "too, and their loss still counts.",
    {
        LOSS: """\
    scores = logits * (targets != pad_idx)[..., None]
    return F.cross_entropy(
        scores.flatten(0, 1), targets.flatten(), label_smoothing=label_smoothing
    )
"""
    },
)
PADDING_NEVER_SCORED = Mistake(
    "The logit of the padding token is removed for every target. Leave out only the targets that "
    "are padding; the model must learn not to predict padding.",
    {
        LOSS: """\
    scores = logits.clone()
    scores[..., pad_idx] = -1e9
    return F.cross_entropy(
        scores.flatten(0, 1),
        targets.flatten(),
        ignore_index=pad_idx,
        label_smoothing=label_smoothing,
    )
"""
    },
)
SOFTMAX_BEFORE = Mistake(
    "You apply a softmax before the cross-entropy, which contains one. Two of them make all words "
    "nearly equal, and the loss stays high.",
    {"        logits.flatten(0, 1),": "        logits.softmax(-1).flatten(0, 1),"},
    seen="bowang-lab/Transformer-GCN-QA#32",
)
SIGMOID_BEFORE = Mistake(
    "You apply a sigmoid before the cross-entropy, which contains a softmax. Together they make "
    "all words nearly equal, and the loss stays high.",
    {"        logits.flatten(0, 1),": "        logits.sigmoid().flatten(0, 1),"},
)
SOFTMAX_OVER_LENGTH = Mistake(
    "The softmax runs along the sentence instead of the vocabulary. The words should compete for "
    "a position, not the positions for a word.",
    {"        logits.flatten(0, 1),": "        logits.log_softmax(1).flatten(0, 1),"},
)
VIEW_FOR_TRANSPOSE = Mistake(
    "Vocabulary and positions are swapped by a reshape instead of a transpose. Each target is "
    "then compared with logits of other positions.",
    {
        LOSS: """\
    batch_size, length, vocab_size = logits.shape
    return F.cross_entropy(
        logits.reshape(batch_size, vocab_size, length),
        targets,
        ignore_index=pad_idx,
        label_smoothing=label_smoothing,
    )
"""
    },
)
TARGETS_LINED_UP_BY_PLACE = Mistake(
    "The logits are flattened sentence by sentence, but the targets position by position. Each "
    "target is then compared with the logits of another one.",
    {"        targets.flatten(),": "        targets.transpose(0, 1).flatten(),"},
)
SCORES_LINED_UP_BY_PLACE = Mistake(
    "The logits are flattened position by position, but the targets sentence by sentence. Each "
    "target is then compared with the logits of another one.",
    {"logits.flatten(0, 1)": "logits.transpose(0, 1).flatten(0, 1)"},
)
VIEW_OF_A_CUT = Mistake(
    "You flatten the targets with view, which needs contiguous memory. Targets that are cut from "
    "longer rows are not contiguous, so training stops with an error.",
    {"targets.flatten()": "targets.view(-1)"},
)
SHIFTED_IN_THE_LOSS = Mistake(
    "The loss shifts logits and targets against each other. The caller shifts them already: "
    "shifted twice, the model learns to predict the word after the next.",
    {LOSS: LOSS.replace("logits.", "logits[:, :-1].").replace("targets.", "targets[:, 1:].")},
)
LAST_TOKEN_ONLY = Mistake(
    "Only the last position of each sentence counts. The model should learn from every position "
    "at once.",
    {
        LOSS: LOSS.replace("logits.flatten(0, 1)", "logits[:, -1]").replace(
            "targets.flatten()", "targets[:, -1]"
        )
    },
)
SUM = Mistake(
    "The loss is the sum over all tokens instead of their mean. It then grows with the batch, and "
    "so do the steps.",
    {LOSS: LOSS.replace("    )\n", '        reduction="sum",\n    )\n')},
)
NOT_REDUCED = Mistake(
    "There is one loss for each token. Return their mean: training needs a single number.",
    {LOSS: LOSS.replace("    )\n", '        reduction="none",\n    )\n')},
)
MEAN_OVER_ALL_PLACES = Mistake(
    "The sum is divided by the number of all positions, padding included. The same words then "
    "count less if there is more padding.",
    {LOSS: LOSS.replace("    )\n", '        reduction="sum",\n    ) / targets.numel()\n')},
)
MEAN_OVER_SENTENCES = Mistake(
    "The sum is divided by the number of sentences instead of words, so longer sentences give a "
    "larger loss.",
    {LOSS: LOSS.replace("    )\n", '        reduction="sum",\n    ) / len(targets)\n')},
)
MEAN_OF_SENTENCE_MEANS = Mistake(
    "You take the mean of each sentence first, and then the mean of these. A word of a short "
    "sentence then counts more than one of a long sentence.",
    {
        LOSS: """\
    means = [
        F.cross_entropy(
            row, wanted, ignore_index=pad_idx, label_smoothing=label_smoothing
        )
        for row, wanted in zip(logits, targets)
        if (wanted != pad_idx).any()
    ]
    return sum(means) / len(means)
"""
    },
    seen="hyunwoongko/transformer, bentrevett/pytorch-seq2seq (of batches)",
)
SIGN = Mistake(
    "The sign is wrong: the loss is lowest when the right words are least likely.",
    {"return F.cross_entropy(": "return -F.cross_entropy("},
)
NO_LOGARITHM = Mistake(
    "The logarithm is missing: the loss is made of probabilities. A nearly impossible word then "
    "costs hardly more than an unlikely one.",
    {
        LOSS: """\
    return F.nll_loss(
        logits.softmax(-1).flatten(0, 1), targets.flatten(), ignore_index=pad_idx
    )
"""
    },
)
NO_SOFTMAX = Mistake(
    "The softmax is missing: raw logits are used as logarithms of probabilities. The model can "
    "then lower the loss for ever by raising all logits.",
    {
        LOSS: "    return F.nll_loss(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_idx)\n"
    },
)
PERPLEXITY = Mistake(
    "You return the perplexity, the exponential of the loss. The model learns from the "
    "cross-entropy itself.",
    {LOSS: LOSS.replace("    )\n", "    ).exp()\n")},
)
BITS = Mistake(
    "The logarithm has base 2. The cross-entropy uses the natural logarithm.",
    {LOSS: LOSS.replace("    )\n", "    ) / 0.6931471805599453\n")},
)
SQUARED_ERROR = Mistake(
    "The loss is a squared distance between probabilities. If the model is sure and wrong, its "
    "gradient is almost 0, so nothing is learned.",
    {
        LOSS: """\
    wanted = F.one_hot(targets, logits.size(-1)).to(logits.dtype)
    real = targets != pad_idx
    return ((logits.softmax(-1) - wanted) ** 2).sum(-1)[real].mean()
"""
    },
)
LOSS_DETACHED = Mistake(
    "The loss is detached from the logits. No gradient reaches the model, so nothing can be "
    "learned.",
    {LOSS: LOSS.replace("    )\n", "    ).detach()\n")},
)
LOSS_AS_NUMBER = Mistake(
    "The loss becomes a plain number too early. Without the tensor there is no gradient, so "
    "nothing can be learned.",
    {LOSS: LOSS.replace("    )\n", "    ).item()\n")},
)
NOT_SMOOTHED = Mistake(
    "label_smoothing is never used: each target keeps probability 1.",
    {"        label_smoothing=label_smoothing,\n": ""},
)
SMOOTHED_ALWAYS = Mistake(
    "The labels are always smoothed by the same amount, and label_smoothing is ignored.",
    {"        label_smoothing=label_smoothing,": "        label_smoothing=0.1,"},
)
SMOOTHED_INVERSELY = Mistake(
    "label_smoothing is used as the probability that the target keeps. It is the probability that "
    "is spread over the vocabulary: with 0 the target keeps everything.",
    {"        label_smoothing=label_smoothing,": "        label_smoothing=1 - label_smoothing,"},
)
SMOOTHED_ON_TOP = Mistake(
    "The smoothed part is added but not taken from the target. The wanted probabilities then sum "
    "to more than 1.",
    {
        LOSS: """\
    log_p = logits.log_softmax(-1)
    real = targets != pad_idx
    loss = F.nll_loss(log_p.flatten(0, 1), targets.flatten(), ignore_index=pad_idx)
    return loss - label_smoothing * log_p.mean(-1)[real].mean()
"""
    },
)
SMOOTHED_PER_WORD = Mistake(
    "Every word of the vocabulary gets the whole label_smoothing. It should be divided among all "
    "words.",
    {
        LOSS: """\
    log_p = logits.log_softmax(-1)
    real = targets != pad_idx
    loss = F.nll_loss(log_p.flatten(0, 1), targets.flatten(), ignore_index=pad_idx)
    return (1 - label_smoothing) * loss - label_smoothing * log_p.sum(-1)[real].mean()
"""
    },
)
PADDING_SMOOTHED = Mistake(
    "Padding is left out of the loss, but not of its smoothed part. If the target is padding, "
    "nothing should be learned.",
    {
        LOSS: """\
    log_p = logits.log_softmax(-1)
    loss = F.nll_loss(log_p.flatten(0, 1), targets.flatten(), ignore_index=pad_idx)
    return (1 - label_smoothing) * loss - label_smoothing * log_p.mean()
"""
    },
    seen="k-tahiro/bert-summarizer#41",
)
SCORES_OVERWRITTEN = Mistake(
    "The logits are changed in place. Code that uses them later gets wrong numbers.",
    {LOSS: "    logits -= logits.amax(-1, keepdim=True)\n" + LOSS},
)
TARGETS_OVERWRITTEN = Mistake(
    "The padding in the targets is overwritten in place. Code that uses the targets later finds "
    "no padding there.",
    {
        LOSS: "    targets[targets == pad_idx] = -100\n"
        + LOSS.replace("        ignore_index=pad_idx,\n", "")
    },
)

# The step: inputs and targets

NO_SHIFT = Mistake(
    "The model reads the very word that it should predict, so it only learns to copy. Input and "
    "targets must be one token apart.",
    {"model(src, trg[:, :-1])": "model(src, trg)", "trg[:, 1:], model": "trg, model"},
    seen="Project-MONAI/GenerativeModels#314",
)
BOTH_WITHOUT_END = Mistake(
    "Input and targets both lack the last token. The model reads the very word that it should "
    "predict, so it only learns to copy.",
    {"trg[:, 1:], model": "trg[:, :-1], model"},
)
BOTH_WITHOUT_START = Mistake(
    "Input and targets both lack the start token. The model reads the very word that it should "
    "predict, and it never learns how to begin.",
    {"model(src, trg[:, :-1])": "model(src, trg[:, 1:])"},
)
SHIFTED_BACKWARDS = Mistake(
    "The shift goes the wrong way: the input lacks the first token and the targets lack the last. "
    "The model learns to predict the word before.",
    {
        "model(src, trg[:, :-1])": "model(src, trg[:, 1:])",
        "trg[:, 1:], model": "trg[:, :-1], model",
    },
    seen="bentrevett/pytorch-seq2seq#46",
)
ROLLED = Mistake(
    "The targets are rolled instead of cut. The start token moves to the end, and the model must "
    "predict it after the last word.",
    {"model(src, trg[:, :-1])": "model(src, trg)", "trg[:, 1:], model": "trg.roll(-1, 1), model"},
)
SHIFTED_BY_TWO = Mistake(
    "Input and targets are two tokens apart, so the model learns to predict the word after the "
    "next.",
    {"trg[:, 1:], model": "F.pad(trg[:, 2:], (0, 1), value=model.trg_pad_idx), model"},
)
SENTENCES_CUT = Mistake(
    "You cut the batch axis: the input lacks one sentence and the targets another. Cut the second "
    "axis, where the tokens are.",
    {"trg[:, :-1]": "trg[:-1]", "trg[:, 1:], model": "trg[1:], model"},
)
SOURCE_SHIFTED = Mistake(
    "The source loses its last token too. The source is only read, never predicted, so keep all "
    "of it.",
    {"model(src, trg[:, :-1])": "model(src[:, :-1], trg[:, :-1])"},
)
SOURCE_AND_TARGET_SWAPPED = Mistake(
    "Source and target are passed to the model in the wrong order.",
    {"model(src, trg[:, :-1])": "model(trg[:, :-1], src)"},
)
PADDING_OF_THE_SOURCE = Mistake(
    "The loss gets the padding index of the source. Targets may have another one, and the "
    "source's may be a word there.",
    {"model.trg_pad_idx, label": "model.src_pad_idx, label"},
    seen="hyunwoongko/transformer",
)
PADDING_OF_THE_STEP_IS_ZERO = Mistake(
    "The loss always treats token 0 as padding. Padding is model.trg_pad_idx, and token 0 may be "
    "a word.",
    {"model.trg_pad_idx, label": "0, label"},
)
STEP_NOT_SMOOTHED = Mistake(
    "label_smoothing is not passed to the loss, so no target is ever smoothed.",
    {"model.trg_pad_idx, label_smoothing)": "model.trg_pad_idx)"},
)
STEP_SMOOTHED_ALWAYS = Mistake(
    "train_step always smooths by the same amount, and its label_smoothing is ignored.",
    {"model.trg_pad_idx, label_smoothing)": "model.trg_pad_idx, 0.1)"},
)
STEP_SMOOTHED_UNASKED = Mistake(
    "train_step smooths the labels by default. Its default for label_smoothing should be 0.",
    {
        "    trg: Tensor,\n    label_smoothing: float = 0.0,": """\
    trg: Tensor,
    label_smoothing: float = 0.1,"""
    },
)
STEP_SOFTMAX = Mistake(
    "The logits go through a softmax before the loss, which contains one. Two of them make all "
    "words nearly equal, and the loss stays high.",
    {"sequence_loss(logits, trg": "sequence_loss(logits.softmax(-1), trg"},
)

# The step: mode

NO_TRAIN_MODE = Mistake(
    "The model is not put into train mode. If it comes in eval mode, for example after a "
    "translation, it learns without dropout.",
    {"    model.train()\n": ""},
)
EVAL_MODE = Mistake(
    "The model learns in eval mode. Nothing is dropped, so it overfits more easily.",
    {"    model.train()\n": "    model.eval()\n"},
)
LOSS_OF_EVAL_MODE = Mistake(
    "You return another loss than the one the optimizer stepped on: the batch is read once more, "
    "in eval mode.",
    {
        "    return loss.item()": """\
    model.eval()
    after = model(src, trg[:, :-1])
    return sequence_loss(after, trg[:, 1:], model.trg_pad_idx, label_smoothing).item()"""
    },
)
TRAIN_MODE_TOO_LATE = Mistake(
    "The model is put into train mode only after it has read the batch. It reads the first batch "
    "in the mode in which it came.",
    {READ: "    logits = model(src, trg[:, :-1])\n    model.train()\n"},
)
MODE_OF_THE_WHOLE_ONLY = Mistake(
    "Only the model itself is marked as training, not the layers in it. Dropout acts in those "
    "layers.",
    {"    model.train()\n": "    model.training = True\n"},
)

# The step: gradients

NO_ZERO_GRAD = Mistake(
    "Old gradients are never removed. PyTorch adds new ones to them, so every step also follows "
    "all earlier batches.",
    {"    optimizer.zero_grad()\n": ""},
)
ZERO_GRAD_TOO_LATE = Mistake(
    STANDS_STILL,
    {
        "    optimizer.zero_grad()\n    loss.backward()\n": "    loss.backward()\n"
        "    optimizer.zero_grad()\n"
    },
)
ZERO_GRAD_BEFORE_THE_STEP = Mistake(
    STANDS_STILL,
    {
        "    optimizer.zero_grad()\n": "",
        "    optimizer.step()\n": "    optimizer.zero_grad()\n    optimizer.step()\n",
    },
)
ZERO_GRAD_ONLY_AFTER = Mistake(
    "Gradients are removed only after the step. Old gradients that the model already has still "
    "move its weights.",
    {
        "    optimizer.zero_grad()\n": "",
        "    optimizer.step()\n": "    optimizer.step()\n    optimizer.zero_grad()\n",
    },
)
STEP_BEFORE_BACKWARD = Mistake(
    STANDS_STILL,
    {
        LEARN: """\
    optimizer.zero_grad()
    optimizer.step()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    return loss.item()
"""
    },
)
STEP_ON_OLD_GRADIENTS = Mistake(
    "The optimizer steps before the new gradients are computed. Each step then follows the batch "
    "before.",
    {
        LEARN: """\
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    return loss.item()
"""
    },
)
NO_BACKWARD = Mistake(
    STANDS_STILL,
    {"    loss.backward()\n": ""},
)
NO_STEP = Mistake(
    STANDS_STILL,
    {"    optimizer.step()\n": ""},
)
TWO_STEPS = Mistake(
    "The optimizer steps twice on the same gradients.",
    {"    optimizer.step()\n": "    optimizer.step()\n    optimizer.step()\n"},
)
UPHILL = Mistake(
    "The step follows the gradient of the negative loss, so the loss grows.",
    {"loss.backward()": "(-loss).backward()"},
)
LOSS_TIMES_BATCH = Mistake(
    "The gradient is that of the loss times the number of sentences. Larger batches then make "
    "larger steps.",
    {"loss.backward()": "(loss * len(src)).backward()"},
)
BACKWARD_TWICE = Mistake(
    "backward runs twice and its gradients add up, so they are twice as large.",
    {"loss.backward()": "loss.backward(retain_graph=True)\n    loss.backward()"},
)
ENCODER_CUT_OFF = Mistake(
    "The encoder's output is detached. No gradient reaches the encoder, so it never learns.",
    {
        "    logits = model(src, trg[:, :-1])\n": """\
    encoder_output, src_mask = model.encode(src)
    logits = model.decode(trg[:, :-1], encoder_output.detach(), src_mask)
"""
    },
)
LOGITS_CUT_OFF = Mistake(
    "The logits are detached from the model before the loss, so no gradient can be computed.",
    {"sequence_loss(logits, trg": "sequence_loss(logits.detach(), trg"},
)
NO_STEP_FOR_SMALL_LOSSES = Mistake(
    "The optimizer does not step if the loss is small, so the rest is never learned. Every batch "
    "should make a step.",
    {"    optimizer.step()\n": "    if loss > 0.5:\n        optimizer.step()\n"},
)
OWN_STEP = Mistake(
    "The weights are moved by hand. The optimizer must decide how to use the gradients and how "
    "far to move.",
    {
        "    optimizer.step()\n": """\
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.data -= 0.01 * parameter.grad
"""
    },
)

# The step: clipping

NOT_CLIPPED = Mistake(
    TOO_LONG,
    {CLIP: ""},
)
CLIPPED_BEFORE_BACKWARD = Mistake(
    TOO_LONG,
    {
        "    loss.backward()\n" + CLIP: CLIP + "    loss.backward()\n",
    },
)
CLIPPED_AFTER_STEP = Mistake(
    TOO_LONG,
    {CLIP: "", "    optimizer.step()\n": "    optimizer.step()\n" + CLIP},
)
CLIPPED_ONE_BY_ONE = Mistake(
    "The gradient of each parameter is clipped by itself, which changes the direction of the "
    "step. Clip the norm of all gradients together.",
    {
        CLIP: """\
    for parameter in model.parameters():
        nn.utils.clip_grad_norm_(parameter, max_norm)
"""
    },
)
CLIPPED_BY_VALUE = Mistake(
    "Each entry of the gradients is clipped by itself, which changes the direction of the step. "
    "Clipping the norm only makes the step shorter.",
    {"nn.utils.clip_grad_norm_": "nn.utils.clip_grad_value_"},
)
CLIPPED_AT_ONE = Mistake(
    "The gradients are always clipped to a norm of 1, and max_norm is ignored.",
    {"model.parameters(), max_norm)": "model.parameters(), 1.0)"},
)
CLIPPED_AT_FIVE = Mistake(
    "The default of max_norm is wrong. It should be 1.",
    {"max_norm: float = 1.0": "max_norm: float = 5.0"},
)
CLIPPED_BY_SUM = Mistake(
    "The gradients are measured by the sum of their absolute values. max_norm limits the L2 norm: "
    "the square root of the sum of squares.",
    {"model.parameters(), max_norm)": "model.parameters(), max_norm, norm_type=1)"},
)
CLIPPED_BY_LARGEST = Mistake(
    "The gradients are measured by their largest entry. max_norm limits the L2 norm: the square "
    "root of the sum of squares.",
    {"model.parameters(), max_norm)": 'model.parameters(), max_norm, norm_type=float("inf"))'},
)
CLIPPED_BY_SQUARE = Mistake(
    "The square root is missing: max_norm is compared with the sum of squares instead of the norm.",
    {
        CLIP: """\
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = sum((gradient**2).sum() for gradient in gradients)
    for gradient in gradients:
        gradient *= (max_norm / norm).clamp(max=1)
"""
    },
)
ALWAYS_SCALED = Mistake(
    "The gradients are always scaled to max_norm, even short ones. Clipping should only shorten "
    "gradients that are too long.",
    {
        CLIP: """\
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    for gradient in gradients:
        gradient *= max_norm / norm
"""
    },
)
CLIPPED_IN_PART = Mistake(
    "Only the gradients of some parameters are clipped. All gradients together have one norm, and "
    "all are scaled by the same factor.",
    {
        CLIP: """\
    nn.utils.clip_grad_norm_(list(model.parameters())[-1], max_norm)
"""
    },
)
WEIGHTS_CLIPPED = Mistake(
    "The weights themselves are clipped, not their gradients.",
    {
        CLIP: """\
    for parameter in model.parameters():
        parameter.data.clamp_(-max_norm, max_norm)
"""
    },
)

# The step: what is returned

LOSS_AS_TENSOR = Mistake(
    "The loss is returned as a tensor. If it is kept in a list, all that it was computed from "
    "stays in memory, batch after batch.",
    {"return loss.item()": "return loss"},
)
LOSS_AS_DETACHED_TENSOR = Mistake(
    "The loss is returned as a detached tensor. Return a plain number.",
    {"return loss.item()": "return loss.detach()"},
)
LOSS_AFTER_THE_STEP = Mistake(
    "The loss is computed again after the step. Return the loss that the step was made on, "
    "without reading the batch twice.",
    {
        "    return loss.item()\n": """\
    logits = model(src, trg[:, :-1])
    return sequence_loss(logits, trg[:, 1:], model.trg_pad_idx, label_smoothing).item()
"""
    },
)
LOSS_UNSMOOTHED = Mistake(
    "You return the loss without smoothing. Return the loss that the step was made on.",
    {
        "    return loss.item()\n": """\
    return sequence_loss(logits, trg[:, 1:], model.trg_pad_idx).item()
"""
    },
)
LOSS_SUMMED = Mistake(
    "You return the loss times the number of words. Return the mean.",
    {
        "    return loss.item()\n": """\
    return loss.item() * int((trg[:, 1:] != model.trg_pad_idx).sum())
"""
    },
)
NORM_RETURNED = Mistake(
    "You return the norm of the gradients instead of the loss.",
    {CLIP: "    loss = nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"},
)
PERPLEXITY_RETURNED = Mistake(
    "You return the perplexity, the exponential of the loss, instead of the loss.",
    {"return loss.item()": "return loss.exp().item()"},
)
LOSS_NOT_RETURNED = Mistake(
    "The loss is not returned, so nobody sees whether the model learns.",
    {"    return loss.item()\n": ""},
)
DIVIDED_BY_MAX_NORM = Mistake(
    "Every gradient is divided by max_norm. Clipping leaves short gradients alone, and it scales "
    "long ones to a common norm of max_norm.",
    {
        "nn.utils.clip_grad_norm_(model.parameters(), max_norm)": """\
for parameter in model.parameters():
        parameter.grad /= max_norm"""
    },
)
WANTED_TURNED = Mistake(
    "The targets lack the last token and are then rolled, so the first token must be predicted at "
    "the end. The end token is never learned.",
    {"trg[:, 1:], model": "trg[:, :-1].roll(-1, 1), model"},
)
HALF_SMOOTHED = Mistake(
    "Only half of label_smoothing is spread over the vocabulary.",
    {
        "        label_smoothing=label_smoothing,\n": "        label_smoothing=label_smoothing / 2,\n"
    },
)
BATCH_OVERWRITTEN = Mistake(
    "The padding of the batch is overwritten. Code that uses the batch later finds no padding "
    "there.",
    {
        "    return loss.item()": """\
    trg[trg == model.trg_pad_idx] = -100
    return loss.item()"""
    },
)
DECODER_CLIPPED = Mistake(
    "Only the gradients of the decoder are clipped. The norm is that of all gradients together, "
    "and all are scaled by the same factor.",
    {
        "nn.utils.clip_grad_norm_(model.parameters()": "nn.utils.clip_grad_norm_(model.decoder.parameters()"
    },
)
SHARED_CLIPPED_TWICE = Mistake(
    "The parameters of encoder and decoder are clipped as one list. A shared parameter, such as "
    "one table for both, counts twice and is scaled twice.",
    {
        "nn.utils.clip_grad_norm_(model.parameters()": """\
both = [*model.encoder.parameters(), *model.decoder.parameters()]
    nn.utils.clip_grad_norm_(both"""
    },
)
LOGSUMEXP_OF_THE_WHOLE_BATCH = Mistake(
    "You subtract the largest logit of the whole batch before exp. Tokens with much smaller "
    "logits then have no probability left: subtract each token's own largest logit.",
    {
        LOSS: """\
    scores = logits.flatten(0, 1)
    scores = scores - scores.max()
    log_p = scores - scores.exp().sum(dim=-1, keepdim=True).log()
    return F.cross_entropy(
        log_p, targets.flatten(), ignore_index=pad_idx, label_smoothing=label_smoothing
    )
"""
    },
)
PROBABILITIES_CUT_OFF = Mistake(
    "Probabilities are kept above a small number before the logarithm. Very unlikely words then "
    "cost too little, and no gradient corrects that.",
    {
        LOSS: """\
    log_p = logits.softmax(-1).clamp_min(1e-7).log().flatten(0, 1)
    return F.cross_entropy(
        log_p, targets.flatten(), ignore_index=pad_idx, label_smoothing=label_smoothing
    )
"""
    },
)
FIRST_GROUP_ZEROED = Mistake(
    "Old gradients are removed only in the optimizer's first group of parameters. In its other "
    "groups, gradients add up.",
    {
        "    optimizer.zero_grad()\n": """\
    for weight in optimizer.param_groups[0]["params"]:
        weight.grad = None
"""
    },
)
FIRST_GROUP_CLIPPED = Mistake(
    "Only the gradients of the optimizer's first group of parameters are clipped. The norm is "
    "that of all gradients of the model.",
    {"model.parameters(), max_norm": 'optimizer.param_groups[0]["params"], max_norm'},
)
SEEDED = Mistake(
    "The random numbers start again at every step, so dropout always drops the same entries. Seed "
    "them once, before the training.",
    {
        **WITH_TORCH,
        "    model.train()\n": "    torch.manual_seed(0)\n    model.train()\n",
    },
)
BEGINS_ANEW = (
    "The optimizer does not continue from the step before. Adam and others keep what they have "
    "seen in their state: let the given optimizer step, and keep its state."
)
STEPS_BY_HAND = Mistake(
    BEGINS_ANEW,
    {
        **WITH_TORCH,
        "    optimizer.step()\n": """\
    with torch.no_grad():
        for group in optimizer.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    weight -= group["lr"] * weight.grad
""",
    },
)
STATE_CLEARED = Mistake(
    BEGINS_ANEW, {"    optimizer.step()\n": "    optimizer.state.clear()\n    optimizer.step()\n"}
)
LOG_OF_SOFTMAX = Mistake(
    "You take the logarithm of the softmax. If a logit is far below another, the softmax is 0 in "
    "float32 and its logarithm minus infinity; log_softmax avoids that.",
    {
        LOSS: """\
    log_p = logits.softmax(dim=-1).log().flatten(0, 1)
    return F.cross_entropy(
        log_p, targets.flatten(), ignore_index=pad_idx, label_smoothing=label_smoothing
    )
"""
    },
)
LOG_OF_SOFTMAX_WRITTEN_OUT = Mistake(
    LOG_OF_SOFTMAX.says,
    {
        **WITH_TORCH,
        LOSS: """\
    log_p, real = torch.log(torch.softmax(logits, dim=-1)), targets != pad_idx
    loss = -log_p.gather(-1, targets[..., None])[..., 0]
    return ((1 - label_smoothing) * loss - label_smoothing * log_p.mean(-1))[real].mean()
""",
    },
)
EXP_OF_LARGE_SCORES = Mistake(
    "You take exp of the logits as they are; for 89 and more it is infinity in float32. Subtract "
    "the largest logit of each token first, as log_softmax does.",
    {
        LOSS: """\
    exp, real = logits.exp(), targets != pad_idx
    log_p = (exp / exp.sum(-1, keepdim=True)).log()
    loss = -log_p.gather(-1, targets[..., None])[..., 0]
    return ((1 - label_smoothing) * loss - label_smoothing * log_p.mean(-1))[real].mean()
"""
    },
)
SQUARE_OF_THE_NORM_COMPARED = Mistake(
    "You compare the sum of the squares with max_norm. The norm is its square root, and only for "
    "a max_norm of 1 the result is the same.",
    {
        CLIP: """\
    square = sum(weight.grad.square().sum() for weight in model.parameters())
    if square > max_norm:
        for weight in model.parameters():
            weight.grad.mul_(max_norm / square.sqrt())
"""
    },
)
SUM_OF_NORMS = Mistake(
    "You add up the norms of the single gradients. The norm of all together is the square root of "
    "the sum of all squares, which is smaller.",
    {
        CLIP: """\
    norm = sum(weight.grad.norm() for weight in model.parameters())
    if norm > max_norm:
        for weight in model.parameters():
            weight.grad.mul_(max_norm / norm)
"""
    },
)
SIDES_CLIPPED_APART = Mistake(
    "Encoder and decoder are clipped one after the other. The norm is that of all gradients "
    "together, and shared parameters are scaled twice.",
    {
        CLIP: """\
    nn.utils.clip_grad_norm_(model.encoder.parameters(), max_norm)
    nn.utils.clip_grad_norm_(model.decoder.parameters(), max_norm)
"""
    },
)
LEARNS_FROM_THE_SUM = Mistake(
    "The gradient is that of the sum over all tokens, although the mean is returned. More tokens "
    "then make a larger step.",
    {
        "    loss.backward()\n": """\
    (loss * (trg[:, 1:] != model.trg_pad_idx).sum()).backward()
"""
    },
)
NOT_SHIFTED = Mistake(
    "The logits at each position are compared with the token that is read there, so the model "
    "learns to repeat it. They should predict the next token.",
    {"    logits = model(src, trg[:, :-1])\n": "    logits = model(src, trg)[:, 1:]\n"},
)
SOURCE_WITHOUT_ITS_FIRST = Mistake(
    "The source is read without its first token. Read all of it: only the target is shifted.",
    {"model(src, trg[:, :-1])": "model(src[:, 1:], trg[:, :-1])"},
)
SMOOTHED_BY_DEFAULT = Mistake(
    "sequence_loss smooths the labels by default. Its default for label_smoothing should be 0.",
    {
        "pad_idx: int, label_smoothing: float = 0.0\n": "pad_idx: int, label_smoothing: float = 0.1\n"
    },
)
FALLS_WITH_THE_STEP = Mistake(
    "After the warm-up the rate falls with the step itself. It should fall with the square root "
    "of the step.",
    {
        RATE: """\
    peak = (dim_vector * warmup_steps) ** -0.5
    return peak * min(step / warmup_steps, warmup_steps / step)
"""
    },
)
RATE_LOWERED = Mistake(
    "If the gradients are too long, the optimizer's learning rate is lowered and stays low. Scale "
    "the gradients instead, separately at every step.",
    {
        CLIP: """\
    norm = nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
    for group in optimizer.param_groups:
        group["lr"] *= min(1.0, max_norm / float(norm))
"""
    },
)
UPDATE_CLIPPED = Mistake(
    "The update of the weights is shortened to max_norm instead of the gradients. The optimizer "
    "decides how far a step goes.",
    {
        CLIP: "    before = [p.detach().clone() for p in model.parameters()]\n",
        "    optimizer.step()\n": """\
    optimizer.step()
    moved = sum(float((p.detach() - old).norm()) ** 2 for p, old in zip(model.parameters(), before))
    for p, old in zip(model.parameters(), before):
        p.data = old + (p.data - old) * min(1.0, max_norm / (moved**0.5 + 1e-12))
""",
    },
)
SOURCES_SORTED = Mistake(
    "The sources are sorted by their length, but the targets are not. Sentences are then learned "
    "with the translations of others.",
    {
        "    logits = model(src, trg[:, :-1])\n": """\
    src = src[(src != model.src_pad_idx).sum(dim=1).argsort(descending=True, stable=True)]
    logits = model(src, trg[:, :-1])
"""
    },
)
DIVIDED_AFTER_THE_POWER = Mistake(
    "Python computes a power before a division: x ** -1 / 2 is half of 1 / x. The whole fraction "
    "should be the exponent.",
    {
        RATE: """\
    return dim_vector ** -1 / 2 * min(step ** -1 / 2, step * warmup_steps ** -3 / 2)
"""
    },
)
WIDTH_DIVIDED_AFTER_THE_POWER = Mistake(
    DIVIDED_AFTER_THE_POWER.says,
    {"return dim_vector**-0.5 * min": "return dim_vector ** -1 / 2 * min"},
)
STEP_DIVIDED_AFTER_THE_POWER = Mistake(
    DIVIDED_AFTER_THE_POWER.says,
    {"min(step**-0.5, ": "min(step ** -1 / 2, "},
)
WARMUP_DIVIDED_AFTER_THE_POWER = Mistake(
    DIVIDED_AFTER_THE_POWER.says,
    {"step * warmup_steps**-1.5": "step * warmup_steps ** -3 / 2"},
)
TARGETS_IN_INT8 = Mistake(
    "The targets are kept in int8, which ends at 127. In a larger vocabulary they become other "
    "words.",
    {
        "        targets.flatten(),": "        targets.flatten().to(torch.int8).long() % logits.size(-1),",
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
    },
)
LOSS_OF_512_TOKENS = Mistake(
    "Only the first 512 tokens of a sentence have a loss. A text may be longer.",
    {
        "        logits.flatten(0, 1),\n        targets.flatten(),": "        logits[:, :512].flatten(0, 1),\n        targets[:, :512].flatten(),"
    },
)
LOSS_OF_256_SENTENCES = Mistake(
    "Only the first 256 sentences of a batch have a loss. A batch may be larger.",
    {
        "        logits.flatten(0, 1),\n        targets.flatten(),": "        logits[:256].flatten(0, 1),\n        targets[:256].flatten(),"
    },
)
STEP_ON_512_TOKENS = Mistake(
    "A step reads only the first 512 tokens of a target. A text may be longer.",
    {"    model.train()\n    logits": "    model.train()\n    trg = trg[:, :512]\n    logits"},
)
NORM_OF_MISSING_GRADIENTS = Mistake(
    "You use the gradient of every parameter, but a frozen parameter has no gradient. The code "
    "then stops with an error.",
    {
        "    nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n": """\
    norm = sum((p.grad**2).sum() for p in model.parameters()) ** 0.5
    for p in model.parameters():
        p.grad *= (max_norm / norm).clamp(max=1)
"""
    },
)
FREEZES_NOTHING = Mistake(
    "Every parameter is set to learn (requires_grad), even one that was frozen on purpose.",
    {"    model.train()\n    logits": "    model.train().requires_grad_(True)\n    logits"},
)
WIDTH_AND_STEP_DIVIDED_AFTER_THE_POWER = Mistake(
    DIVIDED_AFTER_THE_POWER.says,
    {
        "return dim_vector**-0.5 * min(step**-0.5, ": "return dim_vector ** -1 / 2 * min(step ** -1 / 2, "
    },
)
TRAIN_MODE_ONCE = Mistake(
    "Train mode is set in the first step only. After a look in eval mode, the later steps learn "
    "without dropout.",
    {
        "model.train()": """\
if not getattr(model, "begun", False):
        model.train()
        model.begun = True"""
    },
)
CLIPPED_UNLESS_LONG = Mistake(
    "Very long gradients are not clipped. They need it most: the norm of all gradients together "
    "is at most max_norm, however large it was.",
    {
        CLIP: """\
    norm = sum(p.grad.square().sum() for p in model.parameters() if p.grad is not None).sqrt()
    if norm < 100:
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
"""
    },
)
NO_STEP_WHERE_LONG = Mistake(
    "A batch with a large loss or long gradients is left out. Clipping makes them short enough: "
    "every batch gives one step.",
    {
        CLIP: "    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n",
        "    optimizer.step()\n": "    if norm < 100:\n        optimizer.step()\n",
    },
)
SMOOTHED_ONLY_WITH_PADDING = Mistake(
    "Without padding among the targets, the loss is not smoothed. label_smoothing counts in every "
    "batch.",
    {
        "label_smoothing=label_smoothing,\n    )": """\
label_smoothing=label_smoothing if (targets == pad_idx).any() else 0.0,
    )"""
    },
)
LAST_TOKEN_READ = Mistake(
    "The model reads the last token of each target, too, although no score after it is used. A "
    "target of max_len + 1 tokens is then refused.",
    {"model(src, trg[:, :-1])": "model(src, trg)[:, :-1]"},
)
INPUT_NOT_CUT = Mistake(
    "The model reads all of trg, but the targets lack the start token: for each sentence there is"
    " one score too many. Let the model read trg[:, :-1].",
    {"model(src, trg[:, :-1])": "model(src, trg)"},
)
TARGETS_NOT_CUT = Mistake(
    "The targets are all of trg, but the model reads it without its last token. Compare its "
    "scores with trg[:, 1:].",
    {"trg[:, 1:], model": "trg, model"},
)
NOTHING_FLATTENED = Mistake(
    "cross_entropy takes the second axis for the words, but here that is the axis of the tokens. "
    "Join the axes of sentences and tokens first.",
    {"logits.flatten(0, 1)": "logits", "targets.flatten()": "targets"},
)
TARGETS_NOT_FLATTENED = Mistake(
    "The axes of sentences and tokens are joined in the logits, but not in the targets. Join them "
    "in both.",
    {"targets.flatten()": "targets"},
)
ALL_AXES_FLATTENED = Mistake(
    "All axes of the logits are joined, that of the words, too. Join only the first two with "
    "flatten(0, 1).",
    {"logits.flatten(0, 1)": "logits.flatten()"},
)
LOSS_ARGUMENTS_SWAPPED = Mistake(
    "The targets are passed to cross_entropy before the logits. The logits come first.",
    {
        "logits.flatten(0, 1),\n        targets.flatten(),": "targets.flatten(),\n        logits.flatten(0, 1),"
    },
)
ITEM_BEFORE_BACKWARD = Mistake(
    "item() makes a plain number of the loss before backward(), so there is no gradient. Call "
    "item() in the last line only.",
    {
        "label_smoothing)\n    # Remove": "label_smoothing).item()\n    # Remove",
        "return loss.item()": "return loss",
    },
)

FALLS_FROM_THE_WARM_UP_ON = Mistake(
    "After the warm-up the steps are counted from its end. The rate falls as 1 / sqrt(step), counted from the first step.",
    {
        "min(step**-0.5, step * warmup_steps**-1.5)": "(step * warmup_steps**-1.5 if step <= warmup_steps else (warmup_steps * (1 + step - warmup_steps)) ** -0.5)"
    },
)

IDS_BELOW_PADDING_LEFT_OUT = Mistake(
    "Targets whose ids are below that of padding do not count. Only padding is left out: targets != pad_idx.",
    {"        targets.flatten(),": "        targets.clamp(min=pad_idx).flatten(),"},
)
EVAL_MODE_AND_BACK = Mistake(
    EVAL_MODE.says,
    {
        "model.train()\n": "model.eval()\n",
        "return loss.item()": "model.train()\n    return loss.item()",
    },
)
CUT_TO_THE_SHORTEST = Mistake(
    "All targets are cut to the length of the shortest one. The ends of the longer targets are "
    "never learned.",
    {
        "    logits = model(src": """\
    trg = trg[:, : int((trg != model.trg_pad_idx).sum(dim=1).min())]
    logits = model(src"""
    },
)
SOURCE_CUT_TO_THE_SHORTEST = Mistake(
    "All sources are cut to the length of the shortest one. The model should read all of each "
    "source.",
    {
        "    logits = model(src": """\
    src = src[:, : int((src != model.src_pad_idx).sum(dim=1).min())]
    logits = model(src"""
    },
)
LOSS_OVER_BATCH = Mistake(
    "The gradient is that of the loss divided by the number of sentences. The loss is a mean "
    "already, so larger batches make smaller steps.",
    {"loss.backward()": "(loss / len(src)).backward()"},
)
LOSS_ROUNDED = Mistake(
    "The loss is rounded before it is returned. Return the loss that the step was made on, with "
    "all its digits.",
    {"return loss.item()": "return round(loss.item(), 2)"},
)
PADDED_SENTENCES_LEFT_OUT = Mistake(
    "Sentences with padding are left out of the loss. Leave out only the padding: the words before "
    "it should be learned.",
    {
        "        logits.flatten(0, 1),\n        targets.flatten(),": """\
        logits.flatten(0, 1),
        targets.where((targets != pad_idx).all(dim=1, keepdim=True), pad_idx).flatten(),"""
    },
)
PADDED_PLACES_LEFT_OUT = Mistake(
    "A position is left out of the loss for all sentences if one of them has padding there. The "
    "ends of the longer sentences are never learned.",
    {
        "        logits.flatten(0, 1),\n        targets.flatten(),": """\
        logits.flatten(0, 1),
        targets.where((targets != pad_idx).all(dim=0), pad_idx).flatten(),"""
    },
)
END_NOT_LEARNED = Mistake(
    "The last real token of each target is left out of the loss. It is the end token, and the "
    "model must learn when to stop.",
    {
        "loss = sequence_loss(logits, trg[:, 1:], model.trg_pad_idx, label_smoothing)": """\
wanted = trg[:, 1:]
    real = wanted != model.trg_pad_idx
    last = real & (real.flip(1).cumsum(dim=1).flip(1) == 1)
    wanted = wanted.masked_fill(last, model.trg_pad_idx)
    loss = sequence_loss(logits, wanted, model.trg_pad_idx, label_smoothing)"""
    },
)
