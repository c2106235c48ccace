"""Targets of a tree, one or several, in the form that the grower takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.trees.criteria import ClassImpurity


@dataclass(frozen=True)
class GrowTarget:
    """Targets of all rows, the impurity to decrease, and how values are to be read.

    Parameters
    ----------
    values : ndarray of shape (n_rows,) or (n_rows, n_columns)
        Codes of classes, or numbers.
    criterion : str
        A criterion of the grower.
    n_classes : tuple of int
        Number of classes of each target; 1 for a number.
    impurity_unit : float
        What the grower's impurity has to be multiplied by.
    """

    values: Array
    criterion: str
    n_classes: tuple[int, ...]
    impurity_unit: float = 1.0


def number_target(y: Floats, criterion: str) -> GrowTarget:
    """Return the target of a regression, one column per target."""
    if criterion == "poisson":
        _check_counts(y)
    return GrowTarget(y, criterion, (1,) * y.shape[1])


def _check_counts(y: Floats) -> None:
    if (y < 0).any() or not y.any():
        raise ValueError(
            "criterion='poisson' needs targets of at least 0 that are not all 0, but y is between "
            f"{y.min()} and {y.max()}."
        )


def class_target(
    codes: Array, n_classes: tuple[int, ...], name: str, impurity: ClassImpurity
) -> GrowTarget:
    """Return the target of a classification, one column of codes per target.

    The Gini impurity is the sum of the variances of the classes' indicators, and the entropy that
    of their deviances, so that several targets are grown on all their indicators side by side. The
    grower averages over indicators, where the impurity of a tree averages over targets.
    """
    if len(n_classes) == 1:
        return GrowTarget(codes[:, 0], impurity.core, n_classes)
    if impurity.indicators is None:
        raise ValueError(
            f"criterion={name!r} is for one target, but y has {len(n_classes)} of them; fit a tree "
            "for each, or use criterion='gini'."
        )
    indicators = [
        codes[:, [k]] == np.arange(n)  # (n_rows, n_classes of target k)
        for k, n in enumerate(n_classes)
    ]
    values, unit = np.hstack(indicators).astype(float), sum(n_classes) / len(n_classes)
    return GrowTarget(values, impurity.indicators, n_classes, unit / impurity.indicator_unit)
