"""The worth of a set of configurations on a table: the loss of their weighted blend.

Weights are found by greedy selection on held-out rows, as in the auto-ensembler, and the loss is
that of rows that the weights have not seen: of the test part, and of each half of the held-out rows
with the weights of the other half. A log loss needs only the probability of the true class, which
is linear in the weights; a squared error is a quadratic form of the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nonet.combine.greedy import select_greedily
from portfolio_store import Outcome, StoredTable

MAX_ROWS = 1500  # of each part: enough for weights, and quick enough for thousands of blends
N_PICKS = 25
_EPSILON = 1e-7
Scores = Callable[[np.ndarray, np.ndarray], np.ndarray]


class TrueProbabilities:
    """Rows of classes: the probability that each member gives the true class."""

    def __init__(self, y: np.ndarray, predictions: Sequence[np.ndarray]) -> None:
        columns = [found[np.arange(len(y)), y] for found in predictions]
        self._values = np.column_stack(columns).astype(np.float32)

    def candidate_scores(self, counts: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Return minus the log loss of the blend with each candidate added."""
        blend = self._values @ counts.astype(np.float32)
        blends = (blend[:, np.newaxis] + self._values[:, candidates]) / np.float32(counts.sum() + 1)
        scores: np.ndarray = np.log(np.maximum(blends, np.float32(_EPSILON))).mean(axis=0)
        return scores

    def loss(self, weights: np.ndarray) -> float:
        """Return the log loss of a blend."""
        return float(-np.log(np.maximum(self._values @ weights, _EPSILON)).mean())


class Errors:
    """Rows of values: the mean products of the errors of any two members."""

    def __init__(self, y: np.ndarray, predictions: Sequence[np.ndarray]) -> None:
        errors = np.column_stack(predictions).astype(float) - y[:, np.newaxis]
        self._gram = errors.T @ errors / len(y)

    def candidate_scores(self, counts: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Return minus the squared error of the blend with each candidate added."""
        products = self._gram @ counts
        total = counts @ products + 2 * products[candidates]
        scores: np.ndarray = -(total + np.diag(self._gram)[candidates]) / (counts.sum() + 1) ** 2
        return scores

    def loss(self, weights: np.ndarray) -> float:
        """Return the RMSE of a blend."""
        return float(np.sqrt(weights @ self._gram @ weights))


@dataclass(frozen=True, eq=False)
class _Part:
    """Rows on which weights are found, and rows on which they are scored."""

    fitted: TrueProbabilities | Errors
    scored: TrueProbabilities | Errors


class BlendTable:
    """A table with the predictions of all configurations that finished on it."""

    def __init__(self, table: StoredTable, outcomes: dict[str, Outcome]) -> None:
        self.name, self.task = table.name, table.task
        self.n_rows = len(table.y) + len(table.y_test)
        done = {name: found for name, found in outcomes.items() if found.held_out is not None}
        self.seconds = {name: found.seconds for name, found in outcomes.items()}
        self._positions = {name: position for position, name in enumerate(done)}
        self._parts = _parts_of(table, list(done.values()))
        self._known: dict[frozenset[str], np.ndarray] = {}

    def losses(self, names: Sequence[str]) -> np.ndarray:
        """Return the losses of the blend on held-out rows and on the test part.

        Configurations that took too long are left out; without any, the losses are infinite.
        """
        usable = frozenset(name for name in names if name in self._positions)
        if usable not in self._known:
            self._known[usable] = self._find_losses(usable)
        return self._known[usable]

    def _find_losses(self, names: frozenset[str]) -> np.ndarray:
        if not names:
            return np.full(2, np.inf)
        candidates = np.sort([self._positions[name] for name in names])
        losses = [self._score(part, candidates) for part in self._parts]
        return np.array([np.mean(losses[:2]), losses[2]])

    def _score(self, part: _Part, candidates: np.ndarray) -> float:
        way = select_greedily(
            part.fitted.candidate_scores,
            len(self._positions),
            n_rounds=N_PICKS,
            candidates=candidates,
        )
        return part.scored.loss(way.weights)


def _parts_of(table: StoredTable, outcomes: Sequence[Outcome]) -> list[_Part]:
    """Return the two halves of the held-out rows, and all of them with the test part."""
    kind = TrueProbabilities if table.n_classes else Errors
    order = np.random.default_rng(0).permutation(len(table.y))
    first, second = (
        kind(table.y[rows], [found.held_out[rows] for found in outcomes])
        for rows in (order[::2][:MAX_ROWS], order[1::2][:MAX_ROWS])
    )
    rows = order[:MAX_ROWS]
    together = kind(table.y[rows], [found.held_out[rows] for found in outcomes])
    test = kind(table.y_test, [found.test for found in outcomes])
    return [_Part(first, second), _Part(second, first), _Part(together, test)]
