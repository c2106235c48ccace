"""The number of rounds of each fold's booster, chosen without the rows that it predicts.

With several folds, the rounds for the rows of a fold are those at which the loss of all *other*
folds, summed over their boosters, is lowest. With one fold, each half of its rows is predicted with
the rounds that are best for the other half.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonet._base.aliases import Floats


def choose_rounds(losses: Mapping[int, Floats]) -> dict[int, int]:
    """Return for each fold the number of rounds with the lowest loss of the other folds.

    Parameters
    ----------
    losses : dict of int to ndarray of shape (n_rounds, 2)
        For each fold, the sums of losses of two halves of its rows after each round. The booster
        of a fold may have fewer rounds than others; its loss then stays at the last value.

    Returns
    -------
    n_rounds : dict of int to int
        At least 1, at most the rounds of the fold's own booster. With a single fold, the rounds
        with the lowest loss of all of its rows: for predicting new rows, not for scoring these.

    Examples
    --------
    >>> two = {0: np.array([[3.0, 3.0], [1.0, 1.0]]), 1: np.array([[2.0, 2.0], [4.0, 4.0]])}
    >>> choose_rounds(two)
    {0: 1, 1: 2}
    """
    length = max(len(of_fold) for of_fold in losses.values())
    curves = {fold: _extended(of_fold.sum(axis=1), length) for fold, of_fold in losses.items()}
    total = np.sum([*curves.values()], axis=0)
    chosen = {}
    for fold, own in curves.items():
        deciding = total - own if len(curves) > 1 else total
        chosen[fold] = min(int(np.argmin(deciding)) + 1, len(losses[fold]))
    return chosen


def rounds_of_halves(losses: Floats) -> tuple[int, int]:
    """Return the rounds for the first and for the second half of one fold's rows.

    Parameters
    ----------
    losses : ndarray of shape (n_rounds, 2)
        The sums of losses of the two halves.

    Returns
    -------
    n_rounds : pair of int
        The best rounds of the second half, for the first; and the other way round.

    Examples
    --------
    >>> rounds_of_halves(np.array([[3.0, 1.0], [2.0, 2.0]]))
    (1, 2)
    """
    of_first, of_second = np.argmin(losses, axis=0) + 1
    return int(of_second), int(of_first)


def _extended(curve: Floats, length: int) -> Floats:
    return np.concatenate([curve, np.full(length - len(curve), curve[-1])])
