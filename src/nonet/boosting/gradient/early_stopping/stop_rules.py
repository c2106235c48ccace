"""Rules for early stopping, as in scikit-learn, XGBoost and LightGBM.

All rules read the values of a fit so far, where larger is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class EarlyStoppingRule(Protocol):
    """A rule that reads the values so far and decides whether to stop."""

    def is_enough(self, values: Sequence[float]) -> bool:
        """Return whether to stop."""


@dataclass(frozen=True)
class Stalled:
    """Stop if no recent value beats the one before them: scikit-learn's histogram boosting.

    Parameters
    ----------
    n_rounds : int
        Number of recent values.
    tol : float
        Minimum improvement that counts.

    Examples
    --------
    >>> rule = Stalled(2, tol=0.0)
    >>> rule.is_enough([0.1, 0.5, 0.5, 0.5]), rule.is_enough([0.1, 0.5, 0.5, 0.6])
    (True, False)
    """

    n_rounds: int
    tol: float

    def is_enough(self, values: Sequence[float]) -> bool:
        """Return whether no recent value is better than the one before them."""
        if len(values) <= self.n_rounds:
            return False
        reference = values[-self.n_rounds - 1] + self.tol
        return all(value <= reference for value in values[-self.n_rounds :])


@dataclass(frozen=True)
class BelowRecent:
    """Stop if the last value beats none of those before it: scikit-learn's classic boosting.

    Parameters
    ----------
    n_rounds : int
        Number of values before the last that are compared with it.
    tol : float
        Minimum improvement that counts.

    Examples
    --------
    >>> rule = BelowRecent(2, tol=0.0)
    >>> rule.is_enough([0.1, 0.5, 0.4]), rule.is_enough([0.1, 0.5, 0.4, 0.4])
    (False, True)
    """

    n_rounds: int
    tol: float

    def is_enough(self, values: Sequence[float]) -> bool:
        """Return whether the last value is no better than any of those before it."""
        if len(values) <= self.n_rounds:
            return False
        recent = values[-self.n_rounds - 1 : -1]
        return not any(values[-1] - self.tol > value for value in recent)


@dataclass(frozen=True)
class Patience:
    """Stop after a number of rounds without a new best value: XGBoost and LightGBM.

    Parameters
    ----------
    n_rounds : int
        Number of rounds to wait for a better value.
    min_delta : float, default=0.0
        A value is better if it exceeds the best one by more than that.

    Examples
    --------
    >>> rule = Patience(2)
    >>> rule.is_enough([0.1, 0.5, 0.4]), rule.is_enough([0.1, 0.5, 0.4, 0.5])
    (False, True)
    >>> Patience(2, min_delta=0.1).is_enough([0.1, 0.5, 0.55, 0.6])
    True
    """

    n_rounds: int
    min_delta: float = 0.0

    def is_enough(self, values: Sequence[float]) -> bool:
        """Return whether the best value is that many rounds old."""
        return len(values) - (find_best(values, self.min_delta) + 1) >= self.n_rounds


def find_best(values: Sequence[float], min_delta: float = 0.0) -> int:
    """Return the position of the best value, the first of equal ones.

    Parameters
    ----------
    values : sequence of float
        Values, larger is better.
    min_delta : float, default=0.0
        What a later value must be better by.

    Examples
    --------
    >>> find_best([0.1, 0.5, 0.55]), find_best([0.1, 0.5, 0.55], min_delta=0.1)
    (2, 1)
    """
    if min_delta == 0:
        return int(np.argmax(values))
    best = 0
    for position, value in enumerate(values):
        if value > values[best] + min_delta:
            best = position
    return best
