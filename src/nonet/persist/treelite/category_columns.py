"""Columns of categories in treelite, which knows whole numbers from 0 only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.errors import ModelFileError, show

_LIMIT = 1 << 24  # up to here single precision has every whole number


@dataclass(frozen=True, eq=False)
class CategoryColumn:
    """What a column of categories holds in a table for treelite.

    Attributes
    ----------
    numbers : list of ndarray of uint32
        For each code of nonet the numbers that stand for it; rare categories share a code.
    words : dict of str to int
        For a column of strings, the number of each; empty if it holds numbers itself.
    """

    numbers: list[Array]
    words: Mapping[str, int]

    def numbers_of(self, codes: Array) -> Array:
        """Return the numbers of some codes."""
        parts = [self.numbers[code] for code in codes.tolist()]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.uint32)


def category_columns(
    names: Mapping[int, Array], joined: Mapping[int, Array]
) -> dict[int, CategoryColumn]:
    """Return what columns of categories hold, by their position.

    Parameters
    ----------
    names : mapping of int to ndarray
        For each column of categories, what its codes stand for.
    joined : mapping of int to ndarray
        The categories that share the last code, in columns that have such.

    Returns
    -------
    columns : dict of int to CategoryColumn

    Raises
    ------
    ModelFileError
        If a column holds neither strings alone nor whole numbers that treelite can represent.

    Examples
    --------
    >>> found = category_columns({3: np.array([2, 7]), 5: np.array(["a", "b"], dtype=object)}, {})
    >>> found[3].numbers_of(np.array([1])), found[5].words
    (array([7], dtype=uint32), {'a': 0, 'b': 1})
    """
    return {
        column: _describe(column, _by_code(of_codes, joined.get(column)))
        for column, of_codes in names.items()
    }


def _by_code(names: Array, rare: Array | None) -> list[list[Any]]:
    """Return the categories of each code."""
    if rare is None:
        return [[one] for one in names.tolist()]
    return [*([one] for one in names[:-1].tolist()), rare.tolist()]


def _describe(column: int, by_code: list[list[Any]]) -> CategoryColumn:
    every = [one for some in by_code for one in some]
    if all(isinstance(one, str) for one in every):
        words = {one: code for code, some in enumerate(by_code) for one in some}
        return CategoryColumn([np.array([code], np.uint32) for code in range(len(by_code))], words)
    odd = [one for one in every if not _is_small_number(one)]
    if odd:
        raise ModelFileError(
            f"column {column} has the category {show(odd[0])}, but treelite's categories are whole "
            "numbers from 0 to 16,777,215; fit on such numbers, or on strings."
        )
    return CategoryColumn([np.array(some).astype(np.uint32) for some in by_code], {})


def _is_small_number(category: Any) -> bool:
    return isinstance(category, int | float) and 0 <= category < _LIMIT and category % 1 == 0
