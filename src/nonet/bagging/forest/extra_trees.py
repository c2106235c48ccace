"""Extra trees: an average of trees with random thresholds.

Members: trees of the engine, each on all rows. F: the mean. C: the arg max; the identity in
regression.

References
----------
P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", *Machine Learning* 63, 3-42,
2006.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nonet._base.params import Choice, Rule
from nonet.bagging.forest.forest_classifier import ForestClassifier
from nonet.bagging.forest.forest_docs import with_forest_docs
from nonet.bagging.forest.forest_regressor import ForestRegressor
from nonet.trees.extra_tree import ExtraTreeClassifier, ExtraTreeRegressor
from nonet.trees.single_tree import SingleTree

_DRAWS = {"threshold_draw": Choice("uniform", "distinct")}


@with_forest_docs
class ExtraTreesClassifier(ForestClassifier):
    """A forest of extremely randomized classification trees.

    ``a(x) = C(F(b_1(x), ..., b_k(x)))``, b_i a tree with its own random splits.
    It takes the parameters of scikit-learn's class of the same name; ``combine`` and the
    parameters after it are new.

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
    bootstrap : bool, default=False
        Whether each tree is grown on a bag of rows drawn with replacement, or on all rows.
    {draws}
    {forest_class_weight}
    {forest_pruning}
    {max_samples}
    {monotonic_cst}
    {class_rules}
    {extras}
    {class_draw}
    threshold_draw : {'uniform', 'distinct'}, default='uniform'
        One random threshold per column is drawn, uniformly between the minimum and the maximum in
        the node (to within a cell of a fine grid, which keeps prediction fast), or between two
        adjacent distinct values, with equal probability for each pair.

    Attributes
    ----------
    {class_attributes}
    {forest_attributes}

    See Also
    --------
    ExtraTreesRegressor : Extra trees for regression.
    RandomForestClassifier : A forest that searches all thresholds, on bags of rows.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import ExtraTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ExtraTreesClassifier(random_state=0).fit(X[::2], y[::2])
    >>> forest.score(X[1::2], y[1::2]) > 0.9
    True
    """

    _tree_kind: ClassVar[type[SingleTree]] = ExtraTreeClassifier
    _rules: ClassVar[Mapping[str, Rule]] = {**ForestClassifier._rules, **_DRAWS}

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
        bootstrap: bool = False,
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
        threshold_draw: str = "uniform",
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
        self.threshold_draw = threshold_draw


@with_forest_docs
class ExtraTreesRegressor(ForestRegressor):
    """A forest of extremely randomized regression trees.

    ``a(x) = F(b_1(x), ..., b_k(x))``, b_i a tree with its own random splits.
    It takes the parameters of scikit-learn's class of the same name; ``combine`` and the
    parameters after it are new.

    Parameters
    ----------
    {n_estimators}
    {number_criterion}
    {limits}
    max_features : int, float, {'sqrt', 'log2'} or None, default=1.0
        {max_features} The lecture notes take a third, ``1 / 3``.
    {max_leaf_nodes}
    {min_impurity_decrease}
    bootstrap : bool, default=False
        Whether each tree is grown on a bag of rows drawn with replacement, or on all rows.
    {draws}
    {forest_pruning}
    {max_samples}
    {monotonic_cst}
    {number_rules}
    {extras}
    threshold_draw : {'uniform', 'distinct'}, default='uniform'
        One random threshold per column is drawn, uniformly between the minimum and the maximum in
        the node (to within a cell of a fine grid, which keeps prediction fast), or between two
        adjacent distinct values, with equal probability for each pair.

    Attributes
    ----------
    {number_attributes}
    {forest_attributes}

    See Also
    --------
    ExtraTreesClassifier : Extra trees for classification.
    RandomForestRegressor : A forest that searches all thresholds, on bags of rows.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import ExtraTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ExtraTreesRegressor(random_state=0).fit(X[::2], y[::2])
    >>> forest.score(X[1::2], y[1::2]) > 0.3
    True
    """

    _tree_kind: ClassVar[type[SingleTree]] = ExtraTreeRegressor
    _rules: ClassVar[Mapping[str, Rule]] = {**ForestRegressor._rules, **_DRAWS}

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
        bootstrap: bool = False,
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
        threshold_draw: str = "uniform",
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
        self.threshold_draw = threshold_draw
