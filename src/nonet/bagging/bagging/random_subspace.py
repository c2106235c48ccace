"""Random subspaces: fit the same learner on many random subsets of the columns.

Members: clones of a learner, each on all rows and some columns. F: mean or plurality. C: arg max;
the identity in regression. If rows are drawn as well, the method is random patches: bagging with
``max_features`` below one.

References
----------
T. K. Ho, "The random subspace method for constructing decision forests", *IEEE Transactions on
Pattern Analysis and Machine Intelligence* 20, 832-844, 1998.
"""

from __future__ import annotations

from typing import Any

from nonet.bagging.bagging.bagged import BaggedEnsemble
from nonet.bagging.bagging.bagged_classifier import BaggedClassifier
from nonet.bagging.bagging.bagged_regressor import BaggedRegressor
from nonet.bagging.bagging.bagging_docs import with_bagging_docs


class _AllRows(BaggedEnsemble):
    """Settings of a bagged ensemble in which every member sees all rows."""

    max_samples = None
    bootstrap = False
    bootstrap_features = False
    oob_score = False
    draw = None

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_features: int | float = 0.5,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | int = 0,
        combine: Any = None,
        decide: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.combine = combine
        self.decide = decide


@with_bagging_docs
class RandomSubspaceClassifier(_AllRows, BaggedClassifier):
    """Random subspaces of classifiers: combine clones fitted on random subsets of the columns.

    ``a(x) = C(F(b_1(x), ..., b_k(x)))``, b_i fitted on all rows and the columns drawn for i.

    Parameters
    ----------
    {learner}
    max_features : int or float, default=0.5
        Columns per member: a number, or a fraction. Ho recommends half of them.
    {run}
    {class_combine}
    decide : str or rule, default=None
        C: 'argmax' if None; an object such as ``nonet.decide.Abstain(min_support=0.7)``. A tuned
        threshold is tuned on five folds with clones of the ensemble.

    Attributes
    ----------
    {fitted_parts}
    {class_estimators}
    {draws}
    {classes}
    {columns}

    See Also
    --------
    BaggingClassifier : Members that differ by their rows, and optionally by their columns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet.bagging import RandomSubspaceClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> subspaces = RandomSubspaceClassifier(random_state=0).fit(X, y)
    >>> {len(columns) for columns in subspaces.estimators_features_}
    {2}
    """


@with_bagging_docs
class RandomSubspaceRegressor(_AllRows, BaggedRegressor):
    """Random subspaces of regressors: combine clones fitted on random subsets of the columns.

    ``a(x) = F(b_1(x), ..., b_k(x))``, b_i fitted on all rows and the columns drawn for i.

    Parameters
    ----------
    {learner}
    max_features : int or float, default=0.5
        Columns per member: a number, or a fraction. Ho recommends half of them.
    {run}
    {value_rules}

    Attributes
    ----------
    {fitted_parts}
    estimators_ : list of estimators
        The fitted models.
    {draws}
    {columns}

    See Also
    --------
    BaggingRegressor : Members that differ by their rows, and optionally by their columns.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet.bagging import RandomSubspaceRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> subspaces = RandomSubspaceRegressor(max_features=3, random_state=0).fit(X, y)
    >>> subspaces.member_outputs(X[:5]).shape
    (5, 10)
    """
