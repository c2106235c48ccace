"""Make a ledger from named models, for use in many combinations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from nonet._base.aliases import Task
from nonet._base.arrays import check_sample_weight, encode_labels
from nonet._base.frames import count_rows
from nonet._base.params import Boolean, Choice, Integer, Nothing, Rule, bad_parameter
from nonet._base.progress import Steps
from nonet.members.ledger import Ledger, cross_fit
from nonet.members.outputs import Targets, choose_kind
from nonet.members.plan import MemberPlan
from nonet.stacking.named_models import check_named_models

_RULES: Mapping[str, Rule] = {
    "method": Choice("auto", "predict_proba", "decision_function", "predict"),
    "out_of_bag": Boolean(),
    "keep_models": Boolean(),
    "n_jobs": Nothing() | Integer(),
    "verbose": Boolean() | Integer(0),
}


def make_ledger(
    estimators: list[tuple[str, Any]],
    X: Any,
    y: Any,
    *,
    method: str = "auto",
    cv: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    out_of_bag: bool = False,
    keep_models: bool = False,
    n_jobs: int | None = None,
    verbose: bool | int = False,
) -> Ledger:
    """Fit every model on every training fold and store its predictions on the held-out rows.

    Boosters and forests of this library share the edges of their bins, which are found once, from
    all rows of X and without y: values of held-out rows take part in them, targets do not.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The models with their names: classifiers, or regressors.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
    method : {'auto', 'predict_proba', 'decision_function', 'predict'}, default='auto'
        The method of the classifiers; 'auto' is the first of these that a model has.
    cv : int, splitter or iterable, default=None
        Any splitter: k-fold, repeated, grouped, shuffled, forward chaining, predefined. None is
        5 folds, stratified for classifiers. A row held out several times gets the mean of the
        predictions; a row never held out gets none.
    groups : array-like of shape (n_samples,), default=None
        The group of each row, for splitters that keep groups together.
    sample_weight : array-like of shape (n_samples,), default=None
        Passed to the fit of every model.
    out_of_bag : bool, default=False
        Whether forests and bagging predict out of bag instead of being fitted once per fold.
    keep_models : bool, default=False
        Whether the ledger keeps the models of the folds.
    n_jobs : int, default=None
        The number of models x folds fitted in parallel; None means 1, -1 all processors. Boosters
        and forests of this library run in threads. Boosters use all threads in any case: with None
        the folds are fitted on all of them, one thread each. The ledger is the same for any number.
    verbose : int, default=False
        What is shown of the progress, on stderr: 0 nothing, 1 some fits, 2 all of them; see
        `nonet.show_progress`.

    Returns
    -------
    ledger : Ledger

    Examples
    --------
    One ledger, two combinations:

    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from nonet import VotingRegressor, make_ledger
    >>> X, y = load_diabetes(return_X_y=True)
    >>> members = [("linear", LinearRegression()), ("near", KNeighborsRegressor(20))]
    >>> ledger = make_ledger(members, X, y)
    >>> for weights in ("simplex", "best"):
    ...     vote = VotingRegressor(members, weights=weights).fit(X, y, ledger=ledger)
    ...     print(weights, vote.weights_.round(2))
    simplex [0.68 0.32]
    best [1. 0.]
    """
    given = {"method": method, "out_of_bag": out_of_bag, "keep_models": keep_models}
    for name, value in (given | {"n_jobs": n_jobs, "verbose": verbose}).items():
        if not _RULES[name].allows(value):
            raise bad_parameter("make_ledger", name, _RULES[name].describe(), value)
    models = check_named_models("make_ledger", estimators)
    task: Task = "classification" if any(is_classifier(m) for _, m in models) else "regression"
    classes = _classes(y) if task == "classification" else None
    weights = check_sample_weight(sample_weight, count_rows(X))
    plans = [
        plan_member(name, model, y, classes, {} if weights is None else {"sample_weight": weights})
        for name, model in models
    ]
    return cross_fit(
        plans,
        X,
        y,
        reads=[choose_kind(name, model, method, task) for name, model in models],
        classes=classes,
        cv=cv,
        groups=groups,
        n_jobs=n_jobs,
        keep_models=keep_models,
        out_of_bag=out_of_bag,
        steps=Steps("make_ledger", "held-out fits", verbose),
    )


def plan_member(
    name: str, model: Any, y: Any, classes: Targets | None, fit_params: Mapping[str, Any]
) -> MemberPlan:
    """Return the plan of a named model; a regressor among classifiers is fitted on class codes."""
    learns_codes = classes is not None and len(classes) == 1 and not is_classifier(model)
    codes = encode_labels(y, classes[0]) if learns_codes and classes is not None else None
    return MemberPlan(name, model, y=codes, fit_params=fit_params)


def _classes(y: Any) -> Targets:
    labels = np.asarray(y)
    return [np.unique(column) for column in (labels.T if labels.ndim == 2 else [labels])]
