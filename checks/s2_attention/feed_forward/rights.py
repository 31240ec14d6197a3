"""Right in another dress: s2_attention/feed_forward.py."""

from checks.engine.known import Right

SEQUENTIAL = Right(
    "The whole network is one nn.Sequential.",
    {
        """\
        # Make `linear1`, from dim_vector to dim_hidden, and `linear2`, back to dim_vector.
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
        # Make `relu` and `dropout`.
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(dropout)
""": """\
        self.net = nn.Sequential(
            nn.Linear(dim_vector, dim_hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(dim_hidden, dim_vector),
        )
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": (
            "        return self.net(x)\n"
        ),
    },
)
IS_A_SEQUENTIAL = Right(
    "The class itself is an nn.Sequential.",
    {
        "class FeedForward(nn.Module):": "class FeedForward(nn.Sequential):",
        """\
        super().__init__()
        # Make `linear1`, from dim_vector to dim_hidden, and `linear2`, back to dim_vector.
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
        # Make `relu` and `dropout`.
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(dropout)
""": """\
        super().__init__(
            nn.Linear(dim_vector, dim_hidden),
            nn.ReLU(inplace=True),
            nn.Dropout(dropout),
            nn.Linear(dim_hidden, dim_vector),
        )
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": (
            "        return super().forward(x)\n"
        ),
    },
)
NAMED_SEQUENTIAL = Right(
    "An nn.Sequential whose members have names.",
    {
        "from torch import Tensor, nn\n": """\
from collections import OrderedDict

from torch import Tensor, nn
""",
        """\
        # Make `linear1`, from dim_vector to dim_hidden, and `linear2`, back to dim_vector.
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
        # Make `relu` and `dropout`.
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(dropout)
""": """\
        layers = OrderedDict(expand=nn.Linear(dim_vector, dim_hidden))
        layers["activation"] = nn.ReLU()
        layers["drop"] = nn.Dropout(dropout)
        layers["contract"] = nn.Linear(dim_hidden, dim_vector)
        self.layers = nn.Sequential(layers)
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": (
            "        return self.layers(x)\n"
        ),
    },
)
CONVOLUTIONS = Right(
    "Two convolutions of width one over the tokens: each token gets the same small network.",
    {
        """\
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
""": """\
        self.linear1 = nn.Conv1d(dim_vector, dim_hidden, 1)
        self.linear2 = nn.Conv1d(dim_hidden, dim_vector, 1)
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        rows = x.reshape(1, -1, x.size(-1)).transpose(1, 2)
        rows = self.linear2(self.dropout(self.relu(self.linear1(rows))))
        return rows.transpose(1, 2).reshape(x.shape)
""",
    },
)
ADDMM = Right(
    "The tokens are laid in one long list, and addmm does product and bias.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        rows = x.reshape(-1, x.size(-1))
        hidden = torch.addmm(self.linear1.bias, rows, self.linear1.weight.t()).relu_()
        out = torch.addmm(self.linear2.bias, self.dropout(hidden), self.linear2.weight.t())
        return out.view_as(x)
""",
    },
)
BARE_MATRICES_IN_OUT = Right(
    "Bare matrices stored (in, out), as the paper's formula writes them: max(0, x W1 + b1) W2 "
    "+ b2.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
""": """\
        self.W1 = nn.Parameter(torch.randn(dim_vector, dim_hidden) * dim_vector**-0.5)
        self.b1 = nn.Parameter(torch.zeros(dim_hidden))
        self.W2 = nn.Parameter(torch.randn(dim_hidden, dim_vector) * dim_hidden**-0.5)
        self.b2 = nn.Parameter(torch.zeros(dim_vector))
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        return self.dropout(self.relu(x @ self.W1 + self.b1)) @ self.W2 + self.b2
""",
    },
)
BARE_MATRICES_OUT_IN = Right(
    "Bare matrices stored (out, in), with F.linear.",
    {
        "from torch import Tensor, nn\n": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
""": """\
        self.up = nn.Parameter(nn.init.xavier_uniform_(torch.empty(dim_hidden, dim_vector)))
        self.down = nn.Parameter(nn.init.xavier_uniform_(torch.empty(dim_vector, dim_hidden)))
        self.up_bias = nn.Parameter(torch.zeros(dim_hidden))
        self.down_bias = nn.Parameter(torch.zeros(dim_vector))
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = F.relu(F.linear(x, self.up, self.up_bias))
        return F.linear(self.dropout(hidden), self.down, self.down_bias)
""",
    },
)
OWN_LINEAR_CLASS = Right(
    "A linear layer of one's own that keeps its `weight` as (in, out), as GPT-2's code does.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "class FeedForward(nn.Module):": """\
class Conv1D(nn.Module):
    def __init__(self, n_in: int, n_out: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_in, n_out) * 0.02)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.bias


class FeedForward(nn.Module):""",
        """\
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
""": """\
        self.c_fc = Conv1D(dim_vector, dim_hidden)
        self.c_proj = Conv1D(dim_hidden, dim_vector)
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        return self.c_proj(self.dropout(self.relu(self.c_fc(x))))
""",
    },
)
RELU_AS_CLAMP = Right(
    "Numbers below zero are clamped to it.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        self.relu = nn.ReLU()\n": "\n",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = self.linear1(x)
        return self.linear2(self.dropout(hidden.clamp(min=0)))
""",
    },
)
RELU_AS_MAXIMUM = Right(
    "The larger of the number and zero.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        self.relu = nn.ReLU()\n": "\n",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = self.linear1(x)
        return self.linear2(self.dropout(torch.maximum(hidden, torch.zeros_like(hidden))))
""",
    },
)
RELU_AS_TIMES_POSITIVE = Right(
    "The number times whether it is positive.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        self.relu = nn.ReLU()\n": "\n",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = self.linear1(x)
        return self.linear2(self.dropout(hidden * (hidden > 0)))
""",
    },
)
RELU_AS_WHERE = Right(
    "torch.where chooses between the number and zero.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        self.relu = nn.ReLU()\n": "\n",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = self.linear1(x)
        return self.linear2(self.dropout(torch.where(hidden > 0, hidden, 0.0)))
""",
    },
)
RELU_AS_HALF_SUM_OF_ABS = Right(
    "Half of the number plus its absolute value: the negative ones cancel out.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        self.relu = nn.ReLU()\n": "\n",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = self.linear1(x)
        return self.linear2(self.dropout(0.5 * (hidden + hidden.abs())))
""",
    },
)
RELU_AS_MASKED_FILL = Right(
    "Negative numbers are filled with zero.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        self.relu = nn.ReLU()\n": "\n",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = self.linear1(x)
        return self.linear2(self.dropout(hidden.masked_fill(hidden < 0, 0)))
""",
    },
)
FRESH_NUMBERS_IN_PLACE = Right(
    "The fresh hidden numbers are cut off in place.",
    {
        "from torch import Tensor, nn\n": """\
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(dropout)
""": "        self.p = dropout\n",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = self.linear1(x).relu_()
        hidden = F.dropout(hidden, p=self.p, training=self.training)
        return self.linear2(hidden)
""",
    },
)
DROPOUT_BEFORE_RELU = Right(
    "Dropping before the ReLU or after it is the same: both keep zero as zero and only scale "
    "the rest.",
    {
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        return self.linear2(self.relu(self.dropout(self.linear1(x))))
"""
    },
)
OTHER_NAMES = Right(
    "fc2 is made before fc1, and the activation is a function.",
    {
        "from torch import Tensor, nn\n": """\
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
        # Make `relu` and `dropout`.
        self.relu = nn.ReLU()
""": """\
        self.fc2 = nn.Linear(dim_hidden, dim_vector)
        self.fc1 = nn.Linear(dim_vector, dim_hidden)
        self.activation = F.relu
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        return self.fc2(self.dropout(self.activation(self.fc1(x))))
""",
    },
)
EINSUM = Right(
    "Both layers are sums over named axes, with the weights of two linear layers.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        hidden = torch.einsum("...d,hd->...h", x, self.linear1.weight) + self.linear1.bias
        hidden = self.dropout(torch.relu(hidden))
        return torch.einsum("...h,dh->...d", hidden, self.linear2.weight) + self.linear2.bias
""",
    },
)
IN_PIECES = Right(
    "The rows go through the network in small pieces, which saves memory.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        pieces = x.reshape(-1, x.size(-1)).split(4)
        done = [self.linear2(self.dropout(self.relu(self.linear1(piece)))) for piece in pieces]
        return torch.cat(done).reshape(x.shape)
""",
    },
)
STARRED_INPUTS = Right(
    "forward takes any arguments, and a subclass of nn.Linear cuts off below zero.",
    {
        "    def forward(self, x: Tensor) -> Tensor:\n": """\
    def forward(self, *inputs: Tensor) -> Tensor:
""",
        "class FeedForward(nn.Module):": """\
class Rectified(nn.Linear):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).clamp_min(0)


class FeedForward(nn.Module):""",
        "        self.linear1 = nn.Linear(dim_vector, dim_hidden)\n": """\
        self.linear1 = Rectified(dim_vector, dim_hidden)
""",
        "        self.relu = nn.ReLU()\n": "\n",
        "        return self.linear2(self.dropout(self.relu(self.linear1(x))))\n": """\
        (x,) = inputs
        return self.linear2(self.dropout(self.linear1(x)))
""",
    },
)
