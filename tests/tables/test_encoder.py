"""Tests of tables as numbers."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import nonet
from nonet.tables.as_table import as_table
from nonet.tables.encoder import TableEncoder

N = 40
ROW = np.arange(N)
FRAME = pd.DataFrame(
    {
        "id": ROW,
        "size": np.where(ROW % 7 == 0, np.nan, ROW / 3),
        "price": [f"{i},50" for i in ROW % 11],
        "sold": np.where(ROW % 3 == 0, "yes", "no"),
        "city": np.array(["Oslo", "Rome", "Bern"])[ROW % 3],
        "day": [f"{i % 28 + 1}.{i % 3 + 1}.2024 {i % 5}:00" for i in ROW],
        "story": [f"a house of {i} rooms" for i in ROW],
        "one": 1,
    }
)


def test_columns_are_encoded_by_their_kinds():
    encoded = TableEncoder().fit_transform(FRAME)
    assert encoded.names[:4] == ("size", "price", "sold", "city")
    assert encoded.values.flags.f_contiguous
    assert encoded.values.dtype == np.float64
    np.testing.assert_array_equal(encoded.values[:, 0], FRAME["size"])
    np.testing.assert_array_equal(encoded.values[:, 1], ROW % 11 + 0.5)
    np.testing.assert_array_equal(encoded.values[:, 2], ROW % 3 == 0)
    np.testing.assert_array_equal(encoded.values[:, 3], ROW % 3)
    assert encoded.categorical.tolist() == [name == "city" for name in encoded.names]
    assert encoded.texts["story"].values().tolist() == FRAME["story"].tolist()
    assert list(encoded.texts) == ["story"]


def test_dates_become_seconds_and_the_parts_that_vary():
    encoded = TableEncoder().fit_transform(FRAME)
    parts = dict(zip(encoded.names, encoded.values.T, strict=True))
    days = pd.to_datetime(FRAME["day"], format="%d.%m.%Y %H:%M")
    np.testing.assert_array_equal(parts["day"], (days - days.min()).dt.total_seconds())
    np.testing.assert_array_equal(parts["day_month"], days.dt.month)
    np.testing.assert_array_equal(parts["day_day"], days.dt.day)
    np.testing.assert_array_equal(parts["day_weekday"], days.dt.day_of_week)
    np.testing.assert_array_equal(parts["day_hour"], days.dt.hour)
    np.testing.assert_allclose(parts["day_month_sin"], np.sin(2 * np.pi * days.dt.month / 12))
    np.testing.assert_allclose(parts["day_hour_cos"], np.cos(2 * np.pi * days.dt.hour / 24))
    assert "day_year" not in parts  # it does not vary


def test_missing_dates_are_missing_in_all_parts():
    dates = pd.Series(pd.date_range("2020-01-01", periods=N, freq="100h"))
    dates[3] = pd.NaT
    encoded = TableEncoder().fit_transform(pd.DataFrame({"day": dates}))
    assert np.isnan(encoded.values[3]).all()
    assert not np.isnan(np.delete(encoded.values, 3, axis=0)).any()


def test_columns_are_found_by_name_in_any_order():
    encoder = TableEncoder().fit(FRAME)
    other = encoder.transform(FRAME[FRAME.columns[::-1]].drop(columns=["id", "one"]))
    np.testing.assert_array_equal(other.values, encoder.transform(FRAME).values)


def test_lacking_columns_are_missing_with_one_warning():
    encoder = TableEncoder().fit(FRAME)
    with pytest.warns(UserWarning, match="'size', 'city'") as caught:
        encoded = encoder.transform(FRAME.drop(columns=["size", "city"]))
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert np.isnan(encoded.values[:, [0, 3]]).all()


def test_notes_replace_the_warning_and_report_all():
    encoder, notes = TableEncoder().fit(FRAME), []
    changed = FRAME.drop(columns="size").assign(color="red", city="Paris", price="cheap", sold="?")
    encoded = encoder.transform(changed, notes)
    assert len(notes) == 4
    assert "lacks columns of fit" in notes[0]
    assert "did not see are ignored: 'color'" in notes[1]
    assert "'price': 40 rows with values that are no numbers" in notes[2]
    assert "'city': 40 rows with levels that fit did not see" in notes[3]
    assert np.isnan(encoded.values[:, :4]).all()


def test_notes_of_fit_name_columns_that_are_not_used():
    notes = []
    frame = FRAME.assign(two=2, age=np.where(ROW % 9 == 0, -999, ROW % 37))
    TableEncoder().fit_transform(frame, notes=notes)
    assert notes[0].startswith("Column 'id' is not used, because its kind is identifier. The val")
    assert notes[1] == "2 columns are not used, because their kind is constant: 'one', 'two'."
    assert "Column 'age': " in notes[2]
    assert "-999 may stand for missing" in notes[2]
    assert len(notes) == 3


def test_table_without_any_known_column_is_rejected():
    with pytest.raises(ValueError, match="none of the columns of fit, which are 'size'.*'color'"):
        TableEncoder().fit(FRAME).transform(pd.DataFrame({"color": ["red"]}))


def test_table_with_nothing_to_learn_from_is_rejected():
    with pytest.raises(ValueError, match="no column has anything to learn from; 'id'"):
        TableEncoder().fit(FRAME[["id", "one"]])


def test_levels_of_numbers_are_the_same_in_writing_and_as_numbers():
    encoder = TableEncoder().fit(as_table({"code": ["1", "2", "x"] * 10}))
    for values in (["2.0", "1"], [2, 1], [2.0, 1.0]):
        encoded = encoder.transform({"code": values})
        np.testing.assert_array_equal(encoded.values[:, 0], [1, 0])


def test_infinities_are_missing_with_a_note():
    notes = []
    encoded = TableEncoder().fit_transform(pd.DataFrame({"a": [1, np.inf, 3]}), notes=notes)
    np.testing.assert_array_equal(encoded.values[:, 0], [1, np.nan, 3])
    assert notes == ["Column 'a': 1 row with infinite numbers read as missing."]


def test_array_of_numbers_is_taken_as_it_is():
    X = np.column_stack([ROW, np.ones(N), np.where(ROW == 3, np.nan, 0.0)])
    encoder = TableEncoder().fit(X)
    encoded = encoder.transform(X)
    np.testing.assert_array_equal(encoded.values, X)
    assert not encoded.categorical.any()
    assert encoder.n_features_in_ == 3
    assert not hasattr(encoder, "feature_names_in_")
    with pytest.raises(ValueError, match="X has 2 features, but TableEncoder is expecting 3"):
        encoder.transform(X[:, :2])


def test_rows_of_a_list_have_the_columns_of_fit_by_position():
    encoder = TableEncoder().fit([[1, "a"], [2, "b"]])
    np.testing.assert_array_equal(encoder.transform([[5, "b"]]).values, [[5, 1]])
    with pytest.raises(ValueError, match="X has 1 features"):
        encoder.transform([["b"]])


def test_categories_of_any_cardinality():
    levels = [f"level {i}" for i in range(50_000)]
    encoder = TableEncoder(kinds={"code": "category"}).fit(as_table({"code": levels}))
    encoded = encoder.transform({"code": levels[::-1]})
    np.testing.assert_array_equal(encoded.values[:, 0], np.arange(50_000)[::-1])


def test_second_fit_forgets_the_first():
    encoder = TableEncoder().fit(FRAME).fit(np.eye(3))
    assert encoder.kinds_ == {}
    assert not hasattr(encoder, "feature_names_in_")


def test_failed_fit_keeps_the_first():
    encoder = TableEncoder().fit(FRAME)
    with pytest.raises(ValueError, match="anything to learn"):
        encoder.fit(FRAME[["one"]])
    assert encoder.n_features_in_ == FRAME.shape[1]


def test_encoder_is_saved_and_loaded(tmp_path):
    encoder = TableEncoder(kinds={"one": "category"}).fit(FRAME)
    expected = encoder.transform(FRAME)
    nonet.save(encoder, tmp_path / "encoder.nonet")
    loaded = nonet.load(tmp_path / "encoder.nonet")
    assert loaded.kinds_ == encoder.kinds_
    found = loaded.transform(FRAME)
    np.testing.assert_array_equal(found.values, expected.values)
    assert found.names == expected.names


def test_encoder_can_be_cloned_and_must_be_fitted():
    encoder = clone(TableEncoder(kinds={"size": "number"}))
    assert encoder.kinds == {"size": "number"}
    with pytest.raises(NotFittedError):
        encoder.transform(FRAME)


def test_encoder_rejects_kinds_that_are_no_dict():
    with pytest.raises(ValueError, match="a dict of kinds"):
        TableEncoder(kinds=["size"]).fit(FRAME)
