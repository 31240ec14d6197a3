"""The hidden-test checker: the equations, the checks of every step, the engine that asks them."""

import os

# Before NumPy is imported. The arrays are small: two threads only wait for each other, and a run
# of all steps costs a fifth more.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
