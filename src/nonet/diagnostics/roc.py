"""ROC curves of held-out scores: their mean over folds, and a bootstrap band.

References
----------
T. Fawcett, "An introduction to ROC analysis", *Pattern Recognition Letters* 27, 861-874, 2006
(vertical averaging); B. Efron & R. Tibshirani, *An Introduction to the Bootstrap*, 1993.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import auc, roc_curve

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.arrays import as_numbers
from nonet._base.frames import find_missing
from nonet._base.params import Integer, Real, bad_parameter
from nonet._base.results import PlottableResult
from nonet._base.streams import root_seed, stream

_LEVEL = Real(0, 1, open_low=True, open_high=True)
_RESAMPLES = Integer(2)
# False positive rates at which curves are compared.
_N_RATES = 101


@dataclass(frozen=True)
class ROCBand(PlottableResult):
    """A ROC curve with its band.

    Attributes
    ----------
    fpr : ndarray of shape (n_rates,)
        False positive rates, from 0 to 1.
    tpr : ndarray of shape (n_rates,)
        True positive rate at each of them; with folds, the mean over the folds.
    low, high : ndarray of shape (n_rates,)
        Ends of the pointwise bootstrap band of ``tpr``.
    roc_auc : float
        Area under the curve; with folds, the mean of their areas.
    auc_low, auc_high : float
        Ends of its bootstrap interval.
    fold_tpr : ndarray of shape (n_folds, n_rates)
        The curve of each fold; one if there are no folds.
    fold_auc : ndarray of shape (n_folds,)
        The area under each.
    confidence_level : float
        Of band and interval.

    Examples
    --------
    >>> from nonet.diagnostics import roc_band
    >>> band = roc_band([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], random_state=0)
    >>> band.roc_auc
    0.75
    """

    fpr: Floats
    tpr: Floats
    low: Floats
    high: Floats
    roc_auc: float
    auc_low: float
    auc_high: float
    fold_tpr: Floats
    fold_auc: Floats
    confidence_level: float

    _shown: ClassVar[tuple[str, ...]] = (
        "roc_auc",
        "auc_low",
        "auc_high",
        "fold_auc",
        "confidence_level",
    )
    _plot: ClassVar[str] = "plot_roc"


def roc_band(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    folds: ArrayLike | None = None,
    pos_label: Any = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    random_state: Any = None,
) -> ROCBand:
    """Average ROC curves over folds, and find their bootstrap band.

    1. In each fold find the true positive rate at 101 false positive rates, and average over folds
       (vertical averaging). Scores of different folds are never compared.
    2. Resample the rows of each class within each fold, and repeat.
    3. The band holds the middle part of the curves at every false positive rate.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Labels of two classes.
    y_score : array-like of shape (n_rows,)
        Scores of rows that the model has not seen, larger for the positive class.
    folds : array-like of shape (n_rows,), default=None
        The fold in which each row was held out; None is one fold. Each needs both classes.
    pos_label : label, default=None
        The positive class; None is the second in sorted order.
    n_resamples : int, default=1000
        Number of bootstrap resamples.
    confidence_level : float, default=0.95
        Of the band, pointwise, and of the interval of the area.
    random_state : int, RandomState, Generator or None, default=None
        Of the resamples.

    Returns
    -------
    band : ROCBand
        ``plot`` draws it.

    Notes
    -----
    The band shows the variation of the rows, not that of the training set: a model fitted on other
    rows may have a curve outside it. The curves of the folds show some of that.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import StratifiedKFold, cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from nonet.diagnostics import roc_band
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cv = StratifiedKFold(5)
    >>> scores = cross_val_predict(GaussianNB(), X, y, cv=cv, method="predict_proba")[:, 1]
    >>> folds = np.empty(len(y), dtype=int)
    >>> for number, (_, rows) in enumerate(cv.split(X, y)):
    ...     folds[rows] = number
    >>> band = roc_band(y, scores, folds=folds, random_state=0)
    >>> print(f"{band.roc_auc:.3f} ({band.auc_low:.3f} to {band.auc_high:.3f})")
    0.987 (0.980 to 0.994)
    """
    for name, rule, value in (
        ("n_resamples", _RESAMPLES, n_resamples),
        ("confidence_level", _LEVEL, confidence_level),
    ):
        if not rule.allows(value):
            raise bad_parameter("roc_band", name, rule.describe(), value)
    positive, scores, of_fold = _check_rows(y_true, y_score, folds, pos_label)
    parts = [(positive[rows], scores[rows]) for rows in _rows_of(of_fold)]
    rates, areas = _curves(parts)
    root = root_seed(random_state)
    drawn = [_curves(_resample(parts, stream(root, b))) for b in range(n_resamples)]
    outside = (1 - confidence_level) / 2
    ends = [outside, 1 - outside]
    low, high = np.quantile([own.mean(axis=0) for own, _ in drawn], ends, axis=0)
    auc_low, auc_high = np.quantile([own.mean() for _, own in drawn], ends)
    return ROCBand(
        fpr=np.linspace(0, 1, _N_RATES),
        tpr=rates.mean(axis=0),
        low=low,
        high=high,
        roc_auc=float(areas.mean()),
        auc_low=float(auc_low),
        auc_high=float(auc_high),
        fold_tpr=rates,
        fold_auc=areas,
        confidence_level=float(confidence_level),
    )


def _check_rows(y_true: Any, y_score: Any, folds: Any, pos_label: Any) -> tuple[Array, Floats, Any]:
    labels, scores = np.atleast_1d(y_true), as_numbers(y_score, "roc_band: y_score")
    of_fold = np.zeros(len(labels), dtype=int) if folds is None else np.asarray(folds)
    if labels.ndim != 1 or scores.shape != labels.shape or of_fold.shape != labels.shape:
        raise ValueError(
            "roc_band needs one label, one score and one fold for each row, but got shapes "
            f"{labels.shape}, {scores.shape} and {of_fold.shape}."
        )
    missing = np.flatnonzero(find_missing(labels))
    if missing.size:
        raise ValueError(
            f"roc_band needs a label for each row, but y_true is missing in row {missing[0]}; drop "
            "rows without a label."
        )
    if not np.isfinite(scores).all():
        raise ValueError("roc_band needs finite scores, but y_score has NaN or infinity.")
    classes = np.unique(labels)
    if len(classes) != 2:
        raise ValueError(
            f"roc_band needs labels of two classes, but y_true has {len(classes)}; compare one "
            "class with the rest."
        )
    chosen = classes[1] if pos_label is None else pos_label
    if np.ndim(chosen) or chosen not in classes.tolist():
        allowed = f"None or one of the classes {classes.tolist()}"
        raise bad_parameter("roc_band", "pos_label", allowed, pos_label)
    positive = labels == chosen
    for rows in _rows_of(of_fold):
        if positive[rows].all() or not positive[rows].any():
            raise ValueError(
                f"every fold needs rows of both classes, but fold {of_fold[rows[0]]!r} has one; "
                "stratify the folds."
            )
    return positive, scores, of_fold


def _rows_of(of_fold: Array) -> list[Codes]:
    codes = np.unique(of_fold, return_inverse=True)[1]
    return [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]


def _resample(
    parts: list[tuple[Array, Floats]], random: np.random.Generator
) -> list[tuple[Array, Floats]]:
    """Draw rows with replacement from each class of each fold."""
    drawn = []
    for positive, scores in parts:
        classes = (np.flatnonzero(positive), np.flatnonzero(~positive))
        rows = np.concatenate([random.choice(own, len(own)) for own in classes])
        drawn.append((positive[rows], scores[rows]))
    return drawn


def _curves(parts: list[tuple[Array, Floats]]) -> tuple[Floats, Floats]:
    """Return the true positive rates at the common false positive rates, and the areas."""
    grid = np.linspace(0, 1, _N_RATES)
    rates, areas = [], []
    for positive, scores in parts:
        fpr, tpr, _ = roc_curve(positive, scores, drop_intermediate=False)
        areas.append(float(auc(fpr, tpr)))
        rates.append(np.interp(grid, fpr, tpr))
    found = np.array(rates)
    # A curve may jump at rate 0; the point (0, 0) belongs to every curve.
    found[:, 0] = 0.0
    return found, np.array(areas)
