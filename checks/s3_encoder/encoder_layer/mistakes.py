"""What people get wrong in s3_encoder/encoder_layer.py."""

from checks.engine.known import Mistake

ONE_NORM_FOR_BOTH = Mistake(
    "Both sublayers use add_norm1, so they share one gamma and beta. The other one, add_norm2, is "
    "never used and never learns.",
    {"self.add_norm2(x, self": "self.add_norm1(x, self"},
)
ONE_NORM_SHARED = Mistake(
    "The names add_norm1 and add_norm2 stand for the same layer. So the two sublayers cannot have "
    "a gamma and beta of their own.",
    {"self.add_norm2 = AddNorm(dim_vector, dropout)": "self.add_norm2 = self.add_norm1"},
)
NORMS_SWAPPED = Mistake(
    "The layers add_norm1 and add_norm2 are swapped. A new model gives the same results, but "
    "loaded weights are then used in the wrong place.",
    {
        "self.add_norm1(x, self": "self.add_normx(x, self",
        "self.add_norm2(x, self": "self.add_norm1(x, self",
        "self.add_normx(x, self": "self.add_norm2(x, self",
    },
)
STALE_SHORTCUT = Mistake(
    "The second residual connection starts at the layer's input instead of after add_norm1. The "
    "attention's result then reaches the output only through the feed-forward network.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(entrance, self.feed_forward(x))""",
    },
)
FEED_FORWARD_READS_THE_ENTRANCE = Mistake(
    "The feed-forward network reads the layer's input instead of the result of add_norm1. So it "
    "never sees the attention's result.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(entrance))""",
    },
)
SUBLAYERS_SIDE_BY_SIDE = Mistake(
    "Both sublayers read the layer's input, and their outputs are added together. The "
    "feed-forward network then works without the attention's result, and add_norm1 is not used.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.self_attention(x, x, x, src_mask)""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, attended + self.feed_forward(x))""",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
NO_SHORTCUTS = Mistake(
    "Neither sublayer has a residual connection. Signal and gradient have to pass through every "
    "sublayer, which makes a deep stack hard to train.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1.layer_norm(attended)""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.layer_norm(self.add_norm2.dropout(self.feed_forward(x)))""",
    },
)
NO_FIRST_SHORTCUT = Mistake(
    "There is no residual connection around the attention. A word's own content is kept only as "
    "far as the attention passes it on.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1.layer_norm(attended)"""
    },
)
NO_SECOND_SHORTCUT = Mistake(
    "There is no residual connection around the feed-forward network. Its input is lost unless "
    "the network passes it on.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.layer_norm(self.add_norm2.dropout(self.feed_forward(x)))"""
    },
)
MASK_IGNORED = Mistake(
    "The mask is accepted but not passed to the attention. So padding is read like words and "
    "changes the result.",
    {"(x, x, x, src_mask)": "(x, x, x)"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
MASK_INVERTED = Mistake(
    "The mask is inverted. Masked words are read, and all others are not.",
    {"(x, x, x, src_mask)": "(x, x, x, None if src_mask is None else src_mask == 0)"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "All sentences get the mask of the first one. Longer sentences then lose words, and shorter "
    "ones read their padding.",
    {"(x, x, x, src_mask)": "(x, x, x, None if src_mask is None else src_mask[:1])"},
)
MASK_REDUCED_TO_KEYS = Mistake(
    "Only the first row of the mask is used, for all words. A padding mask still works, but a "
    "mask that differs from word to word does not.",
    {
        "(x, x, x, src_mask)": """\
(x, x, x, None if src_mask is None else src_mask[:, :, :1])"""
    },
)
ALWAYS_CAUSAL = Mistake(
    "Later words are hidden from earlier ones. The whole source is known, so each of its words "
    "may attend in both directions.",
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
    "The layer fails when it is called without a mask. No mask means that every word is visible.",
    {
        "(x, x, x, src_mask)": "(x, x, x, src_mask != 0)",
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask != 0))": """\
src_mask = src_mask.bool()
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
    },
)
PRE_NORM = Mistake(
    "This is pre-norm: each sublayer's input is normalised. It is widely used and trains more "
    "easily, but this course follows the paper, which normalises after the addition.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
y = self.add_norm1.layer_norm(x)
        x = x + self.add_norm1.dropout(self.self_attention(y, y, y, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.add_norm2.dropout(self.feed_forward(self.add_norm2.layer_norm(x)))""",
    },
)
FALSE_PRE_NORM = Mistake(
    "The input is normalised before each sublayer, and the residual connection carries this "
    "normalised copy. Pre-norm adds the input unchanged, and the paper normalises after the "
    "addition.",
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
    "You normalise each sublayer's output, then add, so the sums can grow from layer to layer. "
    "The paper adds first and normalises the sum.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = x + self.add_norm1.layer_norm(self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.add_norm2.layer_norm(self.feed_forward(x))""",
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
NO_SECOND_NORM = Mistake(
    "The sum after the feed-forward network is not normalised. The layer's output can then have "
    "any size and can grow from layer to layer.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.add_norm2.dropout(self.feed_forward(x))"""
    },
)
NO_FIRST_NORM = Mistake(
    "The sum after the attention is not normalised. The feed-forward network then has to read "
    "values of any size.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = x + self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))"""
    },
)
DOUBLE_SHORTCUT_ATTENTION = Mistake(
    "The input is added twice around the attention, so the attention's output counts too little. "
    "The input is already added once inside add_norm1.",
    {"self.add_norm1(x, self": "self.add_norm1(x, x + self"},
)
DOUBLE_SHORTCUT_FEED_FORWARD = Mistake(
    "The input of the feed-forward network is added twice, so the network's output counts too "
    "little. The input is already added once inside add_norm2.",
    {"self.add_norm2(x, self": "self.add_norm2(x, x + self"},
)
ORDER_SWAPPED = Mistake(
    "The feed-forward network comes before the attention, so it works on each word before the "
    "word has seen the others. The paper has the other order.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm2(x, self.feed_forward(x))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
ATTENTION_SKIPPED = Mistake(
    "Nothing uses what the attention gives. The words do not see each other, and the attention "
    "never learns.",
    {"x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": "pass"},
)
FEED_FORWARD_SKIPPED = Mistake(
    "Nothing uses what the feed-forward network gives. It never learns, and the layer ends after "
    "the attention.",
    {"return self.add_norm2(x, self.feed_forward(x))": "return x"},
)
ATTENTION_TWICE = Mistake(
    "The attention and its add and norm run twice in a row with the same weights. Each layer has "
    "only one attention.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))"""
    },
)
FEED_FORWARD_TWICE = Mistake(
    "The feed-forward network is applied again, to its own output. So its weights have to work on "
    "two kinds of input.",
    {"self.feed_forward(x))": "self.feed_forward(self.feed_forward(x)))"},
)
VALUES_AVERAGED = Mistake(
    "The values are the mean of the sentence instead of the words themselves. Every word gets the "
    "same result, so it does not matter what it attends to.",
    {
        "(x, x, x, src_mask)": """\
(x, x, x.mean(dim=1, keepdim=True).expand_as(x), src_mask)"""
    },
)
KEYS_ARE_NORMALISED = Mistake(
    "Keys and values are made from a normalised copy, but queries from the input itself. In "
    "self-attention all three are made from the same vectors.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
y = self.add_norm1.layer_norm(x)
        x = self.add_norm1(x, self.self_attention(x, y, y, src_mask))"""
    },
)
WORDS_ATTEND_ACROSS_BATCH = Mistake(
    "Words and sentences are swapped for the attention. A word then attends to other sentences of "
    "the batch instead of its own.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
y = x.transpose(0, 1)
        x = self.add_norm1(x, self.self_attention(y, y, y).transpose(0, 1))"""
    },
)
CLOSING_NORM = Mistake(
    "There is a third normalisation at the end, but the layer already ends in one. The third one "
    "removes a part of what add_norm2 did.",
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
    "A third add and norm is made but never used. Its parameters get no gradient, never learn "
    "and only take up space.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": """\
self.add_norm2 = AddNorm(dim_vector, dropout)
        self.add_norm3 = AddNorm(dim_vector, dropout)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The given dim_hidden is ignored: the feed-forward network is always four times as wide as "
    "the vectors. The paper has that ratio, but the caller may want another.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, 4 * dim_vector, dropout)"""
    },
)
HIDDEN_WIDTH_IS_WIDTH = Mistake(
    "The feed-forward network is only as wide as the vectors, and dim_hidden is ignored. So it "
    "does not have the given width.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dim_vector, dropout)"""
    },
)
WIDTHS_SWAPPED = Mistake(
    "The feed-forward network gets dim_vector and dim_hidden in the wrong order. So it expects "
    "vectors of another width, and the input does not fit.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_hidden, dim_vector, dropout)"""
    },
)
HEADS_FOR_HIDDEN = Mistake(
    "The feed-forward network gets n_head in the place of dim_hidden. So it has only n_head "
    "features inside.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, n_head, dropout)")},
)
DROPOUT_FOR_HIDDEN = Mistake(
    "The feed-forward network gets dim_hidden and dropout in the wrong order. A probability such "
    "as 0.1 is not a width, so the network cannot be built.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dropout, dim_hidden)"""
    },
)
HEADS_IGNORED = Mistake(
    "The attention is always built with one head, and n_head is ignored. So a word can attend to "
    "the others in one way only.",
    {"MultiHeadAttention(dim_vector, n_head)": "MultiHeadAttention(dim_vector, 1)"},
)
HEADS_FIXED = Mistake(
    "The attention gets another number of heads than n_head: a fixed number, or the width of "
    "one head. The vectors are then cut into the wrong parts.",
    {"MultiHeadAttention(dim_vector, n_head)": "MultiHeadAttention(dim_vector, 2)"},
)
HEAD_WIDTH_FOR_HEADS = Mistake(
    HEADS_FIXED.says,
    {
        "MultiHeadAttention(dim_vector, n_head)": """\
MultiHeadAttention(dim_vector, dim_vector // n_head)"""
    },
)
DROPOUT_NOT_TO_FIRST_NORM = Mistake(
    "The given dropout is not passed to add_norm1. Its own default is used on the attention's "
    "output.",
    {"self.add_norm1 = AddNorm(dim_vector, dropout)": ("self.add_norm1 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_SECOND_NORM = Mistake(
    "The given dropout is not passed to add_norm2. Its own default is used on the feed-forward "
    "network's output.",
    {"self.add_norm2 = AddNorm(dim_vector, dropout)": ("self.add_norm2 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_NORMS = Mistake(
    "The given dropout is not passed to the add and norms. They use their own default on the "
    "output of both sublayers.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": "self.add_norm1 = AddNorm(dim_vector)",
        "self.add_norm2 = AddNorm(dim_vector, dropout)": "self.add_norm2 = AddNorm(dim_vector)",
    },
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The given dropout is not passed to the feed-forward network. The network uses its own "
    "default on its hidden features.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)")},
)
DROPOUT_TO_NOBODY = Mistake(
    "The given dropout is accepted but never used. Every part of the layer uses 0.1 instead.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": ("self.add_norm1 = AddNorm(dim_vector)"),
        "self.add_norm2 = AddNorm(dim_vector, dropout)": ("self.add_norm2 = AddNorm(dim_vector)"),
        "FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)"),
    },
)
NO_DROPOUT = Mistake(
    "Dropout is switched off in every part of the layer, and the given dropout has no effect. So "
    "the model overfits more easily.",
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
    "The default of dropout is 0 instead of 0.1. If the caller gives no dropout, nothing is "
    "dropped.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_FIXED = Mistake(
    DROPOUT_TO_NOBODY.says,
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
dropout = 0.1
        self.add_norm1 = AddNorm(dim_vector, dropout)"""
    },
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is passed on as the probability to keep an entry. With the usual 0.1, "
    "every part of the layer drops nine tenths.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
dropout = 1 - dropout
        self.add_norm1 = AddNorm(dim_vector, dropout)"""
    },
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout is applied once more after add_norm2. In training it sets entries of the finished "
    "output to 0, including those of the residual connection.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.dropout(self.add_norm2(x, self.feed_forward(x)))"""
    },
)
DROPOUT_TWICE = Mistake(
    "Dropout is applied to the attention's output twice, before add_norm1 and inside it. So more "
    "entries are dropped than the given probability says.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1(x, attended)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "A dropout on the feed-forward network's output stays on in eval mode. The trained "
    "model then gives another answer at every call.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, nn.functional.dropout(self.feed_forward(x), self.add_norm2.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
FIRST_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of add_norm1 are swapped. The sum is the same, but in training dropout now "
    "acts on the residual connection instead of the attention's output.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm1(self.self_attention(x, x, x, src_mask), x)"""
    },
)
SECOND_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of add_norm2 are swapped. The sum is the same, but in training dropout now "
    "acts on the residual connection instead of the feed-forward network's output.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(self.feed_forward(x), x)"""
    },
)
LAYER_DROP = Mistake(
    "In training the whole layer is sometimes skipped, and a skipped layer learns nothing. "
    "Dropout should drop only single entries.",
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
    "The residual connection around the attention is cut off from the gradient. Earlier layers "
    "then learn only through the attention itself.",
    {"self.add_norm1(x, self": "self.add_norm1(x.detach(), self"},
)
MIDDLE_DETACHED = Mistake(
    "The result of add_norm1 is cut off from the gradient, so neither the attention nor "
    "anything before it learns.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
x = x.detach()
        return self.add_norm2(x, self.feed_forward(x))"""
    },
)
ATTENTION_DETACHED = Mistake(
    "The attention's output is cut off from the gradient. The attention never learns, and earlier "
    "layers learn only through the residual connection.",
    {
        "self.self_attention(x, x, x, src_mask)": """\
self.self_attention(x, x, x, src_mask).detach()"""
    },
)
KEYS_DETACHED = Mistake(
    "No gradient flows through keys and values back to the layer's input. Earlier layers then "
    "learn only through the queries and the residual connection.",
    {"(x, x, x, src_mask)": "(x, x.detach(), x.detach(), src_mask)"},
)
INPUT_CHANGED_IN_PLACE = Mistake(
    "One of the layer's results is written into the caller's input. Later code that uses that "
    "tensor reads changed values.",
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
    "The two add and norms are in a plain list, tuple or dictionary, where PyTorch does not look "
    "for layers. So they are not trained, not saved, and not moved with the module.",
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
    "A new attention with new random weights is made at every call. So it never learns, and the "
    "same input gives another output each time.",
    {
        "self.self_attention = MultiHeadAttention(dim_vector, n_head)": (
            "self.sizes = (dim_vector, n_head)"
        ),
        "self.self_attention(x": "MultiHeadAttention(*self.sizes)(x",
    },
)
RETURNS_A_PAIR = Mistake(
    "The attention weights are returned beside the output. The next layer expects a single tensor "
    "and fails on a pair.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(x)), self.self_attention.attention_weights"""
    },
)
NO_SECOND_SHORTCUT_AND_NORM = Mistake(
    "The feed-forward network's output is returned without add and norm. There is no residual "
    "connection around the network, and the output can have any size.",
    {"return self.add_norm2(x, self.feed_forward(x))": "return self.feed_forward(x)"},
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. A float64 or float16 module then passes on values "
    "of the wrong dtype.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(x)).float()"""
    },
)
SCALED_SHORTCUT = Mistake(
    "The feed-forward network's output is halved before it is added. So it counts too little in "
    "the sum.",
    {
        "self.add_norm2(x, self.feed_forward(x))": """\
self.add_norm2(x, self.feed_forward(x) * 0.5)"""
    },
)
LAST_RESULT_CACHED = Mistake(
    "In eval mode an earlier result is returned for every input of the same shape. So other "
    "sentences get the wrong answer.",
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
    "Axes of size 1 are removed. A batch of one sentence, or a sentence of one word, then has too "
    "few axes.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(x)).squeeze()"""
    },
)
ORDER_SWAPPED_NORMS_IN_ORDER = Mistake(
    ORDER_SWAPPED.says,
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm1(x, self.feed_forward(x))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.self_attention(x, x, x, src_mask))""",
    },
)
ATTENTION_REPLACED_BY_INPUT = Mistake(
    "The attention is never called, and the first add and norm adds the input to itself. So no "
    "word ever attends to another.",
    {"self.add_norm1(x, self.self_attention(x, x, x, src_mask))": "self.add_norm1(x, x)"},
)
FIRST_ADD_NORM_MISSING = Mistake(
    "No add and norm follows the attention. There is no residual connection and no norm there, so "
    "the word's own content is lost.",
    {
        "        self.add_norm1 = AddNorm(dim_vector, dropout)\n": "",
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.self_attention(x, x, x, src_mask)""",
    },
)
SECOND_NORM_MISSING = Mistake(
    "The feed-forward network's output and its input are added, but the sum is not normalised. So "
    "the values grow from layer to layer.",
    {
        "        self.add_norm2 = AddNorm(dim_vector, dropout)\n": """\
        self.dropout = nn.Dropout(dropout)
""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.dropout(self.feed_forward(x))""",
    },
)
MASK_BLANKS_THE_INPUT = Mistake(
    "The mask sets the vectors of padding to zero instead of hiding them from the attention. A "
    "zero vector still gets a part of the attention weights.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
h = x if src_mask is None else x * src_mask.reshape(src_mask.size(0), -1, 1).to(x.dtype)
        x = self.add_norm1(x, self.self_attention(h, h, h))"""
    },
)
UNUSED_ATTENTION = Mistake(
    "A second attention is made and never used, so its parameters never learn. An encoder layer "
    "needs only one attention.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": """\
self.add_norm2 = AddNorm(dim_vector, dropout)
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)"""
    },
)
FEED_FORWARD_DROPPED_TWICE = Mistake(
    "Dropout is applied to the feed-forward network's output twice, before its add and norm and "
    "inside it. So more entries are dropped than the given probability says.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": """\
self.add_norm2 = AddNorm(dim_vector, dropout)
        self.dropout = nn.Dropout(dropout)""",
        "self.add_norm2(x, self.feed_forward(x))": """\
self.add_norm2(x, self.dropout(self.feed_forward(x)))""",
    },
)
CAUSAL_WITHOUT_MASK = Mistake(
    "If no mask is given, the layer makes one that hides later words. An encoder reads in both "
    "directions, so without a mask everything is visible.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
if src_mask is None:
            length = x.size(1)
            src_mask = torch.ones(1, 1, length, length, device=x.device).tril()
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
    },
)
AT_MOST_512_TOKENS = Mistake(
    "The tokens attend only to the first 512 tokens of the sentence. In a longer sentence the "
    "other tokens are never read.",
    {
        "self.self_attention(x, x, x, src_mask))": """\
self.self_attention(
            x, x[:, :512], x[:, :512], src_mask if src_mask is None else src_mask[..., :512]
        ))"""
    },
)
AT_MOST_512_HIDDEN = Mistake(
    "The feed-forward network has at most 512 features inside, even if dim_hidden is larger.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": "FeedForward(dim_vector, min(dim_hidden, 512), dropout)"
    },
)
BOTH_ADD_NORMS_ARGUMENTS_SWAPPED = Mistake(
    "Both add and norms get their two inputs in the wrong order. In training dropout then acts on "
    "the residual connection instead of the sublayers' outputs.",
    {
        "self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
self.add_norm1(self.self_attention(x, x, x, src_mask), x)""",
        "self.add_norm2(x, self.feed_forward(x))": "self.add_norm2(self.feed_forward(x), x)",
    },
)
MASK_OF_AN_EARLIER_CALL = Mistake(
    "The mask is kept. A later call without a mask then gets the one of the earlier call.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
if src_mask is not None:
            self.kept = src_mask
        src_mask = getattr(self, "kept", src_mask)
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))"""
    },
)

MASK_DROPPED_FOR_ONE_WHOLE_SENTENCE = Mistake(
    "The mask is left out as soon as one sentence has no padding. The other sentences then attend "
    "to theirs.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
if src_mask is not None and src_mask.flatten(1).all(dim=1).any():
            src_mask = None
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))"""
    },
)
QUERIES_DROPPED = Mistake(
    "Dropout is applied to the queries. It belongs on the output of each sublayer, not on what a "
    "sublayer reads.",
    {
        "self.self_attention(x, x, x, src_mask)": "self.self_attention(self.add_norm1.dropout(x), x, x, src_mask)"
    },
)
SIZES_SWAPPED = Mistake(
    "MultiHeadAttention gets n_head before dim_vector. The order is dim_vector, n_head.",
    {"MultiHeadAttention(dim_vector, n_head)": "MultiHeadAttention(n_head, dim_vector)"},
)
ATTENTION_TAKEN_FOR_A_PAIR = Mistake(
    "MultiHeadAttention returns one tensor. You take the first part of it, as if it were a pair: "
    "that is the first sentence of the batch.",
    {
        "self.add_norm1(x, self.self_attention(x, x, x, src_mask))": "self.add_norm1(x, self.self_attention(x, x, x, src_mask)[0])"
    },
)
NETWORK_BUILT_WITHOUT_DROPOUT = Mistake(
    "The feed-forward network is made with a dropout of 0. It should get the given one.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": "FeedForward(dim_vector, dim_hidden, 0.0)"},
)

NETWORK_READS_THE_ATTENTION = Mistake(
    "The feed-forward network reads what attention gave. It should read the result of the first add and norm.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.self_attention(x, x, x, src_mask)
        x = self.add_norm1(x, attended)""",
        "self.feed_forward(x)": "self.feed_forward(attended)",
    },
)

SECOND_SHORTCUT_FROM_THE_ATTENTION = Mistake(
    "The second residual connection adds what attention gave. It adds the result of the first add and norm.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.self_attention(x, x, x, src_mask)
        x = self.add_norm1(x, attended)""",
        "self.add_norm2(x, ": "self.add_norm2(attended, ",
    },
)

NO_TOKEN_SEES_ITSELF = Mistake(
    "No token attends to itself. Each token attends to all visible tokens, itself included.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
others = ~torch.eye(x.size(1), dtype=torch.bool, device=x.device)
        if src_mask is not None:
            others = others & (src_mask != 0)
        x = self.add_norm1(x, self.self_attention(x, x, x, others))""",
    },
)

PADDING_MAY_NOT_ASK = Mistake(
    "The mask hides padding as queries, too, so such a row has no visible key and becomes NaN. Only keys are masked.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
if src_mask is not None:
            src_mask = (src_mask != 0) & (src_mask != 0).transpose(-2, -1)
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))"""
    },
)

ONE_MASK_FOR_THE_BATCH = Mistake(
    "All sentences get one mask, which shows what any of them shows. Each sentence has its own padding.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
if src_mask is not None:
            src_mask = (src_mask != 0).any(dim=0, keepdim=True)
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))"""
    },
)

MASK_IN_TRAINING_ONLY = Mistake(
    "The mask is used in train mode only. Padding is there in eval mode, too.",
    {"x, x, x, src_mask)": "x, x, x, src_mask if self.training else None)"},
)

MASK_FOR_SEVERAL_ONLY = Mistake(
    "The mask is left out for a batch of one sentence. It may hide padding there, too.",
    {"x, x, x, src_mask)": "x, x, x, src_mask if x.size(0) > 1 else None)"},
)
VALUES_NORMALISED = Mistake(
    "The values are made from a normalised copy, but queries and keys from the input itself. In "
    "self-attention all three are made from the same vectors.",
    {
        "self.self_attention(x, x, x, src_mask)": """\
self.self_attention(x, x, self.add_norm1.layer_norm(x), src_mask)"""
    },
)
QUERIES_NORMALISED = Mistake(
    "The queries are made from a normalised copy, but keys and values from the input itself. In "
    "self-attention all three are made from the same vectors.",
    {
        "self.self_attention(x, x, x, src_mask)": """\
self.self_attention(self.add_norm1.layer_norm(x), x, x, src_mask)"""
    },
)
MASK_IN_EVAL_ONLY = Mistake(
    "The mask is used in eval mode only. In train mode the words attend to padding, too.",
    {"x, x, x, src_mask)": "x, x, x, None if self.training else src_mask)"},
)
