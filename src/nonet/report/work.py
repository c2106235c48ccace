"""How much work of a model a report may need, counted in steps: no clock changes a number.

A step is about one tree, or one column of those that a pipeline makes for its model: 20 ns where
it was measured. What a row costs is counted from the parts of a model; a fixed number of steps is
shared out among the explanations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_STEPS = 100_000_000  # of all explanations together: a few seconds
_MOST_STEPS = 500_000_000  # if these are needed for enough rows
_ENOUGH_ROWS, _MAX_ROWS = 10_000, 200_000
_PLAIN = 20.0  # steps of a model that nothing is known of
_NODES_PER_STEP, _MOST_STEPS_OF_A_TREE = 2_500, 10.0
_STEPS_PER_CELL = 0.005  # of the table that a row is compared with


def steps_per_row(model: Any) -> float:
    """Return about how many steps the prediction of a row takes.

    Parameters
    ----------
    model : fitted estimator

    Returns
    -------
    steps : float

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
    >>> steps_per_row(RandomForestRegressor(n_estimators=7).fit(X, y))
    7.0
    """
    for count in (_of_fold_models, _of_trees, _of_stages, _of_pipeline, _of_rows, _of_members):
        steps = count(model)
        if steps is not None:
            return max(steps, 1.0)
    return _PLAIN


def _of_fold_models(model: Any) -> float | None:
    models = getattr(model, "models", None)
    return sum(map(steps_per_row, models)) if isinstance(models, list) else None


def _of_trees(model: Any) -> float | None:
    if hasattr(model, "_score_trees"):
        return sum(_of_nodes(tree.n_nodes) for tree in model._score_trees().trees)
    return _of_nodes(model.tree_.node_count) if hasattr(model, "tree_") else None


def _of_nodes(n_nodes: int) -> float:
    """Return the steps through a tree: a large one does not stay in the cache."""
    return min(max(n_nodes / _NODES_PER_STEP, 1.0), _MOST_STEPS_OF_A_TREE)


def _of_stages(model: Any) -> float | None:
    """Return the trees of scikit-learn's histogram booster."""
    stages = getattr(model, "_predictors", None)
    return float(sum(map(len, stages))) if isinstance(stages, list) else None


def _of_pipeline(model: Any) -> float | None:
    steps = getattr(model, "steps", None)
    best = getattr(model, "best_estimator_", None)
    if best is not None:
        return steps_per_row(best)
    if not isinstance(steps, list) or not steps:
        return None
    last = steps[-1][1]
    return _PLAIN + _columns_of(last) + steps_per_row(last)


def _columns_of(model: Any) -> int:
    """Return how many columns a model reads; splines and one-hot encoding make many."""
    return int(getattr(model, "n_features_in_", 0))


def _of_rows(model: Any) -> float | None:
    """Return what models cost that compare a row with rows of the fit."""
    n_rows = getattr(model, "n_samples_fit_", None)
    if n_rows is None:
        n_rows = len(getattr(model, "support_vectors_", ()))
    return float(n_rows) * max(0.5, _STEPS_PER_CELL * _columns_of(model)) if n_rows else None


def _of_members(model: Any) -> float | None:
    members = getattr(model, "members_", None)
    if members is not None:
        return float(sum(steps_per_row(member.estimator) for member in members))
    models = getattr(model, "estimators_", None)
    if models is None or len(models) == 0:
        return None
    flat = list(getattr(models, "flat", models))
    return float(sum(map(steps_per_row, flat)))


@dataclass(frozen=True)
class Work:
    """How many rows each explanation predicts.

    Attributes
    ----------
    n_rows : int
        All together.

    Examples
    --------
    >>> [Work.of(steps).n_rows for steps in (5.0, 2_000.0, 50_000.0, 500_000.0)]
    [200000, 50000, 10000, 1000]
    """

    n_rows: int

    @classmethod
    def of(cls, steps_per_row: float) -> Work:
        """Return the work that a model of some cost is given."""
        enough = min(_ENOUGH_ROWS, _MOST_STEPS / steps_per_row)
        return cls(int(min(max(_STEPS / steps_per_row, enough), _MAX_ROWS)))

    def rows_for(self, fraction: float, n_per_row: float, low: int, high: int) -> int:
        """Return how many rows can be explained.

        Parameters
        ----------
        fraction : float
            Of all work.
        n_per_row : float
            Predictions that each row needs.
        low, high : int
            Bounds.
        """
        return int(min(max(fraction * self.n_rows / max(n_per_row, 1.0), low), high))
