"""Inner representations of prefit members as columns of level one."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet import RandomForestClassifier, StackingClassifier, StackingRegressor

X, Y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
NAMES = np.array(["bad", "good"])[Y]
FITTED, LEVEL_ONE, TEST = slice(0, 200), slice(200, 400), slice(400, None)


def stack_on(model, target=NAMES):
    model.fit(X[FITTED], target[FITTED])
    stack = StackingClassifier(
        [("model", model)], LogisticRegression(max_iter=1000), cv="prefit", passthrough="inner"
    )
    return stack.fit(X[LEVEL_ONE], target[LEVEL_ONE]), model


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(7, max_leaf_nodes=8, random_state=0),
        GradientBoostingClassifier(n_estimators=5, random_state=0),
    ],
)
def test_leaves_are_one_column_each_against_naive(model):
    stack, model = stack_on(model)
    leaves = model.apply(X[LEVEL_ONE]).reshape(200, -1)
    known = [np.unique(column) for column in leaves.T]
    table = stack.transform(X[TEST])
    assert sparse.issparse(table)
    assert table.shape[1] == 1 + sum(map(len, known))
    of_test = model.apply(X[TEST]).reshape(len(X[TEST]), -1)
    naive = np.hstack(
        [column[:, None] == own for column, own in zip(of_test.T, known, strict=True)]
    )
    np.testing.assert_array_equal(table.toarray()[:, 1:], naive)
    np.testing.assert_allclose(table.toarray()[:, 0], model.predict_proba(X[TEST])[:, 1])
    assert len(stack.get_feature_names_out()) == table.shape[1]
    assert stack.get_feature_names_out()[1] == "model_inner0"
    assert stack.score(X[TEST], NAMES[TEST]) > 0.9


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic", "identity"])
def test_hidden_layer_leads_to_the_prediction_of_the_network(activation):
    network = MLPClassifier(
        (6, 4), activation=activation, solver="lbfgs", alpha=1.0, max_iter=5000, random_state=0
    )
    stack, network = stack_on(network)
    layer = stack.transform(X[TEST])[:, 1:]
    assert layer.shape[1] == 4
    logits = layer @ network.coefs_[-1] + network.intercepts_[-1]
    np.testing.assert_allclose(
        1 / (1 + np.exp(-logits.ravel())), network.predict_proba(X[TEST])[:, 1], rtol=1e-6
    )


class PCABayes(GaussianNB):
    """A classifier with a transform of its own."""

    def fit(self, X, y):
        self.pca_ = PCA(2).fit(X)
        return super().fit(X, y)

    def transform(self, X):
        return self.pca_.transform(X)


def test_transform_is_used_where_there_is_one():
    stack, model = stack_on(PCABayes())
    np.testing.assert_allclose(stack.transform(X[TEST])[:, 1:], model.transform(X[TEST]))


def test_members_of_several_kinds_stand_side_by_side_and_can_be_copied():
    forest = RandomForestClassifier(3, max_leaf_nodes=4, random_state=0).fit(X[FITTED], Y[FITTED])
    bayes = PCABayes().fit(X[FITTED], Y[FITTED])
    stack = StackingClassifier(
        [("forest", forest), ("bayes", bayes)], cv="prefit", passthrough="inner"
    ).fit(X[LEVEL_ONE], Y[LEVEL_ONE])
    copy = pickle.loads(pickle.dumps(stack))
    np.testing.assert_array_equal(copy.predict_proba(X[TEST]), stack.predict_proba(X[TEST]))
    outputs = stack.member_outputs(X[TEST])
    np.testing.assert_array_equal(
        stack.decide_(stack.combine_(outputs, X[TEST])), stack.predict(X[TEST])
    )


def test_regression_reads_hidden_layers():
    table, target = load_diabetes(return_X_y=True)
    network = make_network().fit(table[:200], target[:200])
    stack = StackingRegressor([("net", network)], Ridge(1e-6), cv="prefit", passthrough="inner")
    stack.fit(table[200:], target[200:])
    assert stack.transform(table[:5]).shape == (5, 1 + 8)


def make_network():
    return MLPRegressor(
        hidden_layer_sizes=(8,), max_iter=3000, random_state=0, alpha=1e-3, solver="lbfgs"
    )


def test_folds_are_refused_with_the_way_out():
    members = [("forest", RandomForestClassifier(3, random_state=0))]
    with pytest.raises(ValueError, match="fit the members on other rows before"):
        StackingClassifier(members, passthrough="inner").fit(X, Y)


def test_member_without_representation_is_named():
    pipeline = make_pipeline(StandardScaler(), GaussianNB()).fit(X[FITTED], Y[FITTED])
    stack = StackingClassifier([("pipe", pipeline)], cv="prefit", passthrough="inner")
    with pytest.raises(TypeError, match="member 'pipe' .* has no inner representation"):
        stack.fit(X[LEVEL_ONE], Y[LEVEL_ONE])
