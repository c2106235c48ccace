"""What a probe of a table reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TableWarning:
    """Something about a table that a user should know.

    Attributes
    ----------
    what : str
        The probe, such as 'rare classes'.
    columns : tuple of str
        The columns that it is about.
    sentence : str
        What was found, and what to do about it.

    Examples
    --------
    >>> TableWarning("leak", ("refund",), "Column 'refund' decides the target.").columns
    ('refund',)
    """

    what: str
    columns: tuple[str, ...]
    sentence: str
