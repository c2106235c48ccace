"""Selection of the best hypothesis against the combination of all.

A column mean of the oracle matrix is the accuracy of one hypothesis; selection takes the maximum. A
vote of ever more hypotheses drawn at random is right on the rows whose mean is above 1/2;
combination takes the fraction of such rows. Neither determines the other. Reference: R. Esposito &
L. Saitta (2004), A Monte Carlo analysis of ensemble classification, ICML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.results import Result
from nonet.theory.arguments import PROBABILITY, check_matrix
from nonet.theory.oracle import SHAPE, check_vote
from nonet.theory.voting import TIES_WON


@dataclass(frozen=True)
class SelectOrCombine(Result):
    """The accuracy of the best hypothesis beside that of a vote.

    Attributes
    ----------
    best : int
        The column with the largest mean; the first of several.
    selection : float
        Its accuracy.
    combination : float
        The expected accuracy of the vote.
    standard_error : float
        Of the gain, if the rows are a random sample: rows are compared one by one. It does not
        count that the best hypothesis was chosen on the same rows, which flatters selection.

    Examples
    --------
    >>> from nonet.theory import select_or_combine
    >>> found = select_or_combine([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    >>> found.choice, round(found.gain, 2)
    ('combine', 0.33)
    """

    best: int
    selection: float
    combination: float
    standard_error: float

    _shown: ClassVar[tuple[str, ...]] = (
        "choice",
        "selection",
        "combination",
        "gain",
        "standard_error",
        "best",
    )

    @property
    def gain(self) -> float:
        """What the vote adds to the accuracy of the best hypothesis."""
        return self.combination - self.selection

    @property
    def choice(self) -> str:
        """'combine' if the vote is better, else 'select'."""
        return "combine" if self.gain > 0 else "select"


def select_or_combine(
    matrix: ArrayLike, n_members: int | None = None, *, tie: str = "coin"
) -> SelectOrCombine:
    """Compare the best hypothesis with a vote of hypotheses drawn at random.

    Parameters
    ----------
    matrix : array-like of shape (n_rows, n_hypotheses)
        Whether (0 or 1), or how likely, each hypothesis is right on each row.
    n_members : int, default=None
        The number of voters, drawn with replacement; None is the limit of ever more of them, which
        for 0 and 1 is also the vote of all hypotheses.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What a tie counts for, in the limit on rows whose mean is 1/2.

    Returns
    -------
    found : SelectOrCombine
        ``choice``, ``selection``, ``combination``, ``gain``.

    Examples
    --------
    One hypothesis is right on 9 of 10 rows, and the others agree with it on the first 6 only. The
    vote loses:

    >>> import numpy as np
    >>> from nonet.theory import select_or_combine
    >>> right = np.zeros((10, 5))
    >>> right[:6], right[6:9, 0] = 1, 1
    >>> found = select_or_combine(right)
    >>> found.choice, found.selection, found.combination
    ('select', 0.9, 0.6)
    """
    owner = "select_or_combine"
    checked = check_matrix(owner, "matrix", matrix, PROBABILITY, SHAPE)
    voted = (
        _limit(checked, tie) if n_members is None else check_vote(owner, checked, n_members, tie)
    )
    accuracies = checked.mean(axis=0)
    best = int(np.argmax(accuracies))
    gains = voted - checked[:, best]
    error = float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else float("nan")
    return SelectOrCombine(best, float(accuracies[best]), float(voted.mean()), error)


def _limit(matrix: Floats, tie: str) -> Floats:
    """Return on which rows ever more voters are right."""
    check_vote("select_or_combine", matrix, 1, tie)
    gap = matrix.mean(axis=1) - 0.5
    return np.where(np.abs(gap) < 1e-12, TIES_WON[tie], (gap > 0).astype(float))
