"""Virtual ensembles: truncated versions of one booster, whose spread measures uncertainty.

Members: the booster truncated after several rounds of its second half. F: the mean. C: none; the
result is the uncertainty of the predictions.

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
    """Predictions of one booster after several numbers of rounds, with their uncertainty.

    Attributes
    ----------
    outputs : ndarray of shape (n_samples, n_members) or (n_samples, n_members, n_classes)
        Values, or probabilities of classes.
    rounds : tuple of int
        The number of rounds of each member.
    noise : ndarray of shape (n_samples,) or None
        The variance of y at each row, for regression.

    Examples
    --------
    >>> from nonet.boosting import VirtualEnsemble
    >>> sure = [[0.0, 1.0], [0.0, 1.0]]
    >>> toss_up = [[0.5, 0.5], [0.5, 0.5]]  # all members are unsure
    >>> dispute = [[0.0, 1.0], [1.0, 0.0]]  # the members are sure and disagree
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
        """The mean prediction of the members."""
        return np.asarray(self.outputs.mean(axis=1))

    @property
    def knowledge(self) -> Floats:
        """Knowledge uncertainty, which more training rows could reduce: members disagree.

        The mutual information (in nats) of label and member in classification, the variance over
        members in regression.
        """
        if self.outputs.ndim == 2:
            return np.asarray(self.outputs.var(axis=1))
        return np.asarray(np.maximum(entr(self.mean).sum(axis=1) - self.data, 0.0))

    @property
    def data(self) -> Floats:
        """Data uncertainty, which no training row reduces: mean entropy of members, or noise."""
        if self.outputs.ndim == 3:
            return np.asarray(entr(self.outputs).sum(axis=2).mean(axis=1))
        if self.noise is None:
            raise ValueError(
                "the data uncertainty of a regressor is the variance of y, which a model of the "
                "mean does not estimate; pass it to virtual_ensemble as noise=."
            )
        return self.noise

    @property
    def total(self) -> Floats:
        """Total uncertainty: the entropy of the mean prediction, or knowledge plus data."""
        if self.outputs.ndim == 3:
            return np.asarray(entr(self.mean).sum(axis=1))
        return self.knowledge + self.data


def virtual_ensemble(
    model: Any, X: Any, *, n_members: int = 10, noise: Any = None
) -> VirtualEnsemble:
    """Estimate the uncertainty of a fitted booster from its predictions after fewer rounds.

    The members are the booster truncated after rounds evenly spaced over its second half. They
    cost no more than one staged prediction, but they are highly correlated: their spread ranks
    rows roughly by uncertainty, and is too small as an absolute value.

    Parameters
    ----------
    model : estimator
        A fitted gradient booster, of one output if it is a regressor.
    X : array-like of shape (n_samples, n_features)
        Rows.
    n_members : int, default=10
        Number of members, at most one plus half of the rounds.
    noise : array-like of shape (n_samples,), default=None
        The variance of y at each row, for a regressor: for example the predictions of a second
        booster fitted on the squared errors of held-out rows.

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
        raise ValueError("noise is for regressors, but the model is a classifier; omit noise.")
    if not is_classifier(model) and model.n_trees_per_iteration_ > 1:
        raise ValueError(
            f"virtual_ensemble takes regressors of one output, but this {type(model).__name__} has "
            f"{model.n_trees_per_iteration_}; fit one booster per output."
        )
    rounds = _choose_rounds(len(model._rounds_used()), n_members)
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
            f"{variances.shape} and a minimum of {variances.min(initial=0)}."
        )
    return variances
