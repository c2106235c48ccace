"""Plot of metrics against boosting rounds, one curve per set of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonet._base.params import Choice, bad_parameter
from nonet.boosting import EvalCurves
from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_eval_curves(
    curves: EvalCurves, ax: Axes | None = None, *, metric: str | None = None
) -> Axes:
    """Draw a metric on every set of rows against boosting rounds.

    Parameters
    ----------
    curves : EvalCurves
        What `nonet.eval_curves` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    metric : str, default=None
        Which of several metrics is drawn; None is the last one, which decides about stopping.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet import eval_curves
    >>> from nonet.plots import plot_eval_curves
    >>> curves = eval_curves({"train": {"auc": [0.7, 0.9]}, "test": {"auc": [0.6, 0.7]}})
    >>> plot_eval_curves(curves).get_ylabel()
    'auc'
    """
    check_subject("plot_eval_curves", curves)
    rule = Choice(*curves.metrics)
    chosen = curves.metrics[-1] if metric is None else metric
    if not rule.allows(chosen):
        raise bad_parameter("plot_eval_curves", "metric", rule.describe(), metric)
    ax = canvas.prepare(ax)
    for position, (name, by_metric) in enumerate(curves.values.items()):
        if chosen in by_metric:
            values = by_metric[chosen]
            rounds = curves.rounds[: len(values)]
            ax.plot(rounds, values, color=canvas.colour_of(position), lw=2, label=name)
    ax.grid(color=canvas.GRID)
    ax.set_xlabel("boosting rounds")
    ax.set_ylabel(chosen)
    ax.legend(frameon=False)
    return ax
