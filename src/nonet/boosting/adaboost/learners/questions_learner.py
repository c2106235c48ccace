"""Members of AdaBoost.MH that are trees of our own: all classes share columns binned once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.grow import TreeGrower
from nonet.boosting.adaboost.learners.learners import AnyLearner, LearnerTask, twin_of
from nonet.boosting.adaboost.learners.tree_learner import TreeLearner
from nonet.boosting.adaboost.methods.pairs import ClassQuestions
from nonet.members.member import Member


class QuestionsLearner(AnyLearner):
    """A tree for each class, "is it this one?", grown on weights of its own."""

    def __init__(self, task: LearnerTask) -> None:
        super().__init__(task)
        self._model = ClassQuestions(task.prototype.estimator)
        self._model.classes_ = task.rows.classes
        grower: TreeGrower | None = None
        self._learners: list[TreeLearner] = []
        for code in range(task.rows.n_classes):
            self._learners.append(TreeLearner(_task_of_class(task, code), grower))
            grower = self._learners[0].grower

    def fit(self, place: int, weights: Floats, target: Floats | None = None) -> Member:
        """Grow the trees of a round."""
        by_class = np.ascontiguousarray(weights.T)
        self._members = [
            learner.fit(place, own) for learner, own in zip(self._learners, by_class, strict=True)
        ]
        model = twin_of(self._model)
        model.estimators_ = [member.estimator for member in self._members]
        return Member(f"{type(model).__name__}[{place}]", model)

    def answer_training(self, member: Member) -> Array:
        """Read the answers off the leaves: +1 for yes and -1 for no, one column a class."""
        pairs = zip(self._learners, self._members, strict=True)
        codes = [learner.answer_training(own) for learner, own in pairs]
        return np.column_stack([2.0 * code - 1 for code in codes])


def _task_of_class(task: LearnerTask, code: int) -> LearnerTask:
    answers = np.where(task.rows.codes == code, 1, -1)
    rows = replace(task.rows, target=answers, classes=np.array([-1, 1]))
    return replace(task, prototype=task.prototype.estimator, rows=rows, kind="labels")
