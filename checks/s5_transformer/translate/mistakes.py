"""What people get wrong in s5_transformer/translate.py.

Not here, on purpose:
- the dtype left to torch.tensor: only an empty text shows it, and only where encode adds nothing;
- bos and eos as one token: this is not required to work.
"""

from checks.engine.known import Mistake

SOURCE_BOS = Mistake(
    "Decoding begins with the bos_idx of the source vocabulary. In the target vocabulary that id "
    "is another word or none, so the model reads an unknown beginning.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
source_vocab.bos_idx, target_vocab.eos_idx, max_len"""
    },
    seen="harvardnlp/annotated-transformer#127",
)
IS_FOR_EQUALS = Mistake(
    "`is` compares two objects, not two numbers. Large numbers are new objects each time, so eos is "
    "not noticed.",
    {
        "    if target_vocab.eos_idx in ids:\n        ids = ids[: ids.index(target_vocab.eos_idx)]\n": """\
    for at, token in enumerate(ids):
        if token is target_vocab.eos_idx:
            ids = ids[:at]
            break
"""
    },
)
CUT_AT_PADDING = Mistake(
    "The text also ends at a padding token that the model writes, so the words after it are lost. "
    "Only eos ends a text.",
    {
        "    return target_vocab.decode(ids)": """\
    if target_vocab.pad_idx in ids:
        ids = ids[: ids.index(target_vocab.pad_idx)]
    return target_vocab.decode(ids)"""
    },
)
SOURCE_EOS = Mistake(
    "Decoding ends at the eos_idx of the source vocabulary. In the target vocabulary that is "
    "another word: the translation ends too early, or goes on after its real end.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.bos_idx, source_vocab.eos_idx, max_len"""
    },
)
SOURCE_BOS_AND_EOS = Mistake(
    "Decoding begins and ends with the special tokens of the source vocabulary. The written words "
    "are target words, and there these ids mean something else.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
source_vocab.bos_idx, source_vocab.eos_idx, max_len"""
    },
)
CUT_AT_SOURCE_EOS = Mistake(
    "The translation is cut at the eos_idx of the source vocabulary. In the target vocabulary "
    "that is another word: eos stays in the text, or words are lost.",
    {
        "if target_vocab.eos_idx in ids": "if source_vocab.eos_idx in ids",
        "ids.index(target_vocab.eos_idx)": "ids.index(source_vocab.eos_idx)",
    },
)
BEGINS_WITH_PADDING = Mistake(
    "Decoding begins with padding instead of bos_idx. In training every target began with "
    "bos_idx, and padding is masked, so the model has nothing to begin from.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.pad_idx, target_vocab.eos_idx, max_len"""
    },
)
BEGINS_WITH_EOS = Mistake(
    "Decoding begins with eos_idx, the token that ends a text. In training every target began "
    "with bos_idx, so the model reads an unknown beginning.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.eos_idx, target_vocab.eos_idx, max_len"""
    },
)
BOS_AND_EOS_SWAPPED = Mistake(
    BEGINS_WITH_EOS.says,
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.eos_idx, target_vocab.bos_idx, max_len"""
    },
)
ENDS_AT_PADDING = Mistake(
    "Decoding ends at padding, and the text is cut there. The model ends a translation with "
    "eos_idx, and nothing after that is part of it.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.bos_idx, target_vocab.pad_idx, max_len""",
        "if target_vocab.eos_idx in ids": "if target_vocab.pad_idx in ids",
        "ids.index(target_vocab.eos_idx)": "ids.index(target_vocab.pad_idx)",
    },
)
FIXED_BOS_AND_EOS = Mistake(
    "Decoding always begins with token 1 and ends with token 2, and the vocabulary is ignored. "
    "Its bos_idx and eos_idx may be other ids.",
    {"target_vocab.bos_idx, target_vocab.eos_idx, max_len": "1, 2, max_len"},
)
BOS_KEPT = Mistake(
    "The token that begins the translation stays in its text. It is only the start of decoding, "
    "not a word that the model has chosen.",
    {"trg[0, 1:].tolist()": "trg[0].tolist()"},
    seen="vineetjohn/linguistic-style-transfer#24",
)
FIRST_WORD_LOST = Mistake(
    "The first word is cut off together with bos_idx. Take away only one token at the beginning.",
    {"trg[0, 1:].tolist()": "trg[0, 2:].tolist()"},
)
EOS_KEPT = Mistake(
    "eos_idx or what follows it stays in the text. The translation ends before eos_idx.",
    {"ids[: ids.index(target_vocab.eos_idx)]": "ids[: ids.index(target_vocab.eos_idx) + 1]"},
    seen="vineetjohn/linguistic-style-transfer#24, IBM/pytorchpipe#32",
)
NOT_CUT = Mistake(
    EOS_KEPT.says,
    {
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": ""
    },
)
ONLY_PADDING_REMOVED = Mistake(
    EOS_KEPT.says,
    {
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    ids = [token for token in ids if token != target_vocab.pad_idx]
"""
    },
)
BOS_AND_EOS_KEPT = Mistake(
    "All decoded tokens become text, bos_idx and eos_idx included. The translation is what stands "
    "between the two.",
    {
        "trg[0, 1:].tolist()": "trg[0].tolist()",
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": "",
    },
)
LAST_TOKEN_CUT = Mistake(
    "A translation that reaches max_len loses its last word. It has no eos_idx to cut off, and "
    "max_len counts bos_idx only once.",
    {
        """\
    ids = trg[0, 1:].tolist()
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    ids = trg[0, 1:-1].tolist()
"""
    },
)
NOT_FOUND_IS_MINUS_1 = Mistake(
    LAST_TOKEN_CUT.says,
    {
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    end = next((n for n, token in enumerate(ids) if token == target_vocab.eos_idx), -1)
    ids = ids[:end]
"""
    },
)
LAST_WORD_LOST = Mistake(
    "The last word before eos_idx is cut off too. Cut one token later.",
    {"ids[: ids.index(target_vocab.eos_idx)]": "ids[: ids.index(target_vocab.eos_idx) - 1]"},
)
END_EXPECTED = Mistake(
    "You search for eos_idx as if it were always there. A translation that reaches max_len has none, "
    "and the code stops with an error.",
    {"    if target_vocab.eos_idx in ids:\n        ids = ids[:": "    ids = ids[:"},
)
NOTHING_WITHOUT_END = Mistake(
    "A translation without eos_idx comes back empty. If it reaches max_len, it is cut short, but "
    "its words still count.",
    {
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    ids = ids[: ids.index(target_vocab.eos_idx)] if target_vocab.eos_idx in ids else []
"""
    },
)
WRAPPED_AGAIN = Mistake(
    "You put bos_idx and eos_idx around the source, but encode already returns all that the model "
    "reads. The model never saw such a sentence in training.",
    {
        "[source_vocab.encode(text)]": """\
[[source_vocab.bos_idx, *source_vocab.encode(text), source_vocab.eos_idx]]"""
    },
)
BOS_ADDED = Mistake(
    "You put bos_idx before the source, but encode already returns all that the model reads. "
    "Every word then stands one position too late.",
    {"[source_vocab.encode(text)]": "[[source_vocab.bos_idx, *source_vocab.encode(text)]]"},
)
EOS_ADDED = Mistake(
    "You put eos_idx after the source, but encode already returns all that the model reads. The "
    "model then reads an end that training did not have, or two.",
    {"[source_vocab.encode(text)]": "[[*source_vocab.encode(text), source_vocab.eos_idx]]"},
)
WRAPPED_IN_TARGET_MARKS = Mistake(
    "The special tokens of the target vocabulary are put around the source. In the source "
    "vocabulary these ids are words.",
    {
        "[source_vocab.encode(text)]": """\
[[target_vocab.bos_idx, *source_vocab.encode(text), target_vocab.eos_idx]]"""
    },
)
ENDS_TAKEN_OFF = Mistake(
    "You remove the first and the last token of the source. The model should read exactly what "
    "encode returns.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[1:-1]]"},
)
FIRST_TAKEN_OFF = Mistake(
    "You remove the first token of the source. The model should read exactly what encode returns.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[1:]]"},
)
LAST_TAKEN_OFF = Mistake(
    "You remove the last token of the source. The model should read exactly what encode returns.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:-1]]"},
)
ENCODED_WORD_BY_WORD = Mistake(
    "The text is encoded word by word. encode adds special tokens around a whole text; now they "
    "stand around every word.",
    {
        "[source_vocab.encode(text)]": """\
[[token for word in text.split() for token in source_vocab.encode(word)]]"""
    },
)
SPLIT_BEFORE_ENCODE = Mistake(
    "encode gets a list of words. It takes a text and splits it itself.",
    {"source_vocab.encode(text)": "source_vocab.encode(text.split())"},
)
LOWER_CASE = Mistake(
    "The text is changed to lower case before it is encoded. The vocabulary decides whether "
    "capitals count: here they make other words.",
    {"source_vocab.encode(text)": "source_vocab.encode(text.lower())"},
)
SOURCE_REVERSED = Mistake(
    "The source is read from its last word to its first. The model was trained with the words in "
    "their own order.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[::-1]]"},
)
SOURCE_CUT_AT_MAX_LEN = Mistake(
    "max_len cuts the source. It limits only the translation: read the whole source.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:max_len]]"},
)
NO_BATCH = Mistake(
    "The source is a row of ids without a batch axis. The model takes (batch_size, src_len), here "
    "(1, src_len).",
    {"torch.tensor([source_vocab.encode(text)],": "torch.tensor(source_vocab.encode(text),"},
)
EVERY_WORD_A_SENTENCE = Mistake(
    "The batch axis is the second one, so every word is treated as a sentence. Only the first "
    "word is translated.",
    {
        "[source_vocab.encode(text)], dtype=torch.int64, device=device)": """\
[source_vocab.encode(text)], dtype=torch.int64, device=device).T"""
    },
)
FLOATS = Mistake(
    "The ids are floating-point numbers. They are row numbers of a table and must be integers, or "
    "the model stops with an error.",
    {"dtype=torch.int64": "dtype=torch.float32"},
)
CAPITAL_TENSOR = Mistake(
    FLOATS.says,
    {
        "torch.tensor([source_vocab.encode(text)], dtype=torch.int64, device=device)": """\
torch.Tensor([source_vocab.encode(text)]).to(device)"""
    },
)
NO_DEVICE = Mistake(
    "The source is not put on the model's device, or something else is moved as well. One of the "
    "model's weights has the right device.",
    {"dtype=torch.int64, device=device": "dtype=torch.int64"},
)
TAKEN_AS_TENSOR = Mistake(
    NO_DEVICE.says,
    {
        "torch.tensor([source_vocab.encode(text)], dtype=torch.int64, device=device)": """\
torch.as_tensor([source_vocab.encode(text)], dtype=torch.int64)"""
    },
)
DEVICE_CPU = Mistake(
    NO_DEVICE.says, {"device = next(model.parameters()).device": 'device = torch.device("cpu")'}
)
DECODED_ONE_BY_ONE = Mistake(
    "Every token is turned into text by itself. Give all tokens to decode in one call: only the "
    "vocabulary knows how to join them.",
    {
        "return target_vocab.decode(ids)": """\
return " ".join(target_vocab.decode([token]) for token in ids)"""
    },
)
DECODED_ONE_BY_ONE_WITHOUT_BLANK = Mistake(
    DECODED_ONE_BY_ONE.says,
    {
        "return target_vocab.decode(ids)": """\
return "".join(target_vocab.decode([token]) for token in ids)"""
    },
)
TENSOR_DECODED = Mistake(
    "decode gets a tensor. It takes a list of plain numbers.",
    {
        """\
    ids = trg[0, 1:].tolist()
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    ids = trg[0, 1:]
    ids = ids[(ids == target_vocab.eos_idx).cumsum(0) == 0]
"""
    },
)
TENSORS_DECODED = Mistake(
    "decode gets a list of tensors, one for each token. It takes a list of plain numbers.",
    {
        "target_vocab.decode(ids)": "target_vocab.decode([torch.tensor(token) for token in ids])",
        "trg[0, 1:].tolist()": "list(trg[0, 1:])",
    },
)
BATCH_DECODED = Mistake(
    "decode gets the whole batch, a list in a list. It takes the numbers of one text.",
    {"target_vocab.decode(ids)": "target_vocab.decode([ids])"},
)
MAX_LEN_IGNORED = Mistake(
    "max_len has no effect: the limit is always 64 tokens. A model that finds no end then writes "
    "more than the caller allows.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, 64)"},
)
ONE_TOO_MANY = Mistake(
    "One token more than max_len may be written. max_len counts bos_idx as well.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, max_len + 1)"},
)
CUT_AFTERWARDS = Mistake(
    ONE_TOO_MANY.says,
    {
        "target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, 80)",
        "target_vocab.decode(ids)": "target_vocab.decode(ids[:max_len])",
    },
)
ONE_TOO_FEW = Mistake(
    LAST_TOKEN_CUT.says,
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, max_len - 1)"},
)
TWO_TOO_FEW = Mistake(
    "You subtract bos_idx and eos_idx from max_len, so two tokens too few are written. "
    "greedy_decode counts bos_idx itself.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, max_len - 2)"},
)
LIMIT_FROM_SOURCE = Mistake(
    "The limit comes from the length of the source, as in the paper. In this step max_len is the "
    "limit.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, src.size(1) + 50)"},
)
AS_LONG_AS_THE_SOURCE = Mistake(
    "The translation cannot be longer than the source. Languages need different numbers of words: "
    "max_len is the limit.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, src.size(1))"},
)
DEFAULT_50 = Mistake(
    "The default of max_len is smaller than 64, so long translations are cut too early.",
    {"max_len: int = 64": "max_len: int = 50"},
)
DEFAULT_128 = Mistake(
    "The default of max_len is larger than 64, so a model that finds no end writes too much.",
    {"max_len: int = 64": "max_len: int = 128"},
)
LEFT_IN_EVAL = Mistake(
    "The model stays in eval mode. If it was in training, training goes on without dropout, "
    "and nothing warns you.",
    {
        "    # Decode it. The": "    model.eval()\n    # Decode it. The",
    },
)
LEFT_IN_TRAIN = Mistake(
    "The model stays in train mode, even if it came in eval mode. Dropout then makes its "
    "next answers random.",
    {
        "    # Keep the tokens between": "    model.train()\n    # Keep the tokens between",
    },
)
TRANSLATES_IN_TRAIN = Mistake(
    "The model translates in train mode if it comes in train mode. Dropout then gives the same "
    "text different translations.",
    {
        """\
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)
""": """\
    trg = torch.tensor([[target_vocab.bos_idx]], device=device)
    encoder_output, src_mask = model.encode(src)
    while trg.size(1) < max_len and (trg.size(1) == 1 or trg[0, -1] != target_vocab.eos_idx):
        logits = model.decode(trg, encoder_output, src_mask)
        trg = torch.cat([trg, logits[:, -1:].argmax(-1)], dim=1)
"""
    },
)
FIRST_WORD_ONLY = Mistake(
    "Only the first word comes out. Each next word needs another call, with all that is written so "
    "far, and all of them belong to the text.",
    {
        """\
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)
""": """\
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, min(2, max_len))
"""
    },
)
SOURCE_AS_TARGET = Mistake(
    "The decoder gets the source as the target, and all words are read at once. It must continue "
    "what it has written itself.",
    {
        """\
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)
""": """\
    was_training = model.training
    model.eval()
    chosen = model(src, src).argmax(-1)
    model.train(was_training)
    trg = torch.cat([torch.full((1, 1), target_vocab.bos_idx), chosen], dim=1)
"""
    },
)
BEAM_SEARCH = Mistake(
    "The translation is decoded by beam search, which may choose other words. This step uses "
    "greedy decoding.",
    {
        "import greedy_decode": "import beam_search",
        "trg = greedy_decode(": "trg = beam_search(",
    },
)
DECODED_BY_SOURCE = Mistake(
    "The ids are turned into text by the source vocabulary. They are target words, and in the "
    "source vocabulary the same ids mean other words.",
    {"return target_vocab.decode(ids)": "return source_vocab.decode(ids)"},
)
ENCODED_BY_TARGET = Mistake(
    "The text is encoded by the target vocabulary, which does not know its words. The source "
    "vocabulary must encode it.",
    {"[source_vocab.encode(text)]": "[target_vocab.encode(text)]"},
)
VOCABULARIES_SWAPPED = Mistake(
    ENCODED_BY_TARGET.says,
    {
        "    source_vocab: Vocabulary,\n    target_vocab: Vocabulary,\n": """\
    target_vocab: Vocabulary,
    source_vocab: Vocabulary,
"""
    },
)
WORDS_REVERSED = Mistake(
    "The words come out in reverse order, the last one first.",
    {"return target_vocab.decode(ids)": "return target_vocab.decode(ids[::-1])"},
)
RETURNS_IDS = Mistake(
    "You return the ids instead of a text. Turn them into words at the end.",
    {"return target_vocab.decode(ids)": "return ids"},
)
RETURNS_WORDS = Mistake(
    "You return a list of words instead of one text.",
    {"return target_vocab.decode(ids)": "return target_vocab.decode(ids).split()"},
)
PRINTED = Mistake(
    "You print the translation instead of returning it, so the caller gets None.",
    {"return target_vocab.decode(ids)": "print(target_vocab.decode(ids))"},
)
TEXT_CHANGED = Mistake(
    "You change the text after decode has made it. The vocabulary decides how words are written.",
    {"return target_vocab.decode(ids)": "return target_vocab.decode(ids).capitalize()"},
)
NOTHING_IS_NOT_DECODED = Mistake(
    "If no word stands between bos_idx and eos_idx, decode is not called. The vocabulary decides "
    "what a text without words looks like.",
    {
        "return target_vocab.decode(ids)": 'return target_vocab.decode(ids) if ids else ""',
    },
)
REPEATS_REMOVED = Mistake(
    "Each word is kept only once. A translation may say the same word twice.",
    {"return target_vocab.decode(ids)": "return target_vocab.decode(list(dict.fromkeys(ids)))"},
)
SPECIALS_BY_NUMBER = Mistake(
    "You remove the tokens 0, 1 and 2 from the translation, as if they were special. The "
    "vocabulary decides which tokens are special: here these are words.",
    {
        "return target_vocab.decode(ids)": """\
return target_vocab.decode([token for token in ids if token not in (0, 1, 2)])"""
    },
)
KEPT_ON_THE_MODEL = Mistake(
    "The first translation is kept and returned for every later text.",
    {
        "    # Keep the tokens between": """\
    if hasattr(model, "kept"):
        trg = model.kept
    model.kept = trg
    # Keep the tokens between"""
    },
)
KEPT_FOR_THE_SAME_TEXT = Mistake(
    "The translation is kept and returned again for the same model and text. It is out of date "
    "when the model has learned since.",
    {
        "import torch\n": "from functools import lru_cache\n\nimport torch\n",
        "def translate(": "@lru_cache\ndef translate(",
    },
)
ENDS_WITHOUT_A_TOKEN = Mistake(
    "You read the last token even if the list is empty. With max_len 1, only bos is written.",
    {
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": """\
    if ids[-1] == target_vocab.eos_idx:
        ids.pop()
"""
    },
)
NO_MORE_THAN_64 = Mistake(
    "A translation never has more than 64 tokens, even if max_len is larger. 64 is only the "
    "default of max_len.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, min(max_len, 64))"},
)
GRADIENTS_LEFT_OFF = Mistake(
    "Gradients are switched off and not on again. If you translate an example during training, "
    "the next training step cannot compute a gradient.",
    {"    # Decode it": "    torch.set_grad_enabled(False)\n    # Decode it"},
)
FIXED_BOS_AND_EOS_THROUGHOUT = Mistake(
    FIXED_BOS_AND_EOS.says,
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": "1, 2, max_len",
        "    if target_vocab.eos_idx in ids:": "    if 2 in ids:",
        "ids.index(target_vocab.eos_idx)": "ids.index(2)",
    },
)
SPECIALS_TAKEN_FROM_THE_SOURCE = Mistake(
    "You remove the special tokens from what encode returns. encode adds them because the model "
    "needs to read them.",
    {
        "[source_vocab.encode(text)]": """\
[
            [
                token
                for token in source_vocab.encode(text)
                if token not in (source_vocab.bos_idx, source_vocab.eos_idx, source_vocab.pad_idx)
            ]
        ]"""
    },
)
SOURCE_FILLED_UP_TO_MAX_LEN = Mistake(
    "The source is filled up with padding to max_len, which may be more than the model can read. "
    "A batch of one sentence needs no padding.",
    {
        "[source_vocab.encode(text)]": """\
[(source_vocab.encode(text) + max_len * [source_vocab.pad_idx])[:max_len]]"""
    },
)

# Numbers that count as false, and a text that is changed

EOS_0_LOST = Mistake(
    "If the target's eos is token 0, the translation is not cut at it. Python treats 0 as false.",
    {"if target_vocab.eos_idx in ids": "if target_vocab.eos_idx and target_vocab.eos_idx in ids"},
)
BOS_0_LOST = Mistake(
    "If the target's bos is token 0, another token begins the translation. Python treats 0 as "
    "false.",
    {"target_vocab.bos_idx, target": "target_vocab.bos_idx or source_vocab.bos_idx, target"},
)
BLANKS_JOINED = Mistake(
    "Spaces, tabs and line breaks become single spaces before the text is encoded. The vocabulary "
    "decides what they mean: here they make other words.",
    {"source_vocab.encode(text)": 'source_vocab.encode(" ".join(text.split()))'},
)
BLANKS_JOINED_AFTER = Mistake(
    "You replace several spaces by one in the text that decode returns. The vocabulary decides "
    "how the text looks.",
    {"return target_vocab.decode(ids)": 'return " ".join(target_vocab.decode(ids).split())'},
)
SIGNS_SET_APART = Mistake(
    "You put spaces around punctuation marks before the text is encoded. The vocabulary decides "
    "how a text is split: here it makes other words.",
    {
        "source_vocab.encode(text)": 'source_vocab.encode(text.replace(".", " .").replace(",", " , "))'
    },
)
SIGNS_LEFT_OUT = Mistake(
    "You remove punctuation marks before the text is encoded. The vocabulary decides which of "
    "them count: here they make other words.",
    {
        "source_vocab.encode(text)": 'source_vocab.encode("".join(c for c in text if c not in ".,!?;:"))'
    },
)
SIGNS_MOVED_UP = Mistake(
    "You remove spaces before full stops in the text that decode returns. The vocabulary decides "
    "how the text looks.",
    {"return target_vocab.decode(ids)": 'return target_vocab.decode(ids).replace(" .", ".")'},
)
PIECES_JOINED = Mistake(
    "You remove the marks of word pieces from the text that decode returns. The vocabulary "
    "decides how to join pieces.",
    {"return target_vocab.decode(ids)": 'return target_vocab.decode(ids).replace("@@ ", "")'},
)
CAPITAL_FIRST = Mistake(
    "You begin the text that decode returns with a capital letter. The vocabulary decides how the "
    "text looks.",
    {
        "    return target_vocab.decode(ids)\n": """\
    text = target_vocab.decode(ids)
    return text[:1].upper() + text[1:]
"""
    },
)
SOURCE_OF_50 = Mistake(
    "Only the first 50 ids of the text are read. The model decides how long a source may be.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:50]]"},
)
AT_MOST_100 = Mistake(
    "At most 100 tokens are written, even if max_len is larger.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, min(max_len, 100))"},
)
EOS_FROM_THE_FIRST_TOKEN = Mistake(
    "You search for the end from the first token on, which is bos. If bos and eos are one token, the "
    "translation is empty.",
    {
        "ids = trg[0, 1:].tolist()": "ids = trg[0].tolist()",
        "ids = ids[: ids.index(target_vocab.eos_idx)]": """\
ids = ids[: ids.index(target_vocab.eos_idx)]
    ids = ids[1:]""",
    },
)
TEXT_STRIPPED = Mistake(
    "You remove spaces and line breaks around the text before it is encoded. The vocabulary "
    "decides what belongs to a word.",
    {"source_vocab.encode(text)": "source_vocab.encode(text.strip())"},
)
TEXT_AT_MOST_128 = Mistake(
    "Only the first 128 ids of the text are read. A source may be as long as the model can read.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:128]]"},
)
WRITTEN_AT_MOST_128 = Mistake(
    "At most 128 tokens are written. max_len is the only limit.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, min(max_len, 128))"},
)
TEXT_AT_MOST_256 = Mistake(
    "Only the first 256 ids of the text are read. A source may be as long as the model can read.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:256]]"},
)
WRITTEN_AT_MOST_256 = Mistake(
    "At most 256 tokens are written. max_len is the only limit.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, min(max_len, 256))"},
)
TEXT_AT_MOST_512 = Mistake(
    "Only the first 512 ids of the text are read. A source may be as long as the model can read.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:512]]"},
)
WRITTEN_AT_MOST_512 = Mistake(
    "At most 512 tokens are written. max_len is the only limit.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, min(max_len, 512))"},
)
SMALL_INTEGERS = Mistake(
    "The ids are kept as int16. An embedding takes only int64 (or int32).",
    {"dtype=torch.int64, device=device)": "dtype=torch.int16, device=device)"},
)
ACCENTS_JOINED = Mistake(
    "The text is normalised: a letter and its accent become one character. Only the vocabulary "
    "decides about characters.",
    {
        "import torch\n": "import unicodedata\n\nimport torch\n",
        "source_vocab.encode(text)": 'source_vocab.encode(unicodedata.normalize("NFC", text))',
    },
)
BLANK_TEXT_SKIPPED = Mistake(
    "A text of blanks is not translated. The vocabulary may have tokens for it, so let the model "
    "read what encode returns.",
    {
        "    # Make a batch of one sentence": """\
    if not text.strip():
        return ""
    # Make a batch of one sentence"""
    },
)
TEXT_NOT_ENCODED = Mistake(
    "The text itself is decoded. It should be turned into ids first: source_vocab.encode(text).",
    {"torch.tensor([source_vocab.encode(text)], dtype=torch.int64, device=device)": "text"},
)
LIST_DECODED = Mistake(
    "greedy_decode gets a list of ids. It needs a tensor: torch.tensor([...]).",
    {
        "torch.tensor([source_vocab.encode(text)], dtype=torch.int64, device=device)": "[source_vocab.encode(text)]"
    },
)
TENSOR_OF_IDS_DECODED = Mistake(
    "The ids are a tensor. The vocabulary wants a list of ints: call tolist().",
    {"trg[0, 1:].tolist()": "trg[0, 1:]"},
)
END_ONLY_IF_SHORTER = Mistake(
    "eos is removed only if there are fewer than max_len tokens. It may also be the last of "
    "max_len tokens.",
    {
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]""": """\
    if len(ids) + 1 < max_len:
        ids = ids[:-1]"""
    },
)
PADDING_REMOVED_FROM_SOURCE = Mistake(
    "The padding is removed from the ids of the source. The model reads them as encode gives them.",
    {
        "[source_vocab.encode(text)]": "[[i for i in source_vocab.encode(text) if i != source_vocab.pad_idx]]"
    },
)
MODEL_MADE_FLOAT32 = Mistake(
    "The model itself is turned into float32, and stays so. It belongs to the caller.",
    {
        "    # Make a batch of one sentence": """\
    model.float()
    # Make a batch of one sentence"""
    },
)
SOURCE_EOS_THROUGHOUT = Mistake(
    SOURCE_EOS.says,
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.bos_idx, source_vocab.eos_idx, max_len""",
        "if target_vocab.eos_idx in ids": "if source_vocab.eos_idx in ids",
        "ids.index(target_vocab.eos_idx)": "ids.index(source_vocab.eos_idx)",
    },
)
SOURCE_BOS_AND_EOS_THROUGHOUT = Mistake(
    SOURCE_BOS_AND_EOS.says,
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
source_vocab.bos_idx, source_vocab.eos_idx, max_len""",
        "if target_vocab.eos_idx in ids": "if source_vocab.eos_idx in ids",
        "ids.index(target_vocab.eos_idx)": "ids.index(source_vocab.eos_idx)",
    },
)
NEIGHBOURS_ONCE = Mistake(
    "A word that stands twice in a row is kept only once. A translation may repeat a word.",
    {
        "return target_vocab.decode(ids)": """\
return target_vocab.decode([n for at, n in enumerate(ids) if [n] != ids[:at][-1:]])"""
    },
)
SMALL_IDS_REMOVED = Mistake(
    "Ids below 4 are removed from the translation, as if they were special. The vocabulary decides "
    "which tokens are special: here these are words.",
    {"target_vocab.decode(ids)": "target_vocab.decode([token for token in ids if token > 3])"},
)
