"""Fits on a cluster of processes give the model of one process, bit for bit."""

from __future__ import annotations

import pickle

import dask
import dask.array
import dask.dataframe
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

import nonet
from nonet.dask import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from nonet_dask.same_trees import assert_same_trees

N_ROWS = 3_000
X, Y = make_classification(N_ROWS, 8, n_informative=6, flip_y=0.1, random_state=1)
X[::7, 3] = np.nan
X[:, 5] = X[:, 5].round()
LABELS = np.array(["no", "yes"])[Y]
WEIGHTS = np.random.default_rng(0).integers(0, 4, N_ROWS).astype(float)
SETTINGS = {"max_iter": 6, "random_state": 0}


def blocks(values, sizes=(700, 1, 1299, 1000)):
    return dask.array.from_array(values, chunks=(sizes, *values.shape[1:]))


@pytest.mark.parametrize("early_stopping", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_classifiers_equal_those_of_one_process(client, early_stopping, weighted):
    settings = {**SETTINGS, "early_stopping": early_stopping}
    if weighted:
        settings["class_weight"] = "balanced"
    weights = WEIGHTS if weighted else None
    here = nonet.HistGradientBoostingClassifier(**settings).fit(X, LABELS, weights)
    there = HistGradientBoostingClassifier(**settings)
    there.fit(blocks(X), blocks(LABELS), None if weights is None else blocks(weights))
    assert_same_trees(there, here)
    np.testing.assert_array_equal(there.train_score_, here.train_score_)
    np.testing.assert_array_equal(there.validation_score_, here.validation_score_)
    np.testing.assert_array_equal(there.predict(X), here.predict(X))
    np.testing.assert_array_equal(there.predict_proba(blocks(X)).compute(), here.predict_proba(X))


@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
def test_regressors_equal_those_of_one_process(client, loss):
    y = np.exp(X[:, 0] / 4) + Y
    settings = {**SETTINGS, "loss": loss, "monotonic_cst": [1] + [0] * 7}
    here = nonet.HistGradientBoostingRegressor(**settings).fit(X, y)
    there = HistGradientBoostingRegressor(**settings).fit(blocks(X), blocks(y))
    assert_same_trees(there, here)


def test_several_classes(client):
    y = np.digitize(X[:, 1], [-2, 0, 2])
    here = nonet.HistGradientBoostingClassifier(**SETTINGS).fit(X, y)
    there = HistGradientBoostingClassifier(**SETTINGS).fit(blocks(X), blocks(y))
    assert_same_trees(there, here)


def test_edges_are_those_of_the_sampled_rows(client, monkeypatch):
    from nonet._native import bin_edges

    # Fewer than 16 rows per bin are no sample, so that few bins make a sample of few rows.
    monkeypatch.setattr(bin_edges, "_SAMPLED_ROWS", 500)
    settings = {**SETTINGS, "max_bins": 20}
    for weights in (None, WEIGHTS):
        here = nonet.HistGradientBoostingClassifier(**settings).fit(X, LABELS, weights)
        there = HistGradientBoostingClassifier(**settings)
        there.fit(blocks(X), blocks(LABELS), None if weights is None else blocks(weights))
        assert_same_trees(there, here)


def frame():
    found = pd.DataFrame(X, columns=list("abcdefgh"))
    towns = np.array(["Bern", "Oslo", "Rome", "Riga"])
    found["town"] = towns[np.abs(np.nan_to_num(X[:, 5]).astype(int)) % 4]
    found["size"] = pd.Categorical(np.digitize(X[:, 1], [-1, 1]).astype(str))
    return found


def test_frames_with_categories(client):
    table = frame()
    here = nonet.HistGradientBoostingClassifier(**SETTINGS).fit(table, LABELS)
    parts = dask.dataframe.from_pandas(table, npartitions=3)
    labels = dask.dataframe.from_pandas(pd.Series(LABELS), npartitions=3)
    there = HistGradientBoostingClassifier(**SETTINGS).fit(parts, labels)
    assert_same_trees(there, here)
    assert there.feature_names_in_.tolist() == list(table)
    np.testing.assert_array_equal(there.predict(parts).compute(), here.predict(table))


def test_delayed_partitions_and_chunks_of_unknown_size(client):
    here = nonet.HistGradientBoostingClassifier(**SETTINGS).fit(X, LABELS)
    where = np.split(np.arange(N_ROWS), [0, 900, 2_100])  # the first one is empty
    rows = [dask.delayed(X[part]) for part in where]
    labels = [dask.delayed(LABELS[part]) for part in where]
    assert_same_trees(HistGradientBoostingClassifier(**SETTINGS).fit(rows, labels), here)
    known = blocks(X)
    some = known[:, 0] > -100
    there = HistGradientBoostingClassifier(**SETTINGS).fit(known[some], blocks(LABELS)[some])
    assert_same_trees(there, here)


def test_a_partition_without_a_class_and_skewed_ones(client):
    order = np.argsort(Y, kind="stable")
    rows, labels = X[order], LABELS[order]
    here = nonet.HistGradientBoostingClassifier(**SETTINGS).fit(rows, labels)
    sizes = (10, 1_000, 20, N_ROWS - 1_030)
    there = HistGradientBoostingClassifier(**SETTINGS)
    assert_same_trees(there.fit(blocks(rows, sizes), blocks(labels, sizes)), here)


def test_targets_in_other_chunks_are_rechunked(client):
    here = nonet.HistGradientBoostingClassifier(**SETTINGS).fit(X, LABELS)
    there = HistGradientBoostingClassifier(**SETTINGS)
    assert_same_trees(there.fit(blocks(X), blocks(LABELS, (1_500, 1_500))), here)


def test_validation_rows_that_are_given(client):
    settings = {**SETTINGS, "early_stopping": True}
    given = {"X_val": X[:200], "y_val": LABELS[:200]}
    here = nonet.HistGradientBoostingClassifier(**settings).fit(X, LABELS, **given)
    there = HistGradientBoostingClassifier(**settings).fit(blocks(X), blocks(LABELS), **given)
    assert_same_trees(there, here)
    np.testing.assert_array_equal(there.validation_score_, here.validation_score_)


def test_the_model_is_an_ordinary_one(client, tmp_path):
    there = HistGradientBoostingClassifier(**SETTINGS).fit(blocks(X), blocks(LABELS))
    local = there.to_local()
    assert type(local) is nonet.HistGradientBoostingClassifier
    nonet.save(local, tmp_path / "model.nonet")
    for copy in (
        pickle.loads(pickle.dumps(there)),
        pickle.loads(pickle.dumps(local)),
        nonet.load(tmp_path / "model.nonet"),
    ):
        np.testing.assert_array_equal(copy.predict_proba(X), there.predict_proba(X))
    assert local.get_params() == there.get_params()


# ---- One sentence ------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{"loss": "absolute_error"}, {"loss": "quantile"}], ids=str)
def test_rejects_losses_with_exact_leaves(client, settings):
    with pytest.raises(ValueError, match=r"need their rows in one process.*nonet\.HistGrad"):
        HistGradientBoostingRegressor(**settings).fit(blocks(X), blocks(Y))


def test_rejects_partitions_that_disagree(client):
    model = HistGradientBoostingClassifier(**SETTINGS)
    halves = [dask.delayed(X[:1_500]), dask.delayed(X[1_500:].astype(np.float32))]
    labels = [dask.delayed(LABELS[:1_500]), dask.delayed(LABELS[1_500:])]
    with pytest.raises(ValueError, match="partition 1 has float32 and partition 0 float64"):
        model.fit(halves, labels)
    halves[1] = dask.delayed(X[1_500:, :7])
    with pytest.raises(ValueError, match="for columns partition 1 has 7 and partition 0 8"):
        model.fit(halves, labels)
    with pytest.raises(ValueError, match="Partition 1 has 1500 rows in X, but 1499 in y"):
        model.fit([dask.delayed(X[:1_500]), dask.delayed(X[1_500:])], [labels[0], labels[1][1:]])
    halves[1] = dask.delayed(np.full((1_500, 8), "x"))
    with pytest.raises(ValueError, match="Partition 1: "):
        model.fit(halves, labels)


def test_rejects_rows_and_targets_that_do_not_go_together(client):
    model = HistGradientBoostingClassifier(**SETTINGS)
    with pytest.raises(ValueError, match="X has 3000 rows, but y has 2999"):
        model.fit(blocks(X), dask.array.from_array(LABELS[1:], chunks=1_000))
    with pytest.raises(ValueError, match="X has 4 partitions, but y has 2"):
        model.fit(blocks(X), [dask.delayed(LABELS[:1_500]), dask.delayed(LABELS[1_500:])])
    with pytest.raises(TypeError, match="X must be a dask array"):
        model.fit(X, LABELS)
    with pytest.raises(TypeError, match="y must be a dask array"):
        model.fit(blocks(X), LABELS)
    assert not hasattr(model, "classes_")


def test_rejects_a_client_that_is_closed(cluster):
    import distributed

    closed = distributed.Client(cluster, set_as_default=False)
    closed.close()
    model = HistGradientBoostingClassifier(**SETTINGS)
    with pytest.raises(ValueError, match="The Dask client is closed"):
        model.fit(blocks(X), blocks(LABELS), client=closed)


# ---- Going on ----------------------------------------------------------------------------------


def test_a_fit_goes_on_from_its_checkpoint(client, tmp_path):
    path = tmp_path / "rounds"
    settings = {**SETTINGS, "early_stopping": True}
    here = nonet.HistGradientBoostingClassifier(**settings).fit(X, LABELS)
    short = HistGradientBoostingClassifier(**{**settings, "max_iter": 3})
    short.fit(blocks(X), blocks(LABELS), checkpoint=path)
    there = HistGradientBoostingClassifier(**settings)
    there.fit(blocks(X, (1_000,) * 3), blocks(LABELS), checkpoint=path)
    assert_same_trees(there, here)
    np.testing.assert_array_equal(there.validation_score_, here.validation_score_)


def test_rejects_the_checkpoint_of_another_fit(client, tmp_path):
    path = tmp_path / "rounds"
    HistGradientBoostingClassifier(**SETTINGS).fit(blocks(X), blocks(LABELS), checkpoint=path)
    other = HistGradientBoostingClassifier(**{**SETTINGS, "learning_rate": 0.2})
    with pytest.raises(ValueError, match="is of a fit with other settings"):
        other.fit(blocks(X), blocks(LABELS), checkpoint=path)
    path.write_bytes(b"no checkpoint")
    with pytest.raises(ValueError, match="is no checkpoint"):
        other.fit(blocks(X), blocks(LABELS), checkpoint=path)
