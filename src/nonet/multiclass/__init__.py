"""Multiclass classification with binary members: one-vs-rest, one-vs-one, output codes."""

from nonet.multiclass.code_matrix import make_code
from nonet.multiclass.coupling import couple_probabilities
from nonet.multiclass.one_vs_one import OneVsOneClassifier
from nonet.multiclass.one_vs_rest import OneVsRestClassifier
from nonet.multiclass.output_code import OutputCodeClassifier

__all__ = [
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OutputCodeClassifier",
    "couple_probabilities",
    "make_code",
]
