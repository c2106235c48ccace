"""Docs of parameters and attributes common to the ensembles of given models."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring

DOCS = {
    "predicting_members": """members_ : list of Member
        The members that predict after fit.""",
    "blending_errors": """errors : {'jackknife', 'bootstrap'} or None, default='jackknife'
        The source of the standard errors of the weights: leaving out one fold at a time, or
        resampling the held-out rows. With a single fold it is the bootstrap.""",
    "blending_refit": """refit : {'all', 'folds', 'both'}, default='all'
        The members that predict after fit: those fitted on all rows, the average of those of
        the folds, or the average of both.""",
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
        The number of members x folds fitted in parallel; None means 1, -1 all processors.""",
    "fold_verbose": """verbose : int, default=False
        What is shown of the progress, on stderr: 0 nothing, 1 some fits, 2 all of them; see
        `nonet.show_progress`.""",
    "found_weights": """weights_ : ndarray of shape (n_members,)
        The weights found.
    weights_se_ : ndarray of shape (n_members,) or None
        Their standard errors.""",
    "gate_attributes": """gate_ : object
        The fitted gate; ``gate_weights(X)`` returns its weights.
    combine_ : callable
        F: averages member outputs with the weights of the gate at X.""",
    "gate_options": """select : {'weights', 'best'}, default='weights'
        Whether all members count by their weight, or only the best one at each row (dynamic
        selection).
    n_neighbors : int, default=15
        The number of nearest rows, for ``gate='nearest'``.""",
    "greedy_options": """n_rounds : int, default=50
        The number of picks of greedy selection.
    n_bags : int, default=None
        The number of repeats of greedy selection on a random half of the candidates; the
        weights are averaged. None selects once, from all.""",
    "ledger": """ledger_ : Ledger
        The held-out predictions, for other combinations. Absent with 'prefit'.""",
    "members": """estimators : list of (str, estimator) pairs
        The members, each with its name; ``'drop'`` in place of a model leaves it out.""",
    "n_jobs": """n_jobs : int, default=None
        The number of members fitted in parallel; None means 1, -1 all processors.""",
    "named_models": """named_estimators_ : Bunch
        The models by name.""",
    "out_of_bag": """out_of_bag : bool, default=False
        Whether forests and bagging predict out of bag instead of being fitted once per fold.""",
    "passthrough": """passthrough : bool or 'inner', default=False
        Whether the final model also reads the original columns. A dataframe with text columns
        stays a dataframe. 'inner' passes the inner representations of the members on instead:
        leaves of trees (one column each), the last hidden layer of a multi-layer perceptron, or
        what ``transform`` returns. It needs ``cv='prefit'``: fit the members on other rows.
    verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some fits, 2 all of them; see
        `nonet.show_progress`.""",
    "prefit": """prefit : bool, default=False
        Whether the members are already fitted. They are then used as they are, and the rows
        passed to ``fit`` count as held out: do not pass rows the members were trained on.""",
    "router": """router : classifier or clusterer, default=None
        A classifier learns the ``routes`` passed to ``fit``; a clusterer with ``predict`` finds as
        many groups as there are members. None is k-means.
    mix : {'hard', 'soft'}, default='hard'
        Whether the member of the likeliest route predicts alone, or all members are averaged with
        the probabilities of their routes.""",
    "router_attributes": """router_ : estimator
        The fitted router; its labels are the positions of the members.
    combine_ : callable
        F: returns the output of the member on the row's route, or the mean of the member outputs
        with the probabilities of the routes.""",
    "selection_attributes": """weights_ : ndarray of shape (n_candidates,)
        The weight of each candidate; 0 for those not selected.
    weights_se_ : ndarray of shape (n_candidates,) or None
        Standard errors of the weights.
    members_ : list of Member
        The selected members, fitted.""",
    "selection_errors": """errors : {'jackknife', 'bootstrap'} or None, default=None
        The source of the standard errors of the weights; None computes none.
    n_jobs : int, default=None
        The number of candidates x folds fitted in parallel; None means 1, -1 all processors.""",
    "selection_method": """method : {'best', 'greedy'}, default='best'
        'best' selects the model with the best held-out score. 'greedy' is greedy selection with
        replacement: each round adds the model that gives the best mean; the best mean is kept.""",
    "selection_refit": """refit : {'all', 'folds', 'both'}, default='all'
        The models that predict after fit: the selected ones fitted on all rows, the average of
        those of the folds, or the average of both.""",
    "stacking_attributes": """ledger_ : Ledger
        The held-out predictions, for other combinations. Absent with 'prefit' or 'leaking'.
    level_one_ : LevelOne
        The conversion of member outputs to columns.""",
    "stacking_options": """refit : {'all', 'folds', 'both'}, default='all'
        The members that predict after fit: those fitted on all rows, the average of those of
        the folds (nothing is fitted again), or the average of both.
    partition : {'honest', 'leaking'}, default=None
        Partition the rows among the members, so that each is fitted on its own subset. 'honest'
        holds rows out within the subsets; 'leaking' predicts all rows with each member, its own
        included, as the method was first described.""",
    "value_estimators": """estimators_ : list of regressors
        The fitted models.""",
    "verbose": """verbose : int, default=False
        What is shown of the progress, on stderr: 0 nothing, 1 some fits, 2 all of them; see
        `nonet.show_progress`.""",
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
        The weights of the members: numbers, or a method to find them on held-out predictions:
        'accuracy', 'log_odds', 'non_negative', 'simplex',
        'ridge_to_uniform', 'greedy' or 'best'.""",
}


def with_model_docs(kind: Kind) -> Kind:
    """Fill in the docs named in braces in the docstring of a class."""
    return fill_docstring(kind, DOCS)
