"""Rows of a bins file, which estimators take in place of X."""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from nonet._base.aliases import Array, Floats
from nonet._base.memory import available_bytes
from nonet._native.data import BinnedDataset
from nonet.trees.bins_header import BinsHeader, DamagedHeader
from nonet.trees.category_codes import CategoryCodes


class BinnedTable:
    """A table whose columns are binned in a file, which estimators take in place of X.

    Made by `make_bins` and `open_bins`. ``fit(bins, None)`` takes targets and weights from the
    file. The rows stay in the file: the system reads its pages as they are needed, and may drop
    them at any time. The fitted model is that of a fit in memory on the same edges, and predicts
    arrays and frames.

    Parameters
    ----------
    path : Path
        The file.
    header : BinsHeader
        What the file holds.
    dataset : BinnedDataset or None
        Its rows; None for some of them, which are copied when they are needed.
    y : StoredTarget or None
        The targets.
    weights : array of shape (n_rows,) or None
        The weights of rows.
    whole : BinnedTable, optional
        The table that some rows are from.
    rows : array of int, optional
        Their positions in it.

    Attributes
    ----------
    path : Path
        The file.
    shape : tuple of int
        Number of rows and of columns.
    names : list of str or None
        The names of the columns.
    max_bins : int
        Maximum number of bins per column; estimators need the same.
    y : StoredTarget or None
        The targets.
    weights : array of shape (n_rows,) or None
        The weights of rows.
    estimate : BinsEstimate or None
        What was expected of `make_bins`, if it has made this file.

    Examples
    --------
    >>> import nonet
    >>> X = np.arange(20.0).reshape(10, 2)
    >>> bins = nonet.make_bins(X, "table.bins", target=X[:, 0] > 8, verbose=0)
    >>> bins.shape, bins.y.labels
    ((10, 2), array([False,  True]))
    >>> nonet.HistGradientBoostingClassifier(min_samples_leaf=1).fit(bins, None).predict(X[:2])
    array([False, False])
    """

    ndim = 2
    estimate: Any = None

    def __init__(
        self,
        path: Path,
        header: BinsHeader,
        dataset: BinnedDataset | None,
        y: StoredTarget | None,
        weights: Floats | None,
        *,
        whole: BinnedTable | None = None,
        rows: Array | None = None,
    ) -> None:
        self.path, self.header = path, header
        self.y, self.weights = y, weights
        self._dataset, self._whole, self._rows = dataset, whole, rows
        self._n_rows = header.n_rows if rows is None else len(rows)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self._n_rows, self.header.n_columns

    @property
    def names(self) -> list[str] | None:
        """The names of the columns."""
        return self.header.names

    @property
    def max_bins(self) -> int:
        """Maximum number of bins per column."""
        return self.header.max_bins

    @property
    def codes(self) -> CategoryCodes:
        """What the codes of categories stand for."""
        return CategoryCodes(dict(self.header.known), dict(self.header.joined))

    @property
    def dataset(self) -> BinnedDataset:
        """The rows for native code; some of the rows of a file are copied to a temporary one."""
        if self._dataset is None:
            assert self._whole is not None
            self._dataset = self._whole.dataset.take(self._rows)  # type: ignore[arg-type]
        return self._dataset

    def __len__(self) -> int:
        return self._n_rows

    def __getitem__(self, rows: Any) -> BinnedTable:
        """Return some of the rows, by position or mask, with their targets and weights."""
        positions = np.arange(self._n_rows)[_row_index(rows)]
        if positions.ndim != 1:
            raise needs_values("A single row or value of a table of bins")
        inner = positions if self._rows is None else self._rows[positions]
        return BinnedTable(
            self.path,
            self.header,
            None,
            None if self.y is None else self.y[positions],
            None if self.weights is None else self.weights[positions],
            whole=self._whole or self,
            rows=inner,
        )

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise needs_values("An array of a table of bins")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r}, shape={self.shape})"

    @property
    def column_names(self) -> list[str] | None:
        """The names, where the names of any frame are looked for."""
        return self.names

    def binned(self, max_bins: int) -> BinnedDataset:
        """Return the rows for a fit with that number of bins, or raise if there are others."""
        if max_bins != self.max_bins:
            raise ValueError(
                f"{self.path.name} was made with max_bins={self.max_bins}, but the estimator has "
                f"max_bins={max_bins}; give both the same."
            )
        return self.dataset

    def check_memory(self, bytes_per_row: int) -> None:
        """Raise if a fit that keeps so many bytes per row resident would not fit into memory."""
        needed, available = bytes_per_row * len(self), available_bytes()
        if needed > available:
            raise ValueError(
                f"a fit on {self.path.name} keeps {bytes_per_row} bytes per row in memory, "
                f"{needed / 1e9:.1f} GB for {len(self):,} rows, but {available / 1e9:.1f} GB are "
                "available; fit on fewer rows, or on another machine."
            )

    def empty_columns(self) -> list[int]:
        """Return the columns that have no value in any row of the file."""
        return [int(j) for j in np.flatnonzero(self.header.edges.n_bins == 0)]

    def drop_pages(self) -> None:
        """Let the system drop the pages of the file from memory."""
        memory = getattr(self, "_memory", None)
        if memory is not None and hasattr(memory, "madvise"):
            memory.madvise(mmap.MADV_DONTNEED)
            with self.path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class StoredTarget:
    """Targets in a bins file: numbers, or positions of labels.

    Attributes
    ----------
    numbers : float64 array of shape (n_rows,)
        The targets, or their positions in `labels` if `are_codes`.
    labels : array or None
        The distinct targets, sorted, if they are few or no numbers.
    """

    def __init__(self, numbers: Floats, labels: Array | None, *, are_codes: bool) -> None:
        self.numbers, self.labels, self.are_codes = numbers, labels, are_codes

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def shape(self) -> tuple[int]:
        """Number of rows."""
        return (len(self.numbers),)

    def __getitem__(self, rows: Any) -> StoredTarget:
        return StoredTarget(self.numbers[_row_index(rows)], self.labels, are_codes=self.are_codes)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        """Return the targets as they were given."""
        if not self.are_codes:
            values = self.numbers
            if self.labels is not None and dtype is None:
                values = values.astype(self.labels.dtype)
        else:
            assert self.labels is not None
            values = self.labels[self.numbers.astype(np.intp)]
        return np.asarray(values, dtype)

    def codes(self) -> Floats | None:
        """Return the positions of the labels, in place if they are stored; None if there are none.

        None also if some label has no row here, or the stored numbers are not the positions.
        """
        if self.labels is None or not len(self.labels):
            return None
        n = len(self.labels)
        is_position = self.are_codes or np.array_equal(self.labels, np.arange(n))
        if not is_position:
            return None
        seen = np.zeros(n, dtype=bool)
        for block in _blocks(self.numbers):
            if not ((block >= 0) & (block < n) & (block == np.floor(block))).all():
                raise ValueError("targets of a bins file are not among its labels; make it anew.")
            seen[block.astype(np.intp)] = True
        return self.numbers if seen.all() else None


def _row_index(index: Any) -> Any:
    """Return which rows an index names: scikit-learn takes rows as X[rows, ...]."""
    is_pair = isinstance(index, tuple) and len(index) == 2 and index[1] is Ellipsis
    return index[0] if is_pair else index


def _blocks(numbers: Floats, size: int = 1 << 20) -> Iterator[Floats]:
    return (numbers[first : first + size] for first in range(0, len(numbers), size))


def needs_values(what: str) -> TypeError:
    """Return the error for what cannot be computed from bins.

    Examples
    --------
    >>> str(needs_values("oob_score=True"))[:45]
    'oob_score=True needs the values of the rows, '
    """
    return TypeError(
        f"{what} needs the values of the rows, but a bins file holds only which bin they are in; "
        "give the rows themselves, as an array or a frame."
    )


def fit_arguments(owner: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any]:
    """Return targets and weights of a fit: those of a bins file where none are given.

    Examples
    --------
    >>> fit_arguments(None, [[1.0]], [2.0], None)
    ([2.0], None)
    """
    if not isinstance(X, BinnedTable):
        return y, sample_weight
    if isinstance(y, StoredTarget) or (y is None and X.y is not None):
        y = X.y if y is None else y
        if not is_classifier(owner):
            if y.are_codes:
                raise ValueError(
                    f"{type(owner).__name__} needs numbers as targets, but those of "
                    f"{X.path.name} are labels such as {y.labels[0]!r}."
                )
            y = y.numbers
    if y is None and X.y is None:
        raise ValueError(
            f"{X.path.name} has no targets; give y, or name them by target= of make_bins."
        )
    return y, (X.weights if sample_weight is None else sample_weight)


# ---- Opening -------------------------------------------------------------------------------------


def open_bins(path: str | os.PathLike[str], *, check: bool = True) -> BinnedTable:
    """Open a bins file, which estimators take in place of X.

    Parameters
    ----------
    path : str or Path
        A file that `make_bins` has made.
    check : bool, default=True
        Whether all of the file is read once and compared with its checksums. Only leave this out
        for a file that you have made and checked before: damaged bins crash a fit.

    Returns
    -------
    bins : BinnedTable
        To be given as X; its rows stay in the file, which must not be changed meanwhile.

    See Also
    --------
    make_bins : Bin the rows of files that need not fit into memory.

    Examples
    --------
    >>> import nonet
    >>> X = np.arange(20.0).reshape(10, 2)
    >>> _ = nonet.make_bins(X, "numbers.bins", target=X[:, 0], verbose=0)
    >>> bins = nonet.open_bins("numbers.bins")
    >>> nonet.RandomForestRegressor(n_estimators=5).fit(bins, None).predict(X).shape
    (10,)
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            n_bytes = os.fstat(file.fileno()).st_size
            if n_bytes == 0:
                raise DamagedHeader("it is empty")
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = BinsHeader.from_bytes(memoryview(memory), n_bytes)
    except OSError as why:
        reason = (why.strerror or str(why)).lower()
        raise ValueError(f"{str(path)!r} cannot be read: {reason}.") from why
    except DamagedHeader as why:
        raise _damaged(path, str(why)) from why
    return map_table(path, header, memory, check=check)


def map_table(path: Path, header: BinsHeader, memory: Any, *, check: bool) -> BinnedTable:
    """Return the table of a file whose header is known and whose bytes are mapped."""
    whole = np.frombuffer(memory, np.uint8)
    parts = {name: whole[begin : begin + n] for name, (begin, n) in header.sections.items()}
    if check:
        _check_blocks(path, header, whole)
    folder = str(path.resolve().parent)
    try:
        dataset = BinnedDataset.lent(
            header.edges, header.n_rows, parts["columns"], parts["rows"], folder
        )
    except (TypeError, ValueError) as why:
        raise _damaged(path, "its edges are damaged") from why
    if check and (row := dataset.find_bad_row()) is not None:
        raise _damaged(path, f"row {row} has bins that there are not")
    y = weights = None
    if header.has_target:
        numbers = parts["target"].view("<f8")
        y = StoredTarget(numbers, header.labels, are_codes=header.are_codes)
    if header.has_weights:
        weights = parts["weights"].view("<f8")
    table = BinnedTable(path, header, dataset, y, weights)
    vars(table)["_memory"] = memory
    return table


def _check_blocks(path: Path, header: BinsHeader, whole: Array) -> None:
    begin, size = header.sections["checksums"]
    stored = whole[begin : begin + size].view("<u8")
    for block in range(header.n_blocks):
        rows = header.rows_of(block)
        pieces = (whole[at : at + n] for at, n in header.positions_of(rows))
        if int(stored[block]) != checksum(pieces):
            raise _damaged(path, f"rows {rows.start} to {rows.stop - 1} differ from their checksum")


def checksum(pieces: Iterator[Array]) -> int:
    """Return the checksum of a block that is complete: never 0."""
    crc = 0
    for piece in pieces:
        crc = zlib.crc32(piece.data, crc)
    return crc | 1 << 32


def _damaged(path: Path, why: str) -> ValueError:
    return ValueError(f"{path.name} cannot be used as a bins file: {why}; make it anew.")
