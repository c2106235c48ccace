"""What was resampled and how: enough to jackknife it, for BCa, or to resample a resample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet.resampling.draws import IndexDraws, RowDraws
from nonet.resampling.jackknife import leave_each_out
from nonet.resampling.jackknife_result import JackknifeResult
from nonet.resampling.measures import Measure, measure
from nonet.resampling.samples import Sample
from nonet.resampling.units import make_units


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
    """

    sample: Sample
    statistic: Any
    draws: Any

    @cached_property
    def measured(self) -> Measure:
        """The statistic on the sample."""
        return measure(self.statistic, self.sample)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("sample", "statistic", "draws")}

    @cached_property
    def jackknifed(self) -> JackknifeResult:
        """The jackknife of the same units in the same pools, for the acceleration of BCa."""
        if not (isinstance(self.draws, IndexDraws) and self.draws.is_full_size):
            raise ValueError(
                "the BCa interval is made for resamples of equally likely rows, as many as the "
                "sample has: use the percentile, basic or normal interval here."
            )
        units = self.draws.units if isinstance(self.draws, RowDraws) else make_units(self.sample)
        return leave_each_out(self.measured, units)

    def jackknife_error(self, resample: int) -> Floats:
        """Return the standard error of the statistic in a resample, by leaving rows out."""
        sub = self._sub_sample(resample)
        partials = sub.measured.without_each(make_units(sub.sample))
        return _errors_of_partials(partials, sub.sample.sizes)

    def nested_error(self, resample: int, n_nested: int) -> Floats:
        """Return the standard error of the statistic in a resample, by resampling it again."""
        sub = self._sub_sample(resample)
        # The resample's own number is part of its seed: no two resamples share their draws.
        seed = (self.draws.seed + 0x9E3779B97F4A7C15 * (resample + 1)) % 2**64
        draws = RowDraws(sub.sample, make_units(sub.sample), sub.sample.sizes, seed)
        nested = sub.measured.resample(draws, 0, n_nested)
        nested = nested[np.isfinite(nested).reshape(n_nested, -1).all(axis=1)]
        if len(nested) < 2:
            return np.full(self.measured.estimate.shape, np.nan)
        return np.asarray(nested.std(axis=0, ddof=1))

    def _sub_sample(self, resample: int) -> Task:
        """Return the same task for a resample."""
        if not (isinstance(self.draws, IndexDraws) and self.draws.keeps_structure):
            raise ValueError(
                "standard errors of resamples by 'jackknife' or 'nested' need resamples of single "
                "rows, without groups and strata: give a callable standard_error instead."
            )
        parts = self.draws.tables(resample)[0]
        return Task(Sample(parts, self.sample.paired), self.statistic, None)


def _errors_of_partials(partials: Floats, sizes: tuple[int, ...]) -> Floats:
    parts = np.split(partials, np.cumsum(sizes)[:-1])
    variances = [(len(part) - 1) * part.var(axis=0) for part in parts]
    return np.asarray(np.sqrt(np.sum(variances, axis=0)))
