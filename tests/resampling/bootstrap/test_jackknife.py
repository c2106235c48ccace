from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from nonet.resampling import Moment, Quantile, ResamplingWarning
from nonet.resampling.bootstrap.jackknife import jackknife
from resampling import naive

RNG = np.random.default_rng(5)
X = RNG.exponential(size=23)
Y = X + RNG.normal(size=23)
Z = np.column_stack([X, Y, RNG.normal(size=23)])

SMOOTH = {
    "mean": np.mean,
    "variance": np.var,
    "std": np.std,
    "sample_variance": lambda x: np.var(x, ddof=1),
    "sample_std": lambda x: np.std(x, ddof=1),
    "moment 3": lambda x: np.mean(x**3),
    "central moment 3": lambda x: np.mean((x - x.mean()) ** 3),
}
BY_NAME = {"moment 3": Moment(3), "central moment 3": Moment(3, central=True)}
ROUGH = {"median": 0.5, "minimum": 0.0, "maximum": 1.0, "quantile": 0.3}


@pytest.mark.parametrize("name", SMOOTH)
def test_closed_form_against_naive(name):
    result = jackknife(X, BY_NAME.get(name, name))
    estimate, partials, pseudovalues, bias, variance = naive.jackknife(X, SMOOTH[name])
    np.testing.assert_allclose(result.estimate, estimate, rtol=1e-12)
    np.testing.assert_allclose(result.partials, partials, rtol=1e-10)
    np.testing.assert_allclose(result.pseudovalues, pseudovalues, rtol=1e-8)
    np.testing.assert_allclose(result.bias, bias, atol=1e-12)
    np.testing.assert_allclose(result.variance, variance, rtol=1e-9)


@pytest.mark.parametrize("name", ROUGH)
@pytest.mark.parametrize("n", [2, 3, 4, 22, 23])
def test_quantile_without_each_row_against_naive(name, n):
    q = ROUGH[name]
    with pytest.warns(ResamplingWarning, match="not consistent"):
        result = jackknife(X[:n], Quantile(q))
    _, partials, *_ = naive.jackknife(X[:n], lambda x: np.quantile(x, q))
    np.testing.assert_allclose(result.partials, partials, rtol=1e-12)


PAIRS = {
    "correlation": lambda z: np.corrcoef(z.T)[0, 1],
    "ratio": lambda z: z[:, 0].mean() / z[:, 1].mean(),
    "weighted_mean": lambda z: np.average(z[:, 1], weights=z[:, 0]),
}


@pytest.mark.parametrize("name", PAIRS)
def test_closed_form_of_pairs_against_naive(name):
    parts = (Y, X) if name == "weighted_mean" else (X, Y)
    result = jackknife(parts, name)
    estimate, partials, *_, variance = naive.jackknife(np.column_stack([X, Y]), PAIRS[name])
    np.testing.assert_allclose(result.estimate, estimate)
    np.testing.assert_allclose(result.partials, partials, rtol=1e-10)
    np.testing.assert_allclose(result.variance, variance, rtol=1e-9)


def test_coefficients_by_leverage_against_naive():
    def fit(table):
        design = np.column_stack([np.ones(len(table)), table[:, :2]])
        return np.linalg.lstsq(design, table[:, 2], rcond=None)[0]

    result = jackknife((Z[:, :2], Z[:, 2]), "coefficients")
    _, partials, pseudovalues, bias, variance = naive.jackknife(Z, fit)
    np.testing.assert_allclose(result.partials, partials, rtol=1e-9)
    np.testing.assert_allclose(result.pseudovalues, pseudovalues, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(result.bias, bias, atol=1e-10)
    np.testing.assert_allclose(result.variance, variance, rtol=1e-8)


@given(arrays(float, st.integers(2, 30), elements=st.floats(-1e6, 1e6, width=32)))
def test_pseudovalues_of_a_mean_are_the_data(x):
    result = jackknife(x, "mean")
    np.testing.assert_allclose(result.pseudovalues, x, atol=1e-6 * max(1, np.abs(x).max()))
    np.testing.assert_allclose(result.corrected_estimate, x.mean(), atol=1e-6 * np.abs(x).max())


@given(arrays(float, st.integers(3, 20), elements=st.floats(-100, 100, width=32)))
def test_corrected_variance_against_theory_divides_by_n_minus_one(x):
    result = jackknife(x, "variance")
    np.testing.assert_allclose(result.corrected_estimate, np.var(x, ddof=1), atol=1e-8)


def test_both_forms_of_the_variance_are_equal():
    for data, statistic in [(X, "variance"), (Z, np.std), ((X, Y), "correlation")]:
        result = jackknife(data, statistic)
        by_hand = (result.n_left_out - 1) * result.partials.var(axis=0)
        np.testing.assert_allclose(result.variance, by_hand, rtol=1e-10)
        np.testing.assert_allclose(result.variance_from_partials, by_hand, rtol=1e-10)


def test_general_paths_are_equal():
    plain = jackknife(X, lambda x: np.std(x))
    for statistic in ("std", np.std):
        np.testing.assert_allclose(jackknife(X, statistic).partials, plain.partials, rtol=1e-12)


def test_axis_gives_a_vector_of_columns():
    result = jackknife(Z, np.mean)
    assert result.estimate.shape == (3,)
    np.testing.assert_allclose(result.pseudovalues, Z, atol=1e-12)
    np.testing.assert_allclose(jackknife(Z, "mean").variance, Z.var(axis=0, ddof=1) / 23)


def test_infinite_rows_of_both_signs_are_no_missing_rows():
    result = jackknife([-np.inf, 1.0, 2.0, 3.0, np.inf], lambda x: np.mean(np.isfinite(x)))
    assert result.estimate == pytest.approx(0.6)


def test_against_astropy():
    astropy_stats = pytest.importorskip("astropy.stats", reason="astropy is not installed")
    estimate, bias, error, interval = astropy_stats.jackknife_stats(X, np.std, 0.9)
    result = jackknife(X, "std")
    np.testing.assert_allclose(result.corrected_estimate, estimate)
    np.testing.assert_allclose(result.bias, bias)
    np.testing.assert_allclose(result.standard_error, error)
    np.testing.assert_allclose(list(result.interval(0.9, corrected=True)), interval)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_delete_d_of_a_mean_against_theory(d):
    x = X[:9]
    result = jackknife(x, "mean", d=d)
    np.testing.assert_allclose(result.variance, x.var(ddof=1) / 9)
    np.testing.assert_allclose(result.variance_from_partials, result.variance)
    assert abs(result.bias) < 1e-12


def test_delete_d_draws_subsets_when_there_are_many():
    once, again = (jackknife(X, np.mean, d=8, n_subsets=300, random_state=1) for _ in range(2))
    assert once.n_left_out == 300
    np.testing.assert_array_equal(once.partials, again.partials)
    np.testing.assert_allclose(once.variance, X.var(ddof=1) / 23, rtol=0.3)


def test_given_subsets_are_left_out():
    result = jackknife(X, "mean", indices=[[0, 1], [5, 7]])
    np.testing.assert_allclose(result.partials[1], np.delete(X, [5, 7]).mean())


def test_equal_groups_against_naive():
    blocks = X[:20].reshape(5, 4)
    result = jackknife(X[:20], "std", groups=np.repeat(list("edcba"), 4))
    _, partials, _, bias, variance = naive.jackknife(blocks, np.std)
    np.testing.assert_allclose(result.partials, partials[::-1], rtol=1e-12)
    np.testing.assert_allclose(result.bias, bias)
    np.testing.assert_allclose(result.variance, variance)


def test_unequal_groups_of_a_mean_have_group_means_as_pseudovalues():
    groups = np.array([0, 0, 0, 1, 2, 2] + [3] * 17)
    result = jackknife(X, "mean", groups=groups)
    means = [X[groups == g].mean() for g in range(4)]
    np.testing.assert_allclose(result.pseudovalues, means)
    np.testing.assert_allclose(result.corrected_estimate, X.mean())


def test_weights_mean_repetition():
    weights = RNG.integers(1, 5, size=23)
    weighted = jackknife(X, "std", weights=weights)
    repeated = jackknife(np.repeat(X, weights), "std", groups=np.repeat(np.arange(23), weights))
    np.testing.assert_allclose(weighted.partials, repeated.partials, rtol=1e-10)
    np.testing.assert_allclose(weighted.variance, repeated.variance, rtol=1e-9)


def test_weights_reach_a_callable():
    def weighted(x, weights):
        return np.average(x, weights=weights)

    weights = np.arange(1.0, 24.0)
    by_name, by_call = (jackknife(X, s, weights=weights) for s in ("mean", weighted))
    np.testing.assert_allclose(by_call.partials, by_name.partials)
    np.testing.assert_allclose(by_name.pseudovalues, X)


def test_two_samples_against_theory():
    result = jackknife((X, Y[:11]), "mean_difference", paired=False)
    expected = X.var(ddof=1) / 23 + Y[:11].var(ddof=1) / 11
    np.testing.assert_allclose(result.variance, expected)
    by_call = jackknife((X, Y[:11]), lambda x, y: x.mean() - y.mean(), paired=False)
    np.testing.assert_allclose(by_call.partials, result.partials)
    assert result.pools == (23, 11)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_frames_reach_the_statistic(frame):
    table = frame({"x": X, "y": Y})
    result = jackknife(table, lambda t: np.corrcoef(t["x"], t["y"])[0, 1])
    np.testing.assert_allclose(result.variance, jackknife((X, Y), "correlation").variance)
    np.testing.assert_allclose(jackknife(table, "correlation").variance, result.variance)


def test_influence_sums_to_zero_and_scales_the_distance_from_the_mean():
    influence = jackknife(X, "mean").influence
    np.testing.assert_allclose(influence, X - X.mean(), atol=1e-12)


def test_interval_against_theory():
    low, high = jackknife(X, "mean").interval(0.9)
    reach = 1.6448536269514722 * X.std(ddof=1) / np.sqrt(23)
    np.testing.assert_allclose([low, high], [X.mean() - reach, X.mean() + reach])


def test_numpy_median_is_known_to_fail():
    with pytest.warns(ResamplingWarning, match="use the bootstrap"):
        jackknife(X, np.median)


BAD = {
    "one row": (dict(data=[1.0], statistic="mean"), "at least 2 rows"),
    "scalar": (dict(data=3.0, statistic="mean"), "at least 2 rows"),
    "missing": (dict(data=[1.0, np.nan, 2.0], statistic="mean"), "NaN at row 1"),
    "text": (dict(data=["a", "b"], statistic="mean"), "real numbers"),
    "unknown name": (dict(data=X, statistic="meen"), "did you mean 'mean'"),
    "no callable": (dict(data=X, statistic=3), "a name or a callable"),
    "lengths": (dict(data=(X, Y[:3]), statistic="correlation"), "paired=False"),
    "pairs wanted": (dict(data=X, statistic="correlation"), "two columns"),
    "not paired": (dict(data=(X, Y), statistic="mean_difference"), "two samples"),
    "NaN statistic": (dict(data=X, statistic=lambda x: np.nan), "not finite"),
    "matrix statistic": (dict(data=X, statistic=lambda x: np.eye(2)), "a number or a vector"),
    "shape changes": (
        dict(data=X, statistic=lambda x: 1.0 if len(x) < 23 else np.ones(2)),
        "same shape",
    ),
    "NaN partial": (dict(data=[1.0, 2.0], statistic="sample_variance"), "no finite value without"),
    "d": (dict(data=X, statistic="mean", d=0), "'d'"),
    "all left out": (dict(data=X, statistic="mean", d=23), "leave rows over"),
    "d and groups": (dict(data=X, statistic="mean", d=2, groups=np.arange(23) // 2), "combined"),
    "one group": (dict(data=X, statistic="mean", groups=np.zeros(23)), "at least 2 groups"),
    "short groups": (dict(data=X, statistic="mean", groups=[1, 2]), "one label for each"),
    "zero weight": (dict(data=X, statistic="mean", weights=np.arange(23)), "must be positive"),
    "no weights taken": (
        dict(data=X, statistic=lambda x: 1.0, weights=np.ones(23)),
        "keyword argument weights",
    ),
    "twice left out": (dict(data=X, statistic="mean", indices=[[0, 0], [1, 2]]), "different"),
    "beyond the end": (dict(data=X, statistic="mean", indices=[[0], [23]]), "between 0 and 22"),
    "order": (dict(data=X, statistic="coefficients"), "data (X, y)"),
}


@pytest.mark.parametrize("case", BAD)
def test_jackknife_rejects(case):
    arguments, sentence = BAD[case]
    with pytest.raises((ValueError, TypeError)) as error:
        jackknife(**arguments)
    assert sentence in str(error.value)


@pytest.mark.parametrize("level", [0, 1, -0.1, 95, "high"])
def test_interval_rejects_confidence_outside_0_and_1(level):
    with pytest.raises(ValueError, match="confidence_level"):
        jackknife(X, "mean").interval(level)


def test_leverage_of_one_is_rejected():
    x = np.array([0.0, 0, 0, 0, 1])
    with pytest.raises(ValueError, match="without part 4"):
        jackknife((x, np.arange(5.0)), "coefficients")


def test_smooth_statistics_give_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = jackknife(X, "std")
    assert np.isfinite(result.standard_error)


def test_t_interval_of_the_mean_against_scipy():
    few = X[:5]
    low, high = jackknife(few, "mean").interval(0.95, method="t")
    reach = stats.t.ppf(0.975, 4) * few.std(ddof=1) / np.sqrt(5)
    np.testing.assert_allclose([low, high], [few.mean() - reach, few.mean() + reach], rtol=1e-12)
    normal = jackknife(few, "mean").interval(0.95)
    assert (high - low) / (normal.high - normal.low) == pytest.approx(2.7764 / 1.9600, rel=1e-4)


def test_t_interval_of_two_samples_is_that_of_welch():
    first, second = X[:8], 3 * Y[8:]
    result = jackknife((first, second), "mean_difference", paired=False)
    interval = stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.9)
    sign = np.sign(result.estimate) * np.sign(first.mean() - second.mean())
    ends = sorted(sign * np.array(list(result.interval(0.9, method="t"))))
    np.testing.assert_allclose(ends, interval, rtol=1e-10)


def test_t_interval_has_the_freedom_of_groups_and_of_rows_left_out_together():
    groups = np.repeat(np.arange(6), 4)[:23]
    assert jackknife(X, np.mean, groups=groups).degrees_of_freedom == 5
    assert jackknife(X, "mean", d=2).degrees_of_freedom == 22
    assert jackknife(X, "mean", d=5, n_subsets=10, random_state=0).degrees_of_freedom == 9
    assert jackknife(Z, np.mean).interval(method="t").low.shape == (3,)


def test_tukey_interval_covers_where_the_normal_one_does_not():
    random = np.random.default_rng(0)
    held = np.zeros(2)
    for sample in random.normal(size=(1000, 5)):
        result = jackknife(sample, "mean")
        intervals = [result.interval(method=own, corrected=True) for own in ("normal", "t")]
        held += [interval.low < 0 < interval.high for interval in intervals]
    assert held[0] / 1000 == pytest.approx(2 * stats.t.cdf(1.96, 4) - 1, abs=0.03)  # 0.878
    assert held[1] / 1000 == pytest.approx(0.95, abs=0.02)


def test_interval_rejects_unknown_method():
    with pytest.raises(ValueError, match="interval method"):
        jackknife(X, "mean").interval(method="bca")
