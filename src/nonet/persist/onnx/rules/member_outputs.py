"""What a rule F reads: the outputs of all members in a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.persist.onnx.graph import Graph


@dataclass(frozen=True)
class MemberOutputs:
    """Outputs of the members of an ensemble, with their weights.

    Attributes
    ----------
    graph : Graph
    tensor : str
        Doubles of shape (n, k) or (n, k, c), or class codes (int64, -1 for an abstention).
    n_members : int
    n_axes : int
        2 or 3.
    classes : ndarray or None
        None in regression.
    weights : ndarray of shape (k,) or None
    """

    graph: Graph
    tensor: str
    n_members: int
    n_axes: int
    classes: Array | None = None
    weights: Floats | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 in regression."""
        return 0 if self.classes is None else len(self.classes)

    @cached_property
    def factors(self) -> Floats:
        """The weights, 1 for each member if there are none."""
        return np.ones(self.n_members) if self.weights is None else self.weights

    def present(self) -> MemberOutputs:
        """Leave out the members of weight 0."""
        kept = np.flatnonzero(self.factors)
        if len(kept) == self.n_members:
            return self
        tensor = self.graph.columns(self.tensor, kept)
        return replace(self, tensor=tensor, n_members=len(kept), weights=self.factors[kept])

    def of(self, tensor: str) -> MemberOutputs:
        """Return the same for other outputs of these members."""
        return replace(self, tensor=tensor)

    def weighted_sum(self) -> str:
        """Sum the outputs times their weights."""
        tensor = self.tensor
        if self.weights is not None:
            shaped = self.weights.reshape([-1] + [1] * (self.n_axes - 2))
            tensor = self.graph.apply("Mul", tensor, shaped)
        return self.graph.sum(tensor)
