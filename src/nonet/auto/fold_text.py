"""Text in a run: features that are fitted without each fold, side by side in one matrix.

TF-IDF weights and their projections depend on the rows that they are learned from, so each fold has
features of its own. The matrix of a run holds the other columns once, then the features of each
fold; the models of a fold read the former and their part of the latter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.tables.encoder import EncodedTable
from nonet.tables.text_features import TextFeatures


def fit_text_features(
    table: EncodedTable, folds: Sequence[tuple[Array, Array]], seed: int
) -> list[TextFeatures]:
    """Fit features of text on the rows that the models of each fold are fitted on.

    Parameters
    ----------
    table : EncodedTable
    folds : sequence of (train, test) pairs of row positions
    seed : int

    Returns
    -------
    features : list of TextFeatures
        One for each fold; none if the table has no text.
    """
    if not table.texts:
        return []
    return [
        TextFeatures(random_state=seed + fold).fit(table.take(train))
        for fold, (train, _) in enumerate(folds)
    ]


def join_text_features(table: EncodedTable, features: Sequence[TextFeatures]) -> Floats:
    """Return the matrix of a table: its encoded columns, then the features of each fold.

    Parameters
    ----------
    table : EncodedTable
    features : sequence of TextFeatures

    Returns
    -------
    X : ndarray of shape (n_rows, n_columns), in the order of columns
    """
    if not features:
        return table.values
    parts = [table.values, *(one.transform(table) for one in features)]
    return np.asfortranarray(np.hstack(parts))


def columns_of_folds(
    table: EncodedTable, features: Sequence[TextFeatures]
) -> tuple[Array, ...] | None:
    """Return which columns of the matrix the models of each fold read; None is all of them.

    Parameters
    ----------
    table : EncodedTable
    features : sequence of TextFeatures

    Returns
    -------
    columns : tuple of ndarray of int, or None

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> from nonet.tables.encoder import TableEncoder
    >>> story = [f"house number {i} is {word}" for i, word in enumerate("ab" * 20)]
    >>> columns = {"size": np.arange(40.0) % 7, "story": story}
    >>> table = TableEncoder().fit_transform(as_table(columns))
    >>> rows = np.arange(40)
    >>> folds = [(rows[:20], rows[20:]), (rows[20:], rows[:20])]
    >>> features = fit_text_features(table, folds, seed=0)
    >>> [len(columns) for columns in columns_of_folds(table, features)]
    [19, 19]
    >>> join_text_features(table, features).shape
    (40, 37)
    """
    if not features:
        return None
    shared = np.arange(table.values.shape[1])
    ends = len(shared) + np.cumsum([len(one.names_) for one in features])
    starts = [len(shared), *ends[:-1]]
    return tuple(
        np.concatenate([shared, np.arange(start, end)])
        for start, end in zip(starts, ends, strict=True)
    )
