"""Classes counted in whole numbers go another way than weighted ones: both grow the same tree."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from nonet import DecisionTreeClassifier


def draw_rows(n_rows: int, n_classes: int, *, missing: bool) -> tuple[NDArray, NDArray]:
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(n_rows, 6)).round(1)
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n_rows)
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]))
    if missing:
        X[rng.random(X.shape) < [0, 0.1, 0, 0, 0.1, 0]] = np.nan
    return X, y


@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_classes", [3, 5, 12])
@pytest.mark.parametrize("n_rows", [7, 60, 2000])
def test_counted_classes_grow_the_tree_of_equal_weights(n_rows, n_classes, missing, max_features):
    X, y = draw_rows(n_rows, n_classes, missing=missing)
    counted = DecisionTreeClassifier(max_features=max_features, random_state=0).fit(X, y)
    # Halves are exact in fixed point, and no whole numbers: rows are then weighed, not counted.
    weighed = DecisionTreeClassifier(max_features=max_features, random_state=0).fit(
        X, y, sample_weight=np.full(n_rows, 0.5)
    )
    assert counted.tree_.node_count == weighed.tree_.node_count
    np.testing.assert_array_equal(counted.tree_.feature, weighed.tree_.feature)
    np.testing.assert_array_equal(counted.tree_.threshold, weighed.tree_.threshold)
    np.testing.assert_array_equal(counted.predict_proba(X), weighed.predict_proba(X))
