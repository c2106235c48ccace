from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn.cluster import KMeans
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import nonet
from diagnostics.matrices import LABELS, MODELS, NAMES, VALUES, XR, YR, X
from nonet.decide import Abstain
from nonet.diagnostics import decompose_loss
from nonet.diagnostics.loss_decomposition import split_domingos, split_kohavi_wolpert

DISTRIBUTIONS = st.integers(0, 10_000).map(
    lambda seed: np.random.default_rng(seed).dirichlet(np.full(4, 0.7), size=(2, 5))
)


@given(VALUES)
def test_squared_loss_is_the_sum_of_its_parts(values):
    truth = values[:, 0] + 1
    parts = decompose_loss(values, truth)
    assert parts.error == pytest.approx(np.mean((values - truth[:, np.newaxis]) ** 2), abs=1e-6)
    assert parts.bias + parts.variance == pytest.approx(parts.error, abs=1e-6)
    np.testing.assert_allclose(parts.by_row["variance"], values.var(axis=1), atol=1e-6)


@given(VALUES)
def test_replicates_show_the_noise(values):
    labels = values[:, ::-1]
    parts = decompose_loss(values, labels)
    pairs = (values[:, :, np.newaxis] - labels[:, np.newaxis, :]) ** 2
    assert parts.error == pytest.approx(pairs.mean(), abs=1e-5)
    assert parts.noise == pytest.approx(labels.var(axis=1).mean(), abs=1e-6)


@pytest.mark.parametrize("loss", ["kohavi_wolpert", "domingos"])
@given(labels=LABELS)
def test_zero_one_loss_is_the_sum_of_its_parts(loss, labels):
    truth = labels[:, -1]
    parts = decompose_loss(labels, truth, loss=loss, classes=[0, 1, 2])
    assert parts.error == pytest.approx(np.mean(labels != truth[:, np.newaxis]))
    assert parts.bias + parts.variance + parts.noise == pytest.approx(parts.error)


@given(DISTRIBUTIONS)
def test_kohavi_wolpert_with_noise_against_theory(distributions):
    fractions, truth = distributions
    parts = split_kohavi_wolpert(fractions, truth)
    np.testing.assert_allclose(parts.bias + parts.variance + parts.noise, parts.error)
    assert np.all(np.minimum(parts.bias, parts.variance) >= -1e-12)


@given(DISTRIBUTIONS)
def test_domingos_factors_against_theory(distributions):
    """E = c1 N + B + c2 V with the factors of Domingos's theorem for several classes."""
    fractions, truth = distributions
    parts = split_domingos(fractions, truth)
    for row, (p, q) in enumerate(zip(fractions, truth, strict=True)):
        main, best = p.argmax(), q.argmax()
        noise, variance = 1 - q[best], 1 - p[main]
        others = np.arange(4) != best
        hit_when_noisy = (p[others] @ q[others]) / (q[others].sum() * p[others].sum())
        c1 = p[best] - (1 - p[best]) * hit_when_noisy
        c2 = 1 if main == best else -p[best] / variance
        assert parts.bias[row] == (main != best)
        assert parts.variance[row] == pytest.approx(c2 * variance)
        assert parts.noise[row] == pytest.approx(c1 * noise)
        assert parts.error[row] == pytest.approx(c1 * noise + parts.bias[row] + c2 * variance)


@given(DISTRIBUTIONS)
def test_log_loss_is_the_sum_of_its_parts(distributions):
    predictions = np.clip(np.moveaxis(distributions, 0, 1), 1e-9, None)
    predictions = predictions / predictions.sum(axis=2, keepdims=True)
    truth = np.arange(5) % 4
    parts = decompose_loss(predictions, truth, loss="log", classes=range(4))
    observed = -np.log(predictions[np.arange(5), :, truth]).mean()
    assert parts.error == pytest.approx(observed)
    assert parts.bias + parts.variance == pytest.approx(parts.error)
    assert parts.variance >= -1e-12
    known = np.full((5, 4), 0.25)
    with_noise = decompose_loss(predictions, truth, loss="log", classes=range(4), truth=known)
    assert with_noise.noise == pytest.approx(np.log(4))
    whole = with_noise.bias + with_noise.variance + with_noise.noise
    assert with_noise.error == pytest.approx(whole)


def test_sure_mistake_has_a_finite_log_loss():
    parts = decompose_loss([[[1.0, 0.0], [1.0, 0.0]]], [1], loss="log", classes=[0, 1])
    assert np.isfinite(parts.error)


def draw_sine(random):
    x = random.uniform(0, 6, size=(40, 1))
    return x, np.sin(x[:, 0]) + random.normal(scale=0.3, size=40)


def test_fresh_samples_against_theory():
    """A mean of 40 labels: bias and variance are known exactly."""
    x_test = np.linspace(0, 6, 25)[:, np.newaxis]
    f = np.sin(x_test[:, 0])
    random = np.random.default_rng(0)
    replicates = f[:, np.newaxis] + random.normal(scale=0.3, size=(25, 400))
    result = nonet.bias_variance(
        DummyRegressor(),
        None,
        None,
        X_test=x_test,
        y_test=replicates,
        truth=f,
        draw=draw_sine,
        n_rounds=400,
        random_state=0,
    )
    mean_of_sine = (1 - np.cos(6)) / 6
    spread = 0.3**2 + (0.5 - np.sin(12) / 24) - mean_of_sine**2
    assert result.noise == pytest.approx(0.09, rel=0.05)
    assert result.variance == pytest.approx(spread / 40, rel=0.15)
    assert result.bias == pytest.approx(np.mean((f - mean_of_sine) ** 2), rel=0.05)


@pytest.mark.parametrize("draw", ["bootstrap", "splits"])
def test_deep_trees_vary_and_lines_are_biased(draw):
    settings = {"draw": draw, "n_rounds": 30, "random_state": 0}
    tree = nonet.bias_variance(DecisionTreeRegressor(), XR, YR, **settings)
    line = nonet.bias_variance(LinearRegression(), XR, YR, **settings)
    assert tree.variance > 5 * line.variance
    assert line.bias > line.variance
    assert tree.n_predictions.max() <= 30
    assert tree.n_predictions.mean() == pytest.approx(
        30 * (0.37 if draw == "bootstrap" else 0.25), rel=0.1
    )


@pytest.mark.parametrize("loss", ["kohavi_wolpert", "domingos", "log"])
def test_losses_of_a_classifier(loss):
    learner = DecisionTreeClassifier(max_depth=3, random_state=0)
    result = nonet.bias_variance(
        learner,
        X[:200],
        NAMES[:200],
        X_test=X[200:],
        y_test=NAMES[200:],
        loss=loss,
        n_rounds=10,
        random_state=0,
    )
    assert result.error == pytest.approx(result.bias + result.variance + result.noise)
    assert set(result.standard_errors) == {"error", "bias", "variance", "noise"}
    assert result.n_predictions.tolist() == [10] * 100


def test_default_loss_follows_the_task():
    labels = nonet.bias_variance(KNeighborsClassifier(), X, NAMES, n_rounds=5, random_state=0)
    values = nonet.bias_variance(LinearRegression(), XR, YR, n_rounds=5, random_state=0)
    assert (labels.loss, values.loss) == ("kohavi_wolpert", "squared")


def test_result_is_deterministic_for_any_number_of_jobs():
    learner = DecisionTreeRegressor(max_features=2)
    with parallel_config("threading"):
        runs = [
            nonet.bias_variance(learner, XR, YR, n_rounds=6, random_state=3, n_jobs=jobs)
            for jobs in (1, 2)
        ]
    np.testing.assert_array_equal(runs[0].by_row["bias"], runs[1].by_row["bias"])


def test_rows_never_outside_a_sample_are_left_out():
    result = nonet.bias_variance(LinearRegression(), XR, YR, n_rounds=2, random_state=0)
    assert len(result.rows) < 300
    assert result.n_predictions.min() >= 1


def test_bias_variance_rejects_bad_settings():
    model = LogisticRegression()
    with pytest.raises(ValueError, match="'n_rounds' must be a whole number of at least 2"):
        nonet.bias_variance(model, X, NAMES, n_rounds=1)
    with pytest.raises(ValueError, match="'draw' must be one of 'bootstrap', 'splits' or a func"):
        nonet.bias_variance(model, X, NAMES, draw="jackknife")
    with pytest.raises(ValueError, match="'loss' must be None or one of 'squared'"):
        nonet.bias_variance(model, X, NAMES, loss="hinge")
    with pytest.raises(ValueError, match="'X_test' must be given where samples are fresh"):
        nonet.bias_variance(model, None, None, draw=draw_sine)
    with pytest.raises(ValueError, match="'y_test' must be given together with X_test"):
        nonet.bias_variance(model, X, NAMES, X_test=X)
    with pytest.raises(ValueError, match="'estimator' must be an estimator with fit"):
        nonet.bias_variance("tree", X, NAMES)
    with pytest.raises(ValueError, match="'test_size' must be"):
        nonet.bias_variance(model, X, NAMES, draw="splits", test_size=1.0)


def test_bias_variance_rejects_an_estimator_that_keeps_silent():
    silent = nonet.VotingClassifier(MODELS, combine="mean", decide=Abstain(0.9, abstain_label="?"))
    with pytest.raises(ValueError, match="the estimator abstains on some"):
        nonet.bias_variance(silent, X, NAMES, n_rounds=2, random_state=0)


def test_split_loss_rejects_bad_arrays():
    with pytest.raises(
        ValueError, match="predictions must have 2 axes and a row for each of the 2"
    ):
        decompose_loss([1.0, 2.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="no row has a prediction"):
        decompose_loss([[1.0, 2.0]], [1.0], present=[[False, False]])
    with pytest.raises(ValueError, match=r"truth must have shape \(1, 2\)"):
        decompose_loss([[0, 1]], [1], loss="domingos", truth=[[0.1, 0.2, 0.7]])
    with pytest.raises(ValueError, match="'loss' must be one of"):
        decompose_loss([[0, 1]], [1], loss="hinge")


def test_bias_variance_rejects_a_bad_parameter_of_the_learner():
    with pytest.raises(ValueError, match="max_depth"):
        nonet.bias_variance(DecisionTreeRegressor(max_depth=-1), XR, YR, n_rounds=3)


def test_rejects_truth_and_rows_that_do_not_match():
    settings = {"by": "source", "n_rounds": 3, "n_seeds": 2, "random_state": 0}
    tree, test = DecisionTreeRegressor(), {"X_test": XR[:5], "y_test": YR[:5]}
    with pytest.raises(ValueError, match="truth must have an entry for each of the 5 scored rows"):
        nonet.bias_variance(tree, XR, YR, **test, truth=[1.0], **settings)
    with pytest.raises(TypeError, match="truth must be numbers"):
        nonet.bias_variance(tree, XR, YR, **test, truth="abc", **settings)
    with pytest.raises(ValueError, match="X and y must have as many rows"):
        nonet.bias_variance(tree, XR, YR[:4], **settings)


def test_rejects_clusterers_whose_numbers_of_clusters_are_no_predictions():
    for call in (nonet.bias_variance, nonet.bootstrap_error, nonet.cv_error):
        with pytest.raises(ValueError, match="a classifier or a regressor, which predict y"):
            call(KMeans(2), XR, YR)
