"""Random forests: trees on bootstrap samples of the rows, with few candidate columns per split.

Members: trees of the engine, each on a bag. F: the mean. C: the arg max; the identity in
regression.

References
----------
L. Breiman, "Random forests", *Machine Learning* 45, 5-32, 2001.
"""

from __future__ import annotations

from typing import Any, ClassVar

from nonet.bagging.forest.forest_classifier import ForestClassifier
from nonet.bagging.forest.forest_docs import with_forest_docs
from nonet.bagging.forest.forest_regressor import ForestRegressor
from nonet.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.trees.single_tree import SingleTree


@with_forest_docs
class RandomForestClassifier(ForestClassifier):
    """A random forest of classification trees.

    ``a(x) = C(F(b_1(x), ..., b_k(x)))``, b_i a tree on bag i, with a random sample of columns for
    each split. It takes the parameters of scikit-learn's class of the same name; ``combine`` and
    the parameters after it are new.

    Parameters
    ----------
    {n_estimators}
    criterion : {class_criteria}, default='gini'
        {class_criterion}
    {limits}
    max_features : int, float, {'sqrt', 'log2'} or None, default='sqrt'
        {max_features}
    {max_leaf_nodes}
    {min_impurity_decrease}
    bootstrap : bool, default=True
        Whether each tree is grown on a bag of rows drawn with replacement, or on all rows.
    {draws}
    {forest_class_weight}
    {forest_pruning}
    {max_samples}
    {monotonic_cst}
    {class_rules}
    {extras}
    {class_draw}

    Attributes
    ----------
    {class_attributes}
    {forest_attributes}

    See Also
    --------
    RandomForestRegressor : Random forests for regression.
    ExtraTreesClassifier : A forest with random thresholds.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from nonet import RandomForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(oob_score="roc_auc", random_state=0).fit(X, y)
    >>> forest.oob_score_ > 0.98
    True
    >>> forest.predict_proba(X[:2]).shape
    (2, 2)
    """

    _tree_kind: ClassVar[type[SingleTree]] = DecisionTreeClassifier

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        max_samples: int | float | None = None,
        monotonic_cst: Any = None,
        combine: Any = None,
        decide: Any = None,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        draw_features: str = "split",
        stop_when: Any = None,
        draw: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.combine = combine
        self.decide = decide
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.draw_features = draw_features
        self.stop_when = stop_when
        self.draw = draw


@with_forest_docs
class RandomForestRegressor(ForestRegressor):
    """A random forest of regression trees.

    ``a(x) = F(b_1(x), ..., b_k(x))``, b_i a tree on bag i, with a random sample of columns for
    each split. It takes the parameters of scikit-learn's class of the same name; ``combine`` and
    the parameters after it are new.

    Parameters
    ----------
    {n_estimators}
    {number_criterion}
    {limits}
    max_features : int, float, {'sqrt', 'log2'} or None, default=1.0
        {max_features} The lecture notes use a third, ``1 / 3``.
    {max_leaf_nodes}
    {min_impurity_decrease}
    bootstrap : bool, default=True
        Whether each tree is grown on a bag of rows drawn with replacement, or on all rows.
    {draws}
    {forest_pruning}
    {max_samples}
    {monotonic_cst}
    {number_rules}
    {extras}

    Attributes
    ----------
    {number_attributes}
    {forest_attributes}

    See Also
    --------
    RandomForestClassifier : Random forests for classification.
    ExtraTreesRegressor : A forest with random thresholds.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import RandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(max_features=1 / 3, oob_score=True, random_state=0)
    >>> forest.fit(X, y).oob_score_ > 0.35
    True
    """

    _tree_kind: ClassVar[type[SingleTree]] = DecisionTreeRegressor

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: int | float | None = None,
        monotonic_cst: Any = None,
        combine: Any = None,
        decide: Any = None,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        draw_features: str = "split",
        stop_when: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.combine = combine
        self.decide = decide
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.draw_features = draw_features
        self.stop_when = stop_when
