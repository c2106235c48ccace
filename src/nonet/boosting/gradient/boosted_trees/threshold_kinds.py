"""How the trees of a booster find their thresholds, and which kinds bagged boosters have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nonet._base.aliases import Floats

MIXED = "mixed"
# A kind is left out if its loss on held-out rows is so many times the lowest, and the difference is
# so many standard errors. Boosters that differ are worth more together than one kind alone, as long
# as none is far behind; and some rows of large loss must not decide.
_MAX_LOSS_RATIO = 1.5
_MIN_STANDARD_ERRORS = 2.0


@dataclass(frozen=True)
class Thresholds:
    """How the thresholds of a booster's trees are found.

    Parameters
    ----------
    draw : {'all', 'uniform', 'distinct'}
        All are searched, or one per column is sampled: between the minimum and the maximum value of
        a node, or among its distinct values.
    column_fraction : float
        Fraction of the columns that are sampled for each split.
    """

    draw: Literal["all", "uniform", "distinct"]
    column_fraction: float = 1.0


KINDS: Mapping[str, Thresholds] = {
    "uniform": Thresholds("uniform"),
    "distinct": Thresholds("distinct"),
    "searched": Thresholds("all"),
    "half-searched": Thresholds("all", 0.5),
}
# Kinds that are compared on held-out rows.
COMPARED_KINDS = ("uniform", "distinct", "half-searched", "searched")
# Members that differ in kind differ in their errors, too. Thresholds sampled between minimum and
# maximum are best on most tables, and for many classes on nearly all of them; those among distinct
# values where a column is far from uniform, and searched ones where few columns matter.
_MIXED_KINDS = ("uniform", "uniform", "distinct", "half-searched")


def usual_kinds(extra_trees: bool | str) -> tuple[str, ...]:
    """Return the kinds of thresholds that bagged boosters have in turn.

    Examples
    --------
    >>> usual_kinds(False), usual_kinds("mixed")
    (('searched',), ('uniform', 'uniform', 'distinct', 'half-searched'))
    """
    if extra_trees == MIXED:
        return _MIXED_KINDS
    return ("uniform",) if extra_trees else ("searched",)


def keep_good_kinds(usual: tuple[str, ...], losses: Mapping[str, Floats]) -> tuple[str, ...]:
    """Return the usual kinds whose losses are not far from the lowest.

    If that leaves out more than half of the boosters, all other good kinds replace them.

    Parameters
    ----------
    usual : tuple of str
        Kinds that bagged boosters have in turn.
    losses : mapping of str to array of shape (n_rows,)
        Losses of the same held-out rows, by kind.

    Examples
    --------
    >>> losses = {"uniform": np.full(9, 3.0), "distinct": np.full(9, 1.1), "searched": np.ones(9)}
    >>> keep_good_kinds(("uniform", "distinct"), losses)
    ('distinct',)
    >>> keep_good_kinds(("uniform", "uniform", "distinct"), losses)
    ('distinct', 'searched')
    """
    known = {kind: values for kind, values in losses.items() if np.isfinite(values).all()}
    if not known:
        return usual
    best = min(known.values(), key=np.mean)
    good = tuple(kind for kind, values in known.items() if not _is_far_above(values, best))
    kept = tuple(kind for kind in usual if kind in good)
    return kept if 2 * len(kept) >= len(usual) else good


def _is_far_above(losses: Floats, lowest: Floats) -> bool:
    differences = losses - lowest
    error = differences.std() / np.sqrt(len(differences))
    is_certain = differences.mean() > _MIN_STANDARD_ERRORS * error
    return bool(is_certain and losses.mean() > _MAX_LOSS_RATIO * lowest.mean())
