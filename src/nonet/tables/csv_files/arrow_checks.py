"""What pyarrow's reader reads otherwise than Python's, looked for in a file piece by piece.

The same as `arrow_rows` looks for in a whole file.
"""

from __future__ import annotations


class NeedsPython(Exception):
    """A file has rows that only Python's reader reads."""


class ArrowChecks:
    r"""Looks for empty lines, old line ends, and space before quotes.

    Parameters
    ----------
    delimiter : str
        What stands between values.

    Attributes
    ----------
    has_space : bool
        Whether space stands after a delimiter.

    Examples
    --------
    >>> checks = ArrowChecks(",")
    >>> checks.add(b"size, city\n1,", b"1,")
    >>> checks.has_space
    True
    >>> checks.add(b"Oslo\n\n2,Rome", b"Oslo\n\n2,Rome")
    Traceback (most recent call last):
    ...
    nonet.tables.csv_files.arrow_checks.NeedsPython
    """

    def __init__(self, delimiter: str) -> None:
        self.has_space = False
        self._space = delimiter.encode() + b" "
        self._starts = (self._space + b'"', b'\n "', b'  "')
        self._tail = self._line_ends = b""
        self._has_data = False

    def add(self, piece: bytes, data: bytes) -> None:
        """Look at the next piece, and at what of it are rows of data."""
        window = self._tail + piece
        self.has_space = self.has_space or self._space in window
        has_start = b' "' in window and any(start in window for start in self._starts)
        if has_start or _has_old_line_end(window):
            raise NeedsPython
        self._tail = window[-2:]
        self._look_for_empty_lines(data)

    def _look_for_empty_lines(self, data: bytes) -> None:
        window = self._line_ends + data
        end = len(window.rstrip())  # at the end of the file, empty lines matter to nobody
        ends = (b"\n\n", b"\n\r\n") if b"\r" in window else (b"\n\n",)
        if any(window.find(two, 0, end) >= 0 for two in ends):
            raise NeedsPython
        self._has_data = self._has_data or end > 0
        self._line_ends = window[end:]

    def finish(self) -> None:
        """Look at the end of the file."""
        if not self._has_data or self._tail.endswith(b"\r"):
            raise NeedsPython


def _has_old_line_end(window: bytes) -> bool:
    if b"\r" not in window:
        return False
    return window.count(b"\r") - window.endswith(b"\r") != window.count(b"\r\n")
