"""Named statistics, and the shortcuts by which they are resampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.names import look_up
from nonet._base.params import Boolean, Integer, Real, bad_parameter
from nonet.resampling.statistics import leave_one_out
from nonet.resampling.statistics import sum_statistics as sums
from nonet.resampling.statistics.least_squares import coefficients
from nonet.resampling.statistics.leave_one_out import Gaps
from nonet.resampling.statistics.sum_statistics import Terms
from nonet.resampling.statistics.weighted_quantile import weighted_quantile


def _check(owner: str, name: str, rule: Any, value: Any) -> None:
    if not rule.allows(value):
        raise bad_parameter(owner, name, rule.describe(), value)


# The shortcut to the jackknife's bias and variance; None where it has no result.
FindGaps = Callable[[tuple[Array, ...]], Gaps | None]


@dataclass(frozen=True)
class SumStatistic:
    """A statistic that is a function of sums over rows."""

    name: str
    terms: Callable[[tuple[Array, ...]], Terms]
    two_samples: bool = False
    gaps: FindGaps | None = None

    def __call__(self, *parts: Array, weights: Floats | None = None) -> Floats:
        """Return the statistic of the tables."""
        return self.terms(parts).of_all(weights)


@dataclass(frozen=True)
class LeastSquaresCoefficients:
    """Intercept and coefficients of y on X, for data (X, y)."""

    name: str = "coefficients"

    def __call__(self, *parts: Array) -> Floats:
        """Return the statistic of the tables."""
        if len(parts) != 2:
            raise ValueError(f"'coefficients' needs data (X, y), but got {len(parts)} part(s).")
        return coefficients(parts[0], parts[1])

    def gaps(self, parts: tuple[Array, ...]) -> Gaps | None:
        """Sum what leaving each row out adds to the coefficients."""
        return leave_one_out.coefficient_gaps(*parts) if len(parts) == 2 else None


@dataclass(frozen=True)
class Quantile:
    """The q-quantile of each column, interpolated as by NumPy.

    Attributes
    ----------
    q : float
        In [0, 1]; 0.5 is the median.

    Examples
    --------
    >>> from nonet.resampling import Quantile
    >>> Quantile(0.5)(np.array([3.0, 1.0, 2.0]))
    array(2.)
    """

    q: float

    def __post_init__(self) -> None:
        _check("Quantile", "q", Real(0, 1), self.q)

    @property
    def name(self) -> str:
        """A word for messages."""
        return "median" if self.q == 0.5 else f"quantile {self.q:g}"

    def __call__(self, *parts: Array, weights: Floats | None = None) -> Floats:
        """Return the statistic of the tables."""
        if len(parts) != 1:
            raise ValueError(f"a quantile needs one table of data, but got {len(parts)} parts.")
        if weights is not None:
            return weighted_quantile(parts[0], self.q, weights)
        return np.asarray(np.quantile(parts[0], self.q, axis=0))


def Moment(order: int, *, central: bool = False) -> SumStatistic:
    """Return the statistic mean(x**order), or mean((x - mean)**order).

    Parameters
    ----------
    order : int
        At least 1.
    central : bool, default=False
        Whether the moment is about the mean.

    Returns
    -------
    statistic : SumStatistic

    Examples
    --------
    >>> from nonet.resampling import Moment
    >>> float(Moment(2)(np.array([1.0, 2.0, 3.0])).round(4))
    4.6667
    """
    _check("Moment", "order", Integer(1), order)
    _check("Moment", "central", Boolean(), central)
    name = f"{'central ' if central else ''}moment {order}"
    return SumStatistic(
        name,
        partial(_moment_terms, name=name, order=order, central=central),
        gaps=partial(_moment_gaps, name=name, order=order, central=central),
    )


def _moment_terms(parts: tuple[Array, ...], *, name: str, order: int, central: bool) -> Terms:
    return sums.moment_terms(_only(parts, name), order, central)


def _moment_gaps(parts: tuple[Array, ...], *, name: str, order: int, central: bool) -> Gaps | None:
    x = _only(parts, name)
    if central and order > 1:
        return leave_one_out.by_column(x, partial(leave_one_out.central_moment_gaps, order=order))
    if central:
        return None
    powers = x if order == 1 else np.asarray(x, dtype=np.float64) ** order
    return leave_one_out.by_column(powers, leave_one_out.mean_gaps)


def _only(parts: tuple[Array, ...], name: str) -> Array:
    if len(parts) != 1:
        raise ValueError(f"{name!r} needs one table of data, but got {len(parts)} parts.")
    return parts[0]


def _variance(name: str, *, ddof: int, root: bool) -> SumStatistic:
    find = partial(leave_one_out.variance_gaps, ddof=ddof, root=root)
    return SumStatistic(
        name,
        lambda parts: sums.variance_terms(_only(parts, name), ddof=ddof, root=root),
        gaps=lambda parts: leave_one_out.by_column(_only(parts, name), find),
    )


def _of_pair(
    name: str,
    terms: Callable[[Array, Array], Terms],
    *,
    two_samples: bool = False,
    find: Callable[[Array, Array], Gaps | None] | None = None,
) -> SumStatistic:
    return SumStatistic(
        name,
        lambda parts: terms(*sums.split_pair(parts, repr(name))),
        two_samples,
        None if find is None else lambda parts: find(*sums.split_pair(parts, repr(name))),
    )


Named = SumStatistic | LeastSquaresCoefficients | Quantile

STATISTICS: dict[str, Named] = {
    "mean": SumStatistic(
        "mean",
        lambda parts: sums.mean_terms(_only(parts, "mean")),
        gaps=lambda parts: leave_one_out.by_column(_only(parts, "mean"), leave_one_out.mean_gaps),
    ),
    "variance": _variance("variance", ddof=0, root=False),
    "std": _variance("std", ddof=0, root=True),
    "sample_variance": _variance("sample_variance", ddof=1, root=False),
    "sample_std": _variance("sample_std", ddof=1, root=True),
    "median": Quantile(0.5),
    "minimum": Quantile(0.0),
    "maximum": Quantile(1.0),
    "weighted_mean": _of_pair("weighted_mean", sums.weighted_mean_terms),
    "ratio": _of_pair("ratio", sums.ratio_terms, find=leave_one_out.ratio_gaps),
    "correlation": _of_pair(
        "correlation", sums.correlation_terms, find=leave_one_out.correlation_gaps
    ),
    "mean_difference": _of_pair("mean_difference", sums.mean_difference_terms, two_samples=True),
    "coefficients": LeastSquaresCoefficients(),
}

# Statistics that jump when a row leaves, by the names NumPy gives them.
_ROUGH = {"median", "nanmedian", "min", "amin", "max", "amax", "quantile", "percentile", "ptp"}


def resolve_statistic(statistic: Any) -> Any:
    """Return the statistic that a name means; a callable is returned as it is."""
    if isinstance(statistic, str):
        return look_up(STATISTICS, statistic, "statistic")
    if not callable(statistic):
        raise bad_parameter("resampling", "statistic", "a name or a callable", statistic)
    return statistic


def is_rough(statistic: Any) -> bool:
    """Return whether the statistic is known not to be smooth, so that the jackknife fails."""
    return isinstance(statistic, Quantile) or getattr(statistic, "__name__", "") in _ROUGH


def statistic_name(statistic: Any) -> str:
    """Return a word for the statistic."""
    return str(getattr(statistic, "name", getattr(statistic, "__name__", "statistic")))
