"""Which columns matter: importance, contributions with direction, pairs, partial dependence.

How many predictions are made follows from what a row costs (`work`), so that the facts are the same
on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Codes
from nonet.report.contribution_facts import Contributions, contribution_facts, exact_contributions
from nonet.report.dependence_facts import dependence_facts
from nonet.report.evidence import Evidence
from nonet.report.explained_models import ExplainedModels
from nonet.report.joint_effects import joint_effects
from nonet.report.permutation_importance import permutation_importance
from nonet.report.plain import missing
from nonet.report.sampled_shapley import sampled_walks
from nonet.report.sampling import sample_positions
from nonet.report.screening import movement, spread_between_slices
from nonet.report.shown_columns import ShownColumn
from nonet.report.subject import Missing, Subject
from nonet.report.wording import LOSS_NAMES, some_of
from nonet.report.work import Work

_MAX_LOOKED = 100
_N_IMPORTANT = 20
_N_EXPLAINED = 15
_N_PAIRED = 6
_N_DRAWN = 6
_N_PAIRS = 10
_MAX_REPEATS = 5
_CONSTANT = 1e-12
_CLEAR = 2.0  # standard errors


@dataclass(frozen=True, eq=False)
class Question:
    """A model, and the rows and columns that are predicted.

    Attributes
    ----------
    subject : Subject
    explained : ExplainedModels
    work : Work
    """

    subject: Subject
    explained: ExplainedModels
    work: Work

    @property
    def evidence(self) -> Evidence:
        """The rows."""
        return self.subject.evidence

    @property
    def columns(self) -> list[ShownColumn]:
        """The columns."""
        return self.subject.columns

    def rows(self, n_rows: int, key: int) -> Codes:
        """Return a random sample of rows, another one for each key."""
        seed = self.subject.seed + 1_000 * (key + 1)
        return sample_positions(self.evidence.n_rows, n_rows, seed)

    def words(self, rows: Codes) -> str:
        """Return rows in words."""
        return some_of(len(rows), self.evidence.words)


def column_facts(subject: Subject) -> dict[str, Any]:
    """Return which columns matter, and how.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    if isinstance(subject.explained, Missing):
        return missing(subject.explained.sentence)
    if not subject.columns:
        return missing("The table has no columns besides the target.")
    question = Question(subject, subject.explained, Work.of(subject.explained.steps_per_row))
    looked, preselected = _columns_to_look_at(question)
    ranked = _ranked_by_movement(question, looked)
    importance, order = _importance(question, ranked[:_N_IMPORTANT])
    contributions = _contributions(question, order[:_N_EXPLAINED])
    explained = contribution_facts(subject, contributions)
    _add_directions(importance, explained)
    return {
        "rows": subject.evidence.words,
        "n_rows": subject.evidence.n_rows,
        "explained": subject.explained.words,
        "output": output_in_words(subject),
        "n_columns": len(subject.columns),
        "n_looked": len(looked),
        "preselected": preselected,
        "importance": {**importance, "n_left_out": len(looked) - len(importance["list"])},
        "shapley": explained,
        "interactions": _interactions(question, order[:_N_PAIRED]),
        "dependence": _dependence(question, order[:_N_DRAWN]),
    }


def output_in_words(subject: Subject) -> str:
    """Return what is explained.

    Parameters
    ----------
    subject : Subject
    """
    if subject.classes is None:
        return "predicted value"
    what = "probability" if subject.evidence.has_probabilities else "prediction (1 or 0)"
    return f"{what} of {subject.positive!r}" if subject.is_binary else f"{what} of each class"


# ---- Choosing ------------------------------------------------------------------------------------


def _columns_to_look_at(question: Question) -> tuple[Codes, str | None]:
    n_columns = len(question.columns)
    if n_columns <= _MAX_LOOKED:
        return np.arange(n_columns), None
    predictions = question.evidence.predictions
    predictions = predictions[:, np.newaxis] if predictions.ndim == 1 else predictions
    spread = spread_between_slices(question.columns, predictions)
    chosen = np.sort(np.argsort(-spread, kind="stable")[:_MAX_LOOKED])
    return chosen, (
        f"Of {n_columns:,} columns, the {_MAX_LOOKED} are measured with whose levels or ranges the "
        "predictions vary most."
    )


def _ranked_by_movement(question: Question, looked: Codes) -> Codes:
    """Return columns in the order in which shuffling them moves the predictions."""
    rows = question.rows(question.work.rows_for(0.25, len(looked) + 1, 30, 1_000), 0)
    moved = movement(question.explained, looked, rows, question.subject.seed)
    ranked: Codes = looked[np.argsort(-moved, kind="stable")]
    return ranked


# ---- Importance ----------------------------------------------------------------------------------


def _importance(question: Question, columns: Codes) -> tuple[dict[str, Any], Codes]:
    """Return the importance of columns, and the columns in its order."""
    evidence, work = question.evidence, question.work
    n_repeats = int(np.clip(0.25 * work.n_rows / (len(columns) * 500), 1, _MAX_REPEATS))
    rows = question.rows(work.rows_for(0.25, len(columns) * n_repeats + 1, 50, 2_000), 1)
    found = permutation_importance(
        question.explained,
        columns,
        rows,
        evidence.y[rows],
        evidence.loss,
        evidence.weights[rows],
        n_repeats,
        question.subject.seed + 1,
    )
    order = np.argsort(-found.values, kind="stable")
    positive = max(float(np.maximum(found.values, 0.0).sum()), np.finfo(np.float64).tiny)
    facts = {
        "loss": evidence.loss,
        "rows": question.words(rows),
        "n_rows": len(rows),
        "n_repeats": n_repeats,
        "what": f"How much the mean {LOSS_NAMES[evidence.loss]} rises if the values of a column "
        "are shuffled among the rows. Of columns that hold the same, each looks less important.",
        "list": [
            {
                "column": question.columns[columns[j]].name,
                "kind": question.columns[columns[j]].kind,
                "value": float(found.values[j]),
                "standard_error": float(found.errors[j]),
                "is_clear": bool(found.values[j] > _CLEAR * found.errors[j]),
                "fraction": max(float(found.values[j]), 0.0) / positive,
                "direction": None,
                "direction_strength": None,
            }
            for j in order
        ],
    }
    return facts, columns[order]


def _add_directions(importance: dict[str, Any], explained: dict[str, Any]) -> None:
    """Add to importances the directions that contributions have."""
    known = {entry["column"]: entry for entry in explained.get("list", [])}
    for entry in importance["list"]:
        found = known.get(entry["column"])
        if found is not None:
            entry["direction"] = found["direction"]
            entry["direction_strength"] = found["direction_strength"]


# ---- Contributions, pairs, dependence ------------------------------------------------------------


def _contributions(question: Question, columns: Codes) -> Contributions:
    exact = exact_contributions(question.subject, columns)
    if exact is not None:
        return exact
    work, d = question.work, len(columns)
    per_walk = 2 * (d + 1)
    rows = question.rows(work.rows_for(0.1, per_walk, 30, 150), 2)
    n_walks = int(np.clip(0.3 * work.n_rows / (per_walk * len(rows)), 1, 20))
    background = question.rows(500, 3)
    walks = sampled_walks(
        question.explained, columns, rows, background, n_walks, question.subject.seed + 2
    )
    values = walks.mean(axis=1)
    others = len(question.columns) - d
    kept = f" The {others} other columns keep the values of the row." if others else ""
    if others == 1:
        kept = " The other column keeps the value of the row."
    return Contributions(
        "sampled",
        "value" if question.subject.classes is None else "probability",
        columns,
        rows,
        values,
        question.words(rows),
        "Sampled Shapley values: how far a column moves the prediction of a row from that of "
        f"another row, on average over rows and orders of the columns.{kept}",
    )


def _interactions(question: Question, columns: Codes) -> dict[str, Any]:
    if len(columns) < 2:
        return missing("Pairs need at least two columns.")
    n_pairs = len(columns) * (len(columns) - 1) // 2
    n_rows = question.work.rows_for(0.1, n_pairs + len(columns) + 1, 40, 500)
    rows = question.rows(n_rows, 4)
    others = np.random.default_rng(question.subject.seed + 3).permutation(rows)
    found = joint_effects(question.explained, columns, rows, others)
    strongest = np.argsort(-found.strengths, kind="stable")[:_N_PAIRS]
    return {
        "method": "sampled",
        "rows": question.words(rows),
        "n_rows": len(rows),
        "what": f"Of the {len(columns)} most important columns, how far two of them together move "
        "the prediction beyond what each does alone (root mean square).",
        "list": [_pair(question, found.pairs[j], found, j) for j in strongest.tolist()],
    }


def _pair(question: Question, pair: tuple[int, int], found: Any, j: int) -> dict[str, Any]:
    strength = float(found.strengths[j])
    return {
        "columns": [question.columns[column].name for column in pair],
        "strength": strength if strength > _CONSTANT else 0.0,
        "standard_error": float(found.errors[j]),
    }


def _dependence(question: Question, columns: Codes) -> dict[str, Any]:
    rows = question.rows(question.work.rows_for(0.2, 12 * max(len(columns), 1), 30, 300), 5)
    return dependence_facts(
        question.subject, question.explained, columns, rows, question.words(rows)
    )
