"""Bias and variance from sums over the rows, against leaving each row out one by one."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction

import numpy as np
import pytest

from nonet import limit_threads
from nonet.resampling import Moment
from nonet.resampling.bootstrap.jackknife import jackknife, leave_each_out
from nonet.resampling.bootstrap.measures import measure
from nonet.resampling.statistics.samples import as_sample
from nonet.resampling.statistics.units import make_units
from resampling import naive

RNG = np.random.default_rng(8)
N = 61
X = RNG.exponential(size=N)
Y = X + RNG.normal(size=N)
T = RNG.normal(loc=[0.0, 1.0, -2.0], size=(N, 3))
R = T @ [1.0, -2.0, 0.5] + RNG.exponential(size=N)
FAR = 1e8


def spread(x, ddof=0):
    return np.sum((x - x.mean()) ** 2) / (len(x) - ddof)


def correlation(z):
    dx, dy = (z - z.mean(axis=0)).T
    return np.sum(dx * dy) / np.sqrt(np.sum(dx * dx) * np.sum(dy * dy))


# The statistic, and the same of fractions, or of long doubles where there is a root.
ONE_COLUMN = {
    "mean": ("mean", np.mean),
    "variance": ("variance", spread),
    "std": ("std", lambda x: np.sqrt(spread(x))),
    "sample_variance": ("sample_variance", lambda x: spread(x, 1)),
    "sample_std": ("sample_std", lambda x: np.sqrt(spread(x, 1))),
    "raw moment 3": (Moment(3), np.mean),
    "central moment 2": (Moment(2, central=True), spread),
    "central moment 3": (Moment(3, central=True), lambda x: np.mean((x - x.mean()) ** 3)),
    "central moment 5": (Moment(5, central=True), lambda x: np.mean((x - x.mean()) ** 5)),
}
PAIRS = {"correlation": correlation, "ratio": lambda z: z[:, 0].mean() / z[:, 1].mean()}


def as_fractions(table):
    return np.vectorize(Fraction, otypes=[object])(table)


def check_against_naive(result, table, statistic, rtol=1e-10):
    assert "partials" not in vars(result)  # else the sums were not the way taken
    estimate, _, _, bias, variance = naive.jackknife(table, statistic)
    np.testing.assert_allclose(result.estimate, float(estimate), rtol=1e-12)
    error = np.sqrt(float(variance))
    np.testing.assert_allclose(result.bias, float(bias), rtol=rtol, atol=1e-12 * error)
    np.testing.assert_allclose(result.variance, float(variance), rtol=rtol)
    assert "partials" not in vars(result)


@pytest.mark.parametrize("far", [0.0, FAR])
@pytest.mark.parametrize("name", ONE_COLUMN)
def test_sums_of_one_column_against_naive(name, far):
    statistic, by_hand = ONE_COLUMN[name]
    x = X + far
    result = jackknife(x, statistic)
    x = x**3 if name == "raw moment 3" else x  # its rounding is that of the numbers handed over
    exact = x.astype(np.longdouble) if name.endswith("std") else as_fractions(x)
    check_against_naive(result, exact, by_hand)


@pytest.mark.parametrize("far", [0.0, FAR])
@pytest.mark.parametrize("name", PAIRS)
def test_sums_of_a_pair_against_naive(name, far):
    z = np.column_stack([X, Y + 3]) + far
    exact = as_fractions(z) if name == "ratio" else z.astype(np.longdouble)
    check_against_naive(jackknife((z[:, 0], z[:, 1]), name), exact, PAIRS[name])


@pytest.mark.parametrize("far", [0.0, FAR])
def test_sums_of_least_squares_against_naive(far):
    # Slopes do not depend on where X lies: the far fit is compared with the near one, moved.
    result = jackknife((T + far, R), "coefficients")
    assert "partials" not in vars(result)
    near = ((T + far) - far, R)
    partials = leave_each_out(measure("coefficients", as_sample(near)), make_units(as_sample(near)))
    for field in ("estimate", "bias", "variance"):
        ours, theirs = (np.asarray(getattr(r, field)) for r in (result, partials))
        first = 1 if far else 0  # the intercept does
        np.testing.assert_allclose(ours[first:], theirs[first:], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("data", "statistic"),
    [
        *((X, statistic) for statistic, _ in ONE_COLUMN.values()),
        *(((X, Y), name) for name in PAIRS),
        (np.column_stack([X, Y]), "std"),
        (X.astype(np.float32), "mean"),
        (list(range(9)), "variance"),
        ((T, R), "coefficients"),
        ((X, R), "coefficients"),
    ],
)
def test_sums_against_row_by_row_path(data, statistic):
    result, sample = jackknife(data, statistic), as_sample(data)
    slow = leave_each_out(measure(statistic, sample), make_units(sample))
    assert "partials" not in vars(result)
    for field in ("estimate", "bias", "variance", "standard_error", "variance_from_partials"):
        ours, theirs = getattr(result, field), getattr(slow, field)
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-13, err_msg=field)
    for field in ("partials", "pseudovalues", "influence"):
        ours, theirs = getattr(result, field), getattr(slow, field)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12, err_msg=field)
    assert result.n_left_out == len(result.partials)


def test_first_rows_unlike_the_others_lose_no_digits():
    # The first guess at the centre is the mean of the first rows, here far from all others.
    x = np.concatenate([np.full(256, 1e9), RNG.normal(size=20_000)])
    exact = x.astype(np.longdouble)
    gaps = (exact - exact.mean()) ** 2
    np.testing.assert_allclose(
        jackknife(x, "mean").variance, float(gaps.sum() / len(x) / (len(x) - 1)), rtol=1e-12
    )


def test_first_rows_of_a_design_unlike_the_others_lose_no_digits():
    table = np.concatenate([np.full((256, 2), 1e6), np.zeros((6_000, 2))])
    table += RNG.normal(size=table.shape)
    sample = as_sample((table, table @ [1.0, -1.0] + RNG.normal(size=len(table))))
    sums = jackknife(sample.parts, "coefficients")
    slow = leave_each_out(measure("coefficients", sample), make_units(sample))
    np.testing.assert_allclose(sums.variance, slow.variance, rtol=1e-6)


def test_sums_are_deterministic_for_any_thread_count():
    x = RNG.normal(size=1_100_000)
    y = x + RNG.normal(size=len(x))
    for data, name in [(x, "mean"), (x, "std"), ((x, y), "correlation"), ((x, y), "ratio")]:
        with limit_threads(1):
            one = jackknife(data, name)
        with limit_threads(4):
            four = jackknife(data, name)
        assert (one.estimate, one.bias, one.variance) == (four.estimate, four.bias, four.variance)


def test_result_with_waiting_arrays_is_frozen_and_pickles():
    result = jackknife((X, Y), "correlation")
    with pytest.raises(FrozenInstanceError):
        result.partials = X
    for twin in (pickle.loads(pickle.dumps(result)), copy.deepcopy(jackknife((X, Y), "ratio"))):
        assert list(vars(twin)) == [field.name for field in fields(twin)]
    twin = pickle.loads(pickle.dumps(result))
    np.testing.assert_array_equal(twin.pseudovalues, result.pseudovalues)
    assert twin.partials is twin.partials
    with pytest.raises(AttributeError, match="no attribute 'partial'"):
        _ = result.partial


def test_partials_of_changed_data_are_refused():
    x = X.copy()
    early, late = jackknife(x, "std"), jackknife(x, "std")
    expected = early.partials
    x[3] += 1
    np.testing.assert_array_equal(early.partials, expected)
    with pytest.raises(ValueError, match="data have changed"):
        _ = late.partials


@pytest.mark.parametrize(
    ("data", "statistic"),
    [
        (np.ones(5), "std"),
        (np.array([1e200, -1e200, 3e200]), "mean"),
        ((np.arange(4.0), np.array([0.0, 0, 0, 1e-3])), "ratio"),
        ((T[:, [0, 0]] + 1e-7 * T[:, 1:], R), "coefficients"),
    ],
)
def test_near_degenerate_data_go_row_by_row(data, statistic):
    if statistic == "ratio":
        with pytest.raises(ValueError, match="without part 3"):
            jackknife(data, statistic)
        return
    with np.errstate(over="ignore"):
        assert "partials" in vars(jackknife(data, statistic))


@pytest.mark.parametrize("name", ["mean", "std", "correlation", "ratio", "coefficients"])
def test_sums_reject_missing_numbers(name):
    x = np.where(np.arange(N) == 5, np.nan, X)
    with pytest.raises(ValueError, match="NaN at row 5"):
        jackknife(x if name in ("mean", "std") else (x, Y), name)
