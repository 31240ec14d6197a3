"""Shown to learners of s5_transformer/training.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import AXES, MODEL, SOURCE

HINTS = [
    "The target is bos, a, b, eos. What may the decoder read at each position, and what must it "
    "predict there?",
    "The rate: ** is the power in Python, and x ** -0.5 is 1 divided by the square root of x. min "
    "chooses the smaller curve.",
    "The loss: F.cross_entropy wants scores (places, vocab_size) and ids (places). flatten or "
    "reshape joins the axes batch_size and length.",
    "Its argument ignore_index leaves out the padding, and label_smoothing is an argument, too.",
    "The step: what is read ends one token earlier; what is wanted begins one token later. Which "
    "padding does the loss meet?",
    "The order of a step: model.train(), scores, loss, zero_grad(), backward(), clip, step(). "
    "nn.utils.clip_grad_norm_ clips; .item() makes a number of the loss.",
    "logits = model(src, trg[:, ____])",
]
EXAMPLE = Example(
    {**AXES, "trg_len": 6, "length": 5},
    f"""\
rate = noam_learning_rate(step=1, dim_vector=12, warmup_steps=8)
{MODEL}optimizer = torch.optim.Adam(model.parameters(), lr=rate)
{SOURCE}trg = torch.tensor([[1, 5, 9, 7, 3, 2], [1, 12, 8, 2, 0, 0]])
loss = train_step(model, optimizer, src, trg)
""",
)
PICTURES = [
    Picture(
        "the learning rate of steps 1 to 24, with warmup_steps 8",
        "[noam_learning_rate(step, 12, 8) for step in range(1, 25)]",
        "step",
        "rate",
        "curve",
    ),
]
