"""Trees of random splits, grown without a target: a random column and threshold per node.

A random projection of the rows serves as the target. It lets the grower split any two different
rows. It has no other effect, because each node has only one candidate split.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.frames import check_columns_have_values
from nonet._base.progress import Steps
from nonet._base.streams import root_seed, stream
from nonet._native.bags import ForestBags
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, count_trees, grow_forest
from nonet._native.tree import Tree, TreeSum
from nonet.bagging.forest.fitted_forest import GrownTrees
from nonet.members.member import Member
from nonet.trees.columns import learn_columns
from nonet.trees.extra_tree import ExtraTreeRegressor
from nonet.trees.growth import grow_params
from nonet.trees.single_tree import EXACT_BINS, SingleTree
from nonet.trees.targets import number_target


class RandomTrees(GrownTrees):
    """Parent of the ensembles of random trees that are grown without a target."""

    _tree_kind: ClassVar[type[SingleTree]] = ExtraTreeRegressor
    categorical_features: ClassVar[Any] = None
    combine: ClassVar[Any] = None
    criterion: ClassVar[str] = "squared_error"
    n_outputs_: ClassVar[int] = 1

    def _n_classes_by_target(self) -> tuple[int, ...]:
        return (1,)

    def _by_target(self, sums: Floats) -> list[Floats]:
        return [sums[:, 0]]

    @property
    def members_(self) -> list[Member]:
        """The trees with the rows that they have not seen."""
        return self._make_members()

    def _check_table(self, X: Any) -> Any:
        # These trees detect outliers: a bin must not merge one with other values.
        earlier = self._category_codes if self._goes_on() else None
        table, self._category_codes = learn_columns(self, X, None, earlier=earlier)
        check_columns_have_values(self, table)
        self.is_categorical_ = None
        return table

    def _grow_random(
        self, table: Any, sample_weight: Any, bags: ForestBags, columns_per_tree: int | None = None
    ) -> None:
        """Add trees until there are ``n_estimators`` of them."""
        grows = self._goes_on()
        old = self._trees.trees if grows else []
        self._check_adds_trees(len(old))
        weights = check_sample_weight(sample_weight, table.shape[0])
        stand_in = _random_projection(table, bags.seed)
        positions = range(len(old), self.n_estimators)
        steps = Steps(self, "trees", self.verbose)
        with (
            self._threads(),
            steps.track(len(positions)) as progress,
            count_trees(progress) as counter,
        ):
            grown = grow_forest(
                BinnedDataset(table, max_bins=EXACT_BINS),
                stand_in,
                self._random_params(stand_in, weights),
                bags,
                positions,
                criterion="squared_error",
                weights=None if bags.probabilities.size else weights,
                columns_per_tree=columns_per_tree,
                counter=counter,
            )
        self._trees = TreeSum([*old, *map(self._finished, grown)])
        self._bags = [*(self._bags if grows else []), *[bags] * len(grown)]
        self._views = self._views if grows else []  # trees of earlier fits stay the same objects

    def _random_params(self, stand_in: Floats, weights: Floats | None) -> GrowParams:
        self.estimator_ = self._make_prototype()
        target = number_target(stand_in[:, np.newaxis], "squared_error")
        params = grow_params(self.estimator_, target, self.n_features_in_, weights)
        return replace(params, columns_per_split=1, threshold_draw="uniform")

    def _finished(self, tree: Tree) -> Tree:
        """Return the tree to store, given the grown one."""
        return tree

    def _seed_of_fit(self) -> int:
        return self._bags[0].seed if self._goes_on() else root_seed(self.random_state) % 2**64


def _random_projection(table: Any, seed: int) -> Floats:
    direction = stream(seed, 0).normal(size=table.shape[1])
    numbers = table if issparse(table) else np.nan_to_num(table)
    with np.errstate(over="ignore", invalid="ignore"):
        heights = np.asarray(numbers @ direction, dtype=np.float64)
    # Large values are reduced to avoid overflow: the grower squares its targets.
    folded: Floats = np.nan_to_num(np.sin(heights))
    return folded


def depths_of(left: Array, right: Array) -> Array:
    """Return the number of splits above each node of a tree in preorder."""
    depths = np.zeros(len(left), dtype=np.intp)
    level = np.array([0])
    while level.size:
        inner = level[left[level] >= 0]
        children = np.concatenate([left[inner], right[inner]])
        depths[children] = np.tile(depths[inner] + 1, 2)
        level = children
    return depths
