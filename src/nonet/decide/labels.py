"""The position of a label among the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def position_of(label: Any, classes: ArrayLike, what: str) -> int:
    """Return the code of a label; raise if it is not one of the classes."""
    known: list[Any] = np.asarray(classes).tolist()
    # One label against a short list: without sorting, labels of any type can be compared.
    if label not in known:
        raise ValueError(f"{what} {label!r} is not one of the classes {known}.")
    return known.index(label)
