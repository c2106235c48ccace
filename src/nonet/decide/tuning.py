"""Search for the threshold that maximises a metric on held-out rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.warn import warn_caller

# Enough to be within 1/2 % of the best rank; each costs one evaluation of the metric on all rows.
_MAX_CANDIDATES = 256

# Two orders of summing the same weights differ in the last digits; they count as equal.
_ROUNDING = 1e-12

DEFAULT_SCORING = "balanced_accuracy"

Metric = Callable[[Array, Array, Floats | None], float]


def find_threshold(
    scores: ArrayLike,
    is_positive: ArrayLike,
    *,
    scoring: str | Callable[..., float] = DEFAULT_SCORING,
    labels: Sequence[Any] | Array = (0, 1),
    sample_weight: ArrayLike | None = None,
    prefer: float = 0.5,
) -> float:
    """Find the threshold of the positive class's score that maximises a metric.

    Candidates are midway between neighbouring scores, plus one beyond either end (at most 256
    in all, evenly spaced in rank). Of several best ones the nearest to ``prefer`` is taken.

    Parameters
    ----------
    scores : array-like of shape (n,)
        Support of the positive class on rows the models have not seen.
    is_positive : array-like of bool of shape (n,)
        Which rows are of the positive class.
    scoring : str or callable, default='balanced_accuracy'
        The name of a scikit-learn scorer that reads decisions; or ``metric(y_true, y_pred)``,
        larger is better.
    labels : pair of labels, default=(0, 1)
        The labels that a callable metric receives for the negative and the positive class.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows.
    prefer : float, default=0.5
        The preferred threshold among equally good ones.

    Returns
    -------
    threshold : float

    Examples
    --------
    >>> from nonet.decide import find_threshold
    >>> find_threshold([0.1, 0.2, 0.4, 0.5], [False, False, True, True]).__round__(12)
    0.3
    """
    score, truth = np.asarray(scores), np.asarray(is_positive, dtype=bool)
    weight = check_sample_weight(sample_weight, len(score))
    if weight is not None:
        kept = weight > 0
        score, truth, weight = score[kept], truth[kept], weight[kept]
    _check_both_present(truth)
    candidates = _list_candidates(score)
    values = _score_all(_as_metric(scoring, labels), score, truth, weight, candidates)
    best = candidates[_is_best(values, scoring)]
    return float(best[np.argmin(np.abs(best - prefer))])


def check_scoring(scoring: Any) -> None:
    """Raise if scikit-learn has no scorer of this name, before any model is fitted."""
    if isinstance(scoring, str):
        get_scorer(scoring)


def _check_both_present(truth: Array) -> None:
    if truth.all() or not truth.any():
        kind = "positive" if truth.any() else "negative"
        raise ValueError(
            f"a threshold can only be tuned on rows of both classes, but all {truth.size} held-out "
            f"rows of positive weight are {kind}: use more rows, or a number as threshold."
        )


def warn_of_one_class(decisions: Array, truth: Array, scoring: Any) -> None:
    """Warn if a tuned threshold predicts one class for all rows, often for lack of data."""
    if decisions.all() or not decisions.any():
        kind = "positive" if decisions.any() else "negative"
        warn_caller(
            f"the best threshold for {scoring!r} predicts every row as {kind}: it was tuned on "
            f"{np.count_nonzero(truth)} positive and {np.count_nonzero(~truth)} negative held-out "
            "rows; use more rows, or a number as threshold."
        )


def _list_candidates(score: Floats) -> Floats:
    levels = np.unique(score).astype(np.float64)
    ends = np.array([np.nextafter(levels[0], -np.inf), np.nextafter(levels[-1], np.inf)])
    middles = levels[:-1] + np.diff(levels) / 2
    room = _MAX_CANDIDATES - len(ends)
    if len(middles) > room:
        middles = middles[np.linspace(0, len(middles) - 1, room).round().astype(np.intp)]
    return np.concatenate([ends[:1], middles, ends[1:]])


def _score_all(
    metric: Metric, score: Floats, truth: Array, weight: Floats | None, candidates: Floats
) -> Floats:
    with warnings.catch_warnings():
        # The thresholds beyond the ends predict one class only: precision is undefined there, and
        # the 0 that scikit-learn returns with its warning is the right value.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return np.array(
            [metric(truth, score > threshold, weight) for threshold in candidates], dtype=float
        )


def _is_best(values: Floats, scoring: Any) -> Array:
    if np.isnan(values).all():
        raise ValueError(f"scoring {scoring!r} is not a number at every threshold tried.")
    maximum = np.nanmax(values)
    return np.asarray(values >= maximum - _ROUNDING * abs(maximum))


def _as_metric(scoring: str | Callable[..., float], labels: Sequence[Any] | Array) -> Metric:
    return _named_metric(scoring) if isinstance(scoring, str) else _own_metric(scoring, labels)


def _own_metric(metric: Callable[..., float], labels: Sequence[Any] | Array) -> Metric:
    names = np.asarray(labels)

    def score(truth: Array, predictions: Array, weight: Floats | None) -> float:
        extra = {} if weight is None else {"sample_weight": weight}
        return metric(names[truth.astype(int)], names[predictions.astype(int)], **extra)

    return score


def _named_metric(name: str) -> Metric:
    """Return the scorer as a metric of 0/1 predictions; 1 is positive whatever the labels are."""
    scorer = get_scorer(name)

    def score(truth: Array, predictions: Array, weight: Floats | None) -> float:
        try:
            return float(
                scorer(
                    _GivenPredictions(),
                    predictions.astype(int),
                    truth.astype(int),
                    sample_weight=weight,
                )
            )
        except AttributeError as why:
            raise ValueError(
                f"scoring {name!r} does not read decisions, so that no threshold is best for it: "
                "use one that does, such as 'f1' or 'balanced_accuracy'."
            ) from why

    return score


class _GivenPredictions(ClassifierMixin, BaseEstimator):
    """A classifier whose predictions are its rows of X, so that a scorer can score them."""

    classes_ = np.array([0, 1])

    def predict(self, X: Array) -> Array:
        return X
