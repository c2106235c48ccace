from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nonet import StackingClassifier
from nonet.stacking.learned.guard import guard_final_model


def probabilities(rng, shape):
    return rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])


def test_losses_against_sklearn():
    rng = np.random.default_rng(0)
    final, outputs, target = (
        probabilities(rng, (50, 3)),
        probabilities(rng, (50, 2, 3)),
        rng.integers(0, 3, 50),
    )
    weight = rng.random(50)
    guard = guard_final_model(final, outputs, target, weight)
    members = [log_loss(target, outputs[:, m], sample_weight=weight) for m in range(2)]
    assert guard.final_model == pytest.approx(log_loss(target, final, sample_weight=weight))
    assert guard.best_member == pytest.approx(min(members))
    assert guard.mean == pytest.approx(log_loss(target, outputs.mean(axis=1), sample_weight=weight))
    assert guard.excess == pytest.approx(guard.final_model - min(guard.best_member, guard.mean))


def test_member_without_any_support_counts_as_wrong():
    guard = guard_final_model(np.array([[0.5, 0.5]] * 2), np.zeros((2, 1, 2)), np.array([0, 1]))
    assert np.isfinite(guard.best_member)
    assert not guard.worsens


def test_final_model_that_worsens_the_log_loss_is_told():
    X, y = make_classification(200, flip_y=0.4, random_state=0)
    members = [("line", LogisticRegression(C=0.01)), ("bayes", GaussianNB())]
    with pytest.warns(UserWarning, match="held-out log loss of .* worse than .*weights='log_loss'"):
        stack = StackingClassifier(members, DecisionTreeClassifier(random_state=0), guard=True).fit(
            X, y
        )
    assert stack.guard_.worsens
    assert stack.guard_.excess > 1


def test_good_final_model_is_left_in_peace():
    X, y = load_breast_cancer(return_X_y=True)  # over-sure Bayes: the mean is far worse
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    stack = StackingClassifier([("bayes", GaussianNB()), ("tree", tree)], guard=True).fit(X, y)
    assert not stack.guard_.worsens
    assert stack.guard_.excess < -stack.guard_.standard_error
    assert not hasattr(stack.set_params(guard=False).fit(X, y), "guard_")


def test_members_without_probabilities_are_rejected():
    X, y = load_wine(return_X_y=True)
    members = [("svm", LinearSVC(random_state=0)), ("bayes", GaussianNB())]
    with pytest.raises(ValueError, match="all members need predict_proba"):
        StackingClassifier(members, guard=True, level_one="labels").fit(X, y)
