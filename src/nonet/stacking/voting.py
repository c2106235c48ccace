"""Voting: combine given models by a fixed rule.

Members: the given models, each fitted on all rows. F: any rule of ``nonet.combine``. C: any
rule of ``nonet.decide``; the identity in regression.

References
----------
L. I. Kuncheva, *Combining Pattern Classifiers*, 2nd edition, Wiley, 2014, chapters 4 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.preprocessing import LabelEncoder

from nonet._base.aliases import Array
from nonet._base.arrays import encode_labels
from nonet._base.params import Boolean, Choice, Rule, check_params
from nonet.combine.table import bind_rule, resolve_combination_rule, rule_name
from nonet.ensemble import PerTarget
from nonet.members.outputs import check_can_predict
from nonet.members.plan import MemberPlan
from nonet.stacking.given_models import side_by_side
from nonet.stacking.model_docs import with_model_docs
from nonet.stacking.prefit_models import PrefitModels
from nonet.stacking.weighted_models import WeightedClassifier, WeightedRegressor


@with_model_docs
class VotingClassifier(PrefitModels, WeightedClassifier):
    """Combine classifiers by voting, averaging or any other rule.

    ``a(x) = C(F(b_1(x), ..., b_k(x)))`` with the given models as members. It takes the
    parameters of scikit-learn's class of the same name; ``combine`` and later parameters are new.

    Parameters
    ----------
    {members}
    voting : {'hard', 'soft'}, default='hard'
        'hard' is ``combine='plurality'``, 'soft' is ``combine='mean'``. Ignored if
        ``combine`` is given.
    {voting_weights}
    {n_jobs}
    flatten_transform : bool, default=True
        Whether ``transform`` concatenates probabilities in a matrix of shape
        (n_samples, n_members * n_classes) rather than (n_members, n_samples, n_classes).
    {verbose}
    combine : str, rule or callable, default=None
        F: 'plurality', 'majority', 'and', 'or', 'mean', 'median', 'trimmed_mean', 'min', 'max',
        'product', 'log_pool', 'borda', 'score_sum' (the sum of the members' decision functions), an
        object such as ``nonet.combine.KOfN(2)``, or a function of the outputs.
    decide : str or rule, default=None
        C: 'argmax' if None; an object such as ``nonet.decide.Abstain(min_support=0.7)``.
    cv : int, splitter or iterable, default=None
        How rows are held out when weights are found or a threshold is tuned; None is 5 folds.
    {prefit}

    Attributes
    ----------
    {fitted_members}
    combine_ : callable
        F with its weights: maps member outputs to support of the classes.
    decide_ : callable
        C: maps support to labels.
    estimators_ : list of classifiers
        The fitted models. They are fitted on the user's own labels; one that accepts only the codes
        0..k-1 is wrapped in a ``LabelEncodedClassifier``.
    {voting_attributes}
    classes_ : ndarray of shape (n_classes,), or a list of them
        The classes; a list for several targets.
    le_ : LabelEncoder
        Converts labels to codes and back, for compatibility with scikit-learn (one target only).
    {columns}

    See Also
    --------
    VotingRegressor : Voting for regression.
    nonet.combine : The combination rules.
    nonet.decide : The decision rules.

    Notes
    -----
    Deliberate differences from scikit-learn: members are fitted on the user's labels, so
    that ``class_weight={'a': 1, 'b': 2}`` works inside; ``predict_proba`` exists for hard
    voting (vote fractions); several targets are possible.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import VotingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> members = [
    ...     ("linear", LogisticRegression(max_iter=1000)),
    ...     ("bayes", GaussianNB()),
    ...     ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ... ]
    >>> vote = VotingClassifier(members, combine="median").fit(X, y)
    >>> vote.predict(X[:3])
    array([0, 0, 0])
    >>> vote.member_outputs(X[:3]).shape
    (3, 3, 3)
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **WeightedClassifier._rules,
        "voting": Choice("hard", "soft"),
        "flatten_transform": Boolean(),
        "prefit": Boolean(),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        *,
        voting: str = "hard",
        weights: Any = None,
        n_jobs: int | None = None,
        flatten_transform: bool = True,
        verbose: bool | int = False,
        combine: Any = None,
        decide: Any = None,
        cv: Any = None,
        prefit: bool = False,
    ) -> None:
        self.estimators = estimators
        self.voting = voting
        self.weights = weights
        self.n_jobs = n_jobs
        self.flatten_transform = flatten_transform
        self.verbose = verbose
        self.combine = combine
        self.decide = decide
        self.cv = cv
        self.prefit = prefit

    def fit(self, X: Any, y: Any, **fit_params: Any) -> VotingClassifier:
        """Fit the members and set up F and C.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Labels of any type.
        **fit_params : dict
            ``sample_weight`` goes to every member; with scikit-learn's metadata routing
            enabled, all metadata that the members request. ``groups``, the group of each row, goes
            to the splitter ``cv``. ``ledger``, made by :func:`nonet.make_ledger`, replaces
            the cross-validated fits of the members.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        labels = self._check_target(y)
        own, passed_on = self._own_params(fit_params, X, labels)
        plans = self._plans(passed_on)
        if self.prefit:
            self.classes_ = _common_classes(plans, self.classes_)
        if labels.ndim == 1:
            self.le_ = LabelEncoder().fit(self.classes_)
        self._fit_weighted(plans, X, labels, own, passed_on)
        return self

    def _combine_name(self) -> Any:
        if self.combine is not None:
            return self.combine
        return "mean" if self.voting == "soft" else "plurality"

    @property
    def combine_(self) -> Any:
        """F with its weights: maps member outputs to support.

        ``voting`` may be changed after ``fit``, as in scikit-learn; F then keeps the weights.
        """
        if self.combine is not None:
            return self._combine
        parts = getattr(self._combine, "parts", (self._combine,))
        if rule_name(parts[0].rule) == self._combine_name():
            return self._combine
        rule = resolve_combination_rule(self._combine_name(), "classification")
        check_can_predict(self.members_, rule.reads["classification"], rule_name(rule))
        bound = [bind_rule(rule, len(self.members_), part.weights, part.classes) for part in parts]
        return bound[0] if len(bound) == 1 else PerTarget(tuple(bound))

    @combine_.setter
    def combine_(self, rule: Any) -> None:
        self._combine = rule

    def transform(self, X: Any) -> Any:
        """Return the outputs of the members.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        predictions : ndarray
            Class codes of shape (n_samples, n_members) for a rule that reads labels; else
            probabilities or scores in the shape set by ``flatten_transform``.
        """
        outputs = self.member_outputs(X)
        if self.flatten_transform or isinstance(outputs, list) or outputs.ndim == 2:
            return side_by_side(outputs)
        return np.moveaxis(outputs, 1, 0)

    def _column_names(self) -> list[str]:
        if not self.flatten_transform and self.combine_.reads != "labels":
            raise ValueError(
                "get_feature_names_out needs flatten_transform=True: a column has no name of its "
                "own in an array of shape (n_members, n_samples, n_classes)."
            )
        return super()._column_names()


@with_model_docs
class VotingRegressor(PrefitModels, WeightedRegressor):
    """Combine regressors by averaging or any other rule.

    ``a(x) = F(b_1(x), ..., b_k(x))`` with the given models as members. It takes the
    parameters of scikit-learn's class of the same name; ``combine`` and later parameters are new.

    Parameters
    ----------
    {members}
    {voting_weights}
    {n_jobs}
    {verbose}
    combine : str, rule or callable, default=None
        F: 'mean', 'median', 'trimmed_mean', 'min', 'max', 'sum', 'geometric_mean',
        an object such as ``nonet.combine.TrimmedMean(0.2)``, or a function of the outputs.
        None is 'mean', or 'sum' where ``weights`` finds factors rather than fractions
        ('non_negative', 'ridge_to_uniform').
    decide : callable, default=None
        C: a function of the combined values (rounding, clipping); None is the identity.
    cv : int, splitter or iterable, default=None
        How rows are held out when weights are found; None is 5 folds.
    {prefit}

    Attributes
    ----------
    {fitted_members}
    combine_ : callable
        F with its weights: maps member outputs to combined values.
    decide_ : callable
        C: the identity or the given function.
    {value_estimators}
    {voting_attributes}
    {columns}

    See Also
    --------
    VotingClassifier : Voting for classification.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from nonet import VotingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> members = [("linear", LinearRegression()), ("near", KNeighborsRegressor(20))]
    >>> vote = VotingRegressor(members, weights="simplex").fit(X, y)
    >>> float(vote.weights_.sum().round(6))
    1.0
    """

    _rules: ClassVar[Mapping[str, Rule]] = {**WeightedRegressor._rules, "prefit": Boolean()}

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        *,
        weights: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        combine: Any = None,
        decide: Any = None,
        cv: Any = None,
        prefit: bool = False,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.combine = combine
        self.decide = decide
        self.cv = cv
        self.prefit = prefit

    def fit(self, X: Any, y: Any, **fit_params: Any) -> VotingRegressor:
        """Fit the members and set up F and C.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        **fit_params : dict
            ``sample_weight`` goes to every member; with scikit-learn's metadata routing
            enabled, all metadata that the members request. ``groups``, the group of each row, goes
            to the splitter ``cv``. ``ledger``, made by :func:`nonet.make_ledger`, replaces
            the cross-validated fits of the members.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        values = self._check_target(y)
        own, passed_on = self._own_params(fit_params, X, values)
        self._fit_weighted(self._plans(passed_on), X, values, own)
        return self


def _common_classes(plans: list[MemberPlan], seen: Any) -> Any:
    """Return the classes of all prefit members; rows passed to fit may lack some of them."""
    first = plans[0]
    known = first.estimator.classes_
    for plan in plans[1:]:
        if not _same_classes(plan.estimator.classes_, known):
            raise ValueError(
                f"prefit members must have the same classes, but {first.name!r} has "
                f"{_plain(known)} and {plan.name!r} has {_plain(plan.estimator.classes_)}."
            )
    for new, of_target in zip(_as_list(seen), _as_list(known), strict=True):
        encode_labels(new, of_target)  # raises on a label that is no class of the members
    return known


def _as_list(classes: Any) -> list[Array]:
    return classes if isinstance(classes, list) else [classes]


def _same_classes(one: Any, other: Any) -> bool:
    return len(_as_list(one)) == len(_as_list(other)) and all(
        np.array_equal(a, b) for a, b in zip(_as_list(one), _as_list(other), strict=True)
    )


def _plain(classes: Any) -> list[Any]:
    return [known.tolist() for known in _as_list(classes)]
