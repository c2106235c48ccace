"""Outputs of the members: values, labels (as class codes), probabilities or scores.

Outputs are stored member by member, so that each member writes, and each combination kernel
reads, one contiguous block; callers get its (rows, members, ...) view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from nonet._base.aliases import Array, Codes, Floats, Kind, Params, Task
from nonet._base.arrays import encode_labels
from nonet._base.errors import ParameterError, member_error, show
from nonet._base.frames import as_frame
from nonet._base.inputs import check_is_table
from nonet._base.number_tables import explain_refusal
from nonet.members.member import Member

Targets = list[Array]
"""One array per target: predictions, or the classes, of a multi-output classification."""

_NEEDED: dict[Kind, tuple[str, ...]] = {
    "values": ("predict",),
    "labels": ("predict",),
    "probabilities": ("predict_proba",),
    "scores": ("decision_function", "predict_proba"),
}


def predict_members(
    members: Sequence[Member], X: Any, kind: Kind, classes: Targets | None
) -> Targets:
    """Return the predictions of all members, an (n, k) or (n, k, c) array for each target."""
    predictions = [
        predict_member(member, X, kind, classes, position, len(members))
        for position, member in enumerate(members)
    ]
    return [stack_predictions(of_target) for of_target in zip(*predictions, strict=True)]


def stack_predictions(predictions: Sequence[Array]) -> Array:
    """Stack the predictions of the members along axis 1, stored member by member."""
    return np.moveaxis(np.stack(predictions), 0, 1)


def predict_member(
    member: Member,
    X: Any,
    kind: Kind,
    classes: Targets | None,
    position: int = 0,
    total: int = 1,
    params: Params | None = None,
) -> Targets:
    """Return the predictions of one member, one array for each target.

    ``params`` are metadata for the called method of the member.
    """
    X = as_frame(X)
    check_is_table(None, X)
    try:
        predictions = _PREDICTION[kind](member, member.view(X), classes, params or {})
        check_finite(predictions)
        return predictions
    except Exception as why:
        reason = explain_refusal(why, member.estimator, X)
        raise member_error(member.name, position, total, f"predict {kind}", reason) from why


def check_finite(predictions: Sequence[Array]) -> None:
    """Raise if a member predicts NaN or infinity, which would spoil the combined prediction."""
    for prediction in predictions:
        if prediction.dtype.kind == "f" and not np.isfinite(prediction).all():
            row = np.argwhere(~np.isfinite(prediction))[0][0]
            raise ValueError(
                f"its output for row {row} is {show(prediction[row])}, but must be finite numbers."
            )


_METHODS: dict[str, Kind] = {
    "predict_proba": "probabilities",
    "decision_function": "scores",
    "predict": "labels",
}


def choose_kind(name: str, model: Any, method: str, task: Task) -> Kind:
    """Return the kind of output that a method of a model gives; 'auto' takes the best it has.

    'auto' prefers probabilities to scores to labels. A regressor gives values by any method.
    """
    if task == "regression" or is_regressor(model):
        return "values"
    for known, kind in _METHODS.items():
        if method in ("auto", known) and hasattr(model, known):
            return kind
    raise ParameterError(
        f"member {name!r} ({type(model).__name__}) has no method {method!r}; choose 'auto', or a "
        "member that has it."
    )


def check_can_predict(members: Sequence[Member], kind: Kind, rule: str) -> None:
    """Raise if a member has no method that gives this kind of output."""
    for member in members:
        if not any(hasattr(member.estimator, method) for method in _NEEDED[kind]):
            methods = " or ".join(_NEEDED[kind])
            raise TypeError(
                f"member {member.name!r} ({type(member.estimator).__name__}) has no {methods}, "
                f"which combination rule {rule!r} needs; choose a rule that reads labels such as "
                "'plurality', or a member that gives probabilities."
            )


def _values(member: Member, X: Any, classes: Targets | None, params: Params) -> Targets:
    values = np.asarray(member.estimator.predict(X, **params))
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    return [values if values.dtype == np.float32 else values.astype(np.float64)]


def _labels(member: Member, X: Any, classes: Targets | None, params: Params) -> Targets:
    assert classes is not None
    labels = np.asarray(member.estimator.predict(X, **params))
    columns = [labels] if len(classes) == 1 else list(labels.T)
    # A nested ensemble may abstain, and its abstain label is not one of these classes.
    unknown = "silent" if hasattr(member.estimator, "decide_") else "error"
    return [
        encode_labels(column.ravel(), known, unknown=unknown)
        for column, known in zip(columns, classes, strict=True)
    ]


def _probabilities(member: Member, X: Any, classes: Targets | None, params: Params) -> Targets:
    return _by_class(member, member.estimator.predict_proba(X, **params), classes, np.asarray, 0)


def _scores(member: Member, X: Any, classes: Targets | None, params: Params) -> Targets:
    if not hasattr(member.estimator, "decision_function"):
        return _probabilities(member, X, classes, params)
    scores = member.estimator.decision_function(X, **params)
    _refuse_pairs(member, scores)
    return _by_class(member, scores, classes, _two_sided, None)


def _refuse_pairs(member: Member, scores: Any) -> None:
    """Raise for scores of pairs of classes: three classes have three pairs."""
    if np.ndim(scores) != 2 or scores.shape[1] != 3 or not hasattr(member.estimator, "get_params"):
        return
    params = member.estimator.get_params()
    shapes = [value for name, value in params.items() if name.endswith("decision_function_shape")]
    if "ovo" in shapes:
        raise ValueError(
            "decision_function_shape='ovo' gives scores of pairs of classes where scores of "
            "classes are needed; set it to 'ovr'."
        )


def _by_class(
    member: Member,
    predictions: Any,
    classes: Targets | None,
    as_columns: Callable[[Any], Floats],
    missing: float | None,
) -> Targets:
    assert classes is not None
    if len(classes) == 1:
        predictions, own = [predictions], [getattr(member.estimator, "classes_", classes[0])]
    else:
        # Learners that concatenate two-class targets number the targets in `classes_`.
        own = getattr(member.estimator, "classes_", classes)
        own = own if isinstance(own, list) else classes
        predictions = _by_target(predictions, len(classes), 0.0 if missing is None else 1.0)
    return [
        align_columns(as_columns(prediction), mine, known, missing)
        for prediction, mine, known in zip(predictions, own, classes, strict=True)
    ]


def _by_target(predictions: Any, n_targets: int, total: float) -> list[Any]:
    """Return one output for each target; some learners concatenate two-class targets.

    The support of the first class is then the rest of ``total``.
    """
    if isinstance(predictions, list) or np.shape(predictions) != (len(predictions), n_targets):
        return list(predictions)
    return [np.column_stack([total - column, column]) for column in np.asarray(predictions).T]


def _two_sided(scores: Any) -> Floats:
    """Convert the single score of a two-class decision function to a score per class."""
    scores = np.asarray(scores)
    return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores


def align_columns(prediction: Floats, own: Any, classes: Array, missing: float | None) -> Floats:
    """Reorder the columns of a member into the order of the ensemble's classes.

    A class the member has not seen gets ``missing``, or a score below all others.
    """
    own = np.asarray(own)
    if prediction.ndim != 2 or prediction.shape[1] != len(own):
        raise ValueError(
            f"its output has shape {prediction.shape} where one column for each of its "
            f"{len(own)} classes was expected."
        )
    if len(own) == len(classes) and np.array_equal(own, classes):
        return prediction
    positions: Codes = encode_labels(own, classes)
    if missing is None:
        missing = float(prediction.min(initial=0)) - 1
    aligned = np.full((len(prediction), len(classes)), missing, dtype=prediction.dtype)
    aligned[:, positions] = prediction
    return aligned


_PREDICTION: dict[Kind, Callable[[Member, Any, Targets | None, Params], Targets]] = {
    "values": _values,
    "labels": _labels,
    "probabilities": _probabilities,
    "scores": _scores,
}
