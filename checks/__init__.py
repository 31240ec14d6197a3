"""The hidden-test checker: the formulas (paper, sN_*) and the engine that calls submissions."""
