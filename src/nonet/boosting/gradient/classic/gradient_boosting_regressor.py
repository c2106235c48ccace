"""Classic gradient boosting for regression: trees on residuals, then new leaf values.

Members: trees on the negative gradients of the loss. F: the starting score plus the learning rate
times their sum. C: the identity.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.dummy import DummyRegressor

from nonet._base.aliases import Array, Floats
from nonet._base.params import Choice, Having, Nothing, Real, Rule
from nonet.boosting.gradient.classic.gradient_boosting_base import COMMON_RULES, ClassicBoosting
from nonet.boosting.gradient.gradient_boosting_docs import with_classic_docs
from nonet.boosting.gradient.stage import Stage
from nonet.boosting.gradient.value_scores import ValueScores
from nonet.losses import (
    AbsoluteLoss,
    HuberLoss,
    Loss,
    QuantileLoss,
    SquaredLoss,
)
from nonet.losses.robust import residual_quantile
from nonet.losses.squared import check_squares

# A placeholder; the first round computes the width from the errors.
_FIRST_HUBER_WIDTH = 0.5
# Huber's loss needs a positive width, even if all errors are 0.
_MIN_HUBER_WIDTH = 1e-150


@with_classic_docs
class GradientBoostingRegressor(ValueScores, ClassicBoosting):
    """Gradient boosting for regression: each tree is grown on the residuals of those before it.

    It accepts the parameters of scikit-learn's class of the same name and gives the same models, up
    to ties between splits, if columns have no more than `max_bins` distinct values.

    Parameters
    ----------
    loss : {'squared_error', 'absolute_error', 'huber', 'quantile'}, default='squared_error'
        The loss to minimize. The prediction is a mean, a median, a compromise of both that limits
        the influence of outliers, or a quantile.
    {first_parameters}
    init : estimator or 'zero', default=None
        The model whose predictions are the starting scores; None is the best constant.
    {middle_parameters}
    alpha : float, default=0.9
        The level of the quantile; for Huber's loss, the fraction of errors with a squared loss.
    {last_parameters}
    {number_decide}

    Attributes
    ----------
    {attributes}
    {classic_ensemble_attributes}

    See Also
    --------
    GradientBoostingClassifier : Classic gradient boosting for classification.
    HistGradientBoostingRegressor : Boosting with Newton steps in the splits, and categories.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import GradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(loss="huber", n_estimators=50).fit(X, y)
    >>> model.estimators_.shape
    (50, 1)
    """

    _losses: ClassVar[Mapping[str, type[Loss]]] = {
        "squared_error": SquaredLoss,
        "absolute_error": AbsoluteLoss,
    }
    _rules: ClassVar[Mapping[str, Rule]] = {
        "loss": Choice("squared_error", "absolute_error", "huber", "quantile"),
        **COMMON_RULES,
        "init": Nothing() | Choice("zero") | Having("a regressor", "fit", "predict"),
        "alpha": Real(0, 1, open_low=True, open_high=True),
    }

    def __init__(
        self,
        *,
        loss: str = "squared_error",
        learning_rate: float = 0.1,
        n_estimators: int = 100,
        subsample: float = 1.0,
        criterion: str = "deprecated",
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_depth: int | None = 3,
        min_impurity_decrease: float = 0.0,
        init: Any = None,
        random_state: Any = None,
        max_features: Any = None,
        alpha: float = 0.9,
        verbose: int = 0,
        max_leaf_nodes: int | None = None,
        warm_start: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int | None = None,
        tol: float = 1e-4,
        ccp_alpha: float = 0.0,
        max_bins: int = 255,
        decide: Any = None,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.n_estimators = n_estimators
        self.subsample = subsample
        self.criterion = criterion
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_depth = max_depth
        self.min_impurity_decrease = min_impurity_decrease
        self.init = init
        self.random_state = random_state
        self.max_features = max_features
        self.alpha = alpha
        self.verbose = verbose
        self.max_leaf_nodes = max_leaf_nodes
        self.warm_start = warm_start
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.ccp_alpha = ccp_alpha
        self.max_bins = max_bins
        self.decide = decide

    def _encode_known(self, y: Any) -> Array:
        target = super()._encode_known(y)
        check_squares(target)
        return target

    def _make_loss(self) -> Loss:
        if self.loss == "quantile":
            return QuantileLoss(self.alpha)
        if self.loss == "huber":
            return HuberLoss(_FIRST_HUBER_WIDTH)
        return self._losses[self.loss]()

    def _loss_of_round(self, stage: Stage) -> Loss:
        if self.loss != "huber":
            return stage.loss
        rows = stage.rows
        errors = np.abs(rows.target - rows.scores[0])
        weights = np.ones(len(errors)) if rows.weights is None else rows.weights
        width = residual_quantile(errors, self.alpha, weights)
        return HuberLoss(max(width, _MIN_HUBER_WIDTH))

    def _plain_start(self) -> DummyRegressor:
        if self.loss == "squared_error":
            return DummyRegressor(strategy="mean")
        level = self.alpha if self.loss == "quantile" else 0.5
        return DummyRegressor(strategy="quantile", quantile=level)

    def _predict_start(self, X: Any) -> Floats:
        predictions: Floats = np.asarray(self.init_.predict(X), dtype=np.float64)
        return predictions.reshape(1, -1)

    def apply(self, X: Any) -> Array:
        """Return the index of the leaf that each row reaches in each tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        leaves : ndarray of shape (n_samples, n_estimators)
            Indices of nodes in ``estimators_[i, 0].tree_``.
        """
        return self._leaves(X)[:, :, 0]
