"""The encoded rows of a run, and how a store keeps them for a run that is resumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.auto.store import Store
from nonet.tables.encoder import EncodedTable
from nonet.tables.table import LeveledColumn


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
    times : ndarray of int of shape (n_rows,) or None, default=None
        Ranks in the order of time, if folds follow it.
    """

    table: EncodedTable
    target: Array
    groups: Array | None
    weights: Floats | None
    times: Array | None = None


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
        "times": rows.times,
        "classes": None if classes is None else _plain(classes),
    }
    for name, array in arrays.items():
        if array is not None:
            store.save_array(name, array)
    store.save_model("encoder", encoder)
    for position, column in enumerate(rows.table.texts.values()):
        _keep_text(store, f"text{position}", column)
    # Last, because its presence means that all of them are there.
    store.update_facts(columns=list(rows.table.names), text_columns=list(rows.table.texts))


def _keep_text(store: Store, name: str, column: LeveledColumn) -> None:
    """Keep text as bytes: arrays of text would be as wide as its longest value."""
    levels = [str(level).encode("utf-8", "surrogatepass") for level in column.levels]
    store.save_array(f"{name}_codes", column.codes)
    store.save_array(f"{name}_bytes", np.frombuffer(b"".join(levels), dtype=np.uint8))
    store.save_array(f"{name}_ends", np.cumsum([len(level) for level in levels], dtype=np.int64))


def _load_text(store: Store, name: str) -> LeveledColumn:
    content = store.load_array(f"{name}_bytes").tobytes()
    ends = store.load_array(f"{name}_ends").tolist()
    parts = (content[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True))
    levels = np.array([part.decode("utf-8", "surrogatepass") for part in parts], dtype=object)
    return LeveledColumn(np.asarray(store.load_array(f"{name}_codes")), levels)


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
        {
            name: _load_text(store, f"text{position}")
            for position, name in enumerate(store.facts.get("text_columns", []))
        },
    )
    others = {name: _optional(store, name) for name in ("groups", "weights", "times")}
    return RunRows(table, store.load_array("target"), **others)


def _optional(store: Store, name: str) -> Array | None:
    return store.load_array(name) if store.has(name) else None
