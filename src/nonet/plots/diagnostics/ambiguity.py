"""Plot of an ambiguity decomposition: bars from member error to ensemble error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_ambiguity(result: Any, ax: Axes | None = None) -> Axes:
    """Draw how the error of an ensemble comes from that of its members.

    Parameters
    ----------
    result : Ambiguity or VoteAmbiguity
        What `nonet.ambiguity` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.

    Returns
    -------
    ax : matplotlib Axes
        Bars: mean error of the members, the decreases and increases, error of the ensemble; a
        dashed line marks the best member.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> from nonet.plots import plot_ambiguity
    >>> ax = plot_ambiguity(nonet.ambiguity(record_predictions([[1.0, 2.0, 4.0]], [3.0])))
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['members, mean', '- ambiguity', 'ensemble']
    """
    check_subject("plot_ambiguity", result)
    ax = canvas.prepare(ax)
    steps = _steps(result)
    height = result.member_error
    bars = [("members, mean", 0.0, height, canvas.MEMBER)]
    for name, change in steps:
        colour = canvas.CLASSES[2] if change < 0 else canvas.ACCENT
        bars.append((name, height + min(change, 0.0), abs(change), colour))
        height += change
    bars.append(("ensemble", 0.0, result.error, canvas.ENSEMBLE))
    for position, (_, start, length, colour) in enumerate(bars):
        ax.bar(position, length, 0.6, bottom=start, color=colour)
        ax.annotate(
            f"{length:.3g}", (position, start + length), ha="center", va="bottom", color=canvas.INK
        )
    best = float(result.member_errors.min())
    ax.axhline(best, color=canvas.ACCENT, ls="--", lw=1, label=f"best member {best:.3g}")
    ax.set_xticks(range(len(bars)), labels=[bar[0] for bar in bars])
    ax.set_ylabel(f"{getattr(result, 'loss', '0-1')} loss")
    ax.margins(y=0.1)
    ax.legend(frameon=False)
    return ax


def _steps(result: Any) -> list[tuple[str, float]]:
    if hasattr(result, "good"):
        return [("- good", -result.good), ("+ bad", result.bad)]
    steps = [("- ambiguity", -result.ambiguity)]
    if abs(result.off_mean) > 1e-9 * max(result.error, 1e-300):
        steps.append(("- off the mean", -result.off_mean))
    return steps
