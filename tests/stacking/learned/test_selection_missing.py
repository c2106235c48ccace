"""Missing values in selections: what fit takes, predict takes (issue 18, item A.8)."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline

import nonet

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
GAPS = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
LABELS = (X[:, 0] > 0).astype(int)


def filled(model):
    return make_pipeline(SimpleImputer(), model)


@pytest.mark.parametrize("table", [X, GAPS], ids=["fit without gaps", "fit with gaps"])
@pytest.mark.parametrize(
    "model",
    [
        nonet.SelectionClassifier(
            [("line", filled(LogisticRegression())), ("tree", nonet.DecisionTreeClassifier())], cv=2
        ),
        nonet.SelectionRegressor(
            [("line", filled(Ridge())), ("tree", nonet.DecisionTreeRegressor())], cv=2
        ),
    ],
    ids=lambda model: type(model).__name__,
)
def test_pipelines_that_fill_gaps_are_trusted_at_predict(model, table):
    found = model.fit(table, LABELS).predict(GAPS)
    assert np.isfinite(found).all()


def test_candidate_that_takes_no_gaps_keeps_them_out_whoever_was_chosen():
    candidates = [("line", LogisticRegression()), ("tree", nonet.DecisionTreeClassifier())]
    model = nonet.SelectionClassifier(candidates, cv=2).fit(X, LABELS)
    with pytest.raises(ValueError, match="^SelectionClassifier: Input X contains NaN"):
        model.predict(GAPS)
