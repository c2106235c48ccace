"""Rows of JSON lines in parts: a first pass finds the names and the types of all columns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from nonet._base.frames import as_objects_of, is_missing
from nonet.tables.column_names import Notes, repair_names
from nonet.tables.object_columns import LARGEST_INTEGER, as_text, column_of_objects
from nonet.tables.pieces import BrokenFile, batches, open_pieces
from nonet.tables.table import Column, LeveledColumn, Table
from nonet.tables.table_files import TableFile

_ROWS = 1_000  # of a part; a row of Python objects is many times larger than one of a table
Record = dict[str, Any]


def read_records(lines: Any, name: str) -> Iterator[Record]:
    """Yield the objects of JSON lines; a `BrokenFile` names the first line that is none.

    Parameters
    ----------
    lines : iterable of bytes
        The lines.
    name : str
        The name of the file, for messages.

    Yields
    ------
    dict

    Examples
    --------
    >>> list(read_records([b'{"a": 1}', b""], "a.jsonl"))
    [{'a': 1}]
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as why:
            raise BrokenFile(f"{name}: line {number} is not JSON.") from why
        if not isinstance(record, dict):
            raise BrokenFile(f"{name}: line {number} is not an object of names and values.")
        yield record


def json_parts(file: TableFile, notes: Notes) -> Iterator[Table]:
    """Return the tables of the rows of JSON lines, part by part, after a pass over all lines."""
    survey = _Survey()
    broken: Exception = ValueError(f"{file.name} is empty.")
    try:
        for records in batches(_records(file), _ROWS):
            survey.add(records)
    except BrokenFile as why:
        broken = why
    if not survey.n_rows:
        raise broken
    names = repair_names([*survey.seen], notes)
    pairs = zip(names, survey.seen, strict=True)
    models = {key: survey.model(key, name, notes) for name, key in pairs}
    return _parts(file, names, models)


def _records(file: TableFile) -> Iterator[Record]:
    return read_records(open_pieces(file.pieces()), file.name)


def _parts(file: TableFile, names: tuple[str, ...], models: dict[str, Column]) -> Iterator[Table]:
    for records in batches(_records(file), _ROWS):
        columns = (
            _column([record.get(key) for record in records], model) for key, model in models.items()
        )
        yield Table(names, tuple(columns))


def _column(values: list[Any], model: Column) -> Column:
    """Return values as a column of the type that the whole column has."""
    if isinstance(model, LeveledColumn):
        return LeveledColumn.from_values(
            [None if is_missing(value) else as_text(value) for value in values]
        )
    found = column_of_objects(as_objects_of(values), None, "")
    return np.asarray(found).astype(model.dtype, copy=False)


class _Survey:
    """The names in all rows, and for each one value of each type.

    A column of these few values has the type, the notes and the errors of the whole column.
    """

    def __init__(self) -> None:
        self.n_rows = 0
        self.seen: dict[str, dict[Any, Any]] = {}
        self._counts: Counter[str] = Counter()

    def add(self, records: list[Record]) -> None:
        self.n_rows += len(records)
        for record in records:
            self._counts.update(record.keys())
            for key, value in record.items():
                self.seen.setdefault(key, {})[_type(value)] = value

    def model(self, key: str, name: str, notes: Notes) -> Column:
        values = list(self.seen[key].values())
        if self._counts[key] < self.n_rows:
            values.append(None)
        return column_of_objects(as_objects_of(values), None, name, notes)


def _type(value: Any) -> Any:
    kind = type(value)
    if kind is float and value != value:
        return "missing"
    if kind is int and abs(value) > LARGEST_INTEGER:
        return "large"
    return kind
