"""The parts of a fitted ensemble as plain facts: members with weights, F and C in words.

They are what a diagram shows, in a notebook and in a report.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.rule_words import rule_in_words

_MAX_MEMBERS = 50


def ensemble_parts(ensemble: Any) -> dict[str, Any]:
    """Return members, F and C of a fitted ensemble.

    Parameters
    ----------
    ensemble : estimator

    Returns
    -------
    parts : dict
        ``members``: dictionaries with ``name``, ``kind`` and ``weight``, the heaviest first;
        ``n_members``; ``combine`` and ``decide`` in words.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import VotingClassifier
    >>> members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0))]
    >>> vote = VotingClassifier(members, weights=[1, 3]).fit(*load_iris(return_X_y=True))
    >>> parts = ensemble_parts(vote)
    >>> parts["members"][0]
    {'name': 'tree', 'kind': 'DecisionTreeClassifier', 'weight': 0.75}
    >>> parts["combine"], parts["decide"]
    ('weighted plurality of labels', 'class of the highest support')
    """
    members = list(ensemble.members_)
    weights = member_weights(ensemble.combine_, len(members))
    order = range(len(members)) if weights is None else np.argsort(-weights, kind="stable").tolist()
    return {
        "members": [
            {
                "name": members[j].name,
                "kind": kind_of(members[j].estimator),
                "weight": None if weights is None else float(weights[j]),
            }
            for j in islice(order, _MAX_MEMBERS)
        ],
        "n_members": len(members),
        "combine": rule_in_words(ensemble.combine_),
        "decide": rule_in_words(ensemble.decide_),
    }


def member_weights(combine: Any, n_members: int) -> Floats | None:
    """Return the weights of members as fractions of their total size; None if F has none.

    Parameters
    ----------
    combine : object
        F of a fitted ensemble.
    n_members : int

    Returns
    -------
    weights : ndarray of shape (n_members,) or None
        None as well if weights depend on the target, the class or the row.
    """
    bound = getattr(combine, "combination", combine)
    found = getattr(bound, "weights", getattr(bound, "member_weights", None))
    if found is None or np.shape(found) != (n_members,):
        return None
    weights = np.asarray(found, dtype=np.float64)
    total = np.abs(weights).sum()
    return weights / total if np.isfinite(total) and total > 0 else None


def kind_of(estimator: Any) -> str:
    """Return the class of a member; that of the first model if it is a mean of models on folds.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> kind_of(Ridge()), kind_of(make_pipeline(StandardScaler(), Ridge()))
    ('Ridge', 'Ridge (Pipeline)')
    """
    models, steps = getattr(estimator, "models", None), getattr(estimator, "steps", None)
    if isinstance(models, list) and models:
        return kind_of(models[0])
    name = type(estimator).__name__
    return f"{kind_of(steps[-1][1])} ({name})" if isinstance(steps, list) and steps else name
