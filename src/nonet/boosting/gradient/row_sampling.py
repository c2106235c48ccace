"""Which rows the trees of a round see: uniform, one-side, or minimal variance sampling.

References
----------
J. Friedman, "Stochastic gradient boosting", *Computational Statistics & Data Analysis* 38, 2002.

G. Ke et al., "LightGBM: a highly efficient gradient boosting decision tree", *NeurIPS* 2017
(gradient-based one-side sampling).

B. Ibragimov and G. Gusev, "Minimal variance sampling in stochastic gradient boosting", *NeurIPS*
2019.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nonet._base.aliases import Floats
from nonet._native.rows import (
    draw_least_variance_rows,
    draw_one_side_rows,
    draw_uniform_rows,
    measure_slopes,
)

# What a hessian counts beside a gradient when rows are drawn for least variance, as in XGBoost.
_HESSIAN_SHARE = 0.1


class RowSampling:
    """How the rows of each round are drawn; a draw depends on (seed, round, row) alone."""

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Give how often each row counts in a round; None: each once."""
        raise NotImplementedError


@dataclass(frozen=True)
class UniformRows(RowSampling):
    """Every row with the same probability."""

    seed: int
    share: float

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Draw rows blindly."""
        return draw_uniform_rows(self.seed, number, self.share, gradients.shape[1])


@dataclass(frozen=True)
class OneSideRows(RowSampling):
    """All rows of large slopes, some of the others; from the round on that `warm_up` names."""

    seed: int
    top: float
    other: float
    warm_up: int

    @classmethod
    def at_rate(cls, seed: int, top: float, other: float, learning_rate: float) -> OneSideRows:
        """Begin once slopes say something: after 1 / learning_rate rounds, as LightGBM does."""
        return cls(seed, top, other, math.ceil(1 / learning_rate))

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Draw from the rows of small slopes; before the warm-up ends, take all."""
        if number < self.warm_up:
            return None
        sizes = measure_slopes(gradients, hessians, weights, 0.0)
        return draw_one_side_rows(self.seed, number, sizes, self.top, self.other)


@dataclass(frozen=True)
class LeastVarianceRows(RowSampling):
    """Rows with a probability that grows with their slopes."""

    seed: int
    share: float

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Draw by the size of slopes."""
        sizes = measure_slopes(gradients, hessians, weights, _HESSIAN_SHARE)
        return draw_least_variance_rows(self.seed, number, sizes, self.share)
