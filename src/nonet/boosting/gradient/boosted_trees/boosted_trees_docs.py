"""Docs of parameters and attributes that the boosted trees estimators share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring
from nonet.boosting.gradient.gradient_boosting_docs import SHARED_DOCS

_DOCS = {
    "parameters": """n_estimators : int or 'auto', default='auto'
        Maximum number of rounds. 'auto' chooses it on held-out rows: `n_bags` boosters are grown,
        each without one fold of the rows, and their rounds end where they predict the rows held
        out best. A number gives one booster of that many rounds on all rows, and whatever else is
        'auto' is then as with ``preset='fast'``; so it is with `early_stopping_rounds`,
        `warm_start`, `init_model` and `drop_rate`, which determine the rounds in another way.
    learning_rate : float or 'auto', default='auto'
        Factor of every leaf value. 'auto' is 0.1 for numbers of rounds that are given; otherwise
        0.1 to 0.3, by the number of rounds that the data afford. A smaller one gets more rounds.
    num_leaves : int, None or 'auto', default='auto'
        Maximum number of leaves of a tree; the node of maximum gain is split next. 'auto' is 31 for
        numbers of rounds that are given, otherwise 8 to 63, one per 120 rows. The name is
        LightGBM's, because trees are grown in its way; it is the same as XGBoost's ``max_leaves``
        with ``grow_policy='lossguide'``.
    max_depth : int or None, default=None
        Maximum number of splits above a leaf.
    min_child_samples : int or 'auto', default='auto'
        Minimum number of rows in a leaf. 'auto' is 20 for numbers of rounds that are given,
        otherwise 2 to 20, one per 1,000 rows (1 below 60 rows).
    min_child_weight : float, default=1e-3
        Minimum sum of hessians in a leaf.
    reg_lambda : float or 'auto', default='auto'
        L2 penalty of the leaf values, added to their sums of hessians. 'auto' is 5 for numbers of
        rounds that are given (the default is 0 in LightGBM and 1 in XGBoost), otherwise 2, or 1 for
        several classes or outputs.
    reg_alpha : float, default=0.0
        L1 penalty of the leaf values.
    gamma : float, default=0
        Gain that a split must exceed, where the gain is defined as in XGBoost and LightGBM (also
        called ``min_split_gain`` there): twice the decrease of the penalised loss.
    max_delta_step : float, default=0
        Maximum absolute value of a leaf before the learning rate; 0 is no limit.
    subsample : float, default=1.0
        Fraction of the rows that is sampled for the trees of a round.
    sampling_method : {'uniform', 'goss', 'mvs'}, default='uniform'
        How rows are sampled: every row with the same probability; gradient-based one-side
        sampling, by `top_rate` and `other_rate`; or minimal variance sampling, which samples rows
        of large gradients more often and gives the others larger weights.
    top_rate, other_rate : float, default=0.2 and 0.1
        For 'goss': fraction of the rows that are kept for their large gradients, and fraction of
        the rows sampled from the rest. It begins after 1 / `learning_rate` rounds.
    colsample_bytree, colsample_bylevel : float, default=1.0
        Fraction of the columns sampled for each tree; of these, for each depth.
    colsample_bynode : float or 'auto', default='auto'
        Fraction of these columns sampled for each split. 'auto' is 1 for numbers of rounds that are
        given, otherwise at most 256 columns.
    extra_trees : bool, 'mixed' or 'auto', default='auto'
        Whether one random threshold per column is tried instead of all. With 'mixed' the bagged
        boosters differ: of four, two sample thresholds between the minimum and the maximum of a
        node, one among its distinct values, and one searches all thresholds of half of the columns.
        'auto' is False for numbers of rounds that are given and for more than 100,000 rows,
        otherwise 'mixed', and True for several classes or outputs; kinds of thresholds that predict
        held-out rows far worse than others are then left out.
    drop_rate : float, default=0
        Above 0, boosting is DART: each earlier round is dropped with this probability while a new
        one is grown. The new round and the k dropped ones are then scaled by 1 / (k + 1) and
        k / (k + 1).
    skip_drop : float, default=0.5
        Probability that a round of DART drops nothing.
    multi_strategy : {'one_output_per_tree', 'multi_output_tree'}, default='one_output_per_tree'
        For several classes, outputs or quantiles: one tree for each in every round, or one tree for
        all, whose leaves hold a value for each.
    max_bins : int, default=255
        Maximum number of bins per column, not counting missing values.
    categorical_features : array-like of bool, int or str, 'from_dtype' or None, \
default='from_dtype'
        Categorical columns, which are split into sets of categories: a mask, positions, names, or
        those whose dtype in a frame is a category or a string (other than numeric strings). Missing
        values are one more category, and unknown categories go with them. If there are more than
        255, those of fewer than 3 rows count as one.
    cat_smooth : float, default=10.0
        Categories are ordered by gradient over hessian, with this much added to the hessian, and
        the left child gets some from one end of the order. Categories with fewer rows than this are
        not ordered: they go to the child with more categories. The names of this parameter and the
        next four are LightGBM's.
    cat_l2 : float, default=30.0
        Added to `reg_lambda` in both children of such a split.
    min_data_per_group : int, default=100
        Minimum number of rows between two such splits, and of their right child.
    max_cat_threshold : int, default=32
        Maximum number of categories that are taken from an end of the order.
    max_cat_to_onehot : int, default=4
        In columns with at most this many categories, one is split off from the rest instead.
    monotone_constraints : array-like of int of shape (n_features,) or dict, default=None
        A sign for each column, or for each name: with 1 the prediction does not fall as the column
        rises, with -1 it does not rise, with 0 it is free.
    interaction_constraints : {'pairwise', 'no_interactions'} or sequence of groups of int or \
str, default=None
        Groups of columns, by position or name: those on the path from the root to a leaf must all
        be in one group.
    eval_metric : str, callable or list of them, default=None
        The metric of evaluation sets after each round: 'loss' (the same as None), 'auc', 'logloss',
        'rmse', 'mae' or another metric of XGBoost or LightGBM, the name of a scorer of
        scikit-learn, a ``scorer(estimator, X, y)``, or a function of targets and predictions, which
        returns a number or a name, a number and whether larger is better. The last one controls
        early stopping.
    early_stopping_rounds : int, default=None
        Number of rounds without a better value before boosting stops; predictions then use the
        rounds up to the best. None grows all rounds, and uses them.
    validation_split : float or splitter, default=0.1
        What is held out for early stopping if `fit` gets no evaluation set: a fraction of the rows
        (stratified by class, or whole groups), or a splitter of scikit-learn, such as
        ``TimeSeriesSplit``, whose last split is used.
    warm_start : bool, default=False
        Whether another call of fit adds rounds to the existing ones; columns, categories and
        classes must be the same as before.
    on_interrupt : {'raise', 'keep'}, default='raise'
        What Ctrl-C does. 'raise' ends fit with the KeyboardInterrupt, and the estimator is as it
        was before fit. 'keep' returns from fit with the complete rounds, issues a warning and sets
        ``interrupted_``; if no round is complete, it raises.
    verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some rounds with the values of
        evaluation sets, 2 all of them; see `nonet.show_progress`.
    random_state : int, RandomState or None, default=None
        Seed of the sampled rows, columns and thresholds, of the held-out rows, and of the rows used
        for binning.
    n_jobs : int, default=None
        Maximum number of threads of fits and predictions: None and -1 are all, -2 all but one. It
        changes the time only, never the model.
    n_bags : int or 'auto', default='auto'
        Number of boosters that are averaged, each grown without one fold of the rows. 'auto' is 1
        for numbers of rounds that are given; otherwise 8, 4, 2 or 1, fewer for more rows and
        classes.
    preset : {'best', 'fast'}, default='best'
        What 'auto' stands for: settings that have the lowest losses on real tables, or one booster
        of 100 rounds of 31 leaves with a learning rate of 0.1, as in LightGBM.""",
    "attributes": """n_iter_ : int
        Number of rounds of all boosters. The first rounds of all boosters come first,
        then their second rounds, and so on.
    learning_rate_, num_leaves_, min_child_samples_, reg_lambda_, colsample_bynode_, \
extra_trees_, n_bags_
        The parameters of the same names, with what was chosen for 'auto'.
    thresholds_ : tuple of str
        The kinds of thresholds that bagged boosters have in turn: 'uniform', 'distinct' (random
        thresholds, see `extra_trees`), 'searched', or 'half-searched' (in half of the columns).
    held_out_losses_ : ndarray of shape (n_rounds,) or None
        The mean loss of held-out rows after each round of every booster, from which the number of
        rounds was chosen; for several outputs or quantiles, the mean of their losses as fractions
        of those after the first round. None if no rows were held out for that.
    best_iteration_ : int
        Number of rounds that predictions use: all, or up to the best with early stopping.
    best_score_ : float or None
        The best value of the last metric on the last evaluation set, if there is a set.
    evals_result_ : dict
        For each evaluation set ('validation_0', ...), for each metric, its values after every
        round; `nonet.eval_curves` collects them for a plot.
    interrupted_ : bool
        Whether Ctrl-C ended fit before all rounds were grown (``on_interrupt='keep'``).
    n_trees_per_iteration_ : int
        Number of scores per row: 1, or one per class or output.
    is_categorical_ : ndarray of shape (n_features,) or None
        Which columns hold categories.
    joined_categories_ : dict of int to ndarray
        For each column of more than 255 categories, those of fewer than 3 rows, which count as one.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
}


def with_boosted_docs(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, {**_DOCS, **SHARED_DOCS})
