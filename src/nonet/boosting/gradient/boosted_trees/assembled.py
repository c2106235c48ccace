"""Boosted trees that were not grown here: a fitted estimator made of given trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.tree import Tree
from nonet.boosting.gradient.boosted_trees.auto_settings import AUTO, CHOSEN
from nonet.boosting.gradient.boosted_trees.threshold_kinds import usual_kinds
from nonet.boosting.gradient.booster import Booster
from nonet.trees.category_codes import CategoryCodes


@dataclass(frozen=True, eq=False)
class GivenTrees:
    """What a fitted model of boosted trees is made of.

    Attributes
    ----------
    rounds : list of lists of Tree
        One tree per score and round.
    start : ndarray of shape (n_scores,)
        The scores before the first round.
    n_columns : int
    names : ndarray of str or None
        The names of the columns, if they have names.
    levels : dict of int to ndarray
        For each column of categories, what its codes 0, 1, ... stand for.
    best_iteration : int or None
        How many rounds predictions use; None is all.
    counts_rows : bool
        Whether the nodes know how many rows they had; explanations use their weights otherwise.
    """

    rounds: list[list[Tree]]
    start: Floats
    n_columns: int
    names: Array | None = None
    levels: Mapping[int, Array] = field(default_factory=dict)
    best_iteration: int | None = None
    counts_rows: bool = True


def assemble(model: Any, given: GivenTrees, classes: Array | None = None) -> Any:
    """Make a fitted model of given trees.

    Parameters
    ----------
    model : BoostedTreesClassifier or BoostedTreesRegressor
        Not fitted; its objective is that of the trees.
    given : GivenTrees
    classes : ndarray or None, default=None
        The labels, of a classifier.

    Returns
    -------
    model : the same
    """
    model.n_features_in_ = given.n_columns
    if given.names is not None:
        model.feature_names_in_ = np.asarray(given.names, dtype=object)
    model._codes = CategoryCodes(dict(given.levels))
    model.is_categorical_ = model._codes.mask(given.n_columns)
    model._has_margin = False
    model._random_seed = model._column_seed = 0
    if classes is None:
        model._n_outputs = len(given.start)
    else:
        model.classes_ = classes
    model._booster = Booster(model._make_loss(), given.start, given.rounds)
    model.n_trees_per_iteration_ = len(given.start)
    model._begin_decide(model._plan_decide(), None, None)
    if not given.counts_rows:
        model._cover = "weight"
    _note_fit(model, given)
    return model


def _note_fit(model: Any, given: GivenTrees) -> None:
    """Set the attributes about the fit, as far as they are known."""
    for name in CHOSEN:
        value = getattr(model, name)
        setattr(model, f"{name}_", None if value == AUTO else value)
    model.n_bags_ = 1
    model.thresholds_ = usual_kinds(bool(model.extra_trees_))
    model.held_out_losses_ = model.best_score_ = None
    model.interrupted_ = False
    model.evals_result_ = {}
    n_rounds = len(given.rounds)
    model.best_iteration_ = n_rounds if given.best_iteration is None else given.best_iteration
