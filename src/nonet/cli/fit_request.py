"""What is requested of a fit: options of the command line over those of a config file."""

from __future__ import annotations

import math
import os
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nonet._base.errors import show
from nonet.cli.command_error import CommandError, UsageError
from nonet.cli.config_file import read_config
from nonet.cli.duration import duration_as_text, parse_duration
from nonet.cli.file_label import STANDARD_INPUT

DEFAULT_SECONDS = 600.0
TASKS = ("classification", "regression")


@dataclass(frozen=True)
class FitRequest:
    """What is requested of a fit.

    Attributes
    ----------
    table : str
        The path of the table, or "-".
    target : str or None
    task : {'classification', 'regression'} or None
    time : float or None
        Seconds; infinity is no limit. None is 10 minutes, or no limit if there is ``max_tasks``.
    max_tasks : int or None
    metric, group, time_column, weight : str or None
    id, drop : list of str
        Columns that are passed through to predictions, and that are not used.
    kind : dict of str to str
        Kinds of columns that are set.
    seed : int
    out, test : str or None
        The folder of the run; a table of rows to be predicted.
    report : bool
    families : list of str or None
        What is tried; for tests, and for those who know.

    Examples
    --------
    >>> FitRequest("churn.csv", "left", time=60.0).time_limit
    60.0
    >>> FitRequest("churn.csv", "left", max_tasks=8).time_limit is None
    True
    """

    table: str
    target: str | None = None
    task: str | None = None
    time: float | None = None
    max_tasks: int | None = None
    metric: str | None = None
    group: str | None = None
    time_column: str | None = None
    id: list[str] = field(default_factory=list)
    drop: list[str] = field(default_factory=list)
    weight: str | None = None
    kind: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    out: str | None = None
    test: str | None = None
    report: bool = False
    families: list[str] | None = None

    @classmethod
    def of(cls, options: Namespace) -> FitRequest:
        """Return the request of the command line, with what a config file adds.

        Parameters
        ----------
        options : Namespace
            Those that were not given are None.
        """
        config = {} if options.config is None else _read_settings(options.config)
        given = {name: getattr(options, name) for name in _READERS}
        known = {name: one for name, one in {**config, **_without_none(given)}.items()}
        if "table" not in known:
            raise UsageError("nonet fit needs a TABLE, or --config with one.")
        if "group" in known and "time_column" in known:
            raise UsageError(
                "folds are made of groups or in the order of time; give --group or --time-column, "
                "not both."
            )
        return cls(**known)

    @property
    def time_limit(self) -> float | None:
        """The seconds for the fit, None for no limit."""
        if self.time is None:
            return DEFAULT_SECONDS if self.max_tasks is None else None
        return None if math.isinf(self.time) else self.time

    def config(self, folder: str) -> dict[str, Any]:
        """Return the settings that repeat the fit, for a config file in a folder.

        Paths are relative to the folder. The folder of the run is left out, because each run needs
        one of its own.
        """
        limit = math.inf if self.time_limit is None else self.time_limit
        known = {**asdict(self), "time": duration_as_text(limit), "out": None}
        if self.table == STANDARD_INPUT:
            known["table"] = None
        for name in ("table", "test"):
            if known[name] is not None:
                known[name] = _relative_to(folder, known[name])
        return {name: one for name, one in known.items() if one not in (None, [], {}, False)}


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _relative_to(folder: str, path: str) -> str:
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive of Windows
        return str(Path(path).resolve())


# ---- Settings of a config file -----------------------------------------------------------------


def _read_settings(path: str) -> dict[str, Any]:
    settings = read_config(path)
    for name in settings:
        if name not in _READERS:
            known = ", ".join(_READERS)
            raise CommandError(f"the config {path!r} has the setting {name!r}; known are {known}.")
    found = {}
    for name, value in settings.items():
        try:
            found[name] = _READERS[name](value)
        except (ArgumentTypeError, ValueError, TypeError) as why:
            raise CommandError(
                f"the config {path!r} has {name} = {show(value, 40)}, but {_describe(name)}."
            ) from why
    for name in ("table", "test"):
        if name in found and found[name] != STANDARD_INPUT:
            found[name] = os.path.join(os.path.dirname(path), found[name])
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole_number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


def _positive_number(value: Any) -> int:
    if _whole_number(value) < 1:
        raise ValueError
    return int(value)


def _duration(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return parse_duration(str(value) if is_number else _text(value))


def _names(value: Any) -> list[str]:
    return [_text(value)] if isinstance(value, str) else [_text(one) for one in list(value)]


def _kinds(value: Any) -> dict[str, str]:
    return {_text(name): _text(kind) for name, kind in dict(value).items()}


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _task(value: Any) -> str:
    if value not in TASKS:
        raise ValueError
    return str(value)


_READERS: dict[str, Callable[[Any], Any]] = {
    "table": _text,
    "target": _text,
    "task": _task,
    "time": _duration,
    "max_tasks": _positive_number,
    "metric": _text,
    "group": _text,
    "time_column": _text,
    "id": _names,
    "drop": _names,
    "weight": _text,
    "kind": _kinds,
    "seed": _whole_number,
    "out": _text,
    "test": _text,
    "report": _flag,
    "families": _names,
}
_EXPECTED: dict[Callable[[Any], Any], str] = {
    _text: "it must be text",
    _task: "it must be 'classification' or 'regression'",
    _whole_number: "it must be a whole number",
    _positive_number: "it must be a whole number of at least 1",
    _duration: "it must be a duration such as '10m'",
    _names: "it must be a list of names",
    _kinds: "it must be a table of columns and their kinds",
    _flag: "it must be true or false",
}


def _describe(name: str) -> str:
    return _EXPECTED[_READERS[name]]
