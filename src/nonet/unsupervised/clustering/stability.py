"""Stability of a clustering by its number of clusters: how well two halves of the rows agree.

The rows are divided into two halves at random. The clusterer is fitted on each, and both label all
rows. A number of clusters that the data support gives the same partition from both halves; their
adjusted Rand index is 1 then, and 0 on average for unrelated partitions.

References
----------
T. Lange, V. Roth, M. L. Braun and J. M. Buhmann, "Stability-based validation of clustering
solutions", *Neural Computation* 16, 2004.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from nonet._base.aliases import Codes, Floats
from nonet._base.errors import MemberError
from nonet._base.frames import take_rows
from nonet._base.number_tables import read_columns_of_numbers
from nonet._base.parallel import run_all
from nonet._base.params import Having, Integer, bad_parameter
from nonet._base.progress import Steps
from nonet._base.results import PlottableResult
from nonet._base.streams import member_seed, root_seed, stream
from nonet.members.plan import MemberPlan
from nonet.unsupervised.clustering.agreement import rand_index
from nonet.unsupervised.clustering.cluster_member import check_clusters, fit_cluster_member
from nonet.unsupervised.clustering.magnitudes import check_distances
from nonet.unsupervised.clustering.member_plans import count_parameter, with_clusters
from nonet.unsupervised.clustering.small_fits import limit_small_fits

_MEMBER_REPEATS = 5


@dataclass(frozen=True)
class ClusteringStability(PlottableResult):
    """How well clusterings of two halves of the rows agree, by the number of clusters.

    Attributes
    ----------
    n_clusters : ndarray of int of shape (n_candidates,)
        The numbers of clusters.
    scores : ndarray of shape (n_repeats, n_candidates)
        The adjusted Rand index of two clusterings, each fitted on one half of the rows.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from nonet import clustering_stability
    >>> X, _ = make_blobs(120, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> found = clustering_stability(KMeans(), X, n_clusters=range(2, 6), random_state=0)
    >>> found.best
    3
    """

    n_clusters: Codes
    scores: Floats
    _shown: ClassVar[tuple[str, ...]] = ("n_clusters", "means", "standard_errors", "best")
    _plot: ClassVar[str] = "plot_clustering_stability"

    @property
    def means(self) -> Floats:
        """The mean index of each number of clusters."""
        return np.asarray(self.scores.mean(axis=0))

    @property
    def standard_errors(self) -> Floats:
        """The standard error of each mean over the repeats."""
        return np.asarray(self.scores.std(axis=0, ddof=1) / np.sqrt(len(self.scores)))

    @property
    def best(self) -> int:
        """The largest number of clusters within one standard error of the most stable one."""
        top = int(self.means.argmax())
        stable = self.means >= self.means[top] - self.standard_errors[top]
        return int(self.n_clusters[stable].max())


def clustering_stability(
    estimator: Any,
    X: Any,
    n_clusters: Iterable[int] = range(2, 11),
    *,
    n_repeats: int = 10,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> ClusteringStability:
    """Compare clusterings of two halves of the rows, for several numbers of clusters.

    Parameters
    ----------
    estimator : clusterer
        A clusterer with a parameter ``n_clusters`` (or ``n_components``), such as
        :class:`ConsensusClustering` or k-means. It is cloned.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Rows.
    n_clusters : iterable of int, default=range(2, 11)
        The numbers of clusters to try; half of the rows must be as many at least.
    n_repeats : int, default=10
        How often the rows are divided at random. All numbers of clusters see the same halves.
    n_jobs : int, default=None
        Number of parallel jobs.
    random_state : int, RandomState, Generator or None, default=None
        The seed of the halves and of the clusterers.

    Returns
    -------
    stability : ClusteringStability

    See Also
    --------
    ConsensusClustering : Takes the most stable number with ``n_clusters='auto'``.

    Notes
    -----
    A clusterer without ``predict`` labels the other half like the nearest of its own rows. The
    repeats use the same rows, so that standard errors show the noise of halves and seeds, not that
    of new data. Stability favours small numbers of clusters: ``best`` is therefore the largest
    number within one standard error of the maximum.

    References
    ----------
    T. Lange, V. Roth, M. L. Braun and J. M. Buhmann, "Stability-based validation of clustering
    solutions", *Neural Computation* 16, 2004.

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn.datasets import make_blobs
    >>> from nonet import clustering_stability
    >>> X, _ = make_blobs(120, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> model = AgglomerativeClustering()
    >>> clustering_stability(model, X, n_clusters=[2, 3, 4], random_state=0).best
    3
    """
    _check_arguments(estimator, n_repeats)
    table = read_columns_of_numbers(None, X, accept_sparse=["csr", "csc"])
    check_distances("clustering_stability", table)
    tried = _check_candidates(n_clusters, table.shape[0])
    seed = root_seed(random_state)
    calls = [(estimator, table, k, seed, repeat) for repeat in range(n_repeats) for k in tried]
    with limit_small_fits(table):
        scores = run_all(
            _score_halves, calls, n_jobs=n_jobs, steps=Steps("clustering_stability", "repeats")
        )
    return ClusteringStability(np.array(tried), np.reshape(scores, (n_repeats, len(tried))))


def _check_arguments(estimator: Any, n_repeats: Any) -> None:
    clusterer = Having("a clusterer with fit", "fit")
    if not clusterer.allows(estimator):
        raise bad_parameter("clustering_stability", "estimator", clusterer.describe(), estimator)
    check_clusters("clustering_stability", "parameter 'estimator'", estimator)
    if count_parameter(estimator) is None:
        allowed = "a clusterer with a parameter n_clusters or n_components"
        raise bad_parameter("clustering_stability", "estimator", allowed, estimator)
    if not Integer(2).allows(n_repeats):
        raise bad_parameter("clustering_stability", "n_repeats", Integer(2).describe(), n_repeats)


def _check_candidates(n_clusters: Any, n_rows: int) -> list[int]:
    tried = list(n_clusters) if isinstance(n_clusters, Iterable) else [n_clusters]
    if not tried or not all(map(Integer(2).allows, tried)):
        allowed = "a list of whole numbers of at least 2"
        raise bad_parameter("clustering_stability", "n_clusters", allowed, n_clusters)
    if max(tried) > n_rows // 2:
        allowed = f"at most half the number of rows ({n_rows // 2})"
        raise bad_parameter("clustering_stability", "n_clusters", allowed, max(tried))
    return [int(number) for number in tried]


def member_stabilities(plans: list[MemberPlan], table: Any, seed: int, n_jobs: Any) -> Floats:
    """Return how well each planned clusterer agrees with itself on two halves of the rows.

    It is 0 for one that fails on a half, by finding noise only or because it needs more rows.
    """
    calls = [
        (plan.estimator, table, None, seed, repeat)
        for plan in plans
        for repeat in range(_MEMBER_REPEATS)
    ]
    scores = run_all(
        _score_or_zero, calls, n_jobs=n_jobs, steps=Steps("stability weights", "repeats")
    )
    return np.asarray(np.reshape(scores, (len(plans), _MEMBER_REPEATS)).mean(axis=1))


def _score_or_zero(*arguments: Any) -> float:
    try:
        return _score_halves(*arguments)
    except MemberError:
        return 0.0


def _score_halves(
    estimator: Any, table: Any, n_clusters: int | None, seed: int, repeat: int
) -> float:
    """Return the agreement of two clusterings, each fitted on one half of the rows."""
    order = stream(seed, repeat).permutation(table.shape[0])
    wanted = None if n_clusters is None else (n_clusters, n_clusters)
    model = with_clusters(estimator, wanted, stream(seed, repeat, 0))
    half = table.shape[0] // 2
    with warnings.catch_warnings():
        # Some numbers of clusters are more than the rows have: that is what is to be found out.
        # A member that is fitted on halves has its warnings from the fit on all rows.
        warnings.simplefilter("ignore", UserWarning if wanted is None else ConvergenceWarning)
        one, other = (
            _label_all(model, table, np.sort(rows), member_seed(seed, 2 * repeat + side))
            for side, rows in enumerate((order[:half], order[half : 2 * half]))
        )
    return rand_index(one, other)


def _label_all(model: Any, table: Any, rows: Codes, seed: int) -> Codes:
    plan = MemberPlan(type(model).__name__, model, seed=seed)
    member, _ = fit_cluster_member(plan, take_rows(table, rows))
    return member.codes(table)
