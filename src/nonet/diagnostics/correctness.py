"""Who is right where: the matrix of rows and members, and its profiles.

A row mean p(x) is the share of members that are right on the row, a column mean the accuracy of
one member. The vote of ever more members is right where p(x) exceeds 1/2 (two classes), or where
the true class is the most frequent answer: there the members are *order-correct* (Breiman).

References: L. Breiman (1996), Bagging predictors, Machine Learning 24, 123-140; R. Esposito &
L. Saitta (2004), A Monte Carlo analysis of ensemble classification, ICML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.results import PlottableResult
from nonet.diagnostics.answers import count_votes
from nonet.diagnostics.asking import gather_answers
from nonet.diagnostics.question_docs import with_question_docs
from nonet.diagnostics.ties import shared_credit


@dataclass(frozen=True)
class Correctness(PlottableResult):
    """The matrix of right answers and what can be read off it.

    Attributes
    ----------
    matrix : ndarray of bool of shape (n_rows, n_members)
        Whether the member is right on the row; False where it was not asked.
    present : ndarray of bool of shape (n_rows, n_members) or None
        Where members were asked; None means everywhere.
    row_profile : ndarray of shape (n_rows,)
        The (weighted) share of members that are right on each row.
    member_profile : ndarray of shape (n_members,)
        The accuracy of each member.
    accuracy : float
        The accuracy of the ensemble.
    order_correct : float
        Share of rows on which the true class has the most votes, ties shared out.
    above_half : float
        Share of rows on which more than half of the votes are right.
    names : tuple of str
        The members.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_answers
    >>> result = nonet.correctness(record_answers([[1, 1, 0], [0, 2, 1]], [1, 1]))
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


@with_question_docs
def correctness(
    ensemble: Any, X: Any = None, y: Any = None, *, out_of_bag: bool = False
) -> Correctness:
    """Lay out which member is right on which row.

    Parameters
    ----------
    ensemble : fitted classification ensemble, Ledger or MemberAnswers
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
    answers = gather_answers(ensemble, X, y, out_of_bag=out_of_bag)
    matrix = answers.correct
    if answers.present is not None:
        matrix = matrix & answers.present
    profile = answers.row_means(matrix)
    return Correctness(
        matrix=matrix,
        present=answers.present,
        row_profile=profile,
        member_profile=answers.member_means(matrix),
        accuracy=float(answers.answer_is_right.mean()),
        order_correct=float(shared_credit(count_votes(answers), answers.truth).mean()),
        above_half=float(np.mean(profile > 0.5 + 1e-12)),
        names=answers.names,
    )
