"""Calibration: map the support of the classes to probabilities.

A support of 0.8 is calibrated if the class is right on 8 of 10 such rows. Each method learns
a map from supports to probabilities on held-out support and true classes, and applies it row by
row. Temperature scaling keeps the order of the classes, so arg max decides as before; the other
two treat each class against the rest, and scale the results to sum to one.

References
----------
J. Platt, Probabilistic outputs for support vector machines, Advances in Large Margin
Classifiers, 1999.
B. Zadrozny and C. Elkan, Transforming classifier scores into accurate multiclass probability
estimates, KDD 2002.
C. Guo, G. Pleiss, Y. Sun, K. Q. Weinberger, On calibration of modern neural networks, ICML 2017.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, log_softmax, softmax
from sklearn.base import BaseEstimator, clone
from sklearn.isotonic import IsotonicRegression

from nonet._base.aliases import Codes, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.names import look_up
from nonet._base.params import bad_parameter
from nonet.decide.support import check_class_support

_MINIMUM = np.finfo(np.float64).eps  # as in scikit-learn's log loss
_COLDEST, _HOTTEST = np.log(1e-3), np.log(1e3)


class Calibration(BaseEstimator):
    """Parent of the calibration methods; a child implements ``_learn`` and ``_apply``.

    Examples
    --------
    A custom method that maps every row to the class proportions:

    >>> import numpy as np
    >>> from nonet.decide import Calibration
    >>> class Prior(Calibration):
    ...     def _learn(self, probabilities, target, weight):
    ...         self.prior_ = np.bincount(target, weights=weight) / weight.sum()
    ...
    ...     def _apply(self, probabilities):
    ...         return np.tile(self.prior_, (len(probabilities), 1))
    >>> prior = Prior().learn([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]], [0, 1, 1, 0])
    >>> prior([[0.9, 0.1]])
    array([[0.5, 0.5]])
    """

    def learn(
        self, support: ArrayLike, target: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn the map from held-out support.

        Parameters
        ----------
        support : array-like of shape (n, c)
            Support of the classes on rows that no model was fitted on; scaled to sum to one.
        target : array-like of shape (n,)
            The true class codes.
        sample_weight : array-like of shape (n,), optional

        Returns
        -------
        self : object
        """
        probabilities = _probabilities(support)
        codes = np.asarray(target)
        if codes.shape != (len(probabilities),) or codes.dtype.kind not in "iu":
            raise ValueError(
                f"target must hold a class code for each of the {len(probabilities)} rows of "
                f"support, but has shape {codes.shape} and dtype {codes.dtype}."
            )
        if not len(codes) or codes.min() < 0 or codes.max() >= probabilities.shape[1]:
            raise ValueError(
                "target must hold at least one class code, all from 0 to "
                f"{probabilities.shape[1] - 1}."
            )
        weight = check_sample_weight(sample_weight, len(codes))
        self._learn(probabilities, codes, np.ones(len(codes)) if weight is None else weight)
        return self

    def __call__(self, support: ArrayLike) -> Floats:
        """Return calibrated probabilities of shape (n, c)."""
        return self._apply(_probabilities(support))

    def _learn(self, probabilities: Floats, target: Codes, weight: Floats) -> None:
        raise NotImplementedError

    def _apply(self, probabilities: Floats) -> Floats:
        raise NotImplementedError


class TemperatureCalibration(Calibration):
    """Raise probabilities to the power 1 / T and renormalise; T minimises the log loss.

    One parameter for all classes: it is hard to overfit and does not change the arg max.

    Attributes
    ----------
    temperature_ : float
        Above 1 the support was overconfident; below 1 it was underconfident.

    Examples
    --------
    >>> from nonet.decide import TemperatureCalibration
    >>> sure, truth = [[0.99, 0.01]] * 4, [0, 0, 0, 1]
    >>> calibrate = TemperatureCalibration().learn(sure, truth)
    >>> calibrate([[0.99, 0.01]]).round(2)
    array([[0.75, 0.25]])
    """

    temperature_: float

    def _learn(self, probabilities: Floats, target: Codes, weight: Floats) -> None:
        logs, rows = np.log(probabilities), np.arange(len(target))

        def loss(log_temperature: float) -> float:
            scaled = log_softmax(logs / np.exp(log_temperature), axis=1)
            return -float(np.average(scaled[rows, target], weights=weight))

        found = minimize_scalar(loss, bounds=(_COLDEST, _HOTTEST), method="bounded")
        self.temperature_ = float(np.exp(found.x))

    def _apply(self, probabilities: Floats) -> Floats:
        powered: Floats = softmax(np.log(probabilities) / self.temperature_, axis=1)
        return powered


class SigmoidCalibration(Calibration):
    """Fit a logistic curve to the log-odds of each class against the rest (Platt scaling).

    Attributes
    ----------
    slopes_, intercepts_ : ndarray of shape (n_classes,)
        One pair serves both classes of a two-class problem.

    Examples
    --------
    >>> from nonet.decide import SigmoidCalibration
    >>> sure, truth = [[0.99, 0.01]] * 8 + [[0.01, 0.99]] * 8, [0] * 6 + [1] * 8 + [0] * 2
    >>> calibrate = SigmoidCalibration().learn(sure, truth)
    >>> calibrate([[0.99, 0.01]]).round(2)
    array([[0.7, 0.3]])
    """

    slopes_: Floats
    intercepts_: Floats

    def _learn(self, probabilities: Floats, target: Codes, weight: Floats) -> None:
        found = [
            _platt(_log_odds(probabilities[:, c]), target == c, weight)
            for c in _classes_to_learn(probabilities)
        ]
        self.slopes_, self.intercepts_ = np.array(found).T

    def _apply(self, probabilities: Floats) -> Floats:
        classes = _classes_to_learn(probabilities)
        odds = self.slopes_ * _log_odds(probabilities[:, classes]) + self.intercepts_
        return _one_against_rest(expit(odds))


class IsotonicCalibration(Calibration):
    """Fit an increasing step function for each class against the rest.

    It can correct any monotone error, and needs some hundred rows.

    Attributes
    ----------
    curves_ : list of IsotonicRegression
        One serves both classes of a two-class problem.

    Examples
    --------
    >>> from nonet.decide import IsotonicCalibration
    >>> sure, truth = [[0.99, 0.01]] * 4, [0, 0, 0, 1]
    >>> calibrate = IsotonicCalibration().learn(sure, truth)
    >>> calibrate([[0.99, 0.01]])
    array([[0.75, 0.25]])
    """

    curves_: list[Any]

    def _learn(self, probabilities: Floats, target: Codes, weight: Floats) -> None:
        curve = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
        self.curves_ = [
            clone(curve).fit(
                probabilities[:, c], (target == c).astype(np.float64), sample_weight=weight
            )
            for c in _classes_to_learn(probabilities)
        ]

    def _apply(self, probabilities: Floats) -> Floats:
        classes = _classes_to_learn(probabilities)
        found = [
            curve.predict(probabilities[:, c])
            for curve, c in zip(self.curves_, classes, strict=True)
        ]
        return _one_against_rest(np.column_stack(found))


CALIBRATIONS: dict[str, Calibration] = {
    "temperature": TemperatureCalibration(),
    "sigmoid": SigmoidCalibration(),
    "isotonic": IsotonicCalibration(),
}


def resolve_calibration(calibrate: Any) -> Calibration:
    """Return a copy of the calibration for a short name or an object.

    Parameters
    ----------
    calibrate : {'temperature', 'sigmoid', 'isotonic'} or Calibration

    Returns
    -------
    calibration : Calibration

    Examples
    --------
    >>> from nonet.decide import resolve_calibration
    >>> resolve_calibration("temperature")
    TemperatureCalibration()
    """
    if isinstance(calibrate, str):
        calibrate = look_up(CALIBRATIONS, calibrate, "calibration method")
    if not isinstance(calibrate, Calibration):
        known = ", ".join(map(repr, CALIBRATIONS))
        raise bad_parameter("ensemble", "calibrate", f"a Calibration or one of {known}", calibrate)
    copied: Calibration = clone(calibrate)
    return copied


def _probabilities(support: ArrayLike) -> Floats:
    """Return support of at least a tiny positive value per class, scaled to sum to one."""
    checked = check_class_support(support)
    if checked.size and checked.min() < 0:
        raise ValueError(
            f"support to be calibrated must be at least 0, but the minimum is {checked.min()}; "
            "convert scores to probabilities first."
        )
    raised = np.maximum(checked, _MINIMUM)
    probabilities: Floats = raised / raised.sum(axis=1, keepdims=True)
    return probabilities


def _classes_to_learn(probabilities: Floats) -> list[int]:
    n_classes = probabilities.shape[1]
    return [1] if n_classes == 2 else list(range(n_classes))


def _log_odds(probability: Floats) -> Floats:
    inside = np.clip(probability, _MINIMUM, 1 - _MINIMUM)
    odds: Floats = np.log(inside) - np.log1p(-inside)
    return odds


def _platt(odds: Floats, hit: Codes, weight: Floats) -> tuple[float, float]:
    """Fit a logistic curve; Platt's targets keep it finite when the classes are separable."""
    n_hits, n_misses = weight[hit].sum(), weight[~hit].sum()
    wanted = np.where(hit, (n_hits + 1) / (n_hits + 2), 1 / (n_misses + 2))
    total = weight.sum()

    def loss(line: Floats) -> tuple[float, Floats]:
        scores = line[0] * odds + line[1]
        slack = weight * (expit(scores) - wanted)
        losses = weight * (np.logaddexp(0, scores) - wanted * scores)
        return losses.sum() / total, np.array([slack @ odds, slack.sum()]) / total

    found = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B")
    return float(found.x[0]), float(found.x[1])


def _one_against_rest(probabilities: Floats) -> Floats:
    """Return probabilities of all classes from those of each against the rest."""
    if probabilities.shape[1] == 1:
        return np.column_stack([1 - probabilities, probabilities])
    sums = probabilities.sum(axis=1, keepdims=True)
    empty = sums == 0
    scaled: Floats = np.where(
        empty, 1 / probabilities.shape[1], probabilities / np.where(empty, 1, sums)
    )
    return scaled
