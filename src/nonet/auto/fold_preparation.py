"""Prepared columns of the folds of a run: made when the first task needs them, then shared.

What is prepared for a fold is chosen and learned from the rows that its models are fitted on. The
rows held out, and all others, get columns as new rows would.
"""

from __future__ import annotations

import contextvars
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.names import look_up
from nonet.auto.preparation import PREPARATIONS, FitRows, PreparedColumns, prepare
from nonet.trees.shared_bins import SharedBins

if TYPE_CHECKING:
    from nonet.auto.fold_task import AutoData


_MAX_COLUMNS = 30
_MIN_COLUMNS = 4
_MAX_CELLS = 50_000_000  # of the matrices of all folds


@dataclass(frozen=True, eq=False)
class FoldPreparation:
    """The prepared columns of one fold.

    Attributes
    ----------
    columns : PreparedColumns
        How they are made from a row.
    X : ndarray of shape (n_rows, n_columns)
        All rows of the run as models of the fold read them, prepared columns last.
    bins : SharedBins
        The bins of X.
    """

    columns: PreparedColumns
    X: Floats
    bins: SharedBins


class FoldPreparations:
    """The preparations of the folds of a run, each of which is made once.

    The first task that needs one makes it, and others wait.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[int, str], FoldPreparation] = {}
        self._locks: dict[tuple[int, str], threading.Lock] = {}
        self._guard = threading.Lock()
        # A preparation neither stops at the deadline of a task, nor passes its turn to one that
        # waits for it: its calls run in the context of whoever began the run.
        self._context = contextvars.copy_context()

    def of(self, data: AutoData, fold: int, prep: str) -> FoldPreparation:
        """Return a preparation of a fold."""
        key = fold, prep
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._made:
                self._made[key] = self._context.copy().run(prepare_fold, data, fold, prep)
            return self._made[key]


def prepare_fold(data: AutoData, fold: int, prep: str) -> FoldPreparation:
    """Learn the prepared columns of a fold, and make them for all rows.

    Parameters
    ----------
    data : AutoData
    fold : int
    prep : str
        A key of `PREPARATIONS`.

    Returns
    -------
    preparation : FoldPreparation
    """
    kinds = look_up(PREPARATIONS, prep, "preparation")
    train = data.folds[fold][0]
    read = data.columns_of(fold)
    fitted = FitRows(
        data.X[train],
        read,
        data.y[train],
        data.categorical_of(fold),
        data.n_classes,
        data.weights_of(train),
        data.seed + fold,
    )
    columns = prepare(fitted, kinds, max_prepared(data))
    X = np.empty((len(data.X), len(read) + columns.n_features), order="F")
    X[:, : len(read)] = data.X[:, read]
    X[:, len(read) :] = columns.compute(data.X)
    # Means of the target must not hold a row's own one.
    X[train, len(read) :] = columns.compute_fitted(fitted)
    return FoldPreparation(columns, X, SharedBins(X))


def max_prepared(data: AutoData) -> int:
    """Return how many prepared columns a fold may have, by the memory of all folds.

    Parameters
    ----------
    data : AutoData

    Returns
    -------
    n_columns : int
        0 if there is not enough memory for at least some.
    """
    most = _MAX_CELLS // (len(data.X) * len(data.folds)) - data.n_columns
    return min(_MAX_COLUMNS, most) if most >= _MIN_COLUMNS else 0
