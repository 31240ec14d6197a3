"""Real weights in the learner's own classes: fetched, read, held, and made to speak.

There is no verdict to protect here: learner code runs in this process, as in checks/training/.
"""
