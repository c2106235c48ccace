"""Base class of boosted trees that choose their number of rounds on held-out rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet._native.data import BinnedDataset
from nonet.boosting.gradient.boosted_trees.auto_settings import Settings, is_auto
from nonet.boosting.gradient.boosted_trees.bag_folds import assign_folds
from nonet.boosting.gradient.boosted_trees.bagged_stage import (
    BaggedStage,
    BagMember,
    FoldRows,
    FoldStage,
    HeldOutWatch,
)
from nonet.boosting.gradient.boosted_trees.boosted_rows import BoostedRows
from nonet.boosting.gradient.boosted_trees.boosted_trees_params import (
    boosted_tree_params,
    columns_per_tree,
    row_sampling,
)
from nonet.boosting.gradient.boosted_trees.threshold_kinds import keep_good_kinds
from nonet.boosting.gradient.boosted_trees.threshold_trial import MIN_ROWS, trial_losses
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rounds import run_rounds
from nonet.boosting.gradient.rows import Rows


class BaggedRounds(BoostedRows):
    """Grows bagged boosters, and finds numbers of rounds on the rows that they hold out."""

    thresholds_: tuple[str, ...]

    def _make_bag(self, rows: Rows, groups: Any, settings: Settings) -> BaggedStage:
        """Make the bagged boosters, which are averaged."""
        folds = self._assign_folds(rows, groups, settings.n_folds)
        dataset = self._bin(rows.X, rows.weights)
        # A trial of all kinds would take several times as long as a single booster.
        is_chosen = settings.stops and settings.n_bags > 1 and is_auto(self, "extra_trees")
        if is_chosen and np.count_nonzero(folds >= 0) >= MIN_ROWS:
            self._leave_out_thresholds(rows, dataset, folds, settings)
        members = self._make_members(rows, dataset, folds, settings.n_bags)
        return BaggedStage(members, settings)

    def _leave_out_thresholds(
        self, rows: Rows, dataset: BinnedDataset, folds: NDArray[np.int64], settings: Settings
    ) -> None:
        """Leave out kinds of thresholds that predict held-out rows far worse than others."""

        def make_member(kind: str, fold: int, rate: float) -> BagMember:
            return self._make_member(rows, dataset, folds == fold, fold, kind, rate)

        n_rows = int(np.count_nonzero(folds >= 0))
        losses = trial_losses(make_member, n_rows, settings)
        self.thresholds_ = keep_good_kinds(self.thresholds_, losses)

    def _find_n_rounds(self, rows: Rows, groups: Any, settings: Settings) -> int:
        """Return the number of rounds of a single booster: given, or found on held-out rows."""
        self.held_out_losses_ = None
        if not settings.stops:
            return settings.n_rounds
        folds = self._assign_folds(rows, groups, settings.n_folds)
        dataset = self._bin(rows.X, rows.weights)
        stage = BaggedStage(self._make_members(rows, dataset, folds, 1), settings)
        watch = HeldOutWatch(stage)
        scratch = Booster(self._booster.loss, self._booster.start)
        run_rounds(scratch, stage, range(stage.n_rounds), [watch])
        self.held_out_losses_ = np.array(watch.losses)
        return watch.best_round()

    def _assign_folds(self, rows: Rows, groups: Any, n_folds: int) -> NDArray[np.int64]:
        is_class = self._strata(rows.target) is not None
        return assign_folds(rows, groups, n_folds, self._random_seed, is_class=is_class)

    def _make_members(
        self, rows: Rows, dataset: BinnedDataset, folds: NDArray[np.int64], n_bags: int
    ) -> list[BagMember]:
        return [
            self._make_member(rows, dataset, folds == position, position)
            for position in range(n_bags)
        ]

    def _make_member(
        self,
        rows: Rows,
        dataset: BinnedDataset,
        is_held_out: NDArray[np.bool_],
        position: int,
        kind: str | None = None,
        learning_rate: float | None = None,
    ) -> BagMember:
        """Make a booster.

        It starts from the best constant of all rows. If its fold holds all rows of a class, it
        could not start from its own rows: the constant would be infinite.
        """
        scores = rows.scores + self._booster.start[:, np.newaxis]
        stage = FoldStage(
            self._booster.loss,
            Rows(rows.X, rows.target, rows.weights, scores),
            dataset,
            boosted_tree_params(self, position, kind),
            learning_rate or self.learning_rate_,
            sampling=FoldRows(np.where(is_held_out, 0.0, 1.0), row_sampling(self, position)),
            columns_per_tree=columns_per_tree(self),
            has_vector_leaves=self.multi_strategy == "multi_output_tree",
        )
        return BagMember(stage, np.flatnonzero(is_held_out))
