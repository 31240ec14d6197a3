"""Right versions of s6_today/grouped_attention.py that look different."""

from checks.engine.known import Right

# In the solution:
GUARDS = """\
        if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")
        if n_head % n_kv_head != 0:
            raise ValueError(f"{n_head} query heads cannot share {n_kv_head} heads of keys evenly")
"""
SIZES = "self.group, self.dim_split = n_head // n_kv_head, dim_vector // n_head"
MAKES_Q = "        self.w_q = nn.Linear(dim_vector, dim_vector, bias=False)\n"
MAKES_K = "        self.w_k = nn.Linear(dim_vector, n_kv_head * self.dim_split, bias=False)\n"
MAKES_V = "        self.w_v = nn.Linear(dim_vector, n_kv_head * self.dim_split, bias=False)\n"
MAKES_LINEAR = "        self.linear = nn.Linear(dim_vector, dim_vector, bias=False)\n"
MAKES = MAKES_Q + MAKES_K + MAKES_V + MAKES_LINEAR
PROJECTS = "q, k, v = self.split(self.w_q(x)), self.split(self.w_k(x)), self.split(self.w_v(x))"
TURNS = "q, k = rotate(q, cos, sin, start), rotate(k, cos, sin, start)"
APPENDS = "k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)"
SHARES = "keys, values = (heads.repeat_interleave(self.group, dim=1) for heads in (k, v))"
ATTENDS = "out, _ = calculate_attention(q, keys, values, mask)"
RETURNS = "return self.linear(out.transpose(1, 2).flatten(2)), (k, v)"
SPLITS = "return x.unflatten(-1, (-1, self.dim_split)).transpose(1, 2)"

EXPANDED = Right(
    "Each head gets a new axis, along which it is shown several times, and the two are joined.",
    {
        SHARES: """\
def repeated(heads: Tensor) -> Tensor:
            batch_size, n_kv_head, length, dim_split = heads.shape
            wide = heads[:, :, None].expand(batch_size, n_kv_head, self.group, length, dim_split)
            return wide.reshape(batch_size, n_kv_head * self.group, length, dim_split)

        keys, values = repeated(k), repeated(v)"""
    },
    mixes=True,
)
HEADS_BY_NUMBER = Right(
    "A list of numbers says which head of keys each query head takes.",
    {
        SHARES: """\
shared = torch.arange(q.size(1), device=x.device) // self.group
        keys, values = k[:, shared], v[:, shared]"""
    },
)
ONE_HEAD_AFTER_THE_OTHER = Right(
    "A loop goes through the query heads.",
    {
        SHARES: "found = []",
        ATTENDS: """\
for h in range(q.size(1)):
            one = slice(h // self.group, h // self.group + 1)
            own = mask if mask is None or mask.dim() < 4 or mask.size(1) == 1 else mask[:, h : h + 1]
            found.append(calculate_attention(q[:, h : h + 1], k[:, one], v[:, one], own)[0])
        out = torch.cat(found, dim=1)""",
    },
)
GROUPS_AS_AN_AXIS = Right(
    "The query heads of a group get an axis of their own, and nothing is repeated.",
    {
        SHARES: "grouped = q.unflatten(1, (-1, self.group))",
        ATTENDS: """\
scores = torch.einsum("bkgqd,bktd->bkgqt", grouped, k).flatten(1, 2) * self.dim_split**-0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = scores.softmax(dim=-1).unflatten(1, (-1, self.group))
        out = torch.einsum("bkgqt,bktd->bkgqd", weights, v).flatten(1, 2)""",
    },
)
TORCH_ATTENTION = Right(
    "torch computes the attention of the repeated heads.",
    {ATTENDS: "out = nn.functional.scaled_dot_product_attention(q, keys, values, attn_mask=mask)"},
)
TORCH_SHARES = Right(
    "torch computes the attention, and shares the heads itself.",
    {
        SHARES: "attend = nn.functional.scaled_dot_product_attention",
        ATTENDS: "out = attend(q, k, v, attn_mask=mask, enable_gqa=True)",
    },
)
OTHER_NAMES = Right(
    "The layers have the names that many programs give them.",
    {
        MAKES: MAKES.replace("w_q", "q_proj")
        .replace("w_k", "k_proj")
        .replace("w_v", "v_proj")
        .replace("linear", "o_proj"),
        PROJECTS: """\
q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))""",
        RETURNS: RETURNS.replace("linear", "o_proj"),
    },
)
FUSED_QKV = Right(
    "One layer makes queries, keys and values at once.",
    {
        MAKES: """\
        self.narrow = n_kv_head * self.dim_split
        self.wqkv = nn.Linear(dim_vector, dim_vector + 2 * self.narrow, bias=False)
        self.wo = nn.Linear(dim_vector, dim_vector, bias=False)
""",
        PROJECTS: """\
made = self.wqkv(x).split([x.size(-1), self.narrow, self.narrow], dim=-1)
        q, k, v = (self.split(part) for part in made)""",
        RETURNS: RETURNS.replace("linear", "wo"),
    },
)
FUSED_BY_GROUP = Right(
    "One layer has, for each group, its query heads, its head of keys and its head of values.",
    {
        MAKES: """\
        self.wqkv = nn.Linear(dim_vector, dim_vector + 2 * n_kv_head * self.dim_split, bias=False)
        self.wo = nn.Linear(dim_vector, dim_vector, bias=False)
""",
        PROJECTS: """\
made = self.wqkv(x).unflatten(-1, (-1, self.group + 2, self.dim_split))
        q = made[:, :, :, :-2].flatten(2, 3).transpose(1, 2)
        k, v = made[:, :, :, -2].transpose(1, 2), made[:, :, :, -1].transpose(1, 2)""",
        RETURNS: RETURNS.replace("linear", "wo"),
    },
)
FUSED_KV = Right(
    "Keys and values share one layer.",
    {
        MAKES: """\
        self.to_q = nn.Linear(dim_vector, dim_vector, bias=False)
        self.to_kv = nn.Linear(dim_vector, 2 * n_kv_head * self.dim_split, bias=False)
        self.to_out = nn.Linear(dim_vector, dim_vector, bias=False)
""",
        PROJECTS: """\
k, v = (self.split(part) for part in self.to_kv(x).chunk(2, dim=-1))
        q = self.split(self.to_q(x))""",
        RETURNS: RETURNS.replace("linear", "to_out"),
    },
)
FUSED_KV_BY_HEAD = Right(
    "One layer has, for each head, its keys and its values.",
    {
        MAKES: """\
        self.query = nn.Linear(dim_vector, dim_vector, bias=False)
        self.kv = nn.Linear(dim_vector, 2 * n_kv_head * self.dim_split, bias=False)
        self.out = nn.Linear(dim_vector, dim_vector, bias=False)
""",
        PROJECTS: """\
made = self.kv(x).unflatten(-1, (-1, 2, self.dim_split)).transpose(1, 2)
        q, k, v = self.split(self.query(x)), made[:, :, :, 0], made[:, :, :, 1]""",
        RETURNS: RETURNS.replace("linear", "out"),
    },
)
ONE_LAYER_PER_HEAD = Right(
    "Each head has a small layer of its own.",
    {
        MAKES: """\
        def heads(count: int) -> nn.ModuleList:
            return nn.ModuleList(
                nn.Linear(dim_vector, self.dim_split, bias=False) for _ in range(count)
            )

        self.queries, self.keys, self.values = heads(n_head), heads(n_kv_head), heads(n_kv_head)
        self.mix = nn.Linear(dim_vector, dim_vector, bias=False)
""",
        PROJECTS: """\
parts = (self.queries, self.keys, self.values)
        q, k, v = (torch.stack([head(x) for head in heads], dim=1) for heads in parts)""",
        RETURNS: RETURNS.replace("linear", "mix"),
    },
)
BARE_MATRICES = Right(
    "Bare matrices, stored as (in, out).",
    {
        MAKES: """\
        narrow = n_kv_head * self.dim_split
        for name, wide in (("q", dim_vector), ("k", narrow), ("v", narrow), ("o", dim_vector)):
            matrix = torch.randn(dim_vector, wide) * dim_vector**-0.5
            self.register_parameter(f"W_{name}", nn.Parameter(matrix))
""",
        PROJECTS: "q, k, v = (self.split(x @ matrix) for matrix in (self.W_q, self.W_k, self.W_v))",
        RETURNS: "return out.transpose(1, 2).flatten(2) @ self.W_o, (k, v)",
    },
)
MATRICES_BY_HEAD = Right(
    "Bare matrices with an axis for the heads, used through einsum.",
    {
        MAKES: """\
        def matrix(count: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(count, dim_vector, self.dim_split) * dim_vector**-0.5)

        self.w_q, self.w_k, self.w_v = matrix(n_head), matrix(n_kv_head), matrix(n_kv_head)
        self.linear = nn.Linear(dim_vector, dim_vector, bias=False)
""",
        PROJECTS: """\
q, k, v = (
            torch.einsum("bld,hds->bhls", x, heads) for heads in (self.w_q, self.w_k, self.w_v)
        )""",
    },
)
START_VALUES = Right(
    "All weights start with a standard deviation of 0.02.",
    {
        MAKES: MAKES
        + """\
        for layer in (self.w_q, self.w_k, self.w_v, self.linear):
            nn.init.normal_(layer.weight, std=0.02)
"""
    },
)
TURNED_TOGETHER = Right(
    "Queries and keys are turned in one call, as heads of one tensor.",
    {
        TURNS: """\
both = rotate(torch.cat([q, k], dim=1), cos, sin, start)
        q, k = both[:, : q.size(1)], both[:, q.size(1) :]"""
    },
)
VIEWED = Right(
    "view cuts the features, and reshape joins them.",
    {
        SPLITS: """\
batch_size, length, width = x.shape
        return x.view(batch_size, length, width // self.dim_split, self.dim_split).transpose(1, 2)""",
        RETURNS: """\
batch_size, _, length, _ = out.shape
        return self.linear(out.transpose(1, 2).reshape(batch_size, length, -1)), (k, v)""",
    },
)
INTO_NEW_ROOM = Right(
    "A new tensor has room for all keys, and old and new ones are written into it.",
    {
        APPENDS: """\
longer = []
            for old, new in zip(cache, (k, v)):
                room = new.new_empty(*old.shape[:2], old.size(2) + new.size(2), old.size(3))
                room[:, :, : old.size(2)], room[:, :, old.size(2) :] = old, new
                longer.append(room)
            k, v = longer"""
    },
)
A_LIST = Right(
    "The cache is a list.",
    {RETURNS: "return self.linear(out.transpose(1, 2).flatten(2)), [k, v]"},
)
DIVMOD = Right(
    "divmod gives the sizes and what is left over.",
    {
        GUARDS: """\
        dim_split, left = divmod(dim_vector, n_head)
        if left:
            raise ValueError(f"dim_vector={dim_vector} is no multiple of n_head={n_head}")
        group, left = divmod(n_head, n_kv_head)
        if left:
            raise ValueError(f"n_head={n_head} is no multiple of n_kv_head={n_kv_head}")
""",
        SIZES: "self.group, self.dim_split = group, dim_split",
    },
)
ALL_POSITIONS_ONE_HIGHER = Right(
    "All positions are one higher: distances, and so attention, stay the same.",
    {TURNS: "q, k = rotate(q, cos, sin, start + 1), rotate(k, cos, sin, start + 1)"},
)
