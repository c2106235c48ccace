"""Extremely randomized trees, with random thresholds: the members of extra-trees ensembles.

References
----------
P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees", Machine Learning 63, 2006.
"""

from __future__ import annotations

from typing import Any

from nonet.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.trees.parameter_docs import with_tree_docs


@with_tree_docs
class ExtraTreeClassifier(DecisionTreeClassifier):
    """Extremely randomized tree classifier: the best of random thresholds makes the split.

    It takes the parameters of scikit-learn's class of the same name.

    Parameters
    ----------
    criterion : {class_criteria}, default='gini'
        {class_criterion}
    splitter : {'random', 'best'}, default='random'
        Draw one threshold per column uniformly between the minimum and the maximum value in the
        node, or search all thresholds.
    {limits}
    max_features : int, float, {'sqrt', 'log2'} or None, default='sqrt'
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
    DecisionTreeClassifier : Searches all thresholds.

    Examples
    --------
    >>> from nonet import ExtraTreeClassifier
    >>> tree = ExtraTreeClassifier(random_state=0).fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> tree.predict([[0], [9]])
    array([0, 1])
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        super().__init__(
            criterion=criterion,
            splitter=splitter,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            random_state=random_state,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            monotonic_cst=monotonic_cst,
            categorical_features=categorical_features,
        )


@with_tree_docs
class ExtraTreeRegressor(DecisionTreeRegressor):
    """Extremely randomized tree regressor: the best of random thresholds makes the split.

    It takes the parameters of scikit-learn's class of the same name.

    Parameters
    ----------
    criterion : {regression_criteria}, default='squared_error'
        {regression_criterion}
    splitter : {'random', 'best'}, default='random'
        Draw one threshold per column uniformly between the minimum and the maximum value in the
        node, or search all thresholds.
    {limits}
    max_features : int, float, {'sqrt', 'log2'} or None, default=1.0
        {max_features}
    {random_state}
    {min_impurity_decrease}
    {max_leaf_nodes}
    {pruning}

    Attributes
    ----------
    {attributes}

    See Also
    --------
    DecisionTreeRegressor : Searches all thresholds.

    Examples
    --------
    >>> from nonet import ExtraTreeRegressor
    >>> tree = ExtraTreeRegressor(random_state=0).fit([[1], [2], [3]], [1.0, 5.0, 6.0])
    >>> tree.predict([[1], [3]])
    array([1., 6.])
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        random_state: Any = None,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        super().__init__(
            criterion=criterion,
            splitter=splitter,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            random_state=random_state,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            ccp_alpha=ccp_alpha,
            monotonic_cst=monotonic_cst,
            categorical_features=categorical_features,
        )
