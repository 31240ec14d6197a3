from torch import nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s4_decoder.decoder_layer import DecoderLayer


class Decoder(nn.Module):
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
            [DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]
        )
        self.fc_out = nn.Linear(dim_vector, vocab_size)

    def forward(self, trg, encoder_output, trg_mask=None, src_mask=None):
        x = self.emb(trg)
        for layer in self.stack:
            x = layer(x, encoder_output, trg_mask, src_mask)
        return self.fc_out(x)
