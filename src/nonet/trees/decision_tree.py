"""Decision trees (CART): the base learner of most ensembles.

References
----------
L. Breiman, J. Friedman, R. Olshen, C. Stone, *Classification and Regression Trees*, Wadsworth,
1984.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import compute_sample_weight, metadata_routing

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_class_labels, find_classes
from nonet._base.params import Choice, Instance, Nothing, Rule
from nonet._base.warn import warn_caller
from nonet.losses.squared import check_squares
from nonet.trees.criteria import CLASS_CRITERIA, REGRESSION_CRITERIA
from nonet.trees.growth import GROWTH_RULES
from nonet.trees.parameter_docs import with_tree_docs
from nonet.trees.single_tree import SingleTree
from nonet.trees.targets import GrowTarget, class_target, number_target


@with_tree_docs
class DecisionTreeClassifier(ClassifierMixin, SingleTree):
    """Decision tree classifier that predicts the class fractions of a leaf.

    It takes the parameters of scikit-learn's class of the same name and gives its trees, up to
    ties: where two columns gain the same, the root takes the lower one and every other node the
    first in an order of its own; of equal thresholds the lowest wins.

    Parameters
    ----------
    criterion : {class_criteria}, default='gini'
        {class_criterion}
    splitter : {'best', 'random'}, default='best'
        Search all thresholds of a column, or draw one at random.
    {limits}
    max_features : int, float, {'sqrt', 'log2'} or None, default=None
        {max_features}
    {random_state}
    {max_leaf_nodes}
    {min_impurity_decrease}
    {class_weight}
    {pruning}

    Attributes
    ----------
    {classifier_attributes}
    {attributes}

    See Also
    --------
    DecisionTreeRegressor : The same for regression.
    DecisionStump : One split that makes the fewest errors.

    Notes
    -----
    Numbers are read as they come, float64 or float32, where scikit-learn rounds to float32.
    Columns of more than 65535 distinct values are searched at 65535 of their quantiles. The
    side of missing values is learned; if a column had none in fit, they follow the larger child.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
    >>> tree.predict(X[[0, 60, 120]])
    array([0, 1, 2])
    >>> tree.get_n_leaves()
    3
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "criterion": Choice(*CLASS_CRITERIA),
        **GROWTH_RULES,
        "class_weight": Nothing()
        | Choice("balanced")
        | Instance("a dict or, for several targets, a list of dicts", dict, list),
    }

    __metadata_request__predict_proba = {"check_input": metadata_routing.UNUSED}

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True
    ) -> DecisionTreeClassifier:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Labels of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows. A weight of 2 means that the row is there twice, except that the
            limits on numbers of rows count it once.
        check_input : bool, default=True
            Whether X and y are checked; if not, they must be arrays.

        Returns
        -------
        self : object
        """
        self._fit(X, y, sample_weight, check_input)
        return self

    def _target(self, y: Array) -> GrowTarget:
        check_class_labels(y)
        encoded = [find_classes(column) for column in y.T]
        classes = [labels for labels, _ in encoded]
        codes = np.column_stack([codes for _, codes in encoded])
        counts = [len(labels) for labels in classes]
        several = len(classes) > 1
        self.classes_: Any = classes if several else classes[0]
        self.n_classes_: Any = np.array(counts) if several else counts[0]
        return class_target(codes, tuple(counts), self.criterion, CLASS_CRITERIA[self.criterion])

    def _row_weights(self, y: Array, sample_weight: Floats | None) -> Floats | None:
        if self.class_weight is None:
            return sample_weight
        by_class: Floats = compute_sample_weight(self.class_weight, y)
        return by_class if sample_weight is None else by_class * sample_weight

    def predict(self, X: Any, check_input: bool = True) -> Array:
        """Return the most frequent class of the leaf; the first in ``classes_`` of equal ones.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        check_input : bool, default=True
            Whether X is checked; if not, it must be an array of numbers.

        Returns
        -------
        labels : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        probabilities = self.predict_proba(X, check_input)
        if self.n_outputs_ == 1:
            labels: Array = self.classes_[np.argmax(probabilities, axis=1)]
            return labels
        pairs = zip(self.classes_, probabilities, strict=True)
        return np.column_stack([classes[np.argmax(of_one, axis=1)] for classes, of_one in pairs])

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """Return the fractions of classes in the leaf.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        check_input : bool, default=True
            Whether X is checked; if not, it must be an array of numbers.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            A list of such arrays for several targets.
        """
        X = self._check_rows(X, check_input)
        probabilities = self.tree_.predict(X)
        if self.n_outputs_ == 1:
            return probabilities
        return [probabilities[:, k, :n] for k, n in enumerate(self.n_classes_)]

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the fractions of classes in the leaf.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
            Minus infinity for a class that the leaf does not hold. A list of such arrays for
            several targets.
        """
        probabilities = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return (
                np.log(probabilities)
                if self.n_outputs_ == 1
                else [np.log(one) for one in probabilities]
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags


@with_tree_docs
class DecisionTreeRegressor(RegressorMixin, SingleTree):
    """Decision tree regressor that predicts the mean (or median) of a leaf.

    It takes the parameters of scikit-learn's class of the same name and gives its trees, up to
    ties: where two columns gain the same, the root takes the lower one and every other node the
    first in an order of its own; of equal thresholds the lowest wins.

    Parameters
    ----------
    criterion : {regression_criteria}, default='squared_error'
        {regression_criterion}
    splitter : {'best', 'random'}, default='best'
        Search all thresholds of a column, or draw one at random.
    {limits}
    max_features : int, float, {'sqrt', 'log2'} or None, default=None
        {max_features}
    {random_state}
    {max_leaf_nodes}
    {min_impurity_decrease}
    {pruning}

    Attributes
    ----------
    {attributes}

    See Also
    --------
    DecisionTreeClassifier : The same for classification.

    Notes
    -----
    Numbers are read as they come, float64 or float32, where scikit-learn rounds to float32.
    Columns of more than 65535 distinct values are searched at 65535 of their quantiles. The
    side of missing values is learned; if a column had none in fit, they follow the larger child.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], [1.0, 1.0, 5.0, 7.0])
    >>> tree.predict([[0], [9]])
    array([1., 6.])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "criterion": Choice(*REGRESSION_CRITERIA),
        **GROWTH_RULES,
    }

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True
    ) -> DecisionTreeRegressor:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows. A weight of 2 means that the row is there twice, except that the
            limits on numbers of rows count it once.
        check_input : bool, default=True
            Whether X and y are checked; if not, they must be arrays.

        Returns
        -------
        self : object
        """
        self._fit(X, y, sample_weight, check_input)
        return self

    def _target(self, y: Array) -> GrowTarget:
        target = np.asarray(y, dtype=np.float64)
        if not np.isfinite(target).all():
            row, column = np.argwhere(~np.isfinite(target))[0]
            raise ValueError(f"y must be finite, but row {row} has {target[row, column]}.")
        check_squares(target)
        if self.criterion == "friedman_mse":
            warn_caller(
                "criterion='friedman_mse' means 'squared_error', and scikit-learn will drop the "
                "name in version 1.11; use 'squared_error'.",
                FutureWarning,
            )
        return number_target(target, REGRESSION_CRITERIA[self.criterion])

    def predict(self, X: Any, check_input: bool = True) -> Floats:
        """Return the mean target of the leaf, for absolute errors the median.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        check_input : bool, default=True
            Whether X is checked; if not, it must be an array of numbers.

        Returns
        -------
        values : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        X = self._check_rows(X, check_input)
        return self.tree_.predict(X)[..., 0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.positive_only = self.criterion == "poisson"
        return tags
