"""Losses on held-out rows: the loop that all error estimates share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone, is_classifier, is_clusterer
from sklearn.model_selection import check_cv

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.frames import count_rows, make_indexable, take_rows
from nonet._base.parallel import run_all
from nonet._base.params import Having, bad_parameter
from nonet._base.progress import Steps
from nonet.resampling.error_estimates.row_losses import RowLoss, resolve_loss

_ESTIMATOR = Having("an estimator with fit and predict", "fit", "predict")

Split = tuple[Codes, Codes]
"""Rows to fit on, rows to predict."""


@dataclass(frozen=True)
class Trial:
    """An estimator, its data and its loss."""

    estimator: Any
    X: Any
    y: Array
    loss: RowLoss
    weights: Floats | None = None

    def fit(self, rows: Codes) -> Any:
        """Return a fresh copy of the estimator, fitted on these rows."""
        given = {} if self.weights is None else {"sample_weight": self.weights[rows]}
        return clone(self.estimator).fit(take_rows(self.X, rows), self.y[rows], **given)

    def losses(self, model: Any, rows: Codes) -> Floats:
        """Return the model's loss on each of these rows."""
        return self.loss.of(self.y[rows], self.loss.predict(model, take_rows(self.X, rows)))

    def held_out(self, fitted: Codes, predicted: Codes) -> Floats:
        """Fit on some rows and return the losses on others."""
        return self.losses(self.fit(fitted), predicted)


def make_trial(
    estimator: Any, X: Any, y: ArrayLike, loss: Any, sample_weight: ArrayLike | None = None
) -> Trial:
    """Check the pieces of a trial and join them."""
    if not _ESTIMATOR.allows(estimator):
        raise bad_parameter("error estimate", "estimator", _ESTIMATOR.describe(), estimator)
    if is_clusterer(estimator):  # its labels are numbers of clusters, in any order
        allowed = "a classifier or a regressor, which predict y"
        raise bad_parameter("error estimate", "estimator", allowed, estimator)
    table, truth = make_indexable(X), np.asarray(y)
    if truth.ndim != 1 or len(truth) != count_rows(table):
        raise ValueError(
            f"y must hold one value for each of the {count_rows(table)} rows of X, but has shape "
            f"{truth.shape}."
        )
    weights = check_sample_weight(sample_weight, len(truth))
    return Trial(estimator, table, truth, resolve_loss(loss, estimator), weights)


def make_trials(owner: str, models: Any, X: Any, y: ArrayLike, loss: Any) -> list[Trial]:
    """Return a trial of each model of a mapping."""
    if not isinstance(models, Mapping) or not models:
        allowed = "a mapping of complexities (or names) to estimators with at least one entry"
        raise bad_parameter(owner, "models", allowed, models)
    return [make_trial(model, X, y, loss) for model in models.values()]


def list_splits(cv: Any, trial: Trial, groups: ArrayLike | None = None) -> list[Split]:
    """Return the splits of any ``cv`` that scikit-learn takes; no row may be on both sides."""
    splitter = check_cv(cv, trial.y, classifier=is_classifier(trial.estimator))
    splits = [
        (np.asarray(fitted), np.asarray(predicted))
        for fitted, predicted in splitter.split(trial.X, trial.y, groups)
    ]
    if not splits:
        raise ValueError("cv must make at least one split, but made none.")
    for number, (fitted, predicted) in enumerate(splits):
        _check_split(number, fitted, predicted, len(trial.y))
    return splits


def _check_split(number: int, fitted: Codes, predicted: Codes, n_rows: int) -> None:
    if not len(fitted) or not len(predicted):
        raise ValueError(
            f"each split needs rows to fit on and rows to predict, but split {number} has "
            f"{len(fitted)} and {len(predicted)}."
        )
    seen = np.zeros(n_rows, dtype=bool)
    seen[fitted] = True
    if seen[predicted].any():
        row = int(predicted[np.argmax(seen[predicted])])
        raise ValueError(
            f"a held-out row must not be fitted on, but row {row} is on both sides of split "
            f"{number}."
        )


def held_out_losses(
    trials: Sequence[Trial], splits: Iterable[Split], *, n_jobs: int | None
) -> list[list[Floats]]:
    """Return, for each trial, the losses on the held-out rows of each split."""
    splits = list(splits)
    calls = [(trial, *split) for trial in trials for split in splits]
    flat = run_all(Trial.held_out, calls, n_jobs=n_jobs, steps=Steps("cross-validation", "fits"))
    return [flat[start : start + len(splits)] for start in range(0, len(flat), len(splits))]
