"""A fitted member: a model and the columns it uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nonet._base.aliases import Array
from nonet._base.frames import take_columns


@dataclass(frozen=True)
class Member:
    """One fitted member of an ensemble.

    Attributes
    ----------
    name : str
    estimator : fitted estimator
    columns : ndarray of int or None
        Positions of the columns it was fitted on; None means all.
    unseen_rows : ndarray of int or None
        Rows of the training data it was not fitted on; None if it saw all of them.
    """

    name: str
    estimator: Any
    columns: Array | None = None
    unseen_rows: Array | None = None

    def view(self, X: Any) -> Any:
        """Return the columns of X that this member uses."""
        return take_columns(X, self.columns)
