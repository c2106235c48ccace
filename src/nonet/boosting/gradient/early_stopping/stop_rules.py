"""When values after every round have stopped getting better: three rules of three libraries.

All read the values of a fit so far, larger is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class StopRule(Protocol):
    """When values say that it is enough."""

    def is_enough(self, values: Sequence[float]) -> bool:
        """Tell whether no more rounds are wanted."""


@dataclass(frozen=True)
class Stalled:
    """None of the last values beats the one before them: scikit-learn's histogram boosting.

    Parameters
    ----------
    n_rounds : int
        How many values are the last ones.
    tol : float
        How much better a value must be to count as better.

    Examples
    --------
    >>> rule = Stalled(2, tol=0.0)
    >>> rule.is_enough([0.1, 0.5, 0.5, 0.5]), rule.is_enough([0.1, 0.5, 0.5, 0.6])
    (True, False)
    """

    n_rounds: int
    tol: float

    def is_enough(self, values: Sequence[float]) -> bool:
        """Tell whether the last values are all no better than the one before them."""
        if len(values) <= self.n_rounds:
            return False
        reference = values[-self.n_rounds - 1] + self.tol
        return all(value <= reference for value in values[-self.n_rounds :])


@dataclass(frozen=True)
class BelowRecent:
    """The last value beats none of those just before it: scikit-learn's classic boosting.

    Parameters
    ----------
    n_rounds : int
        How many values before the last are compared with it.
    tol : float
        How much better a value must be to count as better.

    Examples
    --------
    >>> rule = BelowRecent(2, tol=0.0)
    >>> rule.is_enough([0.1, 0.5, 0.4]), rule.is_enough([0.1, 0.5, 0.4, 0.4])
    (False, True)
    """

    n_rounds: int
    tol: float

    def is_enough(self, values: Sequence[float]) -> bool:
        """Tell whether the last value is no better than any of those before it."""
        if len(values) <= self.n_rounds:
            return False
        recent = values[-self.n_rounds - 1 : -1]
        return not any(values[-1] - self.tol > value for value in recent)


@dataclass(frozen=True)
class Patience:
    """So many rounds without a new best value: XGBoost and LightGBM.

    Parameters
    ----------
    n_rounds : int
        Rounds to wait for a better value.

    Examples
    --------
    >>> rule = Patience(2)
    >>> rule.is_enough([0.1, 0.5, 0.4]), rule.is_enough([0.1, 0.5, 0.4, 0.5])
    (False, True)
    """

    n_rounds: int

    def is_enough(self, values: Sequence[float]) -> bool:
        """Tell whether the best value is that many rounds old."""
        return len(values) - (int(np.argmax(values)) + 1) >= self.n_rounds
