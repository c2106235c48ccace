"""The rows that bags are drawn from, and the plain draws that all rules are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.frames import find_missing
from nonet._base.streams import StreamUse, stream
from nonet._base.warn import warn_caller
from nonet._native.bags import Bags as CoreBags
from nonet._native.bags import Strata

_MOST_DRAWS = 2**31 - 1  # rows of a bag are numbered in 32 bits


@dataclass(frozen=True)
class Population:
    """What a draw rule may know of the training rows.

    Attributes
    ----------
    n_rows : int
    n_members : int
        How many bags there will be.
    max_samples : int, float or None
        The size of a bag as the user gave it: a number, a share, or None for all.
    replace : bool
        Whether a row may be drawn twice.
    seed : int
        The root of all random streams.
    chances : ndarray of shape (n_rows,) or None
        Weights of the rows that serve as their chances to be drawn; None if all are equal.
    classes : ndarray of int of shape (n_rows,) or None
        The class code of each row; None in regression.
    groups : ndarray of int of shape (n_rows,) or None
        The group code of each row.
    """

    n_rows: int
    n_members: int
    max_samples: int | float | None
    replace: bool
    seed: int
    chances: Floats | None = None
    classes: Codes | None = None
    groups: Codes | None = None

    def generator(self, member: int) -> np.random.Generator:
        """Return the stream of one member's rows: a function of the seed and the member alone."""
        return stream(self.seed, member, StreamUse.BAG_ROWS)

    def column_generator(self, member: int) -> np.random.Generator:
        """Return the stream of one member's columns."""
        return stream(self.seed, member, StreamUse.BAG_COLUMNS)

    def parting_generator(self, parting: int) -> np.random.Generator:
        """Return the stream that several members share when they part the rows among them."""
        return stream(self.seed, parting, StreamUse.PARTINGS)

    def bag_size(self, n_units: int | None = None) -> int:
        """Return how many units (rows, unless told otherwise) a bag holds."""
        units = self.n_rows if n_units is None else n_units
        size = self._asked_size(units)
        if size > _MOST_DRAWS:
            raise ValueError(
                f"parameter 'max_samples' asks for {size:.3g} draws in a bag, but at most "
                f"{_MOST_DRAWS} are possible; lower it."
            )
        if not self.replace and size > units:
            raise ValueError(
                f"parameter 'max_samples' asks for {size} draws without replacement, but there "
                f"are {units} to draw from; lower it, or draw with bootstrap=True."
            )
        return size

    def core_bags(self, rule: str, n_draws: int, **settings: Any) -> CoreBags:
        """Return bags for the core to draw by one of its rules; weights of rows are chances."""
        chances = _running_sums(self.chances, settings.get("strata"))
        return CoreBags(self.n_rows, n_draws, self.seed, rule, chances=chances, **settings)

    def warn_of_small_bags(self) -> None:
        """Warn if a share of weights that do not count rows makes bags of next to nothing."""
        if self.chances is None or not isinstance(self.max_samples, float | np.floating):
            return
        total, size = float(self.chances.sum()), self.bag_size()
        if total < self.n_rows and size < min(10, self.n_rows):
            warn_caller(
                f"max_samples={self.max_samples!r} is a share of the total weight, which is "
                f"{total:g} for {self.n_rows} rows, so that a bag has size {size}; give a whole "
                "number of rows, or weights that count them.",
            )

    def _asked_size(self, n_units: int) -> int:
        if self.max_samples is None:
            return n_units
        if not isinstance(self.max_samples, float | np.floating):
            return int(self.max_samples)
        # With weights that mean repetition, a share is one of the repeated rows.
        total = n_units if self.chances is None else self.chances.sum()
        return max(1, int(self.max_samples * total))


def _running_sums(chances: Floats | None, strata: Strata | None) -> NDArray[np.float64]:
    if chances is None:
        return np.empty(0)
    if strata is None:
        return np.cumsum(chances, dtype=np.float64)
    # From 0 in each stratum: the weights of a light one would be lost beside those of others.
    parts = np.split(chances[strata.rows], strata.ends[:-1])
    return np.concatenate([np.cumsum(part, dtype=np.float64) for part in parts])


def number_distinct(values: Array) -> Codes:
    """Give the distinct labels, or rows of labels, a number each."""
    if values.ndim == 1:
        return np.unique(values, return_inverse=True)[1]
    # Column by column first: objects such as strings have no order by rows.
    codes = np.column_stack([number_distinct(column) for column in values.T])
    return np.unique(codes, axis=0, return_inverse=True)[1].ravel()


def number_groups(groups: Any, n_rows: int) -> Codes:
    """Check that every row has a group, and give the groups a number each."""
    labels = np.asarray(groups)
    if labels.shape != (n_rows,):
        raise ValueError(
            f"groups must hold one group for each of the {n_rows} rows, but has shape "
            f"{labels.shape}."
        )
    without = np.flatnonzero(find_missing(labels))
    if without.size:
        raise ValueError(f"groups must name a group for every row, but row {without[0]} has none.")
    return number_distinct(labels)


def pick(
    random: np.random.Generator,
    n_units: int,
    size: int,
    replace: bool,
    chances: Floats | None = None,
) -> Array:
    """Draw ``size`` of the numbers 0..n_units-1; all of them, if none may repeat, in order."""
    if not replace and size == n_units:
        return np.arange(n_units)
    if chances is None and replace:
        return random.integers(n_units, size=size)
    shares = None if chances is None else chances / chances.sum()
    return random.choice(n_units, size, replace=replace, p=shares)
