"""Right in another dress: s2_attention/add_norm.py."""

from checks.engine.known import Right

NORM_OF_TORCH = Right(
    "The norm is torch's own, which is allowed from this step on.",
    {
        """\
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""": "from torch import Tensor, nn\n",
        "        self.layer_norm = LayerNorm(dim_vector)\n": """\
        self.layer_norm = nn.LayerNorm(dim_vector)
""",
    },
)
FUNCTIONAL_NORM = Right(
    "Scale and shift are parameters of this module, and F.layer_norm uses them.",
    {
        """\
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        "        self.layer_norm = LayerNorm(dim_vector)\n": """\
        self.weight = nn.Parameter(torch.ones(dim_vector))
        self.bias = nn.Parameter(torch.zeros(dim_vector))
""",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        summed = x + self.dropout(sublayer_output)
        return F.layer_norm(summed, summed.shape[-1:], self.weight, self.bias, 1e-5)
""",
    },
)
FUNCTIONAL_DROPOUT = Right(
    "The dropout is functional and gets the mode of the layer.",
    {
        """\
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""": """\
import torch.nn.functional as F
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""",
        "        self.dropout = nn.Dropout(dropout)\n": "        self.p = dropout\n",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        return self.layer_norm(F.dropout(sublayer_output, self.p, self.training) + x)
""",
    },
)
OWN_DROPOUT = Right(
    "The dropout is written out with a random mask.",
    {
        """\
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""": """\
import torch
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""",
        "        self.dropout = nn.Dropout(dropout)\n": "        self.rate = dropout\n",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        if self.training and self.rate > 0:
            kept = torch.bernoulli(torch.full_like(sublayer_output, 1 - self.rate))
            sublayer_output = sublayer_output * kept / (1 - self.rate)
        return self.layer_norm(x + sublayer_output)
""",
    },
)
IS_A_NORM = Right(
    "The class extends LayerNorm: it adds first and then does what its parent does.",
    {
        "class AddNorm(nn.Module):": "class AddNorm(LayerNorm):",
        """\
        super().__init__()
        # Make `dropout`, and `layer_norm`, your own layer of step 2.3.
        self.layer_norm = LayerNorm(dim_vector)
""": "        super().__init__(dim_vector)\n",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        return super().forward(x + self.dropout(sublayer_output))
""",
    },
)
IN_PLACE_ON_A_COPY = Right(
    "A copy of the sublayer's output is dropped from and added to in place.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": """\
        self.dropout = nn.Dropout(dropout, inplace=True)
""",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        out = self.dropout(sublayer_output.clone())
        return self.layer_norm(out.add_(x))
""",
    },
)
EARLY_RETURN = Right(
    "Outside training there is nothing to drop, so that case returns first.",
    {
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        if not self.training:
            return self.layer_norm(x + sublayer_output)
        dropped = self.dropout(sublayer_output)
        return self.layer_norm(x.add(dropped))
"""
    },
)
MAYBE_IDENTITY = Right(
    "If nothing is to be dropped, the dropout is an identity.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": """\
        self.dropout = nn.Identity() if dropout == 0 else nn.Dropout(p=dropout)
"""
    },
)
MODULE_DICT = Right(
    "Norm and dropout live in a dictionary of modules.",
    {
        """\
        self.layer_norm = LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)
""": """\
        self.parts = nn.ModuleDict({"drop": nn.Dropout(dropout), "norm": LayerNorm(dim_vector)})
""",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        return self.parts["norm"](x + self.parts["drop"](sublayer_output))
""",
    },
)
WRITTEN_OUT_NORM = Right(
    "The norm is written out here, with parameters called scale and shift.",
    {
        """\
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""": """\
import torch
from torch import Tensor, nn
""",
        "        self.layer_norm = LayerNorm(dim_vector)\n": """\
        self.scale = nn.Parameter(torch.ones(dim_vector))
        self.shift = nn.Parameter(torch.zeros(dim_vector))
        self.eps = 1e-5
""",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        x = x + self.dropout(sublayer_output)
        x = x - x.mean(dim=-1, keepdim=True)
        x = x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + self.eps)
        return self.scale * x + self.shift
""",
    },
)
SUM_OF_A_STACK = Right(
    "The two are stacked and summed, and attributes have other names.",
    {
        """\
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""": """\
import torch
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""",
        """\
        self.layer_norm = LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)
""": """\
        self.ln = LayerNorm(dim_vector=dim_vector, eps=1e-5)
        self.drop = nn.Dropout(p=dropout)
""",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        return self.ln(torch.stack((x, self.drop(sublayer_output))).sum(dim=0))
""",
    },
)
NORM_CLASS_OF_ITS_OWN = Right(
    "A subclass of torch's norm carries the dropout along.",
    {
        """\
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
""": "from torch import Tensor, nn\n",
        "class AddNorm(nn.Module):": "class AddNorm(nn.LayerNorm):",
        """\
        super().__init__()
        # Make `dropout`, and `layer_norm`, your own layer of step 2.3.
        self.layer_norm = LayerNorm(dim_vector)
""": "        super().__init__(normalized_shape=dim_vector, eps=1e-5)\n",
        "        return self.layer_norm(x + self.dropout(sublayer_output))\n": """\
        return super().forward(x + self.dropout(sublayer_output))
""",
    },
)
