from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nonet.resampling import (
    Bayesian,
    CircularBlocks,
    MovingBlocks,
    Parametric,
    Residual,
    Smoothed,
    StationaryBlocks,
    Wild,
)
from nonet.resampling.bootstrap.bootstrap import bootstrap
from nonet.resampling.statistics.samples import as_sample

RNG = np.random.default_rng(2)
X = RNG.exponential(size=40)
NOISE = RNG.normal(size=40)
Y = 1 + 2 * X + NOISE
ROWS = np.arange(40)
SCHEMES = [
    Bayesian(),
    MovingBlocks(4),
    CircularBlocks(4),
    StationaryBlocks(4),
    Parametric(stats.expon),
    Smoothed(),
]


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: type(scheme).__name__)
def test_scheme_is_deterministic(scheme):
    few, many = (
        bootstrap(X, "mean", scheme=scheme, n_resamples=b, random_state=3) for b in (20, 50)
    )
    np.testing.assert_array_equal(many.distribution[:20], few.distribution)
    assert len(np.unique(many.distribution)) == 50


@pytest.mark.parametrize(
    "scheme",
    [s for s in SCHEMES if "Blocks" not in type(s).__name__],
    ids=lambda s: type(s).__name__,
)
def test_standard_error_of_a_mean_against_theory(scheme):
    result = bootstrap(X, "mean", scheme=scheme, n_resamples=3000, random_state=3)
    theory = {
        "Bayesian": X.std() / np.sqrt(41),
        "Parametric": (X.mean() - X.min()) / np.sqrt(40),
        "Smoothed": X.std() / np.sqrt(40),
    }
    np.testing.assert_allclose(result.standard_error, theory[type(scheme).__name__], rtol=0.06)


def rows_of(scheme, resample):
    draws = scheme.bind(as_sample(ROWS), 9)
    return draws.tables(resample)[0][0]


@pytest.mark.parametrize("length", [1, 7, 40])
def test_moving_blocks_are_runs_inside_the_series(length):
    for resample in range(20):
        rows = rows_of(MovingBlocks(length), resample)
        assert len(rows) == 40
        steps = np.diff(rows).reshape(-1)
        inside = (np.arange(39) + 1) % length != 0
        assert (steps[inside] == 1).all()


def test_circular_blocks_wrap_and_draw_all_rows_alike():
    rows = np.stack([rows_of(CircularBlocks(7), resample) for resample in range(2000)])
    inside = (np.arange(39) + 1) % 7 != 0
    assert (np.diff(rows, axis=1)[:, inside] % 40 == 1).all()
    counts = np.bincount(rows.ravel(), minlength=40)
    np.testing.assert_allclose(counts, 2000, rtol=0.15)


def test_stationary_blocks_have_the_mean_length():
    rows = np.stack([rows_of(StationaryBlocks(5), resample) for resample in range(2000)])
    breaks = np.mean(np.diff(rows, axis=1) % 40 != 1)
    np.testing.assert_allclose(breaks, (1 / 5) * (39 / 40), rtol=0.05)
    np.testing.assert_allclose(np.bincount(rows.ravel(), minlength=40), 2000, rtol=0.15)


@pytest.mark.parametrize("scheme", [MovingBlocks(25), CircularBlocks(25), StationaryBlocks(25)])
def test_blocks_see_dependence_that_rows_do_not(scheme):
    shocks = np.random.default_rng(0).normal(size=1000)
    series = np.empty(1000)
    series[0] = shocks[0]
    for t in range(1, 1000):
        series[t] = 0.7 * series[t - 1] + shocks[t]
    theory = 1 / 0.3 / np.sqrt(1000)
    by_rows = bootstrap(series, "mean", n_resamples=300, random_state=0).standard_error
    by_blocks = bootstrap(series, "mean", scheme=scheme, n_resamples=300, random_state=0)
    assert by_rows < 0.6 * theory
    np.testing.assert_allclose(by_blocks.standard_error, theory, rtol=0.25)


@pytest.mark.parametrize(
    ("kind", "ours"),
    [
        ("MovingBlockBootstrap", MovingBlocks),
        ("CircularBlockBootstrap", CircularBlocks),
        ("StationaryBootstrap", StationaryBlocks),
    ],
)
def test_blocks_against_arch(kind, ours):
    arch = pytest.importorskip("arch.bootstrap", reason="arch is not installed")
    series = np.cumsum(NOISE)
    theirs = getattr(arch, kind)(5, series, seed=1).apply(np.mean, 2000)[:, 0]
    result = bootstrap(series, "mean", scheme=ours(5), n_resamples=2000, random_state=0)
    np.testing.assert_allclose(result.standard_error, theirs.std(ddof=1), rtol=0.08)
    np.testing.assert_allclose(result.mean, theirs.mean(), atol=0.1 * theirs.std())


def test_parametric_draws_from_the_fitted_distribution():
    frozen = stats.norm(3, 2)
    result = bootstrap(X, "std", scheme=Parametric(frozen), n_resamples=500, random_state=0)
    np.testing.assert_allclose(result.mean, 2, rtol=0.05)
    fitted = bootstrap(X, "mean", scheme=Parametric(stats.norm), n_resamples=2000, random_state=0)
    np.testing.assert_allclose(fitted.mean, X.mean(), atol=0.02)


def test_parametric_takes_a_sampler_of_pairs():
    covariance = np.array([[1.0, 0.8], [0.8, 1.0]])

    def sampler(random):
        return tuple(random.multivariate_normal([0, 0], covariance, size=40).T)

    scheme = Parametric(sampler)
    result = bootstrap((X, Y), "correlation", scheme=scheme, n_resamples=300, random_state=0)
    np.testing.assert_allclose(result.mean, 0.8, atol=0.03)


@pytest.mark.parametrize("shrink", [True, False])
def test_smoothed_variance_against_theory(shrink):
    scheme = Smoothed(0.5, shrink=shrink)
    result = bootstrap(X, "variance", scheme=scheme, n_resamples=2000, random_state=0)
    inflated = X.var() * (1 if shrink else 1.25)
    np.testing.assert_allclose(result.mean, inflated * 39 / 40, rtol=0.05)


def test_smoothed_keeps_the_correlation():
    scheme = Smoothed(1.0)
    result = bootstrap((X, Y), "correlation", scheme=scheme, n_resamples=500, random_state=0)
    np.testing.assert_allclose(result.mean, result.estimate, atol=0.03)


def test_smoothed_smooths_two_samples_apart():
    result = bootstrap(
        (X, Y[:9]),
        "mean_difference",
        paired=False,
        scheme=Smoothed(),
        n_resamples=99,
        random_state=0,
    )
    assert len(np.unique(result.distribution)) == 99


def test_bayesian_weights_reach_a_callable():
    def weighted(x, weights=None):
        return np.average(x, weights=weights)

    settings = {"scheme": Bayesian(), "n_resamples": 30, "random_state": 0}
    by_call, by_name = (bootstrap(X, s, **settings) for s in (weighted, "mean"))
    np.testing.assert_allclose(by_call.distribution, by_name.distribution)


def test_bayesian_coefficients_are_near_the_drawn_ones():
    settings = {"n_resamples": 600, "random_state": 0}
    weighted = bootstrap((X, Y), "coefficients", scheme=Bayesian(), **settings)
    drawn = bootstrap((X, Y), "coefficients", **settings)
    np.testing.assert_allclose(weighted.standard_error, drawn.standard_error, rtol=0.25)


@pytest.mark.parametrize("scheme", [Residual(), Wild(), Wild("mammen")])
def test_regression_schemes_against_theory(scheme):
    result = bootstrap((X, Y), "coefficients", scheme=scheme, n_resamples=3000, random_state=0)
    design = np.column_stack([np.ones(40), X])
    residuals = Y - design @ result.estimate
    inverse = np.linalg.inv(design.T @ design)
    slack = 1 - np.einsum("ij,jk,ik->i", design, inverse, design)
    middle = np.diag(residuals**2 / slack)
    if isinstance(scheme, Residual):
        scaled = residuals / np.sqrt(slack)
        middle = np.eye(40) * scaled.var()
    sandwich = inverse @ design.T @ middle @ design @ inverse
    np.testing.assert_allclose(result.standard_error, np.sqrt(np.diag(sandwich)), rtol=0.06)
    np.testing.assert_allclose(result.mean, result.estimate, atol=0.03)


BAD = {
    "length": (lambda: MovingBlocks(0), "'length'"),
    "mean length": (lambda: StationaryBlocks(0.5), "'mean_length'"),
    "noise": (lambda: Wild("white"), "'noise'"),
    "bandwidth": (lambda: Smoothed("wide"), "'bandwidth'"),
    "shrink": (lambda: Smoothed(shrink=2), "'shrink'"),
    "model": (lambda: Parametric(3), "'model'"),
    "too long": (lambda: bootstrap(X, "mean", scheme=MovingBlocks(41)), "at most as long"),
    "no response": (lambda: bootstrap(X, "mean", scheme=Wild()), "(X, y)"),
    "two columns": (
        lambda: bootstrap((X, Y), "correlation", scheme=Parametric(stats.norm)),
        "callable model",
    ),
    "weights not taken": (
        lambda: bootstrap(X, lambda x: x.mean(), scheme=Bayesian(), n_resamples=9),
        "weights",
    ),
    "leverage": (
        lambda: bootstrap((np.eye(5)[:, 0], np.arange(5.0)), "coefficients", scheme=Residual()),
        "row 0 has leverage 1",
    ),
    "blocks of two samples": (
        lambda: bootstrap((X, Y), "mean_difference", paired=False, scheme=MovingBlocks(2)),
        "one series",
    ),
    "weights of two samples": (
        lambda: bootstrap((X, Y), "mean_difference", paired=False, scheme=Bayesian()),
        "one sample",
    ),
    "BCa of blocks": (
        lambda: bootstrap(X, "mean", scheme=MovingBlocks(2), n_resamples=9).interval("bca"),
        "as many as the sample has",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_scheme_rejects(case):
    call, sentence = BAD[case]
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert sentence in str(error.value)
