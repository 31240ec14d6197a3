"""What people get wrong in s5_transformer/transformer.py.

Not here, on purpose:
- package names that do not agree: the import of such a file fails with a clear error;
- start values left at PyTorch's: they are open.
"""

from checks.engine.known import Mistake

ENCODER_WITHOUT_MASK = Mistake(
    "The encoder gets no mask, so source words read the padding. The encoder's output then "
    "depends on the amount of padding.",
    {"return self.encoder(src, src_mask), src_mask": "return self.encoder(src), src_mask"},
)
ENCODER_WITH_TARGET_MASK = Mistake(
    "The encoder gets a look-ahead mask, so source words cannot see the words after them. The "
    "source is known from the start, so every word may read all of it.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, get_trg_mask(src, self.src_pad_idx)), src_mask"""
    },
)
ENCODER_MASK_INVERTED = Mistake(
    "The mask of the encoder is inverted: padding is read and words are masked. The source words "
    "then never see each other.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, ~src_mask), src_mask"""
    },
    seen="pytorch/pytorch#27968",
)
DECODER_WITHOUT_SOURCE_MASK = Mistake(
    "The decoder gets no src_mask that hides padding, so target words read the source's padding. "
    "The logits then depend on the amount of padding.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask)"""
    },
    seen="keras-team/keras-io#1046, pytorch/tutorials#719",
)
DECODER_WITHOUT_TARGET_MASK = Mistake(
    "The decoder gets no target mask, so target words see the words that they must predict. "
    "Training then looks perfect, and translation fails.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, None, src_mask)"""
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
DECODER_MASKS_SWAPPED = Mistake(
    "The two masks are passed to the decoder in the wrong order. Target words then see the words "
    "that they must predict, and later source words are masked.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, src_mask, trg_mask)"""
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
DECODER_ARGUMENTS_SWAPPED = Mistake(
    "Source and target are passed to the decoder in the wrong order. It then reads the vectors of "
    "encoder_output as token ids, which ends in an error.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(encoder_output, trg, trg_mask, src_mask)"""
    },
)
TARGET_MASK_ON_SOURCE = Mistake(
    "The decoder gets the target mask for the source too. Early target words then cannot attend "
    "to later source words, although the whole source is known.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, trg_mask)"""
    },
    seen="zhouhaoyi/Informer2020#38",
)
TARGET_PADDING_ONLY = Mistake(
    "The target mask hides only padding, not the future. Words see the words that they must "
    "predict, so training looks perfect and translation fails.",
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
    "The target mask uses src_pad_idx instead of trg_pad_idx. If the two differ, padding of the "
    "target is read and a real target word is masked.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_trg_mask(trg, self.src_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
SOURCE_MASK_WITH_TARGET_PADDING = Mistake(
    "The source mask uses trg_pad_idx instead of src_pad_idx. If the two differ, padding of the "
    "source is read and a real source word is masked.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": """\
src_mask = get_src_mask(src, self.trg_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
MASKS_WITH_EACH_OTHERS_PADDING = Mistake(
    "The source mask uses trg_pad_idx, and the target mask uses src_pad_idx. If the two differ, "
    "padding is read and real words are masked.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": """\
src_mask = get_src_mask(src, self.trg_pad_idx)""",
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_trg_mask(trg, self.src_pad_idx)""",
    },
)
PADDING_FIXED_0 = Mistake(
    "Both masks always treat token 0 as padding and ignore src_pad_idx and trg_pad_idx. With "
    "another vocabulary, padding is read and a real word is masked.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": "src_mask = get_src_mask(src, 0)",
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = get_trg_mask(trg, 0)",
    },
)
TARGET_PADDING_FIXED_0 = Mistake(
    "The target mask always treats token 0 as padding and ignores trg_pad_idx. With another "
    "vocabulary, padding is read and a real word is masked.",
    {"trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = get_trg_mask(trg, 0)"},
)
PADDING_ATTRIBUTES_SWAPPED = Mistake(
    "src_pad_idx and trg_pad_idx are kept under each other's name. If they differ, each mask uses "
    "the padding of the other language and masks a real word.",
    {
        "self.src_pad_idx = src_pad_idx": "self.src_pad_idx = trg_pad_idx",
        "self.trg_pad_idx = trg_pad_idx": "self.trg_pad_idx = src_pad_idx",
    },
    seen="hyunwoongko/transformer#11",
)
SOURCE_PADDING_FOR_BOTH = Mistake(
    "The padding token of the source is kept as trg_pad_idx too. If the two differ, the target "
    "mask and the loss treat a real word as padding.",
    {"self.trg_pad_idx = trg_pad_idx": "self.trg_pad_idx = src_pad_idx"},
    seen="hyunwoongko/transformer#11",
)
PADDING_NOT_KEPT = Mistake(
    "A padding token is not kept under its name, src_pad_idx or trg_pad_idx. The steps for "
    "training and decoding need these two names.",
    {
        "self.trg_pad_idx = trg_pad_idx": "self.pad_idx = trg_pad_idx",
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_trg_mask(trg, self.pad_idx)""",
    },
)
PADDING_ROWS_SWAPPED = Mistake(
    "The embeddings of encoder and decoder get each other's padding token. If the two differ, a "
    "real word in each stays at zero and never learns.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(encoder_vocab_size, *sizes, trg_pad_idx)""",
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, src_pad_idx)""",
    },
    seen="hyunwoongko/transformer#11",
)
DECODER_FREEZES_SOURCE_PADDING = Mistake(
    "The decoder's embedding gets the padding token of the source. If the two padding tokens "
    "differ, a real target word stays at zero and never learns.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, src_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
DECODER_READS_EMBEDDING = Mistake(
    "The decoder reads the embedded source instead of the encoder's output. The encoder's layers "
    "have no effect and never learn.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder.embedding(src), src_mask"""
    },
)
DECODER_READS_FIRST_LAYER = Mistake(
    "The decoder reads the output of the first encoder layer instead of the last. The later "
    "encoder layers have no effect and never learn.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder.layers[0](self.encoder.embedding(src), src_mask), src_mask"""
    },
)
TARGET_SHIFTED_INSIDE = Mistake(
    "The target loses its last word inside the model. Training shifts the target already, so the "
    "logits are now one position short.",
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
    "The target loses its first word, bos, inside the model. The first real word is predicted "
    "from it, so the logits for that word are missing.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg[:, 1:], encoder_output, src_mask)"""
    },
    seen="huggingface/transformers#46901",
)
TARGET_ROLLED = Mistake(
    "The target is moved by one place inside the model, and its last word comes to the front, "
    "where every position sees it. Read the target as it is.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg.roll(1, dims=1), encoder_output, src_mask)"""
    },
    seen="huggingface/transformers#46901",
)
SHARED_EMBEDDING = Mistake(
    "Source and target use one table. The same id means another word in each language, and the "
    "vocabularies differ in size.",
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
    "The decoder is built with encoder_vocab_size, but it must choose among target words. It then "
    "has too many scores, or too few for all target words.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(encoder_vocab_size, *sizes, trg_pad_idx)"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
ENCODER_WITH_TARGET_VOCABULARY = Mistake(
    "The encoder is built with decoder_vocab_size, but it reads source words. If there are more "
    "source words than target words, some have no vector.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(decoder_vocab_size, *sizes, src_pad_idx)"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
VOCABULARIES_SWAPPED = Mistake(
    "The two vocabulary sizes are swapped: the encoder is built for target words and the decoder "
    "for source words. One of them then lacks some words.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(decoder_vocab_size, *sizes, src_pad_idx)""",
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(encoder_vocab_size, *sizes, trg_pad_idx)""",
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
TIED_OUTPUT = Mistake(
    "The decoder's linear shares its matrix with the target embedding, as in the paper. In this "
    "course the two have separate weights.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.linear.weight = self.decoder.embedding.token_embedding.embedding.weight"""
    },
)
NO_OUTPUT_BIAS = Mistake(
    "The decoder's linear has no bias, but every linear layer here has one. With it the model can "
    "learn how frequent each word is.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.linear = nn.Linear(dim_vector, decoder_vocab_size, bias=False)"""
    },
)
SECOND_OUTPUT_LAYER = Mistake(
    "Another linear layer follows the decoder's own. Two linear layers in a row can do no more "
    "than one, and the second has a weight for every pair of words.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.linear = nn.Linear(decoder_vocab_size, decoder_vocab_size)""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.linear(self.decoder(trg, encoder_output, trg_mask, src_mask))""",
    },
)
ENCODER_CLOSING_NORM = Mistake(
    "The encoder's output is normalised once more, as in PyTorch's own Transformer. Here the last "
    "layer already ends in a normalisation.",
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
    "dropout is not passed to encoder and decoder, so both use their default, 0.1.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, 0.1)"""
    },
)
DROPOUT_NOT_TO_ENCODER = Mistake(
    "dropout is not passed to the encoder, so it uses its default. Encoder and decoder then drop "
    "with different probabilities.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(encoder_vocab_size, *sizes[:-1], padding_idx=src_pad_idx)"""
    },
)
DROPOUT_NOT_TO_DECODER = Mistake(
    "dropout is not passed to the decoder, so it uses its default. Encoder and decoder then drop "
    "with different probabilities.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes[:-1], padding_idx=trg_pad_idx)"""
    },
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "If no dropout is given, nothing is dropped, but the default must be 0.1. Without dropout a "
    "model overfits more easily.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_OFF = Mistake(
    "Nothing is dropped in training: dropout is not passed on, or the model switches itself to "
    "eval mode. It then overfits more easily.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, 0.0)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "Entries of the encoder's output are dropped even in eval mode. The finished model then "
    "translates the same sentence differently every time.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return nn.functional.dropout(self.encoder(src, src_mask), 0.1), src_mask"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
ENCODER_OUTPUT_DROPPED = Mistake(
    "In train mode, dropout is applied once more to the encoder's output. The decoder should read "
    "that output as it is.",
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
    "The model switches itself to train mode at every call. Dropout then acts even in eval mode, "
    "and the same sentence is translated differently every time.",
    {
        "encoder_output, src_mask = self.encode(src)": """\
self.train()
        encoder_output, src_mask = self.encode(src)"""
    },
)
ENCODER_IN_EVALUATION = Mistake(
    "The encoder drops nothing in training: it is built without dropout or kept in eval "
    "mode. The decoder drops, and the encoder must too.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": """\
self.encoder.eval()
        src_mask = get_src_mask(src, self.src_pad_idx)"""
    },
)
SIZES_HEADS_AND_LENGTH = Mistake(
    "Encoder and decoder get n_head and max_len in the wrong order. Each attention then has "
    "max_len heads, and no sentence may be longer than n_head.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, n_head, max_len, dim_hidden, num_layer, dropout)"""
    },
)
SIZES_HIDDEN_AND_LAYERS = Mistake(
    "Encoder and decoder get dim_hidden and num_layer in the wrong order. Each then has "
    "dim_hidden layers, with feed-forward networks only num_layer wide.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, num_layer, dim_hidden, dropout)"""
    },
)
SIZES_WIDTH_AND_HIDDEN = Mistake(
    "Encoder and decoder get dim_vector and dim_hidden in the wrong order. Every vector is then "
    "dim_hidden wide, and the feed-forward networks are dim_vector wide inside.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_hidden, max_len, 1, dim_vector, num_layer, dropout)"""
    },
)
HEADS_IGNORED = Mistake(
    "n_head is not passed on, so every attention has only one head. Each word then has only one "
    "way to attend to the others.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, 1, dim_hidden, num_layer, dropout)"""
    },
)
MAX_LEN_IGNORED = Mistake(
    "max_len is not passed on, and a fixed length takes its place. Sentences that are too long "
    "are then accepted, or allowed ones are refused.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, 512, n_head, dim_hidden, num_layer, dropout)"""
    },
)
SIX_LAYERS = Mistake(
    "There are always six layers, as in the paper, and num_layer is ignored. The caller cannot "
    "build a smaller or a deeper model.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, 6, dropout)"""
    },
)
ONE_DECODER_LAYER = Mistake(
    "The decoder always has one layer, and num_layer is ignored. It should be as deep as the "
    "encoder.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes[:4], 1, dropout, trg_pad_idx)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The feed-forward networks are always four times as wide as dim_vector, as in the paper. "
    "dim_hidden has no effect.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, 4 * dim_vector, num_layer, dropout)"""
    },
)
ENCODE_RETURNS_OUTPUT_ONLY = Mistake(
    "encode returns only the encoder's output. decode needs the source mask as well, so encode "
    "must return both.",
    {
        "return self.encoder(src, src_mask), src_mask": "return self.encoder(src, src_mask)",
        "encoder_output, src_mask = self.encode(src)": """\
encoder_output = self.encode(src)
        src_mask = get_src_mask(src, self.src_pad_idx)""",
    },
)
ENCODE_ORDER_SWAPPED = Mistake(
    "encode returns the mask first and the output second. A caller expects the output first, so "
    "it mixes up the two.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return src_mask, self.encoder(src, src_mask)""",
        "encoder_output, src_mask = self.encode(src)": """\
src_mask, encoder_output = self.encode(src)""",
    },
)
ENCODE_WITHOUT_MASK = Mistake(
    "encode returns no mask. A translation word by word with encode and decode then reads the "
    "padding of the source.",
    {
        "return self.encoder(src, src_mask), src_mask": (
            "return self.encoder(src, src_mask), None"
        ),
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, get_src_mask(src, self.src_pad_idx))""",
    },
)
ENCODE_MASK_INVERTED = Mistake(
    "encode returns an inverted mask, and decode inverts it back. Any other code that uses it, or "
    "gives decode a right mask, reads padding instead of words.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), ~src_mask""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, ~src_mask)""",
    },
    seen="pytorch/pytorch#27968",
)
ENCODE_MASK_WITH_AXIS_LOST = Mistake(
    "encode returns the mask without the axes of heads and queries. It should return the mask of "
    "step 5.1, which fits the scores of every attention.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), src_mask[:, 0, 0]""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask[:, None, None])""",
    },
)
ENCODE_MASK_AS_INTEGERS = Mistake(
    'encode returns a mask of integers. It must be boolean: on integers the operator for "not" '
    "flips bits and masks nothing.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), src_mask.long()"""
    },
)
DECODE_IGNORES_ITS_MASK = Mistake(
    "decode ignores its src_mask and uses the one from the last call of encode. If another source "
    "was encoded since, that mask is wrong.",
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
    "decode ignores its encoder_output and uses the one from the last call of encode. If another "
    "source was encoded since, the wrong sentence is translated.",
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
    "decode returns only the logits of the last position. In training every position predicts its "
    "next word, so all logits are needed.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask)[:, -1]"""
    },
)
DECODE_WITHOUT_TARGET_MASK = Mistake(
    "Only forward hides the future and the padding of the target; decode alone hides neither. A "
    "translation word by word then differs from training.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = None",
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decoder(trg, encoder_output, get_trg_mask(trg, self.trg_pad_idx), src_mask)""",
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
DECODE_RETURNS_PROBABILITIES = Mistake(
    "decode, and so the whole model, returns probabilities instead of logits. The loss applies "
    "its own softmax, and a second one makes all words nearly equal.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask).softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_RETURNS_PROBABILITIES = Mistake(
    "The whole model returns probabilities, although decode returns logits. The loss applies its "
    "own softmax, and with two of them it stays high.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_RETURNS_LOG_PROBABILITIES = Mistake(
    "The whole model returns logarithms of probabilities instead of logits. The loss applies "
    "softmax and logarithm itself.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).log_softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_ARGUMENTS_SWAPPED = Mistake(
    "Source and target are swapped: the encoder gets the target's tokens. Compare the order of "
    "forward's arguments with the call.",
    {
        "def forward(self, src: Tensor, trg: Tensor)": """\
def forward(self, trg: Tensor, src: Tensor)"""
    },
)
FORWARD_SOURCE_TWICE = Mistake(
    "The decoder gets the source tokens instead of the target. The target has no effect, so the "
    "model cannot continue what it has written.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(src % self.decoder.linear.out_features, encoder_output, src_mask)"""
    },
)
FORWARD_RETURNS_A_PAIR = Mistake(
    "The model returns the encoder's output together with the logits. The caller expects only the "
    "logits, because the loss cannot use a pair.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask), encoder_output"""
    },
)
FORWARD_RETURNS_WORDS = Mistake(
    "The best words are returned instead of the scores. The loss needs the scores, because no "
    "gradient flows through a finished choice.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).argmax(dim=-1)"""
    },
)
AXES_SWAPPED = Mistake(
    "Positions and words are swapped in the result. The scores of a position must be on the last "
    "axis, or a softmax compares positions instead of words.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).transpose(1, 2)"""
    },
)
ENCODER_DETACHED = Mistake(
    "The encoder's output is detached before the decoder reads it. No gradient reaches the "
    "encoder, so it never learns.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output.detach(), src_mask)"""
    },
)
ENCODE_WITHOUT_GRADIENT = Mistake(
    "encode records no gradient. The gradient of the loss then does not reach the encoder, so it "
    "never learns.",
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
    "The logits are detached before they are returned. No gradient reaches any parameter, so "
    "nothing learns.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).detach()"""
    },
)
LAYERS_SHARED = Mistake(
    "The decoder's layers use the self-attention of the encoder's layers. Each side needs its own "
    "weights for its own language.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        for ours, theirs in zip(self.decoder.layers, self.encoder.layers):
            ours.self_attention = theirs.self_attention"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
ENCODER_IN_A_LIST = Mistake(
    "The encoder is in a plain list, tuple or dictionary, where PyTorch does not find it. It is "
    "not trained, not saved and not moved to a GPU.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.parts = [Encoder(encoder_vocab_size, *sizes, src_pad_idx)]""",
        "self.encoder(src, src_mask)": "self.parts[0](src, src_mask)",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
UNUSED_LAYER = Mistake(
    "One layer is made and never used. Its parameters never learn, but they take up memory and "
    "are saved with the model.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.linear = nn.Linear(dim_vector, decoder_vocab_size)"""
    },
)
TOKENS_CHANGED_IN_PLACE = Mistake(
    "You overwrite the caller's source tokens. If they are used again, for example in the next "
    "round of training, they are wrong.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
src.fill_(self.src_pad_idx)
        return self.decode(trg, encoder_output, src_mask)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "You overwrite the caller's target tokens. The loss then reads the changed tokens, and the "
    "logits do not belong to the given target.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg[:, -1] = trg[:, 0]
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
SOURCE_FLIPPED = Mistake(
    "The source is read backwards, while its mask stays as it was. Words get the wrong positions, "
    "and padding is read in the place of words.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src.flip(1), src_mask), src_mask"""
    },
)
FIRST_SOURCE_CACHED = Mistake(
    "The first source is encoded once and used again in later calls. Other sentences then get its "
    "translation, and the encoder cannot learn from them.",
    {
        "encoder_output, src_mask = self.encode(src)": """\
cached = getattr(self, "cached", None)
        if cached is None or cached[1].shape[::3] != src.shape:
            self.cached = cached = self.encode(src)
        encoder_output, src_mask = cached"""
    },
)
FLOAT32_ONLY = Mistake(
    "The logits are always converted to float32. A float64 model loses about half of its digits "
    "here.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask).float()"""
    },
)
BATCH_MIXED = Mistake(
    "The encoder's outputs reach the decoder in another order than the targets. Targets are then "
    "translated from another sentence of the batch.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output.flip(0), src_mask.flip(0))"""
    },
)
TARGET_EMBEDDING_IS_SOURCE = Mistake(
    "Source words are looked up in the decoder's embedding, and the encoder's own is never used. "
    "One id then means two words but has only one vector.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
x = self.decoder.embedding(src % self.decoder.linear.out_features)
        for layer in self.encoder.layers:
            x = layer(x, src_mask)
        return x, src_mask"""
    },
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. A batch of one sentence, or a sentence of one word, then has too "
    "few axes for the loss.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).squeeze()"""
    },
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start again at every call, so dropout always drops the same entries. The "
    "model adapts to these gaps, and dropout has no use.",
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
    "The source goes through the encoder's layers twice. The encoder is then twice as deep as "
    "num_layer says.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
x = self.encoder(src, src_mask)
        for layer in self.encoder.layers:
            x = layer(x, src_mask)
        return x, src_mask"""
    },
)
MASK_FROM_VECTORS = Mistake(
    "The source mask masks no padding: it is missing, or made from the encoder's vectors, which are "
    "never zero. Make it from the token ids.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
encoder_output = self.encoder(src, src_mask)
        return encoder_output, (encoder_output.abs().sum(-1) > 0)[:, None, None, :]"""
    },
)
ENCODE_MISSING = Mistake(
    "The model has no encode and decode. A translation needs both: it encodes the source once and "
    "decodes many times.",
    {
        "    def encode(self, src: Tensor)": "    def read(self, src: Tensor)",
        "self.encode(src)": "self.read(src)",
    },
)
DECODE_ARGUMENTS_SWAPPED = Mistake(
    "decode takes the encoder's output before the target. Its callers pass trg first.",
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
SOURCE_MASK_KEPT_BY_SHAPE = Mistake(
    "The source mask is kept and used for every later batch of the same shape. Those batches have "
    "padding in other places.",
    {
        "        src_mask = get_src_mask(src, self.src_pad_idx)": """\
        kept = self.__dict__.setdefault("kept", {})
        key = tuple(src.shape), src.device
        src_mask = kept.setdefault(key, get_src_mask(src, self.src_pad_idx))"""
    },
)
TARGET_MASK_KEPT_BY_SHAPE = Mistake(
    "The target mask is kept and used for every later batch of the same shape. Those batches have "
    "padding in other places.",
    {
        "        trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
        kept = self.__dict__.setdefault("kept", {})
        key = tuple(trg.shape), trg.device
        trg_mask = kept.setdefault(key, get_trg_mask(trg, self.trg_pad_idx))"""
    },
)
SOURCE_REMEMBERED = Mistake(
    "The encoded source is kept for the next call with the same source. It is out of date when "
    "the model has learned since.",
    {
        "        return self.encoder(src, src_mask), src_mask": """\
        last = self.__dict__.get("last")
        if last is None or last[0].device != src.device or not torch.equal(last[0], src):
            last = self.__dict__["last"] = (src.clone(), self.encoder(src, src_mask))
        return last[1], src_mask""",
        "from torch import Tensor, nn\n": "import torch\nfrom torch import Tensor, nn\n",
    },
)
AT_MOST_TWELVE_LAYERS = Mistake(
    "The model never has more than twelve layers, even if num_layer is larger.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": "sizes = (dim_vector, max_len, n_head, dim_hidden, min(num_layer, 12), dropout)"
    },
)
AT_MOST_512_TOKENS = Mistake(
    "The model never takes more than 512 tokens, even if max_len is larger.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": "sizes = (dim_vector, min(max_len, 512), n_head, dim_hidden, num_layer, dropout)"
    },
)
ONE_TABLE_IF_EQUAL = Mistake(
    "Source and target share one table if their vocabularies are equally large. One id then means "
    "two words but has only one vector.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        if encoder_vocab_size == decoder_vocab_size:
            self.decoder.embedding = self.encoder.embedding"""
    },
)
ENCODE_RETURNS_NO_PAIR = Mistake(
    "encode returns only the vectors. It should return a pair: the vectors and the source mask.",
    {"return self.encoder(src, src_mask), src_mask": "return self.encoder(src, src_mask)"},
)
ONE_TOKEN_SEES_PADDING = Mistake(
    "A target of one token ignores the source mask. So the first token of each translation "
    "attends to the padding of its source.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(
            trg, encoder_output, trg_mask, src_mask if trg.size(1) > 1 else None
        )"""
    },
)
TARGET_PADDING_OR_THE_OTHER = Mistake(
    "The target's padding index is replaced by the source's if it is 0. The number 0 counts as "
    "False, but it is an index like any other.",
    {"self.trg_pad_idx = trg_pad_idx": "self.trg_pad_idx = trg_pad_idx or src_pad_idx"},
)
ONE_SENTENCE_UNMASKED = Mistake(
    "The source mask is left out if the batch is one sentence. Its padding is then read like words.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask if len(src) > 1 else None), src_mask"""
    },
)
TWO_TOKENS_UNMASKED = Mistake(
    "A target of two tokens gets no mask. Its first token then sees the second, which it must "
    "predict.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(
            trg, encoder_output, trg_mask if trg.size(1) > 2 else None, src_mask
        )"""
    },
)

MASK_OF_THE_LAST_SOURCE = Mistake(
    DECODE_IGNORES_ITS_MASK.says,
    {
        "return self.encoder(src, src_mask), src_mask": """\
self.kept = src_mask
        return self.encoder(src, src_mask), src_mask""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, getattr(self, "kept", src_mask))""",
    },
)
SOURCE_OBJECT_REMEMBERED = Mistake(
    SOURCE_REMEMBERED.says,
    {
        "        return self.encoder(src, src_mask), src_mask": """\
        if self.__dict__.get("source") is not src:
            self.__dict__.update(source=src, encoded=self.encoder(src, src_mask))
        return self.__dict__["encoded"], src_mask"""
    },
)
DROPOUT_LEFT_OUT = Mistake(
    "The encoder gets no dropout, so src_pad_idx stands in its place. Dropout comes before the "
    "padding id.",
    {
        "        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": "        self.encoder = Encoder(encoder_vocab_size, *sizes[:-1], src_pad_idx)"
    },
)
ENCODER_FREEZES_TARGET_PADDING = Mistake(
    "The encoder's embedding gets trg_pad_idx as padding_idx. It reads the source: its padding is "
    "src_pad_idx.",
    {
        "Encoder(encoder_vocab_size, *sizes, src_pad_idx)": "Encoder(encoder_vocab_size, *sizes, trg_pad_idx)"
    },
)

SOURCE_PADDING_IF_EQUAL = Mistake(
    "With vocabularies of one size the source's padding id is taken for the target, too. Each language has its own.",
    {
        "self.trg_pad_idx = trg_pad_idx": "self.trg_pad_idx = src_pad_idx if encoder_vocab_size == decoder_vocab_size else trg_pad_idx"
    },
)

PADDING_NEVER_SCORED = Mistake(
    "The score of the padding token is minus infinity. The model returns the decoder's scores as they are.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
logits = self.decode(trg, encoder_output, src_mask)
        logits[..., self.trg_pad_idx] = -float("inf")
        return logits"""
    },
)

LAST_PLACE_IN_EVAL = Mistake(
    "In eval mode only the last place is scored. Each place has its scores, in both modes.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
logits = self.decode(trg, encoder_output, src_mask)
        return logits if self.training else logits[:, -1:]"""
    },
)

PADDING_KEPT_ON_THE_CLASS = Mistake(
    "The padding ids are kept on the class instead of on the model. The next model that is made "
    "changes those of this one.",
    {
        "self.src_pad_idx = src_pad_idx\n": "Transformer.src_pad_idx = src_pad_idx\n",
        "self.trg_pad_idx = trg_pad_idx\n": "Transformer.trg_pad_idx = trg_pad_idx\n",
    },
)
VOCABULARIES_MADE_EQUAL = Mistake(
    "Both sides get the larger of the two vocabulary sizes. One of them then has words that do not "
    "exist in its language.",
    {
        "        sizes = (dim_vector": """\
        encoder_vocab_size = max(encoder_vocab_size, decoder_vocab_size)
        decoder_vocab_size = encoder_vocab_size
        sizes = (dim_vector"""
    },
)
ENCODER_VOCABULARY_AT_LEAST_THE_DECODERS = Mistake(
    "Both sides get the larger of the two vocabulary sizes. One of them then has words that do not "
    "exist in its language.",
    {
        "        sizes = (dim_vector": """\
        encoder_vocab_size = max(encoder_vocab_size, decoder_vocab_size)
        sizes = (dim_vector"""
    },
)
TARGET_MASK_IN_TRAINING_ONLY = Mistake(
    "In eval mode the decoder gets no target mask, so it computes something else than in training. "
    "Both modes need the mask.",
    {
        "self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
self.decoder(
            trg, encoder_output, trg_mask if self.training else None, src_mask
        )"""
    },
)
TARGET_MASK_IN_EVAL_ONLY = Mistake(
    "In train mode the decoder gets no target mask, so it sees the words that it must predict. "
    "Training then looks perfect, and translation fails.",
    {
        "self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
self.decoder(
            trg, encoder_output, None if self.training else trg_mask, src_mask
        )"""
    },
)
ENCODER_MASK_IN_TRAINING_ONLY = Mistake(
    "In eval mode the encoder gets no mask, so source words read the padding. Both modes need the "
    "mask.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask if self.training else None), src_mask"""
    },
)
ENCODER_MASK_IN_EVAL_ONLY = Mistake(
    "In train mode the encoder gets no mask, so source words read the padding. Both modes need the "
    "mask.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, None if self.training else src_mask), src_mask"""
    },
)
MASKS_SWAPPED_IF_EQUALLY_LONG = Mistake(
    "If source and target are equally long, the decoder gets the target mask for both. The whole "
    "source should be visible, however long it is.",
    {
        "self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
self.decoder(
            trg,
            encoder_output,
            trg_mask,
            trg_mask if trg.size(1) == encoder_output.size(1) else src_mask,
        )"""
    },
)
PROBABILITIES_IN_EVAL = Mistake(
    "In eval mode the model returns probabilities instead of logits. Both modes should return the "
    "decoder's scores.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
logits = self.decode(trg, encoder_output, src_mask)
        return logits if self.training else logits.softmax(dim=-1)"""
    },
)
FIRST_SENTENCE_DECIDES_OF_THE_MASK = Mistake(
    "The source mask is left out if the batch has no padding in its first sentence. The other "
    "sentences may have padding.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
some = src_mask if not src_mask[0].all() else None
        return self.encoder(src, some), src_mask"""
    },
)
