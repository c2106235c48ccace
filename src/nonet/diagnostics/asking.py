"""Ask any fitted ensemble: one of this library, or scikit-learn's.

What differs between libraries is said here once: where the members are, which columns and labels
they know, their weights, and the rows each of them has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn import ensemble as sklearn_ensemble
from sklearn import multiclass as sklearn_multiclass
from sklearn.base import is_classifier
from sklearn.ensemble._forest import BaseForest
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import SILENT, Array, Floats, Kind
from nonet._base.arrays import encode_labels
from nonet._base.errors import ParameterError
from nonet._base.frames import count_rows
from nonet.diagnostics.answers import MemberAnswers, as_shares, check_answers, own_answer
from nonet.members.ledger import Ledger, ask_out_of_bag
from nonet.members.member import Member
from nonet.members.outputs import ask_members

# Their members are fitted on positions in ``classes_``, and see plain arrays.
_ENCODES_LABELS = (
    sklearn_ensemble.VotingClassifier,
    sklearn_ensemble.BaggingClassifier,
    sklearn_ensemble.StackingClassifier,
    BaseForest,
)
_CODED = (
    sklearn_multiclass.OneVsOneClassifier,
    sklearn_multiclass.OneVsRestClassifier,
    sklearn_multiclass.OutputCodeClassifier,
)
_STRIPS_NAMES = (
    sklearn_ensemble.BaggingClassifier,
    sklearn_ensemble.BaggingRegressor,
    sklearn_ensemble.AdaBoostClassifier,
    sklearn_ensemble.AdaBoostRegressor,
    BaseForest,
)


@dataclass(frozen=True)
class Panel:
    """The members of a fitted ensemble, ready to be asked."""

    members: list[Member]
    weights: Floats
    classes: Array | None
    member_classes: Array | None

    def ask(self, X: Any, kind: Kind) -> Array:
        """Return the answers of all members on all rows."""
        known = None if self.member_classes is None else [self.member_classes]
        return ask_members(self.members, X, kind, known)[0]


def gather_answers(
    ensemble: Any, X: Any, y: Any, *, kind: Kind | None = None, out_of_bag: bool = False
) -> MemberAnswers:
    """Return the answers of an ensemble's members, or those that are already there.

    ``kind`` is what is wanted of a classification; None means labels.
    """
    if isinstance(ensemble, MemberAnswers):
        if X is not None or y is not None:
            raise ParameterError("recorded answers bring their own truth: leave X and y out.")
        return ensemble
    if isinstance(ensemble, Ledger):
        return _from_ledger(ensemble, y)
    if y is None or X is None:
        raise ParameterError("X and y must be given: the rows to ask about, and the truth.")
    panel = open_panel(ensemble)
    asked: Kind = "values" if panel.classes is None else (kind or "labels")
    table = plain_table(ensemble, X)
    if out_of_bag:
        return _out_of_bag(ensemble, panel, table, y, asked)
    answers = MemberAnswers(
        tuple(member.name for member in panel.members),
        asked,
        panel.ask(table, asked),
        _truth(y, panel.classes),
        _answer(ensemble, X, asked, panel.classes),
        panel.weights,
        panel.classes,
    )
    check_answers(answers)
    return answers


def open_panel(ensemble: Any) -> Panel:
    """Find the members of a fitted ensemble, their weights and their labels."""
    check_is_fitted(ensemble)
    if is_sum_of_steps(ensemble):
        raise TypeError(
            f"the members of {type(ensemble).__name__} are steps of one sum and have no answers "
            "of their own; nonet.margins and nonet.diagnostics.error_curve can look at it."
        )
    if getattr(ensemble, "_member_role", None) == "side" or isinstance(ensemble, _CODED):
        raise TypeError(
            f"the members of {type(ensemble).__name__} tell groups of classes apart and name no "
            "class of their own, so they cannot be compared with the truth."
        )
    classes = _classes(ensemble)
    members = _members(ensemble)
    encodes = isinstance(ensemble, _ENCODES_LABELS)
    member_classes = np.arange(len(classes)) if encodes and classes is not None else classes
    return Panel(members, _weights(ensemble, len(members)), classes, member_classes)


def is_sum_of_steps(ensemble: Any) -> bool:
    """Tell whether the ensemble is gradient boosting, whose trees correct each other."""
    if hasattr(ensemble, "members_") or hasattr(ensemble, "estimator_weights_"):
        return False
    return hasattr(ensemble, "staged_predict")


def own_kind(ensemble: Any) -> Kind | None:
    """Return what an ensemble reads of its members: probabilities if it averages them, else None.

    None leaves it to the task: labels or values.
    """
    combine = getattr(ensemble, "combine_", None)
    if combine is not None:
        rule = getattr(combine, "rule", None)
        averages = getattr(rule, "name", None) == "mean" and combine.reads == "probabilities"
    else:
        averages = _sklearn_averages(ensemble)
    return "probabilities" if averages else None


def _sklearn_averages(ensemble: Any) -> bool:
    if isinstance(ensemble, sklearn_ensemble.VotingClassifier):
        return bool(ensemble.voting == "soft")
    if isinstance(ensemble, sklearn_ensemble.BaggingClassifier):
        return all(hasattr(member, "predict_proba") for member in ensemble.estimators_)
    return isinstance(ensemble, BaseForest) and is_classifier(ensemble)


def plain_table(ensemble: Any, X: Any) -> Any:
    """Return X as the members of this ensemble saw it in fit: some never met column names."""
    return np.asarray(X) if isinstance(ensemble, _STRIPS_NAMES) and not issparse(X) else X


def _classes(ensemble: Any) -> Array | None:
    if not is_classifier(ensemble):
        return None
    classes = ensemble.classes_
    if isinstance(classes, list):
        raise ValueError(
            f"{type(ensemble).__name__} has {len(classes)} targets: diagnose one at a time, with "
            "nonet.diagnostics.record_answers."
        )
    return np.asarray(classes)


def _members(ensemble: Any) -> list[Member]:
    if hasattr(ensemble, "members_"):
        return list(ensemble.members_)
    models = getattr(ensemble, "estimators_", None)
    if models is None:
        raise TypeError(
            f"{type(ensemble).__name__} has no members to ask; give a fitted ensemble, or put "
            "its answers into nonet.diagnostics.record_answers."
        )
    models = list(models)
    columns = getattr(ensemble, "estimators_features_", [None] * len(models))
    names = list(getattr(ensemble, "named_estimators_", {})) or [
        f"{type(model).__name__}[{place}]" for place, model in enumerate(models)
    ]
    return [Member(n, m, c) for n, m, c in zip(names, models, columns, strict=True)]


def _weights(ensemble: Any, n_members: int) -> Floats:
    combine = getattr(ensemble, "combine_", None)
    if combine is not None:
        return as_shares(getattr(combine, "weights", None), n_members)
    if isinstance(ensemble, (sklearn_ensemble.VotingClassifier, sklearn_ensemble.VotingRegressor)):
        return as_shares(ensemble._weights_not_none, n_members)
    given = getattr(ensemble, "estimator_weights_", None)
    return as_shares(None if given is None else given[:n_members], n_members)


def _truth(y: Any, classes: Array | None) -> Array:
    truth = np.asarray(y)
    if truth.ndim != 1:
        raise ValueError(f"y must have one column, but has shape {truth.shape}.")
    return truth.astype(np.float64) if classes is None else encode_labels(truth, classes)


def _answer(ensemble: Any, X: Any, kind: Kind, classes: Array | None) -> Array:
    if kind == "probabilities":
        return np.asarray(ensemble.predict_proba(X))
    answer = np.asarray(ensemble.predict(X))
    if classes is None:
        return answer.astype(np.float64)
    return encode_labels(answer, classes, unknown="silent")  # an ensemble may keep silent


def _out_of_bag(ensemble: Any, panel: Panel, X: Any, y: Any, kind: Kind) -> MemberAnswers:
    members = [
        Member(member.name, member.estimator, member.columns, unseen)
        for member, unseen in zip(
            panel.members, _unseen_rows(ensemble, panel, count_rows(X)), strict=True
        )
    ]
    known = None if panel.member_classes is None else [panel.member_classes]
    read = own_kind(ensemble) or kind  # the members asked are to be combined as the ensemble does
    ledger = ask_out_of_bag(members, X, reads=read, classes=known)
    truth = _truth(y, panel.classes)
    answers = _covered(ledger, ledger.answers[0], read, truth, panel.weights, panel.classes)
    return _as_labels(answers) if kind == "labels" and read == "probabilities" else answers


def _as_labels(answers: MemberAnswers) -> MemberAnswers:
    """Return the class of the largest probability, of each member and of the ensemble."""
    outputs = np.nan_to_num(answers.outputs).argmax(axis=2)
    if answers.present is not None:
        outputs = np.where(answers.present, outputs, SILENT)
    return replace(answers, kind="labels", outputs=outputs, answer=answers.answer.argmax(axis=1))


def _unseen_rows(ensemble: Any, panel: Panel, n_rows: int) -> list[Array | None]:
    if any(member.unseen_rows is not None for member in panel.members):
        return [member.unseen_rows for member in panel.members]
    samples = getattr(ensemble, "estimators_samples_", None)
    if samples is None:
        raise ValueError(
            f"the members of {type(ensemble).__name__} saw every row, so none is out of bag; "
            "give rows that were held out."
        )
    return [np.setdiff1d(np.arange(n_rows), rows) for rows in samples]


def _from_ledger(ledger: Ledger, y: Any) -> MemberAnswers:
    truth = ledger.target if y is None else y
    if truth is None:
        raise ParameterError("this ledger holds no truth: give y, aligned with its rows.")
    truth = np.asarray(truth)
    shares = as_shares(None, len(ledger.names))
    if ledger.reads == "values":
        return _covered(ledger, ledger.outputs, "values", _truth(truth, None), shares, None)
    classes = np.unique(truth) if ledger.classes is None else ledger.classes[0]
    labels = ledger.answers_as("labels")[0]
    return _covered(ledger, labels, "labels", _truth(truth, classes), shares, classes)


def _covered(
    ledger: Ledger,
    outputs: Array,
    kind: Kind,
    truth: Array,
    weights: Floats,
    classes: Array | None,
) -> MemberAnswers:
    """Keep the rows that some member was asked about; the ensemble is the vote of those asked."""
    present = ledger.coverage > 0
    rows = np.flatnonzero(present @ weights > 0)
    if len(truth) != len(present):
        raise ValueError(
            f"y must hold one truth for each of the {len(present)} rows, but has {len(truth)}."
        )
    kept = None if present[rows].all() else present[rows]
    answers = MemberAnswers(
        ledger.names, kind, outputs[rows], truth[rows], truth[rows], weights, classes, kept
    )
    check_answers(answers)
    return replace(answers, answer=own_answer(answers))
