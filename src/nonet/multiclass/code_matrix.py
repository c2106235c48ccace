"""Code matrices: reduce a multiclass problem to several binary problems.

A row is the codeword of a class and a column is a binary problem: +1 and -1 are its two sides, 0
leaves the class out. One-vs-rest and one-vs-one are two of these matrices;
error-correcting codes are longer, so that some wrong members do no harm.

References: T. Dietterich & G. Bakiri (1995), Solving multiclass learning problems via
error-correcting output codes, JAIR 2, 263-286; E. Allwein, R. Schapire & Y. Singer (2000),
Reducing multiclass to binary, JMLR 1, 113-141.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from nonet._base.aliases import Codes
from nonet._base.errors import ParameterError
from nonet._base.names import look_up
from nonet._base.params import Integer, Nothing, bad_parameter
from nonet._base.streams import root_seed, stream
from nonet.multiclass.bch import bch_words
from nonet.theory.codes import code_distance, column_distance

_MAX_EXHAUSTIVE = 11  # 2**10 - 1 = 1023 problems; one class more doubles them
_DRAWS = 200
_PATIENCE = 200  # samples of a column before a code of that many columns counts as impossible


def make_code(
    name: str, n_classes: int, n_columns: int | None = None, random_state: Any = None
) -> Codes:
    """Make a code matrix.

    Parameters
    ----------
    name : {'one_vs_rest', 'one_vs_one', 'exhaustive', 'dense', 'sparse', 'bch'}
        'exhaustive' contains every split of the classes in two. 'dense' (-1, +1) and 'sparse'
        (-1, 0, +1) are the best of many random matrices, by the minimum distance between codewords
        and then between columns. 'bch' takes the codewords of a binary BCH code; below
        about eight classes some of its columns are equal, and 'exhaustive' is better.
    n_classes : int
        At least 2.
    n_columns : int, default=None
        The number of binary problems, for 'dense' and 'sparse' (None is 10 and 15 times log2 of the
        number of classes) and 'bch' (the shortest BCH code of at least that length; None is
        the shortest that has enough codewords and corrects an error). The others have a fixed
        length.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the random choices of 'dense', 'sparse' and 'bch'.

    Returns
    -------
    code : ndarray of int of shape (n_classes, n_columns)
        One codeword per row; they are all different, and no column is constant.

    Examples
    --------
    >>> from nonet.multiclass import make_code
    >>> make_code("one_vs_one", 3)
    array([[-1, -1,  0],
           [ 1,  0, -1],
           [ 0,  1,  1]], dtype=int8)

    A longer code corrects more errors of its members:

    >>> from nonet.theory import correctable_errors
    >>> [correctable_errors(make_code("bch", 8, n, random_state=0)) for n in (7, 15, 31)]
    [1, 3, 7]
    """
    if not Integer(2).allows(n_classes):
        raise bad_parameter("make_code", "n_classes", Integer(2).describe(), n_classes)
    length = Nothing() | Integer(1)
    if not length.allows(n_columns):
        raise bad_parameter("make_code", "n_columns", length.describe(), n_columns)
    return look_up(CODES, name, "code")(n_classes, n_columns, random_state)


def _one_vs_rest(n_classes: int, n_columns: int | None, random_state: Any) -> Codes:
    if n_classes == 2:  # the second column would be the first one with its sign reversed
        return np.array([[-1], [1]], dtype=np.int8)
    return (2 * np.eye(n_classes) - 1).astype(np.int8)


def _one_vs_one(n_classes: int, n_columns: int | None, random_state: Any) -> Codes:
    first, second = np.array(list(combinations(range(n_classes), 2))).T
    code = np.zeros((n_classes, len(first)), dtype=np.int8)
    code[first, np.arange(len(first))] = -1
    code[second, np.arange(len(first))] = 1
    return code


def _exhaustive(n_classes: int, n_columns: int | None, random_state: Any) -> Codes:
    if n_classes > _MAX_EXHAUSTIVE:
        raise ParameterError(
            f"the exhaustive code of {n_classes} classes has {2 ** (n_classes - 1) - 1} columns, "
            f"and is made for at most {_MAX_EXHAUSTIVE} classes; use 'dense' or 'bch'."
        )
    # The first class is always +1, so that no column is the reverse of another.
    numbers = np.arange(2 ** (n_classes - 1) - 1)
    bits = (numbers[np.newaxis] >> np.arange(n_classes - 1)[:, np.newaxis]) & 1
    return np.vstack([np.ones_like(numbers), 2 * bits - 1]).astype(np.int8)


def _dense(n_classes: int, n_columns: int | None, random_state: Any) -> Codes:
    length = n_columns or _default_length(10, n_classes)
    most = 2 ** (n_classes - 1) - 1
    return _best_random(n_classes, min(length, most), (-1, 1), random_state)


def _sparse(n_classes: int, n_columns: int | None, random_state: Any) -> Codes:
    length = n_columns or _default_length(15, n_classes)
    most = (3**n_classes - 2 ** (n_classes + 1) + 1) // 2
    return _best_random(n_classes, min(length, most), (-1, 0, 0, 1), random_state)


def _default_length(factor: int, n_classes: int) -> int:
    return int(np.ceil(factor * np.log2(n_classes)))


def _best_random(
    n_classes: int, n_columns: int, letters: tuple[int, ...], random_state: Any
) -> Codes:
    rng = stream(root_seed(random_state))
    draws = (_draw_columns(rng, n_classes, n_columns, letters) for _ in range(_DRAWS))
    return _best(draws, n_classes, n_columns)


def _draw_columns(
    rng: np.random.Generator, n_classes: int, n_columns: int, letters: tuple[int, ...]
) -> Codes:
    """Sample columns that have both sides and are neither equal nor opposite to one another."""
    columns: dict[bytes, Codes] = {}
    for _ in range(_PATIENCE * n_columns):
        column = rng.choice(letters, n_classes).astype(np.int8)
        if column.min() < 0 < column.max():
            first = column[np.flatnonzero(column)[0]]
            columns.setdefault((column * first).tobytes(), column)
        if len(columns) == n_columns:
            break
    return np.column_stack(list(columns.values()))


def _bch(n_classes: int, n_columns: int | None, random_state: Any) -> Codes:
    words = bch_words(n_classes, n_columns)
    rng = stream(root_seed(random_state))
    draws = (2 * words[rng.permutation(len(words))[:n_classes]] - 1 for _ in range(_DRAWS))
    usable = (code[:, np.ptp(code, axis=0) > 0].astype(np.int8) for code in draws)
    return _best(usable, n_classes, words.shape[1])


def _best(codes: Iterator[Codes], n_classes: int, n_columns: int) -> Codes:
    """Return the code with the maximum distance between codewords, then between columns."""
    best = max(codes, key=_quality)
    if _quality(best)[0] <= 0:
        raise ParameterError(
            f"{n_columns} columns are too few to give {n_classes} classes different codewords; "
            f"{int(np.ceil(np.log2(n_classes)))} is the minimum, and more are better."
        )
    return best


def _quality(code: Codes) -> tuple[float, float]:
    apart = column_distance(code) if code.shape[1] > 1 else 0.0
    return code_distance(code), apart


CODES: dict[str, Callable[[int, int | None, Any], Codes]] = {
    "one_vs_rest": _one_vs_rest,
    "one_vs_one": _one_vs_one,
    "exhaustive": _exhaustive,
    "dense": _dense,
    "sparse": _sparse,
    "bch": _bch,
}
