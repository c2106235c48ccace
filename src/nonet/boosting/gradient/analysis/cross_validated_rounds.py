"""Cross-validation of the number of rounds, in threads over folds that share their bins.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001, on the number of rounds; L. Breiman et al., *Classification and Regression Trees*, 1984,
on the one-standard-error rule.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.frames import count_rows, make_indexable, take_rows
from nonet._base.parallel import run_all
from nonet._base.params import Choice, Nothing, bad_parameter
from nonet._base.progress import Steps, counted
from nonet.boosting.gradient.analysis.binned_scores import staged_binned_scores
from nonet.boosting.gradient.analysis.boost_cv_result import BoostCV
from nonet.boosting.gradient.analysis.first_rounds import check_has_stages, predict_at
from nonet.boosting.gradient.early_stopping.scored_model import at_scores
from nonet.boosting.gradient.rows import Rows
from nonet.members.fold_fits import count_fits, shares_bins
from nonet.members.folds import Fold, make_folds
from nonet.members.turns import run_in_turns
from nonet.trees.binned_table import BinnedTable, fit_arguments
from nonet.trees.shared_bins import SharedBins

_REFIT = Nothing() | Choice("best", "one_standard_error")
# Parameters of the estimators that switch early stopping off; each estimator has one of them.
_NEVER_STOP = {"early_stopping": False, "early_stopping_rounds": None, "n_iter_no_change": None}
_ROUNDS = ("max_iter", "n_estimators")


def boost_cv(
    model: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    refit: str | None = None,
    n_jobs: int | None = None,
) -> BoostCV:
    """Cross-validate the number of rounds of gradient boosting.

    Every fold grows all rounds (``max_iter`` or ``n_estimators``, 100 if that is 'auto'; nothing
    stops early), and its held-out rows are scored after each. The folds share the edges of bins,
    which are found once, from all rows of X (a sample of them if there are more than 200,000) and
    without using y: the values of held-out rows take part in them, their targets do not. The
    classic boosters bin each fold separately, and so do all on sparse X.

    Parameters
    ----------
    model : estimator
        A gradient booster; it is cloned.
    X : array-like or sparse matrix of shape (n_samples, n_features), or BinnedTable
        Rows; sparse for boosters that take it. Of a bins file, y and weights may be None; the rows
        of each fold are copied to a temporary file.
    y : array-like of shape (n_samples,)
        Targets.
    cv : int, float, splitter or iterable, default=None
        As in scikit-learn; None is 5 folds, stratified for classifiers. Time order is a
        ``TimeSeriesSplit``; a fraction between 0 and 1 holds out one part of the rows.
    groups : array-like of shape (n_samples,), default=None
        Groups for splitters that keep them together, such as ``GroupKFold``.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows, in fitting and in scoring.
    scoring : str or callable, default=None
        A scorer of scikit-learn, larger is better; None is minus the mean loss of the model.
    refit : {'best', 'one_standard_error'}, default=None
        Which number of rounds to use for a fit on all rows; None is no such fit.
    n_jobs : int, default=None
        Number of folds processed at a time, in threads, among which the threads of the fits are
        divided; None is as many as there are threads, 1 is one fold at a time with all threads
        inside it. The result is the same for any number.

    Returns
    -------
    result : BoostCV
        ``scores`` and ``standard_errors`` of each round, ``best_round``,
        ``one_standard_error_round``, held-out ``predictions``, and the ``model`` if ``refit`` is
        set.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import HistGradientBoostingRegressor, boost_cv
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = HistGradientBoostingRegressor(max_iter=60, random_state=0)
    >>> result = boost_cv(model, X, y, refit="one_standard_error")
    >>> result.one_standard_error_round < result.best_round < 60
    True
    >>> result.model.n_iter_ == result.one_standard_error_round
    True
    """
    check_has_stages(model, "boost_cv")
    if not _REFIT.allows(refit):
        raise bad_parameter("boost_cv", "refit", _REFIT.describe(), refit)
    trial = _make_trial(model, X, y, sample_weight, scoring)
    folds = make_folds(cv, X, trial.y, groups, classifier=is_classifier(model))
    folds = [fold for fold in folds if fold[1].size]
    trial.check_folds(folds)
    steps = Steps("boost_cv", "folds", model.verbose)
    models, scores = zip(*trial.run(folds, n_jobs, steps), strict=True)
    fractions = np.array([trial.weight_of(held_out) for _, held_out in folds])
    name = "minus the loss" if scoring is None else str(scoring)
    found = BoostCV(np.array(scores), fractions / fractions.sum(), np.empty(0), name, None)
    return replace(
        found,
        predictions=trial.held_out_predictions(models, folds, found.best_round),
        model=None if refit is None else trial.refit(getattr(found, f"{refit}_round")),
    )


@dataclass(frozen=True)
class _CrossValidation:
    """The data of all folds, and the model to fit on them."""

    model: Any
    X: Any
    y: Any
    target: Array
    weights: Floats | None
    scorer: Any

    @property
    def n_rows(self) -> int:
        return len(self.target)

    @cached_property
    def bins(self) -> SharedBins | None:
        return SharedBins(self.X, self.weights) if shares_bins(self.model) else None

    def weight_of(self, rows: Array) -> float:
        return float(len(rows) if self.weights is None else self.weights[rows].sum())

    def check_folds(self, folds: Sequence[Fold]) -> None:
        """Raise for folds that lack a class, because their boosters could not predict it."""
        if not is_classifier(self.model):
            return
        classes, codes = np.unique(np.asarray(self.y), return_inverse=True)
        for number, (train, _) in enumerate(folds):
            lacking = np.bincount(codes[train], minlength=len(classes)) == 0
            if lacking.any():
                raise ValueError(
                    f"boost_cv needs every class in every fold, but fold {number} trains without "
                    f"{classes[lacking].tolist()[0]!r}; use fewer or stratified folds."
                )

    def run(
        self, folds: Sequence[Fold], n_jobs: int | None, steps: Steps
    ) -> list[tuple[Any, list[float]]]:
        """Return the booster of each fold, and the scores of its held-out rows."""
        calls = [(self, fold) for fold in folds]
        if self.bins is None:
            return run_all(_score_fold, calls, n_jobs=n_jobs, prefer="threads", steps=steps)
        with steps.track(len(calls)) as progress:
            n_at_once = count_fits(self.model, n_jobs)
            return run_in_turns(counted(_score_fold, progress), calls, n_at_once)

    def refit(self, n_rounds: int) -> Any:
        """Fit a clone with that number of rounds on all rows."""
        names = self.model.get_params(deep=False)
        rounds = next(name for name in _ROUNDS if name in names)
        model = clone(self.model).set_params(**{rounds: n_rounds})
        return model.fit(self.X, self.y, sample_weight=self.weights)

    def fit(self, rows: Array) -> Any:
        """Fit a clone on some rows."""
        weights = None if self.weights is None else self.weights[rows]
        with nullcontext() if self.bins is None else self.bins.in_use():
            return clone(self.model).fit(
                take_rows(self.X, rows), take_rows(self.y, rows), sample_weight=weights
            )

    def staged_scores(self, model: Any, X: Any) -> Iterator[Floats]:
        """Yield the scores of held-out rows after each round."""
        if isinstance(X, BinnedTable):
            yield from staged_binned_scores(model._booster, X, X.dataset)
            return
        if self.bins is None or issparse(X):  # whose folds have edges of their own
            yield from model._staged_scores(X)
            return
        table = model._check_rows(X)
        with self.bins.in_use():
            dataset = model._bin(table, None)
        yield from staged_binned_scores(model._booster, table, dataset)

    def score(self, model: Any, rows: Rows, y: Any) -> float:
        """Score held-out rows by their current scores."""
        if self.scorer is None:
            return -rows.mean_loss(model._booster.loss)
        weights = {} if rows.weights is None else {"sample_weight": rows.weights}
        return float(self.scorer(at_scores(model, rows.scores), rows.X, y, **weights))

    def held_out_predictions(
        self, models: Sequence[Any], folds: Sequence[Fold], best_round: int
    ) -> Floats:
        """Average the predictions of the models that held a row out; NaN if there are none."""
        predictions = [
            self.predict_after(model, take_rows(self.X, held_out), best_round)
            for model, (_, held_out) in zip(models, folds, strict=True)
        ]
        sums = np.zeros((self.n_rows, *predictions[0].shape[1:]))
        counts = np.zeros((self.n_rows, *[1] * (sums.ndim - 1)))
        for prediction, (_, held_out) in zip(predictions, folds, strict=True):
            sums[held_out] += prediction
            counts[held_out] += 1
        return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)

    def predict_after(self, model: Any, X: Any, n_rounds: int) -> Floats:
        """Return the predictions of a model after that many rounds."""
        if self.bins is None:
            return predict_at(model, X, next(islice(model._staged_scores(X), n_rounds - 1, None)))
        rows = X if isinstance(X, BinnedTable) else model._check_rows(X)
        scores = model._booster.scores(rows, slice(0, n_rounds))
        return predict_at(model, X, scores)


def _make_trial(model: Any, X: Any, y: Any, sample_weight: Any, scoring: Any) -> _CrossValidation:
    params = model.get_params(deep=False)
    stop = next(name for name in _NEVER_STOP if name in params)
    # Rounds that are chosen on held-out rows would have another number in every fold.
    fixed = {"preset": "fast"} if params.get("n_estimators") == "auto" else {}
    prototype = clone(model).set_params(
        **{stop: _NEVER_STOP[stop], "warm_start": False, "verbose": 0, **fixed}
    )
    y, sample_weight = fit_arguments(prototype, X, y, sample_weight)
    X, n_rows = make_indexable(X), count_rows(X)
    weights = check_sample_weight(sample_weight, n_rows)
    target, _ = copy.copy(prototype)._read_target(y, None, n_rows)
    scorer = None if scoring is None else check_scoring(model, scoring)
    return _CrossValidation(prototype, X, y, target, weights, scorer)


def _score_fold(trial: _CrossValidation, fold: Fold) -> tuple[Any, list[float]]:
    train, held_out = fold
    model = trial.fit(train)
    X, y = take_rows(trial.X, held_out), take_rows(trial.y, held_out)
    target = trial.target[held_out]
    weights = None if trial.weights is None else trial.weights[held_out]
    scores = [
        trial.score(model, Rows(X, target, weights, so_far), y)
        for so_far in trial.staged_scores(model, X)
    ]
    return model, scores
