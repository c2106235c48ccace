"""The first pass of a bins file: edges, categories and labels of all rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.errors import show
from nonet._base.frame_columns import FrameColumns
from nonet._base.frames import find_missing
from nonet._native.bin_edges import BinEdges, EdgeSample
from nonet._native.runtime import get_num_threads
from nonet._native.strings import distinct_strings
from nonet.tables.row_sources import RowBlock
from nonet.tables.table import LeveledColumn
from nonet.trees.bins_header import BinsHeader
from nonet.trees.category_codes import (
    NUMBERS,
    CategoryCodes,
    fill_numbers,
)
from nonet.trees.category_columns import category_columns
from nonet.trees.category_counts import CategoryCounts

# As boosters take them: infinities are put into the end bins.
ANY_NUMBERS: Mapping[str, Any] = {**NUMBERS, "ensure_all_finite": False}
_MAX_LABELS = 1000  # distinct numbers that are kept as labels


class HeaderMaker:
    """Learns from blocks of rows what the header of a bins file holds.

    Parameters
    ----------
    max_bins, seed : int
        As in `BinnedDataset`.
    categorical_features : None, 'from_dtype' or array-like
        As in the estimators.
    min_category_rows : int
        In columns of more than 255 categories, those of fewer rows share one code.
    """

    def __init__(
        self, max_bins: int, seed: int, categorical_features: Any, min_category_rows: int
    ) -> None:
        self._max_bins, self._seed = max_bins, seed
        self._features, self._min_rows = categorical_features, min_category_rows
        self._names: list[str] | None = None
        self._n_columns = 0
        self._sample: EdgeSample | None = None
        self._counts: dict[int, CategoryCounts] = {}
        self._labels = _Labels()
        self._has: dict[str, bool] = {}
        self.n_rows = 0

    def add(self, block: RowBlock) -> None:
        """Add the next rows."""
        if not block.n_rows:
            return
        if self._sample is None:
            self._begin(block)
        self._check_columns(block)
        weights = None if block.weights is None else read_weights(block)
        table = np.empty((block.n_rows, self._n_columns), order="F")
        if self._others:
            fill_numbers(table, block.X, self._others, None, ANY_NUMBERS)
        assert self._sample is not None
        self._sample.add(table[:, self._others] if self._counts else table, weights)
        read_categories(block.X, list(self._counts))
        for j, counted in self._counts.items():
            counted.add(block.X, j)
        if block.y is not None:
            self._labels.add(block.y, self.n_rows, block.n_rows)
        self.n_rows += block.n_rows

    def finish(self, origin: Mapping[str, Any]) -> BinsHeader:
        """Return the header of all rows so far."""
        if self._sample is None:
            raise ValueError("source has no rows, but bins need at least one.")
        found = {j: counted.in_order() for j, counted in self._counts.items()}
        codes = CategoryCodes.of_counts(found, self._min_rows)
        labels, are_codes = self._labels.find() if self._has["target"] else (None, False)
        return BinsHeader(
            n_rows=self.n_rows,
            edges=self._edges(codes),
            max_bins=self._max_bins,
            seed=self._seed,
            names=self._names,
            known=codes.known,
            joined=codes.joined,
            labels=labels,
            are_codes=are_codes,
            has_target=self._has["target"],
            has_weights=self._has["weights"],
            n_edge_rows=self.n_rows,
            origin=origin,
        )

    # ---- Blocks --------------------------------------------------------------------------------

    def _begin(self, block: RowBlock) -> None:
        X = block.X
        self._names = names_of(X)
        self._n_columns = X.shape[1]
        self._has = {"target": block.y is not None, "weights": block.weights is not None}
        self._counts = {j: CategoryCounts() for j in _categories(X, self._features)}
        self._others = [j for j in range(self._n_columns) if j not in self._counts]
        self._sample = EdgeSample(len(self._others), max_bins=self._max_bins, seed=self._seed)

    def _check_columns(self, block: RowBlock) -> None:
        names = names_of(block.X)
        if block.X.shape[1] != self._n_columns or names != self._names:
            raise ValueError(
                f"every block of rows must have the same columns, but after row {self.n_rows} "
                f"there are {names or block.X.shape[1]} instead of "
                f"{self._names or self._n_columns}."
            )
        for role, given in (("target", block.y), ("weights", block.weights)):
            if (given is not None) != self._has[role]:
                raise ValueError(
                    f"all blocks of rows must have {role}, or none, but after row {self.n_rows} "
                    f"there are {'some' if given is not None else 'none'}."
                )

    def _edges(self, codes: CategoryCodes) -> BinEdges:
        assert self._sample is not None
        found = self._sample.find() if self._others else None
        parts = []
        for j in range(self._n_columns):
            if j in self._counts:
                n_codes = len(codes.known[j]) + int(j in codes.joined)
                has_missing = self._counts[j].n_missing > 0
                parts.append(BinEdges.of_codes(n_codes, has_missing=has_missing))
            else:
                assert found is not None
                parts.append(found.column(self._others.index(j)))
        return BinEdges.join(parts)


def _categories(X: Any, features: Any) -> list[int]:
    if isinstance(X, FrameColumns) and isinstance(features, str):
        of_file = [
            j for j, name in enumerate(X.names) if isinstance(_column(X, name), LeveledColumn)
        ]
        return of_file or category_columns(X, features)
    return category_columns(X, features)


def _column(X: FrameColumns, name: Any) -> Any:
    columns = getattr(X.frame, "columns", None)
    return X.frame[name] if isinstance(columns, tuple) else None


def names_of(X: Any) -> list[str] | None:
    """Return the names of the columns of a frame, if all are strings."""
    if not isinstance(X, FrameColumns):
        return None
    names = list(X.names)
    return names if all(isinstance(name, str) for name in names) else None


def read_categories(X: Any, columns: list[int]) -> None:
    """Read the categories of a frame side by side, as a fit does."""
    if isinstance(X, FrameColumns):
        X.read_categories(columns, get_num_threads(), distinct_strings)


def read_weights(block: RowBlock) -> Floats:
    """Return the weights of a block as numbers that are finite and not negative."""
    found = check_sample_weight(np.asarray(block.weights, dtype=np.float64), block.n_rows)
    assert found is not None
    return found


# ---- Targets -------------------------------------------------------------------------------------


class _Labels:
    """The distinct targets of all rows, as long as they are few or no numbers."""

    def __init__(self) -> None:
        self._found: set[Any] | None = set()
        self._are_text = False
        self._dtype: Any = None

    def add(self, y: Any, first_row: int, n_rows: int) -> None:
        values = as_values(y, first_row, n_rows)
        is_number = values.dtype.kind in "biuf"
        if self._dtype is not None and is_number == self._are_text:
            raise ValueError(
                f"targets must be all numbers or all labels, but from row {first_row} on they are "
                f"{'numbers' if is_number else 'labels'}."
            )
        self._are_text = not is_number
        known = self._dtype
        dtype = values.dtype if is_number else np.dtype(object)
        self._dtype = dtype if known is None else np.result_type(known, dtype)
        if self._found is None:
            return
        self._found.update(np.unique(values).tolist() if is_number else values.tolist())
        if is_number and len(self._found) > _MAX_LABELS:
            self._found = None

    def find(self) -> tuple[Array | None, bool]:
        """Return the labels, and whether targets are stored as their positions."""
        if self._found is None:
            return None, False
        if not self._are_text:
            labels = np.array(sorted(self._found), dtype=self._dtype)
            return labels, self._dtype.kind == "b"
        odd = next((v for v in self._found if not isinstance(v, str)), None)
        if odd is not None:
            raise TypeError(f"targets must be numbers or strings, but one is {show(odd)}.")
        return np.array(sorted(self._found), dtype=object), True


def as_values(y: Any, first_row: int, n_rows: int) -> Array:
    """Return the targets of a block, numbers or strings, or raise."""
    values = np.asarray(y)
    if values.shape == (n_rows, 1):
        values = values[:, 0]
    if values.shape != (n_rows,):
        raise ValueError(
            f"targets must be one value per row, but {n_rows} rows from row {first_row} on have "
            f"targets of shape {values.shape}."
        )
    if values.dtype.kind not in "biufOUS":
        raise TypeError(f"targets must be numbers or strings, but are of type {values.dtype}.")
    if values.dtype.kind in "OUS":
        values = values.astype(object)
    is_missing = find_missing(values)
    if is_missing.any() or (values.dtype.kind == "f" and np.isinf(values).any()):
        row = first_row + int(np.flatnonzero(is_missing)[0]) if is_missing.any() else first_row
        raise ValueError(
            f"targets must be finite and present in every row, but that of row {row} or one after "
            "it is not; leave these rows out."
        )
    return values


def stored_numbers(header: BinsHeader, y: Any, first_row: int, n_rows: int) -> Floats:
    """Return the targets of a block as they are stored."""
    values = as_values(y, first_row, n_rows)
    if not header.are_codes:
        if values.dtype.kind == "O":
            raise ValueError(f"targets must be numbers, but from row {first_row} on are labels.")
        return values.astype(np.float64)
    position = {label: code for code, label in enumerate(header.labels.tolist())}  # type: ignore[union-attr]
    unknown = [value for value in values.tolist() if value not in position]
    if unknown:
        raise ValueError(
            f"targets from row {first_row} on have the label {unknown[0]!r}, which the first pass "
            "did not find; a file keeps the labels that it was made with."
        )
    return np.array([position[value] for value in values.tolist()], dtype=np.float64)
