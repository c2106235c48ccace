"""The position of a label among the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array


def position_of(label: Any, classes: ArrayLike, what: str) -> int:
    """Return the code of a label; raise if it is not one of the classes."""
    known: list[Any] = np.asarray(classes).tolist()
    # One label against a short list: without sorting, labels of any type can be compared.
    if label not in known:
        hint = hint_of_codes(label, np.asarray(classes))
        raise ValueError(f"{what} {label!r} is not one of the classes {known}{hint}.")
    return known.index(label)


def hint_of_codes(label: Any, classes: Array) -> str:
    """Return a hint if the label is text, and the classes look like the codes of others."""
    if not isinstance(label, str) or not np.array_equal(classes, np.arange(len(classes))):
        return ""
    return (
        "; if y holds text, a tool such as scikit-learn's cross_val_predict(method="
        "'predict_proba') or StackingClassifier fits on codes 0, 1, ... instead: name a code here"
    )
