"""Base class of the boosted trees estimators: fit, rounds and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from operator import index
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.errors import show
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.params import Rule, bad_parameter, check_params
from nonet._base.progress import Steps
from nonet._base.warn import warn_caller
from nonet._native.device import current_device, refuse_device
from nonet._native.runtime import available_cores, limit_threads
from nonet._native.tree import Tree
from nonet.boosting.gradient.boosted_trees.auto_settings import (
    CHOSEN,
    Settings,
    choose_settings,
)
from nonet.boosting.gradient.boosted_trees.bag_folds import check_groups, count_present
from nonet.boosting.gradient.boosted_trees.bagged_stage import BaggedStage, HeldOutWatch
from nonet.boosting.gradient.boosted_trees.boosted_rows import list_pairs
from nonet.boosting.gradient.boosted_trees.boosted_trees_params import (
    COMMON_RULES,
    boosted_tree_params,
    check_params_together,
    columns_per_tree,
    dropout_of,
    row_sampling,
)
from nonet.boosting.gradient.boosted_trees.complete_rounds import CompleteRounds
from nonet.boosting.gradient.boosted_trees.peers.callbacks import CallbackRequests
from nonet.boosting.gradient.boosted_trees.peers.fit_arguments import translate_fit
from nonet.boosting.gradient.boosted_trees.peers.interface import PeerInterface
from nonet.boosting.gradient.boosted_trees.peers.predict_arguments import (
    score_contributions,
    translate_predict,
)
from nonet.boosting.gradient.boosted_trees.peers.starting_score import starting_score
from nonet.boosting.gradient.boosted_trees.peers.translation import own_spelling
from nonet.boosting.gradient.boosted_trees.scheduled_stage import (
    LearningRates,
    ScheduledStage,
    check_schedule,
)
from nonet.boosting.gradient.boosted_trees.threshold_kinds import usual_kinds
from nonet.boosting.gradient.boosted_trees.watched_sets import watch_sets
from nonet.boosting.gradient.booster import Booster, by_row
from nonet.boosting.gradient.dart import DropoutStage, ScalableStage
from nonet.boosting.gradient.device_stage import DeviceStage
from nonet.boosting.gradient.early_stopping.round_watch import RoundWatch
from nonet.boosting.gradient.newton_stage import NewtonStage
from nonet.boosting.gradient.round_callbacks import (
    CallbackSupportMixin,
    RoundCallbacks,
    with_callbacks,
)
from nonet.boosting.gradient.round_progress import RoundProgress
from nonet.boosting.gradient.rounds import RoundGrower, run_rounds
from nonet.boosting.gradient.rows import Rows
from nonet.losses import Loss
from nonet.trees.binned_table import fit_arguments

_INHERITED = (
    "_codes",
    "is_categorical_",
    "n_features_in_",
    "feature_names_in_",
    "classes_",
    "_has_labels",
    "_n_outputs",
    "_random_seed",
    "_column_seed",
    "_has_margin",
)


class BoostedTrees(CallbackSupportMixin, PeerInterface):
    """Parent of the two estimators; children define the loss and the targets."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    n_jobs: int | None = None  # files of earlier versions have none
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
        **peer_arguments: Any,
    ) -> Any:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or BinnedTable
            Rows; NaN is a missing value. Or a bins file (`make_bins`).
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets; None for those of a bins file, whose weights are taken, too.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; a weight of 2 is equivalent to a repeated row.
        base_margin : array-like of shape (n_samples,) or (n_samples, n_scores), default=None
            Initial scores in place of a constant; predictions then need base margins too.
        eval_set : list of (X, y), default=None
            Sets that are scored after every round; the last one controls early stopping, the
            training set excepted.
        sample_weight_eval_set, base_margin_eval_set : list of array-like, default=None
            Weights and margins of the rows of each of these sets.
        X_val, y_val : array-like, default=None
            One more set, the last one, as in scikit-learn.
        groups : array-like of shape (n_samples,), default=None
            Groups of rows that stay together if rows are held out: in the folds on which the number
            of rounds is chosen, for early stopping, and in the folds on which ``decide`` is tuned.
        init_model : fitted estimator of this kind, default=None
            A model whose rounds precede the new ones.
        **peer_arguments : dict
            Arguments of LightGBM and XGBoost: ``eval_metric``, ``early_stopping_rounds``,
            ``verbose`` and ``categorical_feature`` in place of the parameters, ``eval_names``,
            ``eval_X``, ``eval_y``, ``eval_sample_weight``, ``init_score``, ``eval_init_score``,
            ``xgb_model``, and ``callbacks`` for early stopping, printing, recording and learning
            rates by round.

        Returns
        -------
        self : object
        """
        y, sample_weight = fit_arguments(self, X, y, sample_weight)
        own = {
            "sample_weight": sample_weight,
            "base_margin": base_margin,
            "eval_set": eval_set,
            "sample_weight_eval_set": sample_weight_eval_set,
            "base_margin_eval_set": base_margin_eval_set,
            "X_val": X_val,
            "y_val": y_val,
            "groups": groups,
            "init_model": init_model,
        }
        call = translate_fit(self, X, own, peer_arguments)
        with own_spelling(self, call.requests.params):
            check_params(self, self._rules)
            with self._threads():
                self._fit(X, y, **call.arguments)
        call.record(X, y, self.evals_result_)
        return self

    def _fit(
        self,
        X: Any,
        y: Any,
        *,
        sample_weight: Any,
        base_margin: Any,
        eval_set: Any,
        eval_names: Any,
        sample_weight_eval_set: Any,
        base_margin_eval_set: Any,
        X_val: Any,
        y_val: Any,
        groups: Any,
        init_model: Any,
        requests: CallbackRequests,
    ) -> None:
        """Grow the trees, with parameters and arguments in our spelling."""
        check_params_together(self, has_init_model=init_model is not None)
        earlier = self._earlier_rounds() if init_model is None else self._inherit(init_model)
        goes_on = earlier is not None
        table = self._learn_columns(X, goes_on=goes_on)
        rows = self._read_training(table, y, sample_weight, base_margin, goes_on=goes_on)
        sets = self._read_sets(
            [*list_pairs(eval_set), *self._as_set(X_val, y_val)],
            eval_names,
            sample_weight_eval_set,
            base_margin_eval_set,
        )
        if not goes_on:
            self._draw_seeds()
        groups = check_groups(groups, table.shape[0])
        rule, target = self._plan_decide(), rows.target
        self._check_not_tuned(rule, init_model)
        rows, sets = self._hold_out(rows, sets, groups)
        self._start_booster(rows, earlier, self._has_margin)
        self._begin_decide(rule, X, target)
        settings = self._choose_settings(rows, is_free=not goes_on)
        check_schedule(self, requests.learning_rates, settings)
        metadata = None if sample_weight is None else {"sample_weight": sample_weight}
        data = {"X": X, "y": y, "metadata": metadata}
        bag = self._make_bag(rows, groups, settings) if settings.is_bag else None
        n_rounds = bag.n_rounds if bag else self._find_n_rounds(rows, groups, settings)
        steps = Steps(self, "rounds", self.verbose, period=requests.log_period)
        end = self._last_round(earlier, n_rounds)
        self._boost(rows, sets, end, data, bag, steps, requests)
        of_rows = {"sample_weight": sample_weight, "groups": groups, "base_margin": base_margin}
        self._tune_decide(rule, X, target, of_rows)
        self._warn_of_light_rows(rows.weights, self.reg_lambda_)

    # ---- Before the rounds ---------------------------------------------------------------------

    def _inherit(self, model: Any) -> Booster:
        """Return the rounds of another model, and copy its column and target encodings."""
        if type(model) is not type(self):
            raise TypeError(
                f"init_model must be a fitted {type(self).__name__}, but got {model!r}."
            )
        check_is_fitted(model)
        for name in _INHERITED:
            if hasattr(model, name):
                setattr(self, name, getattr(model, name))
        used: Booster = model._booster
        return used.copy(model.best_iteration_)

    def _check_not_tuned(self, rule: Any, init_model: Any) -> None:
        if init_model is not None and getattr(rule, "needs_held_out", False):
            allowed = "a rule that is not tuned with init_model, which may have seen every row"
            raise bad_parameter(self, "decide", allowed, self.decide)

    def _last_round(self, earlier: Booster | None, n_rounds: int = 0) -> int:
        """Return the final number of rounds; without warm_start all of them are new."""
        n_grown = 0 if earlier is None else len(earlier.rounds)
        if not self.warm_start:
            return n_grown + n_rounds
        if n_rounds < n_grown:
            allowed = f"at least {n_grown} with warm_start=True, the number of existing rounds"
            raise bad_parameter(self, "n_estimators", allowed, self.n_estimators)
        return n_rounds

    def _choose_settings(self, rows: Rows, *, is_free: bool) -> Settings:
        """Choose what is 'auto', and keep it as fitted attributes."""
        is_free = (
            is_free
            and self.preset == "best"
            and self.early_stopping_rounds is None
            and not self.warm_start
            and self.drop_rate == 0
            and self._booster.loss.has_value
        )
        n_rows = count_present(rows.weights, len(rows.target))
        n_scores = self._booster.loss.n_scores
        settings = choose_settings(self, n_rows, self.n_features_in_, n_scores, is_free=is_free)
        for name in CHOSEN:
            setattr(self, f"{name}_", getattr(settings, name))
        self.thresholds_ = usual_kinds(settings.extra_trees)
        return settings

    # ---- Rounds --------------------------------------------------------------------------------

    def _boost(
        self,
        rows: Rows,
        sets: Mapping[str, Rows],
        end: int,
        data: Mapping[str, Any],
        bag: BaggedStage | None,
        steps: Steps,
        requests: CallbackRequests,
    ) -> None:
        booster, first = self._booster, self.n_iter_
        for part in [rows, *sets.values()]:
            part.scores = part.scores + booster.scores(part.X)
        numbers = range(first, end)
        watch = watch_sets(self, rows, sets, requests.stop)
        callbacks = RoundCallbacks(self, len(numbers), data, self._as_it_is)
        complete = CompleteRounds(booster, self.n_bags_)
        held_out = HeldOutWatch(bag)
        self.interrupted_ = False
        try:
            stage = bag or self._make_stage(rows, sets, requests.learning_rates)
            with steps.track(len(numbers)) as progress:
                shown = RoundProgress(progress, lambda: held_out.last() | watch.last())
                run_rounds(booster, stage, numbers, [watch, held_out, complete, shown, callbacks])
        except KeyboardInterrupt:
            if self.on_interrupt == "raise" or not complete.rounds:
                raise
            self._keep_complete_rounds(complete.rounds, watch, first, end)
        if bag:
            self._keep_best_rounds(held_out, watch)
        self._note_results(watch, first)
        callbacks.end()

    def _keep_best_rounds(self, held_out: HeldOutWatch, watch: RoundWatch) -> None:
        """Truncate bagged boosters to the number of rounds that predicts held-out rows best."""
        losses = np.array(held_out.losses)
        self.held_out_losses_ = losses if np.isfinite(losses).any() else None
        n_rounds = self.n_bags_ * held_out.best_round()
        self._booster.rounds = self._booster.rounds[:n_rounds]
        watch.truncate(n_rounds)

    def _make_stage(
        self, rows: Rows, sets: Mapping[str, Rows], learning_rates: LearningRates | None
    ) -> RoundGrower:
        if current_device() != "cpu":
            return self._make_device_stage(rows, learning_rates)
        newton = NewtonStage(
            self._booster.loss,
            rows,
            self._bin(rows.X, rows.weights),
            boosted_tree_params(self),
            self.learning_rate_,
            sampling=row_sampling(self),
            columns_per_tree=columns_per_tree(self),
            has_vector_leaves=self.multi_strategy == "multi_output_tree",
        )
        stage: ScalableStage = newton
        if learning_rates is not None:
            stage = ScheduledStage(newton, self.learning_rate_, learning_rates, self.n_iter_)
        dropout = dropout_of(self)
        if dropout is None:
            return stage
        return DropoutStage(stage, dropout, self._booster, [rows, *sets.values()])

    def _make_device_stage(self, rows: Rows, learning_rates: LearningRates | None) -> RoundGrower:
        is_plain = (
            learning_rates is None
            and row_sampling(self) is None
            and columns_per_tree(self) is None
            and dropout_of(self) is None
            and self.multi_strategy != "multi_output_tree"
        )
        if not is_plain:
            refuse_device(
                "Trees on samples, with dropout, vector leaves or learning rates by round"
            )
        dataset, params = self._bin(rows.X, rows.weights), boosted_tree_params(self)
        return DeviceStage(
            rows, self._booster, dataset, params, self.learning_rate_, keeps_scores=True
        )

    def _as_it_is(self) -> dict[str, Any]:
        """Return what a copy of this estimator needs to predict as after the last round."""
        booster = self._booster.copy()
        return {"_booster": booster, "best_iteration_": len(booster.rounds)}

    def _keep_complete_rounds(
        self, rounds: list[list[Tree]], watch: RoundWatch, first: int, end: int
    ) -> None:
        """Truncate to the last round that was completely grown and scored."""
        self._booster.rounds = rounds
        watch.truncate(len(rounds) - first)
        self.interrupted_ = True
        warn_caller(
            f"fit was interrupted; the {len(rounds)} of {end} rounds that are done are kept."
        )

    def _note_results(self, watch: RoundWatch, first: int) -> None:
        self.evals_result_ = watch.results
        best = watch.best() if self._booster.rounds[first:] else None
        stops = best is not None and watch.stop is not None
        self.best_iteration_ = first + best[0] if stops and best else self.n_iter_
        self.best_score_ = None if best is None else best[1]

    def _checked_loss(self, target: Array, weights: Floats | None) -> tuple[Loss, Floats]:
        loss, start = super()._checked_loss(target, weights)
        return loss, starting_score(self, loss, start)

    def _threads(self) -> AbstractContextManager[None]:
        """Limit native calls to ``n_jobs`` threads; None and -1 are all."""
        if self.n_jobs is None or self.n_jobs == -1:
            return nullcontext()
        n_threads = self.n_jobs if self.n_jobs > 0 else available_cores() + 1 + self.n_jobs
        return limit_threads(max(1, int(n_threads)))

    # ---- Scores --------------------------------------------------------------------------------

    def _predict_as_peers(
        self, method: str, X: Any, base_margin: Any, iteration_range: Any, given: Mapping[str, Any]
    ) -> Array:
        """Predict with arguments of LightGBM and XGBoost."""
        check_is_fitted(self)
        call = translate_predict(self, method, iteration_range, given)
        if call.output == "leaves":
            return self.apply(X, call.iteration_range)
        if call.output == "scores":
            return by_row(self._scores(X, base_margin, call.iteration_range))
        if call.output == "contributions":
            return score_contributions(self, X, call.iteration_range)
        arguments = {"base_margin": base_margin, "iteration_range": call.iteration_range}
        predictions: Array = getattr(self, method)(X, **arguments)
        return predictions

    def _scores(self, X: Any, base_margin: Any = None, iteration_range: Any = None) -> Floats:
        self._check_is_fitted()
        with self._threads():
            return self._scores_of(X, base_margin, iteration_range)

    def _scores_of(self, X: Any, base_margin: Any, iteration_range: Any) -> Floats:
        table = self._check_rows(X)
        margin = self._read_margin(base_margin, table.shape[0], self.n_trees_per_iteration_)
        return self._booster.scores(table, self._read_range(iteration_range)) + margin

    def _table_scores(self, table: Floats) -> Floats:
        """Return the scores of the rounds in use; callers add the base margin, if any."""
        return self._booster.scores(table, slice(0, self.best_iteration_))

    def _rounds_used(self) -> list[list[Tree]]:
        return self._booster.rounds[: self.best_iteration_]

    def _staged_scores(self, X: Any, base_margin: Any = None) -> Iterator[Floats]:
        check_is_fitted(self, "_booster")
        table = self._check_rows(X)
        margin = self._read_margin(base_margin, table.shape[0], self.n_trees_per_iteration_)
        return (scores + margin for scores in self._booster.staged_scores(table))

    def _read_range(self, iteration_range: Any) -> slice:
        if iteration_range is None:
            return slice(0, self.best_iteration_)
        try:
            first, end = map(index, iteration_range)
        except (TypeError, ValueError):
            first, end = -1, -1
        if not 0 <= first <= end <= self.n_iter_:
            raise ValueError(
                "iteration_range must be two whole numbers (first, end) with 0 <= first <= end <= "
                f"n_iter_={self.n_iter_}, but got {show(iteration_range)}."
            )
        return slice(first, end)
