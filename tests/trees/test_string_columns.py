"""Strings in frames: categories by dtype, numbers where the text is one, else one sentence.

Issue 18, items A.16 and A.17.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import is_classifier
from sklearn.linear_model import LogisticRegression

from nonet import (
    AdaBoostClassifier,
    BaggingClassifier,
    BoostedTreesClassifier,
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    IsolationForest,
    PocketPerceptron,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
)

RNG = np.random.default_rng(18)
CITY = np.array(["Bern", "Oslo", "Rome"])[RNG.integers(0, 3, 240)]
HEIGHT = RNG.normal(size=240)
Y = (CITY == "Oslo") ^ (HEIGHT > 1)
COLUMNS = {"height": HEIGHT.tolist(), "city": CITY.tolist()}
PANDAS = pd.DataFrame(COLUMNS)
OF_PANDAS = {
    "object": object,
    "str": str,
    "string": "string",
    "category": "category",
    "Arrow strings": pd.ArrowDtype(pa.string()),
    "Arrow large strings": pd.ArrowDtype(pa.large_string()),
    "Arrow dictionary": pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())),
}
POLARS = pl.DataFrame(COLUMNS)
ARROW = pa.table(COLUMNS)
FRAMES = {
    **{f"pandas, {name}": PANDAS.astype({"city": dtype}) for name, dtype in OF_PANDAS.items()},
    "polars, String": POLARS,
    "polars, Categorical": POLARS.with_columns(pl.col("city").cast(pl.Categorical)),
    "polars, Enum": POLARS.with_columns(pl.col("city").cast(pl.Enum(["Oslo", "Bern", "Rome"]))),
    "Arrow, string": ARROW,
    "Arrow, dictionary": ARROW.set_column(1, "city", ARROW["city"].dictionary_encode()),
}
TAKE_CATEGORIES = [
    DecisionTreeClassifier(max_depth=4, random_state=0),
    DecisionTreeRegressor(max_depth=4, random_state=0),
    ExtraTreeClassifier(max_depth=6, random_state=0),
    RandomForestClassifier(10, random_state=0),
    RandomForestRegressor(10, random_state=0),
    ExtraTreesClassifier(10, random_state=0),
    HistGradientBoostingClassifier(max_iter=10),
    HistGradientBoostingRegressor(max_iter=10),
    BoostedTreesClassifier(n_estimators=10, min_data_per_group=5),
    BaggingClassifier(n_estimators=5, random_state=0),
    AdaBoostClassifier(n_estimators=5, random_state=0),
]
NEED_NUMBERS = [
    GradientBoostingClassifier(n_estimators=2),
    IsolationForest(n_estimators=2),
    DecisionStump(),
    PocketPerceptron(),
    AdaBoostClassifier(DecisionStump(), n_estimators=2),
    VotingClassifier([("line", LogisticRegression())]),
]


def name_of(model):
    return type(model).__name__


def outputs_of(model, table):
    return model.predict_proba(table) if is_classifier(model) else model.predict(table)


@pytest.mark.parametrize("model", TAKE_CATEGORIES, ids=name_of)
def test_strings_and_categories_of_all_frames_give_one_model(model):
    coded = pd.DataFrame({"height": HEIGHT, "city": pd.Categorical(CITY)})
    expected = outputs_of(model.fit(coded, Y), coded)
    spread = expected[:, 1] if expected.ndim == 2 else expected
    assert np.corrcoef(spread, Y)[0, 1] > 0.5
    for name, frame in FRAMES.items():
        found = outputs_of(model.fit(frame, Y), frame)
        np.testing.assert_array_equal(found, expected, err_msg=name)


@pytest.mark.parametrize("model", NEED_NUMBERS, ids=name_of)
@pytest.mark.parametrize("name", FRAMES)
def test_models_of_numbers_name_the_column_of_strings(model, name):
    with pytest.raises(ValueError, match=r"column 'city' of X holds the string '\w+'.*OneHotEnc"):
        model.fit(FRAMES[name], Y)


def test_models_of_numbers_name_the_column_that_became_strings_at_predict():
    numbers = PANDAS.assign(city=1.0)
    for model in [GradientBoostingClassifier(n_estimators=2), RandomForestClassifier(2)]:
        with pytest.raises(ValueError, match="column 'city' of X holds the string"):
            model.fit(numbers, Y).predict(PANDAS)
    voting = VotingClassifier([("line", LogisticRegression())]).fit(numbers, Y)
    with pytest.raises(ValueError, match=r"member 'line' .* column 'city' of X holds the string"):
        voting.predict(PANDAS)


@pytest.mark.parametrize("model", [RandomForestClassifier(2), HistGradientBoostingClassifier()])
def test_strings_in_arrays_are_named_by_position(model):
    table = np.column_stack([HEIGHT.astype(object), CITY.astype(object)])
    with pytest.raises(ValueError, match="column 1 of X holds the string .*categorical_features"):
        model.fit(table, Y)
    model.set_params(categorical_features=[1]).fit(table, Y)


def test_dates_are_named():
    frame = PANDAS.assign(city=pd.date_range("2026-01-01", periods=len(PANDAS)))
    with pytest.raises(ValueError, match="column 'city' of X holds dates or times"):
        RandomForestClassifier(2).fit(frame, Y)


def test_strings_of_numbers_are_numbers_as_in_scikit_learn():
    docs = PANDAS.assign(city=[str(value) for value in np.round(HEIGHT, 3)])
    numbers = PANDAS.assign(city=np.round(HEIGHT, 3))
    model = HistGradientBoostingClassifier(max_iter=5)
    expected = model.fit(numbers, Y).predict_proba(numbers)
    np.testing.assert_array_equal(model.fit(docs, Y).predict_proba(docs), expected)
    assert model.is_categorical_ is None


def test_a_column_of_numbers_with_a_few_other_strings_raises():
    docs = [str(value) for value in HEIGHT]
    docs[7] = " "
    frame = PANDAS.assign(city=docs)
    with pytest.raises(ValueError, match="Most of the strings in column 'city'.* but ' ' is not"):
        RandomForestClassifier(2).fit(frame, Y)
    RandomForestClassifier(2, categorical_features=["city"]).fit(frame, Y)


def test_objects_that_are_numbers_stay_numbers():
    frame = PANDAS.assign(city=pd.Series([None, True, 2] * 80, dtype=object))
    forest = RandomForestClassifier(2, random_state=0).fit(frame, Y)
    assert forest.is_categorical_ is None


def test_missing_strings_are_a_category():
    frame = PANDAS.assign(city=pd.Series(CITY).where(CITY != "Oslo", None))
    model = DecisionTreeClassifier(max_depth=2).fit(frame[["city"]], CITY == "Oslo")
    assert model.score(frame[["city"]], CITY == "Oslo") == 1


def test_categories_of_an_arrow_table_can_be_named():
    model = RandomForestClassifier(2, categorical_features=["city"], random_state=0)
    assert model.fit(ARROW, Y).is_categorical_.tolist() == [False, True]


def test_no_categories_on_request():
    with pytest.raises(ValueError, match="column 'city' of X holds the string"):
        RandomForestClassifier(2, categorical_features=None).fit(PANDAS, Y)


def test_forests_still_take_sparse_tables():
    assert RandomForestClassifier().__sklearn_tags__().input_tags.sparse
    assert not RandomForestClassifier(categorical_features=[0]).__sklearn_tags__().input_tags.sparse


def test_a_warm_start_knows_joined_categories():
    city = np.concatenate([np.repeat(np.arange(300), 4), np.arange(300, 320)]).astype(str)
    frame = pd.DataFrame({"city": pd.Categorical(["c" + name for name in city])})
    y = np.arange(len(city)) % 7 > 3
    model = HistGradientBoostingClassifier(max_iter=2, warm_start=True).fit(frame, y)
    assert len(model.joined_categories_[0]) == 20
    model.set_params(max_iter=3).fit(frame, y)
    assert model.n_iter_ == 3


@pytest.mark.parametrize("kind", [RandomForestClassifier, HistGradientBoostingClassifier])
def test_codes_in_place_of_strings_are_refused_at_predict(kind):
    """Issue 18, net B: each of them was a category that fit had not seen, without an error."""
    table = pd.DataFrame({"job": ["Private", "State"] * 20, "age": range(40)})
    model = kind(random_state=0).fit(table, [0, 1] * 20)
    with pytest.raises(ValueError, match="column 'job' of X has the category 0, but fit saw"):
        model.predict(table.assign(job=[0, 1] * 20))
    model.predict(table.assign(job=["Nobody"] * 40))
    model.predict(table.assign(job=[np.nan] * 40))


@pytest.mark.parametrize("kind", [RandomForestClassifier, BoostedTreesClassifier])
@pytest.mark.parametrize("n_rows", [3, 40])
def test_strings_in_place_of_numbered_categories_are_refused_at_predict(kind, n_rows):
    """The same digits as text were categories that fit had not seen, without an error."""
    table = pd.DataFrame({"zone": pd.Categorical([1, 2] * 20), "age": range(40)})
    model = kind(n_estimators=3, random_state=0).fit(table, [0, 1] * 20)
    rows = table.head(n_rows)
    for zones in (rows["zone"].astype(str), rows["zone"].astype(str).astype("category")):
        with pytest.raises(ValueError, match="column 'zone' of X has the category '[12]', but fit"):
            model.predict(rows.assign(zone=zones))
    missing = rows.assign(zone=["1"] + [None] * (n_rows - 1))
    with pytest.raises(ValueError, match="column 'zone' of X has the category '1', but fit"):
        model.predict(missing)


@pytest.mark.parametrize("kind", [RandomForestClassifier, BoostedTreesClassifier])
def test_unseen_categories_of_the_type_of_fit_are_silent(kind):
    table = pd.DataFrame({"zone": pd.Categorical([1, 2] * 20), "age": range(40)})
    model = kind(n_estimators=3, random_state=0).fit(table, [0, 1] * 20)
    expected = model.predict_proba(table.assign(zone=[np.nan] * 40))
    text = pd.CategoricalDtype(["1", "2"])  # of which no row has a value
    for zones in ([7, 8] * 20, [7.5] * 40, pd.Series([None] * 40, dtype=text), [None] * 40):
        np.testing.assert_array_equal(model.predict_proba(table.assign(zone=zones)), expected)
    same = model.predict_proba(table.assign(zone=[1.0, 2.0] * 20))
    np.testing.assert_array_equal(same, model.predict_proba(table))
