"""Native trees as members: the columns are binned once for all rounds.

Each round is one histogram pass over the rows, without sorting, and growing a tree also returns its
predictions for the training rows. With at most ``max_bins`` distinct values per column the members
equal those of the learner alone; otherwise thresholds lie at that many quantiles.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import code_dtype
from nonet._base.params import check_params
from nonet._base.streams import member_seed
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, TreeGrower
from nonet._native.tree import Tree, find_leaves
from nonet.boosting.adaboost.learners.learners import AnyLearner, LearnerTask, shallow_copy
from nonet.members.member import Member
from nonet.trees.growth import columns_per_split, grow_params
from nonet.trees.tree_view import TreeView


class TreeLearner(AnyLearner):
    """Decision trees grown on binned columns; ``grower``, if given, holds the binned columns."""

    def __init__(self, task: LearnerTask, grower: TreeGrower | None = None) -> None:
        super().__init__(task)
        rows = task.rows
        model = clone(task.prototype)
        check_params(model, model._rules)
        self._X, y = model._check_data(rows.table, rows.target, True)
        self._target = model._target(y[:, np.newaxis])
        self._own_weights = model._row_weights(y, None)  # from its class_weight
        model.n_outputs_ = 1
        model.max_features_ = columns_per_split(model.max_features, self._X.shape[1])
        self._model = model
        self.grower = grower or TreeGrower(BinnedDataset(self._X, max_bins=task.max_bins))
        self._leaves = np.empty(len(y), dtype=np.int32)
        weighs_nothing = self._own_weights is not None or (rows.weights == 0).any()
        self._some_are_absent = bool(task.resample or weighs_nothing)
        is_class = self._target.n_classes[0] > 1
        self._values = self._target.values.astype(np.int32 if is_class else np.float64)
        self._draws_columns = model.splitter == "random" or model.max_features is not None
        self._params: GrowParams | None = None
        self._tree: Tree

    def fit(self, position: int, weights: Floats, target: Floats | None = None) -> Member:
        """Grow the tree of a round."""
        drawn = self.draw(weights)
        passed = weights if drawn is None else np.ones(len(weights))
        if self._own_weights is not None:
            passed = passed * self._own_weights
        model = shallow_copy(self._model)
        model.random_state = member_seed(self._task.seed, position)
        self._tree = self.grower.grow(
            self._values if target is None else target[:, np.newaxis],
            self._grow_params(model, passed),
            criterion=self._target.criterion,
            n_classes=self._target.n_classes[0],
            counts=drawn,
            weights=passed,
            leaves=self._leaves,
        )
        model.tree_ = TreeView(self._tree, self._target.n_classes)
        if self._some_are_absent:
            self._find_absent_rows()
        return Member(f"{type(model).__name__}[{position}]", model)

    def _grow_params(self, model: Any, weights: Floats) -> GrowParams:
        """Return the growing parameters; for most settings they are the same in all rounds."""
        if self._draws_columns or model.min_weight_fraction_leaf or self._params is None:
            seed = model.random_state
            self._params = grow_params(model, self._target, self._X.shape[1], weights, seed=seed)
        return self._params

    def _find_absent_rows(self) -> None:
        """Find the leaves of rows of weight 0, which growing leaves out."""
        absent = np.flatnonzero(self._leaves < 0)
        if absent.size:
            self._leaves[absent] = find_leaves([self._tree], self._X[absent])[:, 0]

    def predict_training(self, member: Member) -> Array:
        """Return the predictions of the leaves that growing assigned to the rows."""
        values = self._tree.arrays()["values"].reshape(self._tree.n_nodes, -1)
        if self._task.kind == "labels":
            codes = np.argmax(values, axis=1).astype(code_dtype(values.shape[1]))
            return np.asarray(codes.take(self._leaves))
        return np.asarray((values[:, 0] if self._task.kind == "values" else values)[self._leaves])
