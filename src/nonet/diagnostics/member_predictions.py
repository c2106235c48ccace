"""Predictions of the members of an ensemble on rows whose truth is known.

Every diagnostic reads this one record, so an ensemble predicts once for all of them. Predictions
can be missing: out of bag, a member predicts only rows it has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Floats, Kind
from nonet._base.arrays import (
    check_label_outputs,
    check_member_weights,
    check_real_outputs,
    encode_labels,
)
from nonet._base.results import Result
from nonet.combine.weight_finder import uniform_weights
from nonet.diagnostics.ties import first_leader


@dataclass(frozen=True)
class MemberPredictions(Result):
    """Predictions of members on rows that they were not fitted on, beside the truth.

    Attributes
    ----------
    names : tuple of str
        The members.
    kind : {'values', 'labels', 'probabilities'}
        The kind of their outputs.
    outputs : ndarray of shape (n_rows, n_members) or (n_rows, n_members, n_classes)
        Values, class codes (-1 where a member abstains), or probabilities.
    truth : ndarray of shape (n_rows,)
        The true values or class codes.
    prediction : ndarray of shape (n_rows,) or (n_rows, n_classes)
        The prediction of the ensemble itself, in the form of one member.
    weights : ndarray of shape (n_members,)
        The weights of the members in the vote or mean; their sum is 1.
    classes : ndarray of shape (n_classes,) or None
        The labels behind the codes; None in regression.
    present : ndarray of bool of shape (n_rows, n_members) or None
        Which members predict which rows; None if all do.

    Examples
    --------
    >>> from nonet.diagnostics import record_predictions
    >>> predictions = record_predictions([["a", "b", "b"], ["a", "a", "b"]], ["a", "a"])
    >>> predictions.correct.sum(axis=1).tolist(), predictions.prediction.tolist()
    ([1, 2], [1, 0])
    """

    names: tuple[str, ...]
    kind: Kind
    outputs: Array
    truth: Array
    prediction: Array
    weights: Floats
    classes: Array | None = None
    present: Array | None = None

    _shown: ClassVar[tuple[str, ...]] = ("kind", "n_rows", "n_members", "classes")

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.outputs)

    @property
    def n_members(self) -> int:
        """The number of members."""
        return int(self.outputs.shape[1])

    @property
    def correct(self) -> Array:
        """Whether each member names the true class: bool of shape (n_rows, n_members)."""
        if self.kind != "labels":
            raise TypeError(
                f"correctness is defined for labels, but these predictions are {self.kind}; "
                "for values see nonet.ambiguity."
            )
        return np.asarray(self.outputs == self.truth[:, np.newaxis])

    @property
    def is_correct(self) -> Array:
        """Whether the ensemble names the true class: bool of shape (n_rows,)."""
        codes = self.prediction.argmax(axis=1) if self.kind == "probabilities" else self.prediction
        return np.asarray(codes == self.truth)

    @property
    def losses(self) -> Floats:
        """The loss of the ensemble itself on each row: 0-1 for classes, squared for values."""
        if self.kind == "values":
            return np.asarray((self.prediction - self.truth) ** 2)
        return np.asarray(~self.is_correct, dtype=np.float64)

    @property
    def error(self) -> float:
        """The error of the ensemble itself: the mean of its losses."""
        return float(self.losses.mean())

    def row_weights(self) -> Floats:
        """Return the weights of the members row by row, missing ones 0; each row sums to 1."""
        if self.present is None:
            return np.broadcast_to(self.weights, self.outputs.shape[:2])
        weights = self.present * self.weights
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def member_means(self, entries: Array) -> Floats:
        """Average a (n_rows, n_members) matrix over the rows that each member predicts."""
        return np.asarray(np.average(entries, axis=0, weights=self._presence()))

    def row_means(self, entries: Array) -> Floats:
        """Average a (n_rows, n_members) matrix over the members, by their weights."""
        if self.present is None:
            return np.asarray(entries @ self.weights)
        return np.asarray((entries * self.row_weights()).sum(axis=1))

    def _presence(self) -> Array:
        shape = self.outputs.shape[:2]
        return np.ones(shape) if self.present is None else self.present.astype(np.float64)


def record_predictions(
    outputs: ArrayLike,
    y: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    present: ArrayLike | None = None,
    names: tuple[str, ...] | None = None,
) -> MemberPredictions:
    """Store given predictions in the form that the diagnostics read.

    The ensemble is the weighted vote (labels) or the weighted mean (values, probabilities) of
    the members that predict. A tie of votes goes to the first of its classes.

    Parameters
    ----------
    outputs : array-like of shape (n_rows, n_members) or (n_rows, n_members, n_classes)
        Labels, values of a regression, or probabilities of classes.
    y : array-like of shape (n_rows,)
        The truth. If it is made of floats, the predictions are values, otherwise labels.
    classes : array-like of shape (n_classes,), default=None
        The labels of a classification; None takes those of ``y`` and ``outputs`` together. A
        prediction that is not among them is an abstention.
    weights : array-like of shape (n_members,), default=None
        Weights of the members; None is equal weights.
    present : array-like of bool of shape (n_rows, n_members), default=None
        Which member predicts which row; None means all.
    names : tuple of str, default=None
        Names of the members; None numbers them.

    Returns
    -------
    predictions : MemberPredictions

    Examples
    --------
    >>> from nonet.diagnostics import record_predictions
    >>> record_predictions([[1.0, 3.0], [2.0, 4.0]], [2.0, 2.0]).prediction
    array([2., 3.])
    """
    truth, given = np.asarray(y), np.asarray(outputs)
    is_regression = classes is None and given.ndim == 2 and truth.dtype.kind == "f"
    known = None if is_regression else _known_classes(given, truth, classes)
    kind: Kind = "values" if known is None else ("labels" if given.ndim == 2 else "probabilities")
    codes = truth if known is None else encode_labels(truth, known)
    checked = _checked(given, kind, known)
    if present is not None:
        present = np.asarray(present, dtype=bool)
    fractions = unit_sum_weights(weights, checked.shape[1])
    predictions = MemberPredictions(
        names or tuple(f"member {position}" for position in range(checked.shape[1])),
        kind,
        checked,
        codes,
        codes,
        fractions,
        known,
        present,
    )
    check_predictions(predictions)
    return replace(predictions, prediction=own_prediction(predictions))


def unit_sum_weights(weights: ArrayLike | None, n_members: int) -> Floats:
    """Return checked member weights of sum 1; None is equal weights."""
    checked = check_member_weights(weights, n_members)
    return uniform_weights(n_members) if checked is None else np.asarray(checked / checked.sum())


def own_prediction(predictions: MemberPredictions) -> Array:
    """Return the weighted vote, or weighted mean, of the members that predict."""
    if predictions.kind == "labels":
        return first_leader(count_votes(predictions))
    fractions = predictions.row_weights()
    if predictions.kind == "probabilities":
        return np.asarray(np.einsum("nkc,nk->nc", np.nan_to_num(predictions.outputs), fractions))
    return np.asarray((np.where(fractions > 0, predictions.outputs, 0.0) * fractions).sum(axis=1))


def count_votes(predictions: MemberPredictions) -> Floats:
    """Return the weighted fraction of the vote for each class; abstaining members vote for none."""
    assert predictions.classes is not None
    fractions = predictions.row_weights()
    votes = [
        ((predictions.outputs == c) * fractions).sum(axis=1)
        for c in range(len(predictions.classes))
    ]
    # Rounded, so that equal votes are equal whatever the order of summation.
    return np.round(np.column_stack(votes), 12)


def check_predictions(predictions: MemberPredictions) -> None:
    """Raise for records without rows, of unequal lengths, or with rows without predictions."""
    n_rows = predictions.n_rows
    if not n_rows:
        raise ValueError("there are no held-out rows: a diagnosis needs at least one.")
    if predictions.truth.shape != (n_rows,):
        raise ValueError(
            f"y must hold one truth for each of the {n_rows} rows, "
            f"but has shape {predictions.truth.shape}."
        )
    if predictions.present is not None:
        if predictions.present.shape != predictions.outputs.shape[:2]:
            raise ValueError(
                f"present must have shape {predictions.outputs.shape[:2]}, one entry per "
                f"prediction, but has shape {predictions.present.shape}."
            )
        if not predictions.present.any(axis=1).all():
            raise ValueError(
                "every row needs a prediction of at least one member: leave out the others."
            )
    _check_finite(predictions)


def _check_finite(predictions: MemberPredictions) -> None:
    if predictions.kind == "labels":
        return
    n_rows, n_members = predictions.outputs.shape[:2]
    finite = np.isfinite(predictions.outputs).reshape(n_rows, n_members, -1).all(axis=2)
    missing = ~finite if predictions.present is None else ~finite & predictions.present
    if missing.any():
        row, member = np.argwhere(missing)[0]
        raise ValueError(
            f"member {predictions.names[member]!r} has no finite prediction for row {row}."
        )
    if predictions.kind == "values" and not np.isfinite(predictions.truth).all():
        raise ValueError("y must be finite numbers.")


def _known_classes(outputs: Array, truth: Array, classes: ArrayLike | None) -> Array:
    if classes is not None:
        return np.unique(np.asarray(classes))
    if outputs.ndim == 3:
        found = np.unique(truth)
        if len(found) != outputs.shape[2]:
            raise ValueError(
                f"outputs have {outputs.shape[2]} columns of probabilities, but y holds "
                f"{len(found)} classes: give all classes."
            )
        return found
    return np.unique(np.concatenate([truth.ravel(), outputs.ravel()]))


def _checked(outputs: Array, kind: Kind, classes: Array | None) -> Array:
    if kind == "labels":
        assert classes is not None
        return check_label_outputs(encode_labels(outputs, classes, unknown="silent"))
    return check_real_outputs(outputs, n_axes=(2,) if kind == "values" else (3,))
