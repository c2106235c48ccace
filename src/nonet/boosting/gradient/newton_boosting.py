"""Base class of boosters with Newton steps: columns, bins, seeds, constraints and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import index
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import _check_monotonic_cst, check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.params import bad_parameter
from nonet._base.streams import as_random_state
from nonet._base.warn import warn_caller
from nonet._native.data import BinnedDataset
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.booster_estimator import GradientBoosted
from nonet.boosting.gradient.rows import Rows
from nonet.losses import Loss
from nonet.losses.loss import check_derivatives
from nonet.losses.native import NativeLoss
from nonet.trees.category_columns import names_columns
from nonet.trees.columns import learn_columns, read_columns
from nonet.trees.shared_bins import bin_columns

# In columns of very many categories, those of fewer rows share a code. A higher limit would lose
# categories that later rounds can use, when the other rows of their node have small hessians.
_MIN_CATEGORY_ROWS = 3
# As in scikit-learn, infinities are put into the end bins.
_ANY_NUMBERS: Mapping[str, Any] = {"ensure_all_finite": False}
# Number of rows on which the derivatives of a user's loss are checked.
_CHECKED_ROWS = 200
# The mean weight of rows below which limits on sums of hessians matter.
_LIGHT = 0.1


class TreeBoosting(GradientBoosted):
    """Parent of the estimators whose trees are grown by Newton steps."""

    _shares_bins: ClassVar[bool] = True  # and is fitted on folds in threads
    _uses_all_threads: ClassVar[bool] = True  # if n_jobs, where there is one, is None
    _takes_sparse = True

    # ---- Data ----------------------------------------------------------------------------------

    def _checks(self) -> Mapping[str, Any]:
        return _ANY_NUMBERS if self._takes_sparse else {**_ANY_NUMBERS, "accept_sparse": False}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse and not names_columns(self.categorical_features)
        return tags

    def _learn_columns(self, X: Any, *, goes_on: bool = False) -> Floats:
        table: Floats
        earlier = self._codes if goes_on else None
        table, self._codes = learn_columns(
            self,
            X,
            self.categorical_features,
            _MIN_CATEGORY_ROWS,
            earlier=earlier,
            **self._checks(),
        )
        self.is_categorical_ = self._codes.mask(table.shape[1])
        return table

    def _check_rows(self, X: Any) -> Floats:
        table: Floats = read_columns(self, X, self._codes, **self._checks())
        return table

    def _bin(self, table: Floats, weights: Floats | None) -> BinnedDataset:
        return bin_columns(
            table,
            self._check_rows,
            max_bins=self.max_bins,
            categories=sorted(self._codes.known),
            weights=weights,
            seed=self._random_seed,
        )

    def _warn_of_light_rows(self, weights: Floats | None, penalty: float) -> None:
        """Warn if limits and penalties outweigh all rows together."""
        if weights is None or weights.mean() > _LIGHT:
            return
        has_no_split = all(tree.n_leaves == 1 for trees in self._booster.rounds for tree in trees)
        if has_no_split or weights.sum() < penalty:
            warn_caller(
                f"there is next to nothing to learn, as sample_weight sums to {weights.sum():g}, "
                "while limits and penalties of leaves assume weights of about 1; multiply the "
                "weights by a constant."
            )

    def _draw_seeds(self) -> None:
        # The seeds are drawn as in scikit-learn, so that the same rows are held out.
        rng = as_random_state(self.random_state)
        maximum = np.iinfo(np.uint32).max
        self._random_seed = int(rng.randint(maximum, dtype="u8"))
        self._column_seed = int(rng.randint(maximum, dtype="u8"))

    # ---- Boosting ------------------------------------------------------------------------------

    def _start_booster(self, rows: Rows, earlier: Booster | None, has_margin: bool = False) -> None:
        """Continue earlier rounds, or start from the best constant (0 with base margins)."""
        loss, start = self._checked_loss(rows.target, rows.weights)
        if earlier is None:
            earlier = Booster(loss, np.zeros_like(start) if has_margin else start)
        self._booster = earlier
        self.n_trees_per_iteration_ = loss.n_scores

    def _checked_loss(self, target: Array, weights: Floats | None) -> tuple[Loss, Floats]:
        """Make the loss, check targets and derivatives, and compute the starting scores."""
        loss = self._make_loss()
        loss.check_targets(target)
        start = np.atleast_1d(np.asarray(loss.start(target, weights), dtype=np.float64))
        if loss.has_value and not isinstance(loss, NativeLoss) and loss.n_scores == 1:
            some = slice(_CHECKED_ROWS)
            around = start[0] + np.linspace(-1, 1, len(target[some]))
            check_derivatives(loss, target[some], around)
        return loss, start

    def _monotone_signs(self, name: str) -> list[int]:
        """Return the signs of the columns, an empty list if no column has one."""
        try:
            signs = _check_monotonic_cst(self, getattr(self, name))
        except ValueError as error:
            raise ValueError(str(error).replace("monotonic_cst", name)) from None
        if signs.any() and self.n_trees_per_iteration_ > 1:
            raise ValueError(
                f"{name} is for one output or two classes, but y has "
                f"{self.n_trees_per_iteration_} classes or outputs; omit it."
            )
        return [int(sign) for sign in signs] if signs.any() else []

    def _interaction_groups(self, name: str, n_columns: int) -> list[list[int]]:
        groups = getattr(self, name)
        if groups is None:
            return []
        if isinstance(groups, str):
            pairs = [[i, j] for i in range(n_columns) for j in range(i + 1, n_columns)]
            alone = [[j] for j in range(n_columns)]
            return alone if groups == "no_interactions" else pairs or [[0]]
        names = {name: j for j, name in enumerate(getattr(self, "feature_names_in_", []))}
        try:
            known = [
                sorted({names[j] if isinstance(j, str) else index(j) for j in group})
                for group in groups
            ]
        except (KeyError, TypeError):
            allowed = "groups of column positions or names"
            raise bad_parameter(self, name, allowed, groups) from None
        for j in (j for group in known for j in group):
            if not 0 <= j < n_columns:
                raise ValueError(
                    f"{name} must hold positions of columns, 0 to {n_columns - 1}, but has {j}."
                )
        return known

    # ---- Predictions ---------------------------------------------------------------------------

    def _table_scores(self, table: Floats) -> Floats:
        return self._booster.scores(table)

    def _staged_table_scores(self, table: Floats) -> Iterator[Floats]:
        return self._booster.staged_scores(table)

    @property
    def n_iter_(self) -> int:
        """Number of rounds."""
        check_is_fitted(self, "_booster")
        return len(self._booster.rounds)

    @property
    def joined_categories_(self) -> dict[int, Array]:
        """For each column of more than 255 categories, the rare ones, which count as one."""
        check_is_fitted(self, "_booster")
        return self._codes.joined
