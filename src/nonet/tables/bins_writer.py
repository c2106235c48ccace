"""The second pass of a bins file: blocks of rows, written where they belong and logged.

The file has a temporary name until it is complete. A block counts as written once its checksum is
in the file, which happens after its bytes were forced to the disk: a writer that was killed goes on
after the last one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.atomic_file import keep_the_rename
from nonet._native.data import BinnedDataset
from nonet.trees.binned_table import checksum
from nonet.trees.bins_header import ROWS_PER_BLOCK, BinsHeader, DamagedHeader

_BLOCKS_PER_SYNC = 16
_COPIED_AT_ONCE = 1 << 24


def part_of(path: Path) -> Path:
    """Return the name of a file that is not complete.

    Examples
    --------
    >>> part_of(Path("folder/rows.bins")).name
    '.rows.bins.part'
    """
    return path.with_name(f".{path.name}.part")


def read_part(path: Path) -> BinsHeader | None:
    """Return the header of a file that was begun; None if there is none that can be read."""
    with suppress(OSError, DamagedHeader), part_of(path).open("rb") as file:
        n_bytes = os.fstat(file.fileno()).st_size
        return BinsHeader.from_bytes(memoryview(file.read(1 << 28)), n_bytes)
    return None


class BinsWriter:
    """Writes the rows of a bins file.

    Parameters
    ----------
    path : Path
        The complete file.
    header : BinsHeader
        What it holds.
    goes_on : bool
        Whether a file that was begun with the same header is continued.
    """

    def __init__(self, path: Path, header: BinsHeader, *, goes_on: bool) -> None:
        self._path, self._header = path, header
        self._part = part_of(path)
        flags = os.O_RDWR | os.O_CREAT | (0 if goes_on else os.O_TRUNC)
        self._file = os.open(self._part, flags, 0o666)
        self._lock()
        self._done: list[int] = []
        self._waiting: list[tuple[int, int]] = []
        if goes_on:
            self._done = list(self._complete_blocks())
        else:
            self._write(0, header.to_bytes())
            os.ftruncate(self._file, header.n_bytes)
            os.fsync(self._file)
        self.n_rows_done = min(len(self._done) * ROWS_PER_BLOCK, header.n_rows)

    def _lock(self) -> None:
        with suppress(ImportError):  # not on Windows
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as why:
                os.close(self._file)
                raise ValueError(
                    f"{self._path.name} is being written by another process; wait for it, or "
                    "choose another path."
                ) from why

    def _complete_blocks(self) -> Iterator[int]:
        begin, size = self._header.sections["checksums"]
        stored = np.frombuffer(os.pread(self._file, size, begin), "<u8")
        for one in stored.tolist():
            if one == 0:
                return
            yield one

    def write_rows(self, rows: range, dataset: BinnedDataset, y: Any, weights: Any) -> None:
        """Write rows up to the end of a block, or of the file."""
        pieces = list(self._pieces(rows, dataset, y, weights))
        for position, piece in pieces:
            self._write(position, piece)
        block = rows.start // ROWS_PER_BLOCK
        whole = self._header.rows_of(block)
        is_whole = rows == whole
        crc = checksum(p for _, p in pieces) if is_whole else checksum(self._read(whole))
        self._waiting.append((block, crc))
        if len(self._waiting) >= _BLOCKS_PER_SYNC:
            self._log()

    def _read(self, rows: range) -> Iterator[Array]:
        """Yield the bytes of rows that are in the file, in the order of checksums."""
        for position, n_bytes in self._header.positions_of(rows):
            yield np.frombuffer(os.pread(self._file, n_bytes, position), np.uint8)

    def copy_rows(self, other: Path, header: BinsHeader) -> None:
        """Copy all rows of a complete file, which are the first rows of this one."""
        rows = range(header.n_rows)
        with other.open("rb") as file:
            positions = zip(header.positions_of(rows), self._header.positions_of(rows), strict=True)
            for (from_, n_bytes), (to, _) in positions:
                for first in range(0, n_bytes, _COPIED_AT_ONCE):
                    n = min(_COPIED_AT_ONCE, n_bytes - first)
                    self._write(to + first, os.pread(file.fileno(), n, from_ + first))
        for block in range(header.n_rows // ROWS_PER_BLOCK):
            self._waiting.append((block, checksum(self._read(header.rows_of(block)))))
        self.n_rows_done = header.n_rows

    def _pieces(
        self, rows: range, dataset: BinnedDataset, y: Floats | None, weights: Floats | None
    ) -> Iterator[tuple[int, Array]]:
        """Return the bytes of rows, in the order of checksums, and where they go."""
        pieces = [*dataset.column_bytes().reshape(self._header.n_columns, -1), dataset.row_bytes()]
        for numbers in (y, weights):
            some = np.empty(0) if numbers is None else numbers
            pieces.append(np.ascontiguousarray(some, "<f8").view(np.uint8))
        positions = self._header.positions_of(rows)
        return ((at, piece) for (at, _), piece in zip(positions, pieces, strict=True))

    def _write(self, position: int, content: Any) -> None:
        view = memoryview(content).cast("B")
        while len(view):
            n_written = os.pwrite(self._file, view, position)
            view, position = view[n_written:], position + n_written

    def _log(self) -> None:
        _sync(self._file)
        begin = self._header.sections["checksums"][0]
        for block, crc in self._waiting:
            self._write(begin + 8 * block, np.array([crc], "<u8").tobytes())
        self._waiting = []

    def finish(self) -> None:
        """Force the file to the disk, and give it its name."""
        self._log()
        os.fsync(self._file)
        os.replace(self._part, self._path)
        keep_the_rename(str(self._path.parent))

    def close(self) -> None:
        """Close the file; what is not complete stays for another time."""
        os.close(self._file)


def _sync(file: int) -> None:
    if hasattr(os, "fdatasync"):
        os.fdatasync(file)
    else:
        os.fsync(file)


class BlockBuffer:
    """Collects rows until a block of the file is complete.

    Parameters
    ----------
    n_columns : int
        Number of columns.
    write : callable
        Takes a range of rows within a block, their table, targets and weights.
    first_row : int
        The first row that comes.
    """

    def __init__(
        self, n_columns: int, write: Callable[[range, Floats, Any, Any], None], first_row: int
    ) -> None:
        self._table = np.empty((ROWS_PER_BLOCK, n_columns), order="F")
        self._y, self._weights = np.empty(ROWS_PER_BLOCK), np.empty(ROWS_PER_BLOCK)
        self._write = write
        self._has = [False, False]
        self._n_written = self.n_rows = first_row

    def add(self, table: Floats, y: Floats | None, weights: Floats | None) -> None:
        """Add rows, which follow those before."""
        self._has = [y is not None, weights is not None]
        first = 0
        while first < len(table):
            begin = self.n_rows % ROWS_PER_BLOCK
            n = min(len(table) - first, ROWS_PER_BLOCK - begin)
            some, here = slice(first, first + n), slice(begin, begin + n)
            self._table[here] = table[some]
            if y is not None:
                self._y[here] = y[some]
            if weights is not None:
                self._weights[here] = weights[some]
            self.n_rows += n
            first += n
            if begin + n == ROWS_PER_BLOCK:
                self.flush()

    def flush(self) -> None:
        """Write what has not been written yet."""
        rows = range(self._n_written, self.n_rows)
        if not rows:
            return
        first = rows.start % ROWS_PER_BLOCK
        here = slice(first, first + len(rows))
        y, weights = (
            numbers[here] if has else None
            for numbers, has in zip((self._y, self._weights), self._has, strict=True)
        )
        self._write(rows, self._table[here], y, weights)
        self._n_written = rows.stop
