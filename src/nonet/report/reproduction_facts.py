"""How to repeat what a report is about: the call, the versions, and the file to load."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from nonet.report.plain import missing, plain
from nonet.report.subject import Subject

_PACKAGES = ("nonet", "numpy", "scipy", "scikit-learn")
_OPTIONS = {
    "group": "--group",
    "weight": "--weight",
    "time_column": "--time-column",
    "drop": "--drop",
    "time_limit": "--time",
    "max_tasks": "--max-tasks",
    "metric": "--metric",
    "random_state": "--seed",
}
_MAX_TEXT = 2_000


def reproduction_facts(subject: Subject) -> dict[str, Any]:
    """Return how to repeat it.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    facts = _of_model(subject) if subject.run is None else _of_run(subject)
    sampling = subject.sampling
    return {
        **facts,
        "versions": versions(),
        "report": {name: sampling[name] for name in ("max_rows", "random_state")},
        "rows": sampling["rows"],
    }


def versions() -> dict[str, str]:
    """Return the versions of what the numbers depend on."""
    packages = {name: _version_of(name) for name in _PACKAGES}
    machine = f"{platform.system()}-{platform.machine()}"
    return {**packages, "python": platform.python_version(), "platform": machine}


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


# ---- Runs ----------------------------------------------------------------------------------------


def _of_run(subject: Subject) -> dict[str, Any]:
    run = subject.run
    settings = {name: one for name, one in run.settings.items() if name != "verbose"}
    seed = settings.get("random_state")
    return {
        "call": _call(run.target, settings),
        "load": _load(run),
        "command": _command(run.target, settings),
        "folder": run.folder,
        "seed": seed if isinstance(seed, int) else None,
        "folds": run.honest_score.rows.rpartition(" of ")[2],
        "n_tasks": settings.get("max_tasks"),
        "settings": plain(settings),
        "notes": _notes(settings, seed),
        "seconds": float(run.seconds),
    }


def _call(target: str, settings: dict[str, Any]) -> str:
    given = "".join(f", {name}={value!r}" for name, value in settings.items())
    return f"nonet.fit_table(table, {target!r}{given})"


def _load(run: Any) -> Any:
    if run.folder is None:
        return missing(
            "The run is in memory only; run.save('model.nonet') stores its model, and folder= of "
            "fit_table the run."
        )
    return f"run = nonet.open_run({run.folder!r})"


def _command(target: str, settings: dict[str, Any]) -> str | None:
    """Return the command of the shell; None if it has no option for a setting."""
    if not set(settings) <= set(_OPTIONS):
        return None
    words = ["nonet fit TABLE --target", _quoted(target)]
    for name, option in _OPTIONS.items():
        if name in settings:
            values = settings[name] if name == "drop" else [settings[name]]
            words += [option, *(_option(name, value) for value in values)]
    return " ".join(words)


def _option(name: str, value: Any) -> str:
    if name == "time_limit":
        return "none" if value is None else f"{value:g}s"
    return _quoted(str(value))


def _quoted(text: str) -> str:
    is_plain = text.replace("_", "").replace("-", "").isalnum() and text.isascii()
    return text if is_plain else "'" + text.replace("'", "'\\''") + "'"


def _notes(settings: dict[str, Any], seed: Any) -> list[str]:
    notes = ["The numbers are repeated with the same table, in the same order of rows."]
    if seed is None:
        notes.append("No seed was set: random_state=0, for example, makes a run repeatable.")
    if settings.get("max_tasks") is None:
        notes.append(
            "How many tasks fit into the time depends on the machine; max_tasks=, with "
            "time_limit=None, makes a run the same everywhere."
        )
    return notes


# ---- Models --------------------------------------------------------------------------------------


def _of_model(subject: Subject) -> dict[str, Any]:
    model = subject.model
    params = model.get_params(deep=False) if hasattr(model, "get_params") else {}
    seed = params.get("random_state")
    return {
        "call": _text(model),
        "load": missing("The report does not know a file of this model; nonet.save makes one."),
        "command": None,
        "folder": None,
        "seed": int(seed) if isinstance(seed, int | np.integer) else None,
        "folds": "no folds: the rows were given to the report",
        "n_tasks": None,
        "settings": {name: _setting(value) for name, value in params.items()},
        "notes": ["The rows that the model was fitted on are not known to the report."],
        "seconds": None,
    }


def _text(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]} ..."


def _setting(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return plain(value)
    return _text(value)
