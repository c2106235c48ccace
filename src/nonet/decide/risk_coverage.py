"""Risk-coverage curves: the risk on accepted rows against the fraction of rows accepted.

Rows are accepted in order of decreasing confidence; each further level of confidence adds its
rows to the accepted ones. References: R. El-Yaniv & Y. Wiener (2010), On the foundations of
noise-free selective classification, JMLR 11, 1605-1641; Y. Geifman & R. El-Yaniv (2017), Selective
classification for deep neural networks, NeurIPS 30.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.params import Real, bad_parameter
from nonet._base.results import PlottableResult
from nonet.decide.abstain import Abstain
from nonet.decide.argmax import choose_maximum
from nonet.decide.rule import DecisionRule
from nonet.decide.support import check_argument, check_support, gap_at_top

_FRACTION = Real(0, 1, open_low=True)


@dataclass(frozen=True)
class RiskCoverage(PlottableResult):
    """A risk-coverage curve: point j accepts the rows of confidence ``threshold[j]`` or more.

    Attributes
    ----------
    coverage : ndarray of shape (n_points,)
        The fraction of rows (of their weight) accepted, increasing to 1.
    risk : ndarray of shape (n_points,)
        The mean loss of the accepted rows; at coverage 1 the plain error rate.
    threshold : ndarray of shape (n_points,)
        The minimum confidence that is accepted, decreasing.
    area : float
        Area under the curve (AURC): the mean of the risk over coverage, each row counted at
        the coverage at which it is first accepted.
    confidence : str
        How the rows are ordered: 'support', 'margin', the name of a rule, or 'given'.

    Examples
    --------
    >>> from nonet import risk_coverage_curve
    >>> curve = risk_coverage_curve([0, 1, 1], [[0.9, 0.1], [0.3, 0.7], [0.6, 0.4]])
    >>> curve.coverage.round(2), curve.risk.round(2)
    (array([0.33, 0.67, 1.  ]), array([0.  , 0.  , 0.33]))
    >>> curve.threshold_at_risk(0.0)
    0.7
    """

    coverage: Floats
    risk: Floats
    threshold: Floats
    area: float
    confidence: str

    _shown: ClassVar[tuple[str, ...]] = ("confidence", "coverage", "risk", "threshold", "area")
    _plot: ClassVar[str] = "plot_risk_coverage"

    def threshold_at_risk(self, max_risk: float) -> float:
        """Return the threshold that accepts most rows at a risk of at most ``max_risk``."""
        allowed = np.flatnonzero(self.risk <= max_risk)
        if not allowed.size:
            raise ValueError(
                f"no threshold has a risk of at most {max_risk}: "
                f"the minimum of this curve is {self.risk.min():.4g}."
            )
        return float(self.threshold[allowed[-1]])

    def threshold_at_coverage(self, min_coverage: float) -> float:
        """Return the highest threshold that accepts a fraction of at least ``min_coverage``."""
        check_argument("threshold_at_coverage", "min_coverage", _FRACTION, min_coverage)
        return float(self.threshold[np.searchsorted(self.coverage, min_coverage)])

    def rule_at_risk(self, max_risk: float, *, abstain_label: Any = None) -> Abstain:
        """Return the ``Abstain`` that accepts most rows at a risk of at most ``max_risk``."""
        return self._rule(self.threshold_at_risk(max_risk), abstain_label)

    def rule_at_coverage(self, min_coverage: float, *, abstain_label: Any = None) -> Abstain:
        """Return the ``Abstain`` that accepts fewest rows, but at least ``min_coverage``."""
        return self._rule(self.threshold_at_coverage(min_coverage), abstain_label)

    def _rule(self, threshold: float, abstain_label: Any) -> Abstain:
        if self.confidence == "support":
            return Abstain(min_support=threshold, abstain_label=abstain_label)
        if self.confidence == "margin":
            return Abstain(min_margin=threshold, abstain_label=abstain_label)
        raise ValueError(
            "only a curve with confidence='support' or 'margin' can be converted to a rule, but "
            f"this one has {self.confidence!r}: use its threshold."
        )


def risk_coverage_curve(
    y_true: ArrayLike,
    support: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    confidence: str | DecisionRule | ArrayLike = "support",
    loss: str | Callable[[Array, Array], ArrayLike] = "zero_one",
    sample_weight: ArrayLike | None = None,
) -> RiskCoverage:
    """Compute the risk on accepted rows against the fraction of rows accepted.

    1. Predict every row, and measure the confidence of the prediction.
    2. For each level of confidence, accept only the rows at or above it (rows of equal
       confidence are accepted together).
    3. Coverage is the fraction of rows accepted, risk the mean loss among them.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true labels.
    support : array-like of shape (n, n_classes)
        Support of the classes, preferably on rows that no member has seen.
    classes : array-like of shape (n_classes,), default=None
        The labels of the columns, in their order; None takes those found in ``y_true``.
    confidence : {'support', 'margin'}, DecisionRule or array-like of shape (n,), default='support'
        The confidence of a prediction: the highest support, its lead over the second, or one
        number per row; the prediction is the class with the highest support. A rule that can
        abstain gives both its own predictions and its own confidence (its expected cost, its
        distance from a threshold, ...), so that the curve shows the rule at all thresholds.
    loss : 'zero_one' or callable, default='zero_one'
        ``loss(y_true, y_pred)`` gives the loss of each row.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows.

    Returns
    -------
    curve : RiskCoverage
        Fields ``coverage``, ``risk``, ``threshold`` and ``area``; ``rule_at_risk`` and
        ``rule_at_coverage`` return an :class:`Abstain`; ``plot`` plots the curve.

    Notes
    -----
    A threshold chosen on a curve is fitted to its rows, so its risk on new rows is a little higher.

    References
    ----------
    R. El-Yaniv & Y. Wiener (2010). On the foundations of noise-free selective classification.
    JMLR 11, 1605-1641.

    Y. Geifman & R. El-Yaniv (2017). Selective classification for deep neural networks. NeurIPS 30.

    Examples
    --------
    >>> from nonet.decide import risk_coverage_curve
    >>> support = [[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.6, 0.4]]
    >>> curve = risk_coverage_curve(["no", "yes", "no", "no"], support)
    >>> curve.coverage
    array([0.25, 0.5 , 0.75, 1.  ])
    >>> curve.risk.round(3)
    array([0.   , 0.   , 0.333, 0.25 ])
    >>> curve.rule_at_risk(0.1, abstain_label="?")
    Abstain(abstain_label='?', min_support=0.8)
    """
    truth, checked = np.asarray(y_true), check_support(support)
    labels = _check_classes(truth, checked, classes)
    codes, sureness = _predict_with_confidence(checked, confidence, labels)
    losses = _losses(truth, labels[codes], loss)
    weight = check_sample_weight(sample_weight, len(truth))
    if weight is not None:
        kept = weight > 0
        sureness, losses, weight = sureness[kept], losses[kept], weight[kept]
    return _trace(sureness, losses, weight, _name_of(confidence))


def _check_classes(truth: Array, support: Floats, classes: ArrayLike | None) -> Array:
    if truth.ndim != 1 or truth.size == 0 or len(truth) != len(support):
        raise ValueError(
            "y_true must hold one label for each row of the support, but has shape "
            f"{truth.shape} against {support.shape}."
        )
    labels = np.unique(truth) if classes is None else np.asarray(classes)
    n_classes = 2 if support.ndim == 1 else support.shape[1]
    if len(labels) != n_classes:
        raise ValueError(
            f"support is for {n_classes} classes, but there are {len(labels)} labels: "
            "pass the labels of all its columns as classes."
        )
    strangers = np.setdiff1d(truth, labels)
    if strangers.size:
        raise ValueError(
            f"y_true holds {strangers[0]!r}, which is not one of the classes {labels.tolist()}."
        )
    return labels


def _predict_with_confidence(
    support: Floats, confidence: str | DecisionRule | ArrayLike, labels: Array
) -> tuple[Codes, Floats]:
    """Return the predicted class code of every row and its confidence."""
    if isinstance(confidence, DecisionRule):
        rule = confidence.with_classes(labels)
        return rule.decide_without_abstaining(support), rule.confidence(support)
    codes = choose_maximum(support)
    if not isinstance(confidence, str):
        return codes, _check_given(confidence, len(codes))
    if confidence == "support":
        return codes, support.max(axis=1)
    if confidence == "margin":
        return codes, gap_at_top(support)
    allowed = "'support', 'margin', a rule of nonet.decide or one number for each row"
    raise bad_parameter("risk_coverage_curve", "confidence", allowed, confidence)


def _name_of(confidence: str | DecisionRule | ArrayLike) -> str:
    if isinstance(confidence, DecisionRule):
        return type(confidence).__name__
    return confidence if isinstance(confidence, str) else "given"


def _check_given(confidence: ArrayLike, n_rows: int) -> Floats:
    given = check_support(confidence)
    if given.shape != (n_rows,):
        raise ValueError(
            f"confidence must hold one number for each of the {n_rows} rows, "
            f"but has shape {given.shape}."
        )
    return given


def _losses(
    truth: Array, predictions: Array, loss: str | Callable[[Array, Array], ArrayLike]
) -> Floats:
    if loss == "zero_one":
        return np.asarray(truth != predictions, dtype=np.float64)
    if not callable(loss):
        raise bad_parameter("risk_coverage_curve", "loss", "'zero_one' or a function", loss)
    losses: Floats = np.asarray(loss(truth, predictions), dtype=np.float64)
    if losses.shape != truth.shape or not np.isfinite(losses).all():
        raise ValueError(
            f"loss must return a finite number for each of the {len(truth)} rows, "
            f"but returned {losses!r}."
        )
    return losses


def _trace(sureness: Floats, losses: Floats, weight: Floats | None, name: str) -> RiskCoverage:
    order = np.argsort(-sureness, kind="stable")
    levels = sureness[order]
    ordered = np.ones(len(order)) if weight is None else weight[order]
    accepted = np.cumsum(ordered)
    lost = np.cumsum(ordered * losses[order])
    ends = np.flatnonzero(np.append(levels[1:] != levels[:-1], True))
    coverage, risk = accepted[ends] / accepted[-1], lost[ends] / accepted[ends]
    area = float(np.diff(coverage, prepend=0.0) @ risk)
    return RiskCoverage(coverage, risk, levels[ends], area, name)
