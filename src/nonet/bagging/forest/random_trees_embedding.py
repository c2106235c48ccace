"""Random trees as an encoding: the leaf of each tree that a row falls into.

Members: trees of random splits on all rows. There is no F and no C: the output is the one-hot
encoding of the leaves.

References
----------
F. Moosmann, B. Triggs and F. Jurie, "Fast discriminative visual codebooks using randomized
clustering forests", NIPS 2006.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from nonet._base.aliases import Array
from nonet._base.params import Boolean, Integer, Nothing, Rule, check_params
from nonet._native.bags import ForestBags
from nonet.bagging.forest.forest_docs import with_forest_docs
from nonet.bagging.forest.random_trees import RandomTrees
from nonet.trees.growth import GROWTH_RULES

_LIMITS = (
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "random_state",
)


@with_forest_docs
class RandomTreesEmbedding(TransformerMixin, RandomTrees):
    """Encode rows by the leaves of random trees: one column per leaf, 1 for rows in it.

    It takes the parameters of scikit-learn's class of the same name. A column that is missing in
    every row is an error; scikit-learn accepts it.

    Parameters
    ----------
    {n_estimators}
    max_depth : int, default=5
        Maximum number of splits above a leaf; None is no limit.
    min_samples_split : int or float, default=2
        Minimum number of rows in a node that is split; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf; a float is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum fraction of the sum of weights in a leaf.
    {max_leaf_nodes}
    {min_impurity_decrease}
    sparse_output : bool, default=True
        Whether the encoding is a sparse matrix or an array.
    {run_of_random_trees}

    Attributes
    ----------
    estimator_ : estimator
        An unfitted tree with the parameters of all trees.
    estimators_ : list of estimators
        The trees.
    estimators_samples_ : list of ndarray of int
        The rows each tree was grown on: all of them.
    members_ : list of Member
        The trees.
    feature_importances_ : ndarray of shape (`n_features_in_`,)
        Normalized decrease per column of the variance of a random target.
    one_hot_encoder_ : OneHotEncoder
        The encoder that turns leaves into columns.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.
    n_outputs_ : int
        1, the random target.

    See Also
    --------
    IsolationForest : Outlier detection with random trees.

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from nonet import RandomTreesEmbedding
    >>> X, y = make_circles(200, factor=0.5, noise=0.05, random_state=0)
    >>> model = make_pipeline(RandomTreesEmbedding(random_state=0), LogisticRegression())
    >>> model.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.95
    True
    """

    max_features: ClassVar[int] = 1
    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Integer(1),
        **{name: GROWTH_RULES[name] for name in _LIMITS},
        "sparse_output": Boolean(),
        "n_jobs": Nothing() | Integer(),
        "verbose": Boolean() | Integer(0),
        "warm_start": Boolean(),
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_depth: int | None = 5,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        sparse_output: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | int = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.sparse_output = sparse_output
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> RandomTreesEmbedding:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : Ignored
            There is no target.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; those of weight 0 are left out.

        Returns
        -------
        self : object
        """
        self.fit_transform(X, y, sample_weight)
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Grow the trees and return the encoding of the training rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : Ignored
            There is no target.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; those of weight 0 are left out.

        Returns
        -------
        code : sparse matrix or ndarray of shape (n_samples, n_leaves)
        """
        check_params(self, self._rules)
        table = self._check_table(X)
        bags = ForestBags(table.shape[0], 0, self._seed_of_fit())
        self._grow_random(table, sample_weight, bags)
        self.one_hot_encoder_ = OneHotEncoder(sparse_output=self.sparse_output)
        code = self.one_hot_encoder_.fit_transform(self.apply(X))
        self._n_features_out = code.shape[1]
        return code

    def transform(self, X: Any) -> Any:
        """Return the encoding of rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        code : sparse matrix or ndarray of shape (n_samples, n_leaves)
        """
        check_is_fitted(self)
        return self.one_hot_encoder_.transform(self.apply(X))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns of the encoding.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns of X, checked against those of fit.

        Returns
        -------
        names : ndarray of str
            ``randomtreesembedding_{tree}_{leaf}``.
        """
        check_is_fitted(self, "_n_features_out")
        _check_feature_names_in(self, input_features=input_features, generate_names=False)
        names = [
            f"randomtreesembedding_{tree}_{leaf}"
            for tree, leaves in enumerate(self.one_hot_encoder_.categories_)
            for leaf in leaves
        ]
        return np.asarray(names, dtype=object)
