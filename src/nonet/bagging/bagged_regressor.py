"""Bagged regressors: means of numbers, judged out of bag."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.metrics import r2_score
from sklearn.tree import DecisionTreeRegressor

from nonet._base.aliases import Array, Task
from nonet.bagging.bagged import BaggedEnsemble
from nonet.bagging.out_of_bag import combine_out_of_bag, score_answers
from nonet.combine.rule import CombinationRule
from nonet.ensemble import EnsembleRegressor


class BaggedRegressor(BaggedEnsemble, EnsembleRegressor):
    """Parent of the bagged regressors."""

    _task: ClassVar[Task] = "regression"

    def _default_estimator(self) -> Any:
        return DecisionTreeRegressor()

    def _combine_name(self) -> Any:
        return "mean" if self.combine is None else self.combine

    def _resolve_decide(self, decide: Any, combine: CombinationRule) -> Any:
        return self._bind_decide(decide)

    def _settle(self, decide: Any, table: Any, target: Array) -> None:
        """Remember C, and take the out-of-bag score if one is asked for."""
        self.decide_ = decide
        if self.oob_score:
            self._take_score(table, target)

    def _take_score(self, table: Any, target: Array) -> None:
        out_of_bag = combine_out_of_bag(self._ask_out_of_bag(table), [self.combine_])
        rows = out_of_bag.rows
        self.oob_prediction_ = out_of_bag.supports[0]
        self.oob_prediction_[rows] = self.decide_(out_of_bag.covered()[0])
        scoring = r2_score if self.oob_score is True else self.oob_score
        self.oob_score_ = score_answers(scoring, target[rows], self.oob_prediction_[rows])
        self.oob_coverage_ = out_of_bag.coverage
