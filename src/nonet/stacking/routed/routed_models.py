"""Routing: a router assigns each row to a member, which predicts it.

For example, flats bought to live in and flats bought to let have different prices: a router
separates the two, and one member per purpose predicts the price. Frontal and profile faces are
another example.

Members: the given models, each on the rows of its route. F: the output of the member on the
row's route, or the mean of all with the probabilities of the routes. C: the arg max, or any rule;
the identity in regression.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone, is_clusterer
from sklearn.cluster import KMeans
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats, Kind, Params
from nonet._base.frames import make_indexable
from nonet._base.inputs import check_is_table
from nonet._base.params import Choice, Having, Nothing, Rule, bad_parameter, check_params
from nonet.combine.gated import GatedMean
from nonet.ensemble import EnsembleClassifier, EnsembleRegressor
from nonet.members.outputs import check_can_predict
from nonet.stacking.given_models import GivenModels
from nonet.stacking.model_docs import with_model_docs
from nonet.stacking.routed.distance_columns import DistanceColumns
from nonet.stacking.routed.router import Router, fit_router
from nonet.stacking.single_target import SingleTarget, allow_one_class


class Routed(SingleTarget, GivenModels):
    """Parent of the ensembles with a router before their members."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        **GivenModels._rules,
        "router": Nothing() | Having("a classifier or clusterer with fit and predict", "predict"),
        "mix": Choice("hard", "soft"),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        router: Any = None,
        *,
        mix: str = "hard",
        decide: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.estimators = estimators
        self.router = router
        self.mix = mix
        self.decide = decide
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit_routed(self, reads: Kind, X: Any, y: Array, routes: Any, fit_params: Params) -> None:
        """Fit the router on all rows and each member on those of its route."""
        plans = self._plans(fit_params)
        table = make_indexable(X)
        router, codes = self._fit_router(table, routes, [plan.name for plan in plans])
        lost = [p.name for position, p in enumerate(plans) if not np.any(codes == position)]
        if lost:
            raise ValueError(
                f"{type(self).__name__}: no row takes the route of member {lost[0]!r}, so it can "
                "learn nothing; drop it, or add its rows to routes."
            )
        dealt = [
            replace(plan, rows=np.flatnonzero(codes == position))
            for position, plan in enumerate(plans)
        ]
        if self._classes_by_target is not None:
            dealt = [allow_one_class(plan, y) for plan in dealt]
        self._remember_members(self._fit_plans(dealt, table, y))
        check_can_predict(self.members_, reads, "routing")
        self.router_, self.combine_ = router.model, GatedMean(router, reads)

    def _fit_router(self, table: Any, routes: Any, names: list[str]) -> tuple[Router, Codes]:
        """Fit the router; return it, and the position of the member for each row."""
        model = clone(self._router_model(len(names)))
        if is_clusterer(model):
            if routes is not None:
                allowed = "a classifier if routes are given, which a clusterer would not learn"
                raise bad_parameter(self, "router", allowed, self.router)
            router = self._fit_clusterer(model, table, len(names))
            return router, router.choose(table)
        if routes is None:
            raise ValueError(
                f"{type(self).__name__} needs fit(X, y, routes=...), the name of a member for "
                "each row, to fit its router; a clusterer as router finds routes by itself."
            )
        taken = np.asarray(routes).astype(str)
        unknown = sorted(set(taken.tolist()) - set(names))
        if unknown:
            raise ValueError(
                f"{type(self).__name__}: route {unknown[0]!r} has no member; the members are "
                f"{names}."
            )
        codes = np.array([names.index(route) for route in taken.tolist()])
        return Router(fit_router(model, table, codes), len(names), self.mix), codes

    def _fit_clusterer(self, model: Any, table: Any, n_routes: int) -> Router:
        if self.router is not None:
            return Router(fit_router(model, table), n_routes, self.mix)
        # k-means needs distances.
        columns = DistanceColumns(self.__sklearn_tags__().input_tags.allow_nan).fit(table)
        return Router(fit_router(model, columns.transform(table)), n_routes, self.mix, columns)

    def _router_model(self, n_routes: int) -> Any:
        if self.router is not None:
            return self.router
        return KMeans(n_routes, n_init=10, random_state=0)

    def route(self, X: Any) -> Floats:
        """Return the probability of each member's route for each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_members)
            Rows sum to one; with ``mix='hard'`` one entry is 1.
        """
        check_is_fitted(self)
        check_is_table(self, X)
        probabilities: Floats = self.combine_.gate.weigh(X)
        return probabilities

    def transform(self, X: Any) -> Array:
        """Return the outputs of all members, whatever the route.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        predictions : ndarray of shape (n_samples, n_members[ * n_classes])
        """
        self.route(X)  # checks X, which a constant member would not
        predictions: Array = super().transform(X)
        return predictions

    def _check_mix(self) -> None:
        router = self._router_model(1)
        if self.mix == "soft" and not hasattr(router, "predict_proba"):
            raise TypeError(
                f"{type(self).__name__}: mix='soft' needs a router with predict_proba, which "
                f"{type(router).__name__} does not have; use mix='hard'."
            )


@with_model_docs
class RoutedClassifier(Routed, EnsembleClassifier):
    """Predict each row with the classifier that a router chooses.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The members, named after their routes, with ``predict_proba``.
    {router}
    {class_decide}
    {n_jobs}
    {verbose}

    Attributes
    ----------
    {fitted_members}
    {router_attributes}
    decide_ : callable
        C: maps support to labels.
    {class_estimators}
    {classes}
    {columns}

    See Also
    --------
    GatedClassifier : Members fitted on all rows, weighted by their competence.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from nonet import RoutedClassifier
    >>> X, y = make_classification(300, random_state=0)
    >>> routes = ["left" if x < 0 else "right" for x in X[:, 0]]
    >>> members = [("left", LogisticRegression()), ("right", LogisticRegression())]
    >>> routed = RoutedClassifier(members, LogisticRegression()).fit(X, y, routes=routes)
    >>> routed.route(X[:2]).shape
    (2, 2)
    """

    def fit(self, X: Any, y: Any, routes: Any = None, **fit_params: Any) -> RoutedClassifier:
        """Fit the router, and each member on the rows of its route.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        routes : array-like of shape (n_samples,), default=None
            The name of the member for each row, used in training only; required unless the
            router is a clusterer.
        **fit_params : dict
            As in :class:`VotingClassifier`.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        self._check_mix()
        labels = self._check_single_target(X, y)
        rules = self._resolve_untuned()
        self._fit_routed("probabilities", X, labels, routes, fit_params)
        self.decide_ = self._bind_decide(rules, X, labels, None, fit_params)
        return self


@with_model_docs
class RoutedRegressor(Routed, EnsembleRegressor):
    """Predict each row with the regressor that a router chooses.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The members, named after their routes.
    {router}
    decide : callable, default=None
        C: a function of the values; None is the identity.
    {n_jobs}
    {verbose}

    Attributes
    ----------
    {fitted_members}
    {router_attributes}
    decide_ : callable
        C: the identity or the given function.
    {value_estimators}
    {columns}

    See Also
    --------
    GatedRegressor : Members fitted on all rows, weighted by their competence.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import RoutedRegressor
    >>> rng = np.random.default_rng(0)
    >>> area, rent = rng.uniform(30, 120, 200), rng.uniform(0, 1, 200)
    >>> purpose = np.where(rent > 0.5, "letting", "living")
    >>> price = np.where(purpose == "letting", 2 * area + 300 * rent, 5 * area)
    >>> X = np.column_stack([area, rent])
    >>> flats = RoutedRegressor(
    ...     [("living", LinearRegression()), ("letting", LinearRegression())],
    ...     DecisionTreeClassifier(max_depth=2),
    ... ).fit(X, price, routes=purpose)
    >>> flats.score(X, price) > 0.99
    True
    """

    def fit(self, X: Any, y: Any, routes: Any = None, **fit_params: Any) -> RoutedRegressor:
        """Fit the router, and each member on the rows of its route.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        routes : array-like of shape (n_samples,), default=None
            The name of the member for each row, used in training only; required unless the
            router is a clusterer.
        **fit_params : dict
            As in :class:`VotingRegressor`.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        self._check_mix()
        values = self._check_single_target(X, y)
        self._fit_routed("values", X, values, routes, fit_params)
        self.decide_ = self._bind_decide(self.decide)
        return self
