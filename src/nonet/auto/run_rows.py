"""The encoded rows of a run, and how a store keeps them for a run that is resumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.auto.store import Store
from nonet.tables.encoder import EncodedTable


@dataclass(frozen=True, eq=False)
class RunRows:
    """The rows that a run is fitted on.

    Attributes
    ----------
    table : EncodedTable
    target : ndarray of shape (n_rows,)
        Class codes, or values.
    groups : ndarray of int of shape (n_rows,) or None
    weights : ndarray of shape (n_rows,) or None
    """

    table: EncodedTable
    target: Array
    groups: Array | None
    weights: Floats | None


def keep_rows(store: Store, rows: RunRows, encoder: Any, classes: Array | None) -> None:
    """Keep rows in a store, with all that a resumed run needs.

    Parameters
    ----------
    store : Store
    rows : RunRows
    encoder : TableEncoder
    classes : ndarray or None
        The labels; None in regression.
    """
    arrays = {
        "values": rows.table.values,
        "categorical": rows.table.categorical,
        "target": rows.target,
        "groups": rows.groups,
        "weights": rows.weights,
        "classes": None if classes is None else _plain(classes),
    }
    for name, array in arrays.items():
        if array is not None:
            store.save_array(name, array)
    store.save_model("encoder", encoder)
    # Last, because its presence means that all of them are there.
    store.update_facts(columns=list(rows.table.names))


def _plain(classes: Array) -> Array:
    """Return labels as a file can hold them: objects, which are text, as text."""
    return classes.astype(str) if classes.dtype.kind == "O" else classes


def has_rows(store: Store) -> bool:
    """Return whether a store has kept all rows of its run."""
    return "columns" in store.facts


def load_rows(store: Store) -> RunRows:
    """Return the rows that `keep_rows` kept.

    Parameters
    ----------
    store : Store

    Returns
    -------
    rows : RunRows
    """
    table = EncodedTable(
        store.load_array("values"),
        tuple(store.facts["columns"]),
        np.asarray(store.load_array("categorical"), dtype=bool),
        {},
    )
    return RunRows(
        table, store.load_array("target"), _optional(store, "groups"), _optional(store, "weights")
    )


def _optional(store: Store, name: str) -> Array | None:
    return store.load_array(name) if store.has(name) else None
