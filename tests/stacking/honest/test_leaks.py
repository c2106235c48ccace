from __future__ import annotations

import warnings
from itertools import product

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyRegressor
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet import StackingClassifier, StackingRegressor, VotingClassifier, leak_check
from nonet.stacking.honest.label_leak_test import OwnLabelTest, mirror_values, preference


def trees():
    return [(f"t{seed}", DecisionTreeClassifier(random_state=seed)) for seed in range(3)]


@pytest.fixture(scope="module")
def noisy():
    return make_classification(160, 8, flip_y=0.3, random_state=0)


@pytest.mark.parametrize("change", [{}, {"cv": KFold(3, shuffle=True, random_state=0)}], ids=str)
def test_held_out_predictions_pass(noisy, change):
    check = leak_check(StackingClassifier(trees(), **change), *noisy, random_state=0)
    assert not check.leaks
    assert abs(check.own_label_effects.mean()) < 0.1


def test_naive_stacking_is_found_out(noisy):
    X, y = noisy
    fitted = [(name, model.fit(X, y)) for name, model in trees()]
    check = leak_check(StackingClassifier(fitted, cv="prefit"), X, y, random_state=0)
    assert check.leaks
    assert check.claimed > 0.95
    np.testing.assert_allclose(check.own_label_effects, 1)  # full trees remember every label
    assert set(check.member_p_values) == {"t0", "t1", "t2"}


def test_leaking_partition_is_found_out(noisy):
    stack = StackingClassifier(trees(), partition="leaking", random_state=0)
    assert leak_check(stack, *noisy, random_state=0).leaks
    stack = StackingClassifier(trees(), partition="honest", random_state=0)
    assert not leak_check(stack, *noisy, random_state=0).leaks


def test_folds_that_part_groups_are_found_out():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 6)
    X = rng.normal(size=(40, 4))[groups] + 0.01 * rng.normal(size=(240, 4))
    y = rng.integers(0, 2, 40)[groups]  # nothing but the group decides
    models = [("near", KNeighborsClassifier(1)), ("bayes", GaussianNB())]
    careless = StackingClassifier(models, cv=KFold(5, shuffle=True, random_state=0))
    with pytest.warns(UserWarning, match="groups parameter is ignored"):
        check = leak_check(careless, X, y, groups=groups, n_permutations=6, random_state=0)
    assert check.leaks
    careful = StackingClassifier(models, cv=GroupKFold(5))
    check = leak_check(careful, X, y, groups=groups, n_permutations=6, random_state=0)
    assert not check.leaks


@pytest.mark.parametrize("seed", range(20))
def test_honest_stacks_of_the_issue_are_not_accused(seed):
    """Issue 17, item 2: shuffled labels accused 11 of these 20."""
    X, y = make_regression(300, 10, noise=50, random_state=seed)
    models = [("r", Ridge()), ("k", KNeighborsRegressor())]
    stack = StackingRegressor(models, final_estimator=Ridge())
    assert not leak_check(stack, X, y, random_state=seed).leaks


def test_weak_memory_is_found_out():
    """Issue 17, item 2: a linear model with 10 columns remembers a thirtieth of each label."""
    X, y = make_regression(300, 10, noise=50, random_state=0)
    fitted = [("r", Ridge().fit(X, y)), ("k", KNeighborsRegressor().fit(X, y))]
    check = leak_check(StackingRegressor(fitted, cv="prefit"), X, y, random_state=0)
    assert check.leaks
    assert max(check.member_p_values.values()) < 0.01


def test_only_the_member_that_remembers_is_named():
    X, y = make_regression(90, 10, noise=50, random_state=0)
    models = [("k", KNeighborsRegressor(1)), ("d", DummyRegressor(strategy="constant", constant=0))]
    stack = StackingRegressor(models, partition="leaking", random_state=0)
    found = leak_check(stack, X, y, random_state=0).member_p_values
    assert found["k"] < 0.001 < 0.01 < found["d"]


def test_folds_that_split_groups_of_different_slopes_are_found_out():
    """One coin per group keeps more than the level of the group."""
    rng = np.random.default_rng(0)
    groups, slopes = np.repeat(np.arange(30), 8), rng.normal(size=(30, 2))
    X = np.column_stack([groups, rng.normal(size=(240, 2))])
    y = (slopes[groups] * X[:, 1:]).sum(axis=1)
    tree = [("tree", DecisionTreeRegressor(random_state=0))]
    for cv, leaks in ((KFold(5, shuffle=True, random_state=0), True), (GroupKFold(5), False)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # KFold warns that it ignores groups
            check = leak_check(StackingRegressor(tree, cv=cv), X, y, groups=groups, random_state=0)
        assert check.leaks == leaks


def test_screening_before_the_folds_is_found_out():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 300)), rng.integers(0, 2, 80)
    screen, bayes = SelectKBest(f_classif, k=10), GaussianNB()
    outside = make_pipeline(screen, StackingClassifier([("bayes", bayes)]))
    check = leak_check(outside, X, y, random_state=0)
    assert check.leaks
    assert check.gap > 0.1
    inside = StackingClassifier([("bayes", make_pipeline(screen, bayes))])
    assert not leak_check(inside, X, y, random_state=0).leaks


@pytest.mark.parametrize(
    "change",
    [
        {"level_one": "labels"},
        {"stack_method": "predict"},
        {"partition": "honest", "random_state": 0},
        {"cv": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)},
        {"cv": TimeSeriesSplit(3)},
        {"cv": 0.4},
    ],
    ids=str,
)
def test_honest_level_one_of_every_form_passes(change):
    X, y = make_classification(120, 6, n_classes=3, n_informative=4, random_state=0)
    names = np.array(["red", "green", "blue"])[y]
    models = [("bayes", GaussianNB()), ("near", KNeighborsClassifier())]
    if "level_one" not in change:
        models += [("line", LinearRegression())]  # learns the codes of the classes
    check = leak_check(StackingClassifier(models, **change), X, names, random_state=0)
    assert not check.leaks
    assert check.own_label_effects.shape == (10, len(models))


def test_several_targets_are_checked():
    X, Y = make_regression(100, 5, n_targets=2, noise=10, random_state=0)
    models = [("line", LinearRegression()), ("near", KNeighborsRegressor())]
    assert not leak_check(StackingRegressor(models), X, Y, random_state=0).leaks
    fitted = [(name, model.fit(X, Y)) for name, model in models]
    assert leak_check(StackingRegressor(fitted, cv="prefit"), X, Y, random_state=0).leaks


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32])
def test_preferences_of_small_whole_numbers_do_not_wrap_around(dtype):
    two = mirror_values(np.array([0, 3, 200], dtype=dtype))
    np.testing.assert_array_equal(two.exchanged, [200, 3, 0])
    ((kept, exchanged),) = two.scored
    memory = preference(kept, "values", kept, exchanged)
    np.testing.assert_array_equal(memory, [20000, 0, 20000])


def test_effect_against_theory_has_mean_zero_over_all_coins():
    """Four rows, leave one out: the mean over all 16 tosses is 0, which shuffles do not give."""
    X, y = np.arange(4.0)[:, None], np.array([1.0, 5.0, 2.0, 8.0])
    two, effects = mirror_values(y), []
    for coins in product([-1.0, 1.0], repeat=4):
        labels = two.choose(np.array(coins))
        held_out = cross_val_predict(KNeighborsRegressor(2), X, labels, cv=LeaveOneOut())
        effects.append(np.mean(coins * preference(held_out, "values", *two.scored[0])))
    assert np.std(effects) > 0.1
    np.testing.assert_allclose(np.mean(effects), 0, atol=1e-12)


def test_groups_too_few_for_two_classes_in_each_fold_are_refused():
    X, groups = np.random.default_rng(0).normal(size=(40, 3)), np.repeat([0, 1], 20)
    stack = StackingClassifier([("bayes", GaussianNB())], cv=GroupKFold(2))
    test = OwnLabelTest(stack, None, X, stack._check_target(groups), groups)
    with pytest.raises(ValueError, match="keeps two classes; use fewer folds"):
        test.run([np.random.default_rng(0)])


def test_regression_is_checked_too():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), rng.normal(size=120)
    models = [("near", KNeighborsRegressor(1)), ("line", LinearRegression())]
    assert not leak_check(StackingRegressor(models), X, y, random_state=0).leaks
    fitted = [(name, model.fit(X, y)) for name, model in models]
    assert leak_check(StackingRegressor(fitted, cv="prefit"), X, y, random_state=0).leaks


def test_check_is_deterministic(noisy):
    stack = StackingClassifier(trees(), cv=3)
    one, two = (leak_check(stack, *noisy, n_permutations=2, random_state=5) for _ in range(2))
    np.testing.assert_array_equal(one.own_label_effects, two.own_label_effects)
    assert one.p_value == two.p_value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"estimator": VotingClassifier([("bayes", GaussianNB())])}, "honest_score takes any"),
        ({"test_size": 1.0}, "'test_size' must be"),
        ({"n_permutations": 1}, "'n_permutations' must be"),
        ({"false_alarm_rate": 0.0}, "'false_alarm_rate' must be"),
    ],
)
def test_leak_check_rejects(noisy, change, message):
    X, y = noisy
    arguments = {"estimator": StackingClassifier(trees()), "X": X, "y": y} | change
    with pytest.raises((ValueError, TypeError), match=message):
        leak_check(**arguments)
