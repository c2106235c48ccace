"""Gates: weights of the members at a point x, learned from held-out losses.

A gate is fitted on X and on the (n, k) held-out losses of k members, and
returns (n, k) weights q_t(x) >= 0 that sum to one.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

from nonet._base.aliases import Floats
from nonet._base.errors import member_error
from nonet._base.frames import count_rows, take_rows
from nonet._base.number_tables import explain_refusal
from nonet.members.label_codes import fit_on_labels
from nonet.stacking.routed.distance_columns import DistanceColumns

_SMALL = 1e-12

_CHOICE = {False: "", True: ", the best member alone"}


class CompetenceGate(BaseEstimator):
    """Parent of the gates; an error of the model inside names the gate."""

    model: Any = None  # the classifier inside, if there is one

    def fit(self, X: Any, losses: Floats) -> Self:
        """Fit the gate on the losses of the members on the rows of X."""
        try:
            self._learn(X, losses)
        except Exception as why:
            raise self._error("fit", why, X) from why
        return self

    def weigh(self, X: Any) -> Floats:
        """Return the weights of the members at each row."""
        try:
            return self._weights(X)
        except Exception as why:
            raise self._error("weigh the members", why, X) from why

    def _learn(self, X: Any, losses: Floats) -> None:
        raise NotImplementedError

    def _weights(self, X: Any) -> Floats:
        raise NotImplementedError

    def _error(self, doing: str, why: Exception, X: Any) -> Exception:
        return member_error("gate", 0, 1, doing, explain_refusal(why, self.model, X))


class NearestGate(CompetenceGate):
    """Weigh members by their losses on the held-out rows nearest to x.

    Columns are standardised first, so that units of measurement do not matter. Any two different
    categories are equally far apart, and missing numbers are replaced by the mean.
    """

    def __init__(self, n_neighbors: int, select_best: bool) -> None:
        self.n_neighbors = n_neighbors
        self.select_best = select_best

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"losses on the {self.n_neighbors} nearest rows{_CHOICE[self.select_best]}"

    def _learn(self, X: Any, losses: Floats) -> None:
        """Store the rows and the losses of the members on them."""
        self.columns_ = DistanceColumns().fit(X)
        numbers = self.columns_.transform(X)
        # Without centring, which changes no distance, sparse matrices stay sparse.
        self.scaler_ = StandardScaler(with_mean=False).fit(numbers)
        within = min(self.n_neighbors, count_rows(X))
        self.nearest_ = NearestNeighbors(n_neighbors=within).fit(self.scaler_.transform(numbers))
        self.losses_ = losses

    def _weights(self, X: Any) -> Floats:
        numbers = self.scaler_.transform(self.columns_.transform(X))
        near = self.nearest_.kneighbors(numbers, return_distance=False)
        local = self.losses_[near].mean(axis=1)
        return best_only(-local) if self.select_best else inverse_loss_weights(local)


class ModelGate(CompetenceGate):
    """A classifier that predicts the best member at x; its probabilities are the weights.

    It learns the best member of each row; rows where the members differ little have low weight.
    """

    def __init__(self, model: Any, select_best: bool) -> None:
        self.model = model
        self.select_best = select_best

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"{type(self.model).__name__}{_CHOICE[self.select_best]}"

    def _learn(self, X: Any, losses: Floats) -> None:
        """Fit the classifier on the rows where members differ."""
        self.n_members_ = losses.shape[1]
        stakes = losses.mean(axis=1) - losses.min(axis=1)
        rows = np.flatnonzero(stakes > _SMALL)
        best = losses[rows].argmin(axis=1)
        self.known_ = np.unique(best)
        self.model_ = None
        if len(self.known_) > 1:
            weights = stakes[rows] / stakes[rows].mean()
            takes = has_fit_parameter(self.model, "sample_weight")
            params = {"sample_weight": weights} if takes else {}
            self.model_ = fit_on_labels(clone(self.model), take_rows(X, rows), best, params)

    def _weights(self, X: Any) -> Floats:
        weights = np.zeros((count_rows(X), self.n_members_))
        if self.model_ is not None:
            weights[:, self.known_] = self.model_.predict_proba(X)
        elif self.known_.size:
            weights[:, self.known_] = 1  # one member is the best on all rows
        else:
            weights += 1 / self.n_members_  # all members predict the same
        return best_only(weights) if self.select_best else weights


def best_only(support: Floats) -> Floats:
    """Distribute the weight evenly among the members with the maximum support."""
    top = support >= support.max(axis=1, keepdims=True) - _SMALL
    return np.asarray(top / top.sum(axis=1, keepdims=True))


def inverse_loss_weights(losses: Floats) -> Floats:
    """Weigh members by one over their loss; those with zero loss get all the weight."""
    scale = losses.mean(axis=1, keepdims=True)
    inverse = 1 / np.maximum(losses / np.where(scale > 0, scale, 1), 1e-6)
    return np.asarray(inverse / inverse.sum(axis=1, keepdims=True))
