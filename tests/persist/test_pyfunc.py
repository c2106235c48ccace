"""Model files as pyfunc models of MLflow: logged with a signature and an example, and loaded."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import nonet
from nonet.persist.pyfunc import load_pyfunc

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.normal(size=200), "b": RNG.normal(size=200)})
FRAME["word"] = pd.Series(RNG.choice(["p", "q", "r"], 200), dtype=object)
FRAME.loc[::9, "b"] = np.nan
LABELS = np.where(FRAME["a"] + (FRAME["word"] == "p") > 0.5, "yes", "no")


@pytest.fixture(scope="module")
def model():
    return nonet.BoostedTreesClassifier(
        n_estimators=8, categorical_features=["word"], random_state=0
    ).fit(FRAME, LABELS)


@pytest.fixture
def path(model, tmp_path):
    path = tmp_path / "churn.nonet"
    nonet.save(model, path)
    return path


@pytest.mark.filterwarnings("ignore")  # MLflow's own, about its dependencies and its type hints
def test_logged_model_predicts_what_the_file_predicts(model, path, tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # a database needs more packages
    monkeypatch.chdir(tmp_path)
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    expected = model.predict_proba(FRAME)
    with mlflow.start_run():
        logged = mlflow.pyfunc.log_model(
            name="churn",
            loader_module="nonet.persist",
            data_path=str(path),
            signature=mlflow.models.infer_signature(
                FRAME, expected, params={"method": "predict_proba"}
            ),
            input_example=FRAME[:3],
            pip_requirements=["nonet"],
        )
    back = mlflow.pyfunc.load_model(logged.model_uri)
    assert back.metadata.get_input_schema().input_names() == ["a", "b", "word"]
    pd.testing.assert_frame_equal(back.input_example, FRAME[:3], check_dtype=False)
    assert np.array_equal(back.predict(FRAME), expected)
    labels = back.predict(FRAME, params={"method": "predict"})
    assert labels.tolist() == model.predict(FRAME).tolist()
    with pytest.raises(mlflow.exceptions.MlflowException, match="missing inputs"):
        back.predict(FRAME[["a", "b"]])
    folder = tmp_path.rglob("MLmodel")
    assert [
        one for one in next(folder).parent.rglob("*") if one.suffix in (".pkl", ".pickle")
    ] == []


def test_method_is_chosen_when_the_model_is_loaded(model, path):
    assert np.array_equal(load_pyfunc(path).predict(FRAME), model.predict(FRAME))
    served = load_pyfunc(path, {"method": "predict_proba"})
    assert np.array_equal(served.predict(FRAME), model.predict_proba(FRAME))
    scores = served.predict(FRAME, {"method": "decision_function"})
    assert np.array_equal(scores, model.decision_function(FRAME))


def test_mlflow_finds_the_loader_in_the_package():
    assert nonet.persist._load_pyfunc is load_pyfunc


def test_rejects_other_methods(path):
    sentence = "method must be one of predict, predict_proba, decision_function for Boosted"
    with pytest.raises(ValueError, match=sentence):
        load_pyfunc(path, {"method": "fit"})
    with pytest.raises(ValueError, match=r"got '__class__'"):
        load_pyfunc(path).predict(FRAME, {"method": "__class__"})
    with pytest.raises(ValueError, match="got 3"):
        load_pyfunc(path, {"method": 3})


def test_damaged_file_ends_in_one_sentence(tmp_path):
    (tmp_path / "odd.nonet").write_text(json.dumps({}))
    with pytest.raises(nonet.ModelFileError):
        load_pyfunc(tmp_path / "odd.nonet")
