"""Warnings about the rows of a run: what makes its score too good, or its folds too small."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonet._base.aliases import Array
from nonet.auto.run_rows import RunRows
from nonet.tables.encoder import EncodedTable
from nonet.tables.probes import drifting_target, leaking_columns, rare_classes
from nonet.tables.row_groups import identical_rows, row_groups
from nonet.tables.target import Target

# Fewer repeated rows are part of the data, and new rows repeat old ones as well.
_MANY_REPEATED = 0.25
# Of the repetitions; where more of them have another target, they are measurements, not copies.
_MOSTLY_COPIES = 0.95


def group_repeated_rows(table: EncodedTable, target: Array) -> Array | None:
    """Return groups of identical rows, if a quarter of the rows or more are copies of others.

    After oversampling, copies of a row in other folds would make every score too good. Rows of the
    same features and different targets are no copies: new rows will repeat them, too.

    Parameters
    ----------
    table : EncodedTable
    target : ndarray of shape (n_rows,)

    Returns
    -------
    groups : ndarray of int of shape (n_rows,) or None
    """
    groups = row_groups(table)
    n_repeated = table.n_rows - (int(groups.max()) + 1)
    if n_repeated < _MANY_REPEATED * table.n_rows:
        return None
    n_copies = table.n_rows - len(np.unique(np.column_stack([groups, target]), axis=0))
    return groups if n_copies >= _MOSTLY_COPIES * n_repeated else None


def warn_about_rows(
    rows: RunRows,
    classes: Array | None,
    n_folds: int,
    seed: int,
    *,
    dates: Mapping[str, int],
    is_grouped: bool,
) -> list[str]:
    """Return sentences about columns that decide the target, drift, rare classes, repeated rows.

    Parameters
    ----------
    rows : RunRows
    classes : ndarray or None
        The labels; None in regression.
    n_folds : int
    seed : int
        For the rows of the probes.
    dates : mapping of str to int
        The positions of encoded dates by the names of columns.
    is_grouped : bool
        Whether repeated rows are kept together.

    Returns
    -------
    sentences : list of str
    """
    target = Target(
        "y",
        "regression" if classes is None else "classification",
        rows.target,
        classes,
        np.arange(len(rows.target)),
        0,
        "",
    )
    found = leaking_columns(rows.table, target, seed)
    moments = {name: rows.table.values[:, position] for name, position in dates.items()}
    found += drifting_target(moments, target, table=rows.table, random_state=seed)
    if classes is not None:
        found += rare_classes(target, n_folds)
    sentences = [warning.sentence for warning in found]
    if is_grouped and rows.groups is not None:
        repeated = identical_rows(rows.groups)[0].sentence.partition(";")[0]
        sentences.append(f"{repeated}; such rows are kept together in the folds.")
    return sentences
