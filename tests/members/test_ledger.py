from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from nonet.members.fit import fit_members
from nonet.members.ledger import ask_out_of_bag, cross_fit
from nonet.members.plan import MemberPlan


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    return X, (X[:, 0] + 0.3 * rng.normal(size=50) > 0).astype(int)


class Memory(RegressorMixin, BaseEstimator):
    """Answers 1 for a row it was fitted on, 0 for one it has never seen."""

    def fit(self, X, y):
        self.seen_ = {tuple(row) for row in X}
        return self

    def predict(self, X):
        return np.array([float(tuple(row) in self.seen_) for row in X])


def plans():
    return [
        MemberPlan("bayes", GaussianNB()),
        MemberPlan("tree", DecisionTreeClassifier(max_depth=2, random_state=0)),
    ]


def test_out_of_fold_answers_against_sklearn(table):
    X, y = table
    cv = KFold(5, shuffle=True, random_state=3)
    ledger = cross_fit(plans(), X, y, reads="probabilities", classes=[np.unique(y)], cv=cv)
    for place, plan in enumerate(plans()):
        naive = cross_val_predict(plan.estimator, X, y, cv=cv, method="predict_proba")
        np.testing.assert_array_equal(ledger.outputs[:, place], naive)
    assert ledger.names == ("bayes", "tree")
    assert (ledger.coverage == 1).all()
    assert len(ledger.folds) == 5
    assert [member.name for member in ledger.folds[0]] == ["bayes", "tree"]


@pytest.mark.parametrize(
    "cv",
    [
        3,
        KFold(4),
        LeaveOneOut(),
        PredefinedSplit(np.arange(50) % 3),
        TimeSeriesSplit(3),
        GroupKFold(5),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_no_answer_comes_from_a_member_that_saw_the_row(table, cv):
    X, y = table
    members = [MemberPlan("a", Memory()), MemberPlan("b", Memory())]
    groups = np.arange(50) // 5 if isinstance(cv, GroupKFold) else None
    ledger = cross_fit(members, X, y, reads="values", cv=cv, groups=groups)
    covered = ledger.covered_rows
    assert covered.size > 0
    np.testing.assert_array_equal(ledger.outputs[covered], 0.0)
    assert np.isnan(np.delete(ledger.outputs, covered, axis=0)).all()


def test_memory_would_be_caught_on_its_own_rows(table):
    """The check above can fail: on rows it was fitted on, the member answers 1."""
    X, y = table
    assert (Memory().fit(X, y).predict(X) == 1).all()


def test_forward_chaining_leaves_early_rows_uncovered(table):
    X, y = table
    cv = TimeSeriesSplit(4)
    ledger = cross_fit([MemberPlan("r", Ridge())], X, y, reads="values", cv=cv)
    first = min(test.min() for _, test in cv.split(X))
    np.testing.assert_array_equal(ledger.covered_rows, np.arange(first, 50))


def test_plan_counts_are_kept_inside_the_folds(table):
    X, y = table
    counts = np.random.default_rng(1).integers(0, 3, 50)
    cv = KFold(5)
    ledger = cross_fit([MemberPlan("r", Ridge(), counts=counts)], X, y, reads="values", cv=cv)
    train, test = next(iter(cv.split(X)))
    naive = Ridge().fit(X[train], y[train], sample_weight=counts[train])
    np.testing.assert_allclose(ledger.outputs[test, 0], naive.predict(X[test]), rtol=1e-9)


def test_ledger_is_deterministic_for_any_number_of_workers(table):
    X, y = table
    one = cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], n_jobs=1)
    two = cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], n_jobs=2)
    np.testing.assert_array_equal(one.outputs, two.outputs)


def test_order_of_members_changes_nothing_but_the_order(table):
    X, y = table
    there = cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)])
    back = cross_fit(plans()[::-1], X, y, reads="labels", classes=[np.unique(y)])
    np.testing.assert_array_equal(there.outputs, back.outputs[:, ::-1])


def test_cross_fit_rejects_overlapping_folds(table):
    X, y = table
    cv = ShuffleSplit(5, random_state=0)
    with pytest.raises(ValueError, match="hold out each row at most once, but row .* KFold"):
        cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], cv=cv)


def test_cross_fit_rejects_a_fold_that_trains_on_its_held_out_rows(table):
    X, y = table
    cv = [(np.arange(50), np.arange(10))]
    with pytest.raises(ValueError, match="also trained on"):
        cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], cv=cv)


def test_out_of_bag_answers_come_from_unseen_rows_only(table):
    X, y = table
    rng = np.random.default_rng(0)
    bags = [rng.multinomial(50, np.full(50, 1 / 50)) for _ in range(4)]
    members = fit_members(
        [MemberPlan(f"m{i}", Memory(), counts=b) for i, b in enumerate(bags)], X, y
    )
    ledger = ask_out_of_bag(members, X, reads="values")
    unseen = np.column_stack(bags) == 0
    np.testing.assert_array_equal(ledger.coverage, unseen)
    np.testing.assert_array_equal(ledger.outputs[unseen], 0.0)
    assert np.isnan(ledger.outputs[~unseen]).all()


def test_out_of_bag_labels_are_silent_where_not_covered(table):
    X, y = table
    counts = np.ones(50, dtype=int)
    counts[:5] = 0
    plan = MemberPlan("tree", DecisionTreeClassifier(), counts=counts)
    ledger = ask_out_of_bag(fit_members([plan], X, y), X, reads="labels", classes=[np.unique(y)])
    assert (ledger.outputs[5:] == -1).all()
    assert (ledger.outputs[:5] >= 0).all()


def test_out_of_bag_rejects_members_that_saw_everything(table):
    X, y = table
    members = fit_members(plans(), X, y)
    with pytest.raises(ValueError, match="no member has out-of-bag rows.*cross-fit instead"):
        ask_out_of_bag(members, X, reads="labels", classes=[np.unique(y)])
