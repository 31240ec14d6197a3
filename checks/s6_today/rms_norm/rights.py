"""Right versions of s6_today/rms_norm.py that look different."""

from checks.engine.known import Right
from checks.s6_today.rms_norm.mistakes import GAMMA, MEAN, NORMED, RETURN, ROOT

ONLY_HALVES_ARE_CAST = Right(
    "Only half precision is cast to float32; float64 keeps all its digits.",
    {
        f"mean_square = {MEAN}": """\
wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
        mean_square = wide.square().mean(dim=-1, keepdim=True)"""
    },
)
ALL_IN_FLOAT32 = Right(
    "x becomes float32 as a whole, and the result is cast before gamma, as in transformers.",
    {
        f"mean_square = {MEAN}": """\
dtype, x = x.dtype, x.to(torch.float32)
        mean_square = x.pow(2).mean(-1, keepdim=True)""",
        RETURN: """\
x = x * torch.rsqrt(mean_square + self.eps)
        return self.gamma * x.to(dtype)""",
    },
)
GAMMA_BEFORE_THE_CAST = Right(
    "gamma multiplies in float32, and the product is cast.",
    {RETURN: f"return (self.gamma.float() * ({NORMED})).type_as(x)"},
)
HELPER_AND_WEIGHT = Right(
    "The parameter is called weight, and a method of its own normalises, as in Meta's code.",
    {
        GAMMA: "self.weight = nn.Parameter(torch.ones(dim_vector))",
        "    def forward": """\
    def _norm(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward""",
        f"mean_square = {MEAN}": "output = self._norm(x.float()).type_as(x)",
        RETURN: "return output * self.weight",
    },
)
UNUSUAL_NAME = Right(
    "The scale has a name that says nothing, and it is applied by a product in place.",
    {
        GAMMA: "self.p = nn.Parameter(torch.ones(dim_vector))",
        RETURN: f"return ({NORMED}).to(x.dtype).mul(self.p)",
    },
)
VECTOR_NORM = Right(
    "The root mean square is the length of the vector, divided by the root of dim_vector.",
    {
        MEAN: "torch.linalg.vector_norm(x.float(), dim=-1, keepdim=True) ** 2 / x.size(-1)",
    },
)
SUM_BY_HAND = Right(
    "The mean is a sum, divided by the number of features.",
    {MEAN: "(x.float() * x.float()).sum(-1).div(x.shape[-1]).unsqueeze(-1)"},
)
EINSUM = Right(
    "The sum of the squares is a product of the vector with itself.",
    {
        f"mean_square = {MEAN}": """\
wide = x.float()
        mean_square = torch.einsum("...d,...d->...", wide, wide)[..., None] / x.size(-1)"""
    },
)
EPS_INSIDE_THE_MEAN = Right(
    "eps is added to every square: their mean then holds it as well.",
    {
        ".square().mean(dim=-1, keepdim=True)": ".square().add(self.eps).mean(dim=-1, keepdim=True)",
        "mean_square + self.eps": "mean_square",
    },
)
FOLDED_FACTOR = Right(
    "gamma over the root is one factor.",
    {RETURN: "return (x * (self.gamma * torch.rsqrt(mean_square + self.eps))).to(x.dtype)"},
)
EPS_AS_BUFFER = Right(
    "eps is kept as a buffer, so that it moves with the module.",
    {"self.eps = eps": 'self.register_buffer("eps", torch.tensor(eps), persistent=False)'},
)
RESET_PARAMETERS = Right(
    "gamma is made empty and gets its first values from a method.",
    {
        GAMMA: """\
self.gamma = nn.Parameter(torch.empty(dim_vector))
        self.reset_parameters()""",
        "    def forward": """\
    def reset_parameters(self) -> None:
        nn.init.ones_(self.gamma)

    def forward""",
    },
)
COMPUTED_IN_FLOAT64 = Right(
    "The computation is made in double precision and cast back.",
    {
        f"mean_square = {MEAN}": """\
wide = x.double()
        mean_square = wide.square().mean(dim=-1, keepdim=True)""",
        NORMED: f"wide / {ROOT}",
    },
)
POWER_OF_MINUS_HALF = Right(
    "A power of minus one half, in place on what is new.",
    {
        RETURN: """\
factor = mean_square.add(self.eps).pow(-0.5)
        return x.mul(factor).to(x.dtype).mul(self.gamma)"""
    },
)
VECTOR_BY_VECTOR = Right(
    "The vectors are normalised one after the other.",
    {
        f"mean_square = {MEAN}": """\
rows = []
        for vector in x.float().reshape(-1, x.size(-1)):
            rows.append(vector / (vector.dot(vector) / len(vector) + self.eps).sqrt())""",
        RETURN: "return self.gamma * torch.stack(rows).reshape(x.shape).to(x.dtype)",
    },
)
LARGEST_ENTRY_FIRST = Right(
    "The vector is divided by its largest entry first, and eps is divided with it.",
    {
        f"mean_square = {MEAN}": """\
most = x.float().abs().amax(dim=-1, keepdim=True).clamp(min=1.0)
        mean_square = (x / most).square().mean(dim=-1, keepdim=True)""",
        NORMED: "x / most / torch.sqrt(mean_square + self.eps / most**2)",
    },
)
