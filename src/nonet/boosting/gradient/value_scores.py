"""Base class of boosted regressors: targets, and predictions by the inverse link."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_y

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet.boosting.gradient.booster_estimator import GradientBoosted, check_same_length
from nonet.boosting.gradient.decisions import LinkedValues
from nonet.ensemble import EnsembleRegressor


class ValueScores(EnsembleRegressor, GradientBoosted):
    """Parent of boosted regressors."""

    def _read_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        target = self._encode_known(y)
        check_same_length(n_rows, target)
        return target, check_sample_weight(sample_weight, n_rows)

    def _encode_known(self, y: Any) -> Array:
        return np.ascontiguousarray(_check_y(y, estimator=self), dtype=np.float64)

    def _labels_of(self, target: Array) -> Array:
        return target

    def _strata(self, target: Array) -> Array | None:
        return None

    def _plan_decide(self) -> Any:
        return self._bind_decide(self.decide)

    def _begin_decide(self, rule: Any, X: Any, target: Array) -> None:
        self.decide_ = LinkedValues(self._booster.loss, rule)

    def predict(self, X: Any) -> Floats:
        """Return the prediction for each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Returns
        -------
        values : ndarray of shape (n_samples,)
        """
        return self._predict_scores(self._scores(X), X)

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """Yield the predictions after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Yields
        ------
        values : ndarray of shape (n_samples,)
        """
        return (self._predict_scores(scores, X) for scores in self._staged_scores(X))
