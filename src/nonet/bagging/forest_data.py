"""What the trees of a forest are grown on: the data and the bags drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native_grow import Bags
from nonet.bagging.draws import GroupDraw
from nonet.bagging.population import Population
from nonet.trees.targets import GrowTarget


@dataclass(frozen=True)
class ForestData:
    """What the trees of a forest are grown on.

    Attributes
    ----------
    table : ndarray of shape (n_rows, n_columns)
    y : ndarray of shape (n_rows,) or (n_rows, n_targets)
        The target as the user gave it.
    target : GrowTarget
        The target as the grower takes it.
    weights : ndarray of shape (n_rows,) or None
        Weights of rows, where they are not their chances to be drawn.
    bags : Bags
    """

    table: Any
    y: Array
    target: GrowTarget
    weights: Floats | None
    bags: Bags


def make_bags(
    n_rows: int,
    max_samples: int | float | None,
    seed: int,
    weights: Floats | None = None,
    groups: Any = None,
) -> Bags:
    """Return bootstraps of rows, with weights as their chances, or of whole groups."""
    codes = None if groups is None else _group_codes(groups, n_rows)
    chances = weights if codes is None else None
    population = Population(n_rows, 1, max_samples, True, seed, chances, groups=codes)
    if codes is not None:
        GroupDraw().check(population)
        return Bags(n_rows, population.bag_size(int(codes.max()) + 1), seed, groups=codes)
    if chances is None:
        return Bags(n_rows, population.bag_size(), seed)
    return Bags(n_rows, population.bag_size(), seed, chances=np.cumsum(chances))


def seen_bits(bags: Sequence[Bags]) -> Array:
    """Return, for trees 0, 1, ... and their bags, a bit for each row seen, in words of 64."""
    seen = np.zeros((len(bags), -(-bags[0].n_rows // 64) * 64), dtype=np.uint8)
    for tree, bag in enumerate(bags):
        seen[tree, : bag.n_rows] = bag.counts(tree) > 0
    return np.packbits(seen, axis=1, bitorder="little").view(np.uint64)


def _group_codes(groups: Any, n_rows: int) -> Array:
    labels = np.asarray(groups)
    if labels.shape != (n_rows,):
        raise ValueError(
            f"groups must hold one group for each of the {n_rows} rows, but has shape "
            f"{labels.shape}."
        )
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)
