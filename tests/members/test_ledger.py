from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet._base.progress import Steps
from nonet.members.fit import fit_members
from nonet.members.ledger import cross_fit, predict_out_of_bag
from nonet.members.plan import MemberPlan


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    return X, (X[:, 0] + 0.3 * rng.normal(size=50) > 0).astype(int)


class Memory(RegressorMixin, BaseEstimator):
    """Predicts 1 for a row it was fitted on, 0 for one it has never seen."""

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


def test_out_of_fold_predictions_against_sklearn(table):
    X, y = table
    cv = KFold(5, shuffle=True, random_state=3)
    ledger = cross_fit(
        plans(), X, y, reads="probabilities", classes=[np.unique(y)], cv=cv, keep_models=True
    )
    for position, plan in enumerate(plans()):
        naive = cross_val_predict(plan.estimator, X, y, cv=cv, method="predict_proba")
        np.testing.assert_array_equal(ledger.outputs[:, position], naive)
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
def test_no_prediction_comes_from_a_member_that_saw_the_row(table, cv):
    X, y = table
    members = [MemberPlan("a", Memory()), MemberPlan("b", Memory())]
    groups = np.arange(50) // 5 if isinstance(cv, GroupKFold) else None
    ledger = cross_fit(members, X, y, reads="values", cv=cv, groups=groups)
    covered = ledger.covered_rows
    assert covered.size > 0
    np.testing.assert_array_equal(ledger.outputs[covered], 0.0)
    assert np.isnan(np.delete(ledger.outputs, covered, axis=0)).all()


def test_memory_would_be_caught_on_its_own_rows(table):
    """The check above can fail: on rows it was fitted on, the member predicts 1."""
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


def test_cross_fit_rejects_a_fold_that_trains_on_its_held_out_rows(table):
    X, y = table
    cv = [(np.arange(50), np.arange(10))]
    with pytest.raises(ValueError, match="also a training row"):
        cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], cv=cv)


def test_out_of_bag_predictions_come_from_unseen_rows_only(table):
    X, y = table
    rng = np.random.default_rng(0)
    bags = [rng.multinomial(50, np.full(50, 1 / 50)) for _ in range(4)]
    members = fit_members(
        [MemberPlan(f"m{i}", Memory(), counts=b) for i, b in enumerate(bags)], X, y
    )
    ledger = predict_out_of_bag(members, X, reads="values")
    unseen = np.column_stack(bags) == 0
    np.testing.assert_array_equal(ledger.coverage, unseen)
    np.testing.assert_array_equal(ledger.outputs[unseen], 0.0)
    assert np.isnan(ledger.outputs[~unseen]).all()


def test_out_of_bag_labels_are_silent_where_not_covered(table):
    X, y = table
    counts = np.ones(50, dtype=int)
    counts[:5] = 0
    plan = MemberPlan("tree", DecisionTreeClassifier(), counts=counts)
    ledger = predict_out_of_bag(
        fit_members([plan], X, y), X, reads="labels", classes=[np.unique(y)]
    )
    assert (ledger.outputs[5:] == -1).all()
    assert (ledger.outputs[:5] >= 0).all()


def test_out_of_bag_rejects_members_that_saw_everything(table):
    X, y = table
    members = fit_members(plans(), X, y)
    with pytest.raises(ValueError, match="no member has out-of-bag rows.*cross-fit instead"):
        predict_out_of_bag(members, X, reads="labels", classes=[np.unique(y)])


SPLITTERS = {
    "k-fold": lambda k, seed: KFold(k, shuffle=True, random_state=seed),
    "stratified": lambda k, seed: StratifiedKFold(k, shuffle=True, random_state=seed),
    "repeated": lambda k, seed: RepeatedKFold(n_splits=k, n_repeats=2, random_state=seed),
    "shuffled": lambda k, seed: ShuffleSplit(k, test_size=0.3, random_state=seed),
    "groups": lambda k, seed: GroupKFold(k),
    "group-shuffled": lambda k, seed: GroupShuffleSplit(k, random_state=seed),
    "forward": lambda k, seed: TimeSeriesSplit(k),
    "predefined": lambda k, seed: PredefinedSplit(np.random.default_rng(seed).integers(-1, k, 40)),
    "leave-one-out": lambda k, seed: LeaveOneOut(),
}


@given(kind=st.sampled_from(sorted(SPLITTERS)), k=st.integers(2, 5), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_no_splitter_shows_a_prediction_of_a_row_that_was_fitted_on(kind, k, seed):
    X = np.random.default_rng(seed).normal(size=(40, 2))
    y, cv = np.arange(40) % 2, SPLITTERS[kind](k, seed)
    groups = np.arange(40) // 4 if "group" in kind else None
    ledger = cross_fit([MemberPlan("a", Memory())], X, y, reads="values", cv=cv, groups=groups)
    np.testing.assert_array_equal(ledger.outputs[ledger.covered_rows], 0.0)
    times = np.bincount(np.concatenate(ledger.held_out_rows), minlength=40)
    np.testing.assert_array_equal(ledger.coverage[:, 0], times)
    np.testing.assert_array_equal(np.isnan(ledger.outputs[:, 0]), times == 0)


@given(order=st.permutations(range(5)), seed=st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_order_of_overlapping_folds_changes_nothing(order, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    folds = list(ShuffleSplit(5, test_size=0.4, random_state=seed).split(X))
    plan = [MemberPlan("ridge", Ridge())]
    there = cross_fit(plan, X, y, reads="values", cv=folds)
    back = cross_fit(plan, X, y, reads="values", cv=[folds[position] for position in order])
    np.testing.assert_array_equal(there.outputs, back.outputs)


def test_overlapping_predictions_against_naive_are_the_mean(table):
    X, y = table
    cv = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
    ledger = cross_fit([MemberPlan("r", Ridge())], X, y, reads="values", cv=cv)
    naive = np.zeros(len(y))
    for train, test in cv.split(X):
        naive[test] += Ridge().fit(X[train], y[train]).predict(X[test]) / 3
    np.testing.assert_allclose(ledger.outputs[:, 0], naive, rtol=1e-12)
    assert (ledger.coverage == 3).all()


@pytest.mark.parametrize(
    "forest",
    [
        RandomForestClassifier(30, random_state=0),
        BaggingClassifier(n_estimators=30, random_state=0),
        nonet.BaggingClassifier(n_estimators=30, random_state=0),
        nonet.RandomForestClassifier(30, random_state=0),
    ],
    ids=lambda forest: f"{type(forest).__module__.split('.')[0]}-{type(forest).__name__}",
)
def test_forest_predicts_out_of_bag_when_allowed(table, forest):
    X, y = table
    plans = [MemberPlan("bayes", GaussianNB()), MemberPlan("forest", forest)]
    classes = [np.unique(y)]
    ledger = cross_fit(plans, X, y, reads="probabilities", classes=classes, out_of_bag=True)
    alone = clone(forest).set_params(oob_score=True).fit(X, y)
    np.testing.assert_array_equal(ledger.outputs[:, 1], alone.oob_decision_function_)
    assert list(ledger.refits) == ["forest"]
    np.testing.assert_array_equal(
        ledger.refits["forest"].estimator.predict_proba(X), alone.predict_proba(X)
    )


def test_groups_are_not_left_to_bags_of_rows():
    """Issue 17, item 3: rows of one group are alike, and a bag without a row holds its brothers."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(60), 5)
    X, y = rng.normal(size=(60, 3))[groups], rng.integers(0, 2, 60)[groups]
    ledger = cross_fit(
        [MemberPlan("forest", nonet.RandomForestClassifier(30, random_state=0))],
        X,
        y,
        reads="labels",
        classes=[np.array([0, 1])],
        cv=GroupKFold(5),
        groups=groups,
        out_of_bag=True,
    )
    assert np.mean(ledger.outputs[:, 0] == y) < 0.7  # by bags of rows: 1.0


def test_rows_in_every_bag_stay_uncovered(table):
    X, y = table
    forest = RandomForestRegressor(2, random_state=0)
    ledger = cross_fit([MemberPlan("f", forest)], X, y, reads="values", out_of_bag=True)
    samples = clone(forest).fit(X, y).estimators_samples_
    unseen = np.array([any(row not in bag for bag in samples) for row in range(len(y))])
    assert not unseen.all()
    np.testing.assert_array_equal(ledger.covered_rows, np.flatnonzero(unseen))


def test_members_of_different_kinds_share_a_ledger(table):
    X, y = table
    plans = [MemberPlan("bayes", GaussianNB()), MemberPlan("svm", LinearSVC(random_state=0))]
    kinds = ("probabilities", "scores")
    ledger = cross_fit(plans, X, y, reads=kinds, classes=[np.unique(y)])
    assert (ledger.reads, ledger.kinds) == ("scores", kinds)
    naive = cross_val_predict(plans[1].estimator, X, y, method="decision_function")
    np.testing.assert_array_equal(ledger.outputs[:, 1], np.column_stack([-naive, naive]))


def test_labels_are_read_off_probabilities(table):
    X, y = table
    cv = TimeSeriesSplit(3)
    classes = [np.unique(y)]
    fractions = cross_fit(plans(), X, y, reads="probabilities", classes=classes, cv=cv)
    labels = cross_fit(plans(), X, y, reads="labels", classes=classes, cv=cv)
    np.testing.assert_array_equal(fractions.predictions_as("labels")[0], labels.outputs)
    assert fractions.predictions_as("scores") is fractions.predictions


def test_predictions_as_rejects_a_kind_that_was_not_requested(table):
    X, y = table
    ledger = cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)])
    with pytest.raises(ValueError, match="holds labels .* where probabilities are needed"):
        ledger.predictions_as("probabilities")


def test_some_members_can_be_taken_in_another_order(table):
    X, y = table
    ledger = cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], keep_models=True)
    back = ledger.take(["tree", "bayes"])
    np.testing.assert_array_equal(back.outputs, ledger.outputs[:, ::-1])
    assert [m.name for m in back.folds[0]] == ["tree", "bayes"]
    assert len(back.fold_members("bayes")) == 5
    with pytest.raises(ValueError, match=r"no predictions of \['lines'\]; its members are"):
        ledger.take(["lines"])


def test_ledger_says_what_it_holds(table):
    X, y = table
    ledger = cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], cv=TimeSeriesSplit(4))
    expected = "Ledger(2 members (bayes, tree) on 50 rows, 40 of them covered; labels)"
    assert repr(ledger) == expected


def test_members_are_refitted_once(table):
    X, y = table
    ledger = cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)])
    first = ledger.refit_members(plans(), X, y)
    again = ledger.refit_members(plans()[::-1], X, y)
    assert [m.estimator for m in again] == [m.estimator for m in first[::-1]]


def test_cross_fit_counts_the_fits_of_all_folds(table, capsys):
    X, y = table
    steps = Steps("make_ledger", "held-out fits", 2)
    cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], cv=3, steps=steps)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 6
    assert lines[0].startswith("[nonet] make_ledger: 1 of 6 held-out fits (bayes, fold 1), ")


def test_cross_fit_rejects_a_group_splitter_without_groups(table):
    X, y = table
    with pytest.raises(ValueError, match="groups"):
        cross_fit(plans(), X, y, reads="labels", classes=[np.unique(y)], cv=GroupKFold(3))


def test_cross_fit_says_which_classes_a_fold_lacks(table):
    X, _ = table
    y = np.repeat([0, 1, 2], [20, 20, 10])
    with pytest.warns(UserWarning, match=r"folds train without the classes \[2\]"):
        ledger = cross_fit(
            plans(), X, y, reads="probabilities", classes=[np.unique(y)], cv=KFold(5)
        )
    np.testing.assert_array_equal(ledger.outputs[40:, :, 2], 0.0)


def test_cross_fit_rejects_members_without_a_common_row(table):
    X, y = table
    forest = RandomForestClassifier(1, random_state=0)
    member = [MemberPlan("forest", forest), MemberPlan("bayes", GaussianNB())]
    inside = forest.fit(X, y).estimators_samples_[0]
    test = np.unique(inside)[:3]
    train = np.setdiff1d(np.arange(50), test)
    with pytest.raises(ValueError, match="no row has a held-out prediction of every member"):
        cross_fit(
            member,
            X,
            y,
            reads="probabilities",
            classes=[np.unique(y)],
            cv=[(train, test)],
            out_of_bag=True,
        )
