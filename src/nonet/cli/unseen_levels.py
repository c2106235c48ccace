"""Levels of categories that a fit did not see: models read them as missing, which is to be said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from nonet.cli.model_rows import reads_tables
from nonet.tables.column_encoders import CategoryEncoder, as_levels
from nonet.tables.column_names import count_rows
from nonet.tables.table import Table


class UnseenLevels:
    """Counts the rows of a table with levels that the fit of a model did not see.

    Parameters
    ----------
    model : estimator
        One that was fitted on a table; of others, categories are not known.

    Examples
    --------
    >>> UnseenLevels(object()).notes()
    []
    """

    def __init__(self, model: Any) -> None:
        encoders = model.encoder_.encoders_ if reads_tables(model) else []
        self._encoders = [one for one in encoders if isinstance(one, CategoryEncoder)]
        self._n_rows = Counter[str]()
        self._first: dict[str, str] = {}

    def watch(self, blocks: Iterable[Table]) -> Iterator[Table]:
        """Yield the blocks of a table, after they were looked at."""
        for block in blocks:
            for encoder in self._encoders:
                if encoder.name in block:
                    self._look_at(encoder, block)
            yield block

    def _look_at(self, encoder: CategoryEncoder, block: Table) -> None:
        column = as_levels(block[encoder.name])
        is_unseen = encoder.is_unseen(column)
        if is_unseen.any():
            self._n_rows[encoder.name] += int(is_unseen.sum())
            first = str(column.levels[column.codes[is_unseen.argmax()]])
            self._first.setdefault(encoder.name, first)

    def notes(self) -> list[str]:
        """Return a sentence for each column with such levels."""
        return [
            f"{name!r} has levels that the fit did not see, {self._first[name]!r} for example, in "
            f"{count_rows(n)}: read as missing."
            for name, n in self._n_rows.items()
        ]
