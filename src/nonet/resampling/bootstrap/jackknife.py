"""Jackknife: the estimate without each row in turn.

References: M. Quenouille (1956), Notes on bias in estimation, Biometrika 43, 353-360; J. Tukey
(1958), Bias and confidence in not quite large samples, Annals of Mathematical Statistics 29, 614;
C.-F. Wu (1986), Jackknife, bootstrap and other resampling methods in regression analysis, Annals of
Statistics 14, 1261-1295.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Codes, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.params import Integer, bad_parameter
from nonet._base.streams import root_seed, stream
from nonet.resampling.bootstrap.cautions import caution
from nonet.resampling.bootstrap.jackknife_result import (
    JackknifeResult,
    summarise_gaps,
    summarise_partials,
)
from nonet.resampling.bootstrap.measures import Measure, measure, takes
from nonet.resampling.statistics.leave_one_out import Gaps
from nonet.resampling.statistics.samples import Sample, gather, has_finite_sum, refuse_missing
from nonet.resampling.statistics.statistics import (
    Named,
    Quantile,
    is_rough,
    resolve_statistic,
    statistic_name,
)
from nonet.resampling.statistics.units import Units, make_units

_SOME_ROWS = Integer(1)
_SOME_SUBSETS = Integer(2)


def jackknife(
    data: Any,
    statistic: Any,
    *,
    paired: bool = True,
    d: int = 1,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    n_subsets: int = 1000,
    indices: ArrayLike | None = None,
    random_state: Any = None,
) -> JackknifeResult:
    """Estimate bias and variance of a statistic by leaving rows out.

    1. Compute the statistic of all rows, and without each row (group, subset of d rows).
    2. Turn these partial estimates into pseudovalues, n * estimate - (n - 1) * partial.
    3. Their mean is the corrected estimate, their variance over n the variance of the estimate.

    Parameters
    ----------
    data : array-like, data frame, or tuple of these
        Rows are observations. A tuple is handed to the statistic as several arguments.
    statistic : str or callable
        'mean', 'variance', 'std' (these divide by n), 'sample_variance', 'sample_std' (by n - 1),
        'weighted_mean', 'ratio', 'correlation', 'coefficients', 'mean_difference', 'median',
        'minimum', 'maximum', a `Quantile` or `Moment`, or a callable that takes the tables and
        returns a number or a vector. One that takes ``axis`` gets the axis of the rows. Sums,
        quantiles and coefficients are done in O(n), others by one call for each partial estimate.
    paired : bool, default=True
        Whether the parts of a tuple have the same rows. If not, rows are left out of each sample in
        turn, and bias and variance are the sums over the samples.
    d : int, default=1
        How many rows are left out at a time.
    groups : array-like of shape (n,), default=None
        Labels of rows that are left out together. Groups may differ in size.
    weights : array-like of shape (n,), default=None
        Positive weights of the rows, handed to the statistic as ``weights=``. A row of weight 2
        counts as a group of two equal rows.
    n_subsets : int, default=1000
        For d > 1: if there are more subsets than this, so many are drawn at random.
    indices : array-like of shape (n_left_out, d), default=None
        The rows to leave out, given instead of ``d``.
    random_state : int, RandomState, Generator or None, default=None
        Of the subsets drawn for d > 1.

    Returns
    -------
    result : JackknifeResult
        Fields ``estimate``, ``partials``, ``pseudovalues``, ``bias``, ``variance``; properties
        ``corrected_estimate``, ``standard_error``, ``influence``; ``interval()`` and ``plot()``.

    Warns
    -----
    ResamplingWarning
        For medians, other quantiles, minimum and maximum: they are not smooth, and the jackknife
        variance does not approach the true one however many rows there are.

    Notes
    -----
    The bias has its standard sign, (n - 1) * (mean of partials - estimate), and is taken from the
    estimate to correct it; ``correction`` is minus the bias.

    With equal rows left out one by one, all numbers of the mean, 'variance', 'std' and their like,
    moments, 'correlation', 'ratio' and 'coefficients' are sums over the rows. The arrays
    (``partials``, ``pseudovalues``, ``influence``) are then computed when they are first requested,
    from the data as they are; data changed in between are an error.

    Examples
    --------
    >>> from nonet import jackknife
    >>> result = jackknife([1, 4, 7, 9], "variance")
    >>> result.estimate, round(result.bias, 9), result.corrected_estimate
    (9.1875, -3.0625, 12.25)
    >>> jackknife([1, 4, 7, 9], "mean").pseudovalues
    array([1., 4., 7., 9.])
    """
    _check_number("d", _SOME_ROWS, d)
    _check_number("n_subsets", _SOME_SUBSETS, n_subsets)
    sample = gather(data, paired=paired)
    resolved = resolve_statistic(statistic)
    if d == 1 and indices is None and groups is None and weights is None:
        short = _by_sums(resolved, sample)
        if short is not None:
            return short
    refuse_missing(sample)
    units = make_units(sample, groups=groups)
    weight = _check_weights(weights, units.n_rows)
    if weight is not None:
        _refuse_unweighted(resolved)
    if is_rough(resolved):
        caution(
            f"the jackknife variance of the {statistic_name(resolved)} is not consistent, as it is "
            "not a smooth statistic; use the bootstrap."
        )
    measured = measure(resolved, sample, weight)
    if d == 1 and indices is None:
        return leave_each_out(measured, units)
    _refuse_mixture(units, weight)
    subsets = _given_subsets(indices, sample) if indices is not None else None
    if subsets is None:
        subsets = _choose_subsets(units.n_rows, d, n_subsets, random_state)
    return _leave_subsets_out(measured, units, subsets)


def _by_sums(statistic: Any, sample: Sample) -> JackknifeResult | None:
    """Use sums over rows if possible; partial estimates are then computed on request."""
    find = getattr(statistic, "gaps", None)
    if find is None or not sample.paired:
        return None
    arrays = sample.arrays
    found: Gaps | None = find(arrays)
    if found is None or not found.is_finite:
        return None

    def partials() -> Floats:
        if not found.agrees_with(find(sample.arrays)):
            raise ValueError(
                "the data have changed since the jackknife, whose partial estimates are computed "
                "when they are first requested; request them before, or hand over a copy."
            )
        return measure(statistic, sample).without_each(make_units(sample))

    return summarise_gaps(*found, partials, len(arrays[0]))


def leave_each_out(measured: Measure, units: Units, *, check: bool = True) -> JackknifeResult:
    """Jackknife with one unit left out at a time; unchecked partial estimates may be NaN."""
    partials = measured.without_each(units)
    if check:
        _check_partials(partials, measured)
    mass = _mass_of_units(units, measured.weights)
    pools = tuple(len(pool) for pool in units.pools)
    return summarise_partials(measured.estimate, partials, mass, pools, units.n_units)


def _leave_subsets_out(
    measured: Measure, units: Units, subsets: Sequence[Codes]
) -> JackknifeResult:
    partials = measured.without(units, subsets)
    _check_partials(partials, measured)
    mass = len(subsets[0]) / units.n_rows
    pools = (len(subsets),)
    return summarise_partials(measured.estimate, partials, mass, pools, units.n_units)


def _mass_of_units(units: Units, weights: Floats | None) -> float | Floats:
    """Return the fraction of its pool that each unit makes up; one number if all are equal."""
    if weights is None and units.members is None:
        if len(units.pools) == 1:
            return 1 / units.n_units
        return np.concatenate([np.full(len(pool), 1 / len(pool)) for pool in units.pools])
    mass = units.add_up(np.ones(units.n_rows) if weights is None else weights)
    return np.concatenate([mass[pool] / mass[pool].sum() for pool in units.pools])


def _check_partials(partials: Floats, measured: Measure) -> None:
    if has_finite_sum(partials):
        return
    undefined = ~np.isfinite(partials).reshape(len(partials), -1).all(axis=1)
    if undefined.any():
        raise ValueError(
            f"{statistic_name(measured.statistic)} has no finite value without part "
            f"{int(np.argmax(undefined))} of the data (a row, group or subset), so the jackknife "
            "has none either; it may need more rows."
        )


def _check_weights(weights: ArrayLike | None, n_rows: int) -> Floats | None:
    checked = check_sample_weight(weights, n_rows, "weights")
    if checked is not None and (checked == 0).any():
        row = int(np.argmin(checked))
        raise ValueError(
            f"weights must be positive, but row {row} has 0; leave such rows out of the data."
        )
    return checked


def _refuse_unweighted(statistic: Any) -> None:
    """Raise if rows of this statistic would have to be repeated: their number changes it."""
    if isinstance(statistic, Quantile):
        raise ValueError("a quantile takes no weights here; repeat the rows instead.")
    if not isinstance(statistic, Named) and not takes(statistic, "weights"):
        raise ValueError(
            f"{statistic_name(statistic)} must take a keyword argument weights to be used "
            "with weights."
        )


def _check_number(name: str, rule: Integer, value: Any) -> None:
    if not rule.allows(value):
        raise bad_parameter("jackknife", name, rule.describe(), value)


def _refuse_mixture(units: Units, weights: Floats | None) -> None:
    if units.members is not None or len(units.pools) > 1 or weights is not None:
        raise ValueError(
            "leaving out several rows at a time (d > 1 or indices) works on the equal rows of one "
            "sample: it cannot be combined with groups, weights or paired=False."
        )


def _given_subsets(indices: ArrayLike, sample: Sample) -> list[Codes]:
    (n_rows,) = sample.sizes
    array = np.asarray(indices)
    if array.ndim != 2 or array.dtype.kind not in "iu" or len(array) < 2:
        raise ValueError(
            "indices must be whole numbers of shape (n_left_out, d) with at least 2 rows, but have "
            f"shape {array.shape} and dtype {array.dtype}."
        )
    if array.size and (array.min() < 0 or array.max() >= n_rows):
        raise ValueError(f"indices must lie between 0 and {n_rows - 1}.")
    for subset in array:
        if len(np.unique(subset)) < len(subset) or not 0 < len(subset) < n_rows:
            raise ValueError(
                f"each row of indices must name 1 to {n_rows - 1} different rows, but got "
                f"{subset.tolist()}."
            )
    return list(array)


def _choose_subsets(n_rows: int, d: int, n_subsets: int, random_state: Any) -> list[Codes]:
    if d >= n_rows:
        raise ValueError(f"d must leave rows over: at most {n_rows - 1}, but got {d}.")
    if comb(n_rows, d) <= n_subsets:
        return [np.array(subset) for subset in combinations(range(n_rows), d)]
    root = root_seed(random_state)
    return [
        stream(root, number).choice(n_rows, d, replace=False, shuffle=False)
        for number in range(n_subsets)
    ]
