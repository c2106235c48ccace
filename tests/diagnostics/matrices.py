"""Random predictions for hypothesis, and ensembles of every kind that predicts."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from sklearn import ensemble as sk
from sklearn.datasets import make_classification, make_friedman1
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import nonet

SHAPES = array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=7)
CORRECT = SHAPES.flatmap(lambda shape: arrays(bool, shape))
LABELS = SHAPES.flatmap(lambda shape: arrays(np.int64, shape, elements=st.integers(0, 2)))
VALUES = SHAPES.flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-100, 100, width=32))
)


def weights_for(n_members, seed):
    return np.random.default_rng(seed).random(n_members) + 0.01


# Who of five hypotheses is right on twelve rows: the example of the notes.
ORACLE = np.array(
    [
        [1, 0, 0, 1, 1],
        [0, 1, 0, 0, 1],
        [1, 1, 1, 1, 1],
        [1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1],
        [1, 1, 0, 1, 1],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 0, 1],
        [1, 0, 1, 0, 1],
        [0, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
        [1, 0, 1, 0, 1],
    ]
)

X, Y = make_classification(300, n_informative=4, n_classes=3, flip_y=0.2, random_state=0)
NAMES = np.array(["one", "two", "three"])[Y]
XR, YR = make_friedman1(300, noise=1.0, random_state=0)
MODELS = [("line", LogisticRegression()), ("bayes", GaussianNB())]

VOTES = {
    "nonet voting": nonet.VotingClassifier(MODELS, weights=[1, 2]),
    "nonet bagging": nonet.BaggingClassifier(n_estimators=7, max_features=0.5, random_state=0),
    "nonet forest": nonet.RandomForestClassifier(7, random_state=0),
    "nonet extra trees": nonet.ExtraTreesClassifier(7, random_state=0),
    "nonet stacking": nonet.StackingClassifier(MODELS),
    "nonet blending": nonet.BlendingClassifier(MODELS),
    "nonet adaboost": nonet.AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), n_estimators=7, random_state=0
    ),
    "sklearn voting": sk.VotingClassifier(MODELS, weights=[1, 2]),
    "sklearn soft voting": sk.VotingClassifier(MODELS, voting="soft"),
    "sklearn bagging": sk.BaggingClassifier(n_estimators=7, max_features=0.5, random_state=0),
    "sklearn forest": sk.RandomForestClassifier(7, random_state=0),
    "sklearn extra trees": sk.ExtraTreesClassifier(7, random_state=0),
    "sklearn stacking": sk.StackingClassifier(MODELS),
    "sklearn adaboost": sk.AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), n_estimators=7, random_state=0
    ),
}
MEANS = {
    "nonet voting": nonet.VotingRegressor(
        [("line", LinearRegression()), ("tree", DecisionTreeRegressor(random_state=0))]
    ),
    "nonet bagging": nonet.BaggingRegressor(n_estimators=7, random_state=0),
    "nonet forest": nonet.RandomForestRegressor(7, random_state=0),
    "sklearn voting": sk.VotingRegressor(
        [("line", LinearRegression()), ("tree", DecisionTreeRegressor(random_state=0))],
        weights=[3, 1],
    ),
    "sklearn bagging": sk.BaggingRegressor(n_estimators=7, max_features=0.5, random_state=0),
    "sklearn forest": sk.RandomForestRegressor(7, random_state=0),
}
STEPS = {
    "gradient boosting": sk.GradientBoostingClassifier(n_estimators=6, random_state=0),
    "nonet hist gradient boosting": nonet.HistGradientBoostingClassifier(
        max_iter=6, random_state=0
    ),
    "hist gradient boosting": sk.HistGradientBoostingClassifier(max_iter=6, random_state=0),
}
