"""Weights on logarithms of probabilities that minimise log loss, and the pool that uses them.

p(c) is proportional to prod_m p_m(c)^w_m: a logistic model on the members' log-probabilities
with one weight per member. The weights need not sum to one. Large weights let members that
agree be more confident together than alone. With all weight on one member, the pool returns its
probabilities, so the best weights are, on the rows they are found on, never worse in
log loss than the best member.

References
----------
G. E. Hinton, Products of experts, ICANN 1999.
T. Heskes, Selecting weighting factors in logarithmic opinion pools, NIPS 1998.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from nonet._base.aliases import Array, Floats, Kind, Task
from nonet._base.params import Real, Rule
from nonet.combine.held_out import HeldOut
from nonet.combine.probabilities import product
from nonet.combine.rule import CombinationRule
from nonet.combine.weight_finder import WeightFinder, uniform_weights

_FLOOR = Real(0, 1, open_low=True, open_high=True)


class SafePool(CombinationRule):
    """The product of probabilities raised to their weights, without vetoes.

    Parameters
    ----------
    floor : float, default=1e-4
        Probabilities below the floor are raised to it. A member that returns probability 0 counts
        as very confident but not as infallible, so one row cannot cost an infinite log loss.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import SafePool
    >>> never = np.array([[[1.0, 0.0], [0.1, 0.9]]])
    >>> SafePool(0.01).support(never).round(3)
    array([[0.917, 0.083]])
    """

    reads: Mapping[Task, Kind] = {"classification": "probabilities"}
    _rules: Mapping[str, Rule] = {"floor": _FLOOR}

    def __init__(self, floor: float = 1e-4) -> None:
        self.floor = floor

    def support(
        self, outputs: Array, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Return the pooled probabilities of shape (n, c)."""
        return product(np.maximum(outputs, self.floor), weights)


class LogLoss(WeightFinder):
    """Non-negative weights on log-probabilities that minimise the log loss.

    Parameters
    ----------
    floor : float, default=1e-4
        Probabilities below the floor are raised to it, here and in :class:`SafePool`, the rule
        that the weights are meant for.

    Examples
    --------
    Two members that are equally good and independent are more confident together:

    >>> import numpy as np
    >>> from nonet.combine import LogLoss
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 4000)
    >>> hits = rng.random((4000, 2)) < 0.8
    >>> says_one = np.where(hits == (y == 1)[:, None], 0.8, 0.2)
    >>> outputs = np.stack([1 - says_one, says_one], axis=2)
    >>> LogLoss().find(outputs, y, classes=[0, 1]).round(1)
    array([1., 1.])
    """

    finds_factors = True
    _rules: Mapping[str, Rule] = {"floor": _FLOOR}

    def __init__(self, floor: float = 1e-4) -> None:
        self.floor = floor

    def suited_rule(self, task: Task) -> str | CombinationRule:
        """Return the pool whose log loss the weights minimise."""
        return SafePool(self.floor)

    def _find(self, held_out: HeldOut) -> Floats:
        if held_out.classes is None or held_out.outputs.ndim != 3:
            raise ValueError(
                "LogLoss needs class probabilities of the members, but regression has none; "
                "use 'non_negative', 'simplex' or 'ridge_to_uniform'."
            )
        logs = np.log(np.maximum(held_out.supports(), self.floor))  # (n, k, c)
        row_weights = held_out.row_weights / held_out.row_weights.sum()
        rows, target = np.arange(held_out.n_rows), held_out.target
        on_truth = logs[rows, :, target]

        def loss(weights: Floats) -> tuple[float, Floats]:
            scores = np.einsum("nkc,k->nc", logs, weights)
            expected = np.einsum("nkc,nc->nk", logs, softmax(scores, axis=1))
            value = -float(row_weights @ log_softmax(scores, axis=1)[rows, target])
            return value, row_weights @ (expected - on_truth)

        start = uniform_weights(held_out.n_members)
        bounds = [(0.0, None)] * held_out.n_members
        found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
        return found
