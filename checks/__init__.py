"""The hidden-test checker: what is right (paper, sN_*) and the machine that asks for it."""
