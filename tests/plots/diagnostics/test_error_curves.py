from __future__ import annotations

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from nonet.plots import plot_cv_curve, plot_size_curve, plot_splits
from nonet.resampling import cv_curve, ridge_path, size_curve, split_variability

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 2))
Y = X[:, 0] + RANDOM.normal(size=60)
TREES = {depth: DecisionTreeRegressor(max_depth=depth, random_state=0) for depth in (1, 2, 3)}


def labels_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_cv_curve_shows_errors_and_both_choices():
    curve = cv_curve(TREES, X, Y)
    ax = curve.plot(label="depth")
    line, limit = ax.lines[0], curve.errors.min() + curve.standard_errors[curve.best]
    np.testing.assert_allclose(line.get_ydata(), curve.errors)
    assert any(np.allclose(own.get_ydata(), limit) for own in ax.lines)
    assert f"one-SE rule: {curve.names[curve.one_standard_error()]}" in labels_of(ax)
    assert f"lowest error: {curve.names[curve.best]}" in labels_of(ax)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1", "2", "3"]


def test_long_path_names_about_ten_models():
    ax = plot_cv_curve(ridge_path(X, Y), label="penalty")
    assert len(ax.get_xticks()) == 10
    assert ax.get_xlabel() == "penalty"


def test_splits_are_lines_with_their_mean():
    result = split_variability(TREES, X, Y, n_repeats=4, random_state=0)
    ax = plot_splits(result)
    assert len(ax.lines) == 5
    np.testing.assert_allclose(ax.lines[-1].get_ydata(), result.means)
    assert labels_of(ax) == ["mean of 4 splits"]


def test_size_curve_shows_both_errors():
    curve = size_curve(LinearRegression(), X, Y, random_state=0)
    ax = plot_size_curve(curve)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), curve.errors)
    np.testing.assert_allclose(ax.lines[1].get_ydata(), curve.training_errors.mean(axis=0))
    assert labels_of(ax) == ["held-out rows", "training rows"]
