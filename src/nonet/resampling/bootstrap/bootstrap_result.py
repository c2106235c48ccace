"""Result of the bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.names import look_up
from nonet._base.results import PlottableResult
from nonet.resampling.bootstrap import intervals
from nonet.resampling.bootstrap.intervals import Interval, check_level, float_or_array
from nonet.resampling.bootstrap.monte_carlo import MonteCarloError, monte_carlo_error
from nonet.resampling.bootstrap.null_test import BootstrapTest, compare_with_null
from nonet.resampling.bootstrap.rescaling import Rescaling
from nonet.resampling.bootstrap.task import Task

Number = float | Floats


@dataclass(frozen=True)
class BootstrapResult(PlottableResult):
    """The distribution of a statistic over resamples.

    Attributes
    ----------
    estimate : float or ndarray of shape (n_components,)
        The statistic of the data; of the weighted data if rows were drawn by weights.
    distribution : ndarray of shape (n_resamples,) or (n_resamples, n_components)
        The statistic of each resample that has one.
    probabilities : ndarray of shape (n_resamples,) or None
        The probability of each resample if all there are were enumerated, else None.
    n_degenerate : int
        Resamples in which the statistic has no finite value; they are left out.
    sample_error : float, ndarray or None
        The standard error of the estimate that a studentised interval scales with.
    standard_errors : ndarray of the shape of ``distribution`` or None
        The standard error of the statistic within each resample, if it was requested.
    task : Task
        What was resampled and how.
    rescaling : Rescaling
        The size of a resample over that of the sample, the rate of the statistic, and whether rows
        are drawn with replacement: spread and bias are those of samples as large as the data.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> result = bootstrap([1.0, 4.0, 7.0, 9.0], "mean", exact=True)
    >>> result.estimate, round(result.standard_error, 4)
    (5.25, 1.5155)
    """

    estimate: Number
    distribution: Floats
    probabilities: Floats | None
    n_degenerate: int
    sample_error: Number | None
    standard_errors: Floats | None
    task: Task
    rescaling: Rescaling

    _shown: ClassVar[tuple[str, ...]] = (
        "estimate",
        "bias",
        "standard_error",
        "n_resamples",
        "n_degenerate",
        "exact",
    )
    _plot: ClassVar[str] = "plot_bootstrap"

    @property
    def n_resamples(self) -> int:
        """Resamples in the distribution."""
        return len(self.distribution)

    @property
    def exact(self) -> bool:
        """Whether the distribution is that of all resamples, without Monte Carlo error."""
        return self.probabilities is not None

    @property
    def mean(self) -> Number:
        """Mean of the distribution."""
        return float_or_array(np.average(self.distribution, axis=0, weights=self.probabilities))

    @property
    def rescaled(self) -> Floats:
        """The distribution, spread about the estimate as in samples as large as the data."""
        return self.rescaling.about(self.estimate, self.distribution)

    @property
    def _pivotal(self) -> Floats:
        """The distribution, spread about the estimate as standard errors of resamples state."""
        return self.estimate + self.rescaling.of_pivot * (self.distribution - self.estimate)

    @property
    def bias(self) -> Number:
        """Mean of the distribution less the estimate, rescaled to samples as large as the data."""
        return self.rescaling.of_bias * (self.mean - self.estimate)

    @property
    def corrected_estimate(self) -> Number:
        """The estimate less its bias: 2 * estimate - mean for resamples of full size."""
        return self.estimate - self.bias

    @property
    def variance(self) -> Number:
        """Variance of the rescaled distribution (over n_resamples - 1 unless it is exact)."""
        values = self.rescaled
        if self.probabilities is None:
            return float_or_array(values.var(axis=0, ddof=1))
        spread = (values - np.average(values, axis=0, weights=self.probabilities)) ** 2
        return float_or_array(np.average(spread, axis=0, weights=self.probabilities))

    @property
    def standard_error(self) -> Number:
        """Standard deviation of the rescaled distribution."""
        return float_or_array(np.sqrt(self.variance))

    def interval(self, method: str = "percentile", confidence_level: float = 0.95) -> Interval:
        """Return a confidence interval.

        Parameters
        ----------
        method : {'percentile', 'basic', 'normal', 'bca', 'studentised'}, default='percentile'
            'studentised' needs a bootstrap with ``standard_error=``.
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        interval : Interval
        """
        ends = look_up(_METHODS, method, "interval method")
        level = check_level(confidence_level)
        if self.distribution.ndim == 1:
            low, high = ends(self, (), level)
            return Interval(float(low), float(high), level, method)
        both = [ends(self, (column,), level) for column in range(self.distribution.shape[1])]
        lows, highs = np.array(both).T
        return Interval(lows, highs, level, method)

    def intervals(self, confidence_level: float = 0.95) -> dict[str, Interval]:
        """Return all intervals that this result can give, by the names of their methods."""
        found = {}
        for method in _METHODS:
            try:
                found[method] = self.interval(method, confidence_level)
            except ValueError:  # undefined for these draws, or infinite
                check_level(confidence_level)
        return found

    def monte_carlo_error(self, confidence_level: float = 0.95) -> MonteCarloError:
        """Return the standard errors that are due to the number of resamples."""
        check_level(confidence_level)
        if self.exact:
            nothing = float_or_array(np.zeros_like(np.asarray(self.estimate)))
            return MonteCarloError(nothing, nothing, nothing, nothing, confidence_level)
        found = monte_carlo_error(self.rescaled, confidence_level)
        return replace(found, mean=found.mean * (self.rescaling.of_bias / self.rescaling.of_spread))

    def test(self, null_value: Any = 0.0, alternative: str = "two-sided") -> BootstrapTest:
        """Test whether the true value is ``null_value``.

        The distribution is shifted to the null value; with ``standard_error=`` the test is
        studentised.

        Parameters
        ----------
        null_value : float or array-like of shape (n_components,), default=0.0
            What the true value is under the null hypothesis.
        alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
            On which side of the null value the truth would be otherwise.

        Returns
        -------
        test : BootstrapTest
        """
        return compare_with_null(
            np.asarray(self.estimate),
            self.rescaled if self.standard_errors is None else self._pivotal,
            null_value,
            alternative,
            probabilities=self.probabilities,
            sample_error=self.sample_error,
            standard_errors=self.standard_errors,
        )


Ends = Callable[[BootstrapResult, tuple[int, ...], float], tuple[float, float]]


def _at(value: Any, component: tuple[int, ...]) -> Any:
    return np.asarray(value)[..., component[0]] if component else value


def _percentile(result: BootstrapResult, component: tuple[int, ...], level: float) -> Any:
    values = _at(result.rescaled, component)
    return intervals.percentile_ends(values, level, result.probabilities)


def _basic(result: BootstrapResult, component: tuple[int, ...], level: float) -> Any:
    values, estimate = _at(result.rescaled, component), _at(result.estimate, component)
    return intervals.basic_ends(float(estimate), values, level, result.probabilities)


def _normal(result: BootstrapResult, component: tuple[int, ...], level: float) -> Any:
    error = _at(result.standard_error, component)
    return intervals.normal_ends(float(_at(result.estimate, component)), float(error), level)


def _bca(result: BootstrapResult, component: tuple[int, ...], level: float) -> Any:
    a = result.task.acceleration(component)
    values, estimate = _at(result.distribution, component), _at(result.estimate, component)
    return intervals.bca_ends(float(estimate), values, a, level, result.probabilities)


def _studentised(result: BootstrapResult, component: tuple[int, ...], level: float) -> Any:
    if result.standard_errors is None:
        raise ValueError(
            "the studentised interval needs the standard error within each resample: call "
            "bootstrap with standard_error='jackknife', 'nested' or a callable."
        )
    return intervals.studentised_ends(
        float(_at(result.estimate, component)),
        float(_at(result.sample_error, component)),
        _at(result._pivotal, component),
        _at(result.standard_errors, component),
        level,
    )


_METHODS: dict[str, Ends] = {
    "normal": _normal,
    "basic": _basic,
    "percentile": _percentile,
    "bca": _bca,
    "studentised": _studentised,
}
