from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nonet import SelectionClassifier, StackingClassifier, StackingRegressor, honest_score

MEMBERS = [("line", LinearRegression()), ("near", KNeighborsRegressor(20))]


def test_scores_against_naive_nested_cross_validation():
    X, y = load_diabetes(return_X_y=True)
    stack = StackingRegressor(MEMBERS, cv=3)
    result = honest_score(stack, X, y, cv=KFold(4))
    naive = cross_val_score(stack, X, y, cv=KFold(4))
    np.testing.assert_allclose(result.fold_scores, naive)
    assert result.standard_error == pytest.approx(naive.std(ddof=1) / 2)
    alone = cross_val_score(LinearRegression(), X, y, cv=KFold(4))
    np.testing.assert_allclose(result.member_scores["line"], alone)
    assert result.gain == pytest.approx((naive - alone).mean())


def test_groups_reach_outer_and_inner_folds():
    X, y = load_diabetes(return_X_y=True)
    groups = np.arange(len(y)) % 8
    stack = StackingRegressor(MEMBERS, cv=GroupKFold(3))
    result = honest_score(stack, X, y, cv=GroupKFold(4), groups=groups)
    assert result.fold_scores.shape == (4,)


def test_members_that_the_scorer_cannot_use_are_left_out():
    X, y = load_wine(return_X_y=True)
    models = [("svm", LinearSVC(random_state=0)), ("bayes", GaussianNB())]
    stack = StackingClassifier(models, LogisticRegression(max_iter=5000), cv=3)
    result = honest_score(stack, X, y, cv=3, scoring="neg_log_loss")
    assert np.isnan(result.member_scores["svm"]).all()
    assert result.best_member == "bayes"


def test_plain_estimators_have_no_members():
    X, y = load_wine(return_X_y=True)
    result = honest_score(GaussianNB(), X, y, cv=3)
    np.testing.assert_allclose(result.fold_scores, cross_val_score(GaussianNB(), X, y, cv=3))
    assert result.best_member is None
    assert "score" in str(result)


def test_score_of_a_selection_is_below_the_best_of_many_on_noise():
    """The best of 20 useless models looks good where it was chosen, and is not elsewhere."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 20)), rng.integers(0, 2, 80)
    trees = [
        (f"t{seed}", DecisionTreeClassifier(splitter="random", max_features=2, random_state=seed))
        for seed in range(20)
    ]
    choice = SelectionClassifier(trees, cv=3)
    claimed = choice.fit(X, y).scores_.max()
    assert honest_score(choice, X, y, cv=4).score < claimed


def test_prefit_members_are_rejected():
    X, y = load_diabetes(return_X_y=True)
    fitted = [("line", LinearRegression().fit(X, y))]
    with pytest.raises(ValueError, match="they are prefit"):
        honest_score(StackingRegressor(fitted, cv="prefit"), X, y)
