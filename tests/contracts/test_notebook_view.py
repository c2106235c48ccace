"""What a notebook shows of every estimator: its parameters, and of an ensemble its diagram."""

from __future__ import annotations

import warnings
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.datasets import make_classification

from contracts.instances import every_instance
from nonet.ensemble import Ensemble
from nonet.members.ensemble_diagram import diagram_of
from nonet.members.ensemble_parts import ensemble_parts
from nonet.unsupervised import EnsembleEmbedding
from report.page_tree import read_page

X, CODES = make_classification(60, 4, n_informative=3, n_redundant=0, n_classes=3, random_state=0)
NAMES = np.array(["<b>one</b>", "two & 'three'", 'fo"ur'])
SHOWN = (Ensemble, EnsembleEmbedding)
DIAGRAM = "Members, F and C"


def fitted(estimator):
    """Fit on three classes whose names are markup; on two of them what takes no more."""
    if not is_classifier(estimator):
        return estimator.fit(X, X[:, 0] + CODES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return estimator.fit(X, NAMES[CODES])
        except ValueError:
            return estimator.fit(X, NAMES[np.minimum(CODES, 1)])


@pytest.mark.parametrize("estimator", every_instance(), ids=lambda e: type(e).__name__)
def test_fitted_ensemble_shows_a_valid_diagram_with_members_f_and_c(estimator):
    assert DIAGRAM not in estimator._repr_html_()
    html = fitted(estimator)._repr_html_()
    assert "sk-container" in html
    assert (DIAGRAM in html) == isinstance(estimator, SHOWN)
    if DIAGRAM in html:
        check_diagram(diagram_of(estimator), ensemble_parts(estimator))


def check_diagram(html, parts):
    ElementTree.fromstring(html)  # every element is closed, every name is escaped
    tree = read_page(html)
    [description] = tree.find("desc")
    assert f"F: {parts['combine']}. C: {parts['decide']}." in description.words()
    assert f"{parts['n_members']:,} member" in description.words()
    drawn = "".join(text.words() for text in tree.find("text")).replace(" ", "")
    assert parts["combine"].replace(" ", "") in drawn
    assert parts["decide"].replace(" ", "") in drawn
    assert len(html) < 15_000
    assert "object at 0x" not in html
