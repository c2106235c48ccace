from __future__ import annotations

import numpy as np
import pytest
import sklearn.ensemble
from sklearn.cluster import DBSCAN
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

import nonet
from nonet import forest_distance, forest_proximity, forest_proximity_blocks

X, Y = load_iris(return_X_y=True)
FORESTS = [
    nonet.RandomForestClassifier(15, random_state=0),
    nonet.ExtraTreesClassifier(15, max_depth=3, random_state=0),
    nonet.RandomTreesEmbedding(15, random_state=0),
    nonet.IsolationForest(n_estimators=15, random_state=0),
    sklearn.ensemble.RandomForestClassifier(15, random_state=0),
    sklearn.ensemble.GradientBoostingClassifier(n_estimators=5, random_state=0),
]


def naive_proximity(forest, rows, others):
    own, theirs = (np.reshape(forest.apply(part), (len(part), -1)) for part in (rows, others))
    return (own[:, np.newaxis] == theirs).mean(axis=2)


@pytest.mark.parametrize("forest", FORESTS, ids=repr)
def test_proximity_against_naive(forest):
    forest.fit(X, Y)
    own = forest_proximity(forest, X, rows_per_block=40)
    np.testing.assert_allclose(own.toarray(), naive_proximity(forest, X, X))
    np.testing.assert_allclose(own.diagonal(), 1)
    others = forest_proximity(forest, X[:20], X[30:])
    np.testing.assert_allclose(others.toarray(), naive_proximity(forest, X[:20], X[30:]))


def test_small_proximities_are_left_out():
    forest = FORESTS[1].fit(X, Y)
    plain = naive_proximity(forest, X, X)
    found = forest_proximity(forest, X, min_proximity=0.5)
    np.testing.assert_allclose(found.toarray(), np.where(plain >= 0.5, plain, 0))
    assert found.nnz == (plain >= 0.5).sum()


@pytest.mark.parametrize("rows_per_block", [1, 64, 1000])
def test_blocks_together_are_the_whole(rows_per_block):
    forest = FORESTS[0].fit(X, Y)
    blocks = list(forest_proximity_blocks(forest, X, rows_per_block=rows_per_block))
    assert max(len(block) for _, block in blocks) == min(rows_per_block, 150)
    np.testing.assert_allclose(np.vstack([b for _, b in blocks]), naive_proximity(forest, X, X))
    assert [rows.start for rows, _ in blocks] == list(range(0, 150, rows_per_block))


def test_distance_is_the_root_and_satisfies_the_triangle_inequality():
    forest = FORESTS[2].fit(X)
    found = forest_distance(forest, X)
    np.testing.assert_allclose(found, np.sqrt(1 - naive_proximity(forest, X, X)), atol=1e-7)
    detours = (found[:, :, np.newaxis] + found[np.newaxis]).min(axis=1)
    assert (found <= detours + 1e-9).all()
    blocks = forest_proximity_blocks(forest, X, distance=True)
    np.testing.assert_array_equal(np.vstack([block for _, block in blocks]), found)


def test_distance_serves_clusterers():
    forest = nonet.RandomForestClassifier(50, random_state=0).fit(X, Y)
    labels = DBSCAN(0.8, metric="precomputed").fit_predict(forest_distance(forest, X))
    assert adjusted_rand_score(Y, labels) > 0.5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_proximity": 2}, "'min_proximity' must be"),
        ({"rows_per_block": 0}, "'rows_per_block'"),
    ],
)
def test_bad_arguments_are_rejected(settings, message):
    with pytest.raises(ValueError, match=message):
        forest_proximity(FORESTS[0].fit(X, Y), X, **settings)


def test_model_without_leaves_is_rejected():
    with pytest.raises(TypeError, match="ensemble of trees with apply"):
        forest_proximity(DBSCAN(), X)
