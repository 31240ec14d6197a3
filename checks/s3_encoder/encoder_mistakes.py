"""What people get wrong in s3_encoder/encoder.py.

Not here, on purpose:
- layers copied from one and not drawn anew: start values are open.
"""

from checks.machine.known import Mistake

SAME_LAYER_REPEATED = Mistake(
    "The list holds one layer many times over, not many layers: all share the same weights, so "
    "they can never learn different things.",
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
    "The layers sit in a plain Python list, where PyTorch does not look: they are neither "
    "trained nor saved nor moved with the module.",
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = [EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding instead of what the layer before produced, so only the "
    "last one counts and the others never learn.",
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
    "The layers have no effect: they are not called, or their results are thrown away. The "
    "embedding comes back as it was, and no layer learns.",
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
    "The function returns inside the loop, so only the first layer runs and all later ones "
    "never learn.",
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
    "The first layer never runs: the embedding goes straight to the second, so the first never "
    "learns.",
    {"in self.layers:": "in self.layers[1:]:"},
)
ONLY_LAST_LAYER = Mistake(
    "Only the last layer runs: the embedding goes straight to it, so all other layers have no "
    "effect and never learn.",
    {"in self.layers:": "in self.layers[-1:]:"},
)
ONE_LAYER_TOO_FEW = Mistake(
    "There is one layer fewer than num_layer asks for, so the encoder is too small and the "
    "weights of a full one do not fit.",
    {"range(num_layer)": "range(1, num_layer)"},
)
ONE_LAYER_TOO_MANY = Mistake(
    "There is one layer more than num_layer asks for, so the encoder is too large and weights "
    "for the right number do not fit.",
    {"range(num_layer)": "range(num_layer + 1)"},
)
SIX_LAYERS = Mistake(
    "There are always six layers, as in the paper, and num_layer is ignored, so no other size "
    "can be built.",
    {"range(num_layer)": "range(6)"},
)
UNUSED_EXTRA_LAYER = Mistake(
    "One layer more is made than ever runs. Its parameters get no gradient, never learn and "
    "only take up space.",
    {"range(num_layer)": "range(num_layer + 1)", "in self.layers:": "in self.layers[:-1]:"},
)
STACK_TWICE = Mistake(
    "The whole stack runs twice, so every layer has to serve two different inputs. Each layer "
    "should run once.",
    {"for layer in self.layers:": "for layer in [*self.layers, *self.layers]:"},
)
LAST_LAYER_TWICE = Mistake(
    "The last layer runs twice, the second time on its own output. Each layer should run once.",
    {"return x": "return self.layers[-1](x, src_mask)"},
)
MASK_FOR_FIRST_ONLY = Mistake(
    "The mask does not reach every layer of the stack. In the others padding is read like "
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
    "Only the last layer gets the mask. In the layers before it padding is read like words, "
    "and hiding it at the end comes too late.",
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
    "The mask is accepted but handed to no layer, so padding is read like words everywhere and "
    "changes the result.",
    {"layer(x, src_mask)": "layer(x)"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
MASK_INVERTED = Mistake(
    "The mask is inverted: exactly the words that should be hidden are read, and those that "
    "should be read are hidden.",
    {"layer(x, src_mask)": "layer(x, None if src_mask is None else src_mask == 0)"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASK_MADE_INSIDE = Mistake(
    "A mask is made here from the tokens and the given one is ignored, so the caller can "
    "neither use another padding token nor hide anything else.",
    {
        "x = self.embedding(src)": """\
src_mask = (src != 0)[:, None, None, :]
        x = self.embedding(src)"""
    },
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "All sentences get the mask of the first, so longer ones lose words and shorter ones read "
    "their padding.",
    {"layer(x, src_mask)": "layer(x, None if src_mask is None else src_mask[:1])"},
)
ALWAYS_CAUSAL = Mistake(
    "Later words are hidden from earlier ones. The source is known as a whole, so each of its "
    "words may look in both directions.",
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
    "There is a normalisation with its own parameters after the stack. A pre-norm stack needs "
    "one; this stack already ends in one.",
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
    "The result is normalised once more after the stack, without parameters, which undoes part "
    "of what the last layer's gamma and beta have learned.",
    {"return x": "return nn.functional.layer_norm(x, x.shape[-1:])"},
    seen="lucidrains/reformer-pytorch#124",
)
POSITIONS_IN_EVERY_LAYER = Mistake(
    "The positions are added again before every layer instead of only once in the embedding, "
    "so they count too much beside the words.",
    {
        "x = layer(x, src_mask)": """\
x = layer(x + self.embedding.positional_embedding(src), src_mask)"""
    },
)
NO_POSITIONS = Mistake(
    "Only the words are embedded and their positions are left out, so the encoder cannot see "
    "the order of the words.",
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
    "The embedding, positions included, is multiplied by the root of dim_vector. This course "
    "leaves that factor out, so the layers read numbers that are too large.",
    {
        "x = self.embedding(src)": """\
x = self.embedding(src)
        x = x * x.size(-1) ** 0.5"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
SHORTCUT_AROUND_STACK = Mistake(
    "The embedding is added to the result of the whole stack, so the output is no longer "
    "normalised. The shortcuts are inside the layers.",
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
    "The results of all layers are added up instead of only the last being handed back, so the "
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
    "The results of all layers are handed back in a list. The decoder reads a single tensor, "
    "the result of the last layer.",
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
    "The words are averaged to one vector for the sentence, so the decoder can no longer "
    "attend to single words.",
    {"return x": "return x.mean(dim=1)"},
)
RETURNS_MASK_TOO = Mistake(
    "The mask is handed back beside the result. Whatever follows the encoder expects a single "
    "tensor and fails on a pair.",
    {"return x": "return x, src_mask"},
)
DROPOUT_NOT_TO_EMBEDDING = Mistake(
    "The given share to drop never reaches the embedding, which drops its own default, "
    "whatever was asked for.",
    {"max_len, dropout, padding_idx)": "max_len, padding_idx=padding_idx)"},
)
DROPOUT_NOT_TO_LAYERS = Mistake(
    "The given share to drop never reaches the layers, which drop their own default, whatever "
    "was asked for.",
    {"n_head, dim_hidden, dropout)": "n_head, dim_hidden)"},
)
PADDING_TAKEN_AS_DROPOUT = Mistake(
    "The embedding gets padding_idx where the share to drop belongs, so the number of a token "
    "decides how much is dropped in training.",
    {"max_len, dropout, padding_idx)": "max_len, float(padding_idx or 0))"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "The default of dropout is 0 instead of 0.1, so a caller who gives no share gets no "
    "dropout at all.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_FIXED = Mistake(
    "The share to drop is a fixed number in the code, for the embedding and all layers, so the "
    "share that the caller gives has no effect.",
    {
        """\
self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)""": """\
dropout = 0.1
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)"""
    },
)
EMBEDDING_DROPPED_TWICE = Mistake(
    "The embedding is dropped from twice, inside it and once more after it, so more is lost "
    "than the given share.",
    {"x = self.embedding(src)": "x = self.embedding.dropout(self.embedding(src))"},
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout acts once more on the result of the stack, so in training it makes holes in the "
    "finished vectors.",
    {"return x": "return self.embedding.dropout(x)"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "A dropout on the embedding stays on in evaluation, so the trained model gives another "
    "answer at every call.",
    {"x = self.embedding(src)": "x = nn.functional.dropout(self.embedding(src), 0.1)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
LAYER_DROP = Mistake(
    "In training whole layers are skipped now and then, and a skipped layer learns nothing. "
    "Only single numbers are dropped here.",
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
    "Token 0 is treated as padding although no padding_idx was given. Where it is a word, its "
    "vector stays zero and never learns.",
    {"max_len, dropout, padding_idx)": "max_len, dropout, 0)"},
)
MAX_LEN_IGNORED = Mistake(
    "The embedding is built for another length than max_len, so the limit for long sentences is "
    "not the one that was asked for.",
    {"dim_vector, max_len, dropout, padding_idx)": ("dim_vector, 512, dropout, padding_idx)")},
)
VOCABULARY_FOR_MAX_LEN = Mistake(
    "vocab_size and max_len change places on the way to the embedding, so the table of tokens "
    "has as many rows as the longest sentence, and the other the reverse.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len,": """\
TransformerEmbedding(max_len, dim_vector, vocab_size,"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
HEADS_AND_HIDDEN_SWAPPED = Mistake(
    "n_head and dim_hidden change places on the way to the layers, so the vectors are cut into "
    "dim_hidden heads and the inner width is n_head.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, dim_hidden, n_head, dropout)"""
    },
)
DROPOUT_AND_HIDDEN_SWAPPED = Mistake(
    "The layers get dim_hidden and the share to drop in the wrong order. A width is no share "
    "and 0.1 is no width, so they cannot be built.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, n_head, dropout, dim_hidden)"""
    },
)
HEADS_IGNORED = Mistake(
    "The layers are always built with one head and n_head is ignored, so a word can weigh the "
    "others in one way only.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, 1, dim_hidden, dropout)"""
    },
)
HEADS_FROM_LAYERS = Mistake(
    "The layers get num_layer where n_head belongs, so the vectors are cut into the wrong "
    "number of heads or cannot be cut at all.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, num_layer, dim_hidden, dropout)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The hidden width of the layers is always four times dim_vector, and dim_hidden is "
    "ignored. That is the paper's ratio, but the caller may ask for another.",
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
    "The gradient stops in front of every layer, so only the last one learns; the other layers "
    "and the embedding keep their start values.",
    {"layer(x, src_mask)": "layer(x.detach(), src_mask)"},
)
TOKENS_CHANGED_IN_PLACE = Mistake(
    "The caller's tokens are overwritten, so whoever uses them after the encoder, to make a "
    "mask for example, reads wrong tokens.",
    {"return x": ("src.zero_()\n        return x")},
    seen="jcyk/copyisallyouneed#6",
)
MASK_CHANGED_IN_PLACE = Mistake(
    "The caller's mask is overwritten, so the decoder, which needs the same mask later, hides "
    "the wrong words.",
    {
        "return x": """\
if src_mask is not None:
            src_mask.fill_(0)
        return x"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TOKEN_EMBEDDING_ONLY = Mistake(
    "A plain token embedding stands where the layer of step 1.3 belongs, so the positions and "
    "the dropout are missing and the order of the words is invisible.",
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
    "The output is always turned into single precision, so a module in double or half "
    "precision passes on the wrong type.",
    {"return x": "return x.float()"},
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {"return x": "return x.squeeze()"},
)
EMBEDDING_FROZEN = Mistake(
    "The embedding is told not to learn, so the vectors of the words keep their random start "
    "values for ever.",
    {
        "max_len, dropout, padding_idx)": """\
max_len, dropout, padding_idx).requires_grad_(False)"""
    },
)
FIRST_LAYER_FROZEN = Mistake(
    "The first layer is told not to learn, so it keeps its random start values for ever.",
    {
        "        # Embed the tokens,": """\
        self.layers[0].requires_grad_(False)
        # Embed the tokens,"""
    },
)
FIRST_LAYER_AGAIN_AND_AGAIN = Mistake(
    "The first layer is called in every round, so the other layers are never used and never learn.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for _ in self.layers:
            x = self.layers[0](x, src_mask)"""
    },
)
EMBEDDING_ADDED_BEFORE_EACH_LAYER = Mistake(
    "The embedding is added again before every layer. It comes in once, at the bottom; the "
    "shortcuts carry it on.",
    {
        "x = self.embedding(src)\n": """\
embedded = self.embedding(src)
        x = 0 * embedded
""",
        "x = layer(x, src_mask)": "x = layer(x + embedded, src_mask)",
    },
)
EVALUATION_IN_FORWARD = Mistake(
    "The encoder switches itself to evaluation at every call, so nothing is ever dropped in "
    "training.",
    {
        "x = self.embedding(src)": """\
self.eval()
        x = self.embedding(src)"""
    },
)
WIDTH_AND_LENGTH_SWAPPED = Mistake(
    "max_len and dim_vector change places on the way to the embedding, so its vectors are as "
    "wide as the longest sentence.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout": """\
TransformerEmbedding(vocab_size, max_len, dim_vector, dropout"""
    },
)
RETURNS_EVERY_LAYER = Mistake(
    "The results of all layers come back as a list. Whoever calls the encoder expects the last "
    "one.",
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
    "Without an argument another share than 0.1 is dropped. The default is a tenth, as in the "
    "paper.",
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
    "The average of all layers' results is handed back. Each layer builds on the one before, "
    "and the last one's result is the answer.",
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
    "The layers get tokens first and sentences second, so the attention runs across the "
    "sentences of the batch.",
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
    "The mask does not reach the layers after the second. There padding is read like words and "
    "changes the result.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for n, layer in enumerate(self.layers):
            x = layer(x, src_mask if n < 2 else None)"""
    },
)
MASK_MADE_IF_NONE_COMES = Mistake(
    "Where no mask comes, one is made here from padding_idx. A caller who hides nothing means "
    "nothing to be hidden.",
    {
        "x = self.embedding(src)": """\
if src_mask is None and self.embedding.token_embedding.embedding.padding_idx is not None:
            padding = self.embedding.token_embedding.embedding.padding_idx
            src_mask = (src != padding)[:, None, None, :]
        x = self.embedding(src)"""
    },
)
