"""Issue 19, part 2: impurities, native losses and draw rules are rows of tables."""

import numpy as np
import pytest

from nonet import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, _core
from nonet._native.data import BinnedDataset
from nonet._native.grow import grow_tree
from nonet._native.loss import fill_gradients
from nonet.bagging import DRAW_RULES
from nonet.bagging.bagging.draws import FOREST_DRAW_RULES
from nonet.trees.criteria import CLASS_CRITERIA, REGRESSION_CRITERIA, ClassImpurity
from nonet.trees.targets import class_target

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 3))
CLASSES = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)


def test_every_impurity_of_the_core_has_a_name_for_users():
    assert {impurity.core for impurity in CLASS_CRITERIA.values()} == set(_core.class_criteria())


@pytest.mark.parametrize("name", CLASS_CRITERIA)
def test_every_named_class_impurity_grows_a_tree(name):
    tree = DecisionTreeClassifier(criterion=name).fit(X, CLASSES)
    assert tree.score(X, CLASSES) == 1
    assert f"'{name}'" in DecisionTreeClassifier.__doc__
    assert f"'{name}'" in RandomForestClassifier.__doc__


@pytest.mark.filterwarnings("ignore:criterion='friedman_mse'")
@pytest.mark.parametrize("name", REGRESSION_CRITERIA)
def test_every_named_regression_impurity_grows_a_tree(name):
    tree = DecisionTreeRegressor(criterion=name).fit(X, np.exp(X[:, 0]))
    assert tree.score(X, np.exp(X[:, 0])) == pytest.approx(1)


def test_impurity_without_indicators_rejects_several_targets():
    codes = np.zeros((4, 2), dtype=int)
    with pytest.raises(ValueError, match="criterion='new' is for one target, but y has 2"):
        class_target(codes, (1, 1), "new", ClassImpurity("gini"))


def test_core_rejects_unknown_names_in_one_sentence():
    with pytest.raises(ValueError, match="There is no criterion named 'variance'"):
        grow_tree(BinnedDataset(X), X[:, 0], criterion="variance")
    with pytest.raises(ValueError, match="There is no loss named 'cubic'"):
        fill_gradients("cubic", 0.0, X[:, 0].copy(), X[:, 1].copy(), np.empty(60))


def test_forests_take_the_rules_that_the_core_draws_by():
    assert set(FOREST_DRAW_RULES) == {"rows", "stratified", "balanced", "groups"}
    groups = np.arange(60) // 3
    for name, rule in DRAW_RULES.items():
        forest = RandomForestClassifier(3, draw=name, random_state=0)
        keywords = {"groups": groups} if rule.needs_groups else {}
        if name in FOREST_DRAW_RULES:
            assert forest.fit(X, CLASSES, **keywords).score(X, CLASSES) > 0.6
        else:
            with pytest.raises(ValueError, match="draw"):
                forest.fit(X, CLASSES, **keywords)
