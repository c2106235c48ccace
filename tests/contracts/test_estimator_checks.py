"""scikit-learn's own checks, over every public estimator in every setting of `instances`."""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from contracts import public
from contracts.instances import SETTINGS, every_instance


def test_every_public_estimator_has_instances():
    assert set(SETTINGS) == set(public.estimator_classes())


@parametrize_with_checks(every_instance())
def test_estimator_passes_check(estimator, check):
    check(estimator)
