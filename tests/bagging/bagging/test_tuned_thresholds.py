"""Thresholds of bagged ensembles are tuned on out-of-bag rows, or on cross-fitted ones."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from nonet import (
    BaggingClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomSubspaceClassifier,
    share_bins,
)
from nonet.decide import Threshold, find_threshold

X, Y = make_classification(
    1200, 20, n_informative=4, weights=[0.93], flip_y=0.08, class_sep=0.8, random_state=0
)
TRAIN, TEST = slice(0, 600), slice(600, None)
F1 = Threshold("tune", scoring="f1")

SEES_ALL_ROWS = [
    ExtraTreesClassifier(20, decide=F1, random_state=0),
    ExtraTreesClassifier(20, combine="median", decide=F1, random_state=0),
    RandomForestClassifier(20, bootstrap=False, decide=F1, random_state=0),
    BaggingClassifier(bootstrap=False, max_features=0.5, decide=F1, random_state=0),
    RandomSubspaceClassifier(GaussianNB(), decide=F1, random_state=0),
]


def cross_fitted(model, rows, labels, splitter, groups=None, weights=None):
    """Return the threshold that is best on support of clones fitted on folds, naively."""
    support = np.full(len(labels), np.nan)
    for train, test in splitter.split(rows, labels, groups):
        params = {} if weights is None else {"sample_weight": weights[train]}
        with share_bins(rows, sample_weight=weights):  # as the fits on which rules are tuned
            fitted = clone(model).set_params(decide=None).fit(rows[train], labels[train], **params)
        support[test] = fitted.predict_proba(rows[test])[:, 1]
    return find_threshold(support, labels == 1, scoring="f1", sample_weight=weights)


@pytest.mark.parametrize("model", SEES_ALL_ROWS, ids=repr)
@pytest.mark.filterwarnings("ignore:the best threshold")
def test_threshold_is_cross_fitted_where_members_see_all_rows_against_naive(model):
    """Issue 17, item 3."""
    fitted = clone(model).fit(X[TRAIN], Y[TRAIN])
    expected = cross_fitted(model, X[TRAIN], Y[TRAIN], StratifiedKFold(5))
    assert fitted.decide_.rule.threshold_ == expected


def test_extra_trees_with_a_tuned_threshold_find_the_rare_class():
    """Issue 17, item 3: on predictions of seen rows tuning changed nothing, f1 0.09; now 0.48."""
    plain = ExtraTreesClassifier(random_state=0).fit(X[TRAIN], Y[TRAIN])
    tuned = ExtraTreesClassifier(decide=F1, random_state=0).fit(X[TRAIN], Y[TRAIN])
    untuned_f1 = f1_score(Y[TEST], plain.predict(X[TEST]))
    assert f1_score(Y[TEST], tuned.predict(X[TEST])) > untuned_f1 + 0.15
    np.testing.assert_array_equal(tuned.predict_proba(X), plain.predict_proba(X))


def test_groups_are_held_out_together():
    groups = np.arange(600) // 10
    model = ExtraTreesClassifier(20, decide=F1, random_state=0)
    fitted = clone(model).fit(X[TRAIN], Y[TRAIN], groups=groups)
    expected = cross_fitted(model, X[TRAIN], Y[TRAIN], StratifiedGroupKFold(5), groups)
    assert fitted.decide_.rule.threshold_ == expected
    with pytest.raises(ValueError, match="groups are what a bag is drawn from"):
        model.set_params(decide=None).fit(X[TRAIN], Y[TRAIN], groups=groups)


@pytest.mark.parametrize("bootstrap", [False, True])
def test_weights_count_rows_in_tuning(bootstrap):
    """Rows of weight 0 are not there at all: their labels may be anything."""
    model = RandomForestClassifier(50, bootstrap=bootstrap, decide=F1, random_state=0)
    weights = np.ones(600)
    weights[::3] = 0
    thresholds = []
    for flip in (False, True):
        labels = Y[TRAIN].copy()
        labels[::3] ^= flip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # rows may be in every bag
            fitted = clone(model).fit(X[TRAIN], labels, sample_weight=weights)
        thresholds.append(fitted.decide_.rule.threshold_)
    assert thresholds[0] == thresholds[1]


def test_weights_enter_the_metric_against_naive():
    weights = np.random.default_rng(0).integers(1, 4, 600).astype(float)
    model = ExtraTreesClassifier(20, decide=F1, random_state=0)
    fitted = clone(model).fit(X[TRAIN], Y[TRAIN], sample_weight=weights)
    expected = cross_fitted(model, X[TRAIN], Y[TRAIN], StratifiedKFold(5), weights=weights)
    assert fitted.decide_.rule.threshold_ == expected


@pytest.mark.filterwarnings("ignore:the best threshold")
def test_few_rows_of_a_class_make_fewer_folds_against_naive():
    rows = np.concatenate([np.flatnonzero(Y == 0)[:60], np.flatnonzero(Y == 1)[:3]])
    model = ExtraTreesClassifier(20, decide=F1, random_state=0)
    fitted = clone(model).fit(X[rows], Y[rows])
    assert fitted.decide_.rule.threshold_ == cross_fitted(
        model, X[rows], Y[rows], StratifiedKFold(3)
    )


def test_tuning_rejects_a_class_of_one_row_or_one_group():
    rows = np.concatenate([np.flatnonzero(Y == 0)[:60], np.flatnonzero(Y == 1)[:1]])
    model = ExtraTreesClassifier(5, decide=F1)
    with pytest.raises(ValueError, match=r"two rows or more, but class 1 is in 1: use more rows"):
        model.fit(X[rows], Y[rows])
    one_group = np.where(Y[TRAIN] == 1, 0, 1 + np.arange(600) % 9)
    with pytest.raises(ValueError, match=r"two groups or more, but class 1 is in 1"):
        model.fit(X[TRAIN], Y[TRAIN], groups=one_group)


def test_warm_start_tunes_on_forests_grown_from_scratch():
    model = ExtraTreesClassifier(10, decide=F1, warm_start=True, random_state=0)
    model.fit(X[TRAIN], Y[TRAIN]).set_params(n_estimators=20).fit(X[TRAIN], Y[TRAIN])
    whole = ExtraTreesClassifier(20, decide=F1, random_state=0).fit(X[TRAIN], Y[TRAIN])
    assert model.decide_.rule.threshold_ == whole.decide_.rule.threshold_


def test_warm_start_rejects_other_rows_where_out_of_bag_rows_tune():
    model = RandomForestClassifier(30, decide=F1, warm_start=True, random_state=0)
    model.fit(X[TRAIN], Y[TRAIN]).set_params(n_estimators=40)
    with pytest.raises(ValueError, match="out-of-bag rows need one table for all members"):
        model.fit(X[:500], Y[:500])


def test_tuning_keeps_the_state_of_the_generator():
    """Clones copy the generator: the trees are those of a forest that is not tuned."""
    forests = [
        ExtraTreesClassifier(5, decide=decide, random_state=np.random.RandomState(3))
        for decide in (None, F1)
    ]
    plain, tuned = (forest.fit(X[TRAIN], Y[TRAIN]).predict_proba(X) for forest in forests)
    np.testing.assert_array_equal(plain, tuned)


def test_frames_with_categories_are_cross_fitted():
    frame = pd.DataFrame(X[TRAIN, :3], columns=["a", "b", "c"])
    frame["kind"] = pd.Categorical(np.where(Y[TRAIN] == 1, "odd", "even"))
    frame.loc[::4, "kind"] = "even"
    model = ExtraTreesClassifier(
        20, decide=F1, categorical_features="from_dtype", random_state=0
    ).fit(frame, np.array(["no", "yes"])[Y[TRAIN]])
    assert 0 < model.decide_.rule.threshold_ < 1


def test_several_targets_are_tuned_each():
    labels = np.column_stack([Y[TRAIN], X[TRAIN, 0] > 0]).astype(int)
    model = ExtraTreesClassifier(10, decide=F1, random_state=0).fit(X[TRAIN], labels)
    plain = ExtraTreesClassifier(10, random_state=0)
    support = np.empty((600, 2))
    for train, test in KFold(5).split(labels):
        with share_bins(X[TRAIN]):
            by_target = plain.fit(X[train], labels[train]).predict_proba(X[test])
        support[test] = np.column_stack([fractions[:, 1] for fractions in by_target])
    for target, part in enumerate(model.decide_.parts):
        expected = find_threshold(support[:, target], labels[:, target] == 1, scoring="f1")
        assert part.rule.threshold_ == expected
