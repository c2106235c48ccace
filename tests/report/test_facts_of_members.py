"""Why an ensemble works, against plain computations on its members' predictions."""

from __future__ import annotations

import numpy as np
import pytest

from nonet.diagnostics import record_predictions
from nonet.report.agreement_facts import correlation_facts, disagreement_facts
from nonet.report.member_curve import members_curve
from nonet.report.why_facts import decomposition_facts
from report.facts_cases import (
    BINARY,
    DIABETES,
    IRIS,
    MODELS,
    fitted,
    held_out,
    report_on,
    report_on_run,
    run_of,
)


def why(name):
    return report_on(name).facts["why"]


def members_of_run(target):
    held_out_rows = run_of(target).held_out
    blended = held_out_rows.weights > 0
    return held_out_rows, blended


def test_decomposition_of_values_against_naive():
    X, y = held_out(DIABETES)
    trees = np.column_stack([tree.predict(X) for tree in fitted("forest of values").estimators_])
    mean = trees.mean(axis=1)
    found = why("forest of values")["decomposition"]
    assert found["error"] == pytest.approx(np.mean((mean - y) ** 2))
    assert found["member_error"] == pytest.approx(np.mean((trees - y[:, None]) ** 2))
    assert found["ambiguity"] == pytest.approx(np.mean((trees - mean[:, None]) ** 2))
    assert found["remainder"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", ["forest", "votes", "stack", "sklearn vote", "sklearn forest"])
def test_decomposition_is_an_identity(name):
    found = why(name)["decomposition"]
    parts = found["member_error"] - found["ambiguity"] + found["remainder"]
    assert found["error"] == pytest.approx(parts)
    gain = found["best_member"]["error"] - found["error"]
    assert found["gain_over_best"] == pytest.approx(gain)


@pytest.mark.parametrize("target", ["churn", "price"])
def test_decomposition_of_a_run_against_naive(target):
    held_out_rows, blended = members_of_run(target)
    assert blended.sum() > 1
    truth = held_out_rows.y[:, None]
    if target == "churn":
        truth = np.eye(2)[held_out_rows.y]
    outputs = held_out_rows.outputs[:, blended].astype(float)
    losses = ((outputs - truth[:, None]) ** 2).sum(axis=2).mean(axis=0)
    weights = held_out_rows.weights[blended] / held_out_rows.weights.sum()
    found = report_on_run(target).facts["why"]["decomposition"]
    assert found["member_error"] == pytest.approx(losses @ weights)
    assert found["best_member"]["error"] == pytest.approx(losses.min())
    assert found["error"] == pytest.approx(
        ((held_out_rows.support - truth) ** 2).sum(axis=1).mean()
    )


def test_votes_have_good_and_bad_diversity():
    found = why("votes")["decomposition"]
    assert found["loss"] == "zero_one"
    assert found["ambiguity"] == pytest.approx(found["good"] - found["bad"])
    assert found["remainder"] == pytest.approx(0.0, abs=1e-9)


def test_correlation_of_errors_against_numpy():
    X, y = held_out(DIABETES)
    trees = np.column_stack([tree.predict(X) for tree in fitted("forest of values").estimators_])
    found = why("forest of values")["correlation"]
    assert np.array(found["matrix"]) == pytest.approx(np.corrcoef(trees.T - y), abs=1e-5)
    pairs = np.corrcoef(trees.T - y)[np.triu_indices(12, 1)]
    assert found["mean"] == pytest.approx(pairs.mean(), abs=1e-5)


def test_correlation_of_probabilities_is_of_what_they_lack():
    X, y = held_out(IRIS)
    p = np.stack([t.predict_proba(X)[np.arange(len(y)), y] for t in fitted("forest").estimators_])
    found = why("forest")["correlation"]["matrix"]
    assert found[0][1] == pytest.approx(np.corrcoef(p)[0, 1], abs=1e-5)


def test_members_that_never_err_have_no_correlation():
    record = record_predictions([["a", "b"], ["b", "b"], ["a", "a"]], ["a", "b", "a"])
    found = correlation_facts(record)
    assert found["matrix"][0] == [None, None]
    assert found["mean"] is None


def test_disagreement_against_naive():
    X, _ = held_out(IRIS)
    labels = np.stack([tree.predict(X) for tree in fitted("forest").estimators_])
    found = disagreement = why("forest")["disagreement"]["matrix"]
    assert found[2][5] == pytest.approx(np.mean(labels[2] != labels[5]), abs=1e-5)
    assert np.diag(disagreement).tolist() == [0.0] * 12


def test_disagreement_of_missing_predictions_is_on_common_rows():
    present = np.array([[1, 1], [1, 0], [1, 1], [0, 1]], dtype=bool)
    labels = [["a", "b"], ["a", "b"], ["a", "a"], ["b", "a"]]
    record = record_predictions(labels, ["a", "a", "a", "a"], present=present)
    assert disagreement_facts(record)["matrix"][0][1] == pytest.approx(0.5)


def test_agreement_counts_rows_by_members_that_agree_against_naive():
    X, y = held_out(IRIS)
    labels = np.stack([tree.predict(X) for tree in fitted("forest").estimators_])
    own = fitted("forest").predict_proba(X).argmax(axis=1)
    agreement = (labels == own).mean(axis=0)
    found = why("forest")["agreement"]
    assert sum(found["counts"]) == len(y)
    assert found["counts"][-1] == np.sum(agreement >= 0.9)
    assert found["error"][-1] == pytest.approx(np.mean((own != y)[agreement >= 0.9]))


def test_margins_against_naive():
    X, y = held_out(IRIS)
    p = fitted("forest").predict_proba(X)
    others = p.copy()
    others[np.arange(len(y)), y] = -1
    values = p[np.arange(len(y)), y] - others.max(axis=1)
    found = why("forest")["margins"]
    assert found["mean"] == pytest.approx(values.mean())
    assert found["negative_fraction"] == pytest.approx(np.mean(values < 0))
    assert sum(found["counts"]) == len(y)


def test_members_curve_of_a_run_is_in_the_order_of_weights_against_naive():
    held_out_rows, blended = members_of_run("price")
    order = np.argsort(-held_out_rows.weights[blended], kind="stable")
    weights = held_out_rows.weights[blended][order]
    outputs = held_out_rows.outputs[:, blended, 0].astype(float)[:, order]
    naive = [
        np.mean((outputs[:, :k] @ weights[:k] / weights[:k].sum() - held_out_rows.y) ** 2)
        for k in range(1, len(weights) + 1)
    ]
    found = report_on_run("price").facts["why"]["members_curve"]
    assert found["losses"] == pytest.approx(naive, rel=1e-5)
    assert found["full"] == pytest.approx(report_on_run("price").facts["result"]["score"] ** 2)
    assert found["sizes"] == list(range(1, len(weights) + 1))


def test_members_curve_of_votes_ends_with_the_vote():
    labels = [["a", "b", "b"], ["a", "a", "b"], ["b", "b", "b"]]
    record = record_predictions(labels, ["a", "a", "b"], weights=[3, 1, 1])
    found = members_curve(record)
    assert found["losses"] == [0.0, 0.0, 0.0]
    assert found["names"] == ["member 0", "member 1", "member 2"]


def test_boosting_has_a_curve_of_rounds_and_no_members():
    X, y = held_out(BINARY)
    found = why("booster")
    stages = fitted("booster").staged_predict_proba(X)
    naive = [-np.log(p[np.arange(len(y)), y]).mean() for p in stages]
    assert found["members_curve"]["losses"] == pytest.approx(naive, rel=1e-5)
    assert "steps of one sum" in found["decomposition"]["missing"]
    assert found["margins"]["mean"] > 0


def test_one_model_is_no_ensemble():
    assert why("line") == {"missing": "LinearRegression is one model, not an ensemble of members."}


@pytest.mark.parametrize("name", [*MODELS])
def test_weights_of_the_parts_sum_to_one(name):
    found = why(name)
    if "missing" not in found:
        weights = [member["weight"] for member in found["parts"]["members"]]
        assert sum(weights) == pytest.approx(1.0)
        assert weights == sorted(weights, reverse=True)


def test_more_members_are_worth_their_variance_in_theory():
    random = np.random.default_rng(0)
    truth = random.normal(size=3000)
    outputs = truth[:, np.newaxis] + random.normal(size=(3000, 10))
    from nonet.report.subject import Members
    from nonet.report.why_facts import gain_facts

    found = gain_facts(Members(record_predictions(outputs, truth), "3,000 rows"), 0)
    assert found["limit"]["low"] < 0.1 < found["limit"]["high"]
    assert found["loss"] == "squared_error"
    assert decomposition_facts(record_predictions(outputs, truth))["gain_over_random"] > 0.8
