"""The binary problems of a code: the rows of each member and the side of each row.

One column of the code matrix is one problem. Rows of classes with a 0 there are left out; the
others are labelled 1 (side +1) or 0 (side -1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import has_fit_parameter

from nonet._base.aliases import Array, Codes, Floats, Params
from nonet._base.frames import count_rows
from nonet._base.parallel import run_all
from nonet._base.progress import Steps
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.plan import MemberPlan


@dataclass(frozen=True)
class Learner:
    """The prototype and the settings from which the members of all problems are fitted.

    Attributes
    ----------
    estimator : estimator
        The prototype.
    fit_params : mapping
        Other parameters of its ``fit``, aligned with all rows, including ``sample_weight``.
    balanced : bool
        Whether the two sides of a problem get equal total weight.
    is_pairwise : bool
        Whether X is a kernel matrix: a member fitted on some rows then uses the same columns.
    """

    estimator: Any
    fit_params: Params
    balanced: bool = False
    is_pairwise: bool = False

    def plan(self, name: str, sides: Codes) -> MemberPlan:
        """Return the plan of the member that separates side +1 from side -1."""
        rows = None if sides.all() else np.flatnonzero(sides)
        params = dict(self.fit_params)
        weight = params.pop("sample_weight", None)
        two_sided = _has_two_sides(sides)
        if self.balanced and two_sided:
            weight = balance(sides, weight)
        return MemberPlan(
            name,
            self.estimator if two_sided else OneSided(),
            rows=rows,
            columns=rows if self.is_pairwise else None,
            sample_weight=weight,
            y=(sides > 0).astype(np.int64),
            fit_params=params,
        )

    def check_takes_weights(self, owner: Any) -> None:
        """Raise if the sides must be balanced but the learner takes no weights."""
        if self.balanced and not has_fit_parameter(self.estimator, "sample_weight"):
            raise TypeError(
                f"{type(owner).__name__}: balanced=True needs a learner that takes sample_weight, "
                f"but {type(self.estimator).__name__}.fit takes none; give it a class_weight of "
                "its own, or leave balanced=False."
            )


def fit_sides(
    learner: Learner,
    X: Any,
    problems: Iterable[tuple[str, Codes]],
    total: int,
    *,
    n_jobs: int | None,
    steps: Steps | None = None,
) -> list[Member]:
    """Fit one member per (name, sides) problem; plans are made as they are needed."""
    calls = (
        (learner, X, name, sides, position, total)
        for position, (name, sides) in enumerate(problems)
    )
    return run_all(_fit_side, calls, n_jobs=n_jobs, steps=steps)


def _fit_side(
    learner: Learner,
    X: Any,
    name: str,
    sides: Codes,
    position: int,
    total: int,
) -> Member:
    fitted = fit_member(learner.plan(name, sides), X, None, position, total)
    # The rows left out belong to other classes, so they are not held-out rows.
    return Member(name, fitted.estimator, fitted.columns)


def balance(sides: Codes, sample_weight: Any = None) -> Floats:
    """Return row weights that give both sides of a problem half of the total weight."""
    given = 1.0 if sample_weight is None else np.asarray(sample_weight, float)
    weight = np.broadcast_to(given, len(sides))
    of_side = {side: weight[sides == side].sum() for side in (-1, 1)}
    half = sum(of_side.values()) / 2
    factors = {side: half / total if total > 0 else 1.0 for side, total in of_side.items()}
    return np.asarray(weight * np.where(sides > 0, factors[1], factors[-1]))


def _has_two_sides(sides: Codes) -> bool:
    return bool(sides.min() < 0 < sides.max())


class OneSided(ClassifierMixin, BaseEstimator):
    """The member of a problem whose rows are all on one side: it always predicts that side."""

    def fit(self, X: Any, y: Array, **params: Any) -> Self:
        """Store the side."""
        self.classes_ = np.array([0, 1])
        self.side_ = int(y[0])
        return self

    def predict(self, X: Any) -> Array:
        """Return the side for every row."""
        return np.full(count_rows(X), self.side_)

    def decision_function(self, X: Any) -> Floats:
        """Return a score above zero for side 1, and zero for side 0."""
        return np.full(count_rows(X), float(self.side_))

    def predict_proba(self, X: Any) -> Floats:
        """Return probability 1 for the side."""
        return np.tile(np.eye(2)[self.side_], (count_rows(X), 1))
