"""What people get wrong in s2_attention/layer_norm.py."""

from checks.engine.known import Mistake

# In the solution:
MEAN = "x.mean(dim=-1, keepdim=True)"
VARIANCE = "x.var(dim=-1, unbiased=False, keepdim=True)"
RETURN = "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta"

EPS_MISNAMED = Mistake(
    "`forward` reads an eps that `__init__` does not store under this name, so the first call fails.",
    {"self.eps = eps": "self.error = eps"},
)
UNBIASED_VARIANCE = Mistake(
    "The variance divides by one less than dim_vector instead of by dim_vector itself. The vectors "
    "come out too small, most of all for a small dim_vector.",
    {VARIANCE: "x.var(dim=-1, keepdim=True)"},
)
EPS_OUTSIDE_ROOT = Mistake(
    "The constant eps is added outside the square root. It is then far too weak for nearly "
    "constant vectors, and they come out much too large.",
    {"/ torch.sqrt(variance + self.eps)": "/ (torch.sqrt(variance) + self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
ANNOTATED_TRANSFORMER = Mistake(
    "This is the form of a well-known tutorial: eps is added to the sample standard deviation. It "
    "trains too, but it differs from the normalisation that the paper cites.",
    {
        f"variance = {VARIANCE}": ("std = x.std(dim=-1, keepdim=True)"),
        "/ torch.sqrt(variance + self.eps)": "/ (std + self.eps)",
    },
)
NO_ROOT = Mistake(
    "The vectors are divided by the variance instead of its square root. They do not get variance "
    "1, and their size still depends on the input.",
    {"/ torch.sqrt(variance + self.eps)": "/ (variance + self.eps)"},
)
NO_EPS = Mistake(
    "The constant eps is not added. A vector of equal entries has variance 0, is divided by zero "
    "and becomes NaN (not a number).",
    {"variance + self.eps": "variance"},
)
EPS_SQUARED = Mistake(
    "The constant eps is squared before it is added, so almost nothing of it is left. Nearly "
    "constant vectors then come out far too large.",
    {"variance + self.eps": "variance + self.eps**2"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
ROOT_OF_EACH = Mistake(
    "The square root is taken of the variance and of eps apart, and then they are added. Every vector "
    "comes out too small.",
    {"torch.sqrt(variance + self.eps)": "(torch.sqrt(variance) + self.eps**0.5)"},
)
EPS_IN_BOTH_PLACES = Mistake(
    "The constant eps is added under the square root and once more outside it. So every vector is "
    "divided by a slightly too large number.",
    {"/ torch.sqrt(variance + self.eps)": "/ (torch.sqrt(variance + self.eps) + self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
VARIANCE_CLAMPED = Mistake(
    "The constant eps is used as a lower limit of the variance instead of being added to it. "
    "Vectors with a small variance come out too large.",
    {"variance + self.eps": "variance.clamp(min=self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
EPS_FIXED = Mistake(
    "The given eps is ignored, and a fixed number in the code is used instead. So the caller "
    "cannot choose eps.",
    {"variance + self.eps": "variance + 1e-5"},
)
DEFAULT_EPS_1E_12 = Mistake(
    "The default of eps is far smaller than 1e-5. It hardly protects nearly constant vectors, and "
    "in float16 it becomes zero.",
    {"eps: float = 1e-5": "eps: float = 1e-12"},
    seen="dmlc/gluon-nlp#1005",
)
DEFAULT_EPS_1E_6 = Mistake(
    "The default of eps is 1e-6 instead of 1e-5, so nearly constant vectors come out larger "
    "than they should.",
    {"eps: float = 1e-5": "eps: float = 1e-6"},
)
DEFAULT_EPS_1E_3 = Mistake(
    "The default of eps is far larger than 1e-5, so vectors with a small variance end up with a "
    "variance well below 1.",
    {"eps: float = 1e-5": "eps: float = 1e-3"},
)
OVER_SEQUENCE = Mistake(
    "Mean and variance are taken over the words of the sentence instead of the features of each "
    "word. So the words change each other.",
    {MEAN: "x.mean(dim=-2, keepdim=True)", VARIANCE: "x.var(dim=-2, unbiased=False, keepdim=True)"},
    seen="tensorflow/docs#1737",
)
OVER_BATCH = Mistake(
    "Mean and variance are taken over the batch instead of the features of each word. So a "
    "sentence's result depends on the other sentences.",
    {MEAN: "x.mean(dim=0, keepdim=True)", VARIANCE: "x.var(dim=0, unbiased=False, keepdim=True)"},
    seen="Kyubyong/transformer#40",
)
AXIS_1 = Mistake(
    "Mean and variance are always taken over axis 1. In an input (n, 6) axis 1 is the features, but "
    "in (n, 4, 6) it is the tokens.",
    {MEAN: "x.mean(dim=1, keepdim=True)", VARIANCE: "x.var(dim=1, unbiased=False, keepdim=True)"},
    seen="tensorflow/docs#1737",
)
AXIS_2 = Mistake(
    "Mean and variance are always taken over axis 2. It is the features only if the input has "
    "three axes, as in (n, 4, 6).",
    {MEAN: "x.mean(dim=2, keepdim=True)", VARIANCE: "x.var(dim=2, unbiased=False, keepdim=True)"},
    seen="tensorflow/docs#1737",
)
OVER_WORDS_AND_FEATURES = Mistake(
    "Mean and variance are taken over words and features together, so padding and the length "
    "of the sentence change every word.",
    {
        MEAN: "x.mean(dim=(-2, -1), keepdim=True)",
        VARIANCE: "x.var(dim=(-2, -1), unbiased=False, keepdim=True)",
    },
    seen="reczoo/FuxiCTR#23",
)
OVER_EVERYTHING = Mistake(
    "One mean and one variance are used for the whole batch, so each word depends on all "
    "sentences. Every vector needs its own mean and variance.",
    {
        f"mean = {MEAN}": "mean = x.mean()",
        f"variance = {VARIANCE}": ("variance = x.var(unbiased=False)"),
    },
    seen="reczoo/FuxiCTR#23",
)
MEAN_OVER_EVERYTHING = Mistake(
    "The mean is taken over the whole batch, and only the variance over each vector. The vectors "
    "do not get mean 0, and each depends on all others.",
    {
        f"mean = {MEAN}": "mean = x.mean()",
    },
    seen="reczoo/FuxiCTR#23",
)
MEAN_WITHOUT_AXIS_KEPT = Mistake(
    "The mean has lost its last axis. It no longer fits the input, or it lines up with the wrong "
    "axis and vectors get the means of others.",
    {
        f"mean = {MEAN}": "mean = x.mean(dim=-1)",
    },
)
STATISTICS_WITHOUT_AXIS_KEPT = Mistake(
    MEAN_WITHOUT_AXIS_KEPT.says,
    {
        f"mean = {MEAN}": "mean = x.mean(dim=-1)",
        f"variance = {VARIANCE}": ("variance = x.var(dim=-1, unbiased=False)"),
    },
)
MISSPELT_ARGUMENT = Mistake(
    "The name of an argument is misspelt. PyTorch does not know it and raises a TypeError.",
    {f"mean = {MEAN}": "mean = x.mean(dim=-1, keep_dim=True)"},
)
SCALAR_GAMMA_AND_BETA = Mistake(
    "Both gamma and beta hold a single number instead of one for each feature. So all features are "
    "scaled and shifted by the same amount.",
    {"torch.ones(dim_vector)": "torch.ones(1)", "torch.zeros(dim_vector)": "torch.zeros(1)"},
)
SCALAR_BETA = Mistake(
    "The shift beta holds a single number instead of one for each feature, so all features are "
    "shifted by the same amount.",
    {"torch.zeros(dim_vector)": "torch.zeros(1)"},
)
TWO_DIMENSIONAL_PARAMETERS = Mistake(
    "Both gamma and beta have an extra axis in front. Weights of the right shape cannot be loaded, "
    "and a single vector comes out with one axis too many.",
    {
        "torch.ones(dim_vector)": "torch.ones(1, dim_vector)",
        "torch.zeros(dim_vector)": "torch.zeros(1, dim_vector)",
    },
)
PLAIN_TENSORS = Mistake(
    "Both gamma and beta are plain tensors, which PyTorch does not know about. So they are not "
    "trained, not saved, and not moved with the module.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": (
            "self.gamma = torch.ones(dim_vector)"
        ),
        "self.beta = nn.Parameter(torch.zeros(dim_vector))": (
            "self.beta = torch.zeros(dim_vector)"
        ),
    },
)
BUFFERS = Mistake(
    "Both gamma and beta are buffers. They are saved and moved with the module, but training never "
    "changes them.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": """\
self.register_buffer("gamma", torch.ones(dim_vector))""",
        "self.beta = nn.Parameter(torch.zeros(dim_vector))": """\
self.register_buffer("beta", torch.zeros(dim_vector))""",
    },
)
BETA_NOT_A_PARAMETER = Mistake(
    "The shift beta is a plain tensor, which PyTorch does not know about. Unlike gamma, it is not "
    "trained, not saved, and not moved with the module.",
    {"self.beta = nn.Parameter(torch.zeros(dim_vector))": ("self.beta = torch.zeros(dim_vector)")},
)
GAMMA_FROZEN = Mistake(
    "The scale gamma is frozen, so it stays 1 for ever and no feature gets its own scale.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": """\
self.gamma = nn.Parameter(torch.ones(dim_vector), requires_grad=False)"""
    },
)
START_VALUES_SWAPPED = Mistake(
    "The start values are swapped: gamma starts at zero and beta at one. Every output of a new "
    "layer is then 1, and nothing of the input is left.",
    {
        "torch.ones(dim_vector)": "torch.zeros(dim_vector)",
        "self.beta = nn.Parameter(torch.zeros(dim_vector))": """\
self.beta = nn.Parameter(torch.ones(dim_vector))""",
    },
)
GAMMA_STARTS_RANDOM = Mistake(
    "The scale gamma starts at random values instead of ones. So a new layer distorts its input: "
    "some features shrink, others change their sign.",
    {"torch.ones(dim_vector)": "torch.randn(dim_vector)"},
)
BETA_STARTS_AT_ONE = Mistake(
    "The shift beta starts at one instead of zero, so the vectors that leave a new layer have "
    "mean 1 instead of mean 0.",
    {"torch.zeros(dim_vector)": "torch.ones(dim_vector)"},
)
BETA_BEFORE_GAMMA = Mistake(
    "The shift beta is added before the multiplication by gamma, so it is scaled too. The start "
    "values hide this; trained values do not.",
    {
        RETURN: """\
return self.gamma * ((x - mean) / torch.sqrt(variance + self.eps) + self.beta)"""
    },
)
GAMMA_AND_BETA_SWAPPED = Mistake(
    "In the formula gamma and beta are swapped: beta multiplies and gamma is added. With the start "
    "values every output is 1.",
    {
        RETURN: """\
return self.beta * (x - mean) / torch.sqrt(variance + self.eps) + self.gamma"""
    },
)
GAMMA_UNUSED = Mistake(
    "The scale gamma is made but never applied, so it never learns and no feature gets a scale "
    "of its own.",
    {"self.gamma * (x - mean)": "(x - mean)"},
)
BETA_UNUSED = Mistake(
    "The shift beta is made but never added, so it never learns and no feature can be shifted.",
    {" + self.beta": ""},
)
GAMMA_MISSING = Mistake(
    "There is no scale gamma at all, so the layer cannot learn how large each feature should be.",
    {
        "        self.gamma = nn.Parameter(torch.ones(dim_vector))\n": "",
        "self.gamma * (x - mean)": "(x - mean)",
    },
)
BETA_MISSING = Mistake(
    "There is no shift beta at all, so the layer cannot learn a mean for each feature.",
    {"        self.beta = nn.Parameter(torch.zeros(dim_vector))\n": "", " + self.beta": ""},
)
BETA_SUBTRACTED = Mistake(
    "The shift beta is subtracted instead of added. A new layer does not show it, but loaded "
    "weights then shift every feature the wrong way.",
    {"+ self.beta": "- self.beta"},
)
GAMMA_PLUS_ONE = Mistake(
    "The factor is 1 + gamma. In the formula it is gamma alone, which starts at 1.",
    {"self.gamma * (x - mean)": "(1 + self.gamma) * (x - mean)"},
)
GAMMA_APPLIED_FIRST = Mistake(
    "The input is multiplied by gamma before it is normalised. Mean and variance are then those of "
    "the scaled vector, and the scale is partly undone.",
    {
        f"mean = {MEAN}": """\
x = self.gamma * x
        mean = x.mean(dim=-1, keepdim=True)""",
        "self.gamma * (x - mean)": "(x - mean)",
    },
)
GAMMA_ON_CENTRE_AND_MEAN = Mistake(
    "Only the input is multiplied by gamma, not the mean that is subtracted from it. So part of "
    "the mean stays in the result.",
    {"self.gamma * (x - mean)": "(self.gamma * x - mean)"},
)
NO_MEAN = Mistake(
    "The mean is not removed before the division, so the normalised vectors do not have mean 0.",
    {"self.gamma * (x - mean)": "self.gamma * x"},
)
RMS_NORM = Mistake(
    "This is RMS normalisation, as in some later models: the mean is not removed, and the root mean "
    "square replaces the standard deviation. A constant added to the input changes the result.",
    {
        "self.gamma * (x - mean)": "self.gamma * x",
        f"variance = {VARIANCE}": """\
variance = (x**2).mean(dim=-1, keepdim=True)""",
    },
)
SPREAD_AROUND_ZERO = Mistake(
    "The mean is removed, but the variance is measured around zero instead of around the mean. So "
    "vectors with a large mean come out much too small.",
    {
        f"variance = {VARIANCE}": """\
variance = (x**2).mean(dim=-1, keepdim=True)"""
    },
)
SUM_FOR_MEAN = Mistake(
    "The squared deviations are added up but not divided by dim_vector. So the result comes out "
    "too small, most of all for a large dim_vector.",
    {
        f"variance = {VARIANCE}": """\
variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True)"""
    },
)
ABSOLUTE_DEVIATION = Mistake(
    "The mean absolute deviation is used instead of the standard deviation. It is usually smaller, "
    "so the vectors come out too large.",
    {
        f"variance = {VARIANCE}": """\
variance = (x - mean).abs().mean(dim=-1, keepdim=True) ** 2"""
    },
)
MEDIAN_FOR_MEAN = Mistake(
    "The median is removed instead of the mean, so the normalised vectors do not have mean 0.",
    {
        f"mean = {MEAN}": """\
mean = x.median(dim=-1, keepdim=True).values""",
    },
)
ROOT_TWICE = Mistake(
    "The square root is taken twice. So the vectors are divided by the square root of the standard "
    "deviation and do not get variance 1.",
    {"/ torch.sqrt(variance + self.eps)": "/ torch.sqrt(torch.sqrt(variance + self.eps))"},
)
MULTIPLIED_BY_DEVIATION = Mistake(
    "The vectors are multiplied by the standard deviation instead of divided by it, so "
    "differences in size grow instead of going away.",
    {"/ torch.sqrt": "* torch.sqrt"},
)
PRECEDENCE = Mistake(
    "Only the mean is divided by the standard deviation, as if brackets were missing. The "
    "difference must be divided, or the vectors keep their own variance.",
    {
        "self.gamma * (x - mean) / torch.sqrt(variance + self.eps)": """\
self.gamma * (x - mean / torch.sqrt(variance + self.eps))"""
    },
)
MEAN_ADDED = Mistake(
    "The mean is added instead of subtracted, so the vectors move further away from mean 0.",
    {"self.gamma * (x - mean)": "self.gamma * (x + mean)"},
)
MIN_MAX = Mistake(
    "Each vector is stretched so that its smallest entry becomes 0 and its largest 1. It should "
    "get mean 0 and variance 1.",
    {
        RETURN: """\
low, high = x.amin(dim=-1, keepdim=True), x.amax(dim=-1, keepdim=True)
        return self.gamma * (x - low) / (high - low + self.eps) + self.beta"""
    },
)
STATISTICS_DETACHED = Mistake(
    "Mean and variance are cut off from the gradient. The output is right, but the gradient "
    "that earlier layers receive is wrong.",
    {
        f"mean = {MEAN}": """\
mean = x.detach().mean(dim=-1, keepdim=True)""",
        f"variance = {VARIANCE}": """\
variance = x.detach().var(dim=-1, unbiased=False, keepdim=True)""",
    },
)
VARIANCE_DETACHED = Mistake(
    "Only the variance is cut off from the gradient. The output is right, but earlier layers do "
    "not learn how they change the variance.",
    {
        f"variance = {VARIANCE}": """\
variance = x.detach().var(dim=-1, unbiased=False, keepdim=True)"""
    },
)
STATISTICS_WITHOUT_GRADIENT = Mistake(
    STATISTICS_DETACHED.says,
    {
        f"""\
mean = {MEAN}
        variance = {VARIANCE}""": """\
with torch.no_grad():
            mean = x.mean(dim=-1, keepdim=True)
            variance = x.var(dim=-1, unbiased=False, keepdim=True)"""
    },
)
INPUT_DETACHED = Mistake(
    "The input is cut off from the gradient. Only gamma and beta learn, and earlier layers learn "
    "nothing through this one.",
    {
        f"mean = {MEAN}": """\
x = x.detach()
        mean = x.mean(dim=-1, keepdim=True)"""
    },
)
CENTRED_IN_PLACE = Mistake(
    "The mean is subtracted in place, in the caller's own tensor. Later code that uses that "
    "tensor, a residual connection for example, reads changed values.",
    {
        RETURN: """\
x.data.sub_(mean.data)
        return self.gamma * x / torch.sqrt(variance + self.eps) + self.beta"""
    },
    seen="jcyk/copyisallyouneed#6",
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. A float64 or float16 module then passes on values "
    "of the wrong dtype.",
    {
        RETURN: """\
out = self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta
        return out.float()"""
    },
)
ONES_ON_CPU = Mistake(
    "A helper tensor is on the CPU, wherever x is, so the layer fails on a GPU or any other device.",
    {
        RETURN: """\
ones = torch.ones(x.shape, dtype=x.dtype)
        return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) * ones + self.beta"""
    },
)
RUNNING_STATISTICS = Mistake(
    "In eval mode a variance remembered from training is used, as in batch normalisation. "
    "Each vector needs its own variance in both modes.",
    {
        "self.eps = eps": """\
self.eps = eps
        self.register_buffer("seen", torch.zeros(1))""",
        f"variance = {VARIANCE}": """\
variance = x.var(dim=-1, unbiased=False, keepdim=True)
        if self.training:
            self.seen = 0.9 * self.seen + 0.1 * variance.detach().mean()
        else:
            variance = self.seen.expand_as(variance)""",
    },
    seen="Kyubyong/transformer#40",
)
ONLY_IN_TRAINING = Mistake(
    "In eval mode the input passes through unchanged. Later layers then get values of a size "
    "that they never saw in training.",
    {
        f"mean = {MEAN}": """\
if not self.training:
            return x
        mean = x.mean(dim=-1, keepdim=True)"""
    },
)
LEARNED_EPS = Mistake(
    "The constant eps is a parameter, so training would change it and could make it negative. The "
    "square root can then fail; eps must stay fixed.",
    {"self.eps = eps": "self.eps = nn.Parameter(torch.tensor(eps))"},
)
BUILT_IN_INSIDE = Mistake(
    "A ready-made normalisation of PyTorch does the work. The result may be right, but in this "
    "step you write out the formula yourself.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": """\
self.norm = nn.LayerNorm(dim_vector, eps=eps)""",
        "        self.beta = nn.Parameter(torch.zeros(dim_vector))\n": "",
        f"""\
mean = {MEAN}
        variance = {VARIANCE}""": "",
        RETURN: "return self.norm(x)",
    },
)
BUILT_IN_FUNCTION = Mistake(
    BUILT_IN_INSIDE.says,
    {
        RETURN: """\
return nn.functional.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)"""
    },
)
BUILT_IN_FUNCTION_RENAMED = Mistake(
    BUILT_IN_INSIDE.says,
    {
        "from torch import Tensor, nn": """\
from torch import Tensor, nn
from torch.nn.functional import layer_norm as norm""",
        RETURN: """\
return norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)""",
    },
)
BUILT_IN_SUBCLASSED = Mistake(
    BUILT_IN_INSIDE.says,
    {
        "class LayerNorm(nn.Module):": "class LayerNorm(nn.LayerNorm):",
        "super().__init__()": "super().__init__(dim_vector, eps=eps)",
        "        self.gamma = nn.Parameter(torch.ones(dim_vector))\n": "",
        "        self.beta = nn.Parameter(torch.zeros(dim_vector))\n": "",
        "self.eps = eps": "pass",
        f"""\
mean = {MEAN}
        variance = {VARIANCE}""": "",
        RETURN: "return super().forward(x)",
    },
)
BUILT_IN_TORCH_FUNCTION = Mistake(
    BUILT_IN_INSIDE.says,
    {
        RETURN: """\
return torch.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)"""
    },
)
EPS_FIXED_1E_6 = Mistake(
    "A small constant of 1e-6 is written into the formula, and the given eps is ignored. The "
    "formula must use the given eps, which is 1e-5 by default.",
    {"/ torch.sqrt(variance + self.eps)": "/ torch.sqrt(variance + 1e-6)"},
)
GAMMA_STARTS_AT_ZERO = Mistake(
    "The scale gamma starts at zeros instead of ones. So a new layer erases its whole input.",
    {"torch.ones(dim_vector)": "torch.zeros(dim_vector)"},
)
RANDOM_START = Mistake(
    "Both gamma and beta start at random values. They must start at ones and zeros, so that a new "
    "layer only normalises.",
    {
        "torch.ones(dim_vector)": "torch.randn(dim_vector)",
        "torch.zeros(dim_vector)": "torch.randn(dim_vector)",
    },
)
GAMMA_WITH_THREE_AXES = Mistake(
    "Both gamma and beta have two extra axes of size 1. They need only one axis, with one number "
    "for each feature.",
    {
        "torch.ones(dim_vector)": "torch.ones(1, 1, dim_vector)",
        "torch.zeros(dim_vector)": "torch.zeros(1, 1, dim_vector)",
    },
)
AT_MOST_512_FEATURES = Mistake(
    "Both gamma and beta have at most 512 entries, even if dim_vector is larger. A wider vector "
    "does not fit.",
    {
        "nn.Parameter(torch.ones(dim_vector))": "nn.Parameter(torch.ones(min(dim_vector, 512)))",
        "nn.Parameter(torch.zeros(dim_vector))": "nn.Parameter(torch.zeros(min(dim_vector, 512)))",
    },
)
MEAN_OF_512_FEATURES = Mistake(
    "Mean and variance are taken over the first 512 features only. In a wider vector the other "
    "features are left out.",
    {
        MEAN: "x[..., :512].mean(dim=-1, keepdim=True)",
        VARIANCE: "x[..., :512].var(dim=-1, unbiased=False, keepdim=True)",
    },
)
GROUP_NORM = Mistake(
    BUILT_IN_INSIDE.says,
    {
        """\
import torch
from torch import Tensor, nn
""": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        f"""\
        # Take the mean and the variance of each vector.
        mean = {MEAN}
        variance = {VARIANCE}
        # Return the normalised vectors, scaled and shifted.
        {RETURN}
""": """\
        rows = x.reshape(-1, x.size(-1))
        return F.group_norm(rows, 1, self.gamma, self.beta, self.eps).reshape(x.shape)
""",
    },
)
BATCH_NORM_OVER_ROWS = Mistake(
    BUILT_IN_INSIDE.says,
    {
        """\
import torch
from torch import Tensor, nn
""": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        f"""\
        # Take the mean and the variance of each vector.
        mean = {MEAN}
        variance = {VARIANCE}
        # Return the normalised vectors, scaled and shifted.
        {RETURN}
""": """\
        rows = x.reshape(1, -1, x.size(-1))
        normed = F.batch_norm(rows, None, None, training=True, eps=self.eps)
        return normed.reshape(x.shape) * self.gamma + self.beta
""",
    },
)
INSTANCE_NORM = Mistake(
    BUILT_IN_INSIDE.says,
    {
        RETURN: """\
rows = x.reshape(1, -1, x.size(-1))
        normed = nn.functional.instance_norm(rows, eps=self.eps)
        return normed.reshape(x.shape) * self.gamma + self.beta"""
    },
)
RMS_NORM_OF_THE_CENTRED = Mistake(
    BUILT_IN_INSIDE.says,
    {
        RETURN: """\
normed = nn.functional.rms_norm(x - mean, x.shape[-1:], eps=self.eps)
        return normed * self.gamma + self.beta"""
    },
)
GROUP_NORM_AS_A_KERNEL = Mistake(
    BUILT_IN_INSIDE.says,
    {
        RETURN: """\
rows = x.reshape(-1, x.size(-1))
        normed = torch.native_group_norm(
            rows, self.gamma, self.beta, rows.size(0), rows.size(1), 1, 1, self.eps
        )[0]
        return normed.reshape(x.shape)"""
    },
)
UNBIASED_OVER_WORDS = Mistake(
    OVER_SEQUENCE.says,
    {
        f"mean = {MEAN}": "mean = x.mean(dim=-2, keepdim=True)",
        f"variance = {VARIANCE}": ("variance = x.var(dim=-2, keepdim=True)"),
    },
)
BETA_EMPTY = Mistake(
    "torch.empty gives the numbers that lie in memory: often zeros, but not always. beta must "
    "begin as zeros, and gamma as ones.",
    {"torch.zeros(dim_vector)": "torch.empty(dim_vector)"},
)
GAMMA_EMPTY = Mistake(
    BETA_EMPTY.says,
    {"torch.ones(dim_vector)": "torch.empty(dim_vector)"},
)
MEAN_OF_SQUARES = Mistake(
    "The variance is the mean of the squares minus the square of the mean. Rounding makes it "
    "negative if the mean is large, and its square root is then NaN.",
    {f"variance = {VARIANCE}": "variance = x.pow(2).mean(dim=-1, keepdim=True) - mean.pow(2)"},
)

MEAN_SQUARED = Mistake(
    "The mean of the deviations is squared, and that mean is always 0. Square first, then take the mean.",
    {
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": "variance = (x - mean).mean(dim=-1, keepdim=True) ** 2"
    },
)

DIVIDED_BY_THE_LENGTH = Mistake(
    "The sum of the squares is divided by the size of axis 1, the length of the sentence. Divide by dim_vector.",
    {
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": "variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True) / x.size(1 if x.dim() > 1 else 0)"
    },
)

ROOT_SQUARED_AGAIN = Mistake(
    "The square root of the variance is squared again. At 0 its slope is infinite, so a vector of equal numbers gets NaN as its gradient.",
    {"torch.sqrt(variance + self.eps)": "torch.sqrt(variance.sqrt() ** 2 + self.eps)"},
)

LINEAR_FOR_GAMMA_AND_BETA = Mistake(
    "A linear layer stands for gamma and beta. It mixes the features, and gamma and beta do not.",
    {
        """\
self.gamma = nn.Parameter(torch.ones(dim_vector))
        self.beta = nn.Parameter(torch.zeros(dim_vector))""": "self.affine = nn.Linear(dim_vector, dim_vector)",
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": "return self.affine((x - mean) / torch.sqrt(variance + self.eps))",
    },
)
MEAN_DETACHED = Mistake(
    "Only the mean is cut off from the gradient. The output is right, but earlier layers do not "
    "learn how they change the mean.",
    {"mean = x.mean": "mean = x.detach().mean"},
)
SCALAR_GAMMA = Mistake(
    "The scale gamma holds a single number instead of one for each feature, so all features are "
    "scaled by the same amount.",
    {"torch.ones(dim_vector)": "torch.ones(1)"},
)
LAST_MEAN_REMEMBERED = Mistake(
    "In eval mode a mean remembered from training is used, as in batch normalisation. Each vector "
    "needs its own mean in both modes.",
    {
        "        variance = x.var": """\
        if self.training:
            self.seen = mean.mean().detach()
        elif hasattr(self, "seen"):
            mean = mean * 0 + self.seen
        variance = x.var"""
    },
)
ONLY_IN_EVAL = Mistake(
    "In train mode the input passes through unchanged. The layer should normalise in both modes.",
    {
        "        mean = x.mean": """\
        if self.training:
            return x
        mean = x.mean"""
    },
)
BETA_FROZEN = Mistake(
    "The shift beta is frozen, so it stays 0 for ever and no feature can be shifted.",
    {
        "self.beta = nn.Parameter(torch.zeros(dim_vector))": """\
self.beta = nn.Parameter(torch.zeros(dim_vector), requires_grad=False)"""
    },
)
EPS_SUBTRACTED = Mistake(
    "The constant eps is subtracted from the variance instead of added. A vector of nearly equal "
    "entries then gives NaN.",
    {"variance + self.eps": "variance - self.eps"},
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. With one sentence or one token, the output then has too few axes.",
    {
        "/ torch.sqrt(variance + self.eps) + self.beta": """\
/ torch.sqrt(variance + self.eps) + self.beta
        return out.squeeze()""",
        "return self.gamma *": "out = self.gamma *",
    },
)
BATCH_OF_ONE_SQUEEZED = Mistake(
    "If the first axis has size 1, it is removed. The output should have the shape of the input.",
    {
        "/ torch.sqrt(variance + self.eps) + self.beta": """\
/ torch.sqrt(variance + self.eps) + self.beta
        return out.squeeze(0)""",
        "return self.gamma *": "out = self.gamma *",
    },
)
