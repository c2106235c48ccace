"""Rounds from the sums of partitions equal those of one process, without a cluster."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from nonet._native.partitions import ColumnEdges
from nonet.boosting.gradient.rows import Rows
from nonet.boosting.gradient.summed_stage import SummedStage
from nonet.dask import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from nonet.dask.part_rows import FitPlan
from nonet_dask.partitions_here import WorkersHere
from nonet_dask.same_trees import assert_same_trees


def table(n_rows, n_classes=2):
    X, y = make_classification(
        n_rows, 12, n_informative=8, n_classes=n_classes, flip_y=0.1, random_state=1
    )
    X[::7, 3] = np.nan
    X[:, 5] = X[:, 5].round()
    X[:, 6] = np.where(np.arange(n_rows) % 9 == 0, X[:, 6], 0.0)  # most rows share a bin
    return X, y


def fit_here(model, X, y, n_parts, weights=None):
    """Fit as on a cluster, by the same stage, on partitions of different sizes."""
    n_rows = len(X)
    columns = model._learn_columns(X)
    target, of_rows = model._read_target(y, weights, n_rows)
    model._draw_seeds()
    model._start_booster(Rows(columns, target, of_rows), None)
    model._begin_decide(model._plan_decide(), None, target)
    edges = ColumnEdges.of(model._bin(columns, of_rows))
    ends = np.sort(np.random.default_rng(0).choice(np.arange(1, n_rows), n_parts - 1, False))
    parts = [
        (rows, model._labels_of(target)[where], None if weights is None else weights[where])
        for where in np.split(np.arange(n_rows), ends)
        for rows in [X[where]]
    ]
    plan = FitPlan(model._reader(), edges, model._booster.loss, model._booster.start)
    workers = WorkersHere(parts, plan)
    params = model._grow_params(X.shape[1])
    stage = SummedStage(
        workers, model._booster, edges.without_rows(), params, model.learning_rate, 2_000_000
    )
    for number in range(model.max_iter):
        model._booster.rounds.append(stage.add_round(number))
    return model, workers


COUNTS = {"max_iter": 4, "early_stopping": False, "random_state": 0}


@pytest.mark.parametrize(
    ("n_rows", "settings"),
    [
        (2_000, {}),
        (40_000, {}),  # packed rows
        (40_000, {"max_leaf_nodes": None, "max_depth": 6}),
        (40_000, {"max_leaf_nodes": 150, "monotonic_cst": [1, -1] + [0] * 10}),
        (40_000, {"max_features": 0.5}),
        (5_000, {"max_features": 0.1}),
        (5_000, {"interaction_cst": [[0, 1, 2], list(range(3, 12))]}),
        (5_000, {"categorical_features": [5], "max_leaf_nodes": 8}),
        (5_000, {"learning_rate": 1.0, "min_samples_leaf": 1}),  # steps that are shortened
        (2_000, {"max_leaf_nodes": 2}),
        (2_000, {"min_samples_leaf": 2_000}),  # no split
    ],
    ids=str,
)
def test_classifiers_equal_those_of_one_process(n_rows, settings):
    X, y = table(n_rows)
    if "categorical_features" in settings:
        X[:, 5] = X[:, 5] - X[:, 5].min()
    here = HistGradientBoostingClassifier._local(**COUNTS, **settings).fit(X, y)
    model, _ = fit_here(HistGradientBoostingClassifier(**COUNTS, **settings), X, y, 3)
    assert_same_trees(model, here)


@pytest.mark.parametrize("loss", ["squared_error", "poisson", "gamma"])
@pytest.mark.parametrize("n_rows", [3_000, 40_000])
def test_regressors_equal_those_of_one_process(loss, n_rows):
    X, y = table(n_rows)
    y = np.exp(X[:, 0] / 4 + np.nan_to_num(X[:, 1]) / 5) + y
    settings = {**COUNTS, "loss": loss}
    here = HistGradientBoostingRegressor._local(**settings).fit(X, y)
    model, _ = fit_here(HistGradientBoostingRegressor(**settings), X, y, 4)
    assert_same_trees(model, here)


def test_several_classes_grow_side_by_side_as_in_one_process():
    X, y = table(6_000, 4)
    here = HistGradientBoostingClassifier._local(**COUNTS).fit(X, y)
    model, workers = fit_here(HistGradientBoostingClassifier(**COUNTS), X, y, 3)
    assert_same_trees(model, here)
    alone, trips = fit_here(HistGradientBoostingClassifier(**COUNTS), *table(6_000, 2), 3)
    assert workers.n_trips < 3 * trips.n_trips  # four trees per round, in shared calls
    assert len(alone._booster.rounds) == 4


@pytest.mark.parametrize("kind", ["whole", "real", "zeros in a part"])
def test_weights(kind):
    X, y = table(4_000)
    rng = np.random.default_rng(0)
    weights = {
        "whole": rng.integers(0, 4, 4_000).astype(float),
        "real": rng.uniform(0.5, 2, 4_000),
        "zeros in a part": (np.arange(4_000) > 3_000).astype(float),
    }[kind]
    here = HistGradientBoostingClassifier._local(**COUNTS).fit(X, y, weights)
    model, _ = fit_here(HistGradientBoostingClassifier(**COUNTS), X, y, 4, weights)
    assert_same_trees(model, here)


def test_a_tree_takes_few_calls():
    X, y = table(40_000)
    _, workers = fit_here(HistGradientBoostingClassifier(**COUNTS), X, y, 2)
    assert workers.n_trips / 4 < 16  # one by one, 31 leaves would take 35


def test_rejects_rows_that_are_too_far_apart():
    X, y = table(2_000)
    weights = np.ones(2_000)
    weights[0] = 1e-30
    with pytest.raises(ValueError, match="too many orders of magnitude apart"):
        fit_here(HistGradientBoostingClassifier(**COUNTS), X, y, 2, weights)
