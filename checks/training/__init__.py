"""The learner's own model on real data: train, translate, classify.

This package imports learner code in its own process, because there is no verdict to protect. No
module that judges imports it.
"""
