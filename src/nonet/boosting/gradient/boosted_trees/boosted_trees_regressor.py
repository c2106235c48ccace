"""Boosted trees for regression, with the parameters of XGBoost and LightGBM.

Members: trees on the gradients of the loss. F: the starting score plus their sum. C: the inverse
link.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001.

T. Chen and C. Guestrin, "XGBoost: a scalable tree boosting system", *KDD* 2016.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import _check_y, check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.params import ArrayLike, Choice, Instance, Nothing, Real, Rule
from nonet.boosting.gradient.boosted_trees.boosted_trees_base import BoostedTrees
from nonet.boosting.gradient.boosted_trees.boosted_trees_docs import with_boosted_docs
from nonet.boosting.gradient.boosted_trees.boosted_trees_params import COMMON_RULES, FUNCTION
from nonet.boosting.gradient.boosted_trees.peers.interface import takes_peer_names
from nonet.boosting.gradient.boosted_trees.peers.parameters import REGRESSOR_NAMES
from nonet.boosting.gradient.booster_estimator import check_same_length
from nonet.boosting.gradient.value_scores import ValueScores
from nonet.losses import (
    CrossEntropyLoss,
    JointLoss,
    Loss,
    QuantileLoss,
    QuantilesLoss,
)
from nonet.losses.objective_function import ObjectiveFunction
from nonet.losses.table import REGRESSION_LOSSES


@with_boosted_docs
class BoostedTreesRegressor(ValueScores, BoostedTrees):
    """Boosted trees for regression of one or several outputs.

    It extends `HistGradientBoostingRegressor`, with the parameter names of XGBoost and LightGBM.
    Names that only one of them has are taken too, and so are their arguments of fit and predict;
    the guide has a table. The model is bitwise the same on any number of threads.

    Parameters
    ----------
    objective : {'squared_error', 'absolute_error', 'poisson', 'gamma', 'quantile', \
            'cross_entropy'}, Loss or callable, default='squared_error'
        The loss to minimize. 'poisson' and 'gamma' have a logarithmic link; 'cross_entropy' is for
        probabilities as targets (soft labels; several columns are those of several classes). Any
        `nonet.losses.Loss` is accepted too, such as ``HuberLoss(1.0)``, ``TweedieLoss(1.5)`` or a
        custom loss, and a function of targets and scores that returns gradient and hessian.
    quantile : float or list of float, default=None
        The level for objective='quantile'; several levels, in ascending order, are predicted
        together and do not cross. `score` is then minus the mean pinball loss.
    {parameters}
    {number_decide}

    Attributes
    ----------
    {attributes}
    {ensemble_attributes}

    See Also
    --------
    BoostedTreesClassifier : Boosted trees for classification.
    HistGradientBoostingRegressor : The same with scikit-learn's parameters.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import BoostedTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BoostedTreesRegressor(early_stopping_rounds=5, random_state=0)
    >>> model.fit(X[:300], y[:300], eval_set=[(X[300:], y[300:])]).n_iter_ < 100
    True
    >>> band = BoostedTreesRegressor("quantile", quantile=[0.1, 0.9], n_estimators=20).fit(X, y)
    >>> low, high = band.predict(X[:1])[0]
    >>> bool(low < high), band.score(X, y) < 0
    (True, True)
    """

    _peer_names = REGRESSOR_NAMES
    _rules: ClassVar[Mapping[str, Rule]] = {
        "objective": Nothing()
        | Choice(*REGRESSION_LOSSES, "quantile")
        | Instance("a Loss", Loss)
        | FUNCTION,
        "quantile": Nothing() | Real(0, 1) | ArrayLike(),
        **COMMON_RULES,
    }

    @takes_peer_names
    def __init__(
        self,
        objective: Any = "squared_error",
        *,
        quantile: Any = None,
        n_estimators: Any = "auto",
        learning_rate: Any = "auto",
        num_leaves: Any = "auto",
        max_depth: int | None = None,
        min_child_samples: Any = "auto",
        min_child_weight: float = 1e-3,
        reg_lambda: Any = "auto",
        reg_alpha: float = 0.0,
        gamma: float = 0.0,
        max_delta_step: float = 0.0,
        subsample: float = 1.0,
        sampling_method: str = "uniform",
        top_rate: float = 0.2,
        other_rate: float = 0.1,
        colsample_bytree: float = 1.0,
        colsample_bylevel: float = 1.0,
        colsample_bynode: Any = "auto",
        extra_trees: Any = "auto",
        drop_rate: float = 0.0,
        skip_drop: float = 0.5,
        multi_strategy: str = "one_output_per_tree",
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        cat_smooth: float = 10.0,
        cat_l2: float = 30.0,
        min_data_per_group: int = 100,
        max_cat_threshold: int = 32,
        max_cat_to_onehot: int = 4,
        monotone_constraints: Any = None,
        interaction_constraints: Any = None,
        eval_metric: Any = None,
        early_stopping_rounds: int | None = None,
        validation_split: Any = 0.1,
        warm_start: bool = False,
        on_interrupt: str = "raise",
        verbose: int = 0,
        random_state: Any = None,
        n_jobs: int | None = None,
        n_bags: Any = "auto",
        preset: str = "best",
        decide: Any = None,
    ) -> None:
        self.objective = objective
        self.quantile = quantile
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.num_leaves = num_leaves
        self.max_depth = max_depth
        self.min_child_samples = min_child_samples
        self.min_child_weight = min_child_weight
        self.reg_lambda = reg_lambda
        self.reg_alpha = reg_alpha
        self.gamma = gamma
        self.max_delta_step = max_delta_step
        self.subsample = subsample
        self.sampling_method = sampling_method
        self.top_rate = top_rate
        self.other_rate = other_rate
        self.colsample_bytree = colsample_bytree
        self.colsample_bylevel = colsample_bylevel
        self.colsample_bynode = colsample_bynode
        self.extra_trees = extra_trees
        self.drop_rate = drop_rate
        self.skip_drop = skip_drop
        self.multi_strategy = multi_strategy
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.cat_smooth = cat_smooth
        self.cat_l2 = cat_l2
        self.min_data_per_group = min_data_per_group
        self.max_cat_threshold = max_cat_threshold
        self.max_cat_to_onehot = max_cat_to_onehot
        self.monotone_constraints = monotone_constraints
        self.interaction_constraints = interaction_constraints
        self.eval_metric = eval_metric
        self.early_stopping_rounds = early_stopping_rounds
        self.validation_split = validation_split
        self.warm_start = warm_start
        self.on_interrupt = on_interrupt
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.n_bags = n_bags
        self.preset = preset
        self.decide = decide

    def _make_loss(self) -> Loss:
        if isinstance(self.objective, Loss):
            loss = self.objective
        elif callable(self.objective):
            return ObjectiveFunction(self.objective, self._n_outputs, is_class=False)
        elif self.objective == "quantile":
            loss = self._quantile_loss()
        elif self.objective == "cross_entropy" and self._n_outputs > 1:
            return CrossEntropyLoss(self._n_outputs)
        else:
            loss = REGRESSION_LOSSES[self.objective]()
        if self._n_outputs == 1 or loss.n_scores == self._n_outputs:
            return loss
        if loss.n_scores > 1:
            raise ValueError(
                f"{loss!r} has {loss.n_scores} scores, but y has {self._n_outputs} columns; give "
                "one column."
            )
        return JointLoss([loss] * self._n_outputs)

    def _quantile_loss(self) -> Loss:
        if self.quantile is None:
            raise ValueError("objective='quantile' needs a level, but quantile is None.")
        levels = np.atleast_1d(self.quantile)
        return QuantileLoss(levels[0]) if len(levels) == 1 else QuantilesLoss(self.quantile)

    def _read_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        target = self._read_values(y)
        if not goes_on:
            self._n_outputs = 1 if target.ndim == 1 else target.shape[1]
        check_same_length(n_rows, target)
        return self._encode_known(target), check_sample_weight(sample_weight, n_rows)

    def _read_values(self, y: Any) -> Array:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        numbers = np.asarray(_check_y(y, multi_output=True, y_numeric=True, estimator=self))
        if numbers.ndim == 2 and numbers.shape[1] == 1:
            numbers = numbers[:, 0]
        return np.asarray(numbers, dtype=np.float64, order="F")

    def _encode_known(self, y: Any) -> Array:
        target = self._read_values(y)
        n_outputs = 1 if target.ndim == 1 else target.shape[1]
        if n_outputs != self._n_outputs:
            raise ValueError(
                f"y must have as many columns as that of fit, {self._n_outputs}, got {n_outputs}."
            )
        return target

    def predict(
        self,
        X: Any,
        *,
        base_margin: Any = None,
        iteration_range: Any = None,
        **peer_arguments: Any,
    ) -> Floats:
        """Return the prediction for each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        base_margin : array-like of shape (n_samples,) or (n_samples, n_scores), default=None
            Initial scores, if the model was fitted with base margins.
        iteration_range : tuple of int (first, end), default=None
            The rounds to use for the prediction; those up to `best_iteration_` if None.
        **peer_arguments : dict
            Arguments of LightGBM and XGBoost: ``raw_score`` or ``output_margin`` for scores,
            ``pred_leaf`` for `apply`, ``pred_contrib`` for Shapley values, ``num_iteration``,
            ``start_iteration`` or ``ntree_limit`` for the rounds.

        Returns
        -------
        values : ndarray of shape (n_samples,), or (n_samples, n_scores) for several outputs or \
                quantiles
        """
        if peer_arguments:
            return self._predict_as_peers(
                "predict", X, base_margin, iteration_range, peer_arguments
            )
        return self._predict_scores(self._scores(X, base_margin, iteration_range), X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the score of the predictions; larger is better.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows.

        Returns
        -------
        score : float
            The coefficient of determination R^2, as for all regressors; for several quantiles,
            which do not predict the mean, minus the pinball loss averaged over rows and levels.
        """
        check_is_fitted(self, "_booster")
        loss = self._booster.loss
        if not isinstance(loss, QuantilesLoss):
            return float(super().score(X, y, sample_weight))
        target = self._encode_known(y)
        quantiles = np.ascontiguousarray(self.predict(X).T)
        weights = check_sample_weight(sample_weight, len(target))
        return -loss.mean_loss(target, quantiles, weights) / loss.n_scores

    def staged_predict(self, X: Any, *, base_margin: Any = None) -> Iterator[Floats]:
        """Yield the predictions after each round.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        base_margin : array-like, default=None
            As in `predict`.

        Yields
        ------
        values : ndarray of shape (n_samples,) or (n_samples, n_scores)
        """
        staged = self._staged_scores(X, base_margin)
        return (self._predict_scores(scores, X) for scores in staged)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
