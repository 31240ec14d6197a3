"""Right in another dress: s5_transformer/decoding.py."""

from checks.engine.known import Right

BATCHED = Right(
    "The beams of all sentences are searched at once: beam_size places for each, and log P of "
    "minus infinity in those that are empty.",
    {
        """\
    # Search for each sentence alone.
    with evaluating(model):
        found = [
            best_hypothesis(model, row[None], bos_idx, eos_idx, max_len, beam_size, length_penalty)
            for row in src
        ]
    # Fill up the shorter results with padding.
    return torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=model.trg_pad_idx)
""": """\
    batch_size, nothing = len(src), float("-inf")
    live = src.new_full((batch_size, beam_size, 1), bos_idx)
    log_p = torch.full((batch_size, beam_size), nothing, device=src.device)
    log_p[:, 0] = 0
    room = torch.full((batch_size, 1), beam_size, device=src.device)
    finished: list[list[tuple[float, Tensor]]] = [[] for _ in src]
    with evaluating(model):
        encoder_output, src_mask = model.encode(src)
        encoder_output = encoder_output.repeat_interleave(beam_size, dim=0)
        src_mask = src_mask.repeat_interleave(beam_size, dim=0)
        for n in range(1, max_len):
            logits = model.decode(live.flatten(0, 1), encoder_output, src_mask)[:, -1]
            sums = log_p.view(-1, 1) + logits.log_softmax(dim=-1)
            log_p, places = sums.view(batch_size, -1).topk(beam_size)
            log_p[torch.arange(beam_size, device=src.device) >= room] = nothing
            rows, tokens = places // logits.size(-1), places % logits.size(-1)
            live = live.gather(1, rows[:, :, None].expand(-1, -1, n))
            live = torch.cat([live, tokens[:, :, None]], dim=-1)
            ended = (tokens == eos_idx) & (log_p > nothing)
            for sentence, place in ended.nonzero().tolist():
                score = log_p[sentence, place].item() / ((5 + n) / 6) ** length_penalty
                finished[sentence].append((score, live[sentence, place]))
            log_p[ended] = nothing
            room -= ended.sum(dim=1, keepdim=True)
            if (log_p == nothing).all():
                break
    found = [
        max(pairs, key=lambda pair: pair[0])[1] if pairs else row[0]
        for pairs, row in zip(finished, live)
    ]
    return torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=model.trg_pad_idx)
"""
    },
)
HEAP = Right(
    "A priority queue of Python tuples finds the best extensions.",
    {
        "import torch\nfrom torch import Tensor": "import heapq\n\nimport torch\nfrom torch import Tensor",
        "        log_p, places = sums.flatten().topk(min(beam_size - len(finished), sums.numel()))\n": """\
        extensions = [(total, place) for place, total in enumerate(sums.flatten().tolist())]
        kept = heapq.nlargest(beam_size - len(finished), extensions)
        log_p = torch.tensor([total for total, _ in kept], device=src.device)
        places = torch.tensor([place for _, place in kept], device=src.device)
""",
    },
)
SORTED = Right(
    "All sums are sorted; a slice may be longer than what there is.",
    {
        "log_p, places = sums.flatten().topk(min(beam_size - len(finished), sums.numel()))": """\
log_p, places = sums.view(-1).sort(descending=True)
        width = beam_size - len(finished)
        log_p, places = log_p[:width], places[:width]"""
    },
)
UNRAVELLED = Right(
    "divmod finds hypothesis and token of a place.",
    {
        "places // logits.size(-1), places % logits.size(-1)": """\
torch.tensor([divmod(place, sums.size(1)) for place in places.tolist()]).T.to(src.device)"""
    },
)
BY_HAND = Right(
    "The log-softmax is written out: scores less the logarithm of the sum of their exponentials.",
    {
        "logits.log_softmax(dim=-1)": "(logits - logits.logsumexp(dim=-1, keepdim=True))",
    },
)
LOG_OF_SOFTMAX = Right(
    "The logarithm is taken of the softmax.",
    {"logits.log_softmax(dim=-1)": "logits.softmax(dim=-1).log()"},
)
OF_TORCH_NN = Right(
    "log_softmax is that of torch.nn.functional, in float64.",
    {
        "import torch\nfrom torch import Tensor": "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor",
        "log_p[:, None] + logits.log_softmax(dim=-1)": "log_p.view(-1, 1).double() + F.log_softmax(logits.double(), dim=-1)",
    },
)
OTHER_BASE = Right(
    "The logarithms are those to base 2, which rank alike.",
    {"logits.log_softmax(dim=-1)": "logits.softmax(dim=-1).log2()"},
)
WITHOUT_THE_6 = Right(
    "The penalty is not divided by 6: all scores are smaller by one factor.",
    {"((5 + n) / 6) ** length_penalty": "(5 + n) ** length_penalty"},
)
SCORED_ON_THE_WAY = Right(
    "Finished hypotheses keep their score, and live ones are only scored at the end.",
    {
        "zip(log_p[ended].tolist(), live[ended])": "zip((log_p[ended] / ((4 + live.size(1)) / 6) ** length_penalty).tolist(), live[ended])",
        """\
    hypotheses = finished or list(zip(log_p.tolist(), live))

    def score(hypothesis: tuple[float, Tensor]) -> float:
        log_p, tokens = hypothesis
        n = len(tokens) - 1  # bos_idx does not count.
        return log_p / ((5 + n) / 6) ** length_penalty

    return max(hypotheses, key=score)[1]
""": """\
    if not finished:
        return live[0]
    finished.sort(key=lambda pair: pair[0])
    return finished[-1][1]
""",
    },
)
EARLY_WHERE_NOTHING_CHANGES = Right(
    "The search stops where no live hypothesis can beat the best finished one any more.",
    {
        "        live, log_p = live[~ended], log_p[~ended]\n": """\
        live, log_p = live[~ended], log_p[~ended]
        if finished and len(live) > 0 and length_penalty >= 0:
            best = max(p / ((4 + len(t)) / 6) ** length_penalty for p, t in finished)
            if log_p.max().item() / ((4 + max_len) / 6) ** length_penalty < best:
                break
"""
    },
)
ONE_AT_A_TIME = Right(
    "The hypotheses are scored one after the other.",
    {
        """\
        source = encoder_output.expand(len(live), -1, -1)
        logits = model.decode(live, source, src_mask.expand(len(live), -1, -1, -1))[:, -1]
""": """\
        logits = torch.cat([model.decode(row[None], encoder_output, src_mask)[:, -1] for row in live])
"""
    },
)
REPEATED = Right(
    "The source of one sentence is repeated, in another order.",
    {
        "encoder_output.expand(len(live), -1, -1)": "encoder_output.repeat(len(live), 1, 1)",
        "src_mask.expand(len(live), -1, -1, -1)": "src_mask.repeat_interleave(len(live), dim=0)",
    },
)
NOT_REPEATED = Right(
    "The source is not repeated for the hypotheses: where it meets them, PyTorch does that.",
    {
        "        source = encoder_output.expand(len(live), -1, -1)\n": "",
        "(live, source, src_mask.expand(len(live), -1, -1, -1))": "(live, encoder_output, src_mask)",
    },
)
ONLY_THE_MASK_REPEATED = Right(
    "The mask of the source is repeated for the hypotheses; for its vectors PyTorch does that.",
    {
        "        source = encoder_output.expand(len(live), -1, -1)\n": "",
        "model.decode(live, source,": "model.decode(live, encoder_output,",
    },
)
MASK_FOR_EACH_QUERY = Right(
    "The mask of the source is laid out for every token that is written.",
    {"(live), -1, -1, -1))[:, -1]": "(live), -1, live.size(1), -1))[:, -1]"},
)
MASK_OF_ONE_AXIS = Right(
    "The mask of the source is a row of keys, which PyTorch repeats for all that asks.",
    {"src_mask.expand(len(live), -1, -1, -1))[:, -1]": "src_mask[0, 0, 0])[:, -1]"},
)
NO_MASK_WHERE_ALL_IS_SHOWN = Right(
    "Where nothing of the source is hidden, no mask is given.",
    {
        "src_mask.expand(len(live), -1, -1, -1))[:, -1]": "src_mask)[:, -1]",
        "    encoder_output, src_mask = model.encode(src)\n    # Repeat while": """\
    encoder_output, src_mask = model.encode(src)
    src_mask = None if src_mask.all() else src_mask
    # Repeat while""",
    },
)
ASKS_THE_LAST_LAYER = Right(
    "The last layer says how many words there are.",
    {
        "places // logits.size(-1), places % logits.size(-1)": """\
places // model.decoder.linear.out_features, places % model.decoder.linear.out_features"""
    },
)
WHOLE_MODEL_EACH_STEP = Right(
    "The whole model is run again for every token, the encoder as well. It is only slow.",
    {
        "        encoder_output, src_mask = model.encode(src)\n        while trg": "        while trg",
        "model.decode(trg, encoder_output, src_mask)": "model(src, trg)",
        "    encoder_output, src_mask = model.encode(src)\n    # Repeat while": "    # Repeat while",
        "        source = encoder_output.expand(len(live), -1, -1)\n": "",
        "model.decode(live, source, src_mask.expand(len(live), -1, -1, -1))": "model(src.expand(len(live), -1), live)",
    },
)
INFERENCE_MODE = Right(
    "inference_mode takes the place of no_grad.",
    {"torch.no_grad()": "torch.inference_mode()"},
)
OWN_TRY = Right(
    "Each function puts the mode back by itself.",
    {
        """\
    with evaluating(model):
        encoder_output, src_mask = model.encode(src)
        while trg.size(1) < max_len and not ended.all():
            logits = model.decode(trg, encoder_output, src_mask)[:, -1]
            token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)
            trg = torch.cat([trg, token[:, None]], dim=1)
            ended |= token == eos_idx
    return trg
""": """\
    mode = model.training
    model.train(False)
    try:
        encoder_output, src_mask = model.encode(src)
        while trg.size(1) < max_len and not ended.all():
            logits = model.decode(trg, encoder_output, src_mask)[:, -1].detach()
            token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)
            trg = torch.cat([trg, token[:, None]], dim=1)
            ended |= token == eos_idx
    finally:
        model.train(mode)
    return trg
"""
    },
)
WITH_GRADIENTS = Right(
    "Gradients are recorded on the way: it costs memory, and the tokens are the same.",
    {"with torch.no_grad():": "if True:"},
)
MODE_WITHOUT_TRY = Right(
    "The mode is put back without care for errors.",
    {
        """\
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(was_training)
""": """\
    with torch.no_grad():
        yield
    if was_training:
        model.train()
"""
    },
)
FOR_LOOP = Right(
    "A for loop counts the tokens, and a break leaves it.",
    {
        "        while trg.size(1) < max_len and not ended.all():\n": "        for _ in range(max_len - 1):\n",
        "            ended |= token == eos_idx\n": """\
            ended = ended | (token == eos_idx)
            if ended.all():
                break
""",
        "    while len(live) > 0 and live.size(1) < max_len:\n": "    for _ in range(1, max_len):\n",
        "        live, log_p = live[~ended], log_p[~ended]\n": """\
        live, log_p = live[~ended], log_p[~ended]
        if not len(live):
            break
""",
    },
)
LISTS = Right(
    "The rows are lists, each with its own end; the batch is made of them.",
    {
        """\
        while trg.size(1) < max_len and not ended.all():
            logits = model.decode(trg, encoder_output, src_mask)[:, -1]
            token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)
            trg = torch.cat([trg, token[:, None]], dim=1)
            ended |= token == eos_idx
    return trg
""": """\
        rows = [[bos_idx] for _ in range(src.size(0))]
        done = [False] * len(rows)
        while len(rows[0]) < max_len and not all(done):
            scores = model.decode(torch.tensor(rows, device=src.device), encoder_output, src_mask)
            for number, best in enumerate(scores[:, -1].argmax(-1).tolist()):
                rows[number].append(model.trg_pad_idx if done[number] else best)
                done[number] = done[number] or best == eos_idx
    return torch.tensor(rows, dtype=torch.long, device=src.device)
"""
    },
)
CUT_AT_THE_END = Right(
    "Rows go on until all have ended; what stands behind eos becomes padding at the end.",
    {
        ".masked_fill(ended, model.trg_pad_idx)": "",
        "    return trg\n": """\
    ends = (trg == eos_idx).long()
    ends[:, 0] = 0
    behind = ends.cumsum(dim=1) - ends > 0
    return trg.masked_fill(behind, model.trg_pad_idx)
""",
    },
)
ROOM_AT_FIRST = Right(
    "Room for max_len tokens is made at first, and cut to the longest row.",
    {
        "    trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64, device=src.device)\n": """\
    trg = src.new_full((len(src), max_len), model.trg_pad_idx)
    trg[:, 0], length = bos_idx, 1
""",
        """\
        while trg.size(1) < max_len and not ended.all():
            logits = model.decode(trg, encoder_output, src_mask)[:, -1]
            token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)
            trg = torch.cat([trg, token[:, None]], dim=1)
            ended |= token == eos_idx
    return trg
""": """\
        while length < max_len and not bool(ended.all()):
            logits = model.decode(trg[:, :length], encoder_output, src_mask)[:, -1]
            trg[~ended, length] = logits.topk(1).indices[~ended, 0]
            ended |= trg[:, length] == eos_idx
            length += 1
    return trg[:, :length]
""",
    },
)
ALL_POSITIONS_AT_ONCE = Right(
    "The whole room is scored each time, padding included: the mask of the target hides what comes "
    "later, and the last word's row is read.",
    {
        "            logits = model.decode(trg, encoder_output, src_mask)[:, -1]\n": """\
            room = torch.nn.functional.pad(trg, (0, 1), value=model.trg_pad_idx)
            logits = model.decode(room, encoder_output, src_mask)[:, trg.size(1) - 1]
"""
    },
)
WHERE = Right(
    "where chooses between token and padding, after a softmax that changes no order.",
    {
        "token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)": """\
best = logits.softmax(dim=-1).max(dim=-1).indices
            token = torch.where(ended, torch.full_like(best, model.trg_pad_idx), best)"""
    },
)
ROW_BY_ROW = Right(
    "Each row is decoded by itself, as a beam of one.",
    {
        """\
    with evaluating(model):
        encoder_output, src_mask = model.encode(src)
        while trg.size(1) < max_len and not ended.all():
            logits = model.decode(trg, encoder_output, src_mask)[:, -1]
            token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)
            trg = torch.cat([trg, token[:, None]], dim=1)
            ended |= token == eos_idx
    return trg
""": """\
    return torch.cat([trg, beam_search(model, src, bos_idx, eos_idx, max_len, 1, 0.0)[:, 1:]], dim=1)
"""
    },
)
BEAM_WITHOUT_HELP = Right(
    "The padding is written by hand.",
    {
        "    return torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=model.trg_pad_idx)\n": """\
    batch = torch.full((len(found), max(map(len, found))), model.trg_pad_idx, device=src.device)
    for row, tokens in zip(batch, found):
        row[: tokens.numel()] = tokens
    return batch
"""
    },
)
EOS_BY_LIST = Right(
    "Whether a hypothesis has ended is asked of lists.",
    {
        "        ended = tokens == eos_idx\n": """\
        ended = torch.tensor([row[-1] == eos_idx for row in live.tolist()], device=src.device)
"""
    },
)

# Padding and bos are not words: no trained model chooses them, and their treatment is open.
