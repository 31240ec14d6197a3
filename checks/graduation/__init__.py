"""The graduations of 5.5, 5.6 and 6.8: the learner's code learns something real.

A graduation is one more check of its step. It takes half a minute, so it runs only if its step is
named alone, or if a run without a name arrives there.
"""
