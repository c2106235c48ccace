"""Gating: the weights of the members depend on x.

Members: the given models. F: the mean with weights q_t(x) >= 0 of a gate, which learns from
held-out predictions where each member is accurate. C: the arg max, or any rule; the identity in
regression.

References: R. Jacobs, M. Jordan, S. Nowlan & G. Hinton (1991), Adaptive mixtures of local experts,
Neural Computation 3, 79-87; K. Woods, W. Kegelmeyer & K. Bowyer (1997), Combination of multiple
classifiers using local accuracy estimates, IEEE TPAMI 19, 405-410.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats, Kind, Params
from nonet._base.frames import make_indexable, take_rows
from nonet._base.params import Choice, Having, Integer, Rule, check_params
from nonet.combine.gated import GatedMean
from nonet.ensemble import EnsembleClassifier, EnsembleRegressor
from nonet.members.ledger import Ledger
from nonet.stacking.cross_fitted_models import LedgerModels
from nonet.stacking.model_docs import with_model_docs
from nonet.stacking.routed.competence import ModelGate, NearestGate
from nonet.stacking.single_target import SingleTarget


class Gated(SingleTarget, LedgerModels):
    """Parent of the ensembles whose members have different weights at each row."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        **LedgerModels._rules,
        "gate": Choice("nearest")
        | Having("a classifier with fit and predict_proba", "fit", "predict_proba"),
        "select": Choice("weights", "best"),
        "n_neighbors": Integer(1),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        gate: Any = "nearest",
        *,
        select: str = "weights",
        n_neighbors: int = 15,
        decide: Any = None,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.estimators = estimators
        self.gate = gate
        self.select = select
        self.n_neighbors = n_neighbors
        self.decide = decide
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit_gated(self, reads: Kind, X: Any, y: Array, fit_params: Params) -> None:
        """Fit the members, and the gate on their held-out losses."""
        own, passed_on = self._own_params(fit_params, X, y)
        plans = self._plans(passed_on)
        ledger = self._cross_fit(plans, reads, X, y, own)
        self._remember_members(self._members(plans, X, y, ledger))
        rows = ledger.covered_rows
        losses = self._losses(ledger, rows, reads, y)
        self.gate_ = self._new_gate().fit(take_rows(make_indexable(X), rows), losses)
        self.combine_ = GatedMean(self.gate_, reads)

    def _losses(self, ledger: Ledger, rows: Array, reads: Kind, y: Array) -> Floats:
        """Return the (rows, members) losses of the held-out predictions."""
        raise NotImplementedError

    def _new_gate(self) -> Any:
        best = self.select == "best"
        if isinstance(self.gate, str):
            return NearestGate(self.n_neighbors, best)
        return ModelGate(self.gate, best)

    def gate_weights(self, X: Any) -> Floats:
        """Return the weight of each member at each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        weights : ndarray of shape (n_samples, n_members)
            At least 0; rows sum to one.
        """
        check_is_fitted(self)
        weights: Floats = self.gate_.weigh(X)
        return weights


@with_model_docs
class GatedClassifier(Gated, EnsembleClassifier):
    """Average classifiers with weights that depend on the row: ``F = sum_t q_t(x) b_t(x)``.

    1. Members predict rows they have not seen (out of fold).
    2. A gate learns from these predictions where each member is accurate.
    3. At a new row the gate returns the weights q_t(x) of the members' probabilities.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The members, each with its name, with ``predict_proba``.
    gate : 'nearest' or classifier, default='nearest'
        'nearest': a member is weighted by its loss on the nearest training rows (in
        standardised columns). A classifier with ``predict_proba`` learns which member is best;
        its probabilities are the weights.
    {gate_options}
    {class_decide}
    cv : int, splitter or iterable, default=None
        How rows are held out; None is 5 folds.
    {n_jobs}
    {fold_verbose}

    Attributes
    ----------
    {fitted_members}
    {gate_attributes}
    decide_ : callable
        C: maps support to labels.
    {class_estimators}
    {classes}
    {columns}

    See Also
    --------
    VotingClassifier : One constant weight per member.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from nonet import GatedClassifier
    >>> X, y = make_moons(300, noise=0.2, random_state=0)
    >>> members = [("line", LogisticRegression()), ("bayes", GaussianNB())]
    >>> gated = GatedClassifier(members, select="best").fit(X, y)
    >>> gated.gate_weights(X[:3]).shape
    (3, 2)
    """

    def fit(self, X: Any, y: Any, **fit_params: Any) -> GatedClassifier:
        """Fit the members, and the gate on their held-out predictions.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        **fit_params : dict
            As in :class:`VotingClassifier`.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        labels = self._check_single_target(X, y)
        rules = self._resolve_untuned()
        self._check_probabilities()
        self._fit_gated("probabilities", X, labels, fit_params)
        self.decide_ = self._bind_decide(rules, X, labels, None, {})
        return self

    def _check_probabilities(self) -> None:
        for name, model in self._kept():
            if not hasattr(model, "predict_proba"):
                raise TypeError(
                    f"GatedClassifier: member {name!r} ({type(model).__name__}) has no "
                    "predict_proba, which the gate weighs; calibrate it, or drop it."
                )

    def _losses(self, ledger: Ledger, rows: Array, reads: Kind, y: Array) -> Floats:
        """Return the squared error of the probabilities (Brier), summed over the classes."""
        predicted = ledger.predictions_as(reads)[0][rows]
        truth = np.eye(len(self.classes_))[self._truth(y)[0][rows]]
        return np.asarray(((predicted - truth[:, np.newaxis]) ** 2).sum(axis=2))


@with_model_docs
class GatedRegressor(Gated, EnsembleRegressor):
    """Average regressors with weights that depend on the row: ``F = sum_t q_t(x) b_t(x)``.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The members, each with its name.
    gate : 'nearest' or classifier, default='nearest'
        'nearest': a member is weighted by its squared error on the nearest training rows (in
        standardised columns). A classifier with ``predict_proba`` learns which member is best;
        its probabilities are the weights.
    {gate_options}
    decide : callable, default=None
        C: a function of the combined values; None is the identity.
    cv : int, splitter or iterable, default=None
        How rows are held out; None is 5 folds.
    {n_jobs}
    {fold_verbose}

    Attributes
    ----------
    {fitted_members}
    {gate_attributes}
    decide_ : callable
        C: the identity or the given function.
    {value_estimators}
    {columns}

    See Also
    --------
    VotingRegressor : One constant weight per member.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from nonet import GatedRegressor
    >>> X = np.linspace(-1, 1, 200)[:, np.newaxis]
    >>> y = np.where(X[:, 0] < 0, X[:, 0], np.sin(20 * X[:, 0]))
    >>> members = [("line", LinearRegression()), ("near", KNeighborsRegressor(3))]
    >>> gated = GatedRegressor(members, cv=5).fit(X, y)
    >>> gated.predict(X[:2]).shape
    (2,)
    """

    def fit(self, X: Any, y: Any, **fit_params: Any) -> GatedRegressor:
        """Fit the members, and the gate on their held-out predictions.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        **fit_params : dict
            As in :class:`VotingRegressor`.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        values = self._check_single_target(X, y)
        self._fit_gated("values", X, values, fit_params)
        self.decide_ = self._bind_decide(self.decide)
        return self

    def _losses(self, ledger: Ledger, rows: Array, reads: Kind, y: Array) -> Floats:
        predicted = ledger.predictions_as(reads)[0][rows]
        return np.asarray((predicted - y[rows, np.newaxis]) ** 2)
