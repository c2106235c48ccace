"""A run that has ended: its model, its score, and the rows and predictions behind it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nonet._base.aliases import Array, Floats
from nonet._base.results import Result
from nonet.auto.auto_score import AutoScore
from nonet.auto.held_out_rows import HeldOutRows, load_held_out
from nonet.auto.leaderboard import Leaderboard
from nonet.auto.memory_store import MemoryStore
from nonet.auto.run_guests import save_model
from nonet.auto.run_rows import RunRows, load_rows
from nonet.auto.run_store import RunStore
from nonet.auto.searched_ensemble import AutoEnsemble
from nonet.auto.store import Store
from nonet.members.ensemble_diagram import diagram_of
from nonet.tables.readers import read_table
from nonet.tables.table import Table


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
        What the run took, the time of earlier parts included.
    settings : dict
        What `nonet.fit_table` was given besides the table and the target, as far as JSON can hold
        it.

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
    settings: dict[str, Any] = field(default_factory=dict)

    _kept: ClassVar[MemoryStore | None] = None  # of a run without a folder: set by `make_run`

    @property
    def held_out(self) -> HeldOutRows:
        """What the members, and the ensemble, predicted for rows that they had not seen."""
        with self._open_store() as store:
            return load_held_out(store)

    @property
    def rows(self) -> RunRows:
        """The encoded rows that the run was fitted on."""
        with self._open_store() as store:
            return load_rows(store)

    def _open_store(self) -> Store:
        if self._kept is not None:
            return self._kept
        return RunStore.open(str(self.folder), read_only=True)

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

    def _repr_html_(self) -> str:
        """Return the facts, the ensemble as a diagram, and the leaderboard."""
        tables = super()._repr_html_(), self.leaderboard._repr_html_()
        return diagram_of(self.model).join(tables)

    def predict(self, source: Any, notes: list[str] | None = None) -> Array:
        """Predict the rows of a file or a frame; the target may be missing there.

        Parameters
        ----------
        source : path, frame or table
        notes : list of str, optional
            Gets sentences about what was repaired in a file, values and levels that the fit did not
            see, and columns that are missing or not used.

        Returns
        -------
        y : ndarray of shape (n_rows,)
        """
        predictions: Array = self.model.predict(self._read(source, notes))
        return predictions

    def predict_proba(self, source: Any, notes: list[str] | None = None) -> Floats:
        """Return the probabilities of the classes for the rows of a file or a frame.

        Parameters
        ----------
        source : path, frame or table
        notes : list of str, optional
            As in `predict`.

        Returns
        -------
        probabilities : ndarray of shape (n_rows, n_classes)
        """
        probabilities: Floats = self.model.predict_proba(self._read(source, notes))
        return probabilities

    def _read(self, source: Any, notes: list[str] | None) -> Table:
        table = read_table(source, notes=notes)
        if notes is not None:
            # Columns of the fit that are no features are no surprise.
            others = {self.target, *map(self.settings.get, ("group", "weight"))}
            others |= set(self.settings.get("drop") or [])
            features = [name for name in table.names if name not in others]
            self.model.encoder_.transform(table.select(features), notes)
        return table

    def save(self, path: str | os.PathLike[str], *, trust: str | None = None) -> None:
        """Save the model to a file, for `nonet.load`.

        Parameters
        ----------
        path : str or path
        trust : {None, 'pickle'}, default=None
            'pickle' stores models of other libraries as pickles; `nonet.load` needs the same.
        """
        save_model(self.model, path, trust)


def make_run(model: AutoEnsemble, store: Store, folder: Any, notes: Sequence[str]) -> Run:
    """Return the run of a model and its store.

    Parameters
    ----------
    model : AutoEnsembleClassifier or AutoEnsembleRegressor
    store : Store
        With the facts of the run.
    folder : path or None
    notes : sequence of str

    Returns
    -------
    run : Run
    """
    facts = store.facts
    run = Run(
        model,
        facts["target"],
        model._task,
        None if folder is None else os.fspath(folder),
        list(notes),
        facts.get("seconds", float("nan")),
        {**facts.get("arguments", {}), **facts["settings"]},
    )
    if isinstance(store, MemoryStore):
        object.__setattr__(run, "_kept", store.without_tasks())
    return run
