"""Docs of parameters and attributes that gradient boosting estimators share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring

SHARED_DOCS = {
    "class_decide": """decide : str or rule, default=None
        C: the most probable class if None; a rule of ``nonet.decide`` such as ``Abstain(0.7)``,
        ``Threshold(0.3)`` or ``MinimumCost(costs)``, its short name, or a function of the
        probabilities. A threshold to be tuned costs five more fits, of clones on folds.
        Probabilities and scores do not depend on it.""",
    "number_decide": """decide : callable, default=None
        C: a function of the predictions (rounding, clipping); None is the identity.""",
    "ensemble_attributes": """members_ : list of Member
        The rounds that predictions use; each model predicts its round's contribution to the
        scores.
    estimators_ : list
        These models.
    combine_ : callable
        F: the start plus the sum of ``member_outputs(X)``, the raw scores.
    decide_ : callable
        C: raw scores in, predictions out.""",
    "classic_ensemble_attributes": """members_ : list of Member
        The rounds, after the starting model if one was passed as `init`; each model predicts its
        round's contribution to the scores, the learning rate included.
    combine_ : callable
        F: the start plus the sum of ``member_outputs(X)``, the raw scores.
    decide_ : callable
        C: raw scores in, predictions out.""",
}

_DOCS = {
    "parameters": """learning_rate : float, default=0.1
        Factor of every leaf value.
    max_iter : int, default=100
        Maximum number of rounds.
    max_leaf_nodes : int or None, default=31
        Maximum number of leaves of a tree; the node of maximum gain is split next.
    max_depth : int or None, default=None
        Maximum number of splits above a leaf.
    min_samples_leaf : int, default=20
        Minimum number of rows in a leaf.
    l2_regularization : float, default=0
        Added to the sum of hessians of every leaf, which shrinks its value towards 0.
    max_features : float, default=1.0
        Fraction of the columns sampled for every split.
    max_bins : int, default=255
        Maximum number of bins per column, not counting missing values.
    categorical_features : array-like of bool, int or str, 'from_dtype' or None, \
default='from_dtype'
        Categorical columns, which are split into sets of categories: a mask, positions, names, or
        those whose dtype in a frame is a category or a string (other than numeric strings). As in
        scikit-learn, categories of fewer than 10 rows in a node stay together. Columns of more than
        255 categories, which scikit-learn rejects, are accepted: categories of fewer than 3 rows in
        all count as one, the limit of 10 rows becomes 30, and the order of the codes is tried too.
        Missing values are one more category, and unknown categories go with them.
    monotonic_cst : array-like of int of shape (n_features,) or dict, default=None
        A sign for each column, or for each name: with 1 the prediction does not fall as the column
        rises, with -1 it does not rise, with 0 it is free.
    interaction_cst : {'pairwise', 'no_interactions'} or sequence of groups of int, default=None
        Groups of columns: those on the path from the root to a leaf must all be in one group.
        Columns that are in no group form one more group.
    warm_start : bool, default=False
        Whether another call of fit adds rounds to the existing ones; columns, categories and
        classes must be the same as before.
    early_stopping : 'auto' or bool, default='auto'
        Whether boosting stops if the score stalls; 'auto' does with more than 10,000 rows.
    scoring : str, callable or None, default='loss'
        The score: minus the loss, or any scorer; None is the estimator's own.
    validation_fraction : int, float or None, default=0.1
        Number or fraction of rows that are held out for it; None scores the training rows.
    n_iter_no_change : int, default=10
        Rounds without a better score before boosting stops.
    tol : float, default=1e-7
        Minimum improvement of the score that counts.
    verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some rounds with their scores, 2 all
        of them; see `nonet.show_progress`.
    random_state : int, RandomState or None, default=None
        Seed of the held-out rows, of the rows used for binning, and of the sampled columns.""",
    "attributes": """n_iter_ : int
        Number of rounds.
    n_trees_per_iteration_ : int
        Number of trees per round: 1, or one per class for more than two classes.
    train_score_, validation_score_ : ndarray of shape (`n_iter_` + 1,)
        Scores before the first round and after each, with early stopping; else empty.
    do_early_stopping_ : bool
        Whether early stopping was enabled.
    is_categorical_ : ndarray of shape (n_features,) or None
        Which columns hold categories.
    joined_categories_ : dict of int to ndarray
        For each column of more than 255 categories, those of fewer than 3 rows, which count as one.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
}

_CLASSIC_DOCS = {
    "first_parameters": """learning_rate : float, default=0.1
        Factor of the sum of trees.
    n_estimators : int, default=100
        Maximum number of rounds.
    subsample : float, default=1.0
        Fraction of the rows sampled, without replacement, for the trees of a round.
    criterion : str, default='deprecated'
        Has no effect; trees are grown by squared error.
    min_samples_split : int or float, default=2
        Minimum number of rows in a node that is split; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf; a float is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum fraction of the sum of weights in a leaf.
    max_depth : int or None, default=3
        Maximum number of splits above a leaf.
    min_impurity_decrease : float, default=0.0
        Minimum decrease of the variance by a split, times the node's fraction of all weight.""",
    "middle_parameters": """random_state : int, RandomState, Generator or None, default=None
        Seed of the held-out rows, of the bags and of the sampled columns. The held-out rows and
        the bags are those of scikit-learn with the same seed.
    max_features : int, float, {'sqrt', 'log2'} or None, default=None
        Number of columns sampled for each split: a number, a fraction, 'sqrt', 'log2', or all if
        None.""",
    "last_parameters": """verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some rounds with their losses, 2 all
        of them; see `nonet.show_progress`.
    max_leaf_nodes : int, default=None
        Maximum number of leaves. If given, the node of maximum gain is split next.
    warm_start : bool, default=False
        Whether another call of fit adds rounds to the existing ones; columns, categories and
        classes must be the same as before.
    validation_fraction : float, default=0.1
        Fraction of the rows that are held out if `n_iter_no_change` is given.
    n_iter_no_change : int, default=None
        Boosting stops if the loss of the held-out rows is not lower, by more than `tol`, than in
        any of this many previous rounds; None holds out nothing.
    tol : float, default=1e-4
        Minimum decrease of the loss that counts.
    ccp_alpha : non-negative float, default=0.0
        Subtrees that decrease the variance by no more than this per leaf are pruned.
    max_bins : int, default=255
        Maximum number of bins per column, not counting missing values, at most 65535. With no more
        distinct values than bins every threshold is searched.""",
    "attributes": """estimators_ : ndarray of DecisionTreeRegressor of shape (n_rounds, \
`n_trees_per_iteration_`)
        The trees; the learning rate is not in their leaves.
    n_estimators_ : int
        Number of rounds.
    n_trees_per_iteration_ : int
        Number of trees per round: 1, or one per class for more than two classes.
    init_ : estimator or 'zero'
        The fitted model that gives the starting scores.
    train_score_ : ndarray of shape (n_rounds,)
        Loss of the rows in the bag after each round; for squared and logistic losses twice the
        loss that is minimized, as in scikit-learn.
    oob_scores_, oob_improvement_ : ndarray of shape (n_rounds,)
        Loss of the rows out of the bag after each round, and its decrease from the previous round;
        only if `subsample` is below 1.
    oob_score_ : float
        The last of ``oob_scores_``.
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total decrease of variance per column.
    max_features_ : int
        Number of columns sampled for each split.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
    "notes": """Extensions to scikit-learn's class: NaN is a missing value, and every split learns
    the side of missing values; `init` is cloned, and is fitted on the original labels; the model is
    bitwise the same on any number of threads.""",
}


def with_classic_docs(kind: Kind) -> Kind:
    """Fill the names in braces of a docstring of classic gradient boosting."""
    return fill_docstring(kind, {**_CLASSIC_DOCS, **SHARED_DOCS})


def with_boosting_docs(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, {**_DOCS, **SHARED_DOCS})
