"""What the engine learns about this course in words: its messages and its commands.

The engine imports only three modules of the course. contents.py has the steps, course.py needs no
package, and extensions/layouts.py has everything that is about numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

# The messages at the beginning, at the end of each stage, and at the end of the course.
WELCOME = "You are going to write the whole Transformer, one small file at a time."
STAGE_ENDS = {
    "s1_embedding": "Stage 1 is done: words and positions are vectors now. Next, tokens attend to "
    "each other.",
    "s2_attention": "Stage 2 is done: the layers of the encoder and the decoder are made of these "
    "five parts only.",
    "s3_encoder": "Stage 3 is done: you have written an encoder, the half that reads.",
    "s4_decoder": "Stage 4 is done: you have written a decoder, the half that writes.",
    "s5_transformer": "The course is done: your Transformer translates, your encoder "
    "classifies texts, and every line of them is yours. It learns from texts of your own, too.",
    "s6_today": "Stage 6 is done: you have written the parts of a language model of today.",
}
TASTE = "see your parts learn:  python run_step.py taste"
HUNT = "one of your files gets a mistake, find it:  python run_step.py hunt --boss"
AFTER_STAGES = {  # The commands to type then.
    "s2_attention": f"{TASTE}\n  {HUNT} 2",
    "s3_encoder": TASTE,
    "s4_decoder": f"{TASTE}\n  {HUNT} 4",
    "s5_transformer": "texts of your own:  python run_step.py train --help\n"
    "  today's models come next, as a bonus:  python run_step.py 6.1",
    "s6_today": "a real model in your own code:  python run_step.py speak --get",
}
ALL_PASS = "You have written the whole Transformer."
FIGURE = "figure:figure"  # Draws what is built so far, below `list`: "module:name" in checks/.
AFTER_A_MISTAKE = "graduation.why:offered"  # A line below its hint, made of step and name.
PAGE = "page.serving:Served"  # What `watch --page` serves, made of the host and the screen.
BELOW_THE_MAP = "recalling.schedule:in_a_line"  # A line below `list`, made of the course.
BEFORE_A_STEP = "python run_step.py ask"  # Offered where a step is not begun.
LEARNED = "grading.learned:learned"  # What `proof --learned` does.
AFTER_PROOF = {"speak": "speaking.table:show"}  # By step: what `proof` prints below its versions.
LOOK_BACK = "look back:  python run_step.py compare 5.2, python run_step.py list"

# Mistakes of structure that only this course knows. A check names one by Fail(..., shows=name).
PROPERTIES = {
    "weights-not-detached": "The kept weights are not detached from the gradient. Everything that "
    "they were computed from then stays in memory.",
    "table-learns": "The table is a Parameter, so training would change it. A formula fixes its "
    "values.",
    "leak-of-the-future": "A leak of the future: in training the decoder sees the word that it "
    "must predict and learns to copy it. In translation there is no future to copy.",
    "next-token-seen": "A leak of the future: in training each token sees the next one, which the "
    "model must predict, and learns to copy it. When the model writes, there is nothing to copy.",
    "caches-differ": "With its caches the model goes on otherwise than without them. Caches only "
    "save work, so no score may change.",
}
RECEIPT = "truth.receipts:receipt"  # Writes one number as arithmetic: "module:name" in checks/.
DISTRIBUTIONS = ("attention", "attention_weights")  # Values whose rows should sum to 1.

# What the worker imports beside the engine: stand-ins for arguments, a graduation's lessons.
EXTENSIONS = sorted((Path(__file__).parent / "extensions").glob("*.py"))


class Command(NamedTuple):
    """A command outside the engine: the module of checks/ that has its function, and its columns in
    the help. `parses` makes its parser, as "module:name"; otherwise the module's `parser` does.
    """

    module: str
    typed: str
    help: str
    parses: str = ""

    @property
    def name(self) -> str:
        return self.typed.split()[0]

    @property
    def does(self) -> str:
        """Its function, as "module:name"."""
        return f"{self.module}:{self.name}"

    @property
    def parser(self) -> str:
        return self.parses or f"{self.module}:parser"


_COMMANDS = (
    Command("questions.command", "ask [STEP]", "questions to answer before you write a step"),
    Command("hunting.command", "hunt [STEP]", "find the mistake in a file of a passed step"),
    Command("recalling.command", "recall [STEP]", "a line of a passed file, days later"),
    Command("engine.tracing.command", "trace [STEP]", "your code on a tiny example, line by line"),
    Command("engine.tracing.look", "look [STEP]", "pictures of what your code makes there"),
    Command("page.command", "page [STEP]", "all of it as a page for the browser"),
    Command("grading.command", "grade PATH ...", "many submissions; its options: grade --help"),
    Command("authoring.command", "author new|check", "for authors of steps: author --help"),
    Command("graduation.taste", "taste", "your parts in a whole model that learns"),
    Command("graduation.why", "why [MISTAKE]", "what a mistake does to a model that learns"),
    Command(
        "speaking.command",
        "speak [TEXT]",
        "a real model in your own stage 6",
        "speaking.command:speak_parser",
    ),
    Command("speaking.command", "chat", "talk to that model", "speaking.command:chat_parser"),
    Command("speaking.similar", "similar FILE ...", "lines that mean the same, by your own 3.4"),
    Command(
        "training.command",
        "train FILE ...",
        "your model learns real text: train --help",
        "training.settings:parser",
    ),
    Command(
        "training.use",
        "translate [FILE]",
        "what it has learned, line by line",
        "training.use:translate_parser",
    ),
    Command(
        "training.use",
        "classify [FILE]",
        "the same for texts and labels",
        "training.use:classify_parser",
    ),
)
COMMANDS = {command.name: command for command in _COMMANDS}

# Steps with a picture of their own for `look`: "module:name" in checks/, of a function that gets
# the screen, the course, the text of --text and the sketch for --save, and returns the exit status.
PICTURES = {
    "translate": "training.crossing:crossing",
    "classifier": "graduation.losses:classifier",
    "speak": "graduation.losses:speak",
}

# Steps with one more, long check, in which their code learns something real. The tuple names the
# steps that it needs besides those that the step imports. The module `GRADUATION` has the check.
GRADUATIONS: dict[str, tuple[str, ...]] = {
    "translate": ("training",),
    "classifier": (),
    "speak": ("byte_pairs",),
}
GRADUATION = "checks.graduation.graduate"
# Functions of PyTorch that a step may forbid, each kind with its kernels and all that do the same.
_HEADS = (
    *("multi_head_attention_forward", "_native_multi_head_attention"),
    "_transformer_encoder_layer_fwd",
)
READY_MADE = {
    "norm": (
        *("layer_norm", "group_norm", "batch_norm", "instance_norm", "rms_norm"),
        *("native_layer_norm", "native_group_norm", "native_batch_norm", "_fused_rms_norm"),
        *("_batch_norm_impl_index", "_native_batch_norm_legit", "_batch_norm_with_update"),
        *("_native_batch_norm_legit_no_training", "_native_batch_norm_legit_functional"),
        *("_batch_norm_no_update", "_batch_norm_with_update_functional"),
    ),
    "attention": (
        *("scaled_dot_product_attention", "flex_attention", "_scaled_dot_product_attention_math"),
        *("_scaled_dot_product_flash_attention_for_cpu", *_HEADS),
    ),
    "heads": _HEADS,
}
ALIKE = (  # Names that are easily taken for one another.
    *("sin cos", "ones zeros", "mean sum", "var std", "sqrt exp", "tril triu"),
    *("softmax log_softmax sigmoid tanh", "ReLU GELU LeakyReLU Identity", "ModuleList Sequential"),
    *("Dropout Dropout1d AlphaDropout", "ValueError IndexError Exception"),
    "bool int64 float32 float64",
)
