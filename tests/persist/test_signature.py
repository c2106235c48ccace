"""The column signature: what a file describes of the columns, and what predict checks."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import nonet
from persist.rewriting import saved

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "size": RNG.normal(size=60),
        "count": RNG.integers(9, size=60),
        "color": pd.Categorical(RNG.choice(["red", "green", "blue"], size=60)),
        "shop": RNG.choice(["here", "there"], size=60),
    }
)
Y = (FRAME["size"] > 0).to_numpy().astype(int)


def models():
    return [
        nonet.RandomForestClassifier(5, categorical_features=["color", "shop"], random_state=0),
        nonet.BoostedTreesClassifier(
            n_estimators=3, min_child_samples=2, categorical_features=["color", "shop"]
        ),
        nonet.DecisionTreeClassifier(max_depth=3, categorical_features=["color", "shop"]),
    ]


def through_file(model):
    return nonet.load(io.BytesIO(saved(model)))


@pytest.mark.parametrize("model", models(), ids=lambda model: type(model).__name__)
def test_manifest_describes_names_dtypes_and_categories(model):
    about = nonet.describe_file(io.BytesIO(saved(model.fit(FRAME, Y))))
    assert about.columns["count"] == 4
    assert about.columns["names"] == ["size", "count", "color", "shop"]
    assert about.columns["dtypes"] == [str(dtype) for dtype in FRAME.dtypes]
    categories = {"2": ["blue", "green", "red"], "3": ["here", "there"]}
    assert about.columns["categories"] == categories


def test_dtypes_are_those_of_the_last_fit():
    model = nonet.DecisionTreeClassifier(max_depth=1)
    numbers = FRAME[["size", "count"]]
    loaded = through_file(model.fit(numbers, Y))
    assert saved(loaded)
    of_frame = nonet.describe_file(io.BytesIO(saved(loaded))).columns
    of_array = nonet.describe_file(io.BytesIO(saved(model.fit(numbers.to_numpy(), Y)))).columns
    assert (of_frame["dtypes"], of_array["dtypes"]) == (["float64", "int64"], None)


def test_columns_of_polars_are_described():
    model = nonet.RandomForestClassifier(3, random_state=0)
    frame = pl.DataFrame({"a": FRAME["size"].to_numpy(), "b": FRAME["count"].to_numpy()})
    columns = nonet.describe_file(io.BytesIO(saved(model.fit(frame, Y)))).columns
    assert (columns["names"], columns["dtypes"]) == (["a", "b"], ["Float64", "Int64"])


CHANGES = {
    "renamed": lambda frame: frame.rename(columns={"size": "length"}),
    "one fewer": lambda frame: frame.drop(columns="count"),
    "in another order": lambda frame: frame[["count", "size", "color", "shop"]],
    "text for numbers": lambda frame: frame.assign(size="tall"),
    "numbers for text": lambda frame: frame.assign(shop=np.arange(len(frame)) + 0.5),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("model", models(), ids=lambda model: type(model).__name__)
def test_loaded_model_checks_columns_as_the_saved_one(model, change):
    loaded = through_file(model.fit(FRAME, Y))
    other = CHANGES[change](FRAME)
    with pytest.raises((ValueError, TypeError)) as expected:
        model.predict(other)
    with pytest.raises(type(expected.value)) as found:
        loaded.predict(other)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize("model", models(), ids=lambda model: type(model).__name__)
def test_loaded_model_treats_new_categories_as_the_saved_one(model):
    loaded = through_file(model.fit(FRAME, Y))
    other = FRAME.assign(shop="nowhere")
    np.testing.assert_array_equal(loaded.predict_proba(other), model.predict_proba(other))


def test_pipeline_keeps_the_names_of_its_columns():
    numbers = FRAME[["size", "count"]]
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(numbers, Y)
    loaded = through_file(model)
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(numbers.rename(columns={"size": "length"}))
