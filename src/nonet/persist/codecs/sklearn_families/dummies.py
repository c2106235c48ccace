"""Models that predict a constant or a distribution."""

from __future__ import annotations

from sklearn.dummy import DummyClassifier, DummyRegressor

from nonet.persist.codecs.instances import PLAIN

RULES = {DummyClassifier: PLAIN, DummyRegressor: PLAIN}
