"""What a column is found to hold, with the reason and what is needed to read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

KindName = Literal[
    "number",
    "boolean",
    "date",
    "category",
    "text",
    "identifier",
    "constant",
    "duplicate",
    "empty",
]
USED: tuple[KindName, ...] = ("number", "boolean", "date", "category", "text")
"""The kinds of columns that a model gets; the others hold nothing to learn from."""
SETTABLE: tuple[KindName, ...] = (*USED, "identifier")
"""The kinds that users can set."""


@dataclass(frozen=True)
class ColumnKind:
    """The kind of a column, the reason for it, and how its values are read.

    Attributes
    ----------
    kind : str
        'number', 'boolean', 'date', 'category' or 'text'; 'identifier', 'constant', 'duplicate'
        and 'empty' columns are not used.
    reason : str
        A sentence about why.
    missing : tuple of str
        Strings that stand for a missing value.
    suspected : tuple of float
        Numbers that may stand for a missing value; they stay numbers.
    decimal_comma : bool
        Whether numbers are written as 1.234,5.
    date_format : str or None
        How dates are written.
    day_first : bool
        Whether 03/04/2024 is the third of April.
    true_values : tuple of str
        Strings that mean true, in lower case.
    false_values : tuple of str
        Strings that mean false, in lower case.
    same_as : str or None
        The earlier column that a duplicate is equal to.

    Examples
    --------
    >>> kind = ColumnKind("number", "All values are numbers.")
    >>> kind.is_used, kind.decimal_comma
    (True, False)
    """

    kind: KindName
    reason: str
    missing: tuple[str, ...] = ()
    suspected: tuple[float, ...] = ()
    decimal_comma: bool = False
    date_format: str | None = None
    day_first: bool = True
    true_values: tuple[str, ...] = ()
    false_values: tuple[str, ...] = ()
    same_as: str | None = None

    @property
    def is_used(self) -> bool:
        """Whether a model gets the column."""
        return self.kind in USED
