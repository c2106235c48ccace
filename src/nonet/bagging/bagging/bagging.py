"""Bagging of any learner: fit the same learner on many bags of rows.

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

from nonet.bagging.bagging.bagged import BaggedEnsemble
from nonet.bagging.bagging.bagged_classifier import BaggedClassifier
from nonet.bagging.bagging.bagged_regressor import BaggedRegressor
from nonet.bagging.bagging.bagging_docs import with_bagging_docs


class _Bagging(BaggedEnsemble):
    """The parameters of both kinds of bagging."""

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


@with_bagging_docs
class BaggingClassifier(_Bagging, BaggedClassifier):
    """Bagging of classifiers: combine clones that are fitted on different bags of rows.

    ``a(x) = C(F(b_1(x), ..., b_k(x)))``, b_i fitted on bag i. It takes the parameters of
    scikit-learn's class of the same name; ``combine`` and the parameters after it are new.

    Parameters
    ----------
    {learner}
    {bags}
    oob_score : bool, str or callable, default=False
        Whether to score the ensemble on its out-of-bag rows: True is the accuracy; a string is the
        name of any scorer of scikit-learn (it gets probabilities
        where its metric needs them); a callable is ``metric(y, predictions)``.
    {run}
    {class_combine}
    decide : str or rule, default=None
        C: 'argmax' if None; an object such as ``nonet.decide.Abstain(min_support=0.7)``. A tuned
        threshold is tuned on out-of-bag rows; if there are none, on five folds by clones.
    draw : str or DrawRule, default=None
        How rows are drawn: 'rows' (None), 'stratified', 'balanced', 'groups', 'blocks' of
        time, 'partition', or an object such as ``nonet.bagging.BlockDraw(24)``. Giving
        ``groups`` to ``fit`` is enough to draw by groups.

    Attributes
    ----------
    {fitted_parts}
    {class_estimators}
    {draws}
    {classes}
    oob_score_ : float
        The out-of-bag score, if ``oob_score`` is set.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag fractions of the classes; NaN for rows in every bag.
    oob_coverage_ : ndarray of int of shape (n_samples,)
        Number of members that have not seen each row; the score leaves out rows with 0.
    {columns}

    See Also
    --------
    BaggingRegressor : Bagging for regression.
    RandomSubspaceClassifier : Members that differ by their columns.

    Notes
    -----
    Deliberate differences from scikit-learn: members are fitted on the user's labels and, given a
    frame, on a frame; rows in every bag are left out of the out-of-bag score rather than counted
    as wrong; ``oob_score`` works with ``warm_start`` and without replacement; if rows are drawn
    without replacement, weights are passed to the members instead of becoming probabilities; a
    class that is in no bag is an error (unless its weights more than halve its proportion), and
    so is, without ``estimator``, a column that is missing in every row.

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


@with_bagging_docs
class BaggingRegressor(_Bagging, BaggedRegressor):
    """Bagging of regressors: combine clones that are fitted on different bags of rows.

    ``a(x) = F(b_1(x), ..., b_k(x))``, b_i fitted on bag i. It takes the parameters of
    scikit-learn's class of the same name; ``combine`` and the parameters after it are new.

    Parameters
    ----------
    {learner}
    {bags}
    oob_score : bool, str or callable, default=False
        Whether to score the ensemble on its out-of-bag rows: True is R squared; a string is the
        name of any scorer of scikit-learn; a callable is ``metric(y, predictions)``.
    {run}
    {value_rules}
    draw : str or DrawRule, default=None
        How rows are drawn: 'rows' (None), 'groups', 'blocks' of time, 'partition',
        or an object such as ``nonet.bagging.BlockDraw(24)``. Giving ``groups`` to ``fit`` is
        enough to draw by groups.

    Attributes
    ----------
    {fitted_parts}
    estimators_ : list of estimators
        The fitted models.
    {draws}
    oob_score_ : float
        The out-of-bag score, if ``oob_score`` is set.
    oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Out-of-bag predictions; NaN for rows in every bag.
    oob_coverage_ : ndarray of int of shape (n_samples,)
        Number of members that have not seen each row; the score leaves out rows with 0.
    {columns}

    See Also
    --------
    BaggingClassifier : Bagging for classification; its Notes list differences from scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet.bagging import BaggingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> bagging = BaggingRegressor(n_estimators=50, oob_score=True, random_state=0).fit(X, y)
    >>> 0.3 < bagging.oob_score_ < 0.6
    True
    """
