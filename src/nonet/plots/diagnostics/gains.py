"""Plot of possible gains: dots with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_gains(result: Any, ax: Axes | None = None) -> Axes:
    """Draw the possible gains with their confidence intervals.

    Parameters
    ----------
    result : PossibleGains
        What `nonet.possible_gains` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.

    Returns
    -------
    ax : matplotlib Axes
        A gain to the right of 0 lowers the error; the oracle is the most that choosing among
        these members could ever gain.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> from nonet.plots import plot_gains
    >>> predictions = record_predictions([[1.0, 2.0, 4.0], [2.0, 2.0, 0.0]], [3.0, 1.0])
    >>> ax = plot_gains(nonet.possible_gains(predictions, random_state=0))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['best member', 'ever more members', 'twice the members', 'oracle']
    """
    check_subject("plot_gains", result)
    ax = canvas.prepare(ax)
    rows: list[tuple[str, float, tuple[float, float] | None]] = [
        ("best member", result.error - result.best_member_error, None)
    ]
    if result.learned_weights is not None:
        rows.append(_row("learned weights", result.learned_weights))
    rows.append(_row("ever more members", result.ever_more_members))
    rows.append(_row("twice the members", result.twice_the_members))
    rows.append(("oracle", result.error - result.oracle_error, None))
    for height, (_, gain, ends) in enumerate(rows):
        if ends is not None:
            ax.plot(ends, [height, height], color=canvas.ENSEMBLE, lw=3, alpha=0.4)
        colour = canvas.MEMBER if ends is None else canvas.ENSEMBLE
        ax.plot([gain], [height], "o", color=colour, ms=8, mec="white")
    ax.axvline(0, color=canvas.ACCENT, ls="--", lw=1)
    ax.set_yticks(range(len(rows)), labels=[name for name, _, _ in rows])
    ax.set_xlabel(f"gain: less than the error of now, {result.error:.3g}")
    ax.margins(y=0.15)
    return ax


def _row(name: str, gain: Any) -> tuple[str, float, tuple[float, float]]:
    return name, gain.value, (gain.low, gain.high)
