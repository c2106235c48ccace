"""The form of a CSV file: its encoding, its delimiter, its header.

All of it is found from the content. What is unusual is noted.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from nonet.tables.column_names import Notes, add_note
from nonet.tables.number_text import parse_number

DELIMITERS = (",", ";", "\t", "|")
SAMPLE = 1 << 16
"""The bytes in which the encoding and the delimiter are looked for."""
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as UTF-16 does
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = bytes({*range(9), *range(14, 32)} - {0x1A})  # DOS ends files by 1A
_MAX_CONTROL = 0.05


def as_utf8(content: bytes, name: str, notes: Notes) -> bytes:
    """Return the content of a file in UTF-8, without marks of byte order and NUL bytes.

    Parameters
    ----------
    content : bytes
        The file.
    name : str
        Its name, for messages.
    notes : list of str, optional
        Gets sentences about another encoding and about NUL bytes.

    Returns
    -------
    bytes

    Examples
    --------
    >>> notes = []
    >>> as_utf8("größe".encode("cp1252"), "a.csv", notes).decode()
    'größe'
    >>> notes
    ['a.csv is not UTF-8: it was read as cp1252.']
    """
    content, encoding = find_mark(content)
    if encoding is None:
        encoding = guess_utf16(content[:SAMPLE])
    if encoding not in (None, "utf-8"):
        return content.decode(encoding, "replace").encode()
    check_is_text(content[:SAMPLE], name)
    if b"\0" in content:
        n_bytes = content.count(b"\0")
        content = content.replace(b"\0", b"")
        add_note(notes, nul_note(name, n_bytes))
    try:
        content.decode()
    except UnicodeDecodeError:
        add_note(notes, cp1252_note(name))
        return content.decode("cp1252", "replace").encode()
    return content


def nul_note(name: str, n_bytes: int) -> str:
    """Return the sentence about NUL bytes."""
    return f"{name} has NUL bytes, {n_bytes} in all: they were left out."


def cp1252_note(name: str) -> str:
    """Return the sentence about another encoding."""
    return f"{name} is not UTF-8: it was read as cp1252."


def find_mark(content: bytes) -> tuple[bytes, str | None]:
    r"""Return the content without its mark of byte order, and the encoding that this declares.

    Examples
    --------
    >>> find_mark(b"\xef\xbb\xbfsize"), find_mark(b"size")
    ((b'size', 'utf-8'), (b'size', None))
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content[len(mark) :], encoding
    return content, None


def guess_utf16(sample: bytes) -> str | None:
    """Return the encoding of text in which nearly every second byte is NUL."""
    n_pairs = len(sample) // 2
    if n_pairs and sample[1::2].count(0) > 0.8 * n_pairs:
        return "utf-16-le"
    return "utf-16-be" if n_pairs and sample[::2].count(0) > 0.8 * n_pairs else None


def check_is_text(sample: bytes, name: str) -> None:
    """Raise if the first bytes of a file are not those of text."""
    n_control = len(sample) - len(sample.translate(None, _CONTROL))
    if n_control > _MAX_CONTROL * len(sample):
        raise ValueError(f"{name} is not a text file; give a CSV, Parquet, Arrow or JSON file.")


@dataclass(frozen=True)
class Dialect:
    """How the rows of a file are written.

    Attributes
    ----------
    delimiter : str
        What stands between values.
    header : tuple of str or None
        The cells of the first row, None if it is one of data.
    start : int
        The byte at which the rows of data begin.
    """

    delimiter: str
    header: tuple[str, ...] | None
    start: int


def find_dialect(content: bytes, name: str, notes: Notes = None) -> Dialect:
    r"""Return the delimiter and the header of a file in UTF-8.

    Parameters
    ----------
    content : bytes
        The file.
    name : str
        Its name, for messages: in a file that ends in .tsv, tabs are preferred.
    notes : list of str, optional
        Gets a sentence if the first row is one of data.

    Returns
    -------
    Dialect

    Examples
    --------
    >>> find_dialect(b"size;price\n1;3,50\n2;12,00\n", "a.csv")
    Dialect(delimiter=';', header=('size', 'price'), start=11)
    """
    start = len(content) - len(content.lstrip(b"\r\n\t "))
    if start == len(content):
        raise ValueError(f"{name} is empty.")
    start = content.rfind(b"\n", 0, start) + 1  # a first name may be white space
    start, declared = _read_separator_line(content, start)
    sample = _decode_sample(content[start : start + SAMPLE])
    is_cut = start + SAMPLE < len(content)
    delimiter = declared or _find_delimiter(sample, name, is_cut)
    header, n_bytes = _read_header(content, start, delimiter)
    if _are_data(header):
        add_note(
            notes,
            f"The first line holds numbers, no names: columns are called 'x0' to "
            f"'x{len(header) - 1}'.",
        )
        return Dialect(delimiter, None, start)
    return Dialect(delimiter, header, start + n_bytes)


def _decode_sample(sample: bytes) -> str:
    return sample.decode("utf-8", "ignore")


def _read_separator_line(content: bytes, start: int) -> tuple[int, str | None]:
    """Return the start after a line such as sep=; and the delimiter that it declares."""
    line = content[start : start + 16].splitlines()[0] if content[start : start + 16] else b""
    if line[:4].lower() != b"sep=" or len(line) != 5:
        return start, None
    after = content[start + 5 : start + 7]
    return start + 5 + (2 if after == b"\r\n" else 1), line[4:].decode()


def _find_delimiter(sample: str, name: str, is_cut: bool) -> str:
    """Return the delimiter for which most rows have as many values as the header."""
    best = max(
        (_score_delimiter(sample, mark, is_cut), -position, mark)
        for position, mark in enumerate(DELIMITERS)
    )
    first_line = sample.splitlines()[0]
    if name.lower().partition(".tsv")[1] and "\t" in first_line:
        return "\t"
    return best[2]


def _score_delimiter(sample: str, delimiter: str, is_cut: bool) -> tuple[float, int]:
    """Return the fraction of fitting rows, and the number of columns; (0, 0) for one column."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=True)
    try:
        lengths = [len(row) for row in reader if row]
    except csv.Error:
        return 0.0, 0
    lengths = lengths[:-1] if is_cut and len(lengths) > 1 else lengths
    n_columns = lengths[0] if lengths else 0
    if n_columns < 2:
        return 0.0, 0
    counts = Counter(lengths[1:])
    # One more: row names without a name, or a delimiter at the end.
    n_fitting = max(counts[n_columns], counts[n_columns + 1])
    return (n_fitting / max(1, len(lengths) - 1)), n_columns


def _read_header(content: bytes, start: int, delimiter: str) -> tuple[tuple[str, ...], int]:
    """Return the cells of the first row, and the number of its bytes."""
    stream = io.BytesIO(content)
    stream.seek(start)
    lines = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    n_bytes = 0

    def counted() -> Iterator[str]:
        nonlocal n_bytes
        for line in lines:
            n_bytes += len(line.encode())
            yield line

    reader = csv.reader(counted(), delimiter=delimiter, skipinitialspace=True)
    header = next(reader)
    return tuple(cell.strip() for cell in header), n_bytes


def _are_data(header: tuple[str, ...]) -> bool:
    """Return whether a first row holds numbers that nobody would use as names."""
    are_numbers = all(not math.isnan(parse_number(cell)) for cell in header)
    return are_numbers and any("." in cell for cell in header)
