"""The rows that bags are drawn from, and the basic random samples that all draw rules use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.frames import find_missing
from nonet._base.streams import StreamUse, stream
from nonet._base.warn import warn_caller
from nonet._native.bags import ForestBags, Strata

_MAX_DRAWS = 2**31 - 1  # rows of a bag have 32-bit indices


@dataclass(frozen=True)
class Population:
    """The properties of the training rows that a draw rule can use.

    Attributes
    ----------
    n_rows : int
    n_members : int
        Number of bags.
    max_samples : int, float or None
        The size of a bag as the user gave it: a number, a fraction, or None for all.
    replace : bool
        Whether a row may be drawn twice.
    seed : int
        The root of all random streams.
    probabilities : ndarray of shape (n_rows,) or None
        Weights of the rows that serve as probabilities; None if all are equal.
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
    probabilities: Floats | None = None
    classes: Codes | None = None
    groups: Codes | None = None

    def generator(self, member: int) -> np.random.Generator:
        """Return the stream of one member's rows: a function of the seed and the member alone."""
        return stream(self.seed, member, StreamUse.BAG_ROWS)

    def column_generator(self, member: int) -> np.random.Generator:
        """Return the stream of one member's columns."""
        return stream(self.seed, member, StreamUse.BAG_COLUMNS)

    def partition_generator(self, partition: int) -> np.random.Generator:
        """Return the random stream of a partition, which several members share."""
        return stream(self.seed, partition, StreamUse.PARTITIONS)

    def bag_size(self, n_units: int | None = None) -> int:
        """Return the number of units (rows by default) in a bag."""
        units = self.n_rows if n_units is None else n_units
        size = self._requested_size(units)
        if size > _MAX_DRAWS:
            raise ValueError(
                f"parameter 'max_samples' means {size:.3g} draws in a bag, but at most "
                f"{_MAX_DRAWS} are possible; lower it."
            )
        if not self.replace and size > units:
            raise ValueError(
                f"parameter 'max_samples' means {size} draws without replacement, but there "
                f"are {units} to draw from; lower it, or draw with bootstrap=True."
            )
        return size

    def core_bags(self, rule: str, n_draws: int, **settings: Any) -> ForestBags:
        """Return bags for the core to draw by one of its rules, with weights as probabilities."""
        probabilities = _running_sums(self.probabilities, settings.get("strata"))
        return ForestBags(
            self.n_rows, n_draws, self.seed, rule, probabilities=probabilities, **settings
        )

    def warn_of_small_bags(self) -> None:
        """Warn if a fraction of weights that are no row counts gives very small bags."""
        if self.probabilities is None or not isinstance(self.max_samples, float | np.floating):
            return
        total, size = float(self.probabilities.sum()), self.bag_size()
        if total < self.n_rows and size < min(10, self.n_rows):
            warn_caller(
                f"max_samples={self.max_samples!r} is a fraction of the total weight, which is "
                f"{total:g} for {self.n_rows} rows, so that a bag has size {size}; give a whole "
                "number of rows, or weights that count them.",
            )

    def _requested_size(self, n_units: int) -> int:
        if self.max_samples is None:
            return n_units
        if not isinstance(self.max_samples, float | np.floating):
            return int(self.max_samples)
        # Weights count repeated rows, so the fraction is one of the repeated rows.
        total = n_units if self.probabilities is None else self.probabilities.sum()
        return max(1, int(self.max_samples * total))


def _running_sums(probabilities: Floats | None, strata: Strata | None) -> NDArray[np.float64]:
    if probabilities is None:
        return np.empty(0)
    if strata is None:
        return np.cumsum(probabilities, dtype=np.float64)
    # The sums start at 0 in each stratum: one sum would round the weights of light strata away.
    parts = np.split(probabilities[strata.rows], strata.ends[:-1])
    return np.concatenate([np.cumsum(part, dtype=np.float64) for part in parts])


def number_distinct(values: Array) -> Codes:
    """Return an integer code for each distinct label, or row of labels."""
    if values.ndim == 1:
        return np.unique(values, return_inverse=True)[1]
    # Code each column first: objects such as strings cannot be sorted by rows.
    codes = np.column_stack([number_distinct(column) for column in values.T])
    return np.unique(codes, axis=0, return_inverse=True)[1].ravel()


def number_groups(groups: Any, n_rows: int) -> Codes:
    """Check that every row has a group, and return an integer code for each group."""
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
    probabilities: Floats | None = None,
) -> Array:
    """Draw ``size`` integers below n_units; all of them in order, if none may repeat."""
    if not replace and size == n_units:
        return np.arange(n_units)
    if probabilities is None and replace:
        return random.integers(n_units, size=size)
    normalized = None if probabilities is None else probabilities / probabilities.sum()
    return random.choice(n_units, size, replace=replace, p=normalized)
