"""One task of the auto-ensembler: fit a configuration without a fold, and predict the fold.

A booster is followed on the rows held out: the sums of their losses after each round are kept for
two halves of them, from which `rounds` chooses the number of rounds of each prediction without
looking at the rows that it predicts.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from nonet._base.aliases import Array, Floats, Task
from nonet.auto.configuration import Configuration
from nonet.auto.families import MemberFacts, knows_deadlines, make_member
from nonet.auto.fold_preparation import FoldPreparation, FoldPreparations
from nonet.auto.memory import peak_bytes
from nonet.members.deadline import stop_fits_at

_EPSILON = np.finfo(np.float64).eps


@dataclass(frozen=True, eq=False)
class AutoData:
    """The rows that members are fitted on.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Numbers, and codes in the columns of categories.
    y : ndarray of shape (n_rows,)
        Values, or class codes.
    categorical : ndarray of bool of shape (n_columns,)
    n_classes : int
        0 in regression.
    folds : tuple of (train, test) pairs of row positions
    sample_weight : ndarray of shape (n_rows,) or None
    seed : int
    columns : tuple of ndarray of int, or None
        Which columns the models of each fold read; None is all of them.
    preparations : FoldPreparations
        Columns that some models read besides, made for a fold when they are first needed.
    """

    X: Floats
    y: Array
    categorical: Array
    n_classes: int
    folds: tuple[tuple[Array, Array], ...]
    sample_weight: Floats | None
    seed: int
    columns: tuple[Array, ...] | None = None
    preparations: FoldPreparations = field(default_factory=FoldPreparations, init=False)

    @property
    def task(self) -> Task:
        """Regression or classification."""
        return "classification" if self.n_classes else "regression"

    @property
    def n_scores(self) -> int:
        """The number of trees per round of a booster."""
        return self.n_classes if self.n_classes > 2 else 1

    @property
    def n_columns(self) -> int:
        """The number of columns that a model reads, without prepared ones."""
        return self.X.shape[1] if self.columns is None else len(self.columns[0])

    def columns_of(self, fold: int) -> Array:
        """Return which columns the models of a fold read, without prepared ones."""
        return np.arange(self.X.shape[1]) if self.columns is None else self.columns[fold]

    def preparation_of(self, fold: int, prep: str) -> FoldPreparation:
        """Return a preparation of a fold."""
        return self.preparations.of(self, fold, prep)

    def rows_of(self, fold: int, rows: Array, prep: str = "none") -> Floats:
        """Return some rows as the models of a fold with a preparation read them."""
        if prep != "none":
            return self.preparation_of(fold, prep).X[rows]
        return self.X[rows] if self.columns is None else self.X[np.ix_(rows, self.columns[fold])]

    def new_rows_of(self, fold: int, X: Floats, prep: str = "none") -> Floats:
        """Return rows that are not part of the data as the models of a fold read them."""
        plain = X[:, self.columns_of(fold)]
        if prep == "none":
            return plain
        return np.hstack([plain, self.preparation_of(fold, prep).columns.compute(X)])

    def categorical_of(self, fold: int, prep: str = "none") -> Array:
        """Return which columns hold codes of categories, as the models of a fold read them."""
        plain = self.categorical[self.columns_of(fold)]
        if prep == "none":
            return plain
        n_prepared = self.preparation_of(fold, prep).columns.n_features
        return np.concatenate([plain, np.zeros(n_prepared, dtype=bool)])

    def weights_of(self, rows: Array) -> Floats | None:
        """Return the weights of some rows."""
        return None if self.sample_weight is None else self.sample_weight[rows]


@dataclass(frozen=True, eq=False)
class FoldResult:
    """A fitted member of one fold.

    Attributes
    ----------
    model : estimator
    predictions : ndarray of shape (n_test,) or (n_test, n_classes), or None
        Of the rows held out; None for a booster, whose number of rounds is chosen later.
    losses : ndarray of shape (n_rounds, 2) or None
        Of a booster: sums of losses of the two halves of the rows held out.
    seconds : float
        The time it took.
    peak_bytes : int
        The peak of the memory of the process that fitted it, until then; 0 where the system does
        not report it.
    """

    model: Any
    predictions: Floats | None
    losses: Floats | None
    seconds: float
    peak_bytes: int = 0


def halves_of(n_rows: int, seed: int) -> Array:
    """Return for each row held out whether it is in the second half."""
    in_second: Array = np.random.default_rng(seed).permutation(n_rows) % 2 == 1
    return in_second


class HalvesLoss:
    """A metric that records the sums of losses of two halves of the rows, round by round."""

    __name__ = "held_out_loss"

    def __init__(self, in_second: Array) -> None:
        self._in_second = in_second
        self.sums: list[tuple[float, float]] = []

    def __call__(self, y_true: Array, y_pred: Floats, weight: Floats | None) -> Any:
        """Return the mean loss of all rows."""
        losses = row_losses(y_true, y_pred)
        losses = losses if weight is None else losses * weight
        second = float(losses @ self._in_second)
        total = float(losses.sum())
        self.sums.append((total - second, second))
        return self.__name__, total / len(losses), False


def row_losses(y: Array, predictions: Floats) -> Floats:
    """Return the log loss, or the squared error, of each row.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Class codes (integers), or values.
    predictions : ndarray of shape (n_rows,) or (n_rows, n_classes)
        Probabilities (of the second class, if one-dimensional), or values.
    """
    if y.dtype.kind == "f":
        return np.square(predictions - y)
    if predictions.ndim == 1:
        of_truth = np.where(y == 1, predictions, 1.0 - predictions)
    else:
        of_truth = predictions[np.arange(len(y)), y]
    losses: Floats = -np.log(np.maximum(of_truth, _EPSILON))
    return losses


def run_fold_task(
    configuration: Configuration,
    fold: int,
    data: AutoData,
    deadline: float | None = None,
    run_apart: Callable[..., Any] | None = None,
) -> FoldResult:
    """Fit a configuration without a fold, and predict its rows.

    Parameters
    ----------
    configuration : Configuration
    fold : int
        The position of the fold.
    data : AutoData
    deadline : float, optional
        Moment of ``time.monotonic()`` at which a booster stops with the rounds that it has.
    run_apart : callable, optional
        ``run_apart(function, arguments, deadline)`` calls a function in a process of its own, for
        members that know no deadline.

    Returns
    -------
    result : FoldResult
    """
    began = time.perf_counter()
    train, test = data.folds[fold]
    prep = configuration.prep
    facts = MemberFacts(data.task, data.categorical_of(fold, prep), data.seed + fold)
    model = make_member(configuration, facts)
    losses = predictions = None
    peak = 0
    with stop_fits_at(deadline):
        if _is_followed(configuration):
            model, losses = _fit_followed(model, data, fold, prep)
        else:
            is_endless = not knows_deadlines(configuration)
            unseen = data.rows_of(fold, test, prep)
            rows = data.rows_of(fold, train, prep), data.y[train], data.weights_of(train), unseen
            model, predictions, peak = (
                run_apart(_fit_alone, (model, *rows), deadline)
                if is_endless and run_apart is not None and deadline is not None
                else _fit_and_predict(model, *rows)
            )
            predictions = _checked(predictions, len(test), data.n_classes)
    seconds = time.perf_counter() - began
    return FoldResult(model, predictions, losses, seconds, peak or peak_bytes())


def _checked(predictions: Any, n_rows: int, n_classes: int) -> Floats:
    """Return predictions as floats if they are what a blend can read; members may be of others."""
    found = np.asarray(predictions, dtype=np.float64)
    expected = (n_rows, n_classes) if n_classes else (n_rows,)
    if found.shape != expected:
        raise ValueError(
            f"its predictions have shape {found.shape}, but must have {expected}; a classifier "
            "needs predict_proba, and all classes in its rows."
        )
    if not np.isfinite(found).all():
        raise ValueError("its predictions are not finite.")
    return found


def _is_followed(configuration: Configuration) -> bool:
    """Return whether it is a booster whose rounds are followed on the rows held out."""
    return configuration.family == "boosted_trees" and "n_estimators" in configuration.params


def _fit_followed(model: Any, data: AutoData, fold: int, prep: str) -> tuple[Any, Floats]:
    train, test = data.folds[fold]
    metric = HalvesLoss(halves_of(len(test), data.seed))
    model.set_params(eval_metric=metric, early_stopping_rounds=_patience(model.learning_rate))
    weights = data.weights_of(test)
    model.fit(
        data.rows_of(fold, train, prep),
        data.y[train],
        data.weights_of(train),
        eval_set=[(data.rows_of(fold, test, prep), data.y[test])],
        sample_weight_eval_set=None if weights is None else [weights],
    )
    # The metric holds the rows of a fold, which a file needs not.
    model.set_params(eval_metric=None)
    # The first sums are those of the starting score, before any round.
    return model, np.array(metric.sums[1:])


def _patience(learning_rate: float) -> int:
    return max(20, ceil(2.0 / learning_rate))


def _fit_and_predict(
    model: Any, X: Floats, y: Array, weights: Floats | None, unseen: Floats
) -> tuple[Any, Floats, int]:
    params = {} if weights is None else _weight_params(model, weights)
    model.fit(X, y, **params)
    return model, predict_rows(model, unseen), peak_bytes()


def _fit_alone(model: Any, *rows: Any) -> tuple[Any, Floats, int]:
    """Fit in a process of its own."""
    with quiet_on_one_core():
        return _fit_and_predict(model, *rows)


@contextmanager
def quiet_on_one_core() -> Iterator[None]:
    """Run tasks without warnings, and with one thread of BLAS for each.

    That a network ends after its rounds is what it was made for. Tasks run side by side, and
    threads of BLAS on top of them would wait for each other. Both settings belong to the process:
    they are made around all tasks, because threads would restore those of each other.
    """
    with threadpool_limits(1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _weight_params(model: Any, weights: Floats) -> dict[str, Any]:
    """Return the weights as the last step of a pipeline takes them, if it does."""
    if not hasattr(model, "steps"):
        return {"sample_weight": weights} if has_fit_parameter(model, "sample_weight") else {}
    name, last = model.steps[-1]
    return {f"{name}__sample_weight": weights} if has_fit_parameter(last, "sample_weight") else {}


def predict_rows(model: Any, X: Floats, n_rounds: int | None = None) -> Floats:
    """Return probabilities of a classifier, or values; of a booster after a number of rounds."""
    rounds = {} if n_rounds is None else {"iteration_range": (0, n_rounds)}
    if hasattr(model, "predict_proba"):
        predictions: Floats = model.predict_proba(X, **rounds)
    else:
        predictions = model.predict(X, **rounds)
    return predictions
