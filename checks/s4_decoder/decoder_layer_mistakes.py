"""What people get wrong in s4_decoder/decoder_layer.py."""

from checks.machine.known import Mistake

FIRST_NORM_THREE_TIMES = Mistake(
    "All three sublayers go through add_norm1, and the other two are never used. Each sublayer "
    "needs a scale and shift of its own, and the unused ones never learn.",
    {
        "self.add_norm2(x, attended)": "self.add_norm1(x, attended)",
        "self.add_norm3(x, self": "self.add_norm1(x, self",
    },
)
SECOND_NORM_TWICE = Mistake(
    "The feed-forward network goes through add_norm2, and add_norm3 is never used. Two "
    "sublayers then share one scale and shift, and those of add_norm3 never learn.",
    {"self.add_norm3(x, self": "self.add_norm2(x, self"},
)
FIRST_NORM_TWICE = Mistake(
    "The attention on the source goes through add_norm1, and add_norm2 is never used. Two "
    "sublayers then share one scale and shift, and those of add_norm2 never learn.",
    {"self.add_norm2(x, attended)": "self.add_norm1(x, attended)"},
)
NORMS_ARE_ONE_LAYER = Mistake(
    "The three add and norms are one and the same layer under three names. Their scale and "
    "shift can never differ, although each sublayer needs its own.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": "self.add_norm2 = self.add_norm1",
        "self.add_norm3 = AddNorm(dim_vector, dropout)": "self.add_norm3 = self.add_norm1",
    },
)
THIRD_NORM_MISSING = Mistake(
    "There is no add_norm3: the feed-forward network uses add_norm2 once more. Two sublayers "
    "then have to share one scale and shift.",
    {
        "        self.add_norm3 = AddNorm(dim_vector, dropout)\n": "",
        "self.add_norm3(x, self": "self.add_norm2(x, self",
    },
)
ATTENTIONS_ARE_ONE_LAYER = Mistake(
    "Both attentions are one and the same layer under two names. The target then has to look "
    "at the source with the very weights it uses to look at itself.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = self.self_attention"""
    },
    seen="huggingface/transformers#4680",
)
SELF_ATTENTION_USED_TWICE = Mistake(
    "The attention on the source goes through self_attention, and cross_attention is never "
    "used. One set of weights has to do both jobs, and the other never learns.",
    {"attended = self.cross_attention(": "attended = self.self_attention("},
    seen="huggingface/transformers#4680",
)
CROSS_ATTENTION_USED_TWICE = Mistake(
    "The target attends to itself through cross_attention, and self_attention is never used. "
    "One set of weights has to do both jobs, and the other never learns.",
    {"self.self_attention(x, x, x, trg_mask)": "self.cross_attention(x, x, x, trg_mask)"},
)
CROSS_READS_THE_TARGET = Mistake(
    "The second attention takes its keys and values from the target and never looks at the "
    "source. The translation then cannot depend on the source.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, x, x, trg_mask)"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_ASKS_TARGET = Mistake(
    "In the second attention the source asks and the target answers; it is the other way "
    "round. The result has one row for each source word, but the target needs one for each of "
    "its own.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(encoder_output, x, x)"""
    },
    seen="humza909/LLM_Survey#2, rexrex9/nlp_torchtext#2",
)
SOURCE_ASKS_ITSELF = Mistake(
    "In the second attention the source attends to itself: the queries come from it as well. "
    "No target word can then choose what it reads from the source.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(encoder_output, encoder_output, encoder_output, src_mask)"""
    },
    seen="humza909/LLM_Survey#2, rexrex9/nlp_torchtext#2",
)
KEYS_FROM_TARGET = Mistake(
    "In the second attention the keys come from the target and the values from the source. The "
    "weights then say which target words matter, and are used to mix source words.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, x, encoder_output, src_mask)"""
    },
)
VALUES_FROM_TARGET = Mistake(
    "In the second attention the keys come from the source and the values from the target. The "
    "weights then say which source words matter, and are used to mix target words.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, encoder_output, x, src_mask)"""
    },
)
MASKS_SWAPPED = Mistake(
    "The two masks have changed places, in the call or in the order of the arguments. Either "
    "the sizes do not fit, or the future is not hidden and the padding of the source is read.",
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
    "The attention on the source does not get src_mask, so the target reads the padding of the "
    "source. The result then depends on how far a sentence happens to be padded.",
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
    "predict, and the padding of the source is read as if it were words.",
    {
        "(x, x, x, trg_mask)": "(x, x, x)",
        "(x, encoder_output, encoder_output, src_mask)": ("(x, encoder_output, encoder_output)"),
    },
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
TARGET_MASK_ON_SOURCE = Mistake(
    "The attention on the source gets trg_mask instead of src_mask. Later source words are "
    "then hidden from early target words, although the whole source is known from the start.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, trg_mask)"""
    },
    seen="zhouhaoyi/Informer2020#38",
)
SOURCE_MASK_ON_TARGET = Mistake(
    "The self-attention gets src_mask instead of trg_mask. This mask knows where the source "
    "has padding, not what comes later, so target words see the words that they must predict.",
    {"(x, x, x, trg_mask)": "(x, x, x, src_mask)"},
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
CAUSAL_ON_SOURCE = Mistake(
    "The layer adds a look-ahead mask of its own to src_mask. Early target words then cannot "
    "read later source words, although the whole source is known from the start.",
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
    "The layer hides the future of the target even where no mask is given. What is hidden is "
    "for the masks to say; without them everything is visible.",
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
    "The layer uses src_mask the wrong way round: the words of the source are hidden and its "
    "padding is read. The target then learns nothing of what the source says.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, None if src_mask is None else src_mask == 0)"""
    },
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
TARGET_MASK_INVERTED = Mistake(
    "The layer uses trg_mask the wrong way round: each target word sees just what should be "
    "hidden, such as the words that it must predict, and not those before it.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
trg_mask = None if trg_mask is None else trg_mask == 0
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))"""
    },
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASKS_OF_FIRST_SENTENCE = Mistake(
    "All sentences of the batch get the src_mask of the first. Where their lengths differ, "
    "padding of the others is read or their words are hidden.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, None if src_mask is None else src_mask[:1])"""
    },
)
NO_CROSS_SHORTCUT = Mistake(
    "There is no shortcut around the attention on the source: its result replaces the target "
    "instead of being added to it. The target's own content is lost at this point.",
    {
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2.layer_norm(self.add_norm2.dropout(attended))"""
    },
)
NO_SELF_SHORTCUT = Mistake(
    "There is no shortcut around the self-attention: its result replaces the input instead of "
    "being added to it. A word then keeps its own vector only as far as it attends to itself.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1.layer_norm(self.add_norm1.dropout(self.self_attention(x, x, x, trg_mask)))"""
    },
)
NO_FEED_FORWARD_SHORTCUT = Mistake(
    "There is no shortcut around the feed-forward network: its result replaces what it read "
    "instead of being added. All that the attentions found has to squeeze through this network.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3.layer_norm(self.add_norm3.dropout(self.feed_forward(x)))"""
    },
)
NO_SHORTCUTS = Mistake(
    "There is no shortcut around any of the three sublayers. Signal and gradient have to pass "
    "through every one of them, and in a deep stack both fade.",
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
    "The attention on the source and its add and norm have no part in the output. Nothing "
    "connects source and target, so the translation cannot depend on the source.",
    {"x = self.add_norm2(x, attended)": "pass"},
    seen="huggingface/transformers#4680",
)
CROSS_ATTENTION_UNUSED = Mistake(
    "The attention on the source has no effect: it is not called, or what it gives is thrown "
    "away. So nothing of the source reaches the output.",
    {"x = self.add_norm2(x, attended)": "x = self.add_norm2(x, x)"},
    seen="huggingface/transformers#4680",
)
ARGUMENTS_SWAPPED = Mistake(
    "The layer takes encoder_output before the target; the other order is asked for. The "
    "decoder tells them apart by their order, so source and target would change roles.",
    {
        """\
        x: Tensor,
        encoder_output: Tensor,""": """\
        encoder_output: Tensor,
        x: Tensor,"""
    },
)
STALE_SECOND_SHORTCUT = Mistake(
    "The second shortcut starts at the layer's input instead of the result of add_norm1. What "
    "the self-attention found then only helps to ask the source and is not carried on.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
        "x = self.add_norm2(x, attended)": "x = self.add_norm2(entrance, attended)",
    },
)
STALE_THIRD_SHORTCUT = Mistake(
    "The third shortcut starts at the layer's input; it must start after add_norm2. What both "
    "attentions found then goes on only through the feed-forward network.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(entrance, self.feed_forward(x))""",
    },
)
THIRD_SHORTCUT_AFTER_FIRST_NORM = Mistake(
    "The third shortcut starts at the result of add_norm1 instead of add_norm2. What was read "
    "from the source then goes on only through the feed-forward network.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        first = x""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(first, self.feed_forward(x))""",
    },
)
SOURCE_ASKED_BY_ENTRANCE = Mistake(
    "The source is asked by the layer's input instead of the result of add_norm1. Each word "
    "then asks without what the self-attention has just learnt of the words before it.",
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
    "The shortcut around the attention on the source starts at the source instead of the "
    "target, so the target's own content is lost.",
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
    "The target is cut off from the gradient before the feed-forward network. Both attentions "
    "of this layer then never learn, nor does anything before them.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
x = x.detach()
        return self.add_norm3(x, self.feed_forward(x))"""
    },
)
SELF_ATTENTION_READS_SOURCE = Mistake(
    "The first attention takes its keys and values from the source; it is among target words "
    "only. Target words then never see each other.",
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
    "The feed-forward network and its add and norm are left out. The layer then only mixes "
    "words, and nothing works on each of them afterwards.",
    {"return self.add_norm3(x, self.feed_forward(x))": "return x"},
)
CROSS_BEFORE_SELF = Mistake(
    "The target reads the source before it attends to itself; the order is the other way "
    "round. Each word then asks the source without knowing the words before it.",
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
    "The feed-forward network comes before the attention on the source; it comes last. What "
    "the target reads from the source is then not worked on in this layer.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
x = self.add_norm3(x, self.feed_forward(x))
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)""",
        "return self.add_norm3(x, self.feed_forward(x))": "return x",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
ATTENTIONS_SIDE_BY_SIDE = Mistake(
    "Both attentions read the same input and their results are added together. The second has "
    "to read the result of the first, or each word asks the source without knowing the words "
    "before it.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
own = self.self_attention(x, x, x, trg_mask)""",
        "x = self.add_norm2(x, attended)": "x = self.add_norm2(x, own + attended)",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
NORMS_ROTATED = Mistake(
    "The attention on the source uses add_norm3, and the feed-forward network uses add_norm2. "
    "Weights saved under these names would then end up behind the wrong sublayer.",
    {
        "x = self.add_norm2(x, attended)": "x = self.add_norm3(x, attended)",
        "return self.add_norm3(x, self": "return self.add_norm2(x, self",
    },
)
DOUBLE_SHORTCUT = Mistake(
    "The target is added twice around the attention on the source, as add_norm2 adds it "
    "already. What is read from the source then counts only half as much.",
    {"self.add_norm2(x, attended)": "self.add_norm2(x, x + attended)"},
)
PRE_NORM = Mistake(
    "The input of each sublayer is normalised, not the sum: this is pre-norm. It trains more "
    "easily and is used widely, but this course follows the paper, which normalises the sum.",
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
    "The sum after the feed-forward network is not normalised. The layer then hands on numbers "
    "of any size, and the scale and shift of add_norm3 never learn.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return x + self.add_norm3.dropout(self.feed_forward(x))"""
    },
)
NO_SECOND_NORM = Mistake(
    "The sum after the attention on the source is not normalised. The feed-forward network "
    "then reads numbers of any size, and the scale and shift of add_norm2 never learn.",
    {"x = self.add_norm2(x, attended)": "x = x + self.add_norm2.dropout(attended)"},
)
NO_FIRST_NORM = Mistake(
    "The sum after the self-attention is not normalised. The source is then asked with numbers "
    "of any size, and the scale and shift of add_norm1 never learn.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = x + self.add_norm1.dropout(self.self_attention(x, x, x, trg_mask))"""
    },
)
SOURCE_NORMALISED = Mistake(
    "The source, encoder_output, goes through the normalisation of add_norm2 before it is "
    "read. The encoder has already normalised it, and a second scale and shift change what it "
    "says.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, self.add_norm2.layer_norm(encoder_output), self.add_norm2.layer_norm(encoder_output), src_mask)"""
    },
)
FOURTH_NORM = Mistake(
    "There is a fourth normalisation at the end. The layer already ends in add_norm3, and one "
    "more takes back part of the scale and shift that it has learnt.",
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
    "The feed-forward network is dim_vector wide inside; it must be dim_hidden wide. The width "
    "that the caller asks for has no effect.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dim_vector, dropout)"""
    },
)
DROPOUT_FOR_HIDDEN = Mistake(
    "The feed-forward network gets dim_hidden and dropout in the wrong order. A share such as "
    "0.1 is then taken for a width, which ends in an error.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dropout, dim_hidden)"""
    },
)
ONE_HEAD_ON_SOURCE = Mistake(
    "The attention on the source has one head, whatever n_head is. Each target word then has a "
    "single way to look at the source.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = MultiHeadAttention(dim_vector, 1)"""
    },
)
ONE_HEAD_ON_TARGET = Mistake(
    "The self-attention has one head, whatever n_head is. Each target word then has a single "
    "way to look at the other target words.",
    {
        "self.self_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.self_attention = MultiHeadAttention(dim_vector, 1)"""
    },
)
DROPOUT_NOT_TO_FIRST_NORM = Mistake(
    "The value of dropout never reaches add_norm1, which falls back on its own default. It "
    "then drops more or less from the result of the self-attention than asked.",
    {"self.add_norm1 = AddNorm(dim_vector, dropout)": ("self.add_norm1 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_SECOND_NORM = Mistake(
    "The value of dropout never reaches add_norm2, which falls back on its own default. It "
    "then drops more or less from what is read from the source than asked.",
    {"self.add_norm2 = AddNorm(dim_vector, dropout)": ("self.add_norm2 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_THIRD_NORM = Mistake(
    "The value of dropout never reaches add_norm3, which falls back on its own default. It "
    "then drops more or less from the result of the feed-forward network than asked.",
    {"self.add_norm3 = AddNorm(dim_vector, dropout)": ("self.add_norm3 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The value of dropout never reaches the feed-forward network, which falls back on its own "
    "default. It then drops more or less inside than asked.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)")},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "When no dropout is given, nothing is dropped; one tenth is the default. Without dropout a "
    "model learns its examples by heart more easily.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
KEEP_PROBABILITY = Mistake(
    "The value of dropout is used as the share to keep; it is the share to drop. With one "
    "tenth, nine tenths of the numbers would be lost and the layer could hardly learn.",
    {
        "self.add_norm1 = AddNorm(dim_vector, dropout)": """\
dropout = 1 - dropout
        self.add_norm1 = AddNorm(dim_vector, dropout)"""
    },
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout is applied once more to the finished output. It belongs to the result of a "
    "sublayer before it is added, so that the shortcut stays whole.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3.dropout(self.add_norm3(x, self.feed_forward(x)))"""
    },
)
SOURCE_DROPPED = Mistake(
    "Dropout is applied to encoder_output before the target reads it. The encoder has done its "
    "own dropout, and from here on the source should be read whole.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
encoder_output = self.add_norm2.dropout(encoder_output)
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "Numbers are dropped from the result of the attention on the source even in evaluation. "
    "The finished model would then answer the same question differently every time.",
    {
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2(x, nn.functional.dropout(attended, self.add_norm2.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
CROSS_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of add_norm2 are swapped. The sum is the same, but in training dropout now "
    "hits the shortcut instead of what is read from the source.",
    {"x = self.add_norm2(x, attended)": "x = self.add_norm2(attended, x)"},
)
LAST_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of add_norm3 are swapped. The sum is the same, but in training dropout now "
    "hits the shortcut instead of the result of the feed-forward network.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(self.feed_forward(x), x)"""
    },
)
SOURCE_CHANGED_IN_PLACE = Mistake(
    "The tensor encoder_output is overwritten. The next decoder layer reads the same tensor "
    "and would find it spoilt.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
encoder_output.data.mul_(0.5)
        return self.add_norm3(x, self.feed_forward(x))"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "The target that the caller handed in is overwritten with a result from inside the layer. "
    "Whoever uses that tensor again finds other numbers there.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x.data
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        entrance.copy_(x.data)"""
    },
    seen="microsoft/unilm#999",
)
PYTHON_LIST = Mistake(
    "The add and norms sit in a plain Python list, where PyTorch does not look. They are "
    "neither trained nor saved, nor moved to a GPU.",
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
    "The layer hands back the source beside its output. The next layer expects a single "
    "tensor, the new target.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(x)), encoder_output"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is forced to single precision, whatever the precision of the module. In a "
    "model of double precision the next layer then stops with an error.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(x)).float()"""
    },
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away. A batch of one sentence, or a sentence of one word, "
    "then comes out with too few axes for the next layer.",
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
    "The feed-forward network is never called: the last add and norm adds the input to itself. "
    "So no token is worked on by itself.",
    {"self.add_norm3(x, self.feed_forward(x))": "self.add_norm3(x, x)"},
)
LAST_NORM_MISSING = Mistake(
    "Behind the feed-forward network the input is added but not normalised, so numbers grow "
    "from layer to layer.",
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
    "The encoder's output goes through a norm of its own before it is asked. It ends in one "
    "already.",
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
    "What each sublayer brings is dropped from twice, once more before its add and norm. So "
    "more is lost than was asked for.",
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
    "Keys and values of the cross-attention are source and target together. It asks the source "
    "alone; the target has asked itself already.",
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
    "The feed-forward network reads what the attention on the source brought, not the result "
    "of add_norm2. The target's own content is missing there.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(attended))"""
    },
)
LAST_ROW_OF_TARGET_MASK = Mistake(
    "The last row of trg_mask is used for all words. The last word may look at all before it, "
    "so the future is hidden from nobody.",
    {
        "self.self_attention(x, x, x, trg_mask)": """\
self.self_attention(x, x, x, trg_mask if trg_mask is None else trg_mask[..., -1:, :])"""
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
