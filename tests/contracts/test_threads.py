"""The number of threads, and of workers, changes no bit of any result."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

from contracts.instances import every_instance, prediction
from nonet import combine, limit_threads

# Enough outputs for the kernels to use a second thread.
N_ROWS, N_MEMBERS, N_CLASSES = 60_000, 7, 4
RNG = np.random.default_rng(0)
VALUES = RNG.normal(size=(N_ROWS, N_MEMBERS))
SCORES = RNG.normal(size=(N_ROWS, N_MEMBERS, N_CLASSES))
PROBABILITIES = RNG.dirichlet(np.ones(N_CLASSES), size=(N_ROWS, N_MEMBERS))
CODES = RNG.integers(-1, N_CLASSES, size=(N_ROWS, N_MEMBERS))
WEIGHTS = RNG.uniform(size=N_MEMBERS)

CALLS = {
    "mean": lambda: combine.mean(PROBABILITIES, WEIGHTS),
    "total": lambda: combine.total(VALUES, WEIGHTS),
    "median": lambda: combine.median(VALUES),
    "weighted median": lambda: combine.median(VALUES, WEIGHTS),
    "trimmed mean": lambda: combine.trimmed_mean(VALUES, 0.2),
    "geometric mean": lambda: combine.geometric_mean(np.abs(VALUES), WEIGHTS),
    "minimum": lambda: combine.minimum(VALUES),
    "maximum": lambda: combine.maximum(VALUES),
    "plurality": lambda: combine.plurality(CODES),
    "weighted plurality": lambda: combine.plurality(CODES, WEIGHTS),
    "majority": lambda: combine.majority(CODES),
    "k of n": lambda: combine.k_of_n(CODES, 3),
    "product": lambda: combine.product(PROBABILITIES, WEIGHTS),
    "log pool": lambda: combine.log_pool(PROBABILITIES),
    "median pool": lambda: combine.median_pool(PROBABILITIES),
    "borda": lambda: combine.borda(SCORES, WEIGHTS),
    "score_sum": lambda: combine.score_sum(SCORES, WEIGHTS),
}


@pytest.fixture(autouse=True)
def _two_threads_available(monkeypatch):
    monkeypatch.setenv("NONET_NUM_THREADS", "2")


@pytest.mark.parametrize("name", CALLS)
def test_rule_is_deterministic_over_threads(name):
    with limit_threads(1):
        alone = CALLS[name]()
    np.testing.assert_array_equal(CALLS[name](), alone)


WITH_JOBS = [one for one in every_instance() if "n_jobs" in one.get_params(deep=False)]


@pytest.mark.parametrize("estimator", every_instance(), ids=repr)
def test_estimator_is_deterministic_over_threads(estimator):
    X, y = make_classification(n_samples=80, random_state=0)
    with limit_threads(1):
        alone = prediction(clone(estimator).fit(X, y), X)
    np.testing.assert_array_equal(prediction(clone(estimator).fit(X, y), X), alone)


@pytest.mark.parametrize("estimator", WITH_JOBS, ids=repr)
def test_estimator_is_deterministic_over_jobs(estimator):
    X, y = make_classification(n_samples=80, random_state=0)
    alone, together = clone(estimator).set_params(n_jobs=1), clone(estimator).set_params(n_jobs=2)
    np.testing.assert_array_equal(prediction(together.fit(X, y), X), prediction(alone.fit(X, y), X))
    if hasattr(alone, "transform") and hasattr(alone, "predict"):
        np.testing.assert_array_equal(together.transform(X), alone.transform(X))
