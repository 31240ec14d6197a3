"""The course in order, one line a step. The step ids (2.1 ...) follow from it.

Bonus steps stand behind all others, so each is the last of its stage and moves no other's id.
"""

from dataclasses import dataclass
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent
SOLUTIONS = COURSE / "solutions"


@dataclass(frozen=True)
class Step:
    """One step: `id` "2.1", `path` "s2_attention/calculate_attention.py", under every root.

    A `bonus` step is not needed to finish the course: it is met only by who names it.
    """

    id: str
    path: str
    summary: str
    bonus: bool = False

    @property
    def stage(self) -> str:
        return self.path.split("/")[0]

    @property
    def name(self) -> str:
        return self.path.split("/")[1].removesuffix(".py")

    @property
    def module(self) -> str:
        return f"{self.stage}.{self.name}"

    @property
    def lesson(self) -> str:
        return f"{self.stage}/README.md"


def _number(course: list[tuple[str, str]], bonus: list[tuple[str, str]]) -> list[Step]:
    steps: list[Step] = []
    for path, summary in [*course, *bonus]:
        stage = path.split("/")[0]
        position = 1 + sum(step.stage == stage for step in steps)
        steps.append(Step(f"{stage[1]}.{position}", path, summary, (path, summary) in bonus))
    return steps


STEPS = _number(
    [
        ("s1_embedding/token_embedding.py", "a learned vector for every token"),
        ("s1_embedding/positional_embedding.py", "waves that tell where a token stands"),
        ("s1_embedding/transformer_embedding.py", "what it is plus where it stands"),
        ("s2_attention/calculate_attention.py", "queries look at keys and mix values"),
        ("s2_attention/multi_head_attention.py", "several attentions side by side"),
        ("s2_attention/layer_norm.py", "every vector to mean 0 and variance 1"),
        ("s2_attention/add_norm.py", "the shortcut around every sublayer"),
        ("s2_attention/feed_forward.py", "a small network for every token"),
        ("s3_encoder/encoder_layer.py", "self-attention and feed-forward"),
        ("s3_encoder/encoder.py", "embedding and a stack of layers"),
        ("s4_decoder/decoder_layer.py", "the target asks the source"),
        ("s4_decoder/decoder.py", "a score for every next word"),
        ("s5_transformer/masks.py", "who may look at whom"),
        ("s5_transformer/transformer.py", "encoder, decoder and masks together"),
        ("s5_transformer/training.py", "a learning rate, a loss, one step"),
        ("s5_transformer/decoding.py", "a translation, token by token"),
        ("s5_transformer/translate.py", "text in, text out"),
        ("s5_transformer/classifier.py", "the encoder alone tells texts apart"),
    ],
    bonus=[
        ("s1_embedding/scaled_embedding.py", "words as large as the paper has them"),
        ("s3_encoder/pre_norm_encoder.py", "the norm inside, the shortcut around"),
        ("s4_decoder/pre_norm_decoder.py", "the same for the half that writes"),
        ("s5_transformer/cached_decoding.py", "no token is computed twice"),
    ],
)
CORE = [step for step in STEPS if not step.bonus]  # What the course consists of.
BONUS = [step for step in STEPS if step.bonus]
STAGES = list(dict.fromkeys(step.stage for step in STEPS))
