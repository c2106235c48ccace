"""Ask the members: values, labels (as class codes), probabilities or scores.

Answers are stored member by member, so that each member writes, and each combination kernel
reads, one contiguous stretch; the array that travels on is its (rows, members, ...) view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from nonet._base.aliases import Array, Codes, Floats, Kind, Params, Task
from nonet._base.arrays import encode_labels
from nonet._base.errors import ParameterError, member_error, show
from nonet._base.inputs import check_is_table
from nonet._base.number_tables import explain_refusal
from nonet.members.member import Member

Targets = list[Array]
"""One array for each target: answers, or the classes, of a multi-output classification."""

_NEEDED: dict[Kind, tuple[str, ...]] = {
    "values": ("predict",),
    "labels": ("predict",),
    "probabilities": ("predict_proba",),
    "scores": ("decision_function", "predict_proba"),
}


def ask_members(members: Sequence[Member], X: Any, kind: Kind, classes: Targets | None) -> Targets:
    """Return the answers of all members, an (n, k) or (n, k, c) array for each target."""
    answers = [
        ask_member(member, X, kind, classes, place, len(members))
        for place, member in enumerate(members)
    ]
    return [stack_answers(of_target) for of_target in zip(*answers, strict=True)]


def stack_answers(answers: Sequence[Array]) -> Array:
    """Stack the answers of the members along axis 1, stored member by member."""
    return np.moveaxis(np.stack(answers), 0, 1)


def ask_member(
    member: Member,
    X: Any,
    kind: Kind,
    classes: Targets | None,
    position: int = 0,
    total: int = 1,
    params: Params | None = None,
) -> Targets:
    """Return the answer of one member, one array for each target.

    ``params`` are metadata for the method of the member that is called.
    """
    check_is_table(None, X)
    try:
        answers = _ANSWER[kind](member, member.view(X), classes, params or {})
        check_finite(answers)
        return answers
    except Exception as why:
        reason = explain_refusal(why, member.estimator, X)
        raise member_error(member.name, position, total, f"answer with {kind}", reason) from why


def check_finite(answers: Sequence[Array]) -> None:
    """Raise if a member answers with NaN or infinity, which would not stay its own affair."""
    for answer in answers:
        if answer.dtype.kind == "f" and not np.isfinite(answer).all():
            row = np.argwhere(~np.isfinite(answer))[0][0]
            raise ValueError(
                f"its answer for row {row} is {show(answer[row])}, but must be finite numbers."
            )


_METHODS: dict[str, Kind] = {
    "predict_proba": "probabilities",
    "decision_function": "scores",
    "predict": "labels",
}


def choose_kind(name: str, model: Any, method: str, task: Task) -> Kind:
    """Return the kind of answers that a model gives by a method, or by the best it has ('auto').

    'auto' prefers probabilities to scores to labels. A regressor gives values whatever is asked.
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


def check_can_answer(members: Sequence[Member], kind: Kind, rule: str) -> None:
    """Raise if a member has no method that gives this kind of answer."""
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
    # An ensemble of ours may keep silent: its label of silence is no class of this one.
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
    return _by_class(member, scores, classes, _two_sided, None)


def _by_class(
    member: Member,
    answers: Any,
    classes: Targets | None,
    as_columns: Callable[[Any], Floats],
    missing: float | None,
) -> Targets:
    assert classes is not None
    if len(classes) == 1:
        answers, own = [answers], [getattr(member.estimator, "classes_", classes[0])]
    else:
        # Learners that lay two-class targets side by side number the targets in `classes_`.
        own = getattr(member.estimator, "classes_", classes)
        own = own if isinstance(own, list) else classes
        answers = _by_target(answers, len(classes), 0.0 if missing is None else 1.0)
    return [
        align_columns(as_columns(answer), mine, known, missing)
        for answer, mine, known in zip(answers, own, classes, strict=True)
    ]


def _by_target(answers: Any, n_targets: int, total: float) -> list[Any]:
    """Return one answer for each target; some learners lay two-class targets side by side.

    The support of the first class is then what is left of ``total``.
    """
    if isinstance(answers, list) or np.shape(answers) != (len(answers), n_targets):
        return list(answers)
    return [np.column_stack([total - column, column]) for column in np.asarray(answers).T]


def _two_sided(scores: Any) -> Floats:
    """Turn the one score of a two-class decision function into a score for each class."""
    scores = np.asarray(scores)
    return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores


def align_columns(answer: Floats, own: Any, classes: Array, missing: float | None) -> Floats:
    """Put the columns of a member in the order of the ensemble's classes.

    A class the member has never met gets ``missing``, or a score below all others.
    """
    own = np.asarray(own)
    if answer.ndim != 2 or answer.shape[1] != len(own):
        raise ValueError(
            f"it gave an answer of shape {answer.shape} where one column for each of its "
            f"{len(own)} classes was expected."
        )
    if len(own) == len(classes) and np.array_equal(own, classes):
        return answer
    places: Codes = encode_labels(own, classes)
    if missing is None:
        missing = float(answer.min(initial=0)) - 1
    aligned = np.full((len(answer), len(classes)), missing, dtype=answer.dtype)
    aligned[:, places] = answer
    return aligned


_ANSWER: dict[Kind, Callable[[Member, Any, Targets | None, Params], Targets]] = {
    "values": _values,
    "labels": _labels,
    "probabilities": _probabilities,
    "scores": _scores,
}
