"""Small instances of every public estimator, in the settings that take different paths."""

from __future__ import annotations

from typing import Any

import nonet
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


def classifiers() -> list[tuple[str, Any]]:
    return [
        ("line", LogisticRegression()),
        ("shallow", DecisionTreeClassifier(max_depth=2, random_state=0)),
        ("deep", DecisionTreeClassifier(max_depth=4, random_state=1)),
    ]


def regressors() -> list[tuple[str, Any]]:
    return [
        ("line", Ridge()),
        ("shallow", DecisionTreeRegressor(max_depth=2, random_state=0)),
        ("deep", DecisionTreeRegressor(max_depth=4, random_state=1)),
    ]


SETTINGS: dict[type, list[dict[str, Any]]] = {
    nonet.VotingClassifier: [
        {},
        {"voting": "soft"},
        {"combine": "median"},
        {"combine": "borda"},
        {"voting": "soft", "weights": [1, 2, 1]},
    ],
    nonet.VotingRegressor: [{}, {"combine": "median"}, {"weights": [1, 2, 1]}],
}
MEMBERS = {nonet.VotingClassifier: classifiers, nonet.VotingRegressor: regressors}


def make(kind: type, **settings: Any) -> Any:
    """Return a small instance; the members are new ones each time."""
    return kind(MEMBERS[kind](), **settings)


def instances(kind: type) -> list[Any]:
    return [make(kind, **settings) for settings in SETTINGS[kind]]


def every_instance() -> list[Any]:
    return [instance for kind in SETTINGS for instance in instances(kind)]
