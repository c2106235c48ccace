"""What the two estimators of gradient boosting on histograms share: data, rounds, answers."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring
from sklearn.model_selection import train_test_split
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.params import (
    Anything,
    ArrayLike,
    Boolean,
    Choice,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
    check_params,
)
from nonet._base.streams import RANDOM_STATE
from nonet._native.grow import GrowParams
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.score_watch import Rows, ScoreWatch
from nonet.boosting.gradient.stage import Stage
from nonet.boosting.gradient.tree_boosting import TreeBoosting
from nonet.trees.category_columns import CATEGORIES_RULE

# Leaves must hold this much hessian, as in scikit-learn.
_LEAST_HESSIAN = 1e-3
# Categories of fewer rows stay out of the order, which is smoothed by as much hessian, as there.
_CATEGORY_ROWS = 10.0
# In columns of more categories than scikit-learn takes, so many rows; others have their codes.
_MANY_CATEGORY_ROWS = 30.0
# From this many rows on, early_stopping='auto' stops early.
_MANY_ROWS = 10_000

COMMON_RULES: Mapping[str, Rule] = {
    "learning_rate": Real(0, open_low=True),
    "max_iter": Integer(1),
    "max_leaf_nodes": Nothing() | Integer(2),
    "max_depth": Nothing() | Integer(1),
    "min_samples_leaf": Integer(1),
    "l2_regularization": Real(0),
    "max_features": Real(0, 1, open_low=True),
    "max_bins": Integer(2, 255),
    "categorical_features": CATEGORIES_RULE,
    "monotonic_cst": Nothing() | Instance("a dict", dict) | ArrayLike(),
    "interaction_cst": Nothing()
    | Choice("pairwise", "no_interactions")
    | Instance("a list or tuple of groups of columns", list, tuple),
    "warm_start": Boolean(),
    "early_stopping": Choice("auto") | Boolean(),
    "scoring": Anything(),
    "validation_fraction": Nothing() | Integer(1) | Real(0, 1, open_low=True, open_high=True),
    "n_iter_no_change": Integer(1),
    "tol": Real(0),
    "verbose": Boolean() | Integer(0),
    "random_state": RANDOM_STATE,
}


class HistGradientBoosting(TreeBoosting):
    """Parent of the two estimators; children say what the loss and the targets are."""

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Any:
        """Grow the trees.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; a weight of 2 means that the row is there twice.
        X_val, y_val : array-like, default=None
            Rows and targets to stop early by; otherwise a part of the training rows is held out.
        sample_weight_val : array-like, default=None
            Weights of these rows.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        goes_on = self.warm_start and hasattr(self, "_booster")
        table = self._learn_columns(X, goes_on=goes_on)
        target, weights = self._check_target(y, sample_weight, len(table), goes_on=goes_on)
        given = self._check_validation(X_val, y_val, sample_weight_val)
        if not goes_on:
            self._draw_seeds()
        training, validation = self._hold_out(table, target, weights, given)
        self._start(training, goes_on)
        self._boost(training, validation)
        self._warn_of_light_rows(weights, self.l2_regularization)
        return self

    # ---- Data ----------------------------------------------------------------------------------

    def _check_validation(self, X_val: Any, y_val: Any, sample_weight_val: Any) -> Any:
        if X_val is None and y_val is None:
            return None
        if X_val is None or y_val is None:
            lacking = "X_val" if X_val is None else "y_val"
            raise ValueError(f"X_val and y_val go together, but {lacking} is not given.")
        if self.early_stopping is False:
            raise ValueError(
                "X_val and y_val are for stopping early, but early_stopping is False; leave them "
                "out, or set early_stopping to 'auto' or True."
            )
        table = self._check_rows(X_val)
        if len(table) != len(y_val):
            raise ValueError(
                f"X_val and y_val must have the same number of rows, got {len(table)} and "
                f"{len(y_val)}."
            )
        return table, self._encode_known(y_val), self._check_weights(sample_weight_val, table)

    def _hold_out(
        self, table: Floats, target: Array, weights: Floats | None, given: Any
    ) -> tuple[Any, Any]:
        """Part the rows in those to fit and those to stop by, either (X, target, weights)."""
        auto = self.early_stopping == "auto"
        self.do_early_stopping_ = len(table) > _MANY_ROWS if auto else bool(self.early_stopping)
        whole = (table, target, weights)
        if given is not None or not self.do_early_stopping_ or self.validation_fraction is None:
            return whole, given if self.do_early_stopping_ else None
        arrays = [part for part in whole if part is not None]
        parts = train_test_split(
            *arrays,
            test_size=self.validation_fraction,
            stratify=self._strata(target),
            random_state=self._random_seed,
        )
        missing = [None] if weights is None else []
        return tuple(parts[::2] + missing), tuple(parts[1::2] + missing)

    # ---- Boosting ------------------------------------------------------------------------------

    def _start(self, training: Any, goes_on: bool) -> None:
        _, target, weights = training
        if goes_on:
            if self.max_iter < self.n_iter_:
                raise ValueError(
                    f"max_iter must be at least n_iter_={self.n_iter_} when warm_start=True, got "
                    f"{self.max_iter}."
                )
            self._booster = self._booster.copy()
            return
        loss, start = self._checked_loss(target, weights)
        self._booster = Booster(loss, start)
        self.n_trees_per_iteration_ = loss.n_scores
        self.train_score_: Any = np.empty(0)
        self.validation_score_: Any = np.empty(0)

    def _boost(self, training: Any, validation: Any) -> None:
        rows = self._scored(training)
        held_out = None if validation is None else self._scored(validation)
        watch = self._watch(rows, held_out) if self.do_early_stopping_ else None
        dataset = self._bin(rows.X, rows.weights)
        stage = Stage(self._booster.loss, dataset, rows.target, rows.weights, rows.scores)
        params = self._grow_params(rows.X.shape[1])
        if watch is not None and not self._booster.rounds:
            watch.look(self._booster)
        for number in range(self.n_iter_, self.max_iter):
            began = time.perf_counter()
            trees = stage.add_round(params, self.learning_rate, number)
            self._booster.rounds.append(trees)
            if watch is not None:
                watch.follow(trees)
                watch.look(self._booster)
            self._report(number, trees, watch, time.perf_counter() - began)
            if watch is not None and watch.is_enough(self.n_iter_no_change, self.tol):
                break
        if watch is not None:
            self.train_score_ = np.array(watch.train_score)
            self.validation_score_ = np.array(watch.validation_score)

    def _scored(self, part: Any) -> Rows:
        X, target, weights = part
        return Rows(X, target, weights, self._booster.scores(X))

    def _watch(self, training: Rows, validation: Rows | None) -> ScoreWatch:
        scorer = None if self.scoring == "loss" else check_scoring(self, self.scoring)
        watch = ScoreWatch(self, scorer, training, validation, self._random_seed)
        watch.train_score = list(self.train_score_)
        watch.validation_score = list(self.validation_score_)
        return watch

    def _report(
        self, number: int, trees: list[Any], watch: ScoreWatch | None, seconds: float
    ) -> None:
        if not self.verbose:
            return
        words = [f"round {number + 1} of {self.max_iter}"]
        words.append(f"{sum(tree.n_leaves for tree in trees)} leaves")
        if watch is not None:
            words.append(f"training score {watch.train_score[-1]:.5g}")
            if watch.validation is not None:
                words.append(f"validation score {watch.validation_score[-1]:.5g}")
        words.append(f"{seconds:.3f} s")
        words.append(f"at most {seconds * (self.max_iter - number - 1):.0f} s left")
        print(", ".join(words))

    def _grow_params(self, n_columns: int) -> GrowParams:
        return GrowParams(
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_rows_split=2 * self.min_samples_leaf,
            min_rows_leaf=self.min_samples_leaf,
            min_weight_leaf=_LEAST_HESSIAN,
            l2=self.l2_regularization,
            columns_a_split=math.ceil(self.max_features * n_columns),
            monotone=self._monotone_signs("monotonic_cst"),
            interactions=self._interaction_groups("interaction_cst", n_columns),
            threshold_policy="edge",
            category_smoothing=_CATEGORY_ROWS,
            min_category_support=_CATEGORY_ROWS,
            code_order_columns=self._codes.many,
            code_order_support=_MANY_CATEGORY_ROWS,
            seed=self._column_seed,
        )

    # ---- Answers -------------------------------------------------------------------------------

    def _scores(self, X: Any) -> Floats:
        if self._ready_scores is not None:
            return self._ready_scores
        check_is_fitted(self, "_booster")
        return self._booster.scores(self._check_rows(X))

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        check_is_fitted(self, "_booster")
        return self._booster.staged_scores(self._check_rows(X))
