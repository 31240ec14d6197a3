"""What people get wrong in s5_transformer/cached_decoding.py.

Not here, on purpose:
- the whole beginning embedded again for each token: tables are looked up, nothing is multiplied.
"""

from checks.machine.known import Mistake
from checks.s5_transformer import decoding_mistakes as decoding

OFFERS = "return attention.split(attention.w_k(x)), attention.split(attention.w_v(x))"
READS = "out, _ = calculate_attention(attention.split(attention.w_q(x)), *cache, mask)"
MIXES = "return attention.linear(attention.merge(out))"
NEW = "keys, values = keys_and_values(layer.self_attention, x)"
GROWS = "written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)"
LOOKS_BACK = "x = layer.add_norm1(x, attend(layer.self_attention, x, written, masks[0]))"
ASKS = "x = layer.add_norm2(x, attend(layer.cross_attention, x, source, masks[1]))"
THINKS = "return layer.add_norm3(x, layer.feed_forward(x)), written"
SOURCES = "sources = [keys_and_values(layer.cross_attention, encoder_output) for layer in layers]"
WRITTEN = "written = [keys_and_values(layer.self_attention, nothing) for layer in layers]"
MASK = "trg_mask = get_trg_mask(trg, model.trg_pad_idx)[:, :, -1:]"
EMBEDS = "x = embedding.token_embedding(trg[:, -1:]) + embedding.positional_embedding(trg)[-1]"
CHOOSES = "token = model.decoder.linear(x)[:, 0].argmax(dim=-1)"
FILLS = "token = token.masked_fill(ended, model.trg_pad_idx)"
STOPS = "ended |= token == eos_idx"

# The newest token

POSITION_0 = Mistake(
    "Every new token is embedded at position 0, as if it stood alone. It stands behind all that "
    "is written.",
    {EMBEDS: "x = embedding.token_embedding(trg[:, -1:]) + embedding.positional_embedding(trg)[0]"},
)
EMBEDDED_ALONE = Mistake(
    POSITION_0.says,
    {EMBEDS: "x = embedding(trg[:, -1:])"},
)
NO_POSITION = Mistake(
    "The newest token is embedded without its position, so the model cannot see where it stands.",
    {EMBEDS: "x = embedding.token_embedding(trg[:, -1:])"},
)
POSITION_TOO_FAR = Mistake(
    "The newest token gets the position of the one that it predicts, one too far.",
    {
        EMBEDS: """\
x = embedding.token_embedding(trg[:, -1:]) + embedding.positional_embedding.pe[trg.size(1)]"""
    },
)
FIRST_TOKEN_AGAIN = Mistake(
    "The first token is embedded at every step instead of the newest one.",
    {"embedding.token_embedding(trg[:, -1:])": "embedding.token_embedding(trg[:, :1])"},
)
ENCODERS_TABLE = Mistake(
    "The newest token is looked up in the encoder's table. It is a word of the target, and the "
    "decoder has a table of its own.",
    {"= model.decoder.embedding,": "= model.encoder.embedding,"},
)

# The cache

NOT_CACHED = Mistake(
    "The newest token sees itself alone: its keys and values replace those that are written, are not "
    "kept for the next step, or are the only ones that it asks.",
    {"x, written[n] = layer_step(": "x, _ = layer_step("},
)
ONLY_NEWEST = Mistake(
    NOT_CACHED.says,
    {GROWS: "written = keys, values"},
)
NEWEST_LEFT_OUT = Mistake(
    "The newest token does not see itself: its own key and value are put into the cache only "
    "after it has looked.",
    {
        LOOKS_BACK: """\
before = written[0][:, :, :-1], written[1][:, :, :-1]
        if before[0].size(2) == 0:
            before = written
            mask = masks[0]
        else:
            mask = masks[0][..., :-1]
        x = layer.add_norm1(x, attend(layer.self_attention, x, before, mask))""".replace(
            "        ", "    "
        ).replace("            ", "        ")
    },
)
NEWEST_IN_FRONT = Mistake(
    "The newest keys and values are put in front of those that are written. The mask counts from "
    "the first token on, so it hides the wrong one.",
    {
        GROWS: "written = torch.cat([keys, written[0]], dim=2), torch.cat([values, written[1]], dim=2)"
    },
)
VALUES_NOT_CACHED_IN_ORDER = Mistake(
    "Keys grow at the end and values at the front, so each key belongs to another token's value.",
    {
        GROWS: "written = torch.cat([written[0], keys], dim=2), torch.cat([values, written[1]], dim=2)"
    },
)
KEYS_FOR_VALUES = Mistake(
    "The keys are cached a second time in the place of the values. A token is then mixed from "
    "the labels instead of the contents.",
    {GROWS: "written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], keys], dim=2)"},
)
KEYS_AND_VALUES_SWAPPED = Mistake(
    "Keys and values have changed places, so the scores are made with the contents and the "
    "labels are mixed.",
    {OFFERS: "return attention.split(attention.w_v(x)), attention.split(attention.w_k(x))"},
)
CACHED_BEFORE_PROJECTION = Mistake(
    "The tokens' vectors are cached as they are, before w_k and w_v have made keys and values of "
    "them.",
    {OFFERS: "return attention.split(x), attention.split(x)"},
)
VALUES_BEFORE_PROJECTION = Mistake(
    "The values are cached as the vectors are, before w_v has made values of them.",
    {OFFERS: "return attention.split(attention.w_k(x)), attention.split(x)"},
)
QUERIES_NOT_PROJECTED = Mistake(
    "The newest token asks with its vector as it is; w_q has not made a query of it.",
    {"attention.split(attention.w_q(x))": "attention.split(x)"},
)
ONLY_NEWEST_ASKED = Mistake(
    NOT_CACHED.says,
    {LOOKS_BACK: LOOKS_BACK.replace("written", "(keys, values)")},
)
POSITIONS_OF_ALL = Mistake(
    "The newest token is put at the positions of all tokens that are written, not at its own: so it "
    "goes on as several.",
    {EMBEDS: EMBEDS.removesuffix("[-1]")},
)
ONE_CACHE_THAT_ALL_LAYERS_FILL = Mistake(
    "All layers put their keys and values into one cache, so there are more of them than tokens. "
    "Each layer has a cache of its own.",
    {
        "x, written[n] = layer_step(layer, x, written[n], ": """\
x, written[0] = layer_step(layer, x, written[0], """
    },
)
ONE_CACHE_FOR_ALL_LAYERS = Mistake(
    "All layers read the cache of the first. Each has keys and values of its own.",
    {
        "x, written[n] = layer_step(layer, x, written[n], ": """\
x, written[0] = layer_step(layer, x, written[0], """,
        MASK: """\
trg_mask = get_trg_mask(trg, model.trg_pad_idx)[:, :, -1:]
            trg_mask = trg_mask.repeat(1, 1, 1, 2 * len(layers))[..., : 2 * trg.size(1)]
            written[0] = (written[0][0][:, :, :0], written[0][1][:, :, :0])
            trg_mask = trg_mask[..., :1]""",
    },
)
CACHED_AFTER_THE_LAYER = Mistake(
    "What a layer has made of the token is cached instead of what it reads, so later tokens see "
    "vectors of the wrong layer.",
    {
        THINKS: """\
x = layer.add_norm3(x, layer.feed_forward(x))
    keys, values = keys_and_values(layer.self_attention, x)
    written = written[0][:, :, :-1], written[1][:, :, :-1]
    return x, (torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2))"""
    },
)
BOTH_CACHES_ARE_ONE = Mistake(
    "The target's cache begins with the source's keys and values instead of empty, so target "
    "tokens look at source words in their self-attention.",
    {
        "nothing = encoder_output[:, :0]": "nothing = encoder_output[:, :1]",
        MASK: """\
trg_mask = get_trg_mask(trg, model.trg_pad_idx)[:, :, -1:]
            trg_mask = torch.cat([torch.ones_like(trg_mask[..., :1]), trg_mask], dim=-1)""",
    },
)
SOURCE_OF_FIRST_LAYER = Mistake(
    "All layers read the source with the keys and values of the first layer. Each has projections "
    "of its own.",
    {"written[n], sources[n], ": "written[n], sources[0], "},
)
SOURCE_BY_SELF_ATTENTION = Mistake(
    "The source's keys and values are made by self_attention. They are for cross_attention, which "
    "has projections of its own.",
    {
        "keys_and_values(layer.cross_attention, encoder_output)": """\
keys_and_values(layer.self_attention, encoder_output)"""
    },
)
SOURCE_OF_FIRST_SENTENCE = Mistake(
    "All rows read the first sentence of the batch.",
    {
        "keys_and_values(layer.cross_attention, encoder_output)": """\
keys_and_values(layer.cross_attention, encoder_output[:1].expand_as(encoder_output))"""
    },
)
SOURCE_NOT_ENCODED = Mistake(
    "The source is only embedded; no layer of the encoder has read it.",
    {
        "encoder_output, src_mask = model.encode(src)": """\
encoder_output, src_mask = model.encoder.embedding(src), model.encode(src)[1]"""
    },
)
KEPT_BETWEEN_CALLS = Mistake(
    "The source's keys and values are kept from an earlier call, so other sentences are answered "
    "with the source of the first.",
    {
        SOURCES: """\
if not hasattr(cached_decode, "kept") or cached_decode.kept[0][0].size(0) != len(src):
            cached_decode.kept = [
                keys_and_values(layer.cross_attention, encoder_output) for layer in layers
            ]
        sources = cached_decode.kept""",
    },
)

KEPT_FOR_THE_MODEL = Mistake(
    KEPT_BETWEEN_CALLS.says,
    {
        SOURCES: """\
kept = cached_decode.__dict__.setdefault("kept", {})
        sources = kept.setdefault(
            (id(model), src.shape),
            [keys_and_values(layer.cross_attention, encoder_output) for layer in layers],
        )""",
    },
)
KEPT_FOR_GOOD = Mistake(
    "The source's keys and values are kept for the next time that the same sentences come. When "
    "the model has learned since, it would make others of them.",
    {
        SOURCES: """\
kept = model.__dict__.setdefault("kept", {})
        key = str(src.tolist())
        if key not in kept:
            kept[key] = [
                keys_and_values(layer.cross_attention, encoder_output) for layer in layers
            ]
        sources = kept[key]""",
    },
)

# Masks

NO_SOURCE_MASK = Mistake(
    "Nothing hides the padding of the source, so it is read as if it were words.",
    {"(trg_mask, src_mask))": "(trg_mask, torch.ones_like(src_mask)))"},
)
NO_TARGET_MASK = Mistake(
    "Nothing hides padding in the target. The future needs no mask here, but a written token may "
    "be padding, and greedy_decode hides it.",
    {"(trg_mask, src_mask))": "(torch.ones_like(trg_mask), src_mask))"},
)
PADDING_IS_0 = Mistake(
    "In the target token 0 is hidden, whatever the padding is. With other numbers that is a word, "
    "and the padding is read.",
    {MASK: "trg_mask = (trg != 0)[:, None, None, :]"},
)
FIRST_ROW_OF_MASK = Mistake(
    "The first row of the target mask is used, that of a token which sees itself alone. The "
    "newest token has the last row.",
    {"[:, :, -1:]\n": "[:, :, :1]\n"},
)
MASKS_SWAPPED_BY_ATTENTION = Mistake(
    "The source's padding number is used for the target's mask.",
    {"get_trg_mask(trg, model.trg_pad_idx)": "get_trg_mask(trg, model.src_pad_idx)"},
)

# The layer

NO_CROSS_ATTENTION = Mistake(
    "The source is never asked: the second sublayer is missing.",
    {ASKS: "pass"},
)
NO_FEED_FORWARD = Mistake(
    "The feed-forward network is missing behind the attentions.",
    {THINKS: "return x, written"},
)
NO_SHORTCUT_BACK = Mistake(
    "What the self-attention brings replaces the token instead of being added to it.",
    {
        LOOKS_BACK: """\
x = layer.add_norm1.layer_norm(attend(layer.self_attention, x, written, masks[0]))"""
    },
)
NORMS_SWAPPED = Mistake(
    "The first and the second add and norm have changed places.",
    {
        "layer.add_norm1(x, attend": "layer.add_norm9(x, attend",
        "layer.add_norm2(x, attend": "layer.add_norm1(x, attend",
        "layer.add_norm9(x, attend": "layer.add_norm2(x, attend",
    },
)
HEADS_NOT_MIXED = Mistake(
    "The heads are merged but not mixed: the attention's last layer, linear, is left out.",
    {MIXES: "return attention.merge(out)"},
)
LAST_LAYER_LEFT_OUT = Mistake(
    "The last layer of the decoder is left out.",
    {"for n, layer in enumerate(layers):": "for n, layer in enumerate(layers[:-1]):"},
)

# Writing

EOS_IGNORED = Mistake(
    "eos_idx ends no row, so all rows go on up to max_len tokens.",
    {STOPS: "pass"},
)
NOT_FILLED_UP = Mistake(
    "A row that has ended goes on with tokens. After eos_idx there is padding only.",
    {f"            {FILLS}\n": ""},
)
FILLED_WITH_EOS = Mistake(
    "A row that has ended is filled up with eos_idx instead of padding.",
    {FILLS: "token = token.masked_fill(ended, eos_idx)"},
)
NEWEST_DECIDES = Mistake(
    "Only the newest token is asked whether a row has ended. A row that ended earlier begins again "
    "with other words.",
    {STOPS: "ended = token == eos_idx"},
)
STOPS_WITH_THE_FIRST = Mistake(
    "Writing stops as soon as one row has ended. It goes on until all have.",
    {"not ended.all()": "not ended.any()"},
)
ONE_TOKEN_TOO_MANY = Mistake(
    "max_len does not count bos_idx, so one token too many is written.",
    {"trg.size(1) < max_len": "trg.size(1) <= max_len"},
)
LEAST_LIKELY = Mistake(
    "The token with the lowest score is written.",
    {CHOOSES: "token = model.decoder.linear(x)[:, 0].argmin(dim=-1)"},
)
BOS_LEFT_OUT = Mistake(
    "bos_idx is cut off. Every row begins with it.",
    {"    return trg\n": "    return trg[:, 1:]\n"},
)
MODE_NOT_EVAL = Mistake(
    "The model decodes in the mode that it came in. In train mode dropout changes what it writes.",
    {"with evaluating(model):": "with torch.no_grad():"},
)
MODE_NOT_RESTORED = Mistake(
    "The model is left in eval mode, so a training that goes on afterwards drops nothing any more.",
    {"with evaluating(model):": "model.eval()\n    with torch.no_grad():"},
)

# What is computed too often

NOTHING_CACHED = Mistake(
    "All that is written goes through the decoder again for every new token, as in step 5.4.",
    {
        CHOOSES: """\
logits = model.decode(trg, encoder_output, src_mask)[:, -1]
            token = logits.argmax(dim=-1)"""
    },
)
GREEDY_DECODE_CALLED = Mistake(
    NOTHING_CACHED.says,
    {
        "    trg = torch.full(": """\
    from s5_transformer.decoding import greedy_decode

    return greedy_decode(model, src, bos_idx, eos_idx, max_len)
    trg = torch.full("""
    },
)
SOURCE_PROJECTED_AGAIN = Mistake(
    "The source's keys and values are made anew for every token. They are the same for all of "
    "them.",
    {MASK: f"{SOURCES}\n            {MASK}"},
)
SOURCE_ENCODED_AGAIN = Mistake(
    "The source is encoded anew for every token. It does not change.",
    {MASK: f"encoder_output, src_mask = model.encode(src)\n            {MASK}"},
)
CACHE_PROJECTED_AGAIN = Mistake(
    "The tokens' vectors are kept, and keys and values are made of all of them for every new "
    "token. It is the keys and values that are to be kept.",
    {
        GROWS: """\
written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    again = layer.self_attention.merge(written[0])
    _ = keys_and_values(layer.self_attention, again)"""
    },
)

# The device

TARGET_MADE_HERE = Mistake(
    "A tensor is made where tensors are made by default, and not where the source is. On a GPU "
    "the two cannot meet.",
    {"bos_idx, dtype=torch.int64, device=src.device)": "bos_idx, dtype=torch.int64)"},
)
ENDED_MADE_HERE = Mistake(
    TARGET_MADE_HERE.says,
    {
        "torch.zeros(len(src), dtype=torch.bool, device=src.device)": """\
torch.zeros(len(src), dtype=torch.bool)"""
    },
)

# What is left behind, and where it ends

PARTS_STAY_IN_EVAL = Mistake(
    decoding.PARTS_STAY_IN_EVAL.says,
    {
        "    with evaluating(model):\n": """\
    was_training = model.training
    model.eval()
    with torch.no_grad():
""",
        "    return trg\n": "    model.training = was_training\n    return trg\n",
    },
)
FROZEN = Mistake(
    decoding.FROZEN.says,
    {
        "    with evaluating(model):\n": "    model.requires_grad_(False)\n    with evaluating(model):\n"
    },
)
TWO_LAYERS_ONLY = Mistake(
    "Only the first two layers are gone through. A decoder may have more.",
    {
        "layers = model.decoder.embedding, model.decoder.layers": "layers = model.decoder.embedding, model.decoder.layers[:2]"
    },
)
TWICE_THE_SOURCE = Mistake(
    "No more than twice as many tokens are written as the source has. max_len is the limit.",
    {"while trg.size(1) < max_len and": "while trg.size(1) < min(max_len, 2 * src.size(1)) and"},
)
ENDS_LATER_ONLY = Mistake(
    "eos is never the first word. Where it is the best one, the translation is empty.",
    {
        "            token = model.decoder.linear(x)[:, 0].argmax(dim=-1)\n": """\
            scores = model.decoder.linear(x)[:, 0]
            if trg.size(1) == 1:
                scores[:, eos_idx] = float("-inf")
            token = scores.argmax(dim=-1)
"""
    },
)
