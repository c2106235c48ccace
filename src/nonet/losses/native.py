"""Losses whose derivatives are computed by the compiled core."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.loss import fill_gradients, sum_losses
from nonet._native.sums import ExactSum
from nonet.losses.loss import Loss


class NativeLoss(Loss):
    """A loss with one score per row; children set its name and, if it has one, its parameter."""

    _name: ClassVar[str]

    @property
    def _shape(self) -> float:
        return 0.0

    def gradient_hessian(self, y: Array, score: Floats) -> tuple[Floats, Floats]:
        gradients, hessians = np.empty(len(y)), np.empty(len(y))
        fill_gradients(self._name, self._shape, y, score, gradients, hessians)
        return gradients, hessians

    def fill(self, y: Array, score: Floats, gradients: Floats, hessians: Floats | None) -> None:
        fill_gradients(self._name, self._shape, y, score, gradients, hessians)

    def sum_losses(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> ExactSum:
        return sum_losses(self._name, self._shape, y, score, sample_weight)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
