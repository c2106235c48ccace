"""Small tables for trees: scikit-learn's own, and some that a test makes."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_friedman1,
    make_moons,
    make_regression,
)


def _exact(X):
    """Numbers that float32 holds exactly, as scikit-learn rounds to it."""
    return X.astype(np.float32).astype(np.float64)


def _staircase(n_rows=300):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(n_rows, 5)).astype(float)
    return X, (X[:, 0] + X[:, 1] > 3).astype(int) + (X[:, 2] == 2)


def _with_gaps(X, y):
    gaps = np.random.default_rng(0).uniform(size=X.shape) < 0.1
    return np.where(gaps, np.nan, X), y


CLASSES = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "breast_cancer": load_breast_cancer(return_X_y=True),
    "digits": tuple(part[:600] for part in load_digits(return_X_y=True)),
    "moons": make_moons(300, noise=0.2, random_state=0),
    "staircase": _staircase(),
    "made": make_classification(400, 12, n_informative=6, n_classes=4, random_state=0),
}
NUMBERS = {
    "diabetes": load_diabetes(return_X_y=True),
    "friedman": make_friedman1(300, random_state=0),
    "linear": make_regression(300, 8, noise=5.0, random_state=0),
    "stairs": (_staircase()[0], _staircase()[0] @ [1.0, 2.0, 0.0, -1.0, 0.5]),
}
CLASSES = {name: (_exact(X), y) for name, (X, y) in CLASSES.items()}
NUMBERS = {name: (_exact(X), y) for name, (X, y) in NUMBERS.items()}
CLASSES_WITH_GAPS = {name: _with_gaps(*CLASSES[name]) for name in ("iris", "wine", "moons")}
NUMBERS_WITH_GAPS = {name: _with_gaps(*NUMBERS[name]) for name in ("diabetes", "friedman")}

# Parameters that stop the growth in different ways.
LIMITS = [
    {},
    {"max_depth": 3},
    {"min_samples_leaf": 7},
    {"min_samples_split": 0.1},
    {"min_weight_fraction_leaf": 0.05},
    {"max_leaf_nodes": 9},
    {"min_impurity_decrease": 0.01},
    {"ccp_alpha": 0.005},
]
