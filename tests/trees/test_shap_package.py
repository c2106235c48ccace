"""What the package shap reads: against its own Shapley values, and in its plots."""

from __future__ import annotations

import builtins

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from scipy.special import expit
from sklearn.base import clone

import nonet

shap = pytest.importorskip("shap", reason="shap is not installed")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
X[RNG.random(X.shape) < 0.1] = np.nan
FILLED = np.nan_to_num(X)
VALUES = 2 * FILLED[:, 0] + FILLED[:, 1] ** 2 - FILLED[:, 2] * FILLED[:, 3]
TWO = np.where(VALUES > 1, "yes", "no")
THREE = np.digitize(VALUES, [0.0, 1.5])

REGRESSORS = [
    nonet.DecisionTreeRegressor(max_depth=5),
    nonet.RandomForestRegressor(12, random_state=0),
    nonet.ExtraTreesRegressor(12, max_depth=6, random_state=0),
    nonet.GradientBoostingRegressor(n_estimators=15),
    nonet.GradientBoostingRegressor(n_estimators=15, loss="huber"),
    nonet.HistGradientBoostingRegressor(max_iter=15),
    nonet.BoostedTreesRegressor(n_estimators=15, subsample=0.5, random_state=0),
    nonet.BoostedTreesRegressor(n_estimators=10, n_bags=3, random_state=0),
    nonet.BoostedTreesRegressor(n_estimators=10, drop_rate=0.2, random_state=0),
]
CLASSIFIERS = [
    nonet.DecisionTreeClassifier(max_depth=5),
    nonet.RandomForestClassifier(12, random_state=0),
    nonet.ExtraTreesClassifier(12, max_depth=6, random_state=0),
    nonet.GradientBoostingClassifier(n_estimators=10),
    nonet.HistGradientBoostingClassifier(max_iter=10),
    nonet.BoostedTreesClassifier(n_estimators=10),
    nonet.BoostedTreesClassifier(n_estimators=10, multi_strategy="multi_output_tree"),
]
CASES = [
    *((model, VALUES) for model in REGRESSORS),
    *((model, TWO) for model in CLASSIFIERS[:-1]),
    *((model, THREE) for model in CLASSIFIERS),
]


def mixed_frame():
    """Return a frame with numbers and a column of categories, and a target."""
    rng = np.random.default_rng(1)
    city = pd.Categorical(rng.choice(["Baku", "Oslo", "Riga"], 200))
    frame = pd.DataFrame({"size": rng.normal(size=200), "city": city, "age": rng.normal(size=200)})
    return frame, 2.0 * (frame["city"] == "Riga") + frame["age"]


@pytest.mark.parametrize(("model", "y"), CASES)
def test_explainer_of_shap_against_our_values(model, y):
    model = clone(model).fit(X, y)
    explainer = shap.TreeExplainer(nonet.to_shap(model))
    ours = nonet.shap_values(model, X)
    np.testing.assert_allclose(explainer.shap_values(X), ours.values, atol=1e-11)
    np.testing.assert_allclose(np.ravel(explainer.expected_value), np.ravel(ours.base), atol=1e-11)


@pytest.mark.parametrize(("model", "y"), [CASES[5], CASES[-3]])
def test_interactions_of_shap_against_ours(model, y):
    model = clone(model).fit(X, y)
    found = shap.TreeExplainer(nonet.to_shap(model)).shap_interaction_values(X[:20])
    ours = nonet.shap_interactions(model, X[:20]).values
    np.testing.assert_allclose(found, ours, atol=1e-11)


def test_interventional_values_sum_to_the_prediction():
    model = nonet.HistGradientBoostingRegressor(max_iter=20).fit(X, VALUES)
    explanation = shap.TreeExplainer(nonet.to_shap(model), X[:40])(X[40:90])
    totals = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(totals, model.predict(X[40:90]), atol=1e-9)


@pytest.mark.parametrize(
    "model",
    [
        nonet.BoostedTreesClassifier(n_estimators=10),
        nonet.GradientBoostingClassifier(n_estimators=10),
        nonet.RandomForestClassifier(10, random_state=0),
    ],
)
def test_explained_probabilities_sum_to_predict_proba(model):
    model.fit(X, TWO)
    explainer = shap.TreeExplainer(nonet.to_shap(model), X[:40], model_output="probability")
    explanation = explainer(X[40:80])
    totals = explanation.base_values + explanation.values.sum(axis=1)
    expected = model.predict_proba(X[40:80])
    expected = expected if totals.ndim == 2 else expected[:, 1]
    np.testing.assert_allclose(totals, expected, atol=1e-6)  # shap's weights are single precision


def test_explained_log_loss_against_its_formula():
    model = nonet.HistGradientBoostingClassifier(max_iter=10).fit(X, TWO)
    explainer = shap.TreeExplainer(nonet.to_shap(model), X[:40], model_output="log_loss")
    rows, truth = X[40:60], (TWO[40:60] == "yes").astype(float)
    values = explainer.shap_values(rows, truth)
    bases = np.array([explainer.expected_value(one) for one in truth])
    p = expit(model.decision_function(rows))
    losses = -np.log(np.where(truth == 1, p, 1 - p))
    np.testing.assert_allclose(np.ravel(bases) + values.sum(axis=1), losses, atol=1e-9)


def test_probabilities_of_a_softmax_are_not_offered():
    """Shap applies the logistic function to each score, which is not the softmax."""
    model = nonet.HistGradientBoostingClassifier(max_iter=5).fit(X, THREE)
    with pytest.raises(NotImplementedError):
        shap.TreeExplainer(nonet.to_shap(model), X[:20], model_output="probability")


def test_to_shap_rejects_categories_and_names_the_way_out():
    frame, y = mixed_frame()
    model = nonet.HistGradientBoostingRegressor(max_iter=5).fit(frame, y)
    with pytest.raises(ValueError, match=r"categories of 'city'; use nonet\.to_explanation"):
        nonet.to_shap(model)


def test_to_shap_rejects_other_models():
    with pytest.raises(TypeError, match="to_shap accepts models made of nonet's trees"):
        nonet.to_shap(nonet.AdaBoostClassifier().fit(FILLED, TWO))


def test_explanation_of_a_regressor():
    model = nonet.RandomForestRegressor(5, random_state=0).fit(X, VALUES)
    explanation, ours = nonet.to_explanation(model, X[:9]), nonet.shap_values(model, X[:9])
    assert isinstance(explanation, shap.Explanation)
    np.testing.assert_array_equal(explanation.values, ours.values)
    np.testing.assert_array_equal(explanation.base_values, np.full(9, ours.base))
    np.testing.assert_array_equal(explanation.data, X[:9])
    assert explanation.feature_names == [f"feature_{i}" for i in range(4)]
    assert explanation.display_data is None


def test_explanation_of_classes_names_them():
    model = nonet.RandomForestClassifier(5, random_state=0).fit(X, TWO)
    explanation = nonet.to_explanation(model, X[:9])
    assert explanation.output_names == ["no", "yes"]
    totals = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(totals, model.predict_proba(X[:9]), atol=1e-12)
    np.testing.assert_array_equal(explanation[:, :, "yes"].values, explanation.values[..., 1])


def test_explanation_of_sparse_rows_has_dense_data():
    rows = np.where(RNG.random((60, 3)) < 0.5, 0.0, 1.0)
    model = nonet.DecisionTreeRegressor().fit(csr_array(rows), rows[:, 0] + rows[:, 1])
    explanation = nonet.to_explanation(model, csr_array(rows[:5]))
    np.testing.assert_array_equal(explanation.data, rows[:5])


@pytest.mark.parametrize("as_frame", [pd.DataFrame, pl.from_pandas])
def test_explanation_shows_categories_and_has_their_codes(as_frame):
    frame, y = mixed_frame()
    rows = as_frame(frame)
    model = nonet.HistGradientBoostingRegressor(max_iter=20).fit(rows, y)
    explanation = nonet.to_explanation(model, rows)
    assert explanation.display_data[:, 1].tolist() == frame["city"].tolist()
    assert explanation.data[:, 1].tolist() == frame["city"].cat.codes.tolist()
    totals = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(totals, model.predict(rows), atol=1e-9)


def test_plots_of_shap_draw_the_explanation():
    import matplotlib.pyplot as plt

    frame, y = mixed_frame()
    model = nonet.HistGradientBoostingRegressor(max_iter=20).fit(frame, y)
    explanation = nonet.to_explanation(model, frame)
    waterfall = shap.plots.waterfall(explanation[0], show=False)
    labels = [label.get_text() for label in waterfall.get_yticklabels()]
    assert f"{frame['city'][0]} = city" in labels
    plt.close("all")
    swarm = shap.plots.beeswarm(explanation, show=False)
    assert {label.get_text() for label in swarm.get_yticklabels()} == {"size", "city", "age"}
    plt.close("all")


def test_missing_shap_is_explained(monkeypatch):
    model = nonet.DecisionTreeRegressor().fit(X, VALUES)
    real_import = builtins.__import__

    def without_shap(name, *args, **kwargs):
        if name == "shap":
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_shap)
    with pytest.raises(ImportError, match=r"pip install shap`, or use nonet\.shap_values"):
        nonet.to_explanation(model, X[:2])
    assert nonet.to_shap(model)["trees"]
