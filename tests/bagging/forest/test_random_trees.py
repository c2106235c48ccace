"""Trees of random splits: isolation forests, and leaves as a code."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.ensemble
from scipy.sparse import csr_matrix, issparse
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import roc_auc_score

from nonet import IsolationForest, RandomTreesEmbedding
from nonet.bagging.forest.isolation_forest import average_path_length
from nonet.bagging.forest.random_trees import depths_of


def rows_with_outliers(n_outliers=20):
    random = np.random.default_rng(0)
    X, _ = make_blobs(500, 4, centers=3, random_state=1)
    outliers = random.uniform(2 * X.min(0), 2 * X.max(0), size=(n_outliers, 4))
    return np.vstack([X, outliers]), np.repeat([0, 1], [500, n_outliers])


def test_path_length_against_theory():
    """2 H(n - 1) - 2 (n - 1) / n, the mean depth of a random binary search tree's outer nodes."""
    harmonic = np.cumsum(1 / np.arange(1.0, 2000))
    exact = 2 * harmonic[1998 - 1] - 2 * 1998 / 1999
    assert average_path_length(np.array([1999]))[0] == pytest.approx(exact, rel=1e-3)
    assert average_path_length(np.array([0, 1, 2])).tolist() == [0, 0, 1]


def test_depths_are_counted_from_the_root():
    left, right = np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1])
    assert depths_of(left, right).tolist() == [0, 1, 1, 2, 2]


def test_outliers_are_found_as_well_as_against_sklearn():
    X, is_outlier = rows_with_outliers()
    areas = [
        np.mean(
            [
                roc_auc_score(is_outlier, -kind(random_state=seed).fit(X).score_samples(X))
                for seed in range(3)
            ]
        )
        for kind in (IsolationForest, sklearn.ensemble.IsolationForest)
    ]
    assert areas[0] > 0.97
    assert areas[0] == pytest.approx(areas[1], abs=0.01)


def test_scores_against_sklearn_are_level():
    X, _ = rows_with_outliers()
    ours, theirs = (
        kind(n_estimators=400, random_state=0).fit(X).score_samples(X)
        for kind in (IsolationForest, sklearn.ensemble.IsolationForest)
    )
    assert np.corrcoef(ours, theirs)[0, 1] > 0.99
    np.testing.assert_allclose(ours, theirs, atol=0.05)


def test_scores_against_paths_of_the_trees():
    X, _ = rows_with_outliers()
    forest = IsolationForest(n_estimators=7, random_state=0).fit(X)
    lengths = 0.0
    for tree in forest.estimators_:
        passed = np.asarray(tree.decision_path(X).sum(axis=1)).ravel() - 1
        lengths = lengths + passed + average_path_length(tree.tree_.n_node_samples[tree.apply(X)])
    expected = -(2 ** (-lengths / 7 / average_path_length(np.array([256]))[0]))
    np.testing.assert_allclose(forest.score_samples(X), expected)


def test_contamination_is_the_fraction_of_outliers():
    X, _ = rows_with_outliers()
    forest = IsolationForest(contamination=0.1, random_state=0).fit(X)
    assert (forest.predict(X) == -1).mean() == pytest.approx(0.1, abs=0.005)
    np.testing.assert_allclose(
        forest.decision_function(X), forest.score_samples(X) - forest.offset_
    )
    assert IsolationForest().fit(X).offset_ == -0.5


def test_rows_are_drawn_without_replacement_unless_bootstrap():
    X, _ = rows_with_outliers()
    plain = IsolationForest(n_estimators=5, max_samples=100, random_state=0).fit(X)
    assert all(len(set(rows.tolist())) == 100 for rows in plain.estimators_samples_)
    drawn = IsolationForest(n_estimators=5, max_samples=100, bootstrap=True, random_state=0).fit(X)
    assert all(len(set(rows.tolist())) < 100 == len(rows) for rows in drawn.estimators_samples_)


def test_columns_are_drawn_for_each_tree():
    X, _ = rows_with_outliers()
    forest = IsolationForest(n_estimators=8, max_features=2, random_state=0).fit(X)
    for tree, columns in zip(forest.estimators_, forest.estimators_features_, strict=True):
        assert len(columns) == 2
        assert set(tree.tree_.feature) - {-2} <= set(columns)


def test_more_rows_than_there_are_warn():
    X, _ = rows_with_outliers()
    with pytest.warns(UserWarning, match="more than the 520 rows"):
        forest = IsolationForest(max_samples=1000, n_estimators=2, random_state=0).fit(X)
    assert forest.max_samples_ == 520


def test_isolation_reads_sparse_tables_as_dense_ones():
    X, _ = rows_with_outliers()
    X = np.where(X > 0, X, 0)
    dense = IsolationForest(n_estimators=5, random_state=0).fit(X)
    sparse = IsolationForest(n_estimators=5, random_state=0).fit(csr_matrix(X))
    np.testing.assert_array_equal(dense.score_samples(X), sparse.score_samples(csr_matrix(X)))


@pytest.mark.parametrize("kind", [IsolationForest, RandomTreesEmbedding])
def test_warm_start_adds_trees(kind):
    X, _ = load_iris(return_X_y=True)
    grown = kind(n_estimators=3, warm_start=True, random_state=0).fit(X)
    grown.set_params(n_estimators=6).fit(X)
    at_once = kind(n_estimators=6, random_state=0).fit(X)
    np.testing.assert_array_equal(grown.apply(X), at_once.apply(X))
    with pytest.raises(ValueError, match="at least 6"):
        grown.set_params(n_estimators=2).fit(X)


def test_code_has_one_leaf_for_each_tree():
    X, _ = load_iris(return_X_y=True)
    embedding = RandomTreesEmbedding(10, max_depth=3, random_state=0)
    code = embedding.fit_transform(X)
    assert issparse(code)
    assert (code.sum(axis=1) == 10).all()
    np.testing.assert_array_equal(code.toarray(), embedding.transform(X).toarray())
    assert len(embedding.get_feature_names_out()) == code.shape[1] <= 80
    assert embedding.get_feature_names_out()[0].startswith("randomtreesembedding_0_")
    dense = RandomTreesEmbedding(10, max_depth=3, sparse_output=False, random_state=0)
    np.testing.assert_array_equal(dense.fit_transform(X), code.toarray())


def test_size_of_the_code_against_sklearn_is_level():
    X, _ = rows_with_outliers()
    sizes = [
        np.mean([kind(50, random_state=seed).fit_transform(X).shape[1] for seed in range(10)])
        for kind in (RandomTreesEmbedding, sklearn.ensemble.RandomTreesEmbedding)
    ]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.05)


@pytest.mark.parametrize(
    ("kind", "settings", "sentence"),
    [
        (IsolationForest, {"contamination": 0.6}, "'contamination' must be"),
        (IsolationForest, {"max_samples": 1.5}, "'max_samples' must be"),
        (IsolationForest, {"max_features": 9}, "at most the number of columns"),
        (RandomTreesEmbedding, {"max_depth": 0}, "'max_depth' must be"),
    ],
)
def test_random_trees_reject(kind, settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        kind(**settings).fit(load_iris().data)


@pytest.mark.parametrize("kind", [IsolationForest, RandomTreesEmbedding])
def test_column_without_values_is_refused(kind):
    X = np.column_stack([np.arange(9.0), np.full(9, np.nan)])
    with pytest.raises(ValueError, match=f"{kind.__name__}: column at position 1 of X is missing"):
        kind().fit(X)


# ---- Found by the tests of scikit-learn (net B of issue 18) ------------------------------------


@pytest.mark.parametrize("kind", [IsolationForest, sklearn.ensemble.IsolationForest])
def test_one_row_is_no_outlier_against_sklearn(kind):
    rng = np.random.default_rng(0)
    forest = kind(n_estimators=5, random_state=0).fit(rng.normal(size=(1, 3)))
    np.testing.assert_array_equal(forest.score_samples(rng.normal(size=(4, 3))), -0.5)
    np.testing.assert_array_equal(forest.predict(rng.normal(size=(4, 3))), 1)


@pytest.mark.parametrize("kind", [IsolationForest, RandomTreesEmbedding])
def test_trees_of_an_earlier_fit_stay_the_same_objects(kind):
    X, _ = rows_with_outliers()
    forest = kind(n_estimators=3, warm_start=True, random_state=0).fit(X)
    first = forest.estimators_
    forest.set_params(n_estimators=5).fit(X)
    assert len(forest.estimators_) == 5
    assert all(old is new for old, new in zip(first, forest.estimators_, strict=False))
    forest.set_params(warm_start=False).fit(X)
    assert forest.estimators_[0] is not first[0]


@pytest.mark.parametrize("kind", [IsolationForest, RandomTreesEmbedding])
def test_warm_start_that_adds_nothing_warns(kind):
    X, _ = rows_with_outliers()
    forest = kind(n_estimators=3, warm_start=True, random_state=0).fit(X)
    with pytest.warns(UserWarning, match="n_estimators=3 adds no member"):
        forest.fit(X)
    assert len(forest.estimators_) == 3


def test_one_weight_for_all_rows_of_an_isolation_forest():
    """Issue 18, item A.16."""
    X, _ = rows_with_outliers()
    forest = IsolationForest(n_estimators=3, bootstrap=True, random_state=0)
    each = forest.fit(X, sample_weight=np.full(len(X), 2.0)).score_samples(X)
    np.testing.assert_array_equal(forest.fit(X, sample_weight=2.0).score_samples(X), each)
