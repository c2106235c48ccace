"""Decision rules C: turn the support of the classes into a class, or abstain.

The functions on arrays (``choose_...``) return codes, with -1 for no decision. The rules are
objects with parameters. Wherever an ensemble takes ``decide=``, a short name from
``DECISION_RULES`` works too.
"""

from nonet.decide.abstain import Abstain, choose_or_abstain
from nonet.decide.abstain_label import resolve_abstain_label
from nonet.decide.argmax import Argmax, choose_maximum
from nonet.decide.calibrate import (
    CALIBRATIONS,
    Calibration,
    IsotonicCalibration,
    SigmoidCalibration,
    TemperatureCalibration,
    resolve_calibration,
)
from nonet.decide.callable_rule import CallableRule
from nonet.decide.identity import Identity
from nonet.decide.minimum_cost import MinimumCost, choose_minimum_cost, tabulate_costs
from nonet.decide.risk_coverage import RiskCoverage, risk_coverage_curve
from nonet.decide.rule import Decision, DecisionRule, decode
from nonet.decide.selective_scores import coverage, selective_accuracy
from nonet.decide.sign import Sign, choose_by_sign
from nonet.decide.table import DECISION_RULES, resolve_decision_rule
from nonet.decide.threshold import Threshold, choose_by_threshold
from nonet.decide.tuning import find_threshold

__all__ = [
    "CALIBRATIONS",
    "DECISION_RULES",
    "Abstain",
    "Argmax",
    "Calibration",
    "CallableRule",
    "Decision",
    "DecisionRule",
    "Identity",
    "IsotonicCalibration",
    "MinimumCost",
    "RiskCoverage",
    "SigmoidCalibration",
    "Sign",
    "TemperatureCalibration",
    "Threshold",
    "choose_by_sign",
    "choose_by_threshold",
    "choose_maximum",
    "choose_minimum_cost",
    "choose_or_abstain",
    "coverage",
    "decode",
    "find_threshold",
    "resolve_abstain_label",
    "resolve_calibration",
    "resolve_decision_rule",
    "risk_coverage_curve",
    "selective_accuracy",
    "tabulate_costs",
]
