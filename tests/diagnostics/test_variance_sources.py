"""The variance of a learner, split by its source: sample, seed, noise."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet.diagnostics.loss_decomposition import split_variance

X_TEST = np.zeros((40, 1))


class NoisyMean(RegressorMixin, BaseEstimator):
    """The mean of y, plus a normal number of standard deviation 0.5 from its seed."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        noise = np.random.default_rng(self.random_state).normal(0, 0.5)
        self.value_ = np.mean(y) + noise
        return self

    def predict(self, X):
        return np.full(len(X), self.value_)


class CoinFlip(ClassifierMixin, BaseEstimator):
    """The label of the first row with probability 0.8, from its seed; else the other."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        keeps = np.random.default_rng(self.random_state).random() < 0.8
        self.classes_ = np.array([0, 1])
        self.value_ = y[0] if keeps else 1 - y[0]
        return self

    def predict(self, X):
        return np.full(len(X), self.value_)


def draw_numbers(random):
    """25 normal numbers of standard deviation 2: their mean has the variance 0.16."""
    return np.zeros((25, 1)), random.normal(0, 2, size=25)


def draw_labels(random):
    """The first row is of class 1 with probability 0.7."""
    return np.zeros((9, 1)), np.r_[random.random() < 0.7, [0, 1] * 4].astype(int)


def test_known_sources_of_the_squared_loss_against_theory():
    y_test = np.random.default_rng(1).normal(0, 2, size=(40, 200))
    found = nonet.bias_variance(
        NoisyMean(),
        None,
        None,
        X_test=X_TEST,
        y_test=y_test,
        draw=draw_numbers,
        truth=np.zeros(40),
        n_rounds=600,
        n_seeds=4,
        by="source",
        random_state=0,
    )
    assert found.sample == pytest.approx(0.16, abs=0.03)
    assert found.seed == pytest.approx(0.25, abs=0.03)
    assert found.noise == pytest.approx(4, abs=0.2)
    assert found.sample + found.seed == pytest.approx(found.variance, rel=0.01)


def test_known_sources_of_the_zero_one_loss_against_theory():
    found = nonet.bias_variance(
        CoinFlip(),
        None,
        None,
        X_test=X_TEST,
        y_test=np.tile([0, 1], 20),
        draw=draw_labels,
        n_rounds=1500,
        n_seeds=4,
        by="source",
        random_state=0,
    )
    of_seed = 0.8 * 0.2  # half of 1 - 0.8^2 - 0.2^2
    one = 0.7 * 0.8 + 0.3 * 0.2
    assert found.seed == pytest.approx(of_seed, abs=0.01)
    assert found.variance == pytest.approx(one * (1 - one), abs=0.01)
    assert found.sample == pytest.approx(one * (1 - one) - of_seed, abs=0.015)


def test_parts_against_naive():
    random = np.random.default_rng(0)
    outputs = random.normal(size=(3, 6, 4, 2))
    present = random.random((3, 6)) < 0.7
    of_sample, of_seed = split_variance(outputs, present)
    for row in range(3):
        own = outputs[row][present[row]]
        within = own.var(axis=1, ddof=1).mean(axis=0).sum()
        between = own.mean(axis=1).var(axis=0, ddof=1).sum()
        assert of_seed[row] == pytest.approx(within)
        assert of_sample[row] == pytest.approx(between - within / 4)


def test_result_has_the_parts_of_each_row():
    X, _ = load_iris(return_X_y=True)
    settings = {"n_rounds": 8, "random_state": 0, "loss": "squared"}
    learner = NoisyMean()
    values = X[:, 0]
    found = nonet.bias_variance(learner, X, values, n_seeds=3, by="source", **settings)
    assert set(found.by_row) == {"error", "bias", "variance", "noise", "sample", "seed"}
    assert (found.n_predictions % 3 == 0).all()  # the seeds of a sample hold out the same rows
    assert "seed" in str(found)
    assert found.standard_errors["seed"] == pytest.approx(
        found.by_row["seed"].std(ddof=1) / np.sqrt(len(found.rows))
    )
    plain = nonet.bias_variance(learner, X, values, **settings)
    assert plain.sample is None
    assert plain.seed is None


def test_learner_without_a_seed_has_none_of_its_variance():
    X, _ = load_iris(return_X_y=True)
    found = nonet.bias_variance(
        LinearRegression(), X[:, 1:], X[:, 0], n_rounds=10, by="source", random_state=0
    )
    assert found.seed == pytest.approx(0, abs=1e-12)
    assert found.sample > found.variance  # whose sum of squares is divided by n, not by n - 1


def test_random_splits_are_a_source():
    X, y = load_iris(return_X_y=True)
    settings = {"n_rounds": 20, "by": "source", "random_state": 0}
    best = nonet.bias_variance(DecisionTreeClassifier(max_depth=2), X, y, **settings)
    random = nonet.bias_variance(
        DecisionTreeClassifier(max_depth=2, splitter="random"), X, y, **settings
    )
    assert random.seed > 3 * best.seed


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"by": "row"}, "parameter 'by'"),
        ({"by": "source", "n_seeds": 1}, "n_seeds"),
        ({"by": "source", "loss": "domingos"}, "as their variances add up"),
    ],
)
def test_rejects(settings, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        nonet.bias_variance(DecisionTreeClassifier(), X, y, **settings)


def test_plot_shows_both_sources():
    pytest.importorskip("matplotlib")
    X, y = load_iris(return_X_y=True)
    found = nonet.bias_variance(
        DecisionTreeClassifier(splitter="random"), X, y, n_rounds=5, by="source", random_state=0
    )
    labels = [text.get_text() for text in found.plot().get_legend().get_texts()]
    assert labels == ["bias", "sample", "seed", "noise", "error"]
