"""What people get wrong in s5_transformer/decoding.py.

Not here, on purpose:
- gradients recorded on the way: the tokens are the same, it only costs memory.
- the whole model run again for every token: it is only slow.
- the division by 6, or another base of the logarithm: they rank the hypotheses alike.
"""

from checks.engine.known import Mistake
from checks.s5_transformer.decoding.rights import BATCHED

# The mode

IS_FOR_EQUALS = Mistake(
    "`is` compares two objects, not two numbers. Large numbers are new objects each time, so eos is "
    "not noticed.",
    {
        "ended = tokens == eos_idx": """\
ended = torch.tensor([token is eos_idx for token in tokens.tolist()], device=src.device)"""
    },
)
DROPOUT_ACTIVE = Mistake(
    "The model is not put into eval mode for decoding. In train mode, dropout gives a "
    "different and worse translation every time.",
    {"    model.eval()\n": ""},
)
TRAIN_MODE = Mistake(
    "The model is put into train mode for decoding. Dropout then gives a different and worse "
    "translation every time.",
    {"model.eval()": "model.train()"},
)
STAYS_IN_EVAL = Mistake(
    "The model stays in eval mode after decoding. If you decode an example during training, "
    "training goes on without dropout, and nothing warns you.",
    {"model.train(was_training)": "pass"},
)
ALWAYS_TRAIN = Mistake(
    "The model is in train mode after decoding, even if it came in eval mode. Dropout then "
    "changes its next answers.",
    {"model.train(was_training)": "model.train()"},
)
OTHER_MODE = Mistake(
    "After decoding the model is in the opposite mode. It should be in the mode in which it came.",
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
    "Gradients are switched off and not on again. If you decode an example during training, the "
    "next training step cannot compute a gradient.",
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
        "    # Fill up the shorter": "    model.train()\n    # Fill up the shorter",
    },
)
BEAM_WITH_DROPOUT = Mistake(
    "Beam search does not put the model into eval mode. In train mode, dropout gives a "
    "different and worse translation every time.",
    {"    with evaluating(model):\n        found": "    with torch.no_grad():\n        found"},
)
GREEDY_WITH_DROPOUT = Mistake(
    "Greedy decoding does not put the model into eval mode. In train mode, dropout gives a "
    "different and worse translation every time.",
    {
        "    with evaluating(model):\n        encoder_output": "    with torch.no_grad():\n        encoder_output"
    },
)

# Greedy decoding: which score

FIRST_POSITION = Mistake(
    "The scores of the first position are used at every step, so the same word is written again "
    "and again. The newest prediction is at the last position.",
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
    "The arg-max runs over the positions instead of the words: it finds the best position of each "
    "word. You need the best word at the last position.",
    {
        "model.decode(trg, encoder_output, src_mask)[:, -1]": "model.decode(trg, encoder_output, src_mask)",
        "logits.argmax(dim=-1)": "logits.argmax(dim=1)[:, -1]",
    },
)
BEST_ROW = Mistake(
    "The arg-max runs over the batch instead of the words, and its shape does not fit. You need "
    "the best word for every sentence.",
    {"logits.argmax(dim=-1)": "logits.argmax(dim=0)"},
)
BEST_OF_THE_WHOLE_BATCH = Mistake(
    "The arg-max runs over the whole batch and chooses one token for all rows. Every row needs "
    "its own best next token.",
    {"logits.argmax(dim=-1)": "logits.argmax()"},
)
WORST_TOKEN = Mistake(
    "You append the token with the lowest score. It should be the one with the highest score.",
    {"logits.argmax(dim=-1)": "logits.argmin(dim=-1)"},
)
SECOND_BEST = Mistake(
    "You append the token with the second highest score. It should be the one with the highest "
    "score.",
    {"logits.argmax(dim=-1)": "logits.argsort(dim=-1)[:, -2]"},
)
FIRST_SENTENCE_DECIDES = Mistake(
    "Every row of the batch gets the translation of the first sentence. Each row needs its own "
    "source and its own scores.",
    {"logits.argmax(dim=-1)": "logits[:1].argmax(dim=-1).expand(len(src))"},
)
SAMPLED = Mistake(
    "The next token is drawn at random from the probabilities. Greedy decoding takes the most "
    "likely token, so a sentence always gets the same translation.",
    {"logits.argmax(dim=-1)": "logits.softmax(dim=-1).multinomial(1)[:, 0]"},
)

# Greedy decoding: what is fed back

ONLY_THE_LAST_TOKEN = Mistake(
    "Only the last token is fed back. The decoder has no memory: each time it needs all tokens "
    "that are written so far.",
    {
        "model.decode(trg, encoder_output, src_mask)": "model.decode(trg[:, -1:], encoder_output, src_mask)"
    },
    seen="pytorch/tutorials#719",
)
ONLY_TWO_TOKENS = Mistake(
    "Only the last two tokens are fed back. The decoder has no memory: each time it needs all "
    "tokens that are written so far.",
    {
        "model.decode(trg, encoder_output, src_mask)": "model.decode(trg[:, -2:], encoder_output, src_mask)"
    },
)
WRITTEN_IN_FRONT = Mistake(
    "The next token is put before the written tokens. Append it at the end.",
    {"torch.cat([trg, token[:, None]], dim=1)": "torch.cat([token[:, None], trg], dim=1)"},
)
WRITTEN_OVER = Mistake(
    "The next token replaces all written tokens instead of being appended to them.",
    {
        "while trg.size(1) < max_len and": "while True and",
        "torch.cat([trg, token[:, None]], dim=1)": "token[:, None]\n            max_len -= 1\n            if max_len < 2:\n                break",
    },
)
JOINED_UNDER = Mistake(
    "The next tokens are joined to the batch as new rows, so the shapes do not fit. Append one "
    "token to each row instead.",
    {"torch.cat([trg, token[:, None]], dim=1)": "torch.cat([trg, token[:, None]], dim=0)"},
)

# Greedy decoding: beginning and end

BEGINS_WITH_PADDING = Mistake(
    "The rows begin with padding instead of bos. Every row began with bos in training, and "
    "decoding must begin in the same way.",
    {"torch.full((len(src), 1), bos_idx": "torch.full((len(src), 1), model.trg_pad_idx"},
)
BEGINS_WITH_0 = Mistake(
    "The rows always begin with token 0, and bos_idx is ignored. Decoding must begin as training "
    "did.",
    {"torch.full((len(src), 1), bos_idx": "torch.full((len(src), 1), 0"},
)
BEGINS_WITH_1 = Mistake(
    "The rows always begin with token 1, and bos_idx is ignored. Decoding must begin as training "
    "did.",
    {"torch.full((len(src), 1), bos_idx": "torch.full((len(src), 1), 1"},
)
BEGINS_WITH_EOS = Mistake(
    "The rows begin with eos instead of bos. Every row began with bos in training, and decoding "
    "must begin in the same way.",
    {"torch.full((len(src), 1), bos_idx": "torch.full((len(src), 1), eos_idx"},
    seen="harvardnlp/annotated-transformer#127",
)
BOS_CUT_OFF = Mistake(
    "The rows come back without bos. They should begin with it.",
    {"    return trg\n": "    return trg[:, 1:]\n"},
)
NEVER_ENDS = Mistake(
    "eos does not end a row: more words follow it. What stands after eos is not part of the "
    "translation.",
    {"            ended |= token == eos_idx\n": ""},
)
PADDING_ENDS_A_ROW = Mistake(
    NEVER_ENDS.says,
    {"ended |= token == eos_idx": "ended |= token == model.trg_pad_idx"},
)
LAST_TOKEN_DECIDES = Mistake(
    "Only the newest token decides whether a row has ended. After eos comes padding, so the row "
    "counts as unfinished again, and words follow.",
    {"ended |= token == eos_idx": "ended = token == eos_idx"},
)
TEXT_AFTER_EOS = Mistake(
    "Rows that have ended get more words while other rows are still being written. After eos "
    "there should be only padding.",
    {".masked_fill(ended, model.trg_pad_idx)": ""},
    seen="guillaume-be/rust-bert#86",
)
ALWAYS_TO_MAX_LEN = Mistake(
    "The result is max_len long although all rows ended earlier. It should be as long as its "
    "longest row.",
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
    "Decoding stops when the first row of the batch has ended. The other rows are cut off in the "
    "middle.",
    {"not ended.all()": "not ended[0]"},
)
EOS_REPEATED = Mistake(
    "Rows that have ended are filled up with eos instead of padding.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, eos_idx)"},
)
PADDING_OF_THE_SOURCE = Mistake(
    "Rows that have ended are filled up with src_pad_idx. In the target vocabulary that id may be "
    "a word.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, model.src_pad_idx)"},
)
PADDING_IS_0 = Mistake(
    "Rows that have ended are always filled up with token 0, and trg_pad_idx is ignored. In "
    "another vocabulary, token 0 is a word.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, 0)"},
)
PADDING_IS_1 = Mistake(
    "Rows that have ended are always filled up with token 1, and trg_pad_idx is ignored. In "
    "another vocabulary, token 1 is a word.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, 1)"},
)
EOS_NOT_WRITTEN = Mistake(
    "eos itself is not written: padding takes its place. A row that ends should end with eos.",
    {
        "token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)": """\
token = logits.argmax(dim=-1)
            ended |= token == eos_idx
            token = token.masked_fill(ended, model.trg_pad_idx)""",
        "dim=1)\n            ended |= token == eos_idx\n": "dim=1)\n",
    },
)
EOS_ONE_LATE = Mistake(
    "A row counts as ended one step too late, so another word stands after eos.",
    {
        "ended |= token == eos_idx": "ended |= (trg[:, :-1] == eos_idx).any(dim=1)",
    },
)
ONE_TOO_MANY = Mistake(
    "One token more than max_len may be written. max_len counts bos as well.",
    {"trg.size(1) < max_len and": "trg.size(1) <= max_len and"},
)
ONE_TOO_FEW = Mistake(
    "Decoding stops one token before max_len. max_len tokens are allowed, bos included.",
    {"trg.size(1) < max_len and": "trg.size(1) < max_len - 1 and"},
)
AS_LONG_AS_THE_SOURCE = Mistake(
    "The translation cannot be longer than the source. Only eos or max_len should end it.",
    {"trg.size(1) < max_len and": "trg.size(1) < src.size(1) and"},
)
EOS_FORCED = Mistake(
    "At max_len, eos is put at the end of rows that have not ended. The model did not write it.",
    {
        "    return trg\n": """\
    if trg.size(1) == max_len > 1:
        trg[~ended, -1] = eos_idx
    return trg
"""
    },
)
HALF_NUMBERS = Mistake(
    "The tokens are 32-bit integers at first. Token ids must be int64 from the start.",
    {
        "bos_idx, dtype=torch.int64, device=src.device)\n    ended": "bos_idx, dtype=torch.int32, device=src.device)\n    ended"
    },
)
NO_INTEGERS = Mistake(
    "The tokens are floats at first. Token ids must be int64, or the embedding stops with an "
    "error.",
    {
        "bos_idx, dtype=torch.int64, device=src.device)\n    ended": "float(bos_idx), device=src.device)\n    ended"
    },
)

# Both: the source

ALL_OF_THE_SOURCE_READ = Mistake(
    "Greedy decoding reads the padding of the source as if it were words. The decoder needs the "
    "mask that encode returned.",
    {
        "encoder_output, src_mask)[:, -1]\n            token": "encoder_output, torch.ones_like(src_mask))[:, -1]\n            token"
    },
)
SOURCE_MASK_BY_TARGET_PADDING = Mistake(
    "The source mask is made with trg_pad_idx, so a source word is masked and padding is read. "
    "The decoder needs the mask that encode returned.",
    {
        "encoder_output, src_mask)[:, -1]\n            token": "encoder_output, (src != model.trg_pad_idx)[:, None, None, :])[:, -1]\n            token"
    },
)
SOURCES_REVERSED = Mistake(
    "Each row is decoded with the source of another row. The encoder's output and the target's "
    "rows must be in the same order.",
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
    "The source mask of the first sentence is used for all sentences. Each sentence has its own "
    "padding, so it needs its own mask.",
    {
        "encoder_output, src_mask)[:, -1]\n            token": "encoder_output, src_mask[:1].expand_as(src_mask))[:, -1]\n            token"
    },
)
SOURCE_CHANGED = Mistake(
    "The source is overwritten in place. The caller still needs it.",
    {
        "    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)\n": """\
    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    src[src == model.src_pad_idx] = model.trg_pad_idx
"""
    },
)

# Beam search: the sums

RAW_SCORES = Mistake(
    "You add up raw scores. Add logarithms of probabilities instead: raw scores favour steps that "
    "happen to have large scores.",
    {"logits.log_softmax(dim=-1)": "logits"},
)
PROBABILITIES_ADDED = Mistake(
    "You add up probabilities. The probability of a sentence is their product, so add up their "
    "logarithms.",
    {"logits.log_softmax(dim=-1)": "logits.softmax(dim=-1)"},
)
LOG_PROBABILITIES_MULTIPLIED = Mistake(
    "Every extension gets the same score, or NaN, so the search cannot choose. log P is a sum: add "
    "the log_softmax of the next token to the log P so far.",
    {"log_p[:, None] + logits.log_softmax(dim=-1)": "log_p[:, None] * logits.log_softmax(dim=-1)"},
)
LOGARITHM_OF_A_LOGARITHM = Mistake(
    LOG_PROBABILITIES_MULTIPLIED.says,
    {"logits.log_softmax(dim=-1)": "logits.log_softmax(dim=-1).log()"},
)
SOFTMAX_OVER_HYPOTHESES = Mistake(
    "The softmax runs over the hypotheses instead of the words. The probabilities of one "
    "hypothesis's next words then do not sum to 1.",
    {"log_softmax(dim=-1)": "log_softmax(dim=0)"},
)
SOFTMAX_OVER_ALL = Mistake(
    "One softmax runs over the words of all hypotheses together. Each hypothesis needs its own, "
    "so that the probabilities of its next words sum to 1.",
    {"logits.log_softmax(dim=-1)": "logits.flatten().log_softmax(dim=0).view_as(logits)"},
)
SUMS_NOT_CARRIED_ON = Mistake(
    "Only the newest token counts: every step forgets the sum of the tokens before it.",
    {"log_p[:, None] + logits": "logits"},
)
SUMS_OF_OTHERS = Mistake(
    "The sums so far are added along the wrong axis, so the shapes do not fit. Add each "
    "hypothesis's sum to all its next words.",
    {"log_p[:, None] + ": "log_p[None, :] + "},
)
LOGARITHM_TWICE = Mistake(
    "The softmax is applied twice before the logarithm. All words then look almost equally likely.",
    {"logits.log_softmax(dim=-1)": "logits.softmax(dim=-1).log_softmax(dim=-1)"},
)
EOS_NOT_COUNTED_IN_P = Mistake(
    "The probability of eos is left out of the sum of a hypothesis that ends. It must count like "
    "the probabilities of the words.",
    {
        "        log_p, places = sums": "        before = log_p\n        log_p, places = sums",
        "zip(log_p[ended].tolist()": "zip(before[rows[ended]].tolist()",
    },
)

PROBABILITIES_MULTIPLIED = Mistake(
    "You multiply probabilities. After some dozens of words the product is too small for float32 "
    "and becomes 0, so add logarithms instead.",
    {
        "log_p = torch.zeros(1, device": "log_p = torch.ones(1, device",
        "log_p[:, None] + logits.log_softmax(dim=-1)": "log_p[:, None] * logits.softmax(dim=-1)",
        "zip(log_p[ended].tolist(), live": "zip(log_p[ended].log().tolist(), live",
        "list(zip(log_p.tolist(), live))": "list(zip(log_p.log().tolist(), live))",
    },
)

# Beam search: the hypotheses

ALL_FROM_ONE = Mistake(
    "The search finds only what greedy decoding finds: it has one hypothesis, or equal copies of "
    "it. Begin with a single bos, then keep the beam_size best extensions.",
    {
        "torch.full((1, 1), bos_idx": "torch.full((beam_size, 1), bos_idx",
        "torch.zeros(1, device": "torch.zeros(beam_size, device",
    },
)
ROWS_AND_TOKENS_SWAPPED = Mistake(
    "You read a place among all sums wrongly. Divide it by the size of the vocabulary: the "
    "quotient is the hypothesis, the remainder is the token.",
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
    "Every extension is appended to the best hypothesis. Append each extension to the hypothesis "
    "that it belongs to.",
    {"torch.cat([live[rows],": "torch.cat([live[rows * 0],"},
)
NOT_REORDERED = Mistake(
    "The extensions are appended to the hypotheses in their old order. Append each extension to "
    "the hypothesis that it belongs to.",
    {"torch.cat([live[rows],": "torch.cat([live[torch.arange(len(rows)) % len(live)],"},
)
NO_COMPETITION = Mistake(
    "After the first step each hypothesis grows by its own best word, and none is dropped. All "
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
    "You keep the least likely extensions. Keep the most likely ones.",
    {"sums.numel()))": "sums.numel()), largest=False)"},
)
NOT_NARROWED = Mistake(
    "The beam keeps its width when a hypothesis has finished. A finished one keeps its place, so "
    "only beam_size minus the finished ones go on.",
    {"min(beam_size - len(finished), sums": "min(beam_size, sums"},
)
NOT_NARROWED_UNTIL_ALL_HAVE_FINISHED = Mistake(
    "The beam keeps its width, and the search stops when beam_size hypotheses have finished. Only "
    "beam_size minus the finished ones should go on.",
    {
        "min(beam_size - len(finished), sums": "min(beam_size, sums",
        "while len(live) > 0 and live": "while 0 < len(live) and len(finished) < beam_size and live",
    },
)
FINISHED_PUSHED_OUT = Mistake(
    "Finished hypotheses compete with longer ones again at every step, and can be dropped. A "
    "finished hypothesis should keep its place.",
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
    "The beam gets narrower by one, even if several hypotheses have finished. Every finished "
    "hypothesis keeps one place.",
    {"min(beam_size - len(finished), sums": "min(beam_size - bool(finished), sums"},
)
WIDER_THAN_THE_VOCABULARY = Mistake(
    "The code stops with an error if the beam is wider than the vocabulary. The first step then "
    "has fewer extensions than beam_size.",
    {"topk(min(beam_size - len(finished), sums.numel()))": "topk(beam_size - len(finished))"},
)
NEVER_WIDER_THAN_THE_VOCABULARY = Mistake(
    "You never keep more hypotheses than there are words. From the second step on there are more "
    "extensions, and beam_size of them may stay.",
    {"sums.numel()))": "sums.size(-1)))"},
)
FINISHED_THROWN_AWAY = Mistake(
    "Hypotheses that end are not kept. A finished translation must stay, or nothing is left when "
    "all have ended.",
    {"        finished += zip(log_p[ended].tolist(), live[ended])\n": ""},
)
LIVE_COMPETES = Mistake(
    "Hypotheses that have not ended at max_len compete with finished ones. They only count if "
    "none has finished: the rest of their sentence is missing.",
    {"finished or list(zip(log_p.tolist(), live))": "finished + list(zip(log_p.tolist(), live))"},
)
LIVE_WINS = Mistake(
    "Hypotheses that have not ended at max_len win over finished ones. They only count if none "
    "has finished.",
    {"finished or list(zip(log_p.tolist(), live))": "list(zip(log_p.tolist(), live)) or finished"},
)
NONE_FINISHED = Mistake(
    "Only finished hypotheses can be returned. If none has finished at max_len, the code stops "
    "with an error.",
    {"finished or list(zip(log_p.tolist(), live))": "finished"},
)
WORST_LIVE_RETURNED = Mistake(
    "If no hypothesis has finished, the live one with the lowest score is returned. It should be "
    "the best live one.",
    {"finished or list(zip(log_p.tolist(), live))": "finished or [(log_p[-1].item(), live[-1])]"},
)
STOPS_AT_THE_FIRST_FINISHED = Mistake(
    "The hypothesis that finishes first is returned. A longer one may still have a better score: "
    "search until none is live, or to max_len.",
    {"while len(live) > 0 and live": "while len(live) > 0 and not finished and live"},
)
STOPS_AT_BEST_FINISHED = Mistake(
    "The search stops as soon as a finished hypothesis leads. Another may still beat it: search "
    "until none is live, or to max_len.",
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
STOPS_IF_THE_NEXT_TOKEN_IS_NO_HELP = Mistake(
    "The search stops when no hypothesis can win with one more token. With two more it may still "
    "win: search until none is live, or to max_len.",
    {
        "live, log_p = live[~ended], log_p[~ended]": """\
live, log_p = live[~ended], log_p[~ended]
        by = ((5 + live.size(1)) / 6) ** length_penalty
        best = max((p / ((4 + len(row)) / 6) ** length_penalty for p, row in finished), default=None)
        if best is not None and (log_p / by <= best).all():
            break"""
    },
)
FINISHED_GOES_ON = Mistake(
    "A hypothesis that has ended is finished and also goes on: words are written after eos. Take "
    "it out of the live ones.",
    {"        live, log_p = live[~ended], log_p[~ended]\n": ""},
)
GOES_ON_WITH_NONE = Mistake(
    "The search goes on when no hypothesis is live any more. The model then gets an empty batch, "
    "which can end in an error.",
    {"while len(live) > 0 and live": "while live"},
)
NEVER_FINISHED = Mistake(
    "eos finishes no hypothesis: words follow it, up to max_len.",
    {"        ended = tokens == eos_idx\n": "        ended = tokens != tokens\n"},
)
SUMS_NOT_TAKEN_OUT = Mistake(
    "You take out the hypotheses that have ended, but not their sums. The sums then belong to the "
    "wrong hypotheses, or the shapes do not fit.",
    {"live, log_p = live[~ended], log_p[~ended]": "live = live[~ended]"},
)
ENDED_GO_ON = Mistake(
    "Hypotheses that have ended go on, and the others are dropped. It should be the other way "
    "round.",
    {"live, log_p = live[~ended], log_p[~ended]": "live, log_p = live[ended], log_p[ended]"},
)
FIRST_FINISHED_RETURNED = Mistake(
    STOPS_AT_THE_FIRST_FINISHED.says,
    {"return max(hypotheses, key=": "return max(hypotheses[:1], key="},
)
LAST_FINISHED_RETURNED = Mistake(
    "The hypothesis that finished last is returned. Return the one with the best score.",
    {"return max(hypotheses, key=": "return max(hypotheses[-1:], key="},
)
WORST_RETURNED = Mistake(
    "The hypothesis with the lowest score is returned. The scores are negative, and the one "
    "nearest to 0 is the best.",
    {"return max(hypotheses, key=": "return min(hypotheses, key="},
)

# Beam search: the length penalty

NO_LENGTH_PENALTY = Mistake(
    "The score is not corrected for the length of a hypothesis. Longer translations multiply more "
    "probabilities, so short ones win.",
    {"log_p / ((5 + n) / 6) ** length_penalty": "log_p"},
    seen="neulab/xnmt#572",
)
MULTIPLIED = Mistake(
    "The length penalty makes long translations worse instead of better. Divide log P by it: log "
    "P is negative, so multiplying, or dividing P itself, does the opposite.",
    {"log_p / ((5": "log_p * ((5"},
)
PRODUCT_RANKED = Mistake(
    MULTIPLIED.says,
    {"return log_p /": "return 2.718281828459045**log_p /"},
)
BOS_COUNTED = Mistake(
    "n is one too large, or 5 and 6 are swapped. n counts the tokens after bos, eos included, so "
    "that one token has the penalty 1.",
    {"n = len(tokens) - 1": "n = len(tokens)"},
)
FIVE_AND_SIX_SWAPPED = Mistake(
    BOS_COUNTED.says,
    {"log_p / ((5 + n) / 6)": "log_p / ((6 + n) / 5)"},
)
EOS_NOT_COUNTED = Mistake(
    "n is one too small. eos counts as a token because it is predicted as well; only bos does not "
    "count.",
    {"n = len(tokens) - 1": "n = len(tokens) - 2"},
)
BY_LENGTH = Mistake(
    "log P is divided by a power of the number of tokens itself. The paper first adds 5 to the "
    "number, which makes the penalty softer.",
    {"log_p / ((5 + n) / 6)": "log_p / (n or 1)"},
)
BY_LENGTH_WITH_BOS = Mistake(
    "log P is divided by a power of the number of tokens, bos included. The paper adds 5 to the "
    "number of tokens after bos.",
    {"log_p / ((5 + n) / 6)": "log_p / len(tokens)"},
)
PENALTY_IGNORED = Mistake(
    "The exponent of the length penalty is always 0.6, and length_penalty is ignored.",
    {") / 6) ** length_penalty": ") / 6) ** 0.6"},
)
NO_EXPONENT = Mistake(
    "length_penalty has no effect on the ranking. It must be the exponent of the whole fraction "
    "(5 + n) / 6.",
    {") / 6) ** length_penalty": ") / 6)"},
)
FACTOR_FOR_EXPONENT = Mistake(
    "length_penalty is used as a factor of the length. It must be the exponent of (5 + n) / 6.",
    {"((5 + n) / 6) ** length_penalty": "(1 + length_penalty * (5 + n) / 6)"},
)
EXPONENT_TURNED = Mistake(
    MULTIPLIED.says,
    {"/ 6) ** length_penalty": "/ 6) ** -length_penalty"},
)
AT_EVERY_STEP = Mistake(
    "The sums are divided by the length penalty at every step, so it is applied again and again. "
    "Apply it only in the last comparison.",
    {
        "        ended = tokens == eos_idx\n": "        log_p = log_p / ((4 + live.size(1)) / 6) ** length_penalty\n        ended = tokens == eos_idx\n"
    },
)
PLAIN_MEAN = Mistake(
    "log P is divided by the number of tokens, and length_penalty is ignored. The paper divides "
    "by (5 + n) / 6 to the power of length_penalty.",
    {"((5 + n) / 6) ** length_penalty": "(n or 1)"},
)
NO_PENALTY_TAKEN_FOR_NONE_GIVEN = Mistake(
    "A length_penalty of 0 is replaced by 0.6. 0 means no correction, but Python treats 0 as "
    "false.",
    {") / 6) ** length_penalty": ") / 6) ** (length_penalty or 0.6)"},
)
PENALTY_OF_1 = Mistake(
    "The default of length_penalty is 1. It should be 0.6, as in the paper.",
    {"length_penalty: float = 0.6": "length_penalty: float = 1.0"},
)
PENALTY_OF_0 = Mistake(
    "The default of length_penalty is 0, so nothing is corrected. It should be 0.6, as in the "
    "paper.",
    {"length_penalty: float = 0.6": "length_penalty: float = 0.0"},
)
BEAM_OF_5 = Mistake(
    "The default of beam_size is 5. It should be 4, as in the paper.",
    {"beam_size: int = 4": "beam_size: int = 5"},
)
BEAM_OF_1 = Mistake(
    "The default of beam_size is 1, which is greedy decoding. It should be 4, as in the paper.",
    {"beam_size: int = 4": "beam_size: int = 1"},
)
BEAM_FIXED = Mistake(
    "The beam is always 4 wide, and beam_size is ignored.",
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
    "Beam search uses the scores of the first position at every step. The newest prediction is at "
    "the last position.",
    {"expand(len(live), -1, -1, -1))[:, -1]": "expand(len(live), -1, -1, -1))[:, 0]"},
)
BEAM_ONLY_THE_LAST_TOKEN = Mistake(
    "Beam search feeds back only the last token of each hypothesis. The decoder has no memory: "
    "each time it needs all tokens that are written so far.",
    {"model.decode(live, source": "model.decode(live[:, -1:], source"},
)
BEAM_READS_PADDING = Mistake(
    "Beam search reads the padding of the source as if it were words. The decoder needs the mask "
    "that encode returned.",
    {
        "src_mask.expand(len(live), -1, -1, -1)": "torch.ones_like(src_mask).expand(len(live), -1, -1, -1)"
    },
)
BEAM_ENCODES_TOGETHER = Mistake(
    "All sentences are searched with the source of the first sentence. Each sentence needs its "
    "own source.",
    {"best_hypothesis(model, row[None], bos_idx": "best_hypothesis(model, src[:1], bos_idx"},
)
ONE_SENTENCE = Mistake(
    "Only the first sentence of the batch is searched. Every row needs an answer.",
    {"            for row in src\n": "            for row in src[:1]\n"},
)
BEAM_BEGINS_WITH_PADDING = Mistake(
    "In beam search the hypotheses begin with padding instead of bos. Every row began with bos in "
    "training, and decoding must begin in the same way.",
    {"torch.full((1, 1), bos_idx": "torch.full((1, 1), model.trg_pad_idx"},
)
BEAM_BEGINS_WITH_0 = Mistake(
    "In beam search the hypotheses always begin with token 0, and bos_idx is ignored.",
    {"torch.full((1, 1), bos_idx": "torch.full((1, 1), 0"},
)
BEAM_BEGINS_WITH_EOS = Mistake(
    "In beam search bos and eos are swapped: the hypotheses begin with eos, and bos finishes them.",
    {
        "best_hypothesis(model, row[None], bos_idx, eos_idx": "best_hypothesis(model, row[None], eos_idx, bos_idx"
    },
)
BEAM_ONE_TOO_MANY = Mistake(
    "Beam search may write one token more than max_len. max_len counts bos as well.",
    {"live.size(1) < max_len:": "live.size(1) <= max_len:"},
)
BEAM_ONE_TOO_FEW = Mistake(
    "Beam search stops one token before max_len. max_len tokens are allowed, bos included.",
    {"live.size(1) < max_len:": "live.size(1) < max_len - 1:"},
)
BEAM_AS_LONG_AS_THE_SOURCE = Mistake(
    "Beam search writes at most as many tokens as the source has. Only eos or max_len should end "
    "a translation.",
    {"live.size(1) < max_len:": "live.size(1) < src.size(1):"},
)
BEAM_BOS_CUT_OFF = Mistake(
    "The hypotheses come back without bos. The rows should begin with it.",
    {"key=score)[1]": "key=score)[1][1:]"},
)
BEAM_EOS_CUT_OFF = Mistake(
    "The hypotheses come back without their last token. That is eos, or a word if none has ended.",
    {"key=score)[1]": "key=score)[1][:-1]"},
)
BEAM_EOS_DROPPED = Mistake(
    "The hypotheses of beam search come back without eos. They must look like the rows of "
    "greedy_decode: eos ends them, and padding follows.",
    {
        "    return max(hypotheses": "    best = max(hypotheses",
        "key=score)[1]": "key=score)[1]\n    return best[best != eos_idx]",
    },
)
BEAM_FILLED_UP_TO_MAX_LEN = Mistake(
    "The translations of beam search are filled up to max_len. The result should be as long as "
    "its longest row.",
    {
        "    return torch.nn.utils.rnn.pad_sequence(found, batch": """\
    found = [torch.nn.functional.pad(found[0], (0, max_len - len(found[0])), value=model.trg_pad_idx), *found[1:]]
    return torch.nn.utils.rnn.pad_sequence(found, batch"""
    },
)
BEAM_PADDING_IS_0 = Mistake(
    "Shorter translations of beam search are always filled up with token 0, and trg_pad_idx is "
    "ignored. In another vocabulary, token 0 is a word.",
    {", padding_value=model.trg_pad_idx": ""},
)
BEAM_PADDING_OF_THE_SOURCE = Mistake(
    "Shorter translations of beam search are filled up with src_pad_idx. In the target vocabulary "
    "that id may be a word.",
    {"padding_value=model.trg_pad_idx": "padding_value=model.src_pad_idx"},
)
BEAM_EOS_REPEATED = Mistake(
    "Shorter translations of the beam search are filled up with eos instead of padding.",
    {"padding_value=model.trg_pad_idx": "padding_value=eos_idx"},
)
BEAM_TURNED = Mistake(
    "Beam search returns one column for each sentence. It should return one row.",
    {"pad_sequence(found, batch_first=True": "pad_sequence(found, batch_first=False"},
)
BEAM_STACKED = Mistake(
    "The translations are stacked as they are. Their lengths differ, so the code stops with an "
    "error: fill up the shorter ones first.",
    {
        "torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=model.trg_pad_idx)": "torch.stack(found)"
    },
)
BEAM_AS_LIST = Mistake(
    "A list of translations is returned. Return one tensor, (batch_size, length).",
    {
        "torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=model.trg_pad_idx)": "found"
    },
)

# Beam search, all sentences at once

ORDER_OF_REPEATS = Mistake(
    "Hypotheses of one sentence are decoded with the source of another. The repeated sources must "
    "be in the order of the hypotheses: those of one sentence stand side by side.",
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
    "then read it with the padding of another.",
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
DEAD_ONES_ARE_ALL_PADDING = Mistake(
    "Hypotheses that have ended are filled with padding alone. Attention then has no visible key "
    "and gives NaN, and topk takes NaN for the best score.",
    {
        find: text.replace(
            "            logits = model.decode(live.flatten(0, 1)",
            """\
            dead = (log_p == nothing)[:, :, None]
            live = live.masked_fill(dead, model.trg_pad_idx)
            logits = model.decode(live.flatten(0, 1)""",
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
    "Greedy decoding encodes the source before the model is in eval mode. If the model "
    "comes in train mode, dropout changes the encoded source.",
    {
        "    with evaluating(model):\n        encoder_output, src_mask = model.encode(src)\n": """\
    encoder_output, src_mask = model.encode(src)
    with evaluating(model):
"""
    },
)
SOURCE_KEPT = Mistake(
    "The encoded source of the first call is kept and used again in every later call.",
    {
        "        encoder_output, src_mask = model.encode(src)\n        while": """\
        if not hasattr(model, "kept"):
            model.kept = model.encode(src)
        encoder_output, src_mask = model.kept
        while"""
    },
)
SOURCES_KEPT_FOR_GOOD = Mistake(
    "The encoded source is kept and used again in a later call. It is out of date when the model "
    "has learned since.",
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
        "    encoder_output, src_mask = model.encode(src)\n    # Repeat while": """\
    kept = model.__dict__.setdefault("kept", {})
    key = str(src.tolist())
    if key not in kept:
        kept[key] = model.encode(src)
    encoder_output, src_mask = kept[key]
    # Repeat while"""
    },
)
TARGETS_KEPT_FOR_GOOD = Mistake(
    "The translation of a source is kept and returned again in a later call. It is out of date "
    "when the model has learned since.",
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
    "A tensor is made on the default device instead of the source's device. On a GPU the two "
    "cannot be combined.",
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

# Numbers that count as false, ties, and lasting changes

PADDING_0_LOST = Mistake(
    "If padding is token 0, rows that have ended are filled up with another token. Python treats "
    "0 as false.",
    {"masked_fill(ended, model.trg_pad_idx)": "masked_fill(ended, model.trg_pad_idx or eos_idx)"},
)
BEAM_PADDING_0_LOST = Mistake(
    PADDING_0_LOST.says,
    {"padding_value=model.trg_pad_idx": "padding_value=model.trg_pad_idx or 1"},
)
EOS_0_LOST = Mistake(
    "If eos is token 0, no row ever ends. Python treats 0 as false.",
    {
        "            ended |= token == eos_idx\n": """\
            if eos_idx:
                ended |= token == eos_idx
"""
    },
)
BEAM_EOS_0_LOST = Mistake(
    "If eos is token 0, no hypothesis ever ends. Python treats 0 as false.",
    {"ended = tokens == eos_idx": "ended = tokens == (eos_idx or -1)"},
)
BEAM_BOS_0_LOST = Mistake(
    "If bos is token 0, the hypotheses begin with another token. Python treats 0 as false.",
    {"live = torch.full((1, 1), bos_idx,": "live = torch.full((1, 1), bos_idx or 1,"},
)
TIES_COMPARED = Mistake(
    "If two hypotheses have the same score, their token tensors are compared, and that is an "
    "error. Give max or sorted a key that is the score alone.",
    {"max(hypotheses, key=score)": "max((score(one), one[1]) for one in hypotheses)"},
)
PARTS_STAY_IN_EVAL = Mistake(
    "Only the model's own flag `training` is restored. Its layers stay in eval mode, "
    "without dropout: train() sets the mode of all of them.",
    {"model.train(was_training)": "model.training = was_training"},
)
FROZEN = Mistake(
    "The model's parameters need no gradient any more after decoding. If you decode an example "
    "during training, nothing learns afterwards.",
    {"    model.eval()\n": "    model.eval().requires_grad_(False)\n"},
)
NO_LOOK_AHEAD_MASK = Mistake(
    "The decoder gets no target mask. Each written token then sees the tokens after it, which it "
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
    "The encoder gets no source mask, so the words attend to padding.",
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
    "A source that is longer than max_len is cut. max_len only limits what is written.",
    {
        "\n    encoder_output, src_mask = model.encode(src)\n": """
    encoder_output, src_mask = model.encode(src[:, :max_len])
"""
    },
)
BEAM_50_MORE_THAN_THE_SOURCE = Mistake(
    "At most 50 tokens more are written than the source has, as in the paper. Here max_len is the "
    "only limit.",
    {
        "while len(live) > 0 and live.size(1) < max_len": "while len(live) > 0 and live.size(1) < min(max_len, src.size(1) + 50)"
    },
)
EQUAL_SENTENCES_ONCE = Mistake(
    "A sentence that stands in the batch twice is answered only once. The rows after it then "
    "belong to other sentences.",
    {
        "            for row in src\n": "            for row in {tuple(row.tolist()): row for row in src}.values()\n"
    },
)
ENDS_AT_BOS = Mistake(
    "A row counts as ended if eos_idx stands anywhere in it, even in the place of bos. If bos and "
    "eos are one token, nothing is written.",
    {
        "            ended |= token == eos_idx": "            ended = (trg == eos_idx).any(dim=1)",
        "    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)": "    ended = torch.full((len(src),), bos_idx == eos_idx, device=src.device)",
    },
)
AT_MOST_128 = Mistake(
    "At most 128 tokens are written. max_len is the only limit.",
    {"while trg.size(1) < max_len and": "while trg.size(1) < min(max_len, 128) and"},
)
AT_MOST_512 = Mistake(
    "At most 512 tokens are written. max_len is the only limit.",
    {"while trg.size(1) < max_len and": "while trg.size(1) < min(max_len, 512) and"},
)
BEAM_OF_AT_MOST_64 = Mistake(
    "At most 64 hypotheses are kept, even if beam_size is larger.",
    {
        "topk(min(beam_size - len(finished), sums.numel()))": "topk(min(beam_size - len(finished), sums.numel(), 64))"
    },
)
BEAM_OF_AT_MOST_128 = Mistake(
    "At most 128 hypotheses are kept, even if beam_size is larger.",
    {
        "topk(min(beam_size - len(finished), sums.numel()))": "topk(min(beam_size - len(finished), sums.numel(), 128))"
    },
)
FIRST_256_SENTENCES = Mistake(
    "Only the first 256 sentences of a batch are decoded. A batch may be larger.",
    {
        "    trg = torch.full((len(src), 1), bos_idx": "    src = src[:256]\n    trg = torch.full((len(src), 1), bos_idx"
    },
)
FIRST_256_WORDS = Mistake(
    "Only the first 256 words of the vocabulary can be written. A vocabulary may be larger.",
    {"logits.argmax(dim=-1)": "logits[:, :256].argmax(dim=-1)"},
)
PLACES_IN_INT16 = Mistake(
    "The places of the best extensions are kept in int16, which ends at 32,767. With many "
    "hypotheses and words, larger places become wrong.",
    {
        "        rows, tokens = places //": "        places = places.short().long() % sums.numel()\n        rows, tokens = places //"
    },
)
BEAM_WITHOUT_PADDING = Mistake(
    "Beam search never writes padding: its score is set to minus infinity. Padding has a "
    "probability like every other token.",
    {
        "        sums = log_p[:, None] +": '        logits[:, model.trg_pad_idx] = float("-inf")\n        sums = log_p[:, None] +'
    },
)
PENALTY_ROUNDED_DOWN = Mistake(
    "(5 + n) / 6 is rounded down to a whole number. Up to six tokens then have no penalty, and "
    "many longer texts have one that is too small.",
    {"log_p / ((5 + n) / 6)": "log_p / ((5 + n) // 6)"},
)
NEVER_PADDING = Mistake(
    "Greedy decoding can never write the padding token. The model may choose it like every other "
    "token.",
    {
        "            token = logits.argmax(dim=-1)": """\
            logits[:, model.trg_pad_idx] = float("-inf")
            token = logits.argmax(dim=-1)"""
    },
)
NO_MARKS_IN_THE_BEAM = Mistake(
    "Beam search can never write the padding token. The model may choose it like every other token.",
    {
        "        sums = log_p[:, None] + logits.log_softmax(dim=-1)\n": """\
        sums = log_p[:, None] + logits.log_softmax(dim=-1)
        sums[:, [i for i in (model.trg_pad_idx, bos_idx) if i != eos_idx]] = float("-inf")
"""
    },
)
PADDING_ENDS_TOO = Mistake(
    "A row ends as soon as the model chooses the padding token. Only eos_idx ends a row.",
    {"ended |= token == eos_idx": "ended = (token == eos_idx) | (token == model.trg_pad_idx)"},
)
SEARCHES_AT_MOST_SIXTY = Mistake(
    "Beam search never writes more than 60 tokens, even if max_len is larger.",
    {"live.size(1) < max_len": "live.size(1) < min(max_len, 60)"},
)
GRADIENTS_ON_AFTERWARDS = Mistake(
    "After the call PyTorch records gradients, even if it did not before. It should be as before.",
    {
        "        with torch.no_grad():\n            yield\n": """\
        torch.set_grad_enabled(False)
        yield
""",
        "        model.train(was_training)\n": """\
        torch.set_grad_enabled(True)
        model.train(was_training)
""",
    },
)
TOKEN_WITHOUT_AXIS = Mistake(
    "The new tokens of greedy_decode lack an axis: trg has two, rows and tokens. Write token[:, "
    "None] before cat joins them.",
    {"torch.cat([trg, token[:, None]], dim=1)": "torch.cat([trg, token], dim=1)"},
)
BEAM_TOKENS_WITHOUT_AXIS = Mistake(
    "The new tokens of the hypotheses lack an axis: `live` has two, hypotheses and tokens. Write "
    "tokens[:, None] before cat joins them.",
    {"torch.cat([live[rows], tokens[:, None]], dim=1)": "torch.cat([live[rows], tokens], dim=1)"},
)
RETURN_IN_THE_LOOP = Mistake(
    "return stands inside the loop of greedy_decode. So the function ends after one token.",
    {
        "            ended |= token == eos_idx\n    return trg": "            ended |= token == eos_idx\n            return trg"
    },
)
PAIR_RETURNED = Mistake(
    "best_hypothesis returns the whole pair of log P and tokens. It should return the tokens.",
    {"max(hypotheses, key=score)[1]": "max(hypotheses, key=score)"},
)
LAST_ROW_TAKEN = Mistake(
    "[-1] takes the last sentence of the batch. The scores after the last token are at [:, -1].",
    {"src_mask)[:, -1]\n            token": "src_mask)[-1]\n            token"},
)
ALL_SCORES_TAKEN = Mistake(
    "greedy_decode takes the scores of all tokens. The next token follows from the scores of the "
    "last one: [:, -1].",
    {"src_mask)[:, -1]\n            token": "src_mask)\n            token"},
)
ENDED_AS_FLOATS = Mistake(
    "`ended` has floats. It should have booleans: dtype=torch.bool.",
    {"torch.zeros(len(src), dtype=torch.bool, device": "torch.zeros(len(src), device"},
)
ROW_WITHOUT_BATCH = Mistake(
    "best_hypothesis gets a sentence without the axis of the batch. Pass row[None], a batch of one "
    "sentence.",
    {"best_hypothesis(model, row[None],": "best_hypothesis(model, row,"},
)
BEAM_RESULT_ONE_SHORT = Mistake(
    "The result of beam search loses its last token if it has max_len tokens. bos is one of the "
    "max_len tokens.",
    {"key=score)[1]": "key=score)[1][: max_len - 1]"},
)
RESULT_ONE_SHORT = Mistake(
    "The result of greedy decoding loses its last token if it has max_len tokens. bos is one of "
    "the max_len tokens.",
    {
        "            ended |= token == eos_idx\n    return trg": """\
            ended |= token == eos_idx
    return trg[:, : max(1, max_len - 1)]"""
    },
)
NEVER_EMPTY = Mistake(
    "In greedy decoding eos cannot be the first token after bos. If it has the highest score "
    "there, the translation is empty.",
    {
        "            token = logits.argmax": """\
            if trg.size(1) == 1:
                logits[:, eos_idx] = float("-inf")
            token = logits.argmax"""
    },
)
BEAM_NEVER_EMPTY = Mistake(
    "In beam search eos cannot be the first token after bos. A hypothesis may end at once: its "
    "translation is empty.",
    {
        "        sums = log_p[:, None] +": """\
        if live.size(1) == 1:
            logits[:, eos_idx] = float("-inf")
        sums = log_p[:, None] +"""
    },
)
NO_REPEATS = Mistake(
    "Greedy decoding never writes the same token twice in a row. The token with the highest score "
    "may be the one before.",
    {
        "            token = logits.argmax": """\
            if trg.size(1) > 1:
                logits = logits.scatter(1, trg[:, -1:], float("-inf"))
            token = logits.argmax"""
    },
)
BEAM_NO_REPEATS = Mistake(
    "Beam search never writes the same token twice in a row. The best extension may repeat the "
    "token before.",
    {
        "        sums = log_p[:, None] +": """\
        if live.size(1) > 1:
            logits = logits.scatter(1, live[:, -1:], float("-inf"))
        sums = log_p[:, None] +"""
    },
)
EACH_TOKEN_ONCE = Mistake(
    "Greedy decoding never writes a token that the row already has. A translation may say the same "
    "word twice.",
    {
        "            token = logits.argmax": """\
            logits = logits.scatter(1, trg[:, 1:], float("-inf"))
            token = logits.argmax"""
    },
)
BOS_NEVER_WRITTEN = Mistake(
    "Greedy decoding can never write bos after the first place. The model may choose it like every "
    "other token.",
    {
        "            token = logits.argmax": """\
            if bos_idx != eos_idx:
                logits[:, bos_idx] = float("-inf")
            token = logits.argmax"""
    },
)
MASK_OF_THE_FIRST_STEP_ONLY = Mistake(
    "Only the first step of greedy decoding uses the source mask; the later ones read the padding "
    "of the source. Every step needs the mask.",
    {
        "            logits = model.decode(trg, encoder_output, src_mask)[:, -1]": """\
            seen = src_mask if trg.size(1) == 1 else torch.ones_like(src_mask)
            logits = model.decode(trg, encoder_output, seen)[:, -1]"""
    },
)
BEAM_BOS_NEVER_WRITTEN = Mistake(
    "Beam search can never write bos after the first place. The model may choose it like every "
    "other token.",
    {
        "        sums = log_p[:, None] +": """\
        if bos_idx != eos_idx:
            logits[:, bos_idx] = float("-inf")
        sums = log_p[:, None] +"""
    },
)
