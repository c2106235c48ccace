"""Parameter docs that all trees share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring
from nonet.trees.criteria import CLASS_CRITERIA, REGRESSION_CRITERIA, listed

DOCS = {
    "limits": """max_depth : int, default=None
        Maximum number of splits above a leaf; None is no limit.
    min_samples_split : int or float, default=2
        Minimum number of rows in a node that is split; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf; a float is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum fraction of the sum of weights in a leaf.""",
    "class_criteria": listed(CLASS_CRITERIA),
    "class_criterion": """The impurity that splits decrease; 'log_loss' is another name of
        'entropy'. 'gain_ratio', the criterion of C4.5, is the gain in entropy divided by the
        entropy of the sizes of the two children; it is for a single target.""",
    "regression_criteria": listed(REGRESSION_CRITERIA),
    "regression_criterion": """The impurity that splits decrease: the variance, the mean distance
        from the median (slower: n log n steps per node and column), or half the Poisson deviance
        (for counts or rates). 'friedman_mse' is an old name of 'squared_error'.""",
    "max_features": """How many columns are sampled for each split: a number, a fraction, 'sqrt',
        'log2', or all if None. More are searched as long as those sampled are constant in the
        node.""",
    "random_state": """random_state : int, RandomState, Generator or None, default=None
        Source of randomness, if there is any.""",
    "max_leaf_nodes": """max_leaf_nodes : int, default=None
        Maximum number of leaves. If given, the node that gains the most is split next.""",
    "min_impurity_decrease": """min_impurity_decrease : float, default=0.0
        Minimum decrease of impurity, times the node's fraction of all weight, of a split.""",
    "class_weight": """class_weight : dict, list of dicts, 'balanced' or None, default=None
        Weights of classes, which multiply those of rows; a dict for each of several targets.""",
    "pruning": """ccp_alpha : non-negative float, default=0.0
        Prune branches that decrease the impurity by no more than this per leaf.
    monotonic_cst : array-like of shape (n_features,), default=None
        A sign for each column: with 1 the prediction (a number, or the fraction of the second of
        two classes) does not fall as the column rises, with -1 it does not rise, with 0 it is free.
    categorical_features : 'from_dtype', None, or array-like of bool, int or str, \
            default='from_dtype'
        Columns of categories, which are split as sets: those of a frame whose dtype is a category
        or a string (other than the text of a number), none, or a mask, positions or names. Values
        may be numbers or strings, any number of them: all but the 65,534 most frequent count as
        one. Missing ones are one more category, and
        those that fit did not see go with them. A set is found by ordering the categories by their
        mean targets; those of fewer than 10 rows in a node, whose means are mostly noise, have the
        order of their codes only.""",
    "classifier_attributes": """classes_ : ndarray of shape (n_classes,), or a list of them
        The labels, sorted; a list for several targets.
    n_classes_ : int, or ndarray of shape (n_outputs,)
        Number of classes; one per target for several targets.""",
    "attributes": """tree_ : TreeView
        The nodes as read-only arrays.
    max_features_ : int
        Number of columns sampled for each split.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.
    n_outputs_ : int
        Number of targets.
    feature_importances_ : ndarray of shape (`n_features_in_`,)
        Fraction of the decrease of impurity that each column contributes.
    is_categorical_ : ndarray of shape (`n_features_in_`,) or None
        Whether each column holds categories; None if none does.
    joined_categories_ : dict of int to ndarray
        For each column of more than 65,534 categories, the rare ones, which count as one.""",
}


def with_tree_docs(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, DOCS)
