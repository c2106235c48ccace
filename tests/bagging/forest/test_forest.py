"""Forests: what they are made of, what they predict, and what they refuse."""

from __future__ import annotations

import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csc_matrix, csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score

from nonet import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    limit_threads,
)
from nonet.bagging import FlatCurve
from nonet.combine import plurality
from nonet.decide import Abstain, Threshold

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
FOREST_KINDS = [
    (RandomForestClassifier, IRIS),
    (ExtraTreesClassifier, IRIS),
    (RandomForestRegressor, DIABETES),
    (ExtraTreesRegressor, DIABETES),
]
EVERY_KIND = pytest.mark.parametrize(
    ("kind", "data"), FOREST_KINDS, ids=[kind.__name__ for kind, _ in FOREST_KINDS]
)


def predictions(forest, X):
    return forest.predict_proba(X) if hasattr(forest, "predict_proba") else forest.predict(X)


@EVERY_KIND
def test_prediction_is_the_mean_of_the_trees(kind, data):
    X, y = data
    forest = kind(7, random_state=0).fit(X, y)
    np.testing.assert_allclose(
        predictions(forest, X),
        np.mean([predictions(tree, X) for tree in forest], axis=0),
        rtol=1e-12,
    )
    assert forest.member_outputs(X).shape[:2] == (len(X), 7)


@EVERY_KIND
def test_forest_is_deterministic_on_any_number_of_threads(kind, data):
    X, y = data
    alone = predictions(kind(9, random_state=3).fit(X, y), X)
    with limit_threads(4):
        many = kind(9, random_state=3, n_jobs=4).fit(X, y)
        np.testing.assert_array_equal(predictions(many, X), alone)


@EVERY_KIND
def test_warm_start_adds_trees_and_changes_none(kind, data):
    X, y = data
    forest = kind(4, random_state=1, warm_start=True).fit(X, y)
    first = forest.apply(X)
    forest.set_params(n_estimators=10).fit(X, y)
    np.testing.assert_array_equal(forest.apply(X)[:, :4], first)
    at_once = kind(10, random_state=1).fit(X, y)
    np.testing.assert_array_equal(predictions(forest, X), predictions(at_once, X))


def test_warm_start_without_more_trees_warns():
    forest = RandomForestClassifier(4, random_state=1, warm_start=True).fit(*IRIS)
    with pytest.warns(UserWarning, match="adds no member"):
        forest.fit(*IRIS)
    with pytest.raises(ValueError, match="at least 4, the members that are already fitted"):
        forest.set_params(n_estimators=3).fit(*IRIS)


def test_warm_start_rejects_other_classes():
    X, y = IRIS
    forest = RandomForestClassifier(4, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="other classes or targets"):
        forest.set_params(n_estimators=5).fit(X[:100], y[:100])


@EVERY_KIND
def test_copies_predict_the_same(kind, data, tmp_path):
    X, y = data
    forest = kind(5, random_state=0).fit(X, y)
    expected = predictions(forest, X)
    _ = forest.estimators_
    np.testing.assert_array_equal(predictions(pickle.loads(pickle.dumps(forest)), X), expected)
    joblib.dump(forest, tmp_path / "forest")
    np.testing.assert_array_equal(predictions(joblib.load(tmp_path / "forest"), X), expected)
    np.testing.assert_array_equal(predictions(clone(forest).fit(X, y), X), expected)


def test_pickle_does_not_hold_the_trees_twice():
    X, y = CANCER
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    before = len(pickle.dumps(forest))
    _ = forest.estimators_, forest.predict(np.repeat(X, 2, axis=0))
    assert len(pickle.dumps(forest)) == before


def test_trees_behave_as_estimators():
    X, y = IRIS
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    forest = RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, names)
    tree = forest.estimators_[1]
    assert tree.get_depth() <= 2
    assert set(tree.predict(X)) <= set(names)
    np.testing.assert_array_equal(forest.apply(X)[:, 1], tree.apply(X))
    passed, starts = forest.decision_path(X)
    np.testing.assert_array_equal(
        passed[:, starts[1] : starts[2]].toarray(), tree.decision_path(X).toarray()
    )
    assert len(forest) == 3
    assert list(forest)[1] is forest[1]


def test_samples_are_those_that_members_have_seen():
    X, y = IRIS
    forest = RandomForestClassifier(6, max_samples=0.5, random_state=0).fit(X, y)
    for rows, member in zip(forest.estimators_samples_, forest.members_, strict=True):
        assert len(rows) == 75
        np.testing.assert_array_equal(np.setdiff1d(np.arange(150), rows), member.unseen_rows)


def test_frames_keep_their_names():
    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    assert list(forest.feature_names_in_) == list(X.columns)
    polar = RandomForestClassifier(5, random_state=0).fit(pl.DataFrame(X), y)
    np.testing.assert_array_equal(forest.predict_proba(X), polar.predict_proba(pl.DataFrame(X)))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        forest.predict_proba(X.to_numpy())
    with pytest.raises(ValueError, match="feature names"):
        forest.predict(X[X.columns[::-1]])


def test_labels_of_any_type_come_back():
    X, y = IRIS
    for labels in (np.array(["a", "b", "c"])[y], y.astype(float), pd.Categorical(y)):
        forest = RandomForestClassifier(5, random_state=0).fit(X, labels)
        assert forest.score(X, np.asarray(labels)) > 0.95


def test_several_targets_of_labels():
    X, y = IRIS
    Y = np.column_stack([y, y == 1])
    forest = RandomForestClassifier(20, oob_score=True, random_state=0).fit(X, Y)
    fractions = forest.predict_proba(X)
    assert [fraction.shape for fraction in fractions] == [(150, 3), (150, 2)]
    assert forest.n_classes_ == [3, 2]
    assert (forest.predict(X) == Y).mean() > 0.97
    assert len(forest.oob_decision_function_) == 2
    multilabel = RandomForestClassifier(20, oob_score=True, random_state=0).fit(X, Y > 0)
    assert multilabel.oob_decision_function_.shape == (150, 2, 2)


def test_several_targets_of_numbers():
    X, y = DIABETES
    forest = RandomForestRegressor(20, oob_score=True, random_state=0)
    forest.fit(X, np.column_stack([y, -y]))
    np.testing.assert_allclose(*(forest.predict(X) * [1, -1]).T)
    assert forest.oob_prediction_.shape == (442, 2)


def test_missing_values_are_learned():
    X, y = make_classification(600, 4, n_informative=4, n_redundant=0, random_state=0)
    X[y == 1, 0] = np.nan
    forest = RandomForestClassifier(20, random_state=0).fit(X[::2], y[::2])
    assert forest.score(X[1::2], y[1::2]) == 1


@EVERY_KIND
def test_sparse_table_gives_the_predictions_of_the_dense_one(kind, data):
    X, y = data
    X = np.where(np.median(X, axis=0) < X, X, 0.0)
    dense = kind(5, random_state=0).fit(X, y)
    sparse = kind(5, random_state=0).fit(csr_matrix(X), y)
    np.testing.assert_array_equal(predictions(sparse, csc_matrix(X)), predictions(dense, X))
    np.testing.assert_array_equal(sparse.apply(csr_matrix(X)), dense.apply(X))
    np.testing.assert_array_equal(
        sparse.decision_path(csr_matrix(X))[0].toarray(), dense.decision_path(X)[0].toarray()
    )


def test_sparse_table_is_scored_out_of_bag_as_the_dense_one():
    X, y = CANCER
    X = np.where(np.median(X, axis=0) < X, X, 0.0)
    dense = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y)
    sparse = RandomForestClassifier(40, oob_score=True, random_state=0).fit(csr_matrix(X), y)
    np.testing.assert_array_equal(sparse.oob_decision_function_, dense.oob_decision_function_)


def test_categories_are_split_as_sets():
    random = np.random.default_rng(0)
    letters = random.choice(list("abcdefghij"), size=600)
    y = np.isin(letters, list("aceg")).astype(int)
    frame = pd.DataFrame({"noise": random.normal(size=600), "letter": letters})
    frame["letter"] = frame["letter"].astype("category")
    forest = RandomForestClassifier(
        40, categorical_features="from_dtype", max_depth=2, oob_score=True, random_state=0
    ).fit(frame[:400], y[:400])
    assert forest.score(frame[400:], y[400:]) == 1
    assert forest.oob_score_ == 1
    assert forest.is_categorical_.tolist() == [False, True]
    assert forest.estimators_[0].predict_proba(frame).shape == (600, 2)
    assert forest.set_params(max_bins=5).fit(frame, y).score(frame, y) == 1  # numbers have bins


@pytest.mark.parametrize("kind", [RandomForestClassifier, RandomForestRegressor])
def test_many_categories_of_noise_cost_no_more_than_their_codes(kind):
    # Issue 17, item 1: ordered by their means, 200 categories of a few rows were overfitted.
    X, y = CANCER
    X = np.column_stack([X[:, :4], np.random.default_rng(0).integers(200, size=len(X))])
    settings = {"n_estimators": 40, "max_features": 1.0, "random_state": 0}
    as_codes = cross_val_score(kind(**settings), X, y, cv=3).mean()
    as_sets = cross_val_score(kind(**settings, categorical_features=[4]), X, y, cv=3).mean()
    assert as_sets > as_codes - 0.01


@pytest.mark.parametrize("kind", [kind for kind, _ in FOREST_KINDS])
def test_more_than_255_categories_are_taken(kind):
    # Issue 17, item 1: 400 categories needed max_bins=400.
    codes = np.repeat(np.arange(400.0), 12)
    y = np.random.default_rng(0).permutation(400)[codes.astype(int)] % 2
    forest = kind(20, categorical_features=[0], max_features=1.0, random_state=0)
    forest.fit(codes[:, np.newaxis], y)
    assert forest.score(codes[:, np.newaxis], y) > 0.95
    assert forest.joined_categories_ == {}
    unseen = forest.predict([[1e6], [np.nan]])
    assert unseen[0] == unseen[1]


def test_absolute_errors_are_grown_on_medians():
    X, y = DIABETES
    forest = RandomForestRegressor(10, criterion="absolute_error", max_depth=3, random_state=0)
    assert forest.fit(X, y).score(X, y) > 0.3


def test_column_without_values_in_a_bag_is_never_split():
    X, y = IRIS
    rare = np.full(150, np.nan)
    rare[0] = 1.0
    forest = RandomForestClassifier(10, random_state=0).fit(np.column_stack([X, rare]), y)
    lack = [0 not in rows for rows in forest.estimators_samples_]
    assert any(lack)
    assert not any(
        t.feature_importances_[4] for t, lacks in zip(forest, lack, strict=True) if lacks
    )


def test_importances_are_fractions():
    X, y = CANCER
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    each = np.mean([tree.feature_importances_ for tree in forest], axis=0)
    np.testing.assert_allclose(forest.feature_importances_, each / each.sum())
    leaves = RandomForestRegressor(3, random_state=0).fit(X, np.ones(len(X)))
    assert (leaves.feature_importances_ == 0).all()


def test_features_drawn_for_a_tree_are_all_it_splits_on():
    X, y = CANCER
    forest = RandomForestClassifier(10, max_features=3, draw_features="tree", random_state=0)
    for tree in forest.fit(X, y):
        columns = tree.tree_.feature
        assert len(np.unique(columns[columns >= 0])) <= 3
    per_split = clone(forest).set_params(draw_features="split").fit(X, y)
    assert max(len(np.unique(tree.tree_.feature)) for tree in per_split) > 4


def test_thresholds_between_distinct_values_are_midway():
    X = np.array([[0.0], [1], [10], [100]])
    forest = ExtraTreesRegressor(30, threshold_draw="distinct", max_depth=1, random_state=0)
    forest.fit(X, [0.0, 1, 2, 3])
    assert {tree.tree_.threshold[0] for tree in forest} == {0.5, 5.5, 55.0}
    uniform = forest.set_params(threshold_draw="uniform").fit(X, [0.0, 1, 2, 3])
    assert len({tree.tree_.threshold[0] for tree in uniform}) == 30


def test_more_bins_are_exact():
    X, y = DIABETES
    exact = RandomForestRegressor(1, bootstrap=False, max_bins=65_535, random_state=0).fit(X, y)
    coarse = clone(exact).set_params(max_bins=4).fit(X, y)
    assert np.abs(exact.predict(X) - y).max() < 1e-9
    assert np.abs(coarse.predict(X) - y).max() > 1


def test_groups_are_drawn_whole():
    X, y = IRIS
    groups = np.arange(150) // 5
    forest = RandomForestClassifier(10, random_state=0).fit(X, y, groups=groups)
    for rows, member in zip(forest.estimators_samples_, forest.members_, strict=True):
        assert not set(groups[rows]) & set(groups[member.unseen_rows])


def test_weights_are_probabilities_where_rows_are_drawn():
    X, y = IRIS
    forest = RandomForestClassifier(5, random_state=0).fit(
        X, y, sample_weight=(y < 2).astype(float)
    )
    assert all(y[rows].max() == 1 for rows in forest.estimators_samples_)
    assert forest.classes_.tolist() == [0, 1, 2]


@EVERY_KIND
def test_weights_mean_repetition_where_nothing_is_drawn(kind, data):
    X, y = data
    times = np.random.default_rng(0).integers(1, 4, size=len(X))
    settings = {"n_estimators": 3, "bootstrap": False, "max_bins": 65_535, "random_state": 0}
    weighted = kind(**settings).fit(X, y, sample_weight=times)
    repeated = kind(**settings).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(predictions(weighted, X), predictions(repeated, X), atol=1e-12)


@pytest.mark.parametrize("class_weight", ["balanced", "balanced_subsample", {0: 1.0, 1: 9.0}])
def test_class_weights_help_the_rare_class(class_weight):
    X, y = make_classification(
        1000, 6, n_informative=3, weights=[0.9], class_sep=0.5, random_state=0
    )
    settings = {"n_estimators": 30, "max_depth": 3, "random_state": 0}
    plain = RandomForestClassifier(**settings).fit(X, y).predict(X).mean()
    weighted = RandomForestClassifier(class_weight=class_weight, **settings).fit(X, y)
    assert weighted.predict(X).mean() > 2 * plain


def test_presets_of_class_weights_warn_with_warm_start():
    with pytest.warns(UserWarning, match="balances the rows of each fit"):
        RandomForestClassifier(3, class_weight="balanced", warm_start=True).fit(*IRIS)


def test_pruning_and_monotone_constraints_reach_the_trees():
    X, y = DIABETES
    free = RandomForestRegressor(5, random_state=0).fit(X, y)
    pruned = RandomForestRegressor(5, ccp_alpha=50.0, random_state=0).fit(X, y)
    assert sum(t.get_n_leaves() for t in pruned) < sum(t.get_n_leaves() for t in free) / 2
    signs = np.zeros(10, dtype=int)
    signs[2] = 1
    rising = RandomForestRegressor(5, monotonic_cst=signs, random_state=0).fit(X, y)
    grid = np.repeat(X[:1], 50, axis=0)
    grid[:, 2] = np.linspace(-0.1, 0.2, 50)
    assert (np.diff(rising.predict(grid)) >= 0).all()


def test_any_rule_combines_and_decides():
    X, y = CANCER
    votes = RandomForestClassifier(15, combine="plurality", random_state=0).fit(X, y)
    codes = np.column_stack([tree.predict(X) for tree in votes])
    np.testing.assert_allclose(votes.predict_proba(X), plurality(codes, n_classes=2))
    silent = RandomForestClassifier(15, decide=Abstain(0.9, abstain_label=-1), random_state=0)
    predicted = silent.fit(X, y).predict(X)
    np.testing.assert_array_equal(predicted == -1, silent.predict_proba(X).max(axis=1) < 0.9)
    tuned = RandomForestClassifier(15, decide=Threshold("tune", scoring="f1"), random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # with 15 trees some rows may be in every bag
        assert tuned.fit(X, y).score(X, y) > 0.9
    middle = RandomForestRegressor(9, combine="median", random_state=0).fit(*DIABETES)
    values = np.column_stack([tree.predict(DIABETES[0]) for tree in middle])
    np.testing.assert_allclose(middle.predict(DIABETES[0]), np.median(values, axis=1))


def test_stops_when_the_curve_is_flat():
    X, y = CANCER
    forest = RandomForestClassifier(1000, stop_when=FlatCurve(0.02, every=10, looks=2))
    forest.set_params(random_state=0).fit(X, y)
    assert len(forest) == forest.oob_curve_.n_members[-1] < 200
    assert np.ptp(forest.oob_curve_.scores[-3:]) <= 0.02
    as_large = RandomForestClassifier(len(forest), random_state=0).fit(X, y)
    np.testing.assert_array_equal(forest.predict_proba(X), as_large.predict_proba(X))
    assert len(RandomForestRegressor(40, stop_when="flat").fit(*DIABETES)) == 40


def test_verbose_counts_the_trees_and_changes_nothing(capsys):
    settings = {"oob_score": True, "random_state": 0}
    shown = RandomForestClassifier(200, verbose=1, **settings).fit(*IRIS)
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .startswith("[nonet] RandomForestClassifier: 200 of 200 trees, ")
    )
    silent = RandomForestClassifier(200, **settings).fit(*IRIS)
    np.testing.assert_array_equal(shown.predict_proba(IRIS[0]), silent.predict_proba(IRIS[0]))
    np.testing.assert_array_equal(shown.oob_curve_.scores, silent.oob_curve_.scores)


def test_verbose_of_added_trees_counts_these(capsys):
    forest = RandomForestClassifier(5, warm_start=True, random_state=0).fit(*IRIS)
    forest.set_params(n_estimators=12, verbose=1).fit(*IRIS)
    assert "7 of 7 trees" in capsys.readouterr().err


def test_grid_search_takes_a_forest():
    search = GridSearchCV(RandomForestClassifier(5, random_state=0), {"max_depth": [1, 3]}, cv=2)
    assert search.fit(*IRIS).best_params_ == {"max_depth": 3}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"bootstrap": False, "max_samples": 5}, "'max_samples' must be left as it is"),
        ({"bootstrap": False, "oob_score": True}, "'oob_score' must be left as it is"),
        ({"bootstrap": False, "stop_when": "flat"}, "'stop_when' must be left as it is"),
        ({"stop_when": "flat", "combine": "median"}, "'stop_when' must be None with a rule F"),
        ({"stop_when": FlatCurve(-1)}, "FlatCurve: parameter 'tolerance'"),
        ({"max_samples": 0.0}, "'max_samples' must be"),
        ({"max_features": 0}, "'max_features' must be"),
        ({"max_features": 31}, r"'max_features' must be at most the number of columns \(30\)"),
        ({"max_bins": 1}, "'max_bins' must be"),
        ({"combine": "no such rule"}, "no such rule"),
        ({"monotonic_cst": [1, 0]}, "monotonic_cst"),
    ],
)
def test_forest_rejects_settings(settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        RandomForestClassifier(3, **settings).fit(*CANCER)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ({"groups": np.zeros(150)}, "at least two groups"),
        ({"groups": np.zeros(3)}, "one group for each of the 150 rows"),
        ({"sample_weight": np.full(150, -1.0)}, "at least 0"),
        ({"sample_weight": np.full(150, np.nan)}, "finite"),
        ({"sample_weight": np.zeros(150)}, "not all be 0"),
        ({"sample_weight": np.ones(3)}, "150 rows"),
    ],
)
def test_fit_rejects(spoil, sentence):
    with pytest.raises(ValueError, match=sentence):
        RandomForestClassifier(3).fit(*IRIS, **spoil)


def test_fit_rejects_groups_without_draws():
    with pytest.raises(ValueError, match="bootstrap=False draws nothing"):
        ExtraTreesClassifier(3).fit(*IRIS, groups=np.arange(150))


def test_infinities_are_refused_in_fit_and_predict():
    X, y = IRIS
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    spoilt = X.copy()
    spoilt[3, 1] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        forest.predict(spoilt)
    with pytest.raises(ValueError, match="infinity"):
        forest.fit(spoilt, y)


@EVERY_KIND
def test_column_without_values_is_refused_by_name(kind, data):
    X, y = data
    frame = pd.DataFrame(X).add_prefix("x").assign(empty=np.nan)
    with pytest.raises(ValueError, match=f"{kind.__name__}: column 'empty' of X is missing"):
        kind(3).fit(frame, y)


# ---- Found by the tests of scikit-learn (net B of issue 18) ------------------------------------


@pytest.mark.parametrize("bootstrap", [True, False])
@EVERY_KIND
def test_rows_of_a_bag_are_of_the_type_of_sklearn(kind, data, bootstrap):
    size = {"bootstrap": bootstrap, "max_samples": 0.5 if bootstrap else None}
    forest = kind(3, random_state=0, **size).fit(*data)
    bags = forest.estimators_samples_
    assert {bag.dtype for bag in bags} == {np.dtype(np.int32)}
    assert {len(bag) for bag in bags} == {len(data[1]) // 2 if bootstrap else len(data[1])}


@EVERY_KIND
def test_forest_rejects_a_sparse_target(kind, data):
    with pytest.raises(ValueError, match="y is sparse, but must be dense"):
        kind(3).fit(data[0][:2], csr_matrix([[1, 0], [0, 1]]))


@EVERY_KIND
def test_one_weight_for_all_rows_is_one_for_each(kind, data):
    """Issue 18, item A.16: forests refused a number as sample_weight."""
    forest = kind(3, random_state=0)
    each = forest.fit(*data, sample_weight=np.full(len(data[1]), 2.0)).predict(data[0])
    np.testing.assert_array_equal(forest.fit(*data, sample_weight=2.0).predict(data[0]), each)
