from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from nonet import StackingClassifier, StackingRegressor, VotingClassifier, leak_check


def trees():
    return [(f"t{seed}", DecisionTreeClassifier(random_state=seed)) for seed in range(3)]


@pytest.fixture(scope="module")
def noisy():
    return make_classification(160, 8, flip_y=0.3, random_state=0)


@pytest.mark.parametrize("change", [{}, {"cv": KFold(3, shuffle=True, random_state=0)}], ids=str)
def test_held_out_answers_pass(noisy, change):
    check = leak_check(StackingClassifier(trees(), **change), *noisy, random_state=0)
    assert not check.leaks
    assert abs(check.permuted_gaps.mean()) < 0.1


def test_naive_stacking_is_found_out(noisy):
    X, y = noisy
    fitted = [(name, model.fit(X, y)) for name, model in trees()]
    check = leak_check(StackingClassifier(fitted, cv="prefit"), X, y, random_state=0)
    assert check.leaks
    assert check.claimed > 0.95
    assert check.permuted_gaps.mean() > 0.3


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
        check = leak_check(careless, X, y, groups=groups, n_permutations=2, random_state=0)
    assert check.leaks
    careful = StackingClassifier(models, cv=GroupKFold(5))
    check = leak_check(careful, X, y, groups=groups, n_permutations=2, random_state=0)
    assert check.gap < 3 * check.gap_error


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
    np.testing.assert_array_equal(one.permuted_gaps, two.permuted_gaps)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"estimator": VotingClassifier([("bayes", GaussianNB())])}, "honest_score takes any"),
        ({"test_size": 1.0}, "'test_size' must be"),
        ({"n_permutations": 1}, "'n_permutations' must be"),
    ],
)
def test_leak_check_rejects(noisy, change, message):
    X, y = noisy
    arguments = {"estimator": StackingClassifier(trees()), "X": X, "y": y} | change
    with pytest.raises((ValueError, TypeError), match=message):
        leak_check(**arguments)
