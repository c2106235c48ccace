"""Growth parameters of trees under scikit-learn's names: rules, and values for given rows."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.params import ArrayLike, Choice, Integer, Nothing, Real, Rule
from nonet._base.streams import RANDOM_STATE
from nonet._native.grow import GrowParams
from nonet.trees.category_columns import CATEGORIES_RULE
from nonet.trees.targets import GrowTarget

# Categories of fewer rows in a node are not ordered by their means but by their codes: measured in
# docs/decisions/0020-category-splits.md.
_CATEGORY_SUPPORT = 10


class Fraction(Real):
    """A number in (0, high] that is not a whole-number type: 1 is a count, 1.0 is all."""

    def __init__(self, high: float = 1.0, *, open_high: bool = False) -> None:
        super().__init__(0.0, high, open_low=True, open_high=open_high)

    def allows(self, value: Any) -> bool:
        """Return whether the value is allowed."""
        return not isinstance(value, numbers.Integral) and super().allows(value)

    def describe(self) -> str:
        """Describe in words what is allowed."""
        return f"a fraction above 0 and {'below' if self.open_high else 'at most'} {self.high}"


GROWTH_RULES: Mapping[str, Rule] = {
    "splitter": Choice("best", "random"),
    "max_depth": Nothing() | Integer(1),
    "min_samples_split": Integer(2) | Fraction(),
    "min_samples_leaf": Integer(1) | Fraction(open_high=True),
    "min_weight_fraction_leaf": Real(0.0, 0.5),
    "max_features": Nothing() | Integer(1) | Fraction() | Choice("sqrt", "log2"),
    "random_state": RANDOM_STATE,
    "max_leaf_nodes": Nothing() | Integer(2),
    "min_impurity_decrease": Real(0.0),
    "ccp_alpha": Real(0.0),
    "monotonic_cst": Nothing() | ArrayLike(),
    "categorical_features": CATEGORIES_RULE,
}


class Growth(Protocol):
    """An estimator with the parameters above."""

    splitter: str
    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    max_features: Any
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    monotonic_cst: Any


def columns_per_split(max_features: Any, n_columns: int) -> int:
    """Turn scikit-learn's ``max_features`` into a number of columns."""
    if max_features is None:
        return n_columns
    if max_features == "sqrt":
        return max(1, math.isqrt(n_columns))
    if max_features == "log2":
        return max(1, int(math.log2(n_columns)))
    if isinstance(max_features, numbers.Integral):
        return min(int(max_features), n_columns)
    return max(1, int(float(max_features) * n_columns))


def rows_of_fraction(count_or_fraction: Any, n_rows: int) -> int:
    """Turn a number of rows, or a fraction of all rows, into a number of rows."""
    if isinstance(count_or_fraction, numbers.Integral):
        return int(count_or_fraction)
    return math.ceil(float(count_or_fraction) * n_rows)


def monotone_signs(
    monotonic_cst: Any,
    n_columns: int,
    n_classes: tuple[int, ...],
    categories: Sequence[int] = (),
) -> list[int]:
    """Check the signs of columns in which the prediction may only rise or fall; none is no sign."""
    if monotonic_cst is None:
        return []
    if len(n_classes) > 1 or n_classes[0] > 2:
        found = f"{len(n_classes)} targets" if len(n_classes) > 1 else f"{n_classes[0]} classes"
        raise ValueError(
            f"monotonic_cst needs a regression of one target or two classes, but y has {found}."
        )
    signs = np.asarray(monotonic_cst)
    if signs.shape != (n_columns,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotonic_cst must hold -1, 0 or 1 for each of the {n_columns} columns, but got "
            f"{monotonic_cst!r}."
        )
    for column in categories:
        if signs[column] != 0:
            raise ValueError(
                f"monotonic_cst must be 0 for columns of categories, which have no order, but "
                f"column {column} has {signs[column]}."
            )
    return [int(sign) for sign in signs]


def grow_params(
    limits: Growth,
    target: GrowTarget,
    n_columns: int,
    weights: Floats | None,
    categories: Sequence[int] = (),
    *,
    seed: int = 0,
) -> GrowParams:
    """Return the growth parameters of the core for these rows.

    The seed is the caller's: forests and boosters have their own, and a ``random_state`` of None
    would be drawn from NumPy's global state.
    """
    n_rows = len(target.values)
    total_weight = n_rows if weights is None else float(weights.sum())
    min_rows_leaf = rows_of_fraction(limits.min_samples_leaf, n_rows)
    min_rows_split = max(2, rows_of_fraction(limits.min_samples_split, n_rows), 2 * min_rows_leaf)
    return GrowParams(
        max_depth=limits.max_depth,
        max_leaf_nodes=limits.max_leaf_nodes,
        min_rows_split=min_rows_split,
        min_rows_leaf=min_rows_leaf,
        min_weight_leaf=limits.min_weight_fraction_leaf * total_weight,
        min_impurity_decrease=limits.min_impurity_decrease / target.impurity_unit,
        columns_per_split=columns_per_split(limits.max_features, n_columns),
        monotone=monotone_signs(limits.monotonic_cst, n_columns, target.n_classes, categories),
        threshold_draw="uniform" if limits.splitter == "random" else "all",
        min_category_support=_CATEGORY_SUPPORT,
        weights_count_rows=weights is not None and bool((weights == np.floor(weights)).all()),
        code_order_columns=categories,
        seed=seed % 2**64,
    )
