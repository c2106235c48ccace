"""The data of a resampling: rows are observations, in one table or in several.

A tuple holds several tables. Paired tables have the same rows and are drawn together; unpaired
ones are samples of their own, drawn apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.errors import show
from nonet._base.frames import count_rows, take_rows


@dataclass(frozen=True)
class Sample:
    """Tables whose rows are observations."""

    parts: tuple[Any, ...]
    paired: bool

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of rows of each sample: one if paired, else one for each part."""
        parts = self.parts[:1] if self.paired else self.parts
        return tuple(_count_rows(part) for part in parts)

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The parts as arrays of numbers."""
        return tuple(as_numbers(part) for part in self.parts)

    def take(self, rows: Sequence[Codes]) -> tuple[Any, ...]:
        """Return the named rows, one array of row numbers for each pool."""
        if self.paired:
            together = rows[0] if len(rows) == 1 else np.concatenate(rows)
            return tuple(_take(part, together) for part in self.parts)
        return tuple(_take(part, own) for part, own in zip(self.parts, rows, strict=True))


def _take(part: Any, rows: Codes) -> Any:
    """Take rows; arrays have a fast path without the type checks of the general one."""
    return part[rows] if isinstance(part, np.ndarray) else take_rows(part, rows)


def as_sample(data: Any, *, paired: bool = True) -> Sample:
    """Check the data and return them as a sample."""
    sample = gather(data, paired=paired)
    refuse_missing(sample)
    return sample


def gather(data: Any, *, paired: bool = True) -> Sample:
    """Return the data as a sample whose numbers of rows are right; numbers may be missing."""
    parts = tuple(_as_table(part) for part in (data if isinstance(data, tuple) else (data,)))
    if not parts:
        raise ValueError("data is an empty tuple; give at least one table of observations.")
    counts = [_count_enough_rows(part, position) for position, part in enumerate(parts)]
    sample = Sample(parts, paired or len(parts) == 1)
    if sample.paired and len(set(counts)) > 1:
        raise ValueError(
            f"paired data must have as many rows in every part, but the parts have {counts} rows; "
            "paired=False takes them as samples of their own."
        )
    return sample


def _as_table(part: Any) -> Any:
    """Keep data frames and arrays as they are; lists and series become arrays."""
    if type(part) is np.ndarray:
        return part
    is_frame = hasattr(part, "columns") and hasattr(part, "shape")
    if is_frame:
        return part
    try:
        return np.asarray(part)
    except ValueError as why:  # rows of several lengths
        raise ValueError(
            f"data must be a table with rows of one length, but got {show(part)}; several samples "
            "are a tuple of arrays."
        ) from why


def _count_enough_rows(part: Any, position: int) -> int:
    rows = _count_rows(part)
    if rows < 2:
        raise ValueError(
            f"part {position} of data must have at least 2 rows to be resampled, but has {rows}."
        )
    return rows


def _count_rows(part: Any) -> int:
    if not isinstance(part, np.ndarray):
        return count_rows(part)
    return len(part) if part.ndim else 0


def refuse_missing(sample: Sample) -> None:
    """Raise if an array of the sample holds NaN."""
    for position, part in enumerate(sample.parts):
        if isinstance(part, np.ndarray) and part.dtype.kind == "f" and not has_finite_sum(part):
            _refuse_missing(part, position)


def has_finite_sum(array: Floats) -> bool:
    """Return whether the sum is finite: then all numbers are, and no mask is needed."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(array.sum()))


def _refuse_missing(part: Array, position: int) -> None:
    if np.isnan(part).any():
        row = int(np.argwhere(np.isnan(part))[0][0])
        raise ValueError(
            f"part {position} of data holds NaN at row {row}; drop or impute such rows first."
        )


def as_numbers(part: Any) -> Array:
    """Return a table as an array of real numbers."""
    array = np.asarray(part)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"this statistic needs a table of real numbers, but got dtype {array.dtype}; "
            "leave the other columns out."
        )
    return array
