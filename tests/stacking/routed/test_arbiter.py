"""The arbiter decides where the members have no majority, and learned from such rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nonet import ArbiterClassifier, make_ledger

X, Y = make_classification(
    300, n_features=6, n_informative=4, n_classes=3, n_clusters_per_class=1, random_state=0
)
NAMES = np.array(["a", "b", "c"])[Y]


class Says(ClassifierMixin, BaseEstimator):
    """A member that reads its prediction from a column of X."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        return self

    def predict(self, X):
        return self.classes_[X[:, self.column].astype(int)]


def members():
    return [
        ("line", LogisticRegression(max_iter=1000)),
        ("bayes", GaussianNB()),
        ("tree", DecisionTreeClassifier(max_depth=2, random_state=0)),
        ("near", KNeighborsClassifier(3)),
    ]


def spoken(*rows):
    """A table in which each row holds the prediction of each member."""
    return np.array(rows, dtype=float)


def test_arbiter_learns_exactly_the_rows_without_majority_against_naive():
    table = spoken([0, 0, 1], [0, 1, 2], [2, 2, 2], [2, 1, 0], [1, 0, 2], [1, 1, 2])
    y = np.array([0, 1, 2, 2, 1, 1])
    three = [(f"m{i}", Says(i)) for i in range(3)]
    model = ArbiterClassifier(three, KNeighborsClassifier(1), partition=True, random_state=0)
    model.fit(np.repeat(table, 6, axis=0), np.repeat(y, 6))
    expected = [
        row for row, codes in enumerate(np.repeat(table, 6, axis=0)) if len(set(codes)) == 3
    ]
    np.testing.assert_array_equal(model.dispute_rows_, expected)


def test_majority_wins_and_the_arbiter_settles_the_rest_against_naive():
    model = ArbiterClassifier(members(), KNeighborsClassifier(5), cv=3).fit(X[::2], NAMES[::2])
    codes = model.transform(X)
    for row, prediction in zip(codes, model.predict(X), strict=True):
        votes = np.bincount(row, minlength=3)
        if votes.max() > 2:
            assert prediction == model.classes_[votes.argmax()]
    open_rows = [i for i, row in enumerate(codes) if np.bincount(row).max() <= 2]
    assert open_rows
    np.testing.assert_array_equal(model.predict(X)[open_rows], model.arbiter_.predict(X[open_rows]))


@pytest.mark.parametrize(("dispute", "first_row"), [("majority", "c"), ("tie", "a")])
def test_leader_without_majority_is_overruled_only_if_requested_against_naive(dispute, first_row):
    """Issue 18, item A.7: with votes of 2, 1 and 1 the arbiter decided always."""
    table = spoken([0, 0, 1, 2], [0, 0, 1, 1], [2, 2, 1, 1], [1, 1, 1, 0], [0, 0, 0, 0])
    y = np.array(["c", "b", "c", "b", "a"])
    four = [(f"m{i}", Says(i)) for i in range(4)]
    model = ArbiterClassifier(four, KNeighborsClassifier(1), dispute=dispute, partition=True)
    model.set_params(random_state=0).fit(np.repeat(table, 8, axis=0), np.repeat(y, 8))
    np.testing.assert_array_equal(model.predict(table), [first_row, "b", "c", "b", "a"])
    disputed = {"majority": 24, "tie": 16}[dispute]
    np.testing.assert_array_equal(model.dispute_rows_, np.arange(24)[-disputed:])


def test_disagreement_calls_the_arbiter_more_often():
    few = ArbiterClassifier(members(), cv=3).fit(X, NAMES)
    many = ArbiterClassifier(members(), dispute="disagreement", cv=3).fit(X, NAMES)
    assert set(few.dispute_rows_) < set(many.dispute_rows_)
    split = [len(set(row)) > 1 for row in many.transform(X)]
    np.testing.assert_array_equal(many.predict(X)[split], many.arbiter_.predict(X[split]))


def test_disputes_are_found_on_held_out_predictions():
    """Members that remember all rows never disagree in training, but they do out of fold."""
    deep = [(f"t{i}", DecisionTreeClassifier(random_state=i, splitter="random")) for i in range(3)]
    model = ArbiterClassifier(deep, dispute="disagreement", cv=3).fit(X, NAMES)
    assert len({tuple(row) for row in model.transform(X)}) == 3
    assert len(model.dispute_rows_) > 20


@pytest.mark.parametrize("tree", [False, True])
def test_disputes_of_parts_are_found_on_held_out_predictions(tree):
    """Issue 17, item 3: members that remember their part agreed with its labels by rote.

    On labels of pure noise two members disagree on half of the rows, seen or not.
    """
    rng = np.random.default_rng(0)
    table, noise = rng.normal(size=(2000, 3)), rng.integers(0, 2, 2000)
    near = [(f"n{i}", KNeighborsClassifier(1)) for i in range(4 if tree else 2)]
    model = ArbiterClassifier(
        near,
        KNeighborsClassifier(1),
        dispute="disagreement",
        partition=True,
        arbiter_tree=tree,
        random_state=0,
    ).fit(table, noise)
    own_rows = np.setdiff1d(np.arange(2000), model.members_[0].unseen_rows)
    disputed = np.isin(own_rows, model.dispute_rows_)
    naive = np.empty(len(own_rows))
    labels = model.members_[1].estimator.predict(table[own_rows])
    by_class = np.argsort(noise[own_rows], kind="stable")
    for fold in range(5):
        test = by_class[fold::5]
        rest = np.setdiff1d(np.arange(len(own_rows)), test)
        clone = KNeighborsClassifier(1).fit(table[own_rows[rest]], noise[own_rows[rest]])
        naive[test] = clone.predict(table[own_rows[test]])
    first_pair = naive != labels
    if tree:
        assert disputed[first_pair].all()  # and rows that only the arbiters dispute
    else:
        np.testing.assert_array_equal(disputed, first_pair)


def test_arbiters_below_the_root_predict_held_out_rows():
    """Issue 17, item 3: by rote, a branch is right on all its rows, and disputes blame the other.

    On labels of pure noise the other branch, which has not seen these rows, is to blame for half.
    """
    rng = np.random.default_rng(0)
    table, noise = rng.normal(size=(2000, 3)), rng.integers(0, 2, 2000)
    near = [(f"n{i}", KNeighborsClassifier(1)) for i in range(4)]
    model = ArbiterClassifier(
        near, KNeighborsClassifier(1), partition=True, arbiter_tree=True, random_state=0
    ).fit(table, noise)
    root, (first, second, *_) = model.tree_.root, model.members_
    left_rows = np.setdiff1d(np.arange(2000), np.intersect1d(first.unseen_rows, second.unseen_rows))
    disputed = np.setdiff1d(left_rows, root.arbiter.unseen_rows)
    outputs = model.member_outputs(table[disputed])
    predicted = root.right.decide(outputs, table[disputed], model.classes_)
    assert abs(np.mean(predicted != noise[disputed]) - 0.5) < 0.1


def test_partition_rejects_a_ledger_of_models_on_all_rows():
    ledger = make_ledger(members(), X, NAMES, cv=3, method="predict")
    with pytest.raises(ValueError, match="'partition' must be False if a ledger is given"):
        ArbiterClassifier(members(), partition=True).fit(X, NAMES, ledger=ledger)


def test_ledger_is_used_as_it_is():
    ledger = make_ledger(members(), X, NAMES, cv=3, method="predict")
    given = ArbiterClassifier(members()).fit(X, NAMES, ledger=ledger)
    own = ArbiterClassifier(members(), cv=3).fit(X, NAMES)
    np.testing.assert_array_equal(given.dispute_rows_, own.dispute_rows_)


def test_no_dispute_needs_no_arbiter():
    one = [("line", LogisticRegression(max_iter=1000))]
    model = ArbiterClassifier(one, cv=3).fit(X, NAMES)
    assert model.arbiter_ is None
    assert model.dispute_rows_.size == 0
    np.testing.assert_array_equal(model.predict(X), model.estimators_[0].predict(X))


@pytest.mark.parametrize("arbiter", [LogisticRegression(), LinearSVC()])
def test_disputes_of_one_class_make_a_constant_arbiter(arbiter):
    table = np.repeat(spoken([0, 0], [1, 1], [0, 1]), 10, axis=0)
    y = np.repeat([0, 1, 1], 10)
    pair = [("m0", Says(0)), ("m1", Says(1))]
    model = ArbiterClassifier(pair, arbiter, partition=True, random_state=0).fit(table, y)
    np.testing.assert_array_equal(model.predict(spoken([1, 0], [0, 0])), [1, 0])
    np.testing.assert_array_equal(model.predict_proba(spoken([1, 0])), [[0, 1]])


def test_each_member_sees_a_part_of_its_own():
    near = [(f"n{i}", KNeighborsClassifier(1)) for i in range(4)]
    model = ArbiterClassifier(near, partition=True, random_state=0).fit(X, NAMES)
    unseen = [set(member.unseen_rows) for member in model.members_]
    seen = [set(range(len(X))) - rows for rows in unseen]
    assert set.union(*seen) == set(range(len(X)))
    assert sum(map(len, seen)) == len(X)
    for rows in seen:
        assert set(NAMES[list(rows)]) == {"a", "b", "c"}


def test_arbiter_defaults_to_the_first_members_kind():
    model = ArbiterClassifier(members(), cv=3).fit(X, NAMES)
    assert isinstance(model.arbiter_, LogisticRegression)


def test_probabilities_agree_with_predictions():
    model = ArbiterClassifier(members(), KNeighborsClassifier(5), cv=3).fit(X, NAMES)
    fractions = model.predict_proba(X)
    np.testing.assert_allclose(fractions.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[fractions.argmax(axis=1)], model.predict(X))


# ---- the tree ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_members", [2, 3, 4, 5])
def test_tree_of_arbiters_against_naive(n_members):
    """Agreement stands; where two subtrees differ, the arbiter above them decides."""
    near = [(f"n{i}", KNeighborsClassifier(2 + i)) for i in range(n_members)]
    model = ArbiterClassifier(
        near,
        DecisionTreeClassifier(random_state=0),
        partition=True,
        arbiter_tree=True,
        random_state=0,
    ).fit(X, NAMES)

    def predict(node, row):
        if hasattr(node, "position"):
            return model.estimators_[node.position].predict(row)[0]
        left, right = predict(node.left, row), predict(node.right, row)
        return left if left == right else node.arbiter.estimator.predict(row)[0]

    expected = [predict(model.tree_.root, X[[i]]) for i in range(60)]
    assert model.predict(X[:60]).tolist() == expected


def test_tree_is_deterministic():
    settings = {"partition": True, "arbiter_tree": True, "random_state": 3}
    predictions = [ArbiterClassifier(members(), **settings).fit(X, Y).predict(X) for _ in range(2)]
    np.testing.assert_array_equal(*predictions)


# ---- what is refused ---------------------------------------------------------------------------


def test_arbiter_rejects_a_tree_without_parts():
    with pytest.raises(ValueError, match="'arbiter_tree' must be False unless partition=True"):
        ArbiterClassifier(members(), arbiter_tree=True).fit(X, Y)


def test_arbiter_rejects_more_members_than_rows():
    with pytest.raises(
        ValueError, match="n_samples=3 is too few to give a row to each of 4 members"
    ):
        ArbiterClassifier(members(), partition=True).fit(X[:3], [0, 1, 0])


def test_arbiter_rejects_several_targets():
    with pytest.raises(ValueError, match="one target, but y has 2 columns"):
        ArbiterClassifier(members()).fit(X, np.column_stack([Y, Y]))
