"""Issue 17, item 13: every native call takes arrays as they lie in the user's memory."""

from __future__ import annotations

import numpy as np
import pytest

import nonet
from nonet._native.bags import ForestBags
from nonet._native.data import BinnedDataset
from nonet._native.explain import partial_dependence, shap_interactions, shap_values
from nonet._native.grow import GrowParams, grow_tree
from nonet._native.resample import resampled_products, resampled_sums
from nonet._native.runtime import native_array
from nonet._native.tree import (
    TreeSum,
    UnseenSum,
    decision_paths,
    find_leaves,
    predict_values,
)
from nonet._native.vote import argmax, weighted_mean

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + X[:, 1] > 0).astype(np.int32)


def packed_field(array):
    """The same numbers at odd addresses, in strides that are no multiple of their size."""
    rows = np.zeros(len(array), dtype=[("flag", "u1"), ("x", array.dtype, array.shape[1:])])
    rows["x"] = array
    return rows["x"]


def shifted(array):
    """The same numbers without gaps, one byte behind an aligned address."""
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    moved = memory[1:].view(array.dtype).reshape(array.shape)
    moved[...] = array
    return moved


def read_only(array):
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def with_gaps(array):
    return np.repeat(array, 2, axis=0)[::2]


LAYOUTS = {
    "field of a packed structured array": packed_field,
    "shifted by a byte": shifted,
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "big-endian field": lambda array: packed_field(array.astype(array.dtype.newbyteorder(">"))),
    "Fortran order": np.asfortranarray,
    "gaps": with_gaps,
    "reversed": lambda array: array[::-1].copy()[::-1],
    "read-only": read_only,
}


def the_tree():
    return grow_tree(BinnedDataset(X), Y, GrowParams(max_depth=3), criterion="gini")


def unseen_sums(rows):
    bags = ForestBags(len(rows), 60, seed=1)
    words = np.packbits(np.resize(bags.counts(0) > 0, 128), bitorder="little").view(np.uint64)
    sums = UnseenSum(rows, 2)
    list(sums.add(TreeSum([the_tree()]), words[np.newaxis], [1]))
    return sums.sums


def bins_of(rows):
    dataset = BinnedDataset(rows)
    return [dataset.bins(column) for column in range(dataset.n_columns)]


ENTRIES = {
    "BinnedDataset": bins_of,
    "predict_values": lambda rows: predict_values([the_tree()], rows),
    "TreeSum.values": lambda rows: TreeSum([the_tree()] * 3).values(rows),
    "packed trees": lambda rows: TreeSum([the_tree()] * 40).values(np.resize(rows, (2000, 3))),
    "UnseenSum": unseen_sums,
    "find_leaves": lambda rows: find_leaves([the_tree()], rows),
    "decision_paths": lambda rows: decision_paths(the_tree(), rows)[1],
    "shap_values": lambda rows: shap_values([the_tree()], rows, "weight"),
    "shap_interactions": lambda rows: shap_interactions([the_tree()], rows, "weight"),
    "partial_dependence": lambda rows: partial_dependence(
        [the_tree()], rows, np.arange(3), "weight"
    ),
    "resampled_sums": lambda rows: resampled_sums(rows, 10, 3, seed=1),
    "resampled_products": lambda rows: resampled_products(rows, 10, 3, seed=1),
    "weighted_mean": weighted_mean,
    "argmax": argmax,
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("entry", ENTRIES)
def test_predictions_do_not_depend_on_the_layout(entry, layout, dtype):
    plain = X.astype(dtype)
    laid_out = LAYOUTS[layout](plain)
    np.testing.assert_array_equal(laid_out, plain)
    wanted = ENTRIES[entry](plain.astype(np.float64) if "big" in layout else plain)
    np.testing.assert_allclose(ENTRIES[entry](laid_out), wanted, rtol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "kind",
    [
        nonet.DecisionTreeRegressor,
        nonet.RandomForestRegressor,
        nonet.HistGradientBoostingRegressor,
        nonet.BoostedTreesRegressor,
        nonet.GradientBoostingRegressor,
        nonet.AdaBoostRegressor,
    ],
)
def test_estimators_take_rows_targets_and_weights_in_any_layout(kind, layout):
    lay_out = LAYOUTS[layout]
    y, weights = X[:, 0] + X[:, 1] ** 2, RNG.uniform(1, 2, size=len(X))
    wanted = kind(random_state=0).fit(X, y, sample_weight=weights).predict(X)
    model = kind(random_state=0).fit(lay_out(X), lay_out(y), sample_weight=lay_out(weights))
    np.testing.assert_array_equal(model.predict(lay_out(X)), wanted)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_native_arrays_are_aligned_and_in_native_order(layout):
    for contiguous in (False, True):
        array = native_array(LAYOUTS[layout](X), np.float64, contiguous=contiguous)
        assert array.flags.aligned
        assert array.dtype.isnative
        assert all(stride % 8 == 0 for stride in array.strides)
        assert array.flags.c_contiguous or not contiguous


@pytest.mark.parametrize("layout", ["Fortran order", "reversed", "gaps", "read-only"])
def test_what_the_core_can_read_is_not_copied(layout):
    table = LAYOUTS[layout](X)
    assert native_array(table, np.float64, contiguous=False) is table
