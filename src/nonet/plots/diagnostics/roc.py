"""Plot of ROC curves with their bands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Band(Protocol):
    """The attributes of a ROC curve that are read."""

    @property
    def fpr(self) -> NDArray[Any]:
        """False positive rates."""

    @property
    def tpr(self) -> NDArray[Any]:
        """True positive rates."""

    @property
    def low(self) -> NDArray[Any]:
        """Lower end of the band."""

    @property
    def high(self) -> NDArray[Any]:
        """Upper end of the band."""

    @property
    def roc_auc(self) -> float:
        """Area under the curve."""

    @property
    def fold_tpr(self) -> NDArray[Any]:
        """The curve of each fold."""


def plot_roc(bands: Band | Mapping[str, Band], ax: Axes | None = None) -> Axes:
    """Draw ROC curves, shaded by their bootstrap bands.

    Parameters
    ----------
    bands : ROCBand, or mapping of str to ROCBand
        What `nonet.roc_band` returned, by the name of the model if there are several.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.

    Returns
    -------
    ax : matplotlib Axes
        A single curve also shows the curves of its folds, as thin lines.

    Examples
    --------
    >>> from nonet.diagnostics import roc_band
    >>> from nonet.plots import plot_roc
    >>> band = roc_band([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], random_state=0)
    >>> plot_roc({"model": band}).get_legend().get_texts()[0].get_text()
    'model (AUC = 0.75)'
    """
    named = bands if isinstance(bands, Mapping) else {"": bands}
    if not named:
        raise ValueError("bands is empty; give at least one result of nonet.roc_band.")
    for band in named.values():
        check_subject("plot_roc", band)
    ax = canvas.prepare(ax)
    for code, (name, band) in enumerate(named.items()):
        colour = canvas.colour_of(code)
        if len(named) == 1 and len(band.fold_tpr) > 1:
            ax.plot(band.fpr, band.fold_tpr.T, color=colour, lw=0.8, alpha=0.35)
        ax.fill_between(band.fpr, band.low, band.high, color=colour, alpha=0.15, lw=0)
        area = f"AUC = {band.roc_auc:.2f}"
        label = f"{name} ({area})" if name else area
        ax.plot(band.fpr, band.tpr, color=colour, lw=2, label=label)
    ax.plot([0, 1], [0, 1], "--", color=canvas.MEMBER, lw=1, label="chance level (AUC = 0.50)")
    ax.set_xlabel("false positive rate")
    ax.set_ylabel("true positive rate")
    ax.set_aspect("equal")
    handles, labels = ax.get_legend_handles_labels()
    shown = [(h, text) for h, text in zip(handles, labels, strict=True) if "AUC" in text]
    ax.legend(*zip(*shown, strict=True), loc="lower right", frameon=False)
    return ax
