"""Docs of parameters and attributes that bagging and random subspaces share."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring

DOCS = {
    "bags": """max_samples : int or float, default=None
        Rows in a bag: a number, a fraction of the rows (of their total weight, if rows are drawn by
        weight), or None for as many as there are.
    max_features : int or float, default=1.0
        Columns per member: a number, or a fraction.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement. Without replacement and with all rows in the bag,
        nothing is random: every member sees every row.
    bootstrap_features : bool, default=False
        Whether columns are drawn with replacement.""",
    "class_combine": """combine : str, rule or callable, default=None
        F: 'mean' of probabilities if None (votes, 'plurality', if a member gives none), any rule of
        ``nonet.combine``, or a function of the outputs.""",
    "class_estimators": """estimators_ : list of estimators
        The fitted models. They were given the user's own labels; one that accepts only the codes
        0..k-1 stands behind a ``LabelEncodedClassifier``.""",
    "classes": """classes_ : ndarray of shape (n_classes,), or a list of them
        The classes; a list for several targets.
    n_classes_ : int or list of int
        The number of classes.""",
    "columns": """n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
    "draws": """estimators_samples_ : list of ndarray of int
        The rows of each bag, repeats included.
    estimators_features_ : list of ndarray of int
        The columns of each member.""",
    "fitted_parts": """estimator_ : estimator or list of estimators
        The learner, or learners, the members are clones of.
    members_ : list of Member
        The fitted members, each with its columns and the rows it has not seen.
    combine_ : callable
        F: member outputs in, support out.
    decide_ : callable
        C: support in, predictions out.""",
    "learner": """estimator : estimator or list of estimators, default=None
        The learner to bag; None is a fully grown decision tree. With a list, member i is a clone of
        the learner at index ``i % len(estimator)``.
    n_estimators : int, default=10
        Number of members. If it is raised, the first members stay the same.""",
    "run": """warm_start : bool, default=False
        Whether ``fit`` keeps the existing members and adds the missing ones; columns and
        classes must be the same as before.
    n_jobs : int, default=None
        How many members are fitted, or predict, in parallel; None means 1, -1 all processors.
        No result depends on it.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random numbers. Those of member i are a function of the seed and i alone.
    verbose : int, default=0
        What is shown of the progress, on stderr: 0 nothing, 1 some members, 2 all of them; see
        `nonet.show_progress`.""",
    "value_rules": """combine : str, rule or callable, default=None
        F: 'mean' if None, any regression rule of ``nonet.combine``, or a function of the outputs.
    decide : callable, default=None
        C: a function of the combined values (rounding, clipping); None is the identity.""",
}


def with_bagging_docs(kind: Kind) -> Kind:
    """Fill the names in braces of a class's docstring."""
    return fill_docstring(kind, DOCS)
