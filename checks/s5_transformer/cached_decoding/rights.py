"""Right in another dress: s5_transformer/cached_decoding.py."""

from checks.engine.known import Right

GROWS = "written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)"
MASK = "trg_mask = get_trg_mask(trg, model.trg_pad_idx)[:, :, -1:]"
EMBEDS = "x = embedding.token_embedding(trg[:, -1:]) + embedding.positional_embedding(trg)[-1]"

POSITION_OF_THE_TABLE = Right(
    "The position is taken from the table by its number.",
    {
        EMBEDS: """\
x = embedding.token_embedding(trg[:, -1:])
            x = x + embedding.positional_embedding.pe[trg.size(1) - 1]"""
    },
)
EMBEDDED_AS_A_WHOLE = Right(
    "All that is written is embedded, and the last taken: a lookup multiplies nothing.",
    {EMBEDS: "x = embedding(trg)[:, -1:]"},
)
MASK_OF_KEYS = Right(
    "The mask marks the tokens that are no padding; the future needs none here.",
    {MASK: "trg_mask = (trg != model.trg_pad_idx)[:, None, None, :]"},
)
FROM_A_LIST = Right(
    "The keys and values of single tokens stand in a list and are joined where they are read.",
    {
        GROWS: """\
pairs = (written[0], keys), (written[1], values)
    written = tuple(torch.cat(pair, dim=2) for pair in pairs)"""
    },
)
WRITTEN_INTO_ROOM = Right(
    "The cache has room for all tokens from the start; new ones are written into it.",
    {
        "nothing = encoder_output[:, :0]": "nothing = encoder_output[:, :0]\n        room = max_len",
        GROWS: """\
length = written[0].size(2)
    longer = [torch.empty(*old.shape[:2], length + 1, old.size(3)).to(old) for old in written]
    for new, old, last in zip(longer, written, (keys, values)):
        new[:, :, :length], new[:, :, length:] = old, last
    written = longer[0], longer[1]""",
    },
)
ROOM_OF_A_ROUND_SIZE = Right(
    "Queries are asked of a multiple of 128 places, however few are taken; empty ones are hidden.",
    {
        "    x = layer.add_norm1(x, attend(layer.self_attention, x, written, masks[0]))\n": """\
    empty = -written[0].size(2) % 128
    room = tuple(torch.nn.functional.pad(old, (0, 0, 0, empty)) for old in written)
    taken = torch.nn.functional.pad(masks[0], (0, empty))
    x = layer.add_norm1(x, attend(layer.self_attention, x, room, taken))
""",
    },
)
PLAIN_PRODUCTS = Right(
    "The attention of one query is written out.",
    {
        "out, _ = calculate_attention(attention.split(attention.w_q(x)), *cache, mask)": """\
q = attention.split(attention.w_q(x))
    scores = (q @ cache[0].mT) * q.size(-1) ** -0.5
    out = scores.masked_fill(mask == 0, float("-inf")).softmax(dim=-1) @ cache[1]"""
    },
)
TORCH_ATTENTION = Right(
    "torch computes the attention of the one query.",
    {
        "out, _ = calculate_attention(attention.split(attention.w_q(x)), *cache, mask)": """\
q = attention.split(attention.w_q(x))
    out = torch.nn.functional.scaled_dot_product_attention(q, *cache, attn_mask=mask)"""
    },
)
MODE_BY_HAND = Right(
    "The mode is kept and restored by hand.",
    {
        "with evaluating(model):": "was = model.training\n    model.eval()\n    with torch.no_grad():",
        "    return trg\n": "    model.train(was)\n    return trg\n",
    },
)
WHERE = Right(
    "Padding is chosen by torch.where, and the best token by topk.",
    {
        "token = model.decoder.linear(x)[:, 0].argmax(dim=-1)": """\
token = model.decoder.linear(x).topk(1).indices[:, 0, 0]""",
        "token = token.masked_fill(ended, model.trg_pad_idx)": """\
token = torch.where(ended, model.trg_pad_idx, token)""",
    },
)
