"""What the members of a run predicted for rows that they had not seen, and how it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.results import Result
from nonet.auto.outcome import Outcome
from nonet.auto.store import Store

_OPTIONAL = ("sample_weight", "classes")


@dataclass(frozen=True, eq=False)
class HeldOutRows(Result):
    """The held-out predictions of a run: of every configuration, and of the ensemble.

    A row appears once for each time that it was held out.

    Attributes
    ----------
    names : list of str
        The k configurations that could enter the ensemble.
    weights : ndarray of shape (k,)
        Their weights in it; 0 for those that are not in it.
    outputs : ndarray of float32 (of float64 if numbers are large) of shape (n, k, t)
        Predictions by models that had not seen the row: probabilities of the classes, or values
        (t = 1).
    support : ndarray of shape (n, t)
        Predictions of the ensemble, by weights that were found without the fold of the row.
    y : ndarray of shape (n,)
        Class codes, or values.
    rows : ndarray of int of shape (n,)
        Positions in the table of the run, which has no rows without a target.
    folds : ndarray of int of shape (n,)
        The fold in which each row was held out; halves of the rows if there is one fold.
    sample_weight : ndarray of shape (n,) or None
        Weights of the rows.
    classes : ndarray or None
        The labels of the class codes; None in regression.

    Examples
    --------
    >>> import nonet
    >>> from sklearn.datasets import load_iris
    >>> table = load_iris(as_frame=True).frame
    >>> settings = {"time_limit": None, "max_tasks": 3, "cv": 3, "families": ["linear"]}
    >>> run = nonet.fit_table(table, "target", **settings)
    >>> run.held_out.outputs.shape
    (150, 1, 3)
    >>> bool((run.held_out.support.argmax(axis=1) == run.held_out.y).mean() > 0.9)
    True
    """

    _shown: ClassVar[tuple[str, ...]] = ("names", "weights", "n_rows")

    names: list[str]
    weights: Floats
    outputs: Array
    support: Floats
    y: Array
    rows: Array
    folds: Array
    sample_weight: Floats | None = None
    classes: Array | None = None

    @property
    def n_rows(self) -> int:
        """The number of held-out predictions of a member."""
        return len(self.y)


def keep_held_out(store: Store, outcome: Outcome, classes: Array | None) -> None:
    """Keep the held-out predictions of a search in its store.

    Parameters
    ----------
    store : Store
    outcome : Outcome
    classes : ndarray or None
        The labels; None in regression.
    """
    page, weight_of = outcome.page, outcome.weight_of()
    arrays = {
        "weights": np.array([weight_of.get(name, 0.0) for name in page.names]),
        "outputs": _in_few_bytes(page.outputs),
        "support": outcome.blend.support,
        "y": outcome.truth,
        "rows": page.rows,
        "folds": page.folds,
        "sample_weight": outcome.weights,
        "classes": classes if classes is None or classes.dtype.kind != "O" else classes.astype(str),
    }
    for name, array in arrays.items():
        if array is not None:
            store.save_array(f"held_out_{name}", array)
    store.update_facts(held_out_names=page.names)


def _in_few_bytes(outputs: Floats) -> Array:
    """Return single precision where it holds the numbers: no model is made of them."""
    fits = np.abs(outputs).max(initial=0.0) < np.finfo(np.float32).max
    return outputs.astype(np.float32) if fits else outputs


def load_held_out(store: Store) -> HeldOutRows:
    """Return what `keep_held_out` has kept.

    Parameters
    ----------
    store : Store

    Returns
    -------
    held_out : HeldOutRows
    """

    def load(name: str) -> Array:
        return store.load_array(f"held_out_{name}")

    required = ("weights", "outputs", "support", "y", "rows", "folds")
    known = [name for name in _OPTIONAL if store.has(f"held_out_{name}")]
    arrays = {name: load(name) for name in (*required, *known)}
    return HeldOutRows(names=list(store.facts["held_out_names"]), **arrays)
