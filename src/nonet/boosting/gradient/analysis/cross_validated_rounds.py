"""Cross-validation of the number of rounds, with columns that all folds bin once.

A fold is a set of weights: held-out rows have weight 0, and are then predicted. References:
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001, on the number of rounds; L. Breiman et al., *Classification and Regression Trees*, 1984,
on the one-standard-error rule.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.utils import _safe_indexing

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.frames import count_rows
from nonet._base.parallel import count_jobs, run_all
from nonet._base.params import Choice, Nothing, bad_parameter
from nonet._base.progress import Steps
from nonet._native.data import BinnedDataset
from nonet._native.runtime import get_num_threads, limit_threads
from nonet.boosting.gradient.analysis.boost_cv_result import BoostCV
from nonet.boosting.gradient.analysis.first_rounds import check_has_stages, predict_at
from nonet.boosting.gradient.early_stopping.scored_model import at_scores
from nonet.boosting.gradient.rows import Rows
from nonet.members.folds import Fold, make_folds

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
    stops early), and its held-out rows are scored after each. Columns are binned once, from all
    rows and without using y, and shared by the folds; the classic boosters bin each fold
    separately. Weights of ``class_weight='balanced'`` are those of all rows.

    Parameters
    ----------
    model : estimator
        A gradient booster; it is cloned.
    X : array-like of shape (n_samples, n_features)
        Rows.
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
        Number of folds processed in parallel, in threads that share the bins; None is one fold at
        a time, with all threads inside it.

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
    folds = make_folds(cv, X, y, groups, classifier=is_classifier(model))
    folds = [fold for fold in folds if fold[1].size]
    trial.check_folds(folds)
    n_threads = max(1, get_num_threads() // count_jobs(n_jobs))
    calls = [(trial, fold, n_threads) for fold in folds]
    steps = Steps("boost_cv", "folds", model.verbose)
    scored = run_all(_score_fold, calls, n_jobs=n_jobs, prefer="threads", steps=steps)
    models, scores = zip(*scored, strict=True)
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
    dataset: BinnedDataset | None

    @property
    def n_rows(self) -> int:
        return len(self.target)

    def weight_of(self, rows: Array) -> float:
        return float(len(rows) if self.weights is None else self.weights[rows].sum())

    def check_folds(self, folds: Sequence[Fold]) -> None:
        """Raise for folds that lack a class, because their boosters could not predict it."""
        if not is_classifier(self.model):
            return
        labels = np.asarray(self.y)
        for number, (train, _) in enumerate(folds):
            lacking = np.setdiff1d(labels, labels[train])
            if lacking.size:
                raise ValueError(
                    f"boost_cv needs every class in every fold, but fold {number} trains without "
                    f"{lacking.tolist()[0]!r}; use fewer or stratified folds."
                )

    def refit(self, n_rounds: int) -> Any:
        """Fit a clone with that number of rounds on all rows."""
        names = self.model.get_params(deep=False)
        rounds = next(name for name in _ROUNDS if name in names)
        return self.fit(np.arange(self.n_rows), **{rounds: n_rounds})

    def fit(self, rows: Array, **settings: Any) -> Any:
        """Fit a clone on some rows, as weights on the shared columns if there are such columns."""
        model = clone(self.model).set_params(**settings)
        if self.dataset is None:
            weights = None if self.weights is None else self.weights[rows]
            part = _safe_indexing(self.X, rows), _safe_indexing(self.y, rows)
            return model.fit(*part, sample_weight=weights)
        counts = np.bincount(rows, minlength=self.n_rows).astype(np.float64)
        model._ready_bins = self.dataset
        try:
            model.fit(self.X, self.y, counts if self.weights is None else counts * self.weights)
        finally:
            del model._ready_bins
        return model

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
            _predict_after(model, _safe_indexing(self.X, held_out), best_round)
            for model, (_, held_out) in zip(models, folds, strict=True)
        ]
        sums = np.zeros((self.n_rows, *predictions[0].shape[1:]))
        counts = np.zeros((self.n_rows, *[1] * (sums.ndim - 1)))
        for prediction, (_, held_out) in zip(predictions, folds, strict=True):
            sums[held_out] += prediction
            counts[held_out] += 1
        return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def _make_trial(model: Any, X: Any, y: Any, sample_weight: Any, scoring: Any) -> _CrossValidation:
    params = model.get_params(deep=False)
    stop = next(name for name in _NEVER_STOP if name in params)
    # Rounds that are chosen on held-out rows would have another number in every fold.
    fixed = {"preset": "fast"} if params.get("n_estimators") == "auto" else {}
    prototype = clone(model).set_params(
        **{stop: _NEVER_STOP[stop], "warm_start": False, "verbose": 0, **fixed}
    )
    n_rows = count_rows(X)
    shares_bins = hasattr(prototype, "_bin")
    table = prototype._learn_columns(X) if shares_bins else None
    weights = check_sample_weight(sample_weight, n_rows)
    target, _ = copy.copy(prototype)._read_target(y, None, n_rows)
    dataset = None
    if shares_bins:
        prototype._draw_seeds()
        dataset = prototype._bin(table, weights)
    scorer = None if scoring is None else check_scoring(model, scoring)
    return _CrossValidation(prototype, X, y, target, weights, scorer, dataset)


def _score_fold(trial: _CrossValidation, fold: Fold, n_threads: int) -> tuple[Any, list[float]]:
    train, held_out = fold
    with limit_threads(n_threads):
        model = trial.fit(train)
        X, y = _safe_indexing(trial.X, held_out), _safe_indexing(trial.y, held_out)
        target = trial.target[held_out]
        weights = None if trial.weights is None else trial.weights[held_out]
        scores = [
            trial.score(model, Rows(X, target, weights, so_far), y)
            for so_far in model._staged_scores(X)
        ]
    return model, scores


def _predict_after(model: Any, X: Any, n_rounds: int) -> Floats:
    """Return the predictions of the model after that many rounds."""
    return predict_at(model, X, next(islice(model._staged_scores(X), n_rounds - 1, None)))
