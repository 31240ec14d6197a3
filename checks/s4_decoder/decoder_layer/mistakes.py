"""What people get wrong in s4_decoder/decoder_layer.py."""

from checks.engine.known import Mistake

FIRST_NORM_THREE_TIMES = Mistake(
    "All three sublayers use add_norm1, and the other two are never used and never learn. Each "
    "sublayer needs a gamma and beta of its own.",
    {
        "self.add_norm2(x, attended)": "self.add_norm1(x, attended)",
        "self.add_norm3(x, self": "self.add_norm1(x, self",
    },
)
SECOND_NORM_TWICE = Mistake(
    "The feed-forward network uses add_norm2, and add_norm3 is never used and never learns. Two "
    "sublayers then share one gamma and beta.",
    {"self.add_norm3(x, self": "self.add_norm2(x, self"},
)
FIRST_NORM_TWICE = Mistake(
    "The cross-attention uses add_norm1, and add_norm2 is never used and never learns. Two "
    "sublayers then share one gamma and beta.",
    {"self.add_norm2(x, attended)": "self.add_norm1(x, attended)"},
)
NORMS_ARE_ONE_LAYER = Mistake(
    "The three add and norms are the same layer under three names. Their gamma and beta can never "
    "differ, although each sublayer needs its own.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": "self.add_norm2 = self.add_norm1",
        "self.add_norm3 = AddNorm(dim_vector, dropout)": "self.add_norm3 = self.add_norm1",
    },
)
THIRD_NORM_MISSING = Mistake(
    "There is no add_norm3, and the feed-forward network uses add_norm2 once more. Two sublayers "
    "then have to share one gamma and beta.",
    {
        "        self.add_norm3 = AddNorm(dim_vector, dropout)\n": "",
        "self.add_norm3(x, self": "self.add_norm2(x, self",
    },
)
ATTENTIONS_ARE_ONE_LAYER = Mistake(
    "Both attentions are the same layer under two names. The target then has to attend to the "
    "source with the same weights as to itself.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = self.self_attention"""
    },
    seen="huggingface/transformers#4680",
)
SELF_ATTENTION_USED_TWICE = Mistake(
    "The source is read through self_attention, and cross_attention is never used. One set of "
    "weights has to do both jobs, and the other never learns.",
    {"attended = self.cross_attention(": "attended = self.self_attention("},
    seen="huggingface/transformers#4680",
)
CROSS_ATTENTION_USED_TWICE = Mistake(
    "The target attends to itself through cross_attention, and self_attention is never used. "
    "One set of weights has to do both jobs, and the other never learns.",
    {"self.self_attention(x, x, x, trg_mask)": "self.cross_attention(x, x, x, trg_mask)"},
)
CROSS_READS_THE_TARGET = Mistake(
    "The second attention takes its keys and values from the target and never reads the source. "
    "So the translation cannot depend on the source.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, x, x, trg_mask)"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_ASKS_TARGET = Mistake(
    "The cross-attention takes its queries from the source, and keys and values from the target: "
    "the wrong way round. The result has one row for each source word instead of each target "
    "word.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(encoder_output, x, x)"""
    },
    seen="humza909/LLM_Survey#2, rexrex9/nlp_torchtext#2",
)
SOURCE_ASKS_ITSELF = Mistake(
    "In the cross-attention the source attends to itself, because the queries come from the "
    "source too. No target word can then choose what it reads from the source.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(encoder_output, encoder_output, encoder_output, src_mask)"""
    },
    seen="humza909/LLM_Survey#2, rexrex9/nlp_torchtext#2",
)
KEYS_FROM_TARGET = Mistake(
    "In the cross-attention the keys come from the target, but the values from the source. The "
    "weights are computed for target words, but used to mix source words.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, x, encoder_output, src_mask)"""
    },
)
VALUES_FROM_TARGET = Mistake(
    "In the cross-attention the keys come from the source, but the values from the target. The "
    "weights are computed for source words, but used to mix target words.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, encoder_output, x, src_mask)"""
    },
)
MASKS_SWAPPED = Mistake(
    "The two masks are swapped, in the call or in the order of the arguments. The sizes do not "
    "fit, or later words and the padding of the source are visible.",
    {
        "(x, x, x, trg_mask)": "(x, x, x, src_mask)",
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, trg_mask)""",
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
MASK_ARGUMENTS_SWAPPED = Mistake(
    MASKS_SWAPPED.says,
    {
        """\
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,""": """\
        src_mask: Tensor | None = None,
        trg_mask: Tensor | None = None,"""
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
NO_MASK_ON_SOURCE = Mistake(
    "The cross-attention does not get src_mask, so the target reads the padding of the source. "
    "The result then depends on how much padding a sentence has.",
    {"(x, encoder_output, encoder_output, src_mask)": ("(x, encoder_output, encoder_output)")},
    seen="keras-team/keras-io#1046, pytorch/tutorials#719",
)
NO_MASK_ON_TARGET = Mistake(
    "The self-attention does not get trg_mask, so target words see the words that they must "
    "predict. Training then looks perfect, and translation fails.",
    {"(x, x, x, trg_mask)": "(x, x, x)"},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
MASKS_IGNORED = Mistake(
    "Both masks are accepted and never used. Target words then see the words that they must "
    "predict, and the padding of the source is read like words.",
    {
        "(x, x, x, trg_mask)": "(x, x, x)",
        "(x, encoder_output, encoder_output, src_mask)": ("(x, encoder_output, encoder_output)"),
    },
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
TARGET_MASK_ON_SOURCE = Mistake(
    "The cross-attention gets trg_mask instead of src_mask. Early target words then cannot read "
    "later source words, but the whole source is known from the start.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, trg_mask)"""
    },
    seen="zhouhaoyi/Informer2020#38",
)
SOURCE_MASK_ON_TARGET = Mistake(
    "The self-attention gets src_mask instead of trg_mask. This mask hides padding but not later "
    "words, so target words see the words that they must predict.",
    {"(x, x, x, trg_mask)": "(x, x, x, src_mask)"},
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
CAUSAL_ON_SOURCE = Mistake(
    "The layer adds its own look-ahead mask to src_mask. Early target words then cannot read "
    "later source words, although the whole source is known from the start.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
causal = torch.ones(x.size(1), encoder_output.size(1), device=x.device).tril()
        src_mask = causal if src_mask is None else src_mask * causal
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)""",
    },
    seen="zhouhaoyi/Informer2020#38",
)
ALWAYS_CAUSAL = Mistake(
    "The layer hides later target words even if no mask is given. Only the masks decide what is "
    "hidden; without them everything is visible.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
causal = torch.ones(x.size(1), x.size(1), device=x.device).tril()
        trg_mask = causal if trg_mask is None else trg_mask * causal
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
SOURCE_MASK_INVERTED = Mistake(
    "The layer inverts src_mask: the words of the source are hidden, and its padding is read. So "
    "the target learns nothing about the source.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, None if src_mask is None else src_mask == 0)"""
    },
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
TARGET_MASK_INVERTED = Mistake(
    "The layer inverts trg_mask. Each target word sees exactly the words that should be hidden, "
    "such as those that it must predict.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
trg_mask = None if trg_mask is None else trg_mask == 0
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))"""
    },
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASKS_OF_FIRST_SENTENCE = Mistake(
    "All sentences of the batch get the src_mask of the first one. In sentences of another "
    "length, padding is then read or words are hidden.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, None if src_mask is None else src_mask[:1])"""
    },
)
NO_CROSS_SHORTCUT = Mistake(
    "There is no residual connection around the cross-attention, so its result replaces the "
    "target. The target's own content is lost at this point.",
    {
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2.layer_norm(self.add_norm2.dropout(attended))"""
    },
)
NO_SELF_SHORTCUT = Mistake(
    "There is no residual connection around the self-attention, so its result replaces the input. "
    "A word keeps its own vector only as far as it attends to itself.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1.layer_norm(self.add_norm1.dropout(self.self_attention(x, x, x, trg_mask)))"""
    },
)
NO_FEED_FORWARD_SHORTCUT = Mistake(
    "There is no residual connection around the feed-forward network, so its result replaces its "
    "input. The results of both attentions then have to pass through this network.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3.layer_norm(self.add_norm3.dropout(self.feed_forward(x)))"""
    },
)
NO_SHORTCUTS = Mistake(
    "None of the three sublayers has a residual connection. Signal and gradient have to pass "
    "through every sublayer, and both fade in a deep stack.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1.layer_norm(self.add_norm1.dropout(self.self_attention(x, x, x, trg_mask)))""",
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2.layer_norm(self.add_norm2.dropout(attended))""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3.layer_norm(self.add_norm3.dropout(self.feed_forward(x)))""",
    },
)
NO_CROSS_ATTENTION = Mistake(
    "The cross-attention and its add and norm have no part in the output. Nothing connects source "
    "and target, so the translation cannot depend on the source.",
    {"x = self.add_norm2(x, attended)": "pass"},
    seen="huggingface/transformers#4680",
)
CROSS_ATTENTION_UNUSED = Mistake(
    "The cross-attention has no effect: it is not called, or its result is not used. So nothing "
    "of the source reaches the output.",
    {"x = self.add_norm2(x, attended)": "x = self.add_norm2(x, x)"},
    seen="huggingface/transformers#4680",
)
ARGUMENTS_SWAPPED = Mistake(
    "The layer takes encoder_output before the target, but the target must come first. The "
    "decoder passes them by position, so source and target would be swapped.",
    {
        """\
        x: Tensor,
        encoder_output: Tensor,""": """\
        encoder_output: Tensor,
        x: Tensor,"""
    },
)
STALE_SECOND_SHORTCUT = Mistake(
    "The second residual connection starts at the layer's input instead of the result of "
    "add_norm1. The self-attention's result is then used only for the queries and not carried on.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
        "x = self.add_norm2(x, attended)": "x = self.add_norm2(entrance, attended)",
    },
)
STALE_THIRD_SHORTCUT = Mistake(
    "The third residual connection starts at the layer's input instead of the result of "
    "add_norm2. The results of both attentions then go on only through the feed-forward network.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(entrance, self.feed_forward(x))""",
    },
)
THIRD_SHORTCUT_AFTER_FIRST_NORM = Mistake(
    "The third residual connection starts at the result of add_norm1 instead of add_norm2. What "
    "was read from the source then goes on only through the feed-forward network.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        first = x""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(first, self.feed_forward(x))""",
    },
)
SOURCE_ASKED_BY_ENTRANCE = Mistake(
    "The cross-attention makes its queries from the layer's input instead of the result of "
    "add_norm1. The queries then miss what the self-attention has just found.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
        "self.cross_attention(x, encoder": "self.cross_attention(entrance, encoder",
    },
)
FEED_FORWARD_READS_FIRST = Mistake(
    "The feed-forward network reads the result of add_norm1 instead of add_norm2. It never "
    "works on what the target has just read from the source.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        first = x""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(first))""",
    },
)
SHORTCUT_FROM_SOURCE = Mistake(
    "The residual connection around the cross-attention starts at the source instead of the "
    "target. So the target's own content is lost.",
    {
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2(encoder_output.mean(dim=1, keepdim=True).expand_as(x), attended)"""
    },
)
SOURCE_DETACHED = Mistake(
    "The whole encoder_output is cut off from the gradient before the target reads it. The "
    "loss then cannot reach the encoder, so the encoder never learns.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output.detach(), encoder_output.detach(), src_mask)"""
    },
)
SOURCE_KEYS_DETACHED = Mistake(
    "The keys made from encoder_output are cut off from the gradient. The encoder then cannot "
    "learn to make its words easy to find for the target.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output.detach(), encoder_output, src_mask)"""
    },
)
SOURCE_VALUES_DETACHED = Mistake(
    "The values made from encoder_output are cut off from the gradient. The encoder then "
    "cannot learn what its words should tell the target.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output.detach(), src_mask)"""
    },
)
TARGET_DETACHED = Mistake(
    "The target is cut off from the gradient before the feed-forward network. Both attentions of "
    "this layer, and everything before them, then never learn.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
x = x.detach()
        return self.add_norm3(x, self.feed_forward(x))"""
    },
)
SELF_ATTENTION_READS_SOURCE = Mistake(
    "The first attention takes its keys and values from the source, but it should attend to the "
    "target only. Target words then never see each other.",
    {
        "self.self_attention(x, x, x, trg_mask)": """\
self.self_attention(x, encoder_output, encoder_output, src_mask)"""
    },
)
SELF_ATTENTION_MISSING = Mistake(
    "The self-attention and its add and norm are left out. No target word then knows which "
    "words stand before it.",
    {"x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": "pass"},
)
FEED_FORWARD_MISSING = Mistake(
    "The feed-forward network and its add and norm are left out. The layer then only mixes words, "
    "and nothing works on each word by itself.",
    {"return self.add_norm3(x, self.feed_forward(x))": "return x"},
)
CROSS_BEFORE_SELF = Mistake(
    "The target reads the source before it attends to itself, which is the wrong order. The "
    "cross-attention then knows nothing of the earlier target words.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm2(x, self.cross_attention(x, encoder_output, encoder_output, src_mask))""",
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.self_attention(x, x, x, trg_mask)""",
        "x = self.add_norm2(x, attended)": "x = self.add_norm1(x, attended)",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
FEED_FORWARD_BEFORE_CROSS = Mistake(
    "The feed-forward network comes before the cross-attention, but it must come last. It never "
    "works on what this layer reads from the source.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
x = self.add_norm3(x, self.feed_forward(x))
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)""",
        "return self.add_norm3(x, self.feed_forward(x))": "return x",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
ATTENTIONS_SIDE_BY_SIDE = Mistake(
    "Both attentions read the same input, and their results are added together. The second must "
    "read the result of the first, or its queries miss the earlier target words.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
own = self.self_attention(x, x, x, trg_mask)""",
        "x = self.add_norm2(x, attended)": "x = self.add_norm2(x, own + attended)",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
NORMS_ROTATED = Mistake(
    "The cross-attention uses add_norm3, and the feed-forward network uses add_norm2. Weights "
    "saved under these names would then be used in the wrong place.",
    {
        "x = self.add_norm2(x, attended)": "x = self.add_norm3(x, attended)",
        "return self.add_norm3(x, self": "return self.add_norm2(x, self",
    },
)
DOUBLE_SHORTCUT = Mistake(
    "The target is added twice around the cross-attention, because add_norm2 already adds it. "
    "What is read from the source then counts only half as much.",
    {"self.add_norm2(x, attended)": "self.add_norm2(x, x + attended)"},
)
PRE_NORM = Mistake(
    "This is pre-norm: the input of each sublayer is normalised, not the sum. It is widely used "
    "and trains more easily, but this course follows the paper, which normalises the sum.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
y = self.add_norm1.layer_norm(x)
        x = x + self.add_norm1.dropout(self.self_attention(y, y, y, trg_mask))""",
        "self.cross_attention(x, encoder": """\
self.cross_attention(self.add_norm2.layer_norm(x), encoder""",
        "x = self.add_norm2(x, attended)": "x = x + self.add_norm2.dropout(attended)",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return x + self.add_norm3.dropout(self.feed_forward(self.add_norm3.layer_norm(x)))""",
    },
)
NO_LAST_NORM = Mistake(
    "The sum after the feed-forward network is not normalised, so the output can have any size. "
    "The gamma and beta of add_norm3 never learn.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return x + self.add_norm3.dropout(self.feed_forward(x))"""
    },
)
NO_SECOND_NORM = Mistake(
    "The sum after the cross-attention is not normalised, so the feed-forward network reads "
    "values of any size. The gamma and beta of add_norm2 never learn.",
    {"x = self.add_norm2(x, attended)": "x = x + self.add_norm2.dropout(attended)"},
)
NO_FIRST_NORM = Mistake(
    "The sum after the self-attention is not normalised, so the queries for the source can have "
    "any size. The gamma and beta of add_norm1 never learn.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = x + self.add_norm1.dropout(self.self_attention(x, x, x, trg_mask))"""
    },
)
SOURCE_NORMALISED = Mistake(
    "The source, encoder_output, goes through the norm of add_norm2 before it is read. The "
    "encoder has already normalised it, and a second gamma and beta change its content.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, self.add_norm2.layer_norm(encoder_output), self.add_norm2.layer_norm(encoder_output), src_mask)"""
    },
)
FOURTH_NORM = Mistake(
    "There is a fourth normalisation at the end, but the layer already ends in add_norm3. The "
    "fourth one removes a part of what add_norm3 did.",
    {
        "self.add_norm3 = AddNorm(dim_vector, dropout)": """\
self.add_norm3 = AddNorm(dim_vector, dropout)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.norm(self.add_norm3(x, self.feed_forward(x)))""",
    },
    seen="lucidrains/reformer-pytorch#124",
)
UNUSED_LAYER = Mistake(
    "A third attention is made and never used. Its parameters never learn, but they take up "
    "memory and are saved with the model.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.attention3 = MultiHeadAttention(dim_vector, n_head)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The feed-forward network is dim_vector wide inside instead of dim_hidden. The width that the "
    "caller gives has no effect.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dim_vector, dropout)"""
    },
)
DROPOUT_FOR_HIDDEN = Mistake(
    "The feed-forward network gets dim_hidden and dropout in the wrong order. A probability such "
    "as 0.1 is then used as a width, which ends in an error.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dropout, dim_hidden)"""
    },
)
ONE_HEAD_ON_SOURCE = Mistake(
    "The cross-attention has one head, and n_head is ignored. Each target word then attends to "
    "the source in one way only.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = MultiHeadAttention(dim_vector, 1)"""
    },
)
ONE_HEAD_ON_TARGET = Mistake(
    "The self-attention has one head, and n_head is ignored. Each target word then attends to the "
    "other target words in one way only.",
    {
        "self.self_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.self_attention = MultiHeadAttention(dim_vector, 1)"""
    },
)
DROPOUT_NOT_TO_FIRST_NORM = Mistake(
    "The given dropout is not passed to add_norm1. Its own default is used on the "
    "self-attention's output.",
    {"self.add_norm1 = AddNorm(dim_vector, dropout)": ("self.add_norm1 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_SECOND_NORM = Mistake(
    "The given dropout is not passed to add_norm2. Its own default is used on the "
    "cross-attention's output.",
    {"self.add_norm2 = AddNorm(dim_vector, dropout)": ("self.add_norm2 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_THIRD_NORM = Mistake(
    "The given dropout is not passed to add_norm3. Its own default is used on the feed-forward "
    "network's output.",
    {"self.add_norm3 = AddNorm(dim_vector, dropout)": ("self.add_norm3 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_NORMS = Mistake(
    "The given dropout is not passed to the add and norms. They use their own default on the "
    "output of every sublayer.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": "self.add_norm1 = AddNorm(dim_vector)",
        "self.add_norm2 = AddNorm(dim_vector, dropout)": "self.add_norm2 = AddNorm(dim_vector)",
        "self.add_norm3 = AddNorm(dim_vector, dropout)": "self.add_norm3 = AddNorm(dim_vector)",
    },
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The given dropout is not passed to the feed-forward network. The network uses its own "
    "default on its hidden features.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)")},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "If no dropout is given, nothing is dropped, but the default must be 0.1. Without dropout a "
    "model overfits more easily.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is used as the probability to keep an entry, but it is the probability to "
    "drop it. With 0.1, nine tenths of the entries are lost.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
dropout = 1 - dropout
        self.add_norm1 = AddNorm(dim_vector, dropout)"""
    },
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout is applied once more to the finished output. It belongs on a sublayer's output "
    "before the addition, so that the residual connection stays whole.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3.dropout(self.add_norm3(x, self.feed_forward(x)))"""
    },
)
SOURCE_DROPPED = Mistake(
    "Dropout is applied to encoder_output before the target reads it. The encoder has already "
    "applied its own dropout, so the target should read the whole source.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
encoder_output = self.add_norm2.dropout(encoder_output)
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "Dropout on the cross-attention's output stays on in eval mode. The finished model then "
    "gives another answer at every call.",
    {
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2(x, nn.functional.dropout(attended, self.add_norm2.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
CROSS_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of add_norm2 are swapped. The sum is the same, but in training dropout now "
    "acts on the residual connection instead of the cross-attention's output.",
    {"x = self.add_norm2(x, attended)": "x = self.add_norm2(attended, x)"},
)
LAST_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of add_norm3 are swapped. The sum is the same, but in training dropout now "
    "acts on the residual connection instead of the feed-forward network's output.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(self.feed_forward(x), x)"""
    },
)
SOURCE_CHANGED_IN_PLACE = Mistake(
    "The tensor encoder_output is overwritten. The next decoder layer reads the same tensor and "
    "then finds wrong values.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
encoder_output.data.mul_(0.5)
        return self.add_norm3(x, self.feed_forward(x))"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "The caller's target is overwritten with a result from inside the layer. Later code that uses "
    "that tensor finds other values in it.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x.data
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        entrance.copy_(x.data)"""
    },
    seen="microsoft/unilm#999",
)
PYTHON_LIST = Mistake(
    "The add and norms are in a plain list, tuple or dictionary, where PyTorch does not look for "
    "layers. They are not trained, not saved, and not moved to a GPU.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
self.norms = [AddNorm(dim_vector, dropout) for _ in range(3)]""",
        "        self.add_norm2 = AddNorm(dim_vector, dropout)\n": "",
        "        self.add_norm3 = AddNorm(dim_vector, dropout)\n": "",
        "self.add_norm1(x, self": "self.norms[0](x, self",
        "self.add_norm2(x, att": "self.norms[1](x, att",
        "self.add_norm3(x, self": "self.norms[2](x, self",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
RETURNS_A_PAIR = Mistake(
    "The layer returns the source beside its output. The next layer expects a single tensor, the "
    "new target.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(x)), encoder_output"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32, even if the module has another dtype. In a "
    "float64 model the next layer then stops with an error.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(x)).float()"""
    },
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. A batch of one sentence, or a sentence of one word, then has too "
    "few axes for the next layer.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(x)).squeeze()"""
    },
)
CROSS_BEFORE_SELF_NORMS_IN_ORDER = Mistake(
    CROSS_BEFORE_SELF.says,
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1(x, self.cross_attention(x, encoder_output, encoder_output, src_mask))""",
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.self_attention(x, x, x, trg_mask)""",
    },
)
FEED_FORWARD_BEFORE_CROSS_NORMS_IN_ORDER = Mistake(
    FEED_FORWARD_BEFORE_CROSS.says,
    {
        """\
attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)""": "x = self.add_norm2(x, self.feed_forward(x))",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.cross_attention(x, encoder_output, encoder_output, src_mask))""",
    },
)
FEED_FORWARD_REPLACED_BY_INPUT = Mistake(
    "The feed-forward network is never called, and the last add and norm adds the input to "
    "itself. So nothing works on each token by itself.",
    {"self.add_norm3(x, self.feed_forward(x))": "self.add_norm3(x, x)"},
)
LAST_NORM_MISSING = Mistake(
    "The feed-forward network's output and its input are added, but the sum is not normalised. So "
    "the values grow from layer to layer.",
    {
        "        self.add_norm3 = AddNorm(dim_vector, dropout)\n": """\
        self.dropout = nn.Dropout(dropout)
""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return x + self.dropout(self.feed_forward(x))""",
    },
)
THIRD_ADD_NORM_NOT_MADE = Mistake(
    "add_norm3 is used but was never made. Each of the three sublayers needs an add and norm "
    "of its own.",
    {"        self.add_norm3 = AddNorm(dim_vector, dropout)\n": ""},
)
SOURCE_NORM_OF_ITS_OWN = Mistake(
    "The encoder's output goes through another norm before the target reads it. The encoder "
    "already ends in a norm.",
    {
        "self.add_norm3 = AddNorm(dim_vector, dropout)": """\
self.add_norm3 = AddNorm(dim_vector, dropout)
        self.source_norm = nn.LayerNorm(dim_vector)""",
        "attended = self": """\
encoder_output = self.source_norm(encoder_output)
        attended = self""",
    },
)
UNUSED_ADD_NORM = Mistake(
    "A fourth add and norm is made and never used, so its parameters never learn.",
    {
        "self.add_norm3 = AddNorm(dim_vector, dropout)": """\
self.add_norm3 = AddNorm(dim_vector, dropout)
        self.add_norm4 = AddNorm(dim_vector, dropout)"""
    },
)
SUBLAYERS_DROPPED_TWICE = Mistake(
    "Dropout is applied to each sublayer's output twice, before its add and norm and inside it. "
    "So more entries are dropped than the given probability says.",
    {
        "self.add_norm3 = AddNorm(dim_vector, dropout)": """\
self.add_norm3 = AddNorm(dim_vector, dropout)
        self.dropout = nn.Dropout(dropout)""",
        "self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
self.add_norm1(x, self.dropout(self.self_attention(x, x, x, trg_mask)))""",
        "self.add_norm2(x, attended)": "self.add_norm2(x, self.dropout(attended))",
        "self.add_norm3(x, self.feed_forward(x))": """\
self.add_norm3(x, self.dropout(self.feed_forward(x)))""",
    },
)
SOURCE_AND_TARGET_ASKED = Mistake(
    "The cross-attention takes its keys and values from source and target together. It should "
    "attend only to the source, because the self-attention already attends to the target.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
both = torch.cat([encoder_output, x], dim=1)
        if src_mask is not None:
            seen = torch.ones(*src_mask.shape[:-1], x.size(1), device=x.device)
            src_mask = torch.cat([src_mask != 0, seen != 0], dim=-1)
        attended = self.cross_attention(x, both, both, src_mask)""",
    },
)
FEED_FORWARD_OF_ATTENDED = Mistake(
    "The feed-forward network reads the cross-attention's output, not the result of add_norm2. So "
    "it does not see the target's own content.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(attended))"""
    },
)
LAST_ROW_OF_TARGET_MASK = Mistake(
    "The last row of trg_mask is used for all words. The last word may see all words before it, "
    "so no later word is hidden from any word.",
    {
        "self.self_attention(x, x, x, trg_mask)": """\
self.self_attention(x, x, x, trg_mask if trg_mask is None else trg_mask[..., -1:, :])"""
    },
)
AT_MOST_512_TARGET_TOKENS = Mistake(
    "The target attends to its first 512 tokens only. In a longer target the other tokens are "
    "never read.",
    {
        "self.self_attention(x, x, x, trg_mask))": """\
self.self_attention(
            x, x[:, :512], x[:, :512], trg_mask if trg_mask is None else trg_mask[..., :512]
        ))"""
    },
)
AT_MOST_512_SOURCE_TOKENS = Mistake(
    "The target reads the first 512 tokens of the source only. In a longer source the others are "
    "never read.",
    {
        "        # Let each target token attend to the source tokens": """\
        encoder_output = encoder_output[:, :512]
        src_mask = src_mask if src_mask is None else src_mask[..., :512]
        # Let each target token attend to the source tokens"""
    },
)
CROSS_READS_THE_TARGET_WITHOUT_MASK = Mistake(
    CROSS_READS_THE_TARGET.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(x, x, x)"
    },
)
CROSS_READS_THE_TARGET_WITH_SRC_MASK = Mistake(
    CROSS_READS_THE_TARGET.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(x, x, x, src_mask)"
    },
)
SOURCE_ASKS_TARGET_WITH_SRC_MASK = Mistake(
    SOURCE_ASKS_TARGET.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(encoder_output, x, x, src_mask)"
    },
)
SOURCE_ASKS_TARGET_WITH_TRG_MASK = Mistake(
    SOURCE_ASKS_TARGET.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(encoder_output, x, x, trg_mask)"
    },
)
SOURCE_ASKS_ITSELF_WITHOUT_MASK = Mistake(
    SOURCE_ASKS_ITSELF.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(encoder_output, encoder_output, encoder_output)"
    },
)
KEYS_FROM_TARGET_WITHOUT_MASK = Mistake(
    KEYS_FROM_TARGET.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(x, x, encoder_output)"
    },
)
KEYS_FROM_TARGET_WITH_TRG_MASK = Mistake(
    KEYS_FROM_TARGET.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(x, x, encoder_output, trg_mask)"
    },
)
VALUES_FROM_TARGET_WITHOUT_MASK = Mistake(
    VALUES_FROM_TARGET.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(x, encoder_output, x)"
    },
)
VALUES_FROM_TARGET_WITH_TRG_MASK = Mistake(
    VALUES_FROM_TARGET.says,
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(x, encoder_output, x, trg_mask)"
    },
)
SOURCE_DROPPED_FIRST = Mistake(
    SOURCE_DROPPED.says,
    {
        "self.add_norm3 = AddNorm(dim_vector, dropout)": """\
self.add_norm3 = AddNorm(dim_vector, dropout)
        self.dropout = nn.Dropout(dropout)""",
        "x = self.add_norm1(x, self.self": """\
encoder_output = self.dropout(encoder_output)
        x = self.add_norm1(x, self.self""",
    },
)
ONE_TOKEN_SEES_PADDING = Mistake(
    "A target of one token ignores src_mask. So the first token of each translation attends to "
    "the padding of its source.",
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
self.cross_attention(
            x, encoder_output, encoder_output, src_mask if x.size(1) > 1 else None
        )"""
    },
)
FIRST_AND_SECOND_NORM_EXCHANGED = Mistake(
    "add_norm1 and add_norm2 are swapped. Each has weights of its own, so the "
    "self-attention must go through add_norm1 and the cross-attention through add_norm2.",
    {
        "self.add_norm1(x, self": "self.add_norm2(x, self",
        "self.add_norm2(x, attended)": "self.add_norm1(x, attended)",
    },
)
FIRST_AND_THIRD_NORM_EXCHANGED = Mistake(
    "add_norm1 and add_norm3 are swapped. Each has weights of its own, so the "
    "self-attention must go through add_norm1 and the feed-forward network through add_norm3.",
    {
        "self.add_norm1(x, self": "self.add_norm3(x, self",
        "self.add_norm3(x, self.feed": "self.add_norm1(x, self.feed",
    },
)
FIRST_KEY_ALWAYS_OPEN = Mistake(
    "The first token of the target is made visible for every query. If it is padding, it must stay "
    "hidden.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
if trg_mask is not None:
            trg_mask = trg_mask.clone()
            trg_mask[..., 0] = True
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))"""
    },
)

MASK_DROPPED_FOR_ONE_WHOLE_SENTENCE = Mistake(
    "src_mask is left out as soon as one source has no padding. The other sentences then attend "
    "to theirs.",
    {
        "attended = self.cross": """\
if src_mask is not None and src_mask.flatten(1).all(dim=1).any():
            src_mask = None
        attended = self.cross"""
    },
)
QUERIES_DROPPED = Mistake(
    "Dropout is applied to the queries. It belongs on the output of each sublayer, not on what a "
    "sublayer reads.",
    {
        "self.self_attention(x, x, x, trg_mask)": "self.self_attention(self.add_norm1.dropout(x), x, x, trg_mask)"
    },
)
QUERIES_OF_THE_SOURCE_DROPPED = Mistake(
    "Dropout is applied to the queries of the cross-attention. It belongs on the output of each "
    "sublayer, not on what a sublayer reads.",
    {"self.cross_attention(x, enc": "self.cross_attention(self.add_norm2.dropout(x), enc"},
)
SOURCE_IN_THE_SHORTCUT = Mistake(
    "The second AddNorm adds the attention's result to encoder_output. It should add it to x.",
    {"self.add_norm2(x, attended)": "self.add_norm2(encoder_output, attended)"},
)
NETWORK_BUILT_WITHOUT_DROPOUT = Mistake(
    "The feed-forward network is made with a dropout of 0. It should get the given one.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": "FeedForward(dim_vector, dim_hidden, 0.0)"},
)

GIVEN_MASK_MADE_CAUSAL = Mistake(
    "trg_mask is cut to its lower triangle. It is the caller's: it may show later tokens, or have one row for all queries.",
    {"x, x, x, trg_mask)": "x, x, x, None if trg_mask is None else trg_mask.tril())"},
)

CAUSAL_IN_TRAINING_ONLY = Mistake(
    "trg_mask is used in train mode only. The numbers of both modes would then be others.",
    {"x, x, x, trg_mask)": "x, x, x, trg_mask if self.training else None)"},
)

SOURCE_AVERAGED = Mistake(
    "The source is averaged into one vector first. Cross-attention reads the vector of each source token.",
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": "self.cross_attention(x, encoder_output.mean(1, keepdim=True), encoder_output.mean(1, keepdim=True))"
    },
)
SOURCE_VALUES_NORMALISED = Mistake(
    "The values of the cross-attention are made from the normalised source, the keys from the "
    "source itself. Both read encoder_output as it is.",
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
self.cross_attention(
            x, encoder_output, self.add_norm2.layer_norm(encoder_output), src_mask
        )"""
    },
)
SOURCE_KEYS_NORMALISED = Mistake(
    "The keys of the cross-attention are made from the normalised source, the values from the "
    "source itself. Both read encoder_output as it is.",
    {
        "self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
self.cross_attention(
            x, self.add_norm2.layer_norm(encoder_output), encoder_output, src_mask
        )"""
    },
)
MASKS_SWAPPED_IF_EQUALLY_LONG = Mistake(
    "The two masks are swapped if source and target are equally long. The target then sees the "
    "words that it must predict.",
    {
        "        x = self.add_norm1(x, self.self_attention": """\
        if trg_mask is not None and src_mask is not None and x.shape == encoder_output.shape:
            trg_mask, src_mask = src_mask, trg_mask
        x = self.add_norm1(x, self.self_attention"""
    },
)
SOURCE_MASK_IN_TRAINING_ONLY = Mistake(
    "src_mask is used in train mode only. The source has padding in eval mode, too.",
    {
        "encoder_output, encoder_output, src_mask)": """\
encoder_output, encoder_output, src_mask if self.training else None)"""
    },
)
CAUSAL_IN_EVAL_ONLY = Mistake(
    "trg_mask is used in eval mode only. In training the target then sees the words that it must "
    "predict.",
    {"x, x, x, trg_mask)": "x, x, x, None if self.training else trg_mask)"},
)
