"""What people get wrong in s2_attention/layer_norm.py."""

from checks.machine.known import Mistake

EPS_MISNAMED = Mistake(
    "The small constant is stored under one name and read under another, so the first call fails.",
    {"self.eps = eps": "self.error = eps"},
)
UNBIASED_VARIANCE = Mistake(
    "The variance divides by one less than the width. Layer normalisation takes the plain "
    "average of the squared deviations.",
    {"unbiased=False, ": ""},
)
EPS_OUTSIDE_ROOT = Mistake(
    "The small constant is added outside the root, which matters just where it is needed: on "
    "nearly constant vectors.",
    {"torch.sqrt(variance + self.eps)": "(torch.sqrt(variance) + self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
ANNOTATED_TRANSFORMER = Mistake(
    "This is the form of a well-known tutorial: the sample standard deviation plus the small "
    "constant. It is not the normalisation that the paper cites.",
    {
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": (
            "std = x.std(dim=-1, keepdim=True)"
        ),
        "torch.sqrt(variance + self.eps)": "(std + self.eps)",
    },
)
NO_ROOT = Mistake(
    "The vectors are divided by the variance; it is its root, the standard deviation.",
    {"torch.sqrt(variance + self.eps)": "(variance + self.eps)"},
)
NO_EPS = Mistake(
    "A vector with all numbers equal has no spread, and without the small constant it divides "
    "by zero.",
    {"variance + self.eps": "variance"},
)
EPS_SQUARED = Mistake(
    "The small constant is squared before it is added.",
    {"variance + self.eps": "variance + self.eps**2"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
EPS_IN_BOTH_PLACES = Mistake(
    "The small constant is added under the root and once more outside it.",
    {"torch.sqrt(variance + self.eps)": "(torch.sqrt(variance + self.eps) + self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
VARIANCE_CLAMPED = Mistake(
    "The small constant is used as a floor for the variance; it has to be added.",
    {"variance + self.eps": "variance.clamp(min=self.eps)"},
    seen="codertimo/BERT-pytorch#30, hkproj/pytorch-transformer#31",
)
EPS_FIXED = Mistake(
    "The given small constant is ignored; one is written into the code.",
    {"variance + self.eps": "variance + 1e-5"},
)
DEFAULT_EPS_1E_12 = Mistake(
    "The small constant is another one than the named 1e-5 unless it is given, so nearly "
    "constant vectors come out differently.",
    {"eps: float = 1e-5": "eps: float = 1e-12"},
    seen="dmlc/gluon-nlp#1005",
)
DEFAULT_EPS_1E_6 = Mistake(
    "The small constant is 1e-6 unless it is given; 1e-5 is asked for.",
    {"eps: float = 1e-5": "eps: float = 1e-6"},
)
DEFAULT_EPS_1E_3 = Mistake(
    "The small constant is far larger than the named 1e-5 unless it is given.",
    {"eps: float = 1e-5": "eps: float = 1e-3"},
)
OVER_SEQUENCE = Mistake(
    "The average runs over the words of the sentence. Each word is normalised on its own, over "
    "its features.",
    {"x.mean(dim=-1": "x.mean(dim=-2", "x.var(dim=-1": "x.var(dim=-2"},
    seen="tensorflow/docs#1737",
)
OVER_BATCH = Mistake(
    "The average runs over the batch, so a sentence depends on its neighbours.",
    {"x.mean(dim=-1": "x.mean(dim=0", "x.var(dim=-1": "x.var(dim=0"},
    seen="Kyubyong/transformer#40",
)
AXIS_1 = Mistake(
    "The axis is counted from the front, which is right for one number of axes only; the "
    "features are the last.",
    {"x.mean(dim=-1": "x.mean(dim=1", "x.var(dim=-1": "x.var(dim=1"},
    seen="tensorflow/docs#1737",
)
AXIS_2 = Mistake(
    "The axis is counted from the front: with three axes it is right, with any other number it "
    "is not.",
    {"x.mean(dim=-1": "x.mean(dim=2", "x.var(dim=-1": "x.var(dim=2"},
    seen="tensorflow/docs#1737",
)
OVER_WORDS_AND_FEATURES = Mistake(
    "The average runs over words and features together, so every word depends on the length of "
    "the sentence.",
    {"x.mean(dim=-1": "x.mean(dim=(-2, -1)", "x.var(dim=-1": "x.var(dim=(-2, -1)"},
    seen="reczoo/FuxiCTR#23",
)
OVER_EVERYTHING = Mistake(
    "One average is taken over the whole batch.",
    {
        "mean = x.mean(dim=-1, keepdim=True)": "mean = x.mean()",
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": (
            "variance = x.var(unbiased=False)"
        ),
    },
    seen="reczoo/FuxiCTR#23",
)
MEAN_OVER_EVERYTHING = Mistake(
    "The mean is taken over the whole batch, only the variance over each vector.",
    {"mean = x.mean(dim=-1, keepdim=True)": "mean = x.mean()"},
    seen="reczoo/FuxiCTR#23",
)
MEAN_WITHOUT_AXIS_KEPT = Mistake(
    "The mean lost its last axis, so it lines up with the wrong axis of the input: no longer "
    "one mean for each vector.",
    {"mean = x.mean(dim=-1, keepdim=True)": "mean = x.mean(dim=-1)"},
)
STATISTICS_WITHOUT_AXIS_KEPT = Mistake(
    "The mean lost its last axis, so it lines up with the wrong axis of the input: no longer "
    "one mean for each vector.",
    {
        "mean = x.mean(dim=-1, keepdim=True)": "mean = x.mean(dim=-1)",
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": (
            "variance = x.var(dim=-1, unbiased=False)"
        ),
    },
)
MISSPELT_ARGUMENT = Mistake(
    "An argument is misspelt, and PyTorch rejects the call.",
    {"mean = x.mean(dim=-1, keepdim=True)": "mean = x.mean(dim=-1, keep_dim=True)"},
)
SCALAR_GAMMA_AND_BETA = Mistake(
    "One scale and one shift serve all features; every feature has its own.",
    {"torch.ones(dim_vector)": "torch.ones(1)", "torch.zeros(dim_vector)": "torch.zeros(1)"},
)
SCALAR_BETA = Mistake(
    "One shift serves all features; every feature has its own.",
    {"torch.zeros(dim_vector)": "torch.zeros(1)"},
)
TWO_DIMENSIONAL_PARAMETERS = Mistake(
    "Scale and shift have an axis too many.",
    {
        "torch.ones(dim_vector)": "torch.ones(1, dim_vector)",
        "torch.zeros(dim_vector)": "torch.zeros(1, dim_vector)",
    },
)
PLAIN_TENSORS = Mistake(
    "Scale and shift are plain tensors, so training never changes them and they are not saved.",
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
    "Scale and shift are buffers, so training never changes them.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": """\
self.register_buffer("gamma", torch.ones(dim_vector))""",
        "self.beta = nn.Parameter(torch.zeros(dim_vector))": """\
self.register_buffer("beta", torch.zeros(dim_vector))""",
    },
)
BETA_NOT_A_PARAMETER = Mistake(
    "The shift is a plain tensor, so training never changes it.",
    {"self.beta = nn.Parameter(torch.zeros(dim_vector))": ("self.beta = torch.zeros(dim_vector)")},
)
GAMMA_FROZEN = Mistake(
    "The scale is told not to learn.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": """\
self.gamma = nn.Parameter(torch.ones(dim_vector), requires_grad=False)"""
    },
)
START_VALUES_SWAPPED = Mistake(
    "The scale starts at zero and the shift at one, which erases the input.",
    {
        "torch.ones(dim_vector)": "torch.zeros(dim_vector)",
        "self.beta = nn.Parameter(torch.zeros(dim_vector))": """\
self.beta = nn.Parameter(torch.ones(dim_vector))""",
    },
)
GAMMA_STARTS_RANDOM = Mistake(
    "The scale starts at random numbers; it starts at one.",
    {"torch.ones(dim_vector)": "torch.randn(dim_vector)"},
)
BETA_STARTS_AT_ONE = Mistake(
    "The shift starts at one; it starts at zero.",
    {"torch.zeros(dim_vector)": "torch.ones(dim_vector)"},
)
BETA_BEFORE_GAMMA = Mistake(
    "The shift is added before the scaling, so it gets scaled as well.",
    {
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": """\
return self.gamma * ((x - mean) / torch.sqrt(variance + self.eps) + self.beta)"""
    },
)
GAMMA_AND_BETA_SWAPPED = Mistake(
    "Scale and shift have changed places in the formula.",
    {
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": """\
return self.beta * (x - mean) / torch.sqrt(variance + self.eps) + self.gamma"""
    },
)
GAMMA_UNUSED = Mistake(
    "The scale is never applied.",
    {"self.gamma * (x - mean)": "(x - mean)"},
)
BETA_UNUSED = Mistake(
    "The shift is never added.",
    {" + self.beta": ""},
)
GAMMA_MISSING = Mistake(
    "There is no scale at all.",
    {
        "        self.gamma = nn.Parameter(torch.ones(dim_vector))\n": "",
        "self.gamma * (x - mean)": "(x - mean)",
    },
)
BETA_MISSING = Mistake(
    "There is no shift at all.",
    {"        self.beta = nn.Parameter(torch.zeros(dim_vector))\n": "", " + self.beta": ""},
)
BETA_SUBTRACTED = Mistake(
    "The shift is subtracted.",
    {" + self.beta": " - self.beta"},
)
GAMMA_PLUS_ONE = Mistake(
    "One is added to the scale, which starts at one already.",
    {"self.gamma * (x - mean)": "(1 + self.gamma) * (x - mean)"},
)
GAMMA_APPLIED_FIRST = Mistake(
    "The input is scaled before it is normalised, so the normalisation undoes the scale.",
    {
        "mean = x.mean(dim=-1, keepdim=True)": """\
x = self.gamma * x
        mean = x.mean(dim=-1, keepdim=True)""",
        "self.gamma * (x - mean)": "(x - mean)",
    },
)
GAMMA_ON_CENTRE_AND_MEAN = Mistake(
    "Only the input is scaled, not the mean that is taken from it.",
    {"self.gamma * (x - mean)": "(self.gamma * x - mean)"},
)
NO_MEAN = Mistake(
    "The mean is not removed before dividing.",
    {"self.gamma * (x - mean)": "self.gamma * x"},
)
RMS_NORM = Mistake(
    "Neither the mean is removed nor the spread taken around it: the vector is only scaled by "
    "its size.",
    {
        "self.gamma * (x - mean)": "self.gamma * x",
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": """\
variance = (x**2).mean(dim=-1, keepdim=True)""",
    },
)
SPREAD_AROUND_ZERO = Mistake(
    "The mean is removed, but the spread is measured around zero instead of around the mean.",
    {
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": """\
variance = (x**2).mean(dim=-1, keepdim=True)"""
    },
)
SUM_FOR_MEAN = Mistake(
    "The squared deviations are summed up but not divided by their number.",
    {
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": """\
variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True)"""
    },
)
ABSOLUTE_DEVIATION = Mistake(
    "The spread is the mean of the absolute deviations, not of their squares.",
    {
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": """\
variance = (x - mean).abs().mean(dim=-1, keepdim=True) ** 2"""
    },
)
MEDIAN_FOR_MEAN = Mistake(
    "The median is removed instead of the mean.",
    {
        "mean = x.mean(dim=-1, keepdim=True)": """\
mean = x.median(dim=-1, keepdim=True).values"""
    },
)
ROOT_TWICE = Mistake(
    "The root is taken twice.",
    {"torch.sqrt(variance + self.eps)": "torch.sqrt(torch.sqrt(variance + self.eps))"},
)
MULTIPLIED_BY_DEVIATION = Mistake(
    "The vectors are multiplied by the standard deviation instead of divided by it.",
    {"(x - mean) / torch": "(x - mean) * torch"},
)
PRECEDENCE = Mistake(
    "A pair of brackets is missing: only the mean is divided, not the difference.",
    {
        "self.gamma * (x - mean) / torch.sqrt(variance + self.eps)": """\
self.gamma * (x - mean / torch.sqrt(variance + self.eps))"""
    },
)
MEAN_ADDED = Mistake(
    "The mean is added instead of removed.",
    {"self.gamma * (x - mean)": "self.gamma * (x + mean)"},
)
MIN_MAX = Mistake(
    "The vectors are stretched between their smallest and largest number instead of being "
    "brought to mean 0 and variance 1.",
    {
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": """\
low, high = x.amin(dim=-1, keepdim=True), x.amax(dim=-1, keepdim=True)
        return self.gamma * (x - low) / (high - low + self.eps) + self.beta"""
    },
)
STATISTICS_DETACHED = Mistake(
    "Mean and variance are cut off from the gradient: the values are right, but what earlier "
    "layers learn from them is wrong.",
    {
        "mean = x.mean(dim=-1, keepdim=True)": """\
mean = x.detach().mean(dim=-1, keepdim=True)""",
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": """\
variance = x.detach().var(dim=-1, unbiased=False, keepdim=True)""",
    },
)
VARIANCE_DETACHED = Mistake(
    "The variance is cut off from the gradient, so the values are right and what earlier "
    "layers learn is wrong.",
    {
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": """\
variance = x.detach().var(dim=-1, unbiased=False, keepdim=True)"""
    },
)
STATISTICS_WITHOUT_GRADIENT = Mistake(
    "Mean and variance are cut off from the gradient: the values are right, but what earlier "
    "layers learn from them is wrong.",
    {
        """\
mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)""": """\
with torch.no_grad():
            mean = x.mean(dim=-1, keepdim=True)
            variance = x.var(dim=-1, unbiased=False, keepdim=True)"""
    },
)
INPUT_DETACHED = Mistake(
    "The input is cut off from the gradient: nothing below this layer learns.",
    {
        "mean = x.mean(dim=-1, keepdim=True)": """\
x = x.detach()
        mean = x.mean(dim=-1, keepdim=True)"""
    },
)
CENTRED_IN_PLACE = Mistake(
    "The mean is taken off the caller's own tensor.",
    {
        "mean = x.mean(dim=-1, keepdim=True)": """\
mean = x.mean(dim=-1, keepdim=True)
        x.data.sub_(mean.data)""",
        "self.gamma * (x - mean)": "self.gamma * x",
    },
    seen="jcyk/copyisallyouneed#6",
)
FLOAT32_ONLY = Mistake(
    "Everything is forced to single precision, whatever comes in.",
    {
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": """\
out = self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta
        return out.float()"""
    },
)
ONES_ON_CPU = Mistake(
    "A helper tensor is always made on the CPU, so the layer breaks wherever else it runs.",
    {
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": """\
ones = torch.ones(x.shape, dtype=x.dtype)
        return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) * ones + self.beta"""
    },
)
RUNNING_STATISTICS = Mistake(
    "In evaluation averages from training are used, as batch normalisation does; layer "
    "normalisation does the same in both modes.",
    {
        "self.eps = eps": """\
self.eps = eps
        self.register_buffer("seen", torch.zeros(1))""",
        "variance = x.var(dim=-1, unbiased=False, keepdim=True)": """\
variance = x.var(dim=-1, unbiased=False, keepdim=True)
        if self.training:
            self.seen = 0.9 * self.seen + 0.1 * variance.detach().mean()
        else:
            variance = self.seen.expand_as(variance)""",
    },
    seen="Kyubyong/transformer#40",
)
ONLY_IN_TRAINING = Mistake(
    "In evaluation the input passes through unchanged; this layer does the same in both modes.",
    {
        "mean = x.mean(dim=-1, keepdim=True)": """\
if not self.training:
            return x
        mean = x.mean(dim=-1, keepdim=True)"""
    },
)
LEARNED_EPS = Mistake(
    "The small constant is a parameter and will be trained; it is a constant.",
    {"self.eps = eps": "self.eps = nn.Parameter(torch.tensor(eps))"},
)
BUILT_IN_INSIDE = Mistake(
    "PyTorch's ready-made layer normalisation does the work; this step is to write it out.",
    {
        "self.gamma = nn.Parameter(torch.ones(dim_vector))": """\
self.norm = nn.LayerNorm(dim_vector, eps=eps)""",
        "        self.beta = nn.Parameter(torch.zeros(dim_vector))\n": "",
        """\
mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)""": "",
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": (
            "return self.norm(x)"
        ),
    },
)
BUILT_IN_FUNCTION = Mistake(
    "PyTorch's ready-made layer normalisation does the work; this step is to write it out.",
    {
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": """\
return nn.functional.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)"""
    },
)
BUILT_IN_FUNCTION_RENAMED = Mistake(
    "PyTorch's ready-made layer normalisation does the work; this step is to write it out.",
    {
        "from torch import Tensor, nn": """\
from torch import Tensor, nn
from torch.nn.functional import layer_norm as norm""",
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": """\
return norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)""",
    },
)
BUILT_IN_SUBCLASSED = Mistake(
    "PyTorch's ready-made layer normalisation does the work; this step is to write it out.",
    {
        "class LayerNorm(nn.Module):": "class LayerNorm(nn.LayerNorm):",
        "super().__init__()": "super().__init__(dim_vector, eps=eps)",
        "        self.gamma = nn.Parameter(torch.ones(dim_vector))\n": "",
        "        self.beta = nn.Parameter(torch.zeros(dim_vector))\n": "",
        "self.eps = eps": "pass",
        """\
mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)""": "",
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": (
            "return super().forward(x)"
        ),
    },
)
BUILT_IN_TORCH_FUNCTION = Mistake(
    "PyTorch's ready-made layer normalisation does the work; this step is to write it out.",
    {
        "return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta": """\
return torch.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)"""
    },
)
