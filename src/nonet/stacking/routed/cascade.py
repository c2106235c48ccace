"""A cascade with early exit: cheap members answer what they are sure of, the rest moves on.

Members: the given models, cheap ones first. F: the answer of the first member that is sure. C: the
arg max, or any rule; silence where even the last one is not sure.

Reference: P. Viola & M. Jones (2001), Rapid object detection using a boosted cascade of simple
features, CVPR, where most windows leave at the first stages.
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
from nonet.members.outputs import ask_member, check_can_answer
from nonet.stacking.given_models import GivenModels
from nonet.stacking.model_docs import with_model_docs
from nonet.stacking.single_target import SingleTarget


@dataclass(frozen=True)
class FirstSure:
    """F of a cascade: the probabilities of the first member that is sure, or of the last.

    Attributes
    ----------
    bars : ndarray of shape (n_members - 1,)
        From which largest probability on a member is sure.
    """

    bars: Floats
    reads: Kind = "probabilities"

    def stages(self, outputs: Floats) -> Codes:
        """Return which member answers each row."""
        sure = outputs[:, :-1].max(axis=2) >= self.bars
        last = np.ones((len(outputs), 1), dtype=bool)
        return np.asarray(np.hstack([sure, last]).argmax(axis=1))

    def __call__(self, outputs: Floats, X: Any = None) -> Floats:
        """Return the probabilities of the member that answers."""
        return np.asarray(outputs[np.arange(len(outputs)), self.stages(outputs)])


@with_model_docs
class CascadeClassifier(SingleTarget, GivenModels, EnsembleClassifier):
    """Members asked one after another, until one is sure.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The members in the order in which they are asked, cheap ones first, with
        ``predict_proba``.
    sure : float or array-like of shape (n_estimators - 1,), default=0.9
        A member answers where its largest probability reaches this; the others go on to the
        next member. The last member answers whatever is left.
    costs : array-like of shape (n_estimators,), default=None
        What it costs to ask each member about one row; None is 1 each.
    decide : str or rule, default=None
        C: 'argmax' if None; ``nonet.decide.Abstain(0.6)`` rejects rows on which the answering
        member is less sure.
    {n_jobs}
    {verbose}

    Attributes
    ----------
    {fitted_members}
    combine_ : callable
        F: probabilities of all members in, those of the first sure one out.
    decide_ : callable
        C.
    {class_estimators}
    {classes}
    {columns}

    See Also
    --------
    ClassTreeClassifier : Decisions one after another down a tree of classes.
    RoutedClassifier : A router picks the member for each row.

    Notes
    -----
    A member's probabilities should be calibrated: one that is always sure ends the cascade.

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
        """Fit the members and settle F and C.

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
        check_can_answer(self.members_, "probabilities", "first sure")
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
        # The largest of c probabilities is at least 1/c: under that bar nobody moves on.
        idle = np.flatnonzero(bars <= 1 / len(self.classes_))
        if idle.size and len(self.classes_) > 1:
            names = [name for name, _ in self._kept()]
            raise ValueError(
                f"CascadeClassifier: member {names[idle[0] + 1]!r} can never be asked, as "
                f"{names[idle[0]]!r} is sure from {bars[idle[0]]} on and the largest of "
                f"{len(self.classes_)} probabilities is at least that; raise 'sure'."
            )
        return bars.copy()

    def exit_stages(self, X: Any) -> Codes:
        """Return the position of the member that answers each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        stages : ndarray of int of shape (n_samples,)
        """
        return self._run(X)[1]

    def mean_cost(self, X: Any) -> float:
        """Return the mean cost of answering a row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        cost : float
            Each row pays for every member that was asked about it.
        """
        costs = np.ones(len(self.members_)) if self._costs is None else self._costs
        return float(np.cumsum(costs)[self.exit_stages(X)].mean())

    def _support(self, X: Any) -> Floats:
        return self._run(X)[0]

    def _run(self, X: Any) -> tuple[Floats, Codes]:
        """Ask the members in turn, each about the rows that are still open."""
        check_is_fitted(self)
        table, n_rows = make_indexable(X), count_rows(X)
        support = np.empty((n_rows, len(self.classes_)))
        stages = np.zeros(n_rows, dtype=np.intp)
        rows: Array = np.arange(n_rows)
        bars = [*self.combine_.bars, 0.0]
        for place, (member, bar) in enumerate(zip(self.members_, bars, strict=True)):
            view = take_rows(table, rows if place else None)
            said = ask_member(member, view, "probabilities", [self.classes_], place, len(bars))[0]
            support[rows], stages[rows] = said, place
            rows = rows[said.max(axis=1) < bar]
            if not rows.size:
                break
        return support, stages
