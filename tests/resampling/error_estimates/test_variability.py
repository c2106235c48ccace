from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.tree import DecisionTreeRegressor

from nonet.resampling import cv_error, size_curve, split_variability

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 2))
Y = X[:, 0] + RANDOM.normal(size=90)


def test_validation_sets_vary_more_than_folds_against_theory():
    models = {"line": LinearRegression()}
    half, folds = (
        split_variability(models, X, Y, cv=cv, n_repeats=12, random_state=0) for cv in (0.5, 10)
    )
    assert half.standard_deviations[0] > 4 * folds.standard_deviations[0]


def test_each_repetition_is_a_cross_validation():
    splitter = RepeatedKFold(n_splits=3, n_repeats=1, random_state=0)
    result = split_variability({1: LinearRegression()}, X, Y, cv=splitter, n_repeats=4)
    assert result.errors.shape == (4, 1)
    assert len(np.unique(result.errors)) == 4
    assert splitter.random_state == 0


def test_repetitions_do_not_depend_on_their_number():
    few, many = (
        split_variability({1: LinearRegression()}, X, Y, n_repeats=n, random_state=1)
        for n in (2, 5)
    )
    np.testing.assert_array_equal(few.errors, many.errors[:2])
    assert few.means[0] == pytest.approx(few.errors.mean())


def test_classes_are_split_in_proportion():
    labels = np.arange(90) < 10
    result = split_variability({1: DummyClassifier()}, X, labels, cv=0.5, random_state=0)
    np.testing.assert_allclose(result.errors, 5 / 45)  # each half holds five of the ten


def test_smaller_training_sets_are_beginnings_of_larger_ones():
    one, both = (
        size_curve(LinearRegression(), X, Y, sizes=sizes, random_state=0)
        for sizes in ([20], [20, 72])
    )
    np.testing.assert_array_equal(one.held_out_errors[:, 0], both.held_out_errors[:, 0])
    assert both.sizes.tolist() == [20, 72]


def test_full_size_is_the_cross_validated_error():
    curve = size_curve(LinearRegression(), X, Y, sizes=[1.0], random_state=0)
    np.testing.assert_allclose(
        curve.held_out_errors[:, 0], cv_error(LinearRegression(), X, Y).fold_errors
    )
    assert curve.standard_errors[0] > 0


def test_memorising_model_has_no_training_error():
    curve = size_curve(DecisionTreeRegressor(random_state=0), X, Y, random_state=0)
    assert (curve.training_errors == 0).all()
    assert curve.errors[0] > curve.errors[-1] > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"models": {}}, "mapping of complexities"),
        ({"cv": 1.5}, "parameter 'cv' must be a fraction"),
        ({"cv": 1}, "parameter 'cv' must be a fraction"),
        ({"n_repeats": 1}, "parameter 'n_repeats' must be"),
    ],
)
def test_split_variability_rejects_bad_input(arguments, message):
    given = {"models": {1: LinearRegression()}, "X": X, "y": Y} | arguments
    with pytest.raises(ValueError, match=message):
        split_variability(**given)


@pytest.mark.parametrize("sizes", [[], [0], [73], [30, 20], [0.001], [1.2], ["a"]])
def test_size_curve_rejects_bad_sizes(sizes):
    with pytest.raises(ValueError, match="parameter 'sizes' must be"):
        size_curve(LinearRegression(), X, Y, sizes=sizes)


def test_size_curve_rejects_one_split():
    with pytest.raises(ValueError, match="at least 2 splits"):
        size_curve(LinearRegression(), X, Y, cv=ShuffleSplit(1))
