"""Preparation in a graph: columns of frames, pipelines, models of other libraries."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingRegressor as TheirBooster
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, PoissonRegressor, RidgeCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    QuantileTransformer,
    RobustScaler,
    SplineTransformer,
    StandardScaler,
)
from sklearn.svm import SVC

import nonet
from persist.onnx_sessions import export_and_run, outputs_of

RNG = np.random.default_rng(0)
N = 300


def make_frame(n, colours=("red", "green", "blue", None)):
    frame = pd.DataFrame(
        {
            "height": RNG.normal(size=n).astype(np.float32),
            "width": RNG.exponential(size=n).astype(np.float32),
            "colour": RNG.choice(np.array(colours, dtype=object), n),
            "size": RNG.choice(["s", "m", "l"], n),
            "count": RNG.integers(0, 5, n),
        }
    )
    frame.loc[RNG.random(n) < 0.1, "height"] = np.nan
    return frame


FRAME = make_frame(N)
NEW = make_frame(1000, ("red", "green", "violet", None))
SCORE = np.nan_to_num(FRAME["height"]) * 2 + (FRAME["colour"] == "red") + FRAME["count"] / 2
LABELS = np.where(SCORE > 1, "high", "low")
NUMBERS, TEXTS = ["height", "width", "count"], ["colour", "size"]


def preparation():
    numbers = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    words = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
    )
    return ColumnTransformer([("numbers", numbers, NUMBERS), ("words", words, TEXTS)])


def check_classes(model, found, rows):
    assert np.array_equal(found["label"], model.predict(rows))
    expected = model.predict_proba(rows)
    np.testing.assert_allclose(found["probabilities"], expected, rtol=1e-5, atol=1e-6)


def test_categories_of_frames_without_rows_as_example():
    model = nonet.HistGradientBoostingClassifier(max_iter=20, categorical_features="from_dtype")
    model.fit(FRAME, LABELS)
    graph = nonet.to_onnx(model)
    kinds = {one.name: one.type.tensor_type.elem_type for one in graph.graph.input}
    assert kinds == {"height": 1, "width": 1, "colour": 8, "size": 8, "count": 1}
    check_classes(model, outputs_of(graph, NEW), NEW)


@pytest.mark.parametrize("double", [False, True])
def test_pipeline_with_a_vote_of_pipelines(double):
    vote = nonet.VotingClassifier(
        [
            ("line", make_pipeline(preparation(), LogisticRegression(max_iter=500))),
            ("forest", make_pipeline(preparation(), TheirForest(20, random_state=0))),
            ("trees", nonet.RandomForestClassifier(10, random_state=0)),
        ],
        voting="soft",
    ).fit(FRAME, LABELS)
    graph = nonet.to_onnx(vote, X=FRAME[:5], double=double)
    kinds = [one.type.tensor_type.elem_type for one in graph.graph.input]
    assert kinds == [11 if double else 1] * 2 + [8, 8, 7]
    check_classes(vote, outputs_of(graph, NEW), NEW)


def test_ordinal_codes_and_columns_that_pass_through():
    prepared = ColumnTransformer(
        [
            ("codes", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), TEXTS),
            ("scaled", RobustScaler(), ["width"]),
        ],
        remainder="passthrough",
    )
    model = make_pipeline(prepared, nonet.BoostedTreesRegressor(n_estimators=20, n_bags=1))
    model.fit(FRAME.fillna({"colour": "none"}), SCORE)
    rows = NEW.fillna({"colour": "none"})
    found = export_and_run(model, rows, X=FRAME[:3])["variable"][:, 0]
    np.testing.assert_allclose(found, model.predict(rows), rtol=1e-5, atol=1e-6)


X = RNG.normal(size=(N, 4)).astype(np.float32)
Y = X[:, 0] + X[:, 1] ** 2
CODES = np.digitize(Y, [0, 1.5])
ROWS = np.vstack([X, RNG.normal(size=(1000, 4)) * 1.5]).astype(np.float32)

CLASSIFIERS = {
    "components": make_pipeline(PCA(3, whiten=True), LogisticRegression()),
    "selected": make_pipeline(SelectKBest(k=2), GaussianNB()),
    "union": make_pipeline(make_union(MinMaxScaler(), PCA(2)), LogisticRegression()),
    "ranks": make_pipeline(
        QuantileTransformer(n_quantiles=40, output_distribution="normal"), LogisticRegression()
    ),
    "splines": make_pipeline(
        QuantileTransformer(n_quantiles=40), SplineTransformer(), LogisticRegression(max_iter=1000)
    ),
    "neighbors": KNeighborsClassifier(4, weights="distance"),
    "network": MLPClassifier(
        hidden_layer_sizes=(8,), max_iter=40, early_stopping=True, random_state=0
    ),
    "polynomials": make_pipeline(PolynomialFeatures(2), LogisticRegression(max_iter=1000)),
    "vectors": SVC(probability=True, random_state=0),
    "forest": TheirForest(10, random_state=0),
}
REGRESSORS = {
    "ridge": RidgeCV(),
    "poisson": PoissonRegressor(),
    "neighbors": KNeighborsRegressor(3),
    "network": MLPRegressor(
        hidden_layer_sizes=(8,), max_iter=40, early_stopping=True, random_state=0
    ),
    "scaled target": TransformedTargetRegressor(RidgeCV(), transformer=StandardScaler()),
    "logarithm": make_pipeline(
        FunctionTransformer(np.abs), FunctionTransformer(np.log1p), RidgeCV()
    ),
    "booster": TheirBooster(max_iter=5),
}


@pytest.mark.filterwarnings("ignore:.*probability.*:FutureWarning")
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_of_scikit_learn(name):
    model = CLASSIFIERS[name].fit(X, CODES)
    check_classes(model, export_and_run(model, ROWS), ROWS)


@pytest.mark.filterwarnings("ignore:.*iterations.*")
@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_of_scikit_learn(name):
    model = REGRESSORS[name].fit(X, Y - Y.min())
    found = export_and_run(model, ROWS)["variable"][:, 0]
    np.testing.assert_allclose(found, model.predict(ROWS), rtol=1e-5, atol=2e-6)


def test_calibration_of_scikit_learn():
    model = CalibratedClassifierCV(GaussianNB(), cv=2).fit(X, CODES > 0)
    found = export_and_run(model, ROWS)
    assert found["label"].dtype == bool
    check_classes(model, found, ROWS)


def test_boosters_of_other_libraries_as_members():
    lightgbm = pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    xgboost = pytest.importorskip("xgboost", reason="xgboost is not installed")
    vote = nonet.VotingClassifier(
        [
            ("light", lightgbm.LGBMClassifier(n_estimators=10, verbose=-1, n_jobs=1)),
            ("extreme", xgboost.XGBClassifier(n_estimators=10, n_jobs=1)),
        ],
        voting="soft",
    ).fit(X.astype(np.float64), CODES)
    found = export_and_run(vote, ROWS)
    expected = vote.predict_proba(ROWS.astype(np.float64))
    np.testing.assert_allclose(found["probabilities"], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (make_pipeline(FunctionTransformer(np.sign), LogisticRegression()), "function of the user"),
        (KNeighborsClassifier(metric="manhattan"), "metric or weights of its own"),
        (
            make_pipeline(SplineTransformer(extrapolation="linear"), LogisticRegression()),
            "extrapolation='linear'",
        ),
    ],
)
def test_steps_that_are_refused(model, words):
    model.fit(X, CODES)
    with pytest.raises(ValueError, match=words):
        nonet.to_onnx(model)
