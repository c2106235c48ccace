"""Bins shared by many fits: against fits alone where edges are equal, and where they are not."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RandomizedSearchCV,
    ShuffleSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet import (
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    get_num_threads,
    share_bins,
)
from nonet._native.data import BinnedDataset
from nonet.trees import shared_bins
from nonet.trees.shared_bins import SharedBins, bin_columns

RANDOM = np.random.default_rng(5)
FEW = RANDOM.integers(0, 12, size=(240, 4)).astype(float)  # fewer values than bins: edges are equal
FEW[::7, 2] = np.nan
MANY = RANDOM.normal(size=(600, 3))
Y = FEW[:, 0] + 3 * (FEW[:, 1] > 5) + RANDOM.normal(size=240)
LABELS = np.where(Y > 7, "high", "low")
FOLDS = KFold(3, shuffle=True, random_state=0)

MODELS = [
    HistGradientBoostingRegressor(max_iter=8, max_leaf_nodes=6),
    HistGradientBoostingRegressor(max_iter=8, early_stopping=True, random_state=0),
    BoostedTreesRegressor(n_estimators=8, subsample=0.7, random_state=0),
    BoostedTreesRegressor(n_bags=2, n_estimators=6, random_state=0),
    RandomForestRegressor(5, random_state=0),
]
NAMES = ["histogram", "early stopping", "sampled rows", "bagged boosters", "forest"]


# ---- Datasets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("max_bins", [2, 7, 255, 1000])
def test_bins_of_a_reference_against_naive_search(dtype, max_bins):
    table = MANY.astype(dtype)
    table[::5, 1] = np.nan
    whole = BinnedDataset(table, max_bins=max_bins)
    rows = RANDOM.permutation(len(table))[:333]
    found = BinnedDataset(table[rows], reference=whole)
    for j in range(3):
        np.testing.assert_array_equal(found.edges(j), whole.edges(j))
        np.testing.assert_array_equal(found.bins(j), whole.bins(j)[rows])
        present = ~np.isnan(table[rows, j])
        naive = np.searchsorted(whole.edges(j), table[rows, j][present].astype(float))
        np.testing.assert_array_equal(found.bins(j)[present], naive)


def test_missing_values_are_those_of_the_rows():
    table = MANY.copy()
    table[0, 0] = np.nan
    whole = BinnedDataset(table)
    assert BinnedDataset(table[:10], reference=whole).has_missing(0)
    assert not BinnedDataset(table[10:], reference=whole).has_missing(0)


def test_categories_have_bins_of_their_own():
    table = np.column_stack([MANY[:, 0], RANDOM.integers(0, 9, size=600)])
    whole = BinnedDataset(table, categories=[1])
    few = np.where(table[:50, 1] < 3, table[:50, 1], 0)
    found = BinnedDataset(np.column_stack([table[:50, 0], few]), categories=[1], reference=whole)
    assert (whole.n_bins(1), found.n_bins(1)) == (9, 3)


def test_reference_rejects_other_columns():
    with pytest.raises(ValueError, match="same columns"):
        BinnedDataset(MANY[:, :2], reference=BinnedDataset(MANY))
    with pytest.raises(ValueError, match="cannot take the bins of categories"):
        BinnedDataset(np.abs(MANY), reference=BinnedDataset(np.zeros((2, 3)), categories=[1]))


# ---- Fits inside a block -----------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3])
def test_equal_edges_give_the_bits_of_fits_alone(model, n_jobs):
    alone = cross_val_predict(model, FEW, Y, cv=FOLDS)
    with share_bins(FEW, n_jobs=n_jobs):
        together = cross_val_predict(model, FEW, Y, cv=FOLDS)
    np.testing.assert_array_equal(together, alone)


def test_edges_are_those_of_all_rows():
    edges = {edge for j in range(3) for edge in BinnedDataset(MANY, max_bins=16).edges(j)}
    model = HistGradientBoostingRegressor(max_iter=3, max_bins=16)
    half = clone(model).fit(MANY[::2], MANY[::2, 0])
    with share_bins(MANY):
        shared = clone(model).fit(MANY[::2], MANY[::2, 0])
    assert not thresholds(half) <= edges
    assert thresholds(shared) <= edges


def thresholds(model):
    trees = [tree for trees in model._booster.rounds for tree in trees]
    arrays = [tree.arrays() for tree in trees]
    return {t for a in arrays for t in a["threshold"][a["left"] >= 0]}


SEARCHES = {
    "boosted trees": (
        BoostedTreesClassifier(n_estimators=5, random_state=0),
        {"num_leaves": [4, 8], "max_bins": [16, 255]},
    ),
    "names of XGBoost": (
        BoostedTreesClassifier(n_estimators=5, random_state=0),
        {"max_leaves": [4, 8], "eta": [0.1, 0.3], "max_bin": [16]},
    ),
    "forest": (
        RandomForestClassifier(5, random_state=0),
        {"max_features": [1, 3], "min_samples_leaf": [1, 4], "max_bins": [16, 255]},
    ),
    "extra trees": (
        ExtraTreesClassifier(5, random_state=0),
        {"max_features": [1, 3], "max_leaf_nodes": [None, 8]},
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3])
def test_searches_give_the_same_bits_for_any_number_of_jobs(name, n_jobs, monkeypatch):
    made = note_bins(monkeypatch)
    model, grid = SEARCHES[name]
    y = MANY[:, 0] * MANY[:, 1] > 0
    expected = GridSearchCV(model, grid, cv=3, scoring="neg_log_loss")
    found = clone(expected)
    with share_bins(MANY):
        expected.fit(MANY, y)
    made.clear()
    with share_bins(MANY, n_jobs=n_jobs):
        found.fit(MANY, y)
    assert sorted(made) == sorted(grid.get("max_bins") or grid.get("max_bin", [255]))
    for score in ("split0_test_score", "split2_test_score", "mean_test_score"):
        np.testing.assert_array_equal(found.cv_results_[score], expected.cv_results_[score])
    assert found.best_params_ == expected.best_params_
    np.testing.assert_array_equal(found.predict_proba(MANY), expected.predict_proba(MANY))


def test_n_jobs_of_the_search_itself_gives_the_same_bits():
    grid = {"max_iter": [2, 4, 6], "max_leaf_nodes": [3, 9]}
    search = RandomizedSearchCV(HistGradientBoostingRegressor(), grid, n_iter=4, random_state=0)
    with share_bins(MANY):
        alone = clone(search).fit(MANY, MANY[:, 0]).cv_results_["mean_test_score"]
        together = clone(search).set_params(n_jobs=2).fit(MANY, MANY[:, 0])
    np.testing.assert_array_equal(together.cv_results_["mean_test_score"], alone)


def note_bins(monkeypatch):
    """Return a list that gets the number of bins each time edges are found."""
    made, make = [], SharedBins._make

    def note(self, read, max_bins, categories):
        made.append(max_bins)
        return make(self, read, max_bins, categories)

    monkeypatch.setattr(SharedBins, "_make", note)
    return made


def test_bins_are_made_once_for_each_number_of_bins(monkeypatch):
    made = note_bins(monkeypatch)
    grid = {"max_bins": [16, 64], "max_leaf_nodes": [4, 8]}
    with share_bins(MANY, n_jobs=2):
        GridSearchCV(HistGradientBoostingRegressor(max_iter=2), grid).fit(MANY, MANY[:, 0])
    assert sorted(made) == [16, 64]


def test_targets_of_held_out_rows_change_nothing():
    train, held_out = next(ShuffleSplit(1, random_state=0).split(MANY))
    y = MANY[:, 0].copy()
    with share_bins(MANY):
        before = HistGradientBoostingRegressor(max_iter=5).fit(MANY[train], y[train])
    y[held_out] = RANDOM.permutation(y[held_out])
    with share_bins(MANY):
        after = HistGradientBoostingRegressor(max_iter=5).fit(MANY[train], y[train])
    np.testing.assert_array_equal(before.predict(MANY), after.predict(MANY))


def test_frames_with_categories_and_missing_values():
    frame = pd.DataFrame(FEW, columns=list("abcd"))
    names = np.array(["x", "y", "z", "rare"])
    frame["d"] = pd.Categorical(names[np.where(np.arange(240) < 3, 3, FEW[:, 3] % 3).astype(int)])
    model = HistGradientBoostingClassifier(max_iter=6, random_state=0)
    cv = KFold(4)  # the first fold holds out all rows of a category
    alone = cross_val_predict(model, frame, LABELS, cv=cv, method="predict_proba")
    with share_bins(frame, n_jobs=2):
        together = cross_val_predict(model, frame, LABELS, cv=cv, method="predict_proba")
    np.testing.assert_array_equal(together, alone)


def test_weights_move_the_edges_of_all_fits():
    weights = np.where(MANY[:, 0] > 0, 10.0, 1.0)
    model = HistGradientBoostingRegressor(max_iter=2, max_bins=8)
    with share_bins(MANY, sample_weight=weights):
        found = model.fit(MANY[:400], MANY[:400, 0])
    dataset = BinnedDataset(MANY, max_bins=8, weights=weights)
    assert thresholds(found) <= {edge for j in range(3) for edge in dataset.edges(j)}


# ---- Fits that have no part in it --------------------------------------------------------------


def test_fits_on_other_rows_find_their_own_edges():
    model = HistGradientBoostingRegressor(max_iter=4, max_bins=16)
    moved, y = 2 * MANY + 1, MANY[:, 0]
    pipeline = make_pipeline(StandardScaler(), model)
    alone = [clone(model).fit(moved, y).predict(moved), cross_val_score(pipeline, MANY, y, cv=3)]
    with share_bins(MANY):
        inside = [
            clone(model).fit(moved, y).predict(moved),
            cross_val_score(pipeline, MANY, y, cv=3),
        ]
        narrow = clone(model).fit(MANY[:, :2], y)
    for some, others in zip(inside, alone, strict=True):
        np.testing.assert_array_equal(some, others)
    np.testing.assert_array_equal(
        narrow.predict(MANY[:, :2]), clone(model).fit(MANY[:, :2], y).predict(MANY[:, :2])
    )


def test_sparse_tables_find_their_own_edges():
    table, y = csr_matrix(np.where(np.abs(MANY) > 1, MANY, 0)), MANY[:, 0] > 0
    model = ExtraTreesClassifier(4, random_state=0)
    alone = cross_val_predict(model, table, y, cv=3, method="predict_proba")
    with share_bins(table):
        inside = cross_val_predict(model, table, y, cv=3, method="predict_proba")
    np.testing.assert_array_equal(inside, alone)


def test_blocks_close_after_errors_and_can_be_nested():
    with pytest.raises(RuntimeError), share_bins(MANY):
        raise RuntimeError
    assert shared_bins._open_blocks == []
    with share_bins(MANY), share_bins(FEW):
        assert bin_columns(MANY[:9], lambda X: X, max_bins=255, categories=[]).n_bins(0) == 255
        assert bin_columns(FEW[:9], lambda X: X, max_bins=255, categories=[]).n_bins(0) == 12
    assert bin_columns(MANY[:9], lambda X: X, max_bins=255, categories=[]).n_bins(0) == 9


def test_threads_are_divided_among_the_fits():
    found = []

    def count():
        found.append(get_num_threads())

    with share_bins(MANY, n_jobs=get_num_threads()):
        worker = threading.Thread(target=count)
        worker.start()
        worker.join()
        count()
    assert found == [1, get_num_threads()]


def test_share_bins_rejects_weights_of_other_rows_and_no_jobs():
    with pytest.raises(ValueError, match="sample_weight"), share_bins(MANY, sample_weight=[1.0]):
        pass
    with pytest.raises(ValueError, match="n_jobs"), share_bins(MANY, n_jobs=0):
        pass
