"""Permutation importance of the columns of a forest, measured on out-of-bag rows.

References
----------
L. Breiman, "Random forests", *Machine Learning* 45, 2001, section 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.params import Instance, bad_parameter
from nonet._base.results import Result
from nonet._base.streams import root_seed, stream
from nonet._native.tree import Tree, predict_values
from nonet.bagging.forest.forest import Forest
from nonet.trees.columns import predict_in_blocks


@dataclass(frozen=True)
class OutOfBagImportance(Result):
    """Permutation importances of the columns, measured on out-of-bag rows.

    Attributes
    ----------
    importances : ndarray of shape (n_features,)
        The mean over trees of the decrease in accuracy, or of the increase in squared error.
    errors : ndarray of shape (n_features,)
        Standard errors of these means, on the assumption that trees are independent.
    by_tree : ndarray of shape (n_trees, n_features)
        The increase in error of each tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import RandomForestClassifier
    >>> from nonet.bagging import oob_permutation_importance
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(random_state=0).fit(X, y)
    >>> result = oob_permutation_importance(forest, X, y, random_state=0)
    >>> int(result.importances.argmin())
    1
    """

    _shown: ClassVar[tuple[str, ...]] = ("importances", "errors")

    importances: Floats
    errors: Floats
    by_tree: Floats


def oob_permutation_importance(
    forest: Forest, X: Any, y: Any, *, random_state: Any = None
) -> OutOfBagImportance:
    """Compute the permutation importance of each column on out-of-bag rows.

    Each tree predicts its out-of-bag rows, then again with one column shuffled among them. The
    decrease in accuracy (increase in squared error) is averaged over the trees. Unlike the
    decrease of impurity it does not favour columns with many distinct values.

    Parameters
    ----------
    forest : RandomForestClassifier, RandomForestRegressor, or extra trees with ``bootstrap=True``
        A fitted forest of one target.
    X : array-like of shape (n_samples, n_features)
        The training rows of the forest, in the same order.
    y : array-like of shape (n_samples,)
        Their targets.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the shuffles.

    Returns
    -------
    result : OutOfBagImportance

    Examples
    --------
    >>> import numpy as np
    >>> from nonet import RandomForestRegressor
    >>> from nonet.bagging import oob_permutation_importance
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> forest = RandomForestRegressor(random_state=0).fit(X, 2 * X[:, 1])
    >>> int(oob_permutation_importance(forest, X, 2 * X[:, 1], random_state=0).importances.argmax())
    1
    """
    table, target = _check(forest, X, y)
    seed = root_seed(random_state)
    rows = []
    for position, tree in enumerate(forest._trees.trees):
        unseen = forest._unseen_rows(position)
        if unseen is not None and unseen.size:
            random = stream(seed, position)
            rows.append(_losses_of(tree, table[unseen], target[unseen], random))
    by_tree = np.array(rows)
    errors = by_tree.std(axis=0, ddof=1 if len(rows) > 1 else 0) / np.sqrt(len(rows))
    return OutOfBagImportance(by_tree.mean(axis=0), errors, by_tree)


def _check(forest: Any, X: Any, y: Any) -> tuple[Floats, Array]:
    rule = Instance("a forest of nonet", Forest)
    if not rule.allows(forest):
        owner = "oob_permutation_importance"
        raise bad_parameter(owner, "forest", rule.describe(), type(forest).__name__)
    check_is_fitted(forest)
    if forest.n_outputs_ > 1:
        raise ValueError(f"the forest must have one target here, but has {forest.n_outputs_}.")
    if not forest._bags[0].n_draws:
        raise ValueError("no tree has out-of-bag rows; fit the forest with bootstrap=True.")
    table = np.concatenate(predict_in_blocks(np.array, forest._check_rows(X)))
    target = np.asarray(y)
    n_rows = forest._bags[0].n_rows
    if len(table) != n_rows or len(target) != n_rows:
        raise ValueError(
            f"X and y must be those of the fit, which had {n_rows} rows, but have {len(table)} and "
            f"{len(target)}."
        )
    if hasattr(forest, "classes_"):
        return table, np.searchsorted(forest.classes_, target)
    return table, target.astype(np.float64)


def _losses_of(tree: Tree, table: Floats, target: Array, random: np.random.Generator) -> Floats:
    """Return the increase in a tree's error per shuffled column; 0 for unused columns."""
    base = _loss(tree, table, target)
    losses = np.zeros(table.shape[1])
    shuffled = table.copy()
    for column in np.flatnonzero(tree.split_counts()):
        shuffled[:, column] = random.permutation(table[:, column])
        losses[column] = _loss(tree, shuffled, target) - base
        shuffled[:, column] = table[:, column]
    return losses


def _loss(tree: Tree, table: Floats, target: Array) -> float:
    values = predict_values([tree], table)
    if values.shape[1] > 1:
        return float(np.mean(values.argmax(axis=1) != target))
    return float(np.mean((values[:, 0] - target) ** 2))
