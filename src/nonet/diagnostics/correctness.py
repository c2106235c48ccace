"""Correctness matrix: which member is right on which row, with its row and column means.

A row mean p(x) is the fraction of members that are right on the row, a column mean the accuracy of
one member. The vote of ever more members is right where p(x) exceeds 1/2 (two classes), or where
the true class is the most frequent prediction: there the members are *order-correct* (Breiman).

References: L. Breiman (1996), Bagging predictors, Machine Learning 24, 123-140; R. Esposito &
L. Saitta (2004), A Monte Carlo analysis of ensemble classification, ICML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.results import PlottableResult
from nonet.diagnostics.diagnostics_docs import with_diagnostics_docs
from nonet.diagnostics.ensemble_predictions import gather_predictions
from nonet.diagnostics.member_predictions import count_votes
from nonet.diagnostics.ties import shared_credit


@dataclass(frozen=True)
class Correctness(PlottableResult):
    """The matrix of right predictions and its summaries.

    Attributes
    ----------
    matrix : ndarray of bool of shape (n_rows, n_members)
        Whether the member is right on the row; False where it has no prediction.
    present : ndarray of bool of shape (n_rows, n_members) or None
        Where members have predictions; None means everywhere.
    row_profile : ndarray of shape (n_rows,)
        The (weighted) fraction of members that are right on each row.
    member_profile : ndarray of shape (n_members,)
        The accuracy of each member.
    accuracy : float
        The accuracy of the ensemble.
    order_correct : float
        Fraction of rows on which the true class has the most votes, a tie counts as a fraction.
    above_half : float
        Fraction of rows on which more than half of the votes are right.
    names : tuple of str
        The members.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> result = nonet.correctness(record_predictions([[1, 1, 0], [0, 2, 1]], [1, 1]))
    >>> result.above_half, round(result.order_correct, 3)
    (0.5, 0.667)
    """

    matrix: Array
    present: Array | None
    row_profile: Floats
    member_profile: Floats
    accuracy: float
    order_correct: float
    above_half: float
    names: tuple[str, ...]

    _shown: ClassVar[tuple[str, ...]] = (
        "accuracy",
        "best_member",
        "mean_member",
        "order_correct",
        "above_half",
    )
    _plot: ClassVar[str] = "plot_correctness"

    @property
    def best_member(self) -> float:
        """The accuracy of the best member on these rows."""
        return float(self.member_profile.max())

    @property
    def mean_member(self) -> float:
        """The mean accuracy of the members."""
        return float(self.row_profile.mean())


@with_diagnostics_docs
def correctness(
    ensemble: Any, X: Any = None, y: Any = None, *, out_of_bag: bool = False
) -> Correctness:
    """Return the matrix of which member is right on which row.

    Parameters
    ----------
    ensemble : fitted classification ensemble, Ledger or MemberPredictions
        One of this library, scikit-learn's voting, bagging, forests or AdaBoost.
    {unseen_rows}
    {out_of_bag}

    Returns
    -------
    result : Correctness
        ``plot`` draws the sorted matrix with its two profiles.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> import nonet
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(15, random_state=0).fit(X[::2], y[::2])
    >>> nonet.correctness(forest, X[1::2], y[1::2]).matrix.shape
    (75, 15)
    """
    predictions = gather_predictions(ensemble, X, y, out_of_bag=out_of_bag)
    matrix = predictions.correct
    if predictions.present is not None:
        matrix = matrix & predictions.present
    profile = predictions.row_means(matrix)
    return Correctness(
        matrix=matrix,
        present=predictions.present,
        row_profile=profile,
        member_profile=predictions.member_means(matrix),
        accuracy=float(predictions.is_correct.mean()),
        order_correct=float(shared_credit(count_votes(predictions), predictions.truth).mean()),
        above_half=float(np.mean(profile > 0.5 + 1e-12)),
        names=predictions.names,
    )
