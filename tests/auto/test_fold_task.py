"""Tasks on folds: the losses by which a booster is followed, and guests that would warn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from nonet import AutoEnsembleRegressor
from nonet.auto.configuration import Configuration
from nonet.auto.fold_task import (
    AutoData,
    predict_rows,
    quiet_on_one_core,
    row_losses,
    run_fold_task,
)

BOOSTER = Configuration("few", "boosted_trees", {"n_estimators": 12, "learning_rate": 0.3})


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_losses_of_rounds_are_those_of_the_model_after_them(n_classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = X[:, 0] + 0.5 * rng.normal(size=120)
    if n_classes:
        y = np.digitize(y, np.quantile(y, np.arange(1, n_classes) / n_classes))
    folds = ((np.arange(80), np.arange(80, 120)),)
    data = AutoData(X, y, np.zeros(3, bool), n_classes, folds, None, 0)
    result = run_fold_task(BOOSTER, 0, data)
    assert len(result.losses) == result.model.n_iter_
    for n_rounds in range(1, len(result.losses) + 1):
        predictions = predict_rows(result.model, X[80:], n_rounds)
        expected = row_losses(y[80:], predictions).sum()
        assert result.losses[n_rounds - 1].sum() == pytest.approx(expected)


def test_members_that_would_warn_are_fitted_quietly(recwarn):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    folds = ((np.arange(40), np.arange(40, 60)),)
    data = AutoData(X, X[:, 0], np.zeros(3, bool), 0, folds, None, 0)
    params = {"hidden_layer_sizes": [4], "max_iter": 2, "by_rank": True}
    with quiet_on_one_core():
        run_fold_task(Configuration("short", "network", params), 0, data)
    assert [str(warning.message) for warning in recwarn] == []


def test_search_leaves_warnings_and_threads_of_the_process_as_they_were():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))

    def threads():
        return [library["num_threads"] for library in threadpool_info()]

    filters, n_threads = list(warnings.filters), threads()
    settings = {"time_limit": None, "max_tasks": 9, "n_jobs": 3, "cv": 3, "random_state": 0}
    AutoEnsembleRegressor(families=["linear", "network"], **settings).fit(X, X[:, 0])
    assert warnings.filters == filters
    assert threads() == n_threads
