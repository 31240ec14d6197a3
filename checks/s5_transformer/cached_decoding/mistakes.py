"""What people get wrong in s5_transformer/cached_decoding.py.

Not here, on purpose:
- the whole beginning embedded again for each token: a table needs no multiplication.
- a cache with fewer digits: the tokens alone count, and they are the same.
"""

from checks.engine.known import Mistake
from checks.s5_transformer.decoding import mistakes as decoding

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
    "Every new token is embedded at position 0, as if it stood alone. It needs the position after "
    "all earlier tokens.",
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
    "The newest token gets the position of the token that it predicts. That is one too far.",
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
    "The newest token is looked up in the encoder's table. It is a target word, and the decoder "
    "has its own table.",
    {"= model.decoder.embedding,": "= model.encoder.embedding,"},
)

# The cache

NOT_CACHED = Mistake(
    "The newest token sees only itself. Add its keys and values to the cached ones, keep all of "
    "them for the next step, and attend to all of them.",
    {"x, written[n] = layer_step(": "x, _ = layer_step("},
)
ONLY_NEWEST = Mistake(
    NOT_CACHED.says,
    {GROWS: "written = keys, values"},
)
NEWEST_LEFT_OUT = Mistake(
    "The newest token does not see itself. Put its key and value into the cache before it attends.",
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
    "The newest keys and values are put before the cached ones. The mask counts from the first "
    "token on, so it masks the wrong key.",
    {
        GROWS: "written = torch.cat([keys, written[0]], dim=2), torch.cat([values, written[1]], dim=2)"
    },
)
CACHED_ALONG_THE_HEADS = Mistake(
    "The newest keys and values are joined along axis 1, the heads. The tokens are on axis 2.",
    {GROWS: GROWS.replace("dim=2", "dim=1")},
)
CACHED_ALONG_THE_FEATURES = Mistake(
    "The newest keys and values are joined along the last axis, the features. The tokens are on "
    "axis 2.",
    {GROWS: GROWS.replace("dim=2", "dim=-1")},
)
CACHED_ALONG_THE_BATCH = Mistake(
    "The newest keys and values are joined along axis 0, the batch. The tokens are on axis 2.",
    {GROWS: GROWS.replace("dim=2", "dim=0")},
)
VALUES_NOT_CACHED_IN_ORDER = Mistake(
    "The new keys are added at the end and the new values at the front. Each key then belongs to "
    "the value of another token.",
    {
        GROWS: "written = torch.cat([written[0], keys], dim=2), torch.cat([values, written[1]], dim=2)"
    },
)
KEYS_FOR_VALUES = Mistake(
    "The keys are cached a second time in the place of the values. The output is then a mix of "
    "keys instead of values.",
    {GROWS: "written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], keys], dim=2)"},
)
KEYS_AND_VALUES_SWAPPED = Mistake(
    "Keys and values are swapped: the scores are computed with the values, and the output is a "
    "mix of keys.",
    {OFFERS: "return attention.split(attention.w_v(x)), attention.split(attention.w_k(x))"},
)
CACHED_BEFORE_PROJECTION = Mistake(
    "The cache holds the tokens' vectors themselves. w_k and w_v must make keys and values of "
    "them first.",
    {OFFERS: "return attention.split(x), attention.split(x)"},
)
VALUES_BEFORE_PROJECTION = Mistake(
    "The cached values are the tokens' vectors themselves. w_v must make values of them first.",
    {OFFERS: "return attention.split(attention.w_k(x)), attention.split(x)"},
)
QUERIES_NOT_PROJECTED = Mistake(
    "The newest token's vector itself is the query. w_q must make a query of it first.",
    {"attention.split(attention.w_q(x))": "attention.split(x)"},
)
KEYS_FOR_QUERIES = Mistake(
    "w_k projects the newest token's queries as well. Queries come from w_q.",
    {"attention.split(attention.w_q(x))": "attention.split(attention.w_k(x))"},
)
QUERIES_NOT_SPLIT = Mistake(
    "The queries are not split into heads, but the cached keys are.",
    {"attention.split(attention.w_q(x))": "attention.w_q(x)"},
)
ONE_WRITTEN_FROM_THE_START = Mistake(
    "The cache of the target is not empty at the start: a vector of the source is in it, and every "
    "token attends to it.",
    {"encoder_output[:, :0]": "encoder_output[:, :1]"},
)
ONLY_NEWEST_ASKED = Mistake(
    NOT_CACHED.says,
    {LOOKS_BACK: LOOKS_BACK.replace("written", "(keys, values)")},
)
POSITIONS_OF_ALL = Mistake(
    "The newest token is embedded at the positions of all written tokens instead of its own. One "
    "token then becomes several.",
    {EMBEDS: EMBEDS.removesuffix("[-1]")},
)
ONE_CACHE_THAT_ALL_LAYERS_FILL = Mistake(
    "All layers put their keys and values into one cache, so it holds more of them than there are "
    "tokens. Each layer needs its own cache.",
    {
        "x, written[n] = layer_step(layer, x, written[n], ": """\
x, written[0] = layer_step(layer, x, written[0], """
    },
)
ONE_CACHE_FOR_ALL_LAYERS = Mistake(
    "All layers read the cache of the first layer. Each layer has its own keys and values.",
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
    "The keys and values are made from the layer's output instead of its input. Later tokens then "
    "see vectors of the wrong layer.",
    {
        THINKS: """\
x = layer.add_norm3(x, layer.feed_forward(x))
    keys, values = keys_and_values(layer.self_attention, x)
    written = written[0][:, :, :-1], written[1][:, :, :-1]
    return x, (torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2))"""
    },
)
BOTH_CACHES_ARE_ONE = Mistake(
    "The target's cache begins with keys and values of the source instead of empty. Target tokens "
    "then attend to source words in their self-attention.",
    {
        "nothing = encoder_output[:, :0]": "nothing = encoder_output[:, :1]",
        MASK: """\
trg_mask = get_trg_mask(trg, model.trg_pad_idx)[:, :, -1:]
            trg_mask = torch.cat([torch.ones_like(trg_mask[..., :1]), trg_mask], dim=-1)""",
    },
)
SOURCE_OF_FIRST_LAYER = Mistake(
    "All layers use the first layer's keys and values of the source. Each layer has its own "
    "projections.",
    {"written[n], sources[n], ": "written[n], sources[0], "},
)
SOURCE_BY_SELF_ATTENTION = Mistake(
    "The source's keys and values are made by self_attention. cross_attention must make them, "
    "because it has its own projections.",
    {
        "keys_and_values(layer.cross_attention, encoder_output)": """\
keys_and_values(layer.self_attention, encoder_output)"""
    },
)
SOURCE_OF_FIRST_SENTENCE = Mistake(
    "All rows attend to the first source of the batch. Each row has its own source.",
    {
        "keys_and_values(layer.cross_attention, encoder_output)": """\
keys_and_values(layer.cross_attention, encoder_output[:1].expand_as(encoder_output))"""
    },
)
SOURCE_NOT_ENCODED = Mistake(
    "The source is only embedded: the layers of the encoder never read it.",
    {
        "encoder_output, src_mask = model.encode(src)": """\
encoder_output, src_mask = model.encoder.embedding(src), model.encode(src)[1]"""
    },
)
KEPT_BETWEEN_CALLS = Mistake(
    "The source's keys and values are kept from an earlier call. Other sentences are then "
    "translated from that source.",
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
    "The source's keys and values are kept and used again in a later call. They are out of date "
    "when the model has learned since.",
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
    "The padding of the source is not masked, so it is read as if it were words.",
    {"(trg_mask, src_mask))": "(trg_mask, torch.ones_like(src_mask)))"},
)
NO_TARGET_MASK = Mistake(
    "Padding in the target is not masked. The future needs no mask here, but a written token may "
    "be padding, and greedy_decode masks it.",
    {"(trg_mask, src_mask))": "(torch.ones_like(trg_mask), src_mask))"},
)
PADDING_IS_0 = Mistake(
    "In the target, token 0 is always masked and trg_pad_idx is ignored. With another vocabulary, "
    "a real word is masked and padding is read.",
    {MASK: "trg_mask = (trg != 0)[:, None, None, :]"},
)
FIRST_ROW_OF_MASK = Mistake(
    "The first row of the target mask is used: with it a token sees only the first token. The "
    "newest token needs the last row.",
    {"[:, :, -1:]\n": "[:, :, :1]\n"},
)
WHOLE_TARGET_MASK = Mistake(
    "The whole target mask is used, with a row for every written token. There is only one query, "
    "the newest token, and it needs the last row.",
    {"[:, :, -1:]\n": "\n"},
)
MASKS_SWAPPED = Mistake(
    "The two masks are swapped: the self-attention gets the source's mask, and the "
    "cross-attention gets the target's.",
    {"(trg_mask, src_mask))": "(src_mask, trg_mask))"},
)
MASKS_SWAPPED_BY_ATTENTION = Mistake(
    "The target mask uses src_pad_idx instead of trg_pad_idx. If the two differ, padding is read "
    "and a real target word is masked.",
    {"get_trg_mask(trg, model.trg_pad_idx)": "get_trg_mask(trg, model.src_pad_idx)"},
)

# The layer

NO_CROSS_ATTENTION = Mistake(
    "The second sublayer is missing, so the target never attends to the source.",
    {ASKS: "pass"},
)
NO_FEED_FORWARD = Mistake(
    "The feed-forward network after the attentions is missing.",
    {THINKS: "return x, written"},
)
NO_SHORTCUT_BACK = Mistake(
    "The output of the self-attention replaces the token instead of being added to it.",
    {
        LOOKS_BACK: """\
x = layer.add_norm1.layer_norm(attend(layer.self_attention, x, written, masks[0]))"""
    },
)
NORMS_SWAPPED = Mistake(
    "The first and the second add and norm are swapped. Each of them belongs to its own sublayer.",
    {
        "layer.add_norm1(x, attend": "layer.add_norm9(x, attend",
        "layer.add_norm2(x, attend": "layer.add_norm1(x, attend",
        "layer.add_norm9(x, attend": "layer.add_norm2(x, attend",
    },
)
FIRST_NORM_TWICE = Mistake(
    "add_norm1 stands after the second sublayer as well. Each sublayer has an add and norm of its "
    "own.",
    {"layer.add_norm2(x, attend": "layer.add_norm1(x, attend"},
)
LAST_NORM_FOR_ALL = Mistake(
    "The same add and norm stands after all three sublayers. Each sublayer has one of its own.",
    {
        "layer.add_norm2(x, attend": "layer.add_norm1(x, attend",
        "layer.add_norm3(": "layer.add_norm1(",
    },
)
HEADS_NOT_MIXED = Mistake(
    "The heads are merged but not mixed: the last layer of the attention, linear, is missing.",
    {MIXES: "return attention.merge(out)"},
)
LAST_LAYER_LEFT_OUT = Mistake(
    "The last layer of the decoder is left out.",
    {"for n, layer in enumerate(layers):": "for n, layer in enumerate(layers[:-1]):"},
)

# Writing

EOS_IGNORED = Mistake(
    "No row ends at eos_idx, so all rows go on up to max_len tokens.",
    {STOPS: "pass"},
)
NOT_FILLED_UP = Mistake(
    "A row goes on with other tokens after its eos_idx. Only padding should follow.",
    {f"            {FILLS}\n": ""},
)
FILLED_WITH_EOS = Mistake(
    "A row that has ended is filled up with eos_idx instead of padding.",
    {FILLS: "token = token.masked_fill(ended, eos_idx)"},
)
NEWEST_DECIDES = Mistake(
    "Only the newest token decides whether a row has ended. A row that ended earlier then goes on "
    "with words.",
    {STOPS: "ended = token == eos_idx"},
)
STOPS_WITH_THE_FIRST = Mistake(
    "Writing stops as soon as one row has ended. It must go on until all rows have ended.",
    {"not ended.all()": "not ended.any()"},
)
ONE_TOKEN_TOO_MANY = Mistake(
    "One token too many is written. max_len counts bos_idx as well.",
    {"trg.size(1) < max_len": "trg.size(1) <= max_len"},
)
BEST_OF_THE_WHOLE_BATCH = Mistake(
    "The arg-max has no axis. It counts through the scores of the whole batch, and its place there "
    "is no token.",
    {CHOOSES: "token = model.decoder.linear(x)[:, 0].argmax().expand(len(src))"},
)
LEAST_LIKELY = Mistake(
    "The token with the lowest score is written. It should be the one with the highest score.",
    {CHOOSES: "token = model.decoder.linear(x)[:, 0].argmin(dim=-1)"},
)
BOS_LEFT_OUT = Mistake(
    "bos_idx is cut off. Every row should begin with it.",
    {"    return trg\n": "    return trg[:, 1:]\n"},
)
MODE_NOT_EVAL = Mistake(
    "The model is not put into eval mode for decoding. In train mode, dropout changes what "
    "it writes.",
    {"with evaluating(model):": "with torch.no_grad():"},
)
MODE_NOT_RESTORED = Mistake(
    "The model stays in eval mode afterwards. If training goes on, it goes on without dropout.",
    {"with evaluating(model):": "model.eval()\n    with torch.no_grad():"},
)

# What is computed too often

NOTHING_CACHED = Mistake(
    "All written tokens go through the decoder again for every new token, as in step 5.4. The "
    "cache should make that unnecessary.",
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
    "The source's keys and values are computed again for every token. They are the same for all "
    "tokens.",
    {MASK: f"{SOURCES}\n            {MASK}"},
)
SOURCE_ENCODED_AGAIN = Mistake(
    "The source is encoded again for every token. It does not change.",
    {MASK: f"encoder_output, src_mask = model.encode(src)\n            {MASK}"},
)
CACHE_PROJECTED_AGAIN = Mistake(
    "The keys and values of all written tokens are computed again for every new token. Keep the "
    "keys and values, not the tokens' vectors.",
    {
        GROWS: """\
written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    again = layer.self_attention.merge(written[0])
    _ = keys_and_values(layer.self_attention, again)"""
    },
)

PROJECTED_BY_BROADCASTING = Mistake(
    CACHE_PROJECTED_AGAIN.says,
    {
        GROWS: """\
written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    again = layer.self_attention.merge(written[0])
    for projection in (layer.self_attention.w_k, layer.self_attention.w_v):
        _ = (again[:, :, None, :] * projection.weight).sum(dim=-1) + projection.bias"""
    },
)

# The device

TARGET_MADE_HERE = Mistake(
    "A tensor is made on the default device instead of the source's device. On a GPU the two "
    "cannot be combined.",
    {"bos_idx, dtype=torch.int64, device=src.device)": "bos_idx, dtype=torch.int64)"},
)
ENDED_MADE_HERE = Mistake(
    TARGET_MADE_HERE.says,
    {
        "torch.zeros(len(src), dtype=torch.bool, device=src.device)": """\
torch.zeros(len(src), dtype=torch.bool)"""
    },
)

# Lasting changes, and the end

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
    "Only the first two layers are used. A decoder may have more.",
    {
        "layers = model.decoder.embedding, model.decoder.layers": "layers = model.decoder.embedding, model.decoder.layers[:2]"
    },
)
TWICE_THE_SOURCE = Mistake(
    "At most twice as many tokens are written as the source has. max_len is the only limit.",
    {"while trg.size(1) < max_len and": "while trg.size(1) < min(max_len, 2 * src.size(1)) and"},
)
THE_LAST_EIGHT_ONLY = Mistake(
    "The cache keeps only the last 8 tokens. The newest token must see all written tokens.",
    {
        GROWS: """\
written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    written = written[0][:, :, -8:], written[1][:, :, -8:]""",
        LOOKS_BACK: LOOKS_BACK.replace("masks[0]", "masks[0][..., -8:]"),
    },
)
THE_LAST_SIXTY_FOUR_ONLY = Mistake(
    "The cache keeps only the last 64 tokens. The newest token must see all written tokens.",
    {
        GROWS: """\
written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    written = written[0][:, :, -64:], written[1][:, :, -64:]""",
        LOOKS_BACK: LOOKS_BACK.replace("masks[0]", "masks[0][..., -64:]"),
    },
)
THE_LAST_A_HUNDRED_AND_28_ONLY = Mistake(
    "The cache keeps only the last 128 tokens. The newest token must see all written tokens.",
    {
        GROWS: """\
written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    written = written[0][:, :, -128:], written[1][:, :, -128:]""",
        LOOKS_BACK: LOOKS_BACK.replace("masks[0]", "masks[0][..., -128:]"),
    },
)
THE_LAST_FIVE_HUNDRED_AND_12_ONLY = Mistake(
    "The cache keeps only the last 512 tokens. The newest token must see all written tokens.",
    {
        GROWS: """\
written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    written = written[0][:, :, -512:], written[1][:, :, -512:]""",
        LOOKS_BACK: LOOKS_BACK.replace("masks[0]", "masks[0][..., -512:]"),
    },
)
ENDS_LATER_ONLY = Mistake(
    "eos_idx is never written as the first token. If it has the highest score there, the "
    "translation is empty.",
    {
        "            token = model.decoder.linear(x)[:, 0].argmax(dim=-1)\n": """\
            scores = model.decoder.linear(x)[:, 0]
            if trg.size(1) == 1:
                scores[:, eos_idx] = float("-inf")
            token = scores.argmax(dim=-1)
"""
    },
)

# Half written: the parts are right or wrong by themselves

BEGINS = "    trg = torch.full("
UNWRITTEN = {BEGINS: f'    raise NotImplementedError("cached_decode")\n{BEGINS}'}

NOT_WRITTEN_YET = Mistake(
    "The parts are there, but cached_decode itself is not written yet.",
    UNWRITTEN,
)
OFFERS_NOT_SPLIT = Mistake(
    "The keys and values are not split into heads.",
    {**UNWRITTEN, OFFERS: "return attention.w_k(x), attention.w_v(x)"},
)
OFFERS_ONE_TWICE = Mistake(
    "Keys and values are both projected with w_k. The values come from w_v.",
    {**UNWRITTEN, OFFERS: OFFERS.replace("w_v", "w_k")},
)
READS_UNPROJECTED = Mistake(
    QUERIES_NOT_PROJECTED.says,
    {**UNWRITTEN, "attention.split(attention.w_q(x))": "attention.split(x)"},
)
READS_HIDDEN = Mistake(
    "The mask is not passed on, so masked keys are read as well.",
    {**UNWRITTEN, READS: READS.replace(", mask)", ")")},
)
STEPS_WITHOUT_CACHE = Mistake(
    "The newest keys and values replace the written ones instead of being added behind them.",
    {**UNWRITTEN, GROWS: "written = keys, values"},
)
BEGINS_AS_ENDED = Mistake(
    "The bos token counts as an end if both are the same. Only a token that was written can end a "
    "row.",
    {"ended |= token == eos_idx": "ended |= (token == eos_idx) | (bos_idx == eos_idx)"},
)
MANY_SENTENCES_WITHOUT_CACHE = Mistake(
    "More than three sentences are decoded without a cache. The cache serves any number.",
    {
        "    # Begin as in step 5.4.": """\
    if len(src) > 3:
        return greedy_decode(model, src, bos_idx, eos_idx, max_len)
    # Begin as in step 5.4.""",
        "import evaluating": "import evaluating, greedy_decode",
    },
)
GRADIENTS_ON_AFTERWARDS = Mistake(
    "After the call PyTorch records gradients, even if it did not before. It should be as before.",
    {
        "    # Begin as in step 5.4.": "    torch.set_grad_enabled(True)\n    # Begin as in step 5.4."
    },
)
SOURCE_OF_LAST_LAYER = Mistake(
    "All layers use the last layer's keys and values of the source. Each layer has its own "
    "projections.",
    {"written[n], sources[n],": "written[n], sources[-1],"},
)
CROSS_ATTENTION_OF_THE_OLD = Mistake(
    "The queries of the cross-attention are made from the layer's input. They come from the vector "
    "after the self-attention and its add and norm.",
    {
        "    x = layer.add_norm1(x, attend": "    old = x\n    x = layer.add_norm1(x, attend",
        "attend(layer.cross_attention, x, source, masks[1])": """\
attend(layer.cross_attention, old, source, masks[1])""",
    },
)
RESIDUAL_OF_THE_OLD = Mistake(
    "The second residual connection adds the layer's input. It should add what the sublayer before "
    "it gave.",
    {
        "    x = layer.add_norm1(x, attend": "    old = x\n    x = layer.add_norm1(x, attend",
        "layer.add_norm2(x, attend": "layer.add_norm2(old, attend",
    },
)
FEED_FORWARD_OF_THE_OLD = Mistake(
    "The feed-forward network reads the layer's input. It should read the vector after the "
    "cross-attention and its add and norm.",
    {
        "    x = layer.add_norm1(x, attend": "    old = x\n    x = layer.add_norm1(x, attend",
        "layer.feed_forward(x)": "layer.feed_forward(old)",
    },
)
NEVER_PADDING = Mistake(
    "The padding token can never be written. The model may choose it like every other token.",
    {
        "            token = model.decoder.linear(x)[:, 0].argmax": """\
            scores = model.decoder.linear(x)[:, 0]
            scores[:, model.trg_pad_idx] = float("-inf")
            token = scores.argmax"""
    },
)
BOS_NEVER_WRITTEN = Mistake(
    "The token bos can never be written after the first place. The model may choose it like every "
    "other token.",
    {
        "            token = model.decoder.linear(x)[:, 0].argmax": """\
            scores = model.decoder.linear(x)[:, 0]
            if bos_idx != eos_idx:
                scores[:, bos_idx] = float("-inf")
            token = scores.argmax"""
    },
)
EMBEDDING_SCALED = Mistake(
    "The newest token's vector is multiplied by the square root of dim_vector. The decoder's own "
    "embedding does not do that.",
    {
        "x = embedding.token_embedding(trg[:, -1:]) +": """\
x = embedding.token_embedding(trg[:, -1:])
            x = x * x.size(-1) ** 0.5 +"""
    },
)
SOURCE_MASK_IN_THE_FIRST_STEP_ONLY = Mistake(
    "Only the first step uses the source mask; the later ones read the padding of the source. "
    "Every step needs the mask.",
    {
        "(trg_mask, src_mask))": """\
(
                    trg_mask, src_mask if trg.size(1) == 1 else torch.ones_like(src_mask)
                ))"""
    },
)
