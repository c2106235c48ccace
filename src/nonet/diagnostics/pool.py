"""The vote or mean of a subset of members, updated one member at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.diagnostics.ties import first_leader, shared_credit


@dataclass(frozen=True)
class Pool:
    """Sums of the weighted predictions of some members.

    ``sums`` has a column for each class, or one for values; ``mass`` is the weight behind each
    row. A row that no pooled member predicts gets a default: a random class, the prediction of the
    whole ensemble for values.
    """

    predictions: MemberPredictions
    sums: Floats
    mass: Floats

    @classmethod
    def empty(cls, predictions: MemberPredictions) -> Pool:
        """Start without members."""
        width = 1 if predictions.classes is None else len(predictions.classes)
        return cls(predictions, np.zeros((predictions.n_rows, width)), np.zeros(predictions.n_rows))

    @classmethod
    def of(cls, predictions: MemberPredictions, members: Codes) -> Pool:
        """Pool the members with the given positions."""
        pool = cls.empty(predictions)
        for member in members:
            pool = pool.add(int(member))
        return pool

    def add(self, member: int, sign: float = 1.0) -> Pool:
        """Return the pool with one more member (or, with sign -1, without it)."""
        predictions = self.predictions
        weight = np.full(predictions.n_rows, sign * predictions.weights[member])
        if predictions.present is not None:
            weight = weight * predictions.present[:, member]
        sums, output = self.sums.copy(), predictions.outputs[:, member]
        if predictions.kind == "labels":
            voting = np.flatnonzero(output >= 0)
            sums[voting, output[voting]] += weight[voting]
        else:
            values = output.reshape(predictions.n_rows, -1)  # of one target, or of each class
            sums += np.where(weight[:, np.newaxis] != 0, values, 0.0) * weight[:, np.newaxis]
        return Pool(predictions, sums, self.mass + weight)

    def drop(self, member: int) -> Pool:
        """Return the pool without one of its members."""
        return self.add(member, -1.0)

    @property
    def _is_predicted(self) -> Array:
        return np.asarray(self.mass > 1e-12)

    def losses(self) -> Floats:
        """Return the loss of each row, 0-1 or squared; a tie goes to the first class."""
        if self.predictions.kind == "values":
            return self._squared_losses()
        wrong = first_leader(self.support()) != self.predictions.truth
        return np.asarray(np.where(self._is_predicted, wrong, 1 - 1 / self.sums.shape[1]))

    def expected_losses(self) -> Floats:
        """Return the loss of each row, 0-1 or squared; a tie is broken at random."""
        if self.predictions.kind == "values":
            return self._squared_losses()
        return np.asarray(1.0 - shared_credit(self.support(), self.predictions.truth))

    def _squared_losses(self) -> Floats:
        means = np.where(self._is_predicted, self.support()[:, 0], self.predictions.prediction)
        return np.asarray((means - self.predictions.truth) ** 2)

    def support(self) -> Floats:
        """Return the fractions of the vote, or the mean, of the pooled members."""
        return np.asarray(self.sums / np.where(self._is_predicted, self.mass, 1.0)[:, np.newaxis])
