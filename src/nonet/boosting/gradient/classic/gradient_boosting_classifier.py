"""Classic gradient boosting for classification: trees on residuals, then new leaf values.

Members: trees on the negative gradients of the loss. F: the starting score plus the learning rate
times their sum. C: the inverse link, and the class of maximum probability.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.dummy import DummyClassifier

from nonet._base.aliases import Array, Floats
from nonet._base.params import Choice, Having, Nothing, Rule
from nonet.boosting.gradient.class_scores import ClassScores
from nonet.boosting.gradient.classic.gradient_boosting_base import COMMON_RULES, ClassicBoosting
from nonet.boosting.gradient.classic.starting_model import class_scores
from nonet.boosting.gradient.gradient_boosting_docs import with_classic_docs
from nonet.losses import ExponentialLoss, LogisticLoss, Loss, MultinomialLoss


@with_classic_docs
class GradientBoostingClassifier(ClassScores, ClassicBoosting):
    """Gradient boosting for classification, with trees grown on residuals.

    It accepts the parameters of scikit-learn's class of the same name and gives the same models, up
    to ties between splits, if columns have no more than `max_bins` distinct values. For two classes
    there is one tree per round, for more one tree per class and round.

    Parameters
    ----------
    loss : {'log_loss', 'exponential'}, default='log_loss'
        Minus the logarithm of the probability of the true class, or AdaBoost's loss, which is for
        two classes only.
    {first_parameters}
    init : estimator or 'zero', default=None
        The model whose probabilities give the starting scores; None is the class proportions.
    {middle_parameters}
    {last_parameters}
    {class_decide}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    n_classes_ : int
        Number of classes.
    {attributes}
    {classic_ensemble_attributes}

    See Also
    --------
    GradientBoostingRegressor : Classic gradient boosting for regression.
    HistGradientBoostingClassifier : Boosting with Newton steps in the splits, and categories.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import GradientBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=20).fit(X, y)
    >>> model.predict(X[[0, 60, 120]])
    array([0, 1, 2])
    >>> model.estimators_.shape
    (20, 3)
    """

    _zero_is_positive: ClassVar[bool] = True  # as in scikit-learn
    _rules: ClassVar[Mapping[str, Rule]] = {
        "loss": Choice("log_loss", "exponential"),
        **COMMON_RULES,
        "init": Nothing()
        | Choice("zero")
        | Having("a classifier with probabilities", "fit", "predict_proba"),
    }

    def __init__(
        self,
        *,
        loss: str = "log_loss",
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
        self.verbose = verbose
        self.max_leaf_nodes = max_leaf_nodes
        self.warm_start = warm_start
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.ccp_alpha = ccp_alpha
        self.max_bins = max_bins
        self.decide = decide

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def _check_classes(self, labels: Array, weights: Floats | None, goes_on: bool) -> None:
        classes, codes = np.unique(labels, return_inverse=True)
        n_weighted = np.count_nonzero(np.bincount(codes, weights))
        if n_weighted < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least 2 classes with rows of positive weight, but "
                f"y has {n_weighted} class."
            )
        if self.loss == "exponential" and len(classes) > 2:
            raise ValueError(
                f"loss='exponential' is for two classes, but y has {len(classes)}; use "
                "loss='log_loss'."
            )
        if goes_on and not np.array_equal(self.classes_, classes):
            raise ValueError(
                f"{type(self).__name__}: warm_start adds trees to those of an earlier fit, but y "
                "has other classes now; fit without warm_start."
            )

    def _check_training(self, target: Array) -> None:
        if len(np.unique(target)) < self.n_classes_:
            raise ValueError(
                "A class has lost all its rows to those held out for n_iter_no_change; set another "
                "random_state or a smaller validation_fraction."
            )

    def _make_loss(self) -> Loss:
        if self.n_classes_ > 2:
            return MultinomialLoss(self.n_classes_)
        return LogisticLoss() if self.loss == "log_loss" else ExponentialLoss()

    def _plain_start(self) -> DummyClassifier:
        return DummyClassifier(strategy="prior")

    def _predict_start(self, X: Any) -> Floats:
        probabilities = np.asarray(self.init_.predict_proba(X))
        if probabilities.shape != (X.shape[0], self.n_classes_):
            raise ValueError(
                f"init must return probabilities of shape {(X.shape[0], self.n_classes_)}, one per "
                f"row and class, got {probabilities.shape}."
            )
        return class_scores(probabilities, is_exponential=self.loss == "exponential")

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the scores after each round.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Yields
        ------
        scores : ndarray of shape (n_samples, 1) or (n_samples, n_classes)
        """
        return (scores.T for scores in self._staged_scores(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
            Minus infinity where a probability underflows.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def apply(self, X: Any) -> Array:
        """Return the index of the leaf that each row reaches in each tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        leaves : ndarray of shape (n_samples, n_estimators, n_trees_per_iteration)
            Indices of nodes in ``estimators_[i, k].tree_``.
        """
        return self._leaves(X)
