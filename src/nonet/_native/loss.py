"""Bindings of the gradients of the built-in losses, and of the row weights in AdaBoost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet import _core
from nonet._core import ExactSum
from nonet._native.runtime import get_num_threads, native_array

Floats = NDArray[Any]  # of float64

# Below this many rows another thread costs more than it saves.
_ROWS_PER_THREAD = 1 << 14
_NONE = np.empty(0)


def _threads_for(n_rows: int) -> int:
    n_useful = n_rows // _ROWS_PER_THREAD
    # Small rounds do not read the environment, which takes as long as their gradients.
    return min(get_num_threads(), n_useful) if n_useful > 1 else 1


def fill_gradients(
    name: str,
    shape: float,
    targets: Floats,
    scores: Floats,
    gradients: Floats,
    hessians: Floats | None = None,
) -> None:
    """Compute the gradients and hessians of a loss at the scores.

    Parameters
    ----------
    name : str
        Name of the loss in the table of the core (`cpp/loss/losses.hpp`).
    shape : float
        Width of Huber's loss, level of the quantile loss, power of Tweedie's; else not read.
    targets, scores : float64 arrays of shape (n_rows,)
        Where the derivatives are evaluated.
    gradients, hessians : float64 arrays of shape (n_rows,)
        Output arrays; no hessians are written if none are given.

    Examples
    --------
    >>> gradients = np.empty(2)
    >>> fill_gradients("squared", 0.0, np.array([1.0, 2.0]), np.array([0.0, 4.0]), gradients)
    >>> gradients
    array([-1.,  2.])
    """
    _core.fill_gradients(
        name,
        shape,
        native_array(targets, np.float64),
        native_array(scores, np.float64),
        _threads_for(len(targets)),
        gradients,
        _NONE if hessians is None else hessians,
    )


def sum_losses(
    name: str, shape: float, targets: Floats, scores: Floats, weights: Floats | None
) -> ExactSum:
    """Sum a loss over rows, each times its weight.

    Parameters
    ----------
    name, shape, targets, scores
        As in `fill_gradients`.
    weights : float64 array of shape (n_rows,), optional
        1 each if not given.

    Returns
    -------
    ExactSum
        The same in any order of the rows.

    Examples
    --------
    >>> sum_losses("absolute", 0.0, np.array([1.0, 2.0]), np.array([0.0, 4.0]), None).value
    3.0
    """
    return _core.sum_losses(
        name,
        shape,
        native_array(targets, np.float64),
        native_array(scores, np.float64),
        _NONE if weights is None else native_array(weights, np.float64),
        _threads_for(len(targets)),
    )


def fill_class_gradients(
    codes: NDArray[np.int32], scores: Floats, gradients: Floats, hessians: Floats
) -> None:
    """Compute the gradients and hessians of the multinomial loss at the scores, class by class.

    Parameters
    ----------
    codes : int32 array of shape (n_rows,)
        Codes of classes.
    scores : float64 array of shape (n_classes, n_rows)
        Logarithms of the probabilities, up to a constant per row.
    gradients, hessians : float64 arrays of shape (n_classes, n_rows)
        Output arrays.

    Examples
    --------
    >>> gradients, hessians = np.empty((2, 1)), np.empty((2, 1))
    >>> fill_class_gradients(np.array([1], np.int32), np.zeros((2, 1)), gradients, hessians)
    >>> gradients.ravel(), hessians.ravel()
    (array([ 0.5, -0.5]), array([0.25, 0.25]))
    """
    known = native_array(scores, np.float64)
    _core.fill_class_gradients(
        native_array(codes, np.int32), known, _threads_for(known.size), gradients, hessians
    )


def sum_class_losses(codes: NDArray[np.int32], scores: Floats, weights: Floats | None) -> ExactSum:
    """Sum the multinomial loss over rows, each times its weight.

    Parameters
    ----------
    codes, scores
        As in `fill_class_gradients`.
    weights : float64 array of shape (n_rows,), optional
        1 each if not given.

    Returns
    -------
    ExactSum
        The same in any order of the rows.

    Examples
    --------
    >>> round(sum_class_losses(np.array([1], np.int32), np.zeros((2, 1)), None).value, 6)
    0.693147
    """
    known = native_array(scores, np.float64)
    of_rows = _NONE if weights is None else native_array(weights, np.float64)
    return _core.sum_class_losses(
        native_array(codes, np.int32), known, of_rows, _threads_for(known.size)
    )


def add_leaf_values(leaves: NDArray[np.int32], values: Floats, scores: Floats) -> None:
    """Add to each row's score the value of its leaf.

    Parameters
    ----------
    leaves : int32 array of shape (n_rows,)
        Leaf of each row, negative for rows that keep their score.
    values : float64 array of shape (n_nodes,)
        Value of each leaf, at its number.
    scores : float64 array of shape (n_rows,)
        The scores, changed in place.

    Examples
    --------
    >>> scores = np.zeros(3)
    >>> add_leaf_values(np.array([1, -1, 0], np.int32), np.array([5.0, 7.0]), scores)
    >>> scores
    array([7., 0., 5.])
    """
    _core.add_leaf_values(leaves, values, _threads_for(len(leaves)), scores)


# ---- Rows of AdaBoost ---------------------------------------------------------------------------

# A pass over the rows is so cheap that only many rows are worth another thread.
_VOTES_PER_THREAD = 1 << 17


def _threads_for_votes(n_rows: int) -> int:
    if n_rows < 2 * _VOTES_PER_THREAD:  # reading the number takes as long as a thousand rows
        return 1
    return min(get_num_threads(), n_rows // _VOTES_PER_THREAD)


def sum_marked(weights: Floats, marked: NDArray[np.bool_]) -> float:
    """Return the weight of the marked rows.

    Parameters
    ----------
    weights : float64 array of shape (n_rows,)
    marked : bool array of shape (n_rows,)

    Returns
    -------
    float
        The same bits on any number of threads.

    Examples
    --------
    >>> sum_marked(np.array([1.0, 2.0, 4.0]), np.array([True, False, True]))
    5.0
    """
    return _core.sum_marked(weights, marked.view(np.uint8), _threads_for_votes(len(weights)))


def scale_unmarked(weights: Floats, marked: NDArray[np.bool_], factor: float) -> Floats:
    """Return the weights, times a factor in the rows without a mark.

    Parameters
    ----------
    weights : float64 array of shape (n_rows,)
    marked : bool array of shape (n_rows,)
    factor : float

    Returns
    -------
    float64 array of shape (n_rows,)

    Examples
    --------
    >>> scale_unmarked(np.array([1.0, 2.0]), np.array([True, False]), 0.5)
    array([1., 1.])
    """
    out = np.empty(len(weights))
    n_threads = _threads_for_votes(len(weights))
    _core.scale_unmarked(weights, marked.view(np.uint8), factor, n_threads, out)
    return out


def normalise_weights(weights: Floats, minimum: float) -> None:
    """Make the sum 1, in place, with no row below the minimum weight.

    Parameters
    ----------
    weights : float64 array of shape (n_rows,)
    minimum : float

    Examples
    --------
    >>> weights = np.array([1.0, 3.0])
    >>> normalise_weights(weights, 0.0)
    >>> weights
    array([0.25, 0.75])
    """
    _core.normalise(weights, minimum, _threads_for_votes(len(weights)))


def add_weights(weights: Floats, sums: Floats) -> float:
    """Add weights to running sums, and return the sum of their squares.

    Parameters
    ----------
    weights, sums : float64 arrays of shape (n_rows,)

    Returns
    -------
    float
        The same bits on any number of threads.

    Examples
    --------
    >>> sums = np.zeros(2)
    >>> add_weights(np.array([3.0, 4.0]), sums), sums
    (25.0, array([3., 4.]))
    """
    return _core.add_weights(weights, _threads_for_votes(len(weights)), sums)


def add_votes(
    wrong: NDArray[np.bool_],
    alpha: float,
    weights: Floats,
    is_second: NDArray[np.bool_],
    scores: Floats,
) -> tuple[float, float]:
    """Add alpha to the score of every row, or take it away where the vote is wrong.

    Parameters
    ----------
    wrong : bool array of shape (n_rows,)
        Where the member that has this alpha is wrong.
    alpha : float
    weights : float64 array of shape (n_rows,)
    is_second : bool array of shape (n_rows,)
        Rows of the second class, which lose where the score is 0.
    scores : float64 array of shape (n_rows,)
        Changed in place.

    Returns
    -------
    min_score, wrong_weight : float
        The lowest score, and the weight of the rows that all votes so far together get wrong.

    Examples
    --------
    >>> scores = np.zeros(2)
    >>> wrong = np.array([True, False])
    >>> add_votes(wrong, 0.5, np.array([0.25, 0.75]), np.array([False, True]), scores), scores
    ((-0.5, 0.25), array([-0.5,  0.5]))
    """
    marks, second = wrong.view(np.uint8), is_second.view(np.uint8)
    return _core.add_votes(marks, alpha, weights, second, _threads_for_votes(len(wrong)), scores)
