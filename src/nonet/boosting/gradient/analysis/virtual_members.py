"""An ensemble inside one booster: its answers after fewer rounds, and what their spread says.

Members: the booster cut off at several rounds of its second half. F: the mean. C: none; what is
wanted is how sure the answer is, and why it is not.

References
----------
A. Malinin, L. Prokhorenkova, A. Ustimenko, "Uncertainty in gradient boosting via ensembles",
*International Conference on Learning Representations*, 2021.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import entr
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._base.params import Integer, bad_parameter
from nonet._base.results import Result
from nonet.boosting.gradient.analysis.first_rounds import check_has_stages, predict_at


@dataclass(frozen=True)
class VirtualEnsemble(Result):
    """Answers of one booster after several rounds, and the uncertainty in them.

    Attributes
    ----------
    outputs : ndarray of shape (n_samples, n_members) or (n_samples, n_members, n_classes)
        Values, or probabilities of classes.
    rounds : tuple of int
        After how many rounds each member answers.
    noise : ndarray of shape (n_samples,) or None
        The variance of y at each row, for numbers.

    Examples
    --------
    >>> from nonet.boosting import VirtualEnsemble
    >>> sure = [[0.0, 1.0], [0.0, 1.0]]
    >>> toss_up = [[0.5, 0.5], [0.5, 0.5]]  # all members know that nobody knows
    >>> dispute = [[0.0, 1.0], [1.0, 0.0]]  # each is sure, of something else
    >>> found = VirtualEnsemble(np.array([sure, toss_up, dispute]), rounds=(50, 100), noise=None)
    >>> found.data.round(2).tolist(), found.knowledge.round(2).tolist()
    ([0.0, 0.69, 0.0], [0.0, 0.0, 0.69])
    >>> print(VirtualEnsemble(np.array([[1.0, 3.0]]), rounds=(50, 100), noise=None))
    VirtualEnsemble
      rounds     (50, 100)
      knowledge  [1.]
    """

    outputs: Floats
    rounds: tuple[int, ...]
    noise: Floats | None

    _shown: ClassVar[tuple[str, ...]] = ("rounds", "knowledge", "total")

    def _shown_now(self) -> tuple[str, ...]:
        # The total uncertainty of a regressor is unknown without the noise of y.
        has_total = self.outputs.ndim == 3 or self.noise is not None
        return self._shown if has_total else ("rounds", "knowledge")

    @property
    def mean(self) -> Floats:
        """The mean answer of the members."""
        return np.asarray(self.outputs.mean(axis=1))

    @property
    def knowledge(self) -> Floats:
        """What more training rows could settle: how far the members disagree.

        The mutual information (in nats) of label and member for classes, the variance over members
        for numbers.
        """
        if self.outputs.ndim == 2:
            return np.asarray(self.outputs.var(axis=1))
        return np.asarray(np.maximum(entr(self.mean).sum(axis=1) - self.data, 0.0))

    @property
    def data(self) -> Floats:
        """What no training row could settle: the mean entropy of the members, or the noise."""
        if self.outputs.ndim == 3:
            return np.asarray(entr(self.outputs).sum(axis=2).mean(axis=1))
        if self.noise is None:
            raise ValueError(
                "data uncertainty of numbers is the variance of y, which a model of the mean does "
                "not know; give it to virtual_ensemble as noise=."
            )
        return self.noise

    @property
    def total(self) -> Floats:
        """Knowledge and data uncertainty: the entropy of the mean answer, or the sum."""
        if self.outputs.ndim == 3:
            return np.asarray(entr(self.mean).sum(axis=1))
        return self.knowledge + self.data


def virtual_ensemble(
    model: Any, X: Any, *, n_members: int = 10, noise: Any = None
) -> VirtualEnsemble:
    """Ask a fitted booster after several of its rounds, and part the uncertainty of its answers.

    The members are the booster cut off at rounds evenly spaced over its second half. They cost no
    more than one staged prediction, but they are close relatives: their spread ranks rows by how
    little is known about them, roughly, and is too small as a number.

    Parameters
    ----------
    model : estimator
        A fitted gradient booster, of one output if it is a regressor.
    X : array-like of shape (n_samples, n_features)
        Rows.
    n_members : int, default=10
        Number of members, at most half of the rounds and one.
    noise : array-like of shape (n_samples,), default=None
        The variance of y at each row, for a regressor: such as the answers of a second booster
        fitted on the squared errors of held-out rows.

    Returns
    -------
    result : VirtualEnsemble
        ``outputs``, ``mean``, and the uncertainties ``knowledge``, ``data`` and ``total`` of rows.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from nonet import HistGradientBoostingClassifier, virtual_ensemble
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = HistGradientBoostingClassifier(max_iter=40, random_state=0).fit(X, y)
    >>> found = virtual_ensemble(model, X, n_members=5)
    >>> found.rounds
    (20, 25, 30, 35, 40)
    >>> bool((abs(found.total - found.knowledge - found.data) < 1e-12).all())
    True
    """
    check_has_stages(model, "virtual_ensemble")
    check_is_fitted(model)
    if is_classifier(model) and noise is not None:
        raise ValueError("noise is for regressors; probabilities hold their own, leave it out.")
    if not is_classifier(model) and model.n_trees_per_iteration_ > 1:
        raise ValueError(
            f"virtual_ensemble takes regressors of one output, but this {type(model).__name__} has "
            f"{model.n_trees_per_iteration_}; fit one booster per output."
        )
    rounds = _choose_rounds(len(model._answering_rounds()), n_members)
    wanted = set(rounds)
    outputs = [
        predict_at(model, X, scores)
        for n_rounds, scores in enumerate(model._staged_scores(X), start=1)
        if n_rounds in wanted
    ]
    stacked = np.stack(outputs, axis=1)
    return VirtualEnsemble(stacked, rounds, _check_noise(noise, len(stacked)))


def _choose_rounds(n_rounds: int, n_members: int) -> tuple[int, ...]:
    half = (n_rounds + 1) // 2
    allowed = Integer(2, max(2, n_rounds - half + 1))
    if not allowed.allows(n_members) or n_rounds < 2:
        reason = f"{allowed.describe()} for a booster of {n_rounds} rounds"
        raise bad_parameter("virtual_ensemble", "n_members", reason, n_members)
    return tuple(int(n) for n in np.linspace(half, n_rounds, n_members).round())


def _check_noise(noise: Any, n_rows: int) -> Floats | None:
    if noise is None:
        return None
    variances = np.asarray(noise, dtype=np.float64)
    if variances.shape != (n_rows,) or not (variances >= 0).all():
        raise ValueError(
            f"noise must hold a variance, not negative, for each of the {n_rows} rows, got shape "
            f"{variances.shape} and a least number of {variances.min(initial=0)}."
        )
    return variances
