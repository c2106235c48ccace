"""Scalers, splines and other functions of single columns."""

from __future__ import annotations

from sklearn import preprocessing

from nonet.persist.codecs.instances import PLAIN

RULES = {
    preprocessing.Binarizer: PLAIN,
    preprocessing.FunctionTransformer: PLAIN,
    preprocessing.KBinsDiscretizer: PLAIN,
    preprocessing.MaxAbsScaler: PLAIN,
    preprocessing.MinMaxScaler: PLAIN,
    preprocessing.Normalizer: PLAIN,
    preprocessing.PowerTransformer: PLAIN,
    preprocessing.QuantileTransformer: PLAIN,
    preprocessing.RobustScaler: PLAIN,
    preprocessing.SplineTransformer: PLAIN,
    preprocessing.StandardScaler: PLAIN,
}
