"""Counts and TF-IDF of terms: every term must be a column of the sparse output."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer

from nonet.persist.codecs.instances import ClassRule, need


def _check_terms(vectorizer: Any) -> None:
    if "vocabulary_" not in vars(vectorizer):
        return
    vocabulary = vectorizer.vocabulary_
    need(type(vocabulary) is dict, "there is no vocabulary")
    indices = sorted(int(index) for index in vocabulary.values())
    need(indices == list(range(len(vocabulary))), "terms are not numbered")
    if "_tfidf" in vars(vectorizer) and "idf_" in vars(vectorizer._tfidf):
        need(len(vectorizer._tfidf.idf_) == len(vocabulary), "terms have no frequency")


def _check_frequencies(transformer: Any) -> None:
    frequencies = vars(transformer).get("idf_", np.empty(0))
    need(type(frequencies) is np.ndarray and frequencies.ndim == 1, "there are no frequencies")
    if "idf_" in vars(transformer):
        need(len(frequencies) == transformer.n_features_in_, "terms have no frequency")


_TERMS = ClassRule(restore=_check_terms)
RULES = {
    CountVectorizer: _TERMS,
    TfidfTransformer: ClassRule(restore=_check_frequencies),
    TfidfVectorizer: _TERMS,
}
