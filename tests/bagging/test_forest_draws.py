"""Forests whose bags are drawn class by class."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score

from nonet import ExtraTreesClassifier, RandomForestClassifier
from nonet.bagging import BalancedDraw, BlockDraw, StratifiedDraw

RARE = make_classification(2000, 10, n_informative=4, weights=[0.95], flip_y=0, random_state=0)
LETTERS = np.repeat(list("abc"), [150, 40, 10])
NUMBERS = np.random.default_rng(0).normal(size=(200, 3))


def class_counts(forest, y):
    classes = np.unique(y)
    return np.array(
        [[np.sum(y[rows] == c) for c in classes] for rows in forest.estimators_samples_]
    )


@pytest.mark.parametrize("draw", ["stratified", StratifiedDraw()])
def test_stratified_bags_have_the_shares_of_the_classes(draw):
    forest = RandomForestClassifier(6, draw=draw, random_state=0).fit(NUMBERS, LETTERS)
    assert (class_counts(forest, LETTERS) == [150, 40, 10]).all()
    small = forest.set_params(max_samples=0.1).fit(NUMBERS, LETTERS)
    assert (class_counts(small, LETTERS) == [15, 4, 1]).all()


@pytest.mark.parametrize("draw", ["balanced", BalancedDraw()])
def test_balanced_bags_have_as_many_rows_of_each_class_as_the_smallest(draw):
    forest = ExtraTreesClassifier(6, draw=draw, bootstrap=True, random_state=0)
    assert (class_counts(forest.fit(NUMBERS, LETTERS), LETTERS) == 10).all()
    forest.set_params(max_samples=90).fit(NUMBERS, LETTERS)
    assert (class_counts(forest, LETTERS) == 30).all()


def test_balanced_bags_help_the_rare_class():
    X, y = RARE
    plain = RandomForestClassifier(oob_score="balanced_accuracy", random_state=0).fit(X, y)
    fair = RandomForestClassifier(oob_score="balanced_accuracy", draw="balanced", random_state=0)
    assert fair.fit(X, y).oob_score_ > plain.oob_score_ + 0.02
    unseen = fair.oob_decision_function_.argmax(axis=1)
    assert fair.oob_score_ == pytest.approx(balanced_accuracy_score(y, unseen))


def test_weights_are_shares_of_classes_and_chances_within_them():
    weights = np.where(LETTERS == "a", 1.0, 2.0)
    weights[150:190:2] = 0.0  # every second of the second class
    forest = RandomForestClassifier(20, draw="stratified", random_state=0)
    forest.fit(NUMBERS, LETTERS, sample_weight=weights)
    # The classes weigh 150, 40 and 20 of 210, and a bag holds as many rows as there are.
    assert (class_counts(forest, LETTERS) == [143, 38, 19]).all()
    assert not any(
        np.isin(np.arange(150, 190, 2), rows).any() for rows in forest.estimators_samples_
    )


def test_class_without_weight_is_left_out():
    weights = (LETTERS != "c").astype(float)
    forest = RandomForestClassifier(3, draw="stratified", random_state=0)
    forest.fit(NUMBERS, LETTERS, sample_weight=weights)
    assert (class_counts(forest, LETTERS)[:, 2] == 0).all()
    assert (forest.predict_proba(NUMBERS)[:, 2] == 0).all()


def test_joint_labels_of_several_targets_are_strata():
    both = np.column_stack([LETTERS, np.arange(200) % 2])
    forest = RandomForestClassifier(4, draw="stratified", random_state=0).fit(NUMBERS, both)
    joint = np.array(["".join(row) for row in both])
    assert (class_counts(forest, joint) == np.unique(joint, return_counts=True)[1]).all()


def test_draws_do_not_depend_on_threads_nor_on_when_a_tree_is_grown():
    whole = RandomForestClassifier(8, draw="balanced", random_state=0, n_jobs=2)
    whole.fit(NUMBERS, LETTERS)
    grown = RandomForestClassifier(3, draw="balanced", random_state=0, warm_start=True)
    grown.fit(NUMBERS, LETTERS).set_params(n_estimators=8).fit(NUMBERS, LETTERS)
    np.testing.assert_array_equal(whole.predict_proba(NUMBERS), grown.predict_proba(NUMBERS))


def test_class_in_no_bag_is_named_with_the_way_out():
    lone = np.where(np.arange(200) == 7, "lone", "usual")
    forest = RandomForestClassifier(2, max_samples=20, random_state=0)
    with pytest.raises(ValueError, match="class 'lone' is in none of the 2 bags.*'stratified'"):
        forest.fit(NUMBERS, lone)
    forest.set_params(draw="stratified").fit(NUMBERS, lone)
    assert all(7 in rows for rows in forest.estimators_samples_)


def test_class_in_no_group_drawn_is_named():
    lone = np.where(np.arange(200) == 7, "lone", "usual")
    forest = RandomForestClassifier(2, max_samples=2, random_state=0)
    with pytest.raises(ValueError, match="class 'lone' is in none of the 2 bags.*raise n_est"):
        forest.fit(NUMBERS, lone, groups=np.arange(200) // 2)


def test_class_in_no_bag_of_one_of_several_targets_is_named():
    lone = np.column_stack([LETTERS, np.where(np.arange(200) == 7, "lone", "usual")])
    with pytest.raises(ValueError, match="class 'lone'"):
        RandomForestClassifier(2, max_samples=20, random_state=0).fit(NUMBERS, lone)


def test_class_that_weights_leave_nothing_of_may_be_absent():
    lone = (np.arange(200) == 7).astype(int)
    weights = np.where(lone, 1e-9, 1.0)
    forest = RandomForestClassifier(2, random_state=0).fit(NUMBERS, lone, sample_weight=weights)
    assert (forest.predict_proba(NUMBERS)[:, 1] == 0).all()


@pytest.mark.parametrize(
    ("settings", "fit", "sentence"),
    [
        ({"draw": "stratfied"}, {}, "'draw' must be None or one of"),
        ({"draw": "blocks"}, {}, "'draw' must be None or one of"),
        ({"draw": BlockDraw(3)}, {}, "'draw' must be None or one of"),
        ({"draw": "groups"}, {}, "needs the groups"),
        ({"draw": "balanced"}, {"groups": np.arange(200)}, "does not draw by groups"),
        ({"draw": "balanced", "bootstrap": False}, {}, "'draw' must be left as it is"),
        ({"draw": "stratified", "max_samples": 2}, {}, "at least one row from each of 3 classes"),
        ({"draw": "balanced", "max_samples": 2}, {}, "a balanced draw of 0 rows"),
    ],
)
def test_draw_rejects(settings, fit, sentence):
    with pytest.raises(ValueError, match=sentence):
        RandomForestClassifier(3, **settings).fit(NUMBERS, LETTERS, **fit)
