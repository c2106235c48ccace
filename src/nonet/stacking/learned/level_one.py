"""Level one: the table that the final model reads.

Each member gives some columns: the probabilities of the classes (one column is enough for two
classes), a score, a label or a value, or a transformation of them. The original columns may
follow: this is the class-attribute-combiner of Chan and Stolfo; without them it is
their class-combiner.

References
----------
D. H. Wolpert, Stacked generalization, Neural Networks 5, 1992.
P. K. Chan and S. J. Stolfo, Experiments on multistrategy learning by meta-learning, CIKM 1993.
K. M. Ting and I. H. Witten, Issues in stacked generalization, JAIR 10, 1999.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from nonet._base.aliases import ABSTAINED, Array, Floats, Kind
from nonet.members.outputs import Targets
from nonet.stacking.learned.inner_columns import InnerColumns

FORMS: dict[str, Kind] = {
    "labels": "labels",
    "probabilities": "probabilities",
    "logits": "probabilities",
    "scores": "scores",
}
"""The kind of member output that each form of level one needs; 'ranks' takes any kind."""

# A probability of 0 has no logarithm, and one of 1e-16 would dominate all other rows.
_MINIMUM = 1e-5


@dataclass
class LevelOne:
    """The conversion of member outputs to columns.

    Attributes
    ----------
    names : tuple of str
        The names of the members.
    kinds : tuple of str
        The kind of output of each member.
    n_classes : tuple of int
        The number of classes of each target; empty in regression.
    form : {'labels', 'probabilities', 'logits', 'scores', 'ranks'} or None
        The transformation of the outputs; None leaves them unchanged.
    every_class : bool
        Whether two classes get two columns, for models that treat the classes one by one.
    held_out_columns : list of ndarray
        The sorted held-out columns that define ranks, set by ``learn_ranks``.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    n_classes: tuple[int, ...] = ()
    form: str | None = None
    every_class: bool = False
    held_out_columns: list[Floats] | None = None

    def learn_ranks(self, predictions: Targets) -> None:
        """Store the held-out predictions that define the ranks."""
        if self.form == "ranks":
            columns = np.hstack(self._plain_blocks(predictions))
            self.held_out_columns = list(np.sort(columns, axis=0).T)

    def blocks(self, predictions: Targets) -> list[Floats]:
        """Return the columns of each member."""
        blocks = self._plain_blocks(predictions)
        if self.held_out_columns is None:
            return blocks
        ends = np.cumsum([block.shape[1] for block in blocks])
        ranked = _rank_in(self.held_out_columns, np.hstack(blocks))
        return np.split(ranked, ends[:-1], axis=1)

    def column_names(self, predictions: Targets) -> list[str]:
        """Return the names of the columns: that of the member, numbered if it has several."""
        widths = [block.shape[1] for block in self._plain_blocks([a[:1] for a in predictions])]
        return [
            name if width == 1 else f"{name}{column}"
            for name, width in zip(self.names, widths, strict=True)
            for column in range(width)
        ]

    def _plain_blocks(self, predictions: Targets) -> list[Floats]:
        return [
            np.hstack(
                [self._columns(page[:, position], kind, t) for t, page in enumerate(predictions)]
            )
            for position, kind in enumerate(self.kinds)
        ]

    def _columns(self, prediction: Array, kind: Kind, target: int) -> Floats:
        """Return the columns of one member for one target; its output is (n,) or (n, c)."""
        if kind == "values":
            return (
                prediction[:, np.newaxis]
                if prediction.ndim == 1
                else _of_regressor(prediction, self.kinds)
            )
        if self.form == "labels":
            named = _codes(prediction, kind)[:, np.newaxis] == np.arange(self.n_classes[target])
            return self._without_first(named.astype(np.float64))
        if kind == "labels":
            return _codes(prediction, kind)[:, np.newaxis]
        return self._without_first(_logits(prediction) if self.form == "logits" else prediction)

    def _without_first(self, by_class: Floats) -> Floats:
        # For two classes one column suffices: the other one is redundant.
        return by_class[:, 1:] if by_class.shape[1] == 2 and not self.every_class else by_class


@dataclass(frozen=True)
class LevelOneTable:
    """Level one of a fitted stack: maps outputs of the members to the table of the final model.

    Attributes
    ----------
    level_one : LevelOne
        The conversion of outputs to columns.
    columns : tuple of str
        The names of these columns.
    passthrough : bool
        Whether the original columns follow them, or those of ``inner``.
    inner : InnerColumns or None
        The inner representations of the members.
    """

    level_one: LevelOne
    columns: tuple[str, ...]
    passthrough: bool
    inner: InnerColumns | None = None

    def build(self, outputs: Targets, X: Any) -> Any:
        """Return the table for the outputs of each target; X is used if it passes through."""
        if self.inner is not None:
            X = self.inner(X)
        return join_columns(self.level_one.blocks(outputs), X, self.columns, self.passthrough)


def _of_regressor(prediction: Floats, kinds: Sequence[Kind]) -> Floats:
    """Return the values of several targets, or the one value that a mixed page repeats."""
    return prediction if set(kinds) == {"values"} else prediction[:, :1]


def _codes(prediction: Array, kind: Kind) -> Array:
    """Return the predicted class, -1 for none; a page of several kinds holds labels as ones."""
    if prediction.ndim == 1:
        return prediction
    named = prediction.argmax(axis=1)
    return np.where(prediction.any(axis=1), named, ABSTAINED) if kind == "labels" else named


def _logits(probabilities: Floats) -> Floats:
    """Return centred logarithms of probabilities; for two classes, the log-odds."""
    logs = np.log(np.clip(probabilities, _MINIMUM, 1.0))
    if probabilities.shape[1] == 2:
        odds = logs[:, 1] - logs[:, 0]
        return np.column_stack([-odds, odds])
    centred: Floats = logs - logs.mean(axis=1, keepdims=True)
    return centred


def _rank_in(held_out: list[Floats], columns: Floats) -> Floats:
    """Return the fraction of held-out predictions below each prediction, ties counted half."""
    ranked = np.empty(columns.shape)
    for position, known in enumerate(held_out):
        below = np.searchsorted(known, columns[:, position], side="left")
        not_above = np.searchsorted(known, columns[:, position], side="right")
        ranked[:, position] = (below + not_above) / (2 * len(known))
    return ranked


def join_columns(blocks: list[Floats], X: Any, names: Sequence[str], passthrough: bool) -> Any:
    """Return the columns of the members, followed by the original ones if they pass through.

    The result is an array; sparse if X is sparse; a dataframe if X is one with non-numeric
    columns, so that the final model can use names or categories.
    """
    if not passthrough:
        return np.hstack(blocks)
    if sparse.issparse(X):
        return sparse.hstack([*blocks, X], format=X.format)
    if not _holds_text(X):
        return np.hstack([*blocks, np.asarray(X)])
    columns = np.hstack(blocks)
    if hasattr(X, "hstack"):  # polars
        return type(X)({name: columns[:, i] for i, name in enumerate(names)}).hstack(X)
    added = X.assign(**{name: columns[:, position] for position, name in enumerate(names)})
    return added[[*names, *X.columns]]


def _holds_text(X: Any) -> bool:
    """Return whether this is a dataframe with columns that are not numeric."""
    return hasattr(X, "columns") and np.asarray(X[:1]).dtype.kind not in "biuf"
