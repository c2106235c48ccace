from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB

from nonet.resampling import (
    corrected_t_test,
    cv_error,
    five_by_two_test,
    mcnemar_test,
)
from nonet.resampling.error_estimates.model_tests import compare_halves

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(80, 3))
Y = X[:, 0] + RANDOM.normal(size=80)
LABELS = (Y > 0).astype(int)


def test_corrected_t_test_against_theory():
    first, second = RANDOM.uniform(size=(2, 15))
    gaps = first - second
    statistic = gaps.mean() / np.sqrt((1 / 15 + 0.25) * gaps.var(ddof=1))
    test = corrected_t_test(first, second, test_ratio=0.25)
    assert test.statistic == pytest.approx(statistic)
    assert test.p_value == pytest.approx(2 * stats.t.sf(abs(statistic), 14))
    plain = stats.ttest_rel(first, second)
    assert abs(test.statistic) < abs(plain.statistic)


def test_corrected_t_test_reads_sizes_from_results():
    cv = ShuffleSplit(10, test_size=20, random_state=0)
    errors = [cv_error(model, X, Y, cv=cv) for model in (DummyRegressor(), LinearRegression())]
    test = corrected_t_test(*errors)
    by_hand = corrected_t_test(*(own.fold_errors for own in errors), test_ratio=20 / 60)
    assert test.p_value == pytest.approx(by_hand.p_value)
    assert test.difference > 0


def test_corrected_t_test_keeps_its_level_where_the_plain_one_does_not_against_theory():
    """Two constants of nearly equal error: how often each test sees a difference."""
    plain, corrected = 0, 0
    for seed in range(60):
        y = np.random.default_rng(seed).uniform(size=40)
        cv = ShuffleSplit(15, test_size=0.25, random_state=seed)
        models = DummyRegressor(), DummyRegressor(strategy="constant", constant=0.5)
        errors = [cv_error(model, np.zeros((40, 1)), y, cv=cv) for model in models]
        corrected += corrected_t_test(*errors).p_value < 0.05
        gaps = errors[0].fold_errors - errors[1].fold_errors
        plain += stats.ttest_1samp(gaps, 0).pvalue < 0.05
    assert corrected <= 6
    assert plain >= 10


def test_equal_models_show_no_difference():
    test = corrected_t_test([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], test_ratio=0.5)
    assert (test.statistic, test.p_value) == (0, 1)
    certain = corrected_t_test([0.5, 0.5], [0.25, 0.25], test_ratio=0.5)
    assert (certain.statistic, certain.p_value) == (np.inf, 0)


def test_five_by_two_against_theory():
    differences = RANDOM.normal(size=(5, 2))
    variances = differences.var(axis=1, ddof=1)
    t = differences[0, 0] / np.sqrt(variances.mean())
    f = (differences**2).sum() / (2 * variances.sum())
    assert compare_halves(differences, "t").statistic == pytest.approx(t)
    assert compare_halves(differences, "t").p_value == pytest.approx(2 * stats.t.sf(abs(t), 5))
    assert compare_halves(differences, "f").p_value == pytest.approx(stats.f.sf(f, 10, 5))


@pytest.mark.parametrize("kind", ["f", "t"])
def test_five_by_two_finds_a_better_model_and_is_deterministic(kind):
    models = DummyRegressor(), LinearRegression()
    tests = [five_by_two_test(*models, X, Y, kind=kind, random_state=3) for _ in range(2)]
    assert tests[0].p_value == tests[1].p_value < 0.1
    assert tests[0].difference > 0


def test_five_by_two_of_equal_models_has_p_one():
    test = five_by_two_test(GaussianNB(), GaussianNB(), X, LABELS, random_state=0)
    assert (test.difference, test.statistic, test.p_value) == (0, 0, 1)


@pytest.mark.parametrize("exact", [True, False])
def test_mcnemar_against_mlxtend(exact):
    first = np.where(RANDOM.random(80) < 0.2, 1 - LABELS, LABELS)
    second = np.where(RANDOM.random(80) < 0.4, 1 - LABELS, LABELS)
    peer = pytest.importorskip("mlxtend.evaluate", reason="mlxtend is not installed")
    table = peer.mcnemar_table(LABELS, first, second)
    statistic, p_value = peer.mcnemar(table, exact=exact)
    test = mcnemar_test(LABELS, first, second, exact=exact)
    assert test.p_value == pytest.approx(p_value)
    if not exact:
        assert test.statistic == pytest.approx(statistic)
    assert test.difference == pytest.approx(np.mean(first != LABELS) - np.mean(second != LABELS))


def test_mcnemar_is_exact_for_few_disagreements():
    y = np.zeros(100)
    few, many = (np.arange(100) < k for k in (10, 40))
    assert mcnemar_test(y, y, few).method == "exact McNemar test"
    assert mcnemar_test(y, y, many).method == "McNemar test"
    assert mcnemar_test(y, y, y).p_value == 1


def test_model_tests_reject_bad_input():
    with pytest.raises(ValueError, match="parameter 'test_ratio' must be"):
        corrected_t_test([1.0, 2.0], [1.0, 3.0])
    with pytest.raises(ValueError, match="same splits, at least 2"):
        corrected_t_test([1.0], [2.0], test_ratio=0.5)
    with pytest.raises(ValueError, match="finite errors"):
        corrected_t_test([1.0, np.nan], [2.0, 1.0], test_ratio=0.5)
    one, other = (cv_error(LinearRegression(), X, Y, cv=k) for k in (4, 5))
    with pytest.raises(ValueError, match="come from the same splits"):
        corrected_t_test(one, other)
    with pytest.raises(ValueError, match="leave it out"):
        corrected_t_test(one, one, test_ratio=0.5)
    with pytest.raises(ValueError, match="parameter 'kind' must be"):
        five_by_two_test(LinearRegression(), LinearRegression(), X, Y, kind="z")
    with pytest.raises(ValueError, match="same rows"):
        mcnemar_test([0, 1], [0], [0, 1])
    with pytest.raises(ValueError, match="parameter 'exact' must be"):
        mcnemar_test([0, 1], [0, 1], [0, 1], exact="yes")
