"""Runs: from a file or a frame to a fitted ensemble, and on from a folder that was left."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats, Task
from nonet._base.results import Result
from nonet.auto.auto_ensemble import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.auto.auto_score import AutoScore
from nonet.auto.leaderboard import Leaderboard
from nonet.auto.memory_store import MemoryStore
from nonet.auto.run_guests import (
    check_extra_members,
    names_in_memory,
    names_without_file,
    note_on_files,
    note_on_refits,
    save_model,
    without_unused_extras,
)
from nonet.auto.run_rows import has_rows, load_rows
from nonet.auto.run_store import RunStore
from nonet.auto.searched_ensemble import AutoEnsemble
from nonet.auto.store import JSON, RunFolderError, Store
from nonet.tables.readers import read_table
from nonet.tables.table import LeveledColumn, Table
from nonet.tables.target import Target, find_target, understand_target

_MODEL = "model"
_CLASSES = {"classification": AutoEnsembleClassifier, "regression": AutoEnsembleRegressor}


@dataclass(frozen=True, eq=False)
class Run(Result):
    """A run of the auto-ensembler on a table.

    Attributes
    ----------
    model : estimator
        The fitted ensemble.
    target : str
        The column that it predicts.
    task : {'classification', 'regression'}
    folder : str or None
        Where the run is kept; None if it is only in memory.
    notes : list of str
        What was understood of the table, and repaired in it.
    seconds : float
        What the run took.

    Examples
    --------
    >>> import nonet
    >>> from sklearn.datasets import load_iris
    >>> table = load_iris(as_frame=True).frame
    >>> settings = {"time_limit": None, "max_tasks": 3, "cv": 3, "families": ["linear"]}
    >>> run = nonet.fit_table(table, "target", **settings)
    >>> run.honest_score.rows
    '150 held-out rows of 3 folds'
    """

    _shown: ClassVar[tuple[str, ...]] = ("target", "task", "score", "warnings", "folder", "seconds")

    model: Any
    target: str
    task: str
    folder: str | None = None
    notes: list[str] = field(default_factory=list)
    seconds: float = float("nan")

    @property
    def leaderboard(self) -> Leaderboard:
        """All configurations, with scores, weights and seconds."""
        found: Leaderboard = self.model.leaderboard_
        return found

    @property
    def honest_score(self) -> AutoScore:
        """The score on rows that neither members nor weights have seen."""
        found: AutoScore = self.model.honest_score_
        return found

    @property
    def warnings(self) -> list[str]:
        """Sentences about what may be wrong with the table; nothing is dropped for it."""
        found: list[str] = self.model.warnings_
        return found

    @property
    def score(self) -> str:
        """The honest score in words."""
        of = self.honest_score
        return f"{of.metric} {of.score:.4g} +- {of.standard_error:.2g} on {of.rows}"

    def predict(self, source: Any) -> Array:
        """Predict the rows of a file or a frame; the target may be missing there.

        Parameters
        ----------
        source : path, frame or table

        Returns
        -------
        y : ndarray of shape (n_rows,)
        """
        predictions: Array = self.model.predict(read_table(source))
        return predictions

    def predict_proba(self, source: Any) -> Floats:
        """Return the probabilities of the classes for the rows of a file or a frame.

        Parameters
        ----------
        source : path, frame or table

        Returns
        -------
        probabilities : ndarray of shape (n_rows, n_classes)
        """
        probabilities: Floats = self.model.predict_proba(read_table(source))
        return probabilities

    def save(self, path: str | os.PathLike[str], *, trust: str | None = None) -> None:
        """Save the model to a file, for `nonet.load`.

        Parameters
        ----------
        path : str or path
        trust : {None, 'pickle'}, default=None
            'pickle' stores models of other libraries as pickles; `nonet.load` needs the same.
        """
        save_model(self.model, path, trust)


def fit_table(
    source: Any,
    target: str,
    *,
    task: Task | None = None,
    group: str | None = None,
    weight: str | None = None,
    drop: Sequence[str] = (),
    test: Any = None,
    folder: str | os.PathLike[str] | None = None,
    **settings: Any,
) -> Run:
    """Find the best ensemble for a table.

    Parameters
    ----------
    source : path, frame or table
        A CSV, TSV, Parquet, Arrow or JSON-lines file, compressed or not; a frame of pandas or
        polars; an Arrow table; a dictionary of columns.
    target : str
        The column to predict. Rows without it are left out.
    task : {'classification', 'regression'} or None, default=None
        None is worked out from the values of the target.
    group : str or None, default=None
        A column of groups: rows of a group stay together in folds, and the column is no feature.
    weight : str or None, default=None
        A column of weights of rows, which is no feature.
    drop : sequence of str, default=()
        Columns that are not used.
    test : path, frame or table, default=None
        Rows that are to be predicted. Nothing is fitted to them; if they can be told apart from
        those of ``source``, there is a sentence in ``run.warnings``.
    folder : path or None, default=None
        Where the run is kept, so that `resume` can go on with it; a new or empty folder.
    **settings : dict
        ``time_limit`` (seconds, default=600; None is no limit), ``max_tasks``, ``metric`` (a scorer
        of scikit-learn; log loss or 'rmse' by default), ``random_state``, ``cv``, ``families``,
        ``kinds`` (of columns), ``decide`` (a decision rule), ``memory_limit``,
        ``extra_members``, ``max_us_per_row`` (of predictions), ``n_jobs``, ``verbose``; the guide
        describes them.

    Returns
    -------
    run : Run

    See Also
    --------
    resume : Go on with a run.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import nonet
    >>> table = load_iris(as_frame=True).frame
    >>> run = nonet.fit_table(table, "target", time_limit=None, max_tasks=16, random_state=0)
    >>> run.task
    'classification'
    >>> run.predict(table)[:2]
    array([0, 0])
    """
    began = time.monotonic()
    notes: list[str] = []
    table = read_table(source, notes=notes)
    name = find_target(table, target)
    understood = understand_target(table[name], name, task)
    notes += understood.notes()
    drop = [drop] if isinstance(drop, str) else list(drop)
    _check_names(table, [group, weight, *drop])
    if name in (group, weight, *drop):
        raise ValueError(f"column {name!r} is the target, so it cannot be left out or be a group.")
    unseen = None if test is None else read_table(test)
    table = table.take(understood.rows)
    model = _CLASSES[understood.task](**settings)
    X = _features(table, [name, group, weight, *drop])
    store = _open_store(folder, understood, settings, notes)
    with store:
        groups, weights = _group_codes(table, group), _weights(table, weight)
        model._fit(X, understood.labels, groups, weights, store)
        if unseen is not None:
            store.update_facts(shift=model._compare_with(X, unseen))
        notes += model.encoder_notes_
        store.update_facts(notes=notes)
        store.save_model(_MODEL, without_unused_extras(model))
        notes += [] if folder is None else note_on_files(names_without_file(store))
    return _make_run(model, understood.name, folder, notes, time.monotonic() - began)


def resume(
    folder: str | os.PathLike[str],
    *,
    time_limit: float | None = None,
    max_tasks: int | None = None,
    extra_members: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Run:
    """Go on with a run that was left: after Ctrl-C, kill -9, a full disk, or for more time.

    Parameters
    ----------
    folder : path
        The folder that `fit_table` was given. Tasks that are done there are not run again.
    time_limit : float or None, default=None
        Seconds for the rest; None is no limit, or that of ``max_tasks``.
    max_tasks : int or None, default=None
        Maximum number of tasks of the whole run, those that are done included. None keeps that of
        the run, unless there is a ``time_limit``.
    extra_members : dict of str to estimator or None, default=None
        Those that the run was started with, which its folder does not hold; {} goes on without.
    n_jobs, verbose : as in `fit_table`

    Returns
    -------
    run : Run

    Examples
    --------
    >>> import tempfile, nonet
    >>> from sklearn.datasets import load_iris
    >>> table = load_iris(as_frame=True).frame
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     few = nonet.fit_table(table, "target", folder=f"{folder}/run", time_limit=None,
    ...                           max_tasks=8, random_state=0)
    ...     more = nonet.resume(f"{folder}/run", max_tasks=16)
    >>> len(few.model.ensemble_.members_), len(more.leaderboard) > 2
    (1, True)
    """
    began = time.monotonic()
    with RunStore.open(folder) as store:
        facts = store.facts
        if not has_rows(store):
            raise RunFolderError(
                f"the run in {os.fspath(folder)!r} ended before its table was stored, so there is "
                "nothing to go on with; start it again with fit_table in another folder."
            )
        check_extra_members(folder, facts.get("extra_members", []), extra_members)
        model = _CLASSES[facts["task"]](**facts["settings"], extra_members=extra_members or None)
        kept = model.max_tasks if time_limit is None else None
        model.set_params(
            time_limit=time_limit,
            max_tasks=kept if max_tasks is None else max_tasks,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        lost = names_without_file(store)
        model._resume(load_rows(store), store, began)
        model.warnings_ += facts.get("shift", [])
        store.save_model(_MODEL, without_unused_extras(model))
        notes = [
            *facts.get("notes", []),
            *note_on_refits([name for name in lost if name in names_in_memory(store)]),
        ]
        return _make_run(model, facts["target"], folder, notes, time.monotonic() - began)


def _make_run(
    model: AutoEnsemble, target: str, folder: Any, notes: list[str], seconds: float
) -> Run:
    path = None if folder is None else os.fspath(folder)
    return Run(model, target, model._task, path, list(notes), seconds)


def _open_store(
    folder: str | os.PathLike[str] | None,
    target: Target,
    settings: Mapping[str, Any],
    notes: Sequence[str],
) -> Store:
    """Return the store of a new run, with what `resume` needs of its settings."""
    if folder is None:
        return MemoryStore()
    extra_members = settings.get("extra_members") or {}
    plain = _plain_settings({n: v for n, v in settings.items() if n != "extra_members"})
    facts: dict[str, JSON] = {
        "task": target.task,
        "target": target.name,
        "settings": plain,
        "extra_members": [*extra_members],
        "notes": [*notes],
    }
    Path(folder).parent.mkdir(parents=True, exist_ok=True)
    return RunStore.create(folder, facts)


def _plain_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as JSON holds them, or raise if a run could not be resumed with them."""
    for name, value in settings.items():
        allowed = isinstance(value, str | int | float | bool | list | dict | tuple | None)
        if not allowed:
            raise ValueError(
                f"{name}={value!r} cannot be kept in the folder of a run, which holds numbers, "
                "text and lists; leave folder=None, or give the setting by its name."
            )
    return {name: list(v) if isinstance(v, tuple) else v for name, v in settings.items()}


def _check_names(table: Table, names: Sequence[str | None]) -> None:
    for name in names:
        if name is not None and name not in table:
            known = ", ".join(map(repr, table.names))
            raise ValueError(f"the table has no column {name!r}; its columns are {known}.")


def _features(table: Table, others: Sequence[str | None]) -> Table:
    names = [name for name in table.names if name not in others]
    if not names:
        raise ValueError(
            "the table has no column besides the target and those left out, so there is nothing "
            "to predict from."
        )
    return table.select(names)


def _group_codes(table: Table, group: str | None) -> Array | None:
    if group is None:
        return None
    column = table[group]
    values = column.codes if isinstance(column, LeveledColumn) else column
    codes: Array = np.unique(values, return_inverse=True)[1]
    return codes


def _weights(table: Table, weight: str | None) -> Floats | None:
    if weight is None:
        return None
    column = table[weight]
    if not isinstance(column, np.ndarray):
        raise ValueError(f"the weights in column {weight!r} must be numbers, but are text.")
    return column.astype(np.float64)
