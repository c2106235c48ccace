"""The trees that make the scores of a model, the same for one tree, a forest or a booster.

A model returns them from its method ``_score_trees()``; explanations need nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._native.explain import CoverName, mean_values
from nonet._native.tree import Tree
from nonet.losses import Loss


@dataclass(frozen=True)
class ScoreTrees:
    """Scores as a start plus scaled sums of trees.

    Parameters
    ----------
    groups : sequence of sequences of Tree
        Trees that are summed up, group by group; the outputs of the groups, one after another, are
        the scores.
    start : array of shape (n_scores,)
        What the sums are added to.
    scale : float, default=1.0
        What the sums are multiplied by.
    cover : {'weight', 'n_rows'}, default='weight'
        How the rows that went to a node are counted.
    is_number : bool, default=False
        Whether the one score is a number, to be shown without an axis of scores.
    besides : str, default=''
        What else the model's predictions come from, in words; its trees do not explain this.
    categories : mapping of int to array, default={}
        For each column of categories, what its codes 0, 1, ... stand for.
    loss : Loss, optional
        The loss that a booster's scores minimize.
    """

    groups: Sequence[Sequence[Tree]]
    start: Floats
    scale: float = 1.0
    cover: CoverName = "weight"
    is_number: bool = False
    besides: str = ""
    categories: Mapping[int, Array] = field(default_factory=dict)
    loss: Loss | None = None

    @property
    def trees(self) -> list[Tree]:
        """All trees."""
        return [tree for group in self.groups for tree in group]

    def sum_up(self, predict: Callable[[Sequence[Tree]], Floats]) -> Floats:
        """Apply a function to each group and join the scores; drop their axis for a number."""
        predictions = [predict(group) for group in self.groups]
        scores: Floats = self.scale * np.concatenate(predictions, axis=-1)
        return self.shown(scores)

    def shown(self, scores: Floats) -> Floats:
        """Drop the axis of scores if the score is a number."""
        return scores[..., 0] if self.is_number else scores

    def base(self) -> Floats:
        """Average the scores over the training rows."""
        return self.shown(self.start) + self.sum_up(lambda group: mean_values(group, self.cover))


def check_has_trees(model: Any, caller: str) -> None:
    """Raise unless the model has ``_score_trees``."""
    if not hasattr(model, "_score_trees"):
        raise TypeError(
            f"{caller} accepts models made of nonet's trees (a tree, a forest, gradient "
            f"boosting), but got {type(model).__name__}."
        )


def score_trees_of(model: Any, caller: str) -> ScoreTrees:
    """Return the trees behind the predictions of a fitted model, or raise if there are none."""
    check_has_trees(model, caller)
    check_is_fitted(model)
    if getattr(model, "n_outputs_", 1) > 1:
        raise ValueError(
            f"{caller} explains models of one target, but this one has {model.n_outputs_}."
        )
    parts: ScoreTrees = model._score_trees()
    if not parts.trees:
        raise ValueError(f"{caller} needs at least one tree, but {type(model).__name__} has none.")
    if parts.besides:
        raise ValueError(
            f"{caller} explains sums of trees, but the predictions of this {type(model).__name__} "
            f"also come from {parts.besides}; fit it without."
        )
    return parts
