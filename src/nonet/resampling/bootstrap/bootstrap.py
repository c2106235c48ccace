"""Bootstrap: the distribution of an estimate over samples drawn from the sample.

References: B. Efron (1979), Bootstrap methods: another look at the jackknife, Annals of Statistics
7, 1-26; B. Efron & R. Tibshirani (1993), An Introduction to the Bootstrap; A. Davison & D. Hinkley
(1997), Bootstrap Methods and their Application.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.params import Boolean, Integer, Nothing, Real, Rule, bad_parameter
from nonet._base.progress import Steps
from nonet.resampling.bootstrap.bootstrap_result import BootstrapResult
from nonet.resampling.bootstrap.cautions import caution
from nonet.resampling.bootstrap.choose_draws import choose_draws
from nonet.resampling.bootstrap.draws import GivenDraws, seed_of
from nonet.resampling.bootstrap.measures import takes
from nonet.resampling.bootstrap.monte_carlo import monte_carlo_error
from nonet.resampling.bootstrap.rescaling import ROOT_N, Rescaling, choose_rescaling
from nonet.resampling.bootstrap.schemes import Scheme
from nonet.resampling.bootstrap.task import Task
from nonet.resampling.statistics.samples import as_sample
from nonet.resampling.statistics.statistics import statistic_name

_RULES: dict[str, Rule] = {
    "n_resamples": Integer(2),
    "paired": Boolean(),
    "n_nested": Integer(2),
    "until": Nothing() | Real(0, open_low=True),
    "exact": Nothing() | Boolean(),
    "rate": Real(0),
    "replace": Boolean(),
}
# Resamples drawn before the precision is checked for the first time.
_FIRST_ROUND = 1000
# Number of progress reports.
_N_REPORTS = 20


def bootstrap(
    data: Any,
    statistic: Any,
    *,
    n_resamples: int = 9999,
    paired: bool = True,
    scheme: Scheme | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    size: int | tuple[int, ...] | None = None,
    replace: bool = True,
    rate: float = ROOT_N,
    draw_weights: ArrayLike | None = None,
    indices: Any = None,
    standard_error: str | Callable[..., Any] | None = None,
    n_nested: int = 50,
    exact: bool | None = None,
    until: float | None = None,
    progress: bool | Callable[[int, int], Any] = False,
    random_state: Any = None,
) -> BootstrapResult:
    """Estimate the distribution of a statistic by drawing samples from the sample.

    1. Draw as many rows as there are, with replacement (or by ``scheme``).
    2. Compute the statistic of this resample.
    3. Repeat; the values are the distribution, its spread the standard error.

    Parameters
    ----------
    data : array-like, data frame, or tuple of these
        Rows are observations. A tuple is handed to the statistic as several arguments.
    statistic : str or callable
        As in `jackknife`. Named statistics are resampled by compiled code that holds neither the
        draws nor the resamples in memory; callables that take ``axis`` in batches, others one
        resample at a time.
    n_resamples : int, default=9999
        How many resamples; with ``until``, the most.
    paired : bool, default=True
        Whether the parts of a tuple have the same rows. If not, they are samples of their own, each
        resampled apart, as for the difference of two means.
    scheme : Scheme, default=None
        Another way to make resamples: `MovingBlocks`, `CircularBlocks`, `StationaryBlocks`,
        `Parametric`, `Smoothed`, `Bayesian`, `Residual` or `Wild`.
    groups : array-like of shape (n,), default=None
        Labels of rows that are drawn together (clusters).
    strata : array-like of shape (n,), default=None
        Labels of rows that are drawn among themselves.
    size : int or tuple of int, default=None
        Rows (groups) in a resample, one number for each sample or stratum; None means as many as
        there are. Standard errors, bias, intervals and tests are rescaled to the rows that there
        are, so samples and strata must all be resampled by the same fraction.
        `choose_subsample_size` finds one from the data.
    replace : bool, default=True
        Whether rows (groups) are drawn with replacement. False is subsampling, which is consistent
        for every statistic with a limit distribution if ``size`` grows slower than n; it needs a
        ``size`` below n.
    rate : float, default=0.5
        The statistic converges as n ** -rate. With resamples of m rows, deviations from the
        estimate are multiplied by (m / n) ** rate; the bias by m / n at the default rate, as root-n
        statistics have a bias of the order 1 / n. Without replacement the default rate also divides
        deviations by the root of 1 - m / n, and the bias by 1 - m / n, as subsamples share rows
        with the sample. 0 rescales nothing: the result then describes samples of ``size`` rows.
    draw_weights : array-like of shape (n,), default=None
        How likely each row is to be drawn, up to a factor. The estimate is the statistic of the
        weighted rows. Named statistics take weights; a callable gets them as ``weights=``, whose
        sum is n, or, if it has no such argument, rows repeated in proportion to them.
    indices : array-like of shape (n_resamples, size), or tuple of these, default=None
        Rows of each resample, sampled with replacement elsewhere; one array for each sample.
    standard_error : {'jackknife', 'nested'} or callable, default=None
        How the standard error within a resample is found, for studentised intervals and tests: by
        leaving its rows out, by resampling it again, or by a formula of the tables, which with
        ``draw_weights`` has to take ``weights`` too.
    n_nested : int, default=50
        Resamples of a resample, for ``standard_error='nested'``.
    exact : bool, default=None
        Whether to enumerate all resamples with their probabilities instead of drawing. None does
        so if there are at most ``n_resamples`` of them (up to 8 rows with the default) and no
        ``standard_error`` is requested.
    until : float, default=None
        Stop as soon as the Monte Carlo errors of mean, standard error and both ends of the 95 %
        percentile interval are below so many standard errors, such as 0.05.
    progress : bool or callable, default=False
        True shows the progress on stderr, as `nonet.show_progress` does; a callable gets
        (done, n_resamples).
    random_state : int, RandomState, Generator or None, default=None
        Resample b is a function of this and of b alone: neither threads nor ``n_resamples`` nor the
        order matter.

    Returns
    -------
    result : BootstrapResult
        ``estimate``, ``distribution``, ``bias``, ``standard_error``, ``interval(method, level)``,
        ``test(null_value)``, ``monte_carlo_error()``, ``plot()``.

    Warns
    -----
    ResamplingWarning
        If the statistic has no finite value in some resamples. They are counted and left out.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> result = bootstrap([1, 4, 7, 9], "mean")  # small enough for all 35 resamples
    >>> result.exact, result.estimate, result.variance
    (True, 5.25, 2.296875)
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=50)
    >>> result = bootstrap((x, x + rng.normal(size=50)), "correlation", random_state=0)
    >>> result.n_resamples
    9999
    >>> low, high = result.interval("bca", 0.9)
    >>> bool(low < result.estimate < high)
    True
    >>> quarter = bootstrap(x, "mean", size=12, random_state=0)  # rescaled to 50 rows
    >>> bool(abs(quarter.standard_error / (x.std() / np.sqrt(50)) - 1) < 0.05)
    True
    >>> subsets = bootstrap(x, "mean", size=12, replace=False, random_state=0)
    >>> bool(abs(subsets.standard_error / (x.std(ddof=1) / np.sqrt(50)) - 1) < 0.05)
    True
    >>> weighted = bootstrap(np.arange(10.0), "mean", draw_weights=np.arange(1, 11))
    >>> round(weighted.estimate, 9)
    6.0
    """
    _check_parameters(
        n_resamples=n_resamples,
        paired=paired,
        n_nested=n_nested,
        until=until,
        exact=exact,
        rate=rate,
        replace=replace,
    )
    if standard_error is not None:
        exact = _refuse_exact(exact)
    sample = as_sample(data, paired=paired)
    rows = {
        "groups": groups,
        "strata": strata,
        "size": size,
        "draw_weights": draw_weights,
        "replace": None if replace else False,
    }
    draws, probabilities = choose_draws(
        sample, rows, scheme, indices, exact, n_resamples, seed_of(random_state)
    )
    if isinstance(draws, GivenDraws):
        n_resamples = len(draws.indices[0])
    rescaling = choose_rescaling(getattr(draws, "sizes_of_pools", []), rate, replace)
    task = Task(sample, statistic, draws)
    values = _draw_all(task, n_resamples, until, progress)
    result = _collect(task, values, probabilities, rescaling, standard_error, n_nested)
    if result.n_degenerate:
        caution(
            f"{statistic_name(task.measured.statistic)} has no finite value in "
            f"{result.n_degenerate} of {len(values)} resamples; they are left out of the "
            "distribution."
        )
    return result


def _check_parameters(**given: Any) -> None:
    for name, value in given.items():
        if not _RULES[name].allows(value):
            raise bad_parameter("bootstrap", name, _RULES[name].describe(), value)


def _refuse_exact(exact: bool | None) -> bool:
    """Studentised quantiles are taken over random resamples, which all count alike."""
    if exact:
        raise ValueError(
            "exact=True cannot be combined with standard_error; leave one of them out."
        )
    return False


def _draw_all(task: Task, n_resamples: int, until: float | None, progress: Any) -> Floats:
    """Return the values of all resamples, or of as many as the requested precision needs."""
    report = progress if callable(progress) else None
    rounds, done = [], 0
    with Steps("bootstrap", "resamples", progress is True).track(n_resamples) as shown:
        n_reports = _N_REPORTS if report is not None or shown.is_shown else 1
        for count, may_stop in _rounds(n_resamples, until is not None, n_reports):
            rounds.append(task.measured.resample(task.draws, done, count))
            done += count
            shown.reach(done)
            if report is not None:
                report(done, n_resamples)
            if until is not None and may_stop and _is_precise(np.concatenate(rounds), until):
                break
    return np.concatenate(rounds)


def _rounds(n_resamples: int, look: bool, n_reports: int) -> Iterator[tuple[int, bool]]:
    """Yield how many resamples to draw next, and whether the precision is checked after them.

    It is checked whenever the number has doubled, so that reports in between change no result.
    """
    done, next_look = 0, _FIRST_ROUND if look else n_resamples
    while done < n_resamples:
        end = min(next_look, done + -(-n_resamples // n_reports), n_resamples)
        yield end - done, end == next_look
        done = end
        next_look = 2 * done if done == next_look else next_look


def _is_precise(values: Floats, until: float) -> bool:
    finite = values[_are_finite(values)]
    if len(finite) < 2:
        return False
    return bool(np.all(monte_carlo_error(finite).worst() <= until * finite.std(axis=0, ddof=1)))


def _are_finite(values: Floats) -> Any:
    return np.isfinite(values).reshape(len(values), -1).all(axis=1)


def _collect(
    task: Task,
    values: Floats,
    probabilities: Floats | None,
    rescaling: Rescaling,
    standard_error: Any,
    n_nested: int,
) -> BootstrapResult:
    """Leave degenerate resamples out, count them, and add standard errors on request."""
    kept = np.flatnonzero(_are_finite(values))
    n_degenerate = len(values) - len(kept)
    if len(kept) < 2:
        raise ValueError(
            f"{statistic_name(task.measured.statistic)} has a finite value in only {len(kept)} of "
            f"{len(values)} resamples: there is no distribution."
        )
    if probabilities is not None:
        probabilities = probabilities[kept] / probabilities[kept].sum()
    rescaled = rescaling.about(task.measured.estimate, values[kept])
    errors, own = _standard_errors(task, kept, rescaled, standard_error, n_nested)
    estimate = task.measured.estimate
    return BootstrapResult(
        float(estimate) if estimate.ndim == 0 else estimate,
        values[kept],
        probabilities,
        n_degenerate,
        own,
        errors,
        task,
        rescaling,
    )


def _standard_errors(
    task: Task, resamples: Any, rescaled: Floats, how: Any, n_nested: int
) -> tuple[Floats | None, Any]:
    """Return the standard errors within the resamples, and that of the data by the same means."""
    if how is None:
        return None, None
    if callable(how):
        errors = [np.asarray(how(*task.draws.tables(int(b))[0]), float) for b in resamples]
        return np.stack(errors), np.asarray(_error_of_data(task, how), float)[()]
    if how == "jackknife":
        errors = [task.jackknife_error(int(b)) for b in resamples]
        return np.stack(errors), task.sample_error[()]
    if how == "nested":
        errors = [task.nested_error(int(b), n_nested) for b in resamples]
        return np.stack(errors), rescaled.std(axis=0, ddof=1)[()]
    raise bad_parameter("bootstrap", "standard_error", "'jackknife', 'nested' or a callable", how)


def _error_of_data(task: Task, formula: Callable[..., Any]) -> Any:
    """Return the standard error of the estimate by a formula of the (weighted) tables."""
    weights = task.measured.weights
    if weights is None:
        return formula(*task.sample.parts)
    if not takes(formula, "weights"):
        raise ValueError(
            f"standard_error {statistic_name(formula)} must take a keyword argument weights to be "
            "used with draw_weights; 'jackknife' and 'nested' need none."
        )
    return formula(*task.sample.parts, weights=weights)
