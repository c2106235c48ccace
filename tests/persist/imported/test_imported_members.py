"""Imported models as members of ensembles, in files, and in processes without their library."""

from __future__ import annotations

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

import nonet
import nonet.plots

catboost = pytest.importorskip("catboost")
lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")
matplotlib.use("Agg")

X, Y = load_breast_cancer(return_X_y=True)
LABELS = np.array(["malignant", "benign"])[Y]
FEW = {"n_estimators": 6, "random_state": 0, "n_jobs": 1}
READERS = {
    "lightgbm": lambda: nonet.from_lightgbm(
        lightgbm.LGBMClassifier(verbose=-1, **FEW).fit(X, LABELS)
    ),
    "xgboost": lambda: nonet.from_xgboost(
        xgboost.XGBClassifier(**FEW).fit(X, 1 - Y), classes=["benign", "malignant"]
    ),
    "catboost": lambda: nonet.from_catboost(
        catboost.CatBoostClassifier(
            iterations=6, verbose=0, thread_count=1, allow_writing_files=False
        ).fit(X, LABELS)
    ),
    "sklearn": lambda: nonet.from_sklearn(RandomForestClassifier(**FEW).fit(X, LABELS)),
}
# Predicts in a process that can import none of the libraries.
WITHOUT_LIBRARIES = """
import sys
for name in ("catboost", "lightgbm", "xgboost"):
    sys.modules[name] = None
import numpy as np
import nonet
model = nonet.load(sys.argv[1])
np.save(sys.argv[2], model.predict_proba(np.load(sys.argv[3])))
"""


@pytest.fixture(scope="module")
def members():
    return {name: read() for name, read in READERS.items()}


def _in_another_process(model, rows, folder):
    """Return what a saved model predicts where no library of the members can be imported."""
    nonet.save(model, folder / "model.nonet")
    np.save(folder / "rows.npy", rows)
    paths = [str(folder / name) for name in ("model.nonet", "found.npy", "rows.npy")]
    subprocess.run([sys.executable, "-c", WITHOUT_LIBRARIES, *paths], check=True)
    return np.load(folder / "found.npy")


ENSEMBLES = {
    "vote": lambda given: nonet.VotingClassifier(given, voting="soft", prefit=True),
    "weighted vote": lambda given: nonet.VotingClassifier(
        given, voting="soft", prefit=True, weights=[1, 2, 3, 4]
    ),
    "stack": lambda given: nonet.StackingClassifier(given, cv="prefit"),
    "one of them, fitted again": lambda given: nonet.BaggingClassifier(
        given[0][1], n_estimators=3, random_state=0
    ),
}


@pytest.mark.parametrize("name", ENSEMBLES, ids=lambda name: name.replace(" ", "_"))
def test_saved_ensemble_predicts_without_the_libraries(name, members, tmp_path):
    model = ENSEMBLES[name](list(members.items())).fit(X, LABELS)
    expected = model.predict_proba(X)
    assert np.array_equal(_in_another_process(model, X, tmp_path), expected)
    assert set(model.predict(X)) == {"malignant", "benign"}


def test_members_keep_what_they_predicted(members):
    vote = nonet.VotingClassifier(list(members.items()), voting="soft", prefit=True)
    vote.fit(X, LABELS)
    parts = [model.predict_proba(X) for model in members.values()]
    np.testing.assert_allclose(vote.predict_proba(X), np.mean(parts, axis=0), rtol=1e-12)


@pytest.mark.parametrize("library", READERS)
def test_imported_model_is_saved_loaded_and_explained(library, members, tmp_path):
    model = members[library]
    assert np.array_equal(_in_another_process(model, X, tmp_path), model.predict_proba(X))
    loaded = nonet.load(tmp_path / "model.nonet")
    values = nonet.shap_values(loaded, X[:20])
    raw = model.decision_function(X[:20]) if library != "sklearn" else model.predict_proba(X[:20])
    np.testing.assert_allclose(values.values.sum(axis=1) + values.base, raw, atol=1e-9)


@pytest.mark.parametrize("library", READERS)
def test_imported_model_is_drawn_and_reported(library, members):
    model = members[library]
    assert nonet.tree_dependence(model, X, [20]).plot().lines
    assert nonet.error_curve(model, X, LABELS).plot().lines
    report = nonet.make_report(model, X, LABELS)
    assert type(model).__name__ in str(report.facts)


@pytest.mark.parametrize("library", ["catboost", "lightgbm", "xgboost"])
def test_member_of_a_library_is_refused_with_the_way_out(library, tmp_path):
    few = {"verbose": 0, "iterations": 2, "allow_writing_files": False}
    made = {
        "catboost": catboost.CatBoostClassifier(**few),
        "lightgbm": lightgbm.LGBMClassifier(verbose=-1, **FEW),
        "xgboost": xgboost.XGBClassifier(**FEW),
    }
    vote = nonet.VotingClassifier([("one", made[library])], voting="soft").fit(X, Y)
    with pytest.raises(nonet.ModelFileError, match=f"by what nonet.from_{library} makes of it"):
        nonet.save(vote, tmp_path / "model.nonet")
    assert not (tmp_path / "model.nonet").exists()
