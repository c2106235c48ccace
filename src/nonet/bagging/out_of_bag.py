"""Out-of-bag truth: each row judged by the members that have not seen it.

The answers come from the ledger; F combines, for each row, those that are there. Rows that
every member has seen have no answer: they are NaN, they are counted, and no score reads them.

References
----------
L. Breiman, *Out-of-bag estimation*, technical report, University of California, 1996.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer

from nonet._base.aliases import Array, Codes, Floats
from nonet.members.ledger import Ledger
from nonet.members.outputs import Targets

Combine = Callable[[Array], Floats]


@dataclass(frozen=True)
class OutOfBag:
    """The ensemble's support on its own training rows, without the members that saw the row.

    Attributes
    ----------
    supports : list of ndarray
        For each target the support of all rows, NaN where no member can be asked.
    coverage : ndarray of int of shape (n_samples,)
        How many members stand behind each row.
    """

    supports: list[Floats]
    coverage: Codes

    @property
    def rows(self) -> Array:
        """Positions of the rows that at least one member has not seen."""
        return np.flatnonzero(self.coverage)

    def covered(self) -> list[Floats]:
        """Return the supports of the rows that have one."""
        return [support[self.rows] for support in self.supports]


def combine_out_of_bag(ledger: Ledger, combines: Sequence[Combine]) -> OutOfBag:
    """Apply F, for each row, to the members that have not seen it."""
    present = ledger.coverage > 0
    coverage = present.sum(axis=1)
    _warn_of_uncovered(coverage)
    supports = [
        _combine_present(answers, present, combine)
        for answers, combine in zip(ledger.answers, combines, strict=True)
    ]
    return OutOfBag(supports, coverage)


def _combine_present(answers: Array, present: Array, combine: Combine) -> Floats:
    """Combine ragged answers: rows with the same number of members make one regular array."""
    counts = present.sum(axis=1)
    parts = []
    for count in np.unique(counts[counts > 0]):
        rows = np.flatnonzero(counts == count)
        regular = answers[rows][present[rows]].reshape(len(rows), count, *answers.shape[2:])
        parts.append((rows, combine(regular)))
    support = np.full((len(answers), *parts[0][1].shape[1:]), np.nan)
    for rows, combined in parts:
        support[rows] = combined
    return support


def _warn_of_uncovered(coverage: Codes) -> None:
    uncovered = np.count_nonzero(coverage == 0)
    if uncovered:
        warnings.warn(
            f"{uncovered} of {len(coverage)} rows are in the bag of every member: they have no "
            "out-of-bag answer (NaN) and are left out of the score; more members would cover them.",
            stacklevel=5,
        )


class _Answers(BaseEstimator):
    """Answers already given, in the form that scikit-learn's scorers ask for; X is row numbers."""

    def __init__(self, predictions: Array, probabilities: Any = None, classes: Any = None) -> None:
        self.predictions = predictions
        self.probabilities = probabilities
        self.classes_ = classes

    def predict(self, X: Array) -> Array:
        return self.predictions[X]

    def __sklearn_is_fitted__(self) -> bool:
        return True


class _Labels(ClassifierMixin, _Answers):
    def predict_proba(self, X: Array) -> Any:
        if isinstance(self.probabilities, list):
            return [of_target[X] for of_target in self.probabilities]
        return self.probabilities[X]


class _Numbers(RegressorMixin, _Answers):
    pass


def score_answers(
    scoring: str | Callable[[Array, Array], float],
    y: Array,
    predictions: Array,
    probabilities: Targets | None = None,
    classes: Any = None,
) -> float:
    """Score out-of-bag answers with metric(y, predictions), or with a scorer by its name.

    A scorer gets probabilities where its metric needs them (area under a curve, log loss).
    """
    if not isinstance(scoring, str):
        return float(scoring(y, predictions))
    if probabilities is None:
        view: _Answers = _Numbers(predictions)
    else:
        shares: Any = probabilities[0] if len(probabilities) == 1 else probabilities
        view = _Labels(predictions, shares, classes)
    return float(get_scorer(scoring)(view, np.arange(len(y)), y))
