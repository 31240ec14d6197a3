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
        self.to_logits = nn.Linear(dim_vector, vocab_size)
        self.embed = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        self.names = [f"block_{number}" for number in range(num_layer)]
        for name in self.names:
            self.add_module(name, DecoderLayer(dim_vector, n_head, dim_hidden, dropout))

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
        return self.to_logits(hidden)
