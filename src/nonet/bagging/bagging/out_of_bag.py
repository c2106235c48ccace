"""Out-of-bag truth: each row judged by the members that have not seen it.

F combines, for each row, the answers that are there. Rows that every member has seen have no
answer: they are NaN, they are counted, and no score reads them.

References
----------
L. Breiman, *Out-of-bag estimation*, technical report, University of California, 1996.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Array, Codes, Floats, Kind
from nonet._base.frames import count_rows, take_rows
from nonet._base.results import PlottableResult
from nonet._base.warn import warn_caller
from nonet.members.ledger import Ledger
from nonet.members.member import Member
from nonet.members.outputs import Targets, ask_member

Combine = Callable[[Array], Floats]
_CURVE_POINTS = 20


@dataclass(frozen=True)
class OutOfBag:
    """The ensemble's support on its own training rows, without the members that saw the row.

    Attributes
    ----------
    supports : list of ndarray
        For each target the support of all rows, NaN where no member can be asked.
    coverage : ndarray of int of shape (n_samples,)
        How many members stand behind each row.
    """

    supports: list[Floats]
    coverage: Codes

    @property
    def rows(self) -> Array:
        """Positions of the rows that at least one member has not seen."""
        return np.flatnonzero(self.coverage)

    def covered(self) -> list[Floats]:
        """Return the supports of the rows that have one."""
        return [support[self.rows] for support in self.supports]


Watch = Callable[[int, OutOfBag], None]
"""Called with the number of members so far and what they say out of bag."""


@dataclass(frozen=True)
class OutOfBagCurve(PlottableResult):
    """The out-of-bag score against the number of members.

    Attributes
    ----------
    n_members : ndarray of int of shape (n_points,)
        Numbers of members, rising.
    scores : ndarray of shape (n_points,)
        The score of the first so many members, on the rows that one of them has not seen.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import RandomForestClassifier
    >>> forest = RandomForestClassifier(20, oob_score=True, random_state=0)
    >>> curve = forest.fit(*load_iris(return_X_y=True)).oob_curve_
    >>> int(curve.n_members[-1]), bool(curve.scores[-1] == forest.oob_score_)
    (20, True)
    """

    _shown: ClassVar[tuple[str, ...]] = ("n_members", "scores")
    _plot: ClassVar[str] = "plot_oob_curve"

    n_members: Array
    scores: Floats


def curve_stops(n_members: int) -> list[int]:
    """Return the numbers of members at which the curve is looked at: close at first, then wide."""
    stops = np.geomspace(1, n_members, min(n_members, _CURVE_POINTS))
    return [int(stop) for stop in np.unique(stops.round())]


def average_out_of_bag(
    members: Sequence[Member], X: Any, reads: Kind, classes: Targets | None, watch: Watch
) -> OutOfBag:
    """Average answers as members give them: memory does not grow with their number."""
    stops = set(curve_stops(len(members)))
    coverage = np.zeros(count_rows(X), dtype=np.int32)
    sums: list[Floats] | None = None
    for place, member in enumerate(members):
        rows = member.unseen_rows
        if rows is not None and rows.size:
            answers = ask_member(member, take_rows(X, rows), reads, classes, place, len(members))
            if sums is None:
                sums = [np.zeros((len(coverage), *answer.shape[1:])) for answer in answers]
            for total, answer in zip(sums, answers, strict=True):
                total[rows] += answer
            coverage[rows] += 1
        if place + 1 in stops and sums is not None:
            watch(place + 1, mean_out_of_bag(sums, coverage))
    if sums is None:
        raise nothing_out_of_bag()
    return mean_out_of_bag(sums, coverage)


def nothing_out_of_bag() -> ValueError:
    """Return the error for members that have all seen all rows."""
    return ValueError(
        "no member has out-of-bag rows: every member saw every row, so nothing is held out; "
        "draw rows (bootstrap or subsample), or cross-fit instead."
    )


def mean_out_of_bag(sums: Sequence[Floats], coverage: Codes) -> OutOfBag:
    """Divide sums of answers by their numbers; NaN where there are none."""
    with np.errstate(invalid="ignore"):
        means: list[Floats] = [
            total / coverage.reshape(-1, *[1] * (total.ndim - 1)) for total in sums
        ]
    return OutOfBag(means, coverage.copy())


def combine_out_of_bag(
    ledger: Ledger, combines: Sequence[Combine], watch: Watch | None = None
) -> OutOfBag:
    """Apply F, for each row, to the members that have not seen it."""
    whole = _combine_ledger(ledger, combines)
    for n_members in curve_stops(len(ledger.names)) if watch else ():
        first = replace(
            ledger,
            answers=[answers[:, :n_members] for answers in ledger.answers],
            coverage=ledger.coverage[:, :n_members],
        )
        if watch and first.coverage.any():
            watch(n_members, _combine_ledger(first, combines))
    return whole


def _combine_ledger(ledger: Ledger, combines: Sequence[Combine]) -> OutOfBag:
    present = ledger.coverage > 0
    supports = [
        _combine_present(answers, present, combine)
        for answers, combine in zip(ledger.answers, combines, strict=True)
    ]
    return OutOfBag(supports, present.sum(axis=1))


def _combine_present(answers: Array, present: Array, combine: Combine) -> Floats:
    """Combine ragged answers: rows with the same number of members make one regular array."""
    counts = present.sum(axis=1)
    parts = []
    for count in np.unique(counts[counts > 0]):
        rows = np.flatnonzero(counts == count)
        regular = answers[rows][present[rows]].reshape(len(rows), count, *answers.shape[2:])
        parts.append((rows, combine(regular)))
    support = np.full((len(answers), *parts[0][1].shape[1:]), np.nan)
    for rows, combined in parts:
        support[rows] = combined
    return support


def warn_of_uncovered(coverage: Codes) -> None:
    """Say how many rows have no out-of-bag answer, if there are some."""
    uncovered = np.count_nonzero(coverage == 0)
    if uncovered:
        warn_caller(
            f"{uncovered} of {len(coverage)} rows are in the bag of every member: they have no "
            "out-of-bag answer (NaN) and are left out of the score; more members would cover them.",
        )
