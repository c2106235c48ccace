"""scikit-learn's own checks, over every public estimator in every setting of `instances`."""

from __future__ import annotations

import re

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

import nonet
from contracts import public
from contracts.instances import DRAWS_ROWS, SETTINGS, every_instance

TAKES_SPARSE = (nonet.BoostedTreesClassifier, nonet.BoostedTreesRegressor)
REASON = "rows are drawn at random: weights mean repetition only in the mean over draws"


def expected_failures(estimator):
    """Name the only checks that may fail; tests/bagging repeats them where nothing is drawn."""
    if getattr(estimator, "subsample", 1.0) < 1:
        kinds = ["dense", "sparse"] if isinstance(estimator, TAKES_SPARSE) else ["dense"]
        return {f"check_sample_weight_equivalence_on_{kind}_data": REASON for kind in kinds}
    if not isinstance(estimator, DRAWS_ROWS) or getattr(estimator, "resample", None) is False:
        return {}
    perceptrons = (nonet.PocketPerceptron, nonet.RandomPerceptron)
    kinds = ["dense"] if isinstance(estimator, perceptrons) else ["dense", "sparse"]
    return {f"check_sample_weight_equivalence_on_{kind}_data": REASON for kind in kinds}


def test_every_public_estimator_has_instances():
    assert set(SETTINGS) == set(public.estimator_classes())


def name_of(check):
    """Name a check with its settings, which `functools.partial` holds."""
    settings = getattr(check, "keywords", {})
    words = ",".join(f"{name}={value}" for name, value in settings.items())
    return getattr(check, "func", check).__name__ + f"({words})" * bool(words)


def checks():
    """All checks of all instances, as scikit-learn's `parametrize_with_checks` makes them.

    That describes each estimator once per check, which took a third of the time to collect tests.
    """
    for estimator in every_instance():
        described = re.sub(r"\s", "", str(estimator))
        failures = expected_failures(estimator)
        for case in estimator_checks_generator(
            estimator, expected_failed_checks=failures, mark="xfail"
        ):
            values, marks = getattr(case, "values", case), getattr(case, "marks", ())
            yield pytest.param(*values, marks=marks, id=f"{described}-{name_of(values[1])}")


# One class is what one check is about; scikit-learn's one-vs-rest warns of it, too.
@pytest.mark.filterwarnings("ignore:y holds one class only")
@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_estimator_passes_check(estimator, check):
    check(estimator)
