"""Resamples of rows: with or without replacement, from pools of rows or of groups.

Resample b is a pure function of (seed, b): it is the same in any batch, on any thread, and however
many resamples are drawn. `nonet._native.resample.draw_units` documents how words become draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.streams import root_seed
from nonet._native.resample import draw_units
from nonet._native.runtime import philox_words
from nonet.resampling.statistics.samples import Sample
from nonet.resampling.statistics.units import Units

Tables = tuple[tuple[Any, ...], Floats | None]
"""The tables of a resample, and the weights of their rows if they have any."""

# A stream of random words of its own for subsets of units.
_SUBSETS = 2


def seed_of(random_state: Any) -> int:
    """Turn a ``random_state`` into a seed of 64 bits."""
    words = np.random.SeedSequence(root_seed(random_state)).generate_state(1, np.uint64)
    return int(words[0])


def uniforms(seed: int, resample: int, pool: int, count: int) -> Floats:
    """Return uniform numbers in [0, 1), independent of the words that `draw_units` uses."""
    words = philox_words(seed, (resample, pool, 1), count)
    return (words >> np.uint64(11)) * 2.0**-53


class IndexDraws:
    """Resamples that consist of rows of the sample."""

    sample: Sample
    seed: int

    @property
    def sizes_of_pools(self) -> list[tuple[int, int]]:
        """For each pool, how many units a resample has, and how many the sample has."""
        raise NotImplementedError

    @property
    def row_weights(self) -> Floats | None:
        """How often each row is expected in a resample of full size; None means once."""
        return None

    @property
    def has_equal_lengths(self) -> bool:
        """Whether all resamples have as many rows: with groups they may not."""
        return True

    def units_of(self, resample: int) -> Units:
        """Return what a resample is made of: every drawn copy is a unit, in the pool it is from."""
        return _consecutive_units(self.sample, [len(own) for own in self.rows(resample)])

    @property
    def n_rows(self) -> int:
        """Rows in a resample, if all have as many."""
        raise NotImplementedError

    def rows(self, resample: int) -> tuple[Codes, ...]:
        """Return the rows of a resample, pool by pool, counted in their part."""
        raise NotImplementedError

    def batch(self, first: int, count: int) -> tuple[Codes, ...]:
        """Return the rows of several resamples, one (count, size) array per pool."""
        raise NotImplementedError

    def tables(self, resample: int) -> Tables:
        """Return the tables of a resample."""
        return self.sample.take(self.rows(resample)), None


@dataclass(frozen=True)
class RowDraws(IndexDraws):
    """Units drawn from each pool.

    Attributes
    ----------
    sample : Sample
        The data.
    units : Units
        What is drawn, and from which pools.
    sizes : tuple of int
        Draws from each pool.
    seed : int
        With the number of a resample, it determines the draws.
    probabilities : ndarray of shape (n_units,) or None
        How likely each unit is; None means equally.
    replace : bool, default=True
        Whether units are drawn with replacement.
    """

    sample: Sample
    units: Units
    sizes: tuple[int, ...]
    seed: int
    probabilities: Floats | None = None
    replace: bool = True

    @property
    def is_uniform(self) -> bool:
        """Whether units are equally likely and drawn with replacement, as native kernels do."""
        return self.probabilities is None and self.replace

    @property
    def is_plain(self) -> bool:
        """Whether units are rows of one pool."""
        return self.units.members is None and len(self.units.pools) == 1

    @property
    def has_equal_lengths(self) -> bool:
        """Whether units are rows: groups may differ in size."""
        return self.units.members is None

    @property
    def n_rows(self) -> int:
        """Rows in a resample."""
        return sum(self.sizes)

    @property
    def sizes_of_pools(self) -> list[tuple[int, int]]:
        """For each pool, how many units a resample has, and how many the sample has."""
        return [(size, len(own)) for size, own in zip(self.sizes, self.units.pools, strict=True)]

    @cached_property
    def unit_probabilities(self) -> list[Floats]:
        """For each pool, the probabilities of its units in one draw."""
        if self.probabilities is None:
            return [np.full(len(pool), 1 / len(pool)) for pool in self.units.pools]
        probabilities = [self.probabilities[pool] for pool in self.units.pools]
        return [own / own.sum() for own in probabilities]

    @cached_property
    def row_weights(self) -> Floats | None:
        """How often each row is expected in a resample of full size; None means once."""
        if self.probabilities is None:
            return None
        expected = np.empty(self.units.n_units)
        for pool, probabilities in zip(self.units.pools, self.unit_probabilities, strict=True):
            expected[pool] = len(pool) * probabilities
        return self.units.spread(expected)

    def units_of(self, resample: int) -> Units:
        """Return what a resample is made of: every drawn copy is a unit, in the pool it is from."""
        members = self.units.members
        if members is None:
            return _consecutive_units(self.sample, self.sizes)
        drawn = np.concatenate(self._units_of_pools(resample, 1), axis=1)[0]
        ends = np.cumsum([len(members[unit]) for unit in drawn])
        return replace(
            _consecutive_units(self.sample, self.sizes),
            n_rows=int(ends[-1]),
            members=tuple(np.split(np.arange(ends[-1]), ends[:-1])),
        )

    def rows(self, resample: int) -> tuple[Codes, ...]:
        """Return the rows of a resample, pool by pool, counted in their part."""
        return tuple(
            self.units.rows(units[0]) - offset
            for units, offset in zip(
                self._units_of_pools(resample, 1), self.units.offsets, strict=True
            )
        )

    def batch(self, first: int, count: int) -> tuple[Codes, ...]:
        """Return the rows of several resamples, one (count, size) array per pool."""
        return tuple(
            units - offset
            for units, offset in zip(
                self._units_of_pools(first, count), self.units.offsets, strict=True
            )
        )

    def _units_of_pools(self, first: int, count: int) -> list[Codes]:
        return [self._draw(number, first, count) for number in range(len(self.sizes))]

    def _draw(self, pool: int, first: int, count: int) -> Codes:
        units, size = self.units.pools[pool], self.sizes[pool]
        if not self.replace:
            subsets = [self._subset(first + b, pool, len(units), size) for b in range(count)]
            return units[np.stack(subsets)]
        if self.probabilities is None:
            positions = draw_units(len(units), size, count, seed=self.seed, pool=pool, first=first)
            return units[positions]
        levels = [uniforms(self.seed, first + b, pool, size) for b in range(count)]
        return units[np.searchsorted(self._levels[pool], np.stack(levels), side="right")]

    def _subset(self, resample: int, pool: int, n_units: int, size: int) -> Codes:
        """Return the positions of units drawn without replacement."""
        key = np.array([self.seed, resample], dtype=np.uint64)
        words = np.random.Philox(key=key, counter=[0, pool, _SUBSETS, 0])
        return np.random.Generator(words).choice(n_units, size, replace=False, shuffle=False)

    @cached_property
    def _levels(self) -> list[Floats]:
        assert self.probabilities is not None
        summed = [np.cumsum(self.probabilities[pool]) for pool in self.units.pools]
        # The last level is never drawn: rounding must not leave a gap above it.
        return [levels[:-1] / levels[-1] for levels in summed]


@dataclass(frozen=True)
class GivenDraws(IndexDraws):
    """Resamples whose rows are listed.

    Attributes
    ----------
    sample : Sample
        The data.
    indices : tuple of integer arrays of shape (n_resamples, size)
        The rows of each resample, one array for each sample.
    seed : int, default=0
        Of resamples of these resamples.
    """

    sample: Sample
    indices: tuple[Codes, ...]
    seed: int = 0

    @property
    def sizes_of_pools(self) -> list[tuple[int, int]]:
        """For each pool, how many units a resample has, and how many the sample has."""
        drawn = [array.shape[1] for array in self.indices]
        return list(zip(drawn, self.sample.sizes, strict=True))

    @property
    def n_rows(self) -> int:
        """Rows in a resample."""
        return sum(array.shape[1] for array in self.indices)

    def rows(self, resample: int) -> tuple[Codes, ...]:
        """Return the rows of a resample, pool by pool, counted in their part."""
        return tuple(array[resample] for array in self.indices)

    def batch(self, first: int, count: int) -> tuple[Codes, ...]:
        """Return the rows of several resamples, one (count, size) array per pool."""
        return tuple(array[first : first + count] for array in self.indices)


@dataclass(frozen=True)
class WeightDraws:
    """Resamples that weight all rows: the Bayesian bootstrap, whose weights are flat Dirichlet.

    Attributes
    ----------
    sample : Sample
        The data.
    seed : int
        With the number of a resample, it determines the weights.
    """

    sample: Sample
    seed: int

    def batch(self, first: int, count: int) -> Floats:
        """Return the weights of several resamples; those of a resample sum to the rows."""
        (n_rows,) = self.sample.sizes
        drawn = [uniforms(self.seed, number, 0, n_rows) for number in range(first, first + count)]
        gaps = -np.log1p(-np.stack(drawn))
        return np.asarray(n_rows * gaps / gaps.sum(axis=1, keepdims=True))

    def tables(self, resample: int) -> Tables:
        """Return the tables and the weights of a resample."""
        return self.sample.parts, self.batch(resample, 1)[0]


def _consecutive_units(sample: Sample, sizes: Sequence[int]) -> Units:
    """Return units that are numbered pool after pool."""
    starts = np.cumsum((0, *sizes))
    pools = tuple(np.arange(a, b) for a, b in pairwise(starts))
    offsets = (0,) * len(sizes) if sample.paired else tuple(starts[:-1].tolist())
    return Units(int(starts[-1]), pools, None, offsets)


def check_indices(indices: Any, sample: Sample) -> tuple[Codes, ...]:
    """Return given draws as one (n_resamples, size) array of row numbers for each sample."""
    arrays = tuple(map(np.asarray, indices if isinstance(indices, tuple) else (indices,)))
    if len(arrays) != len(sample.sizes):
        raise ValueError(
            f"indices must hold one array of draws for each of the {len(sample.sizes)} samples, "
            f"but holds {len(arrays)}."
        )
    for array, n_rows in zip(arrays, sample.sizes, strict=True):
        if array.ndim != 2 or array.dtype.kind not in "iu" or not array.size:
            raise ValueError(
                "indices must be whole numbers of shape (n_resamples, size), but have shape "
                f"{array.shape} and dtype {array.dtype}."
            )
        if array.min() < 0 or array.max() >= n_rows:
            raise ValueError(
                f"indices must lie between 0 and {n_rows - 1}, but reach from {array.min()} to "
                f"{array.max()}."
            )
    if len({len(array) for array in arrays}) > 1:
        raise ValueError("indices must hold as many resamples for every sample.")
    return arrays
