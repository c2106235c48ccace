"""Lazy predictions equal those in memory, block by block."""

from __future__ import annotations

import dask
import dask.array
import dask.dataframe
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

import nonet
import nonet.dask

X, Y = make_classification(300, 6, n_informative=4, n_classes=3, random_state=0)
LABELS = np.array(["a", "b", "c"])[Y]
BLOCKS = dask.array.from_array(X, chunks=(70, 4))
FRAME = pd.DataFrame(X, columns=list("uvwxyz"), index=np.arange(300) * 2)
PARTITIONS = dask.dataframe.from_pandas(FRAME, npartitions=4)


@pytest.fixture(autouse=True)
def _on_the_cluster(client):
    """Dask's default scheduler, which a client that was closed would leave without a cluster."""


def classifier(rows):
    return nonet.HistGradientBoostingClassifier(max_iter=5, random_state=0).fit(rows, LABELS)


@pytest.mark.parametrize(
    "model",
    [
        nonet.RandomForestClassifier(10, random_state=0),
        nonet.VotingClassifier([("t", nonet.DecisionTreeClassifier())], voting="soft"),
        nonet.ExtraTreesRegressor(10, random_state=0),
        LogisticRegression(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_predictions_of_arrays_equal_those_in_memory(model):
    model.fit(X, Y)
    lazy = nonet.dask.predict(model, BLOCKS)
    assert isinstance(lazy, dask.array.Array)
    here = model.predict(X)
    assert (lazy.shape, lazy.dtype) == (here.shape, here.dtype)
    np.testing.assert_array_equal(lazy.compute(), here)


def test_labels_and_probabilities_of_arrays():
    model = classifier(X)
    np.testing.assert_array_equal(nonet.dask.predict(model, BLOCKS).compute(), model.predict(X))
    lazy = nonet.dask.predict_proba(model, BLOCKS)
    assert lazy.shape == (300, 3)
    np.testing.assert_array_equal(lazy.compute(), model.predict_proba(X))
    scores = nonet.dask.decision_function(model, BLOCKS)
    np.testing.assert_array_equal(scores.compute(), model.decision_function(X))


def test_frames_keep_their_index_and_get_the_classes_as_names():
    model = classifier(FRAME)
    labels = nonet.dask.predict(model, PARTITIONS).compute()
    assert isinstance(labels, pd.Series)
    assert labels.index.equals(FRAME.index)
    np.testing.assert_array_equal(labels, model.predict(FRAME))
    probabilities = nonet.dask.predict_proba(model, PARTITIONS).compute()
    assert list(probabilities.columns) == ["a", "b", "c"]
    np.testing.assert_array_equal(probabilities, model.predict_proba(FRAME))


def test_blocks_of_unknown_size_and_empty_ones():
    model = classifier(X)
    some = BLOCKS.rechunk((50, 6))
    some = some[some[:, 0] > 1.5]
    here = X[X[:, 0] > 1.5]
    np.testing.assert_array_equal(nonet.dask.predict(model, some).compute(), model.predict(here))
    ordered = PARTITIONS.assign(u=np.nan)
    found = nonet.dask.predict(classifier(FRAME), ordered[ordered["v"] > 1]).compute()
    here = classifier(FRAME).predict(FRAME[FRAME["v"] > 1].assign(u=np.nan))
    np.testing.assert_array_equal(found, here)


def test_predictions_are_lazy():
    model = classifier(X)
    broken = BLOCKS.map_blocks(_fail, dtype=float, meta=np.empty((0, 0)))
    lazy = nonet.dask.predict(model, broken)
    with pytest.raises(RuntimeError, match="computed now"):
        lazy.compute(scheduler="synchronous")


def _fail(block):
    raise RuntimeError("computed now")


def test_rejects_data_in_memory_and_methods_that_are_not_there():
    model = classifier(X)
    with pytest.raises(TypeError, match=r"call model\.predict\(X\)"):
        nonet.dask.predict(model, X)
    with pytest.raises(ValueError, match="has no predict_proba"):
        nonet.dask.predict_proba(nonet.ExtraTreesRegressor(2).fit(X, Y), BLOCKS)
    with pytest.raises(ValueError, match="cannot read the columns of X"):
        nonet.dask.predict(model, BLOCKS[:, :4])
