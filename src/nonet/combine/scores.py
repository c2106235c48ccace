"""Sum of scores: members without probabilities vote by their margins."""

from __future__ import annotations

from numpy.typing import ArrayLike
from scipy.special import softmax

from nonet._base.aliases import Array, Floats, Kind, Task
from nonet._base.arrays import check_member_weights, check_real_outputs
from nonet._base.rule_words import parameters_in_words
from nonet.combine.rule import CombinationRule
from nonet.combine.values import total


def score_sum(scores: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Add the scores of each class up: s_c = sum_m w_m g_mc.

    Parameters
    ----------
    scores : array-like of shape (n, k, c)
        Class scores of the k members. Two classes have the scores -g and g of a decision function.
    weights : array-like of shape (k,), optional
        One non-negative weight per member; it may also bring scores to a common scale.

    Returns
    -------
    sums : ndarray of shape (n, c)

    Examples
    --------
    Two votes for the first class, outweighed by a clear one:

    >>> from nonet.combine import score_sum
    >>> score_sum([[[0.1, -0.1], [0.2, -0.2], [-1.0, 1.0]]]).round(1)
    array([[-0.7,  0.7]])
    """
    checked = check_real_outputs(scores, n_axes=(3,))
    return total(checked, check_member_weights(weights, checked.shape[1]))


class ScoreSum(CombinationRule):
    """The sum of margins as a rule, for members with a ``decision_function``.

    F adds the scores of the members, as `score_sum` does. Its support is the softmax of the sums,
    which has the same order. For two classes, whose scores are -g and g, it is the logistic
    function of the sum of g: the joint probability, if g are log-odds of independent members and
    the classes are equally frequent. Otherwise it is not calibrated. Members should score on the
    same scale, as classifiers of one kind do; ``weights`` can rescale them, and `Borda` reads the
    order of the scores alone. A member without a ``decision_function`` gives its probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import ScoreSum
    >>> scores = np.array([[[0.1, -0.1], [0.2, -0.2], [-1.0, 1.0]]])
    >>> ScoreSum().support(scores).round(3)
    array([[0.332, 0.668]])
    """

    reads: dict[Task, Kind] = {"classification": "scores"}

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"sum{parameters_in_words(self)}"

    def support(
        self, outputs: Array, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Return the softmax of the sums."""
        sums = score_sum(outputs, weights)
        support: Floats = softmax(sums / 2 if sums.shape[1] == 2 else sums, axis=1)
        return support
