"""Models that predict a constant or a distribution."""

from __future__ import annotations

from sklearn.dummy import DummyClassifier, DummyRegressor

from nonet.persist.codecs.instances import STABLE

RULES = {DummyClassifier: STABLE, DummyRegressor: STABLE}
