from collections.abc import Callable

from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.layer_norm import LayerNorm
from s2_attention.multi_head_attention import MultiHeadAttention


class Shortcut(nn.Module):
    """Norm, whatever is called, dropout, sum."""

    def __init__(self, dim_vector: int, dropout: float):
        super().__init__()
        self.regularise = nn.Dropout(dropout)
        self.normalise = LayerNorm(dim_vector)

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        return x + self.regularise(sublayer(self.normalise(x)))


class PreNormEncoderLayer(nn.Module):
    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.mixer = MultiHeadAttention(dim_vector, n_head)
        self.thinker = FeedForward(dim_vector, dim_hidden, dropout)
        self.around_mixer = Shortcut(dim_vector, dropout)
        self.around_thinker = Shortcut(dim_vector, dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.around_mixer(x, lambda y: self.mixer(y, y, y, mask))
        return self.around_thinker(x, self.thinker)


class PreNormEncoder(nn.Module):
    """The closing norm stands first, and the stack is a ModuleDict."""

    def __init__(
        self,
        vocab_size: int,
        dim_vector: int,
        max_len: int,
        n_head: int,
        dim_hidden: int,
        num_layer: int,
        dropout: float = 0.1,
        padding_idx: int | None = None,
    ):
        super().__init__()
        self.close = LayerNorm(dim_vector)
        self.blocks = nn.ModuleDict(
            {
                f"block{number}": PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout)
                for number in range(num_layer)
            }
        )
        self.embed = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)

    def forward(self, src: Tensor, mask: Tensor | None = None) -> Tensor:
        hidden = self.embed(src)
        for block in self.blocks.values():
            hidden = block(hidden, mask)
        return self.close(hidden)
