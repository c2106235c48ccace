"""A cascade with early exit: cheap members predict confident rows, later members the rest.

Members: the given models, cheap ones first. F: the output of the first confident member. C: the
arg max, or any rule; it can abstain where even the last member is not confident.

Reference: P. Viola & M. Jones (2001), Rapid object detection using a boosted cascade of simple
features, CVPR, where most windows exit at the first stages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats, Kind
from nonet._base.arrays import check_member_weights
from nonet._base.frames import count_rows, make_indexable, take_rows
from nonet._base.params import ArrayLike, Nothing, Real, Rule, bad_parameter, check_params
from nonet.ensemble import EnsembleClassifier
from nonet.members.outputs import check_can_predict, predict_member
from nonet.stacking.given_models import GivenModels
from nonet.stacking.model_docs import with_model_docs
from nonet.stacking.single_target import SingleTarget


@dataclass(frozen=True)
class FirstSure:
    """F of a cascade: the probabilities of the first confident member, or of the last one.

    Attributes
    ----------
    bars : ndarray of shape (n_members - 1,)
        The minimum highest probability at which a member is confident.
    """

    bars: Floats
    reads: Kind = "probabilities"

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        bars = ", ".join(dict.fromkeys(f"{bar:.4g}" for bar in self.bars.tolist()))
        return f"first member with a support of {bars} for a class, or the last"

    def stages(self, outputs: Floats) -> Codes:
        """Return the position of the member that predicts each row."""
        sure = outputs[:, :-1].max(axis=2) >= self.bars
        last = np.ones((len(outputs), 1), dtype=bool)
        return np.asarray(np.hstack([sure, last]).argmax(axis=1))

    def __call__(self, outputs: Floats, X: Any = None) -> Floats:
        """Return the probabilities of the member that predicts each row."""
        return np.asarray(outputs[np.arange(len(outputs)), self.stages(outputs)])


@with_model_docs
class CascadeClassifier(SingleTarget, GivenModels, EnsembleClassifier):
    """Predict with members one after another, until one is confident.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The members in the order in which they predict, cheap ones first, with
        ``predict_proba``.
    sure : float or array-like of shape (n_estimators - 1,), default=0.9
        A member predicts a row where its highest probability reaches this; the others go on to the
        next member. The last member predicts all remaining rows.
    costs : array-like of shape (n_estimators,), default=None
        The cost of a prediction of each member for one row; None is 1 each.
    decide : str or rule, default=None
        C: 'argmax' if None; ``nonet.decide.Abstain(0.6)`` rejects rows on which the predicting
        member is less confident.
    {n_jobs}
    {verbose}

    Attributes
    ----------
    {fitted_members}
    combine_ : callable
        F: maps probabilities of all members to those of the first confident one.
    decide_ : callable
        C: maps support to labels.
    {class_estimators}
    {classes}
    {columns}

    See Also
    --------
    ClassTreeClassifier : Decisions one after another down a tree of classes.
    RoutedClassifier : A router chooses the member for each row.

    Notes
    -----
    A member's probabilities should be calibrated: an overconfident one ends the cascade.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> from nonet import CascadeClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> cascade = CascadeClassifier(
    ...     [
    ...         ("line", LogisticRegression(max_iter=2000)),
    ...         ("forest", RandomForestClassifier(100, random_state=0)),
    ...     ],
    ...     sure=0.99,
    ...     costs=[1, 100],
    ... ).fit(X[::2], y[::2])
    >>> bool(cascade.mean_cost(X[1::2]) < 50)
    True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **GivenModels._rules,
        "sure": Real(0, 1) | ArrayLike(),
        "costs": Nothing() | ArrayLike(),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        sure: Any = 0.9,
        *,
        costs: Any = None,
        decide: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.estimators = estimators
        self.sure = sure
        self.costs = costs
        self.decide = decide
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, **fit_params: Any) -> CascadeClassifier:
        """Fit the members and set up F and C.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        **fit_params : dict
            As in :class:`VotingClassifier`.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        labels = self._check_single_target(X, y)
        plans = self._plans(fit_params)
        bars = self._bars(len(plans))
        self._costs = check_member_weights(self.costs, len(plans))
        rules = self._resolve_untuned()
        self._remember_members(self._fit_plans(plans, X, labels))
        check_can_predict(self.members_, "probabilities", "first sure")
        self.combine_ = FirstSure(bars)
        self.decide_ = self._bind_decide(rules, X, labels, None, fit_params)
        return self

    def _bars(self, n_members: int) -> Floats:
        try:
            given = np.asarray(self.sure, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            given = np.empty(0)
        if given.shape not in ((), (n_members - 1,)):
            allowed = f"one number, or one for each of the {n_members - 1} members before the last"
            raise bad_parameter(self, "sure", allowed, self.sure)
        bars = np.broadcast_to(given, (n_members - 1,))
        if not np.all((bars >= 0) & (bars <= 1)):
            raise bad_parameter(self, "sure", "between 0 and 1", self.sure)
        # The maximum of c probabilities is at least 1/c: below that threshold no row moves on.
        idle = np.flatnonzero(bars <= 1 / len(self.classes_))
        if idle.size and len(self.classes_) > 1:
            names = [name for name, _ in self._kept()]
            raise ValueError(
                f"CascadeClassifier: member {names[idle[0] + 1]!r} can never predict, as "
                f"{names[idle[0]]!r} is sure from {bars[idle[0]]} on and the maximum of "
                f"{len(self.classes_)} probabilities is at least that; raise 'sure'."
            )
        return bars.copy()

    def exit_stages(self, X: Any) -> Codes:
        """Return the position of the member that predicts each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        stages : ndarray of int of shape (n_samples,)
        """
        return self._run(X)[1]

    def mean_cost(self, X: Any) -> float:
        """Return the mean cost of predicting a row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        cost : float
            Each row costs the sum over the members that process it.
        """
        costs = np.ones(len(self.members_)) if self._costs is None else self._costs
        return float(np.cumsum(costs)[self.exit_stages(X)].mean())

    def _support(self, X: Any) -> Floats:
        return self._run(X)[0]

    def _run(self, X: Any) -> tuple[Floats, Codes]:
        """Call the members in turn, each on the rows that are still open."""
        check_is_fitted(self)
        table, n_rows = make_indexable(X), count_rows(X)
        support = np.empty((n_rows, len(self.classes_)))
        stages = np.zeros(n_rows, dtype=np.intp)
        rows: Array = np.arange(n_rows)
        bars = [*self.combine_.bars, 0.0]
        for position, (member, bar) in enumerate(zip(self.members_, bars, strict=True)):
            view = take_rows(table, rows if position else None)
            predicted = predict_member(
                member, view, "probabilities", [self.classes_], position, len(bars)
            )[0]
            support[rows], stages[rows] = predicted, position
            rows = rows[predicted.max(axis=1) < bar]
            if not rows.size:
                break
        return support, stages
