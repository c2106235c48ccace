"""Texts that the docstrings of all forests share, written once."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring
from nonet.trees.parameter_texts import with_shared_texts

TEXTS = {
    "n_estimators": """n_estimators : int, default=100
        How many trees. Raising it keeps the trees that were there.""",
    "number_criterion": """criterion : {regression_criteria}, default='squared_error'
        The impurity that splits decrease: the variance, the mean distance from the median (whose
        trees answer with medians), or half the Poisson deviance.""",
    "draws": """oob_score : bool, str or callable, default=False
        Whether to score the forest on its out-of-bag rows: True is the accuracy, or R squared; a
        string is the name of any scorer of scikit-learn (it gets probabilities where its metric
        needs them); a callable is ``metric(y, predictions)``.
    n_jobs : int, default=None
        How many threads grow trees, and answer; None means 1, -1 all processors. No result depends
        on it.
    random_state : int, RandomState, Generator or None, default=None
        Where the random numbers start. Tree i's are a function of the seed and i alone.
    verbose : int, default=0
        Whether to print a line for every tenth part of the trees.
    warm_start : bool, default=False
        Whether ``fit`` keeps the trees it finds and adds the missing ones; columns, categories
        and classes must be the same as before.""",
    "run_of_random_trees": """n_jobs : int, default=None
        How many threads grow trees, and answer; None means 1, -1 all processors. No result depends
        on it.
    random_state : int, RandomState, Generator or None, default=None
        Where the random numbers start. Tree i's are a function of the seed and i alone.
    verbose : int, default=0
        Taken for the sake of scikit-learn's; the trees are grown in one call, too soon for lines.
    warm_start : bool, default=False
        Whether ``fit`` keeps the trees it finds and adds the missing ones; columns must be the same
        as before.""",
    "forest_class_weight": """class_weight : dict, list of dicts, 'balanced' or \
            'balanced_subsample', default=None
        Weights of classes, which multiply those of rows. 'balanced' gives all classes the same
        weight in the data, 'balanced_subsample' in each bag. None with ``draw='balanced'``.""",
    "max_samples": """max_samples : int or float, default=None
        Rows in a bag: a number, a share of the rows (of their total weight, if they have weights),
        or None for as many as there are. Groups, if groups are drawn.""",
    "forest_pruning": """ccp_alpha : non-negative float, default=0.0
        Links of a tree that save no more impurity than this per leaf are cut.""",
    "monotonic_cst": """monotonic_cst : array-like of shape (n_features,), default=None
        A sign for each column: with 1 the answer (a number, or the share of the second of two
        classes) does not fall as the column rises, with -1 it does not rise, with 0 it is free.""",
    "class_rules": """combine : str, rule or callable, default=None
        F: 'mean' of the trees' shares if None, any rule of ``nonet.combine``, or a function of the
        outputs. The mean is taken in the compiled core.
    decide : str or rule, default=None
        C: 'argmax' if None; an object such as ``nonet.decide.Abstain(min_support=0.7)``. A tuned
        threshold is tuned on out-of-bag rows; if there are none, on five folds by clones.""",
    "number_rules": """combine : str, rule or callable, default=None
        F: 'mean' if None, any rule of ``nonet.combine`` for numbers, or a function of the outputs.
        The mean is taken in the compiled core.
    decide : callable, default=None
        C: a function of the combined values (rounding, clipping); None is the identity.""",
    "extras": """max_bins : int, default=255
        Largest number of bins a column, up to 65535. With no more distinct values than bins every
        threshold is looked at; otherwise those between quantiles.
    categorical_features : 'from_dtype', None, or array-like of bool, int or str, \
            default='from_dtype'
        Columns of categories, which are split as sets: those of a frame whose dtype is a category
        or a string (other than the text of a number), none, or a mask, positions or names. Values
        may be numbers or strings, any number of them: all but the 65,534 most frequent count as
        one. Missing ones are one more category, and
        those that fit did not see go with them. A set is found by ordering the categories by their
        mean targets; those of fewer than 10 rows in a node, whose means are mostly noise, have the
        order of their codes only.
    draw_features : {'split', 'tree'}, default='split'
        Whether ``max_features`` columns are drawn for every split (Breiman), or once a tree.
    stop_when : 'flat' or FlatCurve, default=None
        Stop before ``n_estimators`` when the out-of-bag score stands still.""",
    "class_draw": """draw : str or DrawRule, default=None
        How the rows of a bag are drawn: 'rows' one by one (None), 'stratified' (from each class its
        share), 'balanced' (from each class as many rows as the smallest has, or ``max_samples``
        shared out evenly), 'groups' (what giving ``groups`` to ``fit`` means), or such a rule
        itself. With classes drawn apart, weights of rows are chances within a class, and for
        'stratified' its share is that of its weight; with several targets, combinations of labels
        are the classes.""",
    "forest_attributes": """estimator_ : estimator
        An unfitted tree with the parameters of all trees.
    estimators_ : list of estimators
        The trees as estimators of their own, made when they are first asked for. They answer with
        the user's own labels.
    estimators_samples_ : list of ndarray of int
        The rows of each bag, repeats included.
    members_ : list of Member
        The trees with the rows they have not seen.
    combine_ : callable
        F: member outputs in, support out.
    decide_ : callable
        C: support in, answers out.
    feature_importances_ : ndarray of shape (`n_features_in_`,)
        Share of each column in the decrease of impurity, averaged over the trees.
    max_features_ : int
        Number of columns drawn for each split, or for each tree.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.
    n_outputs_ : int
        Number of targets.
    is_categorical_ : ndarray of shape (`n_features_in_`,) or None
        Whether each column holds categories; None if none does.
    joined_categories_ : dict of int to ndarray
        For each column of more than 65,534 categories, the rare ones, which count as one.
    oob_score_ : float
        The out-of-bag score, if ``oob_score`` asks for one.
    oob_score_error_ : float
        Its standard error.
    oob_curve_ : OutOfBagCurve
        The score against the number of trees, with a picture: ``oob_curve_.plot()``.
    oob_coverage_ : ndarray of int of shape (n_samples,)
        How many trees have not seen each row; rows with 0 are left out of the score.""",
    "class_attributes": """classes_ : ndarray of shape (n_classes,), or a list of them
        The classes; a list for several targets.
    n_classes_ : int or list of int
        How many there are.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag shares of the classes, NaN for rows in every bag; for several targets of equally
        many classes of shape (n_samples, n_classes, n_outputs).""",
    "number_attributes": """oob_prediction_ : ndarray of shape (n_samples[, n_outputs])
        Out-of-bag predictions, NaN for rows in every bag.""",
    "notes": """Columns are binned once for all trees: with more than ``max_bins`` distinct values,
    splits are looked for at quantiles, and placed midway between the values that a node has.
    Numbers are read as they come, float64 or float32. Rows in every bag are left out of the
    out-of-bag score, where scikit-learn counts them as zeros. As there, weights are chances where
    rows are drawn. A class in no bag, a column that is missing in every row, and more
    ``max_features`` than columns are errors; scikit-learn takes them.""",
}


def with_forest_texts(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return with_shared_texts(fill_docstring(kind, TEXTS))
