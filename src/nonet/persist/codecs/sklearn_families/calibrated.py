"""Calibrated classifiers, and isotonic regression."""

from __future__ import annotations

from typing import Any

import sklearn.calibration
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression

from nonet.persist.codecs.instances import PLAIN, ClassRule


def _restore_steps(model: Any) -> None:
    if "X_thresholds_" in vars(model):
        model._build_f(model.X_thresholds_, model.y_thresholds_)


# Not all supported versions of scikit-learn have all of them.
_PRIVATE = ("_CalibratedClassifier", "_SigmoidCalibration", "_TemperatureScaling")

RULES: dict[type, ClassRule] = {
    CalibratedClassifierCV: PLAIN,
    IsotonicRegression: ClassRule(left_out=("f_",), restore=_restore_steps),
    **{
        getattr(sklearn.calibration, name): PLAIN
        for name in _PRIVATE
        if hasattr(sklearn.calibration, name)
    },
}
