"""Rows of boosted trees: training rows, evaluation sets, base margins and held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.arrays import check_sample_weight
from nonet.boosting.gradient.boosted_trees.peers.fit_arguments import name_sets
from nonet.boosting.gradient.newton_boosting import TreeBoosting
from nonet.boosting.gradient.rows import Rows


def list_pairs(eval_set: Any) -> list[Any]:
    """Return evaluation sets as a list of pairs of X and y; an empty one for None.

    Examples
    --------
    >>> list_pairs(([1, 2], [3, 4], [5, 6]))
    [[1, 2], [3, 4], [5, 6]]
    """
    if eval_set is None:
        return []
    if not isinstance(eval_set, list | tuple):
        raise _no_pairs(f"got {_describe(eval_set)}")
    for position, pair in enumerate(eval_set):
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise _no_pairs(f"entry {position} is {_describe(pair)}")
    return list(eval_set)


def _no_pairs(received: str) -> ValueError:
    return ValueError(
        f"eval_set must be a list of pairs (X, y), but {received}; a single set is given as "
        "eval_set=[(X, y)]."
    )


def _describe(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of length {len(value)}"
    shape = f" of shape {tuple(value.shape)}" if hasattr(value, "shape") else ""
    return f"an object of type {type(value).__name__}{shape}"


class BoostedRows(TreeBoosting):
    """Reads the data given to fit; the initial scores of `Rows` are their base margins."""

    def _read_training(
        self, table: Floats, y: Any, sample_weight: Any, base_margin: Any, *, goes_on: bool
    ) -> Rows:
        if not goes_on:
            self._has_margin = base_margin is not None
        target, weights = self._read_target(y, sample_weight, table.shape[0], goes_on=goes_on)
        margin = self._read_margin(base_margin, table.shape[0], self._make_loss().n_scores)
        return Rows(table, target, weights, margin)

    def _read_margin(self, base_margin: Any, n_rows: int, n_scores: int) -> Floats:
        """Return margins as scores of shape (n_scores, n_rows), zeros if there are none."""
        if base_margin is None and self._has_margin:
            raise ValueError(
                f"{type(self).__name__} was fitted with base_margin (init_score) and needs a "
                "base_margin here as well; pass zeros for none."
            )
        if base_margin is None:
            return np.zeros((n_scores, n_rows))
        if not self._has_margin:
            raise ValueError(
                f"{type(self).__name__} was fitted without base_margin, so none can be given here."
            )
        margin = np.asarray(base_margin, dtype=np.float64)
        columns = margin[:, np.newaxis] if margin.ndim == 1 else margin
        if columns.shape != (n_rows, n_scores) or not np.isfinite(columns).all():
            raise ValueError(
                f"base_margin must hold finite numbers of shape ({n_rows}, {n_scores}), got shape "
                f"{margin.shape}{' with others' if columns.shape == (n_rows, n_scores) else ''}."
            )
        return np.ascontiguousarray(columns.T)

    def _as_set(self, X_val: Any, y_val: Any) -> list[Any]:
        if X_val is None and y_val is None:
            return []
        if X_val is None or y_val is None:
            lacking = "X_val" if X_val is None else "y_val"
            raise ValueError(f"X_val and y_val go together, but {lacking} is not given.")
        return [(X_val, y_val)]

    def _read_sets(
        self, pairs: Sequence[Any], names: Any, weights: Any, margins: Any
    ) -> dict[str, Rows]:
        return {
            name: self._read_set(
                position,
                pair,
                self._of_set(weights, "sample_weight_eval_set", position, len(pairs)),
                self._of_set(margins, "base_margin_eval_set", position, len(pairs)),
            )
            for position, (name, pair) in enumerate(
                zip(name_sets(names, len(pairs)), pairs, strict=True)
            )
        }

    def _of_set(self, of_sets: Any, name: str, position: int, n_sets: int) -> Any:
        if of_sets is None:
            return None
        if len(of_sets) != n_sets:
            raise ValueError(
                f"{name} must hold one entry for each of the {n_sets} evaluation sets, got "
                f"{len(of_sets)}."
            )
        return of_sets[position]

    def _read_set(self, position: int, pair: Any, sample_weight: Any, base_margin: Any) -> Rows:
        try:
            table, target = self._check_rows(pair[0]), self._encode_known(pair[1])
        except (TypeError, ValueError) as why:
            family = TypeError if isinstance(why, TypeError) else ValueError
            raise family(f"evaluation set {position}: {' '.join(str(why).split())}") from why
        if table.shape[0] != len(target):
            raise ValueError(
                "X and y of an evaluation set must have the same number of rows, got "
                f"{table.shape[0]} and {len(target)} in set {position}."
            )
        loss = self._make_loss()
        loss.check_targets(target)
        weights = check_sample_weight(sample_weight, table.shape[0])
        margin = self._read_margin(base_margin, table.shape[0], loss.n_scores)
        return Rows(table, target, weights, margin)

    def _hold_out(
        self, rows: Rows, sets: dict[str, Rows], groups: Any
    ) -> tuple[Rows, dict[str, Rows]]:
        """Hold out rows for early stopping, unless there are evaluation sets."""
        if self.early_stopping_rounds is None or sets:
            return rows, sets
        split = self.validation_split
        if hasattr(split, "split"):
            *_, (kept, held_out) = split.split(rows.X, self._labels_of(rows.target), groups)
            training, validation = rows.take(kept), rows.take(held_out)
        else:
            strata = self._strata(rows.target)
            training, validation = rows.split(
                split, self._random_seed, strata=strata, groups=groups
            )
        return training, {"validation_0": validation}
