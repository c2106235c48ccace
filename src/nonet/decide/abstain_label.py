"""The abstain label: its default, and checks against the classes."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array
from nonet.decide.labels import hint_of_codes

_WAY_OUT = {
    "numbers": "choose one with abstain_label, a number that is not a class",
    "text": "choose one with abstain_label, such as 'unsure'",
    "objects": "choose one with abstain_label",
}


def resolve_abstain_label(label: Any, classes: ArrayLike) -> Any:
    """Return the label that rows without a decision get.

    Parameters
    ----------
    label : object or None
        The abstain label given by the user. None means the extra class 0 of the lecture notes, if
        the classes are numbers and 0 is not one of them; otherwise an error is raised.
    classes : array-like of shape (n_classes,)
        The labels of the classes.

    Returns
    -------
    label : object
        A label of the same type as the classes that is not one of them.

    Examples
    --------
    >>> from nonet.decide import resolve_abstain_label
    >>> resolve_abstain_label(None, [-1, 1])
    0
    >>> resolve_abstain_label("unsure", ["cat", "dog"])
    'unsure'
    """
    classes = np.asarray(classes)
    kind = _kind_of(classes)
    if label is None:
        return _default_label(kind, classes)
    _check_kind(label, kind, classes)
    if np.any(classes == label):
        raise ValueError(
            f"abstain_label {label!r} is one of the classes: choose a label that is not a class."
        )
    return label


def _kind_of(classes: Array) -> str:
    if classes.dtype.kind == "b":
        raise ValueError(
            "classes False and True leave no value for abstain_label: "
            "convert y to numbers or text, such as y.astype(int) with abstain_label=-1."
        )
    if classes.dtype.kind in "iuf" or all(_is_number(known) for known in classes.tolist()):
        return "numbers"
    if all(isinstance(known, str) for known in classes.tolist()):
        return "text"
    return "objects"


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def _default_label(kind: str, classes: Array) -> Any:
    if kind == "numbers" and not np.any(classes == 0):
        return 0
    taken = "0 is already a class" if kind == "numbers" else f"the classes are {kind}"
    raise ValueError(f"abstain_label has no default here, because {taken}: {_WAY_OUT[kind]}.")


def _check_kind(label: Any, kind: str, classes: Array) -> None:
    fits = {"numbers": _fits_numbers, "text": _is_text, "objects": _fits_objects}[kind]
    if not fits(label, classes):
        raise ValueError(
            f"abstain_label must fit the classes, which are {kind} of dtype {classes.dtype}, "
            f"but got {label!r}: {_WAY_OUT[kind]}{hint_of_codes(label, classes)}."
        )


def _is_text(label: Any, classes: Array) -> bool:
    return isinstance(label, str)


def _fits_objects(label: Any, classes: Array) -> bool:
    """Return whether the label is a scalar of the classes' type (object arrays hold any)."""
    same_type = np.asarray(label).dtype.kind == classes.dtype.kind
    return np.ndim(label) == 0 and (same_type or classes.dtype.kind == "O")


def _fits_numbers(label: Any, classes: Array) -> bool:
    """Return whether the dtype of the classes can represent the number."""
    if not _is_number(label) or not math.isfinite(label):
        return False
    if classes.dtype.kind in "iu":
        limits = np.iinfo(classes.dtype)
        return isinstance(label, numbers.Integral) and limits.min <= int(label) <= limits.max
    return classes.dtype.kind == "O" or abs(label) <= float(np.finfo(classes.dtype).max)
