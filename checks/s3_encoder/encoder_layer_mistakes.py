"""What people get wrong in s3_encoder/encoder_layer.py."""

from checks.machine.known import Mistake

ONE_NORM_FOR_BOTH = Mistake(
    "Both sublayers use the first normalisation and the second is never used; each has its own "
    "scale and shift.",
    {"self.add_norm2(x, self": "self.add_norm1(x, self"},
)
ONE_NORM_SHARED = Mistake(
    "The two normalisations are one and the same layer; each sublayer has its own.",
    {"self.add_norm2 = AddNorm(dim_vector, dropout)": "self.add_norm2 = self.add_norm1"},
)
NORMS_SWAPPED = Mistake(
    "The two normalisations have changed places.",
    {
        "self.add_norm1(x, self": "self.add_normx(x, self",
        "self.add_norm2(x, self": "self.add_norm1(x, self",
        "self.add_normx(x, self": "self.add_norm2(x, self",
    },
)
STALE_SHORTCUT = Mistake(
    "The second shortcut starts at the layer's entrance; it must start after the first "
    "normalisation.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(entrance, self.feed_forward(x))""",
    },
)
FEED_FORWARD_READS_THE_ENTRANCE = Mistake(
    "The feed-forward network reads the layer's input instead of what the attention made of it.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(entrance))""",
    },
)
SUBLAYERS_SIDE_BY_SIDE = Mistake(
    "Both sublayers read the same input and are added together; the second has to read the "
    "result of the first.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.self_attention(x, x, x, src_mask)""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, attended + self.feed_forward(x))""",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
NO_SHORTCUTS = Mistake(
    "There is no shortcut around the sublayers: signal and gradient have to pass through "
    "everything.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1.layer_norm(attended)""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.layer_norm(self.add_norm2.dropout(self.feed_forward(x)))""",
    },
)
NO_FIRST_SHORTCUT = Mistake(
    "There is no shortcut around the attention.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1.layer_norm(attended)"""
    },
)
NO_SECOND_SHORTCUT = Mistake(
    "There is no shortcut around the feed-forward network.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.layer_norm(self.add_norm2.dropout(self.feed_forward(x)))"""
    },
)
MASK_IGNORED = Mistake(
    "The mask is accepted but never handed to the attention, so padding is read.",
    {"(x, x, x, src_mask)": "(x, x, x)"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
MASK_INVERTED = Mistake(
    "The mask is inverted, so exactly the hidden words are read.",
    {"(x, x, x, src_mask)": "(x, x, x, None if src_mask is None else src_mask == 0)"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "All sentences get the mask of the first.",
    {"(x, x, x, src_mask)": "(x, x, x, None if src_mask is None else src_mask[:1])"},
)
MASK_REDUCED_TO_KEYS = Mistake(
    "Only the first row of the mask is used for all words, so a mask that differs from word to "
    "word is misread.",
    {
        "(x, x, x, src_mask)": """\
(x, x, x, None if src_mask is None else src_mask[:, :, :1])"""
    },
)
ALWAYS_CAUSAL = Mistake(
    "Later words are hidden from earlier ones. The source may be read in both directions.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
causal = torch.ones(x.size(1), x.size(1), device=x.device).tril()
        src_mask = causal if src_mask is None else src_mask * causal
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
    },
)
MASK_REQUIRED = Mistake(
    "Without a mask the layer fails; no mask means that every word is visible.",
    {
        "(x, x, x, src_mask)": "(x, x, x, src_mask != 0)",
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask != 0))": """\
src_mask = src_mask.bool()
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
    },
)
PRE_NORM = Mistake(
    "This is pre-norm: the sublayer's input is normalised. It trains more easily and is used "
    "widely, but this course follows the paper, which normalises after the addition.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
y = self.add_norm1.layer_norm(x)
        x = x + self.add_norm1.dropout(self.self_attention(y, y, y, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.add_norm2.dropout(self.feed_forward(self.add_norm2.layer_norm(x)))""",
    },
)
FALSE_PRE_NORM = Mistake(
    "The stream itself is replaced by its normalised copy before each sublayer, and nothing is "
    "normalised afterwards.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm1.layer_norm(x)
        x = x + self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
x = self.add_norm2.layer_norm(x)
        return x + self.add_norm2.dropout(self.feed_forward(x))""",
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
NORM_BEFORE_ADD = Mistake(
    "Each sublayer's output is normalised and then added; the paper adds first.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = x + self.add_norm1.layer_norm(self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.add_norm2.layer_norm(self.feed_forward(x))""",
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
NO_SECOND_NORM = Mistake(
    "The second sum is not normalised; each sublayer is followed by a normalisation of its own.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.add_norm2.dropout(self.feed_forward(x))"""
    },
)
NO_FIRST_NORM = Mistake(
    "The first sum is not normalised; each sublayer is followed by a normalisation of its own.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = x + self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))"""
    },
)
DOUBLE_SHORTCUT_ATTENTION = Mistake(
    "The input is added twice around the attention.",
    {"self.add_norm1(x, self": "self.add_norm1(x, x + self"},
)
DOUBLE_SHORTCUT_FEED_FORWARD = Mistake(
    "The input is added twice around the feed-forward network.",
    {"self.add_norm2(x, self": "self.add_norm2(x, x + self"},
)
ORDER_SWAPPED = Mistake(
    "The feed-forward network comes first and the attention second; it is the other way round.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm2(x, self.feed_forward(x))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
ATTENTION_SKIPPED = Mistake(
    "The attention is made but never used, so words do not see each other.",
    {"x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": "pass"},
)
FEED_FORWARD_SKIPPED = Mistake(
    "The feed-forward network is made but never used.",
    {"return self.add_norm2(x, self.feed_forward(x))": "return x"},
)
ATTENTION_TWICE = Mistake(
    "The attention is applied twice.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))"""
    },
)
FEED_FORWARD_TWICE = Mistake(
    "The feed-forward network is applied twice.",
    {"self.feed_forward(x))": "self.feed_forward(self.feed_forward(x)))"},
)
VALUES_AVERAGED = Mistake(
    "Queries, keys and values do not all come from the same place: the values are the mean of "
    "the sentence.",
    {
        "(x, x, x, src_mask)": """\
(x, x, x.mean(dim=1, keepdim=True).expand_as(x), src_mask)"""
    },
)
KEYS_ARE_NORMALISED = Mistake(
    "Keys and values come from a normalised copy; in self-attention all three are the layer's "
    "input.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
y = self.add_norm1.layer_norm(x)
        x = self.add_norm1(x, self.self_attention(x, y, y, src_mask))"""
    },
)
WORDS_ATTEND_ACROSS_BATCH = Mistake(
    "Words and sentences have changed places, so words attend to other sentences.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
y = x.transpose(0, 1)
        x = self.add_norm1(x, self.self_attention(y, y, y).transpose(0, 1))"""
    },
)
CLOSING_NORM = Mistake(
    "There is a third normalisation at the end; the layer already ends in one.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": """\
self.add_norm2 = AddNorm(dim_vector, dropout)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.norm(self.add_norm2(x, self.feed_forward(x)))""",
    },
    seen="lucidrains/reformer-pytorch#124",
)
UNUSED_NORM = Mistake(
    "A third normalisation is made and never used; its parameters never learn.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": """\
self.add_norm2 = AddNorm(dim_vector, dropout)
        self.add_norm3 = AddNorm(dim_vector, dropout)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The feed-forward network is four times as wide as the vectors; it must have the given width.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, 4 * dim_vector, dropout)"""
    },
)
HIDDEN_WIDTH_IS_WIDTH = Mistake(
    "The feed-forward network is as wide as the vectors; it must have the given width.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dim_vector, dropout)"""
    },
)
WIDTHS_SWAPPED = Mistake(
    "Two widths are handed to the feed-forward network in the wrong order.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_hidden, dim_vector, dropout)"""
    },
)
HEADS_FOR_HIDDEN = Mistake(
    "The number of heads is handed over where the hidden width belongs.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, n_head, dropout)")},
)
DROPOUT_FOR_HIDDEN = Mistake(
    "The share to drop is handed over where the hidden width belongs.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dropout, dim_hidden)"""
    },
)
HEADS_IGNORED = Mistake(
    "The number of heads is not handed to the attention: it is one big attention.",
    {"MultiHeadAttention(dim_vector, n_head)": "MultiHeadAttention(dim_vector, 1)"},
)
HEADS_FIXED = Mistake(
    "The attention gets another number of heads than was asked for: a fixed number, or the "
    "width of one head in its place.",
    {"MultiHeadAttention(dim_vector, n_head)": "MultiHeadAttention(dim_vector, 2)"},
)
HEAD_WIDTH_FOR_HEADS = Mistake(
    "The attention gets another number of heads than was asked for: a fixed number, or the "
    "width of one head in its place.",
    {
        "MultiHeadAttention(dim_vector, n_head)": """\
MultiHeadAttention(dim_vector, dim_vector // n_head)"""
    },
)
DROPOUT_NOT_TO_FIRST_NORM = Mistake(
    "The share to drop never reaches the first add and norm, which falls back on its own default.",
    {"self.add_norm1 = AddNorm(dim_vector, dropout)": ("self.add_norm1 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_SECOND_NORM = Mistake(
    "The share to drop never reaches the second add and norm, which falls back on its own default.",
    {"self.add_norm2 = AddNorm(dim_vector, dropout)": ("self.add_norm2 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The share to drop never reaches the feed-forward network, which falls back on its own "
    "default.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)")},
)
DROPOUT_TO_NOBODY = Mistake(
    "The share to drop is accepted but never used: every part of the layer drops a tenth, "
    "whatever was asked for.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": ("self.add_norm1 = AddNorm(dim_vector)"),
        "self.add_norm2 = AddNorm(dim_vector, dropout)": ("self.add_norm2 = AddNorm(dim_vector)"),
        "FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)"),
    },
)
NO_DROPOUT = Mistake(
    "Dropout is switched off in every part of the layer.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
self.add_norm1 = AddNorm(dim_vector, 0.0)""",
        "self.add_norm2 = AddNorm(dim_vector, dropout)": """\
self.add_norm2 = AddNorm(dim_vector, 0.0)""",
        "FeedForward(dim_vector, dim_hidden, dropout)": (
            "FeedForward(dim_vector, dim_hidden, 0.0)"
        ),
    },
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "Unless a share is given nothing is dropped; one tenth is the default.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_FIXED = Mistake(
    "The share to drop is accepted but never used: every part of the layer drops a tenth, "
    "whatever was asked for.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
dropout = 0.1
        self.add_norm1 = AddNorm(dim_vector, dropout)"""
    },
)
KEEP_PROBABILITY = Mistake(
    "The number is handed down as the share to keep.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
dropout = 1 - dropout
        self.add_norm1 = AddNorm(dim_vector, dropout)"""
    },
)
DROPOUT_ON_OUTPUT = Mistake(
    "The output of the layer is dropped from once more, after the last normalisation.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.dropout(self.add_norm2(x, self.feed_forward(x)))"""
    },
)
DROPOUT_TWICE = Mistake(
    "The attention's output is dropped from twice.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1(x, attended)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "This form of dropout does not know about evaluation mode, so the finished model still "
    "drops at random.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, nn.functional.dropout(self.feed_forward(x), self.add_norm2.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
FIRST_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of the first add and norm are swapped: the sum is the same, but dropout "
    "now hits the shortcut instead of the attention.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm1(self.self_attention(x, x, x, src_mask), x)"""
    },
)
SECOND_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of the second add and norm are swapped: the sum is the same, but dropout "
    "now hits the shortcut instead of the feed-forward network.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(self.feed_forward(x), x)"""
    },
)
LAYER_DROP = Mistake(
    "In training the whole layer is skipped now and then; only single numbers are dropped here.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
if self.training and torch.rand(()) < 0.5:
            return x
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
    },
)
INPUT_DETACHED = Mistake(
    "The first shortcut is cut off from the gradient.",
    {"self.add_norm1(x, self": "self.add_norm1(x.detach(), self"},
)
MIDDLE_DETACHED = Mistake(
    "The first half of the layer is cut off from the gradient, so the attention never learns.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
x = x.detach()
        return self.add_norm2(x, self.feed_forward(x))"""
    },
)
ATTENTION_DETACHED = Mistake(
    "The attention is cut off from the gradient and never learns.",
    {
        "self.self_attention(x, x, x, src_mask)": """\
self.self_attention(x, x, x, src_mask).detach()"""
    },
)
KEYS_DETACHED = Mistake(
    "Keys and values are cut off from what made them, so earlier layers learn too little.",
    {"(x, x, x, src_mask)": "(x, x.detach(), x.detach(), src_mask)"},
)
INPUT_CHANGED_IN_PLACE = Mistake(
    "The sum is made in place and overwrites the caller's input.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
before = x
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
before.data.copy_(x.data)
        return self.add_norm2(x, self.feed_forward(x))""",
    },
    seen="jcyk/copyisallyouneed#6, microsoft/unilm#999",
)
PYTHON_LIST = Mistake(
    "The two add and norms sit in a plain Python list, where PyTorch does not look: they are "
    "neither trained nor saved nor moved.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
self.norms = [AddNorm(dim_vector, dropout), AddNorm(dim_vector, dropout)]""",
        "        self.add_norm2 = AddNorm(dim_vector, dropout)\n": "",
        "self.add_norm1(x, self": "self.norms[0](x, self",
        "self.add_norm2(x, self": "self.norms[1](x, self",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
ATTENTION_AS_FUNCTION = Mistake(
    "A new attention with new random numbers is made at every call, so nothing can be learned.",
    {
        "self.self_attention = MultiHeadAttention(dim_vector, n_head)": (
            "self.sizes = (dim_vector, n_head)"
        ),
        "self.self_attention(x": "MultiHeadAttention(*self.sizes)(x",
    },
)
RETURNS_A_PAIR = Mistake(
    "The attention weights are handed back beside the output; only the output is asked for.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(x)), self.self_attention.attention_weights"""
    },
)
NO_SECOND_SHORTCUT_AND_NORM = Mistake(
    "The output of the feed-forward network is handed back as it is, without add and norm.",
    {"return self.add_norm2(x, self.feed_forward(x))": "return self.feed_forward(x)"},
)
FLOAT32_ONLY = Mistake(
    "The output is forced to single precision, whatever the precision of the module.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(x)).float()"""
    },
)
SCALED_SHORTCUT = Mistake(
    "The sum around the feed-forward network is taken at half the size of the network's output.",
    {
        "self.add_norm2(x, self.feed_forward(x))": """\
self.add_norm2(x, self.feed_forward(x) * 0.5)"""
    },
)
LAST_RESULT_CACHED = Mistake(
    "The result of the first call is kept and handed back for every later one of the same shape.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
cached = getattr(self, "cached", None)
        if cached is not None and cached.shape == x.shape and not self.training:
            return cached
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
self.cached = self.add_norm2(x, self.feed_forward(x))
        return self.cached""",
    },
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(x)).squeeze()"""
    },
)
