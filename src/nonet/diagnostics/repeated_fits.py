"""Fits of one learner on many samples, and their predictions of rows outside the sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn import config_context

from nonet._base.aliases import ABSTAINED, Array, Codes, Kind
from nonet._base.frames import count_rows, make_indexable, take_rows
from nonet._base.parallel import run_all
from nonet._base.progress import Steps
from nonet._base.streams import StreamUse, member_seed, stream
from nonet.members.fit import fit_member
from nonet.members.outputs import predict_member
from nonet.members.plan import MemberPlan

_READS: dict[str, Kind] = {
    "squared": "values",
    "kohavi_wolpert": "labels",
    "domingos": "labels",
    "log": "probabilities",
}

Generator = Callable[[np.random.Generator], tuple[Any, Any]]


@dataclass(frozen=True)
class RepeatedFits:
    """How to draw a sample, fit on it, and predict rows outside it."""

    estimator: Any
    X: Any
    y: Any
    X_test: Any
    draw: str | Generator
    test_size: float
    seed: int
    loss: str
    classes: Array | None
    n_seeds: int = 1

    def run(self, n_rounds: int, n_jobs: int | None) -> tuple[Array, Array]:
        """Return the predictions of all rounds, in the user's labels, and where there are any."""
        prepared = self
        if self.X is not None:
            prepared = replace(self, X=make_indexable(self.X), y=np.asarray(self.y))
        # The first round checks the parameters of the learner for all of them.
        rounds = [_fit_once(prepared, 0, n_rounds)]
        calls = [(prepared, position, n_rounds) for position in range(1, n_rounds)]
        with config_context(skip_parameter_validation=True):
            rounds += run_all(_fit_once, calls, n_jobs=n_jobs, steps=Steps("bias_variance", "fits"))
        n_rows = count_rows(self.X if self.X_test is None else self.X_test)
        first = rounds[0][1]
        blank = ABSTAINED if first.dtype.kind == "i" else 0
        predictions = np.full((n_rounds, n_rows, *first.shape[1:]), blank, dtype=first.dtype)
        present = np.zeros((n_rounds, n_rows), dtype=bool)
        for position, (rows, prediction) in enumerate(rounds):
            predictions[position, rows], present[position, rows] = prediction, True
        predictions = np.moveaxis(predictions, 0, 1)
        if self.classes is not None and predictions.ndim == 2:
            predictions = self.classes[predictions]
        return predictions, present.T

    def sample(self, position: int) -> tuple[MemberPlan, Any, Any]:
        """Return the plan of one round and the table it is about; seeds share their sample."""
        sample, number = divmod(position, self.n_seeds)
        generator = stream(self.seed, sample, StreamUse.SAMPLED_ROWS)
        seed = member_seed(self.seed, sample)
        if number:
            seed = member_seed(seed, number)
        name = f"round {position}"
        if callable(self.draw):
            X, y = self.draw(generator)
            return MemberPlan(name, self.estimator, seed=seed), X, y
        n_rows = count_rows(self.X)
        if self.draw == "bootstrap":
            counts = np.bincount(generator.integers(n_rows, size=n_rows), minlength=n_rows)
            return MemberPlan(name, self.estimator, counts=counts, seed=seed), self.X, self.y
        rows = generator.permutation(n_rows)[: n_rows - round(self.test_size * n_rows)]
        return MemberPlan(name, self.estimator, rows=np.sort(rows), seed=seed), self.X, self.y


def _fit_once(task: RepeatedFits, position: int, total: int) -> tuple[Codes, Array]:
    plan, X, y = task.sample(position)
    member = fit_member(plan, X, y, position, total)
    table, rows = task.X_test, np.arange(0)
    if table is None:
        assert member.unseen_rows is not None
        rows = member.unseen_rows
        table = take_rows(task.X, rows)
    else:
        rows = np.arange(count_rows(table))
    classes = None if task.classes is None else [task.classes]
    prediction = predict_member(member, table, _READS[task.loss], classes, position, total)[0]
    if prediction.dtype.kind == "i" and np.any(prediction == ABSTAINED):
        raise ValueError(
            "bias_variance needs a prediction for every row, but the estimator abstains on some; "
            "give it a decision rule that always names a class."
        )
    return rows, prediction
