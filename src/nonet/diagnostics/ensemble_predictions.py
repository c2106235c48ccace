"""Member predictions of any fitted ensemble of this library or of scikit-learn.

An ensemble of this library describes its members itself: ``members_``, ``combine_`` and the role of
a member. ``sklearn_ensembles`` describes the members of scikit-learn's ensembles.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import ABSTAINED, Array, Floats, Kind
from nonet._base.arrays import encode_labels
from nonet._base.errors import ParameterError
from nonet._base.frames import count_rows
from nonet.diagnostics import sklearn_ensembles
from nonet.diagnostics.member_predictions import (
    MemberPredictions,
    check_predictions,
    own_prediction,
    unit_sum_weights,
)
from nonet.diagnostics.panel import Panel
from nonet.ensemble import MemberRole
from nonet.members.ledger import Ledger, predict_out_of_bag


def gather_predictions(
    ensemble: Any, X: Any, y: Any, *, kind: Kind | None = None, out_of_bag: bool = False
) -> MemberPredictions:
    """Return the predictions of an ensemble's members, or those that are recorded already.

    ``kind`` is the kind of output of a classification; None means labels.
    """
    if isinstance(ensemble, MemberPredictions):
        if X is not None or y is not None:
            raise ParameterError("recorded predictions hold their own truth: leave X and y out.")
        return ensemble
    if isinstance(ensemble, Ledger):
        return _from_ledger(ensemble, y)
    if y is None or X is None:
        raise ParameterError("X and y must be given: the rows to predict, and the truth.")
    panel = open_panel(ensemble, count_rows(X) if out_of_bag else None)
    requested: Kind = "values" if panel.classes is None else (kind or "labels")
    if out_of_bag:
        return _out_of_bag(ensemble, panel, X, y, requested)
    predictions = MemberPredictions(
        tuple(member.name for member in panel.members),
        requested,
        panel.predict(X, requested),
        _truth(y, panel.classes),
        _prediction(ensemble, X, requested, panel.classes),
        panel.weights,
        panel.classes,
    )
    check_predictions(predictions)
    return predictions


def open_panel(ensemble: Any, n_rows: int | None = None) -> Panel:
    """Return the members of a fitted ensemble, their weights and their labels.

    ``n_rows`` is the number of rows it was fitted on, needed for out-of-bag
    predictions.
    """
    check_is_fitted(ensemble)
    role = _role_of(ensemble)
    if role == "step":
        raise TypeError(
            f"the members of {type(ensemble).__name__} are steps of one sum and have no "
            "predictions of their own; nonet.margins and nonet.diagnostics.error_curve accept it."
        )
    if role == "side":
        raise TypeError(
            f"the members of {type(ensemble).__name__} separate groups of classes and "
            "predict no single class, so they cannot be compared with the truth."
        )
    classes = _classes(ensemble)
    if not _is_own(ensemble):
        return sklearn_ensembles.panel_of(ensemble, classes, n_rows)
    members = list(ensemble.members_)
    weights = unit_sum_weights(getattr(ensemble.combine_, "weights", None), len(members))
    return Panel(members, weights, classes, classes, _averages(ensemble))


def is_sum_of_steps(ensemble: Any) -> bool:
    """Return whether the ensemble is gradient boosting, whose trees correct each other."""
    return _role_of(ensemble) == "step"


def own_kind(ensemble: Any) -> Kind | None:
    """Return what an ensemble reads of its members: probabilities if it averages them, else None.

    None leaves it to the task: labels or values.
    """
    return "probabilities" if _averages(ensemble) else None


def _is_own(ensemble: Any) -> bool:
    return hasattr(ensemble, "_member_role")


def _role_of(ensemble: Any) -> MemberRole:
    if not _is_own(ensemble):
        return sklearn_ensembles.member_role(ensemble)
    role: MemberRole = ensemble._member_role
    return role


def _averages(ensemble: Any) -> bool:
    if not _is_own(ensemble):
        return sklearn_ensembles.averages_probabilities(ensemble)
    combine: Any = getattr(ensemble, "combine_", None)
    return bool(getattr(combine, "averages", False) and combine.reads == "probabilities")


def _classes(ensemble: Any) -> Array | None:
    if not is_classifier(ensemble):
        return None
    classes = ensemble.classes_
    if isinstance(classes, list):
        raise ValueError(
            f"{type(ensemble).__name__} has {len(classes)} targets: diagnose one at a time, with "
            "nonet.diagnostics.record_predictions."
        )
    return np.asarray(classes)


def _truth(y: Any, classes: Array | None) -> Array:
    truth = np.asarray(y)
    if truth.ndim != 1:
        raise ValueError(f"y must have one column, but has shape {truth.shape}.")
    return truth.astype(np.float64) if classes is None else encode_labels(truth, classes)


def _prediction(ensemble: Any, X: Any, kind: Kind, classes: Array | None) -> Array:
    if kind == "probabilities":
        return np.asarray(ensemble.predict_proba(X))
    prediction = np.asarray(ensemble.predict(X))
    if classes is None:
        return prediction.astype(np.float64)
    return encode_labels(prediction, classes, unknown="silent")  # an ensemble may abstain


def _out_of_bag(ensemble: Any, panel: Panel, X: Any, y: Any, kind: Kind) -> MemberPredictions:
    if all(member.unseen_rows is None for member in panel.members):
        raise ValueError(
            f"the members of {type(ensemble).__name__} saw every row, so none is out of bag; "
            "give rows that were held out."
        )
    # Combine the members that have predictions as the ensemble does.
    read: Kind = "probabilities" if panel.averages else kind
    ledger = predict_out_of_bag(panel.members, X, reads=read, classes=panel.known)
    truth = _truth(y, panel.classes)
    predictions = _covered(ledger, ledger.predictions[0], read, truth, panel.weights, panel.classes)
    return _as_labels(predictions) if kind == "labels" and read == "probabilities" else predictions


def _as_labels(predictions: MemberPredictions) -> MemberPredictions:
    """Return the class of the highest probability, of each member and of the ensemble."""
    outputs = np.nan_to_num(predictions.outputs).argmax(axis=2)
    if predictions.present is not None:
        outputs = np.where(predictions.present, outputs, ABSTAINED)
    return replace(
        predictions,
        kind="labels",
        outputs=outputs,
        prediction=predictions.prediction.argmax(axis=1),
    )


def _from_ledger(ledger: Ledger, y: Any) -> MemberPredictions:
    truth = ledger.target if y is None else y
    if truth is None:
        raise ParameterError("this ledger holds no truth: give y, aligned with its rows.")
    truth = np.asarray(truth)
    fractions = unit_sum_weights(None, len(ledger.names))
    if ledger.reads == "values":
        return _covered(ledger, ledger.outputs, "values", _truth(truth, None), fractions, None)
    classes = np.unique(truth) if ledger.classes is None else ledger.classes[0]
    labels = ledger.predictions_as("labels")[0]
    return _covered(ledger, labels, "labels", _truth(truth, classes), fractions, classes)


def _covered(
    ledger: Ledger,
    outputs: Array,
    kind: Kind,
    truth: Array,
    weights: Floats,
    classes: Array | None,
) -> MemberPredictions:
    """Keep the rows with a prediction; the ensemble is the vote of the members that predict."""
    present = ledger.coverage > 0
    rows = np.flatnonzero(present @ weights > 0)
    if len(truth) != len(present):
        raise ValueError(
            f"y must hold one truth for each of the {len(present)} rows, but has {len(truth)}."
        )
    kept = None if present[rows].all() else present[rows]
    predictions = MemberPredictions(
        ledger.names, kind, outputs[rows], truth[rows], truth[rows], weights, classes, kept
    )
    check_predictions(predictions)
    return replace(predictions, prediction=own_prediction(predictions))
