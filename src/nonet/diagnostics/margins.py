"""Margins of an ensemble on each row, and their growth with the number of members.

The margin of a row is the support of the true class less the highest support of another, from -1
to 1. It is positive where the vote is right, negative where it is wrong, and 0 on a
tie. The arithmetic is that of ``nonet.theory.class_margins``.

Reference: R. Schapire, Y. Freund, P. Bartlett & W. S. Lee (1998), Boosting the margin, Annals of
Statistics 26, 1651-1686.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats, Kind
from nonet._base.arrays import encode_labels
from nonet._base.params import Choice, Nothing, bad_parameter
from nonet._base.results import PlottableResult
from nonet.diagnostics.diagnostics_docs import with_diagnostics_docs
from nonet.diagnostics.ensemble_predictions import gather_predictions, is_sum_of_steps
from nonet.diagnostics.member_predictions import MemberPredictions, count_votes
from nonet.diagnostics.pool import Pool
from nonet.diagnostics.ties import first_leader
from nonet.theory import class_margins

_SUPPORT = Nothing() | Choice("votes", "probabilities")
_QUANTILES = (0.05, 0.25, 0.5)


@dataclass(frozen=True)
class Margins(PlottableResult):
    """The margins of an ensemble.

    Attributes
    ----------
    values : ndarray of shape (n_rows,)
        The margin of each row.
    support : {'votes', 'probabilities'}
        What the margins are differences of.
    error : float
        Fraction of rows that the ensemble gets wrong. On a tie its own prediction counts. Margins
        of votes can have another sign than the prediction where the ensemble averages
        probabilities.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> result = nonet.margins(record_predictions([[1, 1, 0], [1, 1, 1]], [1, 1]))
    >>> result.values.round(3), result.error
    (array([0.333, 1.   ]), 0.0)
    """

    values: Floats
    support: str
    error: float

    _shown: ClassVar[tuple[str, ...]] = ("support", "n_rows", "minimum", "mean", "median", "error")
    _plot: ClassVar[str] = "plot_margins"

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.values)

    @property
    def minimum(self) -> float:
        """The minimum margin."""
        return float(self.values.min())

    @property
    def mean(self) -> float:
        """The mean margin: Breiman's strength, for votes of a forest."""
        return float(self.values.mean())

    @property
    def median(self) -> float:
        """The margin that half of the rows exceed."""
        return float(np.median(self.values))


@dataclass(frozen=True)
class MarginGrowth(PlottableResult):
    """How margins grow with the number of members or rounds.

    Attributes
    ----------
    rounds : ndarray of int of shape (n_rounds,)
        1, 2, ...
    minimum : ndarray of shape (n_rounds,)
        The minimum margin after each round.
    quantiles : ndarray of shape (n_rounds, 3)
        The margins that 95, 75 and 50 % of the rows exceed.
    error : ndarray of shape (n_rounds,)
        Fraction of rows that the vote (of gradient boosting the stage) of each round gets wrong; a
        tie goes to the first of its classes.

    Examples
    --------
    >>> from nonet.diagnostics import margin_growth, record_predictions
    >>> margin_growth(record_predictions([[1, 1, 0], [1, 1, 1]], [1, 1])).minimum.round(3)
    array([1.   , 1.   , 0.333])
    """

    rounds: Codes
    minimum: Floats
    quantiles: Floats
    error: Floats

    _plot: ClassVar[str] = "plot_margin_growth"

    def _lines(self) -> list[tuple[str, str]]:
        flawless = np.flatnonzero(self.error == 0)
        first = str(self.rounds[flawless[0]]) if flawless.size else "none"
        return [
            ("rounds", str(len(self.rounds))),
            ("minimum at the end", f"{self.minimum[-1]:.4f}"),
            ("median at the end", f"{self.quantiles[-1, 2]:.4f}"),
            ("first without error", first),
        ]


@with_diagnostics_docs
def margins(
    ensemble: Any,
    X: Any = None,
    y: Any = None,
    *,
    support: str | None = None,
    out_of_bag: bool = False,
) -> Margins:
    """Return the margin of each row: support of the true class minus that of the next.

    Parameters
    ----------
    ensemble : fitted classification ensemble, Ledger or MemberPredictions
        One of this library or of scikit-learn, gradient boosting included.
    X : array-like of shape (n_rows, n_features), default=None
        The rows; the theory of boosting is about margins of training rows.
    y : array-like of shape (n_rows,), default=None
        The truth.
    support : {'votes', 'probabilities'}, default=None
        Weighted votes of the members (for AdaBoost this is y sum(alpha h) / sum(alpha)), or the
        probabilities of the ensemble. None is votes, where members vote at all.
    {out_of_bag}

    Returns
    -------
    result : Margins
        ``plot`` draws their cumulative distribution.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import AdaBoostClassifier
    >>> import nonet
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> boosted = AdaBoostClassifier(n_estimators=30).fit(X, y)
    >>> result = nonet.margins(boosted, X, y)
    >>> abs(result.error - (1 - boosted.score(X, y))) < 1e-9
    True
    """
    if not _SUPPORT.allows(support):
        raise bad_parameter("margins", "support", _SUPPORT.describe(), support)
    by_steps = is_sum_of_steps(ensemble)
    if support == "votes" and by_steps:
        raise bad_parameter("margins", "support", "None or 'probabilities' here", support)
    if by_steps or (support == "probabilities" and not out_of_bag and X is not None):
        codes = encode_labels(np.asarray(y), ensemble.classes_)
        error = float(np.mean(ensemble.predict(X) != np.asarray(y)))
        return Margins(class_margins(codes, ensemble.predict_proba(X)), "probabilities", error)
    kind: Kind = "probabilities" if support == "probabilities" else "labels"
    predictions = gather_predictions(ensemble, X, y, kind=kind, out_of_bag=out_of_bag)
    if predictions.kind == "values":
        raise TypeError("margins need classes, but this is a regression.")
    fractions = (
        predictions.prediction if predictions.kind == "probabilities" else count_votes(predictions)
    )
    named = "votes" if predictions.kind == "labels" else "probabilities"
    return Margins(class_margins(predictions.truth, fractions), named, predictions.error)


@with_diagnostics_docs
def margin_growth(
    ensemble: Any, X: Any = None, y: Any = None, *, out_of_bag: bool = False
) -> MarginGrowth:
    """Follow the margins while members are added one after another.

    Parameters
    ----------
    ensemble : fitted classification ensemble, Ledger or MemberPredictions
        One of this library or of scikit-learn; for gradient boosting, the margins are those
        of the probabilities after each round.
    X : array-like of shape (n_rows, n_features), default=None
        The rows.
    y : array-like of shape (n_rows,), default=None
        The truth.
    {out_of_bag}

    Returns
    -------
    result : MarginGrowth

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import AdaBoostClassifier
    >>> from nonet.diagnostics import margin_growth
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> growth = margin_growth(AdaBoostClassifier(n_estimators=20).fit(X, y), X, y)
    >>> bool(growth.error[-1] < growth.error[0])
    True
    """
    if is_sum_of_steps(ensemble):
        codes = encode_labels(np.asarray(y), ensemble.classes_)
        stages: Iterator[Floats] = ensemble.staged_predict_proba(X)
    else:
        predictions = gather_predictions(ensemble, X, y, out_of_bag=out_of_bag)
        if predictions.kind != "labels":
            raise TypeError("margins grow with votes, but these predictions are not labels.")
        codes, stages = predictions.truth, _staged_votes(predictions)
    by_round, errors = [], []
    for stage in stages:
        by_round.append(class_margins(codes, stage))
        errors.append(np.mean(first_leader(stage) != codes))
    return MarginGrowth(
        np.arange(1, len(by_round) + 1),
        np.array([values.min() for values in by_round]),
        np.array([np.quantile(values, _QUANTILES) for values in by_round]),
        np.array(errors),
    )


def _staged_votes(predictions: MemberPredictions) -> Iterator[Floats]:
    pool = Pool.empty(predictions)
    for member in range(predictions.n_members):
        pool = pool.add(member)
        yield np.round(pool.support(), 12)
