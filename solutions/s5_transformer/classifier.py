"""Classifier: the encoder alone classifies texts (an extension: not in the paper).

Lesson: README.md, "5.6 Classifier"        Check: python run_step.py 5.6
"""

from torch import Tensor, nn

from s3_encoder.encoder import Encoder
from s5_transformer.masks import get_src_mask


class TextClassifier(nn.Module):
    """Encode a text, take the mean of its tokens, score every class.

    The mean is over real tokens only, so the amount of padding makes no difference.
    """

    def __init__(
        self,
        vocab_size: int,
        num_class: int,
        dim_vector: int,
        n_head: int,
        max_len: int,
        dim_hidden: int,
        num_layer: int,
        pad_idx: int = 0,
        dropout: float = 0.1,
    ):
        super().__init__()
        # Keep `pad_idx`.
        self.pad_idx = pad_idx
        # Make `encoder`, your stack of step 3.2.
        self.encoder = Encoder(
            vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer, dropout, pad_idx
        )
        # Make `linear`, one score for each class.
        self.linear = nn.Linear(dim_vector, num_class)

    def forward(self, tokens: Tensor) -> Tensor:
        """(batch_size, seq_length) token ids -> logits (batch_size, num_class).

        Raises ValueError if a row has no real token: there is nothing to take the mean of.
        """
        # Mark the real tokens. Refuse a batch in which a row has no real token.
        real = tokens != self.pad_idx
        empty = (~real.any(dim=1)).nonzero().flatten().tolist()
        if empty:
            raise ValueError(f"row {empty[0]} of the batch has no real token")
        # Encode the text, with its padding masked.
        x = self.encoder(tokens, get_src_mask(tokens, self.pad_idx))
        # Take the mean of the real tokens' vectors.
        mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)
        # Return the scores.
        return self.linear(mean)
