from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from nonet import AdaBoostClassifier, AdaBoostRegressor, BoostedTreesRegressor
from nonet.boosting import eval_curves
from nonet.plots import plot_rounds


def log(held_out_error=None):
    return SimpleNamespace(
        training_error=np.array([0.3, 0.1]),
        product_bound=np.array([0.9, 0.7]),
        held_out_error=held_out_error,
    )


def test_plot_rounds_draws_error_and_bound_from_round_one():
    bound, error = plot_rounds(log()).lines
    np.testing.assert_array_equal(error.get_xdata(), [1, 2])
    np.testing.assert_array_equal(error.get_ydata(), [0.3, 0.1])
    np.testing.assert_array_equal(bound.get_ydata(), [0.9, 0.7])


def test_plot_rounds_adds_the_held_out_error_if_there_is_one():
    ax = plot_rounds(log(np.array([0.4, 0.35])))
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["bound: product of Z", "training error", "held-out error"]


X = np.random.default_rng(0).normal(size=(60, 2))
Y = X[:, 0] + X[:, 1] ** 2


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_plot_rounds_takes_a_fitted_adaboost():
    """Issue 18, item A.14: `plot_rounds(booster)` gave a raw AttributeError."""
    model = AdaBoostClassifier(n_estimators=4).fit(X, Y > 1)
    drawn, expected = plot_rounds(model).lines, plot_rounds(model.round_log_).lines
    for own, other in zip(drawn, expected, strict=True):
        np.testing.assert_array_equal(own.get_ydata(), other.get_ydata())


def test_plot_rounds_of_a_regressor_draws_the_losses_of_members():
    model = AdaBoostRegressor(n_estimators=4, random_state=0).fit(X, Y)
    limit, error = plot_rounds(model).lines
    np.testing.assert_array_equal(error.get_ydata(), model.round_log_.error)
    assert set(limit.get_ydata()) == {0.5}


@pytest.mark.parametrize("package", ["nonet", "sklearn.ensemble"])
def test_plot_rounds_of_histogram_boosting_begins_before_the_first_round(package):
    kind = import_module(package).HistGradientBoostingRegressor
    model = kind(max_iter=5, early_stopping=True, random_state=0).fit(X, Y)
    ax = plot_rounds(model)
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), np.arange(6))
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), model.validation_score_)
    assert labels(ax) == ["training", "validation"]


@pytest.mark.parametrize("package", ["nonet", "sklearn.ensemble"])
def test_plot_rounds_of_classic_boosting_draws_out_of_bag_losses(package):
    kind = import_module(package).GradientBoostingRegressor
    model = kind(n_estimators=5, subsample=0.5, random_state=0).fit(X, Y)
    ax = plot_rounds(model)
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), np.arange(1, 6))
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), model.oob_scores_)
    assert labels(ax) == ["training", "out of bag"]


def boosted(**settings):
    return BoostedTreesRegressor(n_estimators=5, eval_metric=["mae", "rmse"], **settings)


def test_evals_result_has_a_picture_for_each_metric():
    """Issue 18, item A.14: `evals_result_` had no plot; it stays a plain dictionary."""
    model = boosted().fit(X, Y, eval_set=[(X, Y), (X[:20], Y[:20])])
    assert type(model.evals_result_) is dict
    for subject in (model, model.evals_result_):
        curves = eval_curves(subject)
        for metric in ("mae", "rmse"):
            ax = curves.plot(metric=metric)
            for line, name in zip(ax.lines, model.evals_result_, strict=True):
                np.testing.assert_array_equal(line.get_ydata(), model.evals_result_[name][metric])
            assert labels(ax) == ["validation_0", "validation_1"]
        assert curves.plot().get_ylabel() == "rmse"


def test_rounds_of_a_continued_fit_go_on_counting():
    model = boosted(warm_start=True).fit(X, Y, eval_set=[(X, Y)])
    model.set_params(n_estimators=8).fit(X, Y, eval_set=[(X, Y)])
    np.testing.assert_array_equal(eval_curves(model).rounds, [6, 7, 8])


def test_eval_curves_rejects_what_holds_no_values():
    with pytest.raises(ValueError, match="BoostedTreesRegressor holds no values of rounds"):
        eval_curves(boosted().fit(X, Y))
    with pytest.raises(TypeError, match="for each set and for each metric"):
        eval_curves({"auc": [0.5, 0.6]})
    with pytest.raises(TypeError, match="takes a fitted gradient booster"):
        eval_curves(3)
    with pytest.raises(ValueError, match="metric"):
        eval_curves({"test": {"auc": [0.5]}}).plot(metric="mae")
