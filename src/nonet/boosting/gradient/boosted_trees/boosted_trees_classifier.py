"""Boosted trees for classification, with the parameters of XGBoost and LightGBM.

Members: trees on the gradients of the loss. F: the starting score plus their sum. C: the inverse
link, and the class of maximum probability.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001.

T. Chen and C. Guestrin, "XGBoost: a scalable tree boosting system", *KDD* 2016.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats, Params
from nonet._base.params import Choice, Instance, Nothing, Real, Rule
from nonet.boosting.gradient.boosted_trees.boosted_trees_base import BoostedTrees
from nonet.boosting.gradient.boosted_trees.boosted_trees_docs import with_boosted_docs
from nonet.boosting.gradient.boosted_trees.boosted_trees_params import COMMON_RULES, FUNCTION
from nonet.boosting.gradient.boosted_trees.label_scores import LabelScores
from nonet.boosting.gradient.boosted_trees.peers.interface import takes_peer_names
from nonet.boosting.gradient.boosted_trees.peers.parameters import CLASSIFIER_NAMES
from nonet.boosting.gradient.booster import by_row
from nonet.ensemble import HeldOutPredictions
from nonet.losses import ExponentialLoss, JointLoss, LogisticLoss, Loss, MultinomialLoss
from nonet.losses.objective_function import ObjectiveFunction
from nonet.members.cross_fitted import make_tuning_folds


@with_boosted_docs
class BoostedTreesClassifier(LabelScores, BoostedTrees):
    """Boosted trees for classification, with the parameters of XGBoost and LightGBM.

    It extends `HistGradientBoostingClassifier`, with the parameter names of XGBoost and LightGBM.
    Names that only one of them has are taken too, and so are their arguments of fit and predict;
    the guide has a table. There is one score for two classes, one score per class for more, and one
    per column if y has several columns of 0 and 1. The model is bitwise the same on any number of
    threads.

    Parameters
    ----------
    objective : {'log_loss', 'exponential'}, Loss or callable, default='log_loss'
        The loss to minimize: minus the logarithm of the probability of the true class, or, for two
        classes, AdaBoost's loss. A `nonet.losses.Loss` is accepted too, with one score for two
        classes and one score per class for more, and a function of the true classes and the scores
        that returns gradient and hessian.
    {parameters}
    scale_pos_weight : float, default=1.0
        Factor of the weights of rows of the second class, for two classes.
    class_weight : dict or 'balanced', default=None
        Weights of classes.
    {class_decide}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels; the numbers of the columns if y has several.
    {attributes}
    {ensemble_attributes}

    See Also
    --------
    BoostedTreesRegressor : Boosted trees for regression; its 'cross_entropy' fits soft labels.
    HistGradientBoostingClassifier : The same with scikit-learn's parameters.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from nonet import BoostedTreesClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BoostedTreesClassifier(eval_metric="auc", early_stopping_rounds=5, num_leaves=8)
    >>> model.fit(X[:400], y[:400], eval_set=[(X[400:], y[400:])]).best_score_ > 0.98
    True
    >>> model.predict(X[:3])
    array([0, 0, 0])
    """

    _peer_names = CLASSIFIER_NAMES
    _rules: ClassVar[Mapping[str, Rule]] = {
        "objective": Nothing()
        | Choice("log_loss", "exponential")
        | Instance("a Loss", Loss)
        | FUNCTION,
        **COMMON_RULES,
        "scale_pos_weight": Nothing() | Real(0, open_low=True),
        "class_weight": Nothing() | Choice("balanced") | Instance("a dict", dict),
    }

    @takes_peer_names
    def __init__(
        self,
        objective: Any = "log_loss",
        *,
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
        scale_pos_weight: float = 1.0,
        class_weight: Any = None,
        decide: Any = None,
    ) -> None:
        self.objective = objective
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
        self.scale_pos_weight = scale_pos_weight
        self.class_weight = class_weight
        self.decide = decide

    def _make_loss(self) -> Loss:
        n_classes = len(self.classes_)
        n_scores = 1 if n_classes <= 2 and not self._has_labels else n_classes
        if isinstance(self.objective, Loss):
            loss = self.objective
        elif callable(self.objective):
            return ObjectiveFunction(self.objective, n_scores, is_class=True)
        elif self.objective == "exponential":
            loss = ExponentialLoss()
        else:
            loss = MultinomialLoss(n_classes) if self._has_many_classes else LogisticLoss()
        if self._has_labels and loss.n_scores == 1:
            return JointLoss([loss] * n_classes)
        if loss.n_scores != n_scores:
            raise ValueError(
                f"{n_classes} classes need a loss of {n_scores} score(s) per row, but {loss!r} has "
                f"{loss.n_scores}."
            )
        return loss

    @property
    def _has_many_classes(self) -> bool:
        return len(self.classes_) > 2 and not self._has_labels

    def _read_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        target, weights = super()._read_target(y, sample_weight, n_rows, goes_on=goes_on)
        if self.scale_pos_weight == 1:
            return target, weights
        if len(self.classes_) > 2 or self._has_labels:
            what = "columns" if self._has_labels else "classes"
            raise ValueError(
                f"scale_pos_weight is for two classes, but y has {len(self.classes_)} {what}; use "
                "class_weight."
            )
        of_class = np.where(target == 1, self.scale_pos_weight, 1.0)
        return target, of_class if weights is None else weights * of_class

    def _tuning_clone(self) -> Any:
        clone = super()._tuning_clone()
        vars(clone).pop("_skl_callbacks", None)  # callbacks observe this fit, not those of clones
        return clone

    def _cross_fitted(
        self,
        X: Any,
        y: Array,
        sample_weight: Floats | None = None,
        groups: Any = None,
        fit_params: Params | None = None,
    ) -> HeldOutPredictions:
        """Add the margins of rows to the sums of the trees."""
        held_out = super()._cross_fitted(X, y, sample_weight, groups, fit_params)
        if not self._has_margin:
            return held_out
        margin = self._read_margin(
            (fit_params or {})["base_margin"], len(y), self.n_trees_per_iteration_
        )
        folds = make_tuning_folds(y, groups, sample_weight)
        rows = np.concatenate([test for _, test in folds])
        return replace(held_out, predictions=[held_out.predictions[0] + by_row(margin[:, rows])])

    def predict(
        self,
        X: Any,
        *,
        base_margin: Any = None,
        iteration_range: Any = None,
        **peer_arguments: Any,
    ) -> Array:
        """Return the most probable class of each row.

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
        labels : ndarray of shape (n_samples,), or (n_samples, n_labels) of 0 and 1
        """
        if peer_arguments:
            return self._predict_as_peers(
                "predict", X, base_margin, iteration_range, peer_arguments
            )
        return self._predict_scores(self._scores(X, base_margin, iteration_range), X)

    def predict_proba(
        self,
        X: Any,
        *,
        base_margin: Any = None,
        iteration_range: Any = None,
        **peer_arguments: Any,
    ) -> Floats:
        """Return the probabilities of the classes.

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
        probabilities : ndarray of shape (n_samples, n_classes), or (n_samples, n_labels)
            Of several labels, each has its own probability: rows do not add up to 1.
        """
        if peer_arguments:
            return self._predict_as_peers(
                "predict_proba", X, base_margin, iteration_range, peer_arguments
            )
        return self._probabilities(self._scores(X, base_margin, iteration_range))

    def decision_function(
        self, X: Any, *, base_margin: Any = None, iteration_range: Any = None
    ) -> Floats:
        """Return the scores: log-odds for two classes, one score per class for more.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        base_margin : array-like of shape (n_samples,) or (n_samples, n_scores), default=None
            Initial scores, if the model was fitted with base margins.
        iteration_range : tuple of int (first, end), default=None
            The rounds to use for the prediction; those up to `best_iteration_` if None.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return by_row(self._scores(X, base_margin, iteration_range))

    def staged_predict(self, X: Any, *, base_margin: Any = None) -> Iterator[Array]:
        """Yield the most probable classes after each round.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        base_margin : array-like of shape (n_samples,) or (n_samples, n_scores), default=None
            Initial scores, if the model was fitted with base margins.

        Yields
        ------
        labels : ndarray of shape (n_samples,)
        """
        staged = self._staged_scores(X, base_margin)
        return (self._predict_scores(scores, X) for scores in staged)

    def staged_predict_proba(self, X: Any, *, base_margin: Any = None) -> Iterator[Floats]:
        """Yield the probabilities after each round.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        base_margin : array-like of shape (n_samples,) or (n_samples, n_scores), default=None
            Initial scores, if the model was fitted with base margins.

        Yields
        ------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return map(self._probabilities, self._staged_scores(X, base_margin))

    def staged_decision_function(self, X: Any, *, base_margin: Any = None) -> Iterator[Floats]:
        """Yield the scores after each round.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        base_margin : array-like of shape (n_samples,) or (n_samples, n_scores), default=None
            Initial scores, if the model was fitted with base margins.

        Yields
        ------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return map(by_row, self._staged_scores(X, base_margin))
