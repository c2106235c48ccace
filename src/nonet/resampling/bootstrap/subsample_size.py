"""The size of subsamples, chosen from the data.

Subsampling (and the bootstrap of m of n rows) is right for large samples if the size m grows with n
and m / n vanishes. Both rules look for a range of sizes in which the result does not depend on m.

References: D. Politis, J. Romano & M. Wolf (1999), Subsampling, section 9.3 (minimum volatility);
P. Bickel & A. Sakov (2008), On the choice of m in the m out of n bootstrap and confidence bounds
for extrema, Statistica Sinica 18, 967-985 (the distance of successive distributions).
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Codes, Floats
from nonet._base.names import look_up
from nonet._base.params import Integer, bad_parameter
from nonet._base.results import Result
from nonet.resampling.bootstrap.bootstrap import bootstrap
from nonet.resampling.bootstrap.bootstrap_result import BootstrapResult
from nonet.resampling.bootstrap.draws import seed_of
from nonet.resampling.statistics.samples import as_sample

# Sizes tried by default: n q^j down to the root of n, but not below so many rows.
_FACTOR = 0.75
_FEWEST_ROWS = 5
# The volatility of a size is taken over so many sizes on each side of it.
_NEIGHBOURS = 2


@dataclass(frozen=True)
class SubsampleSize(Result):
    """The size of subsamples at which the result depends least on the size.

    Attributes
    ----------
    size : int
        The chosen size.
    sizes : ndarray of shape (n_sizes,)
        The sizes tried, ascending.
    criterion : ndarray of shape (n_sizes,)
        What is minimised: the volatility of the interval or the distance of distributions; NaN for
        sizes that have no neighbours to be compared with.
    low, high : ndarray of shape (n_sizes,)
        The basic interval at each size.
    result : BootstrapResult
        The bootstrap at the chosen size.
    method : str
        The rule.

    Examples
    --------
    >>> from nonet.resampling import choose_subsample_size
    >>> x = np.random.default_rng(0).exponential(size=200)
    >>> found = choose_subsample_size(x, "median", n_resamples=500, random_state=0)
    >>> bool(found.low[found.sizes == found.size][0] < np.median(x))
    True
    """

    size: int
    sizes: Codes
    criterion: Floats
    low: Floats
    high: Floats
    result: BootstrapResult
    method: str

    _shown: ClassVar[tuple[str, ...]] = ("size", "method", "sizes", "criterion")


def choose_subsample_size(
    data: Any,
    statistic: Any,
    *,
    sizes: ArrayLike | None = None,
    method: str = "volatility",
    confidence_level: float = 0.95,
    replace: bool = False,
    n_resamples: int = 1000,
    random_state: Any = None,
    **options: Any,
) -> SubsampleSize:
    """Choose the number of rows in a resample from the data.

    1. Bootstrap with each size, and find its basic interval.
    2. Measure how much the result changes from one size to the next.
    3. Choose the size at which it changes least.

    Parameters
    ----------
    data : array-like, data frame, or tuple of these
        One sample, as in `bootstrap`.
    statistic : str or callable
        One number, as in `bootstrap`.
    sizes : array-like of int, default=None
        At least 3 sizes below n. None tries n * 0.75 ** j for j = 1, 2, ..., down to the root of n.
    method : {'volatility', 'distance'}, default='volatility'
        'volatility' minimises the standard deviation of the ends of the interval over a size and
        two neighbours on each side (Politis, Romano & Wolf). 'distance' minimises the greatest
        distance between the distribution functions of the rescaled deviations at a size and at the
        next one (Bickel & Sakov); among equals it takes the largest size.
    confidence_level : float, default=0.95
        That of the interval.
    replace : bool, default=False
        Whether rows are drawn with replacement.
    n_resamples : int, default=1000
        Resamples for each size.
    random_state : int, RandomState, Generator or None, default=None
        The same for every size, so that sizes differ by chance as little as possible.
    **options
        ``rate``, ``groups``: other parameters of `bootstrap`.

    Returns
    -------
    found : SubsampleSize
        ``size``, and ``result``, the bootstrap at this size.

    Examples
    --------
    >>> from nonet.resampling import choose_subsample_size
    >>> x = np.random.default_rng(0).uniform(size=300)
    >>> found = choose_subsample_size(x, "maximum", rate=1, random_state=0)
    >>> low, high = found.result.interval("basic", 0.9)
    >>> bool(low < 1 < high), found.size < 300
    (True, True)
    """
    rule = look_up(_METHODS, method, "method of choosing a size")
    _check_options(options)
    tried = _check_sizes(sizes, data, options.get("groups"))
    options |= {
        "replace": replace,
        "n_resamples": n_resamples,
        "random_state": seed_of(random_state),
    }
    results = [bootstrap(data, statistic, size=int(size), **options) for size in tried]
    if results[0].distribution.ndim > 1:
        raise ValueError(
            "choose_subsample_size needs a statistic that is one number, but this one is a vector; "
            "choose a size for each component."
        )
    low, high = np.array([list(own.interval("basic", confidence_level)) for own in results]).T
    criterion = rule(results, low, high)
    # Among equal minima the largest size, which is nearest to the sample's.
    best = len(tried) - 1 - int(np.nanargmin(criterion[::-1]))
    return SubsampleSize(int(tried[best]), tried, criterion, low, high, results[best], method)


def _check_options(options: dict[str, Any]) -> None:
    """Raise for names that `bootstrap` does not have, or that this function sets itself."""
    known = [name for name in signature(bootstrap).parameters if name not in ("size", "indices")]
    for name in options:
        if name not in known:
            raise TypeError(
                f"choose_subsample_size has no parameter {name!r}, nor does it pass one to "
                "bootstrap; the sizes to try are given as sizes."
            )


def _check_sizes(sizes: ArrayLike | None, data: Any, groups: ArrayLike | None) -> Codes:
    n_rows = as_sample(data).sizes[0]
    n_units = n_rows if groups is None else len(np.unique(np.asarray(groups)))
    tried = _default_sizes(n_units) if sizes is None else np.unique(np.asarray(sizes))
    allowed = f"at least 3 different whole numbers from 1 to {n_units - 1}"
    if len(tried) < 3 or not all(Integer(1, n_units - 1).allows(size) for size in tried.tolist()):
        raise bad_parameter("choose_subsample_size", "sizes", allowed, tried.tolist())
    return tried


def _default_sizes(n_units: int) -> Codes:
    fewest = max(np.sqrt(n_units), _FEWEST_ROWS)
    powers = n_units * _FACTOR ** np.arange(1, 1 + np.log(n_units) / -np.log(_FACTOR))
    return np.unique(np.ceil(powers[powers >= fewest])).astype(np.intp)


def _volatility(results: list[BootstrapResult], low: Floats, high: Floats) -> Floats:
    """Sum of the standard deviations of both ends over each size and its neighbours."""
    reach = min(_NEIGHBOURS, (len(low) - 1) // 2)
    found = np.full(len(low), np.nan)
    for middle in range(reach, len(low) - reach):
        near = slice(middle - reach, middle + reach + 1)
        found[middle] = low[near].std(ddof=1) + high[near].std(ddof=1)
    return found


def _distance(results: list[BootstrapResult], low: Floats, high: Floats) -> Floats:
    """Kolmogorov's distance of the distribution at each size from that at the next smaller one."""
    found = np.full(len(results), np.nan)
    for number in range(1, len(results)):
        found[number] = _kolmogorov(results[number].rescaled, results[number - 1].rescaled)
    return found


def _kolmogorov(first: Floats, second: Floats) -> float:
    both = np.concatenate([first, second])
    reached = [
        np.searchsorted(np.sort(own), both, side="right") / len(own) for own in (first, second)
    ]
    return float(np.abs(reached[0] - reached[1]).max())


_METHODS = {"volatility": _volatility, "distance": _distance}
