"""Measures of diversity: how differently the members err.

All measures are computed from the correctness matrix. Pairwise ones count, for two members, the
rows on which both are right (N11), one of them (N10, N01) or neither (N00); one matrix product
counts them for all pairs. Global ones read how many members are right on each row.

None of them predicts how accurate the vote is: Kuncheva and Whitaker's study found no useful
relation, and ``examples/claims`` shows it again.

References: L. Kuncheva & C. Whitaker (2003), Measures of diversity in classifier ensembles and
their relationship with the ensemble accuracy, Machine Learning 51, 181-207; D. Margineantu &
T. Dietterich (1997), Pruning adaptive boosting, ICML.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Floats
from nonet._base.results import PlottableResult
from nonet.diagnostics.diagnostics_docs import with_diagnostics_docs
from nonet.diagnostics.ensemble_predictions import gather_predictions
from nonet.diagnostics.member_predictions import MemberPredictions

_CHUNK = 16_384  # rows a float32 product takes at a time: counts stay exact and in the cache
_LOW_IS_DIVERSE = frozenset(
    {"correlation", "q_statistic", "kappa", "double_fault", "interrater_agreement", "difficulty"}
)


@dataclass(frozen=True)
class Diversity(PlottableResult):
    """Measures of diversity of an ensemble.

    Attributes
    ----------
    accuracy : float
        Mean accuracy r of the members.
    pairwise : dict of str to float
        Means over all pairs: 'correlation', 'q_statistic', 'disagreement', 'double_fault',
        'kappa'.
    overall : dict of str to float
        'entropy', 'kohavi_wolpert', 'interrater_agreement', 'difficulty',
        'generalized_diversity', 'coincident_failure'.
    matrices : dict of str to ndarray of shape (n_members, n_members)
        The pairwise measures of each pair.
    names : tuple of str
        The members.
    n_rows : int
        Rows with predictions of at least two members.

    Examples
    --------
    >>> from nonet.diagnostics import measure_diversity
    >>> result = measure_diversity([[1, 0, 1], [1, 1, 0], [0, 1, 1], [1, 1, 1]])
    >>> round(result.pairwise["disagreement"], 3), round(result.overall["kohavi_wolpert"], 3)
    (0.5, 0.167)
    """

    accuracy: float
    pairwise: dict[str, float]
    overall: dict[str, float]
    matrices: dict[str, Floats]
    names: tuple[str, ...]
    n_rows: int

    _plot: ClassVar[str] = "plot_diversity"

    def _lines(self) -> list[tuple[str, str]]:
        head = [("members", str(len(self.names))), ("accuracy", f"{self.accuracy:.4f}")]
        measures = {**self.pairwise, **self.overall}
        signs = {name: "low" if name in _LOW_IS_DIVERSE else "high" for name in measures}
        lines = [
            (name, f"{value:.4f}   {signs[name]} is diverse") for name, value in measures.items()
        ]
        return [*head, *lines, ("caution", "no measure of diversity predicts accuracy")]


@with_diagnostics_docs
def diversity(
    ensemble: Any, X: Any = None, y: Any = None, *, out_of_bag: bool = False
) -> Diversity:
    """Measure how differently the members of a classification ensemble err.

    Parameters
    ----------
    {any_ensemble}
    {unseen_rows}
    {out_of_bag}

    Returns
    -------
    result : Diversity
        Pairwise and global measures; ``plot`` draws the disagreement of all pairs.

    Notes
    -----
    None of the measures predicts the accuracy of the vote. They are descriptive.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> import nonet
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(20, random_state=0).fit(X[::2], y[::2])
    >>> result = nonet.diversity(forest, X[1::2], y[1::2])
    >>> 0 < result.pairwise["disagreement"] < 0.5
    True
    """
    predictions = gather_predictions(ensemble, X, y, out_of_bag=out_of_bag)
    return measure_diversity(
        predictions.correct, present=predictions.present, names=predictions.names
    )


def measure_diversity(
    correct: ArrayLike, *, present: ArrayLike | None = None, names: tuple[str, ...] | None = None
) -> Diversity:
    """Measure diversity from a correctness matrix.

    Parameters
    ----------
    correct : array-like of shape (n_rows, n_members)
        1 or True where the member is right on the row, 0 or False where it is not.
    present : array-like of bool of shape (n_rows, n_members), default=None
        Which member predicts which row; None means all. Pairs are compared on the rows that both
        predict; rows with fewer than two predictions are left out.
    names : tuple of str, default=None
        Names of the members; None numbers them.

    Returns
    -------
    result : Diversity

    Notes
    -----
    Where a denominator is 0, two members (or all) that never differ count as in full agreement:
    'correlation', 'q_statistic', 'kappa' and 'interrater_agreement' are 1; otherwise one of the
    two never varies and they are 0. Without any failure the two measures of failures are 0.

    Examples
    --------
    >>> from nonet.diagnostics import measure_diversity
    >>> identical = measure_diversity([[1, 1], [0, 0], [1, 1]])
    >>> identical.pairwise["q_statistic"], identical.overall["entropy"]
    (1.0, 0.0)
    """
    right, checked = check_correctness(correct, present)
    n_members = right.shape[1]
    if n_members < 2:
        raise ValueError("diversity needs at least two members, but there is one.")
    pairs = _count_pairs(right, checked)
    if pairs.n.min() == 0:
        first, second = np.argwhere(pairs.n == 0)[0]
        raise ValueError(
            f"members {first} and {second} have no row that both predict;  more rows or members "
            "that see fewer rows would give some."
        )
    matrices = {name: measure(pairs) for name, measure in _PAIRWISE.items()}
    upper = np.triu_indices(n_members, 1)
    hits, size = pairs.hits, pairs.predicted
    kept = size >= 2
    hits, size = hits[kept], size[kept]
    return Diversity(
        float(hits.sum() / size.sum()),
        {name: float(matrix[upper].mean()) for name, matrix in matrices.items()},
        {name: float(measure(hits, size)) for name, measure in _GLOBAL.items()},
        matrices,
        names or tuple(f"member {position}" for position in range(n_members)),
        len(hits),
    )


def check_correctness(correct: ArrayLike, present: ArrayLike | None) -> tuple[Array, Array | None]:
    """Return the correctness matrix and its presence as bool arrays."""
    matrix = np.asarray(correct)
    if matrix.ndim != 2 or not matrix.size:
        raise ValueError(
            "correct must be a matrix of shape (n_rows, n_members) with at least one entry, but "
            f"has shape {matrix.shape}."
        )
    if matrix.dtype != np.bool_:
        if not np.isin(matrix, (0, 1)).all():
            raise ValueError("correct must be made of 0 and 1, or False and True.")
        matrix = matrix.astype(bool)
    if present is None:
        return matrix, None
    checked = np.asarray(present, dtype=bool)
    if checked.shape != matrix.shape:
        raise ValueError(f"present must have shape {matrix.shape}, but has shape {checked.shape}.")
    return matrix & checked, checked


@dataclass(frozen=True)
class _Pairs:
    """Counts for all pairs of members, and for all rows."""

    n: Floats  # rows that both members predict
    n11: Floats
    n10: Floats
    n01: Floats
    n00: Floats
    hits: Floats  # members that are right, for each row
    predicted: Floats  # members that predict, for each row


def _count_pairs(right: Array, checked: Array | None) -> _Pairs:
    n_rows, k = right.shape
    n11, hits = np.zeros((k, k)), np.empty(n_rows, dtype=np.float32)
    if checked is None:
        for start in range(0, n_rows, _CHUNK):
            chunk = right[start : start + _CHUNK].astype(np.float32)
            n11 += chunk.T @ chunk
            hits[start : start + _CHUNK] = chunk @ np.ones(k, dtype=np.float32)
        alone = np.broadcast_to(np.diag(n11)[:, np.newaxis], (k, k))
        n = np.full((k, k), float(n_rows))
        predicted = np.full(n_rows, float(k))
    else:
        n, alone = np.zeros((k, k)), np.zeros((k, k))
        for start in range(0, n_rows, _CHUNK):
            chunk = right[start : start + _CHUNK].astype(np.float32)
            there = checked[start : start + _CHUNK].astype(np.float32)
            n11 += chunk.T @ chunk
            alone = alone + chunk.T @ there
            n += there.T @ there
        hits = right.sum(axis=1).astype(np.float32)
        predicted = checked.sum(axis=1).astype(np.float64)
    n10, n01 = alone - n11, alone.T - n11
    return _Pairs(n, n11, n10, n01, n - n11 - n10 - n01, hits.astype(np.float64), predicted)


def _ratio(numerator: Floats, denominator: Floats, pairs: _Pairs) -> Floats:
    """Divide; where there is nothing to divide by, 1 for members that never differ, else 0."""
    defined = np.abs(denominator) > 0
    never_differ = (pairs.n10 + pairs.n01) == 0
    return np.where(defined, numerator / np.where(defined, denominator, 1.0), 1.0 * never_differ)


def _correlation(p: _Pairs) -> Floats:
    spread = (p.n11 + p.n10) * (p.n01 + p.n00) * (p.n11 + p.n01) * (p.n10 + p.n00)
    return _ratio(p.n11 * p.n00 - p.n01 * p.n10, np.sqrt(spread), p)


def _q_statistic(p: _Pairs) -> Floats:
    return _ratio(p.n11 * p.n00 - p.n01 * p.n10, p.n11 * p.n00 + p.n01 * p.n10, p)


def _kappa(p: _Pairs) -> Floats:
    probability = (p.n11 + p.n10) * (p.n10 + p.n00) + (p.n11 + p.n01) * (p.n01 + p.n00)
    return _ratio(2 * (p.n11 * p.n00 - p.n01 * p.n10), probability, p)


_PAIRWISE: dict[str, Callable[[_Pairs], Floats]] = {
    "correlation": _correlation,
    "q_statistic": _q_statistic,
    "disagreement": lambda p: (p.n10 + p.n01) / p.n,
    "double_fault": lambda p: p.n00 / p.n,
    "kappa": _kappa,
}


def _entropy(hits: Floats, size: Floats) -> float:
    return float(np.mean(np.minimum(hits, size - hits) / (size - np.ceil(size / 2))))


def _kohavi_wolpert(hits: Floats, size: Floats) -> float:
    return float(np.mean(hits * (size - hits) / size**2))


def _interrater_agreement(hits: Floats, size: Floats) -> float:
    accuracy = hits.sum() / size.sum()
    by_chance = size.sum() * accuracy * (1 - accuracy)
    apart = (hits * (size - hits) / (size - 1)).sum()
    return float(1 - apart / by_chance) if by_chance > 0 else 1.0


def _difficulty(hits: Floats, size: Floats) -> float:
    return float(np.var(hits / size))


def _generalized_diversity(hits: Floats, size: Floats) -> float:
    misses = size - hits
    one_fails = np.mean(misses / size)
    two_fail = np.mean(misses * (misses - 1) / (size * (size - 1)))
    return float(1 - two_fail / one_fails) if one_fails > 0 else 0.0


def _coincident_failure(hits: Floats, size: Floats) -> float:
    some_fail = hits < size
    return float(np.mean((hits / (size - 1))[some_fail])) if some_fail.any() else 0.0


_GLOBAL: dict[str, Callable[[Floats, Floats], float]] = {
    "entropy": _entropy,
    "kohavi_wolpert": _kohavi_wolpert,
    "interrater_agreement": _interrater_agreement,
    "difficulty": _difficulty,
    "generalized_diversity": _generalized_diversity,
    "coincident_failure": _coincident_failure,
}


@dataclass(frozen=True)
class KappaError(PlottableResult):
    """Agreement and mean error of every pair of members.

    Attributes
    ----------
    kappa : ndarray of shape (n_pairs,)
        Cohen's kappa of the labels of two members: 1 is full agreement, 0 agreement by chance.
    error : ndarray of shape (n_pairs,)
        The mean of their two errors.

    Examples
    --------
    >>> from nonet.diagnostics import kappa_error, record_predictions
    >>> result = kappa_error(record_predictions([[0, 0], [1, 1], [1, 0], [0, 1]], [0, 1, 1, 0]))
    >>> result.kappa, result.error
    (array([0.]), array([0.25]))
    """

    kappa: Floats
    error: Floats

    _plot: ClassVar[str] = "plot_kappa_error"

    def _lines(self) -> list[tuple[str, str]]:
        return [
            ("pairs", str(len(self.kappa))),
            ("mean kappa", f"{self.kappa.mean():.4f}"),
            ("mean error", f"{self.error.mean():.4f}"),
        ]


@with_diagnostics_docs
def kappa_error(
    ensemble: Any, X: Any = None, y: Any = None, *, out_of_bag: bool = False
) -> KappaError:
    """Return the agreement and the mean error of each pair of members.

    Parameters
    ----------
    ensemble : fitted ensemble, Ledger or MemberPredictions
        A classification ensemble, as for :func:`nonet.diversity`.
    {unseen_rows}
    {out_of_bag}

    Returns
    -------
    result : KappaError
        Its picture is the kappa-error diagram of Margineantu and Dietterich.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import BaggingClassifier
    >>> from nonet.diagnostics import kappa_error
    >>> X, y = load_iris(return_X_y=True)
    >>> bagging = BaggingClassifier(random_state=0).fit(X[::2], y[::2])
    >>> len(kappa_error(bagging, X[1::2], y[1::2]).kappa)
    45
    """
    predictions = gather_predictions(ensemble, X, y, out_of_bag=out_of_bag)
    errors = 1 - predictions.member_means(predictions.correct)
    upper = np.triu_indices(predictions.n_members, 1)
    if not upper[0].size:
        raise ValueError("kappa_error needs at least two members, but there is one.")
    return KappaError(_label_kappa(predictions)[upper], (errors[upper[0]] + errors[upper[1]]) / 2)


def _label_kappa(predictions: MemberPredictions) -> Floats:
    assert predictions.classes is not None
    k = predictions.n_members
    there = (
        np.ones((predictions.n_rows, k))
        if predictions.present is None
        else 1.0 * predictions.present
    )
    n = there.T @ there
    agree, by_chance = np.zeros((k, k)), np.zeros((k, k))
    for code in range(-1, len(predictions.classes)):  # abstention counts as a label of its own
        named = (predictions.outputs == code) * there
        agree += named.T @ named
        fraction = (named.T @ there) / n
        by_chance += fraction * fraction.T
    # Two members that always name one and the same class agree, although chance agreement is full
    # as well.
    defined = by_chance < 1
    return np.where(defined, (agree / n - by_chance) / np.where(defined, 1 - by_chance, 1.0), 1.0)
