"""Kernels of nonet; every use goes through nonet._native."""

from collections.abc import Sequence
import enum
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray

def available_cores() -> int:
    """Cores this process may use: machine, affinity mask and control group."""

def quota_cores(root: str, groups: str) -> int:
    """
    Cores that the quotas of control groups leave: their folders, and a list of them.
    """

def pool_size() -> int:
    """Worker threads that are alive in this process."""

def measure_phases(is_wanted: bool) -> None:
    """Begin to measure from zero where time goes, or end it."""

def phase_times() -> dict[str, tuple[float, float, float, int]]:
    """
    By phase: seconds, those in regions, those at tasks, and the number of regions.
    """

class ExactSum:
    def __init__(self) -> None: ...
    def add(self, other: ExactSum) -> None: ...
    @property
    def value(self) -> float: ...
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...

def exact_sum(
    terms: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
) -> ExactSum:
    """The exact sum of the terms, or of their products with weights."""

def log_of(x: float) -> float:
    """The logarithm, with the same bits on all machines."""

def philox_words(
    seed: int,
    stream: Sequence[int],
    block: int,
    out: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C")],
) -> None:
    """Fill out with the words of a Philox4x64-10 stream."""

class ArrowStrings:
    """A column of strings of another library."""

    def __init__(self, stream: object) -> None: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def is_known(self) -> bool: ...

def find_distinct_strings(
    columns: Sequence[ArrowStrings],
    positions: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]],
    n_threads: int,
) -> list[list[str]]:
    """Write positions of strings among the distinct ones; return these."""

class EdgeSample:
    """Bin edges of rows that come in blocks."""

    def __init__(self, n_columns: int, max_bins: int, n_sampled_rows: int, seed: int) -> None: ...
    @property
    def n_rows(self) -> int: ...
    @overload
    def add(
        self,
        values: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        n_threads: int,
    ) -> None: ...
    @overload
    def add(
        self,
        values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        n_threads: int,
    ) -> None: ...
    def find(
        self, n_threads: int
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    ]:
        """Bins of all columns, as arrays."""

class ColumnBins:
    """How the values of a column become small integers."""

    def __getstate__(self) -> tuple[list[float], list[float], list[float], bool, bool]: ...
    def __setstate__(
        self, arg: tuple[Sequence[float], Sequence[float], Sequence[float], bool, bool], /
    ) -> None: ...

def sample_positions(
    n_rows: int,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_sampled_rows: int,
    seed: int,
) -> list[int]:
    """Positions of the rows that edges of bins are taken from, in order."""

class BinnedDataset:
    """Columns as small integers, binned once."""

    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        categories: Sequence[int],
        max_bins: int,
        n_sampled_rows: int,
        seed: int,
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        categories: Sequence[int],
        max_bins: int,
        n_sampled_rows: int,
        seed: int,
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
        reference: BinnedDataset,
        categories: Sequence[int],
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
        reference: BinnedDataset,
        categories: Sequence[int],
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
        n_rows: int,
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        categories: Sequence[int],
        max_bins: int,
        n_sampled_rows: int,
        seed: int,
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        n_rows: int,
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        categories: Sequence[int],
        max_bins: int,
        n_sampled_rows: int,
        seed: int,
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
        bins: tuple[
            Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
        ],
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
        bins: tuple[
            Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
        ],
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        bins: tuple[
            Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
            Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
        ],
        n_rows: int,
        columns: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
        rows: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
    ) -> None: ...
    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
        bins: Sequence[ColumnBins],
        n_threads: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
        bins: Sequence[ColumnBins],
        n_threads: int,
    ) -> None: ...
    def all_bins(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    ]:
        """Bins of all columns, as arrays."""

    def columns(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """The bins of all columns, one after another, as bytes."""

    def rows(
        self, n_threads: int
    ) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """The bins of all rows, in whole words, as bytes."""

    def gather(
        self,
        rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        columns: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
        by_row: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
        n_threads: int,
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    ]:
        """Copy rows; return their bins as arrays."""

    def find_bad_row(self, n_threads: int) -> int:
        """The first row of bins that there are not; -1 if there is none."""

    def column_bins(self, column: int) -> ColumnBins: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_columns(self) -> int: ...
    @property
    def bytes_per_bin(self) -> int: ...
    def n_bins(self, column: int) -> int:
        """Bins of the column, without the missing one."""

    def has_missing(self, column: int) -> bool: ...
    def edges(self, column: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Upper edges of all bins but the last."""

    def copy_column(
        self, column: int, out: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C")]
    ) -> None:
        """Write the bins of all rows in a column."""

def class_criteria() -> list[str]:
    """Names of the criteria that are about classes."""

class ThresholdPolicy(enum.Enum):
    midway = 0

    edge = 1

class ThresholdDraw(enum.Enum):
    all = 0

    uniform = 1

    distinct = 2

class GrowParams:
    """What a tree should be like."""

    def __init__(self) -> None: ...
    @property
    def max_depth(self) -> int: ...
    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...
    @property
    def max_leaf_nodes(self) -> int: ...
    @max_leaf_nodes.setter
    def max_leaf_nodes(self, arg: int, /) -> None: ...
    @property
    def min_rows_split(self) -> int: ...
    @min_rows_split.setter
    def min_rows_split(self, arg: int, /) -> None: ...
    @property
    def min_rows_leaf(self) -> int: ...
    @min_rows_leaf.setter
    def min_rows_leaf(self, arg: int, /) -> None: ...
    @property
    def min_weight_leaf(self) -> float: ...
    @min_weight_leaf.setter
    def min_weight_leaf(self, arg: float, /) -> None: ...
    @property
    def min_impurity_decrease(self) -> float: ...
    @min_impurity_decrease.setter
    def min_impurity_decrease(self, arg: float, /) -> None: ...
    @property
    def l2(self) -> float: ...
    @l2.setter
    def l2(self, arg: float, /) -> None: ...
    @property
    def l1(self) -> float: ...
    @l1.setter
    def l1(self, arg: float, /) -> None: ...
    @property
    def min_gain(self) -> float: ...
    @min_gain.setter
    def min_gain(self, arg: float, /) -> None: ...
    @property
    def max_step(self) -> float: ...
    @max_step.setter
    def max_step(self, arg: float, /) -> None: ...
    @property
    def columns_per_level(self) -> int: ...
    @columns_per_level.setter
    def columns_per_level(self, arg: int, /) -> None: ...
    @property
    def columns_per_split(self) -> int: ...
    @columns_per_split.setter
    def columns_per_split(self, arg: int, /) -> None: ...
    @property
    def columns(self) -> list[int]: ...
    @columns.setter
    def columns(self, arg: Sequence[int], /) -> None: ...
    @property
    def monotone(self) -> list[int]: ...
    @monotone.setter
    def monotone(self, arg: Sequence[int], /) -> None: ...
    @property
    def interactions(self) -> list[list[int]]: ...
    @interactions.setter
    def interactions(self, arg: Sequence[Sequence[int]], /) -> None: ...
    @property
    def threshold_policy(self) -> ThresholdPolicy: ...
    @threshold_policy.setter
    def threshold_policy(self, arg: ThresholdPolicy, /) -> None: ...
    @property
    def threshold_draw(self) -> ThresholdDraw: ...
    @threshold_draw.setter
    def threshold_draw(self, arg: ThresholdDraw, /) -> None: ...
    @property
    def category_smoothing(self) -> float: ...
    @category_smoothing.setter
    def category_smoothing(self, arg: float, /) -> None: ...
    @property
    def min_category_support(self) -> float: ...
    @min_category_support.setter
    def min_category_support(self, arg: float, /) -> None: ...
    @property
    def weights_count_rows(self) -> bool: ...
    @weights_count_rows.setter
    def weights_count_rows(self, arg: bool, /) -> None: ...
    @property
    def code_order_columns(self) -> list[int]: ...
    @code_order_columns.setter
    def code_order_columns(self, arg: Sequence[int], /) -> None: ...
    @property
    def code_order_support(self) -> float | None: ...
    @code_order_support.setter
    def code_order_support(self, arg: float | None, /) -> None: ...
    @property
    def category_l2(self) -> float: ...
    @category_l2.setter
    def category_l2(self, arg: float, /) -> None: ...
    @property
    def min_rows_group(self) -> int: ...
    @min_rows_group.setter
    def min_rows_group(self, arg: int, /) -> None: ...
    @property
    def max_categories_left(self) -> int: ...
    @max_categories_left.setter
    def max_categories_left(self, arg: int, /) -> None: ...
    @property
    def max_one_vs_rest(self) -> int: ...
    @max_one_vs_rest.setter
    def max_one_vs_rest(self, arg: int, /) -> None: ...
    @property
    def seed(self) -> int: ...
    @seed.setter
    def seed(self, arg: int, /) -> None: ...
    @property
    def tree(self) -> int: ...
    @tree.setter
    def tree(self, arg: int, /) -> None: ...
    def of_tree(self, tree: int) -> GrowParams:
        """The same for another tree."""

class TreeGrower:
    """Grows trees and keeps its memory between them."""

    def __init__(self, dataset: BinnedDataset) -> None: ...
    def grow(
        self,
        criterion: str,
        classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        n_classes: int,
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)
        ],
        hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        params: GrowParams,
        n_threads: int,
        leaves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    ) -> Tree:
        """Grow one tree; arrays that a criterion does not read are empty."""

    def grow_each(
        self,
        gradients: Annotated[
            NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)
        ],
        hessians: Annotated[
            NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)
        ],
        counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        params: Sequence[GrowParams],
        n_threads: int,
        leaves: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    ) -> list[Tree]:
        """Grow Newton's trees on several gradients side by side."""

class Bags:
    """Which rows the trees of a forest see."""

    def __init__(
        self,
        rule: str,
        n_rows: int,
        n_draws: int,
        groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        n_groups: int,
        probabilities: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)
        ],
        strata_rows: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", writable=False)
        ],
        strata_ends: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)
        ],
        strata_draws: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)
        ],
    ) -> None: ...

def draw_bag(
    bags: Bags,
    seed: int,
    tree: int,
    counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")],
) -> None:
    """Write how often a tree of a forest sees each row."""

class TreeCounter:
    """How many trees of a forest are grown so far."""

    def __init__(self) -> None: ...
    @property
    def n_grown(self) -> int: ...

def grow_forest(
    dataset: BinnedDataset,
    criterion: str,
    classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    n_classes: int,
    values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    params: GrowParams,
    bags: Bags,
    balanced: Sequence[
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)]
    ],
    balanced_sizes: Sequence[int],
    columns_per_tree: int,
    impurity_unit: float,
    pruning: float,
    first: int,
    n_trees: int,
    n_threads: int,
    seen: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C")],
    counter: TreeCounter | None,
) -> list[Tree]:
    """
    Grow trees, each on a bag of its own; arrays that are not wanted are empty.
    """

def sample_rows(
    uniforms: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_wanted: int,
    counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")],
) -> None:
    """Write 1 for the rows that selection sampling takes, 0 for others."""

def draw_columns(n_columns: int, n_wanted: int, seed: int, tree: int) -> list[int]:
    """The columns of a tree of a forest, in order."""

def draw_uniform_rows(
    seed: int,
    round: int,
    fraction: float,
    n_threads: int,
    factors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> None: ...
def measure_derivatives(
    gradients: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)
    ],
    hessians: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)
    ],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    lambda_: float,
    n_threads: int,
    sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> None: ...
def draw_one_side_rows(
    seed: int,
    round: int,
    sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    top: float,
    other: float,
    n_threads: int,
    factors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> None: ...
def draw_min_variance_rows(
    seed: int,
    round: int,
    sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    fraction: float,
    n_threads: int,
    factors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> None: ...
def sum_marked(
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    marks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
) -> float:
    """The weight of the marked rows."""

def scale_unmarked(
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    marks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
    factor: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> None:
    """The weights, times a factor in rows without a mark."""

def normalise(
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    minimum: float,
    n_threads: int,
) -> None:
    """Make the sum 1, with no row below the minimum weight."""

def add_weights(
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> float:
    """Add weights to sums, and return the sum of their squares."""

def add_votes(
    wrong: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
    alpha: float,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    is_second: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> tuple[float, float]:
    """
    Add alpha to scores, minus alpha where the vote is wrong; minimum score and wrong weight.
    """

def fill_gradients(
    name: str,
    shape: float,
    targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> None:
    """
    Gradients and hessians of a loss; an empty array of hessians is left alone.
    """

def sum_losses(
    name: str,
    shape: float,
    targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
) -> ExactSum: ...
def fill_class_gradients(
    classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    n_threads: int,
    gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> None:
    """Gradients and hessians of the multinomial loss, class by class."""

def sum_class_losses(
    classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
) -> ExactSum: ...
def add_leaf_values(
    leaves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> None:
    """scores[row] += values[leaves[row]] where the leaf is not negative."""

class MomentKind(enum.Enum):
    counted = 0

    packed = 1

    wide = 2

class MomentSizes:
    """Sizes of gradients and hessians of rows."""

    def __init__(self) -> None: ...
    def join(self, other: MomentSizes) -> None: ...
    @property
    def n_rows(self) -> int: ...
    def __getstate__(self) -> tuple[float, float, float, float, float, int, int]: ...
    def __setstate__(self, arg: tuple[float, float, float, float, float, int, int], /) -> None: ...

class MomentTotals:
    """Sums of the sizes of rows."""

    def __init__(self) -> None: ...
    def join(self, other: MomentTotals) -> None: ...
    def __getstate__(self) -> tuple[float, float, float]: ...
    def __setstate__(self, arg: tuple[float, float, float], /) -> None: ...

def moment_kinds(all: MomentSizes, dataset: BinnedDataset, params: GrowParams) -> list[MomentKind]:
    """
    Ways to write rows of these sizes that are worth a try, the best one first.
    """

def needs_totals(kind: MomentKind) -> bool: ...
def fits(
    kind: MomentKind, sizes: MomentSizes, totals: MomentTotals, n_gradients: int, n_hessians: int
) -> bool:
    """Whether nearly all rows keep enough units."""

leaf_sums: int = 4

def count_cells(dataset: BinnedDataset, params: GrowParams) -> int: ...

class PartGrower:
    """Memory for trees on a partition of the rows."""

    def __init__(self, dataset: BinnedDataset) -> None: ...

class PartTree:
    """The nodes of a tree in a partition of its rows."""

    def __init__(
        self,
        grower: PartGrower,
        gradients: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)
        ],
        hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        params: GrowParams,
        n_threads: int,
    ) -> None: ...
    @property
    def sizes(self) -> MomentSizes: ...
    def totals(self, sizes: MomentSizes) -> MomentTotals:
        """What these rows add to the totals of all."""

    def count_light(
        self, kind: MomentKind, sizes: MomentSizes, totals: MomentTotals
    ) -> tuple[int, int]:
        """How many gradients and hessians would be rounded too coarsely."""

    def start(self, kind: MomentKind, sizes: MomentSizes, totals: MomentTotals) -> None:
        """Write the rows in the units of all partitions."""

    def count_root(
        self, out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")]
    ) -> None: ...
    def split(
        self,
        orders: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    ) -> None:
        """Move rows, and write the histograms of the children that are counted."""

    def sum_leaves(
        self,
        leaf_of_node: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)
        ],
        sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ) -> None: ...
    def find_leaves(
        self,
        leaf_of_node: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)
        ],
        leaves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    ) -> None: ...

class TreeFromSums:
    """A tree that is grown from histograms alone."""

    def __init__(
        self,
        dataset: BinnedDataset,
        params: GrowParams,
        kind: MomentKind,
        sizes: MomentSizes,
        totals: MomentTotals,
        n_threads: int,
    ) -> None: ...
    def take_root(
        self, cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)]
    ) -> None: ...
    def next(self, max_rows: int) -> tuple[list[int], int, int]:
        """Orders to split nodes, how many they are, and how many histograms."""

    def take(
        self, cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)]
    ) -> None: ...
    def last(self) -> list[int]: ...
    def leaf_of_node(self) -> list[int]: ...
    @property
    def n_leaves(self) -> int: ...
    def finish(
        self,
        sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        preorder: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    ) -> Tree:
        """The tree; `preorder` gets the index of each leaf."""

def n_cuda_devices() -> int:
    """GPUs that can be used; -1 if this build has no code for them."""

class DeviceRows:
    """The rows of a boosting fit on a GPU."""

    def __init__(
        self,
        dataset: BinnedDataset,
        targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)
        ],
    ) -> None: ...
    def find_gradients(self, name: str, shape: float) -> None:
        """Of all trees of a round, at the scores."""

    def sizes(self, tree: int) -> MomentSizes: ...
    def totals(self, tree: int, sizes: MomentSizes) -> MomentTotals: ...
    def count_light(
        self, tree: int, kind: MomentKind, sizes: MomentSizes, totals: MomentTotals
    ) -> tuple[int, int]: ...
    def start(
        self,
        tree: int,
        kind: MomentKind,
        sizes: MomentSizes,
        totals: MomentTotals,
        cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    ) -> None:
        """Write the rows, and the histogram of the root."""

    def split(
        self,
        tree: int,
        orders: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    ) -> None:
        """Move rows, and write the histograms of the children that are counted."""

    def sum_leaves(
        self,
        tree: int,
        leaf_of_node: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)
        ],
        sizes: MomentSizes,
        sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ) -> None: ...
    def add(
        self,
        tree: int,
        values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    ) -> None:
        """Add values of leaves to the scores of the rows that fell into them."""

    def copy_leaves(
        self, tree: int, leaves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]
    ) -> None: ...
    def copy_scores(
        self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")]
    ) -> None: ...

class Cover(enum.Enum):
    """The measure of how many rows went to a node."""

    weight = 0

    n_rows = 1

@overload
def add_shap_values(
    trees: Sequence[Tree],
    X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    cover: Cover,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
) -> None: ...
@overload
def add_shap_values(
    trees: Sequence[Tree],
    X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    cover: Cover,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
) -> None:
    """Add the Shapley values of all columns to out."""

@overload
def add_shap_interactions(
    trees: Sequence[Tree],
    X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    cover: Cover,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order="C")],
) -> None: ...
@overload
def add_shap_interactions(
    trees: Sequence[Tree],
    X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    cover: Cover,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order="C")],
) -> None:
    """Add the interactions of all pairs of columns to out."""

@overload
def add_dependence(
    trees: Sequence[Tree],
    points: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    cover: Cover,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> None: ...
@overload
def add_dependence(
    trees: Sequence[Tree],
    points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    cover: Cover,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> None:
    """Add the mean predictions at points of some columns to out."""

class Tree:
    """A finished tree."""

    def __init__(self, bytes: bytes) -> None: ...
    @staticmethod
    def from_arrays(
        n_columns: int,
        n_outputs: int,
        arrays: dict[str, Any],
        category_sets: Sequence[Sequence[bool]],
    ) -> Tree:
        """Make a tree from arrays as `arrays` gives them."""

    @staticmethod
    def from_bytes(bytes: bytes) -> Tree: ...
    def to_bytes(self) -> bytes: ...
    def __reduce__(self) -> tuple[type[Tree], tuple[bytes]]: ...
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...
    @property
    def n_columns(self) -> int: ...
    @property
    def n_outputs(self) -> int: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_leaves(self) -> int: ...
    @property
    def max_depth(self) -> int: ...
    @property
    def has_details(self) -> bool: ...
    def arrays(self) -> dict[str, Any]:
        """Its nodes in preorder, one array a fact."""

    def category_set(self, index: int) -> list[bool]:
        """Whether each category goes left."""

    def preorder(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def pruning_path(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    ]: ...
    def with_values(
        self,
        values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    ) -> Tree:
        """
        The same splits with other values, in preorder, those of a node side by side.
        """

    def prune(self, alpha: float) -> Tree: ...
    def gain_importances(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def split_counts(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def mean_leaf_values(
        self, cover: Cover
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def paths_to(
        self,
        arg: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        /,
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    ]: ...

class RankedRows:
    """Rows as packed trees read them."""

    @property
    def n_rows(self) -> int: ...

class PackedTrees:
    """Many trees prepared to predict many rows."""

    @staticmethod
    def pack(trees: Sequence[Tree], n_threads: int) -> PackedTrees | None:
        """None if the trees are not fit for it."""

    def add_unseen(
        self,
        rows: RankedRows,
        seen: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order="C", writable=False)],
        first: int,
        n_threads: int,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
        coverage: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    ) -> None:
        """
        Add the values of the trees, from the first on, that have not seen a row.
        """

    @property
    def n_trees(self) -> int: ...
    @property
    def n_outputs(self) -> int: ...
    @overload
    def add_predictions(
        self,
        X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
        n_threads: int,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    ) -> None: ...
    @overload
    def add_predictions(
        self,
        X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
        n_threads: int,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    ) -> None: ...
    @overload
    def rank(
        self,
        X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
        n_threads: int,
    ) -> RankedRows: ...
    @overload
    def rank(
        self,
        X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
        n_threads: int,
    ) -> RankedRows:
        """Rows as ranks, for predictions by some trees after others."""

class RowWalks:
    """Trees prepared to predict a few rows."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        """Keeps the sequence of trees, which must not change: a tuple."""

    @overload
    def add_predictions(
        self,
        X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    ) -> None: ...
    @overload
    def add_predictions(
        self,
        X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    ) -> None:
        """Add the values of all trees to out."""

def trees_to_bytes(trees: Sequence[Tree]) -> bytes:
    """The bytes of many trees, with nothing rounded."""

def trees_from_bytes(bytes: bytes) -> list[Tree]: ...
def check_agreement(trees: Sequence[Tree]) -> None:
    """Raise unless trees can belong to one model."""

@overload
def add_predictions(
    trees: Sequence[Tree],
    X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> None: ...
@overload
def add_predictions(
    trees: Sequence[Tree],
    X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> None:
    """Add the values of all trees to out."""

@overload
def find_leaves(
    trees: Sequence[Tree],
    X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
) -> None: ...
@overload
def find_leaves(
    trees: Sequence[Tree],
    X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
) -> None:
    """Write the leaf each row reaches in each tree."""

def find_bin_leaves(
    tree: Tree,
    dataset: BinnedDataset,
    n_threads: int,
    leaves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
) -> bool:
    """
    Write leaves in preorder, -1 where bins do not determine them; return whether all did.
    """

def draw_units(
    n_units: int,
    seed: int,
    pool: int,
    first: int,
    out: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order="C")],
) -> None:
    """Fill each row with the draws of a resample."""

def resampled_sums(
    terms: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    n_draws: int,
    seed: int,
    pool: int,
    first: int,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> None:
    """Add to each row the sum of the terms that a resample draws."""

def resampled_products(
    columns: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    n_draws: int,
    seed: int,
    pool: int,
    first: int,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> None:
    """Add to each row the sums of products that a resample draws."""

def resampled_order_statistics(
    rank: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", writable=False)],
    n_draws: int,
    lower: int,
    seed: int,
    pool: int,
    first: int,
    n_threads: int,
    out: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C")],
) -> None:
    """Positions of two neighbouring order statistics of each resample."""

def column_spread(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
) -> list[float]:
    """Mean in two parts, and the sum of squares about it."""

def polynomial_gaps(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    base: float,
    rest: float,
    coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
) -> list[float]:
    """
    Sum, and sum of squares, of a polynomial of the distance from the mean.
    """

def root_gaps(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    base: float,
    rest: float,
    constant: float,
    quadratic: float,
    root: float,
    n_threads: int,
) -> list[float]:
    """Sum, and sum of squares, of what leaving a row out adds to a root."""

def correlation_gaps(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
) -> list[float]:
    """
    The correlation; sum, and sum of squares, of what leaving a row out adds to it.
    """

def ratio_gaps(
    y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
) -> list[float]:
    """
    mean(y) / mean(x); sum, and sum of squares, of what leaving a row out adds to it.
    """

@overload
def weighted_sum(
    outputs: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    divisor: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def weighted_sum(
    outputs: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    divisor: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Divided sum of weight * output; false if a result is NaN."""

@overload
def order_mean(
    outputs: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    first: int,
    last: int,
    n_threads: int,
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def order_mean(
    outputs: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    first: int,
    last: int,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Mean of order statistics first..last-1; false if a value is NaN."""

@overload
def weighted_quantile(
    outputs: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    q: float,
    midpoint: bool,
    n_threads: int,
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def weighted_quantile(
    outputs: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    q: float,
    midpoint: bool,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Weighted quantile over members; false if a value is NaN."""

@overload
def weighted_log_sum(
    probabilities: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def weighted_log_sum(
    probabilities: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Sum of weight * log(probability); false if a result is NaN."""

@overload
def borda(
    scores: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    tie_points: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def borda(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    tie_points: float,
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Weighted Borda counts over members; false if a score is NaN."""

@overload
def argmax(
    support: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
) -> bool: ...
@overload
def argmax(
    support: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
) -> bool:
    """First column of the maximum support; false if a value is NaN."""

@overload
def votes(
    codes: Annotated[
        NDArray[numpy.int8], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def votes(
    codes: Annotated[
        NDArray[numpy.uint8], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def votes(
    codes: Annotated[
        NDArray[numpy.int16], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def votes(
    codes: Annotated[
        NDArray[numpy.int32], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool: ...
@overload
def votes(
    codes: Annotated[
        NDArray[numpy.int64], dict(shape=(None, None, None), order="C", writable=False)
    ],
    member_major: bool,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    n_threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
) -> bool:
    """Weight of the votes for a class; false if a code is too large."""
