"""AdaBoost.R2: boosting of regressors.

Members: one learner on resampled (by default) or reweighted rows, in sequence. F: the median,
weighted by ln(1 / beta). C: the identity.

References
----------
H. Drucker, "Improving regressors using boosting techniques", *ICML* 1997.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import assert_all_finite, check_consistent_length
from sklearn.utils.validation import check_is_fitted, column_or_1d

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.params import Choice, Rule, check_params
from nonet._base.progress import Steps
from nonet._base.streams import root_seed
from nonet._native import vote as vote_kernels
from nonet.boosting.adaboost.boosted_ensemble import BoostedEnsemble
from nonet.boosting.adaboost.methods.method import (
    BoostingMethod,
    Evaluation,
    TrainingRows,
    expected_value,
)
from nonet.boosting.adaboost.regression_log import RELATIVE_LOSSES, RegressionLogBuilder
from nonet.boosting.adaboost.rounds import run_reweighting
from nonet.combine.rule import CombinationRule, NamedRule
from nonet.combine.table import bind_rule, resolve_combination_rule
from nonet.ensemble import EnsembleRegressor
from nonet.trees.decision_tree import DecisionTreeRegressor


def lower_median(outputs: Array, weights: Floats | None = None) -> Floats:
    """Return the smallest output at which half of the weight is reached, as Drucker defines it."""
    return vote_kernels.weighted_quantile(outputs, weights, 0.5)


class R2(BoostingMethod):
    """AdaBoost.R2 weights: losses between 0 and 1, relative to the maximum absolute error."""

    reads = "values"
    task = "regression"

    def __init__(self, loss: str = "linear") -> None:
        self.loss = loss

    def begin(self, rows: TrainingRows) -> None:
        """Start without members."""
        self._n_members = 0

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Weigh the member by beta = loss / (1 - loss); stop at no loss and at 1/2."""
        self._losses = self._relative_losses(np.abs(predictions - rows.target), weights > 0)
        error = expected_value(weights, self._losses)
        if error <= 0:
            reason = "a member makes no error"
            return Evaluation(0.0, 1.0, 1.0, self._losses > 0, stop=reason, is_perfect=True)
        weight, stop, is_kept = self._weigh(error)
        self._n_members += 1
        self._reweighted = weights * np.exp(-weight * (1 - self._losses))
        z = float(self._reweighted.sum())
        return Evaluation(error, weight, weight, self._losses > 0, z=z, stop=stop, is_kept=is_kept)

    def _weigh(self, error: float) -> tuple[float, str, bool]:
        """Return the weight of a member, why boosting ends with it, and whether it is kept."""
        if error >= 0.5:
            # A first member is better than none: it predicts alone.
            reason = f"an average loss of {error:.4g} is not below 0.5"
            return 1.0, reason, self._n_members == 0
        return float(self.learning_rate * np.log((1 - error) / error)), "", True

    def _relative_losses(self, errors: Floats, present: Array) -> Floats:
        maximum = float(errors[present].max())
        return RELATIVE_LOSSES[self.loss](np.where(present, errors, 0.0) / (maximum or 1.0))

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Multiply by beta^(1 - loss), beta < 1."""
        reweighted: Floats = self._reweighted
        return reweighted

    def rule(self) -> CombinationRule:
        """Return F: the weighted median."""
        return NamedRule("lower_median", {"values": lower_median})


class AdaBoostRegressor(BoostedEnsemble, EnsembleRegressor):
    """Boosting of any regressor by AdaBoost.R2.

    ``a(x) = weighted median of b_1(x), ..., b_k(x)``. It takes the parameters of scikit-learn's
    class of the same name; ``resample`` and the parameters after it are new.

    Parameters
    ----------
    estimator : estimator, default=None
        The learner to boost; None is a decision tree of depth 3. Trees of this library are
        fastest: columns are binned once for all rounds.
    n_estimators : int, default=50
        The maximum number of boosting rounds.
    learning_rate : float, default=1.0
        Multiplies the weight of every member.
    loss : {'linear', 'square', 'exponential'}, default='linear'
        The loss of a row, a function of its absolute error relative to the maximum one.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random numbers of the members and of the sampled rows.
    resample : bool, default=True
        Whether members are fitted on rows sampled with probabilities equal to their weights, as in
        Drucker's paper, or on weighted rows, which is not random.
    max_bins : int, default=255
        Maximum number of bins per column for trees of this library. Thresholds are exact if a
        column has no more distinct values than bins.
    combine : str, rule or callable, default=None
        F: the weighted median if None (the smallest output with half of the weight at or below it);
        any regression rule of ``nonet.combine``, with the members' weights if it takes some.
    decide : callable, default=None
        C: a function of the combined values (rounding, clipping); None is the identity.

    Attributes
    ----------
    estimator_ : estimator
        The learner the members are clones of.
    members_ : list of Member
        The fitted members.
    combine_ : callable
        F with its weights: member outputs in, combined values out.
    decide_ : callable
        C: combined values in, predictions out.
    estimators_ : list of regressors
        The fitted models.
    estimator_weights_ : ndarray of shape (n_estimators,)
        Weights of the members, 0 for rounds that were not run.
    estimator_errors_ : ndarray of shape (n_estimators,)
        Average losses of the members, 1 for rounds that were not run.
    round_log_ : RegressionLog
        What happened round by round, weights of the rows, and why it ended.
    feature_importances_ : ndarray of shape (n_features,)
        Importances of the members, averaged by their weights.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    AdaBoostClassifier : AdaBoost for classification.

    Notes
    -----
    Differences from scikit-learn: the random numbers that sample rows differ; a first member with
    an average loss of 1/2 or more predicts alone, with a weight of 1 instead of 0; any later one is
    dropped and ends boosting. A member without error ends boosting too: it weighs 1, as in
    scikit-learn, or as much as the heaviest member before it if that is more.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import AdaBoostRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = AdaBoostRegressor(random_state=0).fit(X[::2], y[::2])
    >>> 0.3 < model.score(X[1::2], y[1::2]) < 0.6
    True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **BoostedEnsemble._rules,
        "loss": Choice(*RELATIVE_LOSSES),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: str = "linear",
        random_state: Any = None,
        resample: bool = True,
        max_bins: int = 255,
        combine: Any = None,
        decide: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.random_state = random_state
        self.resample = resample
        self.max_bins = max_bins
        self.combine = combine
        self.decide = decide

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> AdaBoostRegressor:
        """Boost: fit a member, reweight the rows, and repeat.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            The first weights of the rows; equal if None.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        table = self._check_table(X, reset=True)
        target = self._check_target(y if y is None else column_or_1d(y, warn=True))
        target = target.astype(np.float64)
        assert_all_finite(target, input_name="y")
        check_consistent_length(table, target)
        method = R2(self.loss)
        name = method.rule() if self.combine is None else self.combine
        combine = resolve_combination_rule(name, "regression")
        decide = self._bind_decide(self.decide)
        rows = self._training_rows(table, target, sample_weight)
        self._boost(method.start(rows, self.learning_rate), rows)
        weights = self._member_weights if combine.takes_weights else None
        self.combine_ = bind_rule(combine, len(self.members_), weights, None)
        self.decide_ = decide
        return self

    def _default_estimator(self) -> Any:
        return DecisionTreeRegressor(max_depth=3)

    def _training_rows(self, table: Any, target: Floats, sample_weight: Any) -> TrainingRows:
        weights = check_sample_weight(sample_weight, len(target), any_scale=True)
        weights = np.ones(len(target)) if weights is None else weights
        none = np.empty(0, dtype=np.int64)
        return TrainingRows(table, target, weights / weights.sum(), none, none)

    def _boost(self, method: BoostingMethod, rows: TrainingRows) -> None:
        learner = self._make_learner(method, rows, root_seed(self.random_state))
        log = RegressionLogBuilder(rows)
        with Steps(self, "rounds").track(self.n_estimators) as progress:
            rounds = run_reweighting(
                method, learner, rows, self.n_estimators, log, progress=progress
            )
        self._take_rounds(rounds, len(rounds.members))
        self.round_log_ = log.close(self.loss, rounds.stopped)

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """Yield the predictions after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Yields
        ------
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        for support in self._staged_prefixes(self.member_outputs(X)):
            yield self.decide_(support)
