from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.svm import LinearSVC

from nonet.bagging import PocketPerceptron, RandomPerceptron

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


def test_perceptron_stops_within_novikoffs_bound():
    X, y = load_iris(return_X_y=True)
    X, y = X[:100], y[:100]
    model = RandomPerceptron(10_000, random_state=0).fit(X, y)
    assert model.training_error_ == 0
    points = np.column_stack([np.ones(100), X])
    line = LinearSVC(C=1e4, max_iter=100_000, dual=True, random_state=0).fit(X, y)
    weights = np.r_[line.intercept_, line.coef_[0]]
    margin = ((2 * y - 1) * (points @ weights)).min() / np.linalg.norm(weights)
    assert margin > 0
    assert model.n_iter_ <= (np.linalg.norm(points, axis=1).max() / margin) ** 2


def test_perceptron_keeps_the_last_line_and_the_pocket_the_best():
    plain = RandomPerceptron(300, random_state=0).fit(*MOONS)
    pocket = PocketPerceptron(300, random_state=0).fit(*MOONS)
    assert plain.training_error_ == pytest.approx(1 - plain.score(*MOONS))
    assert pocket.training_error_ <= plain.training_error_
    errors = [
        RandomPerceptron(n, random_state=0).fit(*MOONS).training_error_ for n in range(1, 301)
    ]
    assert pocket.training_error_ == pytest.approx(min(errors))
    assert plain.training_error_ == errors[-1] > min(errors)


def test_mean_of_perceptrons_is_wider_than_most():
    """A mix of random lines that all separate the classes is close to the widest (lecture 9)."""
    X, y = load_iris(return_X_y=True)
    X, y = X[:100, 2:], y[:100]
    lines = []
    for seed in range(40):
        model = RandomPerceptron(random_state=seed).fit(X, y)
        line = np.r_[model.intercept_, model.coef_[0]]
        lines.append(line / np.linalg.norm(line[1:]))
    points = np.column_stack([np.ones(100), X])

    def margin(line):
        return ((2 * y - 1) * (points @ line)).min() / np.linalg.norm(line[1:])

    own = [margin(line) for line in lines]
    assert margin(np.mean(lines, axis=0)) > np.median(own)
