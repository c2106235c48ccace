"""Reading of partitions by a model: what each of them holds, and its rows as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.errors import one_sentence
from nonet._base.frames import count_rows
from nonet.boosting.gradient.rows import Rows
from nonet.dask.collections import Part
from nonet.trees.category_codes import CategoryCodes


@dataclass(frozen=True)
class PartFacts:
    """What a partition holds, as far as all partitions must agree or be numbered.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    dtype : str
        Of its table of numbers.
    names : tuple of str or None
        Names of columns.
    n_columns : int
        Number of columns.
    categories : dict of int to array
        Values of each column of categories.
    labels : array of shape (n_rows,)
        Targets as they were given.
    weights : array of shape (n_rows,) or None
    """

    n_rows: int
    dtype: str = ""
    names: tuple[str, ...] | None = None
    n_columns: int = 0
    categories: dict[int, Array] | None = None
    labels: Array | None = None
    weights: Floats | None = None


def describe(part: Part, position: int, model: Any) -> PartFacts:
    """Read a partition as if it were the whole table, and return what it holds."""
    X, y, weights = part
    n_rows = count_rows(X)
    check_lengths(position, n_rows, y, weights)
    if n_rows == 0:
        return PartFacts(0)
    probe = copy(model)
    with in_partition(position):
        table = probe._learn_columns(X)
        labels = probe._read_part_labels(y)
    _check_joined(probe._codes)
    names = getattr(probe, "feature_names_in_", None)
    return PartFacts(
        n_rows,
        str(table.dtype),
        None if names is None else tuple(names.tolist()),
        table.shape[1],
        probe._codes.known,
        labels,
        as_weights(weights),
    )


def check_lengths(position: int, n_rows: int, y: Any, weights: Any) -> None:
    """Raise if a partition has not a target, and a weight, for every row."""
    for name, values in (("y", y), ("sample_weight", weights)):
        if values is not None and len(values) != n_rows:
            raise ValueError(
                f"Partition {position} has {n_rows} rows in X, but {len(values)} in {name}; give "
                f"X and {name} the same partitions."
            )


def _check_joined(codes: CategoryCodes) -> None:
    if codes.joined:
        raise ValueError(
            f"Column {min(codes.joined)} has more than 255 categories, which a fit on partitions "
            "does not join; join rare ones before the fit."
        )


class in_partition:
    """Name the partition in errors about its values."""

    def __init__(self, position: int) -> None:
        self._position = position

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, ValueError | TypeError):
            why = one_sentence(str(error))
            raise type(error)(f"Partition {self._position}: {why}") from None


def merge_facts(facts: Sequence[PartFacts], model: Any) -> None:
    """Check that partitions agree, and let a model know the columns of all of them."""
    present = [(p, one) for p, one in enumerate(facts) if one.n_rows]
    if not present:
        raise ValueError("X has no rows in any of its partitions.")
    first_position, first = present[0]
    for position, one in present[1:]:
        for what, here, there in (
            ("columns", one.n_columns, first.n_columns),
            ("names of columns", one.names, first.names),
            ("the dtype", one.dtype, first.dtype),
        ):
            if here != there:
                raise ValueError(
                    f"All partitions of X must have the same columns and dtype, but for {what} "
                    f"partition {position} has {here} and partition {first_position} {there}; "
                    "convert them with astype."
                )
    model.n_features_in_ = first.n_columns
    vars(model).pop("feature_names_in_", None)
    if first.names is not None:
        model.feature_names_in_ = np.array(first.names, dtype=object)
    known: dict[int, list[Array]] = {}
    for _, one in present:
        for column, values in (one.categories or {}).items():
            known.setdefault(column, []).append(values)
    model._codes = CategoryCodes({j: np.unique(np.concatenate(v)) for j, v in known.items()})
    for column, values in model._codes.known.items():
        if len(values) > 255:
            raise ValueError(
                f"Column {column} has {len(values)} categories, more than the 255 that a fit on "
                "partitions allows; join rare ones before the fit."
            )
    model.is_categorical_ = model._codes.mask(first.n_columns)


def read_part(part: Part, position: int, model: Any, *, with_target: bool = True) -> Rows:
    """Return the rows of a partition as numbers, with targets in the form of the loss."""
    X, y, weights = part
    with in_partition(position):
        table = model._check_rows(X)
        if not with_target:
            return Rows(table, np.empty(0), None)
        target, checked = model._read_part_target(y, weights)
    return Rows(table, target, checked)


def take_rows(part: Part, position: int, model: Any, rows: Array) -> Floats:
    """Return some rows of a partition as numbers."""
    table = read_part(part, position, model, with_target=False).X
    return np.ascontiguousarray(table[rows])


def few_distinct(
    part: Part, position: int, model: Any, columns: Sequence[int], max_bins: int, rows: Array
) -> dict[int, Array | None]:
    """Return the distinct values of some columns; None for a column that has too many."""
    table = read_part(part, position, model, with_target=False).X
    return {j: _distinct_of(table[rows, j], max_bins) for j in columns}


def _distinct_of(values: Array, max_bins: int) -> Array | None:
    found = np.unique(values)
    found = found[~np.isnan(found)]
    return found if len(found) <= max_bins else None


def as_weights(weights: Any) -> Floats | None:
    """Return the weights of a partition; all of them together are checked elsewhere."""
    return None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
