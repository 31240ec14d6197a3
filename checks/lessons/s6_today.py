"""The number tables of stage 6."""

import numpy as np

from checks.lessons.layout import grid, names, table
from checks.s6_today.rms_norm.truth import rms_norm as rms_norm_of

# 6.1 RMS norm


@table
def rms_norm() -> str:
    rows = {
        "1 … 6": np.arange(1.0, 7),
        "101 … 106": np.arange(101.0, 107),
        "10 … 60": np.arange(10.0, 70, 10),
        "all 4": np.full(6, 4.0),
        "0.001 … 0.006": np.arange(1.0, 7) / 1000,
    }
    out = rms_norm_of(np.stack(list(rows.values())), {"gamma": np.ones(6)})
    return grid(out, list(rows), names("out", 6))


@table
def squares_in_half_precision() -> str:
    """The same vector, its squares in float16 and in float32, and what the norm makes of it."""
    x = np.array([100.0, 200, 300, 400])
    rows = {"x": x}
    for dtype in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            squares = x.astype(dtype) ** 2
        rows[f"squares in {dtype.__name__}"] = squares.astype(float)
        rows[f"out, from {dtype.__name__}"] = x / np.sqrt(squares.mean() + 1e-5)
    return grid(list(rows.values()), list(rows), names("entry", 4), decimals=2)
