"""Tests of the probes of tables: each warns where it should, and is silent elsewhere."""

import numpy as np
import pandas as pd
import pytest

from nonet.tables.as_table import as_column, as_table
from nonet.tables.encoder import TableEncoder
from nonet.tables.probes import (
    drifting_target,
    leaking_columns,
    rare_classes,
    shifted_table,
)
from nonet.tables.row_groups import identical_rows, row_groups
from nonet.tables.target import understand_target

N = 1000
LEVELS = np.array(["red", "blue", "green", "black"])


def make_frame(rng, n_rows=N):
    return pd.DataFrame(
        {
            "size": rng.normal(size=n_rows),
            "color": rng.choice(LEVELS, n_rows),
            "rooms": rng.integers(1, 6, n_rows),
        }
    )


def target_of(values):
    return understand_target(as_column(values, "y"), "y")


def encode(frame):
    return TableEncoder().fit_transform(frame)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_leak_is_found_and_the_only_one(task):
    rng = np.random.default_rng(0)
    frame = make_frame(rng)
    noise = frame["size"] + rng.normal(size=N)
    y = noise > 0 if task == "classification" else noise
    frame["leak"] = np.where(y, 3.0, 7.0) if task == "classification" else 2 * y + 1
    frame["leaked_level"] = np.where(noise > 0, "paid", "open")
    found = leaking_columns(encode(frame), target_of(y), random_state=0)
    expected = {"leak"} | ({"leaked_level"} if task == "classification" else set())
    assert {warning.columns[0] for warning in found} == expected
    assert "100 %" in found[0].sentence or "99" in found[0].sentence


def test_good_column_is_no_leak():
    rng = np.random.default_rng(0)
    frame = make_frame(rng)
    y = frame["size"] + 0.3 * rng.normal(size=N) > 0
    assert leaking_columns(encode(frame), target_of(y), random_state=0) == []


def test_column_of_different_levels_is_no_leak_on_held_out_rows():
    rng = np.random.default_rng(0)
    frame = make_frame(rng)
    frame["name"] = [f"{i % 500}" + "x" * (i % 7) for i in range(N)]
    encoded = TableEncoder(kinds={"name": "category"}).fit_transform(frame)
    assert leaking_columns(encoded, target_of(rng.random(N) < 0.5), random_state=0) == []


def test_leak_is_found_among_many_columns_and_rows():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(3000, 300))).add_prefix("x")
    y = rng.random(3000) < 0.3
    frame["x7"] = y + rng.normal(size=3000) * 0.01
    found = leaking_columns(encode(frame), target_of(y), random_state=0)
    assert [warning.columns for warning in found] == [("x7",)]


def test_groups_are_those_of_equal_rows():
    frame = pd.DataFrame(
        {
            "a": [1.0, np.nan, 1.0, np.nan, 0.0, -0.0],
            "b": ["x", "y", "x", "y", "x", "x"],
            "c": pd.to_datetime(["2024-01-01"] * 5 + [None]),
        }
    )
    assert row_groups(as_table(frame)).tolist() == [0, 1, 0, 1, 2, 3]
    assert row_groups(as_table(frame[["a", "b"]])).tolist() == [0, 1, 0, 1, 2, 2]


def test_equal_values_in_other_columns_are_not_equal_rows():
    table = as_table({"a": [1.0, 2.0], "b": [2.0, 1.0]})
    assert row_groups(table).tolist() == [0, 1]


def test_groups_of_an_encoded_table_pass_over_identifiers():
    frame = pd.DataFrame({"id": np.arange(40), "a": np.arange(40) % 4 / 3})
    assert row_groups(encode(frame)).tolist() == (np.arange(40) % 4).tolist()
    assert len(set(row_groups(as_table(frame)))) == 40


def test_identical_rows_are_counted():
    assert identical_rows(np.array([0, 1, 2])) == []
    assert identical_rows(np.array([0, 1, 0, 0]))[0].sentence.startswith("2 rows of 4 equal")


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_drift_is_found_where_there_is_one(task):
    rng = np.random.default_rng(0)
    days = rng.permutation(np.arange(N) * 86400.0)
    trend = days / days.max() + rng.normal(size=N)
    y = trend > 0.5 if task == "classification" else trend
    found = drifting_target({"day": days, "other": rng.random(N)}, target_of(y))
    assert [warning.columns for warning in found] == [("day",)]


def test_few_dates_and_missing_dates_are_no_drift():
    y = target_of(np.arange(6) / 7)
    nothing = {"a": np.full(6, np.nan), "b": np.zeros(6), "c": np.arange(6.0)}
    assert drifting_target(nothing, y) == []


def test_drift_that_decides_the_target_is_found():
    y = target_of(np.repeat([0.5, 1.5, 3.5, 7.5], 30))
    assert drifting_target({"day": np.arange(120.0)}, y)


def test_shifted_table_names_its_columns():
    rng = np.random.default_rng(0)
    encoder = TableEncoder().fit(make_frame(rng))
    first, other = make_frame(rng), make_frame(rng)
    other["size"] += 2
    (found,) = shifted_table(encoder.transform(first), encoder.transform(other), random_state=0)
    assert found.columns[0] == "size"
    levels = make_frame(rng)
    levels["color"] = "red"
    (found,) = shifted_table(encoder.transform(first), encoder.transform(levels), random_state=0)
    assert found.columns[0] == "color"


def test_tables_of_one_source_cannot_be_told_apart():
    rng = np.random.default_rng(0)
    encoder = TableEncoder().fit(make_frame(rng))
    for n_rows in (5, 50, 3000):
        tables = [encoder.transform(make_frame(rng, n_rows)) for _ in range(2)]
        assert shifted_table(*tables, random_state=0) == []


def test_rare_classes_are_named():
    target = target_of(["a", "b"] * 20 + ["rare"] * 2)
    (found,) = rare_classes(target, n_folds=5)
    assert "'rare' (2 rows)" in found.sentence
    assert rare_classes(target, n_folds=2) == []
    assert rare_classes(target_of(np.arange(50) / 7), n_folds=5) == []


def test_many_rare_classes_are_counted():
    target = target_of([f"c{i // 2}" for i in range(40)])
    assert "and 12 more" in rare_classes(target, n_folds=5)[0].sentence


def test_probes_are_deterministic():
    rng = np.random.default_rng(0)
    encoded, other = encode(make_frame(rng)), encode(make_frame(rng))
    shifted = other.take(np.flatnonzero(other.values[:, 0] > 0.5))
    assert shifted_table(encoded, shifted, 0) == shifted_table(encoded, shifted, 0)
