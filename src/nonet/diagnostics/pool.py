"""The vote or mean of any part of the members, one member added or taken away at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet.diagnostics.answers import MemberAnswers, shared_credit


@dataclass(frozen=True)
class Pool:
    """Sums of the weighted answers of some members.

    ``sums`` has a column for each class, or one for values; ``mass`` is the weight behind each
    row. Losses are 0-1 with ties shared out, or squared.
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
            sums[:, 0] += np.where(weight != 0, output, 0.0) * weight
        return Pool(answers, sums, self.mass + weight)

    def drop(self, member: int) -> Pool:
        """Return the pool without one of its members."""
        return self.add(member, -1.0)

    def losses(self) -> Floats:
        """Return the loss of each row.

        A row that no pooled member answers is guessed: a coin for classes, the answer of the
        whole ensemble for values.
        """
        answered = self.mass > 1e-12
        if self.answers.kind == "labels":
            return np.asarray(1.0 - shared_credit(self.sums, self.answers.truth))
        means = self.sums[:, 0] / np.where(answered, self.mass, 1.0)
        means = np.where(answered, means, self.answers.answer)
        return np.asarray((means - self.answers.truth) ** 2)

    def support(self) -> Floats:
        """Return the shares of the vote for each class."""
        return np.asarray(self.sums / np.maximum(self.mass, 1e-300)[:, np.newaxis])
