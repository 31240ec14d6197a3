"""Right versions of s6_today/gated_feed_forward.py that look different."""

from checks.engine.known import Right
from checks.s6_today.gated_feed_forward.mistakes import DOWN, GATE, HIDDEN, RETURN, SILU, UP

TORCH = {"from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn"}

NAMES_OF_LLAMA = Right(
    "The layers are called w1, w2 and w3, in that order, as in Meta's code: gate, down, up.",
    {
        f"        {GATE}\n        {UP}\n        {DOWN}\n": """\
        self.w1 = nn.Linear(dim_vector, dim_hidden, bias=False)
        self.w2 = nn.Linear(dim_hidden, dim_vector, bias=False)
        self.w3 = nn.Linear(dim_vector, dim_hidden, bias=False)
""",
        RETURN: "return self.w2(F.silu(self.w1(x)) * self.w3(x))",
    },
)
THE_OTHER_WAY_ROUND = Right(
    "Of two layers whose names say nothing, the second is the gate.",
    {
        f"        {GATE}\n        {UP}\n        {DOWN}\n": """\
        self.linear1 = nn.Linear(dim_vector, dim_hidden, bias=False)
        self.linear2 = nn.Linear(dim_vector, dim_hidden, bias=False)
        self.linear3 = nn.Linear(dim_hidden, dim_vector, bias=False)
""",
        RETURN: "return self.linear3(self.linear1(x) * F.silu(self.linear2(x)))",
    },
)
NAMES_OF_TRANSFORMERS = Right(
    "The layers have names as in transformers, and the activation is a layer.",
    {
        f"        {GATE}\n        {UP}\n        {DOWN}\n": """\
        self.up_proj = nn.Linear(dim_vector, dim_hidden, bias=False)
        self.gate_proj = nn.Linear(dim_vector, dim_hidden, bias=False)
        self.down_proj = nn.Linear(dim_hidden, dim_vector, bias=False)
        self.act_fn = nn.SiLU()
""",
        RETURN: "return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))",
    },
)
_FUSED = {
    f"        {GATE}\n        {UP}\n": """\
        self.gate_up_proj = nn.Linear(dim_vector, 2 * dim_hidden, bias=False)
""",
}
FUSED = Right(
    "Gate and up are one layer, whose result is cut in two: the gate comes first.",
    {
        **_FUSED,
        RETURN: """\
gate, up = self.gate_up_proj(x).chunk(2, dim=-1)
        return self.down(F.silu(gate) * up)""",
    },
)
FUSED_UP_FIRST = Right(
    "Gate and up are one layer, whose result is cut in two: up comes first, as in PyTorch's GLU.",
    {
        **_FUSED,
        RETURN: """\
up, gate = self.gate_up_proj(x).chunk(2, dim=-1)
        return self.down(F.silu(gate) * up)""",
    },
)
FUSED_IN_TURN = Right(
    "Gate and up are one layer, and their features come in turn.",
    {
        **_FUSED,
        RETURN: """\
wide = self.gate_up_proj(x)
        return self.down(F.silu(wide[..., ::2]) * wide[..., 1::2])""",
    },
)
BARE_MATRICES = Right(
    "Bare matrices stored (in, out), named as in Shazeer's formula: W, V and W2.",
    {
        **TORCH,
        f"        {GATE}\n        {UP}\n        {DOWN}\n": """\
        self.W = nn.Parameter(torch.randn(dim_vector, dim_hidden) * dim_vector**-0.5)
        self.V = nn.Parameter(torch.randn(dim_vector, dim_hidden) * dim_vector**-0.5)
        self.W2 = nn.Parameter(torch.randn(dim_hidden, dim_vector) * dim_hidden**-0.5)
""",
        RETURN: "return (F.silu(x @ self.W) * (x @ self.V)) @ self.W2",
    },
)
ONE_BARE_STACK = Right(
    "Gate and up are a stack of two bare matrices.",
    {
        **TORCH,
        f"        {GATE}\n        {UP}\n": """\
        self.wide = nn.Parameter(torch.randn(2, dim_vector, dim_hidden) * dim_vector**-0.5)
""",
        RETURN: """\
gate, up = torch.einsum("...d,kdh->k...h", x, self.wide)
        return self.down(gate.sigmoid() * gate * up)""",
    },
)
EINSUM = Right(
    "All three layers are sums over named axes.",
    {
        **TORCH,
        RETURN: """\
gate = torch.einsum("...d,hd->...h", x, self.gate.weight)
        up = torch.einsum("...d,hd->...h", x, self.up.weight)
        return torch.einsum("...h,dh->...d", F.silu(gate) * up, self.down.weight)""",
    },
)
SILU_BY_HAND = Right(
    "SiLU is written out: the gate over 1 plus an exponential.",
    {
        **TORCH,
        RETURN: """\
gate = self.gate(x)
        return self.down(gate / (1 + torch.exp(-gate)) * self.up(x))""",
    },
)
SIGMOID_LAST = Right(
    "The sigmoid multiplies last.",
    {
        **TORCH,
        RETURN: """\
gate = self.gate(x)
        return self.down(gate * self.up(x) * torch.sigmoid(gate))""",
    },
)
MODULE_LIST = Right(
    "The layers are in a list that PyTorch knows.",
    {
        f"        {GATE}\n        {UP}\n        {DOWN}\n": """\
        sizes = ((dim_vector, dim_hidden), (dim_vector, dim_hidden), (dim_hidden, dim_vector))
        self.layers = nn.ModuleList(nn.Linear(n, m, bias=False) for n, m in sizes)
""",
        RETURN: """\
gate, up, down = self.layers
        return down(F.silu(gate(x)) * up(x))""",
    },
)
CONVOLUTIONS = Right(
    "The three layers are convolutions of width 1.",
    {
        f"        {GATE}\n        {UP}\n        {DOWN}\n": """\
        self.gate = nn.Conv1d(dim_vector, dim_hidden, 1, bias=False)
        self.up = nn.Conv1d(dim_vector, dim_hidden, 1, bias=False)
        self.down = nn.Conv1d(dim_hidden, dim_vector, 1, bias=False)
""",
        RETURN: """\
rows = x.reshape(1, -1, x.size(-1)).transpose(1, 2)
        rows = self.down(F.silu(self.gate(rows)) * self.up(rows))
        return rows.transpose(1, 2).reshape(x.shape)""",
    },
)
IN_PLACE = Right(
    "What is new is overwritten, which saves memory.",
    {
        RETURN: """\
hidden = F.silu(self.gate(x), inplace=True)
        return self.down(hidden * self.up(x))"""
    },
)
GATE_AS_A_SEQUENCE = Right(
    "The gate and its activation are one nn.Sequential.",
    {
        GATE: """\
self.gate = nn.Sequential(nn.Linear(dim_vector, dim_hidden, bias=False), nn.SiLU())""",
        SILU: "self.gate(x)",
    },
)
IN_PIECES = Right(
    "The rows go through the network in small pieces, which saves memory.",
    {
        **TORCH,
        RETURN: f"""\
done = [
            self.down({HIDDEN})
            for x in x.reshape(-1, x.size(-1)).split(4)
        ]
        return torch.cat(done).reshape(x.shape)""",
    },
)
