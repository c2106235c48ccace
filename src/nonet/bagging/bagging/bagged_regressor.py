"""Base class of bagged regressors: means of predictions, with out-of-bag scores."""

from __future__ import annotations

from typing import Any, ClassVar

from nonet._base.aliases import Task
from nonet.bagging.bagging.bagged import BaggedEnsemble
from nonet.bagging.bagging.out_of_bag_scoring import OutOfBagRegressor
from nonet.trees.decision_tree import DecisionTreeRegressor


class BaggedRegressor(BaggedEnsemble, OutOfBagRegressor):
    """Parent of the bagged regressors."""

    _task: ClassVar[Task] = "regression"

    def _default_estimator(self) -> Any:
        return DecisionTreeRegressor()

    def _combine_name(self) -> Any:
        return "mean" if self.combine is None else self.combine
