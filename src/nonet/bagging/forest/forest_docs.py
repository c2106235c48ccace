"""Docs of parameters and attributes that all forests share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring
from nonet.trees.parameter_docs import with_tree_docs

DOCS = {
    "n_estimators": """n_estimators : int, default=100
        Number of trees. If it is raised, the first trees stay the same.""",
    "number_criterion": """criterion : {regression_criteria}, default='squared_error'
        The impurity that splits decrease: the variance, the mean distance from the median (these
        trees predict medians), or half the Poisson deviance.""",
    "draws": """oob_score : bool, str or callable, default=False
        Whether to score the forest on its out-of-bag rows: True is the accuracy, or R squared; a
        string is the name of any scorer of scikit-learn (it gets probabilities where its metric
        needs them); a callable is ``metric(y, predictions)``.
    n_jobs : int, default=None
        Number of threads that grow trees and predict; None means 1, -1 all processors. No result
        depends on it.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random numbers. Those of tree i are a function of the seed and i alone.
    verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some trees, 2 all of them; see
        `nonet.show_progress`.
    warm_start : bool, default=False
        Whether ``fit`` keeps the existing trees and adds the missing ones; columns, categories
        and classes must be the same as before.""",
    "run_of_random_trees": """n_jobs : int, default=None
        Number of threads that grow trees and predict; None means 1, -1 all processors. No result
        depends on it.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random numbers. Those of tree i are a function of the seed and i alone.
    verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some trees, 2 all of them; see
        `nonet.show_progress`.
    warm_start : bool, default=False
        Whether ``fit`` keeps the existing trees and adds the missing ones; columns must be the same
        as before.""",
    "forest_class_weight": """class_weight : dict, list of dicts, 'balanced' or \
            'balanced_subsample', default=None
        Weights of classes, which multiply those of rows. 'balanced' gives all classes the same
        weight in the data, 'balanced_subsample' in each bag. None with ``draw='balanced'``.""",
    "max_samples": """max_samples : int or float, default=None
        Rows in a bag: a number, a fraction of the rows (of their total weight, if they have any),
        or None for as many as there are. Groups, if groups are drawn.""",
    "forest_pruning": """ccp_alpha : non-negative float, default=0.0
        Subtrees that decrease the impurity by no more than this per leaf are pruned.""",
    "monotonic_cst": """monotonic_cst : array-like of shape (n_features,), default=None
        A sign for each column: with 1 the prediction (a value, or the fraction of the second of two
        classes) does not fall as the column rises, with -1 it does not rise, with 0 it is free.""",
    "class_rules": """combine : str, rule or callable, default=None
        F: 'mean' of the trees' class fractions if None, any rule of ``nonet.combine``, or a
        function of the outputs. The mean is computed in the compiled core.
    decide : str or rule, default=None
        C: 'argmax' if None; an object such as ``nonet.decide.Abstain(min_support=0.7)``. A tuned
        threshold is tuned on out-of-bag rows; if there are none, on five folds by clones.""",
    "number_rules": """combine : str, rule or callable, default=None
        F: 'mean' if None, any regression rule of ``nonet.combine``, or a function of the outputs.
        The mean is computed in the compiled core.
    decide : callable, default=None
        C: a function of the combined values (rounding, clipping); None is the identity.""",
    "extras": """max_bins : int, default=255
        Maximum number of bins per column, up to 65535. With no more distinct values than bins
        every threshold is searched; otherwise those between quantiles.
    categorical_features : 'from_dtype', None, or array-like of bool, int or str, \
            default='from_dtype'
        Categorical columns, which are split into sets of categories: those of a frame whose dtype
        is a category or a string (other than numeric strings), none, or a mask, positions or
        names. Values may be numbers or strings, any number of them: all but the 65,534 most
        frequent count as one. Missing values are one more category, and categories that fit did
        not see go with them. A set is found by ordering the categories by their mean targets;
        those of fewer than 10 rows in a node, whose means are mostly noise, are ordered by their
        codes only.
    draw_features : {'split', 'tree'}, default='split'
        Whether ``max_features`` columns are sampled per split (Breiman) or once per tree.
    stop_when : 'flat' or FlatCurve, default=None
        Stop before ``n_estimators`` if the out-of-bag score is flat.""",
    "class_draw": """draw : str or DrawRule, default=None
        How the rows of a bag are drawn: 'rows' one by one (None), 'stratified' (each class in
        proportion), 'balanced' (from each class as many rows as the smallest has, or
        ``max_samples`` divided evenly), 'groups' (implied if ``groups`` are given to ``fit``), or
        such a rule itself. With 'stratified' and 'balanced', weights of rows are probabilities
        within a class, and for 'stratified' the proportion of a class is that of its weight; with
        several targets, combinations of labels are the classes.""",
    "forest_attributes": """estimator_ : estimator
        An unfitted tree with the parameters of all trees.
    estimators_ : list of estimators
        The trees as separate estimators, created on first access. They predict the user's own
        labels.
    estimators_samples_ : list of ndarray of int
        The rows of each bag, repeats included.
    members_ : list of Member
        The trees with the rows they have not seen.
    combine_ : callable
        F: member outputs in, support out.
    decide_ : callable
        C: support in, predictions out.
    feature_importances_ : ndarray of shape (`n_features_in_`,)
        Normalized decrease of impurity per column, averaged over the trees.
    max_features_ : int
        Number of columns sampled for each split, or for each tree.
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
        The out-of-bag score, if ``oob_score`` is set.
    oob_score_error_ : float
        Its standard error.
    oob_curve_ : OutOfBagCurve
        The score against the number of trees; ``oob_curve_.plot()`` plots it.
    oob_coverage_ : ndarray of int of shape (n_samples,)
        Number of trees that have not seen each row; the score leaves out rows with 0.""",
    "class_attributes": """classes_ : ndarray of shape (n_classes,), or a list of them
        The classes; a list for several targets.
    n_classes_ : int or list of int
        The number of classes.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag class fractions, NaN for rows in every bag; for several targets with equal
        numbers of classes of shape (n_samples, n_classes, n_outputs).""",
    "number_attributes": """oob_prediction_ : ndarray of shape (n_samples[, n_outputs])
        Out-of-bag predictions, NaN for rows in every bag.""",
    "notes": """Columns are binned once for all trees: with more than ``max_bins`` distinct values,
    splits are searched at quantiles, and placed midway between the values that a node has.
    Numbers are read as float64 or float32, without conversion. Rows in every bag are left out of
    the out-of-bag score, where scikit-learn counts them as zeros. As in scikit-learn, weights are
    probabilities if rows are drawn. A class in no bag, a column that is missing in every row, and
    more ``max_features`` than columns are errors; scikit-learn accepts them.""",
}


def with_forest_docs(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return with_tree_docs(fill_docstring(kind, DOCS))
