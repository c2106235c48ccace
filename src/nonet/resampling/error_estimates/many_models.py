"""Correction of the held-out error of the best of many models.

References: R. Tibshirani & R. Tibshirani (2009), A bias correction for the minimum error rate in
cross-validation, Annals of Applied Statistics 3, 822-829; I. Tsamardinos, E. Greasidou & G.
Borboudakis (2018), Bootstrapping the out-of-sample predictions for efficient and accurate
cross-validation, Machine Learning 107, 1895-1922.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Codes, Floats
from nonet._base.params import Choice, Integer, bad_parameter
from nonet._base.results import Result
from nonet._native.resample import draw_units
from nonet.resampling.bootstrap.draws import seed_of

_METHOD = Choice("bootstrap", "folds")
_RESAMPLES = Integer(1)


@dataclass(frozen=True)
class BestOfMany(Result):
    """The corrected error of the model with the lowest held-out error.

    Attributes
    ----------
    best : int
        Position of the chosen model.
    apparent : float
        Its held-out error, too small for having been chosen.
    error : float
        The corrected error.
    method : str
        How it was corrected.

    Examples
    --------
    >>> from nonet.resampling import best_of_many
    >>> coins = np.random.default_rng(0).integers(2, size=(100, 200))  # all have an error of 1/2
    >>> result = best_of_many(coins, random_state=0)
    >>> result.apparent < 0.4 < result.error
    True
    """

    best: int
    apparent: float
    error: float
    method: str

    _shown: ClassVar[tuple[str, ...]] = ("best", "apparent", "error", "method")

    @property
    def optimism(self) -> float:
        """By how much the apparent error is too small."""
        return self.error - self.apparent


def best_of_many(
    losses: ArrayLike,
    fold_sizes: ArrayLike | None = None,
    *,
    method: str = "bootstrap",
    n_resamples: int = 1000,
    random_state: Any = None,
) -> BestOfMany:
    """Correct the minimum of many held-out errors for the selection.

    Parameters
    ----------
    losses : array-like of shape (n, n_models)
        Loss of each model on each held-out row.
    fold_sizes : array-like of shape (n_folds,), default=None
        How many rows, in order, each fold has; needed by ``method='folds'``.
    method : {'bootstrap', 'folds'}, default='bootstrap'
        'bootstrap' chooses the best model on resampled rows and takes its loss on the rows left
        out (Tsamardinos et al.). 'folds' adds the mean, over folds, of how much the chosen model
        loses there to the best of that fold (Tibshirani & Tibshirani), which is simple but may
        correct too much with small folds.
    n_resamples : int, default=1000
        Resamples of the bootstrap.
    random_state : int, RandomState, Generator or None, default=None
        Of the bootstrap.

    Returns
    -------
    result : BestOfMany

    Examples
    --------
    >>> from nonet.resampling import best_of_many
    >>> losses = [[1, 0], [0, 0], [0, 1], [0, 1]]
    >>> best_of_many(losses, [2, 2], method="folds").error
    0.5
    """
    if not _METHOD.allows(method):
        raise bad_parameter("best_of_many", "method", _METHOD.describe(), method)
    if not _RESAMPLES.allows(n_resamples):
        raise bad_parameter("best_of_many", "n_resamples", _RESAMPLES.describe(), n_resamples)
    table = _check_losses(losses)
    means = table.mean(axis=0)
    best = int(np.argmin(means))
    if method == "folds":
        error = float(means[best]) + _loss_to_each_folds_best(table, best, fold_sizes)
    else:
        error = _loss_outside_resamples(table, n_resamples, seed_of(random_state))
    return BestOfMany(best, float(means[best]), error, method)


def _check_losses(losses: ArrayLike) -> Floats:
    table = np.asarray(losses, dtype=np.float64)
    if table.ndim != 2 or len(table) < 2 or not table.shape[1]:
        raise ValueError(
            f"losses must have shape (n, n_models) with at least 2 rows, but have {table.shape}."
        )
    if not np.isfinite(table).all():
        row = int(np.argwhere(~np.isfinite(table))[0][0])
        raise ValueError(f"losses must be finite, but row {row} is not.")
    return table


def _loss_to_each_folds_best(table: Floats, best: int, fold_sizes: ArrayLike | None) -> float:
    sizes: Codes = np.asarray([] if fold_sizes is None else fold_sizes)
    if sizes.ndim != 1 or not sizes.size or (sizes < 1).any() or sizes.sum() != len(table):
        raise ValueError(
            f"method='folds' needs fold_sizes of at least 1 that sum to the {len(table)} rows, but "
            f"got {fold_sizes!r}."
        )
    parts = np.split(table, np.cumsum(sizes)[:-1])
    gaps = [part[:, best].mean() - part.mean(axis=0).min() for part in parts]
    return float(np.mean(gaps))


def _loss_outside_resamples(table: Floats, n_resamples: int, seed: int) -> float:
    """Mean loss, over resamples, of the model chosen inside on the rows outside."""
    n_rows = len(table)
    found = []
    for number in range(n_resamples):
        drawn = draw_units(n_rows, n_rows, 1, seed=seed, first=number)[0]
        counts = np.bincount(drawn, minlength=n_rows)
        outside = counts == 0
        if outside.any():
            chosen = int(np.argmin(counts @ table))
            found.append(table[outside, chosen].mean())
    if not found:
        raise ValueError("no resample left a row out; request more resamples.")
    return float(np.mean(found))
