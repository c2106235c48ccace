"""Bindings of the tree grower of the compiled core."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet import _core
from nonet._base.progress import Progress
from nonet._native.bags import ForestBags
from nonet._native.data import BinnedDataset
from nonet._native.device import refuse_device
from nonet._native.runtime import get_num_threads, native_array

_MAX_INT = 2**31 - 1

# Criteria for classification; the others are for regression.
_CLASS_CRITERIA = frozenset(_core.class_criteria())


@dataclass(frozen=True, kw_only=True)
class GrowParams:
    """Growth parameters of a tree.

    Parameters
    ----------
    max_depth : int, optional
        Maximum number of splits above a leaf.
    max_leaf_nodes : int, optional
        Maximum number of leaves. If given, the node with the maximum gain is split next.
    min_rows_split, min_rows_leaf : int
        Minimum number of rows in a node that is split, and in a leaf. Rows count once whatever
        their weight.
    min_weight_leaf : float
        Minimum sum of weights (for Newton's step: of hessians) in a leaf.
    min_impurity_decrease : float
        Minimum decrease of impurity, times the node's fraction of all weight, as in scikit-learn.
    l2, l1, min_gain : float
        For Newton's step: penalties of leaf values (lambda and alpha), and the gain that a split
        must exceed (gamma), where the gain is the decrease of the penalised loss.
    max_step : float, optional
        For Newton's step: the maximum absolute value of a leaf.
    columns_per_level : int, optional
        Number of columns drawn for all nodes of one depth.
    columns_per_split : int, optional
        Number of columns drawn for each split, from those of its level; as in scikit-learn, more
        are searched as long as all so far are constant in the node.
    columns : sequence of int
        Columns the tree may use, in order; none = all.
    monotone : sequence of int
        A sign for each column, or nothing: with 1 the prediction (number, or fraction of the second
        of two classes) does not fall as the column rises, with -1 it does not rise, with 0 it is
        free.
    interactions : sequence of sequences of int
        Groups of columns: those on the way from the root to a leaf must all be in one group.
        Columns that no group names form one more. Nothing: all columns may meet.
    threshold_policy : {"midway", "edge"}
        Thresholds midway between neighbours in the node, or on bin edges that all nodes share.
    threshold_draw : {"all", "uniform", "distinct"}
        All thresholds, or one per column: uniform between the node's minimum and maximum value, or
        between two neighbours among its distinct values.
    category_smoothing : float
        Categories are ordered by their mean target, moved towards that of the node (for Newton's
        step: towards 0) as by so many rows of weight 1. The left child then takes categories from
        one end of the order up to its middle. Missing rows are one more category.
    min_category_support : float
        Categories with fewer rows, of the mean weight in the node, stay out of the order and go
        with the larger number of categories.
    weights_count_rows : bool
        Whether a weight of 2 counts as two rows there, whatever the mean weight is.
    code_order_columns : sequence of int
        Where some stay out, the categories of these columns are tried in the order of their codes
        too, which does not depend on the targets.
    code_order_support : float, optional
        Replaces `min_category_support` in these columns.
    category_l2 : float
        For Newton's step: added to `l2` in both children of such a split.
    min_rows_group : int
        Minimum number of rows between two such candidates, and of the right child.
    max_categories_left : int, optional
        Maximum number of categories of the left child.
    max_one_vs_rest : int
        Columns with no more categories than these split off one from the rest instead.
    seed, tree : int
        Names of the random draws; `tree` is the number of the tree in its ensemble.

    Examples
    --------
    >>> GrowParams(max_depth=3).max_depth
    3
    """

    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_rows_split: int = 2
    min_rows_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    l2: float = 0.0
    l1: float = 0.0
    min_gain: float = 0.0
    max_step: float | None = None
    columns_per_level: int | None = None
    columns_per_split: int | None = None
    columns: Sequence[int] = ()
    monotone: Sequence[int] = ()
    interactions: Sequence[Sequence[int]] = ()
    threshold_policy: Literal["midway", "edge"] = "midway"
    threshold_draw: Literal["all", "uniform", "distinct"] = "all"
    category_smoothing: float = 0.0
    min_category_support: float = 0.0
    weights_count_rows: bool = False
    code_order_columns: Sequence[int] = ()
    code_order_support: float | None = None
    category_l2: float = 0.0
    min_rows_group: int = 0
    max_categories_left: int | None = None
    max_one_vs_rest: int = 0
    seed: int = 0
    tree: int = 0

    def of_tree(self, tree: int) -> GrowParams:
        """Return the same parameters for another tree of the ensemble.

        Unlike `dataclasses.replace`, it keeps what was converted for the core: small trees take
        little longer than that.

        Parameters
        ----------
        tree : int
            The number of the tree.

        Returns
        -------
        GrowParams

        Examples
        --------
        >>> GrowParams(max_depth=3).of_tree(7) == GrowParams(max_depth=3, tree=7)
        True
        """
        other = object.__new__(GrowParams)
        other.__dict__.update(self.__dict__, _converted=self._converted, tree=tree)
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_converted"}

    def _native(self) -> _core.GrowParams:
        return self._converted.of_tree(_in_range(self.tree))

    @functools.cached_property
    def _converted(self) -> _core.GrowParams:
        native = _core.GrowParams()
        for name in (
            "max_depth",
            "max_leaf_nodes",
            "max_step",
            "columns_per_level",
            "columns_per_split",
            "code_order_support",
            "max_categories_left",
        ):
            if getattr(self, name) is not None:
                setattr(native, name, _in_range(getattr(self, name)))
        for name in (
            "min_rows_split",
            "min_rows_leaf",
            "min_weight_leaf",
            "min_impurity_decrease",
            "l2",
            "l1",
            "min_gain",
            "category_smoothing",
            "min_category_support",
            "weights_count_rows",
            "category_l2",
            "min_rows_group",
            "max_one_vs_rest",
        ):
            setattr(native, name, _in_range(getattr(self, name)))
        native.seed = self.seed
        native.columns = list(self.columns)
        native.code_order_columns = sorted(self.code_order_columns)
        native.monotone = list(self.monotone)
        native.interactions = [list(group) for group in self.interactions]
        native.threshold_policy = _core.ThresholdPolicy[self.threshold_policy]
        native.threshold_draw = _core.ThresholdDraw[self.threshold_draw]
        return native


def _in_range(limit: Any) -> Any:
    """Return a limit that the core can hold: beyond its maximum integer nothing is limited."""
    return min(limit, _MAX_INT) if isinstance(limit, Integral) else limit


def _vector(numbers: ArrayLike | None, dtype: Any) -> NDArray[Any]:
    return np.empty(0, dtype) if numbers is None else native_array(numbers, dtype)


class TreeGrower:
    """Grows trees on one dataset, one after another, in the same memory.

    The first tree takes what it needs (some 24 to 40 bytes per row, and histograms of 16 bytes per
    bin and column for the open nodes, 256 MB of them at most); later trees use it again, which
    saves the time the system needs to clear fresh pages. The memory is freed with the grower.
    Several threads may grow trees with one grower at once.

    Parameters
    ----------
    dataset : BinnedDataset
        The columns; it lives as long as the grower.

    Examples
    --------
    >>> grower = TreeGrower(BinnedDataset(np.array([[1.0], [2.0], [3.0], [4.0]])))
    >>> [grower.grow(y, criterion="gini").n_leaves for y in ([0, 0, 1, 1], [0, 1, 0, 1])]
    [2, 4]
    """

    def __init__(self, dataset: BinnedDataset) -> None:
        self.dataset = dataset
        self._native = _core.TreeGrower(dataset._native)

    def grow(
        self,
        target: ArrayLike,
        params: GrowParams | None = None,
        *,
        criterion: str,
        n_classes: int | None = None,
        hessians: ArrayLike | None = None,
        counts: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        leaves: NDArray[np.int32] | None = None,
    ) -> _core.Tree:
        """Grow one tree; the same tree on any number of threads.

        Parameters
        ----------
        target : array of shape (n_rows,) or (n_rows, n_outputs)
            For impurities of classes, such as "gini", their codes, 0 to n_classes - 1; for
            "squared_error" and "absolute_error" numbers, of several outputs if need be; for
            "poisson" the same, not negative; for "indicator_entropy" the indicators of the classes
            of all targets side by side; for "newton" the gradients, of several scores if need be.
        params : GrowParams, optional
            Growth parameters.
        criterion : str
            What a split decreases: an impurity in the table of the core
            (`cpp/grow/criteria/impurities.hpp`), "absolute_error", "indicator_entropy" or "newton".
        n_classes : int, optional
            Number of classes; one more than the maximum code if not given.
        hessians : array of the shape of `target`, optional
            For "newton".
        counts : array of shape (n_rows,), optional
            How often each row is taken, such as a bootstrap's counts; 0 leaves a row out.
        weights : array of shape (n_rows,), optional
            Weights of rows, not negative. Whole weights mean repetition exactly; others are rounded
            to fixed point while splits are chosen, and count in double precision in the values.
        leaves : int32 array of shape (n_rows,), optional
            Gets the node, in preorder, of the leaf of each row; -1 for rows that were left out.

        Returns
        -------
        Tree
            Values are fractions of classes, means, or Newton's steps.
        """
        refuse_device("Trees of this estimator")
        is_class = criterion in _CLASS_CRITERIA
        values = _vector(None if is_class else target, np.float64)
        if values.ndim > 2 or (is_class and np.ndim(target) != 1):
            raise ValueError(
                f"target must have one entry per row (numbers: one per row and output), got "
                f"shape {np.shape(target)}."
            )
        classes = _vector(target if is_class else None, np.int32)
        if n_classes is None:
            n_classes = int(classes.max(initial=-1)) + 1
        return self._native.grow(
            criterion,
            classes,
            n_classes,
            values if values.ndim == 2 else values[:, np.newaxis],
            _vector(hessians, np.float64).ravel(),
            _vector(counts, np.uint32),
            _vector(weights, np.float64),
            (params or GrowParams())._native(),
            get_num_threads(),
            np.empty(0, np.int32) if leaves is None else leaves,
        )

    def grow_each(
        self,
        gradients: ArrayLike,
        hessians: ArrayLike,
        params: Sequence[GrowParams],
        *,
        counts: ArrayLike | None,
        weights: ArrayLike | None,
        leaves: NDArray[np.int32],
    ) -> list[_core.Tree]:
        """Grow Newton's trees on several gradients, one thread each: the same trees as one by one.

        Parameters
        ----------
        gradients, hessians : arrays of shape (n_trees, n_rows)
            The derivatives of the loss for each tree.
        params : sequence of GrowParams
            Growth parameters of each tree.
        counts, weights : arrays of shape (n_rows,) or None
            As in `grow`, the same for all trees.
        leaves : int32 array of shape (n_trees, n_rows)
            Gets the leaves of the rows in each tree.

        Returns
        -------
        list of Tree
            In the order of the gradients.
        """
        refuse_device("Trees of this estimator")
        return self._native.grow_each(
            _vector(gradients, np.float64),
            _vector(hessians, np.float64),
            _vector(counts, np.uint32),
            _vector(weights, np.float64),
            [one._native() for one in params],
            get_num_threads(),
            leaves,
        )


def grow_tree(
    dataset: BinnedDataset,
    target: ArrayLike,
    params: GrowParams | None = None,
    *,
    criterion: str,
    n_classes: int | None = None,
    hessians: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    leaves: NDArray[np.int32] | None = None,
) -> _core.Tree:
    """Grow one tree on binned data and free the memory it took; see `TreeGrower.grow`.

    Parameters
    ----------
    dataset : BinnedDataset
        The columns.
    target, params, criterion, n_classes, hessians, counts, weights, leaves
        As in `TreeGrower.grow`.

    Returns
    -------
    Tree
        Values are fractions of classes, means, medians, or Newton's steps.

    Examples
    --------
    >>> dataset = BinnedDataset(np.array([[1.0], [2.0], [3.0], [4.0]]))
    >>> grow_tree(dataset, [0, 0, 1, 1], criterion="gini").n_leaves
    2
    """
    return TreeGrower(dataset).grow(
        target,
        params,
        criterion=criterion,
        n_classes=n_classes,
        hessians=hessians,
        counts=counts,
        weights=weights,
        leaves=leaves,
    )


@contextmanager
def count_trees(progress: Progress) -> Iterator[_core.TreeCounter | None]:
    """Count the trees of the forest that is grown in the block, if its progress is shown."""
    if not progress.is_shown:
        yield None
        return
    counter = _core.TreeCounter()
    with progress.poll(lambda: counter.n_grown):
        yield counter


def grow_forest(
    dataset: BinnedDataset,
    target: ArrayLike,
    params: GrowParams,
    bags: ForestBags,
    trees: range,
    *,
    criterion: str,
    n_classes: int = 0,
    weights: ArrayLike | None = None,
    balanced: ArrayLike | None = None,
    columns_per_tree: int | None = None,
    impurity_unit: float = 1.0,
    pruning: float = 0.0,
    seen: NDArray[np.uint64] | None = None,
    counter: _core.TreeCounter | None = None,
) -> list[_core.Tree]:
    """Grow trees, each on a bag of its own; the same trees on any number of threads.

    Parameters
    ----------
    dataset, target, params, criterion, n_classes, weights
        As in `grow_tree`; the seed of `params` is that of the bags.
    bags : ForestBags
        Which rows each tree sees.
    trees : range
        Numbers of the trees, one after another.
    balanced : array of shape (n_rows, n_targets), optional
        Codes of classes that get equal weights within each bag.
    columns_per_tree : int, optional
        Number of columns drawn for each tree.
    impurity_unit : float
        What the grower's impurity is multiplied by.
    pruning : float
        Alpha of minimal cost-complexity pruning.
    seen : uint64 array of shape (n_trees, ceil(n_rows / 64)), optional
        Zeros that get a bit for each row that a tree sees.
    counter : TreeCounter, optional
        Counts the trees as they are grown; another thread may read it meanwhile.

    Returns
    -------
    list of Tree

    Examples
    --------
    >>> dataset = BinnedDataset(np.array([[1.0], [2.0], [3.0], [4.0]]))
    >>> bags = ForestBags(4, 4, seed=0)
    >>> len(grow_forest(dataset, [0, 0, 1, 1], GrowParams(), bags, range(3), criterion="gini",
    ...                 n_classes=2))
    3
    """
    is_class = criterion in _CLASS_CRITERIA
    values = _vector(None if is_class else target, np.float64)
    codes = np.empty((0, 0)) if balanced is None else np.asarray(balanced)
    if seen is not None and not bags.n_draws:
        seen[:] = ~np.uint64(0)  # without bags every tree sees every row
    refuse_device("Forests")
    return _core.grow_forest(
        dataset._native,
        criterion,
        _vector(target if is_class else None, np.int32),
        n_classes,
        values if values.ndim == 2 else values[:, np.newaxis],
        _vector(weights, np.float64),
        replace(params, seed=bags.seed)._native(),
        bags.native(),
        [_vector(column, np.int32) for column in codes.T],
        [int(column.max()) + 1 for column in codes.T],
        dataset.n_columns if columns_per_tree is None else columns_per_tree,
        impurity_unit,
        pruning,
        trees.start,
        len(trees),
        get_num_threads(),
        np.empty(0, np.uint64) if seen is None else seen.ravel(),
        counter,
    )
