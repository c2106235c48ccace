"""What a report is about: a model, and rows with their truth and predictions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nonet._base.aliases import Array, Task
from nonet.auto.metric import Metric
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.report.evidence import Evidence
from nonet.report.explained_models import ExplainedModels
from nonet.report.shown_columns import ShownColumn
from nonet.tables.column_kind import ColumnKind


@dataclass(frozen=True)
class Missing:
    """A part that cannot be had, with the reason in a sentence."""

    sentence: str


@dataclass(frozen=True, eq=False)
class Members:
    """The members of an ensemble, with predictions for some rows of the report.

    Attributes
    ----------
    predictions : MemberPredictions
    words : str
        The rows that are predicted.
    """

    predictions: MemberPredictions
    words: str


@dataclass(frozen=True, eq=False)
class Subject:
    """What a report is about.

    Attributes
    ----------
    kind : {'run', 'model'}
    model : fitted estimator
    task : {'classification', 'regression'}
    target : str
        The column that is predicted.
    classes : ndarray or None
        The labels of the class codes; None in regression.
    metric : Metric
    everything : Evidence
        The rows of the score.
    evidence : Evidence
        The rows of everything else: the same ones, or a sample of them.
    columns : list of ShownColumn
        The columns of the sampled rows.
    sampling : dict
        The facts about the sample.
    members : Members or Missing
    explained : ExplainedModels or Missing
        What explanations predict with.
    X : table or None
        The sampled rows as the model reads them, for what reads trees; None if it reads encoded
        rows.
    run : Run or None
    kinds : dict of str to ColumnKind
        What was found about all columns, where a model has looked for it.
    notes, warnings : list of str
    """

    kind: str
    model: Any
    task: Task
    target: str
    classes: Array | None
    metric: Metric
    everything: Evidence
    evidence: Evidence
    columns: list[ShownColumn]
    sampling: dict[str, Any]
    members: Members | Missing
    explained: ExplainedModels | Missing
    X: Any = None
    run: Any = None
    kinds: dict[str, ColumnKind] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def seed(self) -> int:
        """The seed of all samples."""
        return int(self.sampling["random_state"])

    @property
    def n_classes(self) -> int:
        """The number of classes; 0 in regression."""
        return 0 if self.classes is None else len(self.classes)

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes."""
        return self.n_classes == 2

    @property
    def positive(self) -> Any:
        """Of two classes, the one that probabilities are of: the last; else None."""
        return self.labels()[1] if self.is_binary else None

    def labels(self) -> list[Any]:
        """Return the classes as a list; empty in regression."""
        return [] if self.classes is None else self.classes.tolist()
