"""Blending: given models with weights found on held-out predictions.

Members: the given models. F: a sum, a mean or a pool with weights found on held-out predictions.
C: arg max, or any rule; the identity in regression.

References
----------
L. Breiman, Stacked regressions, Machine Learning 24, 1996.
A. Toescher, M. Jahrer, R. M. Bell, The BigChaos solution to the Netflix grand prize, 2009.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nonet._base.params import Anything, Instance, Rule
from nonet.combine.weights import WeightFinder
from nonet.stacking.learned.blended import (
    BlendedClassifier,
    BlendedModels,
    BlendedRegressor,
    resolve_blend,
)
from nonet.stacking.model_docs import with_model_docs


class _Blending(BlendedModels):
    """The parameters of both blends."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        **BlendedModels._rules,
        "weights": Instance("the name of a weight finder", str)
        | Instance("a WeightFinder", WeightFinder),
        "combine": Anything(),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        *,
        weights: str | WeightFinder = "simplex",
        combine: Any = None,
        decide: Any = None,
        cv: Any = None,
        refit: str = "all",
        out_of_bag: bool = False,
        errors: str | None = "jackknife",
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.combine = combine
        self.decide = decide
        self.cv = cv
        self.refit = refit
        self.out_of_bag = out_of_bag
        self.errors = errors
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _finder(self) -> WeightFinder:
        return resolve_blend(self.weights)

    def _combine_name(self, finder: WeightFinder) -> Any:
        return super()._combine_name(finder) if self.combine is None else self.combine


@with_model_docs
class BlendingClassifier(_Blending, BlendedClassifier):
    """Blend classifiers with weights found on held-out predictions.

    Parameters
    ----------
    {members}
    weights : str or WeightFinder, default='simplex'
        The weight finder: 'uniform', 'accuracy', 'log_odds', 'non_negative', 'simplex',
        'ridge_to_uniform', 'log_loss' (a logistic model on log-probabilities), 'greedy', 'best',
        or an object such as ``nonet.combine.GreedySelection("roc_auc", n_bags=20)``.
    combine : str, rule or callable, default=None
        F; None is the rule that the weights are meant for: a mean of probabilities, and for
        'log_loss' their weighted product.
    decide : str or rule, default=None
        C: 'argmax' if None; an object such as ``nonet.decide.Abstain(min_support=0.7)``.
    cv : int, float, splitter, iterable or 'prefit', default=None
        How rows are held out: any splitter; None is 5 stratified folds; a fraction such as 0.2
        holds out one test set. 'prefit' uses the members as they are, and the rows passed to
        ``fit`` count as held out.
    {blending_refit}
    {out_of_bag}
    {blending_errors}
    {fold_n_jobs}
    {fold_verbose}
    random_state : int, RandomState, Generator or None, default=None
        Samples the rows of the bootstrap.

    Attributes
    ----------
    {found_weights}
    {predicting_members}
    estimators_ : list of classifiers
        Their models.
    {named_models}
    combine_ : callable
        F with its weights: maps member outputs to support of the classes.
    decide_ : callable
        C: maps support to labels.
    {ledger}
    {classes}
    {columns}

    See Also
    --------
    SelectionClassifier : Select one member, or a few, instead of using all.
    StackingClassifier : A final model instead of weights.

    References
    ----------
    L. Breiman, Stacked regressions, Machine Learning 24, 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import BlendingClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0))]
    >>> blend = BlendingClassifier(members).fit(X, y)
    >>> for name, weight, error in zip(
    ...     ["bayes", "tree"], blend.weights_, blend.weights_se_, strict=True
    ... ):
    ...     print(f"{name}: {weight:.2f} +- {error:.2f}")
    bayes: 0.87 +- 0.08
    tree: 0.13 +- 0.08
    """


@with_model_docs
class BlendingRegressor(_Blending, BlendedRegressor):
    """Blend regressors with weights found on held-out predictions.

    Parameters
    ----------
    {members}
    weights : str or WeightFinder, default='simplex'
        The weight finder: 'uniform', 'least_squares' (of either sign), 'non_negative',
        'simplex', 'ridge_to_uniform', 'greedy', 'best', or an object such as
        ``nonet.combine.RidgeToUniform(penalty=10.0)``.
    combine : str, rule or callable, default=None
        F; None is the rule that the weights are meant for: a mean, or a sum.
    decide : callable, default=None
        C: a function of the combined values (rounding, clipping); None is the identity.
    cv : int, float, splitter, iterable or 'prefit', default=None
        How rows are held out: any splitter; None is 5 folds; a fraction such as 0.2 holds out
        one test set. 'prefit' uses the members as they are, and the rows passed to ``fit`` count
        as held out.
    {blending_refit}
    {out_of_bag}
    {blending_errors}
    {fold_n_jobs}
    {fold_verbose}
    random_state : int, RandomState, Generator or None, default=None
        Samples the rows of the bootstrap.

    Attributes
    ----------
    {found_weights}
    {predicting_members}
    estimators_ : list of regressors
        Their models.
    {named_models}
    combine_ : callable
        F with its weights: maps member outputs to combined values.
    decide_ : callable
        C: the identity or the given function.
    {ledger}
    {columns}

    See Also
    --------
    SelectionRegressor : Select one member, or a few, instead of using all.
    StackingRegressor : A final model instead of weights.

    References
    ----------
    L. Breiman, Stacked regressions, Machine Learning 24, 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from nonet import BlendingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> members = [("linear", LinearRegression()), ("near", KNeighborsRegressor(20))]
    >>> BlendingRegressor(members).fit(X, y).weights_.round(2)
    array([0.68, 0.32])
    """
