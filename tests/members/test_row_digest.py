"""Digests of rows: equal for equal values in any form, different for other rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from nonet.members.row_digest import are_other_rows, digest_rows

X = np.random.default_rng(0).normal(size=(40, 3))
PAIRS = [("ann", 1), ("bob", 2), ("ann", 3)]


@pytest.mark.parametrize(
    "form",
    [
        X.tolist(),
        pd.DataFrame(X, columns=list("abc")),
        np.asfortranarray(X),
        X.astype(object),
        X[np.arange(len(X))],
    ],
    ids=["list", "frame", "columns first", "objects", "copy"],
)
def test_same_values_in_another_form_have_the_same_digest(form):
    assert digest_rows(form) == digest_rows(X)
    assert not are_other_rows(digest_rows(X), form)


@pytest.mark.parametrize("form", [np.array(PAIRS, dtype=object), pd.DataFrame(PAIRS)])
def test_text_beside_numbers_has_the_same_digest_in_another_form(form):
    assert digest_rows(form) == digest_rows(PAIRS)


@pytest.mark.parametrize(
    "other",
    [X[::-1], X[:-1], X[:, ::-1], X + np.eye(40, 3) * 1e-9, X.reshape(20, 6)],
    ids=["order of rows", "one row less", "order of columns", "one value", "shape"],
)
def test_other_rows_have_another_digest(other):
    assert are_other_rows(digest_rows(X), other)


def test_signs_of_zero_and_nan_do_not_count():
    zeros = np.array([[0.0, np.nan]])
    assert digest_rows(zeros) == digest_rows(-zeros)


def test_sparse_formats_have_one_digest_that_is_not_compared_with_dense_ones():
    table = sparse.random_array((30, 4), density=0.3, rng=np.random.default_rng(0))
    noted = digest_rows(table.tocsr())
    assert noted == digest_rows(table.tocsc()) == digest_rows(table.tocoo())
    assert are_other_rows(noted, table.tocsr()[::-1])
    assert not are_other_rows(noted, table.toarray())


@pytest.mark.parametrize("odd", [None, [[1], [2, 3]], [object(), object()], {"a": 1}])
def test_tables_without_a_stable_form_have_no_digest(odd):
    assert digest_rows(odd) is None
    assert not are_other_rows(digest_rows(X), odd)
