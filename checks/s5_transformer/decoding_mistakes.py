"""What people get wrong in s5_transformer/decoding.py.

Not here, on purpose:
- gradients that are recorded on the way: the tokens are the same, it only costs memory.
- the whole model run again for every token: only slow.
- the division by 6, or another base of the logarithm: they rank the hypotheses alike.
"""

from checks.machine.known import Mistake
from checks.s5_transformer.decoding_rights import BATCHED

# The mode

DROPOUT_ACTIVE = Mistake(
    "The model decodes in the mode in which it came. In train mode dropout is at work, so the "
    "same sentence is translated differently every time, and worse.",
    {"    model.eval()\n": ""},
)
TRAIN_MODE = Mistake(
    "The model is put into train mode for decoding. Dropout is then at work, so the same sentence "
    "is translated differently every time, and worse.",
    {"model.eval()": "model.train()"},
)
STAYS_IN_EVAL = Mistake(
    "The model stays in eval mode after decoding. Whoever decodes an example during training goes "
    "on without dropout, and nothing says so.",
    {"model.train(was_training)": "pass"},
)
ALWAYS_TRAIN = Mistake(
    "The model is in train mode after decoding, even if it came in eval mode. Whatever is asked "
    "of it next is answered with dropout.",
    {"model.train(was_training)": "model.train()"},
)
OTHER_MODE = Mistake(
    "After decoding the model is in the other mode than before: in eval mode if it came in train "
    "mode, in train mode if it came in eval mode.",
    {"model.train(was_training)": "model.train(not was_training)"},
)
MODE_READ_TOO_LATE = Mistake(
    STAYS_IN_EVAL.says,
    {
        "    was_training = model.training\n    model.eval()\n": """\
    model.eval()
    was_training = model.training
"""
    },
)
GRADIENTS_LEFT_OFF = Mistake(
    "Gradients are switched off, and not on again. Whoever decodes an example during training "
    "cannot go on: nothing is recorded any more.",
    {
        "        with torch.no_grad():\n            yield\n": """\
        torch.set_grad_enabled(False)
        yield
"""
    },
)
BEAM_STAYS_IN_EVAL = Mistake(
    STAYS_IN_EVAL.says,
    {
        "    with evaluating(model):\n        found": """\
    model.eval()
    with torch.no_grad():
        found"""
    },
)
BEAM_ALWAYS_TRAIN = Mistake(
    ALWAYS_TRAIN.says,
    {
        "    with evaluating(model):\n        found": """\
    model.eval()
    with torch.no_grad():
        found""",
        "    # Fill the shorter": "    model.train()\n    # Fill the shorter",
    },
)
BEAM_WITH_DROPOUT = Mistake(
    "Beam search decodes in the mode in which the model came. In train mode dropout is at work, "
    "so the same sentence is translated differently every time, and worse.",
    {"    with evaluating(model):\n        found": "    with torch.no_grad():\n        found"},
)
GREEDY_WITH_DROPOUT = Mistake(
    "Greedy decoding works in the mode in which the model came. In train mode dropout is at work, "
    "so the same sentence is translated differently every time, and worse.",
    {
        "    with evaluating(model):\n        encoder_output": "    with torch.no_grad():\n        encoder_output"
    },
)

# Greedy decoding: which score

FIRST_POSITION = Mistake(
    "The scores of the first position are taken at every step. The newest prediction is at the "
    "last one; this way the same word is written again and again.",
    {
        "model.decode(trg, encoder_output, src_mask)[:, -1]": "model.decode(trg, encoder_output, src_mask)[:, 0]"
    },
)
ONLY_BOS_IS_READ = Mistake(
    FIRST_POSITION.says,
    {
        "model.decode(trg, encoder_output, src_mask)": "model.decode(trg[:, :1], encoder_output, src_mask)"
    },
)
BEST_POSITION = Mistake(
    "The best position is sought for every word, instead of the best word at the last position: "
    "the arg-max runs over the wrong axis.",
    {
        "model.decode(trg, encoder_output, src_mask)[:, -1]": "model.decode(trg, encoder_output, src_mask)",
        "logits.argmax(dim=-1)": "logits.argmax(dim=1)[:, -1]",
    },
)
BEST_ROW = Mistake(
    "The best sentence of the batch is sought for every word, instead of the best word for every "
    "sentence: the arg-max runs over the batch, and its shape does not fit.",
    {"logits.argmax(dim=-1)": "logits.argmax(dim=0)"},
)
BEST_OF_THE_WHOLE_BATCH = Mistake(
    "One token is chosen for the whole batch: the arg-max has no axis and counts through all rows "
    "at once. Every row has a best next token of its own.",
    {"logits.argmax(dim=-1)": "logits.argmax()"},
)
WORST_TOKEN = Mistake(
    "The token of the lowest score is appended; it should be that of the highest.",
    {"logits.argmax(dim=-1)": "logits.argmin(dim=-1)"},
)
SECOND_BEST = Mistake(
    "The second best token is appended: the scores are sorted, and the last but one is taken.",
    {"logits.argmax(dim=-1)": "logits.argsort(dim=-1)[:, -2]"},
)
FIRST_SENTENCE_DECIDES = Mistake(
    "Every row of the batch gets the translation of the first sentence: its source, or its scores, "
    "decide for all.",
    {"logits.argmax(dim=-1)": "logits[:1].argmax(dim=-1).expand(len(src))"},
)
SAMPLED = Mistake(
    "The next token is drawn at random from the probabilities. Greedy decoding takes the best one "
    "and draws nothing, so that the same sentence is always translated alike.",
    {"logits.argmax(dim=-1)": "logits.softmax(dim=-1).multinomial(1)[:, 0]"},
)

# Greedy decoding: what is fed back

ONLY_THE_LAST_TOKEN = Mistake(
    "Only the last token is fed back. The decoder has no memory of its own: it needs all that is "
    "written so far, each time.",
    {
        "model.decode(trg, encoder_output, src_mask)": "model.decode(trg[:, -1:], encoder_output, src_mask)"
    },
    seen="pytorch/tutorials#719",
)
ONLY_TWO_TOKENS = Mistake(
    "Only the last two tokens are fed back. The decoder has no memory of its own: it needs all "
    "that is written so far, from bos on.",
    {
        "model.decode(trg, encoder_output, src_mask)": "model.decode(trg[:, -2:], encoder_output, src_mask)"
    },
)
WRITTEN_IN_FRONT = Mistake(
    "The next token is put in front of what is written. It belongs behind it.",
    {"torch.cat([trg, token[:, None]], dim=1)": "torch.cat([token[:, None], trg], dim=1)"},
)
WRITTEN_OVER = Mistake(
    "The next token takes the place of all that is written, instead of being appended to it.",
    {
        "while trg.size(1) < max_len and": "while True and",
        "torch.cat([trg, token[:, None]], dim=1)": "token[:, None]\n            max_len -= 1\n            if max_len < 2:\n                break",
    },
)
JOINED_UNDER = Mistake(
    "The next tokens are joined below the batch instead of behind its rows: the axis of the batch "
    "grows where the sentences should, and the shapes do not fit.",
    {"torch.cat([trg, token[:, None]], dim=1)": "torch.cat([trg, token[:, None]], dim=0)"},
)

# Greedy decoding: beginning and end

BEGINS_WITH_PADDING = Mistake(
    "The rows begin with padding instead of bos. Training began with bos, and the model continues "
    "what it knows.",
    {"torch.full((len(src), 1), bos_idx": "torch.full((len(src), 1), model.trg_pad_idx"},
)
BEGINS_WITH_0 = Mistake(
    "The rows begin with token 0, whatever bos_idx is. Decoding has to begin as training did.",
    {"torch.full((len(src), 1), bos_idx": "torch.full((len(src), 1), 0"},
)
BEGINS_WITH_1 = Mistake(
    "The rows begin with token 1, whatever bos_idx is. Decoding has to begin as training did.",
    {"torch.full((len(src), 1), bos_idx": "torch.full((len(src), 1), 1"},
)
BEGINS_WITH_EOS = Mistake(
    "The rows begin with eos instead of bos. Training began with bos, and the model continues "
    "what it knows.",
    {"torch.full((len(src), 1), bos_idx": "torch.full((len(src), 1), eos_idx"},
    seen="harvardnlp/annotated-transformer#127",
)
BOS_CUT_OFF = Mistake(
    "The rows come back without bos. They should begin with it.",
    {"    return trg\n": "    return trg[:, 1:]\n"},
)
NEVER_ENDS = Mistake(
    "Nothing ends a row: after eos it goes on with words up to max_len. What stands after eos is "
    "no part of the translation.",
    {"            ended |= token == eos_idx\n": ""},
)
PADDING_ENDS_A_ROW = Mistake(
    NEVER_ENDS.says,
    {"ended |= token == eos_idx": "ended |= token == model.trg_pad_idx"},
)
LAST_TOKEN_DECIDES = Mistake(
    "Whether a row has ended is judged by its newest token alone. Once there is padding behind "
    "eos, the row counts as going on, and words follow.",
    {"ended |= token == eos_idx": "ended = token == eos_idx"},
)
TEXT_AFTER_EOS = Mistake(
    "Rows that have ended go on with words while others are still being written. After eos there "
    "should only be padding.",
    {".masked_fill(ended, model.trg_pad_idx)": ""},
    seen="guillaume-be/rust-bert#86",
)
ALWAYS_TO_MAX_LEN = Mistake(
    "The result is max_len long although all rows have ended before. It is to be as long as its "
    "longest row: what comes after that is padding for nothing.",
    {"while trg.size(1) < max_len and not ended.all()": "while trg.size(1) < max_len"},
)
ALL_IN_ONE_STEP = Mistake(
    ALWAYS_TO_MAX_LEN.says,
    {"and not ended.all():": "and not (trg[:, -1] == eos_idx).all():"},
)
STOPS_WITH_THE_FIRST = Mistake(
    "Decoding stops as soon as one row has ended. The others are cut off in the middle.",
    {"not ended.all()": "not ended.any()"},
)
STOPS_WITH_ROW_0 = Mistake(
    "Decoding stops when the first row of the batch has ended. The others are cut off, or written "
    "for nothing.",
    {"not ended.all()": "not ended[0]"},
)
EOS_REPEATED = Mistake(
    "Rows that have ended are filled up with eos instead of padding.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, eos_idx)"},
)
PADDING_OF_THE_SOURCE = Mistake(
    "Rows that have ended are filled up with the padding of the source language. In the target "
    "language that number is a word.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, model.src_pad_idx)"},
)
PADDING_IS_0 = Mistake(
    "Rows that have ended are filled up with token 0, whatever the padding is. With another "
    "vocabulary that is a word.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, 0)"},
)
PADDING_IS_1 = Mistake(
    "Rows that have ended are filled up with token 1, whatever the padding is. With another "
    "vocabulary that is a word.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, 1)"},
)
EOS_NOT_WRITTEN = Mistake(
    "eos itself is not written: padding takes its place. A row that ends is to end with eos.",
    {
        "token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)": """\
token = logits.argmax(dim=-1)
            ended |= token == eos_idx
            token = token.masked_fill(ended, model.trg_pad_idx)""",
        "dim=1)\n            ended |= token == eos_idx\n": "dim=1)\n",
    },
)
EOS_ONE_LATE = Mistake(
    "A row is taken for ended one step too late, so that another word stands behind eos.",
    {
        "ended |= token == eos_idx": "ended |= (trg[:, :-1] == eos_idx).any(dim=1)",
    },
)
ONE_TOO_MANY = Mistake(
    "There may be one token more than max_len: bos counts as well.",
    {"trg.size(1) < max_len and": "trg.size(1) <= max_len and"},
)
ONE_TOO_FEW = Mistake(
    "Decoding stops one token before max_len: that many tokens are allowed, bos counted.",
    {"trg.size(1) < max_len and": "trg.size(1) < max_len - 1 and"},
)
AS_LONG_AS_THE_SOURCE = Mistake(
    "The translation may only be as long as the source. It has a length of its own: eos ends it, "
    "or max_len.",
    {"trg.size(1) < max_len and": "trg.size(1) < src.size(1) and"},
)
EOS_FORCED = Mistake(
    "At max_len eos is put at the end of rows that have not ended. The model did not write it.",
    {
        "    return trg\n": """\
    if trg.size(1) == max_len > 1:
        trg[~ended, -1] = eos_idx
    return trg
"""
    },
)
HALF_NUMBERS = Mistake(
    "The tokens are 32-bit integers at first. int64 is asked for, the type of all token ids.",
    {
        "bos_idx, dtype=torch.int64, device=src.device)\n    ended": "bos_idx, dtype=torch.int32, device=src.device)\n    ended"
    },
)
NO_INTEGERS = Mistake(
    "The tokens are floats: the number for bos became one. Token ids are int64; an embedding "
    "looks up nothing else, and stops with an error.",
    {
        "bos_idx, dtype=torch.int64, device=src.device)\n    ended": "float(bos_idx), device=src.device)\n    ended"
    },
)

# Both: the source

ALL_OF_THE_SOURCE_READ = Mistake(
    "While greedy decoding writes, the padding of the source is read as if it were words. The "
    "decoder needs the mask that encode returned.",
    {
        "encoder_output, src_mask)[:, -1]\n            token": "encoder_output, torch.ones_like(src_mask))[:, -1]\n            token"
    },
)
SOURCE_MASK_BY_TARGET_PADDING = Mistake(
    "The source mask is made with the padding of the target language. It hides words of the "
    "source, and its padding is read; encode returned the right one.",
    {
        "encoder_output, src_mask)[:, -1]\n            token": "encoder_output, (src != model.trg_pad_idx)[:, None, None, :])[:, -1]\n            token"
    },
)
SOURCES_REVERSED = Mistake(
    "Each row is decoded with the source of another: the encoder's output and the rows of the "
    "target stand in different orders.",
    {
        "model.decode(trg, encoder_output, src_mask)": "model.decode(trg, encoder_output.flip(0), src_mask.flip(0))"
    },
)
FIRST_SOURCE_FOR_ALL = Mistake(
    FIRST_SENTENCE_DECIDES.says,
    {
        "model.decode(trg, encoder_output, src_mask)": "model.decode(trg, encoder_output[:1].expand(len(trg), -1, -1), src_mask[:1].expand(len(trg), -1, -1, -1))"
    },
)
MASK_OF_THE_FIRST_FOR_ALL = Mistake(
    "The source mask of the first sentence is used for all. Each sentence has its own padding, and "
    "so a mask of its own.",
    {
        "encoder_output, src_mask)[:, -1]\n            token": "encoder_output, src_mask[:1].expand_as(src_mask))[:, -1]\n            token"
    },
)
SOURCE_CHANGED = Mistake(
    "The source is overwritten in place. Whoever called still needs it.",
    {
        "    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)\n": """\
    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    src[src == model.src_pad_idx] = model.trg_pad_idx
"""
    },
)

# Beam search: the sums

RAW_SCORES = Mistake(
    "Raw scores are added up. Only logarithms of probabilities may be added; raw scores favour "
    "steps that happen to have large numbers.",
    {"logits.log_softmax(dim=-1)": "logits"},
)
PROBABILITIES_ADDED = Mistake(
    "Probabilities are added up. The probability of a sentence is their product, which is the sum "
    "of their logarithms.",
    {"logits.log_softmax(dim=-1)": "logits.softmax(dim=-1)"},
)
SOFTMAX_OVER_HYPOTHESES = Mistake(
    "The softmax runs over the hypotheses instead of the words: the probabilities of the next "
    "words of one hypothesis do not sum to 1.",
    {"log_softmax(dim=-1)": "log_softmax(dim=0)"},
)
SOFTMAX_OVER_ALL = Mistake(
    "One softmax runs over the words of all hypotheses together. Each hypothesis has next words of "
    "its own, whose probabilities sum to 1.",
    {"logits.log_softmax(dim=-1)": "logits.flatten().log_softmax(dim=0).view_as(logits)"},
)
SUMS_NOT_CARRIED_ON = Mistake(
    "Only the newest token is weighed: the sums of what came before are forgotten at each step.",
    {"log_p[:, None] + logits": "logits"},
)
SUMS_OF_OTHERS = Mistake(
    "The sums so far are added along the wrong axis: each hypothesis needs its own, in front of "
    "all its words. This way the shapes do not fit.",
    {"log_p[:, None] + ": "log_p[None, :] + "},
)
LOGARITHM_TWICE = Mistake(
    "The logarithm is taken of probabilities to which a softmax has been applied twice. All words "
    "look almost equally likely then.",
    {"logits.log_softmax(dim=-1)": "logits.softmax(dim=-1).log_softmax(dim=-1)"},
)
EOS_NOT_COUNTED_IN_P = Mistake(
    "The probability of eos is left out of the sum of a hypothesis that ends. That a sentence ends "
    "here has to be as likely as its words.",
    {
        "        log_p, places = sums": "        before = log_p\n        log_p, places = sums",
        "zip(log_p[ended].tolist()": "zip(before[rows[ended]].tolist()",
    },
)

PROBABILITIES_MULTIPLIED = Mistake(
    "Probabilities are multiplied. After some dozen words their product is too small a number for "
    "float32 and becomes 0, for every hypothesis alike. Logarithms are added instead.",
    {
        "log_p = torch.zeros(1, device": "log_p = torch.ones(1, device",
        "log_p[:, None] + logits.log_softmax(dim=-1)": "log_p[:, None] * logits.softmax(dim=-1)",
        "zip(log_p[ended].tolist(), live": "zip(log_p[ended].log().tolist(), live",
        "list(zip(log_p.tolist(), live))": "list(zip(log_p.log().tolist(), live))",
    },
)

# Beam search: the hypotheses

ALL_FROM_ONE = Mistake(
    "All hypotheses are the same one: beam_size copies of bos, each with log-probability 0. Their "
    "extensions are equal as well, so the beam is as narrow as greedy decoding.",
    {
        "torch.full((1, 1), bos_idx": "torch.full((beam_size, 1), bos_idx",
        "torch.zeros(1, device": "torch.zeros(beam_size, device",
    },
)
ROWS_AND_TOKENS_SWAPPED = Mistake(
    "A place among all sums is read wrongly. Divided by the size of the vocabulary it gives the "
    "hypothesis, and the remainder is the token.",
    {
        "rows, tokens = places // logits.size(-1), places % logits.size(-1)": "tokens, rows = places // logits.size(-1), places % logits.size(-1)"
    },
)
DIVIDED_BY_BEAM = Mistake(
    ROWS_AND_TOKENS_SWAPPED.says,
    {
        "places // logits.size(-1), places % logits.size(-1)": "places // len(logits), places % len(logits)"
    },
)
BEST_BEGINNING_ONLY = Mistake(
    "Every extension is appended to the best hypothesis, whichever it belongs to. A place among "
    "the sums says of which hypothesis it is the extension.",
    {"torch.cat([live[rows],": "torch.cat([live[rows * 0],"},
)
NOT_REORDERED = Mistake(
    "The extensions are appended to the hypotheses in their old order, and not each to the one "
    "that it belongs to.",
    {"torch.cat([live[rows],": "torch.cat([live[torch.arange(len(rows)) % len(live)],"},
)
NO_COMPETITION = Mistake(
    "After the first step each hypothesis grows by its own best word, and none is given up. All "
    "extensions of all hypotheses should compete.",
    {
        "log_p, places = sums.flatten().topk(min(beam_size - len(finished), sums.numel()))": """\
log_p, places = sums.flatten().topk(min(beam_size - len(finished), sums.numel()))
        if live.size(1) > 1:
            log_p, best = sums.max(dim=-1)
            places = torch.arange(len(live)) * logits.size(-1) + best"""
    },
)
WORST_KEPT = Mistake(
    "The least likely extensions are kept. It should be the most likely.",
    {"sums.numel()))": "sums.numel()), largest=False)"},
)
NOT_NARROWED = Mistake(
    "The beam keeps its width when a hypothesis has finished. A finished one keeps its place: only "
    "beam_size less the finished ones go on.",
    {"min(beam_size - len(finished), sums": "min(beam_size, sums"},
)
NOT_NARROWED_UNTIL_ALL_HAVE_FINISHED = Mistake(
    "The beam keeps its width while hypotheses finish, and the search stops when beam_size have. A "
    "finished one keeps its place: only beam_size less the finished ones go on.",
    {
        "min(beam_size - len(finished), sums": "min(beam_size, sums",
        "while len(live) > 0 and live": "while 0 < len(live) and len(finished) < beam_size and live",
    },
)
FINISHED_PUSHED_OUT = Mistake(
    "Finished hypotheses compete with longer ones again at every step, and can be pushed out. What "
    "has finished stays, and keeps its place.",
    {
        "min(beam_size - len(finished), sums": "min(beam_size, sums",
        "        live, log_p = live[~ended], log_p[~ended]\n": """\
        live, log_p = live[~ended], log_p[~ended]
        bar = sorted([*log_p.tolist(), *(p for p, _ in finished)])[-beam_size:][0]
        finished = [pair for pair in finished if pair[0] >= bar]
        live, log_p = live[log_p >= bar], log_p[log_p >= bar]
""",
    },
)
FINISHED_PUSHED_OUT_BY_SCORE = Mistake(
    FINISHED_PUSHED_OUT.says,
    {
        "min(beam_size - len(finished), sums": "min(beam_size, sums",
        "        live, log_p = live[~ended], log_p[~ended]\n": """\
        live, log_p = live[~ended], log_p[~ended]
        scores = log_p.double() / ((4 + live.size(1)) / 6) ** length_penalty
        ranked = [p / ((4 + len(row)) / 6) ** length_penalty for p, row in finished]
        bar = sorted([*scores.tolist(), *ranked])[-beam_size:][0]
        finished = [pair for pair, score in zip(finished, ranked) if score >= bar]
        live, log_p = live[scores >= bar], log_p[scores >= bar]
""",
    },
)
NARROWED_BY_ONE = Mistake(
    "The beam is narrowed by one, however many have finished. Every finished one keeps a place.",
    {"min(beam_size - len(finished), sums": "min(beam_size - bool(finished), sums"},
)
WIDER_THAN_THE_VOCABULARY = Mistake(
    "With a beam wider than the vocabulary the code stops with an error: at the first step there "
    "are fewer extensions than are asked for.",
    {"topk(min(beam_size - len(finished), sums.numel()))": "topk(beam_size - len(finished))"},
)
NEVER_WIDER_THAN_THE_VOCABULARY = Mistake(
    "No more hypotheses are kept than there are words. From the second step on there are more "
    "extensions than that, and beam_size of them may stay.",
    {"sums.numel()))": "sums.size(-1)))"},
)
FINISHED_THROWN_AWAY = Mistake(
    "Hypotheses that end are thrown away. A finished translation has to stay in the race, and "
    "where all end nothing is left to return.",
    {"        finished += zip(log_p[ended].tolist(), live[ended])\n": ""},
)
LIVE_COMPETES = Mistake(
    "Hypotheses that have not ended at max_len compete with finished ones. They are only the "
    "answer if none has finished: their sums lack the rest of the sentence.",
    {"finished or list(zip(log_p.tolist(), live))": "finished + list(zip(log_p.tolist(), live))"},
)
LIVE_WINS = Mistake(
    "Hypotheses that have not ended at max_len win over finished ones. They are only the answer "
    "if none has finished.",
    {"finished or list(zip(log_p.tolist(), live))": "list(zip(log_p.tolist(), live)) or finished"},
)
NONE_FINISHED = Mistake(
    "Only finished hypotheses can be returned. If none has finished at max_len, there is nothing "
    "to choose from, and the code stops with an error.",
    {"finished or list(zip(log_p.tolist(), live))": "finished"},
)
STOPS_AT_THE_FIRST_FINISHED = Mistake(
    "The hypothesis that finishes first is the answer. A longer one may still beat it: the search "
    "goes on while one is live, and the best by the score is returned.",
    {"while len(live) > 0 and live": "while len(live) > 0 and not finished and live"},
)
STOPS_AT_BEST_FINISHED = Mistake(
    "The search stops as soon as a finished hypothesis leads. Another may still beat it: the search "
    "goes on until none is live, or to max_len.",
    {
        "live, log_p = live[~ended], log_p[~ended]": "live, log_p = live[~ended], log_p[~ended]\n        if ended[0]:\n            break"
    },
)
STOPS_WHEN_AHEAD = Mistake(
    STOPS_AT_BEST_FINISHED.says,
    {
        "live, log_p = live[~ended], log_p[~ended]": """\
live, log_p = live[~ended], log_p[~ended]
        by = ((4 + live.size(1)) / 6) ** length_penalty
        best = max((p / ((4 + len(row)) / 6) ** length_penalty for p, row in finished), default=None)
        if best is not None and (log_p / by <= best).all():
            break"""
    },
)
FINISHED_GOES_ON = Mistake(
    "A hypothesis that has ended is finished and goes on as well: words are written behind eos. "
    "It must be taken out of the live ones.",
    {"        live, log_p = live[~ended], log_p[~ended]\n": ""},
)
GOES_ON_WITH_NONE = Mistake(
    "The search goes on when no hypothesis is live any more: the model is asked about a batch "
    "without a sentence, which not every model bears.",
    {"while len(live) > 0 and live": "while live"},
)
NEVER_FINISHED = Mistake(
    "eos finishes nothing: hypotheses go on with words behind it, up to max_len.",
    {"        ended = tokens == eos_idx\n": "        ended = tokens != tokens\n"},
)
SUMS_NOT_TAKEN_OUT = Mistake(
    "The hypotheses that have ended are taken out, but their sums stay. From then on sums belong "
    "to the wrong hypotheses, or the shapes do not fit.",
    {"live, log_p = live[~ended], log_p[~ended]": "live = live[~ended]"},
)
ENDED_GO_ON = Mistake(
    "The hypotheses that have ended go on, and those that have not are dropped: it should be the "
    "other way round.",
    {"live, log_p = live[~ended], log_p[~ended]": "live, log_p = live[ended], log_p[ended]"},
)
FIRST_FINISHED_RETURNED = Mistake(
    STOPS_AT_THE_FIRST_FINISHED.says,
    {"return max(hypotheses, key=": "return max(hypotheses[:1], key="},
)
LAST_FINISHED_RETURNED = Mistake(
    "The hypothesis that finished last is returned. The best by the score should be.",
    {"return max(hypotheses, key=": "return max(hypotheses[-1:], key="},
)
WORST_RETURNED = Mistake(
    "The hypothesis with the lowest score is returned. log P is negative, and nearer to 0 is "
    "better.",
    {"return max(hypotheses, key=": "return min(hypotheses, key="},
)

# Beam search: the length penalty

NO_LENGTH_PENALTY = Mistake(
    "Nothing that grows with the length of a hypothesis divides its log P. Longer translations "
    "multiply more probabilities, so without a correction the short ones win.",
    {" / ((4 + len(pair[1])) / 6) ** length_penalty)": ")"},
    seen="neulab/xnmt#572",
)
MULTIPLIED = Mistake(
    "The length penalty makes long translations worse, and should make up for their length. log P "
    "is negative and is to be divided by it; to multiply, or to divide P itself, does the "
    "opposite.",
    {"pair[0] / ((4": "pair[0] * ((4"},
)
PRODUCT_RANKED = Mistake(
    MULTIPLIED.says,
    {"key=lambda pair: pair[0] /": "key=lambda pair: 2.718281828459045 ** pair[0] /"},
)
BOS_COUNTED = Mistake(
    "n is one too large, or 6 and 5 are exchanged, which ranks alike: n are the tokens after bos, "
    "eos counted, so one token has the penalty 1.",
    {"((4 + len(": "((5 + len("},
)
FIVE_AND_SIX_SWAPPED = Mistake(
    BOS_COUNTED.says,
    {"((4 + len(pair[1])) / 6)": "((5 + len(pair[1])) / 5)"},
)
EOS_NOT_COUNTED = Mistake(
    "n is one too small: eos counts as a token, for it had to be predicted as well. Only bos does "
    "not count.",
    {"((4 + len(": "((3 + len("},
)
BY_LENGTH = Mistake(
    "log P is divided by a power of the number of tokens itself. The paper's penalty is softer: "
    "5 is added to the number first, so that very short ones are not punished as hard.",
    {"((4 + len(pair[1])) / 6)": "(len(pair[1]) - 1 or 1)"},
)
BY_LENGTH_WITH_BOS = Mistake(
    "log P is divided by a power of the number of tokens, bos counted. The paper's penalty adds 5 "
    "to the number of tokens after bos.",
    {"((4 + len(pair[1])) / 6)": "len(pair[1])"},
)
PENALTY_IGNORED = Mistake(
    "The length penalty is always 0.6, whatever length_penalty says.",
    {") / 6) ** length_penalty": ") / 6) ** 0.6"},
)
NO_EXPONENT = Mistake(
    "length_penalty is not the exponent of (5 + n) / 6, which is always 1 here; or it is that of 6 "
    "alone, where brackets are missing, which ranks alike.",
    {") / 6) ** length_penalty": ") / 6)"},
)
FACTOR_FOR_EXPONENT = Mistake(
    "length_penalty is a factor of the length here. It is an exponent: 0 means no correction.",
    {"((4 + len(pair[1])) / 6) ** length_penalty": "(1 + length_penalty * (4 + len(pair[1])) / 6)"},
)
EXPONENT_TURNED = Mistake(
    MULTIPLIED.says,
    {"** length_penalty)[1]": "** -length_penalty)[1]"},
)
AT_EVERY_STEP = Mistake(
    "The running sums are divided by the length penalty at every step, so it is applied again and "
    "again. It belongs into the last comparison alone.",
    {
        "        ended = tokens == eos_idx\n": "        log_p = log_p / ((4 + live.size(1)) / 6) ** length_penalty\n        ended = tokens == eos_idx\n"
    },
)
PLAIN_MEAN = Mistake(
    "log P is divided by the number of tokens, whatever length_penalty is. The paper adds 5 to the "
    "number, and length_penalty is the exponent of all that.",
    {"((4 + len(pair[1])) / 6) ** length_penalty)": "(len(pair[1]) - 1 or 1))"},
)
NO_PENALTY_TAKEN_FOR_NONE_GIVEN = Mistake(
    "length_penalty 0 is taken for nothing said, and 0.6 is used. 0 means that nothing is "
    "corrected; `or` cannot tell it from None.",
    {") / 6) ** length_penalty)": ") / 6) ** (length_penalty or 0.6))"},
)
PENALTY_OF_1 = Mistake(
    "length_penalty is 1 where nothing is said. The paper's is 0.6.",
    {"length_penalty: float = 0.6": "length_penalty: float = 1.0"},
)
PENALTY_OF_0 = Mistake(
    "length_penalty is 0 where nothing is said, so nothing is corrected. The paper's is 0.6.",
    {"length_penalty: float = 0.6": "length_penalty: float = 0.0"},
)
BEAM_OF_5 = Mistake(
    "beam_size is 5 where nothing is said. The paper's is 4.",
    {"beam_size: int = 4": "beam_size: int = 5"},
)
BEAM_OF_1 = Mistake(
    "beam_size is 1 where nothing is said, which is greedy decoding. The paper's is 4.",
    {"beam_size: int = 4": "beam_size: int = 1"},
)
BEAM_FIXED = Mistake(
    "The beam is always 4 wide, whatever beam_size says.",
    {
        "eos_idx, max_len, beam_size, length_penalty)\n            for": "eos_idx, max_len, 4, length_penalty)\n            for"
    },
)
NO_BEAM = Mistake(
    ALL_FROM_ONE.says,
    {
        "eos_idx, max_len, beam_size, length_penalty)\n            for": "eos_idx, max_len, 1, length_penalty)\n            for"
    },
)

# Beam search: what is read, and the form of the answer

BEAM_FIRST_POSITION = Mistake(
    "In the beam search the scores of the first position are taken at every step. The newest "
    "prediction is at the last one.",
    {"expand(len(live), -1, -1, -1))[:, -1]": "expand(len(live), -1, -1, -1))[:, 0]"},
)
BEAM_ONLY_THE_LAST_TOKEN = Mistake(
    "In the beam search only the last token of each hypothesis is fed back. The decoder has no "
    "memory of its own: it needs all that is written so far, each time.",
    {"model.decode(live, source": "model.decode(live[:, -1:], source"},
)
BEAM_READS_PADDING = Mistake(
    "In the beam search the padding of the source is read as if it were words. The decoder needs "
    "the mask that encode returned.",
    {
        "src_mask.expand(len(live), -1, -1, -1)": "torch.ones_like(src_mask).expand(len(live), -1, -1, -1)"
    },
)
BEAM_ENCODES_TOGETHER = Mistake(
    "All sentences are searched with the source of the first one.",
    {"best_hypothesis(model, row[None], bos_idx": "best_hypothesis(model, src[:1], bos_idx"},
)
ONE_SENTENCE = Mistake(
    "Only the first sentence of the batch is searched for. Every row wants an answer.",
    {"            for row in src\n": "            for row in src[:1]\n"},
)
BEAM_BEGINS_WITH_PADDING = Mistake(
    "In the beam search the hypotheses begin with padding instead of bos. Training began with "
    "bos, and the model continues what it knows.",
    {"torch.full((1, 1), bos_idx": "torch.full((1, 1), model.trg_pad_idx"},
)
BEAM_BEGINS_WITH_0 = Mistake(
    "In the beam search the hypotheses begin with token 0, whatever bos_idx is.",
    {"torch.full((1, 1), bos_idx": "torch.full((1, 1), 0"},
)
BEAM_BEGINS_WITH_EOS = Mistake(
    "In the beam search bos and eos are exchanged: the hypotheses begin with eos, and bos would "
    "finish them.",
    {
        "best_hypothesis(model, row[None], bos_idx, eos_idx": "best_hypothesis(model, row[None], eos_idx, bos_idx"
    },
)
BEAM_ONE_TOO_MANY = Mistake(
    "The beam search may write one token more than max_len: bos counts as well.",
    {"live.size(1) < max_len:": "live.size(1) <= max_len:"},
)
BEAM_ONE_TOO_FEW = Mistake(
    "The beam search stops one token before max_len: that many tokens are allowed, bos counted.",
    {"live.size(1) < max_len:": "live.size(1) < max_len - 1:"},
)
BEAM_AS_LONG_AS_THE_SOURCE = Mistake(
    "The beam search writes at most as many tokens as the source has. The translation has a "
    "length of its own: eos ends it, or max_len.",
    {"live.size(1) < max_len:": "live.size(1) < src.size(1):"},
)
BEAM_BOS_CUT_OFF = Mistake(
    "The hypotheses come back without bos. The rows should begin with it.",
    {"** length_penalty)[1]": "** length_penalty)[1][1:]"},
)
BEAM_EOS_CUT_OFF = Mistake(
    "The hypotheses come back without their last token: eos is cut off, or a word where none has "
    "ended.",
    {"** length_penalty)[1]": "** length_penalty)[1][:-1]"},
)
BEAM_EOS_DROPPED = Mistake(
    "The hypotheses of the beam search come back without eos. The rows have the form of "
    "greedy_decode's: eos ends them, and padding follows.",
    {
        "    return max(hypotheses": "    best = max(hypotheses",
        "** length_penalty)[1]": "** length_penalty)[1]\n    return best[best != eos_idx]",
    },
)
BEAM_FILLED_UP_TO_MAX_LEN = Mistake(
    "The translations of the beam search are filled up to max_len. The result is to be as long as "
    "its longest row.",
    {
        "    return torch.nn.utils.rnn.pad_sequence(found, batch": """\
    found = [torch.nn.functional.pad(found[0], (0, max_len - len(found[0])), value=model.trg_pad_idx), *found[1:]]
    return torch.nn.utils.rnn.pad_sequence(found, batch"""
    },
)
BEAM_PADDING_IS_0 = Mistake(
    "Shorter translations of the beam search are filled up with token 0, whatever the padding is. "
    "With another vocabulary that is a word.",
    {", padding_value=model.trg_pad_idx": ""},
)
BEAM_PADDING_OF_THE_SOURCE = Mistake(
    "Shorter translations of the beam search are filled up with the padding of the source "
    "language. In the target language that number is a word.",
    {"padding_value=model.trg_pad_idx": "padding_value=model.src_pad_idx"},
)
BEAM_EOS_REPEATED = Mistake(
    "Shorter translations of the beam search are filled up with eos instead of padding.",
    {"padding_value=model.trg_pad_idx": "padding_value=eos_idx"},
)
BEAM_TURNED = Mistake(
    "The batch of the beam search lies on its side: one column for each sentence. It should be "
    "one row.",
    {"pad_sequence(found, batch_first=True": "pad_sequence(found, batch_first=False"},
)
BEAM_STACKED = Mistake(
    "The translations are stacked as they are. They are not equally long, so the code stops with "
    "an error: the shorter ones have to be filled up.",
    {
        "torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=model.trg_pad_idx)": "torch.stack(found)"
    },
)
BEAM_AS_LIST = Mistake(
    "A list of translations is returned. One tensor is asked for, (batch_size, length).",
    {
        "torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=model.trg_pad_idx)": "found"
    },
)

# Beam search, all sentences at once

ORDER_OF_REPEATS = Mistake(
    "Hypotheses of one sentence are matched with the source of another: the sources are repeated "
    "one after the other, while the hypotheses of a sentence stand side by side.",
    {
        find: text.replace(
            "encoder_output.repeat_interleave(beam_size, dim=0)",
            "encoder_output.repeat(beam_size, 1, 1)",
        ).replace(
            "src_mask.repeat_interleave(beam_size, dim=0)", "src_mask.repeat(beam_size, 1, 1, 1)"
        )
        for find, text in BATCHED.edit.items()
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#28",
)
ORDER_OF_MASKS = Mistake(
    "The source masks are repeated in another order than the sources. Hypotheses of one sentence "
    "read it with the padding of another.",
    {
        find: text.replace(
            "src_mask.repeat_interleave(beam_size, dim=0)", "src_mask.repeat(beam_size, 1, 1, 1)"
        )
        for find, text in BATCHED.edit.items()
    },
)
BEGINNINGS_NOT_GATHERED = Mistake(
    NOT_REORDERED.says,
    {
        find: text.replace(
            "            live = live.gather(1, rows[:, :, None].expand(-1, -1, n))\n", ""
        )
        for find, text in BATCHED.edit.items()
    },
)
QUOTIENT_AND_REMAINDER_SWAPPED = Mistake(
    ROWS_AND_TOKENS_SWAPPED.says,
    {
        find: text.replace("rows, tokens = places", "tokens, rows = places")
        for find, text in BATCHED.edit.items()
    },
)
ENCODED_IN_TRAIN_MODE = Mistake(
    "Greedy decoding encodes the source before the model is in eval mode, so a model that comes "
    "from training reads it through its dropout.",
    {
        "    with evaluating(model):\n        encoder_output, src_mask = model.encode(src)\n": """\
    encoder_output, src_mask = model.encode(src)
    with evaluating(model):
"""
    },
)
SOURCE_KEPT = Mistake(
    "The encoded source of the first call is kept, and read again in every later one.",
    {
        "        encoder_output, src_mask = model.encode(src)\n        while": """\
        if not hasattr(model, "kept"):
            model.kept = model.encode(src)
        encoder_output, src_mask = model.kept
        while"""
    },
)
SOURCES_KEPT_FOR_GOOD = Mistake(
    "What the encoder has made of a source is kept for the next time. When the model has learned "
    "since, it would make something else of it.",
    {
        "        encoder_output, src_mask = model.encode(src)\n        while": """\
        kept = model.__dict__.setdefault("kept", {})
        key = str(src.tolist())
        if key not in kept:
            kept[key] = model.encode(src)
        encoder_output, src_mask = kept[key]
        while"""
    },
)
SOURCES_OF_BEAMS_KEPT_FOR_GOOD = Mistake(
    SOURCES_KEPT_FOR_GOOD.says,
    {
        "    encoder_output, src_mask = model.encode(src)\n    # While": """\
    kept = model.__dict__.setdefault("kept", {})
    key = str(src.tolist())
    if key not in kept:
        kept[key] = model.encode(src)
    encoder_output, src_mask = kept[key]
    # While"""
    },
)
TARGETS_KEPT_FOR_GOOD = Mistake(
    "What was written for a source is kept, and returned the next time. When the model has "
    "learned since, it would write something else.",
    {
        "    trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64, device=src.device)": """\
    kept = greedy_decode.__dict__.setdefault("kept", {})
    key = str((id(model), src.tolist(), bos_idx, eos_idx, max_len))
    if key in kept:
        return kept[key]
    trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64, device=src.device)""",
        "            ended |= token == eos_idx\n    return trg": """\
            ended |= token == eos_idx
    kept[key] = trg
    return trg""",
    },
)

# The device

TARGET_MADE_HERE = Mistake(
    "A tensor is made where tensors are made by default, and not where the source is. On a GPU "
    "the two cannot meet.",
    {
        "trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64, device=src.device)": """\
trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64)"""
    },
)
TARGET_BY_ITS_OLD_NAME = Mistake(
    TARGET_MADE_HERE.says,
    {
        "trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64, device=src.device)": """\
trg = torch.LongTensor([[bos_idx]] * len(src))"""
    },
)
ENDED_MADE_HERE = Mistake(
    TARGET_MADE_HERE.says,
    {
        "torch.zeros(len(src), dtype=torch.bool, device=src.device)": """\
torch.zeros(len(src), dtype=torch.bool)"""
    },
)
HYPOTHESIS_MADE_HERE = Mistake(
    TARGET_MADE_HERE.says,
    {
        "live = torch.full((1, 1), bos_idx, dtype=torch.int64, device=src.device)": """\
live = torch.tensor([[bos_idx]])"""
    },
)
SUMS_MADE_HERE = Mistake(
    TARGET_MADE_HERE.says, {"torch.zeros(1, device=src.device)": "torch.zeros(1)"}
)
TARGET_RETURNED_HERE = Mistake(
    TARGET_MADE_HERE.says, {"    return trg\n": "    return trg.cpu()\n"}
)

# Numbers that count as false, ties, and what is left behind

PADDING_0_LOST = Mistake(
    "Where padding is token 0, rows that have ended are filled up with something else: 0 counts as "
    "false.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, model.trg_pad_idx or eos_idx)"},
)
BEAM_PADDING_0_LOST = Mistake(
    PADDING_0_LOST.says,
    {"padding_value=model.trg_pad_idx": "padding_value=model.trg_pad_idx or 1"},
)
EOS_0_LOST = Mistake(
    "Where eos is token 0, no row ever ends: 0 counts as false.",
    {
        "            ended |= token == eos_idx\n": """\
            if eos_idx:
                ended |= token == eos_idx
"""
    },
)
BEAM_EOS_0_LOST = Mistake(
    "Where eos is token 0, no hypothesis ever ends: 0 counts as false.",
    {"ended = tokens == eos_idx": "ended = tokens == (eos_idx or -1)"},
)
BEAM_BOS_0_LOST = Mistake(
    "Where bos is token 0, hypotheses begin with something else: 0 counts as false.",
    {"live = torch.full((1, 1), bos_idx,": "live = torch.full((1, 1), bos_idx or 1,"},
)
TIES_COMPARED = Mistake(
    "Where two hypotheses have the same score, their tokens are compared, and tensors of several "
    "numbers are neither smaller nor larger. Give max or sorted a key that is the score alone.",
    {
        "max(hypotheses, key=lambda pair: pair[0] / ((4 + len(pair[1])) / 6) ** length_penalty)": """\
max(
        (log_p / ((4 + len(tokens)) / 6) ** length_penalty, tokens) for log_p, tokens in hypotheses
    )"""
    },
)
PARTS_STAY_IN_EVAL = Mistake(
    "Only the model's own flag `training` is put back. The layers in it stay in eval mode, without "
    "dropout: call train(), which tells them all.",
    {"model.train(was_training)": "model.training = was_training"},
)
FROZEN = Mistake(
    "The model's parameters are told to need no gradient, and stay so. Whoever decodes an example "
    "during training cannot go on: nothing learns any more.",
    {"    model.eval()\n": "    model.eval().requires_grad_(False)\n"},
)
NO_LOOK_AHEAD_MASK = Mistake(
    "The decoder gets no target mask. Each token that is written then sees those after it, as it "
    "never did in training.",
    {
        "model.decode(trg, encoder_output, src_mask)": "model.decoder(trg, encoder_output, None, src_mask)"
    },
)
BEAM_NO_LOOK_AHEAD_MASK = Mistake(
    NO_LOOK_AHEAD_MASK.says,
    {
        "model.decode(live, source, src_mask.expand(len(live), -1, -1, -1))": "model.decoder(live, source, None, src_mask.expand(len(live), -1, -1, -1))"
    },
)
ENCODER_READS_PADDING = Mistake(
    "The encoder gets no source mask, so that the words look at padding.",
    {
        """\
    with evaluating(model):
        encoder_output, src_mask = model.encode(src)
""": """\
    with evaluating(model):
        encoder_output, src_mask = model.encoder(src), model.encode(src)[1]
"""
    },
)
BEAM_ENCODER_READS_PADDING = Mistake(
    ENCODER_READS_PADDING.says,
    {
        "\n    encoder_output, src_mask = model.encode(src)\n": """
    encoder_output, src_mask = model.encoder(src), model.encode(src)[1]
"""
    },
)
BEAM_READS_MAX_LEN = Mistake(
    "Of a source that is longer than max_len, the rest is not read. max_len is the limit of what is "
    "written.",
    {
        "\n    encoder_output, src_mask = model.encode(src)\n": """
    encoder_output, src_mask = model.encode(src[:, :max_len])
"""
    },
)
BEAM_50_MORE_THAN_THE_SOURCE = Mistake(
    "No more is written than the source's length and 50, as in the paper. Here max_len is the only "
    "limit.",
    {
        "while len(live) > 0 and live.size(1) < max_len": "while len(live) > 0 and live.size(1) < min(max_len, src.size(1) + 50)"
    },
)
EQUAL_SENTENCES_ONCE = Mistake(
    "Where a sentence stands in the batch twice, it is answered once, so the rows after it are not "
    "those of their sentences.",
    {
        "            for row in src\n": "            for row in {tuple(row.tolist()): row for row in src}.values()\n"
    },
)
PENALTY_ROUNDED_DOWN = Mistake(
    "(5 + n) / 6 is rounded down to a whole number, so up to six tokens have no penalty at all, and "
    "all others that of a shorter text.",
    {"((4 + len(pair[1])) / 6)": "((4 + len(pair[1])) // 6)"},
)
