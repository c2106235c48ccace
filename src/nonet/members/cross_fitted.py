"""Support of an ensemble on rows that it was not fitted on, from clones fitted on folds.

An ensemble whose members have all seen all rows has no out-of-bag predictions. To tune a
threshold it then uses clones of the whole ensemble: one per fold, fitted on
the other folds, which predicts this one. That costs as many extra fits as there are folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from nonet._base.aliases import Array, Floats, Params
from nonet._base.frames import make_indexable, take_rows
from nonet.members.fit import fit_member
from nonet.members.fold_fits import run_fold_fits
from nonet.members.folds import Fold, make_folds
from nonet.members.outputs import Targets
from nonet.members.plan import MemberPlan

_N_FOLDS = 5


def cross_fit_support(
    ensemble: Any, X: Any, y: Array, folds: Sequence[Fold], fit_params: Params
) -> tuple[Array, Targets]:
    """Fit a clone of the ensemble on every training fold and predict the held-out fold.

    Parameters
    ----------
    ensemble : Ensemble
        The prototype; it is cloned and never fitted itself.
    X, y : the data
    folds : list of (train, test) pairs of row positions
        No row is in two test folds.
    fit_params : mapping
        Other parameters of ``fit``, aligned with all rows.

    Returns
    -------
    rows : ndarray of int
        The held-out rows, fold after fold.
    supports : list of ndarray
        For each target the support on these rows.
    """
    X = make_indexable(X)  # once, not once per fold
    plans = [
        MemberPlan("fitted without a fold", ensemble, rows=train, fit_params=fit_params)
        for train, _ in folds
    ]

    def support_of(position: int) -> Targets:
        fitted = fit_member(plans[position], X, y, position, len(folds)).estimator
        support = fitted._support(take_rows(X, folds[position][1]))
        return support if isinstance(support, list) else [support]

    calls = [(position,) for position in range(len(folds))]
    parts = run_fold_fits(support_of, calls, plans, X, n_jobs=None)
    supports = [np.concatenate(of_target) for of_target in zip(*parts, strict=True)]
    return np.concatenate([test for _, test in folds]), supports


def make_tuning_folds(
    y: Array, groups: Any = None, sample_weight: Floats | None = None
) -> list[Fold]:
    """Return the folds on which a rule is tuned: five, or fewer if a class has fewer rows.

    Parameters
    ----------
    y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Labels. One target is stratified.
    groups : array-like of shape (n_samples,), optional
        Rows of one group are held out together.
    sample_weight : ndarray of shape (n_samples,), optional
        Rows of weight 0 are in no fold.

    Returns
    -------
    folds : list of (train, test) pairs of row positions
        Every class of every target is in every training fold.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.members.cross_fitted import make_tuning_folds
    >>> [test.tolist() for _, test in make_tuning_folds(np.array([0, 0, 0, 0, 1, 1]))]
    [[0, 1, 4], [2, 3, 5]]
    """
    present = np.arange(len(y)) if sample_weight is None else np.flatnonzero(sample_weight > 0)
    labels = y[present]
    own = None if groups is None else np.asarray(groups)[present]
    units = np.arange(len(present)) if own is None else own
    n_folds = min(_N_FOLDS, _min_units(labels, units, "rows" if own is None else "groups"))
    folds = make_folds(_splitter(labels, own, n_folds), present, labels, own, classifier=True)
    _check_classes(labels, folds)
    return [(present[train], present[test]) for train, test in folds]


def _min_units(labels: Array, units: Array, what: str) -> int:
    """Return the number of rows, or groups, of the rarest class; raise if that is one."""
    counts = {
        label: len(np.unique(units[column == label]))
        for column in labels.reshape(len(labels), -1).T
        for label in np.unique(column).tolist()
    }
    label, minimum = min(counts.items(), key=lambda item: item[1])
    if minimum < 2:
        raise ValueError(
            f"tuning on cross-fitted predictions needs every class in two {what} or more, but "
            f"class {label!r} is in {minimum}: use more {what} of it, or a rule that is not tuned."
        )
    return minimum


def _splitter(labels: Array, groups: Array | None, n_folds: int) -> Any:
    if labels.ndim > 1:
        return KFold(n_folds) if groups is None else GroupKFold(n_folds)
    return StratifiedKFold(n_folds) if groups is None else StratifiedGroupKFold(n_folds)


def _check_classes(labels: Array, folds: Sequence[Fold]) -> None:
    for column in labels.reshape(len(labels), -1).T:
        for train, _ in folds:
            missing = np.setdiff1d(column, column[train])
            if missing.size:
                raise ValueError(
                    f"tuning on cross-fitted predictions needs every class in two folds or more, "
                    f"but class {missing.tolist()[0]!r} is in one of {len(folds)}: use more rows "
                    "of it, or a rule that is not tuned."
                )
