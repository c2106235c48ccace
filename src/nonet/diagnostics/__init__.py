"""Diagnostics: why an ensemble works, and what it could still gain.

The functions that take a fitted ensemble, ``nonet.ambiguity``, ``nonet.bias_variance``,
``nonet.possible_gains``, ``nonet.correctness``, ``nonet.diversity``, ``nonet.margins`` and
``nonet.strength_correlation``, are exported by ``nonet``. This module holds those on plain arrays,
the curves, and the results.
"""

from nonet.diagnostics.ambiguity import Ambiguity, VoteAmbiguity
from nonet.diagnostics.bias_variance import BiasVariance, decompose_loss
from nonet.diagnostics.correctness import Correctness
from nonet.diagnostics.curves import ErrorCurve, Reliability, error_curve, reliability_curve
from nonet.diagnostics.diversity import Diversity, KappaError, kappa_error, measure_diversity
from nonet.diagnostics.gains import Gain, PossibleGains
from nonet.diagnostics.margins import MarginGrowth, Margins, margin_growth
from nonet.diagnostics.member_predictions import MemberPredictions, record_predictions
from nonet.diagnostics.roc import ROCBand, roc_band
from nonet.diagnostics.strength import StrengthCorrelation

__all__ = [
    "Ambiguity",
    "BiasVariance",
    "Correctness",
    "Diversity",
    "ErrorCurve",
    "Gain",
    "KappaError",
    "MarginGrowth",
    "Margins",
    "MemberPredictions",
    "PossibleGains",
    "ROCBand",
    "Reliability",
    "StrengthCorrelation",
    "VoteAmbiguity",
    "decompose_loss",
    "error_curve",
    "kappa_error",
    "margin_growth",
    "measure_diversity",
    "record_predictions",
    "reliability_curve",
    "roc_band",
]
