"""The memory that a task will take, by the family of its configuration.

Boosters follow the formula of the engine. The numbers of the others were measured, and are upper
bounds: a forest that ends early, or whose leaves are pure, takes less.
"""

from __future__ import annotations

from nonet.auto.configuration import Configuration
from nonet.auto.memory import predict_bytes
from nonet.auto.pace import TaskSize

_BAGS_OF_DEFAULT = 8
_BYTES_PER_LEAF = {True: 56, False: 110}  # and its node, in forests of classes and of numbers
_COPIES_OF_DENSE = 4  # ridge regression takes most
_COPIES_OF_ROWS = 3  # rows of a fold, those that a process of its own is sent, and filled ones


def predict_task_bytes(configuration: Configuration, size: TaskSize) -> int:
    """Return the memory of a task in bytes; 0 for guests, of which nothing is known.

    Parameters
    ----------
    configuration : Configuration
    size : TaskSize

    Returns
    -------
    n_bytes : int

    Examples
    --------
    >>> size = TaskSize(1_000_000, 10, 1, 3, n_dense=60)
    >>> near = Configuration("near_5", "neighbors", {"n_neighbors": 5})
    >>> predict_task_bytes(near, size) / 1e9
    2.16
    """
    if configuration.guest is not None:
        return 0
    read, params = size.of(configuration), configuration.params
    if configuration.family == "boosted_trees":
        n_bags = 1 if "n_estimators" in params else _BAGS_OF_DEFAULT
        return predict_bytes(read.n_rows, read.n_columns, read.n_scores, 1, n_bags)
    of_rows = _COPIES_OF_ROWS * 8 * read.n_rows * read.n_columns
    if configuration.family in ("extra_trees", "random_forest"):
        n_leaves = params["n_estimators"] * read.n_rows // params.get("min_samples_leaf", 1)
        return of_rows + int(n_leaves) * _BYTES_PER_LEAF[read.is_classification]
    n_splines = int(params["n_knots"]) + 1 if "n_knots" in params else 0  # more per number
    n_dense = read.n_dense + n_splines * read.n_numbers
    return of_rows + _COPIES_OF_DENSE * 8 * read.n_rows * n_dense
