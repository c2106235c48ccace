"""The labels of the classes of an imported model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Array


def labels_of(source: Any, classes: Sequence[Any] | None, n_classes: int) -> Array:
    """Return the labels that the user gave, those of a fitted classifier, or 0, 1, ...

    Examples
    --------
    >>> labels_of(None, ["no", "yes"], 2), labels_of("model.json", None, 2)
    (array(['no', 'yes'], dtype='<U3'), array([0, 1]))
    """
    found = getattr(source, "classes_", None) if classes is None else classes
    labels = np.arange(n_classes) if found is None else np.asarray(found)
    if labels.shape != (n_classes,):
        raise ValueError(
            f"classes must be a list of {n_classes} labels, as many as the model has classes, got "
            f"an array of shape {labels.shape}."
        )
    if len(set(labels.tolist())) < n_classes:
        raise ValueError(f"classes must be {n_classes} different labels, got {labels.tolist()}.")
    return labels
