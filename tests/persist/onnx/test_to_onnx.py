"""The arguments of to_onnx, its outputs, files and refusals."""

from __future__ import annotations

import builtins

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet import decide
from persist.onnx_sessions import export_and_run

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3)).astype(np.float32)
Y = (X[:, 0] + X[:, 1] > 0).astype(int)


def forest(labels=Y, **settings):
    return nonet.RandomForestClassifier(5, random_state=0, **settings).fit(X, labels)


def test_file_holds_the_graph_that_is_returned(tmp_path):
    path = tmp_path / "model.onnx"
    graph = nonet.to_onnx(forest(), path)
    pytest.importorskip("onnx").checker.check_model(graph, full_check=True)
    assert path.read_bytes() == graph.SerializeToString()
    assert [one.name for one in graph.graph.input] == ["X"]
    assert [one.name for one in graph.graph.output] == ["label", "probabilities"]


def test_equal_models_have_equal_graphs():
    first, second = (nonet.to_onnx(forest()).SerializeToString() for _ in range(2))
    assert first == second


def test_refusal_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"old")
    model = nonet.VotingRegressor([("line", Ridge())], decide=np.round).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="decided by a function of the user's"):
        nonet.to_onnx(model, path)
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


LABELS = {
    "text": np.where(Y, "yes", "no"),
    "integers": np.where(Y, 7, -2),
    "booleans": Y.astype(bool),
    "objects": np.where(Y, "yes", "no").astype(object),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_any_type(name):
    model = nonet.DecisionTreeClassifier(max_depth=3).fit(X, LABELS[name])
    assert np.array_equal(export_and_run(model, X)["label"], model.predict(X))


def test_labels_of_mixed_types_are_refused():
    labels = np.empty(len(Y), dtype=object)
    labels[:] = [(1, 2) if one else (3, 4) for one in Y]
    model = nonet.DecisionTreeClassifier(max_depth=1).fit(X, Y)
    model.classes_ = np.empty(2, dtype=object)
    model.classes_[:] = [(1, 2), (3, 4)]
    with pytest.raises(ValueError, match="no labels in ONNX"):
        nonet.to_onnx(model)


def test_abstentions_have_their_label():
    rule = decide.Abstain(0.9, abstain_label="unsure")
    model = forest(LABELS["text"], decide=rule)
    found = export_and_run(model, X)["label"]
    assert "unsure" in found
    assert np.array_equal(found, model.predict(X))


def test_an_arbiter_decides_what_is_left_open():
    members = [("shallow", DecisionTreeClassifier(max_depth=1)), ("line", LogisticRegression())]
    rule = decide.Argmax(tie="arbiter", arbiter=DecisionTreeClassifier(max_depth=4))
    model = nonet.VotingClassifier(members, decide=rule).fit(X, Y)
    assert np.array_equal(export_and_run(model, X)["label"], model.predict(X))


def test_raw_scores_on_request():
    model = nonet.HistGradientBoostingClassifier(max_iter=5).fit(X, Y)
    found = export_and_run(model, X, raw_scores=True)
    np.testing.assert_allclose(found["scores"][:, 0], model.decision_function(X), rtol=1e-5)
    with pytest.raises(ValueError, match="has no decision_function"):
        nonet.to_onnx(forest(), raw_scores=True)


def test_several_targets():
    targets = np.column_stack([X[:, 0], X[:, 1] * 2])
    model = nonet.RandomForestRegressor(5, random_state=0).fit(X, targets)
    found = export_and_run(model, X)["variable"]
    np.testing.assert_allclose(found, model.predict(X), rtol=1e-5, atol=1e-6)
    labels = np.column_stack([Y, 1 - Y])
    with pytest.raises(ValueError, match="several targets"):
        nonet.to_onnx(forest(labels))


LOSSES = ["squared_error", "absolute_error", "huber", "poisson", "gamma", "tweedie"]


@pytest.mark.parametrize("objective", LOSSES)
def test_inverse_links(objective):
    y = np.exp(X[:, 0]) + 0.1
    model = nonet.BoostedTreesRegressor(objective, n_estimators=8, n_bags=1).fit(X, y)
    found = export_and_run(model, X)["variable"][:, 0]
    np.testing.assert_allclose(found, model.predict(X), rtol=1e-5, atol=1e-6)


def test_a_starting_model_is_part_of_the_sum():
    model = nonet.GradientBoostingClassifier(n_estimators=5, init=LogisticRegression()).fit(X, Y)
    found = export_and_run(model, X)
    np.testing.assert_allclose(found["probabilities"], model.predict_proba(X), rtol=1e-5, atol=1e-6)


def test_base_margins_are_refused():
    model = nonet.BoostedTreesClassifier(n_estimators=3, n_bags=1)
    model.fit(X, Y, base_margin=np.zeros(len(Y)))
    with pytest.raises(ValueError, match="reads a base_margin"):
        nonet.to_onnx(model)


@pytest.mark.parametrize(
    ("model", "error", "words"),
    [
        (nonet.RandomForestClassifier(), ValueError, "is not; call fit first"),
        (nonet.RandomForestClassifier, TypeError, "needs a fitted estimator"),
        (3, TypeError, "needs a fitted estimator"),
    ],
)
def test_rejects_what_is_no_fitted_model(model, error, words):
    with pytest.raises(error, match=words):
        nonet.to_onnx(model)


def test_names_the_package_that_is_missing(monkeypatch):
    true_import = builtins.__import__

    def without_onnx(name, *rest):
        if name == "onnx":
            raise ImportError(name)
        return true_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_onnx)
    with pytest.raises(ImportError, match=r"run `pip install nonet\[export\]`"):
        nonet.to_onnx(forest())
