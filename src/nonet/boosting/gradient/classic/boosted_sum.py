"""Base class of fitted sums of trees on residuals: scores, trees and leaves.

The learning rate is not in the leaves; it is a factor of the sum of trees, as in scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.tree import Tree, find_leaves
from nonet.boosting.gradient.booster import Booster, add_round, round_scores
from nonet.boosting.gradient.booster_estimator import GradientBoosted
from nonet.boosting.gradient.rows import Rows
from nonet.trees import DecisionTreeRegressor
from nonet.trees.category_codes import CategoryCodes
from nonet.trees.columns import predict_in_blocks, read_columns
from nonet.trees.growth import columns_per_split
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


class SummedRows(Rows):
    """Rows whose scores are a start plus a rate times a sum of trees, as the booster's are.

    Parameters
    ----------
    rows : Rows
        The rows, with their scores before the first tree.
    sums : array of shape (n_scores, n_rows)
        The sum of the trees so far.
    rate : float
        The learning rate.
    """

    def __init__(self, rows: Rows, sums: Floats, rate: float) -> None:
        super().__init__(rows.X, rows.target, rows.weights, rows.scores + rate * sums)
        self._start, self._sums, self._rate = rows.scores, sums, rate

    def follow(self, trees: Sequence[Tree]) -> None:
        """Update the scores with the round just grown."""
        add_round(self._sums, trees, self.X)
        self.scores = self._start + self._rate * self._sums


class BoostedSum(GradientBoosted):
    """Parent of the estimators whose score is a start plus a rate times a sum of trees."""

    _booster: Booster  # with a start of 0
    _start: Floats | None  # the same for all rows; None if a model predicts it
    _views: Array  # filled on first access
    _settings_of_rounds: list[dict[str, Any]]  # tree parameters of the fit that grew each round
    _no_categories = CategoryCodes()  # no column holds categories

    def _predict_start(self, X: Any) -> Floats:
        """Return the starting model's scores, of shape (n_scores, n_rows)."""
        raise NotImplementedError

    def _start_scores(self, X: Any) -> Floats:
        """Return starting scores of shape (n_scores, n_rows), or (n_scores, 1) for all rows."""
        return self._predict_start(X) if self._start is None else self._start

    def _check_rows(self, X: Any) -> Any:
        return read_columns(self, X, self._no_categories)

    def _sums(self, table: Any) -> Floats:
        """Sum the predictions of the trees, without the learning rate."""
        sums = predict_in_blocks(self._booster.scores, table)
        joined: Floats = sums[0] if len(sums) == 1 else np.concatenate(sums, axis=1)
        return joined

    def _table_scores(self, table: Any) -> Floats:
        scores = self._sums(table)
        scores *= self.learning_rate
        scores += self._start_scores(table)
        return scores

    def _steps(self) -> list[tuple[str, Callable[[Any], Floats]]]:
        rate = self.learning_rate
        steps: list[tuple[str, Callable[[Any], Floats]]] = [
            (f"step[{i}]", partial(_scaled_scores, rate, trees))
            for i, trees in enumerate(self._booster.rounds)
        ]
        return steps if self._start is not None else [("init", self._predict_start), *steps]

    def _start_of_sum(self) -> Floats:
        return self._booster.start if self._start is None else self._start[:, 0]

    def _staged_table_scores(self, table: Any) -> Iterator[Floats]:
        start = self._start_scores(table)
        sums = np.zeros((self.n_trees_per_iteration_, table.shape[0]))
        for trees in self._booster.rounds:
            add_round(sums, trees, table)
            yield start + self.learning_rate * sums

    # ---- Trees ---------------------------------------------------------------------------------

    @property
    def estimators_(self) -> Array:  # type: ignore[override]
        """The trees as separate estimators, of shape (rounds, scores), created on access."""
        if "_booster" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no trees before fit is called.")
        known, rounds = self._views, self._booster.rounds
        if len(known) < len(rounds):
            views = np.empty((len(rounds), self.n_trees_per_iteration_), dtype=object)
            views[: len(known)] = known
            for position in range(len(known), len(rounds)):
                settings = self._settings_of_rounds[position]
                views[position] = [self._view(tree, settings) for tree in rounds[position]]
            self._views = views
        return self._views

    def _tree_settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in TREE_PARAMETERS}

    def _view(self, tree: Tree, settings: dict[str, Any]) -> DecisionTreeRegressor:
        view = DecisionTreeRegressor(**settings)
        view.n_features_in_, view.n_outputs_ = self.n_features_in_, 1
        view.max_features_ = columns_per_split(settings["max_features"], self.n_features_in_)
        view.is_categorical_, view._category_codes = None, self._no_categories
        view.tree_ = TreeView(tree, (1,))
        return view

    def __len__(self) -> int:
        return len(self._booster.rounds)

    def __getitem__(self, position: int) -> Any:
        return self.estimators_[position]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def _leaves(self, X: Any) -> Array:
        """Return the leaves that rows reach, of shape (rows, rounds, scores)."""
        self._check_is_fitted()
        rows = self._check_rows(X)
        trees = [tree for trees in self._booster.rounds for tree in trees]
        leaves = np.concatenate(predict_in_blocks(lambda block: find_leaves(trees, block), rows))
        return leaves.astype(np.int64).reshape(rows.shape[0], len(self), -1)

    def _score_trees(self) -> ScoreTrees:
        sums = np.zeros(self.n_trees_per_iteration_)
        return ScoreTrees(
            [list(trees) for trees in zip(*self._booster.rounds, strict=True)],
            sums if self._start is None else self._start[:, 0],
            scale=self.learning_rate,
            is_number=len(sums) == 1,
            besides="the model init" if self._start is None else "",
            loss=self._booster.loss,
        )

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_views": self._no_views()} if "_views" in state else state

    def _no_views(self) -> Array:
        return np.empty((0, self.n_trees_per_iteration_), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _scaled_scores(rate: float, trees: Sequence[Tree], table: Any) -> Floats:
    return rate * round_scores(trees, table)
