"""The vote or mean of any part of the members, one member added or taken away at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.diagnostics.answers import MemberAnswers
from nonet.diagnostics.ties import first_leader, shared_credit


@dataclass(frozen=True)
class Pool:
    """Sums of the weighted answers of some members.

    ``sums`` has a column for each class, or one for values; ``mass`` is the weight behind each
    row. A row that no pooled member answers is guessed: a coin for classes, the answer of the
    whole ensemble for values.
    """

    answers: MemberAnswers
    sums: Floats
    mass: Floats

    @classmethod
    def empty(cls, answers: MemberAnswers) -> Pool:
        """Start without members."""
        width = 1 if answers.classes is None else len(answers.classes)
        return cls(answers, np.zeros((answers.n_rows, width)), np.zeros(answers.n_rows))

    @classmethod
    def of(cls, answers: MemberAnswers, members: Codes) -> Pool:
        """Pool the members with the given positions."""
        pool = cls.empty(answers)
        for member in members:
            pool = pool.add(int(member))
        return pool

    def add(self, member: int, sign: float = 1.0) -> Pool:
        """Return the pool with one more member (or, with sign -1, without it)."""
        answers = self.answers
        weight = np.full(answers.n_rows, sign * answers.weights[member])
        if answers.present is not None:
            weight = weight * answers.present[:, member]
        sums, output = self.sums.copy(), answers.outputs[:, member]
        if answers.kind == "labels":
            speaking = np.flatnonzero(output >= 0)
            sums[speaking, output[speaking]] += weight[speaking]
        else:
            values = output.reshape(answers.n_rows, -1)  # of one target, or of each class
            sums += np.where(weight[:, np.newaxis] != 0, values, 0.0) * weight[:, np.newaxis]
        return Pool(answers, sums, self.mass + weight)

    def drop(self, member: int) -> Pool:
        """Return the pool without one of its members."""
        return self.add(member, -1.0)

    @property
    def _is_answered(self) -> Array:
        return np.asarray(self.mass > 1e-12)

    def losses(self) -> Floats:
        """Return the loss of each row, 0-1 or squared; a tie goes to the first class."""
        if self.answers.kind == "values":
            return self._squared_losses()
        wrong = first_leader(self.support()) != self.answers.truth
        return np.asarray(np.where(self._is_answered, wrong, 1 - 1 / self.sums.shape[1]))

    def expected_losses(self) -> Floats:
        """Return the loss of each row, 0-1 or squared; a tie is drawn among its classes."""
        if self.answers.kind == "values":
            return self._squared_losses()
        return np.asarray(1.0 - shared_credit(self.support(), self.answers.truth))

    def _squared_losses(self) -> Floats:
        means = np.where(self._is_answered, self.support()[:, 0], self.answers.answer)
        return np.asarray((means - self.answers.truth) ** 2)

    def support(self) -> Floats:
        """Return the fractions of the vote, or the mean, of the pooled members."""
        return np.asarray(self.sums / np.where(self._is_answered, self.mass, 1.0)[:, np.newaxis])
