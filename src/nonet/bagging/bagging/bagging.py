"""Bagging of anything: the same learner on many draws of the rows.

Members: clones of a learner, each on a bag of rows (and of columns). F: mean or plurality.
C: arg max; the identity in regression.

References
----------
L. Breiman, "Bagging predictors", *Machine Learning* 24, 123-140, 1996; "Pasting small votes for
classification in large databases and on-line", *Machine Learning* 36, 85-103, 1999. G. Louppe and
P. Geurts, "Ensembles on random patches", ECML PKDD 2012.
"""

from __future__ import annotations

from typing import Any

from nonet.bagging.bagging.bagged_classifier import BaggedClassifier
from nonet.bagging.bagging.bagged_regressor import BaggedRegressor


class BaggingClassifier(BaggedClassifier):
    """One classifier on many bags of rows, one vote.

    ``a(x) = C(F(b_1(x), ..., b_k(x)))``, b_i fitted on bag i. It takes the parameters of
    scikit-learn's class of the same name; ``combine`` and what follows is new.

    Parameters
    ----------
    estimator : estimator or list of estimators, default=None
        The learner to bag; None is a fully grown decision tree. The learners of a list take
        turns: member i is a clone of number ``i % len(estimator)``.
    n_estimators : int, default=10
        How many members. Raising it keeps the members that were there.
    max_samples : int or float, default=None
        Rows in a bag: a number, a share of the rows (of their total weight, if rows are drawn by
        weight), or None for as many as there are.
    max_features : int or float, default=1.0
        Columns a member sees: a number, or a share.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement. Without, and with all rows in the bag, nothing
        is drawn: every member sees every row.
    bootstrap_features : bool, default=False
        Whether columns are drawn with replacement.
    oob_score : bool, str or callable, default=False
        Whether to score the ensemble on its out-of-bag rows: True is the accuracy; a string is the
        name of any scorer of scikit-learn (it gets probabilities
        where its metric needs them); a callable is ``metric(y, predictions)``.
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
        threshold is tuned on out-of-bag rows; if there are none, on five folds by clones.
    draw : str or DrawRule, default=None
        How rows are drawn: 'rows' (None), 'stratified', 'balanced', 'groups', 'blocks' of
        time, 'partition', or an object such as ``nonet.bagging.BlockDraw(24)``. Giving
        ``groups`` to ``fit`` is enough to draw by groups.

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
    oob_score_ : float
        The out-of-bag score, if ``oob_score`` asks for one.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag shares of the classes; NaN for rows in every bag.
    oob_coverage_ : ndarray of int of shape (n_samples,)
        How many members have not seen each row; rows with 0 are left out of the score.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    BaggingRegressor : The same for numbers.
    RandomSubspaceClassifier : Members that differ by their columns.

    Notes
    -----
    Differences from scikit-learn, all deliberate: members are fitted on the user's labels and,
    given a frame, on a frame; rows in every bag are left out of the out-of-bag score rather than
    counted as wrong; ``oob_score`` works with ``warm_start`` and without replacement; weights
    are given to the members, not turned into chances, when rows are drawn without replacement;
    a class that is in no bag is an error (unless its weights more than halve its share), and so
    is, without ``estimator``, a column that is missing in every row.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from nonet.bagging import BaggingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> bagging = BaggingClassifier(n_estimators=50, oob_score="roc_auc", random_state=0)
    >>> bagging.fit(X, y).oob_score_ > 0.98
    True
    >>> bagging.member_outputs(X[:2]).shape
    (2, 50, 2)
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: int | float | None = None,
        max_features: int | float = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: Any = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | int = 0,
        combine: Any = None,
        decide: Any = None,
        draw: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.combine = combine
        self.decide = decide
        self.draw = draw


class BaggingRegressor(BaggedRegressor):
    """One regressor on many bags of rows, one number.

    ``a(x) = F(b_1(x), ..., b_k(x))``, b_i fitted on bag i. It takes the parameters of
    scikit-learn's class of the same name; ``combine`` and what follows is new.

    Parameters
    ----------
    estimator : estimator or list of estimators, default=None
        The learner to bag; None is a fully grown decision tree. The learners of a list take
        turns: member i is a clone of number ``i % len(estimator)``.
    n_estimators : int, default=10
        How many members. Raising it keeps the members that were there.
    max_samples : int or float, default=None
        Rows in a bag: a number, a share of the rows (of their total weight, if rows are drawn by
        weight), or None for as many as there are.
    max_features : int or float, default=1.0
        Columns a member sees: a number, or a share.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement. Without, and with all rows in the bag, nothing
        is drawn: every member sees every row.
    bootstrap_features : bool, default=False
        Whether columns are drawn with replacement.
    oob_score : bool, str or callable, default=False
        Whether to score the ensemble on its out-of-bag rows: True is R squared; a string is the
        name of any scorer of scikit-learn; a callable is ``metric(y, predictions)``.
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
    draw : str or DrawRule, default=None
        How rows are drawn: 'rows' (None), 'groups', 'blocks' of time, 'partition',
        or an object such as ``nonet.bagging.BlockDraw(24)``. Giving ``groups`` to ``fit`` is
        enough to draw by groups.

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
    oob_score_ : float
        The out-of-bag score, if ``oob_score`` asks for one.
    oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Out-of-bag predictions; NaN for rows in every bag.
    oob_coverage_ : ndarray of int of shape (n_samples,)
        How many members have not seen each row; rows with 0 are left out of the score.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    BaggingClassifier : The same for labels; its Notes say what differs from scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet.bagging import BaggingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> bagging = BaggingRegressor(n_estimators=50, oob_score=True, random_state=0).fit(X, y)
    >>> 0.3 < bagging.oob_score_ < 0.6
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: int | float | None = None,
        max_features: int | float = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: Any = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | int = 0,
        combine: Any = None,
        decide: Any = None,
        draw: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.combine = combine
        self.decide = decide
        self.draw = draw
