"""Texts that the docstrings of the two estimators of boosted trees share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring
from nonet.boosting.gradient.boosting_texts import SHARED_TEXTS

_TEXTS = {
    "parameters": """n_estimators : int, default=100
        Largest number of rounds.
    learning_rate : float, default=0.1
        Factor of every leaf.
    num_leaves : int or None, default=31
        Largest number of leaves of a tree; the node that gains the most is split next. The word is
        LightGBM's, as trees are grown as there; XGBoost's ``max_leaves`` with
        ``grow_policy='lossguide'`` is the same.
    max_depth : int or None, default=None
        Largest number of splits above a leaf.
    min_child_samples : int, default=20
        Fewest rows in a leaf.
    min_child_weight : float, default=1e-3
        Least sum of hessians in a leaf.
    reg_lambda : float, default=5.0
        Penalty of the square of a leaf: added to its sum of hessians. LightGBM has 0 here and
        XGBoost 1; 5 had the best mean rank on the tables of ``bench_boosting_accuracy.py``.
    reg_alpha : float, default=0.0
        Penalty of the absolute value of a leaf.
    gamma : float, default=0
        Gain that a split must exceed, where the gain is that of XGBoost and LightGBM (there called
        ``min_split_gain`` too): twice the decrease of the penalised loss.
    max_delta_step : float, default=0
        Largest absolute value of a leaf before the learning rate; 0 is no limit.
    subsample : float, default=1.0
        Share of the rows that the trees of a round see.
    sampling_method : {'uniform', 'goss', 'mvs'}, default='uniform'
        How they are drawn: every row with the same probability; gradient-based one-side sampling,
        by `top_rate` and `other_rate`; or minimal variance sampling, which draws rows of large
        slopes more often and lets the others count more.
    top_rate, other_rate : float, default=0.2 and 0.1
        For 'goss': share of the rows that are taken for their large slopes, and share of the rows
        drawn from the rest. It begins after 1 / `learning_rate` rounds.
    colsample_bytree, colsample_bylevel, colsample_bynode : float, default=1.0
        Share of the columns drawn for each tree; of these, for each depth; of these, for each
        split.
    extra_trees : bool, default=False
        Whether one threshold a column is drawn at random instead of trying all.
    drop_rate : float, default=0
        Above 0, boosting is DART: each earlier round is dropped with this probability while a new
        one is grown, and the new one and the k dropped ones then count 1 / (k + 1) and k / (k + 1).
    skip_drop : float, default=0.5
        Probability that a round of DART drops nothing.
    multi_strategy : {'one_output_per_tree', 'multi_output_tree'}, default='one_output_per_tree'
        For several classes, outputs or quantiles: one tree for each a round, or one tree for all,
        whose leaves hold a step for each.
    max_bins : int, default=255
        Largest number of bins a column, missing values aside.
    categorical_features : array-like of bool, int or str, 'from_dtype' or None, \
default='from_dtype'
        Columns of categories, which are split as sets: a mask, positions, names, or those whose
        dtype in a frame is a category or a string (other than the text of a number). Missing values
        are one more category, and unknown categories go with them. Of more than 255, those of
        fewer than 3 rows count as one.
    cat_smooth : float, default=10.0
        Categories are ordered by gradient over hessian, with this much added to the hessian, and
        the left child takes some from one end of the order. Those of fewer rows than this stay
        out of the order: they go with the larger number of categories. The five words are
        LightGBM's.
    cat_l2 : float, default=30.0
        Added to `reg_lambda` in both children of such a split.
    min_data_per_group : int, default=100
        Fewest rows between two such splits that are tried, and of their right child.
    max_cat_threshold : int, default=32
        Largest number of categories that are taken from an end of the order.
    max_cat_to_onehot : int, default=4
        In columns of no more categories than these, one is split off from the rest instead.
    monotone_constraints : array-like of int of shape (n_features,) or dict, default=None
        A sign for each column, or for each name: with 1 the answer does not fall as the column
        rises, with -1 it does not rise, with 0 it is free.
    interaction_constraints : {'pairwise', 'no_interactions'} or sequence of groups of int, \
default=None
        Groups of columns: those on the way from the root to a leaf must all be in one group.
    eval_metric : str, callable or list of them, default=None
        What is taken of evaluation sets after each round: 'loss' (which None is as well), 'auc',
        'logloss', 'rmse', 'mae' as in XGBoost, the name of a scorer of scikit-learn, or a
        ``scorer(estimator, X, y)``. The last one decides about stopping early.
    early_stopping_rounds : int, default=None
        Rounds without a better value before boosting stops; answers then come from the rounds up
        to the best. None grows all rounds, and uses them.
    validation_split : float or splitter, default=0.1
        What is held out to stop early by if `fit` gets no evaluation set: a share of the rows
        (stratified by class, or whole groups), or a splitter of scikit-learn, such as
        ``TimeSeriesSplit``, whose last split is taken.
    warm_start : bool, default=False
        Whether another call of fit adds rounds to those that are there; columns, categories and
        classes must be the same as before.
    on_interrupt : {'raise', 'keep'}, default='raise'
        What Ctrl-C does. 'raise' ends fit with the KeyboardInterrupt, and the estimator is as it
        was before fit. 'keep' returns from fit with the rounds that are complete, gives a warning
        and sets ``interrupted_``; if no round is complete, it raises.
    verbose : int, default=0
        A line is printed every so many rounds, with the values of evaluation sets and the time
        left; 0 is silent.
    random_state : int, RandomState or None, default=None
        Source of drawn rows and columns, of held-out rows, and of the rows that bins are made
        from.""",
    "attributes": """n_iter_ : int
        Number of rounds grown.
    best_iteration_ : int
        Number of rounds that answers come from: all, or up to the best if boosting may stop early.
    best_score_ : float or None
        The best value of the deciding metric on the deciding set, if there is a set.
    evals_result_ : dict
        For each evaluation set ('validation_0', ...), for each metric, its values after every
        round; `nonet.eval_curves` draws them.
    interrupted_ : bool
        Whether Ctrl-C ended fit before all rounds were grown (``on_interrupt='keep'``).
    n_trees_per_iteration_ : int
        Scores a row: 1, or one a class or output.
    is_categorical_ : ndarray of shape (n_features,) or None
        Which columns hold categories.
    joined_categories_ : dict of int to ndarray
        For each column of more than 255 categories, those of fewer than 3 rows, which count as one.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
}


def with_boosted_texts(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, {**_TEXTS, **SHARED_TEXTS})
