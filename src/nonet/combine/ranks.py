"""Rules on scores that are not comparable between members; they use only the order of scores."""

from __future__ import annotations

from typing import Literal

from numpy.typing import ArrayLike

from nonet._base.aliases import Floats, Kind, Task
from nonet._base.arrays import check_member_weights, check_real_outputs
from nonet._base.params import Choice, bad_parameter
from nonet._base.rule_words import parameters_in_words
from nonet._native import vote as vote_kernels
from nonet.combine.rule import CombinationRule
from nonet.combine.values import normalize_rows

Ties = Literal["half", "none"]
_TIES = Choice("half", "none")


def borda(scores: ArrayLike, weights: ArrayLike | None = None, *, ties: Ties = "half") -> Floats:
    """Count, for each class, how many classes each member ranks below it.

    ``s_c = sum_m w_m * #{i != c : g_c > g_i}``: the scale of a member's scores does not matter.

    Parameters
    ----------
    scores : array-like of shape (n, k, c)
        Class scores of the k members, each on its own scale.
    weights : array-like of shape (k,), optional
        One non-negative weight per member.
    ties : {'half', 'none'}, default='half'
        What two classes with equal scores get from that pair: half a point each, or nothing, as
        in the formula. With halves, every member gives the same number of points, so a member
        whose scores are all equal changes nothing.

    Returns
    -------
    points : ndarray of shape (n, c)

    Examples
    --------
    >>> from nonet.combine import borda
    >>> borda([[[0.9, 0.5, 0.1], [10.0, 30.0, 20.0], [-3.0, -2.0, -9.0]]])
    array([[3., 5., 1.]])
    """
    if not _TIES.allows(ties):
        raise bad_parameter("borda", "ties", _TIES.describe(), ties)
    checked = check_real_outputs(scores, n_axes=(3,))
    weights = check_member_weights(weights, checked.shape[1])
    return vote_kernels.borda(checked, weights, half_ties=ties == "half")


class Borda(CombinationRule):
    """Borda counts as a rule, scaled to the fraction of all points of a row.

    Parameters
    ----------
    ties : {'half', 'none'}, default='half'
        What equal scores get: half a point each, or nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import Borda
    >>> scores = np.array([[[0.9, 0.5, 0.1], [10.0, 30.0, 20.0], [-3.0, -2.0, -9.0]]])
    >>> Borda().support(scores).round(3)
    array([[0.333, 0.556, 0.111]])
    """

    reads: dict[Task, Kind] = {"classification": "scores"}
    _rules = {"ties": _TIES}

    def __init__(self, ties: Ties = "half") -> None:
        self.ties = ties

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"Borda count{parameters_in_words(self)}"

    def support(
        self,
        outputs: ArrayLike,
        weights: ArrayLike | None = None,
        classes: ArrayLike | None = None,
    ) -> Floats:
        """Return each class's fraction of the points; a row without points becomes uniform."""
        return normalize_rows(borda(outputs, weights, ties=self.ties))
