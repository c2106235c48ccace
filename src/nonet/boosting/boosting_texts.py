"""Texts that the docstrings of gradient boosting share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring

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
        dtype in a frame is a category. A column may have at most `max_bins` of them. Unknown
        categories, like missing ones, follow the side that missing values learned.
    monotonic_cst : array-like of int of shape (n_features,) or dict, default=None
        A sign for each column, or for each name: with 1 the answer does not fall as the column
        rises, with -1 it does not rise, with 0 it is free.
    interaction_cst : {'pairwise', 'no_interactions'} or sequence of groups of int, default=None
        Groups of columns: those on the way from the root to a leaf must all be in one group.
        Columns that no group names form one more.
    warm_start : bool, default=False
        Whether another call of fit adds rounds to those that are there.
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
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
}


def with_shared_texts(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, _TEXTS)
