"""Right in another dress: s5_transformer/translate.py."""

from checks.engine.known import Right

UNSQUEEZED = Right(
    "The batch axis is added to a row of ids, whose dtype is left to PyTorch.",
    {
        "torch.tensor([source_vocab.encode(text)], dtype=torch.int64, device=device)": """\
torch.tensor(source_vocab.encode(text), device=device).unsqueeze(0)"""
    },
)
LONG_TENSOR = Right(
    "A LongTensor is made and then moved to the model.",
    {
        "torch.tensor([source_vocab.encode(text)], dtype=torch.int64, device=device)": """\
torch.LongTensor([source_vocab.encode(text)]).to(device)"""
    },
)
LOOP_TO_THE_END = Right(
    "A loop collects words and breaks at eos.",
    {
        """\
    ids = trg[0, 1:].tolist()
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    ids = []
    for token in trg[0, 1:]:
        if token == target_vocab.eos_idx:
            break
        ids.append(token.item())
"""
    },
)
TAKE_WHILE = Right(
    "takewhile takes what stands before eos.",
    {
        "import torch\n": "from itertools import takewhile\n\nimport torch\n",
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
    return target_vocab.decode(ids)
""": """\
    return target_vocab.decode(list(takewhile(lambda token: token != target_vocab.eos_idx, ids)))
""",
    },
)
COUNTED_ENDS = Right(
    "Tokens are kept while no end was counted, as tensors until the last line.",
    {
        """\
    ids = trg[0, 1:].tolist()
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
    return target_vocab.decode(ids)
""": """\
    row = trg[0, 1:]
    return target_vocab.decode(row[(row == target_vocab.eos_idx).cumsum(0) == 0].tolist())
"""
    },
)
MARKS_FILTERED = Right(
    "The words are what is neither bos, eos nor padding: whether such ids in the middle are left "
    "out is open.",
    {
        """\
    ids = trg[0, 1:].tolist()
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    special = {target_vocab.bos_idx, target_vocab.eos_idx, target_vocab.pad_idx}
    ids = [token for token in trg.squeeze(0).tolist() if token not in special]
"""
    },
)
WITHOUT_MARGINS = Right(
    "No blank is left at the margins of the text.",
    {"    return target_vocab.decode(ids)\n": "    return target_vocab.decode(ids).strip()\n"},
)
DEVICE_OF_THE_LAST_LAYER = Right(
    "The last layer says where the model is.",
    {"next(model.parameters()).device": "model.decoder.linear.weight.device"},
)
DEVICE_OF_THE_ENCODER = Right(
    "The encoder reads the source, so it says where the source goes.",
    {"next(model.parameters()).device": "next(model.encoder.parameters()).device"},
)
TRIED = Right(
    "eos is looked up, and its absence is an exception.",
    {
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
    return target_vocab.decode(ids)
""": """\
    try:
        end = ids.index(target_vocab.eos_idx)
    except ValueError:
        end = len(ids)
    return target_vocab.decode(ids[:end])
"""
    },
)
END_TAKEN_OFF = Right(
    "Only the last token is compared: in a batch of one nothing follows eos.",
    {
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    if ids and ids[-1] == target_vocab.eos_idx:
        del ids[-1]
"""
    },
)
BEAM_OF_ONE = Right(
    "A beam search of size 1, which is greedy.",
    {
        "import greedy_decode": "import beam_search",
        "trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)": """\
trg = beam_search(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len, 1)""",
    },
)
BY_KEYWORD = Right(
    "greedy_decode is given all its arguments by name, without gradients.",
    {
        "trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)": """\
with torch.inference_mode():
        trg = greedy_decode(
            src=src,
            model=model,
            max_len=max_len,
            eos_idx=target_vocab.eos_idx,
            bos_idx=target_vocab.bos_idx,
        )"""
    },
)
OWN_LOOP = Right(
    "A loop of its own asks the whole model for every token, without step 5.4.",
    {
        "from s5_transformer.decoding import greedy_decode\n": "",
        """\
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)
""": """\
    was_training = model.training
    model.eval()
    trg = torch.tensor([[target_vocab.bos_idx]], device=device)
    with torch.no_grad():
        for _ in range(max_len - 1):
            token = model(src, trg)[0, -1].argmax()
            trg = torch.cat((trg, token.reshape(1, 1)), dim=-1)
            if token.item() == target_vocab.eos_idx:
                break
    model.train(was_training)
""",
    },
)
PADDED_SOURCE = Right(
    "The source is filled up with padding, which the model hides.",
    {
        "[source_vocab.encode(text)]": """\
[source_vocab.encode(text) + 3 * [source_vocab.pad_idx]]"""
    },
)
IN_HELPERS = Right(
    "Two functions of its own read and write.",
    {
        "def translate(": """\
def read(model, text, vocab):
    ids = vocab.encode(text)
    return torch.as_tensor(ids, device=next(model.parameters()).device).view(1, len(ids))


def write(tokens, vocab):
    _, *tokens = tokens
    end = tokens.index(vocab.eos_idx) if vocab.eos_idx in tokens else None
    return vocab.decode(tokens[:end])


def translate(""",
        """\
    device = next(model.parameters()).device
    src = torch.tensor([source_vocab.encode(text)], dtype=torch.int64, device=device)
""": """\
    src = read(model, text, source_vocab)
""",
        """\
    ids = trg[0, 1:].tolist()
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
    return target_vocab.decode(ids)
""": """\
    return write(trg[0].tolist(), target_vocab)
""",
    },
)
