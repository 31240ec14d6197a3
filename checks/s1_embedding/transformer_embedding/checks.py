"""Checks for s1_embedding/transformer_embedding.py."""

from checks.engine.language import Submission, check
from checks.scenes.embeddings import Embedding
from checks.truth import paper

EMBEDDING = Embedding("TransformerEmbedding", paper.transformer_embedding, scale=1.0)


@check
def token_and_position_are_added(submission: Submission) -> None:
    """The output is the token's vector plus its position's vector."""
    EMBEDDING.expect_formula(submission)


@check
def tokens_may_be_a_view(submission: Submission) -> None:
    """The tokens need not be contiguous: step 5.3 leaves out the last token of each target."""
    EMBEDDING.expect_view(submission)


@check
def only_the_table_learns(submission: Submission) -> None:
    """The gradient reaches every row of the token table, and nothing else learns."""
    EMBEDDING.expect_only_the_table_learns(submission)


@check
def the_sum_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.1) is applied to the sum of both."""
    EMBEDDING.expect_dropped_sum(submission)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A sentence of max_len tokens works; one more token raises the ValueError of step 1.2."""
    EMBEDDING.expect_limit(submission)


@check
def padding_has_no_vector_of_its_own(submission: Submission) -> None:
    """padding_idx reaches the token embedding: a padding token gives its position alone."""
    EMBEDDING.expect_padding_without_vector(submission)


@check
def padding_does_not_learn(submission: Submission) -> None:
    """The row of padding_idx gets no gradient; the rows of all other tokens get one."""
    EMBEDDING.expect_padding_does_not_learn(submission)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """vocab_size, dim_vector and max_len are arguments: other values work too."""
    EMBEDDING.expect_sizes(submission)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens and words, and fewer words than features."""
    EMBEDDING.expect_large_sizes(submission)


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the input is not
    changed; it works on any device.
    """
    EMBEDDING.expect_manners(submission)
