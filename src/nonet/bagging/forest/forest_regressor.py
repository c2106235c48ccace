"""Base class of regression forests: mean predictions, with out-of-bag scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nonet._base.aliases import Floats, Task
from nonet._base.params import Choice, Rule
from nonet.bagging.bagging.out_of_bag_scoring import OutOfBagRegressor
from nonet.bagging.forest.forest import Forest
from nonet.trees.criteria import REGRESSION_CRITERIA


class ForestRegressor(Forest, OutOfBagRegressor):
    """Parent of the regression forests."""

    _task: ClassVar[Task] = "regression"
    _rules: ClassVar[Mapping[str, Rule]] = {
        **Forest._rules,
        "criterion": Choice(*REGRESSION_CRITERIA),
    }

    def _n_classes_by_target(self) -> tuple[int, ...]:
        return (1,) * self.n_outputs_

    def _by_target(self, sums: Floats) -> list[Floats]:
        return [sums[:, 0] if self.n_outputs_ == 1 else sums]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.positive_only = self.criterion == "poisson"
        return tags
