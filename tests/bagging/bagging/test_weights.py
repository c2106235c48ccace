"""Weights mean repetition: exactly where no rows are drawn, in the mean over draws where they are.

tests/contracts runs all of scikit-learn's checks.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
)

from nonet.bagging import (
    BaggingClassifier,
    BaggingRegressor,
)


@pytest.mark.parametrize(
    "estimator",
    [
        BaggingClassifier(n_estimators=3, bootstrap=False),
        BaggingClassifier(LogisticRegression(), n_estimators=3, bootstrap=False, max_samples=1.0),
        BaggingRegressor(n_estimators=3, bootstrap=False, max_features=0.5),
        BaggingRegressor(Ridge(), n_estimators=3, bootstrap=False),
    ],
    ids=repr,
)
def test_weights_mean_repetition_where_nothing_is_drawn(estimator):
    check_sample_weight_equivalence_on_dense_data(type(estimator).__name__, estimator)


@pytest.mark.parametrize("max_samples", [60, 0.5])
def test_weights_mean_repetition_in_the_mean_over_draws(max_samples):
    random = np.random.default_rng(0)
    X, weights = random.normal(size=(40, 2)), random.integers(0, 4, size=40)
    y = X[:, 0] + random.normal(size=40)
    bagging = BaggingRegressor(
        DecisionTreeRegressor(max_depth=3), 600, max_samples=max_samples, random_state=1
    )
    weighted = bagging.fit(X, y, sample_weight=weights).member_outputs(X)
    other = clone(bagging).set_params(random_state=2)
    repeated = other.fit(X.repeat(weights, axis=0), y.repeat(weights)).member_outputs(X)
    gap = weighted.mean(axis=1) - repeated.mean(axis=1)
    error = np.sqrt((weighted.var(axis=1) + repeated.var(axis=1)) / 600)
    assert (np.abs(gap) < 4.5 * error).all()
