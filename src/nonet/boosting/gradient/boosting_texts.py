"""Texts that the docstrings of gradient boosting share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring

SHARED_TEXTS = {
    "class_decide": """decide : str or rule, default=None
        C: the most probable class if None; a rule of ``nonet.decide`` such as ``Abstain(0.7)``,
        ``Threshold(0.3)`` or ``LeastCost(costs)``, its short name, or a function of the
        probabilities. A threshold to be tuned costs five more fits, of clones on folds.
        Probabilities and scores do not depend on it.""",
    "number_decide": """decide : callable, default=None
        C: a function of the predictions (rounding, clipping); None is the identity.""",
    "ensemble_attributes": """members_ : list of Member
        The rounds that predictions come from; each model predicts what its round adds to the
        scores.
    estimators_ : list
        These models.
    combine_ : callable
        F: the start plus the sum of ``member_outputs(X)``, the raw scores.
    decide_ : callable
        C: raw scores in, predictions out.""",
    "classic_ensemble_attributes": """members_ : list of Member
        The rounds, after the starting model if one was given as `init`; each model predicts what
        its round adds to the scores, the learning rate included.
    combine_ : callable
        F: the start plus the sum of ``member_outputs(X)``, the raw scores.
    decide_ : callable
        C: raw scores in, predictions out.""",
}

_TEXTS = {
    "parameters": """learning_rate : float, default=0.1
        Factor of every leaf.
    max_iter : int, default=100
        Largest number of rounds.
    max_leaf_nodes : int or None, default=31
        Largest number of leaves of a tree; the node that gains the most is split next.
    max_depth : int or None, default=None
        Largest number of splits above a leaf.
    min_samples_leaf : int, default=20
        Fewest rows in a leaf.
    l2_regularization : float, default=0
        Added to the hessian of every leaf, which draws its value towards 0.
    max_features : float, default=1.0
        Share of the columns drawn for every split.
    max_bins : int, default=255
        Largest number of bins a column, missing values aside.
    categorical_features : array-like of bool, int or str, 'from_dtype' or None, \
default='from_dtype'
        Columns of categories, which are split as sets: a mask, positions, names, or those whose
        dtype in a frame is a category or a string (other than the text of a number). Those of
        fewer than 10 rows in a node are not told apart, as in scikit-learn. Of more than 255, which
        it refuses, those of fewer than 3 rows in all count as one, 30 rows take the place of 10,
        and the order of their codes is tried too. Missing values are one more category, and unknown
        categories go with them.
    monotonic_cst : array-like of int of shape (n_features,) or dict, default=None
        A sign for each column, or for each name: with 1 the answer does not fall as the column
        rises, with -1 it does not rise, with 0 it is free.
    interaction_cst : {'pairwise', 'no_interactions'} or sequence of groups of int, default=None
        Groups of columns: those on the way from the root to a leaf must all be in one group.
        Columns that no group names form one more.
    warm_start : bool, default=False
        Whether another call of fit adds rounds to those that are there; columns, categories and
        classes must be the same as before.
    early_stopping : 'auto' or bool, default='auto'
        Whether boosting stops once the score stalls; 'auto' does with more than 10,000 rows.
    scoring : str, callable or None, default='loss'
        What the score is: minus the loss, or any scorer; None is the estimator's own.
    validation_fraction : int, float or None, default=0.1
        Number or share of rows that are held out for it; None scores the training rows.
    n_iter_no_change : int, default=10
        Rounds without a better score before boosting stops.
    tol : float, default=1e-7
        How much better a score must be to count.
    verbose : int, default=0
        Whether every round prints its leaves, scores and times.
    random_state : int, RandomState or None, default=None
        Source of the held-out rows, of the rows that bins are made from, and of drawn columns.""",
    "attributes": """n_iter_ : int
        Number of rounds.
    n_trees_per_iteration_ : int
        Trees a round: 1, or one a class for more than two classes.
    train_score_, validation_score_ : ndarray of shape (`n_iter_` + 1,)
        Scores before the first round and after each, if boosting may stop early; else empty.
    do_early_stopping_ : bool
        Whether boosting might stop early.
    is_categorical_ : ndarray of shape (n_features,) or None
        Which columns hold categories.
    joined_categories_ : dict of int to ndarray
        For each column of more than 255 categories, those of fewer than 3 rows, which count as one.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
}

_CLASSIC_TEXTS = {
    "first_parameters": """learning_rate : float, default=0.1
        Factor of the sum of trees.
    n_estimators : int, default=100
        Largest number of rounds.
    subsample : float, default=1.0
        Share of the rows drawn, without replacement, for the trees of a round.
    criterion : str, default='deprecated'
        Has no effect; trees are grown by squared error.
    min_samples_split : int or float, default=2
        Fewest rows in a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float, default=1
        Fewest rows in a leaf; a float is a share of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the sum of weights in a leaf.
    max_depth : int or None, default=3
        Largest number of splits above a leaf.
    min_impurity_decrease : float, default=0.0
        Least decrease of the variance, times the node's share of all weight, of a split.""",
    "middle_parameters": """random_state : int, RandomState, Generator or None, default=None
        Source of the held-out rows, of the bags and of drawn columns. With the same number the
        held-out rows and the bags are those of scikit-learn.
    max_features : int, float, {'sqrt', 'log2'} or None, default=None
        How many columns are drawn for each split: a number, a share, 'sqrt', 'log2', or all if
        None.""",
    "last_parameters": """verbose : int, default=0
        Whether rounds print their losses and the time left: 1 prints fewer the more there are,
        2 prints every one.
    max_leaf_nodes : int, default=None
        Largest number of leaves. If given, the node that gains the most is split next.
    warm_start : bool, default=False
        Whether another call of fit adds rounds to those that are there; columns, categories and
        classes must be the same as before.
    validation_fraction : float, default=0.1
        Share of the rows that are held out if `n_iter_no_change` is given.
    n_iter_no_change : int, default=None
        Boosting stops once the loss of the held-out rows is not less, by more than `tol`, than
        in any of so many rounds before; None holds out nothing.
    tol : float, default=1e-4
        How much less a loss must be to count as less.
    ccp_alpha : non-negative float, default=0.0
        Links of a tree that save no more variance than this per leaf are cut.
    max_bins : int, default=255
        Largest number of bins a column, missing values aside, at most 65535. With no more distinct
        values than bins every threshold is looked at.""",
    "attributes": """estimators_ : ndarray of DecisionTreeRegressor of shape (n_rounds, \
`n_trees_per_iteration_`)
        The trees; the learning rate is not in their leaves.
    n_estimators_ : int
        Number of rounds.
    n_trees_per_iteration_ : int
        Trees a round: 1, or one a class for more than two classes.
    init_ : estimator or 'zero'
        The fitted model that gives the starting scores.
    train_score_ : ndarray of shape (n_rounds,)
        Loss of the rows in the bag after each round; for squared and logistic losses twice what
        is fitted, as in scikit-learn.
    oob_scores_, oob_improvement_ : ndarray of shape (n_rounds,)
        Loss of the rows outside the bag after each round, and how much less it is than after the
        round before; only if `subsample` is below 1.
    oob_score_ : float
        The last of them.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each column in the decrease of variance.
    max_features_ : int
        Number of columns drawn for each split.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
    "notes": """Beyond scikit-learn's class: NaN is a missing value and learns its side of every
    split; `init` is cloned, and sees the labels as they are; the model is the same, bit for bit, on
    any number of threads.""",
}


def with_classic_texts(kind: Kind) -> Kind:
    """Fill the names in braces of a docstring of classic gradient boosting."""
    return fill_docstring(kind, {**_CLASSIC_TEXTS, **SHARED_TEXTS})


def with_shared_texts(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, {**_TEXTS, **SHARED_TEXTS})
