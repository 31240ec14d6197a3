"""Right in another dress: s2_attention/layer_norm.py."""

from checks.engine.known import Right
from checks.s2_attention.layer_norm.mistakes import MEAN, RETURN, VARIANCE

ADDED_IN_PLACE = Right(
    "Mean and variance are a sum and a squared length over n; minus the mean is added, and beta "
    "is added in place to what is new.",
    {
        f"""\
        mean = {MEAN}
        variance = {VARIANCE}
""": """\
        mean = x.sum(dim=-1, keepdim=True) / x.size(-1)
        centred = x + -mean
        variance = torch.linalg.vector_norm(centred, dim=-1, keepdim=True).square() / x.size(-1)
""",
        RETURN: """\
return (self.gamma * centred * torch.rsqrt(variance + self.eps)).add_(self.beta)""",
    },
)
CORRECTED_VARIANCE = Right(
    "torch's variance divides by n - 1; a factor (n - 1) / n makes up for it.",
    {
        f"        variance = {VARIANCE}\n": """\
        n = x.size(-1)
        variance = x.var(dim=-1, keepdim=True) * ((n - 1) / n)
"""
    },
)
CORRECTION_ZERO = Right(
    "The divisor is asked for by its newer name, correction.",
    {
        f"        variance = {VARIANCE}\n": """\
        variance = torch.var(x, -1, correction=0, keepdim=True)
"""
    },
)
SQUARE_OF_MEAN = Right(
    "The variance is the mean of the squares minus the square of the mean, never below zero.",
    {
        f"        variance = {VARIANCE}\n": """\
        variance = (x.pow(2).mean(-1, keepdim=True) - mean.pow(2)).clamp(min=0)
"""
    },
)
STATISTICS_IN_FLOAT32 = Right(
    "Mean and variance are taken in float32, as is usual where x has half the digits.",
    {
        f"        mean = {MEAN}\n": f"        x = x.float()\n        mean = {MEAN}\n",
    },
)
VAR_MEAN = Right(
    "One call gives variance and mean.",
    {
        f"""\
        mean = {MEAN}
        variance = {VARIANCE}
""": "        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)\n"
    },
)
VECTOR_NORM = Right(
    "The squared length of the centred vector over n is the variance.",
    {
        f"""\
        # Take the mean and the variance of each vector.
        mean = {MEAN}
        variance = {VARIANCE}
        # Return the normalised vectors, scaled and shifted.
        {RETURN}
""": """\
        centred = x - x.mean(dim=-1, keepdim=True)
        length = torch.linalg.vector_norm(centred, dim=-1, keepdim=True)
        variance = length**2 / x.shape[-1]
        return torch.addcmul(self.beta, self.gamma, centred / (variance + self.eps) ** 0.5)
"""
    },
)
SUMS_BY_HAND = Right(
    "Mean and variance are sums, divided by the number of features.",
    {
        f"""\
        mean = {MEAN}
        variance = {VARIANCE}
""": """\
        n = x.shape[-1]
        mean = x.sum(-1).div(n).unsqueeze(-1)
        variance = ((x - mean) ** 2).sum(-1).div(n).unsqueeze(-1)
"""
    },
)
NAMES_OF_TORCH = Right(
    "The parameters are called weight and bias.",
    {
        """\
        self.gamma = nn.Parameter(torch.ones(dim_vector))
        self.beta = nn.Parameter(torch.zeros(dim_vector))
""": """\
        self.weight = nn.Parameter(torch.ones(dim_vector))
        self.bias = nn.Parameter(torch.zeros(dim_vector))
""",
        f"        {RETURN}\n": """\
        return self.weight * ((x - mean) / (variance + self.eps).sqrt()) + self.bias
""",
    },
)
NAMES_OF_THE_ANNOTATED_TRANSFORMER = Right(
    "The parameters are called a_2 and b_2, and b_2 comes first.",
    {
        """\
        self.gamma = nn.Parameter(torch.ones(dim_vector))
        self.beta = nn.Parameter(torch.zeros(dim_vector))
""": """\
        self.b_2 = nn.Parameter(torch.zeros(dim_vector))
        self.a_2 = nn.Parameter(torch.ones(dim_vector))
""",
        f"        {RETURN}\n": """\
        return self.a_2 * (x - mean) / torch.sqrt(variance + self.eps) + self.b_2
""",
    },
)
UNUSUAL_NAMES = Right(
    "The parameters have names that say nothing.",
    {
        """\
        self.gamma = nn.Parameter(torch.ones(dim_vector))
        self.beta = nn.Parameter(torch.zeros(dim_vector))
""": """\
        self.p = nn.Parameter(torch.zeros(dim_vector))
        self.q = nn.Parameter(torch.ones(dim_vector))
""",
        f"        {RETURN}\n": """\
        return (x - mean) / torch.sqrt(variance + self.eps) * self.q + self.p
""",
    },
)
PARAMETER_DICT = Right(
    "The two parameters are kept in a ParameterDict.",
    {
        """\
        self.gamma = nn.Parameter(torch.ones(dim_vector))
        self.beta = nn.Parameter(torch.zeros(dim_vector))
""": """\
        self.affine = nn.ParameterDict(
            {"scale": torch.ones(dim_vector), "shift": torch.zeros(dim_vector)}
        )
""",
        f"        {RETURN}\n": """\
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        return normed * self.affine["scale"] + self.affine["shift"]
""",
    },
)
RESET_PARAMETERS = Right(
    "The parameters are made empty and get their first values from a method.",
    {
        """\
        self.gamma = nn.Parameter(torch.ones(dim_vector))
        self.beta = nn.Parameter(torch.zeros(dim_vector))
        # Keep eps.
        self.eps = eps
""": """\
        self.dim_vector, self.eps = dim_vector, eps
        self.gamma = nn.Parameter(torch.empty(dim_vector))
        self.beta = nn.Parameter(torch.empty(dim_vector))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.ones_(self.gamma)
        nn.init.zeros_(self.beta)
""",
        "        # Take the mean": """\
        assert x.size(-1) == self.dim_vector
        # Take the mean""",
    },
)
EPS_AS_BUFFER = Right(
    "eps is kept as a buffer, so that it moves with the module.",
    {
        "        self.eps = eps\n": """\
        self.register_buffer("eps", torch.tensor(eps), persistent=False)
"""
    },
)
IN_PLACE = Right(
    "The centred copy is divided, scaled and shifted in place.",
    {
        f"""\
        # Take the mean and the variance of each vector.
        mean = {MEAN}
        variance = {VARIANCE}
        # Return the normalised vectors, scaled and shifted.
        {RETURN}
""": """\
        out = x - x.mean(dim=-1, keepdim=True)
        out = out / out.var(dim=-1, unbiased=False, keepdim=True).add_(self.eps).sqrt_()
        return out.mul(self.gamma).add_(self.beta)
"""
    },
)
COMPUTED_IN_FLOAT64 = Right(
    "The computation is made in double precision and cast back.",
    {
        f"""\
        # Take the mean and the variance of each vector.
        mean = {MEAN}
        variance = {VARIANCE}
        # Return the normalised vectors, scaled and shifted.
        {RETURN}
""": """\
        wide = x.double()
        mean, variance = wide.mean(-1, True), wide.var(-1, unbiased=False, keepdim=True)
        normed = ((wide - mean) / torch.sqrt(variance + self.eps)).to(x.dtype)
        return self.gamma * normed + self.beta
"""
    },
)
CENTRING_MATRIX = Right(
    "The mean is taken away by a matrix: the unit matrix minus 1 / dim_vector everywhere.",
    {
        f"""\
        # Take the mean and the variance of each vector.
        mean = {MEAN}
        variance = {VARIANCE}
        # Return the normalised vectors, scaled and shifted.
        {RETURN}
""": """\
        n = x.size(-1)
        centred = x @ (torch.eye(n, dtype=x.dtype, device=x.device) - 1 / n)
        variance = torch.einsum("...d,...d->...", centred, centred) / n
        return self.gamma * centred / torch.sqrt(variance[..., None] + self.eps) + self.beta
"""
    },
)
HELPER_FUNCTION = Right(
    "A plain function normalises; the module only scales and shifts.",
    {
        """\
import torch
from torch import Tensor, nn
""": """\
import torch
from torch import Tensor, nn


def standardise(x: Tensor, eps: float) -> Tensor:
    variance, mean = torch.var_mean(x, dim=(-1,), unbiased=False, keepdim=True)
    return x.sub(mean).div(variance.add(eps).sqrt())
""",
        f"""\
        # Take the mean and the variance of each vector.
        mean = {MEAN}
        variance = {VARIANCE}
        # Return the normalised vectors, scaled and shifted.
        {RETURN}
""": """\
        return torch.add(torch.mul(standardise(x, self.eps), self.gamma), self.beta)
""",
    },
)
VECTOR_BY_VECTOR = Right(
    "The vectors are normalised one after the other.",
    {
        f"""\
        # Take the mean and the variance of each vector.
        mean = {MEAN}
        variance = {VARIANCE}
        # Return the normalised vectors, scaled and shifted.
        {RETURN}
""": """\
        rows = []
        for vector in x.reshape(-1, x.size(-1)):
            centred = vector - vector.mean()
            rows.append(centred / (centred.dot(centred) / len(vector) + self.eps).sqrt())
        return self.gamma * torch.stack(rows).reshape(x.shape) + self.beta
"""
    },
)
FOLDED_SCALE_AND_SHIFT = Right(
    "gamma over the square root becomes one factor, and beta takes the mean in: x is multiplied and "
    "shifted just once.",
    {
        f"        {RETURN}\n": """\
        factor = self.gamma * torch.rsqrt(variance + self.eps)
        return x * factor + (self.beta - mean * factor)
"""
    },
)
