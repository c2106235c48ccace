"""Row sampling for boosting rounds: uniform, one-side, or minimal variance sampling.

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
from nonet._native.bags import sample_rows
from nonet._native.rows import (
    draw_min_variance_rows,
    draw_one_side_rows,
    draw_uniform_rows,
    measure_derivatives,
)

# The weight of hessians relative to gradients in minimal variance sampling, as in XGBoost.
_HESSIAN_FRACTION = 0.1


@dataclass(frozen=True)
class Bag:
    """The rows that the trees of a round see, with the weight of each.

    Parameters
    ----------
    weights : array of shape (n_rows,) or None
        Weights of all rows; None is 1 each.
    factors : array of shape (n_rows,) or None
        Factor of each row's weight, 0 outside the bag; None if all factors are 1.
    """

    weights: Floats | None
    factors: Floats | None = None

    @cached_property
    def counts(self) -> Array | None:
        """1 for rows in the bag, 0 for others; None if all are in it."""
        return None if self.factors is None else (self.factors > 0).astype(np.uint32)

    @cached_property
    def inside(self) -> Floats | None:
        """Weights of the rows in the bag, with their factors; None is 1 each."""
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
    """Parent of the sampling rules; a sample depends on (seed, round, row) alone."""

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Return the factor of each row in a round; None means 1 each."""
        raise NotImplementedError


@dataclass(frozen=True)
class UniformRows(RowSampling):
    """Sample every row with the same probability."""

    seed: int
    fraction: float

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Sample rows uniformly."""
        return draw_uniform_rows(self.seed, number, self.fraction, gradients.shape[1])


@dataclass(frozen=True)
class FixedSizeRows(RowSampling):
    """Sample a fixed number of rows without replacement, from a random state.

    The samples are those of scikit-learn's classic boosting.
    """

    rng: np.random.RandomState
    fraction: float

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Sample rows uniformly; raise if all weight is inside the bag, or all is outside."""
        n_rows = gradients.shape[1]
        n_drawn = max(1, int(self.fraction * n_rows))
        keys = np.asarray(self.rng.uniform(size=n_rows), dtype=np.float64)
        factors = sample_rows(keys, n_drawn).astype(np.float64)
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
    """Keep all rows of large gradients and sample the others, after `warm_up` rounds."""

    seed: int
    top: float
    other: float
    warm_up: int

    @classmethod
    def at_rate(cls, seed: int, top: float, other: float, learning_rate: float) -> OneSideRows:
        """Start after 1 / learning_rate rounds, as LightGBM does: early gradients are noisy."""
        return cls(seed, top, other, math.ceil(1 / learning_rate))

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Sample from the rows of small gradients; keep all rows until the warm-up ends."""
        if number < self.warm_up:
            return None
        sizes = measure_derivatives(gradients, hessians, weights, 0.0)
        return draw_one_side_rows(self.seed, number, sizes, self.top, self.other)


@dataclass(frozen=True)
class MinVarianceRows(RowSampling):
    """Sample rows with a probability that grows with their gradients."""

    seed: int
    fraction: float

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Sample by the size of gradients and hessians."""
        sizes = measure_derivatives(gradients, hessians, weights, _HESSIAN_FRACTION)
        return draw_min_variance_rows(self.seed, number, sizes, self.fraction)
