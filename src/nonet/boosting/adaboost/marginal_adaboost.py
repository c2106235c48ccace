"""Marginal AdaBoost: find the maximum rho for AdaBoost_rho by bisection.

References
----------
G. Raetsch, M. Warmuth, "Maximizing the margin with boosting", *COLT* 2002; "Efficient margin
maximizing with boosting", *JMLR* 6, 2131-2152, 2005.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sklearn.base import clone

from nonet._base.params import Integer, bad_parameter
from nonet._base.results import Result
from nonet.boosting.adaboost.adaboost import AdaBoostClassifier
from nonet.boosting.adaboost.methods.margin_methods import AdaBoostRho


@dataclass(frozen=True)
class MarginSearch(Result):
    """Result of :func:`search_margin`.

    Attributes
    ----------
    model : AdaBoostClassifier
        The fitted model with the maximum smallest margin.
    margin : float
        Its smallest margin.
    upper : float
        An upper bound on the margin of any vote of such members, if the learner finds the best of
        them: the minimum edge of a member over all runs.
    target_margins : tuple of float
        The target margins, one per run.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier, DecisionStump
    >>> from nonet.boosting import search_margin
    >>> X, y = [[1], [2], [3], [4]], [-1, 1, -1, -1]
    >>> found = search_margin(AdaBoostClassifier(DecisionStump(), n_estimators=300), X, y)
    >>> print(f"{found.margin:.1f} of at most {found.upper:.1f}")
    0.3 of at most 0.3
    """

    model: AdaBoostClassifier
    margin: float
    upper: float
    target_margins: tuple[float, ...]

    _shown: ClassVar[tuple[str, ...]] = ("margin", "upper", "target_margins")


def search_margin(
    model: AdaBoostClassifier, X: Any, y: Any, sample_weight: Any = None, *, n_runs: int = 6
) -> MarginSearch:
    """Maximize the smallest margin by repeated runs of AdaBoost_rho (Marginal AdaBoost).

    The target margin of each run is midway between the maximum margin reached so far and the
    minimum edge of a member so far, which no margin exceeds.

    Parameters
    ----------
    model : AdaBoostClassifier
        A model with the learner and settings to use; it is cloned, and its ``method`` replaced.
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels of two classes.
    sample_weight : array-like of shape (n_samples,), default=None
        First weights of the rows.
    n_runs : int, default=6
        Number of runs.

    Returns
    -------
    found : MarginSearch

    Examples
    --------
    See :class:`MarginSearch`.

    >>> from nonet.boosting import search_margin
    """
    if not Integer(1).allows(n_runs):
        raise bad_parameter("search_margin", "n_runs", Integer(1).describe(), n_runs)
    best, lower, upper, target_margins = None, -1.0, 1.0, []
    rho = 0.0
    for _ in range(n_runs):
        run = clone(model).set_params(method=AdaBoostRho(rho)).fit(X, y, sample_weight)
        target_margins.append(rho)
        reached = float(run.round_log_.smallest_margin[-1])
        if best is None or reached > lower:
            best, lower = run, reached
        upper = min(upper, float(2 * run.round_log_.edge.min()))
        rho = max((max(lower, 0.0) + upper) / 2, 0.0)
    assert best is not None
    return MarginSearch(best, lower, upper, tuple(target_margins))
