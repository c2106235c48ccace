"""Plot of boosting rounds: errors with their bound, or the values of metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from nonet.boosting import EvalCurves, RegressionLog, eval_curves
from nonet.plots import canvas
from nonet.plots.boosting.eval_curves import plot_eval_curves
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RECORDS = ("evals_result_", "train_score_")  # where gradient boosters store values of rounds


class Log(Protocol):
    """The attributes of a round log that are read."""

    @property
    def training_error(self) -> NDArray[np.float64]:
        """Error on the training rows, one number per round."""

    @property
    def held_out_error(self) -> NDArray[np.float64] | None:
        """Error on the rows held out, if there are some."""

    @property
    def product_bound(self) -> NDArray[np.float64]:
        """Product of Z."""


def plot_rounds(
    log: Log | RegressionLog | BaseEstimator | Mapping[str, Any],
    ax: Axes | None = None,
    *,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Plot the errors or metrics of a booster against its rounds.

    For AdaBoost the plot shows the training error of the ensemble under its bound, or for a
    regressor the average loss of each round's member; for gradient boosting the curves of
    `nonet.eval_curves`.

    Parameters
    ----------
    log : RoundLog, RegressionLog, fitted estimator or dict
        ``round_log_`` of AdaBoost, a fitted booster, or its ``evals_result_``.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    color : str, default=teal
        Colour of the error in AdaBoost; any that matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> from nonet.plots import plot_rounds
    >>> model = AdaBoostClassifier(n_estimators=3).fit([[1], [2], [3]], [0, 1, 0])
    >>> plot_rounds(model).get_xlabel()
    'rounds'
    """
    record = _record_of(log)
    if isinstance(record, EvalCurves):
        return plot_eval_curves(record, ax)
    if isinstance(record, RegressionLog):
        return _draw_members(record, ax, color)
    check_subject("plot_rounds", record)
    return _draw_errors(record, ax, color)


def _record_of(subject: Any) -> Any:
    """Return what a booster recorded; anything else as it is."""
    if hasattr(subject, "round_log_") and not isinstance(subject, type):
        return subject.round_log_
    if isinstance(subject, Mapping) or any(hasattr(subject, name) for name in _RECORDS):
        return eval_curves(subject)
    return subject


def _draw_members(log: RegressionLog, ax: Axes | None, color: str) -> Axes:
    ax = canvas.prepare(ax)
    rounds = np.arange(1, len(log) + 1)
    ax.axhline(0.5, color=canvas.MEMBER, ls="--", label="limit: 1/2")
    ax.plot(rounds, log.error, color=color, lw=2, label="average loss of the round's member")
    ax.grid(color=canvas.GRID)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("rounds")
    ax.set_ylabel(f"{log.loss} loss")
    ax.legend(frameon=False)
    return ax


def _draw_errors(log: Log, ax: Axes | None, color: str) -> Axes:
    ax = canvas.prepare(ax)
    rounds = np.arange(1, len(log.training_error) + 1)
    ax.plot(rounds, log.product_bound, color=canvas.MEMBER, ls="--", label="bound: product of Z")
    ax.plot(rounds, log.training_error, color=color, lw=2, label="training error")
    if log.held_out_error is not None:
        ax.plot(rounds, log.held_out_error, color=canvas.ACCENT, lw=2, label="held-out error")
    ax.grid(color=canvas.GRID)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("rounds")
    ax.set_ylabel("fraction of rows misclassified")
    ax.legend(frameon=False)
    return ax
