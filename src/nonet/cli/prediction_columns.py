"""The columns of predictions: identifiers, the prediction, and probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nonet.cli.model_rows import knows_names
from nonet.cli.opened_model import OpenedModel
from nonet.cli.table_columns import find_columns
from nonet.tables.table import Column, Table

PREDICTION = "prediction"
PROBABILITY = "probability_"

Columns = dict[str, Any]
"""Columns by name: columns of a table, or arrays."""


def predict_columns(
    opened: OpenedModel, blocks: Iterable[Table], ids: Sequence[str] | None, *, with_proba: bool
) -> Iterator[Columns]:
    """Predict the blocks of a table one after another.

    Parameters
    ----------
    opened : OpenedModel
    blocks : iterable of Table
    ids : sequence of str or None
        Columns that are passed through; None is those of the run, as far as they are there.
    with_proba : bool
        Whether there is a column for the probability of each class.

    Yields
    ------
    columns : dict of str to column
    """
    for block in blocks:
        passed = _id_columns(opened, block, ids)
        columns: dict[str, Column] = {name: block[name] for name in passed}
        if not knows_names(opened.model):  # it reads all columns that are left
            block = block.select([name for name in block.names if name not in passed])
        columns[_free(PREDICTION, columns)] = opened.predict(block)
        if with_proba:
            assert opened.classes is not None
            support = opened.support(block)
            for position, label in enumerate(opened.classes.tolist()):
                columns[_free(f"{PROBABILITY}{label}", columns)] = support[:, position]
        yield columns


def _id_columns(opened: OpenedModel, block: Table, ids: Sequence[str] | None) -> list[str]:
    if ids is None:
        return [name for name in opened.id_columns if name in block]
    return find_columns(block, list(dict.fromkeys(ids)))


def _free(name: str, taken: Columns) -> str:
    """Return a name that no identifier has."""
    free, number = name, 2
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free
