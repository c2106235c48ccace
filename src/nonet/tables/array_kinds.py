"""Kinds of columns of numbers, booleans and dates."""

from __future__ import annotations

import re

import numpy as np

from nonet._base.aliases import Array
from nonet.tables.column_kind import ColumnKind
from nonet.tables.missing_marks import suspect_codes

ENOUGH_ROWS = 20
"""In fewer rows, values may be all different or in order by accident."""

_NAME_OF_IDENTIFIER = re.compile(r"(?:.*[_\W])?(?:id|uuid|guid|rowid|row_?number|index)", re.I)
_CAMEL_CASE_ID = re.compile(r".*[a-z](?:Id|ID)")


def find_array_kind(name: str, values: Array) -> ColumnKind:
    """Return the kind of a column that is an array.

    Parameters
    ----------
    name : str
        Its name: all different integers are identifiers if they are called so.
    values : ndarray of numbers, booleans or datetime64
        Its values.

    Returns
    -------
    ColumnKind

    Examples
    --------
    >>> find_array_kind("n", np.arange(100)).reason
    'The values count the rows: each differs from the one before it by 1.'
    """
    if values.dtype.kind == "b":
        values = values.astype(np.float64)
        present = values
    else:
        present = values[~_is_missing(values)]
    if not len(present):
        return ColumnKind("empty", "All values are missing.")
    if (present == present[0]).all() and len(present) == len(values):
        return ColumnKind("constant", f"The only value is {_show(present[0])}.")
    if values.dtype.kind == "M":
        return ColumnKind("date", "The values are dates.")
    if ((present == 0) | (present == 1)).all() and (present != present[0]).any():
        return ColumnKind("boolean", "The values are 0 and 1.")
    return _identifier_kind(name, values, present) or _number_kind(present)


def _is_missing(values: Array) -> Array:
    if values.dtype.kind == "M":
        return np.isnat(values)
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)


def _show(value: object) -> str:
    return f"{value:g}" if isinstance(value, np.floating) else str(value)


def _identifier_kind(name: str, values: Array, present: Array) -> ColumnKind | None:
    if len(present) < max(ENOUGH_ROWS, len(values)) or not _are_integers(present):
        return None
    step = _constant_step(present)
    if step:
        return ColumnKind(
            "identifier",
            f"The values count the rows: each differs from the one before it by {step:g}.",
        )
    if is_name_of_identifier(name) and len(np.unique(present)) == len(present):
        return ColumnKind(
            "identifier", "The values are different integers, and the name is that of identifiers."
        )
    return None


def is_name_of_identifier(name: str) -> bool:
    """Return whether a name is one that identifiers have.

    Examples
    --------
    >>> is_name_of_identifier("customer_id"), is_name_of_identifier("humid")
    (True, False)
    """
    return bool(_NAME_OF_IDENTIFIER.fullmatch(name) or _CAMEL_CASE_ID.fullmatch(name))


def _are_integers(present: Array) -> bool:
    if present.dtype.kind in "iu":
        return True
    with np.errstate(invalid="ignore"):  # infinities
        return bool((np.isfinite(present) & (present == np.floor(present))).all())


def _constant_step(present: Array) -> float:
    """Return the difference of consecutive values, 0 if it is not always the same."""
    numbers = present.astype(np.float64)
    step = float(numbers[1] - numbers[0])
    return step if (np.diff(numbers) == step).all() else 0.0


def _number_kind(present: Array) -> ColumnKind:
    suspected = suspect_codes(present)
    reason = "All values are numbers."
    if suspected:
        reason += f" {_list_codes(suspected)} may stand for missing, and stays a number."
    return ColumnKind("number", reason, suspected=suspected)


def _list_codes(codes: tuple[float, ...]) -> str:
    return " and ".join(f"{code:g}" for code in codes)
