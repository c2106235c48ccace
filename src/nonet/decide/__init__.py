"""Decision rules C: the support of each class in, a class or silence out.

Functions on arrays first (``choose_...``: codes out, -1 for no decision), then the rules as
objects with parameters. Wherever an ensemble takes ``decide=``, a short name from
``DECISION_RULES`` works too.
"""

from nonet.decide.abstain import Abstain, choose_or_abstain
from nonet.decide.argmax import Argmax, choose_largest
from nonet.decide.calibrate import (
    CALIBRATIONS,
    Calibration,
    IsotonicCalibration,
    SigmoidCalibration,
    TemperatureCalibration,
    resolve_calibration,
)
from nonet.decide.costs import LeastCost, choose_least_cost, tabulate_costs
from nonet.decide.identity import Identity
from nonet.decide.own import OwnRule
from nonet.decide.risk_coverage import RiskCoverage, risk_coverage_curve
from nonet.decide.rule import Decision, DecisionRule, decode
from nonet.decide.selective_scores import coverage, selective_accuracy
from nonet.decide.sign import Sign, choose_by_sign
from nonet.decide.silence import resolve_abstain_label
from nonet.decide.table import DECISION_RULES, resolve_decision_rule
from nonet.decide.threshold import Threshold, choose_by_threshold
from nonet.decide.tuning import find_threshold

__all__ = [
    "CALIBRATIONS",
    "DECISION_RULES",
    "Abstain",
    "Argmax",
    "Calibration",
    "Decision",
    "DecisionRule",
    "Identity",
    "IsotonicCalibration",
    "LeastCost",
    "OwnRule",
    "RiskCoverage",
    "SigmoidCalibration",
    "Sign",
    "TemperatureCalibration",
    "Threshold",
    "choose_by_sign",
    "choose_by_threshold",
    "choose_largest",
    "choose_least_cost",
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
