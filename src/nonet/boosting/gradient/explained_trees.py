"""Base class of boosters with explanations: importances and access to the trees."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._native.explain import CoverName
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.trees.category_codes import CategoryCodes
from nonet.trees.score_trees import ScoreTrees


class ExplainedTrees:
    """Parent of estimators with a ``_booster``: trees by score, and feature importances."""

    _booster: Booster
    _codes: CategoryCodes
    n_features_in_: int
    _cover: CoverName = "n_rows"  # the weights of nodes are sums of hessians

    def _rounds_used(self) -> list[list[Tree]]:
        """Return the rounds that predictions use."""
        return self._booster.rounds

    def _score_trees(self) -> ScoreTrees:
        rounds, start = self._rounds_used(), self._booster.start
        return ScoreTrees(
            [list(trees) for trees in zip(*rounds, strict=True)],
            start,
            cover=self._cover,
            is_number=len(start) == 1,
            categories=self._codes.names,
            loss=self._booster.loss,
        )

    @property
    def feature_importances_(self) -> Floats:
        """Fraction of the total gain of all splits per column; all 0 if there is no split."""
        check_is_fitted(self)
        trees = self._score_trees().trees
        gains = np.sum([tree.gain_importances() for tree in trees], axis=0)
        contributions: Floats = gains / max(gains.sum(), np.finfo(np.float64).tiny)
        return contributions
