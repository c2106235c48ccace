"""Calibration, thresholds, errors and slices, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    f1_score,
    precision_score,
    recall_score,
    roc_auc_score,
)

from nonet.diagnostics import reliability_curve
from nonet.report import make_report
from nonet.report.calibration_facts import reliability, wilson_interval
from nonet.report.evidence import Evidence
from nonet.report.shown_columns import ShownColumn
from nonet.report.slice_facts import cut_column, holm, losses_by_slice
from nonet.report.threshold_facts import rates_at
from nonet.tables.table import LeveledColumn
from report.facts_cases import (
    BINARY,
    DIABETES,
    IRIS,
    fitted,
    held_out,
    report_on,
    report_on_run,
    run_of,
)


def logit_on_held_out():
    X, y = held_out(BINARY)
    return fitted("logit").predict_proba(X)[:, 1], y


# ---- Calibration ---------------------------------------------------------------------------------


def test_calibration_against_reliability_curve():
    p, y = logit_on_held_out()
    curve, found = reliability_curve(y, p), report_on("logit").facts["calibration"]
    assert found["expected_calibration_error"] == pytest.approx(curve.calibration_error)
    assert [one["predicted"] for one in found["bins"]] == pytest.approx(curve.predicted.tolist())
    assert [one["observed"] for one in found["bins"]] == pytest.approx(curve.observed.tolist())
    assert [one["n_rows"] for one in found["bins"]] == curve.n_rows.tolist()
    assert found["bias"] == pytest.approx(p.mean() - y.mean())


def test_calibration_with_weights_is_that_of_repeated_rows():
    random = np.random.default_rng(0)
    p, weights = random.random(50), random.integers(1, 4, 50)
    event = (random.random(50) < p).astype(float)
    weighted = reliability(event, p, weights.astype(float))
    repeated = reliability(np.repeat(event, weights), np.repeat(p, weights), np.ones(weights.sum()))
    for one, other in zip(weighted["bins"], repeated["bins"], strict=True):
        assert one["observed"] == pytest.approx(other["observed"])
        assert one["weight"] == pytest.approx(other["weight"])
    error = "expected_calibration_error"
    assert weighted[error] == pytest.approx(repeated[error])


def test_calibration_of_many_classes_is_of_the_top_label():
    X, y = held_out(IRIS)
    p = fitted("forest").predict_proba(X)
    found = report_on("forest").facts["calibration"]
    right = (p.argmax(axis=1) == y).astype(int)
    curve = reliability_curve(right, p.max(axis=1), pos_label=1)
    assert found["kind"] == "top label"
    assert found["expected_calibration_error"] == pytest.approx(curve.calibration_error)
    per_class = reliability_curve((y == 1).astype(int), p[:, 1], pos_label=1)
    assert found["classes"][1]["expected_calibration_error"] == pytest.approx(
        per_class.calibration_error
    )


def test_calibration_of_values_has_ten_groups_with_their_means():
    X, y = held_out(DIABETES)
    predictions = fitted("line").predict(X)
    bins = report_on("line").facts["calibration"]["bins"]
    order = np.argsort(predictions)
    groups = [order[predictions[order] <= predictions[order][len(y) // 10]]]
    assert len(bins) == 10
    assert sum(one["n_rows"] for one in bins) == len(y)
    assert bins[0]["n_rows"] == pytest.approx(len(groups[0]), abs=1)
    assert all(one["low"] < one["observed"] < one["high"] for one in bins)


def test_wilson_interval_against_theory():
    low, high = wilson_interval(0.0, 10)
    assert low == 0.0
    assert high == pytest.approx(1.96**2 / (10 + 1.96**2))


def test_classes_without_probabilities_are_not_calibrated():
    facts = report_on("classes only").facts
    assert "without probabilities" in facts["calibration"]["missing"]
    assert "without probabilities" in facts["threshold"]["missing"]


# ---- Thresholds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [10, 50, 90])
def test_threshold_curve_against_sklearn(at):
    p, y = logit_on_held_out()
    curve = report_on("logit").facts["threshold"]["curve"]
    called = p >= curve["thresholds"][at]
    assert curve["precision"][at] == pytest.approx(precision_score(y, called), rel=1e-5)
    assert curve["recall"][at] == pytest.approx(recall_score(y, called), rel=1e-5)
    assert curve["f1"][at] == pytest.approx(f1_score(y, called), rel=1e-5)
    assert curve["accuracy"][at] == pytest.approx(np.mean(called == y), rel=1e-5)


def test_areas_against_sklearn():
    p, y = logit_on_held_out()
    curve = report_on("logit").facts["threshold"]["curve"]
    assert curve["roc_auc"] == pytest.approx(roc_auc_score(y, p))
    assert curve["average_precision"] == pytest.approx(average_precision_score(y, p))
    assert (curve["roc"]["false_positive_rate"][0], curve["roc"]["true_positive_rate"][-1]) == (
        0,
        1,
    )


def test_costs_against_naive():
    p, y = logit_on_held_out()
    facts = report_on("logit").facts["threshold"]
    thresholds = facts["curve"]["thresholds"]
    for cost in facts["costs"]:
        naive = [
            np.mean(((p >= t) & (y == 0)) + cost["miss_cost"] * ((p < t) & (y == 1)))
            for t in thresholds
        ]
        assert cost["mean_cost"] == pytest.approx(naive, rel=1e-5)
        assert cost["best_cost"] == pytest.approx(min(naive))
        assert cost["cost_of_none"] == pytest.approx(cost["miss_cost"] * y.mean())


def test_rates_with_weights_are_those_of_repeated_rows():
    random = np.random.default_rng(1)
    p, weights, event = random.random(30), random.integers(1, 4, 30), random.random(30) < 0.5
    thresholds = np.array([0.2, 0.5])
    one = rates_at(event, p, weights.astype(float), thresholds)
    other = rates_at(
        np.repeat(event, weights), np.repeat(p, weights), np.ones(weights.sum()), thresholds
    )
    for name in one:
        assert one[name] == pytest.approx(other[name], nan_ok=True)


def test_risk_at_a_coverage_against_naive():
    p, y = logit_on_held_out()
    sureness, wrong = np.maximum(p, 1 - p), (p > 0.5) != y
    for point in report_on("logit").facts["threshold"]["risk_coverage"]["at"]:
        accepted = sureness >= point["threshold"]
        assert accepted.mean() >= point["coverage"]
        assert wrong[accepted].mean() == pytest.approx(point["risk"])


def test_threshold_of_many_classes_has_risk_coverage_alone():
    facts = report_on("forest").facts["threshold"]
    assert "two classes" in facts["curve"]["missing"]
    assert facts["risk_coverage"]["coverage"][-1] == 1.0


# ---- Errors --------------------------------------------------------------------------------------


def test_confusion_against_sklearn():
    X, y = held_out(IRIS)
    found = report_on("forest").facts["errors"]["confusion"]
    predictions = fitted("forest").predict(X)
    assert found["counts"] == confusion_matrix(y, predictions).tolist()
    recalls = recall_score(y, predictions, average=None)
    assert [one["recall"] for one in found["classes"]] == pytest.approx(recalls.tolist())


def test_rare_classes_are_one_row_and_one_column():
    random = np.random.default_rng(0)
    y = np.concatenate([np.arange(24), random.integers(0, 24, 600)])
    X = np.column_stack([y + random.normal(size=len(y)), random.normal(size=len(y))])
    from sklearn.naive_bayes import GaussianNB

    model = GaussianNB(var_smoothing=0.1).fit(X, y)
    facts = make_report(model, X, y).facts
    found = facts["errors"]["confusion"]
    assert (len(found["labels"]), found["labels"][-1], found["n_other_classes"]) == (21, "other", 4)
    assert np.sum(found["counts"]) == len(y)
    assert len(facts["calibration"]["classes"]) == 10
    assert facts["calibration"]["n_left_out"] == 14
    assert len(facts["columns"]["shapley"]["classes"]) == 10


def test_residuals_against_naive():
    X, y = held_out(DIABETES)
    residuals = y - fitted("line").predict(X)
    found = report_on("line").facts["errors"]["residuals"]
    assert found["mean"] == pytest.approx(residuals.mean())
    assert found["standard_deviation"] == pytest.approx(residuals.std())
    assert found["quantiles"]["0.25"] == pytest.approx(np.quantile(residuals, 0.25))
    assert sum(found["histogram"]["counts"]) == len(y)
    assert sum(one["n_rows"] for one in found["by_prediction"]) == len(y)


def test_worst_rows_are_those_of_largest_loss():
    X, y = held_out(DIABETES)
    losses = (y - fitted("line").predict(X)) ** 2
    worst = report_on("line").facts["errors"]["worst"]["list"]
    assert [one["row"] for one in worst] == (np.argsort(-losses)[:10] + 1).tolist()
    first = worst[0]
    assert first["true"] == y[first["row"] - 1]
    assert first["values"]["x2"] == X[first["row"] - 1, 2]


def test_worst_rows_of_a_run_have_the_numbers_of_its_table():
    run, worst = run_of("churn"), report_on_run("churn").facts["errors"]["worst"]["list"]
    held_out_rows = run.held_out
    p = held_out_rows.support[np.arange(240), held_out_rows.y]
    lowest = held_out_rows.rows[np.argsort(p, kind="stable")[:10]]
    assert {one["row"] for one in worst} == set((lowest + 1).tolist())
    from report.facts_cases import people

    for one in worst:
        row = people().iloc[one["row"] - 1]
        assert one["true"] == row.churn
        assert one["values"]["city"] == row.city
        assert one["values"]["when"] == str(row.when.date())


# ---- Slices --------------------------------------------------------------------------------------


def slices_case():
    random = np.random.default_rng(0)
    city = LeveledColumn.from_values(random.choice(["a", "b", "c"], 600).tolist())
    size = np.where(random.random(600) < 0.1, np.nan, random.normal(size=600))
    y = random.normal(size=600) * np.where(city.codes == 1, 3.0, 1.0)
    weight = random.integers(1, 4, 600).astype(float)
    evidence = Evidence(y, np.zeros(600), np.zeros(600), False, np.arange(600), "600 rows", weight)
    return city, size, evidence


def test_slices_against_naive():
    city, size, evidence = slices_case()
    losses, weight = evidence.losses, evidence.weights
    for column in (ShownColumn("city", "category", city), ShownColumn("size", "number", size)):
        slices = cut_column(column)
        for entry in losses_by_slice(slices, evidence):
            inside = slices.of_row == slices.names.index(entry["slice"])
            mean = np.average(losses[inside], weights=weight[inside])
            rest = np.average(losses[~inside], weights=weight[~inside])
            assert entry["n_rows"] == inside.sum()
            assert entry["loss"] == pytest.approx(mean)
            assert entry["difference"] == pytest.approx(mean - rest)


def test_slices_of_numbers_are_ranges_of_equal_size_and_missing_ones():
    _, size, _ = slices_case()
    slices = cut_column(ShownColumn("size", "number", size))
    counts = np.bincount(slices.of_row)
    assert len(slices.names) == 6
    assert slices.names[-1] == "missing"
    assert counts[-1] == np.isnan(size).sum()
    assert np.ptp(counts[:-1]) <= 1


def test_slices_of_numbers_that_are_nearly_all_the_lowest_are_two():
    gain = np.concatenate([np.zeros(90), np.arange(3.0, 13.0), [np.nan]])
    slices = cut_column(ShownColumn("gain", "number", gain))
    assert slices.names == ["below 3", "3 or more", "missing"]
    assert np.bincount(slices.of_row).tolist() == [90, 10, 1]


def test_a_bad_slice_is_found_and_noise_is_not_clear():
    from sklearn.dummy import DummyRegressor

    city, _, evidence = slices_case()
    random = np.random.default_rng(5)
    noise = {f"noise{j}": random.normal(size=600) for j in range(20)}
    table = {"city": city.values(), **noise}
    import pandas as pd

    frame = pd.DataFrame(table)
    model = DummyRegressor().fit(frame, evidence.y)
    found = make_report(model, frame, evidence.y).facts["errors"]["slices"]
    assert (found["list"][0]["column"], found["list"][0]["slice"]) == ("city", "b")
    assert found["list"][0]["is_clear"]
    assert not any(one["is_clear"] for one in found["list"] if one["column"] != "city")
    assert found["n_looked"] == 3 + 20 * 5


def test_p_values_are_corrected_against_naive_holm():
    p = np.random.default_rng(0).random(12) ** 3
    order = np.argsort(p)
    naive, largest = np.empty(12), 0.0
    for rank, j in enumerate(order):
        largest = max(largest, min(1.0, (12 - rank) * p[j]))
        naive[j] = largest
    assert holm(p.tolist()) == pytest.approx(naive)


def test_few_rows_have_no_slices():
    X, y = held_out(DIABETES)
    facts = make_report(fitted("line"), X[:30], y[:30]).facts
    assert "from 40 rows on" in facts["errors"]["slices"]["missing"]
    assert "only 30 rows" in facts["warnings"]["list"][1]["sentence"]


@pytest.mark.parametrize("n_rows", [1, 2, 5])
def test_a_handful_of_rows_is_reported(n_rows):
    for name, data in (("line", DIABETES), ("logit", BINARY), ("forest", IRIS)):
        X, y = held_out(data)
        facts = make_report(fitted(name), X[:n_rows], y[:n_rows]).facts
        assert facts["result"]["n_rows"] == n_rows
