"""What people get wrong in s4_decoder/decoder_layer.py."""

from checks.machine.known import Mistake

FIRST_NORM_THREE_TIMES = Mistake(
    "Three sublayers share one normalisation and the others are never used; each needs its own.",
    {
        "self.add_norm2(x, attended)": "self.add_norm1(x, attended)",
        "self.add_norm3(x, self": "self.add_norm1(x, self",
    },
)
SECOND_NORM_TWICE = Mistake(
    "The third sublayer uses the second normalisation; its own is never used.",
    {"self.add_norm3(x, self": "self.add_norm2(x, self"},
)
FIRST_NORM_TWICE = Mistake(
    "The second sublayer uses the first normalisation; its own is never used.",
    {"self.add_norm2(x, attended)": "self.add_norm1(x, attended)"},
)
NORMS_ARE_ONE_LAYER = Mistake(
    "The three normalisations are one and the same layer; each sublayer has its own.",
    {
        "self.add_norm2 = AddNorm(dim_vector, dropout)": "self.add_norm2 = self.add_norm1",
        "self.add_norm3 = AddNorm(dim_vector, dropout)": "self.add_norm3 = self.add_norm1",
    },
)
THIRD_NORM_MISSING = Mistake(
    "There are only two normalisations, and the last sublayer uses the second once more.",
    {
        "        self.add_norm3 = AddNorm(dim_vector, dropout)\n": "",
        "self.add_norm3(x, self": "self.add_norm2(x, self",
    },
)
ATTENTIONS_ARE_ONE_LAYER = Mistake(
    "Both attentions are one and the same layer; each has numbers of its own.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = self.self_attention"""
    },
    seen="huggingface/transformers#4680",
)
SELF_ATTENTION_USED_TWICE = Mistake(
    "The attention on the source goes through the layer of the self-attention; its own is "
    "never used.",
    {"attended = self.cross_attention(": "attended = self.self_attention("},
    seen="huggingface/transformers#4680",
)
CROSS_ATTENTION_USED_TWICE = Mistake(
    "The self-attention goes through the layer of the attention on the source; its own is "
    "never used.",
    {"self.self_attention(x, x, x, trg_mask)": "self.cross_attention(x, x, x, trg_mask)"},
)
CROSS_READS_THE_TARGET = Mistake(
    "The second attention never looks at the source, so the translation cannot depend on it.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, x, x, trg_mask)"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_ASKS_TARGET = Mistake(
    "The source asks and the target answers; it is the other way round: queries come from the "
    "target.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(encoder_output, x, x)"""
    },
    seen="humza909/LLM_Survey#2, rexrex9/nlp_torchtext#2",
)
SOURCE_ASKS_ITSELF = Mistake(
    "In the second attention the source attends to itself; the queries come from the target.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(encoder_output, encoder_output, encoder_output, src_mask)"""
    },
    seen="humza909/LLM_Survey#2, rexrex9/nlp_torchtext#2",
)
KEYS_FROM_TARGET = Mistake(
    "The keys come from the target and the values from the source; both come from the same "
    "sentence.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, x, encoder_output, src_mask)"""
    },
)
VALUES_FROM_TARGET = Mistake(
    "The keys come from the source and the values from the target; both come from the same "
    "sentence.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
attended = self.cross_attention(x, encoder_output, x, src_mask)"""
    },
)
MASKS_SWAPPED = Mistake(
    "The two masks have changed places: the look-ahead mask belongs to the target's attention "
    "to itself.",
    {
        "(x, x, x, trg_mask)": "(x, x, x, src_mask)",
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, trg_mask)""",
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
MASK_ARGUMENTS_SWAPPED = Mistake(
    "The layer takes its two masks in the wrong order.",
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
    "The target still looks at the padding of the source: its mask is not handed on.",
    {"(x, encoder_output, encoder_output, src_mask)": ("(x, encoder_output, encoder_output)")},
    seen="keras-team/keras-io#1046, pytorch/tutorials#719",
)
NO_MASK_ON_TARGET = Mistake(
    "The target's mask is not handed on, so words see the answer that they are asked to predict.",
    {"(x, x, x, trg_mask)": "(x, x, x)"},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
MASKS_IGNORED = Mistake(
    "Both masks are accepted and never used.",
    {
        "(x, x, x, trg_mask)": "(x, x, x)",
        "(x, encoder_output, encoder_output, src_mask)": ("(x, encoder_output, encoder_output)"),
    },
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
TARGET_MASK_ON_SOURCE = Mistake(
    "The look-ahead mask is used on the source too; the whole source is known from the start.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, trg_mask)"""
    },
    seen="zhouhaoyi/Informer2020#38",
)
SOURCE_MASK_ON_TARGET = Mistake(
    "The mask of the source is used for the target as well.",
    {"(x, x, x, trg_mask)": "(x, x, x, src_mask)"},
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
CAUSAL_ON_SOURCE = Mistake(
    "Later source words are hidden from early target words; the whole source is known from the "
    "start.",
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
    "The future is hidden here in any case; what is hidden is for the given mask to say.",
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
    "The mask of the source is inverted, so exactly its padding is read.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, None if src_mask is None else src_mask == 0)"""
    },
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
TARGET_MASK_INVERTED = Mistake(
    "The mask of the target is inverted, so exactly the hidden words are read.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
trg_mask = None if trg_mask is None else trg_mask == 0
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))"""
    },
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASKS_OF_FIRST_SENTENCE = Mistake(
    "All sentences get the source mask of the first.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output, None if src_mask is None else src_mask[:1])"""
    },
)
NO_CROSS_SHORTCUT = Mistake(
    "There is no shortcut around the attention on the source, so the target's own content is lost.",
    {
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2.layer_norm(self.add_norm2.dropout(attended))"""
    },
)
NO_SELF_SHORTCUT = Mistake(
    "There is no shortcut around the self-attention.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1.layer_norm(self.add_norm1.dropout(self.self_attention(x, x, x, trg_mask)))"""
    },
)
NO_FEED_FORWARD_SHORTCUT = Mistake(
    "There is no shortcut around the feed-forward network.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3.layer_norm(self.add_norm3.dropout(self.feed_forward(x)))"""
    },
)
NO_SHORTCUTS = Mistake(
    "There is no shortcut around any of the three sublayers.",
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
    "The attention on the source is left out: nothing connects source and target.",
    {"x = self.add_norm2(x, attended)": "pass"},
    seen="huggingface/transformers#4680",
)
CROSS_ATTENTION_UNUSED = Mistake(
    "The attention on the source is computed and thrown away.",
    {"x = self.add_norm2(x, attended)": "x = self.add_norm2(x, x)"},
    seen="huggingface/transformers#4680",
)
ARGUMENTS_SWAPPED = Mistake(
    "Source and target are taken in the wrong order.",
    {
        """\
        x: Tensor,
        encoder_output: Tensor,""": """\
        encoder_output: Tensor,
        x: Tensor,"""
    },
)
STALE_SECOND_SHORTCUT = Mistake(
    "The second shortcut starts at the layer's entrance; it must start after the first "
    "normalisation.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
        "x = self.add_norm2(x, attended)": "x = self.add_norm2(entrance, attended)",
    },
)
STALE_THIRD_SHORTCUT = Mistake(
    "The third shortcut starts at the layer's entrance; it must start after the second "
    "normalisation.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(entrance, self.feed_forward(x))""",
    },
)
THIRD_SHORTCUT_AFTER_FIRST_NORM = Mistake(
    "The third shortcut starts after the first normalisation; it must start after the second.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        first = x""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(first, self.feed_forward(x))""",
    },
)
SOURCE_ASKED_BY_ENTRANCE = Mistake(
    "The source is asked by the layer's input instead of what the self-attention made of it.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))""",
        "self.cross_attention(x, encoder": "self.cross_attention(entrance, encoder",
    },
)
FEED_FORWARD_READS_FIRST = Mistake(
    "The feed-forward network reads what was there before the source was asked.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        first = x""",
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(first))""",
    },
)
SHORTCUT_FROM_SOURCE = Mistake(
    "The shortcut of the second sublayer carries the source's mean instead of the target.",
    {
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2(encoder_output.mean(dim=1, keepdim=True).expand_as(x), attended)"""
    },
)
SOURCE_DETACHED = Mistake(
    "The link to the source is cut for gradients, so the encoder never learns.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output.detach(), encoder_output.detach(), src_mask)"""
    },
)
SOURCE_KEYS_DETACHED = Mistake(
    "The keys of the source are cut off from the gradient.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output.detach(), encoder_output, src_mask)"""
    },
)
SOURCE_VALUES_DETACHED = Mistake(
    "The values of the source are cut off from the gradient.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, encoder_output, encoder_output.detach(), src_mask)"""
    },
)
TARGET_DETACHED = Mistake(
    "The target is cut off from the gradient between the sublayers, so the self-attention "
    "never learns.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
x = x.detach()
        return self.add_norm3(x, self.feed_forward(x))"""
    },
)
SELF_ATTENTION_READS_SOURCE = Mistake(
    "The first attention reads the source; it is among target words only.",
    {
        "self.self_attention(x, x, x, trg_mask)": """\
self.self_attention(x, encoder_output, encoder_output, src_mask)"""
    },
)
SELF_ATTENTION_MISSING = Mistake(
    "The first attention is left out, so target words do not see each other.",
    {"x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": "pass"},
)
FEED_FORWARD_MISSING = Mistake(
    "The feed-forward network is left out.",
    {"return self.add_norm3(x, self.feed_forward(x))": "return x"},
)
CROSS_BEFORE_SELF = Mistake(
    "The source is asked before the target has attended to itself; it is the other way round.",
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
    "The feed-forward network comes before the attention on the source; it comes last.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
x = self.add_norm3(x, self.feed_forward(x))
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)""",
        "return self.add_norm3(x, self.feed_forward(x))": "return x",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
ATTENTIONS_SIDE_BY_SIDE = Mistake(
    "Both attentions read the same input and are added up; the second has to read the result "
    "of the first.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
own = self.self_attention(x, x, x, trg_mask)""",
        "x = self.add_norm2(x, attended)": "x = self.add_norm2(x, own + attended)",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
NORMS_ROTATED = Mistake(
    "The normalisations are used in another order than their sublayers.",
    {
        "x = self.add_norm2(x, attended)": "x = self.add_norm3(x, attended)",
        "return self.add_norm3(x, self": "return self.add_norm2(x, self",
    },
)
DOUBLE_SHORTCUT = Mistake(
    "The input is added twice around the attention on the source.",
    {"self.add_norm2(x, attended)": "self.add_norm2(x, x + attended)"},
)
PRE_NORM = Mistake(
    "This is pre-norm. It trains more easily and is used widely, but this course follows the "
    "paper, which normalises after the addition.",
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
    "The last sum is not normalised.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return x + self.add_norm3.dropout(self.feed_forward(x))"""
    },
)
NO_SECOND_NORM = Mistake(
    "The second sum is not normalised.",
    {"x = self.add_norm2(x, attended)": "x = x + self.add_norm2.dropout(attended)"},
)
NO_FIRST_NORM = Mistake(
    "The first sum is not normalised.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
x = x + self.add_norm1.dropout(self.self_attention(x, x, x, trg_mask))"""
    },
)
SOURCE_NORMALISED = Mistake(
    "The source is normalised before it is asked; it comes from the encoder as it should be.",
    {
        "(x, encoder_output, encoder_output, src_mask)": """\
(x, self.add_norm2.layer_norm(encoder_output), self.add_norm2.layer_norm(encoder_output), src_mask)"""
    },
)
FOURTH_NORM = Mistake(
    "There is a fourth normalisation at the end; the layer already ends in one.",
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
    "A third attention is made and never used; its parameters never learn.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.attention3 = MultiHeadAttention(dim_vector, n_head)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The feed-forward network is as wide as the vectors; it must have the given width.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dim_vector, dropout)"""
    },
)
DROPOUT_FOR_HIDDEN = Mistake(
    "The share to drop and the hidden width are handed over in the wrong order.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, dropout, dim_hidden)"""
    },
)
ONE_HEAD_ON_SOURCE = Mistake(
    "The attention on the source has one head, whatever number is given.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = MultiHeadAttention(dim_vector, 1)"""
    },
)
ONE_HEAD_ON_TARGET = Mistake(
    "The self-attention has one head, whatever number is given.",
    {
        "self.self_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.self_attention = MultiHeadAttention(dim_vector, 1)"""
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
DROPOUT_NOT_TO_THIRD_NORM = Mistake(
    "The share to drop never reaches the third add and norm, which falls back on its own default.",
    {"self.add_norm3 = AddNorm(dim_vector, dropout)": ("self.add_norm3 = AddNorm(dim_vector)")},
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The share to drop never reaches the feed-forward network, which falls back on its own "
    "default.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": ("FeedForward(dim_vector, dim_hidden)")},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "Unless a share is given nothing is dropped; one tenth is the default.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
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
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3.dropout(self.add_norm3(x, self.feed_forward(x)))"""
    },
)
SOURCE_DROPPED = Mistake(
    "The encoder's output is dropped from before it is asked.",
    {
        "attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)": """\
encoder_output = self.add_norm2.dropout(encoder_output)
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "This form of dropout does not know about evaluation mode, so the finished model still "
    "drops at random.",
    {
        "x = self.add_norm2(x, attended)": """\
x = self.add_norm2(x, nn.functional.dropout(attended, self.add_norm2.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
CROSS_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of the second add and norm are swapped: the sum is the same, but dropout "
    "now hits the shortcut.",
    {"x = self.add_norm2(x, attended)": "x = self.add_norm2(attended, x)"},
)
LAST_ADD_NORM_ARGUMENTS_SWAPPED = Mistake(
    "The two inputs of the third add and norm are swapped: the sum is the same, but dropout "
    "now hits the shortcut.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(self.feed_forward(x), x)"""
    },
)
SOURCE_CHANGED_IN_PLACE = Mistake(
    "The encoder's output is overwritten; the next decoder layer needs it as it was.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
encoder_output.data.mul_(0.5)
        return self.add_norm3(x, self.feed_forward(x))"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "The caller's input is overwritten by the sum.",
    {
        "x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))": """\
entrance = x.data
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        entrance.copy_(x.data)"""
    },
    seen="microsoft/unilm#999",
)
PYTHON_LIST = Mistake(
    "The add and norms sit in a plain Python list, where PyTorch does not look: they are "
    "neither trained nor saved nor moved.",
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
    "The source is handed back beside the output.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(x)), encoder_output"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is forced to single precision, whatever the precision of the module.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(x)).float()"""
    },
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {
        "return self.add_norm3(x, self.feed_forward(x))": """\
return self.add_norm3(x, self.feed_forward(x)).squeeze()"""
    },
)
