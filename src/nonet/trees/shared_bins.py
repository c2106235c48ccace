"""Bin edges that many fits share: found once on a whole table, used by fits on any of its rows.

Fits on folds, on bootstrap samples and for each candidate of a search would find nearly the same
edges again and again. Edges depend on X alone, so that no target of a held-out row is used; its
values of X take part in them. Categories are no part of this: their codes are those of each fit.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.frames import count_rows
from nonet._base.parallel import count_jobs, prefer_threads
from nonet._native.data import BinnedDataset
from nonet._native.runtime import get_num_threads, limit_other_threads, philox_words
from nonet.trees.binned_table import BinnedTable

# Rows of a table that are looked up to see whether it consists of rows of another.
_LOOKED_UP_ROWS = 1000

Words = NDArray[np.uint64]


@contextlib.contextmanager
def share_bins(
    X: Any, *, sample_weight: ArrayLike | None = None, n_jobs: int | None = None
) -> Iterator[None]:
    """Let all fits on rows of X use the same bins, inside a ``with`` block.

    Histogram boosting, boosted trees and forests sort each column into bins before they grow
    trees. Inside the block they find the edges of these bins once, on all rows of X, for each
    value of ``max_bins``. This serves whatever fits clones on rows of X: scikit-learn's
    ``GridSearchCV``, ``RandomizedSearchCV``, ``cross_val_score`` and ``cross_val_predict``, or a
    loop over parameters. A fit on other rows, for example on scaled ones in a pipeline, finds its
    own edges as it does outside the block. So does one on sparse X.

    A model may differ slightly from one that is fitted outside the block, whose edges are those of
    its own rows; they are equal where columns have at most ``max_bins`` distinct values. Held-out
    rows take part in the edges, with their values of X and never with their targets.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
        The table whose rows are fitted on, as it is given to ``fit`` of the search.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows in the bins, which hold about equal weights.
    n_jobs : int, default=None
        Number of fits at a time for the joblib calls inside the block that do not set it
        themselves; None means 1, -1 all processors. They run in threads, among which the threads
        of the fits are divided. Results are the same for any number.

    Returns
    -------
    context manager

    Notes
    -----
    Whether a table consists of rows of X is checked on 1,000 of its rows. The block holds for the
    whole process, since the threads of joblib do not know who started them.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from nonet import BoostedTreesClassifier, share_bins
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BoostedTreesClassifier(n_estimators=20, random_state=0)
    >>> search = GridSearchCV(model, {"num_leaves": [4, 16], "learning_rate": [0.1, 0.3]}, cv=3)
    >>> with share_bins(X, n_jobs=2):
    ...     search = search.fit(X, y)
    >>> print(search.best_score_ > 0.95)
    True
    """
    weights = check_sample_weight(sample_weight, count_rows(X))
    shared = SharedBins(X, weights, looks_up_rows=True)
    n_workers = count_jobs(n_jobs)
    # Without n_jobs, those who start threads nevertheless get one thread in each.
    per_worker = 1 if n_jobs is None else max(1, get_num_threads() // n_workers)
    with prefer_threads(n_jobs), limit_other_threads(per_worker):
        _open_blocks.append(shared)
        try:
            yield
        finally:
            _open_blocks.remove(shared)


class SharedBins:
    """Bins of a table, made when the first fit needs them.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows, in the form in which estimators are given them.
    weights : array of shape (n_rows,), optional
        Base weights of the rows.
    looks_up_rows : bool
        Whether tables are checked to consist of rows of X; otherwise the caller vouches for it.
    """

    def __init__(self, X: Any, weights: Floats | None = None, *, looks_up_rows: bool = False):
        self._X, self._weights, self._looks_up_rows = X, weights, looks_up_rows
        self._lock = threading.Lock()
        self._made: dict[tuple[int, tuple[int, ...]], _Reference | None] = {}
        # The threads that wait for the bins leave their processors to the one that makes them.
        self._context = contextvars.copy_context()

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """Let the fits of the block, in this thread, use the bins."""
        token = _bins_in_use.set(self)
        try:
            yield
        finally:
            _bins_in_use.reset(token)

    def bin(
        self, table: Any, read: Callable[[Any], Any], max_bins: int, categories: Sequence[int]
    ) -> BinnedDataset | None:
        """Bin a table on the shared edges, or return None if these are not for its rows.

        Parameters
        ----------
        table : array of shape (n_rows, n_columns)
            The rows of a fit, as numbers.
        read : callable
            Reads the whole X as the fit has read its rows.
        max_bins : int
            Maximum number of bins per column.
        categories : sequence of int
            Columns of categories, which get bins of their own.
        """
        if issparse(table) or len(categories) == table.shape[1]:
            return None
        reference = self._reference(read, max_bins, tuple(categories))
        if reference is None or reference.dataset.n_columns != table.shape[1]:
            return None
        if table is self._X:
            return reference.dataset
        if self._looks_up_rows and not reference.has_rows(table):
            return None
        return BinnedDataset(table, categories=categories, reference=reference.dataset)

    def _reference(
        self, read: Callable[[Any], Any], max_bins: int, categories: tuple[int, ...]
    ) -> _Reference | None:
        key = max_bins, categories
        with self._lock:
            if key not in self._made:
                self._made[key] = self._context.run(self._make, read, max_bins, categories)
            return self._made[key]

    def _make(
        self, read: Callable[[Any], Any], max_bins: int, categories: tuple[int, ...]
    ) -> _Reference | None:
        try:
            table = read(self._X)
            if issparse(table):
                return None
            dataset = BinnedDataset(
                table, max_bins=max_bins, categories=categories, weights=self._weights
            )
        except (TypeError, ValueError):  # not a table of this estimator: it uses its own rows
            return None
        return _Reference(dataset, table, categories, keeps_words=self._looks_up_rows)


class _Reference:
    """The bins of a whole table, and how to recognise its rows."""

    def __init__(
        self, dataset: BinnedDataset, table: Array, categories: Sequence[int], *, keeps_words: bool
    ) -> None:
        self.dataset = dataset
        self._numbers = np.setdiff1d(np.arange(table.shape[1]), categories)
        self._words = np.sort(self._words_of(table)) if keeps_words else None

    def has_rows(self, table: Array) -> bool:
        """Return whether some rows of a table, and so most likely all, are rows of this one."""
        assert self._words is not None
        step = max(1, len(table) // _LOOKED_UP_ROWS)
        words = self._words_of(table[::step])
        positions = np.searchsorted(self._words, words).clip(max=len(self._words) - 1)
        return bool((self._words[positions] == words).all())

    def _words_of(self, table: Array) -> Words:
        """Return a word for each row: the sum of its bits, each column times an odd number."""
        numbers = np.ascontiguousarray(table[:, self._numbers], dtype=np.float64)
        factors = philox_words(0, (0,), len(self._numbers)) | np.uint64(1)
        words: Words = numbers.view(np.uint64) @ factors
        return words


_bins_in_use: contextvars.ContextVar[SharedBins | None] = contextvars.ContextVar(
    "nonet_bins_in_use", default=None
)
_open_blocks: list[SharedBins] = []


def bin_columns(
    table: Any,
    read: Callable[[Any], Any],
    *,
    max_bins: int,
    categories: Sequence[int],
    weights: Floats | None = None,
    seed: int = 0,
) -> BinnedDataset:
    """Bin the table of a fit on edges that are shared for its rows, otherwise on its own.

    Parameters
    ----------
    table : array or sparse matrix of shape (n_rows, n_columns)
        The rows of the fit, as numbers.
    read : callable
        Reads another table, of which these may be rows, in the same way.
    max_bins, categories, weights, seed
        As in `BinnedDataset`; weights and seed are for edges of its own.

    Returns
    -------
    BinnedDataset

    Examples
    --------
    >>> X = np.arange(8.0)[:, np.newaxis]
    >>> with SharedBins(X).in_use():
    ...     bin_columns(X[::4], lambda X: X, max_bins=4, categories=[]).edges(0)
    array([1.5, 3.5, 5.5])
    """
    if isinstance(table, BinnedTable):
        return table.binned(max_bins)
    explicit = _bins_in_use.get()
    for shared in reversed(_open_blocks) if explicit is None else [explicit]:
        dataset = shared.bin(table, read, max_bins, categories)
        if dataset is not None:
            return dataset
    return BinnedDataset(
        table, max_bins=max_bins, categories=categories, weights=weights, seed=seed
    )
