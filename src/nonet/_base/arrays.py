"""Checks of outputs, weights and labels."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet._base.errors import show
from nonet._base.frames import are_strings
from nonet._base.params import Choice, bad_parameter

_MIN_WEIGHT, _MAX_WEIGHT = 1e-100, 1e100

_UNKNOWN = Choice("error", "silent")


def check_member_weights(weights: ArrayLike | None, n_members: int) -> Floats | None:
    """Return the weights as n_members finite, non-negative numbers that are not all zero."""
    if weights is None:
        return None
    checked = as_numbers(weights, "weights")
    if checked.ndim != 1 or len(checked) != n_members:
        raise ValueError(
            f"weights must hold one number for each of the {n_members} members, "
            f"but has shape {checked.shape}."
        )
    _check_weight_values(checked, "weights", "member")
    return checked


def check_sample_weight(
    sample_weight: ArrayLike | None,
    n_rows: int,
    name: str = "sample_weight",
    *,
    any_scale: bool = False,
) -> Floats | None:
    """Return the row weights as n_rows finite, non-negative numbers that are not all zero.

    A single number is the weight of every row; ``name`` is what the user calls the weights. They
    may have any scale if they are divided by their sum before they are used.
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(n_rows, sample_weight)
    checked = as_numbers(sample_weight, name)
    if checked.shape != (n_rows,):
        kind = ValueError if checked.ndim else TypeError
        raise kind(
            f"{name} must hold one number for each of the {n_rows} rows, "
            f"but has shape {checked.shape}."
        )
    _check_weight_values(checked, name, "row", any_scale=any_scale)
    return checked


def as_numbers(values: ArrayLike, what: str) -> Floats:
    """Return real numbers as an array, or raise one sentence about what they are."""
    try:
        numbers = np.asarray(values)
        if numbers.dtype.kind not in "biufO":  # NumPy would read text, and drop imaginary parts
            raise TypeError(f"dtype {numbers.dtype}")
        return numbers.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as why:
        raise TypeError(f"{what} must be numbers, but got {show(values)}.") from why


def _check_weight_values(weights: Floats, what: str, unit: str, any_scale: bool = False) -> None:
    bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if bad.size:
        raise ValueError(
            f"{what} must be finite and at least 0, but {unit} {bad[0]} has {weights[bad[0]]}."
        )
    maximum = weights.max(initial=0)
    if maximum == 0:
        raise ValueError(
            f"{what} must not all be 0: at least one {unit} needs a weight above zero."
        )
    if not any_scale and not _MIN_WEIGHT <= maximum <= _MAX_WEIGHT:
        raise ValueError(
            f"{what} must be at most {_MAX_WEIGHT:g}, and not all below {_MIN_WEIGHT:g}, so "
            f"that their products are numbers, but the maximum is {maximum:g}; multiply them by a "
            "constant."
        )


def check_real_outputs(outputs: ArrayLike, *, n_axes: tuple[int, ...]) -> Floats:
    """Return member outputs as a float32 or float64 array with at least one member."""
    checked = np.asarray(outputs)
    if checked.dtype.kind not in "biuf":
        raise TypeError(f"outputs must be real numbers, but have dtype {checked.dtype}.")
    if checked.dtype not in (np.float32, np.float64):
        checked = checked.astype(np.float64)
    return _check_output_shape(checked, n_axes)


def check_label_outputs(outputs: ArrayLike) -> Codes:
    """Return member labels as an (n, k) array of class codes."""
    checked = np.asarray(outputs)
    if checked.dtype.kind == "b":
        checked = checked.astype(np.int8)
    if checked.dtype.kind not in "iu":
        raise TypeError(
            f"label outputs must be whole-number class codes, but have dtype {checked.dtype}; "
            "nonet.combine.encode_labels turns labels into codes."
        )
    return _check_output_shape(checked, (2,))


def _check_output_shape(outputs: Array, n_axes: tuple[int, ...]) -> Array:
    if outputs.ndim not in n_axes:
        shapes = {2: "(rows, members)", 3: "(rows, members, classes)"}
        allowed = " or ".join(shapes[axes] for axes in n_axes)
        raise ValueError(f"outputs must have shape {allowed}, but have shape {outputs.shape}.")
    if 0 in outputs.shape[1:]:
        minimum = "one member" if outputs.ndim == 2 else "one member and one class"
        raise ValueError(f"outputs must hold at least {minimum}, but have shape {outputs.shape}.")
    return outputs


def code_dtype(n_classes: int) -> np.dtype[Any]:
    """Return the smallest signed integer type that holds the codes and ``ABSTAINED``."""
    return np.min_scalar_type(-max(n_classes, 1))


def check_class_labels(labels: Array) -> None:
    """Raise unless they can be labels of classes, as scikit-learn does; strings always can."""
    if not are_strings(labels):
        check_classification_targets(labels)


def find_classes(labels: Array) -> tuple[Array, NDArray[np.intp]]:
    """Return the distinct labels in order, and the position of each label among them.

    The same as ``np.unique(labels, return_inverse=True)``. Strings that are objects are looked up
    in a dictionary, which takes a fifth of the time of sorting them.

    Parameters
    ----------
    labels : array of shape (n_rows,)
        Labels of any type.

    Returns
    -------
    classes : array of shape (n_classes,)
    codes : array of shape (n_rows,)

    Examples
    --------
    >>> find_classes(np.array(["no", "yes", "no"], dtype=object))
    (array(['no', 'yes'], dtype=object), array([0, 1, 0]))
    """
    if not are_strings(labels):
        classes, codes = np.unique(labels, return_inverse=True)
        return classes, codes
    distinct = sorted(set(labels))
    positions = {label: position for position, label in enumerate(distinct)}
    codes = np.fromiter(map(positions.__getitem__, labels), dtype=np.intp, count=len(labels))
    return np.array(distinct, dtype=object), codes


def encode_labels(labels: ArrayLike, classes: ArrayLike, *, unknown: str = "error") -> Codes:
    """Turn labels into their positions in ``classes``.

    Parameters
    ----------
    labels : array-like
        Labels of any type and shape.
    classes : array-like of shape (n_classes,)
        The known labels.
    unknown : {'error', 'silent'}, default='error'
        A label that is not a class raises, or becomes the code -1 (no decision).

    Returns
    -------
    codes : ndarray of the shape of ``labels``

    Examples
    --------
    >>> from nonet.combine import encode_labels
    >>> encode_labels([["cat", "dog"], ["dog", "dog"]], ["cat", "dog"])
    array([[0, 1],
           [1, 1]], dtype=int8)
    """
    if not _UNKNOWN.allows(unknown):
        raise bad_parameter("encode_labels", "unknown", _UNKNOWN.describe(), unknown)
    labels, classes = np.asarray(labels), np.asarray(classes)
    if not classes.size:
        raise ValueError("encode_labels needs at least one class, but classes is empty.")
    order = np.argsort(classes)
    ranks = np.searchsorted(classes, labels, sorter=order)
    positions = order[np.minimum(ranks, len(classes) - 1)]
    known = classes[positions] == labels
    if unknown == "error" and not np.all(known):
        stranger = labels[~known].tolist()[0]
        raise ValueError(f"label {stranger!r} is not one of the classes {_short_list(classes)}.")
    return np.where(known, positions, ABSTAINED).astype(code_dtype(len(classes)))


def _short_list(classes: Array) -> str:
    shown = ", ".join(repr(label) for label in classes[:8].tolist())
    return f"[{shown}, ... {len(classes)} in all]" if len(classes) > 8 else f"[{shown}]"
