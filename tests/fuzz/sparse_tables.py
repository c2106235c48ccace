"""Sparse tables of every kind: equal to the dense table, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from fuzz.case import Case, Expect, fit_case, predict_case

SOLVED = 1e-3  # linear members solve sparse systems step by step

FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")


def explicit_zeros(X: Any) -> Any:
    rows, columns = np.indices(X.shape)
    return sparse.csr_array((X.ravel(), (rows.ravel(), columns.ravel())), shape=X.shape)


def unsorted(X: Any) -> Any:
    table = sparse.csr_array(X)
    for start, end in zip(table.indptr[:-1], table.indptr[1:], strict=True):
        table.indices[start:end] = table.indices[start:end][::-1].copy()
        table.data[start:end] = table.data[start:end][::-1].copy()
    table.has_sorted_indices = False
    return table


def long_indices(kind: Any) -> Callable[[Any], Any]:
    def change(X: Any) -> Any:
        table = kind(X)
        table.indices, table.indptr = table.indices.astype("int64"), table.indptr.astype("int64")
        return table

    return change


def summed_twins(X: Any) -> Any:
    """Return entries that are given in two halves."""
    table = sparse.coo_array(X)
    rows, columns = np.tile(table.row, 2), np.tile(table.col, 2)
    return sparse.coo_array((np.tile(table.data / 2, 2), (rows, columns)), shape=X.shape)


def read_only_parts(X: Any) -> Any:
    table = sparse.csr_array(X)
    for part in (table.data, table.indices, table.indptr):
        part.setflags(write=False)
    return table


def with_value(value: float) -> Callable[[Any], Any]:
    def change(X: Any) -> Any:
        table = sparse.csr_array(X)
        table.data[5] = value
        return table

    return change


def bits(X: Any) -> Any:
    return (X > 4).astype(float)


EQUAL: dict[str, Callable[[Any], Any]] = {
    **{
        f"{name} matrix": lambda X, name=name: getattr(sparse, f"{name}_matrix")(X)
        for name in FORMATS
    },
    **{
        f"{name} array": lambda X, name=name: getattr(sparse, f"{name}_array")(X)
        for name in FORMATS
    },
    "explicit zeros": explicit_zeros,
    "unsorted indices": unsorted,
    "indices of 64 bits by row": long_indices(sparse.csr_array),
    "indices of 64 bits by column": long_indices(sparse.csc_matrix),
    "entries in two halves": summed_twins,
    "read-only parts": read_only_parts,
    "whole numbers": lambda X: sparse.csr_array(X.astype(int)),
}
REFUSED: dict[str, Callable[[Any], Any]] = {
    "complex entries": lambda X: sparse.csr_array(X + 1j * (X > 0)),
    "no rows": lambda X: sparse.csr_array((0, X.shape[1])),
    "no columns": lambda X: sparse.csr_array((len(X), 0)),
}

CASES: list[Case] = [
    *[
        fit_case(name, Expect.EQUAL_OR_REFUSED, X=change, tolerance=SOLVED)
        for name, change in EQUAL.items()
    ],
    *[fit_case(name, Expect.REFUSED, X=change) for name, change in REFUSED.items()],
    fit_case("an infinite entry", Expect.RIGHT_OR_REFUSED, X=with_value(np.inf)),
    fit_case("a missing entry", Expect.RIGHT_OR_REFUSED, X=with_value(np.nan)),
    fit_case("no entries", Expect.RIGHT_OR_REFUSED, X=lambda X: sparse.csr_array(X.shape)),
    fit_case(
        "booleans",
        Expect.EQUAL_OR_REFUSED,
        X=lambda X: sparse.csr_array(X > 4),
        like=bits,
        tolerance=SOLVED,
    ),
    fit_case(
        "float32",
        Expect.EQUAL_OR_REFUSED,
        X=lambda X: sparse.csr_array(X, dtype="f4"),
        tolerance=SOLVED,
    ),
    predict_case("sparse rows after a dense fit", Expect.EQUAL_OR_REFUSED, sparse.csr_array),
    predict_case("sparse columns after a dense fit", Expect.EQUAL_OR_REFUSED, sparse.csc_matrix),
]
