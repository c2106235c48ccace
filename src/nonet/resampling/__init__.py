"""Resampling: jackknife and bootstrap, cross-validation and honest error estimates.

``nonet.jackknife`` and ``nonet.bootstrap`` are exported by the package. This module holds their
statistics with parameters, the resampling schemes, the error estimates, and the results.
"""

from nonet.resampling.bootstrap.bootstrap_result import BootstrapResult
from nonet.resampling.bootstrap.cautions import ResamplingWarning
from nonet.resampling.bootstrap.intervals import Interval
from nonet.resampling.bootstrap.jackknife_result import JackknifeResult
from nonet.resampling.bootstrap.monte_carlo import MonteCarloError
from nonet.resampling.bootstrap.null_test import BootstrapTest
from nonet.resampling.bootstrap.regression_schemes import Residual, Wild
from nonet.resampling.bootstrap.schemes import (
    Bayesian,
    CircularBlocks,
    MovingBlocks,
    Parametric,
    Scheme,
    Smoothed,
    StationaryBlocks,
)
from nonet.resampling.bootstrap.subsample_size import SubsampleSize, choose_subsample_size
from nonet.resampling.error_estimates.cross_validation import cv_curve, cv_error
from nonet.resampling.error_estimates.cv_result import CVCurve, CVError
from nonet.resampling.error_estimates.leverage import loocv_error, loocv_smoother, ridge_path
from nonet.resampling.error_estimates.loocv_result import LOOCVError, RidgePath
from nonet.resampling.error_estimates.many_models import BestOfMany, best_of_many
from nonet.resampling.error_estimates.model_tests import (
    ModelTest,
    corrected_t_test,
    five_by_two_test,
    mcnemar_test,
)
from nonet.resampling.error_estimates.resampled_error import BootstrapError, bootstrap_error
from nonet.resampling.error_estimates.score_table import ScoreTable, score_table
from nonet.resampling.error_estimates.screening import SelectionLeak, selection_leak
from nonet.resampling.error_estimates.selection_rules import OneStandardError, one_standard_error
from nonet.resampling.error_estimates.training_size import SizeCurve, size_curve
from nonet.resampling.error_estimates.variability import SplitVariability, split_variability
from nonet.resampling.statistics.statistics import Moment, Quantile

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
    "ScoreTable",
    "SelectionLeak",
    "SizeCurve",
    "Smoothed",
    "SplitVariability",
    "StationaryBlocks",
    "SubsampleSize",
    "Wild",
    "best_of_many",
    "bootstrap_error",
    "choose_subsample_size",
    "corrected_t_test",
    "cv_curve",
    "cv_error",
    "five_by_two_test",
    "loocv_error",
    "loocv_smoother",
    "mcnemar_test",
    "one_standard_error",
    "ridge_path",
    "score_table",
    "selection_leak",
    "size_curve",
    "split_variability",
]
