"""Result of the jackknife."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.names import look_up
from nonet._base.results import PlottableResult
from nonet.resampling.bootstrap.intervals import (
    Interval,
    check_level,
    float_or_array,
    normal_ends,
    t_ends,
)

_ROWS_AT_A_TIME = 1 << 14


@dataclass(frozen=True)
class JackknifeResult(PlottableResult):
    """Estimate, bias and variance by leaving rows out.

    Write h for the ratio n / m of the sample size to the rows left out (n for one row of n). The
    pseudovalues are h * estimate - (h - 1) * partial.

    Attributes
    ----------
    estimate : float or ndarray of shape (n_components,)
        The statistic of all rows.
    partials : ndarray of shape (n_left_out,) or (n_left_out, n_components)
        The statistic without each row (group, subset).
    bias : float or ndarray
        Estimated bias with its standard sign: (n - 1) * (mean of partials - estimate).
    variance : float or ndarray
        Estimated variance of the estimate, from the pseudovalues.
    fractions : float or ndarray of shape (n_left_out,)
        h of each row of ``partials``; one number if all are alike.
    pools : tuple of int
        How many of the partials belong to each sample or stratum, in their order.
    degrees_of_freedom : float or ndarray of shape (n_components,)
        Those of the variance: rows (groups) less 1. With several samples, Satterthwaite's number,
        which Welch's t-test uses too.

    Examples
    --------
    >>> from nonet import jackknife
    >>> jackknife([1.0, 4.0, 7.0, 9.0], "mean").pseudovalues
    array([1., 4., 7., 9.])
    """

    estimate: float | Floats
    partials: Floats
    bias: float | Floats
    variance: float | Floats
    fractions: float | Floats
    pools: tuple[int, ...]
    degrees_of_freedom: float | Floats

    _shown: ClassVar[tuple[str, ...]] = (
        "estimate",
        "bias",
        "corrected_estimate",
        "standard_error",
        "n_left_out",
    )
    _plot: ClassVar[str] = "plot_jackknife"

    @classmethod
    def _waiting(cls, find_partials: Callable[[], Floats], **others: Any) -> JackknifeResult:
        """Return a result whose partials are found when they are first requested.

        The other fields are set at once: one by one, as a frozen class does, they would take as
        long as the sums over a thousand rows.
        """
        result = cls.__new__(cls)
        vars(result).update(others, _find_partials=find_partials)
        return result

    def __getattr__(self, name: str) -> Any:
        if name != "partials" or "_find_partials" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.__dict__["partials"] = self._find_partials()
        del self.__dict__["_find_partials"]
        return self.__dict__["partials"]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def n_left_out(self) -> int:
        """How many partial estimates there are."""
        return sum(self.pools)

    @property
    def pseudovalues(self) -> Floats:
        """Contribution of each row, in the shape of ``partials``; for a mean, the data."""
        h = _beside(self.fractions, self.partials)
        return np.asarray(h * self.estimate - (h - 1) * self.partials)

    @property
    def correction(self) -> float | Floats:
        """The correction that is added to the estimate: minus the bias."""
        return -self.bias

    @property
    def corrected_estimate(self) -> float | Floats:
        """The jackknife estimate: the (weighted) mean of the pseudovalues."""
        return self.estimate - self.bias

    @property
    def standard_error(self) -> float | Floats:
        """Root of the variance."""
        return float_or_array(np.sqrt(self.variance))

    @property
    def influence(self) -> Floats:
        """Influence of each row on the estimate: its pseudovalue less the mean of its pool's."""
        pseudovalues = self.pseudovalues
        mass = np.broadcast_to(1 / _beside(self.fractions, pseudovalues), pseudovalues.shape)
        parts = _split(pseudovalues, self.pools), _split(mass, self.pools)
        return np.concatenate(
            [values - _weighted_mean(values, mass) for values, mass in zip(*parts, strict=True)]
        )

    @property
    def variance_from_partials(self) -> float | Floats:
        """The variance in its other form: sum (n - 1) / n (partial - mean of partials)^2.

        Equal to ``variance`` where all that is left out weighs the same.
        """
        if np.ndim(self.fractions) == 0:
            return self.variance
        h = np.broadcast_to(_beside(self.fractions, self.partials), self.partials.shape)
        parts = _split(self.partials, self.pools), _split(h, self.pools)
        spreads = [
            np.mean((own - 1) * (values - values.mean(axis=0)) ** 2, axis=0)
            for values, own in zip(*parts, strict=True)
        ]
        return float_or_array(np.sum(spreads, axis=0))

    def interval(
        self, confidence_level: float = 0.95, *, method: str = "normal", corrected: bool = False
    ) -> Interval:
        """Return a confidence interval.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        method : {'normal', 't'}, default='normal'
            Quantiles of the normal distribution, or of Student's t with ``degrees_of_freedom``.
            Tukey's interval is ``method='t', corrected=True``: for few rows it is longer, by
            2.78 / 1.96 for 5 rows at the level 0.95.
        corrected : bool, default=False
            Whether its middle is the corrected estimate instead of the estimate.

        Returns
        -------
        interval : Interval

        Examples
        --------
        >>> from nonet import jackknife
        >>> low, high = jackknife([1.0, 2.0, 4.0, 7.0, 9.0], "mean").interval(method="t")
        >>> round(low, 2), round(high, 2)
        (0.43, 8.77)
        """
        level = check_level(confidence_level)
        find_ends = look_up(_ENDS, method, "interval method")
        middle = self.corrected_estimate if corrected else self.estimate
        low, high = find_ends(self, middle, level)
        return Interval(float_or_array(low), float_or_array(high), level, method)


def _normal(result: JackknifeResult, middle: Any, level: float) -> tuple[Any, Any]:
    return normal_ends(middle, result.standard_error, level)  # type: ignore[arg-type]


def _student(result: JackknifeResult, middle: Any, level: float) -> tuple[Any, Any]:
    return t_ends(middle, result.standard_error, result.degrees_of_freedom, level)


_ENDS = {"normal": _normal, "t": _student}


def summarise_gaps(
    estimate: float | Floats,
    total: float | Floats,
    squares: float | Floats,
    find_partials: Callable[[], Floats],
    n: int,
) -> JackknifeResult:
    """Turn sum and sum of squares of the n partial estimates less the estimate into the result."""
    mean = total / n
    variance = (n - 1) * (squares / n - mean * mean)
    variance = max(variance, 0.0) if isinstance(variance, float) else np.maximum(variance, 0.0)
    return JackknifeResult._waiting(
        find_partials,
        estimate=estimate,
        bias=(n - 1) * mean,
        variance=variance,
        fractions=float(n),
        pools=(n,),
        degrees_of_freedom=float(n - 1),
    )


def summarise_partials(
    estimate: Floats,
    partials: Floats,
    mass: float | Floats,
    pools: tuple[int, ...],
    n_units: int,
) -> JackknifeResult:
    """Turn partial estimates into bias and variance.

    ``mass`` is the fraction of its pool that each deletion takes away, 1/n for one row of n; one
    number if there is one pool, of which all deletions take as much. ``n_units`` is the number of
    rows or groups, of which a deletion may take several. With
    unequal masses these are the formulas of Busing, Meijer & van der Leeden (1999), Delete-m
    jackknife for unequal m, Statistics and Computing 9, 3-8.
    """
    if np.ndim(mass) == 0:
        mean, spread = _moments_about(estimate, partials)
        bias, variance = (1 / mass - 1) * mean, (1 / mass - 1) * spread
        freedom = np.asarray(min(n_units, len(partials)) - 1.0)
    else:
        bias, variances = _summarise_unequal(estimate, partials, np.asarray(mass), pools)
        variance, freedom = variances.sum(axis=0), _satterthwaite(variances, pools)
    return JackknifeResult(
        float_or_array(estimate),
        partials,
        float_or_array(bias),
        float_or_array(variance),
        1 / mass,
        pools,
        float_or_array(freedom),
    )


def _moments_about(centre: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return the mean of values - centre, and their variance.

    They are subtracted first, as n times the rounding of a mean would show in the bias, and some at
    a time, as fresh memory for all of them would cost more than the arithmetic.
    """
    total, squares = np.zeros_like(centre), np.zeros_like(centre)
    for first in range(0, len(values), _ROWS_AT_A_TIME):
        gaps = values[first : first + _ROWS_AT_A_TIME] - centre
        total = total + gaps.sum(axis=0)
        squares = squares + (gaps * gaps).sum(axis=0)
    mean = total / len(values)
    return mean, np.maximum(squares / len(values) - mean**2, 0.0)


def _summarise_unequal(
    estimate: Floats, partials: Floats, mass: Floats, pools: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """Return the bias, and the variance that each pool adds, (n_pools, ...)."""
    h = _beside(1 / mass, partials)
    pseudovalues = h * estimate - (h - 1) * partials
    bias, variances = np.zeros_like(estimate), []
    for values, own in zip(_split(pseudovalues, pools), _split(h, pools), strict=True):
        mean = _weighted_mean(values, 1 / own)
        bias = bias + (estimate - mean)
        variances.append(np.mean((values - mean) ** 2 / (own - 1), axis=0))
    return bias, np.stack(variances)


def _satterthwaite(variances: Floats, pools: tuple[int, ...]) -> Floats:
    """Return the degrees of freedom of a sum of independent variances, one for each pool."""
    own = _beside(np.array(pools) - 1.0, variances)
    total, squares = variances.sum(axis=0), (variances**2 / own).sum(axis=0)
    ratio = total**2 / np.where(squares > 0, squares, 1.0)
    return np.asarray(np.where(squares > 0, ratio, own.sum(axis=0)))


def _beside(per_row: float | Floats, values: Floats) -> Floats:
    """Shape numbers that belong to rows so that they multiply vectors of components."""
    shaped = np.asarray(per_row)
    return shaped if values.ndim == 1 or shaped.ndim == 0 else shaped[:, None]


def _split(values: Floats, pools: tuple[int, ...]) -> list[Floats]:
    return np.split(values, np.cumsum(pools)[:-1])


def _weighted_mean(values: Floats, mass: Floats) -> Floats:
    return np.asarray(np.sum(values * mass, axis=0) / np.sum(mass, axis=0))
