"""A table as people export it: a spreadsheet's, a learning platform's, or one typed by hand."""

from __future__ import annotations

import codecs
import csv
import io
import re
import sys
import unicodedata
from pathlib import Path
from typing import NamedTuple

DELIMITERS = "\t;,"
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SEPARATOR = re.compile(r'"?sep=(.)"?\r?$', re.IGNORECASE | re.MULTILINE)  # Excel's first line.


class Row(NamedTuple):
    """The cells of a row, stripped, and the line in which it begins."""

    line: int
    cells: list[str]


def read_table(path: Path) -> list[Row]:
    """The rows with content. Comments, which begin with #, are left out.

    The file may be UTF-8, or UTF-16 with a mark. Any other is read as Windows-1252, and a note on
    stderr says so. Cells are separated by tabs, semicolons or commas. Raises ValueError with the
    file, the line and the value if it is no such table.
    """
    text = _text(path)
    separator = SEPARATOR.match(text)
    try:
        rows = _rows(text, separator[1] if separator else _delimiter(text))
    except csv.Error as error:
        raise ValueError(f"{path}, {error}") from None
    return [row for row in rows[bool(separator) :] if any(row.cells) and not _is_comment(row.cells)]


def columns(
    rows: list[Row], words: dict[str, tuple[str, ...]]
) -> tuple[dict[str, list[int]], list[Row]]:
    """The columns of each kind, by the words of the header, and the rows below the header.

    Lines above a header may be a title. So one word makes the first row a header, and two make any
    other row one. Without a header no column is known.
    """
    for number, row in enumerate(rows):
        cells = [letters(cell) for cell in row.cells]
        found = {
            kind: places
            for kind, known in words.items()
            if (places := [n for n, cell in enumerate(cells) if cell in known])
        }
        if len(found) > min(number, 1):
            return found, rows[number + 1 :]
    return {}, rows


def plain(text: str) -> str:
    """The text as it is compared: composed or not, in capitals or not, it is the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def letters(text: str) -> str:
    """The letters and digits of a text, as they are compared."""
    return "".join(sign for sign in plain(text) if sign.isalnum())


def _text(path: Path) -> str:
    content = path.read_bytes()
    encoding = "utf-16" if content.startswith(UTF_16) else "utf-8-sig"
    if encoding != "utf-16" and b"\0" in content:
        raise ValueError(f"{path} is not a text file. Save it as CSV, in UTF-8.")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        pass
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        byte, line = content[error.start], content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}, line {line}: the byte {byte:#x} is no text in UTF-8 or Windows-1252. "
            "Save it as CSV, in UTF-8."
        ) from None
    print(f"{path} is not UTF-8. It is read as Windows-1252, as Excel saves it.", file=sys.stderr)
    return text


def _delimiter(text: str) -> str:
    """The delimiter that cuts the most rows into the same number of cells."""

    def regular(delimiter: str) -> int:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        counts = [len(cells) for cells in rows if len(cells) > 1 and not _is_comment(cells)]
        return max(map(counts.count, set(counts)), default=0)

    return max(DELIMITERS, key=regular)


def _rows(text: str, delimiter: str) -> list[Row]:
    """All rows. Raises csv.Error with the line and the value."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows, line = list[Row](), 1
    try:
        for cells in reader:
            rows.append(Row(line, [cell.strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error:
        value = io.StringIO(text, newline="").readlines()[line - 1].strip()[:60]
        says = (
            f'line {line}: a quotation mark (") is not closed, or stands inside a cell: {value!r}'
        )
        raise csv.Error(f"{says}. Close it, or delete it.") from None
    return rows


def _is_comment(cells: list[str]) -> bool:
    """Whether a row is a comment. A column may have the heading #."""
    return cells[0].startswith("#") and (cells[0] != "#" or len(cells) == 1)
