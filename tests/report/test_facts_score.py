"""The result, the leaderboard, warnings and reproduction, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss, r2_score, roc_auc_score

import nonet
from nonet.report import make_report
from nonet.report.evidence import mean_and_error, one_hot
from nonet.report.wording import with_commas
from report.facts_cases import (
    BINARY,
    DIABETES,
    IRIS,
    fitted,
    held_out,
    people,
    report_on,
    report_on_run,
    run_of,
)


def by_metric(result):
    return {one["metric"]: one for one in result["more"]}


def test_score_of_a_classifier_against_sklearn():
    X, y = held_out(BINARY)
    p = fitted("logit").predict_proba(X)
    result = report_on("logit").facts["result"]
    assert result["score"] == pytest.approx(log_loss(y, p))
    more = by_metric(result)
    assert more["accuracy"]["score"] == pytest.approx(accuracy_score(y, p.argmax(axis=1)))
    assert more["roc_auc"]["score"] == pytest.approx(roc_auc_score(y, p[:, 1]))
    assert more["brier"]["score"] == pytest.approx(2 * brier_score_loss(y, p[:, 1]))


def test_score_of_a_regressor_against_sklearn():
    X, y = held_out(DIABETES)
    predictions = fitted("line").predict(X)
    result = report_on("line").facts["result"]
    more = by_metric(result)
    assert result["score"] == pytest.approx(np.sqrt(np.mean((predictions - y) ** 2)))
    assert more["r2"]["score"] == pytest.approx(r2_score(y, predictions))
    assert more["mean_absolute_error"]["score"] == pytest.approx(np.mean(np.abs(predictions - y)))


@pytest.mark.parametrize("name", ["logit", "forest"])
def test_baseline_is_the_class_frequencies_of_the_same_rows(name):
    y = held_out({"logit": BINARY, "forest": IRIS}[name])[1]
    frequencies = np.bincount(y) / len(y)
    baseline = report_on(name).facts["result"]["baseline"]
    assert baseline["score"] == pytest.approx(-np.sum(frequencies * np.log(frequencies)))
    assert baseline["rows"] == f"{len(y)} rows given to the report"


def test_baseline_of_values_is_their_mean():
    y = held_out(DIABETES)[1]
    assert report_on("line").facts["result"]["baseline"]["score"] == pytest.approx(y.std())


def test_gain_is_the_difference_to_the_baseline():
    result = report_on("line").facts["result"]
    gain = result["baseline"]["score"] - result["score"]
    assert result["gain"]["value"] == pytest.approx(gain)
    assert result["gain"]["fraction"] == pytest.approx(gain / result["baseline"]["score"])


def test_gain_of_a_score_that_should_be_large_is_positive():
    result = report_on("classes only").facts["result"]
    assert (result["metric"], result["better"]) == ("accuracy", "larger")
    assert result["gain"]["value"] == pytest.approx(result["score"] - result["baseline"]["score"])
    assert result["gain"]["value"] > 0.2
    assert result["gain"]["fraction"] is None


def test_a_model_as_good_as_the_baseline_gets_a_warning():
    X, y = BINARY
    facts = make_report(
        DummyClassifier(strategy="prior").fit(X[::2], y[::2]), X[1::2], y[1::2]
    ).facts
    assert not facts["result"]["gain"]["is_clear"]
    assert "score" in {warning["about"] for warning in facts["warnings"]["list"]}


def test_a_model_that_is_worse_than_the_baseline_is_called_so():
    X, y = held_out(DIABETES)
    report = make_report(DummyRegressor(strategy="constant", constant=1000.0).fit(X, y), X, y)
    gain = report.facts["result"]["gain"]
    assert (gain["is_clear"], gain["is_clear_loss"]) == (False, True)
    sentences = [one["sentence"] for one in report.facts["warnings"]["list"]]
    assert any(sentence.startswith("The score is clearly worse than") for sentence in sentences)
    assert not any("not clearly better" in sentence for sentence in sentences)
    assert '<span class="bad">clearly worse</span>' in report.html


def test_a_gain_without_an_error_is_neither_clear_nor_a_clear_loss():
    X, y = held_out(DIABETES)
    gain = make_report(fitted("line"), X[:1], y[:1]).facts["result"]["gain"]
    assert gain["standard_error"] is None
    assert (gain["is_clear"], gain["is_clear_loss"]) == (False, False)


def test_sentence_names_rows_metric_and_baseline():
    result = report_on("line").facts["result"]
    assert result["sentence"].startswith("On 221 rows given to the report the rmse of 'y' is")
    assert "always giving the mean has" in result["sentence"]


# ---- Runs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["churn", "price"])
def test_score_of_a_run_is_its_honest_score(target):
    run, result = run_of(target), report_on_run(target).facts["result"]
    assert result["score"] == run.honest_score.score
    assert result["standard_error"] == run.honest_score.standard_error
    assert result["rows"] == run.honest_score.rows
    assert result["are_held_out"]


def test_baseline_of_a_run_has_weights_of_rows():
    run = run_of("churn", weighted=True)
    held_out = run.held_out
    mass = np.bincount(held_out.y, held_out.sample_weight)
    frequencies = mass / mass.sum()
    result = report_on_run("churn", weighted=True).facts["result"]
    assert result["baseline"]["score"] == pytest.approx(-np.sum(frequencies * np.log(frequencies)))
    assert result["score"] == run.honest_score.score
    accuracy = np.average(
        held_out.support.argmax(axis=1) == held_out.y, weights=held_out.sample_weight
    )
    assert by_metric(result)["accuracy"]["score"] == pytest.approx(accuracy)


def test_weighted_means_of_a_run_agree_between_sections():
    facts = report_on_run("churn", weighted=True).facts
    assert facts["errors"]["mean_loss"] == pytest.approx(facts["result"]["score"])


def test_leaderboard_of_a_run_is_its_own_with_the_baseline():
    run, entries = run_of("churn"), report_on_run("churn").facts["leaderboard"]["entries"]
    scored = [entry for entry in entries if entry["score"] is not None]
    assert [entry["score"] for entry in scored] == sorted(entry["score"] for entry in scored)
    own = {row.name: row for row in run.leaderboard.rows}
    assert {entry["name"] for entry in entries} == {*own, "class frequencies"}
    for entry in scored:
        if entry["kind"] != "baseline":
            assert entry["score"] == own[entry["name"]].score
            assert entry["weight"] == own[entry["name"]].weight
            assert entry["rows"] == with_commas(own[entry["name"]].rows)
    assert all(entry["why_not"] for entry in entries if entry["score"] is None)


def test_leaderboard_of_a_forest_has_its_members():
    X, y = held_out(IRIS)
    forest = fitted("forest")
    entries = report_on("forest").facts["leaderboard"]["entries"]
    members = {entry["name"]: entry["score"] for entry in entries if entry["kind"] == "member"}
    assert len(members) == 12
    losses = [
        -np.log(np.maximum(tree.predict_proba(X)[np.arange(len(y)), y], np.finfo(float).eps)).mean()
        for tree in forest.estimators_
    ]
    assert sorted(members.values()) == pytest.approx(sorted(losses))


def test_members_that_vote_have_no_log_loss():
    entries = report_on("votes").facts["leaderboard"]["entries"]
    members = [entry for entry in entries if entry["kind"] == "member"]
    assert len(members) == 7
    assert all(m["score"] is None and "votes for classes" in m["why_not"] for m in members)


# ---- Warnings and reproduction -------------------------------------------------------------------


def test_a_model_on_given_rows_warns_that_it_may_have_seen_them():
    warnings = report_on("line").facts["warnings"]["list"]
    assert warnings[0]["about"] == "rows"
    assert "too good" in warnings[0]["sentence"]
    assert not report_on("line").facts["result"]["are_held_out"]


def test_a_run_on_its_own_rows_warns_of_them():
    table = people().drop(columns="price")
    facts = make_report(run_of("churn"), table.iloc[:100]).facts
    sentences = [warning["sentence"] for warning in facts["warnings"]["list"]]
    assert any(sentence.startswith("100 of the 100 new rows are equal") for sentence in sentences)
    assert facts["sampling"]["source"] == "new rows"


def test_a_run_on_new_rows_has_no_such_warning():
    table = people().drop(columns="price").iloc[:100].copy()
    table["age"] += 0.5
    facts = make_report(run_of("churn"), table[table.age.notna()]).facts
    assert not any("equal to rows" in one["sentence"] for one in facts["warnings"]["list"])


def test_poor_calibration_gets_a_warning():
    X, y = BINARY
    sure = nonet.DecisionTreeClassifier(max_depth=1).fit(X[:300], y[:300])
    flipped = np.where(np.random.default_rng(0).random(269) < 0.4, 1 - y[300:], y[300:])
    sentences = [
        w["sentence"] for w in make_report(sure, X[300:], flipped).facts["warnings"]["list"]
    ]
    assert any("do not read them as frequencies" in sentence for sentence in sentences)


def test_reproduction_of_a_run_repeats_its_settings(tmp_path):
    run = nonet.fit_table(
        people()[["age", "city", "churn"]],
        "churn",
        time_limit=None,
        max_tasks=3,
        cv=3,
        random_state=5,
        families=["linear"],
        folder=tmp_path / "run",
    )
    found = make_report(run).facts["reproduction"]
    assert found["call"].startswith("nonet.fit_table(table, 'churn', time_limit=None, max_tasks=3")
    assert found["load"] == f"run = nonet.open_run({str(tmp_path / 'run')!r})"
    assert (found["seed"], found["folds"], found["n_tasks"]) == (5, "3 folds", 3)
    assert found["command"] is None  # of the shell, which has no option for cv
    opened = nonet.open_run(tmp_path / "run")
    assert make_report(opened).facts == make_report(run).facts


def test_reproduction_names_a_command_where_there_is_one():
    from nonet.report.reproduction_facts import _command

    settings = {"time_limit": 600, "random_state": 1, "metric": "roc_auc"}
    expected = "nonet fit TABLE --target 'is it' --time 600s --metric roc_auc --seed 1"
    assert _command("is it", settings) == expected
    assert _command("y", {"families": ["linear"]}) is None


def test_reproduction_of_a_model_holds_its_parameters():
    found = report_on("forest").facts["reproduction"]
    assert found["seed"] == 0
    assert found["settings"]["n_estimators"] == 12
    assert "RandomForestClassifier" in found["call"]
    assert found["versions"]["numpy"] == np.__version__


# ---- Means ---------------------------------------------------------------------------------------


def test_weighted_mean_counts_rows_as_often_as_their_weight_against_naive():
    random = np.random.default_rng(3)
    entries, weights = random.normal(size=40), random.integers(1, 4, 40).astype(float)
    mean, error = mean_and_error(entries, weights)
    assert mean == pytest.approx(np.repeat(entries, weights.astype(int)).mean())
    assert mean_and_error(entries, np.ones(40))[1] == pytest.approx(
        entries.std(ddof=1) / np.sqrt(40)
    )
    assert error > np.repeat(entries, weights.astype(int)).std() / np.sqrt(weights.sum())


def test_an_abstention_is_a_wrong_class():
    columns = one_hot(np.array([2, -1, -1]), np.array([2, 0, 2]), 3)
    assert columns.argmax(axis=1).tolist() == [2, 1, 0]
