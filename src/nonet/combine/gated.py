"""The gated mean: an average of the members with separate weights for every row.

Reference: R. Jacobs, M. Jordan, S. Nowlan & G. Hinton (1991), Adaptive mixtures of local experts,
Neural Computation 3, 79-87.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Floats, Kind
from nonet._base.arrays import check_real_outputs
from nonet._base.rule_words import rule_in_words


class Gate(Protocol):
    """A model that returns member weights for each row."""

    def weigh(self, X: Any) -> Floats:
        """Return the weights of the members at each row, shape (n, k)."""


@dataclass(frozen=True)
class GatedMean:
    """F of a fitted ensemble with a gate: the mean, with weights that depend on the row.

    Attributes
    ----------
    gate : object
        Fitted; ``weigh(X)`` returns the (n, k) weights.
    reads : {'values', 'probabilities'}
        The kind of output that the members return.
    """

    gate: Gate
    reads: Kind
    averages: ClassVar[bool] = True

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"mean of {self.reads}; gate: {rule_in_words(self.gate)}"

    def __call__(self, outputs: Array, X: Any) -> Floats:
        """Average the outputs with the weights that the gate gives the rows of X."""
        return gated_mean(outputs, self.gate.weigh(X))


def gated_mean(outputs: ArrayLike, gates: ArrayLike) -> Floats:
    """Average the members of each row with the weights of that row.

    Parameters
    ----------
    outputs : array-like of shape (n, k) or (n, k, c)
        Values, or probabilities, of k members.
    gates : array-like of shape (n, k)
        How much each member counts in each row, at least 0; a row's weights need not sum to
        one, but must not all be zero.

    Returns
    -------
    means : ndarray of shape (n,) or (n, c)

    Examples
    --------
    >>> from nonet.combine import gated_mean
    >>> gated_mean([[1.0, 3.0], [1.0, 3.0]], gates=[[1, 0], [1, 3]])
    array([1. , 2.5])
    """
    predictions = check_real_outputs(outputs, n_axes=(2, 3))
    weights = np.asarray(gates, dtype=np.float64)
    if weights.shape != predictions.shape[:2]:
        raise ValueError(
            f"gates must hold a weight for each row and member, shape {predictions.shape[:2]}, but "
            f"have shape {weights.shape}."
        )
    bad = ~(np.isfinite(weights).all(axis=1) & (weights >= 0).all(axis=1) & weights.any(axis=1))
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"gates must be finite, at least 0 and not all 0 in a row, but row {row} is "
            f"{weights[row]}."
        )
    normalized = weights / weights.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("nk...,nk->n...", predictions, normalized))
