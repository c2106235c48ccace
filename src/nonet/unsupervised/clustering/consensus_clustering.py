"""Consensus clustering: many clusterings of the same rows, combined into one.

Members: clusterings by any clusterer, on sampled rows, columns, numbers of clusters and seeds. F:
aligned votes, evidence accumulation or a median partition. C: the cluster with the largest
membership, or an abstention on rows that the members do not agree on.

References
----------
A. Strehl and J. Ghosh, "Cluster ensembles - a knowledge reuse framework for combining multiple
partitions", *Journal of Machine Learning Research* 3, 2002.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, cast

import numpy as np
from scipy.sparse import issparse
from sklearn.base import ClusterMixin, MetaEstimatorMixin, clone
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.arrays import check_member_weights
from nonet._base.errors import member_error
from nonet._base.number_tables import explain_refusal, read_numbers
from nonet._base.parallel import run_all
from nonet._base.params import (
    ArrayLike,
    Choice,
    Having,
    Instance,
    Integer,
    Nothing,
    Rule,
    check_params,
)
from nonet._base.progress import Steps
from nonet._base.streams import RANDOM_STATE, root_seed
from nonet.ensemble import Ensemble
from nonet.members.named_members import NamedMembers
from nonet.members.plan import MemberPlan
from nonet.stacking.named_models import check_named_models, is_well_formed, takes_part
from nonet.trees.growth import Fraction
from nonet.unsupervised.clustering.cluster_decision import resolve_cluster_rule
from nonet.unsupervised.clustering.cluster_member import (
    ClusterMember,
    check_clusters,
    fit_cluster_member,
)
from nonet.unsupervised.clustering.consensus import (
    METHODS,
    check_n_clusters,
    find_consensus,
    margins_of,
    warn_of_missing_clusters,
)
from nonet.unsupervised.clustering.magnitudes import check_distances
from nonet.unsupervised.clustering.member_plans import (
    ClusterRange,
    cluster_range,
    plan_members,
)
from nonet.unsupervised.clustering.partitions import Partitions
from nonet.unsupervised.clustering.small_fits import limit_small_fits
from nonet.unsupervised.clustering.stability import (
    ClusteringStability,
    clustering_stability,
    member_stabilities,
)
from nonet.unsupervised.sample_sizes import sample_sizes

_DEFAULT_MEMBERS = 50
# The numbers of clusters that 'auto' compares end here, and so many pairs of halves are compared.
_MAX_AUTO, _AUTO_REPEATS = 10, 5
_MIN_AUTO_ROWS = 4
# The power of a stability that is a weight: 1 and 2 leave unstable members more votes than help.
_STABILITY_POWER = 4


class ConsensusClustering(ClusterMixin, MetaEstimatorMixin, NamedMembers, Ensemble):
    """Cluster rows by the consensus of many clusterings.

    Parameters
    ----------
    estimator : clusterer or list of (name, clusterer) pairs, default=None
        One clusterer, of which every member is a clone with a seed of its own; or the members
        themselves by name ('drop' leaves one out). Any clusterer with ``fit`` and ``labels_`` or
        ``predict``: those of scikit-learn, mixtures, pipelines. None is k-means with one start.
    n_clusters : int or 'auto', default=8
        Number of clusters of the consensus. 'auto' takes the most stable number from 2 to 10, see
        :func:`clustering_stability`.
    n_estimators : int, default=50
        Number of members, if ``estimator`` is one clusterer.
    max_samples : int or float, default=1.0
        Rows per member, sampled without replacement: a number, or a fraction.
    max_features : int or float, default=1.0
        Columns per member, sampled without replacement: a number, or a fraction.
    member_clusters : 'auto', int, (low, high) or None, default='auto'
        Number of clusters of the members that have a parameter for it (``n_clusters``, or
        ``n_components`` of mixtures): a number, or a range from which each member samples its own.
        None leaves the parameters of the members. 'auto' does so for named members. For one
        clusterer it is ``n_clusters``; in evidence accumulation it is the range from s / 2 to s,
        with s the square root of the number of rows and at most 100, where the ends are at least
        2 and 3 times ``n_clusters``.
    combine : {'evidence', 'vote', 'median'}, default='evidence'
        F; see :func:`combine_partitions`.
    decide : str, DecisionRule or callable, default='argmax'
        C, by its short name or as a rule of :mod:`nonet.decide`, on memberships that sum to one.
        ``Abstain(0.8)`` labels rows -1 whose largest membership is below 0.8.
    weights : 'stability', array-like of shape (n_members,) or None, default=None
        How much each member counts in F. 'stability' fits each named clusterer on two halves of
        the rows, five times, and weighs it by the mean adjusted Rand index of the two to the
        power of 4: a clusterer that agrees with itself outweighs those that do not.
    n_jobs : int, default=None
        Number of parallel jobs that fit members.
    random_state : int, RandomState, Generator or None, default=None
        The seed of samples and of members. Named members that have a seed keep it.

    Attributes
    ----------
    labels_ : ndarray of int of shape (n_samples,)
        The cluster of each training row, 0 for the largest; -1 where C abstains, or where every
        member finds noise.
    memberships_ : ndarray of shape (n_samples, `n_clusters_`)
        The support of each cluster for each training row, scaled to sum to one.
    stability_ : ndarray of shape (n_samples,)
        The largest membership of a training row minus the second largest.
    weights_ : ndarray of shape (n_members,)
        The weights of the members.
    n_clusters_ : int
        Number of clusters of the consensus.
    stability_curve_ : ClusteringStability or None
        How ``n_clusters='auto'`` was found.
    members_ : list of ClusterMember
        The fitted clusterings.
    estimators_ : list of clusterers
        The fitted clusterers of the members.
    combine_ : ClusterTables
        F: cluster codes of the members in, memberships out.
    decide_ : ClusterDecision
        C: memberships in, labels out.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    combine_partitions : The consensus of label arrays that were computed elsewhere.
    clustering_stability : The stability of a clustering by its number of clusters.

    Notes
    -----
    Members that were not fitted on a row predict it. Clusterers without ``predict`` label it like
    the nearest row that they were fitted on, noise included. Label -1 (noise) is an abstention of
    that member on that row. There are no sample weights: many clusterers do not take them.

    Columns should be on comparable scales, as the members require it.

    References
    ----------
    A. Strehl and J. Ghosh, "Cluster ensembles - a knowledge reuse framework for combining multiple
    partitions", *Journal of Machine Learning Research* 3, 2002.

    Examples
    --------
    Members of k-means have straight borders; their consensus follows two half moons.

    >>> from sklearn.datasets import make_moons
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from nonet import ConsensusClustering
    >>> X, y = make_moons(400, noise=0.05, random_state=0)
    >>> model = ConsensusClustering(n_clusters=2, random_state=0).fit(X)
    >>> round(adjusted_rand_score(y, model.labels_), 2)
    1.0
    """

    _members_parameter = "estimator"
    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing()
        | Instance("a list of (name, clusterer) pairs", list, tuple)
        | Having("a clusterer with fit", "fit"),
        "n_clusters": Choice("auto") | Integer(1),
        "n_estimators": Integer(1),
        "max_samples": Integer(1) | Fraction(),
        "max_features": Integer(1) | Fraction(),
        "member_clusters": Choice("auto") | Nothing() | Integer(1) | ClusterRange(),
        "combine": Choice(*METHODS),
        "weights": Nothing() | Choice("stability") | ArrayLike(),
        "n_jobs": Nothing() | Integer(),
        "random_state": RANDOM_STATE,
    }

    members_: list[ClusterMember]  # type: ignore[assignment]
    stability_curve_: ClusteringStability | None

    def __init__(
        self,
        estimator: Any = None,
        n_clusters: Any = 8,
        *,
        n_estimators: int = _DEFAULT_MEMBERS,
        max_samples: int | float = 1.0,
        max_features: int | float = 1.0,
        member_clusters: Any = "auto",
        combine: str = "evidence",
        decide: Any = "argmax",
        weights: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_clusters = n_clusters
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.member_clusters = member_clusters
        self.combine = combine
        self.decide = decide
        self.weights = weights
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> ConsensusClustering:
        """Fit the members and find their consensus.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; sparse if the members take it.
        y : Ignored
            There is no target.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        named = self._named_members()
        table = self._read_rows(X, reset=True)
        seed = root_seed(self.random_state)
        self.n_clusters_ = self._choose_n_clusters(table, seed)
        check_n_clusters(self, self.n_clusters_, table.shape[0])
        partitions = self._fit_members(named, table, seed)
        self.combine_ = find_consensus(partitions, self.n_clusters_, self.combine, seed)
        self.decide_ = resolve_cluster_rule(self, self.n_clusters_)
        self.memberships_ = self.combine_.memberships(partitions)
        self.stability_ = margins_of(self.memberships_)
        self.labels_ = self.decide_(self.memberships_, table)
        own = self.memberships_.argmax(axis=1)[self.memberships_.any(axis=1)]
        warn_of_missing_clusters(type(self).__name__, own, self.n_clusters_)
        return self

    def _named_members(self) -> list[tuple[str, Any]]:
        if isinstance(self.estimator, list | tuple):
            named = check_named_models(type(self).__name__, self.estimator, "estimator")
            for name, model in named:
                check_clusters(type(self).__name__, f"member {name!r}", model)
            return named
        if self.estimator is not None:
            check_clusters(type(self).__name__, "parameter 'estimator'", self.estimator)
        model = KMeans(n_init=1) if self.estimator is None else self.estimator
        kind = type(model).__name__.lower()
        return [(f"{kind}_{number}", model) for number in range(self.n_estimators)]

    @property
    def _has_named_members(self) -> bool:
        return isinstance(self.estimator, list | tuple)

    def _choose_n_clusters(self, table: Any, seed: int) -> int:
        self.stability_curve_ = None
        if not isinstance(self.n_clusters, str):
            return int(self.n_clusters)
        if table.shape[0] < _MIN_AUTO_ROWS:
            raise ValueError(
                f"{type(self).__name__}: n_clusters='auto' compares two halves of at least 2 rows "
                f"each, but n_samples={table.shape[0]}; give a number of clusters."
            )
        largest = min(_MAX_AUTO, table.shape[0] // 2)
        prototype = clone(self).set_params(n_clusters=2, decide="argmax", n_jobs=None)
        candidates = range(2, largest + 1)
        self.stability_curve_ = clustering_stability(
            prototype,
            table,
            candidates,
            n_repeats=_AUTO_REPEATS,
            n_jobs=self.n_jobs,
            random_state=seed,
        )
        return self.stability_curve_.best

    def _fit_members(self, named: list[tuple[str, Any]], table: Any, seed: int) -> Partitions:
        sizes = sample_sizes(self, table)
        clusters = cluster_range(self, self.n_clusters_, sizes.n_drawn_rows)
        plans = plan_members(named, sizes, clusters, seed, self._has_named_members)
        calls = [(plan, table, position, len(plans)) for position, plan in enumerate(plans)]
        with limit_small_fits(table), warnings.catch_warnings():
            # Fit warns once if the consensus has too few clusters; a member need not.
            warnings.filterwarnings("ignore", "Number of distinct clusters", ConvergenceWarning)
            weights = self._find_weights(plans, table, seed)
            steps = Steps(self, "members")
            fitted = run_all(fit_cluster_member, calls, n_jobs=self.n_jobs, steps=steps)
        self.members_ = [member for member, _ in fitted]
        self.weights_ = np.ones(len(fitted)) if weights is None else weights
        codes = np.array([codes for _, codes in fitted]).T
        return Partitions(codes, self._member_clusters(), weights)

    def _find_weights(self, plans: list[MemberPlan], table: Any, seed: int) -> Floats | None:
        if not isinstance(self.weights, str):
            return check_member_weights(self.weights, len(plans))
        if not self._has_named_members:
            raise ValueError(
                f"{type(self).__name__}: weights='stability' compares different clusterers, but "
                "estimator is one; give a list of (name, clusterer) pairs, or weights=None."
            )
        stabilities = member_stabilities(plans, table, seed, self.n_jobs)
        weights = np.maximum(stabilities, 0.0) ** _STABILITY_POWER
        # Without a stable member none is better than another.
        return weights / weights.max() if weights.any() else np.ones(len(plans))

    def _member_clusters(self) -> Codes:
        return np.array([len(cast(Array, member.clusters)) for member in self.members_])

    def member_outputs(self, X: Any) -> Codes:
        """Return the cluster code of each row for every member.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        codes : ndarray of int of shape (n_samples, n_members)
            Positions of clusters in the members; -1 for noise.
        """
        check_is_fitted(self)
        table = self._read_rows(X, reset=False)
        with limit_small_fits(table):
            outputs = [self._codes_of(position, table) for position in range(len(self.members_))]
        return np.array(outputs).T

    def _read_rows(self, X: Any, *, reset: bool) -> Any:
        # Always in double precision: k-means fitted on it cannot predict single precision.
        table = read_numbers(self, X, reset=reset, accept_sparse=["csr", "csc"], dtype=np.float64)
        check_distances(type(self).__name__, table)
        # Nor can it predict sparse rows that are read-only.
        return table if not issparse(table) or table.data.flags.writeable else table.copy()

    def _codes_of(self, position: int, table: Any) -> Codes:
        member = self.members_[position]
        try:
            return member.codes(table)
        except Exception as why:
            reason = explain_refusal(why, member.estimator, table)
            total = len(self.members_)
            raise member_error(member.name, position, total, "label rows", reason) from why

    def membership(self, X: Any) -> Floats:
        """Return the support of each cluster for rows, scaled to sum to one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        memberships : ndarray of shape (n_samples, `n_clusters_`)
            Zeros where every member finds noise.
        """
        return cast(Floats, self._support(X))

    def predict(self, X: Any) -> Codes:
        """Return the cluster of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of int of shape (n_samples,)
            -1 where C abstains, or where every member finds noise.
        """
        return super().predict(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        models = [KMeans() if self.estimator is None else self.estimator]
        if self._has_named_members:
            if not is_well_formed(self.estimator):
                return tags  # fit reports what is wrong
            models = [model for _, model in filter(takes_part, self.estimator)]
        tags.input_tags.sparse = all(get_tags(model).input_tags.sparse for model in models)
        return tags
