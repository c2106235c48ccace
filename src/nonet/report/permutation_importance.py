"""Permutation importance: how much the mean loss rises if the values of a column are shuffled.

Reference: L. Breiman (2001), Random forests, Machine Learning 45, 5-32.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.report.evidence import losses_of, mean_and_error
from nonet.report.explained_models import ExplainedModels


@dataclass(frozen=True, eq=False)
class Importance:
    """Rises of the mean loss.

    Attributes
    ----------
    values, errors : ndarray of shape (n_columns,)
        The rise for each column and its standard error over the rows.
    """

    values: Floats
    errors: Floats


def permutation_importance(
    explained: ExplainedModels,
    columns: Codes,
    rows: Codes,
    y: Array,
    loss: str,
    weights: Floats,
    n_repeats: int,
    seed: int,
) -> Importance:
    """Return how much the mean loss rises without the order of a column.

    Parameters
    ----------
    explained : ExplainedModels
    columns : ndarray of int of shape (n_columns,)
    rows : ndarray of int of shape (n,)
    y : ndarray of shape (n,)
        The truth of these rows: class codes, or values.
    loss : {'log_loss', 'zero_one', 'squared_error'}
    weights : ndarray of shape (n,)
        Weights of these rows.
    n_repeats : int
        How often each column is shuffled.
    seed : int

    Returns
    -------
    importance : Importance
    """
    before = _losses(loss, y, explained.predict(rows, {}))
    values, errors = np.empty(len(columns)), np.empty(len(columns))
    repeats = shuffled_predictions(explained, columns, rows, n_repeats, seed)
    for position, predictions in enumerate(repeats):
        after = np.mean([_losses(loss, y, shuffled) for shuffled in predictions], axis=0)
        values[position], errors[position] = mean_and_error(after - before, weights)
    return Importance(values, errors)


def shuffled_predictions(
    explained: ExplainedModels, columns: Codes, rows: Codes, n_repeats: int, seed: int
) -> Iterator[Floats]:
    """Yield for each column the predictions of the rows with its values shuffled.

    Parameters
    ----------
    explained, columns, rows, n_repeats, seed
        As in `permutation_importance`.

    Yields
    ------
    predictions : ndarray of shape (n_repeats, n, t)
    """
    random = np.random.default_rng(seed)
    for column in columns.tolist():
        others = np.concatenate([random.permutation(rows) for _ in range(n_repeats)])
        shuffled = explained.predict(np.tile(rows, n_repeats), {column: others})
        yield shuffled.reshape(n_repeats, len(rows), -1)


def _losses(loss: str, y: Array, predictions: Floats) -> Floats:
    if loss == "squared_error":
        return losses_of(loss, y, predictions[:, 0])
    if loss == "zero_one":  # also where a model abstains, and no class has a prediction
        return np.asarray(1.0 - predictions[np.arange(len(y)), y])
    return losses_of(loss, y, predictions)
