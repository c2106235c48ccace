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
from functools import cached_property

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.bags import take_rows
from nonet._native.rows import (
    draw_least_variance_rows,
    draw_one_side_rows,
    draw_uniform_rows,
    measure_slopes,
)

# What a hessian counts beside a gradient when rows are drawn for least variance, as in XGBoost.
_HESSIAN_SHARE = 0.1


@dataclass(frozen=True)
class Bag:
    """Which rows the trees of a round see, and how often each of them counts.

    Parameters
    ----------
    weights : array of shape (n_rows,) or None
        Weights of all rows; None is 1 each.
    factors : array of shape (n_rows,) or None
        How often each row counts, 0 outside the bag; None if all rows count once.
    """

    weights: Floats | None
    factors: Floats | None = None

    @cached_property
    def counts(self) -> Array | None:
        """1 for rows in the bag, 0 for others; None if all are in it."""
        return None if self.factors is None else (self.factors > 0).astype(np.uint32)

    @cached_property
    def inside(self) -> Floats | None:
        """Weights of the rows as they count in the bag; None is 1 each."""
        if self.factors is None or self.weights is None:
            return self.weights if self.factors is None else self.factors
        return self.weights * self.factors

    @cached_property
    def outside(self) -> Floats | None:
        """Weights of rows, 0 inside the bag; None if no row is outside."""
        if self.counts is None:
            return None
        outside = 1.0 - self.counts
        return outside if self.weights is None else self.weights * outside


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
class FixedSizeRows(RowSampling):
    """A fixed number of rows without replacement, drawn in turn from a random state.

    The draws are those of scikit-learn's classic boosting.
    """

    rng: np.random.RandomState
    share: float

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Draw rows blindly; refuse weights that leave nothing inside the bag or outside it."""
        n_rows = gradients.shape[1]
        n_drawn = max(1, int(self.share * n_rows))
        chances = np.asarray(self.rng.uniform(size=n_rows), dtype=np.float64)
        factors = take_rows(chances, n_drawn).astype(np.float64)
        has_weight = np.ones(n_rows, dtype=bool) if weights is None else weights > 0
        n_inside = np.count_nonzero(has_weight & (factors > 0))
        n_outside = np.count_nonzero(has_weight) - n_inside
        if not (n_inside and n_outside):
            raise ValueError(
                "subsample must leave rows of positive weight both in a bag and outside it, but "
                f"there are {n_inside} and {n_outside} of them; set subsample=1.0, which draws "
                "nothing."
            )
        return factors


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
