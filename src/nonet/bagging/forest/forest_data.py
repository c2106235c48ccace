"""The training data of a forest: the table, the target and the bags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.bags import ForestBags
from nonet.bagging.bagging.draw_rule import DrawRule
from nonet.bagging.bagging.population import Population
from nonet.trees.targets import GrowTarget


@dataclass(frozen=True)
class ForestData:
    """The training data of a forest.

    Attributes
    ----------
    table : ndarray of shape (n_rows, n_columns)
    y : ndarray of shape (n_rows,) or (n_rows, n_targets)
        The target as the user gave it.
    target : GrowTarget
        The target in the form that the grower reads.
    row_weights : ndarray of shape (n_rows,) or None
        Weights of rows: their probabilities in the bags, or their weights in the trees.
    bags : ForestBags
    way_out : str
        Advice for the error message if a class is in no bag.
    """

    table: Any
    y: Array
    target: GrowTarget
    row_weights: Floats | None
    bags: ForestBags
    way_out: str = ""

    @property
    def weights(self) -> Floats | None:
        """Weights of rows in the trees; None if weights are probabilities, or there are none."""
        are_probabilities = self.bags.n_draws and not self.bags.n_groups
        return None if are_probabilities else self.row_weights


def make_bags(rule: DrawRule, population: Population) -> ForestBags:
    """Return the bags of a rule in the form in which the core draws them, one per tree."""
    rule.check(population)
    return rule.core_bags(population)


def seen_bits(bags: Sequence[ForestBags]) -> Array:
    """Return, per tree and its bag, a bit for each row that it has seen, in 64-bit words."""
    seen = np.zeros((len(bags), -(-bags[0].n_rows // 64) * 64), dtype=np.uint8)
    for tree, bag in enumerate(bags):
        seen[tree, : bag.n_rows] = bag.counts(tree) > 0
    return np.packbits(seen, axis=1, bitorder="little").view(np.uint64)
