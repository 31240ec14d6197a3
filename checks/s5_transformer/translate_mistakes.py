"""What people get wrong in s5_transformer/translate.py.

Not here, on purpose:
- the dtype left to torch.tensor: only an empty text shows it, and only where encode adds nothing;
- bos and eos as one token: nobody promises that it works.
"""

from checks.machine.known import Mistake

SOURCE_BOS = Mistake(
    "Decoding begins with the bos_idx of the source vocabulary. In the target vocabulary that "
    "number is another word, or none, so the model reads a beginning that it has never seen.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
source_vocab.bos_idx, target_vocab.eos_idx, max_len"""
    },
    seen="harvardnlp/annotated-transformer#127",
)
SOURCE_EOS = Mistake(
    "Decoding waits for the eos_idx of the source vocabulary. In the target vocabulary that is "
    "another word: the translation ends too early there, and goes on after its real end.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.bos_idx, source_vocab.eos_idx, max_len"""
    },
)
SOURCE_BOS_AND_EOS = Mistake(
    "Decoding begins and ends with the special tokens of the source vocabulary. What is written "
    "are target words, and there those numbers mean something else.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
source_vocab.bos_idx, source_vocab.eos_idx, max_len"""
    },
)
CUT_AT_SOURCE_EOS = Mistake(
    "The translation is cut at the eos_idx of the source vocabulary. In the target vocabulary "
    "that is another word: eos itself stays in the text, or words after that one are lost.",
    {
        "if target_vocab.eos_idx in ids": "if source_vocab.eos_idx in ids",
        "ids.index(target_vocab.eos_idx)": "ids.index(source_vocab.eos_idx)",
    },
)
BEGINS_WITH_PADDING = Mistake(
    "Decoding begins with padding instead of bos_idx. In training every target began with "
    "bos_idx; padding is hidden from the model, which then has nothing to begin from.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.pad_idx, target_vocab.eos_idx, max_len"""
    },
)
BEGINS_WITH_EOS = Mistake(
    "Decoding begins with eos_idx, the token that ends a text. In training every target began "
    "with bos_idx, so the model reads a beginning that it has never seen.",
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
    "Decoding waits for padding as the end, and the text is cut there. The model says eos_idx "
    "when it is through; what it is made to write after that is part of no translation.",
    {
        "target_vocab.bos_idx, target_vocab.eos_idx, max_len": """\
target_vocab.bos_idx, target_vocab.pad_idx, max_len""",
        "if target_vocab.eos_idx in ids": "if target_vocab.pad_idx in ids",
        "ids.index(target_vocab.eos_idx)": "ids.index(target_vocab.pad_idx)",
    },
)
FIXED_BOS_AND_EOS = Mistake(
    "Decoding begins with token 1 and ends with token 2, whatever the vocabulary says. Those "
    "are its bos_idx and eos_idx by chance only.",
    {"target_vocab.bos_idx, target_vocab.eos_idx, max_len": "1, 2, max_len"},
)
BOS_KEPT = Mistake(
    "The token that begins the translation stays in its text. It is what decoding begins with, "
    "not a word that the model has chosen.",
    {"trg[0, 1:].tolist()": "trg[0].tolist()"},
    seen="vineetjohn/linguistic-style-transfer#24",
)
FIRST_WORD_LOST = Mistake(
    "The first word is cut off with bos_idx: two tokens are taken away at the beginning, where "
    "only one is no word.",
    {"trg[0, 1:].tolist()": "trg[0, 2:].tolist()"},
)
EOS_KEPT = Mistake(
    "The token that ends the translation stays in its text. Nothing from eos_idx on is part of "
    "the translation, and neither is eos_idx itself.",
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
    "All that was decoded becomes text, with the tokens that begin and end it. The translation "
    "is what stands between the two.",
    {
        "trg[0, 1:].tolist()": "trg[0].tolist()",
        """\
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
""": "",
    },
)
LAST_TOKEN_CUT = Mistake(
    "A translation that reaches max_len loses its last word: the last token is cut off although "
    "it is no end, or bos_idx, one of the max_len tokens, is counted twice.",
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
    "The last word before eos_idx is cut off together with it: the cut is one token too early.",
    {"ids[: ids.index(target_vocab.eos_idx)]": "ids[: ids.index(target_vocab.eos_idx) - 1]"},
)
END_EXPECTED = Mistake(
    "eos_idx is looked up as if it were always there. A translation that has reached max_len has "
    "none, and ends in an error.",
    {"    if target_vocab.eos_idx in ids:\n        ids = ids[:": "    ids = ids[:"},
)
NOTHING_WITHOUT_END = Mistake(
    "A translation without eos_idx comes back empty. One that has reached max_len is cut short, "
    "but its words are words.",
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
    "bos_idx and eos_idx are put around the source, although encode already gives all that the "
    "model wants to read. It then reads a sentence that it never met in training.",
    {
        "[source_vocab.encode(text)]": """\
[[source_vocab.bos_idx, *source_vocab.encode(text), source_vocab.eos_idx]]"""
    },
)
BOS_ADDED = Mistake(
    "bos_idx is put before the source, although encode already gives all that the model wants "
    "to read. Every word then stands one place too late.",
    {"[source_vocab.encode(text)]": "[[source_vocab.bos_idx, *source_vocab.encode(text)]]"},
)
EOS_ADDED = Mistake(
    "eos_idx is put after the source, although encode already gives all that the model wants "
    "to read. It then reads an end that was not there in training, or a second one.",
    {"[source_vocab.encode(text)]": "[[*source_vocab.encode(text), source_vocab.eos_idx]]"},
)
WRAPPED_IN_TARGET_MARKS = Mistake(
    "The special tokens of the target vocabulary are put around the source. In the source "
    "vocabulary those numbers are words.",
    {
        "[source_vocab.encode(text)]": """\
[[target_vocab.bos_idx, *source_vocab.encode(text), target_vocab.eos_idx]]"""
    },
)
ENDS_TAKEN_OFF = Mistake(
    "The first and the last token of the source are taken off. What encode gives is what the "
    "model wants to read, so nothing is to be removed from it.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[1:-1]]"},
)
FIRST_TAKEN_OFF = Mistake(
    "The first token of the source is taken off. What encode gives is what the model wants to "
    "read, so nothing is to be removed from it.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[1:]]"},
)
LAST_TAKEN_OFF = Mistake(
    "The last token of the source is taken off. What encode gives is what the model wants to "
    "read, so nothing is to be removed from it.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:-1]]"},
)
ENCODED_WORD_BY_WORD = Mistake(
    "The text is encoded word by word. encode adds what the model wants to read around a whole "
    "text; now it is added around every word.",
    {
        "[source_vocab.encode(text)]": """\
[[token for word in text.split() for token in source_vocab.encode(word)]]"""
    },
)
SPLIT_BEFORE_ENCODE = Mistake(
    "encode is given a list of words. It takes a text, and knows best how to part it.",
    {"source_vocab.encode(text)": "source_vocab.encode(text.split())"},
)
LOWER_CASE = Mistake(
    "The text is written in small letters before it is encoded. Whether capitals count is the "
    "vocabulary's affair: here they make other words.",
    {"source_vocab.encode(text)": "source_vocab.encode(text.lower())"},
)
SOURCE_REVERSED = Mistake(
    "The source is read from its last word to its first. Its places then say that the last word "
    "came first, which is not how the model was trained.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[::-1]]"},
)
SOURCE_CUT_AT_MAX_LEN = Mistake(
    "max_len cuts the source. It says how long the translation may become; the source is to be "
    "read as it is.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:max_len]]"},
)
NO_BATCH = Mistake(
    "The source is a row of ids without a batch axis. The model takes (batch_size, src_len), "
    "here (1, src_len).",
    {"torch.tensor([source_vocab.encode(text)],": "torch.tensor(source_vocab.encode(text),"},
)
EVERY_WORD_A_SENTENCE = Mistake(
    "The batch axis is the second one, so every word is taken for a sentence of its own, and the "
    "first word alone is translated.",
    {
        "[source_vocab.encode(text)], dtype=torch.int64, device=device)": """\
[source_vocab.encode(text)], dtype=torch.int64, device=device).T"""
    },
)
FLOATS = Mistake(
    "The ids are floating-point numbers. They are row numbers of a table, which must be whole: "
    "the model refuses to look them up.",
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
    "The source is not put where the model is, or not only the source is moved. Ask the model for "
    "its device: one of its weights tells.",
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
    "Every token is turned into text by itself. How tokens are joined is the vocabulary's "
    "affair: it can only do that if it is given all of them in one call.",
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
    "decode is given a tensor. It takes a list of plain numbers.",
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
    "decode is given a list of tensors, one for each token. It takes a list of plain numbers.",
    {
        "target_vocab.decode(ids)": "target_vocab.decode([torch.tensor(token) for token in ids])",
        "trg[0, 1:].tolist()": "list(trg[0, 1:])",
    },
)
BATCH_DECODED = Mistake(
    "decode is given a list in a list, the whole batch. It takes the numbers of one text.",
    {"target_vocab.decode(ids)": "target_vocab.decode([ids])"},
)
MAX_LEN_IGNORED = Mistake(
    "max_len has no effect: the limit is always 64 tokens. A model that finds no end then writes "
    "more than was asked for.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, 64)"},
)
ONE_TOO_MANY = Mistake(
    "One token more than max_len may be written: bos_idx counts as one of them.",
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
    "Room for bos_idx and eos_idx is taken off max_len, so two tokens fewer are written than "
    "allowed. greedy_decode counts bos_idx itself.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, max_len - 2)"},
)
LIMIT_FROM_SOURCE = Mistake(
    "The limit comes from the length of the source, not from max_len. The paper allows 50 tokens "
    "more than the source has; this step has max_len for it.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, src.size(1) + 50)"},
)
AS_LONG_AS_THE_SOURCE = Mistake(
    "The translation may only be as long as the source. Languages need different numbers of "
    "words; max_len is the limit.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, src.size(1))"},
)
DEFAULT_50 = Mistake(
    "Without max_len the limit is not 64 tokens, so long translations are cut at another place "
    "than the contract says.",
    {"max_len: int = 64": "max_len: int = 50"},
)
DEFAULT_128 = Mistake(
    "Without max_len the limit is above 64 tokens, so a model that finds no end writes more than "
    "the contract says.",
    {"max_len: int = 64": "max_len: int = 128"},
)
LEFT_IN_EVAL = Mistake(
    "The model is left in eval mode. If it was being trained, its dropout is off from then on, "
    "and nobody notices.",
    {
        "    # Decode it, from": "    model.eval()\n    # Decode it, from",
    },
)
LEFT_IN_TRAIN = Mistake(
    "The model is left in train mode, even if it came in eval mode. Its next answers are then "
    "random, for dropout is on.",
    {
        "    # Keep the tokens between": "    model.train()\n    # Keep the tokens between",
    },
)
TRANSLATES_IN_TRAIN = Mistake(
    "The model translates in train mode if it is in it. It still drops numbers at random then, "
    "so the same text gets different translations.",
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
    "The model is asked once, and gives one word. Each next word needs another question, with "
    "all that is written so far.",
    {
        """\
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)
""": """\
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, min(2, max_len))
"""
    },
)
SOURCE_AS_TARGET = Mistake(
    "The source is handed to the decoder as the target, and all words are read off at once. The "
    "decoder goes on from what it has written itself.",
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
    "The translation is decoded by beam search, which may choose other words than greedy "
    "decoding does. This step asks for the greedy one.",
    {
        "import greedy_decode": "import beam_search",
        "trg = greedy_decode(": "trg = beam_search(",
    },
)
DECODED_BY_SOURCE = Mistake(
    "The ids are turned into text by the source vocabulary. They are words of the target; in the "
    "source the same numbers mean other ones.",
    {"return target_vocab.decode(ids)": "return source_vocab.decode(ids)"},
)
ENCODED_BY_TARGET = Mistake(
    "The text is encoded by the target vocabulary, which does not know its words. The source "
    "vocabulary is the one that reads.",
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
    "The ids come back instead of a text. The last step, turning them into words, is missing.",
    {"return target_vocab.decode(ids)": "return ids"},
)
RETURNS_WORDS = Mistake(
    "A list of words comes back instead of one text.",
    {"return target_vocab.decode(ids)": "return target_vocab.decode(ids).split()"},
)
PRINTED = Mistake(
    "The translation is printed, not handed back: the caller gets None.",
    {"return target_vocab.decode(ids)": "print(target_vocab.decode(ids))"},
)
TEXT_CHANGED = Mistake(
    "The text is changed after decode has made it. How words are written is the vocabulary's "
    "affair.",
    {"return target_vocab.decode(ids)": "return target_vocab.decode(ids).capitalize()"},
)
NOTHING_IS_NOT_DECODED = Mistake(
    "Where no word stands between bos_idx and eos_idx, decode is not asked. What no words look "
    "like as a text is the vocabulary's affair.",
    {
        "return target_vocab.decode(ids)": 'return target_vocab.decode(ids) if ids else ""',
    },
)
REPEATS_REMOVED = Mistake(
    "Each word is kept only once. A translation may say the same word twice.",
    {"return target_vocab.decode(ids)": "return target_vocab.decode(list(dict.fromkeys(ids)))"},
)
SPECIALS_BY_NUMBER = Mistake(
    "The tokens 0, 1 and 2 are taken out of the translation, as if they were special. Which ones "
    "are special, the vocabulary says; here these are words.",
    {
        "return target_vocab.decode(ids)": """\
return target_vocab.decode([token for token in ids if token not in (0, 1, 2)])"""
    },
)
KEPT_ON_THE_MODEL = Mistake(
    "The first translation is kept, and given back for every later text.",
    {
        "    # Keep the tokens between": """\
    if hasattr(model, "kept"):
        trg = model.kept
    model.kept = trg
    # Keep the tokens between"""
    },
)
KEPT_FOR_THE_SAME_TEXT = Mistake(
    "A translation is kept for when the same model gets the same text again. The model may have "
    "learned in the meantime, and its old translation comes back.",
    {
        "import torch\n": "from functools import lru_cache\n\nimport torch\n",
        "def translate(": "@lru_cache\ndef translate(",
    },
)
ENDS_WITHOUT_A_TOKEN = Mistake(
    "The last token is looked at where there is none: with max_len 1 nothing but bos is written.",
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
    "A translation never has more than 64 tokens, whatever max_len allows. 64 is what max_len is "
    "if nobody says anything.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, min(max_len, 64))"},
)
GRADIENTS_LEFT_OFF = Mistake(
    "Gradients are switched off, and not on again. Whoever translates an example during training "
    "cannot go on: nothing is recorded any more.",
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
    "The tokens that begin and end the source are taken out of what encode gives. It adds them "
    "because the model wants to read them.",
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
    "The source is filled up with padding to max_len, more than the model may be able to read. "
    "max_len limits what is written; a batch of one sentence needs no padding.",
    {
        "[source_vocab.encode(text)]": """\
[(source_vocab.encode(text) + max_len * [source_vocab.pad_idx])[:max_len]]"""
    },
)

# Numbers that count as false, and a text that is touched

EOS_0_LOST = Mistake(
    "Where the target's eos is 0, the translation is not cut at it: 0 counts as false.",
    {"if target_vocab.eos_idx in ids": "if target_vocab.eos_idx and target_vocab.eos_idx in ids"},
)
BOS_0_LOST = Mistake(
    "Where the target's bos is 0, something else begins the translation: 0 counts as false.",
    {"target_vocab.bos_idx, target": "target_vocab.bos_idx or source_vocab.bos_idx, target"},
)
BLANKS_JOINED = Mistake(
    "Blanks, tabs and line ends of the text are made single blanks before it is encoded. What they "
    "mean is the vocabulary's affair: here they make other words.",
    {"source_vocab.encode(text)": 'source_vocab.encode(" ".join(text.split()))'},
)
BLANKS_JOINED_AFTER = Mistake(
    "Several blanks in what decode gives are made one. The text is the vocabulary's affair.",
    {"return target_vocab.decode(ids)": 'return " ".join(target_vocab.decode(ids).split())'},
)
SIGNS_SET_APART = Mistake(
    "Signs are set apart with blanks before the text is encoded. How a text is split is the "
    "vocabulary's affair: here it makes other words.",
    {
        "source_vocab.encode(text)": """\
source_vocab.encode(
        text.replace(".", " .").replace(",", " , ")
    )"""
    },
)
SIGNS_LEFT_OUT = Mistake(
    "Signs are taken out of the text before it is encoded. Which of them count is the vocabulary's "
    "affair: here they make other words.",
    {
        "source_vocab.encode(text)": 'source_vocab.encode("".join(c for c in text if c not in ".,!?;:"))'
    },
)
SIGNS_MOVED_UP = Mistake(
    "Blanks before full stops are taken out of what decode gives. The text is the vocabulary's "
    "affair.",
    {"return target_vocab.decode(ids)": 'return target_vocab.decode(ids).replace(" .", ".")'},
)
PIECES_JOINED = Mistake(
    "Marks of word pieces are taken out of what decode gives. To join pieces is the vocabulary's "
    "affair.",
    {"return target_vocab.decode(ids)": 'return target_vocab.decode(ids).replace("@@ ", "")'},
)
CAPITAL_FIRST = Mistake(
    "What decode gives is made to begin with a capital. The text is the vocabulary's affair.",
    {
        "    return target_vocab.decode(ids)\n": """\
    text = target_vocab.decode(ids)
    return text[:1].upper() + text[1:]
"""
    },
)
SOURCE_OF_50 = Mistake(
    "Of a long source only the first 50 ids are read. How long one may be is the model's affair.",
    {"[source_vocab.encode(text)]": "[source_vocab.encode(text)[:50]]"},
)
AT_MOST_100 = Mistake(
    "More than 100 tokens are never written, whatever max_len says.",
    {"target_vocab.eos_idx, max_len)": "target_vocab.eos_idx, min(max_len, 100))"},
)
SMALL_INTEGERS = Mistake(
    "The ids are kept as int16. An embedding takes int64 (or int32) only.",
    {"dtype=torch.int64, device=device)": "dtype=torch.int16, device=device)"},
)
