"""Base class of the classic gradient boosting estimators: data, start and rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, check_random_state

from nonet._base.aliases import Array
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.params import Boolean, Choice, Integer, Nothing, Real, Rule, check_params
from nonet._base.progress import Steps
from nonet._base.streams import RANDOM_STATE, as_random_state
from nonet._base.warn import warn_caller
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.classic.boosted_sum import TREE_PARAMETERS, BoostedSum, SummedRows
from nonet.boosting.gradient.classic.loss_record import REPORTED_LOSS, LossRecord, forget_losses
from nonet.boosting.gradient.classic.monitor import Monitor
from nonet.boosting.gradient.classic.residual_stage import ResidualStage, ResidualTrees
from nonet.boosting.gradient.classic.starting_model import fit_starting_model
from nonet.boosting.gradient.early_stopping.round_watch import RoundWatch
from nonet.boosting.gradient.early_stopping.stop_rules import BelowRecent
from nonet.boosting.gradient.round_progress import RoundProgress
from nonet.boosting.gradient.rounds import Watcher, run_rounds
from nonet.boosting.gradient.row_sampling import FixedSizeRows
from nonet.boosting.gradient.rows import Rows
from nonet.boosting.gradient.stage import Stage
from nonet.losses import Loss
from nonet.trees import DecisionTreeRegressor
from nonet.trees.columns import learn_columns
from nonet.trees.growth import GROWTH_RULES, columns_per_split, grow_params
from nonet.trees.targets import number_target

COMMON_RULES: Mapping[str, Rule] = {
    **{name: GROWTH_RULES[name] for name in TREE_PARAMETERS},
    "learning_rate": Real(0),
    "n_estimators": Integer(1),
    "subsample": Real(0, 1, open_low=True),
    "criterion": Choice("deprecated", "friedman_mse", "squared_error"),
    "random_state": RANDOM_STATE,
    "verbose": Boolean() | Integer(0),
    "warm_start": Boolean(),
    "validation_fraction": Real(0, 1, open_low=True, open_high=True),
    "n_iter_no_change": Nothing() | Integer(1),
    "tol": Real(0),
    "max_bins": Integer(2, 65_535),
}


class ClassicBoosting(BoostedSum):
    """Parent of the two estimators; children define the loss, the targets and the start."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    _split_state: np.random.RandomState
    _rng: np.random.RandomState

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        monitor: Callable[[int, Any, dict[str, Any]], Any] | None = None,
        *,
        groups: Any = None,
    ) -> Any:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; a weight of 2 is equivalent to a repeated row, except that limits on
            numbers of rows count it once.
        monitor : callable, default=None
            Called after every round with its index (from 0), the estimator, and a dict of the
            round's local variables; boosting stops if it returns a true value.
        groups : array-like of shape (n_samples,), default=None
            Groups of rows that stay together if rows are held out: for early stopping, and in the
            folds on which ``decide`` is tuned.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        if monitor is not None and not callable(monitor):
            raise TypeError(f"monitor must be a function or None, got {monitor!r}.")
        self._warn_of_criterion()
        earlier = self._earlier_rounds()
        end, goes_on = self._last_round(earlier), earlier is not None
        table, _ = learn_columns(self, X, None, earlier=self._no_categories if goes_on else None)
        n_rows = table.shape[0]
        target, weights = self._read_target(y, sample_weight, n_rows, goes_on=goes_on)
        self.max_features_ = columns_per_split(self.max_features, self.n_features_in_)
        check_consistent_length(table, groups)
        rule, state = self._plan_decide(), self._legacy_state()
        whole = Rows(table, target, weights)
        training, held_out = self._hold_out(whole, state, groups, goes_on)
        if earlier is None:
            self._begin(training, state)
        else:
            self._booster, self._rng = earlier, deepcopy(self._rng)
        self._begin_decide(rule, X, target)
        self._boost(training, held_out, end, monitor)
        self._tune_decide(rule, X, target, {"sample_weight": sample_weight, "groups": groups})
        return self

    # ---- Data ----------------------------------------------------------------------------------

    def _warn_of_criterion(self) -> None:
        if self.criterion != "deprecated":
            warn_caller(
                "criterion has no effect: trees are grown by squared error. scikit-learn will drop "
                "it in version 1.11; omit it.",
                FutureWarning,
            )

    def _legacy_state(self) -> Any:
        """Return the random state in the form that scikit-learn's functions accept."""
        state = self.random_state
        if isinstance(state, np.random.Generator):
            return as_random_state(state)
        return state if not isinstance(state, Integral) else int(state) % 2**32

    def _hold_out(
        self, whole: Rows, state: Any, groups: Any, goes_on: bool
    ) -> tuple[Rows, Rows | None]:
        """Split the rows into those to fit and those to stop by, as scikit-learn does.

        A continued fit holds out the same rows again: the existing trees saw the others.
        """
        if self.n_iter_no_change is None:
            return whole, None
        source = check_random_state(state)
        if goes_on and "_split_state" in vars(self):
            source = deepcopy(self._split_state)
        self._split_state = deepcopy(source)
        strata = self._strata(whole.target)
        fraction = self.validation_fraction
        training, held_out = whole.split(fraction, source, strata=strata, groups=groups)
        self._check_training(training.target)
        return training, held_out

    def _check_training(self, target: Array) -> None:
        """Raise if the held-out rows leave too little of the target to train on."""

    # ---- The start -----------------------------------------------------------------------------

    def _begin(self, training: Rows, state: Any) -> None:
        loss = self._make_loss()
        self.n_trees_per_iteration_ = loss.n_scores
        self._start = np.zeros((loss.n_scores, 1))
        self.init_: Any = self.init
        if self.init != "zero":
            model = self._plain_start() if self.init is None else self.init
            y = self._labels_of(training.target)
            self.init_ = fit_starting_model(model, training.X, y, training.weights)
            self._start = self._predict_start(training.X[:1]) if self.init is None else None
        self._booster = Booster(loss, np.zeros(loss.n_scores))
        self._views, self._settings_of_rounds = self._no_views(), []
        self._rng = check_random_state(state)
        forget_losses(self)

    def _loss_of_round(self, stage: Stage) -> Loss:
        """Return the loss that the next round minimizes."""
        return stage.loss

    def _plain_start(self) -> Any:
        """Return the default starting model, which predicts a constant."""
        raise NotImplementedError

    # ---- The rounds ----------------------------------------------------------------------------

    def _boost(self, training: Rows, held_out: Rows | None, end: int, monitor: Any) -> None:
        first = len(self)
        known, new = self._settings_of_rounds[:first], self._tree_settings()
        self._settings_of_rounds = known + [new] * (end - first)
        stage = self._make_stage(training)
        watchers: list[Watcher] = [LossRecord(self, stage)]
        if monitor is not None:
            watchers.append(Monitor(monitor, self, stage, held_out))
        if held_out is not None:
            watchers.append(self._watch(held_out))
        with Steps(self, "rounds", self.verbose).track(end - first) as progress:
            watchers.append(RoundProgress(progress, self._last_losses))
            run_rounds(self._booster, stage, range(first, end), watchers)
        self.n_estimators_ = len(self)

    def _last_losses(self) -> dict[str, float]:
        losses = {"loss": self.train_score_[-1]}
        return losses | (
            {"out-of-bag gain": self.oob_improvement_[-1]} if self.subsample < 1 else {}
        )

    def _make_stage(self, training: Rows) -> ResidualStage:
        training.scores = self._table_scores(training.X)
        params, rng = self._grow_params(training), self._rng
        return ResidualStage(
            self._booster.loss,
            training,
            BinnedDataset(training.X, max_bins=self.max_bins, weights=training.weights),
            ResidualTrees(params, self.min_weight_fraction_leaf, self.ccp_alpha, rng),
            rate=self.learning_rate,
            sampling=None if self.subsample == 1 else FixedSizeRows(rng, self.subsample),
            loss_of_round=self._loss_of_round,
        )

    def _grow_params(self, training: Rows) -> GrowParams:
        prototype = DecisionTreeRegressor(**self._tree_settings())
        target = number_target(training.target[:, np.newaxis], "squared_error")
        return grow_params(prototype, target, self.n_features_in_, training.weights)

    def _watch(self, held_out: Rows) -> RoundWatch:
        held_out.scores = self._start_scores(held_out.X)
        rows = SummedRows(held_out, self._sums(held_out.X), self.learning_rate)
        stop = BelowRecent(self.n_iter_no_change, self.tol)
        return RoundWatch(self, {"held out": rows}, [REPORTED_LOSS], stop)
