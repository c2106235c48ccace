from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.metrics import log_loss

from nonet.combine import LogLoss, SafePool, product

RNG = np.random.default_rng(0)


def make_predictions(n_rows=400, n_members=3, n_classes=3):
    target = RNG.integers(0, n_classes, n_rows)
    scores = RNG.normal(size=(n_rows, n_members, n_classes))
    scores[np.arange(n_rows), :, target] += [1.5, 0.7, 0.0][:n_members]
    probabilities = np.exp(scores)
    return probabilities / probabilities.sum(axis=2, keepdims=True), target


def loss_of(outputs, target, weights):
    return log_loss(target, SafePool().support(outputs, weights))


def test_weights_against_naive_have_the_least_log_loss():
    outputs, target = make_predictions()
    found = LogLoss().find(outputs, target, classes=[0, 1, 2])
    naive = minimize(
        lambda w: loss_of(outputs, target, np.abs(w) + 1e-12),
        np.full(3, 0.5),
        method="Nelder-Mead",
        options={"xatol": 1e-6, "fatol": 1e-10, "maxiter": 2000},
    )
    np.testing.assert_allclose(found, np.abs(naive.x), atol=2e-3)


def test_blend_is_never_worse_than_the_best_member_on_its_rows():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        probabilities = rng.dirichlet(np.ones(3), size=(50, 4))
        target = rng.integers(0, 3, 50)
        found = LogLoss().find(probabilities, target, classes=[0, 1, 2])
        alone = [loss_of(probabilities, target, np.eye(4)[member]) for member in range(4)]
        assert loss_of(probabilities, target, found) <= min(alone) + 1e-6


def test_row_weights_are_repetitions():
    outputs, target = make_predictions(100)
    counts = RNG.integers(0, 3, 100)
    repeated = LogLoss().find(
        np.repeat(outputs, counts, 0), np.repeat(target, counts), classes=[0, 1, 2]
    )
    weighted = LogLoss().find(outputs, target, classes=[0, 1, 2], sample_weight=counts)
    np.testing.assert_allclose(weighted, repeated, atol=1e-4)


def test_pool_is_the_product_where_nobody_is_certain():
    outputs, _ = make_predictions(20)
    weights = np.array([0.5, 1.0, 2.0])
    np.testing.assert_allclose(SafePool(1e-9).support(outputs, weights), product(outputs, weights))


def test_one_mistaken_veto_costs_little():
    outputs = np.array([[[1.0, 0.0], [0.2, 0.8], [0.2, 0.8]]])
    assert product(outputs)[0, 1] == 0
    assert SafePool(0.01).support(outputs)[0, 1] > 0.1


@pytest.mark.parametrize(
    ("outputs", "target", "classes"),
    [(np.ones((4, 2)), np.ones(4), None), (np.zeros((4, 2), dtype=int), [0, 1, 0, 1], [0, 1])],
)
def test_predictions_without_probabilities_are_rejected(outputs, target, classes):
    with pytest.raises(ValueError, match="class probabilities .* but regression has none"):
        LogLoss().find(outputs, target, classes=classes)
