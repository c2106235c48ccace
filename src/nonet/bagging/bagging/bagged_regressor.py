"""Bagged regressors: means of numbers, judged out of bag."""

from __future__ import annotations

from typing import Any, ClassVar

from nonet._base.aliases import Task
from nonet.bagging.bagging.bagged import BaggedEnsemble
from nonet.bagging.bagging.judged import JudgedRegressor
from nonet.trees.decision_tree import DecisionTreeRegressor


class BaggedRegressor(BaggedEnsemble, JudgedRegressor):
    """Parent of the bagged regressors."""

    _task: ClassVar[Task] = "regression"

    def _default_estimator(self) -> Any:
        return DecisionTreeRegressor()

    def _combine_name(self) -> Any:
        return "mean" if self.combine is None else self.combine
