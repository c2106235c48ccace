"""Out-of-bag scores of ensembles, and rules C that are tuned on out-of-bag rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats, Params
from nonet._base.errors import ParameterError
from nonet.bagging.bagging.out_of_bag import OutOfBag, OutOfBagCurve, warn_of_uncovered
from nonet.bagging.bagging.out_of_bag_metrics import (
    TargetsAndPredictions,
    score_error,
    score_or_nan,
    score_predictions,
)
from nonet.combine.rule import CombinationRule
from nonet.decide.rule import DecisionRule
from nonet.decide.table import resolve_decision_rule
from nonet.ensemble import (
    EnsembleClassifier,
    EnsembleRegressor,
    HeldOutPredictions,
    PerTarget,
    normalize_support,
)


class _OutOfBagScored:
    """Out-of-bag score, its standard error and its curve, for classifiers and regressors."""

    oob_score: Any

    @property
    def _scoring(self) -> Any:
        """What is scored out of bag; a stop rule that reads the score needs one."""
        return self.oob_score or getattr(self, "stop_when", None) is not None

    def _forget_score(self) -> None:
        """Drop the out-of-bag results of an earlier fit, which the new members invalidate."""
        self._curve: list[tuple[int, float]] = []
        for name in [name for name in vars(self) if name.startswith("oob_") and name[-1] == "_"]:
            delattr(self, name)

    def _watch(self, target: Array) -> Any:
        """Return a function that records the score of the first members."""

        def note(n_members: int, out_of_bag: OutOfBag) -> None:
            if self._scoring and len(out_of_bag.rows):
                predictions = self._predictions_out_of_bag(out_of_bag, target)
                self._curve.append((n_members, score_or_nan(self._scoring, predictions)))

        return note

    def _predictions_out_of_bag(self, out_of_bag: OutOfBag, target: Array) -> TargetsAndPredictions:
        raise NotImplementedError

    def _keep_score(self, out_of_bag: OutOfBag, target: Array) -> None:
        predictions = self._predictions_out_of_bag(out_of_bag, target)
        try:
            self.oob_score_ = score_predictions(self._scoring, predictions)
        except ValueError as error:
            raise ValueError(
                f"oob_score={self._scoring!r} is not defined on the {len(out_of_bag.rows)} rows "
                f"out of bag: {error}; grow more members, or choose another score."
            ) from error
        self.oob_score_error_ = score_error(self._scoring, predictions)
        self.oob_coverage_ = out_of_bag.coverage
        # C may have been tuned since the last point was recorded.
        n_members, scores = zip(
            *self._curve[:-1], (self._curve[-1][0], self.oob_score_), strict=True
        )
        self.oob_curve_ = OutOfBagCurve(np.array(n_members), np.array(scores))


class OutOfBagClassifier(_OutOfBagScored, EnsembleClassifier):
    """Parent of the classifiers that are scored, and may be tuned, out of bag."""

    def _resolve_decide(self, decide: Any, combine: CombinationRule) -> list[DecisionRule]:
        rules = super()._resolve_decide(decide, combine)
        if self._scoring and rules[0].arbiter is not None:
            raise ParameterError(
                f"{type(self).__name__}: parameter 'oob_score' must be False with an arbiter, "
                f"which has seen every row, but got {self.oob_score!r}."
            )
        return rules

    def _predicts_out_of_bag(self, rules: list[DecisionRule]) -> bool:
        return bool(self._scoring) or (self._tunes(rules) and self._leaves_rows_out())

    def _tunes(self, rules: list[DecisionRule]) -> bool:
        return rules[0].needs_held_out

    def _leaves_rows_out(self) -> bool:
        """Return whether there are members that have not seen all rows."""
        raise NotImplementedError

    def _tune_on_folds(
        self,
        rules: list[DecisionRule],
        X: Any,
        target: Array,
        sample_weight: Floats | None,
        groups: Any,
        fit_params: Params,
    ) -> None:
        """Tune C on cross-fitted support, because no member has out-of-bag rows."""
        held_out = self._cross_fitted(X, target, sample_weight, groups, fit_params)
        self.decide_ = self._bind_decide(rules, X, target, held_out, {})

    def _bind_early(self, rules: list[DecisionRule], table: Any, target: Array) -> None:
        """Bind C to the classes; use the arg max for now if C has to be tuned first."""
        if rules[0].needs_held_out:
            rules = [resolve_decision_rule("argmax", rule.classes_) for rule in rules]
        self.decide_ = self._bind_decide(rules, table, target, None, {})

    def _score_out_of_bag(
        self,
        rules: list[DecisionRule],
        table: Any,
        target: Array,
        sample_weight: Floats | None,
        out_of_bag: OutOfBag,
    ) -> None:
        """Tune C on out-of-bag support if C requires it, and store the score."""
        warn_of_uncovered(out_of_bag.coverage)
        if rules[0].needs_held_out:
            rows = out_of_bag.rows
            truth = [codes[rows] for codes in self._truth(target)]
            weight = None if sample_weight is None else sample_weight[rows]
            # F is applied already: the members that have not seen a row differ by row.
            held_out = HeldOutPredictions(list(out_of_bag.covered()), truth, weight, combined=True)
            self.decide_ = self._bind_decide(rules, table, target, held_out, {})
        if self._scoring:
            self._keep_score(out_of_bag, target)

    def _predictions_out_of_bag(self, out_of_bag: OutOfBag, target: Array) -> TargetsAndPredictions:
        supports = out_of_bag.covered()
        several = isinstance(self.decide_, PerTarget)
        predictions = self.decide_(supports if several else supports[0])
        fractions = [normalize_support(support) for support in supports]
        return TargetsAndPredictions(target[out_of_bag.rows], predictions, fractions, self.classes_)

    def _keep_score(self, out_of_bag: OutOfBag, target: Array) -> None:
        super()._keep_score(out_of_bag, target)
        pages = [support.copy() for support in out_of_bag.supports]
        for page in pages:
            page[out_of_bag.rows] = normalize_support(page[out_of_bag.rows])
        self.oob_decision_function_: Any = pages if len(pages) > 1 else pages[0]


class OutOfBagRegressor(_OutOfBagScored, EnsembleRegressor):
    """Parent of the regressors that are scored out of bag."""

    def _resolve_decide(self, decide: Any, combine: CombinationRule) -> Any:
        return self._bind_decide(decide)

    def _predicts_out_of_bag(self, decide: Any) -> bool:
        return bool(self._scoring)

    def _bind_early(self, decide: Any, table: Any, target: Array) -> None:
        self.decide_ = decide

    def _tunes(self, decide: Any) -> bool:
        return False

    def _score_out_of_bag(
        self,
        decide: Any,
        table: Any,
        target: Array,
        sample_weight: Floats | None,
        out_of_bag: OutOfBag,
    ) -> None:
        """Store the score."""
        warn_of_uncovered(out_of_bag.coverage)
        self._keep_score(out_of_bag, target)

    def _predictions_out_of_bag(self, out_of_bag: OutOfBag, target: Array) -> TargetsAndPredictions:
        return TargetsAndPredictions(target[out_of_bag.rows], self.decide_(out_of_bag.covered()[0]))

    def _keep_score(self, out_of_bag: OutOfBag, target: Array) -> None:
        super()._keep_score(out_of_bag, target)
        self.oob_prediction_ = out_of_bag.supports[0].copy()
        self.oob_prediction_[out_of_bag.rows] = self.decide_(out_of_bag.covered()[0])
