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
        # TODO: Keep `pad_idx`.
        # TODO: Make `encoder`, your stack of step 3.2.
        # TODO: Make `linear`, one score for each class.
        raise NotImplementedError("TextClassifier.__init__")

    def forward(self, tokens: Tensor) -> Tensor:
        """(batch_size, seq_length) token ids -> logits (batch_size, num_class).

        Raises ValueError if a row has no real token: there is nothing to take the mean of.
        """
        # TODO: Mark the real tokens. Refuse a batch in which a row has no real token.
        # TODO: Encode the text, with its padding masked.
        # TODO: Take the mean of the real tokens' vectors.
        # TODO: Return the scores.
        raise NotImplementedError("TextClassifier.forward")
