"""Trees and other members that someone has changed end in one sentence, never in a crash."""

from __future__ import annotations

import io

import numpy as np
import pytest
from sklearn import ensemble, neighbors, preprocessing, svm, tree
from sklearn.datasets import make_classification
from sklearn.feature_extraction.text import TfidfVectorizer

import nonet
from nonet import ModelFileError
from persist.rewriting import refuses, saved, with_parts, with_records, with_state

X, Y = make_classification(n_samples=80, n_features=6, random_state=0)

FOREST = saved(nonet.RandomForestClassifier(5, random_state=0).fit(X, Y))


# ---- Trees ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", range(8, 40))
def test_native_trees_with_another_byte_are_checked(position):
    def change(parts):
        part = bytearray(parts["trees/0_0.trees"])
        part[position] ^= 0xFF
        parts["trees/0_0.trees"] = bytes(part)

    content = with_parts(FOREST, change)
    try:
        loaded = nonet.load(io.BytesIO(content))
    except ModelFileError:
        return
    assert loaded.predict_proba(X).shape == (80, 2)  # another tree, but a tree


SKLEARN_TREE = saved(tree.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y))


def with_node_field(name, change):
    def rewrite(records):
        for record in records:
            if record["kind"] == "sklearn_tree":
                field = records[record["nodes"][name]["@"]]
                change(field["numbers"])

    return with_records(SKLEARN_TREE, rewrite)


@pytest.mark.parametrize(
    ("field", "position", "value"),
    [
        ("left_child", 0, 0),
        ("left_child", 0, 10**9),
        ("left_child", 0, -5),
        ("right_child", 0, 1),
        ("right_child", 1, 0),
        ("feature", 0, 6),
        ("feature", 0, -1),
        ("feature", 0, 10**12),
        ("left_child", -1, 3),
        ("right_child", -1, 3),
    ],
)
def test_tree_of_scikit_learn_with_wrong_nodes_is_refused(field, position, value):
    def change(numbers):
        numbers[position] = value

    refuses(with_node_field(field, change), "tree")


@pytest.mark.parametrize("field", ["left_child", "feature", "threshold"])
def test_tree_of_scikit_learn_with_fewer_nodes_is_refused(field):
    refuses(with_node_field(field, lambda numbers: numbers.pop()), "tree")


def test_tree_of_scikit_learn_on_fewer_columns_is_refused():
    def change(records):
        for record in records:
            if record["kind"] == "sklearn_tree":
                record["n_features"] = 5000

    refuses(with_records(SKLEARN_TREE, change), "other columns")


def test_estimator_with_other_columns_than_its_tree_is_refused():
    refuses(with_state(SKLEARN_TREE, "DecisionTreeClassifier", n_features_in_=2), "other columns")


# ---- Attributes that native code of scikit-learn indexes with ----------------------------------


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("_n_support", np.array([10**6, 10**6], dtype=np.int32)),
        ("_n_support", np.array([1, 1, 1], dtype=np.int32)),
        ("_n_support", np.array([-5, 5], dtype=np.int32)),
        ("support_", np.array([0], dtype=np.int32)),
        ("_intercept_", np.zeros(5)),
        ("_intercept_", np.zeros(0)),
        ("_probA", np.zeros(3)),
        ("_dual_coef_", np.zeros(3)),
        ("n_features_in_", 1),
        ("support_vectors_", np.zeros(4)),
    ],
)
def test_support_vectors_of_other_sizes_are_refused(attribute, value):
    content = saved(svm.SVC().fit(X, Y))
    refuses(with_state(content, "SVC", **{attribute: value}), "of class SVC")


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("_y", np.full(80, 10**6)),
        ("_y", np.full(80, -3)),
        ("_y", np.zeros(3, dtype=int)),
        ("n_samples_fit_", 10**9),
        ("n_features_in_", 2),
    ],
)
def test_neighbors_with_wrong_rows_are_refused(attribute, value):
    content = saved(neighbors.KNeighborsClassifier().fit(X, Y))
    refuses(with_state(content, "KNeighborsClassifier", **{attribute: value}), "Neighbors")


def test_search_tree_of_neighbors_is_never_read():
    content = saved(neighbors.KNeighborsClassifier(algorithm="kd_tree").fit(X, Y))
    refuses(with_state(content, "KNeighborsClassifier", _tree=3), "not an attribute")


def test_vocabulary_beyond_its_columns_is_refused():
    words = TfidfVectorizer().fit(["red green", "blue"])

    def change(records):
        for record in records:
            if record.get("names", {}).get("red") is not None:
                record["names"]["red"] = 10**6

    content = saved(words)
    refuses(with_records(content, change))


def test_one_hot_codes_beyond_their_columns_are_refused():
    encoder = preprocessing.OneHotEncoder(min_frequency=3).fit(np.array([["a"] * 9 + ["b", "c"]]).T)
    content = saved(encoder)

    def change(records):
        for record in records:
            if record.get("numbers") == [0, 1, 1]:
                record["numbers"] = [0, 9999, 1]

    refuses(with_records(content, change), "unknown code")


def test_number_of_output_columns_of_an_encoder_is_computed_again():
    encoder = preprocessing.OneHotEncoder().fit([["a"], ["b"], ["c"]])

    def change(records):
        for record in records:
            if record.get("class") == "OneHotEncoder":
                records[record["state"]["_n_features_outs"]["@"]]["items"] = [1]

    loaded = nonet.load(io.BytesIO(with_records(saved(encoder), change)))
    assert loaded.transform([["c"]]).shape == (1, 3)


def test_forest_whose_tree_has_other_columns_is_refused():
    forest = ensemble.RandomForestClassifier(3, random_state=0).fit(X, Y)
    content = saved(forest)
    refuses(with_state(content, "RandomForestClassifier", n_features_in_=3), "other columns")


def test_boosting_whose_tree_splits_an_unknown_column_is_refused():
    booster = ensemble.HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5).fit(X, Y)

    def change(records):
        for record in records:
            if record["kind"] == "sklearn_predictor":
                field = records[record["nodes"]["feature_idx"]["@"]]
                if "numbers" in field:
                    field["numbers"][0] = 10**6

    refuses(with_records(saved(booster), change), "unknown column")


def test_position_of_a_random_state_beyond_its_words_is_refused():
    """NumPy reads memory at this position without a check."""
    model = nonet.DecisionTreeClassifier(max_depth=2, random_state=np.random.RandomState(0))

    def change(records):
        for record in records:
            if record["kind"] == "random_state":
                record["position"] = 10**6

    refuses(with_records(saved(model.fit(X, Y)), change), "out of its range")


# ---- Forests and boosters of nonet --------------------------------------------------------------


def test_forest_with_trees_of_other_columns_is_refused():
    refuses(with_state(FOREST, "RandomForestClassifier", n_features_in_=2), "other columns")


def test_forest_without_trees_is_refused():
    refuses(with_state(FOREST, "RandomForestClassifier", _trees=1), "no trees")


# ---- Ensembles and polynomials of scikit-learn ---------------------------------------------------


@pytest.mark.parametrize(
    ("model", "attribute", "value", "reason"),
    [
        (ensemble.BaggingClassifier(n_estimators=2), "n_features_in_", 2, "not there"),
        (ensemble.BaggingClassifier(n_estimators=2), "estimators_features_", [], "no columns"),
        (ensemble.BaggingClassifier(n_estimators=2), "estimators_", [], "no members"),
        (ensemble.BaggingClassifier(n_estimators=2), "estimators_", ["a", "b"], "not predict"),
        (ensemble.AdaBoostClassifier(n_estimators=3), "estimator_weights_", np.ones(1), "weight"),
        (ensemble.VotingClassifier([("a", svm.SVC())]), "estimators", [], "for each name"),
        (ensemble.StackingClassifier([("a", svm.SVC())]), "stack_method_", ["fit"], "method"),
        (ensemble.StackingClassifier([("a", svm.SVC())]), "stack_method_", [], "no method"),
        (preprocessing.PolynomialFeatures(), "_n_out_full", 10**6, "terms"),
        (preprocessing.PolynomialFeatures(), "n_output_features_", 7, "terms"),
        (preprocessing.PolynomialFeatures(), "_max_degree", 9, "two degrees"),
        (preprocessing.PolynomialFeatures(), "degree", 10**12, "degree"),
        (preprocessing.PolynomialFeatures(), "n_features_in_", 10**12, "columns"),
    ],
)
def test_ensembles_whose_attributes_do_not_fit_are_refused(model, attribute, value, reason):
    content = saved(model.fit(X, Y))
    refuses(with_state(content, type(model).__name__, **{attribute: value}), reason)


def test_polynomials_of_numpy_degrees_are_read():
    model = preprocessing.PolynomialFeatures(np.int64(3)).fit(X)
    loaded = nonet.load(io.BytesIO(saved(model)))
    np.testing.assert_array_equal(loaded.transform(X), model.transform(X))
