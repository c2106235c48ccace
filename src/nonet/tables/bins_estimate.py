"""What the making of a bins file will take, from its first rows."""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from nonet._base.results import Result
from nonet._native.data import BinnedDataset
from nonet.tables.bins_writer import part_of
from nonet.tables.row_sources import RowBlock, RowSource
from nonet.trees.bins_header import ROWS_PER_BLOCK

_RESIDENT_PER_ROW = 48  # of a fit of boosting with one score


@dataclass(frozen=True)
class BinsEstimate(Result):
    """What the making of a bins file is expected to take, from the first block of rows.

    Attributes
    ----------
    n_rows : int
        Number of rows; of text files without an index, as their sizes suggest.
    n_columns : int
        Number of columns.
    seconds : float
        Time of both passes.
    memory_bytes : int
        Memory of both passes, whatever the number of rows.
    disk_bytes : int
        Size of the file.
    fit_memory_bytes : int
        What a fit of boosting with one score keeps in memory, 48 bytes per row.
    """

    n_rows: int
    n_columns: int
    seconds: float
    memory_bytes: int
    disk_bytes: int
    fit_memory_bytes: int
    _shown: ClassVar[tuple[str, ...]] = (
        "n_rows",
        "n_columns",
        "seconds",
        "memory_bytes",
        "disk_bytes",
        "fit_memory_bytes",
    )

    def sentence(self, name: str) -> str:
        """Return the estimate in words."""
        return (
            f"[nonet] make_bins: {name} will hold about {self.n_rows:,} rows of {self.n_columns} "
            f"columns; about {self.seconds:.0f} s, {self.memory_bytes / 1e6:.0f} MB of memory and "
            f"{self.disk_bytes / 1e6:.0f} MB of disk; a fit of boosting keeps "
            f"{self.fit_memory_bytes / 1e6:.0f} MB in memory"
        )


def estimate_work(rows: RowSource) -> BinsEstimate:
    """Time the first block of rows, and conclude from it on all."""
    began = time.perf_counter()
    block = next((one for one in rows.read() if one.n_rows), None)
    if block is None:
        raise ValueError("source has no rows, but bins need at least one.")
    seconds_read = time.perf_counter() - began
    n_columns = block.X.shape[1]
    n_rows = rows.n_rows or _rows_by_size(rows, block)
    began = time.perf_counter()
    encoded = np.zeros((block.n_rows, n_columns), order="F")
    BinnedDataset(encoded).row_bytes()
    seconds_binned = time.perf_counter() - began
    n_blocks = n_rows / block.n_rows
    per_row = n_columns + 8 * -(-n_columns // 8)
    per_row += 8 * sum(one is not None for one in (block.y, block.weights))
    return BinsEstimate(
        n_rows=n_rows,
        n_columns=n_columns,
        seconds=2 * n_blocks * seconds_read + 4 * n_blocks * seconds_binned,
        # The sample and its sorted copy, a block as read and as binned, and what is not flushed.
        memory_bytes=8 * n_columns * (3 * min(n_rows, 250_000) + 6 * ROWS_PER_BLOCK) + (1 << 26),
        disk_bytes=n_rows * per_row,
        fit_memory_bytes=_RESIDENT_PER_ROW * n_rows,
    )


def _rows_by_size(rows: RowSource, block: RowBlock) -> int:
    """Guess the number of rows of files from the size of the first rows, at 8 bytes per value."""
    if rows.n_bytes is None:
        return block.n_rows
    n_rows = rows.n_bytes // (8 * int(block.X.shape[1]))
    return max(block.n_rows, n_rows)


def announce(estimate: BinsEstimate, path: Path, level: int) -> None:
    """Print the estimate, unless the level is 0; raise if the disk has no room for the file."""
    free = shutil.disk_usage(path.resolve().parent).free
    if part_of(path).exists():
        free += part_of(path).stat().st_blocks * 512
    if estimate.disk_bytes > free:
        raise ValueError(
            f"{path.name} needs about {estimate.disk_bytes / 1e9:.1f} GB of disk, but "
            f"{free / 1e9:.1f} GB are free; choose a path on another disk."
        )
    if level:
        print(estimate.sentence(path.name), file=sys.stderr, flush=True)
