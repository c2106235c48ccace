from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet._base.progress import Steps
from nonet._base.streams import member_seed
from nonet.members.fit import fit_member, fit_members
from nonet.members.plan import MemberPlan


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


class Refuser(ClassifierMixin, BaseEstimator):
    def __init__(self, error=ValueError):
        self.error = error

    def fit(self, X, y):
        raise self.error("no thanks")


def test_fit_leaves_the_prototype_alone(table):
    prototype = DecisionTreeClassifier()
    member = fit_member(MemberPlan("tree", prototype), *table)
    assert not hasattr(prototype, "tree_")
    assert member.estimator is not prototype
    assert member.unseen_rows is None


def test_counts_as_weights_equal_repeated_rows_against_naive(table):
    X, y = table
    counts = np.random.default_rng(1).multinomial(60, np.full(60, 1 / 60))
    prototype = LogisticRegression(C=10)
    member = fit_member(MemberPlan("linear", prototype, counts=counts), X, y)
    rows = np.repeat(np.arange(60), counts)
    naive = LogisticRegression(C=10).fit(X[rows], y[rows])
    np.testing.assert_allclose(member.estimator.coef_, naive.coef_, rtol=1e-4)
    np.testing.assert_array_equal(member.unseen_rows, np.flatnonzero(counts == 0))


def test_counts_multiply_sample_weight(table):
    X, y = table
    weight = np.random.default_rng(2).uniform(0.5, 2, 60)
    counts = np.random.default_rng(1).integers(0, 3, 60)
    plan = MemberPlan("line", LinearRegression(), counts=counts, sample_weight=weight)
    naive = LinearRegression().fit(X, y, sample_weight=counts * weight)
    np.testing.assert_allclose(fit_member(plan, X, y).estimator.coef_, naive.coef_, rtol=1e-9)


def test_counts_repeat_rows_for_members_without_weights(table):
    X, y = table
    counts = np.random.default_rng(1).integers(0, 3, 60)
    member = fit_member(MemberPlan("near", KNeighborsClassifier(3), counts=counts), X, y)
    assert member.estimator.n_samples_fit_ == counts.sum()


def test_columns_and_names_reach_the_member(table):
    X, y = table
    frame = pd.DataFrame(X, columns=list("abcd"))
    plan = MemberPlan("tree", DecisionTreeClassifier(), columns=np.array([3, 1]))
    member = fit_member(plan, frame, y)
    assert list(member.estimator.feature_names_in_) == ["d", "b"]
    assert list(member.view(frame).columns) == ["d", "b"]


def test_relabelled_target_is_learned_instead_of_the_common_one(table):
    X, y = table
    plan = MemberPlan("tree", DecisionTreeClassifier(), y=np.where(y == 1, "yes", "no"))
    assert list(fit_member(plan, X, y).estimator.classes_) == ["no", "yes"]


def test_seed_of_the_plan_decides_the_member(table):
    X, y = table
    prototype = DecisionTreeRegressor(max_features=1)
    plans = [MemberPlan("t", prototype, seed=member_seed(7, i)) for i in range(4)]
    together = fit_members(plans, X, y)
    alone = fit_members(plans[2:3], X, y)
    np.testing.assert_array_equal(
        together[2].estimator.tree_.threshold, alone[0].estimator.tree_.threshold
    )
    states = {member.estimator.random_state for member in together}
    assert len(states) == 4


def test_fit_is_deterministic_for_any_number_of_workers(table):
    X, y = table
    plans = [
        MemberPlan(f"t{i}", DecisionTreeRegressor(max_features=1), seed=member_seed(0, i))
        for i in range(5)
    ]
    one = fit_members(plans, X, y, n_jobs=1)
    two = fit_members(plans, X, y, n_jobs=2)
    assert [member.name for member in two] == [f"t{i}" for i in range(5)]
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a.estimator.predict(X), b.estimator.predict(X))


@pytest.mark.parametrize(
    ("error", "family"), [(ValueError, ValueError), (TypeError, TypeError), (KeyError, ValueError)]
)
def test_fit_names_the_member_that_failed(table, error, family):
    plans = [MemberPlan("good", DecisionTreeClassifier()), MemberPlan("bad", Refuser(error))]
    with pytest.raises(family, match=r"member 'bad' \(2 of 2\) failed to fit: .*no thanks"):
        fit_members(plans, *table)


def test_progress_names_each_member(table, capsys):
    plans = [MemberPlan("one", DecisionTreeClassifier()), MemberPlan("two", LogisticRegression())]
    fit_members(plans, *table, steps=Steps("VotingClassifier", "models", 2))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("[nonet] VotingClassifier: 1 of 2 models (one), ")
