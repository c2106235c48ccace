"""Bindings of the samples of rows and columns for the trees of a forest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet import _core


@dataclass(frozen=True)
class Strata:
    """Strata of rows, such as classes, that each give a fixed number of rows to every bag.

    Parameters
    ----------
    rows : uint32 array of shape (n_rows,)
        All rows, those of a stratum side by side.
    ends : int64 array of shape (n_strata,)
        Where each stratum ends in `rows`.
    draws : int64 array of shape (n_strata,)
        How many rows each gives.

    Examples
    --------
    >>> Strata.of(np.array([1, 0, 1]), [1, 4]).rows
    array([1, 0, 2], dtype=uint32)
    """

    rows: NDArray[np.uint32]
    ends: NDArray[np.int64]
    draws: NDArray[np.int64]

    @classmethod
    def of(cls, codes: NDArray[Any], draws: ArrayLike) -> Strata:
        """Partition the rows by codes 0, 1, ..."""
        order = np.argsort(codes, kind="stable").astype(np.uint32)
        sizes = np.bincount(codes)
        return cls(order, np.cumsum(sizes, dtype=np.int64), np.asarray(draws, dtype=np.int64))


@dataclass(frozen=True)
class ForestBags:
    """Which rows the trees of a forest see: a function of the seed and the tree's number.

    Parameters
    ----------
    n_rows : int
        Rows to draw from.
    n_draws : int
        Rows, or groups, drawn for a tree; 0 draws nothing: every tree sees each row once.
    seed : int
        Below 2**64.
    rule : str
        A draw rule of the core (`cpp/grow/sampling/bags.cpp`): "rows" draws with replacement,
        "rows_once" without, "groups" draws whole groups, "strata" a number of rows from each.
    groups : int32 array of shape (n_rows,)
        Codes 0, 1, ... of the groups, if whole groups are drawn; empty otherwise.
    probabilities : float64 array of shape (n_rows,)
        Running sums of weights that are the rows' probabilities; if there are strata, in their
        order and from 0 in each; empty if all are equal.
    strata : Strata, optional
        Strata that the rows are drawn from, each with its own number; together `n_draws`.

    Examples
    --------
    >>> int(ForestBags(5, 5, seed=1).counts(0).sum())
    5
    """

    n_rows: int
    n_draws: int
    seed: int
    rule: str = "rows"
    groups: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    probabilities: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    strata: Strata | None = None

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.groups.max(initial=-1)) + 1

    def counts(self, tree: int) -> NDArray[np.uint32]:
        """Draw how often a tree sees each row."""
        counts = np.empty(self.n_rows, dtype=np.uint32)
        _core.draw_bag(self.native(), self.seed, tree, counts)
        return counts

    def native(self) -> _core.Bags:
        """Return the bags in the form of the core."""
        strata = self.strata or Strata(
            np.empty(0, np.uint32), np.empty(0, np.int64), np.empty(0, np.int64)
        )
        return _core.Bags(
            self.rule,
            self.n_rows,
            self.n_draws,
            self.groups,
            self.n_groups,
            self.probabilities,
            strata.rows,
            strata.ends,
            strata.draws,
        )

    def columns(self, tree: int, n_columns: int, n_wanted: int) -> NDArray[np.intp]:
        """Draw the columns that a tree sees, in order."""
        return np.array(draw_columns(self.seed, tree, n_columns, n_wanted), dtype=np.intp)


def draw_columns(seed: int, tree: int, n_columns: int, n_wanted: int) -> list[int]:
    """Draw the columns that a tree may use, in order.

    Parameters
    ----------
    seed, tree : int
        Names of the draw.
    n_columns, n_wanted : int
        How many there are, and how many of them are drawn.

    Returns
    -------
    list of int

    Examples
    --------
    >>> draw_columns(0, 0, 3, 3)
    [0, 1, 2]
    """
    return _core.draw_columns(n_columns, n_wanted, seed, tree)


def sample_rows(uniforms: NDArray[np.float64], n_wanted: int) -> NDArray[np.uint32]:
    """Take some of the rows, all with the same probability, by uniform numbers.

    Parameters
    ----------
    uniforms : float64 array of shape (n_rows,)
        Numbers from 0 to 1, drawn uniformly.
    n_wanted : int
        How many rows are taken, at most all.

    Returns
    -------
    uint32 array of shape (n_rows,)
        1 for the rows that are taken, 0 for others.

    Examples
    --------
    >>> sample_rows(np.array([0.9, 0.3, 0.5]), 2)
    array([0, 1, 1], dtype=uint32)
    """
    counts = np.empty(len(uniforms), dtype=np.uint32)
    _core.sample_rows(uniforms, n_wanted, counts)
    return counts
