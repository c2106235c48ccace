"""Base class of the histogram-based gradient boosting estimators: data and rounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.utils import check_consistent_length

from nonet._base.arrays import check_sample_weight
from nonet._base.metadata import GROUPS_ON_REQUEST
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
from nonet._base.progress import Steps
from nonet._base.streams import RANDOM_STATE
from nonet._native.data import BinnedDataset
from nonet._native.device import current_device
from nonet._native.grow import GrowParams
from nonet.boosting.gradient.device_stage import DeviceStage
from nonet.boosting.gradient.early_stopping.metrics import make_score
from nonet.boosting.gradient.early_stopping.round_watch import RoundWatch
from nonet.boosting.gradient.early_stopping.stop_rules import Stalled
from nonet.boosting.gradient.newton_boosting import TreeBoosting
from nonet.boosting.gradient.newton_stage import NewtonStage
from nonet.boosting.gradient.round_progress import RoundProgress
from nonet.boosting.gradient.rounds import RoundGrower, Watcher, run_rounds
from nonet.boosting.gradient.rows import Rows, TrainingRowsView
from nonet.trees.binned_table import fit_arguments
from nonet.trees.category_columns import CATEGORIES_RULE

# Minimum sum of hessians in a leaf, as in scikit-learn.
_MIN_HESSIAN = 1e-3
# As in scikit-learn, rarer categories are not ordered, and the order is smoothed by this hessian.
_CATEGORY_ROWS = 10.0
# The same limit for columns with more categories than scikit-learn allows.
_MANY_CATEGORY_ROWS = 30.0
# The number of rows above which early_stopping='auto' is enabled.
_MANY_ROWS = 10_000
# The maximum number of training rows that a scorer reads.
_SCORED_TRAINING_ROWS = 10_000

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
    """Parent of the two estimators; children define the loss and the targets."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    _rounds_name: ClassVar[str] = "max_iter"
    _takes_sparse = False  # as in scikit-learn

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        groups: Any = None,
    ) -> Any:
        """Grow the trees.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or BinnedTable
            Rows; NaN is a missing value. Or a bins file (`make_bins`).
        y : array-like of shape (n_samples,)
            Targets; None for those of a bins file, whose weights are taken, too.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; a weight of 2 is equivalent to a repeated row.
        X_val, y_val : array-like, default=None
            Rows and targets for early stopping; otherwise some training rows are held out.
        sample_weight_val : array-like, default=None
            Weights of these rows.
        groups : array-like of shape (n_samples,), default=None
            Groups of rows that stay together if rows are held out: for early stopping, and in the
            folds on which ``decide`` is tuned.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        y, sample_weight = fit_arguments(self, X, y, sample_weight)
        earlier = self._earlier_rounds()
        end, goes_on = self._last_round(earlier), earlier is not None
        table = self._learn_columns(X, goes_on=goes_on)
        target, weights = self._read_target(y, sample_weight, len(table), goes_on=goes_on)
        given = self._check_validation(X_val, y_val, sample_weight_val)
        if not goes_on:
            self._draw_seeds()
            self.train_score_, self.validation_score_ = np.empty(0), np.empty(0)
        check_consistent_length(table, groups)
        rule = self._plan_decide()
        training, validation = self._hold_out(Rows(table, target, weights), given, groups)
        self._start_booster(training, earlier)
        self._begin_decide(rule, X, target)
        self._boost(training, validation, end)
        self._tune_decide(rule, X, target, {"sample_weight": sample_weight, "groups": groups})
        self._warn_of_light_rows(weights, self.l2_regularization)
        return self

    # ---- Data ----------------------------------------------------------------------------------

    def _check_validation(self, X_val: Any, y_val: Any, sample_weight_val: Any) -> Rows | None:
        if X_val is None and y_val is None:
            return None
        if X_val is None or y_val is None:
            lacking = "X_val" if X_val is None else "y_val"
            raise ValueError(f"X_val and y_val go together, but {lacking} is not given.")
        if self.early_stopping is False:
            raise ValueError(
                "X_val and y_val are for early stopping, but early_stopping is False; omit them, "
                "or set early_stopping to 'auto' or True."
            )
        table = self._check_rows(X_val)
        if len(table) != len(y_val):
            raise ValueError(
                f"X_val and y_val must have the same number of rows, got {len(table)} and "
                f"{len(y_val)}."
            )
        weights = check_sample_weight(sample_weight_val, len(table))
        return Rows(table, self._encode_known(y_val), weights)

    def _hold_out(self, whole: Rows, given: Rows | None, groups: Any) -> tuple[Rows, Rows | None]:
        """Split the rows into those to fit and those to stop by, unless the latter are given."""
        auto, n_rows = self.early_stopping == "auto", len(whole.target)
        self.do_early_stopping_ = n_rows > _MANY_ROWS if auto else bool(self.early_stopping)
        if not self.do_early_stopping_:
            return whole, None
        if given is not None or self.validation_fraction is None:
            return whole, given
        strata, fraction = self._strata(whole.target), self.validation_fraction
        return whole.split(fraction, self._random_seed, strata=strata, groups=groups)

    # ---- Boosting ------------------------------------------------------------------------------

    def _boost(self, training: Rows, validation: Rows | None, end: int) -> None:
        booster = self._booster
        for rows in [training] if validation is None else [training, validation]:
            rows.scores = booster.scores(rows.X)
        dataset = self._bin(training.X, training.weights)
        params = self._grow_params(training.X.shape[1])
        watch = self._watch(training, validation) if self.do_early_stopping_ else None
        stage = self._make_stage(training, dataset, params, is_watched=watch is not None)
        if watch is not None and not booster.rounds:
            watch.look(booster)
        numbers = range(len(booster.rounds), end)
        values = dict if watch is None else watch.last
        watchers: list[Watcher] = [] if watch is None else [watch]
        with Steps(self, "rounds", self.verbose).track(len(numbers)) as progress:
            watchers.append(RoundProgress(progress, values))
            run_rounds(booster, stage, numbers, watchers)
        if watch is not None:
            self._note_results(watch)

    def _make_stage(
        self, rows: Rows, dataset: BinnedDataset, params: GrowParams, *, is_watched: bool
    ) -> RoundGrower:
        booster, rate = self._booster, self.learning_rate
        if current_device() == "cpu":
            return NewtonStage(booster.loss, rows, dataset, params, rate)
        return DeviceStage(rows, booster, dataset, params, rate, keeps_scores=is_watched)

    def _watch(self, training: Rows, validation: Rows | None) -> RoundWatch:
        scorer = None if self.scoring == "loss" else check_scoring(self, self.scoring)
        stratify, chosen = is_classifier(self), None
        if scorer is not None:
            chosen = training.sample(_SCORED_TRAINING_ROWS, self._random_seed, stratify)
        sets: dict[str, Any] = {"training": TrainingRowsView(training, chosen)}
        if validation is not None:
            sets["validation"] = validation
        stop = Stalled(self.n_iter_no_change, self.tol)
        watch = RoundWatch(self, sets, [make_score(scorer)], stop)
        earlier = {"training": self.train_score_, "validation": self.validation_score_}
        for name, by_metric in watch.results.items():
            by_metric["score"].extend(earlier[name])
        return watch

    def _note_results(self, watch: RoundWatch) -> None:
        scores = {name: np.array(by_metric["score"]) for name, by_metric in watch.results.items()}
        self.train_score_ = scores["training"]
        self.validation_score_ = scores.get("validation", self.validation_score_)

    def _grow_params(self, n_columns: int) -> GrowParams:
        return GrowParams(
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_rows_split=2 * self.min_samples_leaf,
            min_rows_leaf=self.min_samples_leaf,
            min_weight_leaf=_MIN_HESSIAN,
            l2=self.l2_regularization,
            columns_per_split=math.ceil(self.max_features * n_columns),
            monotone=self._monotone_signs("monotonic_cst"),
            interactions=self._interaction_groups("interaction_cst", n_columns),
            threshold_policy="edge",
            category_smoothing=_CATEGORY_ROWS,
            min_category_support=_CATEGORY_ROWS,
            code_order_columns=self._codes.many,
            code_order_support=_MANY_CATEGORY_ROWS,
            seed=self._column_seed,
        )
