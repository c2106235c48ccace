"""How many rows and columns each member sees, and the samples of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.params import bad_parameter
from nonet.bagging.bagging.bags import count_columns
from nonet.bagging.bagging.population import pick


@dataclass(frozen=True)
class SampleSizes:
    """How much each member sees.

    Attributes
    ----------
    n_rows, n_columns : int
        The size of the table.
    n_drawn_rows, n_drawn_columns : int
        The rows and columns per member, sampled without replacement.
    """

    n_rows: int
    n_columns: int
    n_drawn_rows: int
    n_drawn_columns: int


def count_drawn_rows(owner: Any, max_samples: int | float, n_rows: int) -> int:
    """Return the number of rows for ``max_samples``, a number or a fraction."""
    if isinstance(max_samples, float | np.floating):
        return max(1, round(max_samples * n_rows))
    if max_samples > n_rows:
        allowed = f"at most the number of rows ({n_rows})"
        raise bad_parameter(owner, "max_samples", allowed, max_samples)
    return int(max_samples)


def sample_sizes(owner: Any, X: Any) -> SampleSizes:
    """Return what the parameters ``max_samples`` and ``max_features`` of an owner mean for X."""
    n_rows, n_columns = X.shape
    rows = count_drawn_rows(owner, owner.max_samples, n_rows)
    return SampleSizes(n_rows, n_columns, rows, count_columns(owner, owner.max_features, n_columns))


def sample_units(
    n_units: int, size: int, random: np.random.Generator, *, replace: bool = False
) -> Array | None:
    """Return sorted positions of sampled rows or columns; None if they are all of them."""
    if size == n_units and not replace:
        return None
    return np.sort(pick(random, n_units, size, replace))
