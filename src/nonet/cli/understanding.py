"""What a fit understands of its table, before any time is spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nonet.auto.folds import count_folds
from nonet.auto.metric import Metric, check_metric, resolve_metric
from nonet.auto.time_order import make_time_folds, read_times
from nonet.cli.command_error import CommandError, UsageError
from nonet.cli.duration import limits_in_words
from nonet.cli.file_label import label_of
from nonet.cli.fit_request import FitRequest
from nonet.cli.table_columns import find_columns, numbers_of
from nonet.tables.column_kind import ColumnKind
from nonet.tables.column_names import count_of, count_rows, list_names
from nonet.tables.kinds import describe_kinds, find_kinds
from nonet.tables.readers import read_table
from nonet.tables.table import Table
from nonet.tables.target import Target, find_target, understand_target

_MAX_CLASSES_SHOWN = 8
_ROWS_TO_SPARE = 20_000
_PLURALS = {"category": "categories"}


@dataclass(frozen=True, eq=False)
class Understanding:
    """A table as a fit will use it.

    Attributes
    ----------
    label : str
        The name of its file.
    table : Table
        With numbers as weights.
    target : Target
    roles : dict of str to list of str
        The columns that are no features: 'group', 'weight', 'id', 'drop'; and 'time', which is one.
    kinds : dict of str to ColumnKind
        The kinds of all other columns.
    metric : Metric
    folds : str
        In words.
    notes : list of str
        What was repaired or left out.
    """

    label: str
    table: Table
    target: Target
    roles: dict[str, list[str]]
    kinds: dict[str, ColumnKind]
    metric: Metric
    folds: str
    notes: list[str] = field(default_factory=list)

    @property
    def used(self) -> dict[str, list[str]]:
        """The names of the columns that models get, by kind."""
        return _by_kind(self.kinds, is_used=True)

    @property
    def unused(self) -> dict[str, list[str]]:
        """The names of the columns that hold nothing to learn from, by kind."""
        return _by_kind(self.kinds, is_used=False)

    def lines(self, time_limit: float | None, max_tasks: int | None) -> list[str]:
        """Return lines for those who wait.

        Parameters
        ----------
        time_limit : float or None
            Seconds.
        max_tasks : int or None
        """
        n_used = sum(map(len, self.used.values()))
        n_columns = count_of(len(self.table.names), "column")
        found = [
            ("table", f"{self.label}: {count_rows(self.table.n_rows)}, {n_columns}"),
            ("target", f"{self.target.name}: {self.target.task}, {_describe_values(self.target)}"),
            ("", self.target.reason),
            ("columns", f"{n_used} used: {_list_kinds(self.used)}"),
            *(("not used", line) for line in self._unused_lines()),
            ("metric", f"{self.metric.name}, {self.metric.better} is better"),
            ("folds", self.folds),
            ("time", limits_in_words(time_limit, max_tasks)),
            *(("note", note) for note in self.notes if self.target.reason not in note),
        ]
        return [f"{name:<9} {text}" for name, text in found]

    def _unused_lines(self) -> list[str]:
        roles = {
            "group": "groups of the folds",
            "weight": "weights of rows",
            "id": "identifiers",
            "drop": "dropped",
        }
        named = [
            f"{list_names(self.roles[role])} ({why})"
            for role, why in roles.items()
            if role in self.roles
        ]
        return [*named, *(f"{list_names(names)} ({kind})" for kind, names in self.unused.items())]

    def document(self) -> dict[str, Any]:
        """Return the same for JSON."""
        return {
            "file": self.label,
            "n_rows": self.table.n_rows,
            "n_columns": len(self.table.names),
            "target": self.target.name,
            "task": self.target.task,
            "n_missing_targets": self.target.n_missing,
            "values": _values_document(self.target),
            "columns": self.used,
            "not_used": {**_without_time(self.roles), **self.unused},
            "time_column": self.roles.get("time", [None])[0],
            "metric": self.metric.name,
            "better": self.metric.better,
            "folds": self.folds,
            "notes": self.notes,
        }


def understand_table(request: FitRequest) -> Understanding:
    r"""Read the table of a fit, and find out what it holds.

    Parameters
    ----------
    request : FitRequest

    Returns
    -------
    understanding : Understanding

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("flats.csv").write_text("size,sold\n" + "1,yes\n2,no\n3,no\n4,yes\n" * 5)
    >>> found = understand_table(FitRequest("flats.csv", "sold"))
    >>> found.used, found.folds
    ({'number': ['size']}, '8, the classes in proportion')
    """
    notes: list[str] = []
    label = label_of(request.table)
    table = read_table(request.table, notes=notes)
    if request.target is None:
        raise UsageError(
            f"name the column to predict with --target; the columns of {label} are "
            f"{list_names(table.names)}."
        )
    name = find_target(table, request.target)
    roles = _find_roles(table, request, name)
    table = _with_numbers_as_weights(table, roles)
    target = understand_target(table[name], name, request.task)  # type: ignore[arg-type]
    notes += target.notes()
    others = [name, *_not_features(roles)]
    _check_set_kinds(table, request.kind, others)
    kinds = _find_feature_kinds(table, request.kind, others)
    notes += [note for note in describe_kinds(kinds) if "not used" not in note]
    folds = _folds_in_words(len(target.rows), target, roles, table, request.kind)
    metric = _find_metric(request.metric, target)
    return Understanding(label, table, target, roles, kinds, metric, folds, notes)


# ---- Columns -----------------------------------------------------------------------------------


def _find_roles(table: Table, request: FitRequest, target: str) -> dict[str, list[str]]:
    requested: dict[str, Sequence[str | None]] = {
        "group": [request.group],
        "time": [request.time_column],
        "weight": [request.weight],
        "id": request.id,
        "drop": request.drop,
    }
    given = {role: [one for one in names if one is not None] for role, names in requested.items()}
    roles = {role: find_columns(table, names) for role, names in given.items() if names}
    for role, names in roles.items():
        if target in names:
            option = "--time-column" if role == "time" else f"--{role}"
            raise CommandError(
                f"column {target!r} is the target, so it cannot be named by {option} as well."
            )
    return roles


def _without_time(roles: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {role: names for role, names in roles.items() if role != "time"}


def _not_features(roles: Mapping[str, list[str]]) -> list[str]:
    # A time that is also dropped or an id is none.
    return [name for names in _without_time(roles).values() for name in names]


def _check_set_kinds(table: Table, kinds: Mapping[str, str], others: Sequence[str]) -> None:
    for name in kinds:
        if find_target(table, name) != name:
            raise CommandError(
                f"--kind names {name!r}, but the column is called {find_target(table, name)!r}."
            )
        if name in others:
            raise CommandError(
                f"--kind names {name!r}, which is no feature: it is the target, or named by --id, "
                "--drop, --group or --weight."
            )


def _find_feature_kinds(
    table: Table, kinds: Mapping[str, str], others: Sequence[str]
) -> dict[str, ColumnKind]:
    features = [name for name in table.names if name not in others]
    if not features:
        raise CommandError(
            "the table has no column beside the target that is not left out, so that there is "
            "nothing to predict from."
        )
    found = find_kinds(table.select(features), kinds)
    if not any(kind.is_used for kind in found.values()):
        name, kind = next(iter(found.items()))
        raise CommandError(
            f"no column has anything to learn from; {name!r}, for example, is not used: "
            f"{kind.reason}"
        )
    return found


def _with_numbers_as_weights(table: Table, roles: Mapping[str, Sequence[str]]) -> Table:
    """Return the table with weights as numbers, which are text in most files."""
    if "weight" not in roles:
        return table
    (name,) = roles["weight"]
    weights = numbers_of(table, name, "weights")
    if (weights < 0).any() or not weights.any():
        raise CommandError(f"the weights in column {name!r} must be at least 0, and not all be 0.")
    columns = [weights if one == name else table[one] for one in table.names]
    return Table(table.names, tuple(columns))


def _by_kind(kinds: Mapping[str, ColumnKind], *, is_used: bool) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if kind.is_used == is_used:
            found.setdefault(kind.kind, []).append(name)
    return found


def _list_kinds(kinds: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(
        f"{len(names)} {_plural(kind, len(names))} ({', '.join(names[:5])}"
        + (", ...)" if len(names) > 5 else ")")
        for kind, names in kinds.items()
    )


def _plural(kind: str, count: int) -> str:
    return kind if count == 1 else _PLURALS.get(kind, f"{kind}s")


# ---- Target, metric, folds ---------------------------------------------------------------------


def _find_metric(name: str | None, target: Target) -> Metric:
    """Return the metric, after a try: a wrong one must not cost any time."""
    try:
        metric = resolve_metric(name, target.task, target.classes)
    except (ValueError, TypeError) as why:
        own = "log_loss" if target.task == "classification" else "rmse"
        raise UsageError(
            f"--metric {name} is none for a {target.task}; give {own}, or a scorer of scikit-learn "
            "such as " + ("roc_auc." if target.classes is not None else "neg_mean_absolute_error.")
        ) from why
    check_metric(metric, target.values, 0 if target.classes is None else len(target.classes))
    return metric


def _describe_values(target: Target) -> str:
    if target.classes is None:
        low, high = target.values.min(), target.values.max()
        return f"from {low:.6g} to {high:.6g}, mean {target.values.mean():.6g}"
    counts = _class_counts(target)
    shown = [
        f"{label} {n} ({n / len(target.values):.0%})" for label, n in counts[:_MAX_CLASSES_SHOWN]
    ]
    more = len(counts) - len(shown)
    return f"{len(counts)} classes: {', '.join(shown)}" + (f" and {more} more" if more else "")


def _class_counts(target: Target) -> list[tuple[str, int]]:
    assert target.classes is not None
    counts = np.bincount(target.values, minlength=len(target.classes)).tolist()
    return Counter(dict(zip(map(str, target.classes.tolist()), counts, strict=True))).most_common()


def _values_document(target: Target) -> dict[str, Any]:
    if target.classes is not None:
        return dict(_class_counts(target))
    low, high = float(target.values.min()), float(target.values.max())
    return {"min": low, "max": high, "mean": float(target.values.mean())}


def _folds_in_words(
    n_rows: int,
    target: Target,
    roles: Mapping[str, Sequence[str]],
    table: Table,
    kinds: Mapping[str, str],
) -> str:
    if "time" in roles:
        (time,) = roles["time"]
        return (
            f"{_count_time_folds(table, time, target, kinds)} in the order of {time!r}, each "
            + ("predicted from earlier rows")
        )
    n_folds = count_folds(n_rows)
    if "group" in roles:
        (group,) = roles["group"]
        words = f"{n_folds} at most, the rows of each {group!r} together"
    elif n_folds == 1:
        words = "one split"
    else:
        words = str(n_folds) + (", the classes in proportion" if target.classes is not None else "")
    is_spared = n_rows >= _ROWS_TO_SPARE
    return words + (f"; a part of the {count_rows(n_rows)} is kept away" if is_spared else "")


def _count_time_folds(table: Table, time: str, target: Target, kinds: Mapping[str, str]) -> int:
    times = read_times(table, time, kinds)[target.rows]
    n_classes = 0 if target.classes is None else len(target.classes)
    return len(make_time_folds(times, target.values, n_classes))
