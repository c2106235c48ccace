"""The answer that costs least on average, silence among the answers if it has a price."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base import params
from nonet._base.aliases import SILENT, Array, Codes, Floats
from nonet.decide.labels import position_of
from nonet.decide.rule import DecisionRule
from nonet.decide.support import check_argument, check_class_support, is_empty, rounding_of

_PRICE = params.Nothing() | params.Real()


def choose_least_cost(
    probabilities: ArrayLike, costs: ArrayLike | None = None, silence_cost: float | None = None
) -> Codes:
    """Choose the class whose expected cost is least.

    Parameters
    ----------
    probabilities : array-like of shape (n, n_classes)
        Rows are scaled to sum to one. A row of zeros is silent if silence has a price;
        otherwise its classes count as equally likely.
    costs : array-like of shape (n_classes, n_classes), default=None
        ``costs[true, predicted]``; None makes every error cost 1.
    silence_cost : float, default=None
        The price of no decision; None does not allow it.

    Returns
    -------
    codes : ndarray of int of shape (n,)
        Positions of the classes; -1 for no decision. Of equal costs (up to rounding) the first
        class is chosen, and silence only if it is cheaper than every class.

    Examples
    --------
    A missed illness (class 1) costs ten times a false alarm:

    >>> from nonet.decide import choose_least_cost
    >>> choose_least_cost([[0.95, 0.05], [0.8, 0.2]], [[0, 1], [10, 0]])
    array([0, 1])
    >>> choose_least_cost([[0.95, 0.05], [0.8, 0.2]], [[0, 1], [10, 0]], silence_cost=0.6)
    array([ 0, -1])
    """
    check_argument("choose_least_cost", "silence_cost", _PRICE, silence_cost)
    checked = _check_probabilities(probabilities)
    expected = _expected_costs(checked, _as_cost_matrix(costs, checked.shape[1]))
    rounding = rounding_of(checked) * np.abs(expected).max(axis=1)
    cheapest = expected.min(axis=1)
    codes: Codes = np.argmax(expected <= (cheapest + rounding)[:, np.newaxis], axis=1)
    if silence_cost is not None:
        codes[(silence_cost < cheapest - rounding) | is_empty(checked)] = SILENT
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
    shares = np.divide(probabilities, total, out=equal, where=total > 0)
    return np.asarray(shares @ costs)


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
    """Write costs by (true label, predicted label) as a matrix in the order of the classes.

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


class LeastCost(DecisionRule):
    """The class whose expected cost is least, or silence where that is cheaper.

    Parameters
    ----------
    costs : array-like of shape (n_classes, n_classes) or mapping, default=None
        ``costs[true, predicted]`` in the order of the classes, or ``{(true, predicted): cost}``
        by label, where a pair left out costs 0 if right and 1 if wrong. None makes every error
        cost 1.
    silence_cost : float, default=None
        The price of silence; None does not allow it. With every error at cost 1 and silence at
        cost s this is Chow's rule: silent where the largest probability is below 1 - s.
    abstain_label : object, default=None
        The label of silence; see :func:`resolve_abstain_label`.

    Notes
    -----
    The support is read as probabilities: rows are scaled to sum to one. See
    :func:`choose_least_cost` for ties and for rows without support. Costs are only as good as
    the probabilities: those of uncalibrated members can be far off.

    References
    ----------
    C. K. Chow (1970). On optimum recognition error and reject tradeoff. IEEE Transactions on
    Information Theory 16(1), 41-46.

    C. Elkan (2001). The foundations of cost-sensitive learning. IJCAI 17, 973-978.

    Examples
    --------
    >>> from nonet.decide import LeastCost
    >>> LeastCost(silence_cost=0.2).decide([[0.9, 0.1], [0.7, 0.3]])
    array([ 0, -1])
    """

    _rules = {"silence_cost": _PRICE}

    def __init__(
        self,
        costs: ArrayLike | Mapping[tuple[Any, Any], float] | None = None,
        silence_cost: float | None = None,
        abstain_label: Any = None,
    ) -> None:
        self.costs = costs
        self.silence_cost = silence_cost
        self.abstain_label = abstain_label

    @property
    def can_be_silent(self) -> bool:
        """Whether silence has a price."""
        return self.silence_cost is not None

    @property
    def needs_probabilities(self) -> bool:
        """Always: expected costs are means over the classes."""
        return True

    def check(self, classes: ArrayLike) -> None:
        """Check the parameters and that the costs are a matrix of the size of the classes."""
        super().check(classes)
        self._matrix(classes)

    def decide(self, support: Floats) -> Codes:
        """Return the code of the least expected cost, -1 where silence is cheaper."""
        return choose_least_cost(support, self._known_costs(), self.silence_cost)

    def speak(self, support: Floats) -> Codes:
        """Return the code of the least expected cost among the classes."""
        return choose_least_cost(support, self._known_costs())

    def confidence(self, support: Floats) -> Floats:
        """Return the least expected cost with its sign turned: the dearest row is least sure."""
        checked = _check_probabilities(support)
        costs = _as_cost_matrix(self._known_costs(), checked.shape[1])
        cheapest = _expected_costs(checked, costs).min(axis=1)
        return np.where(is_empty(checked), -np.inf, -cheapest)

    def _known_costs(self) -> ArrayLike | None:
        if not isinstance(self.costs, Mapping):
            return self.costs
        if not hasattr(self, "classes_"):
            raise ValueError(
                "LeastCost with costs by label cannot decide before it knows the classes: "
                "call bind(classes) first."
            )
        return self._matrix(self.classes_)

    def _matrix(self, classes: ArrayLike) -> Array:
        n_classes = len(np.asarray(classes))
        if isinstance(self.costs, Mapping):
            return _as_cost_matrix(tabulate_costs(self.costs, classes), n_classes)
        return _as_cost_matrix(self.costs, n_classes)
