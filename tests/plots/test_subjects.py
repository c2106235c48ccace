"""Every plot function reports in one sentence what it draws when it gets something else.

Issue 18, item A.14: `plot_rounds(booster)` and 400 other pairs gave raw errors of Python.
"""

from __future__ import annotations

import inspect
import traceback
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

import nonet
from nonet import plots
from nonet.diagnostics import Gain

random = np.random.default_rng(0)
X = random.normal(size=(40, 2))
Y = (X[:, 0] > 0).astype(int)
SUBJECTS = {
    "unfitted forest": nonet.RandomForestClassifier(),
    "AdaBoost": nonet.AdaBoostClassifier(n_estimators=3).fit(X, Y),
    "AdaBoost regressor": nonet.AdaBoostRegressor(n_estimators=3, random_state=0).fit(X, X[:, 0]),
    "booster without scores": nonet.HistGradientBoostingClassifier(max_iter=3).fit(X, Y),
    "booster": nonet.BoostedTreesRegressor(n_estimators=3).fit(X, Y, eval_set=[(X, Y)]),
    "forest": nonet.RandomForestRegressor(3, random_state=0).fit(X, X[:, 0]),
    "tree": nonet.DecisionTreeClassifier().fit(X, Y),
    "line": LogisticRegression().fit(X, Y),
    "clusters": KMeans(2, n_init=1, random_state=0).fit(X),
    "class": nonet.AdaBoostClassifier,
    "other result": Gain(0.2, 0.1, 0.3),
    "numbers by name": {"a": 1.0},
    "empty dictionary": {},
    "array": X,
    "None": None,
    "number": 3,
    "text": "text",
}
DRAWN = {
    ("plot_decision_regions", "AdaBoost"),
    ("plot_decision_regions", "booster without scores"),
    ("plot_decision_regions", "tree"),
    ("plot_decision_regions", "line"),
    ("plot_forest", "AdaBoost regressor"),
    ("plot_forest", "forest"),
    ("plot_majority_error", "number"),
    ("plot_rounds", "AdaBoost"),
    ("plot_rounds", "AdaBoost regressor"),
    ("plot_rounds", "booster"),
    ("plot_scores", "numbers by name"),
    ("plot_tree", "tree"),
}
PACKAGE = Path(nonet.__file__).parent


def draw(name, subject):
    function = getattr(plots, name)
    beside = {"X": X, "y": Y}
    given = [beside[p] for p in inspect.signature(function).parameters if p in beside]
    return function(subject, *given)


def is_own_sentence(error):
    """Return whether the library raised it on purpose: not Python, not a package below."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return PACKAGE in Path(last.filename).parents and str(error).endswith(".")


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("name", plots.__all__)
def test_plot_function_draws_or_says_what_it_draws(name, subject):
    if (name, subject) in DRAWN:
        axes = np.atleast_1d(draw(name, SUBJECTS[subject]))
        assert all(isinstance(ax, Axes) for ax in axes)
        return
    with pytest.raises((TypeError, ValueError)) as caught:
        draw(name, SUBJECTS[subject])
    assert isinstance(caught.value, NotFittedError) or is_own_sentence(caught.value)


def test_sentence_names_function_subject_and_way_out():
    with pytest.raises(TypeError, match=r"^plot_margins draws a Margins, which nonet\.margins "):
        plots.plot_margins(SUBJECTS["forest"])
