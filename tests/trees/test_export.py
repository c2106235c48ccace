from __future__ import annotations

import numpy as np
import pytest
import sklearn.tree

from nonet import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.trees import export_text
from trees.datasets import CLASSES, NUMBERS

LIMITS = {"max_depth": 3, "min_samples_leaf": 8}


def both_classifiers(name="made"):
    X, y = CLASSES[name]
    ours = DecisionTreeClassifier(**LIMITS).fit(X, y)
    return ours, sklearn.tree.DecisionTreeClassifier(random_state=0, **LIMITS).fit(X, y)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_depth": 1},
        {"max_depth": 0},
        {"spacing": 5, "decimals": 4},
        {"show_weights": True},
        {"class_names": ["a", "b", "c", "d"]},
        {"feature_names": [f"column {i}" for i in range(12)]},
    ],
    ids=str,
)
def test_text_of_a_classifier_against_sklearn(options):
    ours, theirs = both_classifiers()
    assert export_text(ours, **options) == sklearn.tree.export_text(theirs, **options)


def test_text_of_a_regressor_against_sklearn():
    X, y = NUMBERS["linear"]
    ours = DecisionTreeRegressor(**LIMITS).fit(X, y)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **LIMITS).fit(X, y)
    assert export_text(ours, decimals=1) == sklearn.tree.export_text(theirs, decimals=1)


def test_text_of_a_tree_of_sklearn_is_its_own_text():
    X, y = CLASSES["wine"]
    theirs = sklearn.tree.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    assert export_text(theirs) == sklearn.tree.export_text(theirs)


def test_names_seen_during_fit_are_used():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"age": [1, 2], "size": [0, 0]})
    assert "age <= 1.50" in export_text(DecisionTreeClassifier().fit(table, ["no", "yes"]))


def test_a_single_leaf_is_one_line():
    text = export_text(DecisionTreeClassifier().fit([[0]], ["only"]))
    assert text == "|--- class: only\n"


def test_a_tree_deeper_than_pythons_stack_is_written():
    X = np.arange(1500.0)[:, np.newaxis]
    chain = DecisionTreeClassifier().fit(X, np.arange(1500) % 2)  # splits off one row at a time
    assert chain.get_depth() > 1000
    assert export_text(chain, max_depth=10**6).count("class:") == chain.get_n_leaves()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"feature_names": ["one"]}, "each of the 12 columns, but has 1"),
        ({"class_names": ["one"]}, "each of the 4 classes, but has 1"),
        ({"max_depth": -1}, "'max_depth' must be a whole number"),
        ({"spacing": 0}, "'spacing' must be a whole number"),
        ({"decimals": 1.5}, "'decimals' must be a whole number"),
        ({"show_weights": 1}, "'show_weights' must be True or False"),
    ],
)
def test_export_text_rejects_bad_options(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        export_text(both_classifiers()[0], **options)


def test_export_text_rejects_several_targets():
    model = DecisionTreeRegressor().fit([[0.0], [1.0]], [[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="one target, but this one has 2"):
        export_text(model)
