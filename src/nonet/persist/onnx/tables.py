"""What a model reads: a matrix of numbers, or named columns of their own types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet.persist.onnx.graph import Graph


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
    tensor : str
        Of shape (n, 1).
    kind : {'double', 'text', 'int64', 'bool'}
        The type of the tensor.
    fill : str or None
        What a missing text (an empty one) stands for.
    """

    name: str
    tensor: str
    kind: str
    fill: str | None = None


class Table:
    """The rows that a model reads.

    Parameters
    ----------
    graph : Graph
    columns : sequence of Column, or None
        None for a matrix.
    matrix : str or None
        The tensor of the matrix of doubles, shape (n, n_columns).
    n_columns : int
    """

    def __init__(
        self,
        graph: Graph,
        columns: Sequence[Column] | None,
        matrix: str | None = None,
        n_columns: int = 0,
    ) -> None:
        self.graph = graph
        self.columns = None if columns is None else tuple(columns)
        self.n_columns = n_columns if columns is None else len(columns)
        self._matrix = matrix

    def take(self, positions: Any) -> Table:
        """Return some of the columns; None is all."""
        if positions is None:
            return self
        chosen = np.arange(self.n_columns)[positions].tolist()
        if self.columns is not None:
            return Table(self.graph, [self.columns[j] for j in chosen])
        return self.graph.once(
            ("take", self._matrix, tuple(chosen)), lambda: self._taken_of_matrix(chosen)
        )

    def _taken_of_matrix(self, chosen: list[int]) -> Table:
        matrix = self.graph.columns(self.matrix(), chosen)
        return Table(self.graph, None, matrix, len(chosen))

    def matrix(self) -> str:
        """Return all columns as one matrix of doubles; raise if one holds text."""
        if self._matrix is None:
            assert self.columns is not None
            self._matrix = self.graph.concat([self._numbers(column) for column in self.columns])
        return self._matrix

    def _numbers(self, column: Column) -> str:
        if column.kind == "text":
            raise self.graph.refusal(
                f"reads column {column.name!r} as a number, but it holds text",
                "declare the types of the columns with X=, a few rows of the table",
            )
        return (
            column.tensor if column.kind == "double" else self.graph.cast(column.tensor, "double")
        )

    def column(self, position: int) -> Column:
        """Return one column."""
        if self.columns is not None:
            return self.columns[position]
        return Column(f"column {position}", self.graph.columns(self.matrix(), [position]), "double")

    @property
    def first(self) -> str:
        """A tensor with a row for each row, to count them."""
        return self.matrix() if self.columns is None else self.columns[0].tensor

    @property
    def key(self) -> Array | tuple[Any, ...]:
        """What identifies the table, for parts that are shared."""
        if self.columns is None:
            return ("matrix", self._matrix)
        return tuple(column.tensor for column in self.columns)
