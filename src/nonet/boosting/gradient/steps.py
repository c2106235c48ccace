"""Members and F of gradient boosting: members are steps, and F is a start plus their sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Floats, Kind, Task
from nonet._base.arrays import check_real_outputs
from nonet.boosting.gradient.booster import by_row
from nonet.combine.rule import CombinationRule


@dataclass(frozen=True)
class Step:
    """One boosting round as a model, which predicts its contribution to the scores.

    Parameters
    ----------
    read : callable
        Returns X in the form that the trees read.
    scores : callable
        Returns the scores of such rows, of shape (n_scores, n_rows).
    """

    read: Callable[[Any], Any]
    scores: Callable[[Any], Floats]

    def predict(self, X: Any) -> Floats:
        """Return the round's contribution to the scores of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` of the booster accepts.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_scores)
        """
        return by_row(self.scores(self.read(X)))


class StepSum(CombinationRule):
    """F of gradient boosting: a start plus the sum of the steps.

    It accepts the steps of any rounds: the first k steps give the scores of the booster after k
    rounds.

    Parameters
    ----------
    start : array-like of shape (n_scores,)
        Scores before the first step.

    Examples
    --------
    >>> import numpy as np
    >>> StepSum([0.5]).support(np.array([[1.0, 2.0], [0.0, -0.5]]))
    array([3.5, 0. ])
    """

    reads: Mapping[Task, Kind] = {"regression": "scores", "classification": "scores"}
    takes_weights = False

    def __init__(self, start: ArrayLike) -> None:
        self.start = start

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return "start plus sum"

    def support(
        self, outputs: Array, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Return the scores: (n,) from (n, k) steps, (n, n_scores) from (n, k, n_scores)."""
        steps = check_real_outputs(outputs, n_axes=(2, 3))
        total = np.zeros((len(steps), *steps.shape[2:]))
        for position in range(steps.shape[1]):  # in the order in which the booster adds its trees
            total += steps[:, position]
        start = np.asarray(self.start, dtype=np.float64)
        return total + (start if steps.ndim == 3 else start[0])
