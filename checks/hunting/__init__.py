"""`hunt`: a file of a passed step with one known mistake in it, to observe, predict and repair.

The mistakes and the checks are those of the step: nothing is written for the hunt alone.
"""
