"""The subject of a report on a run: its held-out rows, or new rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.auto.held_out_rows import HeldOutRows
from nonet.auto.metric import as_metric_reads, resolve_metric
from nonet.auto.run import Run
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.report.evidence import Evidence
from nonet.report.explained_models import ExplainedFolds, ExplainedModels, positions_of_folds
from nonet.report.sampling import sample_positions, sampling_facts
from nonet.report.shown_columns import columns_of_encoded
from nonet.report.subject import Members, Missing, Subject
from nonet.report.wording import some_of, with_commas
from nonet.tables.encoder import EncodedTable

MAX_CELLS = 8_000_000  # of the predictions of members: rows x members x classes
_N_CHECKED = 200  # rows on which models of folds must predict what was kept


def subject_of_run(run: Run, max_rows: int, random_state: int) -> Subject:
    """Return the subject of a report on the held-out rows of a run.

    Parameters
    ----------
    run : Run
    max_rows, random_state : int
        How many rows are sampled at most, and how.

    Returns
    -------
    subject : Subject
    """
    held_out, model = run.held_out, run.model
    classes = None if run.task == "regression" else np.asarray(model.classes_)
    everything = _evidence(run, held_out)
    chosen = sample_positions(held_out.n_rows, max_rows, random_state)
    settings = {"max_rows": max_rows, "random_state": random_state}
    sampling = sampling_facts(
        held_out.n_rows, len(chosen), everything.words, "held-out rows", settings
    )
    evidence = everything.take(chosen, sampling["rows"])
    table = run.rows.table.take(held_out.rows[chosen])
    return Subject(
        "run",
        model,
        "regression" if classes is None else "classification",
        run.target,
        classes,
        resolve_metric(model.metric, model._task, classes),
        everything,
        evidence,
        columns_of_encoded(model.encoder_, table),
        sampling,
        _members(held_out, chosen, evidence, classes, random_state),
        _explained(model, table, held_out, chosen),
        run=run,
        kinds=dict(model.encoder_.kinds_),
        notes=list(run.notes),
        warnings=list(run.warnings),
    )


def _evidence(run: Run, held_out: HeldOutRows) -> Evidence:
    is_regression = run.task == "regression"
    support = np.asarray(held_out.support, dtype=np.float64)
    y = np.asarray(held_out.y)
    return Evidence(
        y.astype(np.float64) if is_regression else y.astype(np.intp),
        as_metric_reads(support),
        support[:, 0] if is_regression else decided_codes(run.model, support),
        not is_regression,
        np.asarray(held_out.rows, dtype=np.intp),
        with_commas(run.honest_score.rows),
        None if held_out.sample_weight is None else np.asarray(held_out.sample_weight),
    )


def decided_codes(model: Any, support: Floats) -> Codes:
    """Return the class codes that a model decides on, -1 where it abstains."""
    return np.asarray(model.decide_.codes(support), dtype=np.intp)


# ---- Members -------------------------------------------------------------------------------------


def _members(
    held_out: HeldOutRows, chosen: Codes, evidence: Evidence, classes: Array | None, seed: int
) -> Members:
    blended = np.flatnonzero(np.asarray(held_out.weights) > 0)
    n_cells = len(blended) * held_out.outputs.shape[2]
    at = sample_positions(len(chosen), max(MAX_CELLS // n_cells, 1), seed)
    outputs = np.asarray(held_out.outputs[chosen[at]], dtype=np.float64)[:, blended]
    predictions = member_record(
        [held_out.names[j] for j in blended],
        np.asarray(held_out.weights)[blended],
        outputs,
        evidence.y[at],
        evidence.predictions[at],
        classes,
    )
    return Members(predictions, some_of(len(at), evidence.words))


def member_record(
    names: list[str],
    weights: Floats,
    outputs: Floats,
    y: Array,
    predictions: Floats,
    classes: Array | None,
) -> MemberPredictions:
    """Return predictions of members in the form that diagnostics read.

    Parameters
    ----------
    names : list of str
    weights : ndarray of shape (k,)
    outputs : ndarray of shape (n, k, t)
        Probabilities, or values (t = 1).
    y, predictions : ndarray
        Class codes and probabilities, or values.
    classes : ndarray or None

    Returns
    -------
    predictions : MemberPredictions
    """
    is_regression = classes is None
    return MemberPredictions(
        tuple(names),
        "values" if is_regression else "probabilities",
        outputs[:, :, 0] if is_regression and outputs.ndim == 3 else outputs,
        y,
        predictions,
        weights / weights.sum(),
        classes,
    )


# ---- What explanations predict with -------------------------------------------------------------


def _explained(
    model: Any, table: EncodedTable, held_out: HeldOutRows, chosen: Codes
) -> ExplainedModels | Missing:
    folds = np.asarray(held_out.folds, dtype=np.intp)
    positions = positions_of_folds(model, folds)
    if positions is None:
        return Missing(
            "The run ended before all folds were done, so it cannot be said which of its models "
            "had not seen a row; give the report new rows."
        )
    explained = ExplainedFolds(model, table, folds[chosen], positions)
    if not _agrees(explained, model, held_out, chosen):
        return Missing(
            "The models of the folds do not repeat the held-out predictions that the run has "
            "kept; give the report new rows."
        )
    return explained


def _agrees(explained: ExplainedFolds, model: Any, held_out: HeldOutRows, chosen: Codes) -> bool:
    """Return whether the models of the folds repeat what was kept of them."""
    if all(len(member.estimator.models) == 1 for member in model.members_):
        return True  # one split: boosters may have other rounds for each half of its rows
    at = sample_positions(len(chosen), _N_CHECKED, 0)
    positions = [held_out.names.index(member.name) for member in model.members_]
    kept = np.asarray(held_out.outputs[chosen[at]], dtype=np.float64)[:, positions]
    again = explained.outputs(at, {}).reshape(kept.shape)
    scale = max(float(np.abs(kept).max(initial=0.0)), 1.0)
    return bool(np.allclose(again, kept, rtol=0.0, atol=1e-5 * scale))
