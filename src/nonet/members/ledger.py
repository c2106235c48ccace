"""The ledger: answers of members on rows that they were not fitted on.

Everything learned about a combination (weights, thresholds, calibration, selection) reads
this record and nothing else, so that no member is judged on what it has seen. Out-of-fold
answers come from :func:`cross_fit`, out-of-bag answers from :func:`ask_out_of_bag`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from nonet._base.aliases import SILENT, Array, Codes, Kind
from nonet._base.frames import count_rows, make_indexable, take_rows
from nonet._base.parallel import run_all
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.outputs import Targets, ask_member
from nonet.members.plan import MemberPlan


@dataclass(frozen=True)
class Ledger:
    """Held-out answers of k members on n rows.

    Attributes
    ----------
    names : tuple of str
    reads : {'values', 'labels', 'probabilities', 'scores'}
        What the members were asked for.
    answers : list of ndarray
        For each target an (n, k) or (n, k, c) array; NaN, or code -1, where not covered.
    coverage : ndarray of int of shape (n, k)
        How many held-out answers of a member stand behind an entry; 0 means none.
    folds : tuple of tuple of Member
        For each fold the members fitted on the rest; empty for out-of-bag answers.
    """

    names: tuple[str, ...]
    reads: Kind
    answers: Targets
    coverage: Codes
    folds: tuple[tuple[Member, ...], ...] = ()

    @property
    def outputs(self) -> Array:
        """The answers for the first, usually the only, target."""
        return self.answers[0]

    @property
    def covered_rows(self) -> Array:
        """Positions of the rows on which every member has a held-out answer."""
        return np.flatnonzero((self.coverage > 0).all(axis=1))


def cross_fit(
    plans: Sequence[MemberPlan],
    X: Any,
    y: Any,
    *,
    reads: Kind,
    classes: Targets | None = None,
    cv: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
) -> Ledger:
    """Fit every member on every training fold and ask it about the held-out fold.

    ``cv`` is anything scikit-learn takes; no row may be held out twice. Rows that are never
    held out (forward chaining) have coverage 0.
    """
    X = make_indexable(X)  # once, not once a fold
    n_samples = count_rows(X)
    splitter = check_cv(cv, y, classifier=classes is not None)
    splits = list(splitter.split(X, y, groups))
    _check_partition(splits, n_samples)
    calls = [
        (plan, X, y, train, test, reads, classes, place, len(plans))
        for train, test in splits
        for place, plan in enumerate(plans)
    ]
    fitted = run_all(_fit_and_ask, calls, n_jobs=n_jobs)
    pages = [fitted[fold * len(plans) : (fold + 1) * len(plans)] for fold in range(len(splits))]
    rows = [test for _, test in splits]
    entries = [
        (test, place, answer)
        for test, page in zip(rows, pages, strict=True)
        for place, (_, answer) in enumerate(page)
    ]
    folds = tuple(tuple(member for member, _ in page) for page in pages)
    return _write(plans, reads, entries, n_samples, folds)


def ask_out_of_bag(
    members: Sequence[Member], X: Any, *, reads: Kind, classes: Targets | None = None
) -> Ledger:
    """Ask each member about the training rows that it has not seen."""
    entries = []
    for place, member in enumerate(members):
        rows = np.empty(0, dtype=np.intp) if member.unseen_rows is None else member.unseen_rows
        if rows.size:
            view = take_rows(X, rows)
            answer = ask_member(member, view, reads, classes, place, len(members))
            entries.append((rows, place, answer))
    if not entries:
        raise ValueError(
            "no member has out-of-bag rows: every member saw every row, so nothing is held out; "
            "draw rows (bootstrap or subsample), or cross-fit instead."
        )
    return _write(members, reads, entries, count_rows(X), ())


def _fit_and_ask(
    plan: MemberPlan,
    X: Any,
    y: Any,
    train: Array,
    test: Array,
    reads: Kind,
    classes: Targets | None,
    position: int,
    total: int,
) -> tuple[Member, Targets]:
    member = fit_member(plan.within(train), X, y, position, total)
    return member, ask_member(member, take_rows(X, test), reads, classes, position, total)


def _check_partition(splits: list[tuple[Array, Array]], n_samples: int) -> None:
    held_out = np.concatenate([test for _, test in splits])
    times = np.bincount(held_out, minlength=n_samples)
    if times.max(initial=0) > 1:
        row = int(times.argmax())
        raise ValueError(
            f"cv must hold out each row at most once, but row {row} is held out {times[row]} "
            "times; use a splitter that parts the rows such as KFold or GroupKFold."
        )
    for train, test in splits:
        if np.intersect1d(train, test).size:
            raise ValueError("cv gives a fold whose held-out rows are also trained on.")


def _write(
    members: Sequence[MemberPlan] | Sequence[Member],
    reads: Kind,
    entries: list[tuple[Array, int, Targets]],
    n_samples: int,
    folds: tuple[tuple[Member, ...], ...],
) -> Ledger:
    coverage = np.zeros((n_samples, len(members)), dtype=np.int32)
    answers = [_blank(first, len(members), n_samples) for first in entries[0][2]]
    for rows, place, answer in entries:
        coverage[rows, place] += 1
        for target, of_target in zip(answers, answer, strict=True):
            target[rows, place] = of_target
    names = tuple(member.name for member in members)
    return Ledger(names, reads, answers, coverage, folds)


def _blank(example: Array, n_members: int, n_samples: int) -> Array:
    """Return an empty page, stored member by member as in ``nonet.members.outputs``."""
    nothing = SILENT if example.dtype.kind == "i" else np.nan
    page = np.full((n_members, n_samples, *example.shape[1:]), nothing, dtype=example.dtype)
    return np.moveaxis(page, 0, 1)
