"""Code matrices: distances between classes, and the number of errors they correct.

A row is the codeword of a class and a column a two-class problem: +1 and -1 are its two sides,
0 leaves the class out of it. The predictions of the members are compared with every row, and the
nearest one wins; a 0 counts as half a disagreement with any prediction.

References: T. Dietterich & G. Bakiri (1995), Solving multiclass learning problems via
error-correcting output codes, JAIR 2, 263-286; E. Allwein, R. Schapire & Y. Singer (2000),
Reducing multiclass to binary, JMLR 1, 113-141.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.params import Real, bad_parameter
from nonet.theory.arguments import check_matrix

_SHAPE = "(n_classes, n_columns)"


def code_distance(code: ArrayLike) -> float:
    """Return the minimum distance between the codewords of two classes.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_columns)
        The code matrix of -1, 0 and +1.

    Returns
    -------
    distance : float
        The minimum Hamming distance of two rows, 0 against anything counting one half.

    Examples
    --------
    One against the rest has distance 2:

    >>> import numpy as np
    >>> from nonet.theory import code_distance
    >>> code_distance(2 * np.eye(5) - 1)
    2.0
    """
    words = _check_code("code_distance", code, 0)
    return _min_distance(words @ words.T, words.shape[1])


def column_distance(code: ArrayLike) -> float:
    """Return the minimum distance between two columns, or between one and the reverse of another.

    Equal or opposite columns are the same two-class problem: their members err together, and
    the code is weaker than its distance suggests.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_columns)
        The code matrix of -1, 0 and +1, of at least two columns.

    Returns
    -------
    distance : float

    Examples
    --------
    >>> from nonet.theory import column_distance
    >>> column_distance([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    2.0
    """
    words = _check_code("column_distance", code, 1)
    return _min_distance(np.abs(words.T @ words), words.shape[0])


def correctable_errors(code: ArrayLike) -> int:
    """Return the number of wrong members that a code always corrects.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_columns)
        The code matrix of -1, 0 and +1.

    Returns
    -------
    n_errors : int
        The nearest codeword is still that of the true class, and the only nearest, if at most
        this many members are wrong, whichever they are. Without zeros it is
        floor((distance - 1) / 2). Members whose problem leaves the true class out (0) may
        predict anything. -1 means that even members without errors may elect another class.

    Examples
    --------
    With seven columns, four classes tolerate one wrong member; one against one tolerates none:

    >>> from nonet.theory import correctable_errors
    >>> correctable_errors(
    ...     [
    ...         [1, 1, 1, 1, 1, 1, 1],
    ...         [-1, -1, -1, -1, 1, 1, 1],
    ...         [-1, -1, 1, 1, -1, -1, 1],
    ...         [-1, 1, -1, 1, -1, 1, -1],
    ...     ]
    ... )
    1
    >>> correctable_errors([[1, 1, 0], [-1, 0, 1], [0, -1, -1]])
    0
    """
    words = _check_code("correctable_errors", code, 0)
    n_classes = len(words)
    return min(
        _forgiven(words[i], words[j]) for i in range(n_classes) for j in range(n_classes) if i != j
    )


def _forgiven(true: Floats, other: Floats) -> int:
    """Return how many errors on the way to one codeword never lead to the other.

    The lead is the distance to the other less the distance to the true word, in the worst case:
    members that leave the true class out all vote for the other one. An error takes 2 from
    it where the words are opposite, and 1 where only the other word has a 0.
    """
    opposite = int(np.sum(true * other == -1))
    only_true = int(np.sum((true != 0) & (other == 0)))
    only_other = int(np.sum((true == 0) & (other != 0)))
    twice_lead = 2 * opposite + only_true - only_other
    harm = np.repeat([4, 2], [opposite, only_true]).cumsum()
    return int(np.sum(twice_lead > harm)) if twice_lead > 0 else -1


def _min_distance(agreement: Floats, length: int) -> float:
    pairs = np.triu_indices(len(agreement), 1)
    return float((length - agreement[pairs].max()) / 2)


def _check_code(owner: str, code: ArrayLike, long_axis: int) -> Floats:
    words = check_matrix(owner, "code", code, Real(-1, 1), _SHAPE)
    if not np.all(np.isin(words, (-1, 0, 1))):
        strange = words[~np.isin(words, (-1, 0, 1))][0].item()
        raise bad_parameter(owner, "code", "made of -1, 0 and +1", strange)
    if words.shape[long_axis] < 2:
        allowed = "of at least two " + ("classes", "columns")[long_axis]
        raise bad_parameter(owner, "code", allowed, f"shape {words.shape}")
    return words
