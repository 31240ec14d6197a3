"""What people get wrong in s4_decoder/decoder.py."""

from checks.machine.known import Mistake

SOFTMAX_ON_LOGITS = Mistake(
    "The softmax is taken here; the loss takes it itself, and doing it twice flattens everything.",
    {"return self.linear(x)": "return self.linear(x).softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
LOG_SOFTMAX_ON_LOGITS = Mistake(
    "The logarithm of the softmax is taken here; plain scores are asked for.",
    {"return self.linear(x)": "return self.linear(x).log_softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
NO_OUTPUT_LAYER = Mistake(
    "The last layer is missing: one score for each word of the vocabulary is asked for.",
    {
        "        self.linear = nn.Linear(dim_vector, vocab_size)\n": "",
        "return self.linear(x)": "return x",
    },
)
OUTPUT_LAYER_UNUSED = Mistake(
    "The last layer is made but not used: the vectors come back instead of scores.",
    {"return self.linear(x)": "return x"},
)
OUTPUT_TOO_WIDE = Mistake(
    "The last layer has a score too many.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size + 1)"""
    },
)
OUTPUT_TOO_NARROW = Mistake(
    "The last layer misses a score: the last word can never be chosen.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size - 1)"""
    },
)
OUTPUT_AS_WIDE_AS_VECTORS = Mistake(
    "The last layer gives as many scores as a vector has numbers, not as many as there are words.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, dim_vector)"""
    },
)
OUTPUT_AS_LONG_AS_MAX_LEN = Mistake(
    "The last layer gives as many scores as there are positions, not as many as there are words.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, max_len)"""
    },
)
NO_OUTPUT_BIAS = Mistake(
    "The last layer has no bias; here every linear layer has one.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size, bias=False)"""
    },
)
TIED_OUTPUT = Mistake(
    "The last matrix is shared with the embedding, as in the paper; here it is a layer of its own.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size)
        self.linear.weight = self.embedding.token_embedding.embedding.weight"""
    },
)
TIED_OUTPUT_IN_FORWARD = Mistake(
    "The scores are made with the embedding's matrix; the last layer's own is never used.",
    {
        "return self.linear(x)": """\
return x @ self.embedding.token_embedding.embedding.weight.T + self.linear.bias"""
    },
)
RELU_ON_LOGITS = Mistake(
    "The scores go through an activation; they must be free to be negative.",
    {"return self.linear(x)": "return self.linear(x).relu()"},
)
DROPOUT_ON_LOGITS = Mistake(
    "The scores are dropped from in training; there is no dropout after the last layer.",
    {"return self.linear(x)": "return self.embedding.dropout(self.linear(x))"},
)
DROPOUT_BEFORE_OUTPUT = Mistake(
    "The vectors are dropped from before the last layer; there is no dropout there.",
    {"return self.linear(x)": "return self.linear(self.embedding.dropout(x))"},
)
SCALED_LOGITS = Mistake(
    "The scores are divided by the root of the width; that division belongs to attention scores.",
    {"return self.linear(x)": "return self.linear(x) / x.size(-1) ** 0.5"},
)
NORMALISED_LOGITS = Mistake(
    "The largest score is taken off all of them; plain scores are asked for.",
    {
        "return self.linear(x)": """\
out = self.linear(x)
        return out - out.amax(dim=-1, keepdim=True)"""
    },
)
OUTPUT_TWICE = Mistake(
    "There are two linear layers at the end.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size)
        self.linear2 = nn.Linear(vocab_size, vocab_size)""",
        "return self.linear(x)": "return self.linear2(self.linear(x))",
    },
)
LAST_POSITION_ONLY = Mistake(
    "Only the scores of the last position are handed back; each position has its own.",
    {"return self.linear(x)": "return self.linear(x[:, -1])"},
)
BEST_WORDS = Mistake(
    "The best words are handed back instead of the scores.",
    {"return self.linear(x)": "return self.linear(x).argmax(dim=-1)"},
)
AXES_SWAPPED = Mistake(
    "Positions and words have changed places in the result.",
    {"return self.linear(x)": "return self.linear(x).transpose(1, 2)"},
)
CLOSING_NORM = Mistake(
    "There is a normalisation after the stack. A pre-norm stack needs one; this stack already "
    "ends in one.",
    {
        """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.linear(x)": "return self.linear(self.norm(x))",
    },
    seen="lucidrains/reformer-pytorch#124",
)
TARGET_SHIFTED_INSIDE = Mistake(
    "The target is shortened by a word here; shifting it is the work of training.",
    {
        "x = self.embedding(trg)": """\
trg = trg[:, :-1]
        trg_mask = None if trg_mask is None else trg_mask[:, :, :-1, :-1]
        x = self.embedding(trg)"""
    },
    seen="huggingface/transformers#46901",
)
SAME_LAYER_REPEATED = Mistake(
    "Repeating a list repeats the same layer: all layers are one layer, used many times.",
    {
        """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList([DecoderLayer(dim_vector, n_head, dim_hidden, dropout)] * num_layer)"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
SAME_LAYER_BY_COMPREHENSION = Mistake(
    "The list contains one and the same layer several times, so the layers cannot differ.",
    {
        """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
layer = DecoderLayer(dim_vector, n_head, dim_hidden, dropout)
        self.layers = nn.ModuleList(layer for _ in range(num_layer))"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
PYTHON_LIST = Mistake(
    "The layers sit in a plain Python list, where PyTorch does not look: they are neither "
    "trained nor saved nor moved.",
    {
        """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = [DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding, so only the last one counts.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
embedded = x
        for layer in self.layers:
            x = layer(embedded, encoder_output, trg_mask, src_mask)"""
    },
)
LAYERS_SKIPPED = Mistake(
    "The stack is built but never used, so the source has no influence.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": "pass"
    },
)
RESULT_DROPPED = Mistake(
    "The layers are called but their results are thrown away.",
    {"x = layer(x, encoder": "layer(x, encoder"},
)
SCORES_IN_THE_LOOP = Mistake(
    "The function returns inside the loop, so only the first layer runs.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
            return self.linear(x)"""
    },
)
LAST_LAYER_SKIPPED = Mistake(
    "The last layer never runs.",
    {"in self.layers:": "in self.layers[:-1]:"},
)
FIRST_LAYER_SKIPPED = Mistake(
    "The first layer never runs.",
    {"in self.layers:": "in self.layers[1:]:"},
)
ONE_LAYER_TOO_MANY = Mistake(
    "There is one layer more than asked for.",
    {"range(num_layer)": "range(num_layer + 1)"},
)
ONE_LAYER_TOO_FEW = Mistake(
    "There is one layer less than asked for.",
    {"range(num_layer)": "range(num_layer - 1)"},
)
SOURCE_FOR_FIRST_ONLY = Mistake(
    "Only the first layer reads the source; the others read the target instead.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for n, layer in enumerate(self.layers):
            source = encoder_output if n == 0 else x
            x = layer(x, source, trg_mask, src_mask if n == 0 else trg_mask)"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_FOR_LAST_ONLY = Mistake(
    "Only the last layer reads the source; the others read the target instead.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            last = layer is self.layers[-1]
            x = layer(x, encoder_output if last else x, trg_mask, src_mask if last else trg_mask)"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_REPLACED_BY_TARGET = Mistake(
    "The layers get the target where the source belongs, so the translation cannot depend on "
    "the source.",
    {"layer(x, encoder_output, trg_mask, src_mask)": "layer(x, x, trg_mask, trg_mask)"},
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_OVERWRITTEN = Mistake(
    "The result of each layer replaces the source instead of the target.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            encoder_output = layer(x, encoder_output, trg_mask, src_mask)
            src_mask = trg_mask
        x = encoder_output"""
    },
)
ARGUMENTS_SWAPPED = Mistake(
    "Source and target are handed to the layers in the wrong order.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(encoder_output, x, trg_mask, src_mask)"""
    },
)
MASKS_SWAPPED = Mistake(
    "The two masks are handed to the layers in the wrong order.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(x, encoder_output, src_mask, trg_mask)"""
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
MASK_ARGUMENTS_SWAPPED = Mistake(
    "The decoder takes its two masks in the wrong order.",
    {
        """\
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,""": """\
        src_mask: Tensor | None = None,
        trg_mask: Tensor | None = None,"""
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
NO_SOURCE_MASK = Mistake(
    "The mask of the source is not handed on, so its padding is read.",
    {"layer(x, encoder_output, trg_mask, src_mask)": "layer(x, encoder_output, trg_mask)"},
    seen="keras-team/keras-io#1046, pytorch/tutorials#719",
)
NO_TARGET_MASK = Mistake(
    "The mask of the target is not handed on, so words see the answer that they are asked to "
    "predict.",
    {"layer(x, encoder_output, trg_mask, src_mask)": ("layer(x, encoder_output, None, src_mask)")},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_MASK_FOR_FIRST_ONLY = Mistake(
    "Only the first layer gets the mask of the target; the future has to be hidden in every layer.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for n, layer in enumerate(self.layers):
            x = layer(x, encoder_output, trg_mask if n == 0 else None, src_mask)"""
    },
)
SOURCE_MASK_FOR_FIRST_ONLY = Mistake(
    "Only the first layer gets the mask of the source; padding has to be hidden in every layer.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for n, layer in enumerate(self.layers):
            x = layer(x, encoder_output, trg_mask, src_mask if n == 0 else None)"""
    },
)
TARGET_MASK_NOT_FOR_LAST = Mistake(
    "The last layer does not get the mask of the target.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            seen = None if layer is self.layers[-1] else trg_mask
            x = layer(x, encoder_output, seen, src_mask)"""
    },
)
ALWAYS_CAUSAL = Mistake(
    "The future is hidden here in any case; what is hidden is for the given mask to say.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.embedding(trg)": """\
causal = torch.ones(trg.size(1), trg.size(1), device=trg.device).tril()
        trg_mask = causal if trg_mask is None else trg_mask * causal
        x = self.embedding(trg)""",
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_MASK_MADE_INSIDE = Mistake(
    "A look-ahead mask is made here and the given one is ignored.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.embedding(trg)": """\
trg_mask = torch.ones(trg.size(1), trg.size(1), device=trg.device).tril()
        x = self.embedding(trg)""",
    },
)
POSITIONS_IN_EVERY_LAYER = Mistake(
    "The positions are added again in every layer; they are added once, at the bottom.",
    {
        "x = layer(x, encoder": """\
x = layer(x + self.embedding.positional_embedding(trg), encoder"""
    },
)
NO_POSITIONS = Mistake(
    "Only the words are embedded, so the decoder cannot see their order.",
    {
        "x = self.embedding(trg)": """\
x = self.embedding.dropout(self.embedding.token_embedding(trg))"""
    },
)
ROOT_OF_WIDTH = Mistake(
    "The embedding is multiplied by the root of the width; this course leaves that factor out.",
    {
        "x = self.embedding(trg)": """\
x = self.embedding(trg)
        x = x * x.size(-1) ** 0.5"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
DROPOUT_NOT_TO_EMBEDDING = Mistake(
    "The share to drop never reaches the embedding, which falls back on its own default.",
    {"max_len, dropout, padding_idx)": "max_len, padding_idx=padding_idx)"},
)
DROPOUT_NOT_TO_LAYERS = Mistake(
    "The share to drop never reaches the layers, which fall back on their own default.",
    {"n_head, dim_hidden, dropout)": "n_head, dim_hidden)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "Unless a share is given nothing is dropped; one tenth is the default.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "The vectors are dropped from even in evaluation.",
    {"return self.linear(x)": "return self.linear(nn.functional.dropout(x, 0.1))"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
SOURCE_DROPPED = Mistake(
    "The encoder's output is dropped from before the layers read it.",
    {
        "x = self.embedding(trg)": """\
encoder_output = self.embedding.dropout(encoder_output)
        x = self.embedding(trg)"""
    },
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is always frozen as padding, whatever padding token is given.",
    {"max_len, dropout, padding_idx)": "max_len, dropout, 0)"},
)
MAX_LEN_IGNORED = Mistake(
    "The embedding has a fixed length, so the given max_len is not the limit.",
    {"dim_vector, max_len, dropout, padding_idx)": ("dim_vector, 512, dropout, padding_idx)")},
)
HEADS_AND_HIDDEN_SWAPPED = Mistake(
    "The number of heads and the hidden width are handed to the layers in the wrong order.",
    {
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, dim_hidden, n_head, dropout)"""
    },
)
DROPOUT_AND_HIDDEN_SWAPPED = Mistake(
    "The hidden width and the share to drop are handed to the layers in the wrong order.",
    {
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, n_head, dropout, dim_hidden)"""
    },
)
HEADS_IGNORED = Mistake(
    "The layers are built with one head, whatever number is given.",
    {
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, 1, dim_hidden, dropout)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The layers are built with the width of the vectors as hidden width, whatever is given.",
    {
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, n_head, dim_vector, dropout)"""
    },
)
SOURCE_DETACHED = Mistake(
    "The link to the encoder is cut for gradients, so the encoder never learns.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(x, encoder_output.detach(), trg_mask, src_mask)"""
    },
)
EMBEDDING_DETACHED = Mistake(
    "The embedding is cut off from the gradient, so the words never learn.",
    {"x = self.embedding(trg)": "x = self.embedding(trg).detach()"},
)
STACK_DETACHED = Mistake(
    "The stack is cut off from the gradient, so only the last layer learns.",
    {"return self.linear(x)": "return self.linear(x.detach())"},
)
SOURCE_CHANGED_IN_PLACE = Mistake(
    "The encoder's output is overwritten on the way.",
    {
        "return self.linear(x)": """\
encoder_output.data.zero_()
        return self.linear(x)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TOKENS_CHANGED_IN_PLACE = Mistake(
    "The caller's tokens are overwritten on the way.",
    {
        "return self.linear(x)": """\
trg.clamp_(max=1)
        return self.linear(x)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
SOURCE_ADDED = Mistake(
    "The mean of the source is added to the target as well; the target learns of the source by "
    "attention alone.",
    {
        "x = self.embedding(trg)": """\
x = self.embedding(trg) + encoder_output.mean(dim=1, keepdim=True)"""
    },
)
RETURNS_A_PAIR = Mistake(
    "The vectors are handed back beside the scores.",
    {"return self.linear(x)": "return self.linear(x), x"},
)
FLOAT32_ONLY = Mistake(
    "The output is forced to single precision, whatever the precision of the module.",
    {"return self.linear(x)": "return self.linear(x).float()"},
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {"return self.linear(x)": "return self.linear(x).squeeze()"},
)
OUTPUT_LAYER_FROZEN = Mistake(
    "The last layer is told not to learn.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size).requires_grad_(False)"""
    },
)
