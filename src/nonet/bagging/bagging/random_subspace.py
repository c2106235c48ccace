"""Random subspaces: the same learner on many draws of the columns.

Members: clones of a learner, each on all rows and some columns. F: mean or plurality. C: arg max;
the identity in regression. With rows drawn as well these are random patches: bagging with
``max_features`` below one.

References
----------
T. K. Ho, "The random subspace method for constructing decision forests", *IEEE Transactions on
Pattern Analysis and Machine Intelligence* 20, 832-844, 1998.
"""

from __future__ import annotations

from typing import Any

from nonet.bagging.bagging.bagged_classifier import BaggedClassifier
from nonet.bagging.bagging.bagged_regressor import BaggedRegressor


class _AllRows:
    """Settings of a bagged ensemble in which no row is drawn, so that none is out of bag."""

    max_samples = None
    bootstrap = False
    bootstrap_features = False
    oob_score = False
    draw = None


class RandomSubspaceClassifier(_AllRows, BaggedClassifier):
    """One classifier on many draws of the columns, one vote.

    ``a(x) = C(F(b_1(x), ..., b_k(x)))``, b_i fitted on all rows and the columns drawn for i.

    Parameters
    ----------
    estimator : estimator or list of estimators, default=None
        The learner to bag; None is a fully grown decision tree. The learners of a list take
        turns: member i is a clone of number ``i % len(estimator)``.
    n_estimators : int, default=10
        How many members. Raising it keeps the members that were there.
    max_features : int or float, default=0.5
        Columns a member sees: a number, or a share. Ho found half of them a good choice.
    warm_start : bool, default=False
        Whether ``fit`` keeps the members it finds and adds the missing ones; columns and
        classes must be the same as before.
    n_jobs : int, default=None
        How many members are fitted, or asked, at once; None means 1, -1 all processors. No
        result depends on it.
    random_state : int, RandomState, Generator or None, default=None
        Where the random numbers start. Member i's are a function of the seed and i alone.
    verbose : int, default=0
        Whether to print a line for each fitted member.
    combine : str, rule or callable, default=None
        F: 'mean' of probabilities if None (votes, 'plurality', if a member gives none), any rule of
        ``nonet.combine``, or a function of the outputs.
    decide : str or rule, default=None
        C: 'argmax' if None; an object such as ``nonet.decide.Abstain(min_support=0.7)``. A tuned
        threshold is tuned on five folds by as many clones of the ensemble.

    Attributes
    ----------
    estimator_ : estimator or list of estimators
        The learner, or learners, the members are clones of.
    members_ : list of Member
        The fitted members with the columns they see and the rows they have not seen.
    combine_ : callable
        F: member outputs in, support out.
    decide_ : callable
        C: support in, answers out.
    estimators_ : list of estimators
        The fitted models. They were given the user's own labels; one that accepts only the codes
        0..k-1 stands behind a ``LabelEncodedClassifier``.
    estimators_samples_ : list of ndarray of int
        The rows of each bag, repeats included.
    estimators_features_ : list of ndarray of int
        The columns each member sees.
    classes_ : ndarray of shape (n_classes,), or a list of them
        The classes; a list for several targets.
    n_classes_ : int or list of int
        How many there are.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    BaggingClassifier : Members that differ by their rows, and by their columns if wished.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet.bagging import RandomSubspaceClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> subspaces = RandomSubspaceClassifier(random_state=0).fit(X, y)
    >>> {len(columns) for columns in subspaces.estimators_features_}
    {2}
    """

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


class RandomSubspaceRegressor(_AllRows, BaggedRegressor):
    """One regressor on many draws of the columns, one number.

    ``a(x) = F(b_1(x), ..., b_k(x))``, b_i fitted on all rows and the columns drawn for i.

    Parameters
    ----------
    estimator : estimator or list of estimators, default=None
        The learner to bag; None is a fully grown decision tree. The learners of a list take
        turns: member i is a clone of number ``i % len(estimator)``.
    n_estimators : int, default=10
        How many members. Raising it keeps the members that were there.
    max_features : int or float, default=0.5
        Columns a member sees: a number, or a share. Ho found half of them a good choice.
    warm_start : bool, default=False
        Whether ``fit`` keeps the members it finds and adds the missing ones; columns and
        classes must be the same as before.
    n_jobs : int, default=None
        How many members are fitted, or asked, at once; None means 1, -1 all processors. No
        result depends on it.
    random_state : int, RandomState, Generator or None, default=None
        Where the random numbers start. Member i's are a function of the seed and i alone.
    verbose : int, default=0
        Whether to print a line for each fitted member.
    combine : str, rule or callable, default=None
        F: 'mean' if None, any rule of ``nonet.combine`` for numbers, or a function of the outputs.
    decide : callable, default=None
        C: a function of the combined values (rounding, clipping); None is the identity.

    Attributes
    ----------
    estimator_ : estimator or list of estimators
        The learner, or learners, the members are clones of.
    members_ : list of Member
        The fitted members with the columns they see and the rows they have not seen.
    combine_ : callable
        F: member outputs in, support out.
    decide_ : callable
        C: support in, answers out.
    estimators_ : list of estimators
        The fitted models.
    estimators_samples_ : list of ndarray of int
        The rows of each bag, repeats included.
    estimators_features_ : list of ndarray of int
        The columns each member sees.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    BaggingRegressor : Members that differ by their rows, and by their columns if wished.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet.bagging import RandomSubspaceRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> subspaces = RandomSubspaceRegressor(max_features=3, random_state=0).fit(X, y)
    >>> subspaces.member_outputs(X[:5]).shape
    (5, 10)
    """

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
