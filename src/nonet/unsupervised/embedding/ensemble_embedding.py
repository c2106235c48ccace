"""Ensembles of embeddings: PCA, random projections and random subspaces, averaged or stacked.

Members: embeddings of sampled rows and columns. F: the average of aligned members, or the principal
axes of all of them. C: the identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import (
    ClassNamePrefixFeaturesOutMixin,
    MetaEstimatorMixin,
    TransformerMixin,
    clone,
)
from sklearn.decomposition import PCA, IncrementalPCA, TruncatedSVD
from sklearn.random_projection import GaussianRandomProjection, SparseRandomProjection
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._base.errors import member_error
from nonet._base.estimator import Estimator
from nonet._base.number_tables import explain_refusal, read_numbers
from nonet._base.params import (
    Boolean,
    Choice,
    Having,
    Instance,
    Integer,
    Nothing,
    Rule,
    check_params,
)
from nonet._base.progress import Steps
from nonet._base.streams import RANDOM_STATE, member_seed, root_seed, stream
from nonet.decide.identity import Identity
from nonet.members.ensemble_diagram import diagram_of
from nonet.members.fit import fit_members
from nonet.members.member import Member
from nonet.members.named_members import NamedMembers
from nonet.members.plan import MemberPlan
from nonet.stacking.named_models import check_named_models, is_well_formed, takes_part
from nonet.trees.growth import Fraction
from nonet.unsupervised.embedding.alignment import COMBINATIONS, CoordinateMap, spread_of_members
from nonet.unsupervised.sample_sizes import SampleSizes, sample_sizes, sample_units

# Keys of the streams of a member.
_ROWS, _COLUMNS = 0, 1
_LINEAR = (PCA, IncrementalPCA, TruncatedSVD, GaussianRandomProjection, SparseRandomProjection)


class EnsembleEmbedding(
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    MetaEstimatorMixin,
    NamedMembers,
    Estimator,
):
    """Embed rows by the average, or the principal axes, of many embeddings.

    Parameters
    ----------
    estimator : transformer or list of (name, transformer) pairs, default=None
        One transformer, of which every member is a clone with samples and a seed of its own; or the
        members themselves by name ('drop' leaves one out). None is PCA.
    n_components : int, default=2
        Number of columns of the embedding. One transformer gets it as its ``n_components``.
    n_estimators : int, default=20
        Number of members, if ``estimator`` is one transformer.
    max_samples : int or float, default=1.0
        Rows per member: a number, or a fraction.
    bootstrap : bool, default=True
        Whether rows are sampled with replacement.
    max_features : int or float, default=1.0
        Columns per member, sampled without replacement: a number, or a fraction. Fewer than all are
        random subspaces.
    combine : {'average', 'stack'}, default='average'
        F. 'average' rotates the members to their common mean (orthogonal Procrustes) and averages
        them; each must have ``n_components`` columns. 'stack' puts the columns of all members side
        by side and keeps the first principal axes.
    n_jobs : int, default=None
        Number of parallel jobs that fit members.
    random_state : int, RandomState, Generator or None, default=None
        The seed of samples and of members. Named members that have a seed keep it.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The embedding of the training rows.
    spread_ : ndarray of shape (n_samples, n_components)
        The standard deviation of the aligned members around the embedding, by row and axis.
    axis_stability_ : ndarray of shape (n_components,)
        The variance of each axis, divided by itself plus the mean squared spread: 1 if all members
        agree.
    components_ : ndarray of shape (n_components, n_features_in)
        The embedding as a linear map of the columns of X, if all members are PCA, truncated SVD or
        random projections.
    members_ : list of Member
        The fitted embeddings.
    estimators_ : list of transformers
        The fitted transformers of the members.
    combine_ : CoordinateMap
        F: the coordinates of all members, side by side, in; the embedding out.
    decide_ : Identity
        C.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    RandomTreesEmbedding : Random trees as a sparse encoding of the rows.
    forest_distance : Distances of rows in a forest.

    Notes
    -----
    Axes are ordered by their variance over the training rows. The sign of an axis is such that its
    largest weight is positive. Named members see all rows as they are, unless ``max_samples`` or
    ``max_features`` is below 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import EnsembleEmbedding
    >>> X = load_iris().data
    >>> model = EnsembleEmbedding(random_state=0).fit(X)
    >>> model.transform(X).shape
    (150, 2)
    >>> bool((model.axis_stability_ > 0.9).all())
    True
    """

    _members_parameter = "estimator"
    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing()
        | Instance("a list of (name, transformer) pairs", list, tuple)
        | Having("a transformer with fit and transform", "fit", "transform"),
        "n_components": Integer(1),
        "n_estimators": Integer(1),
        "max_samples": Integer(1) | Fraction(),
        "bootstrap": Boolean(),
        "max_features": Integer(1) | Fraction(),
        "combine": Choice(*COMBINATIONS),
        "n_jobs": Nothing() | Integer(),
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        estimator: Any = None,
        n_components: int = 2,
        *,
        n_estimators: int = 20,
        max_samples: int | float = 1.0,
        bootstrap: bool = True,
        max_features: int | float = 1.0,
        combine: str = "average",
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_components = n_components
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.max_features = max_features
        self.combine = combine
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _html_repr(self) -> str:
        """Return what a notebook shows: scikit-learn's view of the parameters, and the diagram."""
        return f"{super()._html_repr()}{diagram_of(self)}"

    def fit(self, X: Any, y: Any = None) -> EnsembleEmbedding:
        """Fit the members and combine their coordinates.

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
        table = read_numbers(self, X, accept_sparse=["csr", "csc"], dtype=np.float64)
        sizes = sample_sizes(self, table)
        self._check_sizes(sizes)
        plans = self._plans(sizes, root_seed(self.random_state), issparse(table))
        with np.errstate(invalid="ignore", divide="ignore"):  # fractions of a variance of 0
            steps = Steps(self, "members")
            self.members_ = fit_members(plans, table, None, n_jobs=self.n_jobs, steps=steps)
        parts = self._coordinates(table)
        means = [part.mean(axis=0) for part in parts]
        centred = [part - mean for part, mean in zip(parts, means, strict=True)]
        self._check_widths(centred)
        self._check_lengths(centred)
        weights = COMBINATIONS[self.combine](centred, self.n_components)
        self.combine_ = CoordinateMap(np.concatenate(means), weights)
        self.decide_ = Identity()
        self.embedding_ = np.hstack(centred) @ weights
        self._measure_spread(centred)
        return self

    def _check_sizes(self, sizes: SampleSizes) -> None:
        for name, size in (("n_samples", sizes.n_rows), ("n_features", sizes.n_columns)):
            if self.n_components > size:
                raise ValueError(
                    f"{type(self).__name__}: n_components={self.n_components!s:.20} must be at "
                    f"most the number of rows and of columns, but {name}={size}."
                )
        if not self._has_named_members and self.n_components > sizes.n_drawn_columns:
            raise ValueError(
                f"{type(self).__name__}: each member sees {sizes.n_drawn_columns} columns, which "
                f"is less than n_components={self.n_components}; raise max_features."
            )

    @property
    def _has_named_members(self) -> bool:
        return isinstance(self.estimator, list | tuple)

    def _plans(self, sizes: SampleSizes, seed: int, is_sparse: bool) -> list[MemberPlan]:
        if self._has_named_members:
            named = check_named_models(type(self).__name__, self.estimator, "estimator")
        else:
            model = _default_model(is_sparse) if self.estimator is None else clone(self.estimator)
            if "n_components" in model.get_params():
                model.set_params(n_components=self.n_components)
            kind = type(model).__name__.lower()
            named = [(f"{kind}_{number}", model) for number in range(self.n_estimators)]
        return [self._plan(position, *pair, sizes, seed) for position, pair in enumerate(named)]

    def _plan(
        self, position: int, name: str, model: Any, sizes: SampleSizes, seed: int
    ) -> MemberPlan:
        takes_all = self._has_named_members and sizes.n_drawn_rows == sizes.n_rows
        rows, columns = stream(seed, position, _ROWS), stream(seed, position, _COLUMNS)
        keeps_seed = self._has_named_members and getattr(model, "random_state", None) is not None
        return MemberPlan(
            name,
            model,
            rows=None
            if takes_all
            else sample_units(sizes.n_rows, sizes.n_drawn_rows, rows, replace=self.bootstrap),
            columns=sample_units(sizes.n_columns, sizes.n_drawn_columns, columns),
            seed=None if keeps_seed else member_seed(seed, position),
        )

    def _coordinates(self, table: Any) -> list[Floats]:
        total = len(self.members_)
        return [_transform(member, table, i, total) for i, member in enumerate(self.members_)]

    def _check_lengths(self, parts: list[Floats]) -> None:
        """Raise if the squares of coordinates, which alignment sums, are not finite."""
        with np.errstate(over="ignore", invalid="ignore"):
            is_finite = all(np.isfinite(np.sum(part**2)) for part in parts)
        if not is_finite:
            raise ValueError(
                f"{type(self).__name__}: the coordinates of the members are too large to be "
                "aligned; scale the columns of X first, for example with "
                "sklearn.preprocessing.StandardScaler."
            )

    def _check_widths(self, parts: list[Floats]) -> None:
        widths = [part.shape[1] for part in parts]
        if self.combine == "average" and set(widths) != {self.n_components}:
            raise ValueError(
                f"{type(self).__name__}: combine='average' needs members with "
                f"n_components={self.n_components} columns, but they have {sorted(set(widths))}; "
                "use combine='stack', or members with that number."
            )
        if sum(widths) < self.n_components:
            raise ValueError(
                f"{type(self).__name__}: the members have {sum(widths)} columns together, fewer "
                f"than n_components={self.n_components}."
            )

    def _measure_spread(self, parts: list[Floats]) -> None:
        self.spread_ = spread_of_members(parts, self.embedding_)
        variance, noise = self.embedding_.var(axis=0), (self.spread_**2).mean(axis=0)
        total = variance + noise
        self.axis_stability_ = np.divide(variance, total, out=np.ones_like(total), where=total > 0)

    @property
    def estimators_(self) -> list[Any]:
        """The fitted transformers of the members."""
        if "members_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no members before fit is called.")
        return [member.estimator for member in self.members_]

    @property
    def components_(self) -> Floats:
        """The embedding as a linear map of the columns of X, if all members are linear."""
        others = [type(one).__name__ for one in self.estimators_ if not isinstance(one, _LINEAR)]
        if others:
            raise AttributeError(
                f"{type(self).__name__} has components_ if all members are linear; {others[0]} is "
                "not known to be."
            )
        unit, zero = np.eye(self.n_features_in_), np.zeros((1, self.n_features_in_))
        responses = np.hstack(self._coordinates(unit)) - np.hstack(self._coordinates(zero))
        return np.asarray((responses @ self.combine_.weights).T)

    @property
    def _n_features_out(self) -> int:
        return int(self.combine_.weights.shape[1])

    def member_outputs(self, X: Any) -> Floats:
        """Return the coordinates of all members, side by side.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        coordinates : ndarray of shape (n_samples, n_coordinates)
        """
        check_is_fitted(self)
        table = read_numbers(self, X, reset=False, accept_sparse=["csr", "csc"], dtype=np.float64)
        return np.hstack(self._coordinates(table))

    def transform(self, X: Any) -> Floats:
        """Return the embedding of rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        embedding : ndarray of shape (n_samples, n_components)
        """
        outputs = self.member_outputs(X)
        return self.combine_(outputs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        models = [PCA() if self.estimator is None else self.estimator]
        if self._has_named_members:
            if not is_well_formed(self.estimator):
                return tags  # fit reports what is wrong
            models = [model for _, model in filter(takes_part, self.estimator)]
        tags.input_tags.sparse = all(get_tags(model).input_tags.sparse for model in models)
        tags.transformer_tags.preserves_dtype = []
        return tags


def _default_model(is_sparse: bool) -> PCA:
    # The solver that PCA chooses for sparse tables cannot keep as many axes as there are columns.
    return PCA(svd_solver="covariance_eigh") if is_sparse else PCA()


def _transform(member: Member, table: Any, position: int, total: int) -> Floats:
    """Return the coordinates of one member as a dense array."""
    try:
        found = member.estimator.transform(member.view(table))
    except Exception as why:
        reason = explain_refusal(why, member.estimator, table)
        raise member_error(member.name, position, total, "transform", reason) from why
    dense = found.toarray() if issparse(found) else np.asarray(found)
    return dense.astype(np.float64)
