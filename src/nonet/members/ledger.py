"""The ledger: predictions of members on rows that they were not fitted on.

Everything learned about a combination (weights, thresholds, calibration, selection, a final
model) uses only this record, so that no member is evaluated on rows it was fitted on.
Out-of-fold predictions come from :func:`cross_fit`, out-of-bag ones from
:func:`predict_out_of_bag`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nonet._base.aliases import ABSTAINED, Array, Codes, Kind
from nonet._base.arrays import encode_labels
from nonet._base.frames import count_rows, make_indexable, take_rows
from nonet._base.parallel import run_all
from nonet._base.progress import Steps
from nonet.members.fit import fit_member, fit_members
from nonet.members.fold_fits import run_fold_fits
from nonet.members.folds import Fold, make_folds, warn_of_missing_classes
from nonet.members.ledger_file import read_ledger_file, write_ledger_file
from nonet.members.ledger_page import Entry, as_support, write_page
from nonet.members.member import Member
from nonet.members.out_of_bag import fit_out_of_bag, gives_out_of_bag
from nonet.members.outputs import Targets, predict_member
from nonet.members.plan import MemberPlan
from nonet.members.row_digest import digest_rows


@dataclass(frozen=True, repr=False, eq=False)
class Ledger:
    """Held-out predictions of k members on n rows.

    It can be made once, by :func:`nonet.make_ledger` or by an ensemble, and passed to many:
    ``fit(X, y, ledger=ledger)``.

    Attributes
    ----------
    names : tuple of str
        The names of the members.
    reads : {'values', 'labels', 'probabilities', 'scores'}
        The kind of output of the members; 'scores' if the kinds differ.
    predictions : list of ndarray
        For each target an (n, k) or (n, k, c) array; NaN, or code -1, where not covered. The
        mean, or the vote, where a member has several held-out predictions for a row.
    coverage : ndarray of int of shape (n, k)
        The number of held-out predictions of a member behind each entry; 0 means none.
    folds : tuple of tuple of Member
        For each fold the members fitted on the other folds, if they were kept.
    kinds : tuple of str
        The kind of output of each member.
    held_out_rows : tuple of ndarray
        For each fold its held-out rows.
    target : ndarray or None
        The y that the members were fitted on.
    classes : list of ndarray or None
        The classes of each target; None in regression.
    models : tuple of estimators
        The models before they were fitted; empty in a ledger that was loaded.
    refits : dict of str to Member
        Members fitted on all rows, stored by the first ensemble that needs them. Their fit
        parameters (``sample_weight``) are the same for all ensembles that use the ledger.
    rows_digest : str or None
        A digest of the X that the members were fitted on, so that an ensemble can refuse another
        X; None if it has no digest.

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
    predictions: Targets
    coverage: Codes
    folds: tuple[tuple[Member, ...], ...] = ()
    kinds: tuple[Kind, ...] = ()
    held_out_rows: tuple[Array, ...] = ()
    target: Array | None = None
    classes: Targets | None = None
    models: tuple[Any, ...] = ()
    refits: dict[str, Member] = field(default_factory=dict)
    rows_digest: str | None = None

    def __repr__(self) -> str:
        rows, members = self.coverage.shape
        return (
            f"Ledger({members} members ({', '.join(self.names)}) on {rows} rows, "
            f"{len(self.covered_rows)} of them covered; {self.reads})"
        )

    @property
    def outputs(self) -> Array:
        """The predictions for the first, usually the only, target."""
        return self.predictions[0]

    @property
    def covered_rows(self) -> Array:
        """Positions of the rows on which every member has a held-out prediction."""
        return np.flatnonzero((self.coverage > 0).all(axis=1))

    def predictions_as(self, kind: Kind) -> Targets:
        """Return the predictions in the form that a combination rule reads.

        Parameters
        ----------
        kind : {'values', 'labels', 'probabilities', 'scores'}
            Labels can be derived from probabilities or scores: the class of the maximum, the first
            if several are equal. Probabilities are scores.

        Returns
        -------
        predictions : list of ndarray
        """
        if self.reads == kind or (kind == "scores" and self.reads == "probabilities"):
            return self.predictions
        if kind == "labels" and self.reads in ("probabilities", "scores"):
            return [_named_classes(support) for support in self.predictions]
        raise ValueError(
            f"the ledger holds {self.reads} of its members where {kind} are needed; make one "
            f"with make_ledger(..., method=...) that collects {kind}."
        )

    def fold_members(self, name: str) -> list[Member]:
        """Return the members of one name that were kept, fold by fold.

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
        steps: Steps | None = None,
    ) -> list[Member]:
        """Return the planned members fitted on all rows, and fit those that are not fitted yet.

        Parameters
        ----------
        plans : sequence of MemberPlan
        X, y : the data of the ledger
        n_jobs : int, optional
        steps : Steps, optional
            What to show of the progress.

        Returns
        -------
        members : list of Member
        """
        missing = [plan for plan in plans if plan.name not in self.refits]
        fitted = fit_members(missing, X, y, n_jobs=n_jobs, steps=steps)
        self.refits.update({member.name: member for member in fitted})
        return [self.refits[plan.name] for plan in plans]

    def take(self, names: Sequence[str]) -> Ledger:
        """Return the ledger of some of the members, in the given order.

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
                f"the ledger has no predictions of {unknown}; its members are {list(self.names)}."
            )
        if tuple(names) == self.names:
            return self
        positions = [self.names.index(name) for name in names]
        return replace(
            self,
            names=tuple(names),
            predictions=[predictions[:, positions] for predictions in self.predictions],
            coverage=self.coverage[:, positions],
            folds=tuple(
                tuple(member for name in names for member in fold if member.name == name)
                for fold in self.folds
            ),
            kinds=tuple(self.kinds[position] for position in positions),
            models=tuple(self.models[position] for position in positions) if self.models else (),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the record: arrays and JSON in one zip archive, without pickle.

        The file is written completely or not at all, and its parts have checksums.

        Parameters
        ----------
        path : str or path
            Fitted members are not saved; an ensemble that needs them fits them again.
        """
        write_ledger_file(path, self)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Ledger:
        """Load a record that ``save`` wrote.

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
    steps: Steps | None = None,
) -> Ledger:
    """Fit every member on every training fold and predict the held-out fold.

    Parameters
    ----------
    plans : sequence of MemberPlan
    X, y : the data
    reads : kind of output, or one for each member
    classes : list of ndarray or None
        The classes of each target; None in regression.
    cv : int, splitter or iterable, optional
        Anything scikit-learn takes. Rows held out several times get the mean of the predictions;
        rows never held out (forward chaining) have coverage 0.
    groups : array-like of shape (n_samples,), optional
    n_jobs : int, optional
        The number of members x folds fitted in parallel.
    keep_models : bool, default=False
        Whether the ledger keeps the members of the folds.
    out_of_bag : bool, default=False
        Whether forests and bagging predict out of bag: one fit on all rows instead of one per fold.
        Not with groups, since bags contain other rows of the group of an out-of-bag row.
    steps : Steps, optional
        What to show of the progress.

    Returns
    -------
    ledger : Ledger
    """
    X = make_indexable(X)  # once, not once per fold
    folds = make_folds(cv, X, y, groups, classifier=classes is not None)
    _warn_of_missing_classes(folds, y, classes)
    kinds = (reads,) * len(plans) if isinstance(reads, str) else tuple(reads)
    from_bags = [
        position
        for position, plan in enumerate(plans)
        if out_of_bag and groups is None and gives_out_of_bag(plan, kinds[position], classes)
    ]
    task = _Task(tuple(plans), X, y, kinds, classes, n_jobs, steps, keep_models)
    bag_entries, refits = _predict_bags(task, from_bags)
    in_folds = [position for position in range(len(plans)) if position not in from_bags]
    fold_entries, members = _predict_folds(task, in_folds, folds)
    predictions, coverage = write_page(
        [*bag_entries, *fold_entries], len(plans), count_rows(X), _class_counts(classes)
    )
    _check_coverage(coverage)
    return Ledger(
        names=tuple(plan.name for plan in plans),
        reads=task.reads,
        predictions=predictions,
        coverage=coverage,
        folds=members,
        kinds=kinds,
        held_out_rows=tuple(test for _, test in folds),
        target=np.asarray(y),
        classes=classes,
        models=tuple(plan.estimator for plan in plans),
        refits=refits,
        rows_digest=digest_rows(X),
    )


@dataclass(frozen=True)
class _Task:
    """The data and settings that all fits of one ledger have in common."""

    plans: tuple[MemberPlan, ...]
    X: Any
    y: Any
    kinds: tuple[Kind, ...]
    classes: Targets | None
    n_jobs: int | None
    steps: Steps | None
    keep_models: bool

    @property
    def reads(self) -> Kind:
        return self.kinds[0] if len(set(self.kinds)) == 1 else "scores"

    def on_the_page(self, predictions: Targets, position: int) -> Targets:
        """Return the predictions in the form that all members of the page have in common."""
        counts = _class_counts(self.classes)
        if counts is None or len(set(self.kinds)) == 1:
            return predictions
        return as_support(predictions, self.kinds[position], counts)


def _predict_bags(task: _Task, positions: list[int]) -> tuple[list[Entry], dict[str, Member]]:
    total = len(task.plans)
    calls = [
        (task.plans[position], task.X, task.y, task.kinds[position], task.classes, position, total)
        for position in positions
    ]
    steps = task.steps and task.steps.named([task.plans[position].name for position in positions])
    fitted = run_all(fit_out_of_bag, calls, n_jobs=task.n_jobs, steps=steps)
    entries = [
        (rows, position, task.on_the_page(predictions, position))
        for position, (_, rows, predictions) in zip(positions, fitted, strict=True)
    ]
    return entries, {member.name: member for member, _, _ in fitted}


def _predict_folds(
    task: _Task, positions: list[int], folds: list[Fold]
) -> tuple[list[Entry], tuple[tuple[Member, ...], ...]]:
    jobs = [(fold, position) for fold in range(len(folds)) for position in positions]
    # Workers need the data of the task, not what is shown of it.
    silent = replace(task, steps=None)
    calls = [(silent, position, len(task.plans), *folds[fold]) for fold, position in jobs]
    plans = [task.plans[position] for _, position in jobs]
    names = [f"{task.plans[position].name}, fold {fold + 1}" for fold, position in jobs]
    steps = task.steps and task.steps.named(names)
    fitted = run_fold_fits(_fit_and_predict, calls, plans, task.X, n_jobs=task.n_jobs, steps=steps)
    entries = [
        (folds[fold][1], position, task.on_the_page(predictions, position))
        for (fold, position), (_, predictions) in zip(jobs, fitted, strict=True)
    ]
    kept: list[list[Member]] = [[] for _ in folds]
    for (fold, _), (member, _) in zip(jobs, fitted, strict=True):
        if member is not None:
            kept[fold].append(member)
    return entries, tuple(map(tuple, kept)) if task.keep_models else ()


def _fit_and_predict(
    task: _Task, position: int, n_members: int, train: Array, test: Array
) -> tuple[Member | None, Targets]:
    plan = task.plans[position]
    member = fit_member(plan.within(train), task.X, task.y, position, n_members)
    view = take_rows(task.X, test)
    predictions = predict_member(
        member, view, task.kinds[position], task.classes, position, n_members
    )
    # A model that is not kept need not be sent back from its worker.
    return member if task.keep_models else None, predictions


def _named_classes(support: Array) -> Codes:
    named: Codes = np.where(np.isnan(support[:, :, 0]), ABSTAINED, support.argmax(axis=2))
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
            "no row has a held-out prediction of every member, so there is nothing to learn from; "
            "use a splitter that holds out more rows, or larger forests."
        )


def predict_out_of_bag(
    members: Sequence[Member], X: Any, *, reads: Kind, classes: Targets | None = None
) -> Ledger:
    """Predict with each member the training rows that it was not fitted on."""
    entries: list[Entry] = []
    for position, member in enumerate(members):
        rows = np.empty(0, dtype=np.intp) if member.unseen_rows is None else member.unseen_rows
        if rows.size:
            view = take_rows(X, rows)
            prediction = predict_member(member, view, reads, classes, position, len(members))
            entries.append((rows, position, prediction))
    if not entries:
        raise ValueError(
            "no member has out-of-bag rows: every member saw every row, so nothing is held out; "
            "sample rows (bootstrap or subsample), or cross-fit instead."
        )
    predictions, coverage = write_page(entries, len(members), count_rows(X), _class_counts(classes))
    names = tuple(member.name for member in members)
    return Ledger(names, reads, predictions, coverage, kinds=(reads,) * len(names), classes=classes)
