from torch import nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s3_encoder.encoder_layer import EncoderLayer


class Encoder(nn.Module):
    def __init__(
        self,
        vocab_size,
        dim_vector,
        max_len,
        n_head,
        dim_hidden,
        num_layer,
        dropout=0.1,
        padding_idx=None,
    ):
        super().__init__()
        self.emb = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        self.stack = nn.ModuleList(
            [EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]
        )

    def forward(self, src, src_mask=None):
        x = self.emb(src)
        for layer in self.stack:
            x = layer(x, src_mask)
        return x
