"""A guard that compares the final model with the members' mean and with the best member."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.results import Result
from nonet._base.warn import warn_caller

_MINIMUM = np.finfo(np.float64).eps  # as in scikit-learn's log loss


@dataclass(frozen=True)
class MetaGuard(Result):
    """Held-out log losses of the final model, of its best member, and of the members' mean.

    Attributes
    ----------
    final_model : float
        The log loss of final models on rows that neither they nor the members were fitted on.
    best_member : float
        The minimum log loss of a member.
    mean : float
        The log loss of the plain mean of the members' probabilities.
    excess : float
        The log loss of the final model minus the smaller of the other two.
    standard_error : float
        Standard error of the excess, from its spread over the rows.
    worsens : bool
        Whether the final model is worse by more than two standard errors.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import StackingClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=3))]
    >>> stack = StackingClassifier(members, guard=True).fit(X, y)
    >>> stack.guard_.worsens
    False
    """

    _shown: ClassVar[tuple[str, ...]] = (
        "final_model",
        "best_member",
        "mean",
        "excess",
        "standard_error",
        "worsens",
    )

    final_model: float
    best_member: float
    mean: float
    excess: float
    standard_error: float
    worsens: bool


def guard_final_model(
    final: Floats, outputs: Floats, target: Codes, sample_weight: Floats | None = None
) -> MetaGuard:
    """Compare held-out probabilities of a final model with those of its members.

    Parameters
    ----------
    final : ndarray of shape (n, c)
        Probabilities of final models that were fitted without the row.
    outputs : ndarray of shape (n, k, c)
        Held-out probabilities of the members.
    target : ndarray of shape (n,)
        The true class codes.
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    guard : MetaGuard
    """
    probability = np.ones(len(target)) if sample_weight is None else sample_weight
    probability = probability / probability.sum()
    own = _losses(final, target)
    members = [_losses(outputs[:, position], target) for position in range(outputs.shape[1])]
    best = min(members, key=lambda losses: float(probability @ losses))
    mean = _losses(outputs.mean(axis=1), target)
    rival = min(best, mean, key=lambda losses: float(probability @ losses))
    excess = float(probability @ (own - rival))
    error = float(np.sqrt(probability**2 @ (own - rival - excess) ** 2))
    losses = (float(probability @ own), float(probability @ best), float(probability @ mean))
    return MetaGuard(*losses, excess, error, excess > 2 * error)


def _losses(probabilities: Floats, target: Codes) -> Floats:
    sums = probabilities.sum(axis=1)
    on_truth = probabilities[np.arange(len(target)), target] / np.where(sums > 0, sums, 1.0)
    losses: Floats = -np.log(np.maximum(on_truth, _MINIMUM))
    return losses


def warn_if_worse(guard: MetaGuard) -> None:
    """Warn if the final model has a worse log loss."""
    if guard.worsens:
        rival = "the mean of the members" if guard.mean <= guard.best_member else "the best member"
        warn_caller(
            f"the final model has a held-out log loss of {guard.final_model:.4g}, worse than "
            f"{min(guard.mean, guard.best_member):.4g} of {rival} (by {guard.excess:.2g} +- "
            f"{guard.standard_error:.1g}); use a simpler final model, calibrate='temperature', or "
            "BlendingClassifier(weights='log_loss').",
        )
