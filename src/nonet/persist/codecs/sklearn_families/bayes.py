"""Naive Bayes: tables of logarithms, which NumPy checks itself."""

from __future__ import annotations

from sklearn import naive_bayes

from nonet.persist.codecs.instances import PLAIN

RULES = {
    naive_bayes.BernoulliNB: PLAIN,
    naive_bayes.CategoricalNB: PLAIN,
    naive_bayes.ComplementNB: PLAIN,
    naive_bayes.GaussianNB: PLAIN,
    naive_bayes.MultinomialNB: PLAIN,
}
