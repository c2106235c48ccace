"""Small members for the tests of learned combinations."""

from __future__ import annotations

from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


def classifiers():
    return [
        ("bayes", GaussianNB()),
        ("near", KNeighborsClassifier()),
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ]


def regressors():
    return [
        ("line", LinearRegression()),
        ("near", KNeighborsRegressor()),
        ("tree", DecisionTreeRegressor(max_depth=3, random_state=0)),
    ]
