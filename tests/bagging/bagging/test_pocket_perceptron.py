from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons

from nonet.bagging import PocketPerceptron

MOONS = make_moons(150, noise=0.25, random_state=0)


def test_line_between_separable_classes_makes_no_mistake():
    X, y = load_iris(return_X_y=True)
    pocket = PocketPerceptron(random_state=0).fit(X[:100], y[:100])
    assert pocket.training_error_ == 0
    assert pocket.score(X[:100], y[:100]) == 1
    assert pocket.n_iter_ < 1000


def test_training_error_is_that_of_the_line_in_the_pocket():
    pocket = PocketPerceptron(random_state=0).fit(*MOONS)
    assert pocket.training_error_ == pytest.approx(1 - pocket.score(*MOONS))
    assert pocket.n_iter_ == 1000


def test_more_updates_never_make_the_pocket_worse():
    errors = [
        PocketPerceptron(max_updates, random_state=0).fit(*MOONS).training_error_
        for max_updates in (1, 10, 100, 1000)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.2


def test_first_line_is_the_first_wrong_row():
    X, y = MOONS
    pocket = PocketPerceptron(1, random_state=3).fit(X, y)
    points = np.column_stack([np.ones(150), X])
    # The zero line calls every row the second class, so a row of the first is subtracted.
    line = np.r_[pocket.intercept_, pocket.coef_[0]]
    assert np.isclose(points[y == 0] + line, 0).all(axis=1).any()


def test_weighted_rows_count_more():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = np.array([0, 1, 0, 1])
    heavy_left = PocketPerceptron(random_state=0).fit(X, y, sample_weight=[9, 9, 1, 1])
    assert heavy_left.predict(X)[:2].tolist() == [0, 1]
    assert heavy_left.training_error_ == pytest.approx(0.05)


def test_pocket_is_deterministic():
    one, other = (PocketPerceptron(random_state=5).fit(*MOONS) for _ in range(2))
    np.testing.assert_array_equal(one.coef_, other.coef_)


def test_fit_rejects_three_classes():
    with pytest.raises(ValueError, match="separates two classes, but y has 3 classes"):
        PocketPerceptron().fit(*load_iris(return_X_y=True))


def test_fit_rejects_no_updates():
    with pytest.raises(ValueError, match="'max_updates' must be a whole number of at least 1"):
        PocketPerceptron(0).fit(*MOONS)
