"""What people get wrong in s3_encoder/encoder_layer.py."""

from checks.machine.known import Mistake

ONE_NORM_FOR_BOTH = Mistake(
    "Both sublayers use add_norm1, so they share one gamma and beta, and add_norm2 is never "
    "used and never learns.",
    {"self.add_norm2(x, self": "self.add_norm1(x, self"},
)
ONE_NORM_SHARED = Mistake(
    "The names add_norm1 and add_norm2 stand for one and the same layer, so the two sublayers "
    "cannot have a gamma and beta of their own.",
    {"self.add_norm2 = AddNorm(dim_vector, dropout)": "self.add_norm2 = self.add_norm1"},
)
NORMS_SWAPPED = Mistake(
    "The layers add_norm1 and add_norm2 have changed places. A new layer does not show it, but "
    "loaded weights then act in the wrong place.",
    {
        "self.add_norm1(x, self": "self.add_normx(x, self",
        "self.add_norm2(x, self": "self.add_norm1(x, self",
        "self.add_normx(x, self": "self.add_norm2(x, self",
    },
)
STALE_SHORTCUT = Mistake(
    "The second shortcut starts at the layer's entrance instead of after add_norm1, so what "
    "the attention found reaches the output only through the feed-forward network.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(entrance, self.feed_forward(x))""",
    },
)
FEED_FORWARD_READS_THE_ENTRANCE = Mistake(
    "The feed-forward network reads the layer's input instead of the result of add_norm1, so "
    "it never sees what the attention found.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(entrance))""",
    },
)
SUBLAYERS_SIDE_BY_SIDE = Mistake(
    "Both sublayers read the layer's input and their outputs are added together, so the "
    "feed-forward network works without the attention's result and add_norm1 is not used.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.self_attention(x, x, x, src_mask)""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, attended + self.feed_forward(x))""",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
NO_SHORTCUTS = Mistake(
    "Neither sublayer has a shortcut. Signal and gradient have to pass through every sublayer, "
    "which makes a deep stack hard to train.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1.layer_norm(attended)""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.layer_norm(self.add_norm2.dropout(self.feed_forward(x)))""",
    },
)
NO_FIRST_SHORTCUT = Mistake(
    "There is no shortcut around the attention, so what a word itself carried is kept only as "
    "far as the attention passes it on.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1.layer_norm(attended)"""
    },
)
NO_SECOND_SHORTCUT = Mistake(
    "There is no shortcut around the feed-forward network, so what this network does not pass "
    "on is lost.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.layer_norm(self.add_norm2.dropout(self.feed_forward(x)))"""
    },
)
MASK_IGNORED = Mistake(
    "The mask is accepted but never handed to the attention, so padding is read like words and "
    "changes the result.",
    {"(x, x, x, src_mask)": "(x, x, x)"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
MASK_INVERTED = Mistake(
    "The mask is inverted: exactly the words that should be hidden are read, and those that "
    "should be read are hidden.",
    {"(x, x, x, src_mask)": "(x, x, x, None if src_mask is None else src_mask == 0)"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "All sentences get the mask of the first, so longer ones lose words and shorter ones read "
    "their padding.",
    {"(x, x, x, src_mask)": "(x, x, x, None if src_mask is None else src_mask[:1])"},
)
MASK_REDUCED_TO_KEYS = Mistake(
    "Only the first row of the mask is used, for all words. A mask for padding survives this, "
    "but one that differs from word to word is misread.",
    {
        "(x, x, x, src_mask)": """\
(x, x, x, None if src_mask is None else src_mask[:, :, :1])"""
    },
)
ALWAYS_CAUSAL = Mistake(
    "Later words are hidden from earlier ones. The source is known as a whole, so each of its "
    "words may look in both directions.",
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
    "The input is normalised before each sublayer, and the shortcut carries this copy. True "
    "pre-norm keeps the shortcut untouched; the paper normalises after the addition.",
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
    "Each sublayer's output is normalised and then added, so the sums can grow from layer to "
    "layer. The paper adds first and normalises the sum.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = x + self.add_norm1.layer_norm(self.self_attention(x, x, x, src_mask))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.add_norm2.layer_norm(self.feed_forward(x))""",
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
NO_SECOND_NORM = Mistake(
    "The sum after the feed-forward network is not normalised, so the layer's output can have "
    "any size and can grow from layer to layer.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.add_norm2.dropout(self.feed_forward(x))"""
    },
)
NO_FIRST_NORM = Mistake(
    "The sum after the attention is not normalised, so the feed-forward network has to read "
    "numbers of any size.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = x + self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))"""
    },
)
DOUBLE_SHORTCUT_ATTENTION = Mistake(
    "The input is added twice around the attention, so what the attention found has too little "
    "weight. It is already added once inside add_norm1.",
    {"self.add_norm1(x, self": "self.add_norm1(x, x + self"},
)
DOUBLE_SHORTCUT_FEED_FORWARD = Mistake(
    "The input of the feed-forward network is added to its output twice, so what the network "
    "found has too little weight. It is already added once inside add_norm2.",
    {"self.add_norm2(x, self": "self.add_norm2(x, x + self"},
)
ORDER_SWAPPED = Mistake(
    "The feed-forward network comes before the attention, so it works on each word before the "
    "word has seen the others. The paper has it the other way round.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm2(x, self.feed_forward(x))""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm1(x, self.self_attention(x, x, x, src_mask))""",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
ATTENTION_SKIPPED = Mistake(
    "The attention is made but never used, so the words do not see each other, and it never "
    "learns.",
    {"x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": "pass"},
)
FEED_FORWARD_SKIPPED = Mistake(
    "The feed-forward network is made but never used, so it never learns and the layer ends "
    "after the attention.",
    {"return self.add_norm2(x, self.feed_forward(x))": "return x"},
)
ATTENTION_TWICE = Mistake(
    "The attention and its add and norm run twice in a row with the same weights. Each layer "
    "has one attention; the next one belongs to the next layer.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))"""
    },
)
FEED_FORWARD_TWICE = Mistake(
    "The feed-forward network is applied a second time, to its own output, so its weights have "
    "to serve two kinds of input.",
    {"self.feed_forward(x))": "self.feed_forward(self.feed_forward(x)))"},
)
VALUES_AVERAGED = Mistake(
    "The values are the mean of the sentence instead of the words themselves, so every word "
    "receives the same, whatever it attends to.",
    {
        "(x, x, x, src_mask)": """\
(x, x, x.mean(dim=1, keepdim=True).expand_as(x), src_mask)"""
    },
)
KEYS_ARE_NORMALISED = Mistake(
    "Keys and values come from a normalised copy, the queries from the input itself. In "
    "self-attention all three are made from the same vectors.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
y = self.add_norm1.layer_norm(x)
        x = self.add_norm1(x, self.self_attention(x, y, y, src_mask))"""
    },
)
WORDS_ATTEND_ACROSS_BATCH = Mistake(
    "Words and sentences have changed places for the attention, so a word attends to other "
    "sentences in the batch instead of to its own.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
y = x.transpose(0, 1)
        x = self.add_norm1(x, self.self_attention(y, y, y).transpose(0, 1))"""
    },
)
CLOSING_NORM = Mistake(
    "There is a third normalisation at the end. The layer already ends in one, so it is "
    "superfluous and undoes part of what add_norm2 has learned.",
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
    "dim_hidden is ignored: the feed-forward network is always four times as wide as the "
    "vectors. The paper has that ratio, but the caller may ask for another.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, 4 * dim_vector, dropout)"""
    },
)
HIDDEN_WIDTH_IS_WIDTH = Mistake(
    "The feed-forward network is only as wide as the vectors and dim_hidden is ignored, so it "
    "does not have the size that was asked for.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dim_vector, dropout)"""
    },
)
WIDTHS_SWAPPED = Mistake(
    "The feed-forward network gets dim_vector and dim_hidden in the wrong order, so it expects "
    "vectors of another width and the input does not fit.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_hidden, dim_vector, dropout)"""
    },
)
HEADS_FOR_HIDDEN = Mistake(
    "The feed-forward network gets n_head in place of dim_hidden, so its inner layer is only "
    "as wide as there are heads.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, n_head, dropout)")},
)
DROPOUT_FOR_HIDDEN = Mistake(
    "The feed-forward network gets dim_hidden and the share to drop in the wrong order. A "
    "share such as 0.1 is no width, so the network cannot be built.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dropout, dim_hidden)"""
    },
)
HEADS_IGNORED = Mistake(
    "The attention is always built with one head and n_head is ignored, so a word can weigh "
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
    "The given share to drop never reaches add_norm1, which drops its own default from the "
    "attention's output, whatever was asked for.",
    {"self.add_norm1 = AddNorm(dim_vector, dropout)": ("self.add_norm1 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_SECOND_NORM = Mistake(
    "The given share to drop never reaches add_norm2, which drops its own default from what "
    "the feed-forward network brings.",
    {"self.add_norm2 = AddNorm(dim_vector, dropout)": ("self.add_norm2 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The given share to drop never reaches the feed-forward network, which drops its own "
    "default from its hidden numbers, whatever was asked for.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)")},
)
DROPOUT_TO_NOBODY = Mistake(
    "The given share to drop is accepted but never used: every part of the layer drops a "
    "tenth, whatever was asked for.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": ("self.add_norm1 = AddNorm(dim_vector)"),
        "self.add_norm2 = AddNorm(dim_vector, dropout)": ("self.add_norm2 = AddNorm(dim_vector)"),
        "FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)"),
    },
)
NO_DROPOUT = Mistake(
    "Dropout is switched off in every part of the layer, so nothing is dropped in training, "
    "whatever share is given, and the model overfits more easily.",
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
    "The default of dropout is 0 instead of 0.1, so a caller who gives no share gets no "
    "dropout at all.",
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
    "The given share is handed down as the share to keep, so with the usual 0.1 every part of "
    "the layer drops nine tenths.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
dropout = 1 - dropout
        self.add_norm1 = AddNorm(dim_vector, dropout)"""
    },
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout acts once more after add_norm2, so in training it makes holes in the finished "
    "output and erases parts of the shortcut too.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2.dropout(self.add_norm2(x, self.feed_forward(x)))"""
    },
)
DROPOUT_TWICE = Mistake(
    "The attention's output is dropped from twice, before add_norm1 and inside it, so more is "
    "lost than the given share.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
attended = self.add_norm1.dropout(self.self_attention(x, x, x, src_mask))
        x = self.add_norm1(x, attended)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "A dropout on the feed-forward network's output stays on in evaluation, so the trained "
    "model gives another answer at every call.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, nn.functional.dropout(self.feed_forward(x), self.add_norm2.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
FIRST_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of add_norm1 are swapped. The sum is the same, but in training dropout now "
    "hits the shortcut instead of the attention's output.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.add_norm1(self.self_attention(x, x, x, src_mask), x)"""
    },
)
SECOND_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of add_norm2 are swapped. The sum is the same, but in training dropout now "
    "hits the shortcut instead of the feed-forward network's output.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(self.feed_forward(x), x)"""
    },
)
LAYER_DROP = Mistake(
    "In training the whole layer is skipped now and then, and learns nothing when it is. Only "
    "single numbers are dropped here.",
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
    "The shortcut around the attention is cut off from the gradient, so earlier layers learn "
    "only through the attention itself.",
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
    "The attention's output is cut off from the gradient, so the attention never learns and "
    "earlier layers learn only through the shortcut.",
    {
        "self.self_attention(x, x, x, src_mask)": """\
self.self_attention(x, x, x, src_mask).detach()"""
    },
)
KEYS_DETACHED = Mistake(
    "Keys and values are cut off from the vectors they are made of, so earlier layers learn "
    "only through the queries and the shortcut.",
    {"(x, x, x, src_mask)": "(x, x.detach(), x.detach(), src_mask)"},
)
INPUT_CHANGED_IN_PLACE = Mistake(
    "One of the layer's results is written into the caller's input. Whoever uses that tensor "
    "later reads changed numbers.",
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
    "neither trained nor saved nor moved with the module.",
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
    "A new attention with new random numbers is made at every call, so it never learns and the "
    "same input gives other outputs each time.",
    {
        "self.self_attention = MultiHeadAttention(dim_vector, n_head)": (
            "self.sizes = (dim_vector, n_head)"
        ),
        "self.self_attention(x": "MultiHeadAttention(*self.sizes)(x",
    },
)
RETURNS_A_PAIR = Mistake(
    "The attention weights are handed back beside the output. The next layer expects a single "
    "tensor and fails on a pair.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(x)), self.self_attention.attention_weights"""
    },
)
NO_SECOND_SHORTCUT_AND_NORM = Mistake(
    "The feed-forward network's output is handed back without add and norm. There is no "
    "shortcut around the network, and the output can have any size.",
    {"return self.add_norm2(x, self.feed_forward(x))": "return self.feed_forward(x)"},
)
FLOAT32_ONLY = Mistake(
    "The output is always turned into single precision, so a module in double or half "
    "precision passes on the wrong type.",
    {
        "return self.add_norm2(x, self.feed_forward(x))": """\
return self.add_norm2(x, self.feed_forward(x)).float()"""
    },
)
SCALED_SHORTCUT = Mistake(
    "The feed-forward network's output is halved before it is added, so what the network found "
    "has too little weight in the sum.",
    {
        "self.add_norm2(x, self.feed_forward(x))": """\
self.add_norm2(x, self.feed_forward(x) * 0.5)"""
    },
)
LAST_RESULT_CACHED = Mistake(
    "In evaluation an earlier result is handed back for every input of the same shape, so "
    "other sentences get the wrong answer.",
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
    "The attention is never called: the first add and norm adds the input to itself. So no "
    "word ever looks at another.",
    {"self.add_norm1(x, self.self_attention(x, x, x, src_mask))": "self.add_norm1(x, x)"},
)
FIRST_ADD_NORM_MISSING = Mistake(
    "No add and norm stands behind the attention: there is neither shortcut nor norm there, "
    "and what the token was is lost.",
    {
        "        self.add_norm1 = AddNorm(dim_vector, dropout)\n": "",
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
x = self.self_attention(x, x, x, src_mask)""",
    },
)
SECOND_NORM_MISSING = Mistake(
    "Behind the feed-forward network the input is added but not normalised, so numbers grow "
    "from layer to layer.",
    {
        "        self.add_norm2 = AddNorm(dim_vector, dropout)\n": """\
        self.dropout = nn.Dropout(dropout)
""",
        "return self.add_norm2(x, self.feed_forward(x))": """\
return x + self.dropout(self.feed_forward(x))""",
    },
)
MASK_BLANKS_THE_INPUT = Mistake(
    "The mask blanks the vectors of padding instead of hiding them from the attention. A blank "
    "vector is still looked at and takes its share.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
h = x if src_mask is None else x * src_mask.reshape(src_mask.size(0), -1, 1).to(x.dtype)
        x = self.add_norm1(x, self.self_attention(h, h, h))"""
    },
)
UNUSED_ATTENTION = Mistake(
    "A second attention is made and never used, so its parameters never learn. The encoder has "
    "no one else to ask.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": """\
self.add_norm2 = AddNorm(dim_vector, dropout)
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)"""
    },
)
FEED_FORWARD_DROPPED_TWICE = Mistake(
    "What the feed-forward network brings is dropped from twice, once more before its add and "
    "norm. So more is lost than was asked for.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": """\
self.add_norm2 = AddNorm(dim_vector, dropout)
        self.dropout = nn.Dropout(dropout)""",
        "self.add_norm2(x, self.feed_forward(x))": """\
self.add_norm2(x, self.dropout(self.feed_forward(x)))""",
    },
)
CAUSAL_WITHOUT_MASK = Mistake(
    "Without a mask the layer makes one that hides the future. An encoder reads in both "
    "directions; without a mask everything is visible.",
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
BOTH_ADD_NORMS_ARGUMENTS_SWAPPED = Mistake(
    "Both add and norms get their two arguments in the wrong order, so in training the "
    "shortcut is dropped from and what the sublayers bring is not.",
    {
        "self.add_norm1(x, self.self_attention(x, x, x, src_mask))": """\
self.add_norm1(self.self_attention(x, x, x, src_mask), x)""",
        "self.add_norm2(x, self.feed_forward(x))": "self.add_norm2(self.feed_forward(x), x)",
    },
)
