from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from sklearn.metrics import cohen_kappa_score

import nonet
from diagnostics.matrices import CORRECT, LABELS, MEANS, ORACLE, XR, YR
from nonet.diagnostics import kappa_error, measure_diversity, record_predictions
from nonet.theory import diversity_from_variance


def naive_pair(a, b):
    n11, n10 = np.sum(a & b), np.sum(a & ~b)
    n01, n00 = np.sum(~a & b), np.sum(~a & ~b)
    return n11, n10, n01, n00


@given(CORRECT)
def test_pairs_against_naive(correct):
    matrices = measure_diversity(correct).matrices
    n_rows = len(correct)
    for i, j in itertools.combinations(range(correct.shape[1]), 2):
        n11, n10, n01, n00 = naive_pair(correct[:, i], correct[:, j])
        assert matrices["disagreement"][i, j] == pytest.approx((n10 + n01) / n_rows)
        assert matrices["double_fault"][i, j] == pytest.approx(n00 / n_rows)
        if n11 * n00 + n01 * n10:
            q = (n11 * n00 - n01 * n10) / (n11 * n00 + n01 * n10)
            assert matrices["q_statistic"][i, j] == pytest.approx(q)
        if 0 < correct[:, i].mean() < 1 and 0 < correct[:, j].mean() < 1:
            expected = np.corrcoef(correct[:, i], correct[:, j])[0, 1]
            assert matrices["correlation"][i, j] == pytest.approx(expected, abs=1e-9)
            expected = cohen_kappa_score(correct[:, i], correct[:, j])
            assert matrices["kappa"][i, j] == pytest.approx(expected, abs=1e-9)


@given(CORRECT)
def test_identities_between_measures_against_theory(correct):
    assume(0 < correct.mean() < 1)
    result = measure_diversity(correct)
    variance = result.overall["kohavi_wolpert"]
    theory = diversity_from_variance(result.accuracy, variance, correct.shape[1])
    measured = {**result.overall, **result.pairwise}
    for name, value in theory.items():
        assert measured[name] == pytest.approx(value, abs=1e-9), name


@given(CORRECT)
def test_coincident_failure_against_theory(correct):
    k, r = correct.shape[1], correct.mean()
    none_fails = np.mean(correct.all(axis=1))
    assume(none_fails < 1)
    expected = k * (r - none_fails) / ((k - 1) * (1 - none_fails))
    assert measure_diversity(correct).overall["coincident_failure"] == pytest.approx(expected)


@given(CORRECT)
def test_all_measures_are_finite_and_in_range(correct):
    result = measure_diversity(correct)
    for name in ("correlation", "q_statistic", "kappa"):
        assert np.all(np.abs(result.matrices[name]) <= 1 + 1e-9)
    for name in ("entropy", "generalized_diversity", "coincident_failure", "kohavi_wolpert"):
        assert -1e-9 <= result.overall[name] <= 1 + 1e-9


@given(CORRECT)
def test_order_of_members_changes_nothing(correct):
    result, turned = measure_diversity(correct), measure_diversity(correct[:, ::-1])
    for name, value in result.overall.items():
        assert turned.overall[name] == pytest.approx(value)
    for name, value in result.pairwise.items():
        assert turned.pairwise[name] == pytest.approx(value)


@given(CORRECT)
def test_a_full_presence_is_no_presence(correct):
    plain, full = (
        measure_diversity(correct),
        measure_diversity(correct, present=np.ones_like(correct)),
    )
    assert plain.overall == pytest.approx(full.overall)
    assert plain.pairwise == pytest.approx(full.pairwise)


def test_pairs_are_compared_on_common_rows_only():
    correct = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    present = np.array([[1, 1, 0], [1, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=bool)
    matrix = measure_diversity(correct, present=present).matrices["disagreement"]
    assert matrix[0, 1] == pytest.approx(1 / 3)
    assert matrix[0, 2] == pytest.approx(1 / 3)
    assert matrix[1, 2] == 0


def test_large_tables_are_counted_exactly():
    correct = np.random.default_rng(0).random((40_000, 3)) < 0.7
    _, n10, n01, _ = naive_pair(correct[:, 0], correct[:, 1])
    matrices = measure_diversity(correct).matrices
    assert matrices["disagreement"][0, 1] == (n10 + n01) / 40_000


def test_identical_members_agree_fully():
    result = measure_diversity(np.repeat([[1], [0], [1]], 4, axis=1))
    for name in ("correlation", "q_statistic", "kappa"):
        assert result.pairwise[name] == 1
    assert result.overall["interrater_agreement"] == 1
    for name in ("entropy", "kohavi_wolpert", "generalized_diversity", "coincident_failure"):
        assert result.overall[name] == pytest.approx(0)


@pytest.mark.parametrize("right", [0, 1])
def test_members_that_never_vary_have_defined_measures(right):
    result = measure_diversity(np.full((5, 3), right))
    assert result.pairwise["q_statistic"] == result.pairwise["correlation"] == 1
    assert result.overall["interrater_agreement"] == 1
    assert result.overall["generalized_diversity"] == 0


def test_a_member_without_variation_has_no_correlation():
    result = measure_diversity([[1, 0], [1, 1], [1, 0]])
    assert result.pairwise["correlation"] == result.pairwise["q_statistic"] == 0


def test_result_prints_all_measures_and_the_caution():
    text = str(measure_diversity(ORACLE))
    assert "q_statistic" in text
    assert "coincident_failure" in text
    assert "no measure of diversity predicts accuracy" in text


@given(LABELS)
def test_kappa_of_labels_against_sklearn(labels):
    truth = labels[:, 0]
    result = kappa_error(record_predictions(labels, truth, classes=[0, 1, 2]))
    pairs = list(itertools.combinations(range(labels.shape[1]), 2))
    for position, (i, j) in enumerate(pairs):
        errors = np.mean(labels[:, i] != truth), np.mean(labels[:, j] != truth)
        assert result.error[position] == pytest.approx(np.mean(errors))
        if len(np.unique(labels[:, [i, j]])) > 1:
            expected = cohen_kappa_score(labels[:, i], labels[:, j], labels=[0, 1, 2])
            assert result.kappa[position] == pytest.approx(expected, abs=1e-9)
        else:
            assert result.kappa[position] == 1


def test_diversity_rejects_one_member_and_bad_matrices():
    with pytest.raises(ValueError, match="at least two members, but there is one"):
        measure_diversity([[1], [0]])
    with pytest.raises(ValueError, match="made of 0 and 1"):
        measure_diversity([[1, 2]])
    with pytest.raises(ValueError, match="at least one entry"):
        measure_diversity(np.empty((0, 2)))
    with pytest.raises(ValueError, match="members 0 and 1 have no row that both predict"):
        measure_diversity([[1, 0], [0, 1]], present=[[True, False], [False, True]])
    with pytest.raises(ValueError, match="kappa_error needs at least two members"):
        kappa_error(record_predictions([[1], [0]], [1, 0]))


def test_diversity_of_a_regression_points_to_ambiguity():
    model = MEANS["sklearn forest"].fit(XR, YR)
    with pytest.raises(TypeError, match=r"see nonet\.ambiguity"):
        nonet.diversity(model, XR, YR)
