"""Error against the number of members, and reliability curves of probabilities.

The error of the first t members of an ensemble, for each t, on training rows, out of bag and on
new rows; and the reliability curve, the fraction of a class against its predicted probability.

References: L. Breiman (2001), Random forests, Machine Learning 45, 5-32; A. Niculescu-Mizil &
R. Caruana (2005), Predicting good probabilities with supervised learning, ICML.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.params import Choice, Integer, bad_parameter
from nonet._base.results import PlottableResult
from nonet.diagnostics.ensemble_predictions import gather_predictions, own_kind
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.diagnostics.pool import Pool

_BINNING = Choice("uniform", "quantile")


@dataclass(frozen=True)
class ErrorCurve(PlottableResult):
    """The error of the first t members, for every t.

    Attributes
    ----------
    sizes : ndarray of int of shape (n_sizes,)
        Numbers of members (rounds): 1, 2, ...
    errors : dict of str to ndarray of shape (n_sizes,)
        The curves: 'test', and as requested 'train' and 'out of bag'.
    loss : str
        'zero_one' or 'squared'.

    Examples
    --------
    >>> from nonet.diagnostics import error_curve, record_predictions
    >>> curve = error_curve(record_predictions([[1.0, 3.0], [2.0, 4.0]], [2.0, 3.0]))
    >>> curve.errors["test"]
    array([1., 0.])
    """

    sizes: Codes
    errors: dict[str, Floats]
    loss: str

    _plot: ClassVar[str] = "plot_error_curve"

    def _lines(self) -> list[tuple[str, str]]:
        lines = [("loss", self.loss), ("members", str(self.sizes[-1]))]
        for name, curve in self.errors.items():
            best = int(np.argmin(curve))
            text = f"{curve[0]:.4g} -> {curve[-1]:.4g}, minimum {curve[best]:.4g}"
            lines.append((name, f"{text} with {self.sizes[best]} members"))
        return lines


def error_curve(
    ensemble: Any,
    X: Any = None,
    y: Any = None,
    *,
    train: tuple[Any, Any] | None = None,
    out_of_bag: bool = False,
) -> ErrorCurve:
    """Return the error of the first t members for every t.

    Parameters
    ----------
    ensemble : fitted ensemble, Ledger or MemberPredictions
        One of this library or of scikit-learn; boosting is evaluated by its own stages.
    X : array-like of shape (n_rows, n_features), default=None
        New rows; None leaves their curve out.
    y : array-like of shape (n_rows,), default=None
        Their truth.
    train : tuple (X, y), default=None
        The training rows, for the curve of the training error.
    out_of_bag : bool, default=False
        Add the out-of-bag curve, on the rows of ``train``.

    Returns
    -------
    curve : ErrorCurve
        0-1 error in classification, squared error in regression, of the first members by
        themselves: their stage in boosting; the mean of their probabilities, if the ensemble
        averages them; else the weighted vote of their labels, or mean of their values. A tie goes
        to the first of its classes. The last point is the error of the ensemble itself.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from nonet.diagnostics import error_curve
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(20, random_state=0).fit(X[::2], y[::2])
    >>> curve = error_curve(forest, X[1::2], y[1::2], train=(X[::2], y[::2]), out_of_bag=True)
    >>> list(curve.errors)
    ['train', 'out of bag', 'test']
    """
    if out_of_bag and train is None:
        raise bad_parameter("error_curve", "train", "given with out_of_bag=True", train)
    errors: dict[str, Floats] = {}
    loss = "squared"
    if train is not None:
        errors["train"], loss = _errors(ensemble, *train)
    if out_of_bag and train is not None:
        predictions = gather_predictions(ensemble, *train, kind=own_kind(ensemble), out_of_bag=True)
        errors["out of bag"], loss = _pooled_errors(predictions)
    if X is not None or y is not None or train is None:
        errors["test"], loss = _errors(ensemble, X, y)
    return ErrorCurve(np.arange(1, len(next(iter(errors.values()))) + 1), errors, loss)


def _errors(ensemble: Any, X: Any, y: Any) -> tuple[Floats, str]:
    if not hasattr(ensemble, "staged_predict"):
        return _pooled_errors(gather_predictions(ensemble, X, y, kind=own_kind(ensemble)))
    truth = np.asarray(y)
    stages: Iterator[Array] = ensemble.staged_predict(X)
    if is_classifier(ensemble):
        return np.array([np.mean(stage != truth) for stage in stages]), "zero_one"
    return np.array([np.mean((stage - truth) ** 2) for stage in stages]), "squared"


def _pooled_errors(predictions: MemberPredictions) -> tuple[Floats, str]:
    pool, errors = Pool.empty(predictions), []
    for member in range(predictions.n_members - 1):
        pool = pool.add(member)
        errors.append(pool.losses().mean())
    loss = "squared" if predictions.kind == "values" else "zero_one"
    return np.array([*errors, predictions.error]), loss


@dataclass(frozen=True)
class Reliability(PlottableResult):
    """Observed frequency of an event against its predicted probability.

    Attributes
    ----------
    predicted : ndarray of shape (n_bins,)
        Mean predicted probability of each bin that holds rows.
    observed : ndarray of shape (n_bins,)
        Fraction of its rows on which the event happened.
    n_rows : ndarray of int of shape (n_bins,)
        Rows of each bin.
    calibration_error : float
        Mean distance between the two, weighted by rows.
    brier : float
        Mean squared distance of probability and event.

    Examples
    --------
    >>> from nonet.diagnostics import reliability_curve
    >>> curve = reliability_curve([0, 0, 1, 1], [0.1, 0.3, 0.3, 0.9], n_bins=2)
    >>> curve.predicted.round(3), curve.observed.round(3)
    (array([0.233, 0.9  ]), array([0.333, 1.   ]))
    """

    predicted: Floats
    observed: Floats
    n_rows: Codes
    calibration_error: float
    brier: float

    _shown: ClassVar[tuple[str, ...]] = (
        "predicted",
        "observed",
        "n_rows",
        "calibration_error",
        "brier",
    )
    _plot: ClassVar[str] = "plot_reliability"


def reliability_curve(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    *,
    pos_label: Any = None,
    n_bins: int = 10,
    strategy: str = "uniform",
) -> Reliability:
    """Compare predicted probabilities with observed frequencies.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        The true labels, of two classes (or any number, if ``pos_label`` is given).
    probabilities : array-like of shape (n_rows,)
        The predicted probability of ``pos_label``.
    pos_label : label, default=None
        The class that the probabilities are of; None is the last of two.
    n_bins : int, default=10
        Number of bins.
    strategy : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width, or of about equally many rows.

    Returns
    -------
    curve : Reliability
        Bins without rows are left out.

    Examples
    --------
    >>> from nonet.diagnostics import reliability_curve
    >>> curve = reliability_curve(["no", "yes", "yes"], [0.2, 0.2, 0.8], n_bins=5)
    >>> round(curve.calibration_error, 3)
    0.267
    """
    owner = "reliability_curve"
    if not Integer(1).allows(n_bins):
        raise bad_parameter(owner, "n_bins", Integer(1).describe(), n_bins)
    if not _BINNING.allows(strategy):
        raise bad_parameter(owner, "strategy", _BINNING.describe(), strategy)
    happened, p = _check_probabilities(owner, y_true, probabilities, pos_label)
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "quantile":
        edges = np.quantile(p, edges)
    bins = np.clip(np.searchsorted(edges[1:-1], p, side="left"), 0, n_bins - 1)
    rows = np.bincount(bins, minlength=n_bins)
    kept = rows > 0
    predicted = np.bincount(bins, p, n_bins)[kept] / rows[kept]
    observed = np.bincount(bins, happened, n_bins)[kept] / rows[kept]
    apart = float(rows[kept] @ np.abs(predicted - observed) / len(p))
    return Reliability(predicted, observed, rows[kept], apart, float(np.mean((p - happened) ** 2)))


def _check_probabilities(
    owner: str, y_true: ArrayLike, probabilities: ArrayLike, pos_label: Any
) -> tuple[Floats, Floats]:
    truth, p = np.asarray(y_true), np.asarray(probabilities, dtype=np.float64)
    if p.ndim != 1 or not p.size or truth.shape != p.shape:
        raise ValueError(
            "y_true and probabilities must hold one entry for each row, but have shapes "
            f"{truth.shape} and {p.shape}; give the column of one class."
        )
    if not np.all((p >= 0) & (p <= 1)):
        raise bad_parameter(owner, "probabilities", "from 0 to 1", probabilities)
    labels = np.unique(truth)
    if pos_label is None:
        if len(labels) > 2:
            raise bad_parameter(owner, "pos_label", "named if there are over two classes", None)
        pos_label = labels[-1]
    return np.asarray(truth == pos_label, dtype=np.float64), p
