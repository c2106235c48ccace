"""Level one: the table that a model on top of the members reads.

Each member gives some columns: the probabilities of the classes (one column is enough for two
classes), a score, a label, a value; or what the user asked to make of them. Beside them may
stand the original columns: the class-attribute-combiner of Chan and Stolfo; without them it is
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

from nonet._base.aliases import SILENT, Array, Floats, Kind
from nonet.members.outputs import Targets

FORMS: dict[str, Kind] = {
    "labels": "labels",
    "probabilities": "probabilities",
    "logits": "probabilities",
    "scores": "scores",
}
"""What the members are asked for when level one is to have a form; 'ranks' takes any kind."""

# A probability of 0 has no logarithm, and one of 1e-16 would drown all other rows.
_LEAST = 1e-5


@dataclass
class LevelOne:
    """How the answers of members become columns.

    Attributes
    ----------
    names : tuple of str
        The members.
    kinds : tuple of str
        What each of them answers with.
    n_classes : tuple of int
        The number of classes of each target; empty in regression.
    form : {'labels', 'probabilities', 'logits', 'scores', 'ranks'} or None
        What is made of the answers; None leaves them as they are.
    every_class : bool
        Whether two classes get two columns, for models that look at the classes one by one.
    held_out_columns : list of ndarray
        The sorted columns that ranks are taken in, once ``learn_ranks`` has seen them.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    n_classes: tuple[int, ...] = ()
    form: str | None = None
    every_class: bool = False
    held_out_columns: list[Floats] | None = None

    def learn_ranks(self, answers: Targets) -> None:
        """Remember the held-out answers in which later ones are ranked."""
        if self.form == "ranks":
            columns = np.hstack(self._plain_blocks(answers))
            self.held_out_columns = list(np.sort(columns, axis=0).T)

    def blocks(self, answers: Targets) -> list[Floats]:
        """Return the columns of each member."""
        blocks = self._plain_blocks(answers)
        if self.held_out_columns is None:
            return blocks
        ends = np.cumsum([block.shape[1] for block in blocks])
        ranked = _rank_in(self.held_out_columns, np.hstack(blocks))
        return np.split(ranked, ends[:-1], axis=1)

    def column_names(self, answers: Targets) -> list[str]:
        """Return the names of the columns: the member's, numbered if it has several."""
        widths = [block.shape[1] for block in self._plain_blocks([a[:1] for a in answers])]
        return [
            name if width == 1 else f"{name}{column}"
            for name, width in zip(self.names, widths, strict=True)
            for column in range(width)
        ]

    def _plain_blocks(self, answers: Targets) -> list[Floats]:
        return [
            np.hstack([self._columns(page[:, place], kind, t) for t, page in enumerate(answers)])
            for place, kind in enumerate(self.kinds)
        ]

    def _columns(self, answer: Array, kind: Kind, target: int) -> Floats:
        """Return the columns of one member for one target; the answer is (n,) or (n, c)."""
        if kind == "values":
            return answer[:, np.newaxis] if answer.ndim == 1 else _of_regressor(answer, self.kinds)
        if self.form == "labels":
            named = _codes(answer, kind)[:, np.newaxis] == np.arange(self.n_classes[target])
            return self._without_first(named.astype(np.float64))
        if kind == "labels":
            return _codes(answer, kind)[:, np.newaxis]
        return self._without_first(_logits(answer) if self.form == "logits" else answer)

    def _without_first(self, by_class: Floats) -> Floats:
        # Of two classes one column says it all: the other is its mirror image.
        return by_class[:, 1:] if by_class.shape[1] == 2 and not self.every_class else by_class


@dataclass(frozen=True)
class LevelOneTable:
    """Level one of a fitted stack: outputs of the members in, the table of the final model out.

    Attributes
    ----------
    level_one : LevelOne
        How outputs become columns.
    columns : tuple of str
        The names of these columns.
    passthrough : bool
        Whether the original columns follow them.
    """

    level_one: LevelOne
    columns: tuple[str, ...]
    passthrough: bool

    def build(self, outputs: Targets, X: Any) -> Any:
        """Return the table for the outputs of each target; X is read if it passes through."""
        return join_columns(self.level_one.blocks(outputs), X, self.columns, self.passthrough)


def _of_regressor(answer: Floats, kinds: Sequence[Kind]) -> Floats:
    """Return the values of several targets, or the one value that a mixed page repeats."""
    return answer if set(kinds) == {"values"} else answer[:, :1]


def _codes(answer: Array, kind: Kind) -> Array:
    """Return the class named, -1 for none; a page of several kinds holds labels as ones."""
    if answer.ndim == 1:
        return answer
    named = answer.argmax(axis=1)
    return np.where(answer.any(axis=1), named, SILENT) if kind == "labels" else named


def _logits(shares: Floats) -> Floats:
    """Return logarithms of probabilities around their mean; for two classes, the log-odds."""
    logs = np.log(np.clip(shares, _LEAST, 1.0))
    if shares.shape[1] == 2:
        odds = logs[:, 1] - logs[:, 0]
        return np.column_stack([-odds, odds])
    centred: Floats = logs - logs.mean(axis=1, keepdims=True)
    return centred


def _rank_in(held_out: list[Floats], columns: Floats) -> Floats:
    """Return the share of held-out answers below each answer, ties counted half."""
    ranked = np.empty(columns.shape)
    for place, known in enumerate(held_out):
        below = np.searchsorted(known, columns[:, place], side="left")
        not_above = np.searchsorted(known, columns[:, place], side="right")
        ranked[:, place] = (below + not_above) / (2 * len(known))
    return ranked


def join_columns(blocks: list[Floats], X: Any, names: Sequence[str], passthrough: bool) -> Any:
    """Return the columns of the members, followed by the original ones if they pass through.

    The result is an array; sparse if X is sparse; a frame if X is one whose columns are not all
    numbers, so that a model that takes names or categories finds them.
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
    added = X.assign(**{name: columns[:, place] for place, name in enumerate(names)})
    return added[[*names, *X.columns]]


def _holds_text(X: Any) -> bool:
    """Tell whether this is a frame with columns that are not numbers."""
    return hasattr(X, "columns") and np.asarray(X[:1]).dtype.kind not in "biuf"
