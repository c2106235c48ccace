"""New rows that are rows of a run: what was learned from them is no evidence."""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Array, Codes
from nonet.tables.encoder import EncodedTable
from nonet.tables.row_groups import row_groups
from nonet.tables.table import LeveledColumn


def count_seen(known: EncodedTable, new: EncodedTable, known_y: Array, new_y: Array) -> int:
    """Return how many new rows are equal to a known one, the target included.

    Rows of the same features and another target are other rows.

    Parameters
    ----------
    known, new : EncodedTable
        Of the same encoder.
    known_y, new_y : ndarray
        Their class codes, or values.

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> from nonet.tables.encoder import TableEncoder
    >>> encoder = TableEncoder()
    >>> table = as_table({"size": [1, 2, 3], "city": ["Oslo", "Rome", "Oslo"]})
    >>> known = encoder.fit_transform(table)
    >>> new = encoder.transform({"size": [3, 3, 1], "city": ["Oslo", "Rome", "Oslo"]})
    >>> count_seen(known, new, np.array([0, 1, 0]), np.array([0, 1, 1]))
    1
    """
    texts = {name: _joined(known.texts[name], new.texts[name]) for name in known.texts}
    targets = np.concatenate([known_y, new_y]).astype(np.float64)
    values = np.column_stack([np.concatenate([known.values, new.values]), targets])
    names, categorical = (*known.names, "the target"), np.append(known.categorical, False)
    groups = row_groups(EncodedTable(np.asfortranarray(values), names, categorical, texts))
    return int(np.isin(groups[known.n_rows :], groups[: known.n_rows]).sum())


def _joined(known: LeveledColumn, new: LeveledColumn) -> LeveledColumn:
    """Return two columns of text as one."""
    positions = {level: position for position, level in enumerate(known.levels.tolist())}
    of_new = [positions.setdefault(level, len(positions)) for level in new.levels.tolist()]
    codes: Codes = np.append(np.array(of_new, dtype=np.int32), -1)[new.codes]
    levels = np.array([*positions], dtype=object)
    return LeveledColumn(np.concatenate([known.codes, codes]).astype(np.int32), levels)
