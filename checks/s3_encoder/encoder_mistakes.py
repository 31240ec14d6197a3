"""What people get wrong in s3_encoder/encoder.py."""

from checks.machine.known import Mistake

SAME_LAYER_REPEATED = Mistake(
    "The list holds one layer many times over, not many layers: all share their weights and "
    "can never differ.",
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
    "A single layer is applied again and again; every layer has numbers of its own.",
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
    "The list holds one layer many times over, not many layers: all share their weights and "
    "can never differ.",
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
    "trained nor saved nor moved.",
    {
        """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = [EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding, so only the last one counts; each must receive what the "
    "one before produced.",
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
    "embedding comes back as it was.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": "pass"
    },
)
RESULT_DROPPED = Mistake(
    "The layers have no effect: they are not called, or their results are thrown away. The "
    "embedding comes back as it was.",
    {"x = layer(x, src_mask)": "layer(x, src_mask)"},
)
RETURNS_IN_THE_LOOP = Mistake(
    "The function returns inside the loop, so only the first layer runs.",
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
    "The last layer never runs.",
    {"in self.layers:": "in self.layers[:-1]:"},
)
FIRST_LAYER_SKIPPED = Mistake(
    "The first layer never runs.",
    {"in self.layers:": "in self.layers[1:]:"},
)
ONLY_LAST_LAYER = Mistake(
    "Only the last layer runs.",
    {"in self.layers:": "in self.layers[-1:]:"},
)
ONE_LAYER_TOO_FEW = Mistake(
    "There is one layer less than asked for.",
    {"range(num_layer)": "range(1, num_layer)"},
)
ONE_LAYER_TOO_MANY = Mistake(
    "There is one layer more than asked for.",
    {"range(num_layer)": "range(num_layer + 1)"},
)
SIX_LAYERS = Mistake(
    "There are always six layers, as in the paper; the number is to be given.",
    {"range(num_layer)": "range(6)"},
)
UNUSED_EXTRA_LAYER = Mistake(
    "One layer more is made than runs, so its parameters never learn.",
    {"range(num_layer)": "range(num_layer + 1)", "in self.layers:": "in self.layers[:-1]:"},
)
STACK_TWICE = Mistake(
    "The whole stack runs twice.",
    {"for layer in self.layers:": "for layer in [*self.layers, *self.layers]:"},
)
LAST_LAYER_TWICE = Mistake(
    "The last layer runs twice.",
    {"return x": "return self.layers[-1](x, src_mask)"},
)
MASK_FOR_FIRST_ONLY = Mistake(
    "The mask does not reach every layer, so in the others padding is looked at like a word.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for n, layer in enumerate(self.layers):
            x = layer(x, src_mask if n == 0 else None)"""
    },
)
MASK_FOR_LAST_ONLY = Mistake(
    "The mask is used in the last layer only; padding has to be hidden in every layer.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for layer in self.layers:
            x = layer(x, src_mask if layer is self.layers[-1] else None)"""
    },
)
MASK_NOT_FOR_LAST = Mistake(
    "The mask does not reach every layer, so in the others padding is looked at like a word.",
    {
        """\
for layer in self.layers:
            x = layer(x, src_mask)""": """\
for layer in self.layers:
            x = layer(x, None if layer is self.layers[-1] else src_mask)"""
    },
)
MASK_IGNORED = Mistake(
    "The mask is accepted but handed to no layer.",
    {"layer(x, src_mask)": "layer(x)"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
MASK_INVERTED = Mistake(
    "The mask is inverted, so exactly the hidden words are read.",
    {"layer(x, src_mask)": "layer(x, None if src_mask is None else src_mask == 0)"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASK_MADE_INSIDE = Mistake(
    "A mask is made here from the tokens and the given one is ignored.",
    {
        "x = self.embedding(src)": """\
src_mask = (src != 0)[:, None, None, :]
        x = self.embedding(src)"""
    },
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "All sentences get the mask of the first.",
    {"layer(x, src_mask)": "layer(x, None if src_mask is None else src_mask[:1])"},
)
ALWAYS_CAUSAL = Mistake(
    "Later words are hidden from earlier ones. The source may be read in both directions.",
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
    "There is a normalisation after the stack. A pre-norm stack needs one; this stack already "
    "ends in one.",
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
    "The embedding is normalised before the first layer; there is no normalisation there.",
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
    "The result is normalised once more after the stack.",
    {"return x": "return nn.functional.layer_norm(x, x.shape[-1:])"},
    seen="lucidrains/reformer-pytorch#124",
)
POSITIONS_IN_EVERY_LAYER = Mistake(
    "The positions are added again in every layer; they are added once, at the bottom.",
    {
        "x = layer(x, src_mask)": """\
x = layer(x + self.embedding.positional_embedding(src), src_mask)"""
    },
)
NO_POSITIONS = Mistake(
    "Only the words are embedded, so the encoder cannot see their order.",
    {
        "x = self.embedding(src)": """\
x = self.embedding.dropout(self.embedding.token_embedding(src))"""
    },
)
POSITIONS_TWICE = Mistake(
    "The positions are added a second time after the embedding.",
    {
        "x = self.embedding(src)": """\
x = self.embedding(src) + self.embedding.positional_embedding(src)"""
    },
)
ROOT_OF_WIDTH = Mistake(
    "The embedding is multiplied by the root of the width; this course leaves that factor out.",
    {
        "x = self.embedding(src)": """\
x = self.embedding(src)
        x = x * x.size(-1) ** 0.5"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
SHORTCUT_AROUND_STACK = Mistake(
    "The embedding is added to the result of the whole stack; the shortcuts are inside the layers.",
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
    "The results of all layers are added up; the result of the last is asked for.",
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
    "The results of all layers are handed back in a list; only the last is asked for.",
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
    "The words are averaged to one vector for the sentence; every word keeps its own.",
    {"return x": "return x.mean(dim=1)"},
)
RETURNS_MASK_TOO = Mistake(
    "The mask is handed back beside the result.",
    {"return x": "return x, src_mask"},
)
DROPOUT_NOT_TO_EMBEDDING = Mistake(
    "The share to drop never reaches the embedding, which falls back on its own default.",
    {"max_len, dropout, padding_idx)": "max_len, padding_idx=padding_idx)"},
)
DROPOUT_NOT_TO_LAYERS = Mistake(
    "The share to drop never reaches the layers, which fall back on their own default.",
    {"n_head, dim_hidden, dropout)": "n_head, dim_hidden)"},
)
PADDING_TAKEN_AS_DROPOUT = Mistake(
    "The padding token is handed to the embedding where the share to drop belongs.",
    {"max_len, dropout, padding_idx)": "max_len, float(padding_idx or 0))"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "Unless a share is given nothing is dropped; one tenth is the default.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_FIXED = Mistake(
    "The share to drop is written into the code; the given one is ignored.",
    {
        """\
self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)""": """\
dropout = 0.1
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)"""
    },
)
EMBEDDING_DROPPED_TWICE = Mistake(
    "The embedding is dropped from twice.",
    {"x = self.embedding(src)": "x = self.embedding.dropout(self.embedding(src))"},
)
DROPOUT_ON_OUTPUT = Mistake(
    "The result of the stack is dropped from once more.",
    {"return x": "return self.embedding.dropout(x)"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "The embedding is dropped from even in evaluation.",
    {"x = self.embedding(src)": "x = nn.functional.dropout(self.embedding(src), 0.1)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
LAYER_DROP = Mistake(
    "In training whole layers are skipped now and then; only single numbers are dropped here.",
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
    "Token 0 is always frozen as padding, whatever padding token is given.",
    {"max_len, dropout, padding_idx)": "max_len, dropout, 0)"},
)
MAX_LEN_IGNORED = Mistake(
    "The embedding has a fixed length, so the given max_len is not the limit.",
    {"dim_vector, max_len, dropout, padding_idx)": ("dim_vector, 512, dropout, padding_idx)")},
)
VOCABULARY_FOR_MAX_LEN = Mistake(
    "The size of the vocabulary and the greatest length are handed over in the wrong order.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len,": """\
TransformerEmbedding(max_len, dim_vector, vocab_size,"""
    },
    seen="jadore801120/attention-is-all-you-need-pytorch#1",
)
HEADS_AND_HIDDEN_SWAPPED = Mistake(
    "The number of heads and the hidden width are handed to the layers in the wrong order.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, dim_hidden, n_head, dropout)"""
    },
)
DROPOUT_AND_HIDDEN_SWAPPED = Mistake(
    "The hidden width and the share to drop are handed to the layers in the wrong order.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, n_head, dropout, dim_hidden)"""
    },
)
HEADS_IGNORED = Mistake(
    "The layers are built with one head, whatever number is given.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, 1, dim_hidden, dropout)"""
    },
)
HEADS_FROM_LAYERS = Mistake(
    "The number of layers is handed over where the number of heads belongs.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, num_layer, dim_hidden, dropout)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The layers are built with four times the width of the vectors as hidden width, whatever "
    "is given.",
    {
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
EncoderLayer(dim_vector, n_head, 4 * dim_vector, dropout)"""
    },
)
EMBEDDING_DETACHED = Mistake(
    "The embedding is cut off from the gradient, so the words never learn.",
    {"x = self.embedding(src)": "x = self.embedding(src).detach()"},
)
OUTPUT_DETACHED = Mistake(
    "The result is cut off from the gradient, so the encoder never learns.",
    {"return x": "return x.detach()"},
)
ONLY_LAST_LAYER_LEARNS = Mistake(
    "The gradient stops in front of every layer, so only the last one learns.",
    {"layer(x, src_mask)": "layer(x.detach(), src_mask)"},
)
TOKENS_CHANGED_IN_PLACE = Mistake(
    "The caller's tokens are overwritten on the way.",
    {"return x": ("src.zero_()\n        return x")},
    seen="jcyk/copyisallyouneed#6",
)
MASK_CHANGED_IN_PLACE = Mistake(
    "The caller's mask is overwritten on the way.",
    {
        "return x": """\
if src_mask is not None:
            src_mask.fill_(0)
        return x"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TOKEN_EMBEDDING_ONLY = Mistake(
    "The embedding is only that of the tokens; its sum with the positions is missing.",
    {
        """\
self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)""": """\
self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)"""
    },
)
OUTPUT_PROJECTED = Mistake(
    "There is a linear layer after the stack; the encoder ends with its last layer.",
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
    "The output is forced to single precision, whatever the precision of the module.",
    {"return x": "return x.float()"},
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {"return x": "return x.squeeze()"},
)
EMBEDDING_FROZEN = Mistake(
    "The words are told not to learn.",
    {
        "max_len, dropout, padding_idx)": """\
max_len, dropout, padding_idx).requires_grad_(False)"""
    },
)
FIRST_LAYER_FROZEN = Mistake(
    "The first layer is told not to learn.",
    {
        "        # Embed the tokens,": """\
        self.layers[0].requires_grad_(False)
        # Embed the tokens,"""
    },
)
