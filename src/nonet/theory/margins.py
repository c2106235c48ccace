"""Margins: how clearly a vote is right.

The margin of a row is the support of its true class less that of the strongest other class; for
two classes coded -1 and +1 it is y * sum(alpha_t h_t) / sum(alpha_t). It lies in [-1, 1] and is
positive exactly where the vote is right.

References: R. Schapire, Y. Freund, P. Bartlett & W. S. Lee (1998), Boosting the margin, Annals
of Statistics 26, 1651-1686; L. Breiman (2001), Random forests, Machine Learning 45, 5-32.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from nonet._base.aliases import Floats
from nonet._base.params import Integer, Real, bad_parameter
from nonet.theory.arguments import (
    COUNT,
    PROBABILITY,
    Prediction,
    as_requested,
    check_matrix,
    check_numbers,
    check_shape,
    check_voters,
)

_SHAPE = "(n_rows, n_members)"


def signed_margins(y: ArrayLike, outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Return the margins of a weighted vote between -1 and +1.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes, -1 or +1.
    outputs : array-like of shape (n_rows, n_members)
        The outputs of the members: -1 or +1, or confidences between them.
    weights : array-like of shape (n_members,), default=None
        The weights alpha_t; None is 1 each. A negative one counts for the opposite output.

    Returns
    -------
    margins : ndarray of shape (n_rows,)
        y * sum(alpha_t h_t) / sum(abs(alpha_t)).

    Examples
    --------
    >>> from nonet.theory import signed_margins
    >>> signed_margins([1, -1], [[1, 1, -1], [1, 1, -1]], weights=[1, 2, 1])
    array([ 0.5, -0.5])
    """
    votes, alphas = _check_vote("signed_margins", y, outputs, weights)
    return np.asarray(votes @ (alphas / np.abs(alphas).sum()))


def margins_by_round(y: ArrayLike, outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Return the margins after each round of a growing vote.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes, -1 or +1.
    outputs : array-like of shape (n_rows, n_members)
        The outputs of the members: -1 or +1, or confidences between them.
    weights : array-like of shape (n_members,), default=None
        The weights alpha_t, the first not 0; None is 1 each.

    Returns
    -------
    margins : ndarray of shape (n_rows, n_members)
        Column t holds the margins of the first t + 1 members; the last column is
        :func:`signed_margins`.

    Examples
    --------
    >>> from nonet.theory import margins_by_round
    >>> margins_by_round([1, -1], [[1, 1, -1], [1, 1, -1]], weights=[1, 2, 1])
    array([[ 1. ,  1. ,  0.5],
           [-1. , -1. , -0.5]])
    """
    votes, alphas = _check_vote("margins_by_round", y, outputs, weights)
    if alphas[0] == 0:
        raise bad_parameter("margins_by_round", "weights", "different from 0 at first", 0.0)
    return np.asarray(np.cumsum(votes * alphas, axis=1) / np.cumsum(np.abs(alphas)))


def class_margins(codes: ArrayLike, support: ArrayLike) -> Floats:
    """Return the margins of votes or probabilities among any number of classes.

    Parameters
    ----------
    codes : array-like of int of shape (n_rows,)
        The true classes, as positions in the columns of ``support``.
    support : array-like of shape (n_rows, n_classes)
        Fractions of the vote, or probabilities.

    Returns
    -------
    margins : ndarray of shape (n_rows,)
        The support of the true class less the highest support of another.

    Examples
    --------
    >>> from nonet.theory import class_margins
    >>> class_margins([0, 2], [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]).round(3)
    array([ 0.2, -0.3])
    """
    owner = "class_margins"
    fractions = check_matrix(owner, "support", support, Real(), "(n_rows, n_classes)").copy()
    n_rows, n_classes = fractions.shape
    if n_classes == 1:
        raise bad_parameter(
            owner, "support", "of at least two classes", "shape " + str(fractions.shape)
        )
    true = check_numbers(owner, "codes", codes, Integer(0, n_classes - 1)).astype(np.int64)
    check_shape(owner, "codes", true, (n_rows,), "one class for each row of support")
    of_true = fractions[np.arange(n_rows), true]
    fractions[np.arange(n_rows), true] = -np.inf
    return np.asarray(of_true - fractions.max(axis=1))


def margin_fraction(margins: ArrayLike, margin: ArrayLike = 0.0) -> Prediction:
    """Return the fraction of rows with at most a given margin: the distribution of margins.

    Parameters
    ----------
    margins : array-like of shape (n_rows,)
        The margins of the rows.
    margin : float or array-like, default=0.0
        The given margin; 0 gives the error, ties counted as errors.

    Returns
    -------
    fraction : float or ndarray of the shape of ``margin``

    Examples
    --------
    >>> from nonet.theory import margin_fraction
    >>> margin_fraction([0.5, -0.5, 0.1, 0.1], [-1, 0, 0.1, 1])
    array([0.  , 0.25, 0.75, 1.  ])
    """
    owner = "margin_fraction"
    rows = check_voters(owner, "margins", margins, Real())
    if rows.ndim != 1:
        raise bad_parameter(owner, "margins", "of shape (n_rows,)", f"shape {rows.shape}")
    levels = check_numbers(owner, "margin", margin, Real())
    return as_requested(np.searchsorted(np.sort(rows), levels, side="right") / len(rows))


def maximize_margin(votes: ArrayLike) -> tuple[float, Floats]:
    """Return the highest minimum margin that any weights reach, and such weights.

    Parameters
    ----------
    votes : array-like of shape (n_rows, n_members)
        y_i h_t(x_i): the margin of each row under each member alone, from -1 to 1.

    Returns
    -------
    margin : float
        The minimum margin over the rows under the best weights. By the minimax theorem it is also
        the minimum edge that the best member has under the worst distribution over the rows.
    weights : ndarray of shape (n_members,)
        Non-negative, of sum 1.

    Examples
    --------
    >>> from nonet.theory import maximize_margin
    >>> margin, weights = maximize_margin([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    >>> print(round(margin, 4), weights.round(4))
    0.3333 [0.3333 0.3333 0.3333]
    """
    matrix = check_matrix("maximize_margin", "votes", votes, Real(-1, 1), _SHAPE)
    n_rows, n_members = matrix.shape
    # Variables: the weights and the margin; every row's margin is at least the latter.
    prediction = linprog(
        c=[0] * n_members + [-1],
        A_ub=np.hstack([-matrix, np.ones((n_rows, 1))]),
        b_ub=np.zeros(n_rows),
        A_eq=[[1] * n_members + [0]],
        b_eq=[1],
        bounds=[(0, None)] * n_members + [(None, None)],
    )
    if not prediction.success:
        raise RuntimeError(f"maximize_margin found no optimum: {prediction.message}")
    return float(prediction.x[-1]), np.asarray(prediction.x[:-1])


def strength_bound(strength: ArrayLike, correlation: ArrayLike) -> Prediction:
    """Bound the error of a forest by the strength of its trees and their correlation.

    Parameters
    ----------
    strength : float or array-like
        The mean margin s of the forest, above 0 and at most 1.
    correlation : float or array-like
        The mean correlation rho of the trees' raw margins, from 0 to 1.

    Returns
    -------
    bound : float or ndarray
        rho (1 - s^2) / s^2; a value of 1 or more is uninformative.

    References
    ----------
    Breiman (2001), theorem 2.3.

    Examples
    --------
    >>> from nonet.theory import strength_bound
    >>> strength_bound([0.4, 0.8], 0.2).round(4)
    array([1.05  , 0.1125])
    """
    owner = "strength_bound"
    s = check_numbers(owner, "strength", strength, Real(0, 1, open_low=True))
    rho = check_numbers(owner, "correlation", correlation, PROBABILITY)
    return as_requested(rho * (1 - s**2) / s**2)


def support_vector_bound(n_support: ArrayLike, n_rows: ArrayLike) -> Prediction:
    """Bound the expected error of a support vector machine by its number of support vectors.

    Parameters
    ----------
    n_support : float or array-like
        The (expected) number of support vectors.
    n_rows : int or array-like of int
        The number of training rows.

    Returns
    -------
    bound : float or ndarray
        ``n_support / n_rows``: leaving out a row that is no support vector changes nothing, so
        the leave-one-out error is at most this. It is a bound of the expected error, not its
        value.

    References
    ----------
    V. Vapnik (1995), The nature of statistical learning theory, theorem 5.2.

    Examples
    --------
    >>> from nonet.theory import support_vector_bound
    >>> support_vector_bound(12, 200)
    0.06
    """
    owner = "support_vector_bound"
    vectors = check_numbers(owner, "n_support", n_support, Real(0))
    rows = check_numbers(owner, "n_rows", n_rows, COUNT)
    if np.any(vectors > rows):
        raise bad_parameter(owner, "n_support", "at most n_rows", n_support)
    return as_requested(vectors / rows)


def _check_vote(
    owner: str, y: ArrayLike, outputs: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats]:
    """Return y_i h_t(x_i), and the weights."""
    predictions = check_matrix(owner, "outputs", outputs, Real(-1, 1), _SHAPE)
    n_rows, n_members = predictions.shape
    signs = check_numbers(owner, "y", y, Real(-1, 1))
    check_shape(owner, "y", signs, (n_rows,), "one class for each row of outputs")
    if not np.all(np.abs(signs) == 1):
        raise bad_parameter(owner, "y", "made of -1 and +1", signs[np.abs(signs) != 1][0].item())
    alphas = check_numbers(
        owner, "weights", np.ones(n_members) if weights is None else weights, Real()
    )
    check_shape(owner, "weights", alphas, (n_members,), "one number for each member")
    if not alphas.any():
        raise bad_parameter(owner, "weights", "not all 0", weights)
    return signs[:, np.newaxis] * predictions, alphas
