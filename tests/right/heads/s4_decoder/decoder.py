from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s4_decoder.decoder_layer import DecoderLayer


class Decoder(nn.Module):
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
        self.embeddings = TransformerEmbedding(
            vocab_size, dim_vector, max_len, dropout, padding_idx
        )
        self.decoder_layers = nn.ModuleList()
        for _ in range(num_layer):
            self.decoder_layers.append(DecoderLayer(dim_vector, n_head, dim_hidden, dropout))
        self.word_scores = nn.Linear(dim_vector, vocab_size)

    def forward(
        self,
        trg: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        out = self.embeddings(trg)
        for decoder_layer in self.decoder_layers:
            out = decoder_layer(out, encoder_output, trg_mask, src_mask)
        return self.word_scores(out)
