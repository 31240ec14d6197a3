"""The graduations of 5.5 and 5.6: what the learner has written learns something real.

A graduation is one more check of its step. It takes half a minute, so it runs only if its step is
asked for by itself, or if a run without a name arrives there.
"""

# Steps with a graduation, and the steps that it trains with, beside those that the step imports.
GRADUATIONS: dict[str, tuple[str, ...]] = {"translate": ("training",), "classifier": ()}
