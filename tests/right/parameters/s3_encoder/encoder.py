from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s3_encoder.encoder_layer import EncoderLayer


class Encoder(nn.Module):
    """The layers are plain attributes: layer_0, layer_1, …"""

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
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        self.num_layer = num_layer
        for i in range(num_layer):
            setattr(self, f"layer_{i}", EncoderLayer(dim_vector, n_head, dim_hidden, dropout))

    def forward(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        x = self.embedding(src)
        for i in range(self.num_layer):
            x = getattr(self, f"layer_{i}")(x, src_mask)
        return x
