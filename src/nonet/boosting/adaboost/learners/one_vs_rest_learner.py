"""Native trees as members of AdaBoost.MH: all classes share columns that are binned once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.grow import TreeGrower
from nonet.boosting.adaboost.learners.learners import AnyLearner, LearnerTask, shallow_copy
from nonet.boosting.adaboost.learners.tree_learner import TreeLearner
from nonet.boosting.adaboost.methods.multiclass_methods import OneVsRestMember
from nonet.members.member import Member


class OneVsRestLearner(AnyLearner):
    """One tree per class that separates it from the rest, each grown on its own weights."""

    def __init__(self, task: LearnerTask) -> None:
        super().__init__(task)
        self._model = OneVsRestMember(task.prototype.estimator)
        self._model.classes_ = task.rows.classes
        grower: TreeGrower | None = None
        self._learners: list[TreeLearner] = []
        for code in range(task.rows.n_classes):
            self._learners.append(TreeLearner(_task_of_class(task, code), grower))
            grower = self._learners[0].grower

    def fit(self, position: int, weights: Floats, target: Floats | None = None) -> Member:
        """Grow the trees of a round."""
        by_class = np.ascontiguousarray(weights.T)
        self._members = [
            learner.fit(position, own)
            for learner, own in zip(self._learners, by_class, strict=True)
        ]
        model = shallow_copy(self._model)
        model.estimators_ = [member.estimator for member in self._members]
        return Member(f"{type(model).__name__}[{position}]", model)

    def predict_training(self, member: Member) -> Array:
        """Return the predictions of the leaves: +1 for the class and -1 for the rest, per class."""
        pairs = zip(self._learners, self._members, strict=True)
        codes = [learner.predict_training(own) for learner, own in pairs]
        return np.column_stack([2.0 * code - 1 for code in codes])


def _task_of_class(task: LearnerTask, code: int) -> LearnerTask:
    predictions = np.where(task.rows.codes == code, 1, -1)
    rows = replace(task.rows, target=predictions, classes=np.array([-1, 1]))
    return replace(task, prototype=task.prototype.estimator, rows=rows, kind="labels")
