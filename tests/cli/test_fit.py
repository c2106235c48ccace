"""``nonet fit``: what it prints before and after, what it writes, what it refuses."""

import importlib.util
import io
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

import nonet
from cli.small_tables import FAST, as_csv, churn_rows
from nonet.auto import search
from nonet.cli import fit

CHURN = ("fit", "churn.csv", "--target", "left", *FAST)


def test_understanding_is_printed_before_time_is_spent(nonet_command, monkeypatch):
    def refuse(*arguments, **settings):
        raise ValueError("time would be spent now.")

    monkeypatch.setattr(fit, "fit_table", refuse)
    ended = nonet_command(*CHURN, "--id", "customer", "--drop", "weight", "--time", "10m")
    assert ended.err.splitlines() == [
        "table     churn.csv: 100 rows, 6 columns",
        "target    left: classification, 2 classes: yes 59 (59%), no 41 (41%)",
        "          The values are 2 different words.",
        "columns   3 used: 1 number (age); 1 category (city); 1 date (joined)",
        "not used  'customer' (identifiers)",
        "not used  'weight' (dropped)",
        "metric    log_loss, smaller is better",
        "folds     8, the classes in proportion",
        "time      10 min, at most 2 tasks",
        "nonet: time would be spent now.",
    ]
    assert ended.out == ""


def test_regression_shows_the_range(nonet_command):
    ended = nonet_command("fit", "flats.csv", "--target", "price", *FAST)
    assert ended.code == 0
    (line,) = [line for line in ended.err.splitlines() if line.startswith("target")]
    prices = np.genfromtxt("flats.csv", delimiter=",", names=True)["price"]
    assert line == (
        f"target    price: regression, from {prices.min():.6g} to {prices.max():.6g}, "
        f"mean {prices.mean():.6g}"
    )


def test_result_has_leaderboard_score_and_next_steps(nonet_command):
    ended = nonet_command(*CHURN)
    lines = ended.out.splitlines()
    assert lines[0] == "Leaderboard: log_loss, smaller is better"
    (score,) = [line for line in lines if line.startswith("score")]
    assert "+-" in score
    assert "held-out rows of" in score
    assert "model     churn.run/model.nonet" in lines
    assert "predict   nonet predict churn.run NEW.csv --out predictions.csv" in lines


def test_model_file_predicts_as_the_run(nonet_command):
    assert nonet_command(*CHURN).code == 0
    table = churn_rows(30, seed=2)
    of_file = nonet.load("churn.run/model.nonet").predict_proba(table)
    of_run = nonet.open_run("churn.run").predict_proba(table)
    np.testing.assert_array_equal(of_file, of_run)


def test_document_of_json_is_golden(nonet_command):
    first = nonet_command(*CHURN, "--id", "customer", "--json").document
    again = nonet_command(*CHURN, "--id", "customer", "--json", "--out", "b.run").document
    assert types(first) == {
        "command": str,
        "nonet": str,
        "table": {
            "file": str,
            "n_rows": int,
            "n_columns": int,
            "target": str,
            "task": str,
            "n_missing_targets": int,
            "values": {"yes": int, "no": int},
            "columns": {"number": [str], "category": [str], "date": [str]},
            "not_used": {"id": [str]},
            "time_column": type(None),
            "metric": str,
            "better": str,
            "folds": str,
            "notes": [str],
        },
        "run": {
            "task": str,
            "target": str,
            "classes": [str],
            "score": {
                "metric": str,
                "better": str,
                "score": float,
                "standard_error": float,
                "rows": str,
                "untouched_score": type(None),
                "untouched_error": type(None),
                "untouched_rows": type(None),
            },
            "leaderboard": [
                {
                    "name": str,
                    "score": float,
                    "standard_error": float,
                    "weight": float,
                    "seconds": float,
                    "rows": str,
                    "us_per_row": float,
                }
            ],
            "notes": [str],
            "warnings": [],
            "seconds": float,
            "settings": {
                "drop": [str],
                "time_limit": type(None),
                "random_state": int,
                "max_tasks": int,
                "families": [str],
            },
        },
        "files": {"folder": str, "model": str},
        "interrupted": bool,
    }
    assert first["table"] == again["table"]
    assert first["run"]["score"] == again["run"]["score"]
    assert first["table"]["values"] == {"yes": 59, "no": 41}
    assert first["run"]["classes"] == ["no", "yes"]


def types(value):
    """Return the types in a document; of a list that of its first element."""
    if isinstance(value, dict):
        return {name: types(one) for name, one in value.items()}
    if isinstance(value, list):
        return [types(value[0])] if value else []
    return type(value)


def test_quiet_prints_the_result_alone(nonet_command):
    ended = nonet_command(*CHURN, "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_windows_line_ends_change_nothing(nonet_command, folder, end):
    (folder / "other.csv").write_bytes(as_csv(churn_rows(), end))
    ended = nonet_command("fit", "other.csv", "--target", "left", *FAST, "--json")
    plain = nonet_command(*CHURN, "--json")
    assert ended.document["run"]["score"] == plain.document["run"]["score"]


def test_standard_input_is_a_table(nonet_command, folder, monkeypatch):
    content = io.BytesIO((folder / "churn.csv").read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(content))
    ended = nonet_command("fit", "-", "--target", "left", *FAST)
    assert ended.code == 0
    assert "table     standard input: 100 rows, 6 columns" in ended.err
    assert (folder / "table.run" / "model.nonet").exists()
    assert "table" not in (folder / "table.run" / "config.toml").read_text()


# ---- Folders -----------------------------------------------------------------------------------


def test_existing_run_is_left_alone(nonet_command, churn_run):
    before = sorted(path.name for path in Path(churn_run).iterdir())
    ended = nonet_command(*CHURN)
    assert ended.code == 3
    assert "nonet resume churn.run" in ended.sentence
    assert "--out" in ended.sentence
    assert sorted(path.name for path in Path(churn_run).iterdir()) == before


def test_folder_of_other_files_is_left_alone(nonet_command, folder):
    (folder / "churn.run").mkdir()
    (folder / "churn.run" / "letter.txt").write_text("dear")
    assert "--out" in nonet_command(*CHURN).sentence
    (folder / "a file").write_text("dear")
    assert "--out" in nonet_command(*CHURN, "--out", "a file").sentence
    assert (folder / "churn.run" / "letter.txt").read_text() == "dear"


def test_failed_fit_is_not_in_the_way_of_the_next(nonet_command, folder):
    (folder / "one_group.csv").write_bytes(as_csv({**churn_rows(), "one": ["a"] * 100}))
    bad = nonet_command("fit", "one_group.csv", "--target", "left", "--group", "one", *FAST)
    assert bad.code == 3
    assert not (folder / "one_group.run").exists()
    assert nonet_command("fit", "one_group.csv", "--target", "left", *FAST).code == 0


def test_no_model_ends_with_4(nonet_command, folder, monkeypatch):
    def fail(*arguments):
        raise ArithmeticError("no luck")

    monkeypatch.setattr(search, "run_fold_task", fail)
    ended = nonet_command(*CHURN)
    assert ended.code == 4
    assert "no configuration could be fitted" in ended.err.splitlines()[-1]
    assert "no luck" in ended.err.splitlines()[-1]
    assert not (folder / "churn.run").exists()


def test_report_without_jinja2_is_refused_before_time_is_spent(nonet_command, monkeypatch):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "jinja2" else find_spec(name)
    )
    ended = nonet_command(*CHURN, "--report")
    assert (ended.code, ended.sentence) == (3, "the report needs jinja2: pip install nonet[app].")


# ---- Roles of columns --------------------------------------------------------------------------


def test_weights_written_as_text_are_used(nonet_command):
    weighted = nonet_command(*CHURN, "--weight", "weight", "--json")
    plain = nonet_command(*CHURN, "--drop", "weight", "--out", "b.run", "--json")
    assert weighted.code == plain.code == 0
    run = nonet.open_run("churn.run")
    np.testing.assert_array_equal(run.rows.weights, churn_rows()["weight"])
    assert "weight" not in run.rows.table.names
    assert weighted.document["run"]["score"] != plain.document["run"]["score"]


def test_groups_stay_together(nonet_command, folder):
    groups = [f"g{i // 4}" for i in range(100)]
    (folder / "grouped.csv").write_bytes(as_csv({**churn_rows(), "house": groups}))
    options = ["--target", "left", "--group", "house", "--families", "linear", "--max-tasks", "8"]
    assert nonet_command("fit", "grouped.csv", *options).code == 0
    held_out = nonet.open_run("grouped.run").held_out
    folds = {fold: set(held_out.rows[held_out.folds == fold] // 4) for fold in held_out.folds}
    assert sum(map(len, folds.values())) == 25


def test_folds_in_the_order_of_time_train_on_earlier_rows(nonet_command):
    options = ["--time-column", "joined", "--families", "linear", "--max-tasks", "4"]
    ended = nonet_command("fit", "churn.csv", "--target", "left", *options, "--json")
    assert ended.code == 0
    assert "in the order of 'joined'" in ended.document["table"]["folds"]
    assert ended.document["table"]["time_column"] == "joined"
    held_out = nonet.open_run("churn.run").held_out
    joined = np.array(churn_rows()["joined"], dtype="datetime64[D]")
    assert set(held_out.rows) == set(np.argsort(joined, kind="stable")[55:])
    for fold in np.unique(held_out.folds)[1:]:
        earlier = joined[held_out.rows[held_out.folds < fold]]
        assert earlier.max() < joined[held_out.rows[held_out.folds == fold]].min()


def test_run_in_the_order_of_time_is_resumed(nonet_command):
    options = ["--time-column", "joined", "--families", "linear"]
    start = ["fit", "churn.csv", "--target", "left", *options]
    assert nonet_command(*start, "--max-tasks", "2").code == 0
    resumed = nonet_command("resume", "churn.run", "--max-tasks", "4", "--json")
    whole = nonet_command(*start, "--max-tasks", "4", "--out", "b.run", "--json")
    assert resumed.code == 0
    assert resumed.document["run"]["score"] == whole.document["run"]["score"]


def test_kind_of_a_column_can_be_set(nonet_command):
    ended = nonet_command(*CHURN, "--kind", "age=category", "--json")
    assert "age" in ended.document["table"]["columns"]["category"]
    assert nonet.open_run("churn.run").model.encoder_.kinds_["age"].kind == "category"


def test_repairs_of_the_file_are_kept_in_the_run(nonet_command, folder):
    columns = churn_rows()
    content = as_csv(columns).replace(b"customer,age", b"age,age")
    (folder / "churn.csv").write_bytes(content)
    ended = nonet_command(*CHURN)
    assert "stood twice" in ended.err
    assert any("stood twice" in note for note in nonet.open_run("churn.run").notes)


def test_table_to_predict_that_differs_is_named(nonet_command, folder):
    moved = churn_rows(100, seed=3)
    moved["age"] = [age + 500 for age in moved["age"]]
    (folder / "moved.csv").write_bytes(as_csv(moved))
    ended = nonet_command(*CHURN, "--drop", "customer", "--test", "moved.csv")
    assert ended.code == 0
    assert any(line.startswith("warning") and "age" in line for line in ended.out.splitlines())


def test_time_limit_is_less_the_time_of_reading(nonet_command):
    assert nonet_command(*CHURN, "--time", "2m").code == 0
    limit = nonet.open_run("churn.run").settings["time_limit"]
    assert 110 < limit < 120


def test_class_that_reads_as_missing_is_named_before_time_is_spent(nonet_command, folder):
    regions = ["NA" if i % 5 == 0 else "EU" if i % 2 else "Asia" for i in range(100)]
    (folder / "regions.csv").write_bytes(as_csv({**churn_rows(), "region": regions}))
    ended = nonet_command("fit", "regions.csv", "--target", "region", *FAST)
    assert ended.code == 0
    assert (
        "note      'NA' in 20 rows is read as missing; if it is a class, write another word in the "
        "table." in ended.err.splitlines()
    )


@pytest.mark.parametrize("metric", ["recall", "f1", "precision"])
def test_metric_of_one_class_is_about_the_last_class_of_text(nonet_command, metric):
    options = ["--target", "left", "--metric", metric, "--families", "linear", "--max-tasks", "8"]
    fitted = nonet_command("fit", "churn.csv", *options, "--json")
    assert fitted.code == 0, fitted.err
    assert fitted.document["run"]["score"]["metric"] == metric
    ended = nonet_command("score", "churn.run", "new.csv", "--json")
    new = churn_rows(60, seed=1)
    predicted = nonet.open_run("churn.run").predict(new)
    expected = getattr(metrics, f"{metric}_score")(new["left"], predicted, pos_label="yes")
    assert ended.document["score"] == pytest.approx(expected)


def test_metric_of_one_class_is_refused_for_three(nonet_command):
    ended = nonet_command("fit", "churn.csv", "--target", "city", "--metric", "recall", *FAST)
    assert ended.code == 3
    assert "choose recall_macro, recall_micro or recall_weighted" in ended.sentence
