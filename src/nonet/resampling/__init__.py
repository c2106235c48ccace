"""Resampling statistics: jackknife and bootstrap.

The functions are at ``nonet.jackknife`` and ``nonet.bootstrap``; here are the statistics with
parameters, the other ways to make resamples, and the results.
"""

from nonet.resampling.bootstrap_result import BootstrapResult
from nonet.resampling.cautions import ResamplingWarning
from nonet.resampling.intervals import Interval
from nonet.resampling.jackknife_result import JackknifeResult
from nonet.resampling.monte_carlo import MonteCarloError
from nonet.resampling.null_test import BootstrapTest
from nonet.resampling.regression_schemes import Residual, Wild
from nonet.resampling.schemes import (
    Bayesian,
    CircularBlocks,
    MovingBlocks,
    Parametric,
    Scheme,
    Smoothed,
    StationaryBlocks,
)
from nonet.resampling.statistics import Moment, Quantile

__all__ = [
    "Bayesian",
    "BootstrapResult",
    "BootstrapTest",
    "CircularBlocks",
    "Interval",
    "JackknifeResult",
    "Moment",
    "MonteCarloError",
    "MovingBlocks",
    "Parametric",
    "Quantile",
    "ResamplingWarning",
    "Residual",
    "Scheme",
    "Smoothed",
    "StationaryBlocks",
    "Wild",
]
