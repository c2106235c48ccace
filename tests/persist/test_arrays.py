"""Tests of the layout of arrays in model files, which products of matrices round by."""

import io

import numpy as np
from sklearn.decomposition import PCA

import nonet


def through_file(array):
    """Return what becomes of an array that is an attribute of a model."""
    X = np.random.default_rng(2).normal(size=(20, array.shape[1]))
    model = PCA(2).fit(X)
    model.components_ = array
    file = io.BytesIO()
    nonet.save(model, file)
    return nonet.load(io.BytesIO(file.getvalue())).components_


def test_first_rows_of_columns_keep_their_layout():
    whole = np.asfortranarray(np.random.default_rng(0).normal(size=(9, 5)))
    view = whole[:2]
    loaded = through_file(view)
    assert loaded.strides == view.strides
    np.testing.assert_array_equal(loaded, view)
    row = np.random.default_rng(1).normal(size=(1, 5))
    np.testing.assert_array_equal(row @ loaded.T, row @ view.T)


def test_few_of_many_rows_are_stored_without_the_others():
    view = np.asfortranarray(np.ones((10_000, 8)))[:3]
    loaded = through_file(view)
    np.testing.assert_array_equal(loaded, view)
    assert loaded.strides[1] < view.strides[1]


def test_usual_layouts_come_back():
    array = np.arange(40.0).reshape(5, 8)
    assert through_file(array).flags.c_contiguous
    assert through_file(np.asfortranarray(array)).flags.f_contiguous
