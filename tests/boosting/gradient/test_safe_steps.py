"""Issue 17, item 8: Newton steps that would raise the loss of their leaf are shortened."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.metrics import log_loss

from nonet import (
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from nonet.boosting.gradient import newton_stage
from nonet.boosting.gradient.safe_steps import safe_length, shorten_unsafe_steps
from nonet.losses import GammaLoss, PoissonLoss

RATES = [0.01, 0.1, 0.5, 1.0, 1.9]


def rare_clusters(seed, n_rows=10_000, n_classes=12, n_columns=12):
    """Well separated normal clusters, each 0.6 times as frequent as the one before."""
    rng = np.random.default_rng(seed)
    frequencies = 0.6 ** np.arange(n_classes)
    counts = np.maximum(np.round(n_rows * frequencies / frequencies.sum()), 12).astype(int)
    y = np.repeat(np.arange(n_classes), counts)
    centres = rng.normal(scale=3.0, size=(n_classes, n_columns))
    X = centres[y] + rng.normal(size=(len(y), n_columns))
    X[:, : n_columns // 2] = np.round(X[:, : n_columns // 2])
    return X, y


def random_leaf(rng):
    """Rows of two classes in one leaf, as their probabilities of the second class and labels."""
    n_rows = rng.integers(1, 30)
    labels = (rng.random(n_rows) < rng.random()).astype(float)
    return 1 / (1 + np.exp(rng.normal(scale=6, size=n_rows))), labels


def rise_of(probabilities, labels, move):
    """By how much the logistic losses rise if all scores are moved alike."""
    return np.logaddexp(np.log1p(-probabilities), np.log(probabilities) + move) - labels * move


def newton_step(probabilities, labels):
    return (labels - probabilities).sum() / (probabilities * (1 - probabilities)).sum()


# ---- Theory ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", RATES)
def test_safe_length_against_theory(rate):
    length = safe_length(rate)
    assert np.expm1(length) - length == pytest.approx(length**2 / rate)


@pytest.mark.parametrize("rate", RATES)
def test_steps_of_a_safe_length_against_theory_never_raise_the_loss(rate):
    rng = np.random.default_rng(0)
    moves = []
    while len(moves) < 200:
        leaf = random_leaf(rng)
        move = rate * newton_step(*leaf)
        if abs(move) <= safe_length(rate):
            assert rise_of(*leaf, move).sum() <= 1e-12
            moves.append(abs(move))
    assert max(moves) > safe_length(rate) / 3


@pytest.mark.parametrize("rate", [0.1, 1.0, 10.0, 100.0])
def test_shortened_steps_against_theory_lower_the_loss(rate):
    rng = np.random.default_rng(1)
    n_shortened = 0
    while n_shortened < 20:
        leaf = random_leaf(rng)
        step = newton_step(*leaf)
        steps, leaves = np.array([[step]]), np.zeros(len(leaf[0]), dtype=np.int32)

        def rise(rows, moves, leaf=leaf):
            return rise_of(leaf[0][rows], leaf[1][rows], moves[0])

        shorten_unsafe_steps(steps, rate, leaves, rise)
        raises = rise_of(*leaf, rate * step).sum() > 0
        assert (steps[0, 0] != step) == raises
        n_shortened += raises
        assert rise_of(*leaf, rate * steps[0, 0]).sum() <= 1e-12


@pytest.mark.parametrize(("loss", "y"), [(PoissonLoss(), 1e4), (GammaLoss(), 1e-4)])
def test_shortened_step_against_theory_is_exact_for_means_far_off(loss, y):
    targets, scores = np.full(5, y), np.zeros(5)
    gradients, hessians = loss.gradient_hessian(targets, scores)
    steps = np.array([[-gradients.sum() / hessians.sum()]])

    def rise(rows, moves):
        with np.errstate(over="ignore"):
            return loss.value(targets[rows], moves[0]) - loss.value(targets[rows], scores[rows])

    shorten_unsafe_steps(steps, 1.0, np.zeros(5, dtype=np.int32), rise)
    assert steps[0, 0] == pytest.approx(np.log(y))


def test_infinite_step_becomes_finite():
    steps = np.array([[np.inf, -1.0, 2.0]])
    leaves = np.array([1, 2, 0], dtype=np.int32)
    shorten_unsafe_steps(steps, 0.1, leaves, lambda rows, moves: np.full(len(rows), -1.0))
    assert np.isfinite(steps).all()
    assert steps[0, 1] < steps[0, 2] < steps[0, 0]


# ---- Models ------------------------------------------------------------------------------------


def without_shortening(monkeypatch):
    monkeypatch.setattr(newton_stage, "shorten_unsafe_steps", lambda *given: None)


BOOSTERS = {
    "sklearn's settings": HistGradientBoostingClassifier(),
    "no penalty": BoostedTreesClassifier(reg_lambda=0, min_child_weight=1e-3),
    "half of the rows": BoostedTreesClassifier(reg_lambda=0, subsample=0.5, random_state=0),
    "goss": BoostedTreesClassifier(reg_lambda=0, sampling_method="goss", random_state=0),
    "vectors": BoostedTreesClassifier(
        reg_lambda=0, min_child_weight=1e-3, multi_strategy="multi_output_tree"
    ),
}


@pytest.mark.parametrize("name", BOOSTERS)
def test_rare_and_well_separated_classes_do_not_diverge(name):
    """The log loss was 21.6 with scikit-learn's settings; that of scikit-learn is 12.3."""
    X, y = rare_clusters(0)
    model = BOOSTERS[name].fit(X[::2], y[::2])
    assert log_loss(y[1::2], model.predict_proba(X[1::2])) < 0.1


@pytest.mark.parametrize("rate", [1.0, 2.0, 100.0, 1e4])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_large_learning_rates_give_finite_probabilities(rate, n_classes):
    """At 100 and three classes it was an error: "Targets must be finite"."""
    X, y = load_iris(return_X_y=True)
    model = HistGradientBoostingClassifier(learning_rate=rate).fit(X, np.minimum(y, n_classes - 1))
    assert np.isfinite(model.predict_proba(X)).all()
    assert model.score(X, np.minimum(y, n_classes - 1)) > 0.95


@pytest.mark.parametrize("loss", ["poisson", "gamma"])
def test_large_learning_rates_fit_means(loss):
    """At 100 both were errors."""
    X, y = load_diabetes(return_X_y=True)
    model = HistGradientBoostingRegressor(loss=loss, learning_rate=100).fit(X, y)
    assert model.score(X, y) > 0.99


def test_few_large_counts_do_not_overflow_the_poisson_mean():
    """Twenty rows hold all of the sum: a prediction was 18,000 times the largest target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8000, 2))
    y = np.where(X[:, 0] > np.sort(X[:, 0])[-21], 1e6, rng.poisson(0.01, size=8000))
    model = HistGradientBoostingRegressor(loss="poisson").fit(X, y)
    assert model.score(X, y) > 0.9


TABLES = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "cancer": load_breast_cancer(return_X_y=True),
    "iris, one class rare": tuple(part[:106] for part in load_iris(return_X_y=True)),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("rate", [0.1, 0.3])
def test_ordinary_classifiers_stay_the_same_bit_for_bit(table, rate, monkeypatch):
    X, y = TABLES[table]
    model = HistGradientBoostingClassifier(learning_rate=rate, max_iter=60)
    found = model.fit(X, y).decision_function(X)
    without_shortening(monkeypatch)
    np.testing.assert_array_equal(found, model.fit(X, y).decision_function(X))


@pytest.mark.parametrize("loss", ["poisson", "gamma"])
def test_ordinary_regressors_stay_the_same_bit_for_bit(loss, monkeypatch):
    X, y = load_diabetes(return_X_y=True)
    model = HistGradientBoostingRegressor(loss=loss)
    found = model.fit(X, y).predict(X)
    without_shortening(monkeypatch)
    np.testing.assert_array_equal(found, model.fit(X, y).predict(X))


def test_long_steps_that_lower_the_loss_are_left_as_they_are(monkeypatch):
    """A pure leaf of a class of 1 %: steps of 10, which is longer than what is safe anywhere."""
    X = np.arange(4000.0)[:, np.newaxis]
    y = X[:, 0] >= 3960
    model = HistGradientBoostingClassifier(max_iter=20)
    found = model.fit(X, y).decision_function(X)
    assert np.diff(next(model.staged_decision_function(X))).max() > safe_length(0.1)
    without_shortening(monkeypatch)
    np.testing.assert_array_equal(found, model.fit(X, y).decision_function(X))


def test_shortened_steps_keep_monotonic_constraints(monkeypatch):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 2))
    y = rng.poisson(np.where(X[:, 0] > 2.2, 500.0, 0.05) * np.exp(X[:, 1]))
    model = HistGradientBoostingRegressor(
        loss="poisson", learning_rate=1, max_iter=10, monotonic_cst=[1, 0]
    )
    grid = np.column_stack([np.linspace(-3, 4, 500), np.zeros(500)])
    found = model.fit(X, y).predict(grid)
    assert (np.diff(found) >= 0).all()
    without_shortening(monkeypatch)
    assert (found != model.fit(X, y).predict(grid)).any()


def test_weights_mean_repetition_where_steps_are_shortened(monkeypatch):
    X, y = load_iris(return_X_y=True)
    X, weights = np.round(X), 1 + np.arange(150) % 3
    model = HistGradientBoostingClassifier(learning_rate=1, max_iter=10, min_samples_leaf=1)
    weighted = model.fit(X, y, sample_weight=weights).predict_proba(X)
    repeated = model.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-9)
    without_shortening(monkeypatch)
    assert (model.fit(X, y, sample_weight=weights).predict_proba(X) != weighted).any()


def test_rows_of_no_weight_have_no_say_in_whether_steps_are_shortened():
    X, y = load_iris(return_X_y=True)
    keep = np.arange(150) % 4 > 0
    X, y = X[np.argsort(keep)], y[np.argsort(keep)]
    keep = np.sort(keep)
    model = HistGradientBoostingClassifier(learning_rate=1, max_iter=10)
    left_out = model.fit(X[keep], y[keep]).predict_proba(X)
    weightless = model.fit(X, y, sample_weight=keep.astype(float)).predict_proba(X)
    np.testing.assert_allclose(weightless, left_out, atol=1e-9)


def test_counts_of_several_outputs_are_shortened_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    y = np.where(X[:, :1] > np.sort(X[:, 0])[-21], [[1e6, 1e5]], rng.poisson(0.01, (3000, 2)))
    model = BoostedTreesRegressor("poisson", reg_lambda=0, n_estimators=50).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert model.score(X, y) > 0.9
