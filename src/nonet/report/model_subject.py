"""The subject of a report on a model and rows that are given to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats, Task
from nonet._base.arrays import encode_labels
from nonet._base.errors import one_sentence
from nonet.auto.metric import Metric, resolve_metric
from nonet.auto.run import Run
from nonet.auto.searched_ensemble import AutoEnsemble
from nonet.diagnostics.ensemble_predictions import gather_predictions, open_panel, own_kind
from nonet.ensemble import normalize_support
from nonet.report.evidence import Evidence, one_hot
from nonet.report.explained_models import ExplainedEncoded, ExplainedFrame, ExplainedModels
from nonet.report.given_rows import GivenRows, as_model_reads, known_truth, read_rows
from nonet.report.run_subject import MAX_CELLS, decided_codes, member_record
from nonet.report.sampling import sample_positions, sampling_facts
from nonet.report.seen_rows import count_seen
from nonet.report.shown_columns import ShownColumn, columns_of_encoded, columns_of_table
from nonet.report.subject import Members, Missing, Subject
from nonet.report.wording import some_of
from nonet.tables.encoder import EncodedTable
from nonet.tables.table import Table


def subject_of_model(
    model_or_run: Any, X: Any, y: Any, max_rows: int, random_state: int
) -> Subject:
    """Return the subject of a report on rows that are given.

    Parameters
    ----------
    model_or_run : Run or fitted estimator
    X : path, frame, array or table
    y : array-like, str or None
    max_rows, random_state : int

    Returns
    -------
    subject : Subject
    """
    run = model_or_run if isinstance(model_or_run, Run) else None
    model = model_or_run if run is None else run.model
    task, classes = _task_of(model), _classes_of(model)
    notes: list[str] = []
    warnings: list[str] = [] if run is None else list(run.warnings)
    given = read_rows(X, y, None if run is None else run.target, task, notes)
    given, codes = known_truth(given, classes, warnings)
    source = "rows given to the report" if run is None else "new rows"
    chosen = sample_positions(given.n_rows, max_rows, random_state)
    settings = {"max_rows": max_rows, "random_state": random_state}
    all_rows = f"{given.n_rows:,} {source}"
    sampling = sampling_facts(given.n_rows, len(chosen), all_rows, source, settings)
    result = _result(model, given.take(chosen), notes)
    positions = given.positions[chosen]
    evidence = _evidence(result, codes[chosen], positions, classes, sampling["rows"])
    is_auto = isinstance(model, AutoEnsemble)
    if run is not None:
        warnings += _warn_of_seen(run, result, evidence.y)
    return Subject(
        "model" if run is None else "run",
        model,
        task,
        given.target,
        classes,
        _metric(model, task, classes, result.has_probabilities),
        evidence,
        evidence,
        result.columns,
        sampling,
        result.members(evidence, classes, random_state),
        result.explained,
        X=None if is_auto else result.X,
        run=run,
        kinds=dict(model.encoder_.kinds_) if is_auto else {},
        notes=[*([] if run is None else run.notes), *notes],
        warnings=warnings,
    )


def _warn_of_seen(run: Run, result: _ResultFacts, y: Array) -> list[str]:
    """Return a sentence if many new rows are rows of the run."""
    assert result.encoded is not None
    n_rows, known = result.encoded.n_rows, run.rows
    n_seen = count_seen(known.table, result.encoded, known.target, y)
    if not n_seen:
        return []
    return [
        f"{n_seen:,} of the {n_rows:,} new rows are equal to rows that the run was fitted on, so "
        "the numbers are too good; leave these rows out."
    ]


def _task_of(model: Any) -> Task:
    is_object = hasattr(model, "predict") and not isinstance(model, type)
    if not is_object or not (is_classifier(model) or is_regressor(model)):
        kind = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
        raise TypeError(
            "make_report describes a run, or a fitted classifier or regressor of nonet or "
            f"scikit-learn, but got {kind}."
        )
    check_is_fitted(model)
    n_targets = getattr(model, "n_outputs_", 1)
    if (isinstance(n_targets, int) and n_targets > 1) or _has_several_targets(model):
        raise ValueError(
            f"make_report describes models of one target, but this {type(model).__name__} has "
            "several; report on one at a time."
        )
    return "classification" if is_classifier(model) else "regression"


def _has_several_targets(model: Any) -> bool:
    return isinstance(getattr(model, "classes_", None), list)


def _classes_of(model: Any) -> Array | None:
    return np.asarray(model.classes_) if is_classifier(model) else None


def _metric(model: Any, task: Task, classes: Array | None, has_probabilities: bool) -> Metric:
    if isinstance(model, AutoEnsemble):
        return resolve_metric(model.metric, task, classes)
    is_plain = has_probabilities or task == "regression"
    return resolve_metric(None if is_plain else "accuracy", task, classes)


def _evidence(
    result: _ResultFacts, y: Array, rows: Codes, classes: Array | None, words: str
) -> Evidence:
    predictions = result.predictions
    if classes is not None and not result.has_probabilities:
        predictions = one_hot(result.decisions, y, len(classes))
    return Evidence(y, predictions, result.decisions, result.has_probabilities, rows, words)


# ---- Predictions of the rows ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _ResultFacts:
    """What a model predicts for the rows of a report."""

    X: Any
    predictions: Floats
    decisions: Array
    has_probabilities: bool
    columns: list[ShownColumn]
    explained: ExplainedModels
    members: Callable[[Evidence, Array | None, int], Members | Missing]
    encoded: EncodedTable | None = None


def _result(model: Any, given: GivenRows, notes: list[str]) -> _ResultFacts:
    if isinstance(model, AutoEnsemble):
        return _of_auto_ensemble(model, given, notes)
    return _of_model(model, given)


def _of_auto_ensemble(model: Any, given: GivenRows, notes: list[str]) -> _ResultFacts:
    X = given.X if isinstance(given.X, np.ndarray) else given.table
    if isinstance(X, Table) and not model.encoder_.kinds_:
        X = np.column_stack([np.asarray(column, dtype=np.float64) for column in X.columns])
    table: EncodedTable = model.encoder_.transform(X, notes)
    explained = ExplainedEncoded(model, table)
    read = explained._columns_read(np.arange(table.n_rows), {})
    outputs = model.ensemble_.member_outputs(read)
    support = model.combine_(outputs, read)
    is_regression = model._task == "regression"
    columns = columns_of_encoded(model.encoder_, table)
    return _ResultFacts(
        X,
        support if is_regression else normalize_support(support),
        support if is_regression else decided_codes(model, support),
        not is_regression,
        columns,
        explained,
        lambda evidence, classes, seed: _members_of_auto(model, outputs, evidence, classes, seed),
        table,
    )


def _members_of_auto(
    model: Any, outputs: Floats, evidence: Evidence, classes: Array | None, seed: int
) -> Members:
    columns = outputs[:, :, np.newaxis] if outputs.ndim == 2 else outputs
    at = sample_positions(len(outputs), max(MAX_CELLS // columns[0].size, 1), seed)
    predictions = member_record(
        [member.name for member in model.members_],
        blend_weights(model),
        np.asarray(columns[at], dtype=np.float64),
        evidence.y[at],
        evidence.predictions[at],
        classes,
    )
    return Members(predictions, some_of(len(at), evidence.words))


def blend_weights(model: Any) -> Floats:
    """Return the weights of the members of an auto-ensembler.

    Parameters
    ----------
    model : AutoEnsembleClassifier or AutoEnsembleRegressor

    Returns
    -------
    weights : ndarray of shape (n_members,)
    """
    combination = getattr(model.combine_, "combination", model.combine_)
    weights = getattr(combination, "weights", None)
    n_members = len(model.members_)
    return np.full(n_members, 1.0 / n_members) if weights is None else np.asarray(weights)


def _of_model(model: Any, given: GivenRows) -> _ResultFacts:
    X, table = as_model_reads(given, model)
    has_probabilities = hasattr(model, "predict_proba") and is_classifier(model)
    predict_rows = _way_to_predict(model, has_probabilities)
    predictions = predict_rows(X)
    return _ResultFacts(
        X,
        predictions,
        _codes_of(model, model.predict(X)) if is_classifier(model) else predictions,
        has_probabilities,
        columns_of_table(table),
        ExplainedFrame(model, X, predict_rows),
        lambda evidence, classes, seed: _members_of_model(model, X, evidence, classes, seed),
    )


def _way_to_predict(model: Any, has_probabilities: bool) -> Callable[[Any], Array]:
    """Return a function of rows: probabilities, classes as columns of 0 and 1, or values."""
    if not is_classifier(model):
        return lambda X: _values(model.predict(X))
    if has_probabilities:
        return lambda X: np.asarray(model.predict_proba(X), dtype=np.float64)
    n_classes = len(model.classes_)
    columns = np.vstack([np.eye(n_classes), np.zeros(n_classes)])  # the last abstains
    return lambda X: np.asarray(columns[_codes_of(model, model.predict(X))])


def _values(predictions: Any) -> Floats:
    values: Floats = np.asarray(predictions, dtype=np.float64)
    values = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    if values.ndim != 1:
        raise ValueError(
            "make_report describes models that predict one value for each row, but this one "
            f"predicts {values.shape[1]}; report on one at a time."
        )
    return values


def _codes_of(model: Any, labels: Any) -> Codes:
    codes = encode_labels(np.asarray(labels), model.classes_, unknown="silent")
    return np.asarray(codes, dtype=np.intp)


def _members_of_model(
    model: Any, X: Any, evidence: Evidence, classes: Array | None, seed: int
) -> Members | Missing:
    if not hasattr(model, "members_") and not hasattr(model, "estimators_"):
        return Missing(f"{type(model).__name__} is one model, not an ensemble of members.")
    try:
        n_members = len(open_panel(model).members)
    except (TypeError, ValueError, AttributeError) as why:
        return Missing(_sentence(why))
    kind = own_kind(model) if classes is not None else None
    n_cells = n_members * (len(classes) if classes is not None and kind else 1)
    at = sample_positions(evidence.n_rows, max(MAX_CELLS // max(n_cells, 1), 1), seed)
    truth = evidence.y[at] if classes is None else classes[evidence.y[at]]
    rows = X if len(at) == evidence.n_rows else _take(X, at)
    try:
        predictions = gather_predictions(model, rows, truth, kind=kind)
    except (TypeError, ValueError) as why:
        return Missing(_sentence(why))
    return Members(predictions, some_of(len(at), evidence.words))


def _take(X: Any, rows: Codes) -> Any:
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _sentence(why: BaseException) -> str:
    text = one_sentence(str(why))
    return f"{text[:1].upper()}{text[1:]}"
