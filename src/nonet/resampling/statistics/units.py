"""Units that are drawn or left out together: single rows or groups of rows, within pools.

A pool is a sample or a stratum: its units are drawn among themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.frames import find_missing
from nonet.resampling.statistics.samples import Sample


@dataclass(frozen=True)
class Units:
    """Units in pools; rows are numbered through all parts of an unpaired sample.

    Attributes
    ----------
    n_rows : int
        Rows in all pools.
    pools : tuple of integer arrays
        The units of each pool.
    members : tuple of integer arrays, or None
        The rows of each unit; None if every row is a unit.
    offsets : tuple of int
        What to subtract from a row number to get its position in the part of its pool.
    """

    n_rows: int
    pools: tuple[Codes, ...]
    members: tuple[Codes, ...] | None
    offsets: tuple[int, ...]

    @property
    def n_units(self) -> int:
        """Number of units in all pools."""
        return sum(len(pool) for pool in self.pools)

    def rows(self, units: Codes) -> Codes:
        """Return the rows of the units, in their order."""
        if self.members is None:
            return units
        return np.concatenate([self.members[unit] for unit in units])

    def add_up(self, values: Floats) -> Floats:
        """Sum what belongs to rows, (n_rows, ...), over each unit."""
        if self.members is None:
            return values
        return np.stack([values[rows].sum(axis=0) for rows in self.members])

    def spread(self, values: Floats) -> Floats:
        """Return for each row the value of its unit."""
        if self.members is None:
            return values
        spread = np.empty(self.n_rows)
        for value, rows in zip(values, self.members, strict=True):
            spread[rows] = value
        return spread

    def rows_without(self, left_out: Codes) -> tuple[Codes, ...]:
        """Return, pool by pool, the rows of all units but those left out, counted in their part."""
        kept = [pool[~np.isin(pool, left_out)] for pool in self.pools]
        return tuple(
            self.rows(pool) - offset for pool, offset in zip(kept, self.offsets, strict=True)
        )


def make_units(
    sample: Sample, *, groups: ArrayLike | None = None, strata: ArrayLike | None = None
) -> Units:
    """Return the units (groups) and the pools they are drawn from (strata, unpaired parts)."""
    if not sample.paired:
        return _unpaired_units(sample, groups, strata)
    (n_rows,) = sample.sizes
    members = None if groups is None else _rows_by_label(groups, n_rows, "groups")
    if members is not None and len(members) < 2:
        raise ValueError("groups must name at least 2 groups, but all rows are in one.")
    n_units = n_rows if members is None else len(members)
    pools: tuple[Codes, ...] = (np.arange(n_units),)
    if strata is not None:
        pools = _pools_of_strata(strata, n_rows, members)
    return Units(n_rows, pools, members, (0,) * len(pools))


def _unpaired_units(sample: Sample, groups: Any, strata: Any) -> Units:
    if groups is not None or strata is not None:
        raise ValueError(
            "groups and strata label the rows of one sample: with paired=False the parts are "
            "samples of their own, so leave them out."
        )
    starts = np.cumsum((0, *sample.sizes))
    pools = tuple(np.arange(a, b) for a, b in pairwise(starts))
    return Units(int(starts[-1]), pools, None, tuple(starts[:-1].tolist()))


def _rows_by_label(labels: ArrayLike, n_rows: int, what: str) -> tuple[Codes, ...]:
    array = np.asarray(labels)
    if array.shape != (n_rows,):
        raise ValueError(
            f"{what} must hold one label for each of the {n_rows} rows, but has shape "
            f"{array.shape}."
        )
    missing = np.flatnonzero(find_missing(array))
    if missing.size:  # they would all be one group, which no one meant
        raise ValueError(
            f"{what} must hold a label for each row, but that of row {missing[0]} is missing; give "
            "such rows a label of their own, or drop them."
        )
    codes = np.unique(array, return_inverse=True)[1]
    order = np.argsort(codes, kind="stable")
    return tuple(np.split(order, np.cumsum(np.bincount(codes))[:-1]))


def _pools_of_strata(
    strata: ArrayLike, n_rows: int, members: Sequence[Codes] | None
) -> tuple[Codes, ...]:
    rows_of_strata = _rows_by_label(strata, n_rows, "strata")
    lone = [rows for rows in rows_of_strata if len(rows) < 2]
    if lone:
        raise ValueError(
            f"every stratum needs at least 2 rows, but that of row {lone[0][0]} has one; "
            "merge it with another."
        )
    if members is None:
        return rows_of_strata
    stratum = np.empty(n_rows, dtype=np.intp)
    for code, rows in enumerate(rows_of_strata):
        stratum[rows] = code
    return _pools_of_groups(stratum, members)


def _pools_of_groups(stratum: Array, members: Sequence[Codes]) -> tuple[Codes, ...]:
    for group, rows in enumerate(members):
        if np.ptp(stratum[rows]):
            raise ValueError(
                f"each group must lie in one stratum, but group {group} (in sorted order) does not."
            )
    of_group = np.array([stratum[rows[0]] for rows in members])
    return tuple(np.flatnonzero(of_group == code) for code in range(of_group.max() + 1))
