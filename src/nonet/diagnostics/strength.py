"""Strength and correlation of a forest, and the bound on its error that they give.

The raw margin of a tree on a row is 1 if it names the true class, -1 if it names the strongest
wrong class of the whole vote, else 0. Strength is the mean margin of the vote; correlation is the
variance of the margin over the squared mean standard deviation of the raw margins.

Reference: L. Breiman (2001), Random forests, Machine Learning 45, 5-32, section 2.2 and appendix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.results import Result
from nonet.diagnostics.diagnostics_docs import with_diagnostics_docs
from nonet.diagnostics.ensemble_predictions import gather_predictions
from nonet.diagnostics.member_predictions import MemberPredictions, count_votes
from nonet.theory import class_margins, strength_bound


@dataclass(frozen=True)
class StrengthCorrelation(Result):
    """Strength and correlation of the members of a vote.

    Attributes
    ----------
    strength : float
        The mean margin s of the vote.
    correlation : float
        The mean correlation rho of the members' raw margins.
    bound : float
        rho (1 - s^2) / s^2, an upper bound on the error of ever more such members; infinite if
        the strength is not positive. A value of 1 or more is uninformative.
    error : float
        The error of the ensemble on the same rows.

    Examples
    --------
    >>> from nonet.diagnostics import record_predictions
    >>> import nonet
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]]
    >>> result = nonet.strength_correlation(record_predictions(votes, [1, 1, 1, 1]))
    >>> round(result.strength, 3), round(result.correlation, 3)
    (0.5, 0.111)
    """

    strength: float
    correlation: float
    bound: float
    error: float

    _shown: ClassVar[tuple[str, ...]] = ("strength", "correlation", "ratio", "bound", "error")

    @property
    def ratio(self) -> float:
        """Breiman's c/s2 ratio: correlation over squared strength; smaller is better."""
        return self.correlation / self.strength**2 if self.strength > 0 else np.inf


@with_diagnostics_docs
def strength_correlation(
    ensemble: Any, X: Any = None, y: Any = None, *, out_of_bag: bool = False
) -> StrengthCorrelation:
    """Measure the strength of the members of a forest and the correlation of their margins.

    Parameters
    ----------
    ensemble : fitted classification ensemble, Ledger or MemberPredictions
        A forest, or any other vote.
    {unseen_rows}
    out_of_bag : bool, default=False
        Evaluate each member only on training rows it was not fitted on, as Breiman does.

    Returns
    -------
    result : StrengthCorrelation

    Notes
    -----
    With few members the variance of the margin contains the noise of a small vote, so that the
    correlation comes out too large.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> import nonet
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(50, random_state=0).fit(X, y)
    >>> result = nonet.strength_correlation(forest, X, y, out_of_bag=True)
    >>> result.error < result.bound < 1
    True
    """
    predictions = gather_predictions(ensemble, X, y, out_of_bag=out_of_bag)
    if predictions.kind != "labels":
        raise TypeError("strength_correlation needs a vote, but this is a regression.")
    votes = count_votes(predictions)
    margins = class_margins(predictions.truth, votes)
    strength = float(margins.mean())
    spread = _mean_spread(predictions, _strongest_wrong(votes, predictions.truth))
    # Without any spread all members agree on every row: full correlation.
    correlation = float(margins.var() / spread**2) if spread > 0 else 1.0
    bound = strength_bound(strength, min(correlation, 1.0)) if strength > 0 else np.inf
    return StrengthCorrelation(strength, correlation, float(bound), predictions.error)


def _strongest_wrong(votes: Floats, truth: Codes) -> Codes:
    others = votes.copy()
    others[np.arange(len(truth)), truth] = -np.inf
    return np.asarray(others.argmax(axis=1))


def _mean_spread(predictions: MemberPredictions, rival: Codes) -> float:
    """Return the weighted mean over members of the standard deviation of their raw margins."""
    right = predictions.member_means(predictions.correct)
    wrong = predictions.member_means(predictions.outputs == rival[:, np.newaxis])
    return float(np.sqrt(right + wrong - (right - wrong) ** 2) @ predictions.weights)
