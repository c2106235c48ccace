"""Plot of the stability of a clustering against its number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Stability(Protocol):
    """The attributes of a stability curve that are read."""

    @property
    def n_clusters(self) -> NDArray[Any]:
        """Numbers of clusters."""

    @property
    def means(self) -> NDArray[Any]:
        """Mean agreement of two halves."""

    @property
    def standard_errors(self) -> NDArray[Any]:
        """Standard errors of the means."""

    @property
    def best(self) -> int:
        """The chosen number."""


def plot_clustering_stability(
    stability: Stability, ax: Axes | None = None, *, color: str = canvas.ENSEMBLE
) -> Axes:
    """Draw the mean agreement of two halves with its standard errors, and the chosen number.

    Parameters
    ----------
    stability : ClusteringStability
        What `clustering_stability` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    color : str, default=teal
        Any colour matplotlib knows, for the curve.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from nonet import clustering_stability
    >>> from nonet.plots import plot_clustering_stability
    >>> X, _ = make_blobs(60, centers=3, random_state=0)
    >>> found = clustering_stability(KMeans(), X, n_clusters=[2, 3], random_state=0)
    >>> plot_clustering_stability(found).get_xlabel()
    'number of clusters'
    """
    check_subject("plot_clustering_stability", stability)
    ax = canvas.prepare(ax)
    ax.errorbar(
        stability.n_clusters,
        stability.means,
        yerr=stability.standard_errors,
        fmt="o-",
        color=color,
        lw=2,
        ms=5,
        capsize=3,
        label="mean ± standard error",
    )
    ax.axvline(stability.best, color=canvas.ACCENT, ls="--", label=f"chosen: {stability.best}")
    ax.set_xticks(stability.n_clusters)
    ax.set_xlabel("number of clusters")
    ax.set_ylabel("adjusted Rand index of two halves")
    ax.legend(frameon=False)
    return ax
