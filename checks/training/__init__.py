"""The learner's own model on real data: train, translate, classify.

This room imports learner code in its own process: here is no verdict to protect. Nothing that
judges imports it.
"""
