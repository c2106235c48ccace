"""What the trees of a forest are grown on: the data and the bags drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.bags import Bags
from nonet.bagging.bagging.draw_rule import DrawRule
from nonet.bagging.bagging.population import Population
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
    row_weights : ndarray of shape (n_rows,) or None
        Weights of rows: their chances to be drawn, or what they weigh in the trees.
    bags : Bags
    way_out : str
        What to do when a class is in no bag.
    """

    table: Any
    y: Array
    target: GrowTarget
    row_weights: Floats | None
    bags: Bags
    way_out: str = ""

    @property
    def weights(self) -> Floats | None:
        """What rows weigh in the trees; None where weights are chances, or there are none."""
        are_chances = self.bags.n_draws and not self.bags.n_groups
        return None if are_chances else self.row_weights


def make_bags(rule: DrawRule, population: Population) -> Bags:
    """Return the bags of a rule in the form in which the core draws them, tree by tree."""
    rule.check(population)
    return rule.core_bags(population)


def seen_bits(bags: Sequence[Bags]) -> Array:
    """Return, for trees 0, 1, ... and their bags, a bit for each row seen, in words of 64."""
    seen = np.zeros((len(bags), -(-bags[0].n_rows // 64) * 64), dtype=np.uint8)
    for tree, bag in enumerate(bags):
        seen[tree, : bag.n_rows] = bag.counts(tree) > 0
    return np.packbits(seen, axis=1, bitorder="little").view(np.uint64)
