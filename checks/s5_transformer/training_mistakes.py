"""What people get wrong in s5_transformer/training.py.

Not here, on purpose:
- no warm-up at all, other optimizers: what is called with which rate is up to whoever trains;
- other spreads of label smoothing: the paper does not say (they stand in training_rights.py);
- padding filled with the wrong id, targets without bos or eos, a schedule stepped per epoch: that
  happens where batches are made and steps are counted, which is not in this step.
"""

from checks.machine.known import Mistake

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

# Sentences of mistakes that nobody can tell apart from outside.
NO_ZEROTH = (
    "Step 0 is let through. The formula has no value there (0 to a negative power), so training "
    "ends at its first step."
)
RATE_BEFORE_THE_FIRST = (
    "A step before the first gets a rate instead of an error. Whoever counts from 0 then never "
    "hears of it, and their whole schedule is one step late."
)
FALLS_AT_ONCE = (
    "There is no warm-up: the rate falls from the first step on. The first steps, made when the "
    "weights are still random, are then the largest."
)
STANDS_STILL = (
    "The weights do not move: the optimizer does not step, finds no new gradients when it does, or "
    "its rate is next to nothing. Old gradients go first, then backward makes new ones, and only "
    "then comes the step."
)
TOO_LONG = (
    "The step is made with gradients that were not clipped, so one odd batch can throw the "
    "weights far away. Before backward there is nothing to clip, and after the step it is too late."
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
    "Only step 0 is refused. Steps below it are as impossible: their root is no real number.",
    {"if step < 1:": "if step == 0:"},
)
FIRST_STEP_REFUSED = Mistake(
    "Step 1 is refused, but steps count from 1: it is the first one.",
    {"if step < 1:": "if step <= 1:"},
)
ASSERTED = Mistake(
    "A step before the first meets an assert. Asserts vanish when Python runs with -O; what a "
    "caller can get wrong is a ValueError.",
    {REFUSAL: '    assert step >= 1, f"steps count from 1, got step {step}"\n'},
)
STEP_NOT_NAMED = Mistake(
    "The error does not name the step that came, so its reader has to search for it.",
    {'f"steps count from 1, got step {step}"': '"steps count from 1"'},
)
COUNTED_FROM_ZERO = Mistake(
    "One is added to the step, but steps count from 1 already. The whole schedule is one step "
    "early.",
    {RATE: "    step += 1\n" + RATE},
)
FIRST_RATE_ZERO = Mistake(
    "The warm-up counts one step too few, so the rate of the first step is 0 and nothing is "
    "learned in it.",
    {"step * warmup_steps**-1.5": "(step - 1) * warmup_steps**-1.5"},
)
MAX_FOR_MIN = Mistake(
    "The larger of the two curves is taken, not the smaller. The rate then begins at its "
    "highest, and later grows without end.",
    {"min(step**": "max(step**"},
)
NO_WARMUP = Mistake(
    FALLS_AT_ONCE,
    {RATE: "    return dim_vector**-0.5 * step**-0.5\n"},
)
NO_DECAY = Mistake(
    "The rate grows for ever: after the warm-up it should fall with the root of the step.",
    {RATE: "    return dim_vector**-0.5 * step * warmup_steps**-1.5\n"},
)
PLATEAU = Mistake(
    "After the warm-up the rate stays at its peak, where it should fall with the root of the step.",
    {"min(step**-0.5": "min(warmup_steps**-0.5"},
)
WARMUP_ROOT = Mistake(
    "The warm-up is far too short: its steps are divided by the root of warmup_steps, not by "
    "warmup_steps to the power of 3/2, so the two curves do not meet at warmup_steps.",
    {"warmup_steps**-1.5": "warmup_steps**-0.5"},
)
WARMUP_WHOLE = Mistake(
    "The exponent of warmup_steps is -1, not -3/2, so the two curves do not meet at warmup_steps.",
    {"warmup_steps**-1.5": "warmup_steps**-1"},
)
WARMUP_ROUNDED = Mistake(
    "The exponent of warmup_steps is -2, not -3/2: -3 // 2 rounds down. The peak then comes far "
    "too late.",
    {"warmup_steps**-1.5": "warmup_steps ** (-3 // 2)"},
)
WARMUP_POSITIVE = Mistake(
    FALLS_AT_ONCE,
    {"warmup_steps**-1.5": "warmup_steps**1.5"},
)
WHOLE_SHARES = Mistake(
    "The share of the warm-up that is done is rounded to whole numbers, so the rate is 0 until "
    "warmup_steps.",
    {
        RATE: "    share = step // warmup_steps\n    return dim_vector**-0.5 * "
        "min(step**-0.5, share * warmup_steps**-0.5)\n"
    },
)
FALLS_TOO_FAST = Mistake(
    "After the warm-up the rate falls with the step itself, not with its root: far too fast.",
    {"min(step**-0.5": "min(step**-1"},
)
ROOT_NOT_INVERTED = Mistake(
    "The root of the step has lost its minus sign, so the rate never falls.",
    {"min(step**-0.5": "min(step**0.5"},
)
NO_WIDTH = Mistake(
    "The factor with dim_vector is missing. Wider models need smaller steps, and this one makes "
    "them as large as if dim_vector were 1.",
    {"return dim_vector**-0.5 * min": "return min"},
)
WIDTH_ROOT_NOT_INVERTED = Mistake(
    "The rate grows with the root of dim_vector, but it should shrink with it: wider models "
    "need smaller steps.",
    {"dim_vector**-0.5": "dim_vector**0.5"},
)
WIDTH_WITHOUT_ROOT = Mistake(
    "The rate is divided by dim_vector itself, not by its root, so it is far too small.",
    {"dim_vector**-0.5": "dim_vector**-1"},
)
WIDTH_INSIDE = Mistake(
    "The factor with dim_vector acts on one of the two curves only, so they no longer meet at "
    "warmup_steps.",
    {"return dim_vector**-0.5 * min(step": "return min(dim_vector**-0.5 * step"},
)
WIDTH_AS_POWER = Mistake(
    "The product ended up in the exponent of dim_vector: parentheses bind it there.",
    {RATE: "    return dim_vector ** (-0.5 * min(step**-0.5, step * warmup_steps**-1.5))\n"},
)
WIDTH_AND_WARMUP_SWAPPED = Mistake(
    "dim_vector and warmup_steps have changed places.",
    {RATE: "    return warmup_steps**-0.5 * min(step**-0.5, step * dim_vector**-1.5)\n"},
)
ANOTHER_FACTOR = Mistake(
    "Another small factor is multiplied in. The formula already is the learning rate; a tenth "
    "of a thousandth of it learns nothing.",
    {"return dim_vector**-0.5": "return 1e-4 * dim_vector**-0.5"},
    seen="harvardnlp/annotated-transformer (a3f2996: 1e-4 became 1.0)",
)
RATE_AS_TENSOR = Mistake(
    "The rate is handed back as a tensor. What steers the optimizer is a plain number.",
    {
        **WITH_TORCH,
        RATE: "    rate = dim_vector**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)\n"
        "    return torch.tensor(rate)\n",
    },
)

# The loss

PADDING_COUNTED = Mistake(
    "Padding counts in the loss. Where most targets are padding, the model learns that answering "
    "'padding' is almost always right.",
    {"        ignore_index=pad_idx,\n": ""},
    seen="lucidrains/DALLE-pytorch#57",
)
PADDING_IS_ZERO = Mistake(
    "Padding is taken for token 0, whatever pad_idx says. A word may have that number, and "
    "padding another one.",
    {"ignore_index=pad_idx": "ignore_index=0"},
)
ONLY_PADDING = Mistake(
    "The mask is the wrong way round: padding counts, and the words do not.",
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
    "The scores at padding are set to 0 instead of being left out. Equal scores are a guess like "
    "any other, and each of them still counts.",
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
    "The score of the padding token is thrown away for every target. To be left out are targets "
    "that are padding; the model must learn by itself not to say it.",
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
    "A softmax is applied before the cross-entropy, which contains one. Two of them flatten the "
    "scores, and the loss stays high whatever is learned.",
    {"        logits.flatten(0, 1),": "        logits.softmax(-1).flatten(0, 1),"},
    seen="bowang-lab/Transformer-GCN-QA#32",
)
SIGMOID_BEFORE = Mistake(
    "A sigmoid is applied before the cross-entropy, which contains a softmax. Both flatten the "
    "scores, and the loss stays high whatever is learned.",
    {"        logits.flatten(0, 1),": "        logits.sigmoid().flatten(0, 1),"},
)
SOFTMAX_OVER_LENGTH = Mistake(
    "The softmax runs along the sentence: the places compete for a word, where the words of the "
    "vocabulary should compete for a place.",
    {"        logits.flatten(0, 1),": "        logits.log_softmax(1).flatten(0, 1),"},
)
VIEW_FOR_TRANSPOSE = Mistake(
    "Vocabulary and places are exchanged by reading memory anew, not by a transpose. Each target "
    "is then compared with scores of other places.",
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
    "Scores are lined up sentence by sentence, targets place by place. Each target is compared "
    "with the scores of another one.",
    {"        targets.flatten(),": "        targets.transpose(0, 1).flatten(),"},
)
SCORES_LINED_UP_BY_PLACE = Mistake(
    "Scores are lined up place by place, targets sentence by sentence. Each target is compared "
    "with the scores of another one.",
    {"logits.flatten(0, 1)": "logits.transpose(0, 1).flatten(0, 1)"},
)
VIEW_OF_A_CUT = Mistake(
    "The targets are lined up by view, which needs memory in one piece. Those that are cut from "
    "longer rows are not in one piece, so it fails as soon as a model is trained.",
    {"targets.flatten()": "targets.view(-1)"},
)
SHIFTED_IN_THE_LOSS = Mistake(
    "The loss shifts scores and targets against each other. That is the caller's business: "
    "shifted twice, the model learns to say the word after the next.",
    {LOSS: LOSS.replace("logits.", "logits[:, :-1].").replace("targets.", "targets[:, 1:].")},
)
LAST_TOKEN_ONLY = Mistake(
    "Only the last place of each sentence counts. A target teaches at every place, all at once.",
    {
        LOSS: LOSS.replace("logits.flatten(0, 1)", "logits[:, -1]").replace(
            "targets.flatten()", "targets[:, -1]"
        )
    },
)
SUM = Mistake(
    "The loss is the sum over all tokens, not their mean. It then grows with the batch, and so "
    "do the steps.",
    {LOSS: LOSS.replace("    )\n", '        reduction="sum",\n    )\n')},
)
NOT_REDUCED = Mistake(
    "There is a loss for each token, where their mean is asked for: one number, to be learned "
    "from.",
    {LOSS: LOSS.replace("    )\n", '        reduction="none",\n    )\n')},
)
MEAN_OVER_ALL_PLACES = Mistake(
    "The sum is divided by the number of all places, padding included. The same words then weigh "
    "less the more padding stands beside them.",
    {LOSS: LOSS.replace("    )\n", '        reduction="sum",\n    ) / targets.numel()\n')},
)
MEAN_OVER_SENTENCES = Mistake(
    "The sum is divided by the number of sentences, not of words, so longer sentences make a "
    "larger loss.",
    {LOSS: LOSS.replace("    )\n", '        reduction="sum",\n    ) / len(targets)\n')},
)
MEAN_OF_SENTENCE_MEANS = Mistake(
    "The mean of each sentence is taken first, and then the mean of these. A word of a short "
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
    "The sign is wrong: the loss is lowest where the right words are least likely.",
    {"return F.cross_entropy(": "return -F.cross_entropy("},
)
NO_LOGARITHM = Mistake(
    "The logarithm is missing: the loss is made of probabilities. A word that is thought next to "
    "impossible then costs hardly more than an unlikely one.",
    {
        LOSS: """\
    return F.nll_loss(
        logits.softmax(-1).flatten(0, 1), targets.flatten(), ignore_index=pad_idx
    )
"""
    },
)
NO_SOFTMAX = Mistake(
    "The softmax is missing: raw scores are taken for logarithms of probabilities. The loss can "
    "fall for ever by raising all scores.",
    {
        LOSS: "    return F.nll_loss(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_idx)\n"
    },
)
PERPLEXITY = Mistake(
    "The perplexity is returned, the exponential of the loss. It is read by people; what is "
    "learned from is the cross-entropy.",
    {LOSS: LOSS.replace("    )\n", "    ).exp()\n")},
)
BITS = Mistake(
    "The logarithm has base 2. The cross-entropy is made with the natural one.",
    {LOSS: LOSS.replace("    )\n", "    ) / 0.6931471805599453\n")},
)
SQUARED_ERROR = Mistake(
    "The loss is a squared distance between probabilities. Where the model is surely wrong it "
    "has next to no slope, so nothing is learned there.",
    {
        LOSS: """\
    wanted = F.one_hot(targets, logits.size(-1)).to(logits.dtype)
    real = targets != pad_idx
    return ((logits.softmax(-1) - wanted) ** 2).sum(-1)[real].mean()
"""
    },
)
LOSS_DETACHED = Mistake(
    "The loss is cut off from what it was computed from, so nothing can be learned from it.",
    {LOSS: LOSS.replace("    )\n", "    ).detach()\n")},
)
LOSS_AS_NUMBER = Mistake(
    "The loss is made a plain number too early: without the tensor nothing can be learned from it.",
    {LOSS: LOSS.replace("    )\n", "    ).item()\n")},
)
NOT_SMOOTHED = Mistake(
    "label_smoothing is never used: each target stays fully certain.",
    {"        label_smoothing=label_smoothing,\n": ""},
)
SMOOTHED_ALWAYS = Mistake(
    "The labels are smoothed by a fixed share, whatever label_smoothing says.",
    {"        label_smoothing=label_smoothing,": "        label_smoothing=0.1,"},
)
SMOOTHED_INVERSELY = Mistake(
    "label_smoothing is taken for what the target keeps. It is the share that is spread: without "
    "smoothing the target keeps everything.",
    {"        label_smoothing=label_smoothing,": "        label_smoothing=1 - label_smoothing,"},
)
SMOOTHED_ON_TOP = Mistake(
    "The share of smoothing is added, but not taken from the target: what is wanted adds up to "
    "more than 1.",
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
    "Every word of the vocabulary gets the whole share of smoothing, which they should divide "
    "between them.",
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
    "Padding is left out of the loss, but not of its smoothed part. Where the target is padding "
    "nothing at all is to be learned.",
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
    "The scores are changed in place, and are spoilt for whoever uses them later.",
    {LOSS: "    logits -= logits.amax(-1, keepdim=True)\n" + LOSS},
)
TARGETS_OVERWRITTEN = Mistake(
    "The padding in the targets is overwritten in place, and is no longer padding for whoever "
    "uses them later.",
    {
        LOSS: "    targets[targets == pad_idx] = -100\n"
        + LOSS.replace("        ignore_index=pad_idx,\n", "")
    },
)

# The step: what is read, what is wanted

NO_SHIFT = Mistake(
    "The model reads the very word that it should say. What is read and what is wanted must be "
    "one token apart, else it only learns to copy.",
    {"model(src, trg[:, :-1])": "model(src, trg)", "trg[:, 1:], model": "trg, model"},
    seen="Project-MONAI/GenerativeModels#314",
)
BOTH_WITHOUT_END = Mistake(
    "Read and wanted are both the target without its last token, so the model reads the very "
    "word that it should say.",
    {"trg[:, 1:], model": "trg[:, :-1], model"},
)
BOTH_WITHOUT_START = Mistake(
    "Read and wanted are both the target without its start token, so the model reads the very "
    "word that it should say, and never learns how to begin.",
    {"model(src, trg[:, :-1])": "model(src, trg[:, 1:])"},
)
SHIFTED_BACKWARDS = Mistake(
    "The shift goes the wrong way: the end is read, and the start is wanted. The model learns to "
    "say the word before.",
    {
        "model(src, trg[:, :-1])": "model(src, trg[:, 1:])",
        "trg[:, 1:], model": "trg[:, :-1], model",
    },
    seen="bentrevett/pytorch-seq2seq#46",
)
ROLLED = Mistake(
    "The targets are rolled, not cut, so the start token comes round to the end and is wanted "
    "there, after the last word.",
    {"model(src, trg[:, :-1])": "model(src, trg)", "trg[:, 1:], model": "trg.roll(-1, 1), model"},
)
SHIFTED_BY_TWO = Mistake(
    "Read and wanted are two tokens apart, so the model learns to say the word after the next.",
    {"trg[:, 1:], model": "F.pad(trg[:, 2:], (0, 1), value=model.trg_pad_idx), model"},
)
SENTENCES_CUT = Mistake(
    "The first axis is cut: a sentence is missing in what is read, and another in what is wanted. "
    "Tokens lie along the second axis.",
    {"trg[:, :-1]": "trg[:-1]", "trg[:, 1:], model": "trg[1:], model"},
)
SOURCE_SHIFTED = Mistake(
    "The source loses its last token, too. It is only read, never predicted, and is read whole.",
    {"model(src, trg[:, :-1])": "model(src[:, :-1], trg[:, :-1])"},
)
SOURCE_AND_TARGET_SWAPPED = Mistake(
    "Source and target are handed to the model in the wrong order.",
    {"model(src, trg[:, :-1])": "model(trg[:, :-1], src)"},
)
PADDING_OF_THE_SOURCE = Mistake(
    "The loss is told the source's padding. It looks at targets, whose padding may have another "
    "number; the source's may be a word there.",
    {"model.trg_pad_idx, label": "model.src_pad_idx, label"},
    seen="hyunwoongko/transformer",
)
PADDING_OF_THE_STEP_IS_ZERO = Mistake(
    "The loss is told that padding is 0. It is model.trg_pad_idx, and 0 may be a word.",
    {"model.trg_pad_idx, label": "0, label"},
)
STEP_NOT_SMOOTHED = Mistake(
    "label_smoothing is not handed on to the loss, so nothing is ever smoothed.",
    {"model.trg_pad_idx, label_smoothing)": "model.trg_pad_idx)"},
)
STEP_SMOOTHED_ALWAYS = Mistake(
    "The step smooths by a fixed share, whatever its label_smoothing says.",
    {"model.trg_pad_idx, label_smoothing)": "model.trg_pad_idx, 0.1)"},
)
STEP_SMOOTHED_UNASKED = Mistake(
    "Labels are smoothed although nobody asked for it: the default of train_step is 0.",
    {
        "    trg: Tensor,\n    label_smoothing: float = 0.0,": """\
    trg: Tensor,
    label_smoothing: float = 0.1,"""
    },
)
STEP_SOFTMAX = Mistake(
    "The scores go through a softmax on their way to the loss, which contains one. Two of them "
    "flatten the scores, and the loss stays high whatever is learned.",
    {"sequence_loss(logits, trg": "sequence_loss(logits.softmax(-1), trg"},
)

# The step: mode

NO_TRAIN_MODE = Mistake(
    "The model is not put into train mode. After a look at its translations it would go on in "
    "eval mode, without dropout.",
    {"    model.train()\n": ""},
)
EVAL_MODE = Mistake(
    "The model learns in eval mode, so nothing is dropped and it learns by heart.",
    {"    model.train()\n": "    model.eval()\n"},
)
TRAIN_MODE_TOO_LATE = Mistake(
    "The model is put into train mode only after it has read the batch, so the first batch is read "
    "in whatever mode the model came.",
    {READ: "    logits = model(src, trg[:, :-1])\n    model.train()\n"},
)
MODE_OF_THE_WHOLE_ONLY = Mistake(
    "Only the model itself is marked as in training, not the parts in it. Dropout stands in the "
    "parts.",
    {"    model.train()\n": "    model.training = True\n"},
)

# The step: gradients

NO_ZERO_GRAD = Mistake(
    "Old gradients are never removed. PyTorch adds new ones to them, so every step follows all "
    "batches before it as well.",
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
    "Gradients are removed only after the step. Those that the model comes with, from whatever "
    "was done before, still move it.",
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
    "The optimizer steps first, on the gradients of the batch before, and only then are new ones "
    "made. Each step is one batch late.",
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
    "The step climbs: the gradient of the negative loss is followed, so the loss grows.",
    {"loss.backward()": "(-loss).backward()"},
)
LOSS_TIMES_BATCH = Mistake(
    "The gradient is that of the loss times the number of sentences, so larger batches make "
    "larger steps.",
    {"loss.backward()": "(loss * len(src)).backward()"},
)
BACKWARD_TWICE = Mistake(
    "backward runs twice, and its gradients add up: the step is twice as long.",
    {"loss.backward()": "loss.backward(retain_graph=True)\n    loss.backward()"},
)
ENCODER_CUT_OFF = Mistake(
    "What the encoder says is cut off from its gradient, so the encoder never learns.",
    {
        "    logits = model(src, trg[:, :-1])\n": """\
    encoder_output, src_mask = model.encode(src)
    logits = model.decode(trg[:, :-1], encoder_output.detach(), src_mask)
"""
    },
)
LOGITS_CUT_OFF = Mistake(
    "The scores are cut off from the model before the loss, so no gradient can be made.",
    {"sequence_loss(logits, trg": "sequence_loss(logits.detach(), trg"},
)
NO_STEP_FOR_SMALL_LOSSES = Mistake(
    "Where the loss is small the optimizer does not step, so what is left to learn is never "
    "learned. Every batch is a step.",
    {"    optimizer.step()\n": "    if loss > 0.5:\n        optimizer.step()\n"},
)
OWN_STEP = Mistake(
    "The weights are moved by hand, by a length of its own. Which step is made of the gradients, "
    "and how long it is, is up to the optimizer.",
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
    "The gradient of each parameter is clipped for itself. That bends the direction of the step; "
    "all of them together have one norm.",
    {
        CLIP: """\
    for parameter in model.parameters():
        nn.utils.clip_grad_norm_(parameter, max_norm)
"""
    },
)
CLIPPED_BY_VALUE = Mistake(
    "Every number of the gradients is cut off at max_norm. That bends the direction of the step; "
    "clipping the norm only shortens it.",
    {"nn.utils.clip_grad_norm_": "nn.utils.clip_grad_value_"},
)
CLIPPED_AT_ONE = Mistake(
    "The gradients are clipped to a norm of 1, whatever max_norm says.",
    {"model.parameters(), max_norm)": "model.parameters(), 1.0)"},
)
CLIPPED_AT_FIVE = Mistake(
    "Where nobody says otherwise, the gradients are to be clipped to a norm of 1.",
    {"max_norm: float = 1.0": "max_norm: float = 5.0"},
)
CLIPPED_BY_SUM = Mistake(
    "The gradients are measured by the sum of their absolute numbers, where max_norm is meant for "
    "the L2 norm: the root of the sum of squares.",
    {"model.parameters(), max_norm)": "model.parameters(), max_norm, norm_type=1)"},
)
CLIPPED_BY_LARGEST = Mistake(
    "The gradients are measured by their largest number, where max_norm is meant for the L2 "
    "norm: the root of the sum of squares.",
    {"model.parameters(), max_norm)": 'model.parameters(), max_norm, norm_type=float("inf"))'},
)
CLIPPED_BY_SQUARE = Mistake(
    "The root is missing: max_norm is compared with the sum of squares, not with the norm.",
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
    "The gradients are always scaled to max_norm, short ones too. Clipping only shortens what is "
    "too long.",
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
    "Only some of the parameters have their gradients clipped. All of them together have one "
    "norm, and all are scaled alike.",
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
    "The loss is returned as a tensor. Kept in a list, it holds on to everything that it was "
    "computed from, batch after batch, until memory is full.",
    {"return loss.item()": "return loss"},
)
LOSS_AS_DETACHED_TENSOR = Mistake(
    "The loss is returned as a tensor, if a detached one. What is noted and printed is a plain "
    "number.",
    {"return loss.item()": "return loss.detach()"},
)
LOSS_AFTER_THE_STEP = Mistake(
    "The loss is computed anew after the step. To be returned is the one that the step was made "
    "on; the model need not read the batch twice.",
    {
        "    return loss.item()\n": """\
    logits = model(src, trg[:, :-1])
    return sequence_loss(logits, trg[:, 1:], model.trg_pad_idx, label_smoothing).item()
"""
    },
)
LOSS_UNSMOOTHED = Mistake(
    "What is returned is the loss without smoothing, not the one that the step was made on.",
    {
        "    return loss.item()\n": """\
    return sequence_loss(logits, trg[:, 1:], model.trg_pad_idx).item()
"""
    },
)
LOSS_SUMMED = Mistake(
    "What is returned is the loss times the number of words, where the mean is asked for.",
    {
        "    return loss.item()\n": """\
    return loss.item() * int((trg[:, 1:] != model.trg_pad_idx).sum())
"""
    },
)
NORM_RETURNED = Mistake(
    "The norm of the gradients is returned, not the loss.",
    {CLIP: "    loss = nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"},
)
PERPLEXITY_RETURNED = Mistake(
    "The perplexity is returned, the exponential of the loss, and not the loss.",
    {"return loss.item()": "return loss.exp().item()"},
)
LOSS_NOT_RETURNED = Mistake(
    "The loss is not returned, so nobody sees whether the model learns.",
    {"    return loss.item()\n": ""},
)
DIVIDED_BY_MAX_NORM = Mistake(
    "Every gradient is divided by max_norm, however long it is. Clipping leaves short gradients "
    "alone, and makes long ones, all together, just max_norm long.",
    {
        "nn.utils.clip_grad_norm_(model.parameters(), max_norm)": """\
for parameter in model.parameters():
        parameter.grad /= max_norm"""
    },
)
WANTED_TURNED = Mistake(
    "The last token that is read is wanted to be followed by the first one: the targets were cut "
    "at the end, and then turned round. The end token is never learned.",
    {"trg[:, 1:], model": "trg[:, :-1].roll(-1, 1), model"},
)
HALF_SMOOTHED = Mistake(
    "Only half of label_smoothing is spread over the vocabulary.",
    {
        "        label_smoothing=label_smoothing,\n": "        label_smoothing=label_smoothing / 2,\n"
    },
)
BATCH_OVERWRITTEN = Mistake(
    "The padding of the batch is overwritten, so the batch is spoilt for whoever uses it next.",
    {
        "    return loss.item()": """\
    trg[trg == model.trg_pad_idx] = -100
    return loss.item()"""
    },
)
DECODER_CLIPPED = Mistake(
    "Only the gradients of the decoder are clipped. The norm is that of all gradients together, "
    "and all are shortened alike.",
    {
        "nn.utils.clip_grad_norm_(model.parameters()": "nn.utils.clip_grad_norm_(model.decoder.parameters()"
    },
)
SHARED_CLIPPED_TWICE = Mistake(
    "Encoder and decoder are clipped by one list of both. What they share, such as a table of "
    "words, stands in it twice: it counts twice, and is scaled down twice.",
    {
        "nn.utils.clip_grad_norm_(model.parameters()": """\
both = [*model.encoder.parameters(), *model.decoder.parameters()]
    nn.utils.clip_grad_norm_(both"""
    },
)
LOGSUMEXP_OF_THE_WHOLE_BATCH = Mistake(
    "The largest score of the whole batch is taken off, so that exp() stays in range. Tokens whose "
    "scores are all far below it then have no probability left: take off each token's own largest.",
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
    "Probabilities are kept above a small number before the logarithm. What the model thinks least "
    "likely then costs too little, and no gradient mends it.",
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
    "Old gradients are forgotten in the optimizer's first group of parameters only. It may have "
    "several, and in the others gradients add up.",
    {
        "    optimizer.zero_grad()\n": """\
    for weight in optimizer.param_groups[0]["params"]:
        weight.grad = None
"""
    },
)
FIRST_GROUP_CLIPPED = Mistake(
    "The gradients of the optimizer's first group of parameters are clipped. It may have several: "
    "the norm is that of all of the model's.",
    {"model.parameters(), max_norm": 'optimizer.param_groups[0]["params"], max_norm'},
)
SEEDED = Mistake(
    "The random numbers begin anew at every step, so dropout drops the same places each time. "
    "They are seeded once, before the training.",
    {
        **WITH_TORCH,
        "    model.train()\n": "    torch.manual_seed(0)\n    model.train()\n",
    },
)
BEGINS_ANEW = (
    "The optimizer does not go on from the step before: the weights are moved by hand, or it is "
    "made anew, or its state is cleared. Adam and others keep what they have seen in their state; "
    "only step() of the optimizer that is given goes by it."
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
    "The logarithm is taken of the softmax. Where one score is far below another the softmax is 0 "
    "in float32, and its logarithm is minus infinity: log_softmax computes both in one.",
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
    "exp is taken of the scores as they are. Of 89 and more it is infinity in float32: the largest "
    "score of each token has to be taken off first, as log_softmax does.",
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
    "The sum of the squares is compared with max_norm. The norm is its root; for a max_norm of 1 it "
    "makes no difference, for any other it does.",
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
    "The norms of the parameters' gradients are added up. The norm of all together is the root of "
    "the sum of all squares, which is less.",
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
    "together, and what both share is shortened twice.",
    {
        CLIP: """\
    nn.utils.clip_grad_norm_(model.encoder.parameters(), max_norm)
    nn.utils.clip_grad_norm_(model.decoder.parameters(), max_norm)
"""
    },
)
LEARNS_FROM_THE_SUM = Mistake(
    "The gradient is that of the sum over all tokens, and the mean is only returned. A step is "
    "then larger, the more tokens there are.",
    {
        "    loss.backward()\n": """\
    (loss * (trg[:, 1:] != model.trg_pad_idx).sum()).backward()
"""
    },
)
NOT_SHIFTED = Mistake(
    "The scores at each place are compared with the token that is read at that place, so the model "
    "learns to repeat it. They are to say the token after it.",
    {"    logits = model(src, trg[:, :-1])\n": "    logits = model(src, trg)[:, 1:]\n"},
)
SOURCE_WITHOUT_ITS_FIRST = Mistake(
    "The source is read without its first token. It is read whole; only the target is shifted.",
    {"model(src, trg[:, :-1])": "model(src[:, 1:], trg[:, :-1])"},
)
SMOOTHED_BY_DEFAULT = Mistake(
    "sequence_loss smooths a tenth where nothing is said. Without label_smoothing no target is "
    "smoothed.",
    {
        "pad_idx: int, label_smoothing: float = 0.0\n": "pad_idx: int, label_smoothing: float = 0.1\n"
    },
)
FALLS_WITH_THE_STEP = Mistake(
    "After the warm-up the rate falls with the step itself, and should fall with its root.",
    {
        RATE: """\
    peak = (dim_vector * warmup_steps) ** -0.5
    return peak * min(step / warmup_steps, warmup_steps / step)
"""
    },
)
RATE_LOWERED = Mistake(
    "Where the gradients are too long, the optimizer's rate is lowered, and stays so. They are to be "
    "shortened themselves, each time anew.",
    {
        CLIP: """\
    norm = nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
    for group in optimizer.param_groups:
        group["lr"] *= min(1.0, max_norm / float(norm))
"""
    },
)
UPDATE_CLIPPED = Mistake(
    "It is the step of the weights that is shortened to max_norm, not the gradients. How far a step "
    "goes is the optimizer's affair.",
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
    "The sources are sorted by their length, and the targets are not: sentences are learned with "
    "the translations of others.",
    {
        "    logits = model(src, trg[:, :-1])\n": """\
    src = src[(src != model.src_pad_idx).sum(dim=1).argsort(descending=True, stable=True)]
    logits = model(src, trg[:, :-1])
"""
    },
)
