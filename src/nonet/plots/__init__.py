"""Pictures: a result object or plain arrays in, matplotlib Axes out.

This is the only package that uses matplotlib, and it imports it when the first picture is drawn.
"""

from nonet.plots.bootstrap import plot_bootstrap
from nonet.plots.cv_curve import plot_cv_curve
from nonet.plots.jackknife import plot_jackknife
from nonet.plots.risk_coverage import plot_risk_coverage
from nonet.plots.scores import plot_scores
from nonet.plots.size_curve import plot_size_curve
from nonet.plots.splits import plot_splits
from nonet.plots.tree import plot_tree

__all__ = [
    "plot_bootstrap",
    "plot_cv_curve",
    "plot_jackknife",
    "plot_risk_coverage",
    "plot_scores",
    "plot_size_curve",
    "plot_splits",
    "plot_tree",
]
