"""Held-out predictions of the members and the true targets, from which weights are found.

Notation: n rows, k members, t targets (regression) or classes. ``supports`` are always floats of
shape (n, k, t) and ``wanted`` is the output of a perfect member, of shape (n, t): the
target in regression, one-hot rows in classification. Both are computed block by block, so that
no weight finder needs a second copy of the outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet._base.arrays import check_label_outputs, check_real_outputs, check_sample_weight

_BLOCK_NUMBERS = 1 << 20  # 8 MB of float64: large enough for BLAS, small enough for any machine

Rows = slice | Array


@dataclass(frozen=True)
class HeldOut:
    """Checked held-out predictions.

    Attributes
    ----------
    outputs : ndarray of shape (n, k, t) of floats, or (n, k) of class codes
    target : ndarray of shape (n, t) of floats, or (n,) of class codes
    classes : ndarray of shape (c,) or None
        None in regression.
    sample_weight : ndarray of shape (n,) or None
        Positive; rows of weight 0 are removed.
    """

    outputs: Array
    target: Array
    classes: Array | None
    sample_weight: Floats | None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.outputs)

    @property
    def n_members(self) -> int:
        """The number of members."""
        return int(self.outputs.shape[1])

    @property
    def n_targets(self) -> int:
        """The number of values that a member predicts for one row."""
        return int(self.target.shape[1]) if self.classes is None else len(self.classes)

    @property
    def row_weights(self) -> Floats:
        """The weight of each row."""
        return np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight

    def blocks(self) -> Iterator[slice]:
        """Iterate over the rows in slices of moderate memory."""
        size = max(1, _BLOCK_NUMBERS // (self.n_members * self.n_targets))
        return (slice(first, first + size) for first in range(0, self.n_rows, size))

    def supports(self, rows: Rows = slice(None)) -> Floats:
        """Return the predictions on some rows as float64 supports."""
        chosen = self.outputs[rows]
        if chosen.ndim == 3:
            return chosen.astype(np.float64, copy=False)
        return _one_hot(chosen, self.n_targets)

    def member(self, position: int) -> Floats:
        """Return the supports of one member, (n, t)."""
        predictions = self.outputs[:, position]
        if self.outputs.ndim == 3:
            return predictions.astype(np.float64, copy=False)
        return _one_hot(predictions, self.n_targets)

    def wanted(self, rows: Rows = slice(None)) -> Floats:
        """Return the outputs of a perfect member on some rows."""
        chosen = self.target[rows]
        return chosen if self.classes is None else _one_hot(chosen, self.n_targets)

    def named_classes(self) -> Codes:
        """Return the class each member predicts, (n, k); of equal supports, the first."""
        return self.outputs if self.outputs.ndim == 2 else np.argmax(self.outputs, axis=2)

    def take(self, rows: Array) -> HeldOut:
        """Return the same predictions on some rows only."""
        weight = None if self.sample_weight is None else self.sample_weight[rows]
        return HeldOut(self.outputs[rows], self.target[rows], self.classes, weight)


def _one_hot(codes: Codes, n_classes: int) -> Floats:
    """Convert codes to rows of the unit matrix; a member that abstains gets a row of zeros."""
    rows: Floats = (codes[..., np.newaxis] == np.arange(n_classes)).astype(np.float64)
    return rows


def check_held_out(
    outputs: ArrayLike,
    target: ArrayLike,
    classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> HeldOut:
    """Check the predictions, the true target and the row weights against each other.

    Parameters
    ----------
    outputs : array-like
        Regression: (n, k) or (n, k, t) numbers. Classification: (n, k, c) supports, or (n, k)
        class codes with -1 where a member abstains.
    target : array-like
        Regression: (n,) or (n, t) numbers. Classification: (n,) positions in ``classes``.
    classes : array-like of shape (c,), default=None
        None means regression.
    sample_weight : array-like of shape (n,), default=None
        The weight of each row.

    Returns
    -------
    held_out : HeldOut

    Examples
    --------
    >>> from nonet.combine.held_out import check_held_out
    >>> votes = check_held_out([[0, 1], [1, -1]], [0, 1], classes=["no", "yes"])
    >>> votes.supports()[1]
    array([[0., 1.],
           [0., 0.]])
    """
    known = None if classes is None else np.asarray(classes)
    predictions, truth = (
        _check_regression(outputs, target)
        if known is None
        else _check_classification(outputs, target, len(known))
    )
    weight = check_sample_weight(sample_weight, len(predictions))
    held_out = HeldOut(predictions, truth, known, weight)
    if weight is not None and not weight.all():
        return held_out.take(np.flatnonzero(weight))
    return held_out


def _check_regression(outputs: ArrayLike, target: ArrayLike) -> tuple[Array, Array]:
    predictions = _check_finite(check_real_outputs(outputs, n_axes=(2, 3)), "outputs")
    truth = _check_finite(_as_floats(target), "target")
    predictions = predictions[:, :, np.newaxis] if predictions.ndim == 2 else predictions
    truth = truth[:, np.newaxis] if truth.ndim == 1 else truth
    n_rows, _, n_targets = predictions.shape
    if truth.shape != (n_rows, n_targets):
        raise ValueError(
            f"target must hold {n_targets} number(s) for each of the {n_rows} rows of outputs, "
            f"but has shape {np.shape(target)}."
        )
    _check_any_row(n_rows)
    return predictions, truth


def _check_classification(
    outputs: ArrayLike, target: ArrayLike, n_classes: int
) -> tuple[Array, Array]:
    if np.ndim(outputs) == 3:
        predictions: Array = _check_supports(outputs, n_classes)
    else:
        predictions = check_label_outputs(outputs)
        _check_codes(predictions, "outputs", ABSTAINED, n_classes)
    truth = np.asarray(target)
    if truth.dtype.kind not in "iu" or truth.shape != predictions.shape[:1]:
        raise ValueError(
            f"target must hold a whole-number class code for each of the {len(predictions)} rows "
            f"of outputs, but has shape {truth.shape} and dtype {truth.dtype}."
        )
    _check_codes(truth, "target", 0, n_classes)
    _check_any_row(len(predictions))
    return predictions, truth


def _check_supports(outputs: ArrayLike, n_classes: int) -> Floats:
    predictions = _check_finite(check_real_outputs(outputs, n_axes=(3,)), "outputs")
    if predictions.shape[2] != n_classes:
        raise ValueError(
            f"outputs must hold one support for each of the {n_classes} classes, "
            f"but have shape {predictions.shape}."
        )
    return predictions


def _check_codes(codes: Codes, what: str, lowest: int, n_classes: int) -> None:
    if codes.size and (codes.min() < lowest or codes.max() >= n_classes):
        raise ValueError(
            f"{what} must hold class codes from {lowest} to {n_classes - 1}, "
            f"but hold {codes.min()} to {codes.max()}."
        )


def _check_finite(values: Floats, what: str) -> Floats:
    # The sum is finite unless a value is not (or it overflows): one pass without a mask.
    with np.errstate(over="ignore", invalid="ignore"):
        all_finite = np.isfinite(values.sum()) or np.isfinite(values).all()
    if not all_finite:
        raise ValueError(
            f"{what} must be finite, but hold NaN or infinity; "
            "leave out the rows for which a member has no prediction."
        )
    return values


def _as_floats(target: ArrayLike) -> Floats:
    try:
        checked: Floats = np.asarray(target, dtype=np.float64)
    except (TypeError, ValueError) as why:
        raise TypeError(
            "target must be numeric in regression; pass `classes` for classification."
        ) from why
    if checked.ndim not in (1, 2):
        raise ValueError(f"target must have 1 or 2 axes, but has shape {checked.shape}.")
    return checked


def _check_any_row(n_rows: int) -> None:
    if n_rows == 0:
        raise ValueError("outputs must hold at least one row to find weights from, but hold none.")
