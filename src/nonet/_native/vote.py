"""Bindings of the kernels of votes and averages: memory layout and error messages.

The kernels take ``outputs`` of shape (n_samples, n_members) or (n_samples, n_members, n_classes)
and work without a copy on two layouts: C-contiguous as it is, and C-contiguous (n_members,
n_samples[, n_classes]) seen through a transposition, which is what a stack of the members'
predictions is. Both layouts, and any number of threads, give equal bits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet import _core
from nonet._native.runtime import get_num_threads, native_array

Floats = NDArray[np.floating[Any]]

# Below this many predictions another thread costs more than it saves.
_PREDICTIONS_PER_THREAD = 1 << 16


def _threads_for(n_predictions: int) -> int:
    return max(1, min(get_num_threads(), n_predictions // _PREDICTIONS_PER_THREAD))


# ---- Arrays ------------------------------------------------------------------------------------


def _as_floats(outputs: ArrayLike) -> Floats:
    return native_array(outputs, np.float64, np.float32, contiguous=False)


def _as_codes(codes: ArrayLike) -> NDArray[Any]:
    array = np.asarray(codes)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"Codes of votes must be integers, got dtype {array.dtype}; encode the labels first."
        )
    own = array.dtype.newbyteorder("=")
    is_known = own in (np.int8, np.uint8, np.int16, np.int32, np.int64)
    return native_array(array, own if is_known else np.int64, contiguous=False)


def _check_shape(outputs: NDArray[Any], name: str, *, n_dims: tuple[int, ...]) -> None:
    if outputs.ndim not in n_dims:
        raise ValueError(
            f"{name} must have {' or '.join(map(str, n_dims))} dimensions (rows, members"
            f"{', classes' if 3 in n_dims else ''}), got shape {outputs.shape}."
        )
    if 0 in outputs.shape[1:]:
        raise ValueError(
            f"{name} need at least one member{' and one class' if outputs.ndim == 3 else ''}, "
            f"got shape {outputs.shape}."
        )


def _in_memory_order(outputs: NDArray[Any]) -> tuple[NDArray[Any], bool]:
    """Return a C-contiguous cube and whether its first axis is the members, copying if neither."""
    cube = outputs if outputs.ndim == 3 else outputs[:, :, np.newaxis]
    if cube.flags.c_contiguous:
        return cube, False
    return np.ascontiguousarray(cube.transpose(1, 0, 2)), True


def _as_weights(weights: ArrayLike | None, n_members: int) -> NDArray[np.float64]:
    if weights is None:
        return np.ones(n_members)
    array = native_array(weights, np.float64)
    if array.shape != (n_members,):
        raise ValueError(
            f"weights must hold one number for each of the {n_members} members, got shape "
            f"{array.shape}."
        )
    if not np.isfinite(array).all():
        member = int(np.argmin(np.isfinite(array)))
        raise ValueError(f"weights must be finite, got {array[member]} for member {member}.")
    return array


def _position_of(mask: NDArray[np.bool_]) -> tuple[int, int]:
    row, member, *_ = np.unravel_index(int(np.argmax(mask)), mask.shape)
    return int(row), int(member)


def _refuse_values(outputs: Floats, name: str = "outputs") -> NoReturn:
    missing = np.isnan(outputs)
    if missing.any():
        row, member = _position_of(missing)
        raise ValueError(
            f"{name} hold NaN at row {row}, member {member}; impute them or leave the row or the "
            f"member out."
        )
    row, member = _position_of(np.isinf(outputs))
    raise ValueError(
        f"{name} hold an infinity at row {row}, member {member}, which cancels against another or "
        f"has weight 0, so that the combination is not a number; replace infinities first."
    )


def _refuse_probabilities(probabilities: Floats) -> NoReturn:
    negative = probabilities < 0
    if negative.any():
        row, member = _position_of(negative)
        raise ValueError(
            f"probabilities must not be negative, got "
            f"{np.min(probabilities[row, member])} at row {row}, member {member}."
        )
    _refuse_values(probabilities, "probabilities")


# ---- Kernels -----------------------------------------------------------------------------------


def _over_members(
    kernel: Callable[..., bool],
    outputs: Floats,
    *arguments: Any,
    dtype: type | None = None,
    refuse: Callable[[Floats], NoReturn] = _refuse_values,
) -> NDArray[Any]:
    """Call a kernel that returns one number for each (row[, class]); raise where it fails."""
    cube, member_major = _in_memory_order(outputs)
    out = np.empty((outputs.shape[0], cube.shape[2]), dtype=dtype or outputs.dtype)
    if not kernel(cube, member_major, *arguments, _threads_for(outputs.size), out):
        refuse(outputs)
    return out if outputs.ndim == 3 else out[:, 0]


def weighted_sum(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Sum the members' predictions, each times its weight.

    Terms are added in double precision in the order of members.

    Parameters
    ----------
    outputs : array of shape (n_samples, n_members) or (n_samples, n_members, n_classes)
        Outputs, float32 or float64; other dtypes become float64.
    weights : array of shape (n_members,), optional
        Weights of members; 1 each if not given.

    Returns
    -------
    array of shape (n_samples,) or (n_samples, n_classes)
        Sums, in the floating dtype of the outputs.

    Examples
    --------
    >>> weighted_sum([[1.0, 2.0], [3.0, 4.0]], [1, 10])
    array([21., 43.])
    """
    array = _as_floats(outputs)
    _check_shape(array, "outputs", n_dims=(2, 3))
    return _over_members(_core.weighted_sum, array, _as_weights(weights, array.shape[1]), 1.0)


def weighted_mean(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Average the members' predictions; for float64 equal to ``np.average`` bit for bit.

    Parameters
    ----------
    outputs : array of shape (n_samples, n_members) or (n_samples, n_members, n_classes)
        Outputs, float32 or float64; other dtypes become float64.
    weights : array of shape (n_members,), optional
        Weights of members, with a sum other than 0; equal if not given.

    Returns
    -------
    array of shape (n_samples,) or (n_samples, n_classes)
        Means, in the floating dtype of the outputs: added and divided in double, rounded once.

    Examples
    --------
    >>> weighted_mean([[1.0, 2.0], [3.0, 4.0]], [1, 3])
    array([1.75, 3.75])
    """
    array = _as_floats(outputs)
    _check_shape(array, "outputs", n_dims=(2, 3))
    known = _as_weights(weights, array.shape[1])
    total = float(known.sum())
    if total == 0:
        raise ValueError("weights must not sum to 0, as a mean divides by their sum.")
    return _over_members(_core.weighted_sum, array, known, total)


def order_mean(outputs: ArrayLike, first: int, last: int) -> Floats:
    """Average the order statistics first, ..., last - 1 of the members.

    With k members, ``(k - 1) // 2, k // 2 + 1`` gives the median, ``0, 1`` the minimum,
    ``k - 1, k`` the maximum and ``t, k - t`` the mean trimmed by t members on both sides.

    Parameters
    ----------
    outputs : array of shape (n_samples, n_members) or (n_samples, n_members, n_classes)
        Outputs, float32 or float64; other dtypes become float64.
    first, last : int
        Positions in sorted order, 0 <= first < last <= n_members.

    Returns
    -------
    array of shape (n_samples,) or (n_samples, n_classes)
        Means, in the floating dtype of the outputs.

    Examples
    --------
    >>> order_mean([[9.0, 1.0, 2.0, 4.0]], 1, 3)
    array([3.])
    """
    array = _as_floats(outputs)
    _check_shape(array, "outputs", n_dims=(2, 3))
    if not 0 <= first < last <= array.shape[1]:
        raise ValueError(
            f"Positions must satisfy 0 <= first < last <= {array.shape[1]} (the number of "
            f"members), got first={first}, last={last}."
        )
    return _over_members(_core.order_mean, array, first, last)


def weighted_quantile(
    outputs: ArrayLike, weights: ArrayLike | None, q: float, midpoint: bool = False
) -> Floats:
    """Return the weighted quantile of the members' predictions.

    It is the lowest prediction at which the weights up to it reach q of their total.

    Sums of weights are compared within their rounding error, so that ten weights of 0.1 act as ten
    equal weights. Members of weight 0 are ignored.

    Parameters
    ----------
    outputs : array of shape (n_samples, n_members) or (n_samples, n_members, n_classes)
        Outputs, float32 or float64; other dtypes become float64.
    weights : array of shape (n_members,) or None
        Weights of members, not negative and not all 0; None = equal.
    q : float
        Fraction of the total weight, from 0 to 1.
    midpoint : bool, default=False
        Where the sum is exactly q of the total, take the mean of that prediction and the next one.
        The weighted median is then the median of predictions repeated in proportion to their
        weights.

    Returns
    -------
    array of shape (n_samples,) or (n_samples, n_classes)
        Quantiles, in the floating dtype of the outputs.

    Examples
    --------
    >>> weighted_quantile([[1.0, 2.0, 5.0]], [1, 1, 2], 0.5)
    array([2.])
    >>> weighted_quantile([[1.0, 2.0, 5.0]], [1, 1, 2], 0.5, midpoint=True)
    array([3.5])
    """
    array = _as_floats(outputs)
    _check_shape(array, "outputs", n_dims=(2, 3))
    known = _as_weights(weights, array.shape[1])
    if (known < 0).any() or not known.any():
        raise ValueError(
            f"weights of a quantile must not be negative and not all 0, got {known.tolist()}."
        )
    if not 0 <= q <= 1:
        raise ValueError(f"q must be in [0, 1], got {q}.")
    return _over_members(_core.weighted_quantile, array, known, q, midpoint)


def weighted_log_sum(
    probabilities: ArrayLike, weights: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Sum the logarithms of the members' probabilities, each times its weight.

    Parameters
    ----------
    probabilities : array of shape (n_samples, n_members) or (n_samples, n_members, n_classes)
        Probabilities, not negative. The logarithm of 0 is minus infinity.
    weights : array of shape (n_members,), optional
        Weights of members; 1 each if not given. A member of weight 0 adds nothing, whatever its
        output.

    Returns
    -------
    float64 array of shape (n_samples,) or (n_samples, n_classes)
        Logarithms of the weighted product, not normalised.

    Examples
    --------
    >>> np.exp(weighted_log_sum([[0.5, 0.25]])).round(6)
    array([0.125])
    """
    array = _as_floats(probabilities)
    _check_shape(array, "probabilities", n_dims=(2, 3))
    known = _as_weights(weights, array.shape[1])
    return _over_members(
        _core.weighted_log_sum, array, known, dtype=np.float64, refuse=_refuse_probabilities
    )


def votes(codes: ArrayLike, weights: ArrayLike | None, n_classes: int) -> NDArray[np.float64]:
    """Sum the weights of the members that vote for each class.

    Parameters
    ----------
    codes : integer array of shape (n_samples, n_members)
        Numbers of classes, 0 to n_classes - 1; a negative one is a member that abstains.
    weights : array of shape (n_members,) or None
        Weights of members; None = 1 each.
    n_classes : int
        Number of classes, at least 1.

    Returns
    -------
    float64 array of shape (n_samples, n_classes)
        Votes, added in the order of members.

    Examples
    --------
    >>> votes([[0, 1, 1], [2, -1, 2]], None, 3)
    array([[1., 2., 0.],
           [0., 0., 2.]])
    """
    array = _as_codes(codes)
    _check_shape(array, "codes", n_dims=(2,))
    if n_classes < 1:
        raise ValueError(f"n_classes must be at least 1, got {n_classes}.")
    known = np.empty(0) if weights is None else _as_weights(weights, array.shape[1])
    cube, member_major = _in_memory_order(array)
    out = np.empty((array.shape[0], n_classes))
    if not _core.votes(cube, member_major, known, _threads_for(array.size), out):
        row, member = _position_of(array >= n_classes)
        raise ValueError(
            f"codes must be below n_classes={n_classes}, got {array[row, member]} at row {row}, "
            f"member {member}; a member that abstains has a negative code."
        )
    return out


def borda(
    scores: ArrayLike, weights: ArrayLike | None = None, half_ties: bool = True
) -> NDArray[np.float64]:
    """Sum Borda points: a class gets one for every class that a member scores below it.

    Parameters
    ----------
    scores : array of shape (n_samples, n_members, n_classes)
        Scores; only their order within a member counts.
    weights : array of shape (n_members,), optional
        Weights of members; 1 each if not given.
    half_ties : bool, default=True
        Whether a class gets half a point for each class of equal score, or nothing.

    Returns
    -------
    float64 array of shape (n_samples, n_classes)
        Weighted points.

    Examples
    --------
    >>> borda([[[0.1, 0.7, 0.2], [3.0, 9.0, 3.0]]])
    array([[0.5, 4. , 1.5]])
    """
    array = _as_floats(scores)
    _check_shape(array, "scores", n_dims=(3,))
    known = _as_weights(weights, array.shape[1])
    tie_points = 0.5 if half_ties else 0.0
    refuse = functools.partial(_refuse_values, name="scores")
    return _over_members(_core.borda, array, known, tie_points, dtype=np.float64, refuse=refuse)


def argmax(support: ArrayLike) -> NDArray[np.int64]:
    """Find the class of the highest support; the first of them where several are equal.

    Parameters
    ----------
    support : array of shape (n_samples, n_classes)
        Supports, float32 or float64; other dtypes become float64.

    Returns
    -------
    int64 array of shape (n_samples,)
        Numbers of classes.

    Examples
    --------
    >>> argmax([[0.2, 0.5, 0.3], [0.4, 0.2, 0.4]])
    array([1, 0])
    """
    array = np.ascontiguousarray(_as_floats(support))
    if array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(
            f"support must have 2 dimensions (rows, classes) and at least one class, got shape "
            f"{array.shape}."
        )
    out = np.empty(array.shape[0], dtype=np.int64)
    if not _core.argmax(array, _threads_for(array.size), out):
        row, column = _position_of(np.isnan(array))
        raise ValueError(
            f"support holds NaN at row {row}, class {column}; no class has the highest support."
        )
    return out
