"""Selection: keep the best of many given models, or the few that are best together.

Members: the selected models. F: the selected one, or the mean of the selected with the weights
that greedy selection gave them. C: arg max, or any rule; the identity in regression.

References
----------
R. Caruana, A. Niculescu-Mizil, G. Crew, A. Ksikes, Ensemble selection from libraries of models,
ICML 2004.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats, Params
from nonet._base.inputs import check_is_table
from nonet._base.number_tables import read_columns_of_numbers
from nonet._base.params import Choice, Integer, Nothing, Rule
from nonet.combine.blend_scores import Scoring, scores_by
from nonet.combine.held_out import check_held_out
from nonet.combine.weights import BestMember, GreedySelection, WeightFinder
from nonet.ensemble import HeldOutPredictions
from nonet.stacking.cross_fitted_models import OwnParams
from nonet.stacking.learned.blended import BlendedClassifier, BlendedModels, BlendedRegressor
from nonet.stacking.model_docs import with_model_docs


class _Selection(BlendedModels):
    """The parameters of both selections, and the record of the choice."""

    _drops_useless = True
    _default_scoring: ClassVar[str]
    _rules: ClassVar[Mapping[str, Rule]] = {
        **BlendedModels._rules,
        "method": Choice("best", "greedy"),
        "scoring": Nothing() | Scoring(),
        "n_rounds": Integer(1),
        "n_bags": Nothing() | Integer(1),
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        *,
        method: str = "best",
        scoring: str | Callable[..., float] | None = None,
        n_rounds: int = 50,
        n_bags: int | None = None,
        decide: Any = None,
        cv: Any = None,
        refit: str = "all",
        out_of_bag: bool = False,
        errors: str | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.method = method
        self.scoring = scoring
        self.n_rounds = n_rounds
        self.n_bags = n_bags
        self.decide = decide
        self.cv = cv
        self.refit = refit
        self.out_of_bag = out_of_bag
        self.errors = errors
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _finder(self) -> WeightFinder:
        if self.method == "best":
            return BestMember(self.scoring)
        return GreedySelection(
            self.scoring,
            n_rounds=self.n_rounds,
            n_bags=self.n_bags,
            random_state=self.random_state,
        )

    def member_outputs(self, X: Any) -> Any:
        """Return the outputs of the selected members for X, in the form that F reads.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Without missing values if one of the candidates does not accept them: the choice of
            members does not change which input is valid.

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
        """
        check_is_fitted(self)
        if any(_refuses_missing(model) for _, model in self._kept()):
            check_is_table(self, X)
            read_columns_of_numbers(
                self, X, accept_sparse="csr", dtype=None, ensure_min_samples=0, input_name="X"
            )
        return super().member_outputs(X)

    def _note_scores(self, held_out: HeldOutPredictions) -> None:
        checked = check_held_out(
            held_out.predictions[0], held_out.truth[0], self._one_target(), held_out.sample_weight
        )
        scores = scores_by(self.scoring or self._default_scoring, checked)
        self.scores_: Floats = scores(np.zeros(checked.n_members), np.arange(checked.n_members))

    def _held_out_predictions(self, *arguments: Any) -> tuple[HeldOutPredictions, list[Array]]:
        held_out, folds = super()._held_out_predictions(*arguments)
        self._note_scores(held_out)
        return held_out, folds

    def _fit_blend(
        self, X: Any, target: Array, own: OwnParams, passed_on: Params
    ) -> HeldOutPredictions:
        held_out = super()._fit_blend(X, target, own, passed_on)
        names = [name for name, _ in self._kept()]
        self.selected_ = [names[position] for position in np.flatnonzero(self.weights_)]
        return held_out


def _refuses_missing(model: Any) -> bool:
    """Return whether a model rejects missing values; meta-estimators are not checked."""
    parts = model.get_params(deep=True).values() if hasattr(model, "get_params") else ()
    has_inner = hasattr(model, "steps") or any(hasattr(part, "fit") for part in parts)
    return not has_inner and not get_tags(model).input_tags.allow_nan


@with_model_docs
class SelectionClassifier(_Selection, BlendedClassifier):
    """Select the best of many classifiers on held-out rows, or the few that are best together.

    Only the selected models are fitted on all rows. The score of the selected one is the best of
    many and so optimistic: :func:`nonet.honest_score` estimates the score of the whole procedure.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The candidates, each with its name; ``'drop'`` in place of a model leaves it out. All
        have ``predict_proba``.
    {selection_method}
    scoring : str or callable, default=None
        A scikit-learn scorer, its name, or a callable (estimator, X, y). None is accuracy for
        'best' and log loss for 'greedy'.
    {greedy_options}
    {class_decide}
    cv : int, float, splitter, iterable or 'prefit', default=None
        How rows are held out: any splitter; None is 5 stratified folds; a fraction such as 0.2
        holds out one test set.
    {selection_refit}
    {out_of_bag}
    {selection_errors}
    {fold_verbose}
    random_state : int, RandomState, Generator or None, default=None
        Samples the bags and the rows of the bootstrap.

    Attributes
    ----------
    selected_ : list of str
        The names of the selected models.
    scores_ : ndarray of shape (n_candidates,)
        The held-out score of each candidate alone, larger is better; by ``scoring``, or by
        accuracy.
    {selection_attributes}
    estimators_ : list of classifiers
        Their models.
    named_estimators_ : Bunch
        The models by name; 'drop' for those not selected.
    combine_ : callable
        F with its weights.
    decide_ : callable
        C: maps support to labels.
    {ledger}
    {classes}
    {columns}

    See Also
    --------
    BlendingClassifier : Weights for all members.

    References
    ----------
    R. Caruana, A. Niculescu-Mizil, G. Crew, A. Ksikes, Ensemble selection from libraries of
    models, ICML 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import SelectionClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0))]
    >>> SelectionClassifier(members).fit(X, y).selected_
    ['bayes']
    """

    _default_scoring = "accuracy"


@with_model_docs
class SelectionRegressor(_Selection, BlendedRegressor):
    """Select the best of many regressors on held-out rows, or the few that are best together.

    Only the selected models are fitted on all rows. The score of the selected one is the best of
    many and so optimistic: :func:`nonet.honest_score` estimates the score of the whole procedure.

    Parameters
    ----------
    estimators : list of (str, estimator) pairs
        The candidates, each with its name; ``'drop'`` in place of a model leaves it out.
    {selection_method}
    scoring : str or callable, default=None
        A scikit-learn scorer, its name, or a callable (estimator, X, y). None is the squared
        error.
    {greedy_options}
    decide : callable, default=None
        C: a function of the combined values; None is the identity.
    cv : int, float, splitter, iterable or 'prefit', default=None
        How rows are held out: any splitter; None is 5 folds; a fraction such as 0.2 holds out one
        test set.
    {selection_refit}
    {out_of_bag}
    {selection_errors}
    {fold_verbose}
    random_state : int, RandomState, Generator or None, default=None
        Samples the bags and the rows of the bootstrap.

    Attributes
    ----------
    selected_ : list of str
        The names of the selected models.
    scores_ : ndarray of shape (n_candidates,)
        The held-out score of each candidate alone, larger is better; by ``scoring``, or by
        minus the mean squared error.
    {selection_attributes}
    estimators_ : list of regressors
        Their models.
    named_estimators_ : Bunch
        The models by name; 'drop' for those not selected.
    combine_ : callable
        F with its weights.
    decide_ : callable
        C: the identity or the given function.
    {ledger}
    {columns}

    See Also
    --------
    BlendingRegressor : Weights for all members.

    References
    ----------
    R. Caruana, A. Niculescu-Mizil, G. Crew, A. Ksikes, Ensemble selection from libraries of
    models, ICML 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from nonet import SelectionRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> members = [("linear", LinearRegression()), ("near", KNeighborsRegressor(20))]
    >>> choice = SelectionRegressor(members, method="greedy").fit(X, y)
    >>> choice.selected_, choice.weights_.round(2)
    (['linear', 'near'], array([0.68, 0.32]))
    """

    _default_scoring = "neg_mean_squared_error"
