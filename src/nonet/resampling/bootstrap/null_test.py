"""A hypothesis test from a bootstrap distribution.

The spread of resamples about the estimate stands for the spread of samples about the null value:
the estimate is surprising if few resamples deviate as much. Reference: P. Hall & S. Wilson
(1991), Two guidelines for bootstrap hypothesis testing, Biometrics 47, 757-762.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Floats
from nonet._base.params import Choice, bad_parameter
from nonet._base.results import Result

_ALTERNATIVE = Choice("two-sided", "less", "greater")


@dataclass(frozen=True)
class BootstrapTest(Result):
    """The outcome of a test.

    Attributes
    ----------
    p_value : float or ndarray of shape (n_components,)
        Fraction of resamples that deviate at least as much as the estimate does from the null
        value; the estimate itself counts as one of them, so that it is never 0 unless all were
        enumerated.
    null_value : float or ndarray
        The value tested.
    alternative : str
        The side of the alternative.
    studentised : bool
        Whether distances were measured in standard errors.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> test = bootstrap([1.0, 4.0, 7.0, 9.0], "mean", exact=True).test(null_value=5.0)
    >>> test.p_value > 0.5
    True
    """

    p_value: float | Floats
    null_value: float | Floats
    alternative: str
    studentised: bool

    _shown: ClassVar[tuple[str, ...]] = ("p_value", "null_value", "alternative", "studentised")


def compare_with_null(
    estimate: Floats,
    distribution: Floats,
    null_value: Any,
    alternative: str,
    *,
    probabilities: Floats | None = None,
    sample_error: Any = None,
    standard_errors: Floats | None = None,
) -> BootstrapTest:
    """Compare estimate - null_value with value - estimate over the resamples."""
    if not _ALTERNATIVE.allows(alternative):
        raise bad_parameter("test", "alternative", _ALTERNATIVE.describe(), alternative)
    null = np.asarray(null_value, dtype=np.float64)
    if not np.isfinite(null).all() or null.shape not in ((), estimate.shape):
        allowed = f"a finite number or an array of shape {estimate.shape}"
        raise bad_parameter("test", "null_value", allowed, null_value)
    observed, strayed = estimate - null, distribution - estimate
    usable = np.ones(strayed.shape, dtype=bool)
    if standard_errors is not None:
        usable = standard_errors > 0
        observed = observed / sample_error
        strayed = strayed / np.where(usable, standard_errors, 1.0)
    as_far = _are_as_far(observed, strayed, alternative)
    if probabilities is None:
        fraction = (1 + np.sum(as_far & usable, axis=0)) / (1 + usable.sum(axis=0))
    else:
        fraction = np.average(as_far, axis=0, weights=probabilities)
    p_value = float(fraction) if np.ndim(fraction) == 0 else fraction
    return BootstrapTest(p_value, null[()], alternative, standard_errors is not None)


def _are_as_far(observed: Floats, strayed: Floats, alternative: str) -> NDArray[np.bool_]:
    if alternative == "two-sided":
        observed, strayed = np.abs(observed), np.abs(strayed)
    # Sums in another order may differ in the last bits: they still count as equally far.
    slack = 1e-12 * np.maximum(np.abs(observed), np.abs(strayed).max(axis=0, initial=0))
    far = strayed <= observed + slack if alternative == "less" else strayed >= observed - slack
    return np.asarray(far)
