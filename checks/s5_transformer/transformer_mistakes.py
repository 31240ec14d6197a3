"""What people get wrong in s5_transformer/transformer.py.

Not here, on purpose:
- package names that do not agree: such a file cannot be imported, and says so;
- start values left at PyTorch's: they are open.
"""

from checks.machine.known import Mistake

ENCODER_WITHOUT_MASK = Mistake(
    "The encoder gets no mask, so source words read the padding. What the encoder makes of a "
    "sentence then depends on how far it happens to be padded.",
    {"return self.encoder(src, src_mask), src_mask": "return self.encoder(src), src_mask"},
)
ENCODER_WITH_TARGET_MASK = Mistake(
    "The encoder gets a look-ahead mask, so source words cannot see the words after them. The "
    "source is known from the start and may be read in both directions.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, get_trg_mask(src, self.src_pad_idx)), src_mask"""
    },
)
ENCODER_MASK_INVERTED = Mistake(
    "The encoder gets its mask the wrong way round: padding is read and words are hidden. The "
    "source words then never see each other.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, ~src_mask), src_mask"""
    },
    seen="pytorch/pytorch#27968",
)
DECODER_WITHOUT_SOURCE_MASK = Mistake(
    "The decoder gets no src_mask, so target words read the padding of the source. The scores "
    "then depend on how far the source happens to be padded.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask)"""
    },
    seen="keras-team/keras-io#1046, pytorch/tutorials#719",
)
DECODER_WITHOUT_TARGET_MASK = Mistake(
    "The decoder gets no mask for the target, so target words see the words that they must "
    "predict. Training then looks perfect, and translation fails.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, None, src_mask)"""
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
DECODER_MASKS_SWAPPED = Mistake(
    "The two masks are handed to the decoder in the wrong order. Target words then see the "
    "words that they must predict, and later source words are hidden.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, src_mask, trg_mask)"""
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
DECODER_ARGUMENTS_SWAPPED = Mistake(
    "Source and target are handed to the decoder in the wrong order. It then takes the vectors "
    "of encoder_output for token numbers, which ends in an error.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(encoder_output, trg, trg_mask, src_mask)"""
    },
)
TARGET_MASK_ON_SOURCE = Mistake(
    "The decoder gets the target mask for the source too. Early target words then cannot read "
    "later source words, although the whole source is known from the start.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, trg_mask)"""
    },
    seen="zhouhaoyi/Informer2020#38",
)
TARGET_PADDING_ONLY = Mistake(
    "The target is masked like the source: padding is hidden, the future is not. Words see the "
    "words that they must predict, so training looks perfect and translation fails.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_src_mask(trg, self.trg_pad_idx)"""
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_CAUSAL_ONLY = Mistake(
    "The target mask hides the future but not the padding of the target. Padding that stands "
    "before a word is then read as if it were a word.",
    {"trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = get_trg_mask(trg, -1)"},
)
TARGET_MASK_WITH_SOURCE_PADDING = Mistake(
    "The target mask looks for src_pad_idx instead of trg_pad_idx. Where the two differ, "
    "padding of the target is read and a real target word is hidden.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_trg_mask(trg, self.src_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
SOURCE_MASK_WITH_TARGET_PADDING = Mistake(
    "The source mask looks for trg_pad_idx instead of src_pad_idx. Where the two differ, "
    "padding of the source is read and a real source word is hidden.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": """\
src_mask = get_src_mask(src, self.trg_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
PADDING_FIXED_0 = Mistake(
    "Both masks take token 0 for padding, whatever src_pad_idx and trg_pad_idx are. With "
    "another vocabulary padding is then read, and a real word is hidden.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": "src_mask = get_src_mask(src, 0)",
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = get_trg_mask(trg, 0)",
    },
)
TARGET_PADDING_FIXED_0 = Mistake(
    "The target mask takes token 0 for padding, whatever trg_pad_idx is. With another "
    "vocabulary padding of the target is then read, and a real word is hidden.",
    {"trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = get_trg_mask(trg, 0)"},
)
PADDING_ATTRIBUTES_SWAPPED = Mistake(
    "The tokens src_pad_idx and trg_pad_idx are kept under each other's name. Where they "
    "differ, each mask looks for the padding of the other language and hides a real word.",
    {
        "self.src_pad_idx = src_pad_idx": "self.src_pad_idx = trg_pad_idx",
        "self.trg_pad_idx = trg_pad_idx": "self.trg_pad_idx = src_pad_idx",
    },
    seen="hyunwoongko/transformer#11",
)
SOURCE_PADDING_FOR_BOTH = Mistake(
    "The padding token of the source is kept as trg_pad_idx too. Where the two differ, the "
    "target mask and later the loss take a real word for padding.",
    {"self.trg_pad_idx = trg_pad_idx": "self.trg_pad_idx = src_pad_idx"},
    seen="hyunwoongko/transformer#11",
)
PADDING_NOT_KEPT = Mistake(
    "A padding token is not kept under its name, src_pad_idx or trg_pad_idx. The steps for "
    "training and decoding look for these names and do not find them.",
    {
        "self.trg_pad_idx = trg_pad_idx": "self.pad_idx = trg_pad_idx",
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_trg_mask(trg, self.pad_idx)""",
    },
)
PADDING_ROWS_SWAPPED = Mistake(
    "Encoder and decoder each freeze the padding token of the other language. Where the two "
    "differ, a real word in each stays at zero and never learns.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(encoder_vocab_size, *sizes, trg_pad_idx)""",
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, src_pad_idx)""",
    },
    seen="hyunwoongko/transformer#11",
)
DECODER_FREEZES_SOURCE_PADDING = Mistake(
    "The decoder freezes the padding token of the source. Where the two padding tokens differ, "
    "a real target word stays at zero and never learns.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, src_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
DECODER_READS_EMBEDDING = Mistake(
    "The decoder reads the raw source words instead of what the encoder made of them. The "
    "layers of the encoder have no effect and never learn.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder.embedding(src), src_mask"""
    },
)
DECODER_READS_FIRST_LAYER = Mistake(
    "The decoder reads the result of the first encoder layer; it must read that of the last. "
    "The later encoder layers have no effect and never learn.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder.layers[0](self.encoder.embedding(src), src_mask), src_mask"""
    },
)
TARGET_SHIFTED_INSIDE = Mistake(
    "The target loses its last word inside the model. Shifting it is the work of training, and "
    "done once more in here it leaves the scores one position short.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg[:, :-1], encoder_output, src_mask)"""
    },
    seen="huggingface/transformers#46901",
)
TARGET_SHIFTED_IN_DECODE = Mistake(
    TARGET_SHIFTED_INSIDE.says,
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg = trg[:, :-1]
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)"""
    },
    seen="huggingface/transformers#46901",
)
TARGET_START_CUT = Mistake(
    "The target loses its first word inside the model. That is the start token, from which the "
    "first real word is predicted, so its scores are missing.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg[:, 1:], encoder_output, src_mask)"""
    },
    seen="huggingface/transformers#46901",
)
TARGET_ROLLED = Mistake(
    "The target is moved on by one place inside the model, and its last word comes to the "
    "front, where every position sees it. The target must be read as it is.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg.roll(1, dims=1), encoder_output, src_mask)"""
    },
    seen="huggingface/transformers#46901",
)
SHARED_EMBEDDING = Mistake(
    "Source and target are looked up in one table. The same number means another word in each "
    "language, and their vocabularies differ in size.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.embedding = self.encoder.embedding"""
    },
)
TARGET_EMBEDDED_BY_ENCODER = Mistake(
    SHARED_EMBEDDING.says,
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.embedding.token_embedding = self.encoder.embedding.token_embedding"""
    },
)
DECODER_WITH_SOURCE_VOCABULARY = Mistake(
    "The decoder is built with encoder_vocab_size, but it has to choose among target words. It "
    "then has too many scores or too few, and some words may never be chosen.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(encoder_vocab_size, *sizes, trg_pad_idx)"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
ENCODER_WITH_TARGET_VOCABULARY = Mistake(
    "The encoder is built with decoder_vocab_size, but it reads source words. If the source "
    "has more words than the target, some of them have no vector.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(decoder_vocab_size, *sizes, src_pad_idx)"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
VOCABULARIES_SWAPPED = Mistake(
    "The two vocabulary sizes have changed places: the encoder is built for target words and "
    "the decoder for source words. One of them then lacks some of its words.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(decoder_vocab_size, *sizes, src_pad_idx)""",
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(encoder_vocab_size, *sizes, trg_pad_idx)""",
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
TIED_OUTPUT = Mistake(
    "The decoder's linear shares its matrix with the embedding of the target, as in the paper. "
    "Here it has numbers of its own, so that reading and choosing words can be learnt apart.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.linear.weight = self.decoder.embedding.token_embedding.embedding.weight"""
    },
)
NO_OUTPUT_BIAS = Mistake(
    "The decoder's linear has lost its bias; here every linear layer has one. With it the "
    "model can say that a word is frequent, whatever the sentence is.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.linear = nn.Linear(dim_vector, decoder_vocab_size, bias=False)"""
    },
)
SECOND_OUTPUT_LAYER = Mistake(
    "Another linear layer follows the decoder's own. With nothing between them, two can do no "
    "more than one, but the second has a number for every pair of words.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.linear = nn.Linear(decoder_vocab_size, decoder_vocab_size)""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.linear(self.decoder(trg, encoder_output, trg_mask, src_mask))""",
    },
)
ENCODER_CLOSING_NORM = Mistake(
    "The encoder's output is normalised once more, as in PyTorch's own Transformer. Here the "
    "stack already ends in a normalisation, and nothing else belongs behind it.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.encoder(src, src_mask), src_mask": """\
return self.norm(self.encoder(src, src_mask)), src_mask""",
    },
    seen="lucidrains/reformer-pytorch#124",
)
DROPOUT_NOT_HANDED_DOWN = Mistake(
    "The value of dropout is not handed down, so encoder and decoder always drop one tenth. "
    "What the caller asks for has no effect.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, 0.1)"""
    },
)
DROPOUT_NOT_TO_ENCODER = Mistake(
    "The value of dropout never reaches the encoder, which falls back on its default. It then "
    "drops more or less than the decoder and than asked.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(encoder_vocab_size, *sizes[:-1], padding_idx=src_pad_idx)"""
    },
)
DROPOUT_NOT_TO_DECODER = Mistake(
    "The value of dropout never reaches the decoder, which falls back on its default. It then "
    "drops more or less than the encoder and than asked.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes[:-1], padding_idx=trg_pad_idx)"""
    },
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "When no dropout is given, nothing is dropped; one tenth is the default. Without dropout a "
    "model learns its examples by heart more easily.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_OFF = Mistake(
    "Nothing is dropped in training: the dropout that was asked for is not handed on, or the "
    "model switches itself to evaluation. So nothing guards it against learning by heart.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, 0.0)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "Numbers are dropped from the encoder's output even in evaluation. The finished model "
    "would then translate the same sentence differently every time.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return nn.functional.dropout(self.encoder(src, src_mask), 0.1), src_mask"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
ENCODER_OUTPUT_DROPPED = Mistake(
    "In training, dropout is applied to the encoder's output once more before the decoder "
    "reads it. The encoder has done its own, and the source should be read whole.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.dropout = nn.Dropout(dropout)""",
        "return self.encoder(src, src_mask), src_mask": """\
return self.dropout(self.encoder(src, src_mask)), src_mask""",
    },
)
EVALUATION_IN_FORWARD = Mistake(
    DROPOUT_OFF.says,
    {
        "encoder_output, src_mask = self.encode(src)": """\
self.eval()
        encoder_output, src_mask = self.encode(src)"""
    },
)
TRAINING_IN_FORWARD = Mistake(
    "The model switches itself to training at every call. It then drops at random even in "
    "evaluation and translates the same sentence differently every time.",
    {
        "encoder_output, src_mask = self.encode(src)": """\
self.train()
        encoder_output, src_mask = self.encode(src)"""
    },
)
ENCODER_IN_EVALUATION = Mistake(
    "The encoder never drops anything in training: it is built without dropout or kept in "
    "evaluation. The decoder drops, and the encoder must too.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": """\
self.encoder.eval()
        src_mask = get_src_mask(src, self.src_pad_idx)"""
    },
)
SIZES_HEADS_AND_LENGTH = Mistake(
    "Encoder and decoder get n_head and max_len in the wrong order. The attentions then try to "
    "make max_len heads, and no sentence may be longer than n_head.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, n_head, max_len, dim_hidden, num_layer, dropout)"""
    },
)
SIZES_HIDDEN_AND_LAYERS = Mistake(
    "Encoder and decoder get dim_hidden and num_layer in the wrong order. Each stack then has "
    "dim_hidden layers, whose feed-forward networks are only num_layer wide.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, num_layer, dim_hidden, dropout)"""
    },
)
SIZES_WIDTH_AND_HIDDEN = Mistake(
    "Encoder and decoder get dim_vector and dim_hidden in the wrong order. Every vector is "
    "then dim_hidden wide, and the feed-forward networks are dim_vector wide inside.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_hidden, max_len, 1, dim_vector, num_layer, dropout)"""
    },
)
HEADS_IGNORED = Mistake(
    "The value of n_head is not handed down, so every attention has one head. Each word then "
    "has a single way to look at the others.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, 1, dim_hidden, num_layer, dropout)"""
    },
)
MAX_LEN_IGNORED = Mistake(
    "The value of max_len is not handed down, and a fixed length takes its place. Longer "
    "sentences than the caller allows would pass, or allowed ones would be refused.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, 512, n_head, dim_hidden, num_layer, dropout)"""
    },
)
SIX_LAYERS = Mistake(
    "There are always six layers, as in the paper, whatever num_layer is. The caller then "
    "cannot build a smaller or a deeper model.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, 6, dropout)"""
    },
)
ONE_DECODER_LAYER = Mistake(
    "The decoder has a single layer, whatever num_layer is. It can then do less than the "
    "encoder, and less than asked for.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes[:4], 1, dropout, trg_pad_idx)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The feed-forward networks are always four times dim_vector wide, as in the paper. The "
    "given dim_hidden has no effect.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, 4 * dim_vector, num_layer, dropout)"""
    },
)
ENCODE_RETURNS_OUTPUT_ONLY = Mistake(
    "Only the encoder's output comes back from encode. The source mask is needed by decode as "
    "well, so encode has to hand back both.",
    {
        "return self.encoder(src, src_mask), src_mask": "return self.encoder(src, src_mask)",
        "encoder_output, src_mask = self.encode(src)": """\
encoder_output = self.encode(src)
        src_mask = get_src_mask(src, self.src_pad_idx)""",
    },
)
ENCODE_ORDER_SWAPPED = Mistake(
    "The mask comes back from encode first and the output second. A caller who expects the "
    "other order takes the mask for the source, and the source for the mask.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return src_mask, self.encoder(src, src_mask)""",
        "encoder_output, src_mask = self.encode(src)": """\
src_mask, encoder_output = self.encode(src)""",
    },
)
ENCODE_WITHOUT_MASK = Mistake(
    "No mask comes back from encode. Whoever translates word by word with encode and decode "
    "then reads the padding of the source.",
    {
        "return self.encoder(src, src_mask), src_mask": (
            "return self.encoder(src, src_mask), None"
        ),
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, get_src_mask(src, self.src_pad_idx))""",
    },
)
ENCODE_MASK_INVERTED = Mistake(
    "The mask comes back from encode the wrong way round, and decode turns it back. Whoever "
    "uses it elsewhere, or gives decode a proper mask, reads padding instead of words.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), ~src_mask""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, ~src_mask)""",
    },
    seen="pytorch/pytorch#27968",
)
ENCODE_MASK_WITH_AXIS_LOST = Mistake(
    "The mask comes back from encode without the axes of heads and queries. The mask of step "
    "5.1 is asked for, which lines up with the scores of every attention.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), src_mask[:, 0, 0]""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask[:, None, None])""",
    },
)
ENCODE_MASK_AS_INTEGERS = Mistake(
    "The mask comes back from encode as integers. Truth values are asked for: on integers the "
    'operator for "not" flips bits and hides nothing.',
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), src_mask.long()"""
    },
)
DECODE_IGNORES_ITS_MASK = Mistake(
    "The src_mask given to decode is ignored, and the one from the last call of encode is "
    "used. After another source has been encoded, that is the wrong mask.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
self.src_mask = src_mask
        return self.encoder(src, src_mask), src_mask""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, self.src_mask)""",
    },
    seen="keras-team/keras-io#1046, pytorch/tutorials#719",
)
DECODE_IGNORES_ITS_SOURCE = Mistake(
    "The encoder_output given to decode is ignored, and the one from the last call of encode "
    "is used. After another source has been encoded, the wrong sentence is translated.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
self.encoded = self.encoder(src, src_mask)
        return self.encoded, src_mask""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, self.encoded, trg_mask, src_mask)""",
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
DECODE_LAST_POSITION_ONLY = Mistake(
    "Only the scores of the last position come back from decode. In training every position "
    "predicts its next word, so the scores of all are needed.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask)[:, -1]"""
    },
)
DECODE_WITHOUT_TARGET_MASK = Mistake(
    "Only forward hides the future and the padding of the target; decode on its own hides "
    "neither. Translation word by word then reads the target differently from training.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = None",
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decoder(trg, encoder_output, get_trg_mask(trg, self.trg_pad_idx), src_mask)""",
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
DECODE_RETURNS_PROBABILITIES = Mistake(
    "Probabilities come back from decode, and so from the whole model; scores are asked for. "
    "The loss takes the softmax itself, and taken twice it flattens everything.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask).softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_RETURNS_PROBABILITIES = Mistake(
    "The whole model hands back probabilities, although decode gives scores. The loss takes "
    "the softmax itself; taken twice it flattens everything, and the loss gets stuck high.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_RETURNS_LOG_PROBABILITIES = Mistake(
    "The whole model hands back logarithms of probabilities. The loss takes softmax and "
    "logarithm itself, so the work is done twice; plain scores are asked for.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).log_softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_ARGUMENTS_SWAPPED = Mistake(
    "Source and target have changed places: the encoder is given the target's tokens, in the "
    "call or by the order of forward's arguments.",
    {
        "def forward(self, src: Tensor, trg: Tensor)": """\
def forward(self, trg: Tensor, src: Tensor)"""
    },
)
FORWARD_SOURCE_TWICE = Mistake(
    "The decoder is given the source tokens where the target belongs. The target has no "
    "influence, so the model cannot go on from what is written so far.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(src % self.decoder.linear.out_features, encoder_output, src_mask)"""
    },
)
FORWARD_RETURNS_A_PAIR = Mistake(
    "The encoder's output is handed back beside the scores. The caller expects the scores "
    "alone, and the loss cannot be taken of a pair.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask), encoder_output"""
    },
)
FORWARD_RETURNS_WORDS = Mistake(
    "The best words are handed back instead of the scores. The loss needs the scores: from a "
    "finished choice no gradient can be taken.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).argmax(dim=-1)"""
    },
)
AXES_SWAPPED = Mistake(
    "Positions and words have changed places in the result. Each position must have its scores "
    "on the last axis, or a softmax would compare positions instead of words.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).transpose(1, 2)"""
    },
)
ENCODER_DETACHED = Mistake(
    "The encoder's output is cut off from the gradient before the decoder reads it. So the "
    "encoder never learns, however long you train.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output.detach(), src_mask)"""
    },
)
ENCODE_WITHOUT_GRADIENT = Mistake(
    "The source is encoded without recording the gradient. The loss then finds no way back "
    "through encode, so the encoder never learns.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "    def encode(self": ("    @torch.no_grad()\n    def encode(self"),
    },
)
DECODE_DETACHED = Mistake(
    ENCODER_DETACHED.says,
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output.detach(), trg_mask, src_mask)"""
    },
)
RESULT_DETACHED = Mistake(
    "The scores are cut off from the gradient before they are handed back. The loss then "
    "reaches no parameter at all, so nothing learns.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).detach()"""
    },
)
LAYERS_SHARED = Mistake(
    "The decoder's layers use the self-attention of the encoder's layers. One set of weights "
    "then has to serve two languages; each side needs its own.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        for ours, theirs in zip(self.decoder.layers, self.encoder.layers):
            ours.self_attention = theirs.self_attention"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
ENCODER_IN_A_LIST = Mistake(
    "The encoder sits in a plain Python list, where PyTorch does not look. It is neither "
    "trained nor saved, nor moved to a GPU.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.parts = [Encoder(encoder_vocab_size, *sizes, src_pad_idx)]""",
        "self.encoder(src, src_mask)": "self.parts[0](src, src_mask)",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
UNUSED_LAYER = Mistake(
    "A layer is made that nothing uses. Its parameters never learn, but they take up memory "
    "and are saved with the model.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.linear = nn.Linear(dim_vector, decoder_vocab_size)"""
    },
)
TOKENS_CHANGED_IN_PLACE = Mistake(
    "The source tokens that the caller handed in are overwritten. Whoever reads them again, "
    "for example in the next round of training, finds other words there.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
src.fill_(self.src_pad_idx)
        return self.decode(trg, encoder_output, src_mask)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "The target tokens that the caller handed in are overwritten. The scores no longer fit the "
    "given target, and the loss reads the same changed tensor.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg[:, -1] = trg[:, 0]
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
SOURCE_FLIPPED = Mistake(
    "The source is read backwards, while its mask stays as it was. Words get the wrong "
    "positions, and padding is read in the place of words.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src.flip(1), src_mask), src_mask"""
    },
)
FIRST_SOURCE_CACHED = Mistake(
    "The first source is encoded once and used again in later calls. Other sentences then get "
    "its translation, and the encoder cannot learn from them.",
    {
        "encoder_output, src_mask = self.encode(src)": """\
cached = getattr(self, "cached", None)
        if cached is None or cached[1].shape[::3] != src.shape:
            self.cached = cached = self.encode(src)
        encoder_output, src_mask = cached"""
    },
)
FLOAT32_ONLY = Mistake(
    "The scores are forced to single precision, whatever the precision of the model. In double "
    "precision, about half of the digits are lost here.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask).float()"""
    },
)
BATCH_MIXED = Mistake(
    "The encoder's outputs reach the decoder in another order than the targets. A target is "
    "then translated from the source of another sentence of the batch.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output.flip(0), src_mask.flip(0))"""
    },
)
TARGET_EMBEDDING_IS_SOURCE = Mistake(
    "Source words are looked up in the decoder's embedding, and the encoder's own is never "
    "used. One number then means two different words but has a single vector.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
x = self.decoder.embedding(src % self.decoder.linear.out_features)
        for layer in self.encoder.layers:
            x = layer(x, src_mask)
        return x, src_mask"""
    },
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away. A batch of one sentence, or a sentence of one word, "
    "then comes out with too few axes for the loss.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).squeeze()"""
    },
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start anew at every call, so every training step drops at the same "
    "places. The model simply adapts to these gaps, and dropout loses its use.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "encoder_output, src_mask = self.encode(src)": """\
torch.manual_seed(0)
        encoder_output, src_mask = self.encode(src)""",
    },
)
LAYERS_OF_ENCODER_TWICE = Mistake(
    "The source goes through the encoder's layers twice, so the encoder is as deep again as "
    "was asked for.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
x = self.encoder(src, src_mask)
        for layer in self.encoder.layers:
            x = layer(x, src_mask)
        return x, src_mask"""
    },
)
MASK_FROM_VECTORS = Mistake(
    "The source mask is made from the encoder's vectors, which are never zero, so padding is "
    "not hidden. It comes from the token ids.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
encoder_output = self.encoder(src, src_mask)
        return encoder_output, (encoder_output.abs().sum(-1) > 0)[:, None, None, :]"""
    },
)
ENCODE_MISSING = Mistake(
    "The model has no encode and decode of their own. Translating later encodes the source "
    "once and decodes many times.",
    {
        "    def encode(self, src: Tensor)": "    def read(self, src: Tensor)",
        "self.encode(src)": "self.read(src)",
    },
)
DECODE_ARGUMENTS_SWAPPED = Mistake(
    "decode takes the encoder's output before the target. Whoever calls it hands over trg first.",
    {
        "def decode(self, trg: Tensor, encoder_output: Tensor, src_mask": """\
def decode(self, encoder_output: Tensor, trg: Tensor, src_mask""",
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(encoder_output, trg, src_mask)""",
    },
)
ENCODER_READS_TARGET = Mistake(
    FORWARD_ARGUMENTS_SWAPPED.says,
    {
        "encoder_output, src_mask = self.encode(src)": """\
encoder_output, src_mask = self.encode(trg)"""
    },
)
ONE_TABLE_IF_EQUAL = Mistake(
    "Source and target share one table where their vocabularies are equally large. The same "
    "number then means two different words but has a single vector.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        if encoder_vocab_size == decoder_vocab_size:
            self.decoder.embedding = self.encoder.embedding"""
    },
)
