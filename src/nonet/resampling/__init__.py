"""Resampling: jackknife and bootstrap, cross-validation and honest error estimates.

The functions of the first two are at ``nonet.jackknife`` and ``nonet.bootstrap``; here are their
statistics with parameters and the other ways to make resamples, all estimates of errors, and the
results.
"""

from nonet.resampling.bootstrap_result import BootstrapResult
from nonet.resampling.cautions import ResamplingWarning
from nonet.resampling.cross_validation import cv_curve, cv_error
from nonet.resampling.cv_result import CVCurve, CVError
from nonet.resampling.intervals import Interval
from nonet.resampling.jackknife_result import JackknifeResult
from nonet.resampling.leverage import loocv_error, loocv_smoother, ridge_path
from nonet.resampling.loocv_result import LOOCVError, RidgePath
from nonet.resampling.many_models import BestOfMany, best_of_many
from nonet.resampling.model_tests import ModelTest, corrected_t_test, five_by_two_test, mcnemar_test
from nonet.resampling.monte_carlo import MonteCarloError
from nonet.resampling.null_test import BootstrapTest
from nonet.resampling.regression_schemes import Residual, Wild
from nonet.resampling.resampled_error import BootstrapError, bootstrap_error
from nonet.resampling.schemes import (
    Bayesian,
    CircularBlocks,
    MovingBlocks,
    Parametric,
    Scheme,
    Smoothed,
    StationaryBlocks,
)
from nonet.resampling.screening import SelectionLeak, selection_leak
from nonet.resampling.selection_rules import OneStandardError, one_standard_error
from nonet.resampling.statistics import Moment, Quantile
from nonet.resampling.training_size import SizeCurve, size_curve
from nonet.resampling.variability import SplitVariability, split_variability

__all__ = [
    "Bayesian",
    "BestOfMany",
    "BootstrapError",
    "BootstrapResult",
    "BootstrapTest",
    "CVCurve",
    "CVError",
    "CircularBlocks",
    "Interval",
    "JackknifeResult",
    "LOOCVError",
    "ModelTest",
    "Moment",
    "MonteCarloError",
    "MovingBlocks",
    "OneStandardError",
    "Parametric",
    "Quantile",
    "ResamplingWarning",
    "Residual",
    "RidgePath",
    "Scheme",
    "SelectionLeak",
    "SizeCurve",
    "Smoothed",
    "SplitVariability",
    "StationaryBlocks",
    "Wild",
    "best_of_many",
    "bootstrap_error",
    "corrected_t_test",
    "cv_curve",
    "cv_error",
    "five_by_two_test",
    "loocv_error",
    "loocv_smoother",
    "mcnemar_test",
    "one_standard_error",
    "ridge_path",
    "selection_leak",
    "size_curve",
    "split_variability",
]
