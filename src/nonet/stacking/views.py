"""Views: one member per group of columns, such as voice, face and behaviour.

Members: the given models, each on its own columns. F: any rule. C: any rule; the identity in
regression.

Reference: A. Blum & T. Mitchell (1998), Combining labeled and unlabeled data with co-training,
COLT, 92-100, which introduced views of one object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._indexing import _get_column_indices

from nonet._base.aliases import Array, Params
from nonet._base.number_tables import read_table
from nonet._base.params import Instance, Rule, bad_parameter, check_params
from nonet.members.plan import MemberPlan
from nonet.stacking.model_docs import with_model_docs
from nonet.stacking.weighted_models import (
    WeightedClassifier,
    WeightedModels,
    WeightedRegressor,
)


class Views(WeightedModels):
    """Parent of the ensembles whose members use different columns."""

    view_columns_: dict[str, Array]
    _rules: ClassVar[Mapping[str, Rule]] = {
        **WeightedModels._rules,
        "views": Instance("a dictionary of columns by name", dict),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        views: dict[str, Any],
        *,
        combine: Any = None,
        decide: Any = None,
        weights: Any = None,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.estimators = estimators
        self.views = views
        self.combine = combine
        self.decide = decide
        self.weights = weights
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _look(self, X: Any, fit_params: Params) -> Any:
        """Check the table, and store its columns and those of each view."""
        if fit_params.get("ledger") is not None:
            raise ValueError(
                f"{type(self).__name__} makes its own held-out predictions: a ledger does not "
                "store the columns of its members."
            )
        table = read_table(self, X, reset=True)
        names = [name for name, _ in self._kept()]
        strangers = [name for name in self.views if name not in dict(self.estimators)]
        blind = [name for name in names if name not in self.views]
        if strangers or blind:
            allowed = f"a dictionary with the columns of each of the members {names}"
            raise bad_parameter(self, "views", allowed, dict(self.views))
        self.view_columns_ = {name: self._find(table, name) for name in names}
        return table

    def _find(self, table: Any, name: str) -> Array:
        named = self.views[name]
        try:
            named = named(table) if callable(named) else named
            columns = np.asarray(_get_column_indices(table, named), dtype=np.intp)
        except (ValueError, TypeError, IndexError, KeyError) as why:
            raise ValueError(
                f"{type(self).__name__}: view {name!r} has columns that X does not have: {why}"
            ) from why
        if not columns.size:
            raise ValueError(f"{type(self).__name__}: view {name!r} has no column.")
        return columns

    def _plans(self, fit_params: Params) -> list[MemberPlan]:
        plans = super()._plans(fit_params)
        return [replace(plan, columns=self.view_columns_[plan.name]) for plan in plans]

    @property
    def n_features_in_(self) -> int:
        """Number of columns of the whole table seen during fit."""
        return self._n_columns

    @n_features_in_.setter
    def n_features_in_(self, count: int) -> None:
        self._n_columns = count

    def _remember_members(self, members: list[Any]) -> None:
        own = getattr(self, "feature_names_in_", None)
        super()._remember_members(members)
        if own is not None:  # the table's, not those of the first view
            self.feature_names_in_ = own

    def member_outputs(self, X: Any) -> Any:
        """Return the outputs of every member on its columns of X, in the form that F reads.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
        """
        return super().member_outputs(read_table(self, X, reset=False))


@with_model_docs
class ViewsClassifier(Views, WeightedClassifier):
    """Combine classifiers that each use one named group of columns.

    ``a(x) = C(F(b_1(x_1), ..., b_k(x_k)))`` with ``x_i`` the columns of view i.

    Parameters
    ----------
    {views}
    combine : str, rule or callable, default=None
        F, the mean of probabilities if None; see :class:`VotingClassifier`.
    {class_decide}
    weights : array-like of shape (n_estimators,), str or WeightFinder, default=None
        The weight of each view, or a method to find it on held-out predictions.
    cv : int, splitter or iterable, default=None
        How rows are held out when weights are found or a threshold is tuned; None is 5 folds.
    {n_jobs}
    {verbose}

    Attributes
    ----------
    {views_attributes}
    combine_ : callable
        F with its weights.
    decide_ : callable
        C: maps support to labels.
    {class_estimators}
    {classes}
    {columns}

    See Also
    --------
    VotingClassifier : Members that all use every column.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from nonet import ViewsClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> flowers = ViewsClassifier(
    ...     [("sepal", GaussianNB()), ("petal", LogisticRegression(max_iter=1000))],
    ...     views={
    ...         "sepal": ["sepal length (cm)", "sepal width (cm)"],
    ...         "petal": ["petal length (cm)", "petal width (cm)"],
    ...     },
    ...     combine="product",
    ... ).fit(X, y)
    >>> flowers.members_[1].columns
    array([2, 3])
    >>> flowers.predict(X[:3])
    array([0, 0, 0])
    """

    def fit(self, X: Any, y: Any, **fit_params: Any) -> ViewsClassifier:
        """Fit each member on its columns, and set up F and C.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        **fit_params : dict
            As in :class:`VotingClassifier`, without ``ledger``.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        table = self._look(X, fit_params)
        labels = self._check_target(y)
        own, passed_on = self._own_params(fit_params, X, labels)
        self._fit_weighted(self._plans(passed_on), table, labels, own, passed_on)
        return self

    def _combine_name(self) -> Any:
        return "mean" if self.combine is None else self.combine


@with_model_docs
class ViewsRegressor(Views, WeightedRegressor):
    """Combine regressors that each use one named group of columns.

    Parameters
    ----------
    {views}
    combine : str, rule or callable, default=None
        F; see :class:`VotingRegressor`.
    decide : callable, default=None
        C: a function of the combined values; None is the identity.
    weights : array-like of shape (n_estimators,), str or WeightFinder, default=None
        The weight of each view, or a method to find it on held-out predictions.
    cv : int, splitter or iterable, default=None
        How rows are held out when weights are found; None is 5 folds.
    {n_jobs}
    {verbose}

    Attributes
    ----------
    {views_attributes}
    combine_ : callable
        F with its weights.
    decide_ : callable
        C: the identity or the given function.
    {value_estimators}
    {columns}

    See Also
    --------
    VotingRegressor : Members that all use every column.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from nonet import ViewsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> both = ViewsRegressor(
    ...     [("body", Ridge(0.1)), ("blood", Ridge(0.1))],
    ...     views={"body": slice(0, 4), "blood": slice(4, 10)},
    ...     weights="non_negative",
    ... ).fit(X, y)
    >>> both.weights_.shape
    (2,)
    """

    def fit(self, X: Any, y: Any, **fit_params: Any) -> ViewsRegressor:
        """Fit each member on its columns, and set up F and C.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        **fit_params : dict
            As in :class:`VotingRegressor`, without ``ledger``.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        table = self._look(X, fit_params)
        values = self._check_target(y)
        own, passed_on = self._own_params(fit_params, X, values)
        self._fit_weighted(self._plans(passed_on), table, values, own)
        return self
