"""The number tables of stage 6."""
