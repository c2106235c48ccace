"""The target of a table: which column it is, and whether it is one of classes or of numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Array, Task
from nonet._base.errors import show
from nonet.tables.column_encoders import as_levels, read_numbers
from nonet.tables.column_kind import ColumnKind
from nonet.tables.column_names import Notes, add_note, count_rows, list_names
from nonet.tables.missing_marks import MORE_MARKS, is_missing_mark
from nonet.tables.table import Column, LeveledColumn, Table
from nonet.tables.text_kinds import TextValues, find_number_kind, find_text_kind

_MAX_INTEGER_CLASSES = 20
_ROWS_PER_CLASS = 5  # on average, where integers are taken for classes


@dataclass(frozen=True, eq=False)
class Target:
    """A target that is understood: its task, and its values as codes or numbers.

    Attributes
    ----------
    name : str
        The name of the column.
    task : str
        'classification' or 'regression'.
    values : ndarray of shape (n_kept,)
        Codes of classes as int64, or numbers as float64.
    classes : ndarray or None
        The classes in their order: strings, integers, floats or booleans; None for regression.
    rows : ndarray of int of shape (n_kept,)
        The rows whose target is not missing.
    n_missing : int
        The number of the other rows.
    reason : str
        A sentence about why it is this task.
    marks : str
        A sentence about words that were read as missing, and might be classes; may be empty.

    Examples
    --------
    >>> column = LeveledColumn.from_values(["yes", "no", None, "no"])
    >>> target = understand_target(column, "sold")
    >>> target.task, target.classes, target.values, target.rows
    ('classification', array(['no', 'yes'], dtype=object), array([1, 0, 0]), array([0, 1, 3]))
    """

    name: str
    task: Task
    values: Array
    classes: Array | None
    rows: NDArray[np.intp]
    n_missing: int
    reason: str
    marks: str = ""

    @property
    def labels(self) -> Array:
        """The values in the user's form: the classes of the rows, or the numbers."""
        return self.values if self.classes is None else self.classes[self.values]

    def notes(self) -> list[str]:
        """Return sentences about what was found and left out."""
        sentences = [f"Target {self.name!r}: {self.task}. {self.reason}"]
        if self.n_missing:
            rows = count_rows(self.n_missing)
            sentences.append(f"Target {self.name!r} is missing in {rows}; such rows are left out.")
        return [*sentences, self.marks] if self.marks else sentences


def find_target(table: Table, target: str | None) -> str:
    """Return the name of the target column, or raise with the names that are near.

    Parameters
    ----------
    table : Table
    target : str
        The name, as the user gives it; upper and lower case and space around it do not matter if
        there is no other such column.

    Returns
    -------
    str

    Examples
    --------
    >>> table = Table(("Price", "size"), (np.zeros(2), np.ones(2)))
    >>> find_target(table, "price")
    'Price'
    >>> find_target(table, "prise")
    Traceback (most recent call last):
        ...
    ValueError: The table has no column 'prise'; did you mean 'Price'? Its columns are 'Price', ...
    """
    if target is None:
        raise ValueError(f"Name the column to predict: target= one of {list_names(table.names)}.")
    if not isinstance(target, str):
        raise TypeError(f"target must be the name of a column, but got {show(target)}.")
    if target in table:
        return target
    folded = [name for name in table.names if name.strip().lower() == target.strip().lower()]
    if len(folded) == 1:
        return folded[0]
    lower = {name.lower(): name for name in table.names}
    near = folded or [lower[name] for name in get_close_matches(target.lower(), lower, n=2)]
    hint = f"; did you mean {' or '.join(map(repr, near))}? Its" if near else "; its"
    raise ValueError(
        f"The table has no column {target!r}{hint} columns are {list_names(table.names)}."
    )


def split_target(
    table: Table, target: str | None, task: Task | None = None, notes: Notes = None
) -> tuple[Table, Target]:
    """Return the other columns and the target, without the rows in which it is missing.

    Parameters
    ----------
    table : Table
        With the target.
    target : str
        The name of its column.
    task : {'classification', 'regression'}, optional
        The task, if it is not to be found out.
    notes : list of str, optional
        Gets sentences about the task and about rows that are left out.

    Returns
    -------
    features : Table
    target : Target

    Examples
    --------
    >>> table = Table(("size", "price"), (np.arange(4), np.array([1.5, np.nan, 2.5, 7.0])))
    >>> features, price = split_target(table, "price")
    >>> features["size"], price.values
    (array([0, 2, 3]), array([1.5, 2.5, 7. ]))
    """
    name = find_target(table, target)
    features = table.without(name)
    if not features.names:
        raise ValueError(f"The table has no column beside the target {name!r}.")
    understood = understand_target(table[name], name, task)
    for sentence in understood.notes():
        add_note(notes, sentence)
    return (features.take(understood.rows) if understood.n_missing else features), understood


def understand_target(column: Column, name: str, task: Task | None = None) -> Target:
    """Return the task and the values of a target.

    Text and booleans are classes. Integers are classes if there are at most 20 of them, and five
    rows of each on average. Other numbers are a regression.

    Parameters
    ----------
    column : ndarray or LeveledColumn
        The values.
    name : str
        The column, for messages.
    task : {'classification', 'regression'}, optional
        The task, if it is not to be found out.

    Returns
    -------
    Target

    Examples
    --------
    >>> understand_target(np.linspace(0, 1, 50), "price").reason
    'The values are numbers.'
    """
    if task not in (None, "classification", "regression"):
        raise ValueError(f"task must be 'classification' or 'regression', but got {show(task)}.")
    if len(column) == 0:
        raise ValueError(f"Target {name!r} has no rows.")
    if not isinstance(column, LeveledColumn):
        return _of_array(column, name, task)
    return _of_text(column, name, task)


# ---- Text --------------------------------------------------------------------------------------


def _of_text(column: LeveledColumn, name: str, task: Task | None) -> Target:
    values = TextValues.of(column)
    _check_any(len(values.levels), name)
    kind = None if column.is_categorical else find_number_kind("", values)
    if kind is not None and _are_numbers(values, kind):
        return _of_array(read_numbers(column, kind.decimal_comma), name, task)
    if task == "regression":
        raise ValueError(
            f"Target {name!r} must hold numbers for a regression, but holds "
            f"{show(_example(column, values), 40)}."
        )
    is_open = task is None and not column.is_categorical
    if is_open and find_text_kind(name, column).kind == "date":
        raise ValueError(
            f"Target {name!r} holds dates such as {show(values.levels[0], 40)}; make a number of "
            "them, such as days until then, or set task='classification'."
        )
    return _of_levels(column, name, f"The values are {len(values.levels)} different words.")


def _are_numbers(values: TextValues, kind: ColumnKind) -> bool:
    """Return whether a target is one of numbers; a word beside few of them is a class."""
    words = [mark for mark in kind.missing if mark.lower() not in MORE_MARKS]
    return not words or len(values.levels) - len(words) > _MAX_INTEGER_CLASSES


def _example(column: LeveledColumn, values: TextValues) -> str:
    numbers = read_numbers(column)
    is_word = np.isnan(numbers) & (column.codes >= 0)
    return next((v for v in column.take(is_word).values() if v.strip()), values.levels[0])


def _of_levels(column: LeveledColumn, name: str, reason: str) -> Target:
    """Return a target of text; its classes are in the order of the alphabet."""
    by_level = [None if is_missing_mark(level) else level.strip() for level in column.levels]
    counts = column.counts()
    used = {level for level, n in zip(by_level, counts, strict=True) if n and level is not None}
    classes = np.array(sorted(used), dtype=object)
    code_of = {level: code for code, level in enumerate(classes)}
    codes = np.array([*(code_of.get(level, -1) for level in by_level), -1])[column.codes]
    return _classification(name, codes, classes, reason, _about_marks(column))


def _about_marks(column: LeveledColumn) -> str:
    """Return a sentence about words such as NA beside others; it may stand for North America."""
    counts = Counter[str]()
    for level, n in zip(column.levels, column.counts().tolist(), strict=True):
        if n and level.strip() and is_missing_mark(level):
            counts[level.strip()] += n
    if not counts:
        return ""
    found = " and ".join(f"{word!r} in {count_rows(n)}" for word, n in counts.items())
    are, they = ("is", "it is a class") if len(counts) == 1 else ("are", "they are classes")
    return f"{found} {are} read as missing; if {they}, write another word in the table."


# ---- Arrays ------------------------------------------------------------------------------------


def _of_array(values: Array, name: str, task: Task | None) -> Target:
    if values.dtype.kind == "M":
        if task == "classification":
            return _of_levels(as_levels(values), name, "Set by task.")
        raise ValueError(
            f"Target {name!r} holds dates; make a number of them, such as days until then."
        )
    is_missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    present = values[~is_missing]
    _check_any(len(present), name)
    _check_finite(values, name)
    found, reason = _find_task(present) if task is None else (task, "Set by task.")
    if found == "classification":
        return _of_few_numbers(values, is_missing, name, reason)
    return _regression(values, is_missing, name, reason)


def _check_any(n_present: int, name: str) -> None:
    if not n_present:
        raise ValueError(f"Target {name!r} is missing in all rows; name another column.")


def _check_finite(values: Array, name: str) -> None:
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise ValueError(
            f"Target {name!r} is infinite in {count_rows(infinite.size)}, the first of which is "
            f"row {infinite[0] + 1}, counted from 1; drop these rows, or limit the values."
        )


def _find_task(present: Array) -> tuple[Task, str]:
    if present.dtype.kind == "b":
        return "classification", "The values are booleans."
    n_distinct = len(np.unique(present))
    with np.errstate(invalid="ignore"):
        is_whole = bool((present == np.floor(present)).all())
    if not is_whole:
        return "regression", "The values are numbers."
    if n_distinct == 2:
        return "classification", "There are two different values."
    if n_distinct <= _MAX_INTEGER_CLASSES and len(present) >= _ROWS_PER_CLASS * n_distinct:
        return "classification", (
            f"There are {n_distinct} different integers; task='regression' takes them as numbers."
        )
    return "regression", (
        f"There are {n_distinct} different integers in {len(present)} rows; "
        "task='classification' takes them as classes."
    )


def _of_few_numbers(values: Array, is_missing: Array, name: str, reason: str) -> Target:
    classes, positions = np.unique(values, return_inverse=True)
    codes = np.where(is_missing, -1, positions)
    classes = classes[: int(codes.max()) + 1]  # NaN, which is the last, is none
    if classes.dtype.kind == "f" and (classes == np.floor(classes)).all():
        classes = classes.astype(np.int64) if np.abs(classes).max() < 2**53 else classes
    return _classification(name, codes, classes, reason)


def _classification(
    name: str, codes: Array, classes: Array, reason: str, marks: str = ""
) -> Target:
    rows = np.flatnonzero(codes >= 0)
    if len(classes) == 1:
        hint = f" ({marks.rstrip('.')})" if marks else ""
        raise ValueError(
            f"Target {name!r} has one class only, {_show(classes)}; at least two are needed{hint}."
        )
    if len(classes) == len(rows) and len(rows) > 2:
        raise ValueError(
            f"Target {name!r} has a class of its own in each of {len(rows)} rows, such as "
            f"{_show(classes)}, so that nothing can be learned; name another column."
        )
    kept = codes[rows].astype(np.int64)
    n_missing = len(codes) - len(rows)
    return Target(name, "classification", kept, classes, rows, n_missing, reason, marks)


def _show(classes: Array) -> str:
    return show(classes[0].item() if isinstance(classes[0], np.generic) else classes[0], 40)


def _regression(values: Array, is_missing: Array, name: str, reason: str) -> Target:
    rows = np.flatnonzero(~is_missing)
    numbers = values[rows].astype(np.float64)
    if (numbers == numbers[0]).all():
        raise ValueError(
            f"Target {name!r} is {numbers[0]:g} in all rows; there is nothing to predict."
        )
    return Target(name, "regression", numbers, None, rows, len(values) - len(rows), reason)
