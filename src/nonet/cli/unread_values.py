"""Values of new rows that models read as missing, because the fit did not see their like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nonet.cli.model_rows import reads_tables
from nonet.tables.column_encoders import CategoryEncoder, ColumnEncoder, as_levels
from nonet.tables.column_names import count_rows
from nonet.tables.table import Table
from nonet.tables.unread_counts import UnreadCounts

_LEVELS = "levels that the fit did not see"


class UnreadValues:
    """Counts the rows of a table with values that a model reads as missing.

    Parameters
    ----------
    model : estimator
        One that was fitted on a table; of others, the kinds of columns are not known.

    Examples
    --------
    >>> UnreadValues(object()).notes()
    []
    """

    def __init__(self, model: Any) -> None:
        self._encoders: list[ColumnEncoder] = (
            model.encoder_.encoders_ if reads_tables(model) else []
        )
        self._counts = UnreadCounts()
        self._first: dict[str, str] = {}

    def watch(self, blocks: Iterable[Table]) -> Iterator[Table]:
        """Yield the blocks of a table, after they were looked at."""
        for block in blocks:
            for encoder in self._encoders:
                if encoder.name in block:
                    self._look_at(encoder, block)
            yield block

    def _look_at(self, encoder: ColumnEncoder, block: Table) -> None:
        if isinstance(encoder, CategoryEncoder):
            self._look_at_levels(encoder, block)
            return
        encoder.encode(block[encoder.name], self._counts)

    def _look_at_levels(self, encoder: CategoryEncoder, block: Table) -> None:
        column = as_levels(block[encoder.name])
        is_unseen = encoder.is_unseen(column)
        if is_unseen.any():
            self._counts.n_rows[encoder.name, _LEVELS] += int(is_unseen.sum())
            first = str(column.levels[column.codes[is_unseen.argmax()]])
            self._first.setdefault(encoder.name, first)

    def notes(self) -> list[str]:
        """Return a sentence for each column with such values."""
        return [
            f"{name!r} has {what}{self._example(name)} in {count_rows(n)}: read as missing."
            for (name, what), n in self._counts.n_rows.items()
        ]

    def _example(self, name: str) -> str:
        return f", {self._first[name]!r} for example," if name in self._first else ""
