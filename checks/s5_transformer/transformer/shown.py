"""Shown to learners of s5_transformer/transformer.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import AXES, MODEL, SOURCE, TARGET, leak, of_decoder_layer

HINTS = [
    "What does the encoder need from the target? What does the decoder need from the source?",
    "Each side has a vocabulary of its own and a padding id of its own. Keep both ids as "
    "attributes.",
    "encode: get_src_mask makes the mask, the encoder reads src with it. Return a pair: the "
    "vectors and the mask.",
    "decode: get_trg_mask makes the mask. The decoder gets the target, the encoder's vectors and "
    "both masks.",
    "forward: encode gives two results; `first, second = …` takes them apart. Pass both on to "
    "decode.",
    "return self.decoder(trg, encoder_output, ____, src_mask)",
]
EXAMPLE = Example(
    AXES,
    f"""\
{MODEL}model.eval()
{SOURCE}{TARGET}logits = model(src, trg)
""",
)
PICTURES = [
    *of_decoder_layer("model.decoder.layers[0]"),
    Picture(
        "numbers to learn: 1 embedding, 2 layers, 3 and 4 the decoder's, 5 linear",
        "[sum(p.numel() for p in part.parameters()) for part in (model.encoder.embedding, "
        "model.encoder.layers, model.decoder.embedding, model.decoder.layers, "
        "model.decoder.linear)]",
        "part",
        "",
        "curve",
    ),
    leak("target", "lambda trg: model(src, trg), trg"),
    leak("source", "lambda src: model(src, trg), src"),
]
