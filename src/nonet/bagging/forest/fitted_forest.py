"""Base class of fitted forests: predictions, leaves and importances of grown trees.

The trees stay in the compiled core, which sums their predictions; Python estimators for single
trees are created only when a caller needs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.estimator import Estimator
from nonet._base.parallel import count_jobs
from nonet._base.params import bad_parameter
from nonet._base.warn import warn_caller
from nonet._native.bags import ForestBags
from nonet._native.runtime import limit_threads
from nonet._native.tree import Tree, TreeSum, find_leaves
from nonet.members.member import Member
from nonet.trees.category_codes import CategoryCodes
from nonet.trees.category_columns import names_columns
from nonet.trees.columns import predict_in_blocks, read_columns
from nonet.trees.growth import columns_per_split
from nonet.trees.single_tree import SingleTree
from nonet.trees.tree_view import TreeView

_LEARNED_OF_COLUMNS = (
    "n_features_in_",
    "feature_names_in_",
    "n_outputs_",
    "is_categorical_",
    "_category_codes",
)
_FEW_ROWS = 64  # predicted by the calling thread, without a lookup of the number of threads


class GrownTrees(Estimator):
    """Parent of the ensembles whose members are trees of the engine."""

    _tree_kind: ClassVar[type[SingleTree]]
    _trees: TreeSum
    _bags: list[ForestBags]
    _category_codes: CategoryCodes
    _views: list[SingleTree]  # filled on first access

    def _make_prototype(self) -> SingleTree:
        """Return an unfitted tree with the shared parameters; the forest handles class weights."""
        shared = {
            name: getattr(self, name)
            for name in self._tree_kind().get_params()
            if hasattr(self, name) and name not in ("random_state", "class_weight")
        }
        return self._tree_kind(**shared)

    def _by_target(self, sums: Floats) -> list[Floats]:
        """Split the sums of all outputs into one array per target, as F and C expect."""
        raise NotImplementedError

    @property
    def max_features_(self) -> int:
        """Number of columns sampled for each split, or for each tree."""
        return columns_per_split(self.max_features, self.n_features_in_)

    @property
    def estimators_(self) -> list[Any]:
        """The trees as separate estimators, created on first access."""
        if "_trees" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no members before fit is called.")
        self._views += [self._view(tree) for tree in self._trees.trees[len(self._views) :]]
        return list(self._views)

    def _view(self, tree: Tree) -> SingleTree:
        view = self._make_prototype()
        for name, fact in vars(self.estimator_).items():
            if name.endswith("_"):  # fitted attributes that describe the labels
                setattr(view, name, fact)
        for name in _LEARNED_OF_COLUMNS:
            if name in vars(self):
                setattr(view, name, getattr(self, name))
        view.max_features_ = self.max_features_
        view.tree_ = TreeView(tree, self._n_classes_by_target(), self._category_codes.names)
        return view

    def _n_classes_by_target(self) -> tuple[int, ...]:
        """Return the number of classes of each target; 1 for a numeric target."""
        raise NotImplementedError

    def _goes_on(self) -> bool:
        """Return whether trees are added to those of an earlier fit."""
        goes_on = bool(self.warm_start) and "_trees" in vars(self)
        if goes_on and not self._bags:
            raise ValueError(
                f"{type(self).__name__}: warm_start cannot add trees to those of another library, "
                "because their bags are not known; fit a new forest."
            )
        return goes_on

    def _check_adds_trees(self, n_trees: int) -> None:
        """Raise or warn unless ``warm_start`` adds trees to the given number of trees."""
        if self.n_estimators < n_trees:
            allowed = f"at least {n_trees}, the members that are already fitted"
            raise bad_parameter(self, "n_estimators", allowed, self.n_estimators)
        if self.n_estimators == n_trees:
            warn_caller(
                f"warm_start with n_estimators={n_trees} adds no member: there are as many "
                "already.",
            )

    def _make_members(self) -> list[Member]:
        """Return the trees with the rows that they have not seen."""
        kind = self._tree_kind.__name__
        return [
            Member(f"{kind}[{position}]", tree, None, self._unseen_rows(position))
            for position, tree in enumerate(self.estimators_)
        ]

    def _unseen_rows(self, position: int) -> Array | None:
        if not self._bags:  # the trees were grown elsewhere
            return None
        bag = self._bags[position]
        return np.flatnonzero(bag.counts(position) == 0) if bag.n_draws else None

    @property
    def estimators_samples_(self) -> list[Array]:
        """The rows of each tree's bag, repeats included; computed from the seed in each call."""
        check_is_fitted(self)
        return [
            np.repeat(np.arange(bag.n_rows, dtype=np.int32), bag.counts(position))
            for position, bag in enumerate(self._bags)
        ]

    @property
    def feature_importances_(self) -> Floats:
        """Normalized decrease of impurity per column, averaged over the trees that split."""
        check_is_fitted(self)
        gains = np.array([tree.gain_importances() for tree in self._trees.trees])
        totals = gains.sum(axis=1, keepdims=True)
        fractions = (gains / np.where(totals > 0, totals, 1.0)).sum(axis=0)
        total = fractions.sum()
        importances: Floats = fractions / total if total > 0 else fractions
        return importances

    def __len__(self) -> int:
        return len(self._trees.trees)

    def __getitem__(self, position: int) -> Any:
        return self.estimators_[position]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_views": []} if "_views" in state else state

    # ---- Predictions ---------------------------------------------------------------------------

    def _check_rows(self, X: Any) -> Any:
        if "_trees" not in vars(self):
            check_is_fitted(self)
        return read_columns(self, X, self._category_codes)

    def _mean_of_trees(self, X: Any) -> Floats:
        n_threads = 1 if X.shape[0] <= _FEW_ROWS else count_jobs(self.n_jobs)
        parts = predict_in_blocks(lambda rows: self._trees.values(rows, n_threads), X)
        sums = parts[0] if len(parts) == 1 else np.concatenate(parts)
        sums /= len(self._trees.trees)
        return sums

    def apply(self, X: Any) -> Array:
        """Return the index of the leaf that each row reaches in each tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        leaves : ndarray of shape (n_samples, n_estimators)
            Indices of nodes in ``estimators_[i].tree_``.
        """
        rows = self._check_rows(X)
        with self._threads():
            parts = predict_in_blocks(lambda block: find_leaves(self._trees.trees, block), rows)
        return np.concatenate(parts).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[csr_matrix, Array]:
        """Return the nodes of all trees that each row passes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        passed : sparse matrix of shape (n_samples, n_nodes)
            1 where a row passes a node; the nodes of all trees are concatenated.
        starts : ndarray of shape (n_estimators + 1,)
            Index of the first node of each tree, and the total number of nodes.
        """
        rows = self._check_rows(X)
        paths = [tree.tree_.decision_path(rows) for tree in self.estimators_]
        starts = np.cumsum([0, *(path.shape[1] for path in paths)])
        return hstack(paths).tocsr(), starts

    def _threads(self) -> AbstractContextManager[None]:
        """Limit native calls to ``n_jobs`` threads; as in fit, None means one."""
        return limit_threads(count_jobs(self.n_jobs))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = not names_columns(self.categorical_features)
        return tags
