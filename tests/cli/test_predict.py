"""``nonet predict``: the predictions of the model, and what a killed process leaves."""

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import nonet
from cli.small_tables import FAST, as_csv, churn_rows
from nonet.cli import predict
from nonet.tables.blocks import read_blocks

NEW = churn_rows(60, seed=1)


def read_csv(text, delimiter=","):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def expected(run):
    model = nonet.open_run(run).model
    return model.predict(NEW), model.predict_proba(NEW)


def check_rows(rows, run):
    """Check rows that were written with --proba."""
    labels, probabilities = expected(run)
    assert [row["customer"] for row in rows] == NEW["customer"]
    assert [row["prediction"] for row in rows] == labels.tolist()
    found = [[float(row["probability_no"]), float(row["probability_yes"])] for row in rows]
    np.testing.assert_array_equal(found, probabilities)


def test_standard_output_is_csv_with_the_identifiers_of_the_fit(nonet_command, churn_run):
    ended = nonet_command("predict", churn_run, "new.csv", "--proba")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("customer,prediction,probability_no,probability_yes\n")
    check_rows(read_csv(ended.out), churn_run)


@pytest.mark.parametrize("name", ["p.csv", "p.tsv", "p.jsonl", "p.parquet", "p.csv.gz"])
def test_file_of_any_format_holds_the_predictions(nonet_command, folder, churn_run, name):
    ended = nonet_command("predict", churn_run, "new.csv", "--proba", "--out", name)
    assert (ended.code, ended.out) == (0, f"60 predictions in {name}\n")
    check_rows(read_rows(folder / name), churn_run)


def read_rows(path):
    content = path.read_bytes()
    if path.suffix == ".gz":
        return read_csv(gzip.decompress(content).decode())
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in content.splitlines()]
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        return parquet.read_table(path).to_pylist()
    return read_csv(content.decode(), "\t" if path.suffix == ".tsv" else ",")


@pytest.mark.parametrize("name", ["p.csv", "p.jsonl", "p.parquet"])
def test_blocks_change_nothing(nonet_command, folder, churn_run, monkeypatch, name):
    assert nonet_command("predict", churn_run, "new.csv", "--proba", "--out", name).code == 0
    whole = read_rows(folder / name)
    monkeypatch.setattr(
        predict, "read_blocks", lambda source, notes: read_blocks(source, rows_per_block=7)
    )
    assert nonet_command("predict", churn_run, "new.csv", "--proba", "--out", name).code == 0
    in_blocks = read_rows(folder / name)
    assert [row["customer"] for row in in_blocks] == NEW["customer"]
    assert [row["prediction"] for row in in_blocks] == [row["prediction"] for row in whole]
    # Products of matrices are rounded by the number of rows.
    one, other = ([float(row["probability_yes"]) for row in rows] for rows in (in_blocks, whole))
    np.testing.assert_allclose(one, other, rtol=1e-12)


def test_document_of_json_holds_the_rows(nonet_command, churn_run):
    document = nonet_command("predict", churn_run, "new.csv", "--proba", "--json").document
    assert list(document) == ["command", "nonet", "columns", "rows", "n_rows"]
    assert document["n_rows"] == 60
    assert document["columns"] == ["customer", "prediction", "probability_no", "probability_yes"]
    check_rows(document["rows"], churn_run)


def test_document_of_a_file_describes_it(nonet_command, churn_run):
    ended = nonet_command("predict", churn_run, "new.csv", "--out", "p.csv", "--json")
    document = ended.document
    assert {name: document[name] for name in ("file", "n_rows", "columns")} == {
        "file": "p.csv",
        "n_rows": 60,
        "columns": ["customer", "prediction"],
    }


def test_named_identifiers_are_passed_through_as_they_are_written(nonet_command, folder, churn_run):
    columns = {**NEW, "key": [f"00{i}" for i in range(60)], "prediction": ["a,b"] * 60}
    (folder / "keyed.csv").write_bytes(as_csv(columns))
    ended = nonet_command("predict", churn_run, "keyed.csv", "--id", "key", "prediction")
    rows = read_csv(ended.out)
    assert list(rows[0]) == ["key", "prediction", "prediction_2"]
    assert [row["key"] for row in rows] == columns["key"]
    assert {row["prediction"] for row in rows} == {"a,b"}
    assert [row["prediction_2"] for row in rows] == expected(churn_run)[0].tolist()


def test_identifiers_of_the_fit_are_named_as_the_table_has_them(nonet_command):
    options = ["--target", "LEFT", "--id", "Customer", *FAST]
    assert nonet_command("fit", "churn.csv", *options).code == 0
    ended = nonet_command("predict", "churn.run", "new.csv")
    assert ended.out.startswith("customer,prediction\n")


def test_model_file_in_its_folder_knows_the_identifiers(nonet_command, churn_run):
    of_folder = nonet_command("predict", churn_run, "new.csv")
    of_file = nonet_command("predict", f"{churn_run}/model.nonet", "new.csv")
    assert of_file.out == of_folder.out


def test_regression_predicts_values(nonet_command, flats_run):
    ended = nonet_command("predict", flats_run, "new_flats.csv")
    found = [float(row["prediction"]) for row in read_csv(ended.out)]
    with open("new_flats.csv") as file:
        columns = {name: [] for name in next(csv.reader(file))}
        for row in csv.reader(file):
            for name, value in zip(columns, row, strict=True):
                columns[name].append(float(value))
    np.testing.assert_array_equal(found, nonet.open_run(flats_run).predict(columns))
    refused = nonet_command("predict", flats_run, "new_flats.csv", "--proba")
    assert (refused.code, "leave out --proba" in refused.sentence) == (2, True)


def test_table_without_some_columns_is_predicted_with_a_warning(nonet_command, folder, churn_run):
    (folder / "few.csv").write_bytes(as_csv({"age": NEW["age"]}))
    ended = nonet_command("predict", churn_run, "few.csv")
    assert ended.code == 0
    assert ended.err.startswith("nonet: X lacks columns of fit")
    assert len(ended.err.splitlines()) == 1
    assert len(ended.out.splitlines()) == 61


def test_table_of_other_columns_is_refused(nonet_command, churn_run):
    ended = nonet_command("predict", churn_run, "flats.csv", "--out", "p.csv")
    assert ended.code == 3
    assert "none of the columns of fit" in ended.sentence
    assert not os.path.exists("p.csv")


@pytest.mark.parametrize("name", ["p.xlsx", "p", "p.csv.zip"])
def test_format_that_is_not_known_is_refused_before_anything_is_read(nonet_command, name):
    ended = nonet_command("predict", "none", "none.csv", "--out", name)
    assert (ended.code, ".parquet" in ended.sentence) == (2, True)


def test_file_that_cannot_be_written_is_one_sentence(nonet_command, churn_run):
    ended = nonet_command("predict", churn_run, "new.csv", "--out", "none/p.csv")
    assert (ended.code, "cannot be written" in ended.sentence) == (3, True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_full_disk_is_one_sentence(nonet_command, churn_run, monkeypatch):
    with open("/dev/full", "wb", buffering=0) as full:
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(full))
        ended = nonet_command("predict", churn_run, "new.csv")
    assert (ended.code, ended.sentence) == (3, "No space left on device.")


def test_pipes_on_both_sides(nonet_process, folder, churn_run):
    content = as_csv(NEW, end="\r\n")
    ended = nonet_process("predict", churn_run, "-", "--proba", stdin=content)
    assert (ended.code, ended.err) == (0, "")
    check_rows(read_csv(ended.out), churn_run)


def test_nothing_is_lost_in_a_pipe_that_is_read_slowly(folder, churn_run):
    """Without a buffer, as with python -u, a write to a pipe may end before its end."""
    (folder / "long.csv").write_bytes(as_csv(churn_rows(5000, seed=1)))
    child = subprocess.Popen(
        [sys.executable, "-u", "-m", "nonet", "predict", churn_run, "long.csv", "--json"],
        stdout=subprocess.PIPE,
    )
    out = child.stdout.read(10)
    time.sleep(0.2)
    out += child.stdout.read()
    child.stdout.close()
    assert child.wait() == 0
    assert len(json.loads(out)["rows"]) == 5000


def test_broken_pipe_ends_quietly(folder, churn_run):
    (folder / "long.csv").write_bytes(as_csv(churn_rows(5000, seed=1)))
    child = subprocess.Popen(
        [sys.executable, "-m", "nonet", "predict", churn_run, "long.csv", "--proba"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    child.stdout.read(10)
    child.stdout.close()
    err = child.stderr.read()
    child.stderr.close()
    assert (child.wait(), err) == (141, b"")


SLOW_WRITER = """
import sys, time
from nonet.cli import predict
from nonet.cli.main import main
from nonet.tables.blocks import read_blocks

def read_slowly(source, notes):
    for block in read_blocks(source, rows_per_block=10):
        yield block
        print("block", flush=True)
        time.sleep(0.1)

predict.read_blocks = read_slowly
main(["predict", *sys.argv[1:]])
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_writer_leaves_the_old_file(folder, churn_run, number):
    (folder / "p.csv").write_text("old")
    command = [sys.executable, "-c", SLOW_WRITER, churn_run, "new.csv", "--out", "p.csv"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.readline()
    child.stdout.readline()
    child.send_signal(number)
    _, err = child.communicate()
    assert (folder / "p.csv").read_text() == "old"
    if number == signal.SIGINT:  # which leaves no temporary file either
        assert err == b"nonet: interrupted; nothing was changed.\n"
        assert list(folder.glob(".*.part")) == []


# ---- Levels that the fit did not see -----------------------------------------------------------


def test_levels_that_the_fit_did_not_see_are_named_with_their_rows(
    nonet_command, folder, churn_run, monkeypatch
):
    cities = ["Paris", "Oslo", "Lima", "Paris", *NEW["city"][4:]]
    (folder / "moved.csv").write_bytes(as_csv({**NEW, "city": cities}))
    note = (
        "note      'city' has levels that the fit did not see, 'Paris' for example, in 3 rows: "
        "read as missing.\n"
    )
    shown = nonet_command("predict", churn_run, "moved.csv")
    assert (shown.code, shown.err) == (0, note)
    monkeypatch.setattr(
        predict, "read_blocks", lambda source, notes: read_blocks(source, rows_per_block=1)
    )
    written = nonet_command("predict", churn_run, "moved.csv", "--out", "p.csv")
    assert (written.code, written.err) == (0, note)
    assert nonet_command("predict", churn_run, "moved.csv", "--quiet").err == ""


def test_missing_values_are_no_unseen_levels(nonet_command, folder, churn_run):
    (folder / "gaps.csv").write_bytes(as_csv({**NEW, "city": ["", "NA", *NEW["city"][2:]]}))
    ended = nonet_command("predict", churn_run, "gaps.csv")
    assert (ended.code, ended.err) == (0, "")


def test_values_that_cannot_be_read_are_noted(nonet_command, folder, churn_run):
    ages = ["12 EUR", "unknown", *NEW["age"][2:]]
    (folder / "odd.csv").write_bytes(as_csv({**NEW, "age": ages}))
    for command in ("predict", "score"):
        shown = nonet_command(command, churn_run, "odd.csv")
        note = "note      'age' has values that are no numbers in 2 rows: read as missing."
        assert note in shown.err.splitlines()
