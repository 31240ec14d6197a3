"""What people get wrong in s5_transformer/transformer.py."""

from checks.machine.known import Mistake

ENCODER_WITHOUT_MASK = Mistake(
    "The encoder gets no mask, so the padding of the source is read.",
    {"return self.encoder(src, src_mask), src_mask": "return self.encoder(src), src_mask"},
)
ENCODER_WITH_TARGET_MASK = Mistake(
    "The encoder gets a look-ahead mask; the source may be read in both directions.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, get_trg_mask(src, self.src_pad_idx)), src_mask"""
    },
)
ENCODER_MASK_INVERTED = Mistake(
    "The encoder reads exactly the padding.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, ~src_mask), src_mask"""
    },
    seen="pytorch/pytorch#27968",
)
DECODER_WITHOUT_SOURCE_MASK = Mistake(
    "The decoder gets no mask for the source, so its padding is read.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask)"""
    },
    seen="keras-team/keras-io#1046, pytorch/tutorials#719",
)
DECODER_WITHOUT_TARGET_MASK = Mistake(
    "The decoder gets no mask for the target, so words see the answer that they are asked to "
    "predict.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, None, src_mask)"""
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
DECODER_MASKS_SWAPPED = Mistake(
    "The two masks are handed to the decoder in the wrong order.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, src_mask, trg_mask)"""
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
DECODER_ARGUMENTS_SWAPPED = Mistake(
    "Source and target are handed to the decoder in the wrong order.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(encoder_output, trg, trg_mask, src_mask)"""
    },
)
TARGET_MASK_ON_SOURCE = Mistake(
    "The look-ahead mask is used on the source too.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, trg_mask)"""
    },
    seen="zhouhaoyi/Informer2020#38",
)
TARGET_PADDING_ONLY = Mistake(
    "The target is masked like the source: padding is hidden, the future is not.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_src_mask(trg, self.trg_pad_idx)"""
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_CAUSAL_ONLY = Mistake(
    "The future is hidden but padding of the target is not.",
    {"trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = get_trg_mask(trg, -1)"},
)
TARGET_MASK_WITH_SOURCE_PADDING = Mistake(
    "The target mask looks for the padding token of the source; the two languages may use "
    "different ones.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_trg_mask(trg, self.src_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
SOURCE_MASK_WITH_TARGET_PADDING = Mistake(
    "The source mask looks for the padding token of the target; the two languages may use "
    "different ones.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": """\
src_mask = get_src_mask(src, self.trg_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
PADDING_FIXED_0 = Mistake(
    "The padding token of both languages is written into the code as 0.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": "src_mask = get_src_mask(src, 0)",
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = get_trg_mask(trg, 0)",
    },
)
TARGET_PADDING_FIXED_0 = Mistake(
    "The padding token of the target is written into the code as 0.",
    {"trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = get_trg_mask(trg, 0)"},
)
PADDING_ATTRIBUTES_SWAPPED = Mistake(
    "The two padding tokens are stored under each other's name.",
    {
        "self.src_pad_idx = src_pad_idx": "self.src_pad_idx = trg_pad_idx",
        "self.trg_pad_idx = trg_pad_idx": "self.trg_pad_idx = src_pad_idx",
    },
    seen="hyunwoongko/transformer#11",
)
SOURCE_PADDING_FOR_BOTH = Mistake(
    "The source's padding token is stored for the target as well.",
    {"self.trg_pad_idx = trg_pad_idx": "self.trg_pad_idx = src_pad_idx"},
    seen="hyunwoongko/transformer#11",
)
PADDING_NOT_KEPT = Mistake(
    "The padding tokens are not kept under their names, so the later steps do not find them.",
    {
        "self.trg_pad_idx = trg_pad_idx": "self.pad_idx = trg_pad_idx",
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg_mask = get_trg_mask(trg, self.pad_idx)""",
    },
)
PADDING_ROWS_SWAPPED = Mistake(
    "Each embedding freezes the padding token of the other language, so a real word never learns.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(encoder_vocab_size, *sizes, trg_pad_idx)""",
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, src_pad_idx)""",
    },
    seen="hyunwoongko/transformer#11",
)
DECODER_FREEZES_SOURCE_PADDING = Mistake(
    "The embedding of the target freezes the padding token of the source, so a real word never "
    "learns.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, src_pad_idx)"""
    },
    seen="hyunwoongko/transformer#11",
)
DECODER_READS_EMBEDDING = Mistake(
    "The decoder reads the raw source words instead of what the encoder made of them.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder.embedding(src), src_mask"""
    },
)
DECODER_READS_FIRST_LAYER = Mistake(
    "The decoder reads what the first encoder layer made; the last is to be read.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder.layers[0](self.encoder.embedding(src), src_mask), src_mask"""
    },
)
TARGET_SHIFTED_INSIDE = Mistake(
    "The target loses its last word in here; shifting it is the work of training, which would "
    "do so once more.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg[:, :-1], encoder_output, src_mask)"""
    },
    seen="huggingface/transformers#46901",
)
TARGET_SHIFTED_IN_DECODE = Mistake(
    "The target loses its last word in here; shifting it is the work of training, which would "
    "do so once more.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg = trg[:, :-1]
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)"""
    },
    seen="huggingface/transformers#46901",
)
TARGET_START_CUT = Mistake(
    "The target loses its first word in here.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg[:, 1:], encoder_output, src_mask)"""
    },
    seen="huggingface/transformers#46901",
)
TARGET_ROLLED = Mistake(
    "The target is shifted by a word inside the model; it is read as it is.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg.roll(1, dims=1), encoder_output, src_mask)"""
    },
    seen="huggingface/transformers#46901",
)
SHARED_EMBEDDING = Mistake(
    "Source and target share one table although their vocabularies differ, so the same number "
    "means two different words.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.embedding = self.encoder.embedding"""
    },
)
TARGET_EMBEDDED_BY_ENCODER = Mistake(
    "Target words are looked up in the source's table.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.embedding.token_embedding = self.encoder.embedding.token_embedding"""
    },
)
DECODER_WITH_SOURCE_VOCABULARY = Mistake(
    "The decoder is sized with the source vocabulary, but it has to choose among target words.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(encoder_vocab_size, *sizes, trg_pad_idx)"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
ENCODER_WITH_TARGET_VOCABULARY = Mistake(
    "The encoder is sized with the target vocabulary.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(decoder_vocab_size, *sizes, src_pad_idx)"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
VOCABULARIES_SWAPPED = Mistake(
    "The two vocabularies have changed places.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(decoder_vocab_size, *sizes, src_pad_idx)""",
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(encoder_vocab_size, *sizes, trg_pad_idx)""",
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
TIED_OUTPUT = Mistake(
    "The last matrix is shared with the embedding of the target; here it is a layer of its own.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.linear.weight = self.decoder.embedding.token_embedding.embedding.weight"""
    },
)
NO_OUTPUT_BIAS = Mistake(
    "The bias of the last layer is taken out; here every linear layer has one.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.decoder.linear = nn.Linear(dim_vector, decoder_vocab_size, bias=False)"""
    },
)
SECOND_OUTPUT_LAYER = Mistake(
    "There is another linear layer behind the decoder's own.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.linear = nn.Linear(decoder_vocab_size, decoder_vocab_size)""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.linear(self.decoder(trg, encoder_output, trg_mask, src_mask))""",
    },
)
ENCODER_CLOSING_NORM = Mistake(
    "The encoder's output is normalised once more, as PyTorch's own Transformer does; the "
    "stack already ends in a normalisation.",
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
    "The share to drop is never handed down, so encoder and decoder fall back on their default.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, 0.1)"""
    },
)
DROPOUT_NOT_TO_ENCODER = Mistake(
    "The share to drop never reaches the encoder.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.encoder = Encoder(encoder_vocab_size, *sizes[:-1], padding_idx=src_pad_idx)"""
    },
)
DROPOUT_NOT_TO_DECODER = Mistake(
    "The share to drop never reaches the decoder.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes[:-1], padding_idx=trg_pad_idx)"""
    },
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "Unless a share is given nothing is dropped; one tenth is the default.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_OFF = Mistake(
    "Dropout is switched off for good.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, 0.0)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "The encoder's output is dropped from even in evaluation.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return nn.functional.dropout(self.encoder(src, src_mask), 0.1), src_mask"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
ENCODER_OUTPUT_DROPPED = Mistake(
    "The encoder's output is dropped from once more before the decoder reads it.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.dropout = nn.Dropout(dropout)""",
        "return self.encoder(src, src_mask), src_mask": """\
return self.dropout(self.encoder(src, src_mask)), src_mask""",
    },
)
EVALUATION_IN_FORWARD = Mistake(
    "The model switches itself to evaluation at every call, so it never drops anything in "
    "training.",
    {
        "encoder_output, src_mask = self.encode(src)": """\
self.eval()
        encoder_output, src_mask = self.encode(src)"""
    },
)
TRAINING_IN_FORWARD = Mistake(
    "The model switches itself to training at every call, so it drops at random even in "
    "evaluation.",
    {
        "encoder_output, src_mask = self.encode(src)": """\
self.train()
        encoder_output, src_mask = self.encode(src)"""
    },
)
ENCODER_IN_EVALUATION = Mistake(
    "The encoder is always run in evaluation, so it never drops anything.",
    {
        "src_mask = get_src_mask(src, self.src_pad_idx)": """\
self.encoder.eval()
        src_mask = get_src_mask(src, self.src_pad_idx)"""
    },
)
SIZES_HEADS_AND_LENGTH = Mistake(
    "The number of heads and the greatest length are handed down in the wrong order.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, n_head, max_len, dim_hidden, num_layer, dropout)"""
    },
)
SIZES_HIDDEN_AND_LAYERS = Mistake(
    "The hidden width and the number of layers are handed down in the wrong order.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, num_layer, dim_hidden, dropout)"""
    },
)
SIZES_WIDTH_AND_HIDDEN = Mistake(
    "The width of the vectors and the hidden width are handed down in the wrong order.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_hidden, max_len, 1, dim_vector, num_layer, dropout)"""
    },
)
HEADS_IGNORED = Mistake(
    "The number of heads is not handed down: every attention is one big one.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, 1, dim_hidden, num_layer, dropout)"""
    },
)
MAX_LEN_IGNORED = Mistake(
    "The greatest length is not handed down, so the given limit does not hold.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, 512, n_head, dim_hidden, num_layer, dropout)"""
    },
)
SIX_LAYERS = Mistake(
    "There are always six layers; the number is to be given.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, dim_hidden, 6, dropout)"""
    },
)
ONE_DECODER_LAYER = Mistake(
    "The decoder has a single layer, whatever number is given.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes[:4], 1, dropout, trg_pad_idx)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The hidden width is always four times that of the vectors.",
    {
        "sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)": """\
sizes = (dim_vector, max_len, n_head, 4 * dim_vector, num_layer, dropout)"""
    },
)
ENCODE_RETURNS_OUTPUT_ONLY = Mistake(
    "encode hands back the encoder's output alone; the mask is asked for as well.",
    {
        "return self.encoder(src, src_mask), src_mask": "return self.encoder(src, src_mask)",
        "encoder_output, src_mask = self.encode(src)": """\
encoder_output = self.encode(src)
        src_mask = get_src_mask(src, self.src_pad_idx)""",
    },
)
ENCODE_ORDER_SWAPPED = Mistake(
    "encode hands back the mask first and the output second.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return src_mask, self.encoder(src, src_mask)""",
        "encoder_output, src_mask = self.encode(src)": """\
src_mask, encoder_output = self.encode(src)""",
    },
)
ENCODE_WITHOUT_MASK = Mistake(
    "encode hands back no mask, so whoever decodes step by step reads the source's padding.",
    {
        "return self.encoder(src, src_mask), src_mask": (
            "return self.encoder(src, src_mask), None"
        ),
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, get_src_mask(src, self.src_pad_idx))""",
    },
)
ENCODE_MASK_INVERTED = Mistake(
    "encode hands back the mask inverted.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), ~src_mask""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, ~src_mask)""",
    },
    seen="pytorch/pytorch#27968",
)
ENCODE_MASK_WITH_AXIS_LOST = Mistake(
    "encode hands back a mask that lacks axes.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), src_mask[:, 0, 0]""",
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask[:, None, None])""",
    },
)
ENCODE_MASK_AS_INTEGERS = Mistake(
    "encode hands back the mask as numbers; truth values are asked for.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src, src_mask), src_mask.long()"""
    },
)
DECODE_IGNORES_ITS_MASK = Mistake(
    "decode ignores the mask it is given and uses the one of the last call of encode.",
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
    "decode ignores the source it is given and uses the one of the last call of encode.",
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
    "decode hands back the scores of the last position only.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask)[:, -1]"""
    },
)
DECODE_WITHOUT_TARGET_MASK = Mistake(
    "Only the whole model hides the future; decode on its own does not.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": "trg_mask = None",
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decoder(trg, encoder_output, get_trg_mask(trg, self.trg_pad_idx), src_mask)""",
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
DECODE_RETURNS_PROBABILITIES = Mistake(
    "decode hands back probabilities; scores are asked for.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask).softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_RETURNS_PROBABILITIES = Mistake(
    "The whole model hands back probabilities; the loss takes the softmax itself.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_RETURNS_LOG_PROBABILITIES = Mistake(
    "The whole model hands back logarithms of probabilities; plain scores are asked for.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).log_softmax(dim=-1)"""
    },
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
FORWARD_ARGUMENTS_SWAPPED = Mistake(
    "The model takes the target first and the source second.",
    {
        "def forward(self, src: Tensor, trg: Tensor)": """\
def forward(self, trg: Tensor, src: Tensor)"""
    },
)
FORWARD_SOURCE_TWICE = Mistake(
    "The decoder is given the source where the target belongs.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(src % self.decoder.linear.out_features, encoder_output, src_mask)"""
    },
)
FORWARD_RETURNS_A_PAIR = Mistake(
    "The encoder's output is handed back beside the scores.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask), encoder_output"""
    },
)
FORWARD_RETURNS_WORDS = Mistake(
    "The best words are handed back instead of the scores.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).argmax(dim=-1)"""
    },
)
AXES_SWAPPED = Mistake(
    "Positions and words have changed places in the result.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).transpose(1, 2)"""
    },
)
ENCODER_DETACHED = Mistake(
    "The link to the encoder is cut for gradients, so the encoder never learns.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output.detach(), src_mask)"""
    },
)
ENCODE_WITHOUT_GRADIENT = Mistake(
    "The source is encoded without recording the gradient, so the encoder never learns.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "    def encode(self": ("    @torch.no_grad()\n    def encode(self"),
    },
)
DECODE_DETACHED = Mistake(
    "decode cuts off the gradient towards the encoder.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output.detach(), trg_mask, src_mask)"""
    },
)
RESULT_DETACHED = Mistake(
    "The scores are cut off from the gradient, so nothing learns.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).detach()"""
    },
)
LAYERS_SHARED = Mistake(
    "The decoder's self-attention is the encoder's; each has numbers of its own.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        for ours, theirs in zip(self.decoder.layers, self.encoder.layers):
            ours.self_attention = theirs.self_attention"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
ENCODER_IN_A_LIST = Mistake(
    "The encoder sits in a plain Python list, where PyTorch does not look: it is neither "
    "trained nor saved nor moved.",
    {
        "self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)": """\
self.parts = [Encoder(encoder_vocab_size, *sizes, src_pad_idx)]""",
        "self.encoder(src, src_mask)": "self.parts[0](src, src_mask)",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
UNUSED_LAYER = Mistake(
    "A layer is made that nothing uses; its parameters never learn.",
    {
        "self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)": """\
self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.linear = nn.Linear(dim_vector, decoder_vocab_size)"""
    },
)
TOKENS_CHANGED_IN_PLACE = Mistake(
    "The caller's source is overwritten on the way.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
src.fill_(self.src_pad_idx)
        return self.decode(trg, encoder_output, src_mask)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "The caller's target is overwritten on the way.",
    {
        "trg_mask = get_trg_mask(trg, self.trg_pad_idx)": """\
trg[:, -1] = trg[:, 0]
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
SOURCE_FLIPPED = Mistake(
    "The source is read backwards.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
return self.encoder(src.flip(1), src_mask), src_mask"""
    },
)
FIRST_SOURCE_CACHED = Mistake(
    "The first source is encoded once and used for every later call of the same shape.",
    {
        "encoder_output, src_mask = self.encode(src)": """\
cached = getattr(self, "cached", None)
        if cached is None or cached[1].shape[::3] != src.shape:
            self.cached = cached = self.encode(src)
        encoder_output, src_mask = cached"""
    },
)
FLOAT32_ONLY = Mistake(
    "The scores are forced to single precision, whatever the precision of the model.",
    {
        "return self.decoder(trg, encoder_output, trg_mask, src_mask)": """\
return self.decoder(trg, encoder_output, trg_mask, src_mask).float()"""
    },
)
BATCH_MIXED = Mistake(
    "Each target is translated from the source of another sentence.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output.flip(0), src_mask.flip(0))"""
    },
)
TARGET_EMBEDDING_IS_SOURCE = Mistake(
    "The source is put through the decoder's embedding.",
    {
        "return self.encoder(src, src_mask), src_mask": """\
x = self.decoder.embedding(src % self.decoder.linear.out_features)
        for layer in self.encoder.layers:
            x = layer(x, src_mask)
        return x, src_mask"""
    },
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {
        "return self.decode(trg, encoder_output, src_mask)": """\
return self.decode(trg, encoder_output, src_mask).squeeze()"""
    },
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start anew at every call, so the same numbers are dropped in every "
    "training step.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "encoder_output, src_mask = self.encode(src)": """\
torch.manual_seed(0)
        encoder_output, src_mask = self.encode(src)""",
    },
)
