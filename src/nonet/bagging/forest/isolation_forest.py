"""Isolation forests: outliers are the rows that few random splits separate from the rest.

Members: trees of random splits on small samples. F: the mean path to a leaf, on the scale of a
score. C: the sign of the score less an offset.

References
----------
F. T. Liu, K. M. Ting and Z.-H. Zhou, "Isolation-based anomaly detection", *ACM Transactions on
Knowledge Discovery from Data* 6, 2012.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from sklearn.base import OutlierMixin
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats, Kind
from nonet._base.arrays import check_sample_weight
from nonet._base.params import Boolean, Choice, Integer, Nothing, Real, Rule, check_params
from nonet._base.streams import RANDOM_STATE
from nonet._base.warn import warn_caller
from nonet._native.bags import ForestBags
from nonet._native.tree import Tree
from nonet.bagging.bagging.bags import count_columns
from nonet.bagging.bagging.draws import RowDraw
from nonet.bagging.bagging.population import Population
from nonet.bagging.forest.forest_data import make_bags
from nonet.bagging.forest.forest_docs import with_forest_docs
from nonet.bagging.forest.random_trees import RandomTrees, depths_of
from nonet.ensemble import Ensemble
from nonet.trees.growth import Fraction

_ROWS_PER_TREE = 256  # as in the paper: in larger samples outliers mask one another


@dataclass(frozen=True)
class IsolationScore:
    """F of an isolation forest: turn path lengths into scores of normality.

    Attributes
    ----------
    usual_length : float
        The mean path length in a random tree of as many rows.
    reads : 'values'
        The kind of tree outputs that F reads.
    """

    usual_length: float
    reads: Kind = "values"

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return "mean path length, as a score"

    def __call__(self, outputs: Floats, X: Any = None) -> Floats:
        """Return the score of each row from its (n, k) path lengths."""
        return self.of_mean(outputs.mean(axis=1))

    def of_mean(self, lengths: Floats) -> Floats:
        """Return the score of each row from its mean path length."""
        # Trees of one row have no splits: no row is easier to isolate than another.
        if self.usual_length <= 0:
            return np.full(len(lengths), -0.5)
        scores: Floats = -np.exp2(-lengths / self.usual_length)
        return scores


@dataclass(frozen=True)
class OutlierThreshold:
    """C of an isolation forest: -1 (an outlier) for scores below the offset, else 1."""

    offset: float

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"outlier if the score is below {self.offset:.4g}"

    def __call__(self, support: Floats, X: Any = None) -> Codes:
        """Return -1 or 1 for each row."""
        return np.where(support - self.offset < 0, -1, 1)


@with_forest_docs
class IsolationForest(OutlierMixin, RandomTrees, Ensemble):  # type: ignore[override]
    """Outlier detection by the mean number of random splits that isolate a row.

    It takes the parameters of scikit-learn's class of the same name.

    Parameters
    ----------
    {n_estimators}
    max_samples : 'auto', int or float, default='auto'
        Rows per tree: a number, a fraction, or at most 256 for 'auto'.
    contamination : 'auto' or float, default='auto'
        The fraction of training rows that are outliers; 'auto' sets the offset to -0.5.
    max_features : int or float, default=1.0
        Columns per tree: a number, or a fraction.
    bootstrap : bool, default=False
        Whether rows are drawn with replacement.
    {run_of_random_trees}

    Attributes
    ----------
    estimator_ : estimator
        An unfitted tree with the parameters of all trees.
    estimators_ : list of estimators
        The trees, which predict path lengths.
    estimators_features_ : list of ndarray of int
        The columns of each tree.
    estimators_samples_ : list of ndarray of int
        The rows each tree was grown on.
    members_ : list of Member
        The trees with the rows they have not seen.
    combine_ : IsolationScore
        F: path lengths in, ``score_samples`` out.
    decide_ : OutlierThreshold
        C: -1 for rows with a score below ``offset_``, else 1.
    max_samples_ : int
        Number of rows per tree.
    offset_ : float
        ``decision_function`` is ``score_samples`` minus this.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    RandomTreesEmbedding : Random trees as a sparse encoding of the rows.

    Notes
    -----
    Thresholds are drawn between the minimum and the maximum of a node, and a split can separate
    every distinct value (65,535 quantiles, if there are more) from the next. With
    ``bootstrap=True`` weights are probabilities of rows; otherwise they only exclude rows of
    weight 0. A column that is missing in every row is an error; scikit-learn accepts it.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet import IsolationForest
    >>> X = np.append(np.random.default_rng(0).normal(size=99), 9.0).reshape(-1, 1)
    >>> forest = IsolationForest(random_state=0).fit(X)
    >>> int(forest.score_samples(X).argmin()), int(forest.predict(X)[-1])
    (99, -1)
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Integer(1),
        "max_samples": Choice("auto") | Integer(1) | Fraction(),
        "contamination": Choice("auto") | Real(0, 0.5, open_low=True),
        "max_features": Integer(1) | Fraction(),
        "bootstrap": Boolean(),
        "n_jobs": Nothing() | Integer(),
        "random_state": RANDOM_STATE,
        "verbose": Boolean() | Integer(0),
        "warm_start": Boolean(),
    }

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: Any = "auto",
        contamination: Any = "auto",
        max_features: int | float = 1.0,
        bootstrap: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool | int = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.contamination = contamination
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> IsolationForest:
        """Grow the trees and find the offset.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : Ignored
            There is no target.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        table = self._check_table(X)
        n_rows = table.shape[0]
        self.max_samples_ = self._rows_per_tree(n_rows)
        n_columns = count_columns(self, self.max_features, self.n_features_in_)
        self._grow_random(table, sample_weight, self._make_bags(n_rows, sample_weight), n_columns)
        self.combine_ = IsolationScore(float(average_path_length(np.array([self.max_samples_]))[0]))
        self.offset_ = -0.5
        if self.contamination != "auto":
            scores = self._score_rows(table)
            self.offset_ = float(np.percentile(scores, 100 * self.contamination))
        return self

    def _rows_per_tree(self, n_rows: int) -> int:
        if self.max_samples == "auto":
            return min(_ROWS_PER_TREE, n_rows)
        if not isinstance(self.max_samples, int | np.integer):
            return max(1, int(self.max_samples * n_rows))
        if self.max_samples > n_rows:
            warn_caller(
                f"max_samples={self.max_samples} is more than the {n_rows} rows of X: each "
                "tree sees all of them.",
            )
        return min(int(self.max_samples), n_rows)

    def _make_bags(self, n_rows: int, sample_weight: Any) -> ForestBags:
        seed, n_draws = self._seed_of_fit(), self.max_samples_
        if not self.bootstrap:
            return ForestBags(n_rows, n_draws, seed, "rows_once")
        weights = check_sample_weight(sample_weight, n_rows)
        return make_bags(
            RowDraw(), Population(n_rows, self.n_estimators, n_draws, True, seed, weights)
        )

    def _make_prototype(self) -> Any:
        depth = math.ceil(math.log2(max(self.max_samples_, 2)))
        return self._tree_kind(max_features=1, max_depth=depth)

    def _finished(self, tree: Tree) -> Tree:
        """Store path lengths in the leaves: splits passed plus the expected number to come."""
        arrays = tree.arrays()
        depths = depths_of(arrays["left"], arrays["right"])
        arrays["values"] = depths + average_path_length(arrays["n_rows"])
        return Tree.from_arrays(tree.n_columns, 1, arrays, [])

    @property
    def estimators_features_(self) -> list[Array]:
        """The columns of each tree."""
        n_columns = self.n_features_in_
        wanted = count_columns(self, self.max_features, n_columns)
        return [bag.columns(tree, n_columns, wanted) for tree, bag in enumerate(self._bags)]

    @property
    def decide_(self) -> OutlierThreshold:
        """C: -1 for rows with a score below ``offset_``, else 1."""
        check_is_fitted(self)
        return OutlierThreshold(self.offset_)

    def _score_rows(self, table: Any) -> Floats:
        return cast(Floats, self.combine_.of_mean(self._mean_of_trees(table)[:, 0]))

    def _support(self, X: Any) -> Floats:
        return self.score_samples(X)

    def score_samples(self, X: Any) -> Floats:
        """Return how normal rows are: near -1 for outliers, -0.5 or more for the others.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
            ``-2 ** (-mean path length / usual path length)``.
        """
        return self._score_rows(self._check_rows(X))

    def decision_function(self, X: Any) -> Floats:
        """Return the scores minus the offset: negative for outliers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
        """
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> Codes:
        """Return -1 for outliers and 1 for the other rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of int of shape (n_samples,)
        """
        return super().predict(X)


def average_path_length(n_rows: Array) -> Floats:
    """Return the mean path length in a fully grown random tree of the given number of rows.

    Equation 1 of the reference: 2 H(n - 1) - 2 (n - 1) / n, with H(k) the harmonic number.
    """
    n = np.asarray(n_rows, dtype=np.float64)
    large = np.maximum(n, 3)
    usual = 2 * (np.log(large - 1) + np.euler_gamma) - 2 * (large - 1) / large
    lengths: Floats = np.where(n > 2, usual, np.where(n == 2, 1.0, 0.0))
    return lengths
