"""The facts as a whole: what JSON holds, the same each time, as the README describes them."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score

import nonet
from nonet.report import make_report
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

SECTIONS = [
    "result", "table", "warnings", "leaderboard", "why", "calibration", "threshold", "errors",
    "columns", "reproduction",
]  # fmt: skip
README = Path(nonet.__file__).parent / "report" / "README.md"
REPORTS = [*MODELS, "run churn", "run price"]


def facts_of(name: str) -> dict[str, Any]:
    kind, _, target = name.partition(" ")
    return (report_on_run(target) if kind == "run" else report_on(name)).facts


def parts(value: Any, path: str = "") -> list[tuple[str, Any]]:
    """Return every dictionary of the facts with its path."""
    if isinstance(value, dict):
        below = [part for key, item in value.items() for part in parts(item, f"{path}/{key}")]
        return [(path, value), *below]
    if isinstance(value, list):
        return [part for item in value for part in parts(item, path)]
    return []


@pytest.mark.parametrize("name", REPORTS)
def test_facts_are_what_json_holds(name):
    facts = facts_of(name)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


@pytest.mark.parametrize("name", REPORTS)
def test_every_section_is_there_and_names_its_rows(name):
    facts = facts_of(name)
    assert list(facts)[-len(SECTIONS) :] == SECTIONS
    for section in SECTIONS:
        part = facts[section]
        assert "missing" in part or part["rows"][0].isdigit(), section


@pytest.mark.parametrize("name", REPORTS)
def test_numbers_of_a_part_have_rows_beside_or_above_them(name):
    for path, part in parts(facts_of(name)):
        if path.count("/") == 2 and path.endswith(("importance", "shapley", "more_members")):
            assert "missing" in part or "rows" in part, path


@pytest.mark.parametrize("name", REPORTS)
def test_a_missing_part_is_one_sentence(name):
    for path, part in parts(facts_of(name)):
        if "missing" in part:
            assert list(part) == ["missing"], path
            assert re.fullmatch(r"[A-Z].*[.]", part["missing"]), part


@pytest.mark.parametrize("name", REPORTS)
def test_every_key_is_in_the_readme(name):
    text = README.read_text(encoding="utf-8")
    described = set(re.findall(r"[`\"]([a-z_0-9]+)[`\"]", text))
    facts = facts_of(name)
    # Names of columns, settings and packages are keys as well.
    open_parts = ("/values", "/settings", "/kinds", "/versions", "/quantiles")
    for path, part in parts(facts):
        if not path.endswith(open_parts):
            assert set(part) <= described, path


def test_the_examples_of_the_readme_are_json():
    blocks = re.findall(r"```json\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 1 + len(SECTIONS)
    for block in blocks:
        assert isinstance(json.loads(block), dict)


@pytest.mark.parametrize("name", ["logit", "forest", "votes"])
def test_report_is_deterministic(name):
    again = make_report(fitted(name), *held_out(MODELS[name][1]))
    assert again.facts == report_on(name).facts


def test_report_of_another_seed_differs_in_samples_alone():
    one = report_on("line").facts
    other = make_report(fitted("line"), *held_out(DIABETES), random_state=1).facts
    assert one["result"] == other["result"]
    assert one["columns"]["shapley"] != other["columns"]["shapley"]


def test_many_rows_are_sampled_and_the_report_says_so():
    facts = make_report(fitted("line"), *held_out(DIABETES), max_rows=50).facts
    sampling = facts["sampling"]
    assert (sampling["n_rows"], sampling["n_sampled"], sampling["is_sampled"]) == (221, 50, True)
    assert "50 of 221" in sampling["sentence"]
    for section in SECTIONS:
        part = facts[section]
        assert "missing" in part or part["rows"].startswith("50 of 221 rows given"), section


def test_numbers_of_a_sample_are_those_of_its_rows():
    X, y = held_out(DIABETES)
    facts = make_report(fitted("line"), X, y, max_rows=50).facts
    rows = np.sort(np.random.default_rng(0).choice(221, 50, replace=False))
    error = math.sqrt(np.mean((fitted("line").predict(X[rows]) - y[rows]) ** 2))
    assert facts["result"]["score"] == pytest.approx(error)
    worst = facts["errors"]["worst"]["list"]
    assert {row["row"] for row in worst} <= set((rows + 1).tolist())


def test_saved_facts_are_the_facts(tmp_path):
    report = report_on("line")
    report.save_facts(tmp_path / "facts.json")
    assert json.loads((tmp_path / "facts.json").read_text(encoding="utf-8")) == report.facts


def test_report_shows_its_result_as_text():
    text = str(report_on("line"))
    assert text.startswith("Report")
    assert "221 rows given to the report" in text


def test_title_is_the_users_or_names_model_and_target():
    X, y = held_out(DIABETES)
    named = make_report(fitted("line"), X, pd.Series(y, name="disease"))
    assert named.title == "LinearRegression of disease"
    assert make_report(fitted("line"), X, y, title="Ours").title == "Ours"


# ---- What is refused -----------------------------------------------------------------------------


class TwoTargets(LinearRegression):
    pass


def refused(*arguments: Any, **settings: Any) -> str:
    with pytest.raises((ValueError, TypeError)) as caught:
        make_report(*arguments, **settings)
    return str(caught.value)


def test_report_rejects_what_is_no_model():
    assert "a fitted classifier or regressor" in refused("model.nonet", *IRIS)
    assert "the class LinearRegression" in refused(LinearRegression, *DIABETES)
    assert "got KMeans" in refused(KMeans(n_clusters=2, n_init=1).fit(IRIS[0]), *IRIS)


def test_report_rejects_models_that_are_not_fitted():
    assert "not fitted" in refused(LinearRegression(), *DIABETES)


def test_report_rejects_models_of_several_targets():
    X, y = DIABETES
    model = TwoTargets().fit(X, np.column_stack([y, y]))
    assert "one value for each row" in refused(model, X, y)


def test_report_rejects_models_without_rows():
    assert "give X and y that this LinearRegression was not fitted on" in refused(fitted("line"))
    assert "y without X" in refused(run_of("churn"), None, [1, 2])


def test_report_rejects_rows_without_truth():
    assert "give y=" in refused(fitted("line"), DIABETES[0])


def test_report_rejects_truth_of_another_length():
    assert "442 and 3" in refused(fitted("line"), DIABETES[0], [1.0, 2.0, 3.0])


def test_report_rejects_truth_of_two_columns():
    X, y = DIABETES
    assert "one column" in refused(fitted("line"), X, np.column_stack([y, y]))


def test_report_rejects_truth_that_is_no_number():
    X = DIABETES[0]
    assert "must hold numbers" in refused(fitted("line"), X, ["much"] * len(X))
    assert "finite" in refused(fitted("line"), X, np.full(len(X), np.nan))


def test_report_rejects_classes_that_the_model_does_not_know():
    assert "holds no class of the model" in refused(
        fitted("logit"), MODELS["logit"][1][0], [7] * 569
    )


def test_report_rejects_no_rows():
    X, y = DIABETES
    assert "none with a known truth" in refused(fitted("line"), X[:0], y[:0])


def test_report_rejects_rows_that_the_metric_cannot_score():
    settings = {"time_limit": None, "max_tasks": 3, "cv": 3, "families": ["linear"]}
    X, y = BINARY
    model = nonet.AutoEnsembleClassifier(**settings, metric="roc_auc", random_state=0)
    model.fit(X[:200], y[:200])
    one_class = y[200:] == 1
    message = refused(model, X[200:][one_class], y[200:][one_class])
    assert message.startswith("metric 'roc_auc' cannot score these rows")
    facts = make_report(model, X[200:], y[200:]).facts
    scores = model.predict_proba(X[200:])[:, 1]
    assert facts["result"]["score"] == pytest.approx(roc_auc_score(y[200:], scores))
    assert facts["result"]["baseline"]["score"] == 0.5


def test_report_rejects_settings_that_are_not_allowed():
    X, y = DIABETES
    assert "max_rows" in refused(fitted("line"), X, y, max_rows=0)
    assert "random_state" in refused(fitted("line"), X, y, random_state=None)
    assert "title" in refused(fitted("line"), X, y, title=3)


def test_report_rejects_a_file_that_is_not_there():
    assert "cannot be read" in refused(fitted("line"), "absent.csv", "y")


# ---- Models that refuse --------------------------------------------------------------------------


class Moody(LogisticRegression):
    """A classifier that predicts whole batches of up to 75 rows only."""

    def predict_proba(self, X: Any) -> Any:
        if len(X) > 75:
            raise RuntimeError("this batch is too large\nand more")
        return super().predict_proba(X)


def test_a_model_that_fails_to_predict_leaves_the_other_sections():
    X, y = IRIS
    model = Moody(max_iter=2000).fit(X[::2], y[::2])
    facts = make_report(model, X[1::2], y[1::2]).facts
    why = "Moody failed here: this batch is too large."
    assert facts["columns"] == {"missing": why}
    assert {"sentence": why, "about": "report"} in facts["warnings"]["list"]
    assert facts["result"]["n_rows"] == 75


class Bare(BaseEstimator):
    """A classifier that is no child of scikit-learn's mixins, and abstains."""

    _estimator_type = "classifier"

    def __init__(self) -> None:
        self.classes_ = np.array([0, 1, 2])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        return tags

    def fit(self, X: Any, y: Any) -> Any:
        return self

    def predict(self, X: Any) -> Any:
        return np.where(X[:, 2] < 2, 0, -1)


def test_a_model_may_abstain():
    X, y = IRIS
    facts = make_report(Bare(), X, y).facts
    assert facts["result"]["score"] == pytest.approx(1 / 3)
    confusion = facts["errors"]["confusion"]
    assert confusion["predicted_labels"] == [0, 1, 2, "abstains"]
    assert confusion["counts"] == [[50, 0, 0, 0], [0, 0, 0, 50], [0, 0, 0, 50]]
