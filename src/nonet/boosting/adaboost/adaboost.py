"""AdaBoost: each member concentrates on the rows that the members before it get wrong.

Members: one learner on reweighted rows, one after another. F: the vote weighted by alpha. C: the
arg max, which for two classes is the sign of the sum of alpha_t b_t.

References
----------
Y. Freund, R. Schapire, "A decision-theoretic generalization of on-line learning and an
application to boosting", *JCSS* 55, 119-139, 1997. R. Schapire, Y. Freund, *Boosting: Foundations
and Algorithms*, MIT Press, 2012.
"""

from __future__ import annotations

from typing import Any

from nonet.boosting.adaboost.boosted_classifier import BoostedClassifier


class AdaBoostClassifier(BoostedClassifier):
    """Boosting of any classifier by reweighted rows.

    ``a(x) = argmax of sum_t alpha_t [b_t(x) = class]``. It takes the parameters of scikit-learn's
    class of the same name; ``method`` and the parameters after it are new.

    Parameters
    ----------
    estimator : estimator, default=None
        The learner to boost; None is a decision tree of depth 1. ``DecisionStump``,
        ``DecisionTreeClassifier`` of this library are fastest: columns are binned once for all
        rounds.
    n_estimators : int, default=50
        The maximum number of boosting rounds.
    learning_rate : float, default=1.0
        Multiplies the weight of every member.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random numbers of the members, and of the rows that are sampled or held out.
    method : str or BoostingMethod, default='samme'
        How members are weighted and rows reweighted. 'samme' as in scikit-learn (discrete AdaBoost
        if there are two classes); 'discrete' (AdaBoost.M1); 'samme_r' (real AdaBoost) and
        'confidence' for members that give probabilities or real numbers; 'gentle' and 'logit',
        whose members are regressors; 'm2' and 'mh' for several classes (AdaBoost.M2 and
        AdaBoost.MH); 'mada', which resists mislabelled rows; 'star', 'arc_gv' and 'lp', which
        maximize the smallest margin; or an object such as ``AdaBoostStar(nu=0.001)``.
    resample : bool, default=False
        Whether members are fitted on rows sampled with probabilities equal to their weights,
        instead of on weighted rows. Use it for learners that accept no weights.
    class_weight : dict, 'balanced' or None, default=None
        Multiplies the first weights of the rows, by class; 'balanced' makes all classes weigh the
        same. Later rounds weight rows by their errors. A leaf of the default tree then has at least
        a millionth of the weight, so that a class of almost no weight gets no leaves of its own.
    stop_when : str, StopRule, list of these or None, default=None
        What ends boosting early: 'fitted' (no training error), 'held_out' or 'margin' (no
        progress), 'error_limit', 'time', or objects such as ``Plateau(patience=50)``. The round
        log reports which one it was.
    hold_out : float or None, default=None
        Fraction of the rows that is not learned from. The round log has the error on these rows,
        and a threshold is tuned on them. None holds out nothing, or 0.1 if ``stop_when`` needs it.
    max_bins : int, default=255
        Maximum number of bins per column for trees and stumps of this library. Thresholds are exact
        if a column has no more distinct values than bins.
    combine : str, rule or callable, default=None
        F: None is the weighted vote (or sum) of the method; any rule of ``nonet.combine``, with
        the members' weights if it takes some.
    decide : str or rule, default=None
        C: 'argmax' if None; it reads fractions of the weighted vote. Methods that sum scores give
        ``predict_proba`` to a rule with a bar, such as ``nonet.decide.Abstain(0.5)``, or with
        costs, and scores to the others. A threshold to be tuned costs
        five more fits, of clones on folds, unless ``hold_out`` is given.
    keep_weights : bool or None, default=None
        Whether ``round_log_.weights`` keeps the weights of all rows in all rounds, 8 bytes each.
        None keeps them up to a million numbers.

    Attributes
    ----------
    estimator_ : estimator
        The learner the members are clones of.
    members_ : list of Member
        The fitted members.
    combine_ : callable
        F with its weights: member outputs in, support of the classes out.
    decide_ : callable
        C: support in, labels out.
    estimators_ : list of classifiers
        The fitted models. They were given the user's own labels; one that accepts only the codes
        0..k-1 stands behind a ``LabelEncodedClassifier``.
    estimator_weights_ : ndarray of shape (n_estimators,)
        Weights of the members, 0 for rounds that were not run; twice the notes' alpha.
    estimator_errors_ : ndarray of shape (n_estimators,)
        Weighted errors of the members, 1 for rounds that were not run.
    method_ : BoostingMethod
        The method that was used.
    round_log_ : RoundLog
        What happened round by round, margins of the rows, and why it ended.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        The number of classes.
    feature_importances_ : ndarray of shape (n_features,)
        Importances of the members, averaged by their weights.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    AdaBoostRegressor : AdaBoost for regression.
    nonet.theory.training_bound : The bound that the round log keeps.

    Notes
    -----
    Deliberate differences from scikit-learn: members are fitted on the user's labels; the default
    trees are those of this library, on at most 255 bins per column. A member no better than
    guessing ends boosting; if it is the first member, ``fit`` raises an error.

    The best weight of a member without error is infinite, and boosting ends with it ('gentle' and
    'logit', whose steps are bounded, go on). Under 'samme' it weighs 1, as in scikit-learn. Under
    every other method no member weighs more: it is weighed as if one more row were half wrong, or
    as much as the heaviest member before it if that is more. It does not decide alone, because a
    vote with the members before it generalizes better.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from nonet import AdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=100, hold_out=0.3, random_state=0).fit(X, y)
    >>> log = model.round_log_
    >>> bool((log.training_error <= log.product_bound).all())
    True
    >>> bool(log.held_out_error[-1] < 0.06)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        random_state: Any = None,
        method: Any = "samme",
        resample: bool = False,
        class_weight: Any = None,
        stop_when: Any = None,
        hold_out: float | None = None,
        max_bins: int = 255,
        combine: Any = None,
        decide: Any = None,
        keep_weights: bool | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.method = method
        self.resample = resample
        self.class_weight = class_weight
        self.stop_when = stop_when
        self.hold_out = hold_out
        self.max_bins = max_bins
        self.combine = combine
        self.decide = decide
        self.keep_weights = keep_weights
