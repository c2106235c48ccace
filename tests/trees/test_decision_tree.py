from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import cross_val_score

from nonet import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
    limit_threads,
)
from trees.datasets import CLASSES, CLASSES_WITH_GAPS, LIMITS, NUMBERS, NUMBERS_WITH_GAPS
from trees.ties import assert_equal_arrays, same_up_to_ties

KINDS = [DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor]


# ---- Against scikit-learn ----------------------------------------------------------------------


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("name", CLASSES)
def test_classifier_against_sklearn_is_its_tree_up_to_ties(name, limits):
    X, y = CLASSES[name]
    ours = DecisionTreeClassifier(**limits).fit(X, y)
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **limits).fit(X, y)
    assert same_up_to_ties(ours.tree_, theirs.tree_)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.01)


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("name", NUMBERS)
def test_regressor_against_sklearn_is_its_tree_up_to_ties(name, limits):
    X, y = NUMBERS[name]
    ours = DecisionTreeRegressor(**limits).fit(X, y)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits).fit(X, y)
    assert same_up_to_ties(ours.tree_, theirs.tree_)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.005)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "log_loss"])
def test_classifier_without_ties_against_sklearn_has_equal_arrays(criterion):
    X, y = CLASSES["made"]
    settings = {"criterion": criterion, "max_depth": 3, "min_samples_leaf": 5}
    ours = DecisionTreeClassifier(**settings).fit(X, y).tree_
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **settings).fit(X, y).tree_
    assert_equal_arrays(ours, theirs)


@pytest.mark.parametrize("name", ["diabetes", "friedman", "linear"])
def test_regressor_without_ties_against_sklearn_has_equal_arrays(name):
    X, y = NUMBERS[name]
    settings = {"max_depth": 4, "min_samples_leaf": 5}
    ours = DecisionTreeRegressor(**settings).fit(X, y).tree_
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **settings).fit(X, y).tree_
    assert_equal_arrays(ours, theirs)


def test_classifier_against_sklearn_generalises_as_well():
    differences = []
    for seed in range(12):
        X, y = make_classification(400, 12, n_informative=6, n_classes=4, random_state=seed)
        X = X.astype(np.float32)
        models = DecisionTreeClassifier(), sklearn.tree.DecisionTreeClassifier(random_state=seed)
        ours, theirs = (cross_val_score(model, X, y, cv=5).mean() for model in models)
        differences.append(ours - theirs)
    assert np.mean(differences) > -2 * np.std(differences, ddof=1) / np.sqrt(len(differences))


@pytest.mark.parametrize("name", CLASSES_WITH_GAPS)
def test_classifier_with_missing_values_against_sklearn(name):
    X, y = CLASSES_WITH_GAPS[name]
    ours = DecisionTreeClassifier(max_depth=4).fit(X, y)
    theirs = sklearn.tree.DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    assert ours.score(X, y) >= theirs.score(X, y) - 0.01


@pytest.mark.parametrize("name", NUMBERS_WITH_GAPS)
def test_regressor_with_missing_values_against_sklearn(name):
    X, y = NUMBERS_WITH_GAPS[name]
    ours = DecisionTreeRegressor(max_depth=4).fit(X, y)
    theirs = sklearn.tree.DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, y)
    assert ours.score(X, y) >= theirs.score(X, y) - 0.01


def test_missing_values_of_a_complete_column_follow_the_larger_child():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    assert DecisionTreeClassifier().fit(X, [0, 1, 1, 1, 1]).predict([[np.nan]]) == [1]
    assert DecisionTreeClassifier().fit(X, [0, 0, 0, 0, 1]).predict([[np.nan]]) == [0]


@pytest.mark.parametrize("name", CLASSES)
def test_predictions_of_the_classifier_agree_with_its_arrays(name):
    X, y = CLASSES[name]
    model = DecisionTreeClassifier(max_depth=6).fit(X, y)
    leaves = model.apply(X)
    np.testing.assert_array_equal(model.predict_proba(X), model.tree_.value[leaves, 0])
    np.testing.assert_array_equal(np.bincount(leaves), _leaf_sizes(model, leaves.max() + 1))
    path = model.decision_path(X)
    assert path.shape == (len(X), model.tree_.node_count)
    np.testing.assert_array_equal(path.sum(axis=0).ravel(), [model.tree_.n_node_samples])
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(X), np.log(model.predict_proba(X)))


def _leaf_sizes(model, n_nodes):
    is_leaf = model.tree_.children_left < 0
    return np.where(is_leaf, model.tree_.n_node_samples, 0)[:n_nodes]


@pytest.mark.parametrize("model", [DecisionTreeClassifier(), DecisionTreeRegressor()])
def test_pruning_path_against_sklearn(model):
    X, y = CLASSES["breast_cancer"]
    theirs = getattr(sklearn.tree, type(model).__name__)(random_state=0, min_samples_leaf=5)
    ours = clone(model).set_params(min_samples_leaf=5).cost_complexity_pruning_path(X, y)
    expected = theirs.cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(ours.ccp_alphas, expected.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(ours.impurities, expected.impurities, atol=1e-12)


def test_pruning_path_does_not_depend_on_ccp_alpha():
    X, y = CLASSES["wine"]
    whole = DecisionTreeClassifier().cost_complexity_pruning_path(X, y)
    pruned = DecisionTreeClassifier(ccp_alpha=0.1).cost_complexity_pruning_path(X, y)
    np.testing.assert_array_equal(whole.ccp_alphas, pruned.ccp_alphas)


def test_more_pruning_gives_smaller_trees():
    X, y = CLASSES["made"]
    alphas = DecisionTreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas
    sizes = [DecisionTreeClassifier(ccp_alpha=a).fit(X, y).get_n_leaves() for a in alphas[::8]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


# ---- Weights, order, threads -------------------------------------------------------------------

small_tables = st.integers(0, 10_000).map(
    lambda seed: (
        np.random.default_rng(seed).integers(0, 5, size=(30, 3)).astype(float),
        np.random.default_rng(seed + 1).integers(0, 3, size=30),
        np.random.default_rng(seed + 2).integers(0, 4, size=30).clip(min=[1] + [0] * 29),
    )
)


@settings(max_examples=40)
@given(table=small_tables)
@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_whole_weights_mean_repetition(kind, table):
    X, y, weights = table
    weighted = kind().fit(X, y, sample_weight=weights).tree_
    rows = np.repeat(np.arange(len(X)), weights)
    repeated = kind().fit(X[rows], y[rows]).tree_
    assert same_up_to_ties(weighted, repeated)
    np.testing.assert_allclose(weighted.value[0], repeated.value[0])
    assert weighted.weighted_n_node_samples[0] == repeated.n_node_samples[0]


@settings(max_examples=40)
@given(table=small_tables, seed=st.integers(0, 10_000))
@pytest.mark.parametrize("kind", KINDS)
def test_order_of_rows_changes_nothing(kind, table, seed):
    X, y, _ = table
    order = np.random.default_rng(seed).permutation(len(X))
    one = kind(random_state=3).fit(X, y).tree_
    other = kind(random_state=3).fit(X[order], y[order]).tree_
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads_is_deterministic(kind, monkeypatch):
    monkeypatch.setenv("NONET_NUM_THREADS", "8")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 6))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=20_000) > 0).astype(int)
    trees = []
    for n_threads in (1, 2, 3, 8):
        with limit_threads(n_threads):
            model = kind(random_state=0, max_leaf_nodes=200).fit(X, y)
            trees.append((model.tree_._native.to_bytes(), model.predict(X).tobytes()))
    assert len(set(trees)) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_random_state_is_deterministic(kind):
    X, y = CLASSES["made"]
    one, same, other = (
        kind(splitter="random", max_features=3, random_state=seed).fit(X, y) for seed in (0, 0, 1)
    )
    assert one.tree_._native.to_bytes() == same.tree_._native.to_bytes()
    assert one.tree_._native.to_bytes() != other.tree_._native.to_bytes()


def test_best_splits_without_drawn_columns_need_no_random_state():
    X, y = CLASSES["made"]
    one, other = (DecisionTreeClassifier(random_state=seed).fit(X, y) for seed in (0, 1))
    assert one.tree_._native.to_bytes() == other.tree_._native.to_bytes()


def test_float32_and_fortran_order_give_the_same_tree():
    X, y = CLASSES["wine"]
    expected = DecisionTreeClassifier().fit(X, y).tree_._native.to_bytes()
    for same in (X.astype(np.float32), np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2]):
        assert DecisionTreeClassifier().fit(same, y).tree_._native.to_bytes() == expected


def test_neighbours_beyond_float32_are_told_apart():
    X = np.array([[1.0], [1.0 + 1e-12]])
    np.testing.assert_array_equal(DecisionTreeClassifier().fit(X, [0, 1]).predict(X), [0, 1])


# ---- Parameters and data -----------------------------------------------------------------------


def test_class_weight_against_sklearn():
    X, y = CLASSES["breast_cancer"]
    for class_weight in ("balanced", {0: 1, 1: 5}):
        settings = {"max_depth": 3, "class_weight": class_weight}
        ours = DecisionTreeClassifier(**settings).fit(X, y)
        theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **settings).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


def test_class_weight_names_the_users_labels():
    model = DecisionTreeClassifier(class_weight={"no": 1, "yes": 3}, max_depth=1)
    fractions = model.fit([[0], [0], [1]], ["no", "yes", "yes"]).predict_proba([[0]])
    np.testing.assert_allclose(fractions, [[0.25, 0.75]])


@pytest.mark.parametrize(
    ("max_features", "expected"),
    [(None, 10), ("sqrt", 3), ("log2", 3), (4, 4), (99, 10), (0.25, 2), (0.01, 1), (1.0, 10)],
)
def test_max_features_counts_columns(max_features, expected):
    X, y = NUMBERS["friedman"]
    model = DecisionTreeRegressor(max_features=max_features, max_depth=1).fit(X, y)
    assert model.max_features_ == expected


def test_extra_tree_on_two_values_splits_between_them():
    model = ExtraTreeRegressor(random_state=0).fit([[0.0], [0.0], [1.0]], [1.0, 2.0, 9.0])
    np.testing.assert_array_equal(model.predict([[0.0], [1.0]]), [1.5, 9.0])


def test_extra_tree_is_more_random_but_still_learns():
    X, y = CLASSES["made"]
    scores = [
        ExtraTreeClassifier(random_state=s).fit(X[::2], y[::2]).score(X[1::2], y[1::2])
        for s in range(10)
    ]
    assert len(set(scores)) > 1
    assert np.mean(scores) > 0.35  # four classes: guessing scores 0.25


def test_copies_through_pickle_predict_alike():
    X, y = CLASSES["wine"]
    model = DecisionTreeClassifier().fit(X, y)
    back = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(back.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(back.tree_.value, model.tree_.value)


def test_check_input_false_takes_arrays_as_they_are():
    X, y = CLASSES["wine"]
    model = DecisionTreeClassifier().fit(X, y, check_input=False)
    np.testing.assert_array_equal(model.predict(X, check_input=False), model.predict(X))
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:, 1:], check_input=False)


def test_classes_of_one_label_are_predicted():
    model = DecisionTreeClassifier().fit([[0.0], [1.0]], ["only", "only"])
    np.testing.assert_array_equal(model.predict([[5.0]]), ["only"])
    assert model.get_n_leaves() == 1
    np.testing.assert_array_equal(model.feature_importances_, [0.0])


@pytest.mark.parametrize(
    ("kind", "params", "sentence"),
    [
        (DecisionTreeClassifier, {"criterion": "mse"}, "one of 'gini', 'entropy', 'log_loss'"),
        (DecisionTreeRegressor, {"criterion": "mae"}, "must be one of 'squared_error'"),
        (DecisionTreeRegressor, {"monotonic_cst": 1}, "'monotonic_cst' must be None or array-like"),
        (DecisionTreeRegressor, {"monotonic_cst": [1, 1]}, "for each of the 1 columns"),
        (DecisionTreeRegressor, {"monotonic_cst": [2]}, "must hold -1, 0 or 1"),
        (DecisionTreeRegressor, {"min_samples_leaf": 0}, "at least 1 or a fraction above 0"),
        (DecisionTreeRegressor, {"min_samples_split": 1}, "at least 2 or a fraction above 0"),
        (DecisionTreeRegressor, {"min_samples_leaf": 1.0}, "below 1.0"),
        (DecisionTreeRegressor, {"max_features": 0}, "at least 1"),
        (DecisionTreeRegressor, {"max_features": "auto"}, "'sqrt', 'log2'"),
        (DecisionTreeRegressor, {"max_leaf_nodes": 1}, "at least 2"),
        (DecisionTreeRegressor, {"ccp_alpha": -1.0}, "at least 0"),
        (DecisionTreeClassifier, {"class_weight": "even"}, "'balanced'"),
    ],
)
def test_fit_rejects_bad_parameters(kind, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        kind(**params).fit([[0.0], [1.0]], [0, 1])


def test_fit_rejects_data_it_cannot_read():
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    with pytest.raises(ValueError, match="infinity"):
        DecisionTreeClassifier().fit([[np.inf], [0.0]], y)
    with pytest.raises(ValueError, match="must be finite, but row 1 has nan"):
        DecisionTreeRegressor().fit(X, np.array([0.0, np.nan]), check_input=False)
    with pytest.raises(ValueError, match="divide it by a constant"):
        DecisionTreeRegressor().fit(X, [0.0, 1e200])
    with pytest.raises(ValueError, match="weight above zero"):
        DecisionTreeRegressor().fit(X, y, sample_weight=[0, 0])
    with pytest.raises(ValueError, match="X has 2 rows, but y has 3"):
        DecisionTreeRegressor().fit(X, np.zeros(3), check_input=False)
