"""One member for each named group of columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_selector
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import scale

from nonet import ViewsClassifier, ViewsRegressor, make_ledger
from nonet.combine import KOfN, mean

DATA = load_breast_cancer()
X, Y = scale(DATA.data), DATA.target_names[DATA.target]
VIEWS = {"mean": slice(0, 10), "error": slice(10, 20), "worst": slice(20, 30)}
MEMBERS = [("mean", GaussianNB()), ("error", LogisticRegression()), ("worst", LogisticRegression())]
COLUMNS = [f"c{i}" for i in range(30)]


def fitted(**settings):
    return ViewsClassifier(MEMBERS, VIEWS, **settings).fit(X, Y)


def test_each_member_sees_its_columns_against_naive():
    model = fitted()
    alone = [
        clone.fit(X[:, VIEWS[name]], Y).predict_proba(X[:, VIEWS[name]])
        for name, clone in (
            ("mean", GaussianNB()),
            ("error", LogisticRegression()),
            ("worst", LogisticRegression()),
        )
    ]
    np.testing.assert_allclose(model.predict_proba(X), mean(np.stack(alone, axis=1)))
    assert model.n_features_in_ == 30
    assert model.view_columns_["error"].tolist() == list(range(10, 20))


@pytest.mark.parametrize("rule", ["product", "median", "plurality", KOfN(1, pos_label="malignant")])
def test_any_rule_combines_views(rule):
    assert fitted(combine=rule).score(X, Y) > 0.85


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_columns_by_name_position_mask_and_slice_are_the_same(frame):
    table = frame({name: X[:, i] for i, name in enumerate(COLUMNS)})
    mask = [i < 10 for i in range(30)]
    views = {"mean": mask, "error": COLUMNS[10:20], "worst": list(range(20, 30))}
    model = ViewsClassifier(MEMBERS, views).fit(table, Y)
    np.testing.assert_allclose(model.predict_proba(table), fitted().predict_proba(X))
    assert model.feature_names_in_.tolist() == COLUMNS


def test_selector_names_columns():
    table = pd.DataFrame(X[:, :3], columns=["a_1", "a_2", "b_1"])
    views = {"a": make_column_selector("^a"), "b": make_column_selector("^b")}
    model = ViewsClassifier([("a", GaussianNB()), ("b", GaussianNB())], views).fit(table, Y)
    assert [member.columns.tolist() for member in model.members_] == [[0, 1], [2]]


def test_columns_in_another_order_are_refused():
    table = pd.DataFrame(X, columns=COLUMNS)
    model = ViewsClassifier(MEMBERS, VIEWS).fit(table, Y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table[COLUMNS[::-1]])


def test_weights_are_found_on_held_out_views():
    X, y = load_diabetes(return_X_y=True)
    noise = np.random.default_rng(0).normal(size=(len(X), 3))
    model = ViewsRegressor(
        [("real", Ridge(0.1)), ("noise", Ridge(0.1))],
        {"real": slice(0, 10), "noise": slice(10, 13)},
        weights="simplex",
    ).fit(np.hstack([X, noise]), y)
    assert model.weights_[0] > 0.9


def test_dropped_view_needs_no_columns_left():
    model = fitted().set_params(error="drop").fit(X, Y)
    assert [member.name for member in model.members_] == ["mean", "worst"]


@pytest.mark.parametrize(
    ("views", "message"),
    [
        ({"mean": [0], "error": [1]}, "'views' must be a dictionary with the columns of each"),
        (VIEWS | {"voice": [0]}, "'views' must be a dictionary with the columns of each"),
        (VIEWS | {"mean": [30]}, "view 'mean' has columns that X does not have"),
        (VIEWS | {"mean": ["age"]}, "view 'mean' has columns that X does not have"),
        (VIEWS | {"mean": []}, "view 'mean' has no column"),
    ],
)
def test_views_reject_bad_columns(views, message):
    with pytest.raises(ValueError, match=message):
        ViewsClassifier(MEMBERS, views).fit(X, Y)


def test_views_reject_a_ledger():
    ledger = make_ledger(MEMBERS, X, Y, cv=2)
    with pytest.raises(ValueError, match="a ledger does not store the columns"):
        ViewsClassifier(MEMBERS, VIEWS).fit(X, Y, ledger=ledger)
