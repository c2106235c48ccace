"""Every public ensemble exports with the predictions that it has here, or raises one sentence."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor

import nonet
from contracts.instances import SETTINGS, instances
from persist.onnx_sessions import export_and_run

RNG = np.random.default_rng(5)
X = RNG.normal(size=(120, 5)).astype(np.float32)
X[:, 0] = np.round(X[:, 0])
SCORE = X[:, 1] * 2 + X[:, 2] ** 2 + X[:, 0]
THREE = np.array(["low", "middle", "high"])[np.digitize(SCORE, [0, 2])]
TWO = np.where(SCORE > 1, 7, 3)
NEW = RNG.normal(size=(3000, 5)).astype(np.float32) * 1.5
NEW[:, 0] = np.round(NEW[:, 0])

CASES = {
    f"{kind.__name__}-{position}": (kind, position)
    for kind in SETTINGS
    for position in range(len(SETTINGS[kind]))
}
# What has no form in ONNX, and the words that name it.
REFUSALS = {
    "VotingClassifier-7": "decided at random where classes tie",
    "OneVsOneClassifier-0": "couples the probabilities",
    "OneVsOneClassifier-1": "decoded by 'coupling'",
    "OutputCodeClassifier-0": "couples the probabilities",
    "OutputCodeClassifier-1": "couples the probabilities",
    "OutputCodeClassifier-2": "couples the probabilities",
    "GatedClassifier-0": "weighs the members by the nearest training rows",
    "GatedRegressor-0": "weighs the members by the nearest training rows",
    "RandomTreesEmbedding-0": "neither a classifier nor a regressor",
    "ConsensusClustering-0": "neither a classifier nor a regressor",
    "ConsensusClustering-1": "neither a classifier nor a regressor",
    "ConsensusClustering-2": "neither a classifier nor a regressor",
    "EnsembleEmbedding-0": "neither a classifier nor a regressor",
    "EnsembleEmbedding-1": "neither a classifier nor a regressor",
    "EnsembleEmbedding-2": "neither a classifier nor a regressor",
    "OutlierEnsemble-0": "has labels that ONNX has no form for",
    "OutlierEnsemble-1": "has labels that ONNX has no form for",
}
WITHOUT_PROBABILITIES = ("OneVsOneClassifier-0", *(f"OutputCodeClassifier-{i}" for i in range(3)))


def fitted(case):
    kind, position = CASES[case]
    model = instances(kind)[position]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few rows, few rounds
        if not is_classifier(model):
            return model.fit(X, SCORE)
        try:
            return model.fit(X, THREE)
        except ValueError:  # for two classes alone
            return model.fit(X, TWO)


def check_outputs(model, found):
    if "label" in found and is_classifier(model):
        assert np.array_equal(found["label"], model.predict(NEW))
        has = "probabilities" in found
        assert has == hasattr(model, "predict_proba")
        if has:
            np.testing.assert_allclose(
                found["probabilities"], model.predict_proba(NEW), rtol=1e-5, atol=1e-6
            )
    elif is_regressor(model):
        np.testing.assert_allclose(
            found["variable"][:, 0], model.predict(NEW), rtol=1e-5, atol=1e-6
        )
    else:
        assert np.array_equal(found["label"], model.predict(NEW))
        expected = model.decision_function(NEW)
        np.testing.assert_allclose(found["scores"][:, 0], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("case", [case for case in CASES if case not in REFUSALS])
def test_predicts_as_here(case):
    model = fitted(case)
    check_outputs(model, export_and_run(model, NEW))


@pytest.mark.parametrize("case", REFUSALS)
def test_refuses_in_one_sentence_that_names_the_part(case, tmp_path):
    model = fitted(case)
    with pytest.raises(ValueError, match=r"^to_onnx cannot express this model, because ") as raised:
        nonet.to_onnx(model, tmp_path / "model.onnx")
    assert REFUSALS[case] in str(raised.value)
    assert re.search(r"; [a-z][^;]*\.$", str(raised.value))  # the way out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("case", WITHOUT_PROBABILITIES)
def test_labels_export_where_probabilities_cannot(case):
    model = fitted(case)
    found = export_and_run(model, NEW, probabilities=False)
    assert list(found) == ["label"]
    assert np.array_equal(found["label"], model.predict(NEW))
