"""What people get wrong in s6_today/rms_norm.py."""

from checks.engine.known import Mistake

# In the solution:
GAMMA = "self.gamma = nn.Parameter(torch.ones(dim_vector))"
MEAN = "x.float().square().mean(dim=-1, keepdim=True)"
ROOT = "torch.sqrt(mean_square + self.eps)"
NORMED = f"x / {ROOT}"
RETURN = f"return self.gamma * ({NORMED}).to(x.dtype)"

SQUARES_IN_HALF = Mistake(
    "The squares or their mean are in float16 if x is. There all numbers above 65504 become "
    "infinite, so large vectors come out as zeros.",
    {"x.float().square()": "x.square()"},
    seen="xlite-dev/LeetCUDA#335, pytorch/pytorch#133085, nntrainer/nntrainer#3935",
)
MEAN_CAST_BACK = Mistake(
    SQUARES_IN_HALF.says,
    {MEAN: f"{MEAN}.to(x.dtype)"},
)
SQUARED_BEFORE_CAST = Mistake(
    SQUARES_IN_HALF.says,
    {"x.float().square()": "x.square().float()"},
)
FLOAT32_COMES_BACK = Mistake(
    "For an x in float16 the result is float32. The next layer has half weights and stops with "
    "an error, or the model needs twice the memory.",
    {f"({NORMED}).to(x.dtype)": f"({NORMED})"},
    seen="skyzh/tiny-llm#18",
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. A float64 or float16 module then passes on values "
    "of the wrong dtype.",
    {RETURN: f"return (self.gamma * ({NORMED}).to(x.dtype)).float()"},
)
FLOAT16_ALWAYS = Mistake(
    "The result is always converted to float16, even if x is float32. So digits are lost.",
    {".to(x.dtype)": ".half()"},
)
FLOAT16_INSIDE = Mistake(
    "The mean of the squares is always computed in float16, even if x is float32. So digits are "
    "lost, and large entries become infinite.",
    {"x.float()": "x.half()"},
)
EPS_MISNAMED = Mistake(
    "`forward` reads an eps that `__init__` does not store under this name, so the first call fails.",
    {"self.eps = eps": "self.error = eps"},
)
EPS_OUTSIDE_ROOT = Mistake(
    "The constant eps is added outside the square root. It is then far too weak for vectors of "
    "small entries, and they come out much too large.",
    {ROOT: "(torch.sqrt(mean_square) + self.eps)"},
    seen="NVIDIA/TransformerEngine#364, tile-ai/tilelang#1243",
)
EPS_IN_BOTH_PLACES = Mistake(
    "The constant eps is added under the square root and once more outside it. So every vector is "
    "divided by a slightly too large number.",
    {ROOT: f"({ROOT} + self.eps)"},
)
EPS_GROWS_WITH_X = Mistake(
    "The vector is divided by its largest entry before eps is added, and eps is not divided with "
    "it. So eps counts far too much for large vectors, and too little for small ones.",
    {
        MEAN: "(x / self.largest(x)).float().square().mean(dim=-1, keepdim=True)",
        ROOT: "(torch.sqrt(mean_square + self.eps) * self.largest(x))",
        "    def forward": """\
    def largest(self, x: Tensor) -> Tensor:
        return x.float().abs().amax(dim=-1, keepdim=True).clamp(min=1e-30)

    def forward""",
    },
    seen="apple/coremltools#2821",
)
EPS_SQUARED = Mistake(
    "The constant eps is squared before it is added, so almost nothing of it is left. Vectors of "
    "small entries then come out far too large.",
    {"mean_square + self.eps": "mean_square + self.eps**2"},
)
EPS_ADDED_TO_SUM = Mistake(
    "The constant eps is added to the sum of the squares instead of their mean. So it is too weak, "
    "most of all for a large dim_vector.",
    {
        MEAN: "x.float().square().sum(dim=-1, keepdim=True)",
        "mean_square + self.eps": "(mean_square + self.eps) / x.size(-1)",
    },
)
EPS_ADDED_TO_RESULT = Mistake(
    "The constant eps is added to the quotient, as if brackets were missing. It must be added to "
    "the mean of the squares, or a vector of zeros gives NaN.",
    {f"({NORMED})": "(x / torch.sqrt(mean_square) + self.eps)"},
)
EPS_SUBTRACTED = Mistake(
    "The constant eps is subtracted instead of added. The square root of a negative number is "
    "NaN, and that is what small vectors become.",
    {"mean_square + self.eps": "mean_square - self.eps"},
)
MEAN_SQUARE_CLAMPED = Mistake(
    "The constant eps is used as a lower limit of the mean instead of being added to it. Vectors "
    "of small entries come out too large.",
    {"mean_square + self.eps": "mean_square.clamp(min=self.eps)"},
)
NO_EPS = Mistake(
    "The constant eps is not added. A vector of zeros is then divided by zero and becomes NaN "
    "(not a number).",
    {"mean_square + self.eps": "mean_square"},
)
EPS_FIXED = Mistake(
    "The given eps is ignored, and a fixed number in the code is used instead. So the layer does "
    "not fit a model that was trained with another eps.",
    {"mean_square + self.eps": "mean_square + 1e-5"},
    seen="apache/tvm#15856, NVIDIA/cutlass#1112",
)
EPS_FIXED_1E_6 = Mistake(
    "A small constant of 1e-6 is written into the formula, and the given eps is ignored. The "
    "formula must use the given eps, which is 1e-5 by default.",
    {"mean_square + self.eps": "mean_square + 1e-6"},
    seen="apache/tvm#15856, NVIDIA/cutlass#1112",
)
DEFAULT_EPS_1E_6 = Mistake(
    "The default of eps is 1e-6 instead of 1e-5, so vectors of small entries come out larger than "
    "they should.",
    {"eps: float = 1e-5": "eps: float = 1e-6"},
)
DEFAULT_EPS_1E_8 = Mistake(
    "The default of eps is far smaller than 1e-5. It hardly protects vectors of small entries.",
    {"eps: float = 1e-5": "eps: float = 1e-8"},
)
DEFAULT_EPS_OF_TORCH = Mistake(
    "The default of eps is the smallest step of float32, about 1.2e-7, as in PyTorch. The contract "
    "says 1e-5, so vectors of small entries come out too large.",
    {"eps: float = 1e-5": "eps: float = torch.finfo(torch.float32).eps"},
)
DEFAULT_EPS_1E_3 = Mistake(
    "The default of eps is far larger than 1e-5. So vectors of small entries come out much too "
    "small.",
    {"eps: float = 1e-5": "eps: float = 1e-3"},
    seen="nntrainer/nntrainer#4318",
)
LEARNED_EPS = Mistake(
    "The constant eps is a parameter, so training would change it and could make it negative. The "
    "square root can then fail; eps must stay fixed.",
    {"self.eps = eps": "self.eps = nn.Parameter(torch.tensor(eps))"},
)
LAYER_NORM = Mistake(
    "The mean is taken away, as in layer normalisation. This norm keeps it: it divides x by the "
    "root mean square, and does nothing else.",
    {
        MEAN: "x.float().var(dim=-1, unbiased=False, keepdim=True)",
        NORMED: f"(x - x.mean(dim=-1, keepdim=True)) / {ROOT}",
    },
)
MEAN_REMOVED_AT_THE_END = Mistake(
    "The mean is subtracted from x, though the squares are those of x itself. This norm removes no "
    "mean at all.",
    {NORMED: f"(x - x.mean(dim=-1, keepdim=True)) / {ROOT}"},
)
STANDARD_DEVIATION = Mistake(
    "x is divided by its standard deviation, which is measured from the mean. The root mean square "
    "is measured from 0.",
    {MEAN: "x.float().var(dim=-1, unbiased=False, keepdim=True)"},
)
SAMPLE_DEVIATION = Mistake(
    "x is divided by its standard deviation with n - 1. It should be the root mean square: "
    "measured from 0, and divided by n.",
    {MEAN: "x.float().var(dim=-1, keepdim=True)"},
)
SUM_FOR_MEAN = Mistake(
    "The squares are added up but not divided by dim_vector. So every vector gets length 1, and "
    "its entries shrink as dim_vector grows.",
    {MEAN: "x.float().square().sum(dim=-1, keepdim=True)"},
)
N_MINUS_ONE = Mistake(
    "The sum of the squares is divided by one less than dim_vector. So the vectors come out too "
    "small, most of all for a small dim_vector.",
    {MEAN: "x.float().square().sum(dim=-1, keepdim=True) / (x.size(-1) - 1)"},
)
ROOT_OF_N_FORGOTTEN = Mistake(
    "x is divided by its length and by √dim_vector. The root mean square is the length divided by "
    "√dim_vector, so the entries come out dim_vector times too small.",
    {MEAN: "x.float().square().sum(dim=-1, keepdim=True) * x.size(-1)"},
)
ABSOLUTE_VALUES = Mistake(
    "The mean of the absolute values is used instead of the root mean square. It is smaller, so "
    "the vectors come out too large.",
    {MEAN: "x.float().abs().mean(dim=-1, keepdim=True) ** 2"},
)
SQUARE_OF_MEAN = Mistake(
    "The mean is squared, instead of the mean being taken of the squares. Entries with opposite "
    "signs then cancel, and the vector is divided by almost nothing.",
    {MEAN: "x.float().mean(dim=-1, keepdim=True).square()"},
)
NOT_SQUARED = Mistake(
    "The entries are not squared before the mean is taken. The mean may be negative, and its "
    "square root is then NaN (not a number).",
    {".square()": ""},
)
LARGEST_ENTRY = Mistake(
    "Each vector is divided by its largest entry instead of its root mean square. One large entry "
    "then makes all others small.",
    {MEAN: "x.float().abs().amax(dim=-1, keepdim=True).square()"},
)
MEDIAN_FOR_MEAN = Mistake(
    "The median of the squares is taken instead of their mean. Large entries then hardly count.",
    {MEAN: "x.float().square().median(dim=-1, keepdim=True).values"},
)
NO_ROOT = Mistake(
    "The vectors are divided by the mean of the squares instead of its square root. So their size "
    "still depends on the input: large vectors become small ones.",
    {ROOT: "(mean_square + self.eps)"},
)
ROOT_TWICE = Mistake(
    "The square root is taken twice. So the size of the vectors still depends on the input.",
    {ROOT: f"torch.sqrt({ROOT})"},
)
MULTIPLIED = Mistake(
    "The vectors are multiplied by the root mean square instead of divided by it, so differences "
    "in size grow instead of going away.",
    {NORMED: f"x * {ROOT}"},
)
OVER_SEQUENCE = Mistake(
    "The mean is taken over the tokens of a sentence instead of the features of each token. So the "
    "tokens change each other.",
    {"dim=-1": "dim=-2"},
)
OVER_BATCH = Mistake(
    "The mean is taken over the batch instead of the features of each token. So a sentence's "
    "result depends on the other sentences.",
    {"dim=-1": "dim=0"},
)
AXIS_1 = Mistake(
    "The mean is always taken over axis 1. In an input (n, 6) axis 1 is the features, but in "
    "(n, 4, 6) it is the tokens.",
    {"dim=-1": "dim=1"},
)
AXIS_2 = Mistake(
    "The mean is always taken over axis 2. It is the features only if the input has three "
    "axes, as in (n, 4, 6).",
    {"dim=-1": "dim=2"},
)
OVER_TOKENS_AND_FEATURES = Mistake(
    "The mean is taken over tokens and features together, so padding and the length of the "
    "sentence change every token.",
    {"dim=-1": "dim=(-2, -1)"},
)
OVER_EVERYTHING = Mistake(
    "One mean is used for the whole batch, so each token depends on all sentences. Every vector "
    "needs a mean of its own.",
    {"mean(dim=-1, keepdim=True)": "mean()"},
)
AXIS_NOT_KEPT = Mistake(
    "The mean has lost its last axis. It no longer fits the input, or it lines up with the wrong "
    "axis and vectors get the means of others.",
    {"mean(dim=-1, keepdim=True)": "mean(dim=-1)"},
)
MISSPELT_ARGUMENT = Mistake(
    "The name of an argument is misspelt. PyTorch does not know it and raises a TypeError.",
    {"keepdim=True": "keep_dim=True"},
)
GAMMA_MISSING = Mistake(
    "There is no scale gamma at all, so the layer cannot learn how large each feature should be.",
    {f"        {GAMMA}\n": "", "self.gamma * ": ""},
)
GAMMA_UNUSED = Mistake(
    "The scale gamma is made but never applied, so it never learns and no feature gets a scale of "
    "its own.",
    {"self.gamma * ": ""},
)
PLAIN_TENSOR = Mistake(
    "The scale gamma is a plain tensor, which PyTorch does not know about. So it is not trained, "
    "not saved, and not moved with the module.",
    {GAMMA: "self.gamma = torch.ones(dim_vector)"},
)
BUFFER = Mistake(
    "The scale gamma is a buffer. It is saved and moved with the module, but training never "
    "changes it.",
    {GAMMA: 'self.register_buffer("gamma", torch.ones(dim_vector))'},
)
GAMMA_FROZEN = Mistake(
    "The scale gamma is frozen, so it stays 1 for ever and no feature gets its own scale.",
    {GAMMA: "self.gamma = nn.Parameter(torch.ones(dim_vector), requires_grad=False)"},
)
SCALAR_GAMMA = Mistake(
    "The scale gamma holds a single number instead of one for each feature. So all features are "
    "scaled by the same amount.",
    {"torch.ones(dim_vector)": "torch.ones(1)"},
)
GAMMA_WITH_TWO_AXES = Mistake(
    "The scale gamma has extra axes in front. A single vector then comes out with too many axes.",
    {"torch.ones(dim_vector)": "torch.ones(1, dim_vector)"},
)
GAMMA_WITH_THREE_AXES = Mistake(
    GAMMA_WITH_TWO_AXES.says,
    {"torch.ones(dim_vector)": "torch.ones(1, 1, dim_vector)"},
)
GAMMA_STARTS_AT_ZERO = Mistake(
    "The scale gamma starts at zeros instead of ones. So a new layer erases its whole input.",
    {"torch.ones(dim_vector)": "torch.zeros(dim_vector)"},
)
GAMMA_STARTS_RANDOM = Mistake(
    "The scale gamma starts at random values instead of ones. So a new layer distorts its input: "
    "some features shrink, others change their sign.",
    {"torch.ones(dim_vector)": "torch.randn(dim_vector)"},
)
GAMMA_PLUS_ONE = Mistake(
    "One is added to gamma, which already starts at 1. So the output of a new layer is twice as "
    "large as it should be.",
    {"self.gamma * (": "(1 + self.gamma) * ("},
)
GAMMA_FROM_ZERO = Mistake(
    "gamma starts at zeros, and one is added to it. A new layer does not show it, but weights of a "
    "model in which gamma starts at one come out too large.",
    {
        "torch.ones(dim_vector)": "torch.zeros(dim_vector)",
        "self.gamma * (": "(1 + self.gamma) * (",
    },
)
GAMMA_FIRST = Mistake(
    "The input is multiplied by gamma before it is normalised. The mean is then that of the scaled "
    "vector, and the scale is partly undone.",
    {
        f"mean_square = {MEAN}": f"x = self.gamma * x\n        mean_square = {MEAN}",
        "self.gamma * (": "(",
    },
)
GAMMA_ADDED = Mistake(
    "gamma is added instead of multiplied. It should scale each feature; with the start values "
    "everything is 1 too large.",
    {"self.gamma * (": "self.gamma + ("},
)
GAMMA_DIVIDES = Mistake(
    "The result is divided by gamma instead of multiplied by it. A new layer does not show it, but "
    "loaded weights do.",
    {RETURN: f"return ({NORMED}).to(x.dtype) / self.gamma"},
)
GAMMA_TWICE = Mistake(
    "The result is multiplied by gamma twice. A new layer does not show it, because gamma starts "
    "at ones.",
    {"self.gamma * (": "self.gamma * self.gamma * ("},
)
BETA = Mistake(
    "There is a shift beta, as in layer normalisation. This norm has gamma alone, and a model's "
    "file holds no numbers for beta.",
    {
        GAMMA: f"{GAMMA}\n        self.beta = nn.Parameter(torch.zeros(dim_vector))",
        RETURN: f"{RETURN} + self.beta",
    },
)
MEAN_DETACHED = Mistake(
    "The mean of the squares is cut off from the gradient. The output is right, but the gradient "
    "that earlier layers receive is wrong.",
    {"x.float()": "x.detach().float()"},
)
MEAN_WITHOUT_GRADIENT = Mistake(
    MEAN_DETACHED.says,
    {f"mean_square = {MEAN}": f"with torch.no_grad():\n            mean_square = {MEAN}"},
)
INPUT_DETACHED = Mistake(
    "The input is cut off from the gradient. Only gamma learns, and earlier layers learn nothing "
    "through this one.",
    {f"mean_square = {MEAN}": f"x = x.detach()\n        mean_square = {MEAN}"},
)
DIVIDED_IN_PLACE = Mistake(
    "The division is done in place, in the caller's own tensor. The residual connection around "
    "this norm still needs the old values.",
    {RETURN: f"x.data.div_({ROOT}.data)\n        return self.gamma * x"},
)
ONLY_IN_TRAINING = Mistake(
    "In eval mode the input passes through unchanged. Later layers then get values of a size "
    "that they never saw in training.",
    {
        f"mean_square = {MEAN}": f"""\
if not self.training:
            return x
        mean_square = {MEAN}"""
    },
)
RUNNING_MEAN = Mistake(
    "In eval mode a mean remembered from training is used, as in batch normalisation. Each "
    "vector needs its own mean in both modes.",
    {
        "self.eps = eps": """\
self.eps = eps
        self.register_buffer("seen", torch.zeros(1))""",
        f"mean_square = {MEAN}": f"""\
mean_square = {MEAN}
        if self.training:
            self.seen = 0.9 * self.seen + 0.1 * mean_square.detach().mean()
        else:
            mean_square = self.seen.expand_as(mean_square)""",
    },
)
ONES_ON_CPU = Mistake(
    "A helper tensor is on the CPU, wherever x is, so the layer fails on a GPU or any other device.",
    {RETURN: f"{RETURN} * torch.ones(x.shape, dtype=x.dtype)"},
)
AT_MOST_512_FEATURES = Mistake(
    "gamma has at most 512 entries, even if dim_vector is larger. A wider vector does not fit.",
    {"torch.ones(dim_vector)": "torch.ones(min(dim_vector, 512))"},
)
MEAN_OF_512_FEATURES = Mistake(
    "The mean is taken over the first 512 features only. In a wider vector the other features are "
    "left out.",
    {"x.float()": "x[..., :512].float()"},
)
BUILT_IN_INSIDE = Mistake(
    "A ready-made normalisation of PyTorch does the work. The result may be right, but in this "
    "step you write out the formula yourself.",
    {
        GAMMA: "self.norm = nn.RMSNorm(dim_vector, eps=eps)",
        f"        mean_square = {MEAN}\n": "",
        RETURN: "return self.norm(x)",
    },
)
BUILT_IN_FUNCTION = Mistake(
    BUILT_IN_INSIDE.says,
    {RETURN: "return nn.functional.rms_norm(x, x.shape[-1:], self.gamma, self.eps)"},
)
BUILT_IN_TORCH_FUNCTION = Mistake(
    BUILT_IN_INSIDE.says,
    {RETURN: "return torch.rms_norm(x, x.shape[-1:], self.gamma, self.eps)"},
)
BUILT_IN_WITHOUT_GAMMA = Mistake(
    BUILT_IN_INSIDE.says,
    {
        f"({NORMED}).to(x.dtype)": """\
nn.functional.rms_norm(x, x.shape[-1:], eps=self.eps)"""
    },
)
BUILT_IN_SUBCLASSED = Mistake(
    BUILT_IN_INSIDE.says,
    {
        "class RMSNorm(nn.Module):": "class RMSNorm(nn.RMSNorm):",
        "super().__init__()": "super().__init__(dim_vector, eps=eps)",
        f"        {GAMMA}\n": "",
        f"        mean_square = {MEAN}\n": "",
        RETURN: "return super().forward(x)",
    },
)
LAYER_NORM_READY_MADE = Mistake(
    "This is PyTorch's layer norm. It takes the mean away and has a beta; this norm does neither, "
    "and its formula is to be written out.",
    {
        GAMMA: "self.norm = nn.LayerNorm(dim_vector, eps=eps)",
        f"        mean_square = {MEAN}\n": "",
        RETURN: "return self.norm(x)",
    },
)
SCALED_TO_LENGTH_ONE = Mistake(
    "Each vector is scaled to length 1 and multiplied by √dim_vector, without eps. Vectors of "
    "small entries come out too large.",
    {
        RETURN: """\
direction = nn.functional.normalize(x.float(), dim=-1) * x.size(-1) ** 0.5
        return self.gamma * direction.to(x.dtype)"""
    },
)
GAMMA_EMPTY = Mistake(
    "torch.empty gives the numbers that lie in memory. gamma must begin as ones.",
    {"torch.ones(dim_vector)": "torch.empty(dim_vector)"},
)
ONLY_IN_EVAL = Mistake(
    "In train mode the input passes through unchanged. The layer should normalise in both modes.",
    {
        "        mean_square = x.float()": """\
        if self.training:
            return x
        mean_square = x.float()"""
    },
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. With one sentence or one token, the output then has too few axes.",
    {"self.eps)).to(x.dtype)": "self.eps)).to(x.dtype).squeeze()"},
)
