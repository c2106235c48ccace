"""What the two estimators of boosted trees share: the story of fit, rounds, scores."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.params import Rule, check_params
from nonet._base.warn import warn_caller
from nonet._native.tree import Tree
from nonet.boosting.gradient.boosted_trees.boosted_rows import BoostedRows
from nonet.boosting.gradient.boosted_trees.boosted_trees_params import (
    COMMON_RULES,
    check_params_together,
    columns_a_tree,
    dropout_of,
    grow_params,
    row_sampling,
)
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.eval_sets import EvalLog, read_metrics
from nonet.boosting.gradient.round_callbacks import (
    CallbackSupportMixin,
    RoundCallbacks,
    with_callbacks,
)
from nonet.boosting.gradient.score_watch import Rows
from nonet.boosting.gradient.stage import Stage

_INHERITED = (
    "_codes",
    "is_categorical_",
    "n_features_in_",
    "feature_names_in_",
    "classes_",
    "_n_outputs",
    "_random_seed",
    "_column_seed",
    "_has_margin",
)


class BoostedTrees(CallbackSupportMixin, BoostedRows):
    """Parent of the two estimators; children say what the loss and the targets are."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    _rules: ClassVar[Mapping[str, Rule]] = COMMON_RULES

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        base_margin: Any = None,
        eval_set: Any = None,
        sample_weight_eval_set: Any = None,
        base_margin_eval_set: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        groups: Any = None,
        init_model: Any = None,
    ) -> Any:
        """Grow the trees.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; a weight of 2 means that the row is there twice.
        base_margin : array-like of shape (n_samples,) or (n_samples, n_scores), default=None
            Scores from which boosting begins, in place of a constant; later rows need theirs too.
        eval_set : list of (X, y), default=None
            Sets that are scored after every round; the last one decides about stopping early.
        sample_weight_eval_set, base_margin_eval_set : list of array-like, default=None
            Weights and margins of the rows of each of these sets.
        X_val, y_val : array-like, default=None
            One more set, the last one: the spelling of scikit-learn.
        groups : array-like of shape (n_samples,), default=None
            Groups of rows that stay together when rows are held out.
        init_model : fitted estimator of this kind, default=None
            A model whose rounds come before the new ones.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        check_params_together(self)
        earlier = self._inherit(init_model)
        table = self._learn_columns(X, goes_on=bool(earlier))
        rows = self._read_training(table, y, sample_weight, base_margin, goes_on=bool(earlier))
        sets = self._read_sets(
            [*(eval_set or []), *self._as_set(X_val, y_val)],
            sample_weight_eval_set,
            base_margin_eval_set,
        )
        if not earlier:
            self._draw_seeds()
        rows, sets = self._hold_out(rows, sets, groups)
        self._start(rows, earlier)
        metadata = None if sample_weight is None else {"sample_weight": sample_weight}
        self._boost(rows, sets, {"X": X, "y": y, "metadata": metadata})
        self._warn_of_light_rows(rows.weights, self.reg_lambda)
        return self

    # ---- Before the rounds ---------------------------------------------------------------------

    def _inherit(self, init_model: Any) -> Booster | None:
        """Find the booster to go on with, and take over what its columns and targets mean."""
        model = init_model
        if model is None and self.warm_start and hasattr(self, "_booster"):
            model = self
        if model is None:
            return None
        if type(model) is not type(self):
            raise TypeError(
                f"init_model must be a fitted {type(self).__name__}, but got {model!r}."
            )
        check_is_fitted(model)
        for name in _INHERITED:
            if hasattr(model, name):
                setattr(self, name, getattr(model, name))
        used: Booster = model._booster
        return Booster(used.loss, used.start, used.rounds[: model.best_iteration_])

    def _start(self, rows: Rows, earlier: Booster | None) -> None:
        loss, start = self._checked_loss(rows.target, rows.weights)
        if earlier is None:
            self._booster = Booster(loss, np.zeros_like(start) if self._has_margin else start)
        else:
            self._booster = earlier
        self.n_trees_per_iteration_ = loss.n_scores

    def _last_round(self, goes_on_from: int) -> int:
        if not self.warm_start:
            return goes_on_from + int(self.n_estimators)
        if self.n_estimators >= goes_on_from:
            return int(self.n_estimators)
        raise ValueError(
            f"n_estimators must be at least n_iter_={goes_on_from} when warm_start=True, got "
            f"{self.n_estimators}."
        )

    # ---- Rounds --------------------------------------------------------------------------------

    def _boost(self, rows: Rows, sets: Mapping[str, Rows], data: Mapping[str, Any]) -> None:
        booster, first = self._booster, self.n_iter_
        end = self._last_round(first)
        for part in [rows, *sets.values()]:
            part.scores = part.scores + booster.scores(part.X)
        log = EvalLog(self, sets, read_metrics(self, self.eval_metric))
        callbacks = RoundCallbacks(self, end - first, data)
        self.interrupted_, complete = False, (booster.rounds, first)
        try:
            for number, trees in self._rounds(rows, sets, range(first, end), callbacks):
                booster.rounds.append(trees)
                log.follow(trees)
                log.look(booster)
                complete = booster.rounds, number + 1
                self._report(number, first, end, log)
                is_enough = log.is_enough(self.early_stopping_rounds, number + 1 - first)
                if callbacks.end_round(self._as_it_is) or is_enough:
                    break
        except KeyboardInterrupt:
            if self.on_interrupt == "raise" or not complete[1]:
                raise
            self._keep_complete_rounds(*complete, log, first, end)
        self._note_results(log, first)
        callbacks.end(self._as_it_is)

    def _rounds(
        self,
        rows: Rows,
        sets: Mapping[str, Rows],
        numbers: range,
        callbacks: RoundCallbacks,
    ) -> Iterator[tuple[int, list[Tree]]]:
        """Grow the trees of one round after another."""
        stage = Stage(
            self._booster.loss,
            self._bin(rows.X, rows.weights),
            rows.target,
            rows.weights,
            rows.scores,
            sampling=row_sampling(self),
            X=rows.X,
            columns_a_tree=columns_a_tree(self),
            has_vector_leaves=self.multi_strategy == "multi_output_tree",
        )
        params, dropout = grow_params(self), dropout_of(self)
        parts = [rows, *sets.values()]
        self._began = time.perf_counter()

        def grow(share: float) -> list[Tree]:
            return stage.add_round(params, self.learning_rate * share, number)

        for number in numbers:
            callbacks.begin_round()
            if dropout is None:
                yield number, grow(1.0)
            else:
                yield number, dropout.add_round(self._booster, parts, number, grow)

    def _as_it_is(self) -> dict[str, Any]:
        """Give what a copy of this estimator needs to answer as after the last round."""
        booster = self._booster.copy()
        return {"_booster": booster, "best_iteration_": len(booster.rounds)}

    def _keep_complete_rounds(
        self, rounds: list[list[Tree]], n_complete: int, log: EvalLog, first: int, end: int
    ) -> None:
        """Go back to the last round that was grown and scored as a whole."""
        self._booster.rounds = rounds[:n_complete]
        log.cut(n_complete - first)
        self.interrupted_ = True
        warn_caller(
            f"fit was interrupted; the {n_complete} of {end} rounds that are done are kept."
        )

    def _report(self, number: int, first: int, end: int, log: EvalLog) -> None:
        if not self.verbose or (number + 1 - first) % int(self.verbose):
            return
        a_round = (time.perf_counter() - self._began) / (number + 1 - first)
        words = [f"round {number + 1} of {end}"]
        words += [f"{name} {value:.6g}" for name, value in log.last().items()]
        words.append(f"at most {a_round * (end - number - 1):.1f} s left")
        print(", ".join(words))

    def _note_results(self, log: EvalLog, first: int) -> None:
        self.evals_result_ = log.results
        best = log.best() if self._booster.rounds[first:] else None
        stops = best is not None and self.early_stopping_rounds is not None
        self.best_iteration_ = first + best[0] if stops and best else self.n_iter_
        self.best_score_ = None if best is None else best[1]

    # ---- Scores --------------------------------------------------------------------------------

    def _scores(self, X: Any, base_margin: Any = None, iteration_range: Any = None) -> Floats:
        if self._ready_scores is not None:
            return self._ready_scores
        check_is_fitted(self, "_booster")
        table = self._check_rows(X)
        margin = self._read_margin(base_margin, len(table))
        return self._booster.scores(table, self._read_range(iteration_range)) + margin

    def _answering_rounds(self) -> list[list[Tree]]:
        return self._booster.rounds[: self.best_iteration_]

    def _staged_scores(self, X: Any, base_margin: Any = None) -> Iterator[Floats]:
        check_is_fitted(self, "_booster")
        table = self._check_rows(X)
        margin = self._read_margin(base_margin, len(table))
        return (scores + margin for scores in self._booster.staged_scores(table))

    def _read_range(self, iteration_range: Any) -> slice:
        if iteration_range is None:
            return slice(0, self.best_iteration_)
        try:
            first, end = (int(number) for number in iteration_range)
        except (TypeError, ValueError):
            first, end = -1, -1
        if not 0 <= first <= end <= self.n_iter_:
            raise ValueError(
                "iteration_range must be (first, end) with 0 <= first <= end <= "
                f"n_iter_={self.n_iter_}, but got {iteration_range!r}."
            )
        return slice(first, end)
