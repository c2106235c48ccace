"""Methods that find member weights from held-out predictions, and their short names.

The methods that score each member alone are here; least squares, ridge to uniform and greedy
selection, which use the members together, have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from nonet._base.aliases import Floats
from nonet._base.names import look_up
from nonet._base.params import Nothing, Rule, bad_parameter
from nonet.combine.blend_scores import Scoring, scores_by, squared_error_scores
from nonet.combine.greedy import GreedySelection
from nonet.combine.held_out import HeldOut
from nonet.combine.least_squares import NonNegative, Simplex
from nonet.combine.ridge_to_uniform import RidgeToUniform
from nonet.combine.weight_finder import WeightFinder, uniform_weights

__all__ = [
    "WEIGHT_FINDERS",
    "Accuracy",
    "BestMember",
    "GreedySelection",
    "LogOdds",
    "NonNegative",
    "RidgeToUniform",
    "Simplex",
    "Uniform",
    "WeightFinder",
    "held_out_accuracy",
    "log_odds_weights",
    "resolve_weight_finder",
]


def held_out_accuracy(held_out: HeldOut) -> Floats:
    """Return the fraction of rows on which each member predicts the true class.

    Parameters
    ----------
    held_out : HeldOut
        Predictions of k members in classification; an abstention counts as an error.

    Returns
    -------
    accuracy : ndarray of shape (k,)

    Examples
    --------
    >>> from nonet.combine.held_out import check_held_out
    >>> from nonet.combine.weights import held_out_accuracy
    >>> held_out_accuracy(check_held_out([[0, 1], [1, -1]], [0, 1], classes=["no", "yes"]))
    array([1., 0.])
    """
    hits = held_out.named_classes() == held_out.target[:, np.newaxis]
    return np.average(hits, axis=0, weights=held_out.sample_weight)


def log_odds_weights(n_hits: Floats, n_rows: float, n_classes: int = 2) -> Floats:
    """Return log-odds of accuracies, shifted so that random guessing gets 0, at least 0.

    Parameters
    ----------
    n_hits : ndarray of shape (k,)
        The number of rows on which each voter is right.
    n_rows : float
        The number of rows.
    n_classes : int, default=2
        The number of classes.

    Returns
    -------
    weights : ndarray of shape (k,)
        max(0, log((c - 1) p / (1 - p))) with the smoothed accuracy p = (hits + 1) / (rows + 2),
        so that a voter without an error gets a finite weight.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine.weights import log_odds_weights
    >>> log_odds_weights(np.array([8.0, 4.0, 1.0]), n_rows=8).round(4)
    array([2.1972, 0.    , 0.    ])
    """
    hits, misses = n_hits + 1, n_rows - n_hits + 1
    return np.maximum(0.0, np.log(max(n_classes - 1, 1) * hits / misses))


class Uniform(WeightFinder):
    """The same weight 1/k for each of k members, whatever they predict.

    Examples
    --------
    >>> from nonet.combine.weights import Uniform
    >>> Uniform().find([[1.0, 2.0]], [1.0])
    array([0.5, 0.5])
    """

    def _find(self, held_out: HeldOut) -> Floats:
        return uniform_weights(held_out.n_members)


class Accuracy(WeightFinder):
    """Weights in proportion to held-out accuracy; they sum to one.

    A member predicts the class of its highest support, the first one if several are equal; an
    abstention is an error. If no member is ever right, all get the same weight.

    Examples
    --------
    >>> from nonet.combine.weights import Accuracy
    >>> votes = [[0, 0], [1, 1], [1, 0], [0, 1]]
    >>> Accuracy().find(votes, [0, 1, 1, 1], classes=["no", "yes"])
    array([0.5, 0.5])
    """

    def _find(self, held_out: HeldOut) -> Floats:
        _refuse_regression(self, held_out)
        accuracy = held_out_accuracy(held_out)
        weights: Floats = accuracy / max(accuracy.sum(), np.finfo(float).tiny)
        return weights


class LogOdds(WeightFinder):
    """Weights log((c - 1) p / (1 - p)) of the held-out accuracy p, and 0 below random guessing.

    These weights are optimal for a vote if members err independently. With two classes the weight
    is the log-odds of being right; the factor c - 1, as in SAMME, gives random guessing the
    weight 0 for any number of classes. p = (hits + 1) / (rows + 2), so no weight is infinite; rows
    count with their ``sample_weight``. If no member is better than random guessing, all get the
    same weight.

    References
    ----------
    S. Nitzan and J. Paroush, Optimal decision rules in uncertain dichotomous choice situations,
    International Economic Review 23, 1982.
    L. I. Kuncheva, Combining Pattern Classifiers, Wiley, 2004, section 4.3.

    Examples
    --------
    >>> from nonet.combine.weights import LogOdds
    >>> votes = [[0, 0], [1, 1], [1, 0], [0, 1]]
    >>> LogOdds().find(votes, [0, 1, 1, 0], classes=["no", "yes"]).round(4)
    array([1.6094, 0.    ])
    """

    def _find(self, held_out: HeldOut) -> Floats:
        _refuse_regression(self, held_out)
        n_rows = held_out.row_weights.sum()
        return log_odds_weights(n_rows * held_out_accuracy(held_out), n_rows, held_out.n_targets)


class BestMember(WeightFinder):
    """Select the member with the best held-out score: it gets all the weight.

    Of equal scores the first member is selected.

    Parameters
    ----------
    scoring : str, callable or None, default=None
        A scikit-learn scorer, its name, or a callable (estimator, X, y). None means accuracy in
        classification and squared error in regression.

    Examples
    --------
    >>> from nonet.combine.weights import BestMember
    >>> BestMember().find([[1.0, 5.0], [3.0, 3.0]], [2.0, 3.0])
    array([1., 0.])
    """

    _rules: Mapping[str, Rule] = {"scoring": Nothing() | Scoring()}

    def __init__(self, scoring: str | Callable[..., float] | None = None) -> None:
        self.scoring = scoring

    def _find(self, held_out: HeldOut) -> Floats:
        weights = np.zeros(held_out.n_members)
        weights[np.argmax(self._member_scores(held_out))] = 1.0
        return weights

    def _member_scores(self, held_out: HeldOut) -> Floats:
        if self.scoring is None and held_out.classes is not None:
            return held_out_accuracy(held_out)
        by_score = (
            squared_error_scores(held_out)
            if self.scoring is None
            else scores_by(self.scoring, held_out)
        )
        return by_score(np.zeros(held_out.n_members), np.arange(held_out.n_members))


def _refuse_regression(finder: WeightFinder, held_out: HeldOut) -> None:
    if held_out.classes is None:
        raise ValueError(
            f"{type(finder).__name__} weighs members by how often they predict the right class, "
            "which does not apply to regression; use 'non_negative', 'simplex', "
            "'ridge_to_uniform', 'greedy', 'best' or 'uniform'."
        )


WEIGHT_FINDERS: dict[str, WeightFinder] = {
    "uniform": Uniform(),
    "accuracy": Accuracy(),
    "log_odds": LogOdds(),
    "non_negative": NonNegative(),
    "simplex": Simplex(),
    "ridge_to_uniform": RidgeToUniform(),
    "greedy": GreedySelection(),
    "best": BestMember(),
}


def resolve_weight_finder(weights: Any) -> WeightFinder:
    """Return a checked copy of the weight finder for a short name or an object.

    Parameters
    ----------
    weights : str or WeightFinder
        A key of ``WEIGHT_FINDERS``, or a finder object.

    Returns
    -------
    finder : WeightFinder
        A copy, so that the attributes a finder sets belong to one ensemble.

    Examples
    --------
    >>> from nonet.combine.weights import resolve_weight_finder
    >>> resolve_weight_finder("simplex").find([[1.0, 5.0]], [2.0]).round(6)
    array([0.75, 0.25])
    """
    if isinstance(weights, str):
        weights = look_up(WEIGHT_FINDERS, weights, "weight finder")
    if not isinstance(weights, WeightFinder):
        known = ", ".join(repr(name) for name in WEIGHT_FINDERS)
        allowed = f"a weight finder or one of its short names {known}"
        raise bad_parameter("ensemble", "weights", allowed, weights)
    finder: WeightFinder = clone(weights)
    finder.check()
    return finder
