"""Gradient boosting on histograms.

Members: trees on the slopes of the loss. F: the starting score plus their sum. C: the inverse link,
and for classes the largest probability.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_monotonic_cst,
    _check_sample_weight,
    _check_y,
    check_is_fitted,
)

from nonet._base.aliases import Array, Floats
from nonet._base.params import (
    Anything,
    ArrayLike,
    Boolean,
    Choice,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.streams import RANDOM_STATE, root_seed
from nonet._native_data import BinnedDataset
from nonet._native_grow import GrowParams
from nonet.boosting.booster import Booster
from nonet.boosting.boosting_texts import with_shared_texts
from nonet.boosting.score_watch import Rows, ScoreWatch
from nonet.boosting.stage import Stage
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
from nonet.losses.loss import check_slopes
from nonet.losses.native import NativeLoss
from nonet.trees.columns import CATEGORIES_RULE, learn_columns, read_columns

# Infinities go to the end bins; sparse tables are refused, as by scikit-learn.
_ANY_NUMBERS: Mapping[str, Any] = {"accept_sparse": False, "ensure_all_finite": False}
# Leaves must hold this much hessian, as in scikit-learn.
_LEAST_HESSIAN = 1e-3
# From this many rows on, early_stopping='auto' stops early.
_MANY_ROWS = 10_000
# Rows on which the slopes of a user's loss are checked.
_CHECKED_ROWS = 200

_COMMON_RULES: Mapping[str, Rule] = {
    "learning_rate": Real(0, open_low=True),
    "max_iter": Integer(1),
    "max_leaf_nodes": Nothing() | Integer(2),
    "max_depth": Nothing() | Integer(1),
    "min_samples_leaf": Integer(1),
    "l2_regularization": Real(0),
    "max_features": Real(0, 1, open_low=True),
    "max_bins": Integer(2, 255),
    "categorical_features": CATEGORIES_RULE,
    "monotonic_cst": Nothing() | Instance("a dict", dict) | ArrayLike(),
    "interaction_cst": Nothing()
    | Choice("pairwise", "no_interactions")
    | Instance("a list or tuple of groups of columns", list, tuple),
    "warm_start": Boolean(),
    "early_stopping": Choice("auto") | Boolean(),
    "scoring": Anything(),
    "validation_fraction": Nothing() | Integer(1) | Real(0, 1, open_low=True, open_high=True),
    "n_iter_no_change": Integer(1),
    "tol": Real(0),
    "verbose": Boolean() | Integer(0),
    "random_state": RANDOM_STATE,
}


class HistGradientBoosting(BaseEstimator):
    """Parent of the two estimators; children say what the loss and the targets are."""

    _rules: ClassVar[Mapping[str, Rule]]
    _ready_scores: Floats | None = None  # set on twins that answer for a scorer

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Any:
        """Grow the trees.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows; a weight of 2 means that the row is there twice.
        X_val, y_val : array-like, default=None
            Rows and targets to stop early by; otherwise a part of the training rows is held out.
        sample_weight_val : array-like, default=None
            Weights of these rows.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        table = self._learn_columns(X)
        target, weights = self._check_target(y, sample_weight, len(table))
        given = self._check_validation(X_val, y_val, sample_weight_val)
        goes_on = self.warm_start and hasattr(self, "_booster")
        if not goes_on:
            self._draw_seeds()
        training, validation = self._hold_out(table, target, weights, given)
        self._start(training, goes_on)
        self._boost(training, validation)
        return self

    # ---- Data ----------------------------------------------------------------------------------

    def _learn_columns(self, X: Any) -> Floats:
        table: Floats
        table, self._codes = learn_columns(
            self, X, self.categorical_features, self.max_bins, **_ANY_NUMBERS
        )
        self.is_categorical_ = self._codes.mask(table.shape[1])
        return table

    def _check_rows(self, X: Any) -> Floats:
        table: Floats = read_columns(self, X, self._codes, **_ANY_NUMBERS)
        return table

    def _check_target(self, y: Any, sample_weight: Any, n_rows: int) -> tuple[Array, Floats | None]:
        raise NotImplementedError

    def _check_weights(self, sample_weight: Any, table: Any) -> Floats | None:
        if sample_weight is None:
            return None
        weights: Floats = _check_sample_weight(
            sample_weight, table, dtype=np.float64, ensure_non_negative=True
        )
        return weights

    def _check_validation(self, X_val: Any, y_val: Any, sample_weight_val: Any) -> Any:
        if X_val is None and y_val is None:
            return None
        if X_val is None or y_val is None:
            lacking = "X_val" if X_val is None else "y_val"
            raise ValueError(f"X_val and y_val go together, but {lacking} is not given.")
        if self.early_stopping is False:
            raise ValueError(
                "X_val and y_val are for stopping early, but early_stopping is False; leave them "
                "out, or set early_stopping to 'auto' or True."
            )
        table = self._check_rows(X_val)
        if len(table) != len(y_val):
            raise ValueError(
                f"X_val and y_val must have the same number of rows, got {len(table)} and "
                f"{len(y_val)}."
            )
        return table, self._encode_known(y_val), self._check_weights(sample_weight_val, table)

    def _draw_seeds(self) -> None:
        # As scikit-learn draws them, so that the same rows are held out.
        state = self.random_state
        is_newer = isinstance(state, np.random.Generator)
        rng = check_random_state(root_seed(state) if is_newer else state)
        largest = np.iinfo(np.uint32).max
        self._random_seed = int(rng.randint(largest, dtype="u8"))
        self._column_seed = int(rng.randint(largest, dtype="u8"))

    def _hold_out(
        self, table: Floats, target: Array, weights: Floats | None, given: Any
    ) -> tuple[Any, Any]:
        """Part the rows in those to fit and those to stop by, either (X, target, weights)."""
        auto = self.early_stopping == "auto"
        self.do_early_stopping_ = len(table) > _MANY_ROWS if auto else bool(self.early_stopping)
        whole = (table, target, weights)
        if given is not None or not self.do_early_stopping_ or self.validation_fraction is None:
            return whole, given if self.do_early_stopping_ else None
        arrays = [part for part in whole if part is not None]
        parts = train_test_split(
            *arrays,
            test_size=self.validation_fraction,
            stratify=self._strata(target),
            random_state=self._random_seed,
        )
        missing = [None] if weights is None else []
        return tuple(parts[::2] + missing), tuple(parts[1::2] + missing)

    def _strata(self, target: Array) -> Array | None:
        return None

    # ---- Boosting ------------------------------------------------------------------------------

    def _start(self, training: Any, goes_on: bool) -> None:
        _, target, weights = training
        if goes_on:
            if self.max_iter < self.n_iter_:
                raise ValueError(
                    f"max_iter must be at least n_iter_={self.n_iter_} when warm_start=True, got "
                    f"{self.max_iter}."
                )
            return
        loss = self._make_loss()
        loss.check_targets(target)
        start = np.atleast_1d(np.asarray(loss.start(target, weights), dtype=np.float64))
        if not isinstance(loss, NativeLoss) and loss.n_scores == 1:
            some = slice(_CHECKED_ROWS)
            around = start[0] + np.linspace(-1, 1, len(target[some]))
            check_slopes(loss, target[some], around)
        self._booster = Booster(loss, start)
        self.n_trees_per_iteration_ = loss.n_scores
        self.train_score_: Any = np.empty(0)
        self.validation_score_: Any = np.empty(0)

    def _boost(self, training: Any, validation: Any) -> None:
        rows = self._scored(training)
        held_out = None if validation is None else self._scored(validation)
        watch = self._watch(rows, held_out) if self.do_early_stopping_ else None
        dataset = BinnedDataset(
            rows.X,
            max_bins=self.max_bins,
            categories=sorted(self._codes.known),
            weights=rows.weights,
            seed=self._random_seed,
        )
        stage = Stage(self._booster.loss, dataset, rows.target, rows.weights, rows.scores)
        params = self._grow_params(rows.X.shape[1])
        if watch is not None and not self._booster.rounds:
            watch.look(self._booster)
        for number in range(self.n_iter_, self.max_iter):
            began = time.perf_counter()
            trees = stage.add_round(params, self.learning_rate, number)
            self._booster.rounds.append(trees)
            if watch is not None:
                watch.follow(trees)
                watch.look(self._booster)
            self._report(number, trees, watch, time.perf_counter() - began)
            if watch is not None and watch.is_enough(self.n_iter_no_change, self.tol):
                break
        if watch is not None:
            self.train_score_ = np.array(watch.train_score)
            self.validation_score_ = np.array(watch.validation_score)

    def _scored(self, part: Any) -> Rows:
        X, target, weights = part
        return Rows(X, target, weights, self._booster.scores(X))

    def _watch(self, training: Rows, validation: Rows | None) -> ScoreWatch:
        scorer = None if self.scoring == "loss" else check_scoring(self, self.scoring)
        watch = ScoreWatch(self, scorer, training, validation, self._random_seed)
        watch.train_score = list(self.train_score_)
        watch.validation_score = list(self.validation_score_)
        return watch

    def _report(
        self, number: int, trees: list[Any], watch: ScoreWatch | None, seconds: float
    ) -> None:
        if not self.verbose:
            return
        words = [f"round {number + 1} of {self.max_iter}"]
        words.append(f"{sum(tree.n_leaves for tree in trees)} leaves")
        if watch is not None:
            words.append(f"training score {watch.train_score[-1]:.5g}")
            if watch.validation is not None:
                words.append(f"validation score {watch.validation_score[-1]:.5g}")
        words.append(f"{seconds:.3f} s")
        words.append(f"at most {seconds * (self.max_iter - number - 1):.0f} s left")
        print(", ".join(words))

    def _grow_params(self, n_columns: int) -> GrowParams:
        signs = _check_monotonic_cst(self, self.monotonic_cst)
        if signs.any() and self.n_trees_per_iteration_ > 1:
            raise ValueError(
                "monotonic_cst is for regression and two classes, but y has "
                f"{self.n_trees_per_iteration_} classes; leave it out."
            )
        return GrowParams(
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_rows_split=2 * self.min_samples_leaf,
            min_rows_leaf=self.min_samples_leaf,
            min_weight_leaf=_LEAST_HESSIAN,
            l2=self.l2_regularization,
            columns_a_split=math.ceil(self.max_features * n_columns),
            monotone=[int(sign) for sign in signs] if signs.any() else (),
            interactions=self._interactions(n_columns),
            threshold_policy="edge",
            category_smoothing=10.0,
            seed=self._column_seed,
        )

    def _interactions(self, n_columns: int) -> list[list[int]]:
        groups = self.interaction_cst
        if groups is None:
            return []
        if groups == "no_interactions":
            return [[j] for j in range(n_columns)]
        if groups == "pairwise":
            return [[i, j] for i in range(n_columns) for j in range(i + 1, n_columns)] or [[0]]
        try:
            known = [sorted({int(j) for j in group}) for group in groups]
        except (TypeError, ValueError):
            allowed = "groups of positions of columns"
            raise bad_parameter(self, "interaction_cst", allowed, groups) from None
        for j in (j for group in known for j in group):
            if not 0 <= j < n_columns:
                raise ValueError(
                    f"interaction_cst must hold positions of columns, 0 to {n_columns - 1}, "
                    f"but has {j}."
                )
        return known

    # ---- Answers -------------------------------------------------------------------------------

    @property
    def n_iter_(self) -> int:
        """Number of rounds."""
        check_is_fitted(self, "_booster")
        return len(self._booster.rounds)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_booster")

    def _scores(self, X: Any) -> Floats:
        if self._ready_scores is not None:
            return self._ready_scores
        check_is_fitted(self, "_booster")
        return self._booster.scores(self._check_rows(X))

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        check_is_fitted(self, "_booster")
        return self._booster.staged_scores(self._check_rows(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _make_loss(self) -> Loss:
        raise NotImplementedError

    def _encode_known(self, y: Any) -> Array:
        raise NotImplementedError

    def _labels_of(self, target: Array) -> Array:
        raise NotImplementedError


@with_shared_texts
class HistGradientBoostingRegressor(RegressorMixin, HistGradientBoosting):
    """Boosted trees for numbers.

    It takes the parameters of scikit-learn's class of the same name. Sums of slopes are in fixed
    point, so that the model is the same, bit for bit, on any number of threads.

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
        **_COMMON_RULES,
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

    def _check_target(self, y: Any, sample_weight: Any, n_rows: int) -> tuple[Array, Floats | None]:
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
class HistGradientBoostingClassifier(ClassifierMixin, HistGradientBoosting):
    """Boosted trees for classes: one tree a round for two classes, one a class for more.

    It takes the parameters of scikit-learn's class of the same name. Sums of slopes are in fixed
    point, so that the model is the same, bit for bit, on any number of threads.

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
        **_COMMON_RULES,
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

    def _check_target(self, y: Any, sample_weight: Any, n_rows: int) -> tuple[Array, Floats | None]:
        labels = _check_y(y, y_numeric=False, estimator=self)
        check_classification_targets(labels)
        if len(labels) != n_rows:
            raise ValueError(
                f"X and y must have the same number of rows, got {n_rows} and {len(labels)}."
            )
        weights = self._check_weights(sample_weight, labels)
        if self.class_weight is not None:
            by_class = compute_sample_weight(self.class_weight, labels)
            weights = by_class if weights is None else weights * by_class
        self.classes_ = np.unique(labels)
        return self._encode_known(labels), weights

    def _encode_known(self, y: Any) -> Array:
        labels = _check_y(y, y_numeric=False, estimator=self)
        codes = np.searchsorted(self.classes_, labels)
        known = self.classes_[np.minimum(codes, len(self.classes_) - 1)] == labels
        if not known.all():
            raise ValueError(
                f"y_val has the label {labels[~known].tolist()[0]!r}, which is not among the "
                "classes of y."
            )
        target: Array = codes.astype(np.float64 if len(self.classes_) <= 2 else np.int32)
        return target

    def _labels_of(self, target: Array) -> Array:
        labels: Array = self.classes_[target.astype(np.intp)]
        return labels

    def _strata(self, target: Array) -> Array | None:
        return target

    def _probabilities(self, scores: Floats) -> Floats:
        shares = self._booster.loss.inverse_link(scores)
        if len(self.classes_) > 2:
            return shares.T
        return np.column_stack([1 - shares[0], shares[0]])[:, : len(self.classes_)]

    def _decide(self, scores: Floats) -> Array:
        codes = scores.argmax(axis=0) if len(scores) > 1 else (scores[0] > 0).astype(np.intp)
        labels: Array = self.classes_[codes]
        return labels

    def _margins(self, scores: Floats) -> Floats:
        return scores[0] if len(scores) == 1 else scores.T

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
