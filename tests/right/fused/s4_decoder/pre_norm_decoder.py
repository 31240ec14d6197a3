from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.layer_norm import LayerNorm
from s2_attention.multi_head_attention import MultiHeadAttention


class Shortcut(nn.Module):
    """Norm, sublayer, dropout, sum; whatever else the sublayer reads goes behind the target."""

    def __init__(self, dim_vector: int, sublayer: nn.Module, dropout: float):
        super().__init__()
        self.regularise = nn.Dropout(dropout)
        self.sublayer = sublayer
        self.normalise = LayerNorm(dim_vector)

    def forward(self, x: Tensor, *others: Tensor | None, looks_at_itself: bool = False) -> Tensor:
        y = self.normalise(x)
        seen = (y, y, y) if looks_at_itself else (y,)
        return x + self.regularise(self.sublayer(*seen, *others))


class PreNormDecoderLayer(nn.Module):
    """The sublayers are registered from the last to the first."""

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        thinker = FeedForward(dim_vector, dim_hidden, dropout)
        self.thinker = Shortcut(dim_vector, thinker, dropout)
        self.cross_mixer = Shortcut(dim_vector, MultiHeadAttention(dim_vector, n_head), dropout)
        self.self_mixer = Shortcut(dim_vector, MultiHeadAttention(dim_vector, n_head), dropout)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        x = self.self_mixer(x, trg_mask, looks_at_itself=True)
        return self.thinker(self.cross_mixer(x, memory, memory, src_mask))


class PreNormDecoder(nn.Module):
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
        self.to_logits = nn.Linear(dim_vector, vocab_size)
        self.close = LayerNorm(dim_vector)
        self.embed = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        self.names = [f"block_{number}" for number in range(num_layer)]
        for name in self.names:
            self.add_module(name, PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout))

    def forward(
        self,
        trg: Tensor,
        memory: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        hidden = self.embed(trg)
        for name in self.names:
            hidden = self.get_submodule(name)(hidden, memory, trg_mask, src_mask)
        return self.to_logits(self.close(hidden))
