"""Scores of binned rows after each round of a booster.

Rows whose bins have the edges of the training rows find their leaves by their bins, which takes
less time than by their values when the scores are needed after every round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._native.data import BinnedDataset
from nonet._native.loss import add_leaf_values
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.row_leaves import find_row_leaves


def staged_binned_scores(booster: Booster, table: Any, dataset: BinnedDataset) -> Iterator[Floats]:
    """Yield the scores of rows after each round, the same as `Booster.staged_scores` gives.

    Parameters
    ----------
    booster : Booster
        The rounds.
    table : array or BinnedTable of shape (n_rows, n_columns)
        Rows.
    dataset : BinnedDataset
        Their bins; values are read where a threshold lies inside a bin.

    Yields
    ------
    array of shape (n_scores, n_rows)
        Changed in place by the next round.
    """
    scores = np.repeat(booster.start[:, np.newaxis], len(table), axis=1)
    for trees in booster.rounds:
        _add_round(scores, trees, table, dataset)
        yield scores


def _add_round(scores: Floats, trees: Sequence[Tree], table: Any, dataset: BinnedDataset) -> None:
    n_served = len(scores) // len(trees)  # one tree per score, or one for all
    for position, tree in enumerate(trees):
        leaves = np.full(len(table), -1, dtype=np.int32)
        find_row_leaves(tree, dataset, table, leaves)
        columns = tree.arrays()["values"].reshape(-1, n_served).T
        for k, values in enumerate(columns, start=position * n_served):
            add_leaf_values(leaves, np.ascontiguousarray(values), scores[k])
