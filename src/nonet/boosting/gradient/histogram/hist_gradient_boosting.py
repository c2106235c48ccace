"""Gradient boosting on histograms.

Members: trees on the slopes of the loss. F: the starting score plus their sum. C: the inverse link,
and for classes the largest probability.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _check_y

from nonet._base.aliases import Array, Floats
from nonet._base.params import (
    Choice,
    Instance,
    Nothing,
    Real,
    Rule,
)
from nonet.boosting.gradient.boosting_texts import with_shared_texts
from nonet.boosting.gradient.class_scores import ClassScores
from nonet.boosting.gradient.histogram.histogram_boosting import COMMON_RULES, HistGradientBoosting
from nonet.losses import (
    AbsoluteLoss,
    GammaLoss,
    LogisticLoss,
    Loss,
    MultinomialLoss,
    PoissonLoss,
    QuantileLoss,
    SquaredLoss,
)


@with_shared_texts
class HistGradientBoostingRegressor(RegressorMixin, HistGradientBoosting):
    """Boosted trees for numbers.

    It takes the parameters of scikit-learn's class of the same name. Sums of slopes are in fixed
    point, so that the model is the same, bit for bit, on any number of threads. Newton steps of the
    'gamma' and 'poisson' losses that would raise the loss of their leaf are shortened.

    Parameters
    ----------
    loss : {'squared_error', 'absolute_error', 'gamma', 'poisson', 'quantile'} or Loss, \
            default='squared_error'
        What is made small; 'gamma' and 'poisson' have a logarithmic link. A `nonet.losses.Loss` of
        one's own is taken too.
    quantile : float, default=None
        The level, from 0 to 1, for loss='quantile'.
    {parameters}

    Attributes
    ----------
    {attributes}

    See Also
    --------
    HistGradientBoostingClassifier : The same for classes.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import HistGradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = HistGradientBoostingRegressor(max_iter=50).fit(X, y)
    >>> model.n_iter_
    50
    """

    _losses: ClassVar[Mapping[str, type[Loss]]] = {
        "squared_error": SquaredLoss,
        "absolute_error": AbsoluteLoss,
        "gamma": GammaLoss,
        "poisson": PoissonLoss,
    }
    _rules: ClassVar[Mapping[str, Rule]] = {
        "loss": Choice("squared_error", "absolute_error", "gamma", "poisson", "quantile")
        | Instance("a Loss", Loss),
        "quantile": Nothing() | Real(0, 1),
        **COMMON_RULES,
    }

    def __init__(
        self,
        loss: Any = "squared_error",
        *,
        quantile: float | None = None,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 0.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: Any = "auto",
        scoring: Any = "loss",
        validation_fraction: Any = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.loss = loss
        self.quantile = quantile
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state

    def _make_loss(self) -> Loss:
        if isinstance(self.loss, Loss):
            return self.loss
        if self.loss == "quantile":
            if self.quantile is None:
                raise ValueError("loss='quantile' needs its level, but quantile is None.")
            return QuantileLoss(self.quantile)
        return self._losses[self.loss]()

    def _check_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        target = self._encode_known(y)
        if len(target) != n_rows:
            raise ValueError(
                f"X and y must have the same number of rows, got {n_rows} and {len(target)}."
            )
        return target, self._check_weights(sample_weight, target)

    def _encode_known(self, y: Any) -> Array:
        return np.ascontiguousarray(_check_y(y, estimator=self), dtype=np.float64)

    def _labels_of(self, target: Array) -> Array:
        return target

    def predict(self, X: Any) -> Floats:
        """Return the answer for each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        values : ndarray of shape (n_samples,)
        """
        scores = self._scores(X)
        return self._booster.loss.inverse_link(scores[0])

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """Give the answers after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Yields
        ------
        values : ndarray of shape (n_samples,)
        """
        for scores in self._staged_scores(X):
            yield self._booster.loss.inverse_link(scores[0])


@with_shared_texts
class HistGradientBoostingClassifier(ClassScores, HistGradientBoosting):
    """Boosted trees for classes: one tree a round for two classes, one a class for more.

    It takes the parameters of scikit-learn's class of the same name. Sums of slopes are in fixed
    point, so that the model is the same, bit for bit, on any number of threads. Newton steps that
    would raise the loss of their leaf are shortened: rare classes that are well separated do not
    make the model diverge, as they can in scikit-learn.

    Parameters
    ----------
    loss : {'log_loss'}, default='log_loss'
        Minus the logarithm of the probability of the true class.
    {parameters}
    class_weight : dict or 'balanced', default=None
        Weights of classes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    {attributes}

    See Also
    --------
    HistGradientBoostingRegressor : The same for numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import HistGradientBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> HistGradientBoostingClassifier(max_iter=20).fit(X, y).predict(X[[0, 60, 120]])
    array([0, 1, 2])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "loss": Choice("log_loss"),
        **COMMON_RULES,
        "class_weight": Nothing() | Choice("balanced") | Instance("a dict", dict),
    }

    def __init__(
        self,
        loss: str = "log_loss",
        *,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 0.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: Any = "auto",
        scoring: Any = "loss",
        validation_fraction: Any = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
        class_weight: Any = None,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.class_weight = class_weight

    def _make_loss(self) -> Loss:
        n_classes = len(self.classes_)
        return LogisticLoss() if n_classes <= 2 else MultinomialLoss(n_classes)

    def predict(self, X: Any) -> Array:
        """Return the most probable class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        return self._decide(self._scores(X))

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return self._probabilities(self._scores(X))

    def decision_function(self, X: Any) -> Floats:
        """Return the scores: log-odds for two classes, one score a class for more.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self._margins(self._scores(X))

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """Give the most probable classes after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Yields
        ------
        labels : ndarray of shape (n_samples,)
        """
        return map(self._decide, self._staged_scores(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Give the probabilities after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Yields
        ------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return map(self._probabilities, self._staged_scores(X))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Give the scores after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Yields
        ------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return map(self._margins, self._staged_scores(X))
