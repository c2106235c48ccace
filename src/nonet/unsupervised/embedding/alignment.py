"""F of an ensemble of embeddings: a linear map of the members' coordinates.

Embeddings are defined up to rotations and reflections of their axes. ``average`` turns each member
to a common reference (orthogonal Procrustes) and averages; ``stack`` puts the coordinates of all
members side by side and keeps their first principal axes. Both are linear in these coordinates.

References
----------
P. H. Schoenemann, "A generalized solution of the orthogonal Procrustes problem", *Psychometrika*
31, 1966.
J. C. Gower, "Generalized Procrustes analysis", *Psychometrika* 40, 1975.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import orthogonal_procrustes, svd

from nonet._base.aliases import Floats, Kind

_MAX_ROTATIONS = 20
_TOLERANCE = 1e-10


@dataclass(frozen=True)
class CoordinateMap:
    """F of a fitted ensemble of embeddings.

    Attributes
    ----------
    means : ndarray of shape (n_coordinates,)
        The means of the coordinates of all members, side by side, over the training rows.
    weights : ndarray of shape (n_coordinates, n_components)
        The map from centred coordinates to the embedding.
    reads : 'values'
        The kind of member outputs that F reads.
    """

    means: Floats
    weights: Floats
    reads: Kind = "values"

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return "linear map of all coordinates"

    def __call__(self, outputs: Floats, X: Any = None) -> Floats:
        """Return the embedding of rows from the coordinates of all members, side by side."""
        return np.asarray((outputs - self.means) @ self.weights)


def average_aligned(parts: list[Floats], n_components: int) -> Floats:
    """Return the weights of the average of members that are rotated to their common mean.

    Parameters
    ----------
    parts : list of ndarray of shape (n_rows, n_components)
        The centred coordinates of each member.
    n_components : int

    Returns
    -------
    weights : ndarray of shape (n_members * n_components, n_components)
    """
    rotations = [np.eye(n_components) for _ in parts]
    reference, earlier = parts[0], np.inf
    for _ in range(_MAX_ROTATIONS):
        rotations = [orthogonal_procrustes(part, reference)[0] for part in parts]
        turned = [part @ turn for part, turn in zip(parts, rotations, strict=True)]
        reference = np.mean(turned, axis=0)
        spread = sum(((part - reference) ** 2).sum() for part in turned)
        if spread >= earlier * (1 - _TOLERANCE):
            break
        earlier = spread
    axes = principal_axes(reference, n_components)
    return np.vstack([turn @ axes for turn in rotations]) / len(parts)


def stack_and_reduce(parts: list[Floats], n_components: int) -> Floats:
    """Return the weights of the first principal axes of all coordinates side by side.

    Parameters
    ----------
    parts : list of ndarray of shape (n_rows, n_own_components)
        The centred coordinates of each member.
    n_components : int

    Returns
    -------
    weights : ndarray of shape (n_coordinates, n_components)
        Scaled by the root of the number of members: the embedding has the scale of a member.
    """
    return np.asarray(principal_axes(np.hstack(parts), n_components) / np.sqrt(len(parts)))


COMBINATIONS = {"average": average_aligned, "stack": stack_and_reduce}


def principal_axes(coordinates: Floats, n_components: int) -> Floats:
    """Return the directions of largest variance; the largest entry of each is positive."""
    _, _, axes = svd(coordinates.T @ coordinates)
    axes = axes[:n_components]
    largest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(len(axes)), largest])
    return np.asarray((axes * np.where(signs == 0, 1, signs)[:, np.newaxis]).T)


def spread_of_members(parts: list[Floats], embedding: Floats) -> Floats:
    """Return the standard deviation of aligned members around the embedding, by row and axis.

    Each member is rotated and scaled to the embedding first.

    Parameters
    ----------
    parts : list of ndarray of shape (n_rows, n_own_components)
        The centred coordinates of each member.
    embedding : ndarray of shape (n_rows, n_components)

    Returns
    -------
    spread : ndarray of shape (n_rows, n_components)
    """
    squares = np.zeros_like(embedding)
    for part in parts:
        squares += (_fitted_to(part, embedding) - embedding) ** 2
    return np.asarray(np.sqrt(squares / len(parts)))


def _fitted_to(part: Floats, embedding: Floats) -> Floats:
    """Return the member's coordinates after the rotation and scale that fit the embedding best."""
    left, sizes, right = svd(part.T @ embedding, full_matrices=False)
    total = (part**2).sum()
    scale = sizes.sum() / total if total > 0 else 0.0
    return np.asarray(part @ (left @ right) * scale)
