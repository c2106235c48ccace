"""Choose the class with the minimum expected cost, or abstain if that costs less."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base import params
from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet.decide.labels import position_of
from nonet.decide.rule import DecisionRule
from nonet.decide.support import check_argument, check_class_support, is_empty, rounding_of

_PRICE = params.Nothing() | params.Real()


def choose_minimum_cost(
    probabilities: ArrayLike, costs: ArrayLike | None = None, abstain_cost: float | None = None
) -> Codes:
    """Choose the class with the minimum expected cost.

    Parameters
    ----------
    probabilities : array-like of shape (n, n_classes)
        Rows are scaled to sum to one. On a row of zeros the rule abstains if that is allowed;
        otherwise its classes count as equally likely.
    costs : array-like of shape (n_classes, n_classes), default=None
        ``costs[true, predicted]``; None makes every error cost 1.
    abstain_cost : float, default=None
        The cost of no decision; None does not allow it.

    Returns
    -------
    codes : ndarray of int of shape (n,)
        Positions of the classes; -1 for no decision. Of equal costs (up to rounding) the first
        class is chosen; the rule abstains only if that is cheaper than every class.

    Examples
    --------
    A missed illness (class 1) costs ten times a false alarm:

    >>> from nonet.decide import choose_minimum_cost
    >>> choose_minimum_cost([[0.95, 0.05], [0.8, 0.2]], [[0, 1], [10, 0]])
    array([0, 1])
    >>> choose_minimum_cost([[0.95, 0.05], [0.8, 0.2]], [[0, 1], [10, 0]], abstain_cost=0.6)
    array([ 0, -1])
    """
    check_argument("choose_minimum_cost", "abstain_cost", _PRICE, abstain_cost)
    checked = _check_probabilities(probabilities)
    expected = _expected_costs(checked, _as_cost_matrix(costs, checked.shape[1]))
    rounding = rounding_of(checked) * np.abs(expected).max(axis=1)
    cheapest = expected.min(axis=1)
    codes: Codes = np.argmax(expected <= (cheapest + rounding)[:, np.newaxis], axis=1)
    if abstain_cost is not None:
        codes[(abstain_cost < cheapest - rounding) | is_empty(checked)] = ABSTAINED
    return codes


def _check_probabilities(probabilities: ArrayLike) -> Floats:
    checked = check_class_support(probabilities)
    if checked.size and checked.min() < 0:
        row = np.argwhere(checked < 0)[0][0]
        raise ValueError(
            f"expected costs need probabilities, but row {row} of the support is {checked[row]}: "
            "combine probabilities or votes rather than scores."
        )
    return checked


def _expected_costs(probabilities: Floats, costs: Floats) -> Floats:
    total = probabilities.sum(axis=1, keepdims=True)
    equal = np.full_like(probabilities, 1 / probabilities.shape[1])
    normalized = np.divide(probabilities, total, out=equal, where=total > 0)
    return np.asarray(normalized @ costs)


def _as_cost_matrix(costs: ArrayLike | None, n_classes: int) -> Floats:
    if costs is None:
        return 1.0 - np.eye(n_classes)
    matrix = np.asarray(costs)
    if matrix.dtype.kind not in "biuf" or matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"costs must be a table of {n_classes} x {n_classes} numbers, costs[true, predicted], "
            f"but has shape {matrix.shape} and dtype {matrix.dtype}."
        )
    if not np.isfinite(matrix).all():
        raise ValueError(f"costs must be finite, but are {matrix.tolist()}.")
    return matrix.astype(np.float64)


def tabulate_costs(costs: Mapping[tuple[Any, Any], float], classes: ArrayLike) -> Floats:
    """Convert costs by (true label, predicted label) to a matrix in the order of the classes.

    Parameters
    ----------
    costs : mapping of (true, predicted) to float
        A pair left out costs 0 if it is right and 1 if it is wrong.
    classes : array-like of shape (n_classes,)
        The labels, sorted.

    Returns
    -------
    matrix : ndarray of shape (n_classes, n_classes)
        ``matrix[true, predicted]``.

    Examples
    --------
    >>> from nonet.decide import tabulate_costs
    >>> tabulate_costs({("ill", "well"): 10}, ["ill", "well"])
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    matrix = 1.0 - np.eye(len(np.asarray(classes)))
    for pair, cost in costs.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ValueError(
                f"costs must have keys (true label, predicted label), but got {pair!r}."
            )
        true, predicted = (position_of(label, classes, "costs: label") for label in pair)
        matrix[true, predicted] = cost
    return matrix


class MinimumCost(DecisionRule):
    """Predict the class with the minimum expected cost, or abstain where that is cheaper.

    Parameters
    ----------
    costs : array-like of shape (n_classes, n_classes) or mapping, default=None
        ``costs[true, predicted]`` in the order of the classes, or ``{(true, predicted): cost}``
        by label, where a pair left out costs 0 if right and 1 if wrong. None makes every error
        cost 1.
    abstain_cost : float, default=None
        The cost of an abstention; None does not allow it. If every error costs 1 and an abstention
        costs s, this is Chow's rule: abstain where the highest probability is below 1 - s.
    abstain_label : object, default=None
        The abstain label; see :func:`resolve_abstain_label`.

    Notes
    -----
    The support is used as probabilities: rows are scaled to sum to one. See
    :func:`choose_minimum_cost` for ties and for rows without support. Costs are only as good as
    the probabilities: those of uncalibrated members can be far off.

    References
    ----------
    C. K. Chow (1970). On optimum recognition error and reject tradeoff. IEEE Transactions on
    Information Theory 16(1), 41-46.

    C. Elkan (2001). The foundations of cost-sensitive learning. IJCAI 17, 973-978.

    Examples
    --------
    >>> from nonet.decide import MinimumCost
    >>> MinimumCost(abstain_cost=0.2).decide([[0.9, 0.1], [0.7, 0.3]])
    array([ 0, -1])
    """

    _rules = {"abstain_cost": _PRICE}

    def __init__(
        self,
        costs: ArrayLike | Mapping[tuple[Any, Any], float] | None = None,
        abstain_cost: float | None = None,
        abstain_label: Any = None,
    ) -> None:
        self.costs = costs
        self.abstain_cost = abstain_cost
        self.abstain_label = abstain_label

    @property
    def can_abstain(self) -> bool:
        """Whether an abstention has a cost."""
        return self.abstain_cost is not None

    @property
    def needs_probabilities(self) -> bool:
        """Always True: expected costs are means over the classes."""
        return True

    def check(self, classes: ArrayLike) -> None:
        """Check the parameters and that the costs form a square matrix over the classes."""
        super().check(classes)
        self._matrix(classes)

    def decide(self, support: Floats) -> Codes:
        """Return the code of the minimum expected cost, -1 where an abstention is cheaper."""
        return choose_minimum_cost(support, self._known_costs(), self.abstain_cost)

    def decide_without_abstaining(self, support: Floats) -> Codes:
        """Return the code of the minimum expected cost among the classes."""
        return choose_minimum_cost(support, self._known_costs())

    def confidence(self, support: Floats) -> Floats:
        """Return minus the minimum expected cost, so that a costly row has low confidence."""
        checked = _check_probabilities(support)
        costs = _as_cost_matrix(self._known_costs(), checked.shape[1])
        cheapest = _expected_costs(checked, costs).min(axis=1)
        return np.where(is_empty(checked), -np.inf, -cheapest)

    def _known_costs(self) -> ArrayLike | None:
        if not isinstance(self.costs, Mapping):
            return self.costs
        if not hasattr(self, "classes_"):
            raise ValueError(
                "MinimumCost with costs by label cannot decide before it has classes: "
                "call bind(classes) first."
            )
        return self._matrix(self.classes_)

    def _matrix(self, classes: ArrayLike) -> Array:
        n_classes = len(np.asarray(classes))
        if isinstance(self.costs, Mapping):
            return _as_cost_matrix(tabulate_costs(self.costs, classes), n_classes)
        return _as_cost_matrix(self.costs, n_classes)
