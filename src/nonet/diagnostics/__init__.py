"""Diagnostics: why an ensemble works, and what it could still gain.

The functions that take a fitted ensemble, ``nonet.ambiguity``, ``nonet.bias_variance``,
``nonet.can_it_still_gain``, ``nonet.correctness``, ``nonet.diversity``, ``nonet.margins`` and
``nonet.strength_correlation``, stand at the top of the package; here are those on plain arrays,
the curves, and the results.
"""

from nonet.diagnostics.ambiguity import Ambiguity, VoteAmbiguity
from nonet.diagnostics.answers import MemberAnswers, record_answers
from nonet.diagnostics.bias_variance import BiasVariance, split_loss
from nonet.diagnostics.correctness import Correctness
from nonet.diagnostics.curves import ErrorCurve, Reliability, error_curve, reliability_curve
from nonet.diagnostics.diversity import Diversity, KappaError, kappa_error, measure_diversity
from nonet.diagnostics.gains import Gain, PossibleGains
from nonet.diagnostics.margins import MarginGrowth, Margins, margin_growth
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
    "MemberAnswers",
    "PossibleGains",
    "Reliability",
    "StrengthCorrelation",
    "VoteAmbiguity",
    "error_curve",
    "kappa_error",
    "margin_growth",
    "measure_diversity",
    "record_answers",
    "reliability_curve",
    "split_loss",
]
