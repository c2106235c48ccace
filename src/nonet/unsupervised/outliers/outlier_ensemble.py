"""Outlier ensembles: several detectors, calibrated to one scale and combined.

Members: the given detectors. F: a mean, a median or a maximum of calibrated scores. C: the sign of
the combined score less an offset.

References
----------
C. C. Aggarwal and S. Sathe, Theoretical foundations and algorithms for outlier ensembles, SIGKDD
Explorations 17, 2015.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import OutlierMixin
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats, Kind
from nonet._base.arrays import check_member_weights
from nonet._base.errors import show
from nonet._base.frames import count_rows, make_indexable
from nonet._base.params import (
    Anything,
    ArrayLike,
    Choice,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.rule_words import rule_in_words
from nonet._base.streams import RANDOM_STATE, root_seed
from nonet.bagging.forest.isolation_forest import OutlierThreshold
from nonet.combine.rule import Combination, CombinationRule
from nonet.combine.table import bind_rule, resolve_combination_rule
from nonet.ensemble import AfterCombining
from nonet.members.plan import MemberPlan
from nonet.stacking.given_models import GivenModels
from nonet.unsupervised.outliers.calibration import SCORE_CALIBRATIONS, learn_calibrations
from nonet.unsupervised.outliers.default_detectors import default_detectors
from nonet.unsupervised.outliers.detector_scores import (
    has_scores,
    held_out_scores,
    score_members,
)


@dataclass(frozen=True)
class CalibratedScores:
    """F of an outlier ensemble: calibrate the score of each detector, combine, change the sign.

    Attributes
    ----------
    calibrations : tuple of callable
        For each detector, the map of its scores to outlier probabilities.
    combination : Combination
        The rule that combines the probabilities, with the weights of the members.
    reads : 'scores'
        The kind of outputs that F reads.
    """

    calibrations: tuple[Callable[[Floats], Floats], ...]
    combination: Combination
    reads: Kind = "scores"

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"{rule_in_words(self.combination)}, after calibration"

    def __call__(self, outputs: Floats, X: Any = None) -> Floats:
        """Return the combined score of each row: the lower, the more abnormal."""
        return -self.combination(self.probabilities(outputs))

    def probabilities(self, outputs: Floats) -> Floats:
        """Return the outlier probabilities of the detectors, an (n, k) array."""
        columns = zip(self.calibrations, outputs.T, strict=True)
        return np.column_stack([calibrate(scores) for calibrate, scores in columns])


class OutlierLabels(AfterCombining):
    """C given by the user: a function that maps combined scores to the labels -1 and 1."""

    def __call__(self, support: Floats, X: Any = None) -> Array:
        """Return the labels, checked."""
        labels = super().__call__(support)
        if not np.isin(labels, (-1, 1)).all():
            raise ValueError(
                "OutlierEnsemble: the function 'decide' must return -1 for outliers and 1 for "
                f"others, but it returned {show(labels)}."
            )
        return labels.astype(np.intp)


class OutlierEnsemble(OutlierMixin, GivenModels):
    """Combine outlier detectors by ranks or calibrated scores.

    The scores of each detector are calibrated to outlier probabilities in [0, 1] by comparison with
    the scores of the training rows, and the probabilities are combined. A training row is scored by
    detectors that were fitted without it (``cv`` folds): a detector that memorises its rows, such
    as nearest neighbours, would find them too normal.

    Parameters
    ----------
    estimators : list of (str, detector) pairs, default=None
        The members: any models with ``score_samples`` or ``decision_function``, lower for
        outliers, such as ``LocalOutlierFactor(novelty=True)``, ``OneClassSVM``, ``KernelDensity``;
        ``'drop'`` in place of a model leaves it out. None is an isolation forest, the local
        outlier factor, the distance to the nearest neighbours and a Gaussian density.
    combine : str, rule or callable, default='median'
        F: 'median', 'mean', 'max', 'trimmed_mean', ... of the calibrated scores. The mean of ranks
        is the Borda count, which 'borda' names as well.
    calibrate : {'rank', 'gaussian', 'gamma'}, default='rank'
        'rank' is the fraction of training scores that are more normal. 'gaussian' and 'gamma'
        compare a score with a distribution fitted to the training scores [1]_.
    weights : array-like of shape (n_estimators,), default=None
        Weights of the members; None is one for each.
    contamination : float, default=0.1
        The fraction of outliers, in (0, 0.5], that sets the offset.
    decide : {'training', 'held_out'} or callable, default='training'
        C: 'training' finds the offset at which ``predict`` reports that fraction of the training
        rows, as scikit-learn's detectors do. 'held_out' finds the offset on held-out scores, so
        that this fraction of new rows like them is reported. A function maps combined scores
        to labels -1 and 1.
    cv : int, default=5
        Number of folds of the held-out scores.
    n_jobs : int, default=None
        The number of members fitted in parallel; None means 1, -1 all processors.
    verbose : int, default=False
        What is shown of the progress, on stderr: 0 nothing, 1 some fits, 2 all of them; see
        `nonet.show_progress`.
    random_state : int, RandomState, Generator or None, default=None
        Assigns rows to folds, and seeds the default members.

    Attributes
    ----------
    members_ : list of Member
        The fitted members with their names.
    estimators_ : list of detectors
        The fitted models.
    named_estimators_ : Bunch
        The models by name.
    combine_ : CalibratedScores
        F: scores of the detectors in, ``score_samples`` out.
    decide_ : callable
        C: -1 for rows with a score below ``offset_``, else 1.
    offset_ : float
        ``decision_function`` is ``score_samples`` minus this.
    held_out_outputs_ : ndarray of shape (n_samples, n_members)
        The score of each training row by each detector, fitted without this row.
    held_out_scores_ : ndarray of shape (n_samples,)
        Their combination: what to sort by in a search for outliers among the training rows.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    IsolationForest : One detector, itself an ensemble of random trees.

    References
    ----------
    .. [1] H.-P. Kriegel, P. Kroeger, E. Schubert and A. Zimek, Interpreting and unifying outlier
       scores, SIAM International Conference on Data Mining, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet import OutlierEnsemble
    >>> X = np.vstack([np.random.default_rng(0).normal(size=(99, 2)), [[6.0, -6.0]]])
    >>> detector = OutlierEnsemble(contamination=0.05, random_state=0).fit(X)
    >>> int(detector.score_samples(X).argmin()), int((detector.predict(X) == -1).sum())
    (99, 5)
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **GivenModels._rules,
        "estimators": Nothing() | Instance("a list of (name, detector) pairs", list, tuple),
        "combine": Anything(),
        "calibrate": Choice(*SCORE_CALIBRATIONS),
        "weights": Nothing() | ArrayLike(),
        "contamination": Real(0, 0.5, open_low=True),
        "decide": Anything(),
        "cv": Integer(2),
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]] | None = None,
        *,
        combine: Any = "median",
        calibrate: str = "rank",
        weights: Any = None,
        contamination: float = 0.1,
        decide: Any = "training",
        cv: int = 5,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.combine = combine
        self.calibrate = calibrate
        self.weights = weights
        self.contamination = contamination
        self.decide = decide
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> OutlierEnsemble:
        """Fit the detectors, calibrate their scores and find the offset.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Rows; most of them are normal.
        y : Ignored
            There is no target.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        _check_decide(self, self.decide)
        rule, table, seed = self._rule(), make_indexable(X), root_seed(self.random_state)
        n_rows = count_rows(table)
        n_folds = self._count_folds(n_rows)
        plans = self._detector_plans(n_rows - math.ceil(n_rows / n_folds), seed)
        weights = None if self.weights is None else check_member_weights(self.weights, len(plans))
        self.held_out_outputs_ = held_out_scores(plans, table, n_folds, seed, self.n_jobs)
        self._keep_members(self._fit_plans(plans, table, None))
        calibrations = learn_calibrations(self.calibrate, self.held_out_outputs_)
        self.combine_ = CalibratedScores(calibrations, bind_rule(rule, len(plans), weights, None))
        self.offset_ = self._find_offset(table)
        return self

    @property
    def held_out_scores_(self) -> Floats:
        """The combined score of each training row, by detectors fitted without it."""
        check_is_fitted(self)
        scores: Floats = self.combine_(self.held_out_outputs_)
        return scores

    def _rule(self) -> CombinationRule:
        by_borda = isinstance(self.combine, str) and self.combine == "borda"
        if by_borda and self.calibrate != "rank":
            raise bad_parameter(self, "calibrate", "'rank' if combine='borda'", self.calibrate)
        try:
            return resolve_combination_rule("mean" if by_borda else self.combine, "regression")
        except ValueError as why:
            allowed = "a rule for values such as 'mean', 'median' or 'max', or a function"
            raise bad_parameter(self, "combine", allowed, self.combine) from why

    def _count_folds(self, n_rows: int) -> int:
        if n_rows < 2:
            raise ValueError(
                f"{type(self).__name__} compares rows with one another, but X has n_samples="
                f"{n_rows}; fit it on at least 2 rows."
            )
        return min(self.cv, n_rows)

    def _detector_plans(self, n_rows: int, seed: int) -> list[MemberPlan]:
        """Return the plans of the members; so many rows are left to fit those of a fold."""
        kept = default_detectors(n_rows, seed) if self.estimators is None else self._kept()
        return [MemberPlan(name, model) for name, model in kept]

    def _check_role(self, name: str, model: Any) -> None:
        if not has_scores(model):
            raise ValueError(
                f"{type(self).__name__}: member {name!r} must score new rows by score_samples or "
                f"decision_function, but {show(model)} has neither; a LocalOutlierFactor needs "
                "novelty=True."
            )

    def _keep_members(self, members: list[Any]) -> None:
        if self.estimators is not None:
            self._remember_members(members)
            return
        self.members_ = members
        self.named_estimators_ = Bunch(**{member.name: member.estimator for member in members})
        if hasattr(members[0].estimator, "feature_names_in_"):
            self.feature_names_in_ = members[0].estimator.feature_names_in_

    def _find_offset(self, X: Any) -> float:
        held_out = isinstance(self.decide, str) and self.decide == "held_out"
        scores = self.held_out_scores_ if held_out else self.score_samples(X)
        return float(np.percentile(scores, 100 * self.contamination))

    @property
    def decide_(self) -> Callable[..., Array]:
        """C: -1 for rows with a score below ``offset_``, else 1."""
        check_is_fitted(self)
        if callable(self.decide):
            return OutlierLabels(self.decide)
        return OutlierThreshold(self.offset_)

    def member_outputs(self, X: Any) -> Floats:
        """Return the scores of every detector for X, each on its own scale.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples, n_members)
            The lower, the more abnormal.
        """
        check_is_fitted(self)
        return score_members(self.members_, X)

    def member_probabilities(self, X: Any) -> Floats:
        """Return the calibrated scores of every detector for X.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_members)
            Outlier probabilities, as defined by ``calibrate``.
        """
        outputs = self.member_outputs(X)
        probabilities: Floats = self.combine_.probabilities(outputs)
        return probabilities

    def score_samples(self, X: Any) -> Floats:
        """Return how normal rows are: minus the combined outlier probability.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
            Between -1 for outliers and 0, under rules that average.
        """
        outputs = self.member_outputs(X)
        scores: Floats = self.combine_(outputs)
        return scores

    def decision_function(self, X: Any) -> Floats:
        """Return the scores minus the offset: negative for outliers.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
        """
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> Codes:
        """Return -1 for outliers and 1 for the other rows.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of int of shape (n_samples,)
        """
        return super().predict(X)


def _check_decide(owner: Any, decide: Any) -> None:
    known = isinstance(decide, str) and decide in ("training", "held_out")
    if not known and (not callable(decide) or isinstance(decide, type)):
        allowed = "'training', 'held_out' or a function of the combined scores"
        raise bad_parameter(owner, "decide", allowed, decide)
