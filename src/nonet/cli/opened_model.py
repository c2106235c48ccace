"""A model that a command is told the path of: a .nonet file, or the folder of a run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats, Task
from nonet.auto import AutoEnsembleClassifier, AutoEnsembleRegressor, Run, open_run
from nonet.auto.metric import Metric, resolve_metric
from nonet.cli.command_error import CommandError, UsageError
from nonet.cli.model_rows import rows_for
from nonet.cli.run_folder import count_results, facts_of, is_run
from nonet.persist import load
from nonet.tables.column_names import count_of
from nonet.tables.table import Table


@dataclass(frozen=True, eq=False)
class OpenedModel:
    """A model with what is known of its run.

    Attributes
    ----------
    path : str
        As the user gave it.
    model : estimator
    folder : str or None
        The folder of its run.
    facts : dict
        What the folder knows of the run.
    """

    path: str
    model: Any
    folder: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def classes(self) -> Array | None:
        """The labels of a classifier."""
        return getattr(self.model, "classes_", None)

    @property
    def task(self) -> Task:
        """Regression or classification."""
        return "regression" if self.classes is None else "classification"

    @property
    def id_columns(self) -> list[str]:
        """The columns that the fit was told to pass through."""
        return list(self.facts.get("id_columns", []))

    @property
    def has_probabilities(self) -> bool:
        """Whether it predicts probabilities."""
        return hasattr(self.model, "predict_proba")

    def run(self) -> Run:
        """Return the run of the model, or raise if its folder is not known."""
        if self.folder is None:
            raise CommandError(f"{self.path!r} is a model file without the folder of its run.")
        return open_run(self.folder)

    def target_name(self, given: str | None) -> str:
        """Return the column with the truth: the one given, or that of the run."""
        name = self.facts.get("target") if given is None else given
        if name is None:
            raise UsageError(
                f"{self.path!r} does not hold the name of its target; give it with --target."
            )
        return str(name)

    def metric(self, name: str | None) -> Metric:
        """Return the metric of a name, or that of the run; accuracy if there are no probabilities.

        Parameters
        ----------
        name : str or None
        """
        own = self.model.metric if isinstance(self.model, _AUTO) else None
        if own is None and self.classes is not None and not self.has_probabilities:
            own = "accuracy"
        try:
            return resolve_metric(own if name is None else name, self.task, self.classes)
        except (ValueError, TypeError) as why:
            default = "rmse" if self.classes is None else "log_loss"
            raise UsageError(
                f"--metric {name} is none for a {self.task}; give {default}, or a scorer of "
                "scikit-learn by its name."
            ) from why

    def predict(self, table: Table) -> Array:
        """Return labels or values."""
        predictions: Array = np.asarray(self.model.predict(rows_for(self.model, table)))
        return predictions

    def support(self, table: Table) -> Floats:
        """Return probabilities of the classes, (n_rows, n_classes), or values, (n_rows,).

        A classifier without probabilities gives 1 to the label that it predicts.
        """
        if self.classes is None:
            values: Floats = self.predict(table).astype(np.float64)
            return values
        if self.has_probabilities:
            probabilities: Floats = np.asarray(
                self.model.predict_proba(rows_for(self.model, table))
            )
            return probabilities
        is_label = self.predict(table)[:, np.newaxis] == self.classes
        return np.asarray(is_label, dtype=np.float64)


_AUTO = (AutoEnsembleClassifier, AutoEnsembleRegressor)


def open_model(path: str) -> OpenedModel:
    """Open a model file, or the model of a run.

    Parameters
    ----------
    path : str
        A .nonet file, or the folder of a run.

    Returns
    -------
    opened : OpenedModel

    Examples
    --------
    >>> open_model("none")
    Traceback (most recent call last):
        ...
    nonet.cli.command_error.CommandError: there is no model 'none'; give a .nonet file, or ...
    """
    if os.path.isdir(path):
        return _open_folder(path)
    if not os.path.exists(path):
        raise CommandError(
            f"there is no model {path!r}; give a .nonet file, or the folder of a run."
        )
    folder = os.path.dirname(path) or "."
    known = folder if is_run(folder) else None
    facts = {} if known is None else facts_of(known)
    return _checked(OpenedModel(path, load(path), known, facts))


def _open_folder(folder: str) -> OpenedModel:
    facts = facts_of(folder)
    try:
        model = open_run(folder).model
    except ValueError as why:
        members = count_of(count_results(folder), "fitted member")
        raise CommandError(
            f"the run in {folder!r} has no model yet ({members}); go on with "
            f"'nonet resume {folder}'."
        ) from why
    return _checked(OpenedModel(folder, model, folder, facts))


def _checked(opened: OpenedModel) -> OpenedModel:
    if not hasattr(opened.model, "predict"):
        name = type(opened.model).__name__
        raise CommandError(f"{opened.path!r} holds a {name}, which does not predict.")
    if isinstance(opened.classes, list):
        raise CommandError(f"{opened.path!r} predicts several targets; use it from Python.")
    return opened
