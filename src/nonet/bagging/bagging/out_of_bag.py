"""Out-of-bag predictions: each row is predicted by the members that have not seen it.

For each row, F combines the predictions that exist. Rows that every member has seen have no
prediction: they are NaN, they are counted, and scores leave them out.

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
from nonet.members.outputs import Targets, predict_member

Combine = Callable[[Array], Floats]
_CURVE_POINTS = 20


@dataclass(frozen=True)
class OutOfBag:
    """Out-of-bag support on the training rows, from the members that have not seen each row.

    Attributes
    ----------
    supports : list of ndarray
        For each target the support of all rows, NaN for rows without an out-of-bag member.
    coverage : ndarray of int of shape (n_samples,)
        Number of members that have not seen each row.
    """

    supports: list[Floats]
    coverage: Codes

    @property
    def rows(self) -> Array:
        """Indices of the rows that at least one member has not seen."""
        return np.flatnonzero(self.coverage)

    def covered(self) -> list[Floats]:
        """Return the supports of the rows that have an out-of-bag prediction."""
        return [support[self.rows] for support in self.supports]


Watch = Callable[[int, OutOfBag], None]
"""Called with the number of members so far and their out-of-bag support."""


@dataclass(frozen=True)
class OutOfBagCurve(PlottableResult):
    """The out-of-bag score against the number of members.

    Attributes
    ----------
    n_members : ndarray of int of shape (n_points,)
        Numbers of members, in ascending order.
    scores : ndarray of shape (n_points,)
        The score of the first members, on the rows that at least one of them has not seen.

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
    """Return the numbers of members at which the curve is evaluated, with growing gaps."""
    stops = np.geomspace(1, n_members, min(n_members, _CURVE_POINTS))
    return [int(stop) for stop in np.unique(stops.round())]


def average_out_of_bag(
    members: Sequence[Member], X: Any, reads: Kind, classes: Targets | None, watch: Watch
) -> OutOfBag:
    """Average predictions one by one, so that memory does not grow with the members."""
    stops = set(curve_stops(len(members)))
    coverage = np.zeros(count_rows(X), dtype=np.int32)
    sums: list[Floats] | None = None
    for position, member in enumerate(members):
        rows = member.unseen_rows
        if rows is not None and rows.size:
            predictions = predict_member(
                member, take_rows(X, rows), reads, classes, position, len(members)
            )
            if sums is None:
                sums = [
                    np.zeros((len(coverage), *prediction.shape[1:])) for prediction in predictions
                ]
            for total, prediction in zip(sums, predictions, strict=True):
                total[rows] += prediction
            coverage[rows] += 1
        if position + 1 in stops and sums is not None:
            watch(position + 1, mean_out_of_bag(sums, coverage))
    if sums is None:
        raise nothing_out_of_bag()
    return mean_out_of_bag(sums, coverage)


def nothing_out_of_bag() -> ValueError:
    """Return the error that is raised if all members have seen all rows."""
    return ValueError(
        "no member has out-of-bag rows: every member saw every row, so nothing is held out; "
        "draw rows (bootstrap or subsample), or cross-fit instead."
    )


def mean_out_of_bag(sums: Sequence[Floats], coverage: Codes) -> OutOfBag:
    """Divide sums of predictions by their counts; NaN where the count is 0."""
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
            predictions=[predictions[:, :n_members] for predictions in ledger.predictions],
            coverage=ledger.coverage[:, :n_members],
        )
        if watch and first.coverage.any():
            watch(n_members, _combine_ledger(first, combines))
    return whole


def _combine_ledger(ledger: Ledger, combines: Sequence[Combine]) -> OutOfBag:
    present = ledger.coverage > 0
    supports = [
        _combine_present(predictions, present, combine)
        for predictions, combine in zip(ledger.predictions, combines, strict=True)
    ]
    return OutOfBag(supports, present.sum(axis=1))


def _combine_present(predictions: Array, present: Array, combine: Combine) -> Floats:
    """Combine ragged predictions: rows with equal numbers of members form a regular array."""
    counts = present.sum(axis=1)
    parts = []
    for count in np.unique(counts[counts > 0]):
        rows = np.flatnonzero(counts == count)
        regular = predictions[rows][present[rows]].reshape(len(rows), count, *predictions.shape[2:])
        parts.append((rows, combine(regular)))
    support = np.full((len(predictions), *parts[0][1].shape[1:]), np.nan)
    for rows, combined in parts:
        support[rows] = combined
    return support


def warn_of_uncovered(coverage: Codes) -> None:
    """Warn about rows without an out-of-bag prediction, if there are some."""
    uncovered = np.count_nonzero(coverage == 0)
    if uncovered:
        warn_caller(
            f"{uncovered} of {len(coverage)} rows are in the bag of every member: they have no "
            "out-of-bag prediction (NaN) and are left out of the score; use more members.",
        )
