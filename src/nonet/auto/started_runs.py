"""Runs are started, taken up again, and opened: from a file, a frame, or a folder that was left."""

from __future__ import annotations

import json
import os
import reprlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats, Task
from nonet.auto.auto_ensemble import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.auto.memory_store import MemoryStore
from nonet.auto.run import Run, make_run
from nonet.auto.run_guests import (
    check_extra_members,
    names_in_memory,
    names_without_file,
    note_on_files,
    note_on_refits,
    without_unused_extras,
)
from nonet.auto.run_rows import has_rows, load_rows
from nonet.auto.run_store import RunStore
from nonet.auto.searched_ensemble import AutoEnsemble
from nonet.auto.store import JSON, RunFolderError, Store
from nonet.auto.time_order import read_times
from nonet.tables.column_encoders import read_numbers
from nonet.tables.readers import read_table
from nonet.tables.table import LeveledColumn, Table
from nonet.tables.target import Target, find_target, understand_target

_MODEL = "model"
_CLASSES = {"classification": AutoEnsembleClassifier, "regression": AutoEnsembleRegressor}


def fit_table(
    source: Any,
    target: str,
    *,
    task: Task | None = None,
    group: str | None = None,
    weight: str | None = None,
    time_column: str | None = None,
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
    time_column : str or None, default=None
        A column of dates or numbers: members are fitted on earlier rows and scored on later ones,
        in three steps after the first 55 % of the rows. The column remains a feature unless it is
        in ``drop``.
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
    _check_names(table, [group, weight, time_column, *drop])
    if name in (group, weight, time_column, *drop):
        raise ValueError(f"column {name!r} is the target, so it cannot be left out or be a group.")
    if time_column is not None and (group is not None or settings.get("cv") is not None):
        raise ValueError("time_column= makes the folds, so leave group= and cv= out.")
    unseen = None if test is None else read_table(test)
    table = table.take(understood.rows)
    model = _CLASSES[understood.task](**settings)
    X = _features(table, [name, group, weight, *drop])
    _check_test(unseen, X)
    kinds = settings.get("kinds")
    times = None if time_column is None else read_times(table, time_column, kinds)
    given = {"group": group, "weight": weight, "time_column": time_column, "drop": drop or None}
    with _make_store(folder, understood, settings, notes) as store:
        store.update_facts(arguments={n: one for n, one in given.items() if one is not None})
        groups, weights = _group_codes(table, group), _weights(table, weight)
        model._fit(X, understood.labels, groups, weights, store, times)
        if unseen is not None:
            store.update_facts(shift=model._compare_with(X, unseen))
        notes += model.encoder_notes_
        store.update_facts(notes=notes)
        store.save_model(_MODEL, without_unused_extras(model))
        notes += [] if folder is None else note_on_files(names_without_file(store))
        return _finish(model, store, folder, notes, time.monotonic() - began)


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
        limit = kept if max_tasks is None else max_tasks
        if limit is not None:  # what is done is never left out
            limit = max(limit, sum(record.state == "done" for record in store.records()))
            store.update_facts(settings={**facts["settings"], "max_tasks": limit})
        model.set_params(
            time_limit=time_limit,
            max_tasks=limit,
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
        return _finish(model, store, folder, notes, time.monotonic() - began)


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open a run that has ended, without computing anything.

    Parameters
    ----------
    folder : path
        The folder that `fit_table` was given.

    Returns
    -------
    run : Run
        As it was when `fit_table` or `resume` returned.

    See Also
    --------
    resume : Go on with a run.

    Examples
    --------
    >>> import tempfile, nonet
    >>> from sklearn.datasets import load_iris
    >>> table = load_iris(as_frame=True).frame
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = nonet.fit_table(table, "target", folder=f"{folder}/run", time_limit=None,
    ...                           max_tasks=3, cv=3, families=["linear"])
    ...     again = nonet.open_run(f"{folder}/run")
    >>> bool((again.predict_proba(table) == run.predict_proba(table)).all())
    True
    """
    with RunStore.open(folder, read_only=True) as store:
        if not store.has(_MODEL):
            raise RunFolderError(
                f"the run in {os.fspath(folder)!r} has no model yet, or one with members that have "
                "no form in a file; go on with nonet.resume."
            )
        return make_run(store.load_model(_MODEL), store, folder, store.facts.get("notes", []))


def _finish(
    model: AutoEnsemble, store: Store, folder: Any, notes: Sequence[str], seconds: float
) -> Run:
    """Return the run that has ended; its seconds are those of all its parts."""
    store.update_facts(seconds=store.facts.get("seconds", 0.0) + seconds)
    return make_run(model, store, folder, notes)


def _make_store(
    folder: str | os.PathLike[str] | None,
    target: Target,
    settings: Mapping[str, Any],
    notes: Sequence[str],
) -> Store:
    """Return the store of a new run, with what `resume` needs of its settings."""
    extra_members = settings.get("extra_members") or {}
    named = {n: v for n, v in settings.items() if n != "extra_members"}
    plain = _plain_settings(named, is_kept=folder is not None)
    facts: dict[str, JSON] = {
        "task": target.task,
        "target": target.name,
        "settings": plain,
        "extra_members": [*extra_members],
        "notes": [*notes],
    }
    if folder is None:
        return MemoryStore(facts)
    Path(folder).parent.mkdir(parents=True, exist_ok=True)
    return RunStore.create(folder, facts)


def _plain_settings(settings: Mapping[str, Any], *, is_kept: bool) -> dict[str, Any]:
    """Return settings as JSON holds them; raise if a run in a folder could not be resumed so."""
    plain = {}
    for name, value in settings.items():
        if not (is_json := _is_json(value)) and is_kept:
            raise ValueError(
                f"{name}={reprlib.repr(value)} cannot be kept in the folder of a run, which holds "
                "numbers, text and lists; leave folder=None, or give the setting by its name."
            )
        plain[name] = value if is_json else str(value)
    return plain


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True


def _check_names(table: Table, names: Sequence[str | None]) -> None:
    for name in names:
        if name is not None and name not in table:
            known = ", ".join(map(repr, table.names))
            raise ValueError(f"the table has no column {name!r}; its columns are {known}.")


def _check_test(unseen: Table | None, X: Table) -> None:
    if unseen is not None and not set(unseen.names) & set(X.names):
        raise ValueError(
            "test= has none of the columns that the ensemble reads; give the table of the rows "
            "that are to be predicted, or leave test= out."
        )


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
    # In CSV files they are text.
    readings = [read_numbers(table[weight], has_comma) for has_comma in (False, True)]
    numbers: Floats = min(readings, key=lambda one: int(np.isnan(one).sum()))
    if n_missing := int(np.isnan(numbers).sum()):
        raise ValueError(
            f"the weights in column {weight!r} must be numbers, but {n_missing} of {len(numbers)} "
            "rows have none; leave these rows out."
        )
    return numbers
