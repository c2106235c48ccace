"""A fitted sum of trees on residuals, and what it can be asked.

The trees keep their steps whole; the learning rate is a factor of their sum, as in scikit-learn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._native_tree import Tree, find_leaves
from nonet.boosting.booster import Booster
from nonet.boosting.explained_trees import ExplainedTrees
from nonet.trees import DecisionTreeRegressor
from nonet.trees.columns import CategoryCodes, ask_in_blocks, read_columns
from nonet.trees.score_trees import ScoreTrees
from nonet.trees.tree_view import TreeView

TREE_PARAMETERS = (
    "ccp_alpha",
    "max_depth",
    "max_features",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "min_samples_leaf",
    "min_samples_split",
    "min_weight_fraction_leaf",
)


class BoostedSum(ExplainedTrees, BaseEstimator):
    """Parent of the estimators whose score is a start plus a rate times a sum of trees."""

    _booster: Booster  # from a start of 0
    _start: Floats | None  # the same for all rows, unless a model says it
    _numbers_only = CategoryCodes()  # no column holds categories

    def _ask_start(self, X: Any) -> Floats:
        """Ask the starting model for scores of shape (n_scores, n_rows)."""
        raise NotImplementedError

    def _start_scores(self, X: Any) -> Floats:
        if self._start is not None:
            return np.repeat(self._start, X.shape[0], axis=1)
        return self._ask_start(X)

    def _check_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return read_columns(self, X, self._numbers_only)

    def _scores_of(self, rows: Any) -> Floats:
        sums = np.concatenate(ask_in_blocks(self._booster.scores, rows), axis=1)
        scores: Floats = self._start_scores(rows) + self.learning_rate * sums
        return scores

    def _scores(self, X: Any) -> Floats:
        return self._scores_of(self._check_rows(X))

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        rows = self._check_rows(X)
        start = self._start_scores(rows)
        dense = rows.toarray() if issparse(rows) else rows
        for sums in self._booster.staged_scores(dense):
            yield start + self.learning_rate * sums

    # ---- Trees ---------------------------------------------------------------------------------

    @property
    def estimators_(self) -> Array:
        """The trees as estimators of their own, of shape (rounds, scores)."""
        if "_booster" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no trees before fit is called.")
        rounds = self._booster.rounds
        views = np.empty((len(rounds), self.n_trees_per_iteration_), dtype=object)
        for place, trees in enumerate(rounds):
            views[place] = [self._view(tree) for tree in trees]
        return views

    def _tree_settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in TREE_PARAMETERS}

    def _view(self, tree: Tree) -> DecisionTreeRegressor:
        view = DecisionTreeRegressor(**self._tree_settings())
        view.n_features_in_, view.n_outputs_ = self.n_features_in_, 1
        view.max_features_ = self.max_features_
        view.is_categorical_, view._category_codes = None, self._numbers_only
        view.tree_ = TreeView(tree, (1,))
        return view

    def __len__(self) -> int:
        return len(self._booster.rounds)

    def __getitem__(self, place: int) -> Any:
        return self.estimators_[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def _leaves(self, X: Any) -> Array:
        """Return the leaves that rows reach, of shape (rows, rounds, scores)."""
        rows = self._check_rows(X)
        trees = [tree for trees in self._booster.rounds for tree in trees]
        leaves = np.concatenate(ask_in_blocks(lambda block: find_leaves(trees, block), rows))
        return leaves.astype(np.int64).reshape(rows.shape[0], len(self), -1)

    def _score_trees(self) -> ScoreTrees:
        sums = np.zeros(self.n_trees_per_iteration_)
        return ScoreTrees(
            [list(trees) for trees in zip(*self._booster.rounds, strict=True)],
            sums if self._start is None else self._start[:, 0],
            scale=self.learning_rate,
            is_number=len(sums) == 1,
            besides="the model init" if self._start is None else "",
        )

    def __sklearn_is_fitted__(self) -> bool:
        return "_booster" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags
