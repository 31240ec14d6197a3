"""Right in another dress: s1_embedding/positional_embedding.py."""

from checks.engine.known import Right

EXP_LOG = Right(
    "The wavelengths come from exp and log, as in most implementations; only the last digits "
    "differ from a power.",
    {
        "import torch\n": ("import math\n\nimport torch\n"),
        "        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)\n": """\
        rate = torch.exp(torch.arange(0, dim_vector, 2) * (-math.log(10000.0) / dim_vector))
""",
        "        angle = position / wavelength": "        angle = position * rate",
    },
)
FLOAT64_THEN_CAST = Right(
    "Everything is computed in float64 and rounded once, at the end, to the default dtype.",
    {
        """\
        # Make `position`, the (max_len, 1) column 0, 1, 2, …
        position = torch.arange(max_len).unsqueeze(1)
        # Make `wavelength`, one number for each pair of columns.
        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)
        # Fill the even columns of a table with sines and the odd ones with cosines.
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        position = torch.arange(max_len, dtype=torch.float64)[:, None]
        pair = torch.arange(0, dim_vector, 2, dtype=torch.float64)
        angle = position / torch.pow(10000.0, pair / dim_vector)
        table = torch.empty(max_len, dim_vector, dtype=torch.float64)
        table[:, 0::2] = angle.sin()
        table[:, 1::2] = angle[:, : dim_vector // 2].cos()
        table = table.to(torch.get_default_dtype())
"""
    },
)
NUMPY = Right(
    "The table is made with NumPy and then becomes a tensor of the default dtype.",
    {
        """\
import torch
from torch import Tensor, nn
""": """\
import numpy as np
import torch
from torch import Tensor, nn
""",
        """\
        # Make `position`, the (max_len, 1) column 0, 1, 2, …
        position = torch.arange(max_len).unsqueeze(1)
        # Make `wavelength`, one number for each pair of columns.
        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)
        # Fill the even columns of a table with sines and the odd ones with cosines.
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        angle = np.arange(max_len)[:, None] / 10000 ** (np.arange(0, dim_vector, 2) / dim_vector)
        waves = np.zeros((max_len, dim_vector))
        waves[:, 0::2] = np.sin(angle)
        waves[:, 1::2] = np.cos(angle[:, : dim_vector // 2])
        table = torch.from_numpy(waves).to(torch.get_default_dtype())
""",
    },
)
MATH_LOOPS = Right(
    "Two plain loops over positions and columns, with the math module.",
    {
        """\
import torch
from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        """\
        # Make `position`, the (max_len, 1) column 0, 1, 2, …
        position = torch.arange(max_len).unsqueeze(1)
        # Make `wavelength`, one number for each pair of columns.
        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)
        # Fill the even columns of a table with sines and the odd ones with cosines.
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        rows = []
        for position in range(max_len):
            row = []
            for column in range(dim_vector):
                angle = position / 10000 ** ((column - column % 2) / dim_vector)
                row.append(math.cos(angle) if column % 2 else math.sin(angle))
            rows.append(row)
        table = torch.tensor(rows)
""",
    },
)
NOT_PERSISTENT = Right(
    "The buffer is left out of saved files, for it can always be computed again.",
    {
        '        self.register_buffer("pe", table)\n': """\
        self.register_buffer("pe", table, persistent=False)
"""
    },
)
NN_BUFFER = Right(
    "The table becomes a buffer by assigning an nn.Buffer.",
    {'        self.register_buffer("pe", table)\n': ("        self.pe = nn.Buffer(table)\n")},
)
OTHER_BUFFER_NAME = Right(
    "The buffer has another name, and a second one keeps the positions.",
    {
        '        self.register_buffer("pe", table)\n': """\
        self.register_buffer("sinusoids", table)
        self.register_buffer("positions", torch.arange(max_len), persistent=False)
""",
        """\
        # Refuse a sentence that is longer than the table. Name both lengths in the error.
        seq_length, max_len = x.size(1), self.pe.size(0)
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
        # Return one row for each position of the sentence.
        return self.pe[:seq_length]
""": """\
        seq_length, max_len = x.shape[-1], self.sinusoids.shape[0]
        if seq_length > max_len:
            raise ValueError(f"sequence length {seq_length} exceeds max_len {max_len}")
        return self.sinusoids[self.positions[:seq_length]]
""",
    },
)
STACKED_PAIRS = Right(
    "Sine and cosine are stacked side by side and flattened, and the superfluous last column "
    "is cut off.",
    {
        """\
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        angle = position / wavelength  # (max_len, number of pairs)
        table = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)[:, :dim_vector].contiguous()
"""
    },
)
PADDED_COLUMNS = Right(
    "The table is made one column wider if dim_vector is odd, and trimmed at the end.",
    {
        """\
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        even = dim_vector + dim_vector % 2
        table = torch.zeros(max_len, even)
        table[:, 0::2] = torch.sin(position / wavelength)
        table[:, 1::2] = torch.cos(position / wavelength)
        table = table[:, :dim_vector].clone()
"""
    },
)
SHIFTED_SINE = Right(
    "A cosine is a sine a quarter turn ahead, so every column is a sine with its own phase.",
    {
        """\
import torch
from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        """\
        # Make `position`, the (max_len, 1) column 0, 1, 2, …
        position = torch.arange(max_len).unsqueeze(1)
        # Make `wavelength`, one number for each pair of columns.
        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)
        # Fill the even columns of a table with sines and the odd ones with cosines.
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        dtype = torch.get_default_dtype()
        column = torch.arange(dim_vector)
        pair = torch.div(column, 2, rounding_mode="floor") * 2
        rate = 10000.0 ** (-pair.to(dtype) / dim_vector)
        phase = (column % 2).to(dtype) * (math.pi / 2)
        table = torch.sin(torch.outer(torch.arange(max_len, dtype=dtype), rate) + phase)
""",
    },
)
WHERE_PARITY = Right(
    "Both waves are computed in every column and the parity of the column chooses between them.",
    {
        """\
        # Make `position`, the (max_len, 1) column 0, 1, 2, …
        position = torch.arange(max_len).unsqueeze(1)
        # Make `wavelength`, one number for each pair of columns.
        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)
        # Fill the even columns of a table with sines and the odd ones with cosines.
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        column = torch.arange(dim_vector)
        wavelength = torch.pow(10000.0, (column // 2 * 2) / dim_vector)
        angle = torch.arange(max_len).unsqueeze(-1) / wavelength
        table = torch.where(column % 2 == 0, angle.sin(), angle.cos())
"""
    },
)
COMPLEX_NUMBERS = Right(
    "Sine and cosine are the two parts of a point on the unit circle, so complex numbers give "
    "both at once.",
    {
        """\
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        angle = position / wavelength
        point = torch.polar(torch.ones_like(angle), angle)  # cos + i sin
        table = torch.view_as_real(point).flip(-1).reshape(max_len, -1)[:, :dim_vector]
"""
    },
)
LOGSPACE = Right(
    "The rates of the waves are evenly spaced on a logarithmic scale.",
    {
        "        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)\n": """\
        pairs = (dim_vector + 1) // 2
        last = 2 * (pairs - 1) / dim_vector
        wavelength = torch.logspace(0, last, pairs, base=10000.0)
"""
    },
)
CACHED_HELPER = Right(
    "A helper function makes the table and remembers it for layers of the same size and dtype.",
    {
        """\
import torch
from torch import Tensor, nn
""": """\
from functools import lru_cache

import torch
from torch import Tensor, nn


@lru_cache(maxsize=8)
def sinusoids(max_len: int, dim_vector: int, dtype: torch.dtype) -> Tensor:
    position = torch.arange(max_len, dtype=torch.float64).view(-1, 1)
    angle = position * 10000.0 ** (-torch.arange(0, dim_vector, 2, dtype=torch.float64) / dim_vector)
    table = torch.zeros(max_len, dim_vector, dtype=torch.float64)
    table[:, ::2] = angle.sin()
    table[:, 1::2] = angle.cos()[:, : dim_vector // 2]
    return table.to(dtype)
""",
        """\
        # Make `position`, the (max_len, 1) column 0, 1, 2, …
        position = torch.arange(max_len).unsqueeze(1)
        # Make `wavelength`, one number for each pair of columns.
        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)
        # Fill the even columns of a table with sines and the odd ones with cosines.
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": "        table = sinusoids(max_len, dim_vector, torch.get_default_dtype()).clone()\n",
    },
)
NARROW = Right(
    "The lengths are asked for as attributes and the rows taken with narrow.",
    {
        """\
        # Refuse a sentence that is longer than the table. Name both lengths in the error.
        seq_length, max_len = x.size(1), self.pe.size(0)
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
        # Return one row for each position of the sentence.
        return self.pe[:seq_length]
""": """\
        length = x.shape[1]
        if length <= len(self.pe):
            return self.pe.narrow(0, 0, length)
        raise ValueError("%d tokens do not fit into max_len %d" % (length, len(self.pe)))
"""
    },
)
POSITION_IDS = Right(
    "The rows are looked up by position numbers, made on the device of the tokens.",
    {
        """\
import torch
from torch import Tensor, nn
""": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        "        return self.pe[:seq_length]\n": """\
        return F.embedding(torch.arange(seq_length, device=x.device), self.pe)
""",
    },
)
KEEPS_MAX_LEN = Right(
    "max_len is kept as a number, and an assert beside the ValueError guards the result.",
    {
        '        self.register_buffer("pe", table)\n': """\
        self.register_buffer("pe", table)
        self.max_len = max_len
        self.dim_vector = dim_vector
""",
        """\
        # Refuse a sentence that is longer than the table. Name both lengths in the error.
        seq_length, max_len = x.size(1), self.pe.size(0)
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
        # Return one row for each position of the sentence.
        return self.pe[:seq_length]
""": """\
        batch_size, seq_length = x.size()
        if seq_length > self.max_len:
            raise ValueError(f"got {seq_length} tokens, at most max_len={self.max_len} fit")
        rows = self.pe[0:seq_length, :]
        assert rows.shape == (seq_length, self.dim_vector)
        return rows
""",
    },
)
IN_PLACE_TABLE = Right(
    "The sines and cosines are written in place into the two halves of a table of pairs.",
    {
        """\
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
""": """\
        table = torch.zeros(max_len, (dim_vector + 1) // 2, 2)
        angle = position.div(wavelength)
        torch.sin(angle, out=table[..., 0])
        torch.cos(angle, out=table[..., 1])
        table = table.view(max_len, -1)[:, :dim_vector]
"""
    },
)
TABLE_ALWAYS_FLOAT32 = Right(
    "The table is float32 by name, also where torch's default dtype is another.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.float())'},
)
TABLE_FOR_A_BATCH = Right(
    "The buffer has another name and a leading axis of one, as a table for a whole batch has it.",
    {
        'self.register_buffer("pe", table)': 'self.register_buffer("pos_table", table[None])',
        "self.pe.size(0)": "self.pos_table.size(1)",
        "return self.pe[:seq_length]": "return self.pos_table[0, :seq_length]",
    },
    seen="jadore801120/attention-is-all-you-need-pytorch",
)
