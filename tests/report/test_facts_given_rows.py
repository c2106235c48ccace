"""Rows as they are given: files, frames, arrays, and the truth in a column or beside them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import nonet
from nonet.report import make_report
from report.facts_cases import BINARY, DIABETES, fitted, held_out, people, run_of


def named_case():
    X, y = DIABETES
    frame = pd.DataFrame(X[:, :4].round(6), columns=["age", "sex", "bmi", "bp"])
    return LinearRegression().fit(frame[::2], y[::2]), frame[1::2].reset_index(drop=True), y[1::2]


def test_a_file_is_read_as_the_model_knows_its_columns(tmp_path):
    model, frame, y = named_case()
    shuffled = frame[["bp", "age", "bmi", "sex"]].assign(note="of no use", target=y)
    shuffled.to_csv(tmp_path / "rows.csv", index=False)
    of_file = make_report(model, tmp_path / "rows.csv", "target").facts
    of_frame = make_report(model, frame, y).facts
    assert of_file["result"]["score"] == pytest.approx(of_frame["result"]["score"])
    assert [c["name"] for c in of_file["table"]["columns"]] == ["age", "sex", "bmi", "bp"]
    assert of_file["result"]["target"] == "target"


def test_a_file_without_a_column_of_the_model_is_rejected(tmp_path):
    model, frame, y = named_case()
    frame.drop(columns="bmi").assign(target=y).to_csv(tmp_path / "rows.csv", index=False)
    with pytest.raises(ValueError, match="lacks columns that the model was fitted on: 'bmi'"):
        make_report(model, tmp_path / "rows.csv", "target")


def test_truth_may_be_a_column_of_a_frame_or_an_array():
    model, frame, y = named_case()
    expected = make_report(model, frame, y).facts["result"]["score"]
    of_frame = make_report(model, frame.assign(target=y), "target").facts["result"]["score"]
    assert of_frame == expected
    plain = LinearRegression().fit(*DIABETES)
    X, y = DIABETES
    joined = np.column_stack([X[:, :3], y, X[:, 3:]])
    assert make_report(plain, joined, "x3").facts["result"]["score"] == pytest.approx(
        make_report(plain, X, y).facts["result"]["score"]
    )


def test_polars_and_lists_are_read_as_pandas_and_arrays():
    polars = pytest.importorskip("polars")
    X, y = held_out(DIABETES)
    expected = make_report(fitted("line"), X, y).facts
    assert make_report(fitted("line"), X.tolist(), y.tolist()).facts == expected
    names = [f"x{j}" for j in range(10)]
    model = LinearRegression().fit(
        polars.DataFrame(DIABETES[0][::2], schema=names), DIABETES[1][::2]
    )
    found = make_report(model, polars.DataFrame(X, schema=names), y).facts
    for one, other in zip(
        found["columns"]["importance"]["list"],
        expected["columns"]["importance"]["list"],
        strict=True,
    ):
        assert (one["column"], one["direction"]) == (other["column"], other["direction"])
        assert one["value"] == pytest.approx(other["value"])


def test_a_pipeline_reads_categories_and_dates_of_a_frame():
    frame = people()
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["city"]), ("passthrough", ["member"])
    )
    model = make_pipeline(columns, LogisticRegression()).fit(frame[::2], frame.churn[::2])
    facts = make_report(model, frame[1::2], "churn").facts
    kinds = {column["name"]: column["kind"] for column in facts["table"]["columns"]}
    assert (kinds["city"], kinds["when"], kinds["member"]) == ("category", "date", "boolean")
    assert facts["columns"]["importance"]["list"][0]["column"] == "city"
    assert facts["table"]["dropped"] == []


def test_declared_categories_stay_categories_when_rows_are_put_together():
    frame = people()[["age", "city"]].assign(city=people().city.astype("category"))
    model = HistGradientBoostingClassifier(max_iter=5, categorical_features="from_dtype")
    model.fit(frame[::2], people().churn[::2])
    facts = make_report(model, frame[1::2], people().churn[1::2]).facts
    assert {one["column"] for one in facts["columns"]["importance"]["list"]} == {"age", "city"}


def test_sparse_rows_are_refused_in_one_sentence():
    from scipy.sparse import csr_array

    X, y = DIABETES
    with pytest.raises(TypeError, match="sparse matrix"):
        make_report(fitted("line"), csr_array(X), y)


def test_rows_of_unknown_classes_are_left_out_with_a_warning():
    X, y = held_out(BINARY)
    strange = y.copy()
    strange[:5] = 7
    facts = make_report(fitted("logit"), X, strange).facts
    assert facts["result"]["n_rows"] == len(y) - 5
    assert (
        facts["result"]["score"]
        == make_report(fitted("logit"), X[5:], y[5:]).facts["result"]["score"]
    )
    assert any("5 rows are left out" in one["sentence"] for one in facts["warnings"]["list"])


def test_a_run_reads_its_target_from_new_rows(tmp_path):
    frame = people().drop(columns="price")
    frame.iloc[:80].to_csv(tmp_path / "new.csv", index=False)
    of_file = make_report(run_of("churn"), tmp_path / "new.csv").facts
    of_frame = make_report(run_of("churn"), frame.iloc[:80].drop(columns="churn"), frame.churn[:80])
    assert of_file["result"]["score"] == pytest.approx(of_frame.facts["result"]["score"])
    assert of_file["result"]["rows"] == "80 new rows"


def test_a_run_is_scored_on_new_rows_by_its_model():
    run, frame = run_of("churn"), people().drop(columns="price").iloc[:80]
    p = run.model.predict_proba(frame.drop(columns="churn"))
    y = (frame.churn == "yes").to_numpy().astype(int)
    facts = make_report(run, frame).facts
    assert facts["result"]["score"] == pytest.approx(-np.log(p[np.arange(80), y]).mean())
    outputs = run.model.member_outputs(frame.drop(columns="churn"))
    losses = ((outputs - np.eye(2)[y][:, None]) ** 2).sum(axis=2).mean(axis=0)
    assert facts["why"]["decomposition"]["best_member"]["error"] == pytest.approx(losses.min())
    assert facts["columns"]["explained"] == "the model"


def test_new_rows_without_a_truth_are_left_out():
    frame = people().drop(columns="price").iloc[:80].copy()
    frame["churn"] = frame.churn.astype(object).where(np.arange(80) >= 10, None)
    assert make_report(run_of("churn"), frame).facts["result"]["n_rows"] == 70


def test_new_rows_without_the_target_are_rejected():
    frame = people().drop(columns=["price", "churn"])
    with pytest.raises(ValueError, match="no column 'churn'"):
        make_report(run_of("churn"), frame)


def test_labels_of_a_file_may_be_written_otherwise():
    X, y = held_out(BINARY)
    text = np.array([str(label) for label in y], dtype=object)
    assert make_report(fitted("logit"), X, text).facts["result"]["score"] == pytest.approx(
        make_report(fitted("logit"), X, y).facts["result"]["score"]
    )


def test_an_auto_ensembler_of_an_array_is_reported():
    X, y = DIABETES
    settings = {"time_limit": None, "max_tasks": 3, "cv": 3, "families": ["linear"]}
    model = nonet.AutoEnsembleRegressor(**settings, random_state=0).fit(X[::2], y[::2])
    facts = make_report(model, X[1::2], y[1::2]).facts
    naive = np.sqrt(np.mean((model.predict(X[1::2]) - y[1::2]) ** 2))
    assert facts["result"]["score"] == pytest.approx(naive)
    assert facts["table"]["columns"][0]["name"] == "x0"


def test_worst_rows_have_the_numbers_of_the_file_whatever_rows_have_no_target(tmp_path):
    X, y = BINARY
    lines = [
        f"{a},{b},{'' if i % 3 == 0 else label}"
        for i, (a, b, label) in enumerate(
            zip(X[:90, 0].tolist(), X[:90, 1].tolist(), y[:90].tolist(), strict=True)
        )
    ]
    (tmp_path / "new.csv").write_text("\n".join(["a,b,y", *lines, ""]))
    model = nonet.DecisionTreeClassifier(max_depth=2, random_state=0).fit(X[:, :2], y)
    worst = make_report(model, tmp_path / "new.csv", "y").facts["errors"]["worst"]
    assert worst["what"].endswith("as for nonet explain --row.")
    assert len(worst["list"]) == 10
    for one in worst["list"]:
        a, b, label = lines[one["row"] - 1].split(",")
        assert str(one["true"]) == label
        assert [one["values"]["a"], one["values"]["b"]] == pytest.approx([float(a), float(b)])
