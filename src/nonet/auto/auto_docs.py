"""Docs of parameters and attributes that both auto-ensemblers have."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring

DOCS = {
    "time_limit": """time_limit : float or None, default=600
        Seconds that ``fit`` may take. None runs the whole portfolio, or ``max_tasks`` of it.""",
    "random_state": """random_state : int, RandomState, Generator or None, default=None
        With an integer, and without a time limit, the result is a function of the data.""",
    "run": """cv : int, splitter, iterable or None, default=None
        The folds: None is 8 below 2,000 rows, 5 up to 200,000, then 3, and one split beyond a
        million.
    families : list of str, 'all' or None, default=None
        The families of members to try: 'boosted_trees', 'extra_trees', 'random_forest', 'linear',
        'neighbors', 'network', all of which 'default' stands for, and 'lightgbm', 'xgboost',
        'catboost' and what other packages offer, where it is installed. None is ['default'];
        'all' is all that is installed.
    extra_members : dict of str to estimator or None, default=None
        Estimators of scikit-learn's kind that are tried, too, by the names that the leaderboard
        shows. They read columns as numbers, codes for categories, with NaN where values are
        missing.
    kinds : dict or None, default=None
        Kinds of columns that differ from what is found, such as ``{"zip": "category"}``.
    max_tasks : int or None, default=None
        Maximum number of tasks: one configuration on one fold each.
    memory_limit : int, str or None, default=None
        Memory that the fits which run at a time may take, as bytes or as text such as '4 GB';
        those that are predicted to need more are not run. None is what is available when the
        search begins; without a ``time_limit`` it is no limit, because results must not depend on
        the machine.
    max_us_per_row : float or None, default=None
        Microseconds that the prediction of a row may take, in a batch of 1,000 rows and after its
        columns are read; configurations that cost too much for their weight are left out. What it
        leaves out depends on the speed of the machine. None is no limit.
    n_jobs : int or None, default=None
        Number of tasks that run at a time; None is one per processor.
    verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some tasks, 2 all.""",
    "attributes": """leaderboard_ : Leaderboard
        All configurations: score, standard error, weight, seconds, and which rows they are from.
    honest_score_ : AutoScore
        The score on rows that neither members nor weights have seen.
    warnings_ : list of str
        Sentences about columns that nearly decide the target, dates with which it changes, rare
        classes and repeated rows.
    encoder_ : TableEncoder
        How columns become numbers.
    text_features_ : list of TextFeatures
        How text becomes numbers, for the models of each fold; none if there is no text.
    preparations_ : list of PreparedColumns
        What is computed from the columns for members that read more than them, for each fold; none
        if the ensemble has no such member.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they have names.""",
}


def with_auto_docs(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, DOCS)
