"""The course in order, one line per step. The step ids (2.1 ...) follow from it.

Bonus steps stand behind all others, so each is the last of its stage and moves no other's id.
"""

from pathlib import Path

from checks.engine.step import Step as Step
from checks.engine.step import numbered

COURSE = Path(__file__).resolve().parent.parent
SOLUTIONS = COURSE / "solutions"


STEPS = numbered(
    [
        ("s1_embedding/token_embedding.py", "a learned vector for every token"),
        ("s1_embedding/positional_embedding.py", "waves that show where a token stands"),
        ("s1_embedding/transformer_embedding.py", "token vector plus position vector"),
        ("s2_attention/calculate_attention.py", "queries attend to keys and mix values"),
        ("s2_attention/multi_head_attention.py", "several attentions side by side"),
        ("s2_attention/layer_norm.py", "every vector to mean 0 and variance 1"),
        ("s2_attention/add_norm.py", "the shortcut around every sublayer"),
        ("s2_attention/feed_forward.py", "a small network for every token"),
        ("s3_encoder/encoder_layer.py", "self-attention and feed-forward"),
        ("s3_encoder/encoder.py", "embedding and a stack of layers"),
        ("s4_decoder/decoder_layer.py", "the target attends to the source"),
        ("s4_decoder/decoder.py", "a score for every next word"),
        ("s5_transformer/masks.py", "which token may attend to which"),
        ("s5_transformer/transformer.py", "encoder, decoder and masks together"),
        ("s5_transformer/training.py", "a learning rate, a loss, one step"),
        ("s5_transformer/decoding.py", "a translation, token by token"),
        ("s5_transformer/translate.py", "text in, text out"),
        ("s5_transformer/classifier.py", "the encoder alone classifies texts"),
    ],
    bonus=[
        ("s1_embedding/scaled_embedding.py", "words scaled up as in the paper"),
        ("s3_encoder/pre_norm_encoder.py", "the norm comes before each sublayer"),
        ("s3_encoder/bert_encoder.py", "an encoder that fits real weights"),
        ("s4_decoder/pre_norm_decoder.py", "pre-norm for the decoder"),
        ("s5_transformer/cached_decoding.py", "no token is computed twice"),
        ("s6_today/rms_norm.py", "a layer norm without the mean"),
        ("s6_today/rotary.py", "positions rotate queries and keys"),
        ("s6_today/gated_feed_forward.py", "a gate in the small network"),
        ("s6_today/grouped_attention.py", "query heads share keys and values"),
        ("s6_today/language_model.py", "a decoder alone, made of these parts"),
        ("s6_today/sampling.py", "draw one of the good next tokens"),
        ("s6_today/byte_pairs.py", "a text becomes tokens"),
        ("s6_today/speak.py", "real weights in your own classes"),
    ],
)
CORE = [step for step in STEPS if not step.bonus]  # The steps that the course consists of.
BONUS = [step for step in STEPS if step.bonus]
STAGES = list(dict.fromkeys(step.stage for step in STEPS))
