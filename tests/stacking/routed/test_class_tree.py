"""Decisions down a tree of classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from nonet import ClassTreeClassifier, VotingClassifier
from nonet.decide import Abstain, Argmax

X, Y = load_digits(n_class=5, return_X_y=True)
X = X[:, 10:40]
TREE = [1, 2, [3, 4, 0]]


def bayes():
    return GaussianNB(var_smoothing=1e-2)


@st.composite
def trees(draw, leaves=(0, 1, 2, 3, 4)):
    """Any tree over the leaves."""
    leaves = draw(st.permutations(leaves))
    while len(leaves) > 2 and draw(st.booleans()):
        size = draw(st.integers(2, len(leaves) - 1))
        leaves = [*leaves[size:], leaves[:size]]
    return list(leaves)


def _flat(branch):
    return [leaf for b in branch for leaf in _flat(b)] if isinstance(branch, list) else [branch]


def naive_probability(model, tree, row, way=()):
    """Multiply along the way: the member of a branching is found by its name."""

    name = " | ".join(", ".join(map(str, _flat(branch))) for branch in tree)
    (member,) = [m.estimator for m in model.members_ if m.name == name]
    fractions = member.predict_proba(row)[0]
    found = {}
    for branch, fraction in zip(tree, fractions, strict=True):
        if isinstance(branch, list):
            below = naive_probability(model, branch, row)
            found |= {leaf: fraction * p for leaf, p in below.items()}
        else:
            found[branch] = fraction
    return found


@settings(max_examples=15)
@given(trees())
def test_probability_is_the_product_of_the_way_against_naive(tree):
    model = ClassTreeClassifier(bayes(), tree, combine="product").fit(X[::4], Y[::4])
    for row in range(3):
        expected = naive_probability(model, tree, X[[row]])
        np.testing.assert_allclose(
            model.predict_proba(X[[row]])[0], [expected[leaf] for leaf in range(5)], atol=1e-12
        )


def test_probabilities_sum_to_one():
    model = ClassTreeClassifier(bayes(), TREE, combine="product").fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_branchings_see_only_the_rows_of_their_classes():
    model = ClassTreeClassifier(bayes(), TREE).fit(X, Y)
    assert [member.name for member in model.members_] == ["1 | 2 | 3, 4, 0", "3 | 4 | 0"]
    assert model.estimators_[1].class_count_.tolist() == [(k == Y).sum() for k in (3, 4, 0)]


def test_one_branching_is_the_learner_itself():
    flat = ClassTreeClassifier(bayes(), [0, 1, 2, 3, 4], combine="product").fit(X, Y)
    np.testing.assert_allclose(flat.predict_proba(X), bayes().fit(X, Y).predict_proba(X))


def test_default_tree_is_each_class_against_those_after_it():
    model = ClassTreeClassifier(bayes()).fit(X, Y)
    assert model.members_[0].name == "0 | 1, 2, 3, 4"
    assert len(model.members_) == 4


def test_words_weights_frames_and_silence():
    names = np.array(["zero", "one", "two", "three", "four"])[Y]
    frame = pd.DataFrame(X, columns=[f"p{i}" for i in range(X.shape[1])])
    model = ClassTreeClassifier(
        bayes(),
        [["zero", "one"], "two", ["three", "four"]],
        combine="product",
        decide=Abstain(0.99, abstain_label="?"),
    ).fit(frame, names, sample_weight=np.ones(len(names)))
    assert model.feature_names_in_[0] == "p0"
    silent = model.predict(frame) == "?"
    np.testing.assert_array_equal(silent, model.predict_proba(frame).max(axis=1) < 0.99)


FREQUENCIES = [1] * 4 + [2] * 1 + [3] * 3 + [4] * 2


def test_top_down_follows_the_root_and_the_product_need_not():
    """Issue 18, item A.2: the root gives "3 or 4" with 0.5, and the prediction was 1."""
    rows = np.zeros((10, 1))
    predictions = {
        combine: ClassTreeClassifier(DummyClassifier(), [1, 2, [3, 4]], combine=combine)
        .fit(rows, FREQUENCIES)
        .predict(rows[:1])[0]
        for combine in ("top_down", "product")
    }
    assert predictions == {"top_down": 3, "product": 1}
    assert ClassTreeClassifier(DummyClassifier()).combine == "top_down"


def naive_descent(model, tree, row):
    """Go down branch by branch: the member of a branching is found by its name."""
    while isinstance(tree, list):
        name = " | ".join(", ".join(map(str, _flat(branch))) for branch in tree)
        (member,) = [m.estimator for m in model.members_ if m.name == name]
        tree = tree[member.predict(row)[0]]
    return tree


@settings(max_examples=10)
@given(trees())
def test_top_down_against_naive_without_probabilities(tree):
    """Issue 18, item A.2: members without predict_proba were refused."""
    model = ClassTreeClassifier(RidgeClassifier(), tree).fit(X[::4], Y[::4])
    expected = [naive_descent(model, tree, row[np.newaxis]) for row in X[:40]]
    np.testing.assert_array_equal(model.predict(X[:40]), expected)


def test_product_predicts_the_largest_probability():
    model = ClassTreeClassifier(bayes(), TREE, combine="product").fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), model.predict_proba(X).argmax(axis=1))


def test_top_down_has_no_probabilities_and_says_why():
    model = ClassTreeClassifier(bayes(), TREE).fit(X, Y)
    with pytest.raises(AttributeError, match="has no attribute 'predict_proba'") as caught:
        model.predict_proba(X)
    assert "combine='product'" in str(caught.value.__cause__)


def test_member_that_abstains_ends_the_way():
    shy = VotingClassifier([("bayes", bayes())], decide=Abstain(0.999, abstain_label=-1))
    shy.set_params(voting="soft")
    rule = Argmax(tie="abstain", abstain_label=-1)
    model = ClassTreeClassifier(shy, TREE, decide=rule).fit(X, Y)
    root, below = model.member_outputs(X)
    silent = (root == -1) | ((root == 2) & (below == -1))
    assert 0 < silent.mean() < 1
    np.testing.assert_array_equal(model.predict(X) == -1, silent)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"decide": Abstain(0.6, abstain_label=-1)},
            "'combine' must be 'product' for decide=",
        ),
        ({"combine": "product", "estimator": RidgeClassifier()}, "has no predict_proba, but got"),
        ({"combine": "sum"}, "'combine' must be one of 'top_down', 'product'"),
    ],
)
def test_class_tree_rejects_what_does_not_fit(arguments, message):
    with pytest.raises(ValueError, match=message):
        ClassTreeClassifier(**{"estimator": bayes(), **arguments}).fit(X, Y)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([0, 1, 2, 3, [4, 7]], "class 7 of the tree does not occur in y"),
        ([0, 1, [2, 3]], "every class must be in the tree once, but it lacks 4"),
        ([0, 1, 2, [3, 4, 0]], "every class must be in the tree once, but it names 0 twice"),
        ([0, 1, 2, 3, [4]], "'tree' must be a tree with two branches or more"),
    ],
)
def test_class_tree_rejects_bad_trees(tree, message):
    with pytest.raises(ValueError, match=message):
        ClassTreeClassifier(bayes(), tree).fit(X, Y)


def test_class_tree_rejects_one_class():
    with pytest.raises(ValueError, match="one class only: np.float64.0.0."):
        ClassTreeClassifier(LogisticRegression()).fit(X, np.zeros(len(X)))
