"""What people get wrong in s2_attention/add_norm.py."""

from checks.engine.known import Mistake
from checks.s1_embedding.transformer_embedding import mistakes as embedding

NO_ADD = Mistake(
    "The input is not added: only the sublayer's output is normalised. Without the residual "
    "connection, the input is lost unless the sublayer passes it on.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(sublayer_output))"""
    },
)
NO_NORM = Mistake(
    "The sum is not normalised. The values can grow from layer to layer, and training becomes "
    "unstable.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": (
            "return x + self.dropout(sublayer_output)"
        )
    },
)
ONLY_INPUT = Mistake(
    "The sublayer's output is not used: only the input is normalised. So the sublayer has no "
    "effect and never learns.",
    {"return self.layer_norm(x + self.dropout(sublayer_output))": ("return self.layer_norm(x)")},
)
NORM_BEFORE_ADD = Mistake(
    "You apply dropout to the sublayer's output, normalise it, then add. The paper adds first and "
    "then normalises the sum, so that the sum cannot grow from layer to layer.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.layer_norm(self.dropout(sublayer_output))"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
NORM_OF_INPUT_ADDED = Mistake(
    "Only the input is normalised, before the addition, so the sum can have any size. The paper "
    "adds first and normalises the sum.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x) + self.dropout(sublayer_output)"""
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
NORM_DROPOUT_OUTSIDE = Mistake(
    "You normalise the sublayer's output, then apply dropout and add. The paper adds first and "
    "normalises the sum.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.dropout(self.layer_norm(sublayer_output))"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
ADDS_ITSELF = Mistake(
    "The sublayer's output is added to itself instead of to the input. There is no residual "
    "connection, so the input is lost unless the sublayer passes it on.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(sublayer_output + self.dropout(sublayer_output))"""
    },
)
ADDS_INPUT_TWICE = Mistake(
    "The input counts twice as much as the sublayer's output. Both should count the same, or the "
    "sublayer has too little effect on the sum.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(2 * x + self.dropout(sublayer_output))"""
    },
)
SHORTCUT_OUTSIDE = Mistake(
    "The input is added once more after the normalisation. So the result is no longer normalised "
    "and can grow from layer to layer.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.layer_norm(x + self.dropout(sublayer_output))"""
    },
)
NORM_TWICE = Mistake(
    "The sum is normalised twice. The second norm removes a part of what gamma and beta did.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.layer_norm(x + self.dropout(sublayer_output)))"""
    },
)
SUBTRACTED = Mistake(
    "The sublayer's output is subtracted from the input instead of added, so all its values have "
    "the wrong sign.",
    {"x + self.dropout": "x - self.dropout"},
)
MULTIPLIED = Mistake(
    "Input and sublayer's output are multiplied instead of added. There is no residual connection: "
    "if the sublayer gives zero, the input is erased.",
    {"x + self.dropout": "x * self.dropout"},
)
SCALED_SUBLAYER = Mistake(
    ADDS_INPUT_TWICE.says,
    {"x + self.dropout(sublayer_output)": "x + self.dropout(sublayer_output) / 2"},
)
BOTH_NORMALISED = Mistake(
    "The input and the sublayer's output are normalised one by one and then added. So their sizes "
    "are lost, and the sum itself is not normalised.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x) + self.layer_norm(self.dropout(sublayer_output))"""
    },
)
ACTIVATION_ON_TOP = Mistake(
    "The normalised sum goes through an activation, which sets all negative entries to zero.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x + self.dropout(sublayer_output)).relu()"""
    },
)
DROPOUT_AFTER_NORM = Mistake(
    "Dropout is applied after the normalisation. It sets entries of the finished result to zero, "
    "including those of the residual connection.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.dropout(self.layer_norm(x + sublayer_output))"""
    },
)
DROPOUT_ON_SUM = Mistake(
    "Dropout is applied to the sum, so it also acts on the residual connection. It belongs on the "
    "sublayer's output, before the addition.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x + sublayer_output))"""
    },
)
DROPOUT_ON_INPUT = Mistake(
    "Dropout acts on the residual connection instead of the sublayer's output, or the two "
    "arguments are in the wrong order. The residual connection should stay whole.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x) + sublayer_output)"""
    },
)
DROPOUT_ON_BOTH = Mistake(
    "Dropout is applied to the input as well as to the sublayer's output. It belongs only on the "
    "sublayer's output; the residual connection should stay whole.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x) + self.dropout(sublayer_output))"""
    },
)
DROPOUT_TWICE = Mistake(
    "Dropout is applied twice. So more entries are dropped than the given probability says, and "
    "the others are scaled up twice.",
    {"self.dropout(sublayer_output)": "self.dropout(self.dropout(sublayer_output))"},
)
NO_DROPOUT = Mistake(
    "Dropout is never applied, so nothing is dropped in training and the given probability has no "
    "effect. The model then overfits more easily.",
    {"self.dropout(sublayer_output)": "sublayer_output"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "Entries are dropped in eval mode, too, so each call gives another result. F.dropout "
    "without self.training and a layer made in forward do that: make nn.Dropout in __init__.",
    {
        "self.dropout(sublayer_output)": """\
nn.functional.dropout(sublayer_output, self.dropout.p)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_ALWAYS_A_TENTH = Mistake(
    DROPOUT_ALWAYS_ON.says,
    {"self.dropout(sublayer_output)": "nn.functional.dropout(sublayer_output, 0.1)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    DROPOUT_ALWAYS_ON.says,
    {"self.dropout(sublayer_output)": "nn.Dropout(self.dropout.p)(sublayer_output)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is used as the probability to keep an entry. With the usual 0.1, nine "
    "tenths of the entries are dropped.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(1 - dropout)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "The default of dropout is 0 instead of 0.1. If the caller gives no dropout, nothing is "
    "dropped.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DEFAULT_DROPOUT_HALF = Mistake(
    "The default of dropout is 0.5 instead of 0.1. If the caller gives no dropout, half of the "
    "entries are dropped in training.",
    {"dropout: float = 0.1": "dropout: float = 0.5"},
)
DROPOUT_FIXED = Mistake(
    "The dropout probability is a fixed number in the code, and the given one is ignored. So "
    "dropout cannot be changed or turned off.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(0.1)"},
)
DROPOUT_ARGUMENT_FORGOTTEN = Mistake(
    "The given dropout never reaches the dropout layer. It then drops half of the entries, which "
    "is PyTorch's default.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout()"},
)
DROPS_WHOLE_VECTORS = Mistake(
    "Whole vectors are dropped instead of single entries. So now and then a word loses everything "
    "that the sublayer found for it.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout1d(dropout)"},
)
ZERO_DROPOUT_IGNORED = Mistake(
    "If dropout is 0, one entry in ten is still dropped. In Python, `0 or 0.1` is 0.1.",
    {"nn.Dropout(dropout)": "nn.Dropout(dropout or 0.1)"},
)
ALPHA_DROPOUT = Mistake(
    "This is alpha dropout: dropped entries do not become zero, and the others are rescaled and "
    "shifted. That distorts the sum.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.AlphaDropout(dropout)"},
)
DROPOUT_IN_PLACE = Mistake(
    "Dropout works in place. In training it writes zeros into the caller's tensor, which other "
    "code may still need.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout, inplace=True)"""
    },
    seen="jcyk/copyisallyouneed#6, microsoft/unilm#999",
)
ADD_IN_PLACE = Mistake(
    "The sum is written into the caller's input. Later code that uses that tensor, the backward "
    "pass for example, reads changed values.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
x.data.add_(self.dropout(sublayer_output).data)
        return self.layer_norm(x)"""
    },
    seen="microsoft/unilm#999",
)
ADD_IN_PLACE_INTO_SUBLAYER = Mistake(
    "In eval mode dropout returns the same tensor that it was given. Adding in place then "
    "overwrites the caller's sublayer output.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
out = self.dropout(sublayer_output)
        out += x
        return self.layer_norm(out)"""
    },
    seen="microsoft/unilm#999",
)
INPUT_DETACHED = Mistake(
    "The residual connection is cut off from the gradient, so earlier layers learn only through "
    "the sublayer. The direct path for gradients is half of its purpose.",
    {"x + self.dropout": "x.detach() + self.dropout"},
)
SUBLAYER_DETACHED = Mistake(
    "The sublayer's output is cut off from the gradient, so the sublayer never learns.",
    {"self.dropout(sublayer_output)": "self.dropout(sublayer_output.detach())"},
)
NORM_WITHOUT_PARAMETERS = Mistake(
    "The normalisation has neither gamma nor beta, so it cannot learn a scale and a shift for "
    "each feature.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = nn.LayerNorm(dim_vector, elementwise_affine=False)"""
    },
)
NORM_WITHOUT_SHIFT = Mistake(
    "The normalisation has a scale but no beta, so it cannot learn to shift a feature.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = nn.LayerNorm(dim_vector, bias=False)"""
    },
)
RMS_NORM = Mistake(
    "RMS normalisation is used, as in some later models. It does not remove the mean and has "
    "no beta, so an offset of the sum stays in the result.",
    {"self.layer_norm = LayerNorm(dim_vector)": ("self.layer_norm = nn.RMSNorm(dim_vector)")},
)
NORM_IN_A_LIST = Mistake(
    "The normalisation is in a plain list, tuple or dictionary, where PyTorch does not look for "
    "layers. So gamma and beta are not trained, not saved, and not moved with the module.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": "self.norms = [LayerNorm(dim_vector)]",
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.norms[0](x + self.dropout(sublayer_output))""",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
NORM_MADE_IN_FORWARD = Mistake(
    "A new normalisation is made at every call. So gamma and beta start again each time and can "
    "never learn.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": "pass",
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return LayerNorm(x.size(-1)).to(x)(x + self.dropout(sublayer_output))""",
    },
)
SECOND_NORM_UNUSED = Mistake(
    "A second normalisation is made but never used. Its parameters get no gradient, never "
    "learn and only take up space.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = LayerNorm(dim_vector)
        self.layer_norm2 = LayerNorm(dim_vector)"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. A float64 or float16 module then passes on values "
    "of the wrong dtype.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x + self.dropout(sublayer_output)).float()"""
    },
)
THREE_AXES_ONLY = Mistake(
    "The code works for exactly three axes and fails for any other number. Only the last axis is "
    "fixed; any number of axes may come before it.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
batch_size, length, dim_vector = x.shape
        return self.layer_norm(x + self.dropout(sublayer_output))"""
    },
)
SUBLAYER_CALLED = Mistake(
    "The second argument is called like a function, as if it were the sublayer. It is the "
    "sublayer's output, a tensor, so the call fails.",
    {"self.dropout(sublayer_output)": "self.dropout(sublayer_output(x))"},
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start again from the same seed at every call. So dropout always drops the "
    "same entries and loses its purpose.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.layer_norm(x +": """\
torch.manual_seed(0)
        return self.layer_norm(x +""",
    },
)
NORM_FROZEN = Mistake(
    "In the normalisation gamma and beta are frozen, so they keep their start values for ever.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = LayerNorm(dim_vector).requires_grad_(False)"""
    },
)
INPUT_NORMALISED_TOO = Mistake(
    "The input is normalised before the addition, and the sum once more after it. The residual "
    "connection should carry the input unchanged.",
    {
        "return self.layer_norm(x + self": """\
return self.layer_norm(self.layer_norm(x) + self"""
    },
)
PROJECTED_SHORTCUT = Mistake(
    "The residual connection goes through a linear layer of its own. It should carry the input "
    "unchanged, so that nothing is lost on the way.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout)
        self.shortcut = nn.Linear(dim_vector, dim_vector)""",
        "(x + self": "(self.shortcut(x) + self",
    },
)
SHARE_TAKEN_AS_EPS = Mistake(
    "The dropout probability is passed to the norm as its eps, so all vectors come out too short.",
    {"LayerNorm(dim_vector)": "LayerNorm(dim_vector, dropout)"},
)
LARGE_EPS = Mistake(
    "The norm is built with a much larger eps than that of step 2.3, so vectors of small "
    "variance come out too short.",
    {"LayerNorm(dim_vector)": "LayerNorm(dim_vector, 1e-2)"},
)
AT_MOST_512_TOKENS = Mistake(
    "Only the first 512 tokens get the residual connection. For later tokens the input is not "
    "added.",
    {
        "        # Apply dropout to the sublayer's output,": """\
        if x.dim() > 1 and x.size(-2) > 512:
            x = x.clone()
            x[..., 512:, :] = 0
        # Apply dropout to the sublayer's output,"""
    },
)
AT_MOST_512_FEATURES = Mistake(
    "The norm is made for at most 512 features, even if dim_vector is larger. A wider vector does "
    "not fit.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": "self.layer_norm = LayerNorm(min(dim_vector, 512))"
    },
)
SIDE_BY_SIDE = Mistake(
    "Input and sublayer output are joined side by side instead of added, so the width doubles.",
    {
        "LayerNorm(dim_vector)": "LayerNorm(2 * dim_vector)",
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "self.layer_norm(x + self.dropout(sublayer_output))": """\
self.layer_norm(torch.cat([x, self.dropout(sublayer_output)], dim=-1))""",
    },
)
DROPS_WHAT_SHOULD_STAY = Mistake(
    "The dropout is the wrong way round: with probability 0.2 it keeps only a fifth of the "
    "entries. The probability says how many are dropped.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
p = self.dropout.p
        if not self.training or p == 0:
            return self.layer_norm(x + sublayer_output)
        kept = sublayer_output.new_empty(sublayer_output.shape).uniform_() < p
        return self.layer_norm(x + sublayer_output * kept / (1 - p))"""
    },
)
DROPPED_IN_PAIRS = Mistake(
    "Neighbouring entries are always dropped together. Each entry needs a draw of its own.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
half = sublayer_output.new_ones(*sublayer_output.shape[:-1], sublayer_output.size(-1) // 2 + 1)
        pairs = self.dropout(half).repeat_interleave(2, dim=-1)[..., : sublayer_output.size(-1)]
        return self.layer_norm(x + sublayer_output * pairs)"""
    },
)

ZEROS_SKIP_THE_NORM = Mistake(
    "If the sublayer gives zeros, x is returned as it is. The sum must be normalised even then.",
    {
        "return self.layer_norm(x": """\
if not sublayer_output.any():
            return x
        return self.layer_norm(x"""
    },
)
ONE_SENTENCE_NOT_DROPPED = Mistake(
    embedding.ONE_SENTENCE_NOT_DROPPED.says,
    {
        "self.dropout(sublayer_output)": "(self.dropout(sublayer_output) if len(x) > 1 else sublayer_output)"
    },
)
MEAN_OF_BOTH = Mistake(
    "The sum is divided by 2 before the norm. The norm hides that, but not where all entries are "
    "almost equal.",
    {"x + self.dropout(sublayer_output)": "(x + self.dropout(sublayer_output)) / 2"},
)
OTHER_EPS = Mistake(
    "The norm is made with another eps. It should keep the one of step 2.3.",
    {"LayerNorm(dim_vector)": "LayerNorm(dim_vector, eps=1e-3)"},
)

SCALED_IN_EVALUATION = Mistake(
    "In eval mode the sublayer's output is multiplied by 1 - dropout. nn.Dropout rescales in training already.",
    {
        "self.dropout(sublayer_output))": "(self.dropout(sublayer_output) if self.training else sublayer_output * (1 - self.dropout.p)))"
    },
)

RESCALED_TWICE = Mistake(
    "The sublayer's output is divided by 1 - dropout once more. nn.Dropout does that itself, and in training only.",
    {"self.dropout(sublayer_output))": "self.dropout(sublayer_output) / (1 - self.dropout.p))"},
)

LARGER_OF_BOTH = Mistake(
    "The larger of both numbers is taken, feature by feature. The residual connection is a sum.",
    {"x + self.dropout(sublayer_output)": "x.maximum(self.dropout(sublayer_output))"},
)

LEARNED_SCALE = Mistake(
    "The sublayer's output has a learned scale, as in some newer models. This step learns the norm's parameters only.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout)
        self.scale = nn.Parameter(torch.ones(dim_vector))""",
        "self.dropout(sublayer_output))": "self.scale * self.dropout(sublayer_output))",
    },
)
SMALLER_EPS = Mistake(OTHER_EPS.says, {"LayerNorm(dim_vector)": "LayerNorm(dim_vector, 1e-12)"})
EPS_1E_6 = Mistake(OTHER_EPS.says, {"LayerNorm(dim_vector)": "LayerNorm(dim_vector, 1e-6)"})
NORM_IN_TRAINING_ONLY = Mistake(
    "In eval mode the sum is not normalised. Later layers then get values of a size that they "
    "never saw in training.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
out = x + self.dropout(sublayer_output)
        return self.layer_norm(out) if self.training else out"""
    },
)
NORM_IN_EVAL_ONLY = Mistake(
    "In train mode the sum is not normalised, so gamma and beta never learn. Both modes need the "
    "norm.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
out = x + self.dropout(sublayer_output)
        return out if self.training else self.layer_norm(out)"""
    },
)
RESIDUAL_IN_TRAINING_ONLY = Mistake(
    "In eval mode the input is not added. The residual connection is needed in both modes.",
    {"x + self.dropout": "x * self.training + self.dropout"},
)
RESIDUAL_IN_EVAL_ONLY = Mistake(
    "In train mode the input is not added. The residual connection is needed in both modes.",
    {"x + self.dropout": "x * (not self.training) + self.dropout"},
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. With one sentence or one token, the output then has too few axes.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x + self.dropout(sublayer_output)).squeeze()"""
    },
)
