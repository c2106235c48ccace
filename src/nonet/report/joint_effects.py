"""Joint effects of pairs of columns, beyond their single effects.

In a row, two columns take the values of another row: both, and each alone. What both change beyond
the sum of the single changes is their joint effect: 0 for all rows if the two do not interact.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet.report.explained_models import ExplainedModels


@dataclass(frozen=True, eq=False)
class JointEffects:
    """Joint effects of pairs.

    Attributes
    ----------
    pairs : list of tuple of int
        Columns.
    strengths, errors : ndarray of shape (n_pairs,)
        Root mean squared joint effects, and their standard errors over the rows.
    """

    pairs: list[tuple[int, int]]
    strengths: Floats
    errors: Floats


def joint_effects(
    explained: ExplainedModels, columns: Codes, rows: Codes, others: Codes
) -> JointEffects:
    """Return the joint effects of all pairs of some columns.

    Parameters
    ----------
    explained : ExplainedModels
    columns : ndarray of int
    rows : ndarray of int of shape (n,)
    others : ndarray of int of shape (n,)
        For each row, the one whose values it takes.

    Returns
    -------
    effects : JointEffects
    """
    known = [int(j) for j in columns]
    pairs = list(combinations(known, 2))
    swapped = [(), *((j,) for j in known), *pairs]
    start, *moved = explained.predict_each([(rows, dict.fromkeys(js, others)) for js in swapped])
    single = {j: alone - start for j, alone in zip(known, moved, strict=False)}
    both = [together - start for together in moved[len(known) :]]
    strengths, errors = np.empty(len(pairs)), np.empty(len(pairs))
    for position, (one, two) in enumerate(pairs):
        squares = ((both[position] - single[one] - single[two]) ** 2).mean(axis=1)
        strengths[position], errors[position] = _root(squares)
    return JointEffects(pairs, strengths, errors)


def _root(squares: Floats) -> tuple[float, float]:
    """Return the root of a mean of squares, and its standard error to first order."""
    strength = float(np.sqrt(squares.mean()))
    if strength == 0 or len(squares) < 2:
        return strength, 0.0
    return strength, float(squares.std(ddof=1) / np.sqrt(len(squares)) / (2 * strength))
