from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s3_encoder.encoder_layer import EncoderLayer


class Encoder(nn.Module):
    """The stack is a ModuleDict, which keeps its order."""

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
        self.blocks = nn.ModuleDict(
            {
                f"block{number}": EncoderLayer(dim_vector, n_head, dim_hidden, dropout)
                for number in range(num_layer)
            }
        )
        self.embed = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)

    def forward(self, src: Tensor, mask: Tensor | None = None) -> Tensor:
        hidden = self.embed(src)
        for block in self.blocks.values():
            hidden = block(hidden, mask)
        return hidden
