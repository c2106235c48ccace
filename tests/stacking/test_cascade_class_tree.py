"""Decisions down a tree of classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from nonet import ClassTreeClassifier
from nonet.decide import Abstain

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


def naive_probability(model, tree, row, way=()):
    """Multiply along the way: the member of a branching is found by its name."""

    def flat(branch):
        return [leaf for b in branch for leaf in flat(b)] if isinstance(branch, list) else [branch]

    name = " | ".join(", ".join(map(str, flat(branch))) for branch in tree)
    (member,) = [m.estimator for m in model.members_ if m.name == name]
    shares = member.predict_proba(row)[0]
    found = {}
    for branch, share in zip(tree, shares, strict=True):
        if isinstance(branch, list):
            below = naive_probability(model, branch, row)
            found |= {leaf: share * p for leaf, p in below.items()}
        else:
            found[branch] = share
    return found


@settings(max_examples=15)
@given(trees())
def test_probability_is_the_product_of_the_way_against_naive(tree):
    model = ClassTreeClassifier(bayes(), tree).fit(X[::4], Y[::4])
    for row in range(3):
        expected = naive_probability(model, tree, X[[row]])
        np.testing.assert_allclose(
            model.predict_proba(X[[row]])[0], [expected[leaf] for leaf in range(5)], atol=1e-12
        )


def test_probabilities_sum_to_one():
    model = ClassTreeClassifier(bayes(), TREE).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_branchings_see_only_the_rows_of_their_classes():
    model = ClassTreeClassifier(bayes(), TREE).fit(X, Y)
    assert [member.name for member in model.members_] == ["1 | 2 | 3, 4, 0", "3 | 4 | 0"]
    assert model.estimators_[1].class_count_.tolist() == [(k == Y).sum() for k in (3, 4, 0)]


def test_one_branching_is_the_learner_itself():
    flat = ClassTreeClassifier(bayes(), [0, 1, 2, 3, 4]).fit(X, Y)
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
        decide=Abstain(0.99, abstain_label="?"),
    ).fit(frame, names, sample_weight=np.ones(len(names)))
    assert model.feature_names_in_[0] == "p0"
    silent = model.predict(frame) == "?"
    np.testing.assert_array_equal(silent, model.predict_proba(frame).max(axis=1) < 0.99)


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
