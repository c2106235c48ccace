"""Tables as arrays of numbers: the kinds of columns are found in fit, and used from then on.

Numbers, booleans, dates and categories become columns of one array. Text stays text, because its
features are fitted inside folds (`text_features`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array
from nonet._base.estimator import Estimator
from nonet._base.frames import column_names
from nonet._base.number_tables import read_numbers
from nonet._base.params import Instance, Nothing, check_params
from nonet._base.warn import warn_caller
from nonet.tables.as_table import as_table
from nonet.tables.column_encoders import ColumnEncoder, DateEncoder, as_levels, learn_column
from nonet.tables.column_kind import ColumnKind
from nonet.tables.column_names import Notes, add_note, list_names, repair_names
from nonet.tables.kinds import describe_kinds, find_kinds
from nonet.tables.table import Column, LeveledColumn, Table

_RULES = {"kinds": Nothing() | Instance("a dict of kinds by the names of columns", dict)}


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """A table as numbers, and its columns of text.

    Attributes
    ----------
    values : ndarray of float64 of shape (n_rows, n_columns)
        By columns in memory; NaN where a value is missing.
    names : tuple of str
        The names of these columns.
    categorical : ndarray of bool of shape (n_columns,)
        Which of them hold codes of categories.
    texts : dict of str to LeveledColumn
        The columns of text, by name.

    Examples
    --------
    >>> table = as_table({"size": [1, 2], "city": ["Oslo", "Rome"]})
    >>> encoded = TableEncoder().fit_transform(table)
    >>> encoded.values
    array([[1., 0.],
           [2., 1.]])
    >>> encoded.take(np.array([1])).values
    array([[2., 1.]])
    """

    values: NDArray[np.float64]
    names: tuple[str, ...]
    categorical: NDArray[np.bool_]
    texts: dict[str, LeveledColumn]

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.values)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and of columns with those of text."""
        return self.n_rows, len(self.names) + len(self.texts)

    @property
    def column_names(self) -> list[str]:
        """The names of all columns, those of text last."""
        return [*self.names, *self.texts]

    def take(self, rows: Array) -> EncodedTable:
        """Return some rows."""
        texts = {name: column.take(rows) for name, column in self.texts.items()}
        values = np.asfortranarray(self.values[rows])
        return EncodedTable(values, self.names, self.categorical, texts)


class TableEncoder(Estimator):
    """Encode the columns of a table as numbers, by the kinds that their values have.

    Parameters
    ----------
    kinds : dict of str to str, default=None
        Kinds that are set by the names of columns: 'number', 'boolean', 'date', 'category', 'text'
        or 'identifier', which is not used. Others are found from the values.

    Attributes
    ----------
    kinds_ : dict of str to ColumnKind
        The kind of each column with the reason for it; none after an array of numbers, which is
        taken as it is.
    encoders_ : list of encoders
        What was learned from each column that is used, except text.
    n_features_in_ : int
        The number of columns in fit.
    feature_names_in_ : ndarray of str
        Their names, unless an array of numbers was fitted.

    See Also
    --------
    find_kinds : The kinds of the columns alone.

    Examples
    --------
    >>> table = {"id": range(40), "price": ["3,50", "12,00"] * 20, "sold": ["yes", "no"] * 20}
    >>> encoder = TableEncoder().fit(as_table(table))
    >>> encoder.kinds_["id"].kind, encoder.kinds_["price"].kind
    ('identifier', 'number')
    >>> notes = []
    >>> encoder.transform({"sold": ["no"], "price": ["7,25"], "color": ["red"]}, notes).values
    array([[7.25, 0.  ]])
    >>> notes
    ["Columns that fit did not see are ignored: 'color'."]
    """

    def __init__(self, kinds: Mapping[str, str] | None = None) -> None:
        self.kinds = kinds

    def fit(self, X: Any, y: Any = None) -> TableEncoder:
        """Find the kinds of the columns, and learn categories and dates.

        Parameters
        ----------
        X : Table, frame, array or list of rows
            The table, without the target. An array of numbers is taken as it is: nothing is found
            out about its columns, and none is dropped.
        y : ignored

        Returns
        -------
        self : TableEncoder
        """
        check_params(self, _RULES)
        self.__dict__.pop("feature_names_in_", None)
        self.kinds_: dict[str, ColumnKind] = {}
        self.encoders_: list[ColumnEncoder] = []
        if self.kinds is None and _is_matrix_of_numbers(X):
            read_numbers(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
            return self
        table = as_table(X)
        self.n_features_in_ = len(table.names)
        self.feature_names_in_ = np.array(table.names, dtype=object)
        self.kinds_ = find_kinds(table, self.kinds)
        self._learn(table)
        return self

    def _learn(self, table: Table) -> None:
        if not any(kind.is_used for kind in self.kinds_.values()):
            name, kind = next(iter(self.kinds_.items()))
            raise ValueError(
                f"TableEncoder: no column has anything to learn from; {name!r}, for example, is "
                f"of kind {kind.kind!r}: {kind.reason} kinds={{...}} can set it."
            )
        learned = (learn_column(name, table[name], kind) for name, kind in self.kinds_.items())
        self.encoders_ = [encoder for encoder in learned if encoder is not None]

    def fit_transform(self, X: Any, y: Any = None, notes: Notes = None) -> EncodedTable:
        """Fit, and encode the same table.

        Parameters
        ----------
        X : Table, frame, array or list of rows
            The table, without the target.
        y : ignored
        notes : list of str, optional
            Gets sentences about columns that are not used, about numbers that may stand for
            missing, and about values that could not be read.

        Returns
        -------
        EncodedTable
        """
        self.fit(X)
        for sentence in describe_kinds(self.kinds_):
            add_note(notes, sentence)
        return self.transform(X, notes)

    def transform(self, X: Any, notes: Notes = None) -> EncodedTable:
        """Encode a table; its columns are found by name, in any order.

        Columns that are not there become NaN, with a warning. Values that cannot be read, and
        levels that fit did not see, become NaN. Further columns are ignored.

        Parameters
        ----------
        X : Table, frame, dictionary of columns, array or list of rows
            The table.
        notes : list of str, optional
            Gets sentences about all of this, in place of the warning.

        Returns
        -------
        EncodedTable
        """
        check_is_fitted(self)
        if not self.kinds_:
            values = read_numbers(
                self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan"
            )
            is_code = np.zeros(self.n_features_in_, dtype=bool)
            return EncodedTable(np.asfortranarray(values), self.names_, is_code, {})
        table = self._as_table(X)
        self._check_columns(table, notes)
        columns: list[Array] = []
        for encoder in self.encoders_:
            columns += encoder.encode(_column(table, encoder.name), notes)
        texts = {name: as_levels(_column(table, name)) for name in self.text_names_}
        return self._encoded(columns, texts, table.n_rows)

    @property
    def text_names_(self) -> tuple[str, ...]:
        """The names of the columns of text."""
        return tuple(name for name, kind in self.kinds_.items() if kind.kind == "text")

    @property
    def date_positions_(self) -> dict[str, int]:
        """Where the encoded seconds of each column of dates are."""
        starts = np.cumsum([0, *(len(encoder.names) for encoder in self.encoders_)]).tolist()
        return {
            encoder.name: start
            for encoder, start in zip(self.encoders_, starts, strict=False)
            if isinstance(encoder, DateEncoder)
        }

    @property
    def names_(self) -> tuple[str, ...]:
        """The names of the encoded columns."""
        if not self.kinds_:
            return tuple(f"x{j}" for j in range(self.n_features_in_))
        return repair_names([name for encoder in self.encoders_ for name in encoder.names])

    def _as_table(self, X: Any) -> Table:
        """Return a table with the names of fit, if X has none of its own."""
        table = as_table(X)
        if column_names(X) is not None or not isinstance(X, np.ndarray | list | tuple):
            return table
        if len(X) and isinstance(X[0], Mapping):
            return table
        if len(table.names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(table.names)} features, but TableEncoder is expecting "
                f"{self.n_features_in_} features as input."
            )
        return Table(tuple(self.feature_names_in_), table.columns)

    def _check_columns(self, table: Table, notes: Notes) -> None:
        used = [name for name, kind in self.kinds_.items() if kind.is_used]
        absent = [name for name in used if name not in table]
        if len(absent) == len(used):
            raise ValueError(
                f"X has none of the columns of fit, which are {list_names(used)}, but "
                f"{list_names(table.names)}."
            )
        if absent:
            what = f"X lacks columns of fit, which are read as missing: {list_names(absent)}."
            if notes is None:
                warn_caller(what)
            add_note(notes, what)
        further = [name for name in table.names if name not in self.kinds_]
        if further:
            add_note(notes, f"Columns that fit did not see are ignored: {list_names(further)}.")

    def _encoded(
        self, columns: list[Array], texts: dict[str, LeveledColumn], n_rows: int
    ) -> EncodedTable:
        values = np.empty((n_rows, len(columns)), order="F")
        for j, column in enumerate(columns):
            values[:, j] = column
        is_code = [encoder.is_categorical for encoder in self.encoders_ for _ in encoder.names]
        return EncodedTable(values, self.names_, np.array(is_code, dtype=bool), texts)


def _is_matrix_of_numbers(X: Any) -> bool:
    if isinstance(X, list | tuple):
        try:
            X = np.asarray(X)
        except ValueError:  # rows of unequal lengths
            return False
    return isinstance(X, np.ndarray) and X.dtype.kind in "biuf"


def _column(table: Table, name: str) -> Column:
    """Return a column; one of missing values if the table lacks it."""
    return table[name] if name in table else np.full(table.n_rows, np.nan)
