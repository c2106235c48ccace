"""Weights by least squares: non-negative, or on the simplex.

The functions take any design matrix, with one row per equation and one column per member. The
classes pass a design of k + 1 rows that has the same squared error as all the held-out
rows x targets, so that the cost of solving does not depend on the number of rows.

References
----------
C. L. Lawson and R. J. Hanson, Solving Least Squares Problems, 1974, chapter 23.
L. Breiman, Stacked regressions, Machine Learning 24, 1996.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

from nonet._base.aliases import Floats
from nonet.combine.held_out import HeldOut
from nonet.combine.weight_finder import WeightFinder


def non_negative_weights(design: Floats, wanted: Floats) -> Floats:
    """Minimise the squared error of the weighted sum with weights of at least 0.

    Parameters
    ----------
    design : ndarray of shape (m, k)
        The predictions of the members, one row per equation and one column per member.
    wanted : ndarray of shape (m,)
        The true values.

    Returns
    -------
    weights : ndarray of shape (k,)
        They need not sum to one. They are all 0 if no member correlates with the target. Of
        members with equal predictions, only one gets weight.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine.least_squares import non_negative_weights
    >>> design = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    >>> non_negative_weights(design, np.array([2.0, -1.0, 5.0]))
    array([2., 0.])
    """
    # The default of 3 k steps is too few for some collinear members.
    weights: Floats = nnls(design, wanted, maxiter=30 * design.shape[1])[0]
    return weights


def simplex_weights(design: Floats, wanted: Floats) -> Floats:
    """Minimise the squared error of the weighted mean, with weights of at least 0 that sum to 1.

    Parameters
    ----------
    design : ndarray of shape (m, k)
        The predictions of the members, one row per equation and one column per member.
    wanted : ndarray of shape (m,)
        The true values.

    Returns
    -------
    weights : ndarray of shape (k,)

    Notes
    -----
    With weights that sum to 1 the error is the weighted mean E w of the members' errors E, so
    we seek the point of minimum norm in their convex hull. One non-negative problem finds it:
    put u = t w into ||E u||^2 + (sum u - 1)^2; the best t for given w is 1 / (1 + ||E w||^2),
    which leaves 1 - t to be minimised, and that is increasing in ||E w||. So w = u / sum u.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine.least_squares import simplex_weights
    >>> simplex_weights(np.array([[1.0, 5.0]]), np.array([2.0]))
    array([0.75, 0.25])
    """
    errors = design - wanted[:, np.newaxis]
    sizes = np.linalg.norm(errors, axis=0)
    # In units of the best member's error, both terms of the sum have the same order of magnitude.
    unit = min(sizes[sizes > 0], default=1.0)
    equations = np.vstack([errors / unit, np.ones(design.shape[1])])
    scaled = non_negative_weights(equations, np.append(np.zeros(len(errors)), 1.0))
    weights: Floats = scaled / scaled.sum()
    return weights


def error_gram(held_out: HeldOut) -> Floats:
    """Return the products of the members' errors and the target, summed over rows and targets.

    Parameters
    ----------
    held_out : HeldOut
        Predictions of k members.

    Returns
    -------
    gram : ndarray of shape (k + 1, k + 1)
        M' M for the matrix M = [f_1 - y, ..., f_k - y, y]. It uses errors instead of predictions
        because a large mean of the target would hide the differences between the members.

    Examples
    --------
    >>> from nonet.combine.held_out import check_held_out
    >>> from nonet.combine.least_squares import error_gram
    >>> error_gram(check_held_out([[2.0, 3.0]], [1.0]))
    array([[1., 2., 1.],
           [2., 4., 2.],
           [1., 2., 1.]])
    """
    k = held_out.n_members
    gram = np.zeros((k + 1, k + 1))
    roots = np.sqrt(held_out.row_weights)[:, np.newaxis, np.newaxis]
    for rows in held_out.blocks():
        wanted = held_out.wanted(rows)[:, :, np.newaxis]
        columns = np.empty((*wanted.shape[:2], k + 1))
        columns[:, :, :k] = held_out.supports(rows).transpose(0, 2, 1) - wanted
        columns[:, :, k:] = wanted
        matrix = (columns * roots[rows]).reshape(-1, k + 1)
        gram += matrix.T @ matrix
    return gram


def small_design(gram: Floats) -> tuple[Floats, Floats]:
    """Return k + 1 equations whose squared error equals that of all rows, for any weights.

    Parameters
    ----------
    gram : ndarray of shape (k + 1, k + 1)
        The output of ``error_gram``.

    Returns
    -------
    design : ndarray of shape (k + 1, k)
    wanted : ndarray of shape (k + 1,)

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine.held_out import check_held_out
    >>> from nonet.combine.least_squares import error_gram, small_design
    >>> outputs, y = np.array([[2.0, 3.0], [1.0, 0.0], [4.0, 1.0]]), np.array([1.0, 2.0, 3.0])
    >>> design, wanted = small_design(error_gram(check_held_out(outputs, y)))
    >>> w = np.array([0.3, 0.6])
    >>> bool(np.isclose(np.sum((design @ w - wanted) ** 2), np.sum((outputs @ w - y) ** 2)))
    True
    """
    sizes = np.sqrt(np.diag(gram))
    sizes[sizes == 0] = 1.0
    # Eigenvalues instead of Cholesky: members with equal predictions make the matrix singular.
    values, vectors = np.linalg.eigh(gram / np.outer(sizes, sizes))
    values[values < len(values) * np.finfo(float).eps * values[-1]] = 0.0
    root = np.sqrt(values)[:, np.newaxis] * vectors.T * sizes
    return root[:, :-1] + root[:, -1:], root[:, -1]


class NonNegative(WeightFinder):
    """Non-negative weights with the minimum squared error: min_w ||sum_m w_m f_m - y||^2.

    The error is summed over rows, and over targets or classes. The weights are not scaled to
    sum to one: a blend of members that all predict too low may exceed each of them. If
    all weights come out as 0, all members get the same weight.

    References
    ----------
    L. Breiman, Stacked regressions, Machine Learning 24, 1996.

    Examples
    --------
    >>> from nonet.combine.weights import NonNegative
    >>> NonNegative().find([[1.0, 1.0], [2.0, -1.0], [3.0, 0.0]], [2.0, 4.0, 6.0]).round(6)
    array([2., 0.])
    """

    finds_factors = True

    def _find(self, held_out: HeldOut) -> Floats:
        return non_negative_weights(*small_design(error_gram(held_out)))


class Simplex(WeightFinder):
    """Weights of at least 0 that sum to one, with the minimum squared error.

    The error is summed over rows, and over targets or classes. The blend is a weighted mean:
    probabilities stay probabilities, and the result stays between the members' predictions.

    Examples
    --------
    >>> from nonet.combine.weights import Simplex
    >>> Simplex().find([[1.0, 5.0], [2.0, 6.0]], [2.0, 3.0]).round(6)
    array([0.75, 0.25])
    """

    def _find(self, held_out: HeldOut) -> Floats:
        return simplex_weights(*small_design(error_gram(held_out)))
