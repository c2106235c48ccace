"""The ledger: answers of members on rows that they were not fitted on.

Everything learned about a combination (weights, thresholds, calibration, selection, a model on
top) reads this record and nothing else, so that no member is judged on what it has seen.
Out-of-fold answers come from :func:`cross_fit`, out-of-bag answers from :func:`ask_out_of_bag`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nonet._base.aliases import SILENT, Array, Codes, Kind
from nonet._base.arrays import encode_labels
from nonet._base.frames import count_rows, make_indexable, take_rows
from nonet._base.parallel import run_all
from nonet.members.fit import fit_member, fit_members
from nonet.members.folds import Fold, make_folds, warn_of_missing_classes
from nonet.members.ledger_file import read_ledger_file, write_ledger_file
from nonet.members.ledger_page import Entry, as_support, write_page
from nonet.members.member import Member
from nonet.members.out_of_bag import fit_out_of_bag, gives_out_of_bag
from nonet.members.outputs import Targets, ask_member
from nonet.members.plan import MemberPlan


@dataclass(frozen=True, repr=False, eq=False)
class Ledger:
    """Held-out answers of k members on n rows.

    It can be made once, by :func:`nonet.make_ledger` or by an ensemble, and handed to many:
    ``fit(X, y, ledger=ledger)``.

    Attributes
    ----------
    names : tuple of str
        The members.
    reads : {'values', 'labels', 'probabilities', 'scores'}
        What the members were asked for; 'scores' if they were asked for different things.
    answers : list of ndarray
        For each target an (n, k) or (n, k, c) array; NaN, or code -1, where not covered. The
        mean, or the vote, where a member has several held-out answers on a row.
    coverage : ndarray of int of shape (n, k)
        How many held-out answers of a member stand behind an entry; 0 means none.
    folds : tuple of tuple of Member
        For each fold the members fitted on the rest, if they were kept.
    kinds : tuple of str
        What each single member was asked for.
    held_out_rows : tuple of ndarray
        For each fold the rows it held out.
    target : ndarray or None
        The y that the members learned.
    classes : list of ndarray or None
        The classes of each target; None in regression.
    models : tuple of estimators
        What the members were before they were fitted; empty in a ledger that was loaded.
    refits : dict of str to Member
        Members fitted on all rows, put there by the first ensemble that needs them. What they
        were given beside X and y (``sample_weight``) is the same for all ensembles of a ledger.

    See Also
    --------
    nonet.make_ledger : Make one from named models.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from nonet import make_ledger
    >>> X, y = load_iris(return_X_y=True)
    >>> members = [("bayes", GaussianNB()), ("near", KNeighborsClassifier())]
    >>> ledger = make_ledger(members, X, y, cv=5)
    >>> ledger.outputs.shape
    (150, 2, 3)
    >>> ledger
    Ledger(2 members (bayes, near) on 150 rows, 150 of them covered; probabilities)
    """

    names: tuple[str, ...]
    reads: Kind
    answers: Targets
    coverage: Codes
    folds: tuple[tuple[Member, ...], ...] = ()
    kinds: tuple[Kind, ...] = ()
    held_out_rows: tuple[Array, ...] = ()
    target: Array | None = None
    classes: Targets | None = None
    models: tuple[Any, ...] = ()
    refits: dict[str, Member] = field(default_factory=dict)

    def __repr__(self) -> str:
        rows, members = self.coverage.shape
        return (
            f"Ledger({members} members ({', '.join(self.names)}) on {rows} rows, "
            f"{len(self.covered_rows)} of them covered; {self.reads})"
        )

    @property
    def outputs(self) -> Array:
        """The answers for the first, usually the only, target."""
        return self.answers[0]

    @property
    def covered_rows(self) -> Array:
        """Positions of the rows on which every member has a held-out answer."""
        return np.flatnonzero((self.coverage > 0).all(axis=1))

    def answers_as(self, kind: Kind) -> Targets:
        """Return the answers in the form that a combination rule reads.

        Parameters
        ----------
        kind : {'values', 'labels', 'probabilities', 'scores'}
            Labels can be read off probabilities or scores: the class of the largest, the first
            of equals. Probabilities are scores.

        Returns
        -------
        answers : list of ndarray
        """
        if self.reads == kind or (kind == "scores" and self.reads == "probabilities"):
            return self.answers
        if kind == "labels" and self.reads in ("probabilities", "scores"):
            return [_named_classes(support) for support in self.answers]
        raise ValueError(
            f"the ledger holds {self.reads} of its members where {kind} are needed; make one "
            f"with make_ledger(..., method=...) that asks them for {kind}."
        )

    def fold_members(self, name: str) -> list[Member]:
        """Return the members of one name that the folds kept, fold by fold.

        Parameters
        ----------
        name : str

        Returns
        -------
        members : list of Member
        """
        return [member for fold in self.folds for member in fold if member.name == name]

    def refit_members(
        self,
        plans: Sequence[MemberPlan],
        X: Any,
        y: Any,
        *,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> list[Member]:
        """Return the planned members fitted on all rows, fitting those that nobody did before.

        Parameters
        ----------
        plans : sequence of MemberPlan
        X, y : the data of the ledger
        n_jobs : int, optional
        verbose : bool, default=False

        Returns
        -------
        members : list of Member
        """
        missing = [plan for plan in plans if plan.name not in self.refits]
        fitted = fit_members(missing, X, y, n_jobs=n_jobs, verbose=verbose)
        self.refits.update({member.name: member for member in fitted})
        return [self.refits[plan.name] for plan in plans]

    def take(self, names: Sequence[str]) -> Ledger:
        """Return the ledger of some of the members, in the order named.

        Parameters
        ----------
        names : sequence of str

        Returns
        -------
        ledger : Ledger
            It shares the refitted members with this one.
        """
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise ValueError(
                f"the ledger has no answers of {unknown}; its members are {list(self.names)}."
            )
        if tuple(names) == self.names:
            return self
        places = [self.names.index(name) for name in names]
        return replace(
            self,
            names=tuple(names),
            answers=[answers[:, places] for answers in self.answers],
            coverage=self.coverage[:, places],
            folds=tuple(
                tuple(member for name in names for member in fold if member.name == name)
                for fold in self.folds
            ),
            kinds=tuple(self.kinds[place] for place in places),
            models=tuple(self.models[place] for place in places) if self.models else (),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the record: arrays and a page of JSON in one ``.npz`` file, nothing pickled.

        Parameters
        ----------
        path : str or path
            Fitted members are not saved; an ensemble that needs them fits them again.
        """
        write_ledger_file(path, self)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Ledger:
        """Read a record that ``save`` wrote.

        Parameters
        ----------
        path : str or path

        Returns
        -------
        ledger : Ledger
        """
        return cls(**read_ledger_file(path))


def cross_fit(
    plans: Sequence[MemberPlan],
    X: Any,
    y: Any,
    *,
    reads: Kind | Sequence[Kind],
    classes: Targets | None = None,
    cv: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    keep_models: bool = False,
    out_of_bag: bool = False,
    verbose: bool | int = False,
) -> Ledger:
    """Fit every member on every training fold and ask it about the held-out fold.

    Parameters
    ----------
    plans : sequence of MemberPlan
    X, y : the data
    reads : kind of answers, or one for each member
    classes : list of ndarray or None
        The classes of each target; None in regression.
    cv : int, splitter or iterable, optional
        Anything scikit-learn takes. Rows held out several times get the mean of the answers,
        rows never held out (forward chaining) have coverage 0.
    groups : array-like of shape (n_samples,), optional
    n_jobs : int, optional
        How many of the members x folds are fitted at once.
    keep_models : bool, default=False
        Whether the ledger keeps the members of the folds.
    out_of_bag : bool, default=False
        Whether forests and bagging answer out of bag: one fit on all rows instead of one per fold.
        Not with groups: their bags hold other rows of the group of an out-of-bag row.
    verbose : bool, default=False
        Whether to print a line for each fit.

    Returns
    -------
    ledger : Ledger
    """
    X = make_indexable(X)  # once, not once a fold
    folds = make_folds(cv, X, y, groups, classifier=classes is not None)
    _warn_of_missing_classes(folds, y, classes)
    kinds = (reads,) * len(plans) if isinstance(reads, str) else tuple(reads)
    from_bags = [
        place
        for place, plan in enumerate(plans)
        if out_of_bag and groups is None and gives_out_of_bag(plan, kinds[place], classes)
    ]
    task = _Task(tuple(plans), X, y, kinds, classes, n_jobs, verbose, keep_models)
    bag_entries, refits = _ask_bags(task, from_bags)
    in_folds = [place for place in range(len(plans)) if place not in from_bags]
    fold_entries, members = _ask_folds(task, in_folds, folds)
    answers, coverage = write_page(
        [*bag_entries, *fold_entries], len(plans), count_rows(X), _class_counts(classes)
    )
    _check_coverage(coverage)
    return Ledger(
        names=tuple(plan.name for plan in plans),
        reads=task.reads,
        answers=answers,
        coverage=coverage,
        folds=members,
        kinds=kinds,
        held_out_rows=tuple(test for _, test in folds),
        target=np.asarray(y),
        classes=classes,
        models=tuple(plan.estimator for plan in plans),
        refits=refits,
    )


@dataclass(frozen=True)
class _Task:
    """What all the fits of one ledger share."""

    plans: tuple[MemberPlan, ...]
    X: Any
    y: Any
    kinds: tuple[Kind, ...]
    classes: Targets | None
    n_jobs: int | None
    verbose: bool | int
    keep_models: bool

    @property
    def reads(self) -> Kind:
        return self.kinds[0] if len(set(self.kinds)) == 1 else "scores"

    def on_the_page(self, answers: Targets, place: int) -> Targets:
        """Return the answers in the form that all members of the page share."""
        counts = _class_counts(self.classes)
        if counts is None or len(set(self.kinds)) == 1:
            return answers
        return as_support(answers, self.kinds[place], counts)


def _ask_bags(task: _Task, places: list[int]) -> tuple[list[Entry], dict[str, Member]]:
    total = len(task.plans)
    calls = [
        (task.plans[place], task.X, task.y, task.kinds[place], task.classes, place, total)
        for place in places
    ]
    fitted = run_all(fit_out_of_bag, calls, n_jobs=task.n_jobs)
    entries = [
        (rows, place, task.on_the_page(answers, place))
        for place, (_, rows, answers) in zip(places, fitted, strict=True)
    ]
    return entries, {member.name: member for member, _, _ in fitted}


def _ask_folds(
    task: _Task, places: list[int], folds: list[Fold]
) -> tuple[list[Entry], tuple[tuple[Member, ...], ...]]:
    jobs = [(fold, place) for fold in range(len(folds)) for place in places]
    calls = [(task, place, len(task.plans), fold, len(folds), *folds[fold]) for fold, place in jobs]
    fitted = run_all(_fit_and_ask, calls, n_jobs=task.n_jobs)
    entries = [
        (folds[fold][1], place, task.on_the_page(answers, place))
        for (fold, place), (_, answers) in zip(jobs, fitted, strict=True)
    ]
    kept: list[list[Member]] = [[] for _ in folds]
    for (fold, _), (member, _) in zip(jobs, fitted, strict=True):
        if member is not None:
            kept[fold].append(member)
    return entries, tuple(map(tuple, kept)) if task.keep_models else ()


def _fit_and_ask(
    task: _Task, place: int, n_members: int, fold: int, n_folds: int, train: Array, test: Array
) -> tuple[Member | None, Targets]:
    started = time.perf_counter()
    plan = task.plans[place]
    member = fit_member(plan.within(train), task.X, task.y, place, n_members)
    view = take_rows(task.X, test)
    answers = ask_member(member, view, task.kinds[place], task.classes, place, n_members)
    if task.verbose:
        seconds = time.perf_counter() - started
        print(
            f"[nonet] fold {fold + 1} of {n_folds}: {plan.name!r} fitted on {len(train)} rows "
            f"and asked about {len(test)} in {seconds:.1f} s"
        )
    # A model that nobody keeps need not travel back from its worker.
    return member if task.keep_models else None, answers


def _named_classes(support: Array) -> Codes:
    named: Codes = np.where(np.isnan(support[:, :, 0]), SILENT, support.argmax(axis=2))
    return named


def _class_counts(classes: Targets | None) -> list[int] | None:
    return None if classes is None else [len(known) for known in classes]


def _warn_of_missing_classes(folds: list[Fold], y: Any, classes: Targets | None) -> None:
    if classes is not None and len(classes) == 1:
        codes = encode_labels(np.ravel(y), classes[0])
        warn_of_missing_classes(folds, codes, classes[0])


def _check_coverage(coverage: Codes) -> None:
    if not (coverage > 0).all(axis=1).any():
        raise ValueError(
            "no row has a held-out answer of every member, so there is nothing to learn from; "
            "use a splitter that holds out more rows, or larger forests."
        )


def ask_out_of_bag(
    members: Sequence[Member], X: Any, *, reads: Kind, classes: Targets | None = None
) -> Ledger:
    """Ask each member about the training rows that it has not seen."""
    entries: list[Entry] = []
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
    answers, coverage = write_page(entries, len(members), count_rows(X), _class_counts(classes))
    names = tuple(member.name for member in members)
    return Ledger(names, reads, answers, coverage, kinds=(reads,) * len(names), classes=classes)
