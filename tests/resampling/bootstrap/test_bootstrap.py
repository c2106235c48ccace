from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonet import limit_threads
from nonet.resampling import MovingBlocks, Quantile, ResamplingWarning
from nonet.resampling.bootstrap.bootstrap import bootstrap
from nonet.resampling.bootstrap.enumeration import all_resamples, count_resamples

RNG = np.random.default_rng(11)
X = RNG.exponential(size=31)
Y = X + RNG.normal(size=31)
GROUPS = np.arange(31) // 4
STRATA = np.arange(31) % 3

NAMED = {
    "mean": np.mean,
    "variance": np.var,
    "std": np.std,
    "sample_variance": lambda x: np.var(x, ddof=1),
    "sample_std": lambda x: np.std(x, ddof=1),
    "median": np.median,
    "minimum": np.min,
    "maximum": np.max,
}
PAIRS = {
    "correlation": lambda x, y: np.corrcoef(x, y)[0, 1],
    "ratio": lambda x, y: x.mean() / y.mean(),
    "weighted_mean": lambda y, x: np.average(y, weights=x),
    "coefficients": lambda x, y: np.polyfit(x, y, 1)[::-1],
}
PLANS = {
    "rows": {},
    "fewer rows": {"size": 12},
    "more rows": {"size": 50},
    "groups": {"groups": GROUPS},
    "strata": {"strata": STRATA},
    "groups in strata": {"groups": GROUPS, "strata": GROUPS // 4},
    "weighted draws": {"draw_weights": np.arange(31)},
}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", NAMED)
def test_named_statistic_against_naive(name, plan):
    settings = {"n_resamples": 60, "random_state": 4, **PLANS[plan]}
    by_name = bootstrap(X, name, **settings)
    by_call = bootstrap(X, lambda x: NAMED[name](x), **settings)
    np.testing.assert_allclose(by_name.distribution, by_call.distribution, rtol=1e-10)
    if plan != "weighted draws" or not name.startswith("sample"):  # n - 1 of the repeated rows
        np.testing.assert_allclose(by_name.estimate, by_call.estimate, rtol=1e-12)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", PAIRS)
def test_named_statistic_of_pairs_against_naive(name, plan):
    settings = {"n_resamples": 40, "random_state": 4, **PLANS[plan]}
    data = (Y, X) if name == "weighted_mean" else (X, Y)
    by_name = bootstrap(data, name, **settings)
    by_call = bootstrap(data, PAIRS[name], **settings)
    np.testing.assert_allclose(by_name.distribution, by_call.distribution, rtol=1e-8)


def test_two_samples_against_naive():
    settings = {"paired": False, "n_resamples": 60, "random_state": 4, "size": (20, 9)}
    settings["rate"] = 0
    by_name = bootstrap((X, Y[:9]), "mean_difference", **settings)
    by_call = bootstrap((X, Y[:9]), lambda x, y: x.mean() - y.mean(), **settings)
    np.testing.assert_allclose(by_name.distribution, by_call.distribution, rtol=1e-9)


def test_columns_against_each_column():
    table = np.column_stack([X, Y])
    for statistic in ("mean", "std", "median", Quantile(0.2), np.mean):
        both = bootstrap(table, statistic, n_resamples=50, random_state=1)
        alone = bootstrap(Y, statistic, n_resamples=50, random_state=1)
        np.testing.assert_allclose(both.distribution[:, 1], alone.distribution, rtol=1e-10)


def test_batches_are_those_of_single_resamples():
    def spread(x, axis=0):
        return np.std(x, axis=axis)

    settings = {"n_resamples": 9000, "random_state": 2}  # more than one batch
    np.testing.assert_allclose(
        bootstrap(X, spread, **settings).distribution,
        bootstrap(X, "std", **settings).distribution,
        rtol=1e-10,
    )


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_frames_reach_the_statistic(frame):
    table = frame({"x": X, "y": Y})
    settings = {"n_resamples": 30, "random_state": 4}
    by_call = bootstrap(table, lambda t: np.corrcoef(t["x"], t["y"])[0, 1], **settings)
    by_name = bootstrap((X, Y), "correlation", **settings)
    np.testing.assert_allclose(by_call.distribution, by_name.distribution, rtol=1e-10)


def test_given_indices_against_naive():
    indices = RNG.integers(31, size=(20, 31))
    for statistic in ("std", np.std, lambda x: np.std(x)):
        result = bootstrap(X, statistic, indices=indices)
        np.testing.assert_allclose(result.distribution, X[indices].std(axis=1), rtol=1e-12)
    two = bootstrap(
        (X, Y[:5]),
        "mean_difference",
        paired=False,
        indices=(indices, RNG.integers(5, size=(20, 5))),
    )
    assert two.n_resamples == 20


def test_bootstrap_against_arch():
    arch = pytest.importorskip("arch.bootstrap", reason="arch is not installed")
    peer = arch.IIDBootstrap(X, seed=1)
    indices = []
    values = peer.apply(lambda x: indices.append(peer.index.copy()) or np.std(x), 25)
    result = bootstrap(X, "std", indices=np.array(indices[1:]))  # the first are the data
    np.testing.assert_allclose(result.distribution, values[:, 0], rtol=1e-12)


def test_result_is_deterministic():
    one, two = (bootstrap(X, "median", n_resamples=99, random_state=5) for _ in range(2))
    np.testing.assert_array_equal(one.distribution, two.distribution)
    other = bootstrap(X, "median", n_resamples=99, random_state=6)
    assert not np.array_equal(one.distribution, other.distribution)


def test_result_is_deterministic_for_any_number_of_threads():
    def run(n_threads):
        with limit_threads(n_threads):
            return bootstrap((X, Y), "correlation", n_resamples=9000, random_state=5).distribution

    np.testing.assert_array_equal(run(1), run(5))


def test_more_resamples_begin_with_the_fewer():
    few, many = (bootstrap(X, "std", n_resamples=b, random_state=5) for b in (70, 300))
    np.testing.assert_array_equal(many.distribution[:70], few.distribution)


def test_standard_error_of_a_mean_against_theory():
    result = bootstrap(X, "mean", n_resamples=20000, random_state=0)
    np.testing.assert_allclose(result.standard_error, X.std() / np.sqrt(31), rtol=0.02)
    assert abs(result.bias) < 4 * result.monte_carlo_error().mean


def test_summaries_are_those_of_the_distribution():
    result = bootstrap(X, "std", n_resamples=200, random_state=0)
    values = result.distribution
    np.testing.assert_allclose(result.mean, values.mean())
    np.testing.assert_allclose(result.bias, values.mean() - X.std())
    np.testing.assert_allclose(result.corrected_estimate, 2 * X.std() - values.mean())
    np.testing.assert_allclose(result.variance, values.var(ddof=1))
    assert not result.exact


# ---- Enumeration -----------------------------------------------------------------------------


@given(n_rows=st.integers(1, 5), size=st.integers(1, 5))
def test_enumeration_against_naive(n_rows, size):
    rows, probabilities = all_resamples(n_rows, size)
    ordered = np.stack(np.meshgrid(*[np.arange(n_rows)] * size), axis=-1).reshape(-1, size)
    unique, counts = np.unique(np.sort(ordered, axis=1), axis=0, return_counts=True)
    np.testing.assert_array_equal(rows, unique)
    np.testing.assert_allclose(probabilities, counts / n_rows**size)
    assert len(rows) == count_resamples(n_rows, size)


def test_exact_variance_of_a_mean_against_theory():
    result = bootstrap(X[:6], "mean")
    assert result.exact
    np.testing.assert_allclose(result.variance, X[:6].var() / 6)
    np.testing.assert_allclose(result.mean, X[:6].mean())
    assert result.monte_carlo_error().worst() == 0


def test_exact_intervals_are_near_the_drawn_ones():
    exact = bootstrap(X[:7], "mean")
    drawn = bootstrap(X[:7], "mean", exact=False, n_resamples=50000, random_state=0)
    for method, interval in drawn.intervals().items():
        error = 0.02 * exact.standard_error
        np.testing.assert_allclose(list(exact.interval(method)), list(interval), atol=error)


def test_exact_is_chosen_by_the_number_of_resamples():
    assert bootstrap(X[:5], "mean", n_resamples=126).exact
    assert not bootstrap(X[:5], "mean", n_resamples=125, random_state=0).exact
    assert bootstrap(X[:5], "mean", n_resamples=50, exact=True).n_resamples == 126
    assert not bootstrap(X[:5], "mean", standard_error="jackknife", n_resamples=126).exact


# ---- Degenerate resamples --------------------------------------------------------------------


def test_degenerate_resamples_are_counted():
    with pytest.warns(ResamplingWarning, match="in 3 of 10 resamples"):
        result = bootstrap((X[:3], Y[:3]), "correlation")
    assert result.n_degenerate == 3  # all three draws equal
    assert result.n_resamples == 7
    np.testing.assert_allclose(result.probabilities.sum(), 1)


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_degenerate_correlation_is_found_in_spite_of_rounding(offset):
    x, y = X[:4] + offset, Y[:4] / 3
    rows = np.array([[0, 0, 0, 0], [3, 3, 3, 3], [0, 1, 2, 3], [0, 1, 1, 3]])
    with pytest.warns(ResamplingWarning):
        result = bootstrap((x, y), "correlation", indices=rows)
    assert result.n_degenerate == 2


def test_degenerate_fit_is_counted():
    rows = np.array([[0] * 5, [0, 0, 1, 1, 1], [0, 1, 2, 3, 4], [4] * 5])
    for statistic in ("coefficients", lambda x, y: bootstrap_fit(x, y)):
        with pytest.warns(ResamplingWarning):
            result = bootstrap((X[:5], Y[:5]), statistic, indices=rows)
        assert result.n_degenerate == 2


def bootstrap_fit(x, y):
    if np.ptp(x) == 0:
        return np.full(2, np.nan)
    return np.polyfit(x, y, 1)


# ---- Studentised, tests, precision -----------------------------------------------------------


@pytest.mark.parametrize("how", ["jackknife", lambda x: np.std(x, ddof=1) / np.sqrt(len(x))])
def test_standard_errors_within_resamples_against_theory(how):
    result = bootstrap(X, "mean", standard_error=how, n_resamples=50, random_state=0)
    rows = bootstrap(X, lambda x: np.std(x, ddof=1), n_resamples=50, random_state=0)
    np.testing.assert_allclose(result.standard_errors, rows.distribution / np.sqrt(31))
    np.testing.assert_allclose(result.sample_error, X.std(ddof=1) / np.sqrt(31))


def test_nested_standard_errors_are_near_the_formula():
    settings = {"n_resamples": 100, "random_state": 0}
    nested = bootstrap(X, "mean", standard_error="nested", n_nested=400, **settings)
    formula = bootstrap(X, "std", **settings).distribution / np.sqrt(31)
    np.testing.assert_allclose(nested.standard_errors, formula, rtol=0.2)
    assert abs(np.mean(nested.standard_errors / formula) - 1) < 0.02


def test_test_rejects_a_far_null_value_and_keeps_a_near_one():
    for how in (None, "jackknife"):
        result = bootstrap(X, "mean", n_resamples=999, standard_error=how, random_state=0)
        assert result.test(result.estimate).p_value == 1.0
        assert result.test(-9.0).p_value == pytest.approx(1 / 1000)
        assert result.test(-9.0, "less").p_value == 1.0
        assert result.test(-9.0, "greater").p_value == pytest.approx(1 / 1000)
        assert result.test().studentised == (how is not None)


def test_test_against_naive():
    result = bootstrap(X, "mean", n_resamples=500, random_state=0)
    null = X.mean() - 0.1
    strayed = result.distribution - X.mean()
    expected = (1 + np.sum(np.abs(strayed) >= 0.1)) / 501
    np.testing.assert_allclose(result.test(null).p_value, expected)
    less = (1 + np.sum(strayed <= 0.1)) / 501
    np.testing.assert_allclose(result.test(null, "less").p_value, less)


def test_exact_test_can_reach_zero():
    assert bootstrap(X[:5], "mean").test(-100.0).p_value == 0


def test_monte_carlo_error_against_repetition():
    results = [bootstrap(X, "mean", n_resamples=400, random_state=seed) for seed in range(200)]
    stated = results[0].monte_carlo_error(0.9)
    lows, highs = zip(*(r.interval("percentile", 0.9) for r in results), strict=True)
    for found, values in [
        (stated.mean, [r.mean for r in results]),
        (stated.standard_error, [r.standard_error for r in results]),
        (stated.low, lows),
        (stated.high, highs),
    ]:
        np.testing.assert_allclose(found, np.std(values, ddof=1), rtol=0.5)


def test_until_stops_at_the_precision():
    result = bootstrap(X, "mean", n_resamples=10**6, until=0.05, random_state=0)
    assert 1000 <= result.n_resamples <= 8000
    assert result.monte_carlo_error().worst() <= 0.05 * result.standard_error
    half = result.distribution[: result.n_resamples // 2]
    prefix = bootstrap(X, "mean", n_resamples=len(half), random_state=0)
    assert prefix.monte_carlo_error().worst() > 0.05 * prefix.standard_error


def test_until_never_exceeds_n_resamples():
    assert bootstrap(X, "mean", n_resamples=1500, until=1e-6, random_state=0).n_resamples == 1500


def test_progress_is_told(capsys):
    told = []
    result = bootstrap(
        X, "mean", n_resamples=990, random_state=0, progress=lambda *now: told.append(now)
    )
    assert told[-1] == (990, 990)
    assert len(told) == 20
    plain = bootstrap(X, "mean", n_resamples=990, random_state=0, progress=True)
    np.testing.assert_array_equal(result.distribution, plain.distribution)
    assert "bootstrap: 990 of 990 resamples" in capsys.readouterr().err


def test_progress_does_not_change_where_until_stops():
    settings = {"n_resamples": 50_000, "until": 0.05, "random_state": 0}
    silent = bootstrap(X, "mean", **settings)
    told = bootstrap(X, "mean", **settings, progress=lambda *now: None)
    assert len(silent.distribution) < 50_000
    np.testing.assert_array_equal(told.distribution, silent.distribution)


def test_result_survives_pickling():
    result = bootstrap(X, "mean", n_resamples=50, random_state=0)
    before = result.interval("bca")
    again = pickle.loads(pickle.dumps(result))
    assert list(again.interval("bca")) == list(before)


def test_result_reads_well():
    text = str(bootstrap(X, "mean", n_resamples=50, random_state=0))
    assert "standard_error" in text
    assert "n_degenerate    0" in text


BAD = {
    "one row": ({"data": [1.0]}, "at least 2 rows"),
    "missing": ({"data": [1.0, np.nan]}, "NaN at row 1"),
    "no part": ({"data": ()}, "empty tuple"),
    "no resamples": ({"n_resamples": 0}, "'n_resamples'"),
    "paired": ({"paired": "yes"}, "'paired'"),
    "lengths": ({"data": (X, Y[:4]), "statistic": "correlation"}, "paired=False"),
    "NaN statistic": ({"statistic": lambda x: np.inf}, "not finite"),
    "all degenerate": (
        {"statistic": lambda x: x.mean() if np.array_equal(x, X) else np.nan, "n_resamples": 9},
        "there is no distribution",
    ),
    "shape changes": (
        {"statistic": lambda x: np.ones(1 + np.array_equal(x, X)), "n_resamples": 9},
        "same shape",
    ),
    "axis not dropped": ({"statistic": lambda x, axis: np.std(x)}, "must drop it"),
    "scheme": ({"scheme": "blocks"}, "'scheme'"),
    "scheme and groups": ({"scheme": MovingBlocks(3), "groups": GROUPS}, "cannot be combined"),
    "indices and size": ({"indices": [[0]], "size": 3}, "cannot be combined"),
    "indices beyond": ({"indices": [[0, 31]]}, "between 0 and 30"),
    "indices of numbers": ({"indices": [[0.5]]}, "whole numbers"),
    "indices of two": ({"indices": ([[0]], [[1]])}, "each of the 1 samples"),
    "size": ({"size": 0}, "'size'"),
    "sizes": ({"size": (3, 4)}, "'size'"),
    "draw weights": ({"draw_weights": -np.ones(31)}, "at least 0"),
    "standard error": ({"standard_error": "magic", "n_resamples": 9}, "'standard_error'"),
    "errors of a scheme": (
        {"standard_error": "nested", "scheme": MovingBlocks(3), "n_resamples": 9},
        "not those of a scheme",
    ),
    "exact groups": ({"exact": True, "groups": GROUPS}, "single, equally likely rows"),
    "exact and errors": ({"exact": True, "standard_error": "nested"}, "leave one"),
    "too many to list": ({"exact": True}, "more than a million"),
    "until": ({"until": 0}, "'until'"),
    "two columns": ({"statistic": "ratio"}, "two columns"),
    "negative weights": (
        {"data": (X, -X), "statistic": "weighted_mean"},
        "at least 0",
    ),
    "dependent columns": (
        {"data": (np.column_stack([X, X]), Y), "statistic": "coefficients"},
        "not finite",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bootstrap_rejects(case):
    arguments, sentence = BAD[case]
    settings = {"data": X, "statistic": "mean", "random_state": 0} | arguments
    with pytest.raises((ValueError, TypeError)) as error:
        bootstrap(**settings)
    assert sentence in str(error.value)


@pytest.mark.parametrize("case", [{"null_value": np.nan}, {"alternative": "bigger"}])
def test_test_rejects_bad_arguments(case):
    result = bootstrap(X, "mean", n_resamples=50, random_state=0)
    with pytest.raises(ValueError, match=next(iter(case))):
        result.test(**case)


def test_rejects_rows_of_several_lengths_and_statistics_that_are_no_numbers():
    with pytest.raises(ValueError, match="data must be a table with rows of one length"):
        bootstrap([[1], [2, 3]], "mean")
    with pytest.raises(TypeError, match="the values of .* must be numbers, but got 'a'"):
        bootstrap([1.0, 2.0, 3.0], lambda x: "a")


@pytest.mark.parametrize("labels", [[1, np.nan, 2, 2], ["a", None, "b", "b"]])
@pytest.mark.parametrize("what", ["groups", "strata"])
def test_rejects_missing_labels_of_groups_and_strata(what, labels):
    with pytest.raises(ValueError, match=f"{what} must hold a label .* row 1 is missing"):
        bootstrap([1.0, 2.0, 3.0, 4.0], "mean", **{what: labels})
