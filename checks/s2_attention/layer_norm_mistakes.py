"""What people get wrong in s2_attention/layer_norm.py."""

from checks.machine.known import Mistake

# In the solution:
MEAN = "x.sum(dim=-1, keepdim=True) / x.size(-1)"
VARIANCE = "torch.linalg.vector_norm(centred, dim=-1, keepdim=True).square() / x.size(-1)"

EPS_MISNAMED = Mistake(
    "The constant eps is not kept under the name by which it is read, so the first call fails.",
    {"self.eps = eps": "self.error = eps"},
)
UNBIASED_VARIANCE = Mistake(
    "The variance divides by one less than dim_vector instead of by dim_vector itself. The "
    "vectors come out too small, most clearly when they are narrow.",
    {VARIANCE: "x.var(dim=-1, keepdim=True)"},
)
EPS_OUTSIDE_ROOT = Mistake(
    "The constant eps is added outside the root. On nearly constant vectors, where it matters "
    "most, it is then far too weak and they come out much too large.",
    {"* torch.rsqrt(variance + self.eps)": "/ (torch.sqrt(variance) + self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
ANNOTATED_TRANSFORMER = Mistake(
    "This is the form of a well-known tutorial: eps is added to the sample standard deviation. "
    "It trains, but it is not the normalisation that the paper cites, and its numbers differ.",
    {
        f"variance = {VARIANCE}": ("std = x.std(dim=-1, keepdim=True)"),
        "* torch.rsqrt(variance + self.eps)": "/ (std + self.eps)",
    },
)
NO_ROOT = Mistake(
    "The vectors are divided by the variance instead of by its root, so they do not get "
    "variance 1 and their size still depends on that of the input.",
    {"* torch.rsqrt(variance + self.eps)": "/ (variance + self.eps)"},
)
NO_EPS = Mistake(
    "The constant eps is not added. A vector whose numbers are all equal has variance 0, is "
    "divided by zero and comes out as NaN (not a number).",
    {"variance + self.eps": "variance"},
)
EPS_SQUARED = Mistake(
    "The constant eps is squared before it is added. Almost nothing is left of it, so nearly "
    "constant vectors come out far too large.",
    {"variance + self.eps": "variance + self.eps**2"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
EPS_IN_BOTH_PLACES = Mistake(
    "The constant eps is added under the root and once more outside it, so every vector is "
    "divided by a little too much.",
    {"* torch.rsqrt(variance + self.eps)": "/ (torch.sqrt(variance + self.eps) + self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
VARIANCE_CLAMPED = Mistake(
    "The constant eps serves as a lower limit of the variance instead of being added to it, so "
    "vectors with a small spread come out too large.",
    {"variance + self.eps": "variance.clamp(min=self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
EPS_FIXED = Mistake(
    "The given eps is ignored and a fixed number in the code takes its place, so a caller who "
    "asks for another eps does not get it.",
    {"variance + self.eps": "variance + 1e-5"},
)
DEFAULT_EPS_1E_12 = Mistake(
    "The default of eps is far smaller than 1e-5. It hardly protects nearly constant vectors, "
    "and in half precision it turns into zero.",
    {"eps: float = 1e-5": "eps: float = 1e-12"},
    seen="dmlc/gluon-nlp#1005",
)
DEFAULT_EPS_1E_6 = Mistake(
    "The default of eps is 1e-6 instead of 1e-5, so nearly constant vectors come out larger "
    "than they should.",
    {"eps: float = 1e-5": "eps: float = 1e-6"},
)
DEFAULT_EPS_1E_3 = Mistake(
    "The default of eps is far larger than 1e-5, so vectors with a small spread end up with a "
    "variance well below 1.",
    {"eps: float = 1e-5": "eps: float = 1e-3"},
)
OVER_SEQUENCE = Mistake(
    "Mean and variance are taken over the words of the sentence instead of over the features "
    "of each word, so the words change each other.",
    {MEAN: "x.mean(dim=-2, keepdim=True)", VARIANCE: "centred.square().mean(dim=-2, keepdim=True)"},
    seen="tensorflow/docs#1737",
)
OVER_BATCH = Mistake(
    "Mean and variance are taken over the batch instead of over the features of each word, so "
    "the result for a sentence depends on its neighbours.",
    {MEAN: "x.mean(dim=0, keepdim=True)", VARIANCE: "centred.square().mean(dim=0, keepdim=True)"},
    seen="Kyubyong/transformer#40",
)
AXIS_1 = Mistake(
    "Mean and variance are always taken over axis 1. These are the features only if there are "
    "two axes; with three axes the words of a sentence are mixed.",
    {MEAN: "x.mean(dim=1, keepdim=True)", VARIANCE: "centred.square().mean(dim=1, keepdim=True)"},
    seen="tensorflow/docs#1737",
)
AXIS_2 = Mistake(
    "Mean and variance are always taken over axis 2. With three axes these are the features; "
    "with any other number it is the wrong axis, or there is none.",
    {MEAN: "x.mean(dim=2, keepdim=True)", VARIANCE: "centred.square().mean(dim=2, keepdim=True)"},
    seen="tensorflow/docs#1737",
)
OVER_WORDS_AND_FEATURES = Mistake(
    "Mean and variance are taken over words and features together, so padding and the length "
    "of the sentence change every word.",
    {
        MEAN: "x.mean(dim=(-2, -1), keepdim=True)",
        VARIANCE: "centred.square().mean(dim=(-2, -1), keepdim=True)",
    },
    seen="reczoo/FuxiCTR#23",
)
OVER_EVERYTHING = Mistake(
    "One mean and one variance serve the whole batch, so each word depends on all sentences. "
    "Every vector needs its own two numbers.",
    {
        f"mean = {MEAN}": "mean = x.mean()",
        f"variance = {VARIANCE}": ("variance = x.var(unbiased=False)"),
    },
    seen="reczoo/FuxiCTR#23",
)
MEAN_OVER_EVERYTHING = Mistake(
    "The mean is taken over the whole batch, only the variance over each vector. The vectors "
    "do not get mean 0, and each depends on all the others.",
    {
        f"mean = {MEAN}": "mean = x.mean()",
        VARIANCE: "x.var(unbiased=False, dim=-1, keepdim=True)",
    },
    seen="reczoo/FuxiCTR#23",
)
MEAN_WITHOUT_AXIS_KEPT = Mistake(
    "The mean lost its last axis. Either it no longer fits the input, or it lines up with the "
    "wrong axis and vectors get the means of others.",
    {
        f"mean = {MEAN}": "mean = x.mean(dim=-1)",
        VARIANCE: "x.var(unbiased=False, dim=-1, keepdim=True)",
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
    "The name of an argument is misspelt. PyTorch does not know it and refuses the call with a "
    "TypeError.",
    {f"mean = {MEAN}": "mean = x.mean(dim=-1, keep_dim=True)"},
)
SCALAR_GAMMA_AND_BETA = Mistake(
    "Both gamma and beta hold a single number instead of one for each feature, so no feature "
    "can get a scale and a shift of its own.",
    {"torch.ones(dim_vector)": "torch.ones(1)", "torch.zeros(dim_vector)": "torch.zeros(1)"},
)
SCALAR_BETA = Mistake(
    "The shift beta holds one single number instead of one for each feature, so all features "
    "are shifted by the same amount.",
    {"torch.zeros(dim_vector)": "torch.zeros(1)"},
)
TWO_DIMENSIONAL_PARAMETERS = Mistake(
    "Both gamma and beta have an extra axis in front. Weights of the right shape cannot be "
    "loaded, and a single vector comes out with an axis too many.",
    {
        "torch.ones(dim_vector)": "torch.ones(1, dim_vector)",
        "torch.zeros(dim_vector)": "torch.zeros(1, dim_vector)",
    },
)
PLAIN_TENSORS = Mistake(
    "Both gamma and beta are plain tensors, which PyTorch does not know about: they are "
    "neither trained nor saved nor moved with the module.",
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
    "Both gamma and beta are buffers: they are saved and moved with the module, but training "
    "never changes them.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": """\
self.register_buffer("gamma", torch.ones(dim_vector))""",
        "self.beta = nn.Parameter(torch.zeros(dim_vector))": """\
self.register_buffer("beta", torch.zeros(dim_vector))""",
    },
)
BETA_NOT_A_PARAMETER = Mistake(
    "The shift beta is a plain tensor, which PyTorch does not know about: unlike gamma, it is "
    "neither trained nor saved nor moved with the module.",
    {"self.beta = nn.Parameter(torch.zeros(dim_vector))": ("self.beta = torch.zeros(dim_vector)")},
)
GAMMA_FROZEN = Mistake(
    "The scale gamma is told not to learn, so it stays at one for ever and no feature gets a "
    "scale of its own.",
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
    "The scale gamma starts at random numbers instead of ones, so a new layer distorts its "
    "input: some features shrink, others change their sign.",
    {"torch.ones(dim_vector)": "torch.randn(dim_vector)"},
)
BETA_STARTS_AT_ONE = Mistake(
    "The shift beta starts at one instead of zero, so the vectors that leave a new layer have "
    "mean 1 instead of mean 0.",
    {"torch.zeros(dim_vector)": "torch.ones(dim_vector)"},
)
BETA_BEFORE_GAMMA = Mistake(
    "The shift beta is added before gamma multiplies, so it is scaled as well. The start "
    "values hide this; trained values do not.",
    {
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": """\
return self.gamma * ((x - mean) / torch.sqrt(variance + self.eps) + self.beta)"""
    },
)
GAMMA_AND_BETA_SWAPPED = Mistake(
    "In the formula gamma and beta have changed places: beta multiplies and gamma is added. "
    "With the start values every output is 1.",
    {
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": """\
return self.beta * (x - mean) / torch.sqrt(variance + self.eps) + self.gamma"""
    },
)
GAMMA_UNUSED = Mistake(
    "The scale gamma is made but never applied, so it never learns and no feature gets a scale "
    "of its own.",
    {"self.gamma * centred": "centred"},
)
BETA_UNUSED = Mistake(
    "The shift beta is made but never added, so it never learns and no feature can be shifted.",
    {".add_(self.beta)": ""},
)
GAMMA_MISSING = Mistake(
    "There is no scale gamma at all, so the layer cannot learn how large each feature should be.",
    {
        "        self.gamma = nn.Parameter(torch.ones(dim_vector))\n": "",
        "self.gamma * centred": "centred",
    },
)
BETA_MISSING = Mistake(
    "There is no shift beta at all, so the layer cannot learn around which number each feature "
    "should lie.",
    {"        self.beta = nn.Parameter(torch.zeros(dim_vector))\n": "", ".add_(self.beta)": ""},
)
BETA_SUBTRACTED = Mistake(
    "The shift beta is subtracted instead of added. A new layer does not show it, but loaded "
    "weights then shift every feature the wrong way.",
    {".add_(self.beta)": ".sub_(self.beta)"},
)
GAMMA_PLUS_ONE = Mistake(
    "One is added to gamma, which starts at one already, so the numbers that leave a new layer "
    "are twice as large as they should be.",
    {"self.gamma * centred": "(1 + self.gamma) * centred"},
)
GAMMA_APPLIED_FIRST = Mistake(
    "The input is multiplied by gamma before it is normalised, so mean and variance are those "
    "of the scaled vector and the scale is partly undone.",
    {
        f"mean = {MEAN}": """\
x = self.gamma * x
        mean = x.mean(dim=-1, keepdim=True)""",
        "self.gamma * centred": "centred",
    },
)
GAMMA_ON_CENTRE_AND_MEAN = Mistake(
    "Only the input is multiplied by gamma, not the mean that is taken from it, so part of the "
    "mean stays in the result.",
    {"self.gamma * centred": "(self.gamma * x - mean)"},
)
NO_MEAN = Mistake(
    "The mean is not removed before the division, so the normalised vectors do not have mean 0.",
    {"self.gamma * centred": "self.gamma * x"},
)
RMS_NORM = Mistake(
    "This is RMS normalisation, as in some later models: the mean is not removed, and the "
    "spread is measured around zero. A constant added to the input changes the result.",
    {
        "self.gamma * centred": "self.gamma * x",
        f"variance = {VARIANCE}": """\
variance = (x**2).mean(dim=-1, keepdim=True)""",
    },
)
SPREAD_AROUND_ZERO = Mistake(
    "The mean is removed, but the spread is measured around zero instead of around the mean, "
    "so vectors with a large mean come out much too small.",
    {
        f"variance = {VARIANCE}": """\
variance = (x**2).mean(dim=-1, keepdim=True)"""
    },
)
SUM_FOR_MEAN = Mistake(
    "The squared deviations are added up but not divided by their number, so the result comes "
    "out too small, the more so the larger dim_vector is.",
    {
        f"variance = {VARIANCE}": """\
variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True)"""
    },
)
ABSOLUTE_DEVIATION = Mistake(
    "The spread is the mean of the absolute deviations, not the root of the mean of their "
    "squares. It is usually smaller, so the vectors come out too large.",
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
        VARIANCE: "x.var(unbiased=False, dim=-1, keepdim=True)",
    },
)
ROOT_TWICE = Mistake(
    "The root is taken twice, so the vectors are divided by the root of the standard deviation "
    "and do not get variance 1.",
    {"* torch.rsqrt(variance + self.eps)": "/ torch.sqrt(torch.sqrt(variance + self.eps))"},
)
MULTIPLIED_BY_DEVIATION = Mistake(
    "The vectors are multiplied by the standard deviation instead of divided by it, so "
    "differences in size grow instead of going away.",
    {"torch.rsqrt": "torch.sqrt"},
)
PRECEDENCE = Mistake(
    "A pair of brackets is missing: only the mean is divided by the standard deviation, not "
    "the difference, so the vectors keep their own spread.",
    {
        "self.gamma * centred * torch.rsqrt(variance + self.eps)": """\
self.gamma * (x - mean / torch.sqrt(variance + self.eps))"""
    },
)
MEAN_ADDED = Mistake(
    "The mean is added instead of removed, so the vectors move further away from mean 0.",
    {"self.gamma * centred": "self.gamma * (x + mean)"},
)
MIN_MAX = Mistake(
    "Each vector is stretched so that its smallest number becomes 0 and its largest 1. One "
    "extreme number then squeezes all others; mean 0 and variance 1 are asked for.",
    {
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": """\
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
    "Only the variance is cut off from the gradient. The output is right, but earlier layers "
    "do not learn that their numbers change the spread.",
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
        centred = x + -mean
        variance = {VARIANCE}""": """\
with torch.no_grad():
            mean = x.mean(dim=-1, keepdim=True)
            variance = x.var(dim=-1, unbiased=False, keepdim=True)
        centred = x + -mean"""
    },
)
INPUT_DETACHED = Mistake(
    "The input is cut off from the gradient, so only gamma and beta learn and nothing below "
    "this layer does.",
    {
        f"mean = {MEAN}": """\
x = x.detach()
        mean = x.mean(dim=-1, keepdim=True)"""
    },
)
CENTRED_IN_PLACE = Mistake(
    "The mean is removed inside the caller's own tensor. Whoever uses that tensor later, a "
    "shortcut for example, reads changed numbers.",
    {
        "centred = x + -mean": """\
x.data.sub_(mean.data)
        centred = x"""
    },
    seen="jcyk/copyisallyouneed#6",
)
FLOAT32_ONLY = Mistake(
    "The output is always turned into single precision, so a module in double or half "
    "precision passes on the wrong type.",
    {
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": """\
out = self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta
        return out.float()"""
    },
)
ONES_ON_CPU = Mistake(
    "A helper tensor is always made on the CPU, so the layer fails on a GPU or any other device.",
    {
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": """\
ones = torch.ones(x.shape, dtype=x.dtype)
        return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) * ones + self.beta"""
    },
)
RUNNING_STATISTICS = Mistake(
    "In evaluation a variance remembered from training is used, as in batch normalisation. "
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
    "In evaluation the input passes through unchanged, so later layers get numbers of a size "
    "they never saw in training. Both modes must do the same.",
    {
        f"mean = {MEAN}": """\
if not self.training:
            return x
        mean = x.mean(dim=-1, keepdim=True)"""
    },
)
LEARNED_EPS = Mistake(
    "The constant eps is made a parameter, so training would change it, even to below zero, "
    "where the root can fail. It has to stay fixed.",
    {"self.eps = eps": "self.eps = nn.Parameter(torch.tensor(eps))"},
)
BUILT_IN_INSIDE = Mistake(
    "PyTorch's ready-made layer normalisation does the work. The numbers may be right, but "
    "this step is there for you to write out the formula.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": """\
self.norm = nn.LayerNorm(dim_vector, eps=eps)""",
        "        self.beta = nn.Parameter(torch.zeros(dim_vector))\n": "",
        f"""\
mean = {MEAN}
        centred = x + -mean
        variance = {VARIANCE}""": "",
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": (
            "return self.norm(x)"
        ),
    },
)
BUILT_IN_FUNCTION = Mistake(
    BUILT_IN_INSIDE.says,
    {
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": """\
return nn.functional.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)"""
    },
)
BUILT_IN_FUNCTION_RENAMED = Mistake(
    BUILT_IN_INSIDE.says,
    {
        "from torch import Tensor, nn": """\
from torch import Tensor, nn
from torch.nn.functional import layer_norm as norm""",
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": """\
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
        centred = x + -mean
        variance = {VARIANCE}""": "",
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": (
            "return super().forward(x)"
        ),
    },
)
BUILT_IN_TORCH_FUNCTION = Mistake(
    BUILT_IN_INSIDE.says,
    {
        "return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)": """\
return torch.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)"""
    },
)
EPS_FIXED_1E_6 = Mistake(
    "A small constant of 1e-6 is written into the formula and the eps that was given is "
    "ignored. The given one is 1e-5 or whatever is asked for.",
    {"* torch.rsqrt(variance + self.eps)": "/ torch.sqrt(variance + 1e-6)"},
)
GAMMA_STARTS_AT_ZERO = Mistake(
    "gamma starts at zeros, so at first everything that comes in is erased. It starts at ones, "
    "and beta at zeros.",
    {"torch.ones(dim_vector)": "torch.zeros(dim_vector)"},
)
RANDOM_START = Mistake(
    "gamma and beta start at random. They start at one and zero, so that a fresh layer only "
    "normalises.",
    {
        "torch.ones(dim_vector)": "torch.randn(dim_vector)",
        "torch.zeros(dim_vector)": "torch.randn(dim_vector)",
    },
)
GAMMA_WITH_THREE_AXES = Mistake(
    "gamma and beta have two axes of size one too many. One number for each feature is all "
    "they hold.",
    {
        "torch.ones(dim_vector)": "torch.ones(1, 1, dim_vector)",
        "torch.zeros(dim_vector)": "torch.zeros(1, 1, dim_vector)",
    },
)
UNBIASED_OVER_WORDS = Mistake(
    OVER_SEQUENCE.says,
    {
        f"mean = {MEAN}": "mean = x.mean(dim=-2, keepdim=True)",
        f"variance = {VARIANCE}": ("variance = x.var(dim=-2, keepdim=True)"),
    },
)
