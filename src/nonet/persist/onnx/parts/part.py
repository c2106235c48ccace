"""A fitted model in a graph: its predictions as tensors that are added on first access."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.tables import Table


class Part:
    """Parent of the models in a graph; a child implements the predictions that its model has.

    Parameters
    ----------
    graph : Graph
    model : fitted estimator
    table : Table
        The rows that it reads.
    """

    def __init__(self, graph: Graph, model: Any, table: Table) -> None:
        self.graph, self.model, self.table = graph, model, table

    @property
    def classes(self) -> Array:
        """The classes, in the order of the columns of probabilities."""
        classes = self.model.classes_
        if isinstance(classes, list):
            raise self.refusal("predicts several targets of classes", "export one model per target")
        return np.asarray(classes)

    @property
    def abstain_label(self) -> Any:
        """The label of rows without a decision; None if there are none."""
        return getattr(getattr(self.model, "decide_", None), "abstain_label", None)

    @property
    def n_targets(self) -> int:
        """Number of values that are predicted for a row."""
        return int(getattr(self.model, "n_outputs_", None) or 1)

    @property
    def has_scores(self) -> bool:
        """Whether the model has a decision function."""
        return hasattr(self.model, "decision_function")

    @cached_property
    def values(self) -> str:
        """Predicted numbers: doubles of shape (n,) or (n, n_targets)."""
        raise self._lacks("values")

    @cached_property
    def codes(self) -> str:
        """Predicted classes as positions in ``classes``: int64 of shape (n,), -1 for none."""
        raise self._lacks("labels")

    @cached_property
    def probabilities(self) -> str:
        """Doubles of shape (n, n_classes)."""
        raise self._lacks("probabilities")

    @cached_property
    def scores(self) -> str:
        """The decision function: doubles of shape (n,) for two classes, else (n, n_classes)."""
        raise self._lacks("scores")

    @cached_property
    def signs(self) -> str:
        """What an outlier detector predicts: int64 of shape (n,), -1 for outliers, else 1."""
        raise self._lacks("labels")

    def _lacks(self, kind: str) -> ValueError:
        return self.graph.lack(self.model, kind)

    def refusal(self, why: str, instead: str) -> ValueError:
        """Return the error for a property of this model that a graph cannot express."""
        return self.graph.refusal(why, instead)
