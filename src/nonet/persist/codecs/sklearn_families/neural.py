"""Multilayer perceptrons, with their optimizers: products of arrays, which NumPy checks itself."""

from __future__ import annotations

from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer

from nonet.persist.codecs.instances import PLAIN

RULES = {AdamOptimizer: PLAIN, MLPClassifier: PLAIN, MLPRegressor: PLAIN, SGDOptimizer: PLAIN}
