"""A statistic on a sample: of all rows, of resamples, and without some rows.

`Measure` calls the statistic for each set of rows. Its subclasses have shortcuts: sums by
subtraction and by the native kernel, quantiles by ranks, least squares by leverages, and any
callable that takes ``axis`` by many resamples at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.arrays import as_numbers as real_numbers
from nonet._base.progress import Steps
from nonet._native import resample as resample_kernels
from nonet.resampling.bootstrap.draws import IndexDraws, RowDraws, WeightDraws
from nonet.resampling.statistics.least_squares import coefficients_without_each, normal_equations
from nonet.resampling.statistics.repeats import repeat_rows
from nonet.resampling.statistics.samples import Sample, as_numbers
from nonet.resampling.statistics.statistics import (
    LeastSquaresCoefficients,
    Quantile,
    SumStatistic,
    resolve_statistic,
    statistic_name,
)
from nonet.resampling.statistics.units import Units

# Numbers that a batch of resamples may hold: small enough for the second-level cache.
_BATCH_NUMBERS = 1 << 17
# Rows whose partial estimates are computed together, for the same reason.
_ROWS_AT_A_TIME = 1 << 14


class Measure:
    """A callable on a sample, called for each set of rows."""

    def __init__(self, statistic: Any, sample: Sample, weights: Floats | None = None) -> None:
        self.statistic, self.sample, self.weights = statistic, sample, weights
        self.estimate = self._checked_estimate()

    def of(self, parts: Sequence[Any], weights: Floats | None = None) -> Floats:
        """Return the statistic of these tables."""
        parts, given = self._use_weights(parts, weights)
        return self._as_numbers(self.statistic(*parts, **given))

    def _as_numbers(self, value: Any) -> Floats:
        return real_numbers(value, f"the values of {statistic_name(self.statistic)}")

    def _use_weights(
        self, parts: Sequence[Any], weights: Floats | None
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return the tables and keywords for the statistic; rows are repeated if it needs that."""
        if weights is None:
            return parts, {}
        if takes(self.statistic, "weights"):
            return parts, {"weights": weights}
        return repeat_rows(Sample(tuple(parts), self.sample.paired), weights), {}

    def resample(self, draws: Any, first: int, count: int) -> Floats:
        """Return the statistic of ``count`` resamples from number ``first`` on."""
        numbers = range(first, first + count)
        return self._stack([self.of(*draws.tables(number)) for number in numbers])

    def without(self, units: Units, left_out: Sequence[Codes]) -> Floats:
        """Return the statistic without each of the sets of units."""
        values = []
        with Steps("jackknife", "partial estimates").track(len(left_out)) as progress:
            for units_ in left_out:
                values.append(self._of_rows(units.rows_without(units_)))
                progress.advance()
        return self._stack(values)

    def without_each(self, units: Units) -> Floats:
        """Return the statistic without each unit, pool after pool."""
        return self.without(units, [unit for pool in units.pools for unit in pool[:, None]])

    def _of_rows(self, rows: tuple[Codes, ...]) -> Floats:
        return self.of(self.sample.take(rows), self._weights_of(rows))

    def _weights_of(self, rows: tuple[Codes, ...]) -> Floats | None:
        if self.weights is None:
            return None
        if self.sample.paired:
            return np.asarray(self.weights[np.concatenate(rows)])
        of_parts = np.split(self.weights, np.cumsum(self.sample.sizes)[:-1])
        return np.concatenate([part[own] for part, own in zip(of_parts, rows, strict=True)])

    def _stack(self, values: Sequence[Floats]) -> Floats:
        for value in values:
            if value.shape != self.estimate.shape:
                raise ValueError(
                    f"{statistic_name(self.statistic)} must return the same shape for every "
                    f"resample, but returned {value.shape} for one and {self.estimate.shape} for "
                    "the data."
                )
        return np.stack(values) if values else np.empty((0, *self.estimate.shape))

    def _checked_estimate(self) -> Floats:
        estimate = self.of(self.sample.parts, self.weights)
        if estimate.ndim > 1:
            raise ValueError(
                f"{statistic_name(self.statistic)} must return a number or a vector, but returned "
                f"shape {estimate.shape}."
            )
        if not np.isfinite(estimate).all():
            raise ValueError(
                f"{statistic_name(self.statistic)} of the data is {estimate}, which is not finite: "
                "there is nothing to resample."
            )
        return estimate


class BatchMeasure(Measure):
    """A callable that takes ``axis``, the axis of the observations."""

    def of(self, parts: Sequence[Any], weights: Floats | None = None) -> Floats:
        """Return the statistic of these tables."""
        parts, given = self._use_weights(parts, weights)
        arrays = [as_numbers(part) for part in parts]
        return self._as_numbers(self.statistic(*arrays, axis=0, **given))

    def resample(self, draws: Any, first: int, count: int) -> Floats:
        """Return the statistic of resamples, by a shortcut where the draws allow it."""
        if not (isinstance(draws, IndexDraws) and draws.has_equal_lengths):
            return super().resample(draws, first, count)
        batches = _batches(first, count, draws.n_rows)
        return np.concatenate([self._of_batch(draws.batch(*batch)) for batch in batches])

    def without(self, units: Units, left_out: Sequence[Codes]) -> Floats:
        """Return the statistic without each of the sets of units, many at once."""
        sizes = {sum(len(units.rows(unit[None])) for unit in units_) for units_ in left_out}
        if len(sizes) > 1 or len(units.pools) > 1 or self.weights is not None:
            return super().without(units, left_out)
        rows = (
            np.stack([units.rows_without(units_)[0] for units_ in left_out[start : start + size]])
            for start, size in _batches(0, len(left_out), units.n_rows)
        )
        return np.concatenate([self._of_batch([kept]) for kept in rows])

    def _of_batch(self, rows: Sequence[Codes]) -> Floats:
        values = self.statistic(*_take_batch(self.sample, rows), axis=1)
        values = np.asarray(values, dtype=np.float64)
        if values.shape != (len(rows[0]), *self.estimate.shape):
            raise ValueError(
                f"{statistic_name(self.statistic)} takes axis and must drop it, but returned shape "
                f"{values.shape} for {len(rows[0])} resamples."
            )
        return values


def _batches(first: int, count: int, n_rows: int) -> list[tuple[int, int]]:
    """Split a run of resamples into runs (first, count) whose rows stay in the cache."""
    step, last = max(1, _BATCH_NUMBERS // n_rows), first + count
    return [(start, min(step, last - start)) for start in range(first, last, step)]


def _take_batch(sample: Sample, rows: Sequence[Codes]) -> list[Floats]:
    if sample.paired:
        together = rows[0] if len(rows) == 1 else np.concatenate(rows, axis=1)
        return [part[together] for part in sample.arrays]
    return [part[own] for part, own in zip(sample.arrays, rows, strict=True)]


class SumMeasure(Measure):
    """A statistic of sums: any set of rows costs one addition or subtraction per row."""

    def __init__(
        self, statistic: SumStatistic, sample: Sample, weights: Floats | None = None
    ) -> None:
        if statistic.two_samples == sample.paired:
            wanted = "two samples (paired=False)" if statistic.two_samples else "paired data"
            raise ValueError(f"{statistic.name!r} is a statistic of {wanted}.")
        self._terms = statistic.terms(sample.arrays)
        super().__init__(statistic, sample, weights)

    def of(self, parts: Sequence[Any], weights: Floats | None = None) -> Floats:
        """Return the statistic of these tables."""
        if parts is self.sample.parts:  # the terms of the data are there already
            return np.asarray(self._terms.of_all(weights))
        return np.asarray(self.statistic(*map(as_numbers, parts), weights=weights))

    def resample(self, draws: Any, first: int, count: int) -> Floats:
        """Return the statistic of resamples, by a shortcut where the draws allow it."""
        if isinstance(draws, RowDraws) and draws.is_uniform:
            sums, mass = self._native_sums(draws, first, count)
            return self._terms.finish(sums, mass)
        if isinstance(draws, IndexDraws) and draws.has_equal_lengths and self.sample.paired:
            table = np.ascontiguousarray(self._terms.table)
            batches = _batches(first, count, draws.n_rows)
            return np.concatenate([self._of_batch(table, draws.batch(*b)) for b in batches])
        if isinstance(draws, WeightDraws):
            batches = _batches(first, count, len(self._terms.table))
            return np.concatenate([self._of_weights(draws.batch(*batch)) for batch in batches])
        return super().resample(draws, first, count)

    def _of_batch(self, table: Floats, rows: Sequence[Codes]) -> Floats:
        together = np.concatenate(rows, axis=1)
        mass = np.full(len(together), float(together.shape[1]))
        return self._terms.finish(table[together].sum(axis=1), mass)

    def _of_weights(self, weights: Floats) -> Floats:
        return self._terms.finish(weights @ self._terms.table, weights.sum(axis=1))

    def without_each(self, units: Units) -> Floats:
        """Return the statistic without each unit, by a shortcut where there is one."""
        table = self._terms.table
        if self.weights is None and units.members is None and len(units.pools) == 1:
            return self._without_each_row()
        weight = np.ones(units.n_rows) if self.weights is None else self.weights
        order = np.concatenate(units.pools)
        leaving = units.add_up(weight[:, None] * table)[order]
        mass = units.add_up(weight)[order]
        return self._terms.finish(weight @ table - leaving, weight.sum() - mass)

    def _without_each_row(self) -> Floats:
        """Subtract each row from the sums, some rows at a time: what is in between stays cached."""
        table, values = self._terms.table, np.empty((len(self._terms.table), *self.estimate.shape))
        total, mass = self._terms.total(), np.asarray(len(table) - 1.0)
        for first in range(0, len(table), _ROWS_AT_A_TIME):
            rows = slice(first, first + _ROWS_AT_A_TIME)
            values[rows] = self._terms.finish(total - table[rows], mass)
        return values

    def _native_sums(self, draws: RowDraws, first: int, count: int) -> tuple[Floats, Floats]:
        """Sum the terms of each resample; groups carry their number of rows as one more term."""
        units = draws.units
        table = self._terms.table
        if units.members is not None:
            table = units.add_up(np.column_stack([table, np.ones(len(table))]))
        sums = np.zeros((count, table.shape[1]))
        for number, (pool, size) in enumerate(zip(units.pools, draws.sizes, strict=True)):
            own = table if len(units.pools) == 1 else table[pool]
            sums += resample_kernels.resampled_sums(
                own, size, count, seed=draws.seed, pool=number, first=first
            )
        if units.members is not None:
            return sums[:, :-1], sums[:, -1]
        return sums, np.full(count, float(sum(draws.sizes)))


class QuantileMeasure(Measure):
    """A quantile: the values are sorted once, and resamples are found by counting."""

    def of(self, parts: Sequence[Any], weights: Floats | None = None) -> Floats:
        """Return the statistic of these tables."""
        return np.asarray(self.statistic(*map(as_numbers, parts), weights=weights))

    def resample(self, draws: Any, first: int, count: int) -> Floats:
        """Return the statistic of resamples, by a shortcut where the draws allow it."""
        if not (isinstance(draws, RowDraws) and draws.is_uniform and draws.is_plain):
            return super().resample(draws, first, count)
        return self._by_column(lambda column: self._resampled(column, draws, first, count))

    def without_each(self, units: Units) -> Floats:
        """Return the statistic without each unit, by a shortcut where there is one."""
        if units.members is not None or len(units.pools) > 1 or self.weights is not None:
            return super().without_each(units)
        return self._by_column(self._column_without_each)

    def _by_column(self, work: Callable[[Floats], Floats]) -> Floats:
        (table,) = self.sample.arrays
        table = table.astype(np.float64, copy=False)
        if table.ndim == 1:
            return work(table)
        return np.column_stack([work(column) for column in table.T])

    def _resampled(self, column: Floats, draws: RowDraws, first: int, count: int) -> Floats:
        order = np.argsort(column, kind="stable")
        rank = np.empty(len(column), dtype=np.uint32)
        rank[order] = np.arange(len(column), dtype=np.uint32)
        (size,) = draws.sizes
        lower, fraction = _position(self.statistic.q, size)
        positions = resample_kernels.resampled_order_statistics(
            rank, size, lower, count, seed=draws.seed, first=first
        )
        low, high = column[order][positions].T
        return _interpolate(low, high, fraction)

    def _column_without_each(self, column: Floats) -> Floats:
        order = np.argsort(column, kind="stable")
        ordered, n = column[order], len(column)
        lower, fraction = _position(self.statistic.q, n - 1)
        upper = min(lower + 1, n - 2)
        rank = np.empty(n, dtype=np.intp)
        rank[order] = np.arange(n)
        # Without the value of rank r, the order statistics from r on move up by one position.
        low, high = (ordered[position + (rank <= position)] for position in (lower, upper))
        return _interpolate(low, high, fraction)


def _position(q: float, n: int) -> tuple[int, float]:
    position = q * (n - 1)
    return int(position), position - int(position)


def _interpolate(low: Floats, high: Floats, fraction: float) -> Floats:
    return low + fraction * (high - low)


class LeastSquaresMeasure(Measure):
    """Regression coefficients: resamples by sums of products, single rows by leverage."""

    def of(self, parts: Sequence[Any], weights: Floats | None = None) -> Floats:
        """Return the statistic of these tables."""
        arrays = [as_numbers(part) for part in parts]
        if weights is None:
            return np.asarray(self.statistic(*arrays))
        equations = normal_equations(*arrays)
        sums = weights @ equations.products(slice(None))
        return equations.finish(sums, np.asarray(weights.sum()))

    def resample(self, draws: Any, first: int, count: int) -> Floats:
        """Return the statistic of resamples, by a shortcut where the draws allow it."""
        if not (isinstance(draws, RowDraws) and draws.is_uniform and draws.units.members is None):
            return super().resample(draws, first, count)
        equations = normal_equations(*self.sample.arrays)
        width = equations.columns.shape[1]
        sums = np.zeros((count, width * (width + 1) // 2))
        for number, (pool, size) in enumerate(zip(draws.units.pools, draws.sizes, strict=True)):
            sums += resample_kernels.resampled_products(
                equations.columns[pool], size, count, seed=draws.seed, pool=number, first=first
            )
        return equations.finish(sums, np.full(count, float(sum(draws.sizes))))

    def without_each(self, units: Units) -> Floats:
        """Return the statistic without each unit, by a shortcut where there is one."""
        if units.members is not None or self.weights is not None:
            return super().without_each(units)
        partials = coefficients_without_each(*self.sample.arrays)
        return np.asarray(partials[np.concatenate(units.pools)])


def measure(statistic: Any, sample: Sample, weights: Floats | None = None) -> Measure:
    """Return the fastest measure for this statistic."""
    resolved = resolve_statistic(statistic)
    if isinstance(resolved, SumStatistic):
        return SumMeasure(resolved, sample, weights)
    if isinstance(resolved, Quantile):
        return QuantileMeasure(resolved, sample, weights)
    if isinstance(resolved, LeastSquaresCoefficients):
        return LeastSquaresMeasure(resolved, sample, weights)
    kind = BatchMeasure if takes(resolved, "axis") else Measure
    return kind(resolved, sample, weights)


def takes(function: Any, keyword: str) -> bool:
    """Return whether a function has a parameter of this name."""
    try:
        return keyword in inspect.signature(function).parameters
    except ValueError:  # some compiled functions have no signature
        return False
