import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn._loss import loss as sklearn_loss

from nonet._native.runtime import limit_threads
from nonet.losses import (
    AbsoluteLoss,
    ExponentialLoss,
    FairLoss,
    GammaLoss,
    HuberLoss,
    LogisticLoss,
    Loss,
    MultinomialLoss,
    PoissonLoss,
    PseudoHuberLoss,
    QuantileLoss,
    SquaredLoss,
    TweedieLoss,
)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


SMOOTH = {
    "squared": SquaredLoss(),
    "poisson": PoissonLoss(),
    "gamma": GammaLoss(),
    "tweedie": TweedieLoss(1.3),
    "logistic": LogisticLoss(),
    "exponential": ExponentialLoss(),
}
SMOOTH |= {"pseudo-huber": PseudoHuberLoss(0.7), "fair": FairLoss(1.4)}
ROBUST = {"absolute": AbsoluteLoss(), "quantile": QuantileLoss(0.8), "huber": HuberLoss(0.7)}
ALL = SMOOTH | ROBUST
PEERS = {
    "squared": sklearn_loss.HalfSquaredError(),
    "absolute": sklearn_loss.AbsoluteError(),
    "quantile": sklearn_loss.PinballLoss(quantile=0.8),
    "poisson": sklearn_loss.HalfPoissonLoss(),
    "gamma": sklearn_loss.HalfGammaLoss(),
    "logistic": sklearn_loss.HalfBinomialLoss(),
    "exponential": sklearn_loss.ExponentialLoss(),
}


def draw(name, rng, n=500):
    scores = rng.normal(size=n)
    if name in ("logistic", "exponential"):
        return rng.integers(0, 2, n).astype(float), scores
    return rng.exponential(size=n) + 0.1, scores


@pytest.mark.parametrize("name", ALL)
def test_gradient_against_differences_of_values(name, rng):
    loss = ALL[name]
    y, scores = draw(name, rng)
    step = 1e-6
    slopes = (loss.value(y, scores + step) - loss.value(y, scores - step)) / (2 * step)
    np.testing.assert_allclose(loss.gradient_hessian(y, scores)[0], slopes, atol=1e-6)


@pytest.mark.parametrize("name", SMOOTH)
def test_hessian_against_differences_of_gradients(name, rng):
    loss = SMOOTH[name]
    y, scores = draw(name, rng)
    step = 1e-6
    above, below = (loss.gradient_hessian(y, scores + d)[0] for d in (step, -step))
    hessians = loss.gradient_hessian(y, scores)[1]
    np.testing.assert_allclose(hessians, (above - below) / (2 * step), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", PEERS)
def test_slopes_against_sklearn(name, rng):
    y, scores = draw(name, rng)
    gradient, hessian = PEERS[name].gradient_hessian(y, scores)
    ours = ALL[name].gradient_hessian(y, scores)
    np.testing.assert_allclose(ours[0], gradient, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(ours[1], np.broadcast_to(hessian, len(y)), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", PEERS)
def test_start_against_sklearn(name, weighted, rng):
    y, _ = draw(name, rng)
    weights = rng.random(len(y)) if weighted else None
    expected = PEERS[name].fit_intercept_only(y, weights)
    assert ALL[name].start(y, weights) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_start_makes_the_mean_loss_least(name, rng):
    loss = ALL[name]
    y, _ = draw(name, rng)
    best = minimize_scalar(lambda f: loss.mean_loss(y, np.full(len(y), f)), bounds=(-5, 5)).fun
    tolerance = 1e-2 if name == "huber" else 1e-5  # Huber's start is one step from the median
    assert loss.mean_loss(y, np.full(len(y), float(loss.start(y)))) <= best + tolerance


@pytest.mark.parametrize("name", ALL)
def test_mean_loss_is_the_weighted_mean_of_values(name, rng):
    y, scores = draw(name, rng, 9001)
    weights = rng.random(len(y))
    loss = ALL[name]
    expected = np.average(loss.value(y, scores), weights=weights)
    assert loss.mean_loss(y, scores, weights) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_extreme_scores_give_finite_slopes(name):
    y = np.array([1.0, 1.0, 1.0, 1.0])
    gradient, hessian = ALL[name].gradient_hessian(y, np.array([-1e6, -800.0, 800.0, 1e6]))
    assert np.isfinite(gradient).all()
    assert np.isfinite(hessian).all()


def test_multinomial_against_sklearn(rng):
    y = rng.integers(0, 4, 700).astype(float)
    scores = rng.normal(size=(4, 700)) * 3
    peer = sklearn_loss.HalfMultinomialLoss(n_classes=4)
    gradient, hessian = peer.gradient_hessian(y, np.asfortranarray(scores.T))
    loss = MultinomialLoss(4)
    ours = loss.gradient_hessian(y, scores)
    np.testing.assert_allclose(ours[0], gradient.T, atol=1e-14)
    np.testing.assert_allclose(ours[1], hessian.T, atol=1e-14)
    weights = rng.random(700)
    np.testing.assert_allclose(loss.start(y, weights), peer.fit_intercept_only(y, weights))
    expected = peer(y, np.asfortranarray(scores.T), weights)
    assert loss.mean_loss(y, scores, weights) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(loss.inverse_link(scores).sum(axis=0), 1)


def test_sums_are_deterministic_on_any_number_of_threads(rng):
    n = 100_001
    y, scores = rng.integers(0, 2, n).astype(float), rng.normal(size=n)
    codes, classes = rng.integers(0, 3, n), rng.normal(size=(3, n))
    predictions = set()
    for n_threads in (1, 2, 3, 8):
        with limit_threads(n_threads):
            binary = LogisticLoss().mean_loss(y, scores)
            several = MultinomialLoss(3).mean_loss(codes, classes)
            slopes = MultinomialLoss(3).gradient_hessian(codes, classes)
            predictions.add((binary, several, slopes[0].tobytes(), slopes[1].tobytes()))
    assert len(predictions) == 1


def test_multinomial_rejects_codes_out_of_range():
    with pytest.raises(ValueError, match="below the number of classes"):
        MultinomialLoss(3).gradient_hessian(np.array([3]), np.zeros((3, 1)))


@pytest.mark.parametrize(
    ("loss", "y", "words"),
    [
        (PoissonLoss(), [1.0, -1.0], "at least 0, got -1 in row 1"),
        (PoissonLoss(), [0.0, 0.0], "zeros only"),
        (GammaLoss(), [1.0, 0.0], "above 0, got 0 in row 1"),
        (TweedieLoss(), [-2.0], "at least 0, got -2"),
        (TweedieLoss(), [0.0], "zeros only"),
        (LogisticLoss(), [0.0, 1.5], "between 0 and 1, got 1.5"),
        (ExponentialLoss(), [-1.0], "between 0 and 1"),
    ],
)
def test_check_targets_rejects_what_is_outside_the_domain(loss, y, words):
    with pytest.raises(ValueError, match=words):
        loss.check_targets(np.array(y))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: QuantileLoss(1.5), "between 0 and 1, got 1.5"),
        (lambda: HuberLoss(0), "above 0, got 0"),
        (lambda: FairLoss(0), "above 0, got 0"),
        (lambda: PseudoHuberLoss(-1), "above 0, got -1"),
        (lambda: TweedieLoss(2), "below 2, got 2"),
    ],
)
def test_losses_reject_shapes_out_of_range(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_a_loss_of_ones_own_must_say_its_value_and_slopes():
    with pytest.raises(NotImplementedError, match="value"):
        Loss().value(np.zeros(1), np.zeros(1))
    with pytest.raises(NotImplementedError, match="gradient_hessian"):
        Loss().gradient_hessian(np.zeros(1), np.zeros(1))


def test_mean_loss_of_far_scores_against_naive():
    # The compiled core has an exponential and a logarithm of its own.
    scores = np.linspace(-700, 700, 4001)
    for score in scores[[0, 1500, 1990, 2000, 2003, 2500, 4000]]:
        mean = LogisticLoss().mean_loss(np.zeros(1), np.array([score]))
        assert mean == pytest.approx(np.logaddexp(0, score), rel=1e-15, abs=1e-300)
    labels = np.arange(len(scores)) % 3
    of_classes = np.stack([scores, -scores, scores[::-1] / 2])
    loss = MultinomialLoss(3)
    assert loss.mean_loss(labels, of_classes) == pytest.approx(
        loss.value(labels, of_classes).mean()
    )
