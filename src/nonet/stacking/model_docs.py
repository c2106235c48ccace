"""Parameters and attributes that the docstrings of the ensembles of given models share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring

DOCS = {
    "answering_members": """members_ : list of Member
        The members that answer after fit.""",
    "blending_errors": """errors : {'jackknife', 'bootstrap'} or None, default='jackknife'
        Where the standard errors of the weights come from: leaving out one fold at a time, or
        drawing the held-out rows anew. With a single fold it is the bootstrap.""",
    "blending_refit": """refit : {'all', 'folds', 'both'}, default='all'
        Who answers after fit: members fitted on all rows, the average of those of the folds,
        or the average of both.""",
    "class_decide": """decide : str or rule, default=None
        C: 'argmax' if None.""",
    "class_estimators": """estimators_ : list of classifiers
        The fitted models.""",
    "classes": """classes_ : ndarray of shape (n_classes,)
        The classes.""",
    "columns": """n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
    "fitted_members": """members_ : list of Member
        The fitted members with their names.""",
    "fold_n_jobs": """n_jobs : int, default=None
        How many members x folds are fitted at once; None means 1, -1 all processors.""",
    "fold_verbose": """verbose : bool, default=False
        Whether to print a line for each fit.""",
    "found_weights": """weights_ : ndarray of shape (n_members,)
        The weights found.
    weights_se_ : ndarray of shape (n_members,) or None
        Their standard errors.""",
    "gate_attributes": """gate_ : object
        The fitted gate; ``gate_weights(X)`` asks it.
    combine_ : callable
        F: member outputs and X in, their mean with the weights of the gate out.""",
    "gate_options": """select : {'weights', 'best'}, default='weights'
        Whether all members count by their weight, or only the best one at each row (dynamic
        selection).
    n_neighbors : int, default=15
        How many rows are near, for ``gate='nearest'``.""",
    "greedy_options": """n_rounds : int, default=50
        How many picks greedy selection makes.
    n_bags : int, default=None
        How often greedy selection is repeated on a random half of the candidates; the shares
        are averaged. None selects once, from all.""",
    "ledger": """ledger_ : Ledger
        The held-out answers, for other combinations. Not there with 'prefit'.""",
    "members": """estimators : list of (str, estimator) pairs
        The members, each with its name; ``'drop'`` in place of a model leaves it out.""",
    "n_jobs": """n_jobs : int, default=None
        How many members are fitted at once; None means 1, -1 all processors.""",
    "named_models": """named_estimators_ : Bunch
        The models by name.""",
    "out_of_bag": """out_of_bag : bool, default=False
        Whether forests and bagging answer out of bag instead of being fitted once a fold.""",
    "passthrough": """passthrough : bool, default=False
        Whether the final model reads the original columns beside the answers. A frame that
        holds text stays a frame.
    verbose : int, default=0
        Whether to print a line for each fit.""",
    "prefit": """prefit : bool, default=False
        Whether the members come fitted. They are then used as they are, and the rows given to
        ``fit`` count as held out: do not give it rows the members were trained on.""",
    "router": """router : classifier or clusterer, default=None
        A classifier learns the ``routes`` given to ``fit``; a clusterer with ``predict`` finds as
        many groups as there are members. None is k-means.
    mix : {'hard', 'soft'}, default='hard'
        Whether the member of the likeliest route answers alone, or all by the probabilities of
        their routes.""",
    "router_attributes": """router_ : estimator
        The fitted router; its labels are the positions of the members.
    combine_ : callable
        F: member outputs and X in, the output of the member on the row's route, or their mean by
        the probabilities of the routes, out.""",
    "selection_attributes": """weights_ : ndarray of shape (n_candidates,)
        The share of each candidate; 0 for those not chosen.
    weights_se_ : ndarray of shape (n_candidates,) or None
        Standard errors of the shares.
    members_ : list of Member
        The chosen, fitted.""",
    "selection_errors": """errors : {'jackknife', 'bootstrap'} or None, default=None
        Where standard errors of the shares come from; None finds none.
    n_jobs : int, default=None
        How many candidates x folds are fitted at once; None means 1, -1 all processors.""",
    "selection_method": """method : {'best', 'greedy'}, default='best'
        The one with the best held-out score, or greedy selection with replacement: again and
        again the one that makes the mean of the chosen best; the best mean on the way is kept.""",
    "selection_refit": """refit : {'all', 'folds', 'both'}, default='all'
        Who answers after fit: the chosen fitted on all rows, the average of those of the
        folds, or the average of both.""",
    "stacking_attributes": """ledger_ : Ledger
        The held-out answers, for other combinations. Not there with 'prefit' or 'leaking'.
    level_one_ : LevelOne
        How answers become columns.""",
    "stacking_options": """refit : {'all', 'folds', 'both'}, default='all'
        Who answers after fit: members fitted on all rows, the average of those of the folds
        (nothing is fitted again), or the average of both.
    partition : {'honest', 'leaking'}, default=None
        Deal the rows to the members, so that each learns from a part of its own. 'honest'
        holds rows out within the parts; 'leaking' asks each member about all rows, its own
        included, as the method was first described.""",
    "value_estimators": """estimators_ : list of regressors
        The fitted models.""",
    "verbose": """verbose : bool, default=False
        Whether to print a line for each fitted member.""",
    "views": """estimators : list of (str, estimator) pairs
        The members, each with the name of its view.
    views : dict of str to columns
        The columns of each member: names, positions, a slice, a mask or a selector such as
        scikit-learn's ``make_column_selector``.""",
    "views_attributes": """members_ : list of Member
        The fitted members with their names and columns.
    view_columns_ : dict of str to ndarray
        The positions of the columns of each view.""",
    "voting_attributes": """named_estimators_ : Bunch
        The fitted models by name.
    weights_ : ndarray of shape (n_members,) or None
        The weights in use.""",
    "voting_weights": """weights : array-like of shape (n_estimators,), str or WeightFinder, \
default=None
        How much each member counts: numbers, or a way to find them on held-out answers:
        'accuracy', 'log_odds', 'non_negative', 'simplex',
        'ridge_to_uniform', 'greedy' or 'best'.""",
}


def with_model_docs(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, DOCS)
