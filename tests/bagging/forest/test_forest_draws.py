"""Forests whose bags are drawn class by class."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris, make_classification
from sklearn.metrics import balanced_accuracy_score

from nonet import AdaBoostClassifier, ExtraTreesClassifier, RandomForestClassifier
from nonet.bagging import BaggingClassifier, BalancedDraw, BlockDraw, RowDraw, StratifiedDraw

RARE = make_classification(2000, 10, n_informative=4, weights=[0.95], flip_y=0, random_state=0)
LETTERS = np.repeat(list("abc"), [150, 40, 10])
LONE = np.where(np.arange(200) == 7, "lone", "usual")
NUMBERS = np.random.default_rng(0).normal(size=(200, 3))


class FirstRows(RowDraw):
    def draw(self, population, member):
        return np.arange(10)


def class_counts(forest, y):
    classes = np.unique(y)
    return np.array(
        [[np.sum(y[rows] == c) for c in classes] for rows in forest.estimators_samples_]
    )


@pytest.mark.parametrize("draw", ["stratified", StratifiedDraw()])
def test_stratified_bags_have_the_fractions_of_the_classes(draw):
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


def test_weights_are_fractions_of_classes_and_probabilities_within_them():
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


@pytest.mark.parametrize("dtype", [str, object])
def test_joint_labels_of_several_targets_are_strata(dtype):
    both = np.column_stack([LETTERS, np.arange(200) % 2]).astype(dtype)
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
    forest = RandomForestClassifier(2, max_samples=20, random_state=0)
    with pytest.raises(ValueError, match="class 'lone' is in none of the 2 bags.*'stratified'"):
        forest.fit(NUMBERS, LONE)
    forest.set_params(draw="stratified").fit(NUMBERS, LONE)
    assert all(7 in rows for rows in forest.estimators_samples_)


def test_class_in_no_group_drawn_is_named():
    forest = RandomForestClassifier(2, max_samples=2, random_state=0)
    with pytest.raises(ValueError, match="class 'lone' is in none of the 2 bags.*raise n_est"):
        forest.fit(NUMBERS, LONE, groups=np.arange(200) // 2)


def test_class_in_no_bag_of_one_of_several_targets_is_named():
    both = np.column_stack([np.arange(200) % 2, LONE])
    for kind in (RandomForestClassifier, BaggingClassifier):
        model = kind(n_estimators=2, max_samples=20, random_state=1)
        with pytest.raises(ValueError, match="class 'lone' of target 1 is in none of the 2 bags"):
            model.fit(NUMBERS, both)


def test_light_class_is_drawn_by_its_own_weights():
    weights = np.where(LETTERS == "a", 1e15, 0.0)
    weights[150:] = np.tile([1.0, 3.0], 25) * 1e-3
    forest = RandomForestClassifier(400, draw="balanced", random_state=0)
    forest.fit(NUMBERS, LETTERS, sample_weight=weights)
    drawn = np.bincount(np.concatenate(forest.estimators_samples_))[190:]
    assert stats.chisquare(drawn, np.tile([1, 3], 5) / 20 * drawn.sum()).pvalue > 0.001


def test_rows_without_weight_do_not_count_in_balanced_bags():
    weights = np.ones(200)
    weights[193:] = 0
    forest = RandomForestClassifier(3, draw="balanced", random_state=0)
    forest.fit(NUMBERS, LETTERS, sample_weight=weights)
    assert (class_counts(forest, LETTERS) == 3).all()


def test_boosted_forests_go_on_when_weights_leave_a_class():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(2, max_depth=3, max_samples=30, random_state=0)
    boosted = AdaBoostClassifier(forest, n_estimators=20, random_state=0).fit(X, y)
    assert len(boosted.estimators_) > 5


@pytest.mark.parametrize("kind", [RandomForestClassifier, BaggingClassifier])
def test_fraction_of_weights_that_do_not_count_rows_warns(kind):
    model = kind(n_estimators=100, max_samples=0.5, random_state=0)
    with pytest.warns(UserWarning, match="total weight, which is 1 for 200 rows.* whole number"):
        model.fit(NUMBERS, LETTERS, sample_weight=np.full(200, 1 / 200))


def test_fit_that_fails_leaves_the_forest_as_it_was():
    known = np.where(NUMBERS[:, 0] > 0, "yes", "no")
    forest = RandomForestClassifier(5, random_state=0).fit(NUMBERS, known)
    before = forest.predict(NUMBERS)
    with pytest.raises(ValueError, match="in none of the 2 bags"):
        forest.set_params(n_estimators=2, max_samples=20).fit(NUMBERS, LONE)
    np.testing.assert_array_equal(forest.predict(NUMBERS), before)


def test_class_that_weights_leave_nothing_of_may_be_absent():
    weights = np.where(LONE == "lone", 1e-9, 1.0)
    forest = RandomForestClassifier(2, random_state=0).fit(NUMBERS, LONE, sample_weight=weights)
    assert (forest.predict_proba(NUMBERS)[:, 0] == 0).all()


@pytest.mark.parametrize(
    ("settings", "fit", "sentence"),
    [
        ({"draw": "stratfied"}, {}, "'draw' must be None or one of"),
        ({"draw": "blocks"}, {}, "'draw' must be None or one of"),
        ({"draw": BlockDraw(3)}, {}, "'draw' must be a rule that the core draws by"),
        ({"draw": FirstRows()}, {}, "'draw' must be a rule that the core draws by"),
        ({"draw": "balanced", "class_weight": "balanced"}, {}, "'class_weight' must be None"),
        ({"draw": "groups"}, {}, "needs the groups"),
        ({"draw": "balanced"}, {"groups": np.arange(200)}, "does not draw by groups"),
        ({"draw": "balanced", "bootstrap": False}, {}, "'draw' must be left as it is"),
        ({"draw": "stratified", "max_samples": 2}, {}, "at least one row from each of 3 classes"),
        ({"draw": "balanced", "max_samples": 2}, {}, "each of 3 classes .* a bag of size 2"),
        ({}, {"groups": [None, *range(199)]}, "a group for every row, but row 0 has none"),
    ],
)
def test_draw_rejects(settings, fit, sentence):
    with pytest.raises(ValueError, match=sentence):
        RandomForestClassifier(3, **settings).fit(NUMBERS, LETTERS, **fit)
