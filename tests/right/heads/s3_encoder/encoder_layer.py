import torch
from torch import Tensor, nn


class EncoderLayer(nn.Module):
    """Everything written out: attention, feed-forward network, dropout, the built-in norm.

    The attention weights are dropped, too. The mask is added to the scores.
    """

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        if dim_vector % n_head:
            raise ValueError(f"cannot cut {dim_vector} features into {n_head} equal heads")
        self.n_head = n_head
        self.query = nn.Linear(dim_vector, dim_vector)
        self.key = nn.Linear(dim_vector, dim_vector)
        self.value = nn.Linear(dim_vector, dim_vector)
        self.output = nn.Linear(dim_vector, dim_vector)
        self.attention_norm = nn.LayerNorm(dim_vector)
        self.widen = nn.Linear(dim_vector, dim_hidden)
        self.narrow = nn.Linear(dim_hidden, dim_vector)
        self.feed_forward_norm = nn.LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)

    def fold(self, x: Tensor) -> Tensor:
        """(batch_size, length, dim_vector) -> (batch_size * n_head, length, dim_split)."""
        return x.unflatten(-1, (self.n_head, -1)).transpose(1, 2).flatten(0, 1)

    def attend(self, x: Tensor, mask: Tensor | None) -> Tensor:
        batch_size, length, _ = x.shape
        q, k, v = self.fold(self.query(x)), self.fold(self.key(x)), self.fold(self.value(x))
        bias = x.new_zeros(batch_size, self.n_head, length, length)
        if mask is not None:
            bias = bias.masked_fill(mask == 0, torch.finfo(x.dtype).min)
        scores = torch.baddbmm(bias.flatten(0, 1), q, k.transpose(1, 2), alpha=q.size(-1) ** -0.5)
        out = torch.bmm(self.dropout(scores.softmax(dim=2)), v)
        out = out.unflatten(0, (batch_size, self.n_head))
        return self.output(torch.cat(out.unbind(1), dim=-1))

    def forward(self, x: Tensor, src_mask: Tensor | None = None) -> Tensor:
        x = self.attention_norm(x + self.dropout(self.attend(x, src_mask)))
        hidden = self.dropout(self.widen(x).relu())
        return self.feed_forward_norm(x + self.dropout(self.narrow(hidden)))
