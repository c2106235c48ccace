"""Gradient boosting on histograms.

Members: trees on the gradients of the loss. F: the starting score plus their sum. C: the inverse
link, and for classification the class of maximum probability.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nonet._base.params import Choice, Instance, Nothing, Real, Rule
from nonet.boosting.gradient.class_scores import ClassScores
from nonet.boosting.gradient.gradient_boosting_docs import with_boosting_docs
from nonet.boosting.gradient.histogram.hist_gradient_boosting_base import (
    COMMON_RULES,
    HistGradientBoosting,
)
from nonet.boosting.gradient.value_scores import ValueScores
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


@with_boosting_docs
class HistGradientBoostingRegressor(ValueScores, HistGradientBoosting):
    """Histogram-based gradient boosting for regression.

    It accepts the parameters of scikit-learn's class of the same name. Sums of gradients are in
    fixed point, so that the model is bitwise the same on any number of threads. Newton steps of the
    'gamma' and 'poisson' losses that would raise the loss of their leaf are shortened.

    Parameters
    ----------
    loss : {'squared_error', 'absolute_error', 'gamma', 'poisson', 'quantile'} or Loss, \
            default='squared_error'
        The loss to minimize; 'gamma' and 'poisson' have a logarithmic link. A custom
        `nonet.losses.Loss` is accepted too.
    quantile : float, default=None
        The level, from 0 to 1, for loss='quantile'.
    {parameters}
    {number_decide}

    Attributes
    ----------
    {attributes}
    {ensemble_attributes}

    See Also
    --------
    HistGradientBoostingClassifier : Histogram-based gradient boosting for classification.

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
        decide: Any = None,
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
        self.decide = decide

    def _make_loss(self) -> Loss:
        if isinstance(self.loss, Loss):
            return self.loss
        if self.loss == "quantile":
            if self.quantile is None:
                raise ValueError("loss='quantile' needs a level, but quantile is None.")
            return QuantileLoss(self.quantile)
        return self._losses[self.loss]()


@with_boosting_docs
class HistGradientBoostingClassifier(ClassScores, HistGradientBoosting):
    """Histogram-based gradient boosting for classification.

    It accepts the parameters of scikit-learn's class of the same name. There is one tree per round
    for two classes, one per class and round for more. Sums of gradients are in fixed point, so that
    the model is bitwise the same on any number of threads. Newton steps that would raise the loss
    of their leaf are shortened: well-separated rare classes do not make the model diverge, as they
    can in scikit-learn.

    Parameters
    ----------
    loss : {'log_loss'}, default='log_loss'
        Minus the logarithm of the probability of the true class.
    {parameters}
    class_weight : dict or 'balanced', default=None
        Weights of classes.
    {class_decide}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    {attributes}
    {ensemble_attributes}

    See Also
    --------
    HistGradientBoostingRegressor : Histogram-based gradient boosting for regression.

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
        decide: Any = None,
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
        self.decide = decide

    def _make_loss(self) -> Loss:
        n_classes = len(self.classes_)
        return LogisticLoss() if n_classes <= 2 else MultinomialLoss(n_classes)
