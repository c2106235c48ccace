"""The plan of a member: rows, columns, weights, target and seed.

An ensemble method writes one plan for each member; ``nonet.members.fit`` fits them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats


@dataclass(frozen=True)
class MemberPlan:
    """The plan of one member.

    Attributes
    ----------
    name : str
    estimator : estimator
        The prototype; it is cloned and never fitted itself.
    rows : ndarray of int, optional
        Positions of the rows it is fitted on, repeats allowed. None means all.
    counts : ndarray of int of shape (n_samples,), optional
        The number of times it uses each row: a bootstrap sample. Zero counts are out-of-bag rows.
        At most one of ``rows`` and ``counts`` is given.
    columns : ndarray of int, optional
        Positions of the columns it uses. None means all.
    sample_weight : ndarray of shape (n_samples,), optional
    y : array-like of shape (n_samples,), optional
        The target it is fitted on instead of the common one.
    seed : int, optional
        The seed of its random numbers; None leaves the prototype's own ``random_state``.
    fit_params : mapping
        Other parameters of its ``fit``, aligned with all rows.
    """

    name: str
    estimator: Any
    rows: Array | None = None
    counts: Array | None = None
    columns: Array | None = None
    sample_weight: Floats | None = None
    y: Any = None
    seed: int | None = None
    fit_params: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.rows is not None and self.counts is not None:
            raise ValueError(f"the plan of member {self.name!r} has rows and counts: pass one.")

    def with_estimator(self, estimator: Any) -> MemberPlan:
        """Return the same plan for another prototype."""
        return replace(self, estimator=estimator)

    def on_rows(self, rows: Array) -> MemberPlan:
        """Return the same plan for a member that is fitted on these rows only."""
        return replace(self, rows=rows)

    def within(self, rows: Array) -> MemberPlan:
        """Return the plan restricted to a subset of the rows (a training fold).

        Rows outside the plan stay outside, repeats stay repeats.
        """
        if self.counts is not None:
            inside = np.zeros_like(self.counts)
            inside[rows] = self.counts[rows]
            return replace(self, counts=inside)
        kept = rows if self.rows is None else self.rows[np.isin(self.rows, rows)]
        return replace(self, rows=kept)

    def unseen_rows(self, n_samples: int) -> Array:
        """Return the positions of the rows that this member is not fitted on."""
        seen = np.zeros(n_samples, dtype=bool)
        if self.counts is not None:
            seen = self.counts > 0
        else:
            seen[slice(None) if self.rows is None else self.rows] = True
        return np.flatnonzero(~seen)
