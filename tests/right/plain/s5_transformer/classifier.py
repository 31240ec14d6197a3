from torch import nn

from s3_encoder.encoder import Encoder
from s5_transformer.masks import get_src_mask


class TextClassifier(nn.Module):
    def __init__(
        self,
        vocab_size,
        num_class,
        dim_vector,
        n_head,
        max_len,
        dim_hidden,
        num_layer,
        pad_idx=0,
        dropout=0.1,
    ):
        super().__init__()
        self.pad_idx = pad_idx
        self.enc = Encoder(
            vocab_size=vocab_size,
            dim_vector=dim_vector,
            max_len=max_len,
            n_head=n_head,
            dim_hidden=dim_hidden,
            num_layer=num_layer,
            dropout=dropout,
            padding_idx=pad_idx,
        )
        self.fc = nn.Linear(dim_vector, num_class)

    def forward(self, tokens):
        mask = (tokens != self.pad_idx).unsqueeze(-1)
        if (mask.sum(1) == 0).any():
            raise ValueError("a sentence of the batch is empty")
        x = self.enc(tokens, get_src_mask(tokens, self.pad_idx))
        x = (x * mask).sum(1) / mask.sum(1)
        return self.fc(x)
