"""What models of trees compute, in the words of treelite: sums or means of trees, and a link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._base.errors import ModelFileError, show
from nonet._native.tree import Tree
from nonet.bagging import IsolationForest
from nonet.losses import Loss
from nonet.losses.classes import ExponentialLoss, LogisticLoss, MultinomialLoss
from nonet.losses.joint import JointLoss
from nonet.losses.log_mean import LogMeanLoss
from nonet.losses.objective_function import ObjectiveFunction


@dataclass(frozen=True)
class Link:
    """A postprocessor of treelite: the function that turns sums into predictions.

    Attributes
    ----------
    name : str
        Treelite's name of it.
    numbers : dict of str to float
        Its parameters, by treelite's names.
    """

    name: str
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TreeSums:
    """Trees, and what is computed of the leaves that a row reaches.

    Attributes
    ----------
    task : str
        Treelite's name of the task.
    groups : list of lists of Tree
        One list per score, or one list of trees whose leaves hold all scores.
    classes_by_target : list of int
        The number of classes of each target; 1 for a number.
    start : ndarray of shape (n_targets, most classes)
        What sums are added to.
    link : Link
    factor : float
        What leaves are multiplied by.
    takes_mean : bool
        Whether scores are means of trees, not sums.
    """

    task: str
    groups: Sequence[Sequence[Tree]]
    classes_by_target: list[int]
    start: Floats
    link: Link
    factor: float = 1.0
    takes_mean: bool = False

    @property
    def holds_vectors(self) -> bool:
        """Whether leaves hold several numbers."""
        return self.groups[0][0].n_outputs > 1

    def list_trees(self) -> list[tuple[Tree, int, int]]:
        """Return all trees, round by round, with their target and class; -1 is all of them."""
        targets, classes = self._positions()
        return [
            (tree, target, of_class)
            for trees in zip(*self.groups, strict=True)
            for tree, target, of_class in zip(trees, targets, classes, strict=True)
        ]

    def _positions(self) -> tuple[list[int], list[int]]:
        """Return the target and the class that each group adds to."""
        n_groups, n_targets = len(self.groups), len(self.classes_by_target)
        if self.holds_vectors:
            has_classes = max(self.classes_by_target) > 1
            return [-1 if n_targets > 1 else 0], [-1 if has_classes else 0]
        scores, zeros = list(range(n_groups)), [0] * n_groups
        return (scores, zeros) if n_targets > 1 else (zeros, scores)


def describe_sums(model: Any) -> TreeSums:
    """Return what a fitted model computes.

    Parameters
    ----------
    model : estimator
        A tree, a forest, an isolation forest, or gradient boosting.

    Returns
    -------
    sums : TreeSums

    Raises
    ------
    TypeError
        If the model is not made of trees that are summed up.
    ModelFileError
        If treelite has no postprocessor for its predictions.
    """
    if isinstance(model, IsolationForest):
        check_is_fitted(model)
        return _of_isolation_forest(model)
    if not hasattr(model, "_score_trees"):
        raise TypeError(
            "to_treelite writes models that are one sum of trees (a tree, a forest, gradient "
            f"boosting, an isolation forest), but got {show(model)}; nonet.to_onnx writes "
            "ensembles of other members."
        )
    check_is_fitted(model)
    parts = model._score_trees()
    if not parts.trees:
        raise ModelFileError(
            f"this {type(model).__name__} has no trees, so nothing can be written."
        )
    if parts.besides:
        raise ModelFileError(
            f"the predictions of this {type(model).__name__} also come from {parts.besides}, which "
            "treelite does not have; fit it without."
        )
    return _of_mean(model, parts) if parts.loss is None else _of_booster(model, parts)


def _of_isolation_forest(model: IsolationForest) -> TreeSums:
    usual = model.combine_.usual_length
    if usual <= 0:
        raise ModelFileError(
            "the trees of this IsolationForest are of one row each, so that it has no scale of "
            "path lengths; fit it with max_samples of at least 2."
        )
    link = Link("exponential_standard_ratio", {"ratio_c": usual})
    groups, start = [model._trees.trees], np.zeros((1, 1))
    return TreeSums("kIsolationForest", groups, [1], start, link, takes_mean=True)


def _of_mean(model: Any, parts: Any) -> TreeSums:
    """Describe a tree or a forest."""
    n_targets = getattr(model, "n_outputs_", 1)
    is_class = hasattr(model, "classes_")
    sizes = np.atleast_1d(model.n_classes_).tolist() if is_class else [1] * n_targets
    return TreeSums(
        "kMultiClf" if is_class else "kRegressor",
        parts.groups,
        sizes,
        np.zeros((n_targets, max(sizes))),
        Link("identity_multiclass" if is_class else "identity"),
        takes_mean=True,
    )


def _of_booster(model: Any, parts: Any) -> TreeSums:
    link, n_scores = _link_of(parts.loss), len(parts.start)
    if not hasattr(model, "classes_"):
        sizes, task = [1] * n_scores, "kRegressor"
    else:
        sizes, task = [n_scores], "kBinaryClf" if n_scores == 1 else "kMultiClf"
    start = np.reshape(parts.start, (len(sizes), sizes[0]))
    return TreeSums(task, parts.groups, sizes, start, link, factor=parts.scale)


# ---- Links -------------------------------------------------------------------------------------

_IDENTITY, _SIGMOID = Link("identity"), Link("sigmoid", {"sigmoid_alpha": 1.0})
# By the method that computes predictions: a loss with another one of its own is not found.
_LINKS: Mapping[Callable[..., Any], Link] = {
    Loss.inverse_link: _IDENTITY,
    LogisticLoss.inverse_link: _SIGMOID,
    ExponentialLoss.inverse_link: Link("sigmoid", {"sigmoid_alpha": 2.0}),
    MultinomialLoss.inverse_link: Link("softmax"),
    LogMeanLoss.inverse_link: Link("exponential"),
}


def _link_of(loss: Loss) -> Link:
    if isinstance(loss, ObjectiveFunction):
        by_scores = _SIGMOID if loss.n_scores == 1 else Link("softmax")
        return by_scores if loss.is_class else _IDENTITY
    if type(loss) is JointLoss:
        links = [_link_of(part) for part in loss.losses]
        if all(link == links[0] for link in links):
            return links[0]
    elif type(loss).inverse_link in _LINKS:
        return _LINKS[type(loss).inverse_link]
    raise ModelFileError(
        f"the predictions of a model with the loss {show(loss)} cannot be written, because "
        "treelite has no postprocessor for them; nonet.to_onnx may write it."
    )
