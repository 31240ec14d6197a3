"""Right in another dress: s5_transformer/classifier.py."""

from checks.engine.known import Right

EINSUM = Right(
    "The mean is a weighted sum by einsum; the weights of each text sum to 1.",
    {
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
weights = real.to(x.dtype)
        weights = weights / weights.sum(dim=1, keepdim=True)
        mean = torch.einsum("bl,bld->bd", weights, x)""",
    },
)
BATCHED_PRODUCT = Right(
    "The sum is a batched matrix product with a row of ones and zeros.",
    {
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
row = real.unsqueeze(1).to(x.dtype)
        mean = torch.bmm(row, x).squeeze(1) / row.sum(dim=-1)""",
    },
)
MULTIPLIED = Right(
    "Padding is multiplied by 0 instead of filled.",
    {"x.masked_fill(~real[..., None], 0).sum(dim=1)": "(x * real.unsqueeze(-1)).sum(1)"},
)
WHERE = Right(
    "torch.where puts zeros at padding.",
    {
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
        "x.masked_fill(~real[..., None], 0).sum(dim=1)": """\
torch.where(real[:, :, None], x, torch.zeros_like(x)).sum(1)""",
    },
)
CLAMPED_AFTER_THE_CHECK = Right(
    "The number of tokens is clamped to 1, which changes nothing once empty texts are refused.",
    {"real.sum(dim=1, keepdim=True)": "real.sum(dim=1, keepdim=True).clamp(min=1)"},
)
NAN_MEAN = Right(
    "Padding is set to NaN, and nanmean leaves it out.",
    {
        "x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
x.masked_fill(~real[..., None], float("nan")).nanmean(dim=1)"""
    },
)
ONE_BY_ONE = Right(
    "A list comprehension takes the mean of each text by itself.",
    {
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = torch.stack([row[own].mean(dim=0) for row, own in zip(x, real)])""",
    },
)
SOFTMAX_OF_MASK = Right(
    "The weights of the mean are a softmax over a mask of 0 and minus infinity.",
    {
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
hidden = torch.zeros_like(x[..., 0]).masked_fill(~real, float("-inf"))
        mean = (hidden.softmax(dim=1).unsqueeze(1) @ x).squeeze(1)""",
    },
)
SCORES_AVERAGED = Right(
    "Every token is scored, and the scores of the real ones are averaged: the same, for the last "
    "layer is linear.",
    {
        "x.masked_fill(~real[..., None], 0).sum(dim=1)": """\
self.linear(x).masked_fill(~real[..., None], 0).sum(dim=1)""",
        "return self.linear(mean)": "return mean",
    },
)
SEQUENTIAL_HEAD = Right(
    "The last layer sits in a Sequential called head.",
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.head = nn.Sequential(nn.Linear(dim_vector, num_class))""",
        "return self.linear(mean)": "return self.head(mean)",
    },
)
OTHER_NAMES = Right(
    "Encoder, last layer and padding have other names, and the last layer is made first.",
    {
        """\
        # Keep `pad_idx`.
        self.pad_idx = pad_idx
        # Make `encoder`, your stack of step 3.2.
        self.encoder = Encoder(
            vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer, dropout, pad_idx
        )
        # Make `linear`, one score for each class.
        self.linear = nn.Linear(dim_vector, num_class)
""": """\
        self.scorer = nn.Linear(dim_vector, num_class)
        self.reader = Encoder(
            vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer, dropout, pad_idx
        )
        self.padding = pad_idx
""",
        "real = tokens != self.pad_idx": "real = tokens != self.padding",
        "self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": """\
self.reader(tokens, get_src_mask(tokens, self.padding))""",
        "return self.linear(mean)": "return self.scorer(mean)",
    },
)
PADDING_NOT_HANDED_DOWN = Right(
    "The encoder is not told of padding, so that row has numbers, which nobody sees.",
    {"num_layer, dropout, pad_idx\n": "num_layer, dropout\n"},
)
BY_KEYWORD = Right(
    "The encoder is made with all its arguments by name.",
    {
        """\
            vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer, dropout, pad_idx
""": """\
            n_head=n_head,
            num_layer=num_layer,
            dim_vector=dim_vector,
            dim_hidden=dim_hidden,
            vocab_size=vocab_size,
            max_len=max_len,
            padding_idx=pad_idx,
            dropout=dropout,
"""
    },
)
MASK_WRITTEN_OUT = Right(
    "The mask is made of the real tokens, without step 5.1.",
    {
        "from s5_transformer.masks import get_src_mask\n": "",
        "get_src_mask(tokens, self.pad_idx))": "real.unsqueeze(1).unsqueeze(1))",
    },
)
MASK_ASKED_FOR_REAL = Right(
    "The real tokens are read off the mask.",
    {
        "real = tokens != self.pad_idx": """\
mask = get_src_mask(tokens, self.pad_idx)
        real = mask[:, 0, 0]""",
        "self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": "self.encoder(tokens, mask)",
    },
)
COUNTED_FIRST = Right(
    "The tokens are counted first; a count of 0 is an empty text.",
    {
        """\
        empty = (~real.any(dim=1)).nonzero().flatten().tolist()
        if empty:
            raise ValueError(f"row {empty[0]} of the batch has no real token")
""": """\
        count = real.sum(dim=1)
        if count.min() == 0:
            raise ValueError("empty text")
""",
        "real.sum(dim=1, keepdim=True)": "count[:, None]",
    },
)
REFUSED_LATE = Right(
    "An empty text is looked for after the encoder, in a loop.",
    {
        """\
        empty = (~real.any(dim=1)).nonzero().flatten().tolist()
        if empty:
            raise ValueError(f"row {empty[0]} of the batch has no real token")
""": "",
        "        mean = x": """\
        for row, own in enumerate(real):
            if not own.any():
                raise ValueError(f"text {row + 1} is empty")
        mean = x""",
    },
)
SHORTENED = Right(
    "Places that are padding in all texts are cut off before anything is computed.",
    {
        "        # Encode the text": """\
        used = int(real.any(dim=0).nonzero().max()) + 1
        if tokens.size(1) <= self.encoder.embedding.positional_embedding.pe.size(0):
            tokens, real = tokens[:, :used], real[:, :used]
        # Encode the text"""
    },
)
TENSOR_OF_A_TENSOR = Right(
    "The number of tokens is copied by torch.tensor, which warns of it, and stays where they are.",
    {
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
        "real.sum(dim=1, keepdim=True)": "torch.tensor(real.sum(dim=1, keepdim=True))",
    },
)
