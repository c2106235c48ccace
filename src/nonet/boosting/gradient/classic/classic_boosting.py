"""What the two estimators of classic gradient boosting share: data, the start, the rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state

from nonet._base.aliases import Array, Floats
from nonet._base.params import (
    Boolean,
    Choice,
    Integer,
    Nothing,
    Real,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.streams import RANDOM_STATE, as_random_state
from nonet._base.warn import warn_caller
from nonet._native.bags import take_rows
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.classic.boosted_sum import TREE_PARAMETERS, BoostedSum
from nonet.boosting.gradient.classic.loss_watch import LossWatch, Part
from nonet.boosting.gradient.classic.progress_table import ProgressTable
from nonet.boosting.gradient.classic.residual_stage import Bag, ResidualStage
from nonet.boosting.gradient.classic.starting_model import fit_starting_model
from nonet.losses import Loss
from nonet.trees import DecisionTreeRegressor
from nonet.trees.columns import learn_columns
from nonet.trees.growth import GROWTH_RULES, columns_a_split, grow_params
from nonet.trees.targets import number_target

# Seeds of trees are drawn as scikit-learn draws them: the bags of a seed are then the same, too.
_LARGEST_SEED = 2**31 - 1

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
    """Parent of the two estimators; children say what the loss, the targets and the start are."""

    _split_state: np.random.RandomState
    _rules: ClassVar[Mapping[str, Rule]]
    _rng: np.random.RandomState

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        monitor: Callable[[int, Any, dict[str, Any]], Any] | None = None,
    ) -> Any:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; a weight of 2 means that the row is there twice, except that limits
            on numbers of rows count it once.
        monitor : callable, default=None
            Called after every round with its number (from 0), the estimator, and a dict of what
            the round worked with; boosting stops if it returns a true value.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        if monitor is not None and not callable(monitor):
            raise TypeError(f"monitor must be a function or None, got {monitor!r}.")
        self._warn_of_criterion()
        goes_on = self.warm_start and self.__sklearn_is_fitted__()
        if goes_on:
            self._check_rounds()
        earlier = self._numbers_only if goes_on else None
        table, _ = learn_columns(self, X, None, earlier=earlier)
        target, weights = self._check_target(y, sample_weight, table.shape[0])
        self.max_features_ = columns_a_split(self.max_features, self.n_features_in_)
        state = self._legacy_state()
        training, held_out = self._hold_out(Part(table, target, weights), state, goes_on)
        if goes_on:
            self._booster, self._rng = self._booster.copy(), deepcopy(self._rng)
        else:
            self._begin(training, state)
        self._boost(training, held_out, monitor)
        return self

    # ---- Data ----------------------------------------------------------------------------------

    def _warn_of_criterion(self) -> None:
        if self.criterion != "deprecated":
            warn_caller(
                "criterion has no effect: trees are grown by squared error. scikit-learn will drop "
                "it in version 1.11; leave it out.",
                FutureWarning,
            )

    def _check_rounds(self) -> None:
        """Check that an earlier fit can go on."""
        n_grown = len(self._booster.rounds)
        if self.n_estimators < n_grown:
            allowed = f"at least {n_grown} with warm_start=True, the rounds that are there already"
            raise bad_parameter(self, "n_estimators", allowed, self.n_estimators)

    def _legacy_state(self) -> Any:
        """Return the random state as scikit-learn's functions take it."""
        state = self.random_state
        if isinstance(state, np.random.Generator):
            return as_random_state(state)
        return state if not isinstance(state, Integral) else int(state) % 2**32

    def _hold_out(self, whole: Part, state: Any, goes_on: bool) -> tuple[Part, Part | None]:
        """Part the rows in those to fit and those to stop by, the same as scikit-learn's.

        A fit that goes on holds out the same rows again: the trees that are there saw the others.
        """
        if self.n_iter_no_change is None:
            return whole, None
        source = check_random_state(state)
        if goes_on and "_split_state" in vars(self):
            source = deepcopy(self._split_state)
        self._split_state = deepcopy(source)
        rows, held_out = train_test_split(
            np.arange(len(whole.target)),
            random_state=source,
            test_size=self.validation_fraction,
            stratify=self._strata(whole.target),
        )
        training = whole.take(rows)
        self._check_training(training.target)
        return training, whole.take(held_out)

    def _check_target(self, y: Any, sample_weight: Any, n_rows: int) -> tuple[Array, Floats | None]:
        """Return the targets as the loss takes them, and the weights of rows."""
        raise NotImplementedError

    def _strata(self, target: Array) -> Array | None:
        """Return what held-out rows are stratified by."""
        return None

    def _check_training(self, target: Array) -> None:
        """Refuse targets that have lost too much to the held-out rows."""

    # ---- The start -----------------------------------------------------------------------------

    def _begin(self, training: Part, state: Any) -> None:
        loss = self._make_loss()
        self.n_trees_per_iteration_ = loss.n_scores
        self._start = np.zeros((loss.n_scores, 1))
        self.init_: Any = self.init
        if self.init != "zero":
            model = self._plain_start() if self.init is None else self.init
            y = self._labels_of(training.target)
            self.init_ = fit_starting_model(model, training.X, y, training.weights)
            self._start = self._ask_start(training.X[:1]) if self.init is None else None
        self._booster = Booster(loss, np.zeros(loss.n_scores))
        self._views, self._settings_of_rounds = self._no_views(), []
        self._rng = check_random_state(state)
        self.train_score_ = np.empty(0)
        for name in {"oob_improvement_", "oob_scores_", "oob_score_"} & set(vars(self)):
            delattr(self, name)

    def _make_loss(self) -> Loss:
        raise NotImplementedError

    def _loss_of_round(self, stage: ResidualStage) -> Loss:
        """Return the loss that the next round makes small."""
        return stage.loss

    def _plain_start(self) -> Any:
        """Return the model to start from if no other is given: it answers with a constant."""
        raise NotImplementedError

    def _labels_of(self, target: Array) -> Array:
        """Return targets as the user knows them."""
        return target

    # ---- The rounds ----------------------------------------------------------------------------

    def _boost(self, training: Part, held_out: Part | None, monitor: Any) -> None:
        stage, params = self._make_stage(training), self._grow_params(training)
        watch = None if held_out is None else self._watch(held_out)
        first = len(self)
        progress = ProgressTable(self, first)
        known, new = self._settings_of_rounds[:first], self._tree_settings()
        self._settings_of_rounds = known + [new] * (self.n_estimators - first)
        for number in range(first, self.n_estimators):
            bag = self._draw_bag(training)
            self._add_round(stage, params, bag)
            progress.add(number)
            if monitor is not None and monitor(number, self, _seen(stage, bag, held_out)):
                break
            if watch is not None and watch.is_enough(self._booster, self.learning_rate, self.tol):
                break
        self.n_estimators_ = len(self)

    def _make_stage(self, training: Part) -> ResidualStage:
        X = training.X
        dataset = BinnedDataset(X, max_bins=self.max_bins, weights=training.weights)
        return ResidualStage(self._booster.loss, training, dataset, self._scores_of(X))

    def _grow_params(self, training: Part) -> GrowParams:
        prototype = DecisionTreeRegressor(**self._tree_settings())
        target = number_target(training.target[:, np.newaxis], "squared_error")
        return grow_params(prototype, target, self.n_features_in_, training.weights)

    def _watch(self, held_out: Part) -> LossWatch:
        start = self._start_scores(held_out.X)
        n_rounds = min(self.n_iter_no_change, self.n_estimators)  # there are no more to look at
        return LossWatch(held_out, start, self._booster, n_rounds)

    def _draw_bag(self, training: Part) -> Bag:
        if self.subsample == 1:
            return Bag(None, training.weights, None)
        n_rows = len(training.target)
        counts = take_rows(self._rng.uniform(size=n_rows), max(1, int(self.subsample * n_rows)))
        return Bag.of_some(counts, training.weights)

    def _add_round(self, stage: ResidualStage, params: GrowParams, bag: Bag) -> None:
        if bag.inside is not None and self.min_weight_fraction_leaf > 0:
            least = self.min_weight_fraction_leaf * float(bag.inside.sum())
            params = replace(params, min_weight_leaf=least)
        seeds = [int(self._rng.randint(_LARGEST_SEED)) for _ in range(self.n_trees_per_iteration_)]
        before = self._loss_outside(stage, bag)
        stage.loss = self._booster.loss = self._loss_of_round(stage)
        self._booster.rounds.append(
            stage.add_round(params, seeds, bag, rate=self.learning_rate, pruning=self.ccp_alpha)
        )
        self.train_score_ = np.append(self.train_score_, stage.mean_loss(bag.inside))
        if bag.outside is not None:
            self._note_outside(before, stage.mean_loss(bag.outside))

    def _loss_outside(self, stage: ResidualStage, bag: Bag) -> float:
        """Return the last loss outside the bag; before the first round, that of the start."""
        if bag.outside is None or "oob_scores_" in vars(self):
            return float(self.oob_scores_[-1]) if bag.outside is not None else 0.0
        # Rounds without bags, if there were any, have no such loss.
        self.oob_scores_: Floats = np.zeros(len(self))
        self.oob_improvement_: Floats = np.zeros(len(self))
        return stage.mean_loss(bag.outside)

    def _note_outside(self, before: float, now: float) -> None:
        self.oob_scores_ = np.append(self.oob_scores_, now)
        self.oob_improvement_ = np.append(self.oob_improvement_, before - now)
        self.oob_score_ = float(now)


def _seen(stage: ResidualStage, bag: Bag, held_out: Part | None) -> dict[str, Any]:
    """Return what a monitor may look at, under the names of scikit-learn."""
    rows = stage.part
    everyone = np.ones(len(rows.target), dtype=bool)
    return {
        "X": rows.X,
        "y": rows.target,
        "sample_weight": rows.weights,
        "raw_predictions": stage.scores.T,
        "sample_mask": everyone if bag.counts is None else bag.counts > 0,
        "X_val": None if held_out is None else held_out.X,
        "y_val": None if held_out is None else held_out.target,
        "sample_weight_val": None if held_out is None else held_out.weights,
    }
