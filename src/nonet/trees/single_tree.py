"""Base of all single trees: checks of the data, growing, pruning and prediction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.utils import Bunch, check_array, metadata_routing
from sklearn.utils.validation import _check_n_features, check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.estimator import Estimator
from nonet._base.params import Rule, check_params
from nonet._base.streams import root_seed
from nonet._native.data import BinnedDataset
from nonet._native.grow import grow_tree
from nonet._native.tree import Tree, scale_impurity
from nonet.trees.binned_table import BinnedTable, fit_arguments
from nonet.trees.category_codes import CategoryCodes
from nonet.trees.category_columns import category_columns, names_columns
from nonet.trees.columns import learn_columns, read_columns
from nonet.trees.growth import columns_per_split, grow_params
from nonet.trees.score_trees import ScoreTrees
from nonet.trees.targets import GrowTarget
from nonet.trees.tree_view import TreeView

# With at most so many distinct values in a column, every threshold is searched.
EXACT_BINS = 65_535


class SingleTree(Estimator):
    """One tree on all rows; subclasses define the target and the meaning of the values."""

    _rules: ClassVar[Mapping[str, Rule]]

    # check_input is an option of a call, not something to be routed through a pipeline.
    __metadata_request__fit = {"check_input": metadata_routing.UNUSED}
    __metadata_request__predict = {"check_input": metadata_routing.UNUSED}

    def _fit(self, X: Any, y: Any, sample_weight: Any, check_input: bool) -> SingleTree:
        check_params(self, self._rules)
        y, sample_weight = fit_arguments(self, X, y, sample_weight)
        X, y = self._check_data(X, y, check_input)
        target = self._target(y if y.ndim == 2 else y[:, np.newaxis])
        weights = self._row_weights(y, check_sample_weight(sample_weight, len(y)))
        self.n_outputs_ = len(target.n_classes)
        self.max_features_ = columns_per_split(self.max_features, X.shape[1])
        tree = self._grow(X, target, weights)
        if self.ccp_alpha > 0:
            tree = tree.prune(self.ccp_alpha)
        self.tree_ = TreeView(tree, target.n_classes, self._category_codes.names)
        return self

    def _grow(self, X: Any, target: GrowTarget, weights: Floats | None) -> Tree:
        categories = sorted(self._category_codes.known)
        tree = grow_tree(
            _bins_of(X, categories),
            target.values,
            grow_params(
                self,
                target,
                X.shape[1],
                weights,
                categories,
                seed=root_seed(self.random_state),
            ),
            criterion=target.criterion,
            n_classes=target.n_classes[0],
            weights=weights,
        )
        return tree if target.impurity_unit == 1 else scale_impurity(tree, target.impurity_unit)

    def _target(self, y: Array) -> GrowTarget:
        raise NotImplementedError

    def _row_weights(self, y: Array, sample_weight: Floats | None) -> Floats | None:
        return sample_weight

    # ---- Data ----------------------------------------------------------------------------------

    def _check_data(self, X: Any, y: Any, check_input: bool) -> tuple[Any, Array]:
        if (
            check_input
            or isinstance(X, BinnedTable)
            or category_columns(X, self.categorical_features)
        ):
            X, self._category_codes = learn_columns(self, X, self.categorical_features)
            y = self._check_y(y)
        else:
            _check_n_features(self, X, reset=True)
            self._category_codes = CategoryCodes()
        self.is_categorical_ = self._category_codes.mask(X.shape[1])
        y = np.asarray(y)
        if len(y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows, but y has {len(y)}.")
        return X, y

    def _check_y(self, y: Any) -> Array:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        checked: Array = check_array(y, ensure_2d=False, dtype=None, input_name="y")
        return checked

    def _check_rows(self, X: Any, check_input: bool = True) -> Any:
        check_is_fitted(self)
        if check_input or self._category_codes.known:
            return read_columns(self, X, self._category_codes)
        _check_n_features(self, X, reset=False)
        return X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = not names_columns(self.categorical_features)
        return tags

    # ---- Prediction ----------------------------------------------------------------------------

    def apply(self, X: Any, check_input: bool = True) -> Array:
        """Return the number of the leaf that each row reaches.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        check_input : bool, default=True
            Whether X is checked; if not, it must be an array of numbers.

        Returns
        -------
        leaves : ndarray of shape (n_samples,)
            Numbers of nodes in ``tree_``.
        """
        X = self._check_rows(X, check_input)
        return self.tree_.apply(X)

    def decision_path(self, X: Any, check_input: bool = True) -> csr_matrix:
        """Return which nodes each row passes on its way to a leaf.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        check_input : bool, default=True
            Whether X is checked; if not, it must be an array of numbers.

        Returns
        -------
        passed : sparse matrix of shape (n_samples, n_nodes)
            1 where a row passes a node.
        """
        X = self._check_rows(X, check_input)
        return self.tree_.decision_path(X)

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Grow a tree and return the steps of its pruning.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows to grow on.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        path : Bunch
            ``ccp_alphas``, the effective alphas of the subtrees, and ``impurities``, the sums of
            impurities of their leaves.
        """
        whole = type(self)(**{**self.get_params(), "ccp_alpha": 0.0})
        whole.fit(X, y, sample_weight=sample_weight)
        alphas, impurities = whole.tree_._native.pruning_path()
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    def get_depth(self) -> int:
        """Return the maximum number of splits above a leaf.

        Returns
        -------
        depth : int
            0 for a tree of one leaf.
        """
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        Returns
        -------
        n_leaves : int
            At least 1.
        """
        check_is_fitted(self)
        return self.tree_.n_leaves

    def _score_trees(self) -> ScoreTrees:
        tree = self.tree_._native
        return ScoreTrees(
            [[tree]],
            np.zeros(tree.n_outputs),
            is_number=not hasattr(self, "classes_"),
            categories=self._category_codes.names,
        )

    @property
    def joined_categories_(self) -> dict[int, Array]:
        """For each column of very many categories, the rare ones that count as one."""
        check_is_fitted(self)
        return self._category_codes.joined

    @property
    def feature_importances_(self) -> Floats:
        """Fraction of the decrease of impurity by each column; all 0 for a tree of one leaf."""
        check_is_fitted(self)
        return self.tree_.compute_feature_importances()


def _bins_of(X: Any, categories: list[int]) -> BinnedDataset:
    """Return bins as fine as they can be, or those of a bins file."""
    if isinstance(X, BinnedTable):
        return X.dataset
    return BinnedDataset(X, max_bins=EXACT_BINS, categories=categories)
