"""The decoder: an embedding, a stack of decoder layers, a score for every word (paper, 3.1, 3.4).

Lesson: README.md, "4.2 Decoder"        Check: python run_step.py 4.2
"""

from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s4_decoder.decoder_layer import DecoderLayer


class Decoder(nn.Module):
    """Embed the target, pass it through layers that read the source, and score the next token.

    The paper shares the last matrix with the embedding; here it is a layer of its own, with a
    bias. The softmax belongs to the loss, not to the model.
    """

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
        # TODO: Make `embedding`, your layer of step 1.3.
        # TODO: Make `layers`, num_layer different decoder layers that PyTorch knows about.
        # TODO: Make `linear`, one score for each word of the vocabulary.
        raise NotImplementedError("Decoder.__init__")

    def forward(
        self,
        trg: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        """trg (batch_size, trg_len) token ids, encoder_output (batch_size, src_len, dim_vector)
        -> logits (batch_size, trg_len, vocab_size).
        """
        # TODO: Embed the tokens, then pass them through the layers, with the source and both masks.
        # TODO: Return the scores.
        raise NotImplementedError("Decoder.forward")
