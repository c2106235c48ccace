"""The lecture notes on many classes by binary learners, number by number.

The notes number the classes 1 fruit, 2 vegetable, 3 protein, but print the second line of protein
and the third of vegetable; names are used here. Their logistic regression has an L2 penalty of 1/2
and a free intercept.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression

from nonet import OneVsOneClassifier, OneVsRestClassifier
from nonet.decide import Abstain, Argmax

FOOD = {  # sweetness, crispness
    "fruit": [[10, 1], [7, 4], [8, 3], [9, 8], [8, 7]],
    "protein": [[2, 2], [1, 5], [3, 3], [2, 1], [3, 2]],
    "vegetable": [[2, 8], [4, 10], [2, 9], [3, 7]],
}
X = np.array([point for points in FOOD.values() for point in points], dtype=float)
Y = np.array([name for name, points in FOOD.items() for _ in points])
PEPPER = np.array([[6.0, 9.0]])
LINES = {  # intercept, sweetness, crispness, as printed
    "fruit": [-6.23, 1.22, -0.12],
    "protein": [7.52, -0.95, -0.97],
    "vegetable": [-5.53, -0.57, 1.09],
}
PAIRS = {
    ("fruit", "vegetable"): [-2.11, 0.95, -0.44],
    ("fruit", "protein"): [-6.36, 1.04, 0.28],
    ("vegetable", "protein"): [-6.96, 0.33, 1.07],
}


def line_of(model):
    return np.concatenate([model.intercept_, model.coef_[0]])


def rest(**settings):
    return OneVsRestClassifier(LogisticRegression(), **settings).fit(X, Y)


def duels(**settings):
    return OneVsOneClassifier(LogisticRegression(), **settings).fit(X, Y)


def line_between(model, first, second):
    """The member of a pair, with the first class on its positive side as the notes have it."""
    names = sorted([first, second])
    (member,) = [m for m in model.members_ if m.name == " against ".join(names)]
    return line_of(member.estimator) * (1 if names[1] == first else -1)


def test_one_vs_rest_lines_against_lecture():
    for name, model in zip(LINES, rest().estimators_, strict=True):
        np.testing.assert_allclose(line_of(model), LINES[name], atol=0.0051)


def test_one_vs_rest_makes_no_training_mistake_against_lecture():
    """Each of the three binary problems separates the 14 rows."""
    model = rest()
    for name, member in zip(LINES, model.estimators_, strict=True):
        assert member.score(X, np.equal(Y, name)) == 1
    assert model.score(X, Y) == 1


def test_bell_pepper_by_printed_lines_against_lecture():
    scores = np.array([line[0] + PEPPER[0] @ line[1:] for line in LINES.values()])
    np.testing.assert_allclose(scores, [0.01, -6.91, 0.86], atol=5e-5)
    np.testing.assert_allclose(expit(scores), [0.5025, 0.000997, 0.7027], atol=5e-5)


def test_bell_pepper_is_a_vegetable_against_lecture():
    model = rest(decoding="probabilities")
    np.testing.assert_allclose(
        model.member_outputs(PEPPER)[0], [0.5023, 0.000971, 0.7045], atol=2e-4
    )
    assert model.predict(PEPPER) == "vegetable"


def test_one_vs_one_lines_against_lecture():
    model = duels()
    for pair, line in PAIRS.items():
        np.testing.assert_allclose(line_between(model, *pair), line, atol=0.0051)


def test_bell_pepper_by_printed_pairs_against_lecture():
    scores = np.array([line[0] + PEPPER[0] @ line[1:] for line in PAIRS.values()])
    np.testing.assert_allclose(scores, [-0.37, 2.4, 4.65], atol=5e-5)
    np.testing.assert_allclose(expit(scores), [0.4085, 0.9168, 0.9905], atol=5e-5)


def test_bell_pepper_duels_against_lecture():
    """Vegetable beats fruit, fruit and vegetable beat protein: two votes for vegetable."""
    model = duels(decoding="votes")
    predicted = [
        expit(line_between(model, *pair) @ np.concatenate([[1.0], PEPPER[0]])) for pair in PAIRS
    ]
    np.testing.assert_allclose(predicted, [0.4231, 0.9165, 0.9904], atol=2e-4)
    votes = model.combine_(model.member_outputs(PEPPER))[0]
    np.testing.assert_allclose(votes, [1 / 2, 0, 1])
    assert model.predict(PEPPER) == "vegetable"


def test_silence_triangle_against_lecture():
    """Between the three lines every probability is under 1/2, and the ensemble abstains."""
    model = rest(decoding="probabilities", decide=Abstain(0.5, abstain_label="none"))
    lines = [line_of(member) for member in model.estimators_]
    corners = np.array(
        [
            np.linalg.solve([lines[i][1:], lines[j][1:]], [-lines[i][0], -lines[j][0]])
            for i, j in ((0, 1), (0, 2), (1, 2))
        ]
    )
    np.testing.assert_allclose(corners, [[5.36, 2.49], [5.91, 8.16], [1.79, 5.99]], atol=0.01)
    probabilities = np.random.default_rng(0).dirichlet(np.ones(3), size=200)
    assert (model.member_outputs(probabilities @ corners) < 0.5).all()
    assert set(model.predict(probabilities @ corners)) == {"none"}
    assert "none" not in set(model.predict(X))


def test_tied_duels_may_go_to_the_extra_class():
    """ "Any of them or class 0": each class wins one duel somewhere, and F may abstain."""
    circle = duels(decoding="votes", decide=Argmax(tie="abstain", abstain_label="none"))
    grid = np.stack(np.meshgrid(*[np.linspace(0, 12, 121)] * 2), axis=-1).reshape(-1, 2)
    votes = circle.combine_(circle.member_outputs(grid))
    tied = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
    np.testing.assert_array_equal(circle.predict(grid) == "none", tied)


@pytest.mark.parametrize("model", [rest(), duels()], ids=["one vs rest", "one vs one"])
def test_number_of_members_against_lecture(model):
    """M members against M (M - 1) / 2: three of each for three classes."""
    assert len(model.estimators_) == 3


def test_uneven_sides_leave_rows_to_nobody_against_lecture():
    """One class against the rest is 1 : M - 1; with even sides few rows are left."""
    angles = 2 * np.pi * np.arange(8) / 8
    centres = 3 * np.column_stack([np.cos(angles), np.sin(angles)])
    points, labels = make_blobs(480, centers=centres, random_state=0)
    nobodys = []
    for balanced in (False, True):
        model = OneVsRestClassifier(
            LogisticRegression(), decoding="probabilities", balanced=balanced
        ).fit(points, labels)
        nobodys.append(np.mean((model.member_outputs(points) < 0.5).all(axis=1)))
    assert nobodys[0] > 0.4
    assert nobodys[1] < 0.15
