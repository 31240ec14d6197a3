"""What people get wrong in s3_encoder/encoder.py.

Not here, on purpose:
- layers copied from one, with the same weights: start values are open.
"""

from checks.engine.known import Mistake
from checks.s3_encoder.encoder_layer import mistakes as encoder_layer

SAME_LAYER_REPEATED = Mistake(
    "The list holds the same layer many times instead of many layers. All of them have the same "
    "weights, so they can never learn different things.",
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList([EncoderLayer(dim_vector, n_head, dim_hidden, dropout)] * num_layer)"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
ONE_LAYER_IN_A_LOOP = Mistake(
    "Only one layer is made, and it is applied again and again. Each layer needs weights of "
    "its own, or the stack can only repeat the same thing.",
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList([EncoderLayer(dim_vector, n_head, dim_hidden, dropout)])
        self.num_layer = num_layer""",
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for _ in range(self.num_layer):
            x = self.layers[0](x, src_mask)""",
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
SAME_LAYER_BY_COMPREHENSION = Mistake(
    SAME_LAYER_REPEATED.says,
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
layer = EncoderLayer(dim_vector, n_head, dim_hidden, dropout)
        self.layers = nn.ModuleList(layer for _ in range(num_layer))"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
PYTHON_LIST = Mistake(
    "The layers are in a plain list, tuple or dictionary, where PyTorch does not look for layers. "
    "So they are not trained, not saved, and not moved with the module.",
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = [EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding instead of the output of the layer before it. Only the last "
    "layer counts, and the others never learn.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
embedded = x
        for layer in self.layers:
            x = layer(embedded, src_mask)"""
    },
)
LAYERS_SKIPPED = Mistake(
    "The layers have no effect: they are not called, or their results are not used. The embedding "
    "is returned unchanged, and no layer learns.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": "pass"
    },
)
RESULT_DROPPED = Mistake(
    LAYERS_SKIPPED.says,
    {"x = layer(x, src_mask)": "layer(x, src_mask)"},
)
RETURNS_IN_THE_LOOP = Mistake(
    "The function returns inside the loop. Only the first layer runs, and all later layers never "
    "learn.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for layer in self.layers:
            x = layer(x, src_mask)
            return x"""
    },
)
LAST_LAYER_SKIPPED = Mistake(
    "The last layer never runs, so it never learns and the stack ends one layer too early.",
    {"in self.layers:": "in self.layers[:-1]:"},
)
FIRST_LAYER_SKIPPED = Mistake(
    "The first layer never runs and never learns. The embedding goes straight to the second layer.",
    {"in self.layers:": "in self.layers[1:]:"},
)
ONLY_LAST_LAYER = Mistake(
    "Only the last layer runs, and it reads the embedding directly. All other layers have no "
    "effect and never learn.",
    {"in self.layers:": "in self.layers[-1:]:"},
)
ONE_LAYER_TOO_FEW = Mistake(
    "There is one layer fewer than num_layer, so the encoder is too small. Saved weights of a "
    "full encoder do not fit.",
    {"range(num_layer)": "range(1, num_layer)"},
)
ONE_LAYER_TOO_MANY = Mistake(
    "There is one layer more than num_layer, so the encoder is too large. Saved weights with the "
    "right number of layers do not fit.",
    {"range(num_layer)": "range(num_layer + 1)"},
)
SIX_LAYERS = Mistake(
    "There are always six layers, as in the paper, and num_layer is ignored. No other size can be "
    "built.",
    {"range(num_layer)": "range(6)"},
)
UNUSED_EXTRA_LAYER = Mistake(
    "One more layer is made than ever runs. Its parameters get no gradient, never learn and only "
    "take up space.",
    {"range(num_layer)": "range(num_layer + 1)", "in self.layers:": "in self.layers[:-1]:"},
)
STACK_TWICE = Mistake(
    "The whole stack runs twice, so every layer has to work on two different inputs. Each layer "
    "should run once.",
    {"for layer in self.layers:": "for layer in [*self.layers, *self.layers]:"},
)
LAST_LAYER_TWICE = Mistake(
    "The last layer runs twice, the second time on its own output. Each layer should run once.",
    {"return x": "return self.layers[-1](x, src_mask)"},
)
MASK_FOR_FIRST_ONLY = Mistake(
    "The mask does not reach every layer of the stack. In the other layers padding is read like "
    "words and changes the result.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for n, layer in enumerate(self.layers):
            x = layer(x, src_mask if n == 0 else None)"""
    },
)
MASK_FOR_LAST_ONLY = Mistake(
    "Only the last layer gets the mask. The layers before it read padding like words, and hiding "
    "it at the end comes too late.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for layer in self.layers:
            x = layer(x, src_mask if layer is self.layers[-1] else None)"""
    },
)
MASK_NOT_FOR_LAST = Mistake(
    MASK_FOR_FIRST_ONLY.says,
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for layer in self.layers:
            x = layer(x, None if layer is self.layers[-1] else src_mask)"""
    },
)
MASK_IGNORED = Mistake(
    "The mask is accepted but passed to no layer, so padding is read like words everywhere and "
    "changes the result.",
    {"layer(x, src_mask)": "layer(x)"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
MASK_INVERTED = Mistake(
    "The mask is inverted. Masked words are read, and all others are not.",
    {"layer(x, src_mask)": "layer(x, None if src_mask is None else src_mask == 0)"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASK_MADE_INSIDE = Mistake(
    "The given mask is ignored, and a new one is made here from the tokens. The caller can then "
    "neither use another padding token nor hide anything else.",
    {
        "x = self.embedding(src)": """\
src_mask = (src != 0)[:, None, None, :]
        x = self.embedding(src)"""
    },
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "All sentences get the mask of the first one. Longer sentences then lose words, and shorter "
    "ones read their padding.",
    {"layer(x, src_mask)": "layer(x, None if src_mask is None else src_mask[:1])"},
)
ALWAYS_CAUSAL = Mistake(
    "Later words are hidden from earlier ones. The whole source is known, so each of its words "
    "may attend in both directions.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.embedding(src)": """\
causal = torch.ones(src.size(1), src.size(1), device=src.device).tril()
        src_mask = causal if src_mask is None else src_mask * causal
        x = self.embedding(src)""",
    },
)
CLOSING_NORM = Mistake(
    "There is a normalisation with its own parameters after the stack. A pre-norm stack needs it, "
    "but here the last layer already ends in one.",
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        self.norm = nn.LayerNorm(dim_vector)""",
        "return x": "return self.norm(x)",
    },
    seen="lucidrains/reformer-pytorch#124",
)
EMBEDDING_NORMALISED = Mistake(
    "The embedding is normalised before the first layer, so the sizes of its vectors are lost. "
    "The paper has no normalisation there.",
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        self.norm = nn.LayerNorm(dim_vector)""",
        "x = self.embedding(src)": "x = self.norm(self.embedding(src))",
    },
)
NORMALISED_WITHOUT_PARAMETERS = Mistake(
    "The result is normalised once more after the stack, without parameters. This removes a part "
    "of what the last layer's gamma and beta did.",
    {"return x": "return nn.functional.layer_norm(x, x.shape[-1:])"},
    seen="lucidrains/reformer-pytorch#124",
)
POSITIONS_IN_EVERY_LAYER = Mistake(
    "The positions are added again before every layer instead of only once in the embedding. They "
    "then count too much beside the words.",
    {
        "x = layer(x, src_mask)": """\
x = layer(x + self.embedding.positional_embedding(src), src_mask)"""
    },
)
NO_POSITIONS = Mistake(
    "Only the words are embedded, without their positions. So the encoder cannot see the order of "
    "the words.",
    {
        "x = self.embedding(src)": """\
x = self.embedding.dropout(self.embedding.token_embedding(src))"""
    },
)
POSITIONS_TWICE = Mistake(
    "The positions are added a second time after the embedding, so they count double beside "
    "the words.",
    {
        "x = self.embedding(src)": """\
x = self.embedding(src) + self.embedding.positional_embedding(src)"""
    },
)
ROOT_OF_WIDTH = Mistake(
    "The embedding, with its positions, is multiplied by the square root of dim_vector. This "
    "course leaves that factor out, so the layers read values that are too large.",
    {
        "x = self.embedding(src)": """\
x = self.embedding(src)
        x = x * x.size(-1) ** 0.5"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
SHORTCUT_AROUND_STACK = Mistake(
    "The embedding is added to the result of the whole stack, so the output is no longer "
    "normalised. The residual connections are inside the layers.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
embedded = x
        for layer in self.layers:
            x = layer(x, src_mask)""",
        "return x": "return x + embedded",
    },
)
SUM_OF_LAYERS = Mistake(
    "The results of all layers are added up instead of only the last being returned. So the "
    "output is no longer normalised and grows with num_layer.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
total = 0
        for layer in self.layers:
            x = layer(x, src_mask)
            total = total + x""",
        "return x": "return total",
    },
)
LIST_OF_ALL_LAYERS = Mistake(
    "The results of all layers are returned in a list. The decoder reads a single tensor, the "
    "result of the last layer.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
outputs = []
        for layer in self.layers:
            x = layer(x, src_mask)
            outputs.append(x)""",
        "return x": "return outputs",
    },
)
AVERAGED_OVER_WORDS = Mistake(
    "The words are averaged into one vector for the sentence. So the decoder can no longer attend "
    "to single words.",
    {"return x": "return x.mean(dim=1)"},
)
RETURNS_MASK_TOO = Mistake(
    "The mask is returned beside the result. The code after the encoder expects a single tensor "
    "and fails on a pair.",
    {"return x": "return x, src_mask"},
)
DROPOUT_NOT_TO_EMBEDDING = Mistake(
    "The given dropout is not passed to the embedding, so the embedding uses its own default.",
    {"max_len, dropout, padding_idx)": "max_len, padding_idx=padding_idx)"},
)
DROPOUT_NOT_TO_LAYERS = Mistake(
    "The given dropout is not passed to the layers, so they use their own default.",
    {"n_head, dim_hidden, dropout)": "n_head, dim_hidden)"},
)
PADDING_TAKEN_AS_DROPOUT = Mistake(
    "The embedding gets padding_idx in the place of dropout. So the id of a token decides how "
    "much is dropped in training.",
    {"max_len, dropout, padding_idx)": "max_len, float(padding_idx or 0))"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "The default of dropout is 0 instead of 0.1. If the caller gives no dropout, nothing is "
    "dropped.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_FIXED = Mistake(
    "The given dropout has no effect: a fixed number stands in its place, or it is not passed to "
    "the embedding and the layers.",
    {
        """\
self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)""": """\
dropout = 0.1
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)"""
    },
)
EMBEDDING_DROPPED_TWICE = Mistake(
    "Dropout is applied to the embedding twice, inside it and once more after it. So more entries "
    "are dropped than the given probability says.",
    {"x = self.embedding(src)": "x = self.embedding.dropout(self.embedding(src))"},
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout is applied once more to the result of the stack. In training it sets entries of the "
    "finished vectors to 0.",
    {"return x": "return self.embedding.dropout(x)"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "A dropout on the embedding stays on in eval mode. The trained model then gives another "
    "answer at every call.",
    {"x = self.embedding(src)": "x = nn.functional.dropout(self.embedding(src), 0.1)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
LAYER_DROP = Mistake(
    "In training whole layers are sometimes skipped, and a skipped layer learns nothing. Dropout "
    "should drop only single entries.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for layer in self.layers:
            if not self.training or torch.rand(()) > 0.5:
                x = layer(x, src_mask)""",
    },
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is treated as padding although no padding_idx was given. If token 0 is a word, its "
    "vector stays zero and never learns.",
    {"max_len, dropout, padding_idx)": "max_len, dropout, 0)"},
)
MAX_LEN_IGNORED = Mistake(
    "The embedding is built for another length than max_len. So the limit for long sentences is "
    "wrong.",
    {"dim_vector, max_len, dropout, padding_idx)": ("dim_vector, 512, dropout, padding_idx)")},
)
VOCABULARY_FOR_MAX_LEN = Mistake(
    "The embedding gets vocab_size and max_len in the wrong order. The token table then has "
    "max_len rows, and the position table has vocab_size rows.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len,": """\
TransformerEmbedding(max_len, dim_vector, vocab_size,"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
HEADS_AND_HIDDEN_SWAPPED = Mistake(
    "The layers get n_head and dim_hidden in the wrong order. The vectors are then cut into "
    "dim_hidden heads, and the inner width is n_head.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, dim_hidden, n_head, dropout)"""
    },
)
DROPOUT_AND_HIDDEN_SWAPPED = Mistake(
    "The layers get dim_hidden and dropout in the wrong order. A width is not a probability and "
    "0.1 is not a width, so the layers cannot be built.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, n_head, dropout, dim_hidden)"""
    },
)
HEADS_IGNORED = Mistake(
    "The layers are always built with one head, and n_head is ignored. So a word can attend to "
    "the others in one way only.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, 1, dim_hidden, dropout)"""
    },
)
HEADS_FROM_LAYERS = Mistake(
    "The layers get num_layer in the place of n_head. The vectors are then cut into the wrong "
    "number of heads, or cannot be cut at all.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, num_layer, dim_hidden, dropout)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The hidden width of the layers is always four times dim_vector, and dim_hidden is ignored. "
    "The paper has that ratio, but the caller may want another.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, n_head, 4 * dim_vector, dropout)"""
    },
)
EMBEDDING_DETACHED = Mistake(
    "The embedding is cut off from the gradient, so the vectors of the words never learn.",
    {"x = self.embedding(src)": "x = self.embedding(src).detach()"},
)
OUTPUT_DETACHED = Mistake(
    "The result is cut off from the gradient, so neither the layers nor the embedding ever learn.",
    {"return x": "return x.detach()"},
)
ONLY_LAST_LAYER_LEARNS = Mistake(
    "The gradient stops before every layer, so only the last layer learns. The other layers and "
    "the embedding keep their start values.",
    {"layer(x, src_mask)": "layer(x.detach(), src_mask)"},
)
TOKENS_CHANGED_IN_PLACE = Mistake(
    "The caller's tokens are overwritten. Later code that uses them, for example to make a mask, "
    "reads wrong tokens.",
    {"return x": ("src.zero_()\n        return x")},
    seen="jcyk/copyisallyouneed#6",
)
MASK_CHANGED_IN_PLACE = Mistake(
    "The caller's mask is overwritten. The decoder needs the same mask later and then hides the "
    "wrong words.",
    {
        "return x": """\
if src_mask is not None:
            src_mask.fill_(0)
        return x"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TOKEN_EMBEDDING_ONLY = Mistake(
    "A plain token embedding is used instead of the layer of step 1.3. Positions and dropout are "
    "missing, so the model cannot see the order of the words.",
    {
        """\
self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)""": """\
self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)"""
    },
)
OUTPUT_PROJECTED = Mistake(
    "There is a linear layer after the stack, so the output is no longer normalised. The "
    "encoder ends with its last layer.",
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        self.linear = nn.Linear(dim_vector, dim_vector)""",
        "return x": "return self.linear(x)",
    },
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. A float64 or float16 module then passes on values "
    "of the wrong dtype.",
    {"return x": "return x.float()"},
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. A batch of one sentence, or a sentence of one word, then has too "
    "few axes.",
    {"return x": "return x.squeeze()"},
)
EMBEDDING_FROZEN = Mistake(
    "The embedding is frozen, so the vectors of the words keep their random start values for ever.",
    {
        "max_len, dropout, padding_idx)": """\
max_len, dropout, padding_idx).requires_grad_(False)"""
    },
)
FIRST_LAYER_FROZEN = Mistake(
    "The first layer is frozen, so it keeps its random start values for ever.",
    {
        "        # Embed the tokens,": """\
        self.layers[0].requires_grad_(False)
        # Embed the tokens,"""
    },
)
FIRST_LAYER_AGAIN_AND_AGAIN = Mistake(
    "The first layer is called in every round of the loop. The other layers are never used and "
    "never learn.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for _ in self.layers:
            x = self.layers[0](x, src_mask)"""
    },
)
EMBEDDING_ADDED_BEFORE_EACH_LAYER = Mistake(
    "The embedding is added again before every layer. It should enter only once, at the bottom; "
    "the residual connections carry it on.",
    {
        "x = self.embedding(src)\n": """\
embedded = self.embedding(src)
        x = 0 * embedded
""",
        "x = layer(x, src_mask)": "x = layer(x + embedded, src_mask)",
    },
)
EVALUATION_IN_FORWARD = Mistake(
    "The encoder switches itself to eval mode at every call, so nothing is ever dropped in "
    "training.",
    {
        "x = self.embedding(src)": """\
self.eval()
        x = self.embedding(src)"""
    },
)
WIDTH_AND_LENGTH_SWAPPED = Mistake(
    "The embedding gets max_len and dim_vector in the wrong order, so its vectors have max_len "
    "features.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout": """\
TransformerEmbedding(vocab_size, max_len, dim_vector, dropout"""
    },
)
RETURNS_EVERY_LAYER = Mistake(
    "The results of all layers are returned as a list. The caller of the encoder expects only the "
    "last one.",
    {
        "x = self.embedding(src)\n": """\
x = self.embedding(src)
        every = [x]
""",
        "x = layer(x, src_mask)": """\
x = layer(x, src_mask)
            every.append(x)""",
        "return x": "return every",
    },
)
DEFAULT_DROPOUT_TOO_LARGE = Mistake(
    "The default of dropout is another number than 0.1. It must be 0.1, as in the paper.",
    {"dropout: float = 0.1": "dropout: float = 0.2"},
)
POSITIONS_AGAIN_BEFORE_LAYERS = Mistake(
    POSITIONS_IN_EVERY_LAYER.says,
    {
        """\
x = self.embedding(src)
        for layer in self.layers:
            x = layer(x, src_mask)""": """\
x = self.embedding(src)
        for n, layer in enumerate(self.layers):
            if n > 0:
                x = x + self.embedding.positional_embedding(src)
            x = layer(x, src_mask)"""
    },
)
LAYERS_AVERAGED = Mistake(
    "The average of all layers' results is returned. Each layer builds on the one before it, so "
    "only the last result should be returned.",
    {
        """\
x = self.embedding(src)
        for layer in self.layers:
            x = layer(x, src_mask)
        return x""": """\
x = self.embedding(src)
        total = 0 * x
        for layer in self.layers:
            x = layer(x, src_mask)
            total = total + x
        return total / len(self.layers)"""
    },
)
SENTENCE_AND_TOKEN_AXES_SWAPPED = Mistake(
    "The layers get tokens on the first axis and sentences on the second. So the attention runs "
    "across the sentences of the batch.",
    {
        """\
x = self.embedding(src)
        for layer in self.layers:
            x = layer(x, src_mask)
        return x""": """\
x = self.embedding(src).transpose(0, 1)
        for layer in self.layers:
            x = layer(x)
        return x.transpose(0, 1)"""
    },
)
MASK_FOR_FIRST_TWO = Mistake(
    "The mask does not reach the layers after the second. These layers read padding like words, "
    "which changes the result.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for n, layer in enumerate(self.layers):
            x = layer(x, src_mask if n < 2 else None)"""
    },
)
AT_MOST_SIX_LAYERS = Mistake(
    "Only the first six layers are used, as many as the paper has. num_layer may be larger.",
    {"for layer in self.layers:": "for layer in self.layers[:6]:"},
)
AT_MOST_TWELVE_LAYERS = Mistake(
    "Only the first twelve layers are used. num_layer may be larger.",
    {"for layer in self.layers:": "for layer in self.layers[:12]:"},
)
AT_MOST_512_POSITIONS = Mistake(
    "The embedding has at most 512 positions, even if max_len is larger. A longer sentence is "
    "refused.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)": """\
TransformerEmbedding(
            vocab_size, dim_vector, min(max_len, 512), dropout, padding_idx
        )"""
    },
)
AT_LEAST_DIM_VECTOR_WORDS = Mistake(
    "The table of words has at least dim_vector rows. With fewer words than features it has rows "
    "that no word uses.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)": """\
TransformerEmbedding(
            max(vocab_size, dim_vector), dim_vector, max_len, dropout, padding_idx
        )"""
    },
)
IDS_IN_EIGHT_BITS = Mistake(
    "The token ids are cut to 8 bits, which hold 256 numbers. A word with a larger id gets the "
    "row of another word.",
    {"self.embedding(src)": "self.embedding(src % 256)"},
)
MASK_MADE_IF_NONE_COMES = Mistake(
    "If no mask is given, one is made here from padding_idx. No mask means that nothing is hidden.",
    {
        "x = self.embedding(src)": """\
if src_mask is None and self.embedding.token_embedding.embedding.padding_idx is not None:
            padding = self.embedding.token_embedding.embedding.padding_idx
            src_mask = (src != padding)[:, None, None, :]
        x = self.embedding(src)"""
    },
)
MASK_OF_AN_EARLIER_CALL = Mistake(
    encoder_layer.MASK_OF_AN_EARLIER_CALL.says,
    {
        "x = self.embedding(src)": """\
if src_mask is not None:
            self.kept = src_mask
        src_mask = getattr(self, "kept", src_mask)
        x = self.embedding(src)"""
    },
)
FIRST_LAYER_BY_HAND = Mistake(
    "The first layer is called by hand, so a stack without layers stops with an error. A loop over "
    "all layers also works for none.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
x = self.layers[0](x, src_mask)
        for layer in self.layers[1:]:
            x = layer(x, src_mask)"""
    },
)

MASK_DROPPED_FOR_ONE_WHOLE_SENTENCE = Mistake(
    encoder_layer.MASK_DROPPED_FOR_ONE_WHOLE_SENTENCE.says,
    {
        "        for layer in self.layers:": """\
        if src_mask is not None and src_mask.flatten(1).all(dim=1).any():
            src_mask = None
        for layer in self.layers:"""
    },
)
EMBEDDING_NOT_DROPPED = Mistake(
    "The embedding gets the dropout 0. In training nothing of it is dropped then.",
    {"max_len, dropout, padding_idx)": "max_len, 0.0, padding_idx)"},
)
EMBEDDING_KEPT = Mistake(
    "The embedding of the last source is kept, and used again for the same source. After a step "
    "of training it is out of date.",
    {
        "        x = self.embedding(src)\n": """\
        if not hasattr(self, "seen") or not self.seen[0].equal(src):
            self.seen = src, self.embedding(src)
        x = self.seen[1]
"""
    },
)
TOKENS_PASSED_TO_LAYERS = Mistake(
    "The layers get src, the token ids. They should get x, the vectors of the tokens.",
    {"x = layer(x, src_mask)": "x = layer(src, src_mask)"},
)
NUMBERS_FOR_LAYERS = Mistake(
    "The loop runs over numbers, not over layers. Write: for layer in self.layers.",
    {"for layer in self.layers:": "for layer in range(len(self.layers)):"},
)
LAYERS_REVERSED = Mistake(
    "The layers run from the last to the first. The first one reads the embedding.",
    {"for layer in self.layers:": "for layer in reversed(self.layers):"},
)
MASK_OF_THE_FIRST_CALL = Mistake(
    "The mask of the first call is kept for all later calls. Each call has its own src_mask.",
    {
        "        for layer in self.layers:": """\
        self.mask = getattr(self, "mask", src_mask)
        for layer in self.layers:""",
        "layer(x, src_mask)": "layer(x, self.mask)",
    },
)
LAYERS_SKIPPED_NOW_AND_THEN = Mistake(
    "In train mode a layer is skipped now and then. Each layer runs in every call.",
    {
        "        for layer in self.layers:\n": """\
        for layer in self.layers:
            if self.training and torch.rand(()) < 0.1:
                continue
""",
        "from torch import": "import torch\nfrom torch import",
    },
)

SHORTCUT_AROUND_EACH_LAYER = Mistake(
    "There is one more residual connection around each layer. The layers have their own two.",
    {"x = layer(x, src_mask)": "x = x + layer(x, src_mask)"},
)

TWO_LAYERS_IN_TURN = Mistake(
    "Two layers are used in turn, and the others never. Each layer comes once.",
    {
        "for layer in self.layers:": "for layer in [self.layers[n % 2] for n in range(len(self.layers))]:"
    },
)

MASK_IN_TRAINING_ONLY = Mistake(
    "The mask is used in train mode only. Padding is there in eval mode, too.",
    {"layer(x, src_mask)": "layer(x, src_mask if self.training else None)"},
)

AT_LEAST_ONE_LAYER = Mistake(
    "With num_layer 0 there is still one layer. range(num_layer) makes none then.",
    {"range(num_layer)": "range(max(1, num_layer))"},
)
PADDING_GUESSED = Mistake(
    "Without a mask, token 0 is hidden. No mask means that every token is read, and token 0 may be "
    "a word.",
    {
        "        for layer in self.layers:\n": """\
        if src_mask is None:
            src_mask = (src != 0)[:, None, None, :]
        for layer in self.layers:
"""
    },
)
MASK_IN_EVAL_ONLY = Mistake(
    "The mask is used in eval mode only. In train mode the words attend to padding, too.",
    {"layer(x, src_mask)": "layer(x, None if self.training else src_mask)"},
)
ONE_SENTENCE_UNMASKED = Mistake(
    "The mask is left out for a batch of one sentence. It may hide padding there, too.",
    {"layer(x, src_mask)": "layer(x, src_mask if len(src) > 1 else None)"},
)
