"""Edges of bins from partitions: those that the whole table would get in one process.

A process takes the edges from all rows, or from a sample of rows that depends on their number and
the seed alone. The sampled rows are sent here; columns of few values are looked through everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.data import BinnedDataset
from nonet._native.partitions import ColumnEdges, sample_positions
from nonet.dask.gathering import Gathering
from nonet.dask.reading import few_distinct, take_rows
from nonet.dask.row_numbers import RowNumbers

# Most columns of many values show it in so many rows.
_FIRST_ROWS = 5_000


def find_edges(
    parts: Gathering,
    numbers: RowNumbers,
    training: Array,
    weights: Floats | None,
    model: Any,
    seed: int,
) -> ColumnEdges:
    """Return the bins of all columns.

    Parameters
    ----------
    parts : Gathering
        The partitions.
    numbers : RowNumbers
        Which rows of the whole they hold.
    training : int array
        Numbers of the rows to fit, in the order in which one process would have them.
    weights : array, optional
        Weights of these rows.
    model : estimator
        Knows the columns and their categories.
    seed : int
        Seed of the sample of rows.

    Returns
    -------
    ColumnEdges
    """
    present = np.arange(len(training)) if weights is None else np.flatnonzero(weights > 0)
    sampled = sample_positions(len(training), weights, model.max_bins, seed)
    sample = _take(parts, numbers, training[sampled], model)
    of_sample = None if weights is None else weights[sampled]
    # So many rows are taken as the sample has: they are not sampled again.
    settings = {"max_bins": model.max_bins, "weights": of_sample, "seed": seed}
    columns = list(ColumnEdges.of(BinnedDataset(sample, **settings)).columns)
    if len(sampled) < len(present):
        rows = numbers.by_part(training[present])
        for j, values in _few_values(parts, sample, rows, model).items():
            columns[j] = _bins_of_column(values, max_bins=model.max_bins)
    for j, known in model._codes.known.items():
        columns[j] = _bins_of_codes(len(known))
    return ColumnEdges(tuple(columns))


def _take(parts: Gathering, numbers: RowNumbers, rows: Array, model: Any) -> Floats:
    """Return rows of the whole, in the given order."""
    tables = parts.each(take_rows, model, each=numbers.by_part(rows), skips_empty=True)
    in_order = np.argsort(numbers.part_of(rows), kind="stable")
    table = np.concatenate(tables)
    taken: Floats = np.empty_like(table)
    taken[in_order] = table
    return taken


def _few_values(
    parts: Gathering, sample: Floats, rows: Sequence[Array], model: Any
) -> dict[int, Floats]:
    """Return all values of the columns that have few, in the sample and everywhere else."""
    most, categories = model.max_bins, model._codes.known
    numeric = [j for j in range(sample.shape[1]) if j not in categories]
    few = [j for j in numeric if _has_few(sample[:, j], most)]
    if not few:
        return {}
    found = parts.each(few_distinct, model, few, most, each=rows, skips_empty=True)
    values = {}
    for j in few:
        union = _union([one[j] for one in found])
        if union is not None and 0 < len(union) <= most:
            values[j] = union
    return values


def _union(parts: Sequence[Array | None]) -> Array | None:
    """Return the values of all parts, or None if one has too many."""
    known = [values for values in parts if values is not None]
    return np.unique(np.concatenate(known)) if len(known) == len(parts) else None


def _has_few(values: Array, most: int) -> bool:
    return len(np.unique(values[:_FIRST_ROWS])) <= most and len(np.unique(values)) <= most


def _bins_of_codes(n_categories: int) -> Any:
    codes = np.arange(max(n_categories, 1), dtype=np.float64)
    return _bins_of_column(codes, categories=[0])


def _bins_of_column(values: Array, **settings: Any) -> Any:
    return ColumnEdges.of(BinnedDataset(values[:, np.newaxis], **settings)).columns[0]
