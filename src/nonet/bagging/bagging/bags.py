"""Bags: the rows and columns of each member of a bagged ensemble."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.params import bad_parameter
from nonet.bagging.bagging.draw_rule import DrawRule
from nonet.bagging.bagging.population import Population, pick


@dataclass(frozen=True)
class Bags:
    """The bags of all members, drawn on demand.

    They are a function of the seed, so that a fitted ensemble need not store them.

    Attributes
    ----------
    rule : DrawRule
    population : Population
    n_columns : int
        Number of columns of the table.
    n_drawn_columns : int
        Number of columns per member.
    replace_columns : bool
        Whether a column may be drawn twice.
    """

    rule: DrawRule
    population: Population
    n_columns: int
    n_drawn_columns: int
    replace_columns: bool = False

    def rows(self, member: int) -> Array:
        """Return the rows of a member, repeats included, in the order used by fit."""
        return np.sort(self.rule.draw(self.population, member))

    def counts(self, member: int) -> Codes | None:
        """Return the count of each row in a member's bag; None if every count is 1."""
        drawn = self.rule.draw(self.population, member)
        counts = np.bincount(drawn, minlength=self.population.n_rows)
        if (counts == 1).all():
            return None
        # The counts of all members are in memory at once, so use a byte for each if possible.
        return counts.astype(np.min_scalar_type(int(counts.max())))

    def columns(self, member: int) -> Array | None:
        """Return the columns of a member; None if they are all columns."""
        if not self.replace_columns and self.n_drawn_columns == self.n_columns:
            return None
        random = self.population.column_generator(member)
        drawn = pick(random, self.n_columns, self.n_drawn_columns, self.replace_columns)
        return np.sort(drawn)


def count_columns(owner: Any, max_features: int | float, n_columns: int) -> int:
    """Return the number of columns for ``max_features``, which is a number or a fraction."""
    if isinstance(max_features, float | np.floating):
        return max(1, int(max_features * n_columns))
    check_enough_columns(owner, max_features, n_columns)
    return int(max_features)


def check_enough_columns(owner: Any, max_features: Any, n_columns: int) -> None:
    """Raise if ``max_features`` is a number above the number of columns."""
    if isinstance(max_features, numbers.Integral) and int(max_features) > n_columns:
        allowed = f"at most the number of columns ({n_columns})"
        raise bad_parameter(owner, "max_features", allowed, max_features)


def check_classes_drawn(
    bags: Iterable[Codes | None],
    codes: Codes,
    classes: Array,
    weights: Floats | None,
    way_out: str,
    target: int | None = None,
) -> None:
    """Raise if a class is in no bag; a bag is an array of row counts, or None for one each.

    A class whose weights more than halve its proportion, as those of boosting may, is allowed to
    be absent.
    """
    fractions = np.bincount(codes) / len(codes)
    masses = np.bincount(codes, weights=weights)
    absent = masses / masses.sum() > 0.5 * fractions
    n_bags = 0
    for counts in bags:
        if counts is None or not absent.any():
            return
        absent &= np.bincount(codes, weights=counts) == 0
        n_bags += 1
    if absent.any():
        name = repr(classes[absent].tolist()[0])
        if target is not None:
            name += f" of target {target}"
        raise ValueError(
            f"class {name} is in none of the {n_bags} bags, so no member would learn it; {way_out}."
        )
