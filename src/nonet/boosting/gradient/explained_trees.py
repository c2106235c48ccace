"""What a booster tells those who explain trees."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.trees.columns import CategoryCodes
from nonet.trees.score_trees import ScoreTrees


class ExplainedTrees:
    """Parent of estimators with a ``_booster``: its trees, and what these owe to the columns."""

    _booster: Booster
    _codes: CategoryCodes
    n_features_in_: int

    def _answering_rounds(self) -> list[list[Tree]]:
        """Give the rounds that answers come from."""
        return self._booster.rounds

    def _score_trees(self) -> ScoreTrees:
        rounds, start = self._answering_rounds(), self._booster.start
        return ScoreTrees(
            [list(trees) for trees in zip(*rounds, strict=True)],
            start,
            cover="n_rows",  # weights of nodes are hessians
            is_number=len(start) == 1,
            categories=self._codes.names,
        )

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the gains of all splits; all 0 if there is none."""
        check_is_fitted(self)
        trees = self._score_trees().trees
        gains = np.sum([tree.gain_importances() for tree in trees], axis=0)
        shares: Floats = gains / max(gains.sum(), np.finfo(np.float64).tiny)
        return shares
