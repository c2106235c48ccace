"""The data and draws of a bootstrap, to jackknife it for BCa or to resample a resample."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet.resampling.bootstrap.draws import IndexDraws, RowDraws
from nonet.resampling.bootstrap.intervals import acceleration
from nonet.resampling.bootstrap.jackknife import leave_each_out
from nonet.resampling.bootstrap.measures import Measure, measure
from nonet.resampling.statistics.samples import Sample
from nonet.resampling.statistics.units import Units, make_units


@dataclass(frozen=True)
class Task:
    """Sample, statistic and draws.

    Attributes
    ----------
    sample : Sample
        The data.
    statistic : str or callable
        As it was given.
    draws : object
        The resamples: ``draws.tables(b)`` are the tables of resample b.
    is_resample : bool, default=False
        Whether the sample is a resample itself, which may lack a standard error (NaN).
    """

    sample: Sample
    statistic: Any
    draws: Any
    is_resample: bool = False

    @cached_property
    def measured(self) -> Measure:
        """The statistic on the sample, whose rows weigh as they are drawn."""
        return measure(self.statistic, self.sample, getattr(self.draws, "row_weights", None))

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: getattr(self, name) for name in ("sample", "statistic", "draws", "is_resample")
        }

    def acceleration(self, component: tuple[int, ...]) -> float:
        """Return the acceleration of BCa for a component of the statistic."""
        if not isinstance(self.draws, IndexDraws) or any(m != n for m, n in self._sizes):
            raise ValueError(
                "the BCa interval is made for resamples of rows, as many as the sample has: use "
                "the percentile, basic or normal interval here."
            )
        derivatives = [own[:, component[0]] if component else own for own in self._derivatives]
        return acceleration(derivatives, self._probabilities, [n for _, n in self._sizes])

    @property
    def sample_error(self) -> Floats:
        """The standard error of the estimate by the jackknife, with n - 1 for n in each pool."""
        variance = np.zeros_like(self.measured.estimate)
        pools = zip(self._derivatives, self._probabilities, self._sizes, strict=True)
        for own, probabilities, (_, n) in pools:
            mean = np.tensordot(probabilities, own, 1)
            variance = variance + n * n / (n - 1) * np.tensordot(
                probabilities, (own - mean) ** 2, 1
            )
        return np.asarray(np.sqrt(variance))

    @cached_property
    def _derivatives(self) -> list[Floats]:
        """For each pool, what one more copy of a unit adds to the statistic."""
        jackknifed = leave_each_out(self.measured, self._units, check=not self.is_resample)
        expected = np.concatenate(
            [n * own for own, (_, n) in zip(self._probabilities, self._sizes, strict=True)]
        )
        mass_of_copy = 1 / (jackknifed.fractions * expected)
        influence = jackknifed.influence
        shaped = mass_of_copy if influence.ndim == 1 else mass_of_copy[:, None]
        return np.split(influence * shaped, np.cumsum(jackknifed.pools)[:-1])

    @cached_property
    def _units(self) -> Units:
        """The units that can be drawn."""
        if not isinstance(self.draws, RowDraws):
            return make_units(self.sample)
        units = self.draws.units
        probabilities = self.draws.unit_probabilities
        pools = [pool[own > 0] for pool, own in zip(units.pools, probabilities, strict=True)]
        return replace(units, pools=tuple(pools))

    @cached_property
    def _probabilities(self) -> list[Floats]:
        """For each pool, the probabilities of the units that can be drawn."""
        if isinstance(self.draws, RowDraws):
            return [own[own > 0] for own in self.draws.unit_probabilities]
        return [np.full(n, 1 / n) for n in self.sample.sizes]

    @property
    def _sizes(self) -> list[tuple[int, int]]:
        sizes: list[tuple[int, int]] = self.draws.sizes_of_pools
        return sizes

    def jackknife_error(self, resample: int) -> Floats:
        """Return the standard error of the statistic in a resample, by leaving units out."""
        sub = self._task_of(resample)
        if not sub.draws.has_equal_lengths:
            return sub.sample_error
        # Equal rows need no derivatives, which take longer.
        partials = np.split(
            sub.measured.without_each(sub.draws.units), np.cumsum(sub.draws.sizes)[:-1]
        )
        variances = [(len(own) - 1) * own.var(axis=0) for own in partials]
        return np.asarray(np.sqrt(np.sum(variances, axis=0)))

    def nested_error(self, resample: int, n_nested: int) -> Floats:
        """Return the standard error of the statistic in a resample, by resampling it again."""
        sub = self._task_of(resample)
        nested = sub.measured.resample(sub.draws, 0, n_nested)
        nested = nested[np.isfinite(nested).reshape(n_nested, -1).all(axis=1)]
        if len(nested) < 2:
            return np.full(self.measured.estimate.shape, np.nan)
        return np.asarray(nested.std(axis=0, ddof=1))

    def _task_of(self, resample: int) -> Task:
        """Return the same task for a resample, whose units are the drawn copies."""
        if not isinstance(self.draws, IndexDraws):
            raise ValueError(
                "standard errors of resamples by 'jackknife' or 'nested' need resamples of rows or "
                "groups, not those of a scheme: give a callable standard_error instead."
            )
        if min(m for m, _ in self._sizes) < 2:
            raise ValueError(
                "standard errors of resamples by 'jackknife' or 'nested' need at least 2 rows (or "
                "groups) from every sample or stratum: merge strata, or give a callable "
                "standard_error instead."
            )
        sample = Sample(self.draws.tables(resample)[0], self.sample.paired)
        sizes = tuple(m for m, _ in self._sizes)
        # The resample's own number is part of its seed: no two resamples share their draws.
        seed = (self.draws.seed + 0x9E3779B97F4A7C15 * (resample + 1)) % 2**64
        draws = RowDraws(sample, self.draws.units_of(resample), sizes, seed)
        return Task(sample, self.statistic, draws, is_resample=True)
