"""Plot of the out-of-bag score against the number of members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nonet.bagging import OutOfBagCurve


def plot_oob_curve(
    curve: OutOfBagCurve, ax: Axes | None = None, *, color: str = canvas.ENSEMBLE
) -> Axes:
    """Draw the out-of-bag score of the first t members against t.

    Parameters
    ----------
    curve : OutOfBagCurve
        ``oob_curve_`` of an ensemble fitted with ``oob_score=True``.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import RandomForestClassifier
    >>> from nonet.plots import plot_oob_curve
    >>> forest = RandomForestClassifier(20, oob_score=True, random_state=0)
    >>> forest = forest.fit(*load_iris(return_X_y=True))
    >>> plot_oob_curve(forest.oob_curve_).get_xlabel()
    'members'
    """
    check_subject("plot_oob_curve", curve)
    ax = canvas.prepare(ax)
    ax.plot(curve.n_members, curve.scores, "o-", color=color, lw=2, ms=4)
    ax.grid(color=canvas.GRID)
    ax.set_xlabel("members")
    ax.set_ylabel("out-of-bag score")
    return ax
